"""What a lobby's public message says: who sits, what was chosen, and its controls."""

from itertools import accumulate
from typing import NamedTuple

import discord

from bot.features.lobby import game_settings
from bot.features.lobby.controls import lobby_control_id
from bot.features.lobby.rules import obstacles
from bot.kernel.room import QUIET, Room
from bot.model.match import COMPUTER, USUAL_LEVEL, Status
from bot.runtime.clock import DAY
from bot.text import listed, say
from bot.ui import describe
from bot.ui.names import escaped, marked_names, mentions, person_name
from bot.ui.parts import (
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
    new_embed,
)
from engine import Game, Setting, find_game
from engine.core.words import Words, words_of

FIELD_LENGTH = 1024
"""Characters of an embed's field, as Discord allows."""

OpenSetting = tuple[Setting, list[str]]
"""A setting with the values that this table can choose."""


class Menus(NamedTuple):
    """Where the open settings of a lobby are chosen."""

    own: list[OpenSetting]
    """In a menu of their own."""
    shared: list[OpenSetting]
    """In the last menu, together."""
    none: list[OpenSetting]
    """In no menu: there is no room for them."""


def embed(room: Room) -> discord.Embed:
    """Return a card with the game, its settings and the seats taken."""
    game = find_game(room.record.game)
    words = words_of(game.id)
    about = "\n".join(line for line in (words.summary, words.own_parts) if line)
    card = new_embed(game.title, about[:2000])
    most = game.seats[-1] if len(game.seats) > 1 else None
    seats = say("lobby.seats", taken=len(room.record.chairs), least=game.seats[0], most=most)
    card.add_field(name=seats, value=_chairs(room)[:FIELD_LENGTH])
    if settings := _settings(room, game):
        card.add_field(name=say("lobby.settings"), value=settings[:FIELD_LENGTH])
    card.add_field(name=say("pace.field"), value=describe.time_contract(room.record.terms.time), inline=False)
    card.add_field(name=say("lobby.now"), value=_state(room)[:FIELD_LENGTH], inline=False)
    card.set_footer(text=say("lobby.match", id=room.record.id))
    return card


def offer(room: Room) -> tuple[str, list[int]]:
    """Return the line above the lobby of a rematch, and the people to whom it is offered; '' and nobody for others."""
    if not room.record.seating:
        return "", []
    called = [user for user in room.record.seating if user not in (COMPUTER, room.record.host)]
    host = next(person for person in room.record.chairs if person.id == room.record.host)
    game = find_game(room.record.game).title
    line = say("post.rematch_offer", who=escaped(person_name(host)), called=mentions(called), game=game)
    return line, called


def rows(room: Room) -> list[Row]:
    """Return the buttons, and menus for the settings that this table can choose; none once the lobby is closed."""
    if room.record.status is not Status.LOBBY:
        return []
    menus = _arrange_menus(room, find_game(room.record.game))
    rows = _buttons(room)
    rows += [_menu(room, setting, values) for setting, values in menus.own]
    if menus.shared:
        rows.append(_shared_menu(room, menus.shared))
    return rows


def _buttons(room: Room) -> list[Row]:
    match = room.record.id
    buttons = [
        button(lobby_control_id(match, "join"), say("lobby.join"), STRONG),
        button(lobby_control_id(match, "leave"), say("lobby.leave")),
        button(lobby_control_id(match, "computer"), say("lobby.computer")),
        button(lobby_control_id(match, "start"), say("lobby.start"), GOOD),
        button(lobby_control_id(match, "cancel"), say("lobby.cancel"), GRAVE),
        button(lobby_control_id(match, "time"), say("pace.button")),
        button(lobby_control_id(match, "rated"), say("lobby.rate", rated=room.record.terms.rated)),
    ]
    people = [person.id for person in room.record.chairs if person.id != COMPUTER]
    if len(people) > 1:
        # Somebody alone has hints anyway.
        agreed = sum(user in room.record.terms.hints for user in people)
        label = say("lobby.hints", agreed=agreed, people=len(people))
        buttons.append(button(lobby_control_id(match, "hints"), label))
    return button_rows(buttons)


def _arrange_menus(room: Room, game: "Game[object]") -> Menus:
    """Decide which open settings get a menu: Discord has room for a few below the buttons."""
    found = game_settings.fitting(game, len(room.record.chairs), room.record.settings)
    most = ROWS - len(_buttons(room))
    if len(found) <= most:
        return Menus(found, [], [])
    own, rest = found[: most - 1], found[most - 1 :]
    lines = accumulate(len(values) for _, values in rest)
    fitting = sum(number <= CHOICES for number in lines)
    return Menus(own, rest[:fitting], rest[fitting:])


def _menu(room: Room, setting: Setting, values: list[str]) -> Menu:
    words, key = words_of(room.record.game), setting.key
    chosen = room.record.settings.get(key, setting.default)
    lines = tuple(choice(value, _setting_line(words, key, value), chosen=value == chosen) for value in values[:CHOICES])
    return Menu(lobby_control_id(room.record.id, "set", key), say("lobby.menu", setting=words.setting(key)), lines)


def _shared_menu(room: Room, shared: list[OpenSetting]) -> Menu:
    """Return one menu for several settings. None of its lines is marked, for of each setting one would be."""
    words = words_of(room.record.game)
    lines = tuple(
        choice(game_settings.code(setting, value), _setting_line(words, setting.key, value))
        for setting, values in shared
        for value in values
    )
    placeholder = say("lobby.menu", setting=listed(words.setting(setting.key) for setting, _ in shared))
    return Menu(lobby_control_id(room.record.id, "more"), cut(placeholder, PLACEHOLDER), lines)


def _setting_line(words: Words, key: str, value: str) -> str:
    return say("lobby.setting", setting=words.setting(key), value=words.choice(key, value))


def _chairs(room: Room) -> str:
    lines = []
    for number, person in enumerate(room.record.chairs, 1):
        level = say(f"level.{person.level or USUAL_LEVEL}") if person.id == COMPUTER else ""
        name, host = escaped(person_name(person)), person.id == room.record.host
        lines.append(say("lobby.chair", number=number, name=name, level=level, host=host))
    return "\n".join(lines) or say("lobby.nobody")


def _settings(room: Room, game: "Game[object]") -> str:
    words, terms = words_of(game.id), room.record.terms
    lines = []
    for setting in game.settings:
        value = room.record.settings.get(setting.key, setting.default)
        if not setting.free:
            lines.append(_setting_line(words, setting.key, value))
        elif value:
            lines.append(say("lobby.given", setting=words.setting(setting.key)))
    is_open = room.record.status is Status.LOBBY
    lines.append(say("lobby.with_hints") if room.has_hints else say("lobby.no_hints", open=is_open))
    if terms.lesson:
        lines.append(say("lobby.lesson"))
    if is_open or not room.is_solo:
        # Somebody who plays alone is not rated, and ends the match by giving up.
        lines.append(say("lobby.rated" if terms.rated else "lobby.unrated"))
        lines.append(say("lobby.stand_in", level=say(f"level.{terms.stand_in}")))
    if without_menu := _arrange_menus(room, game).none:
        lines.append(say("lobby.typed_only", settings=listed(setting.key for setting, _ in without_menu)))
    return "\n".join(lines)


def _state(room: Room) -> str:
    record = room.record
    match record.status:
        case Status.LOBBY:
            return _open_state(room)
        case Status.CANCELLED:
            return say("lobby.cancelled")
        case Status.EXPIRED:
            return say("lobby.expired", days=QUIET // DAY)
        case Status.FINISHED | Status.CALLED_OFF:
            result = describe.result(room, marked_names(room)) if room.match else ""
            return say("lobby.finished", result=result, link=describe.link(room))
    if record.place.thread or record.place.wants_thread:
        return say("lobby.started", thread=f"<#{record.place.thread}>" if record.place.thread else "")
    return say("lobby.started_here")


def _open_state(room: Room) -> str:
    """Say what an open lobby waits for, or that it can start."""
    record = room.record
    game = find_game(record.game)
    lines = []
    if record.awaited:
        lines.append(say("lobby.awaited", who=listed(f"<@{user}>" for user in record.awaited)))
    missing = game.seats[0] - len(record.chairs)
    if missing > 0:
        lines.append(say("lobby.waiting", missing=missing))
    if against := obstacles(record, game):
        lines += [*against, say("lobby.change")]
    if not lines:
        lines.append(say("lobby.can_start"))
    return "\n".join([*lines, say("lobby.quiet", days=QUIET // DAY)])
