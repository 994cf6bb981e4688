"""A lobby's public message: who sits, what was chosen, and its controls."""

from itertools import accumulate

import discord

from bot.clock import DAY
from bot.components import ids
from bot.components.parts import (
    CHOICES,
    GOOD,
    GRAVE,
    PLACEHOLDER,
    ROWS,
    STRONG,
    Menu,
    Row,
    button,
    button_rows,
    choice,
    cut,
)
from bot.matches import game_settings
from bot.matches.lobby import awaited, obstacles
from bot.matches.room import COMPUTER, QUIET, USUAL_LEVEL, Room, Status
from bot.text import describe, listed, pace_words, say
from bot.text.names import escaped, marked_names, mentions, person_name
from engine import Game, Setting, find_game
from engine.core.words import Words, words_of

SEA = 0x2A7F8E

Open = tuple[Setting, list[str]]
"""A setting with the values that this table can choose."""


def embed(room: Room) -> discord.Embed:
    """The game, its settings and the seats taken."""
    game = find_game(room.info.game)
    words = words_of(game.id)
    about = "\n".join(line for line in (words.summary, words.own_parts) if line)
    shown = discord.Embed(title=game.title, description=about[:2000] or None, colour=SEA)
    least, most = game.seats[0], game.seats[-1] if len(game.seats) > 1 else None
    seats = say("lobby.seats", taken=len(room.info.chairs), least=least, most=most)
    shown.add_field(name=seats, value=_chairs(room)[:1024])
    if said := _settings(room, game):
        shown.add_field(name=say("lobby.settings"), value=said[:1024])
    shown.add_field(name=say("pace.field"), value=pace_words.contract(room.info.terms.time), inline=False)
    shown.add_field(name=say("lobby.now"), value=_state(room)[:1024], inline=False)
    shown.set_footer(text=say("lobby.match", id=room.info.id))
    return shown


def offer(room: Room) -> tuple[str, list[int]]:
    """What is said above the lobby of a rematch, and who is called to it: all who are awaited. Nothing above others."""
    if not room.info.seating:
        return "", []
    called = [user for user in room.info.seating if user not in (COMPUTER, room.info.host)]
    host = next(person for person in room.info.chairs if person.id == room.info.host)
    facts = {"called": mentions(called), "game": find_game(room.info.game).title}
    return say("post.rematch_offer", who=escaped(person_name(host)), **facts), called


def rows(room: Room) -> list[Row]:
    """The buttons, and menus for the settings that this table can choose; none once the lobby is closed."""
    if room.info.status is not Status.LOBBY:
        return []
    alone, together, _ = _shelved(room, find_game(room.info.game))
    menus = [_menu(room, setting.key, values, setting.default) for setting, values in alone]
    return [*_buttons(room), *menus, *([_shared_menu(room, together)] if together else [])]


def _buttons(room: Room) -> list[Row]:
    match = room.info.id
    buttons = [
        button(ids.lobby(match, "join"), say("lobby.join"), STRONG),
        button(ids.lobby(match, "leave"), say("lobby.leave")),
        button(ids.lobby(match, "computer"), say("lobby.computer")),
        button(ids.lobby(match, "start"), say("lobby.start"), GOOD),
        button(ids.lobby(match, "cancel"), say("lobby.cancel"), GRAVE),
        button(ids.lobby(match, "time"), say("pace.button")),
        button(ids.lobby(match, "rated"), say("lobby.rate", rated=room.info.terms.rated)),
    ]
    people = [person.id for person in room.info.chairs if person.id != COMPUTER]
    if len(people) > 1:
        # Somebody alone has hints anyway.
        agreed = sum(user in room.info.terms.hints for user in people)
        buttons.append(button(ids.lobby(match, "hints"), say("lobby.hints", agreed=agreed, people=len(people))))
    return button_rows(buttons)


def _shelved(room: Room, game: "Game[object]") -> tuple[list[Open], list[Open], list[Open]]:
    """The open settings: those with a menu of their own, those that share the last one, those that find no room."""
    found = game_settings.fitting(game, len(room.info.chairs), room.info.settings)
    menus = ROWS - len(_buttons(room))
    if len(found) <= menus:
        return found, [], []
    alone, rest = found[: menus - 1], found[menus - 1 :]
    sizes = list(accumulate(len(values) for _, values in rest))
    fitting = sum(size <= CHOICES for size in sizes)
    return alone, rest[:fitting], rest[fitting:]


def _menu(room: Room, key: str, values: list[str], default: str) -> Menu:
    wording, chosen = words_of(room.info.game), room.info.settings.get(key, default)
    lines = tuple(choice(value, _setting(wording, key, value), chosen=value == chosen) for value in values[:CHOICES])
    return Menu(ids.lobby(room.info.id, "set", key), say("lobby.menu", setting=wording.setting(key)), lines)


def _shared_menu(room: Room, together: list[Open]) -> Menu:
    """Settings in one menu: none of its lines is marked, for of each setting one would be."""
    wording = words_of(room.info.game)
    lines = tuple(
        choice(game_settings.code(setting, value), _setting(wording, setting.key, value))
        for setting, values in together
        for value in values
    )
    face = say("lobby.menu", setting=listed(wording.setting(setting.key) for setting, _ in together))
    return Menu(ids.lobby(room.info.id, "more"), cut(face, PLACEHOLDER), lines)


def _setting(wording: Words, key: str, value: str) -> str:
    return say("lobby.setting", setting=wording.setting(key), value=wording.choice(key, value))


def _chairs(room: Room) -> str:
    lines = []
    for number, person in enumerate(room.info.chairs, 1):
        level = say(f"level.{person.level or USUAL_LEVEL}") if person.id == COMPUTER else ""
        name, host = escaped(person_name(person)), person.id == room.info.host
        lines.append(say("lobby.chair", number=number, name=name, level=level, host=host))
    return "\n".join(lines) or say("lobby.nobody")


def _settings(room: Room, game: "Game[object]") -> str:
    wording, chosen = words_of(game.id), room.info.settings
    lines = []
    for setting in game.settings:
        value = chosen.get(setting.key, setting.default)
        if setting.free:
            lines += [say("lobby.given", setting=wording.setting(setting.key))] if value else []
        else:
            lines.append(_setting(wording, setting.key, value))
    is_open = room.info.status is Status.LOBBY
    lines.append(say("lobby.with_hints") if room.has_hints else say("lobby.no_hints", open=is_open))
    if room.info.terms.lesson:
        lines.append(say("lobby.lesson"))
    if is_open or not room.is_solo:
        # Whoever plays alone is not rated, and ends the match by giving up.
        lines.append(say("lobby.rated" if room.info.terms.rated else "lobby.unrated"))
        lines.append(say("lobby.stand_in", level=say(f"level.{room.info.terms.stand_in}")))
    if without_menu := _shelved(room, game)[2]:
        lines.append(say("lobby.typed_only", settings=listed(setting.key for setting, _ in without_menu)))
    return "\n".join(lines)


def _state(room: Room) -> str:
    info = room.info
    match info.status:
        case Status.LOBBY:
            game = find_game(info.game)
            missing, against = game.seats[0] - len(info.chairs), obstacles(info, game)
            lines = [*against, say("lobby.change")] if against else []
            if missing > 0:
                lines.insert(0, say("lobby.waiting", missing=missing))
            if called := awaited(info):
                lines.insert(0, say("lobby.awaited", who=listed(f"<@{user}>" for user in called)))
            return "\n".join([*(lines or [say("lobby.can_start")]), say("lobby.quiet", days=QUIET // DAY)])
        case Status.CANCELLED:
            return say("lobby.cancelled")
        case Status.EXPIRED:
            return say("lobby.expired", days=QUIET // DAY)
        case Status.FINISHED | Status.CALLED_OFF:
            result = describe.result(room, marked_names(room)) if room.match else ""
            return say("lobby.finished", result=result, link=describe.link(room))
    if info.place.thread or info.place.wants_thread:
        return say("lobby.started", thread=f"<#{info.place.thread}>" if info.place.thread else "")
    return say("lobby.started_here")
