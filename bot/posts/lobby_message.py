"""A lobby's public message: who sits, what was chosen, and its controls."""

from itertools import accumulate

import discord

from bot.components import ids
from bot.components.parts import CHOICES, GRAVE, STRONG, Menu, Row, button, choice
from bot.matches import game_settings
from bot.matches.room import COMPUTER, Room, Status
from bot.text.names import escaped, person_name
from engine import Game, Setting, find_game
from engine.core.words import words_of

SEA = 0x2A7F8E
MENUS = 4

Open = tuple[Setting, list[str]]
"""A setting with the values that this table can choose."""


def embed(room: Room) -> discord.Embed:
    """The game, its settings and the seats taken."""
    game = find_game(room.info.game)
    shown = discord.Embed(title=game.title, description=words_of(game.id).summary[:2000] or None, colour=SEA)
    shown.add_field(name=f"Seats {len(room.info.chairs)} of {_range(game)}", value=_chairs(room)[:1024])
    if said := _settings(room, game):
        shown.add_field(name="Settings", value=said[:1024])
    shown.add_field(name="Now", value=_state(room)[:1024], inline=False)
    shown.set_footer(text=f"Match {room.info.id}")
    return shown


def rows(room: Room) -> list[Row]:
    """The buttons, and menus for the settings that this table can choose; none once the lobby is closed."""
    if room.info.status is not Status.LOBBY:
        return []
    match, game = room.info.id, find_game(room.info.game)
    buttons = (
        button(ids.lobby(match, "join"), "Join", STRONG),
        button(ids.lobby(match, "leave"), "Leave"),
        button(ids.lobby(match, "computer"), "Add computer"),
        button(ids.lobby(match, "start"), "Start", "success"),
        button(ids.lobby(match, "cancel"), "Cancel", GRAVE),
    )
    alone, together, _ = _shelved(room, game)
    menus = [_menu(room, setting.key, values, setting.default) for setting, values in alone]
    return [buttons, *menus, *([_shared_menu(room, together)] if together else [])]


def _shelved(room: Room, game: "Game[object]") -> tuple[list[Open], list[Open], list[Open]]:
    """The open settings: those with a menu of their own, those that share the last one, those that find no room."""
    found = game_settings.fitting(game, len(room.info.chairs))
    if len(found) <= MENUS:
        return found, [], []
    alone, rest = found[: MENUS - 1], found[MENUS - 1 :]
    sizes = list(accumulate(len(values) for _, values in rest))
    fitting = sum(size <= CHOICES for size in sizes)
    return alone, rest[:fitting], rest[fitting:]


def _menu(room: Room, key: str, values: list[str], default: str) -> Menu:
    wording, chosen = words_of(room.info.game), room.info.settings.get(key, default)
    label = wording.setting(key)
    lines = tuple(
        choice(value, f"{label}: {wording.choice(key, value)}", chosen=value == chosen) for value in values[:CHOICES]
    )
    return Menu(ids.lobby(room.info.id, "set", key), f"{label} (the host chooses)", lines)


def _shared_menu(room: Room, together: list[Open]) -> Menu:
    """Settings in one menu: none of its lines is marked, for of each setting one would be."""
    wording = words_of(room.info.game)
    lines = tuple(
        choice(
            game_settings.code(setting, value), f"{wording.setting(setting.key)}: {wording.choice(setting.key, value)}"
        )
        for setting, values in together
        for value in values
    )
    return Menu(ids.lobby(room.info.id, "more"), "More settings (the host chooses)", lines)


def _range(game: "Game[object]") -> str:
    return f"{game.seats[0]} to {game.seats[-1]}" if len(game.seats) > 1 else str(game.seats[0])


def _chairs(room: Room) -> str:
    lines = []
    for number, person in enumerate(room.info.chairs, 1):
        role = " (computer)" if person.id == COMPUTER else " (host)" if person.id == room.info.host else ""
        lines.append(f"{number}. {escaped(person_name(person))}{role}")
    return "\n".join(lines) or "nobody"


def _settings(room: Room, game: "Game[object]") -> str:
    wording, chosen = words_of(game.id), room.info.settings
    lines = []
    for setting in game.settings:
        value = chosen.get(setting.key, setting.default)
        if setting.free:
            lines += [f"{wording.setting(setting.key)}: given"] if value else []
        else:
            lines.append(f"{wording.setting(setting.key)}: {wording.choice(setting.key, value)}")
    if without_menu := _shelved(room, game)[2]:
        keys = ", ".join(setting.key for setting, _ in without_menu)
        lines.append(f"Given with `/game new settings:` alone: {keys}")
    return "\n".join(lines)


def _state(room: Room) -> str:
    info = room.info
    match info.status:
        case Status.LOBBY:
            least = find_game(info.game).seats[0] - len(info.chairs)
            return "The host can start." if least <= 0 else f"Waiting for {least} more. Press Join to play."
        case Status.CANCELLED:
            return "Cancelled."
        case Status.FINISHED:
            return "Finished."
    where = f"<#{info.place.thread}>" if info.place.thread else "here" if not info.place.wants_thread else "its thread"
    return f"Started: it is played in {where}." if where != "here" else "Started: it is played here."
