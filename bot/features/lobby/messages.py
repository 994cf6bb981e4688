"""What a lobby shows: its public card with buttons and menus, and the private screens of its
host.
"""

from itertools import accumulate

import discord

from bot.features.lobby.rules import (
    OTHER_TERMS,
    PACE,
    TIME_TERMS,
    Table,
    Term,
    level_name,
    menu_value,
    setting_line,
    shared_menu_value,
)
from bot.kernel.room import QUIET, Room
from bot.model.clocks import Pace
from bot.model.match import COMPUTER, USUAL_LEVEL, MatchRecord, Status
from bot.runtime.clock import DAY
from bot.text import listed, say
from bot.ui import describe
from bot.ui.components import MATCH
from bot.ui.names import escaped, marked_names, mentions, person_name
from bot.ui.parts import (
    CHOICES,
    GOOD,
    GRAVE,
    PLACEHOLDER,
    PLAIN,
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
from engine import Setting, find_game
from engine.core.words import words_of
from engine.players import LEVELS

FIELD_LENGTH = 1024
"""Characters of an embed's field, as Discord allows."""
MENU_ROWS = ROWS - 2
"""Menus of settings that a card has room for, below two rows of buttons."""

OpenSettings = list[tuple[Setting, list[str]]]
"""Settings, each with the values that a table can choose."""


def control_pattern(*whats: str) -> str:
    """Return the pattern of the ids of a lobby's controls that do one of these things."""
    return rf"l:{MATCH}:(?P<what>{'|'.join(whats)})(?::(?P<key>[a-z0-9_]{{1,40}}))?"


def control_id(match: str, what: str, key: str = "") -> str:
    """Return the id of a control of a lobby."""
    return f"l:{match}:{what}:{key}" if key else f"l:{match}:{what}"


def facts(room: Room) -> dict[str, str]:
    """Return what every answer about a lobby says of it."""
    return {"game": describe.title(room), "id": room.record.id, "link": describe.link(room)}


# The card that everyone sees.


def embed(room: Room) -> discord.Embed:
    """Return a card with the game, its settings and the seats taken."""
    record, game = room.record, find_game(room.record.game)
    words = words_of(game.id)
    about = "\n".join(filter(None, (words.summary, words.own_parts)))
    card = new_embed(game.title, about[:2000])
    most = game.seats[-1] if len(game.seats) > 1 else None
    seats = say("lobby.seats", taken=len(record.chairs), least=game.seats[0], most=most)
    card.add_field(name=seats, value=chair_lines(record)[:FIELD_LENGTH])
    if settings := "\n".join(settings_lines(room)):
        card.add_field(name=say("lobby.settings"), value=settings[:FIELD_LENGTH])
    card.add_field(
        name=say("pace.field"), value=describe.time_contract(record.terms.time), inline=False
    )
    card.add_field(name=say("lobby.now"), value=state_text(room)[:FIELD_LENGTH], inline=False)
    card.set_footer(text=say("lobby.match", id=record.id))
    return card


def chair_lines(record: MatchRecord) -> str:
    """Say who sits where."""
    lines = []
    for number, person in enumerate(record.chairs, 1):
        level = level_name(person.level or USUAL_LEVEL) if person.id == COMPUTER else ""
        name, is_host = escaped(person_name(person)), person.id == record.host
        lines.append(say("lobby.chair", number=number, name=name, level=level, host=is_host))
    return "\n".join(lines) or say("lobby.nobody")


def settings_lines(room: Room) -> list[str]:
    """Say what was chosen."""
    record, terms = room.record, room.record.terms
    game = find_game(record.game)
    lines = []
    for setting in game.settings:
        value = record.settings.get(setting.key, setting.default)
        if not setting.free:
            lines.append(setting_line(game.id, setting.key, value))
        elif value:
            lines.append(say("lobby.given", setting=words_of(game.id).setting(setting.key)))
    is_open = record.status is Status.LOBBY
    lines.append(say("lobby.with_hints") if room.has_hints else say("lobby.no_hints", open=is_open))
    if terms.lesson:
        lines.append(say("lobby.lesson"))
    if is_open or not room.is_solo:
        # Somebody who plays alone is not rated, and ends the match by giving up.
        lines.append(say("lobby.rated" if terms.rated else "lobby.unrated"))
        lines.append(say("lobby.stand_in", level=level_name(terms.stand_in)))
    _, _, without_menu = arrange_settings(Table(record, game))
    if without_menu:
        lines.append(
            say("lobby.typed_only", settings=listed(setting.key for setting, _ in without_menu))
        )
    return lines


def state_text(room: Room) -> str:
    """Say what an open lobby waits for, or what has become of it."""
    record = room.record
    match record.status:
        case Status.CANCELLED:
            return say("lobby.cancelled")
        case Status.EXPIRED:
            return say("lobby.expired", days=QUIET // DAY)
        case Status.FINISHED | Status.CALLED_OFF:
            result = describe.result(room, marked_names(room)) if room.match else ""
            return say("lobby.finished", result=result, link=describe.link(room))
        case Status.LOBBY:
            game = find_game(record.game)
            lines = []
            if record.awaited:
                lines.append(
                    say("lobby.awaited", who=listed(f"<@{user}>" for user in record.awaited))
                )
            missing = game.seats[0] - len(record.chairs)
            if missing > 0:
                lines.append(say("lobby.waiting", missing=missing))
            if against := Table(record, game).obstacles():
                lines += [*against, say("lobby.change")]
            return "\n".join(
                [*(lines or [say("lobby.can_start")]), say("lobby.quiet", days=QUIET // DAY)]
            )
    place = record.place
    if place.thread or place.wants_thread:
        return say("lobby.started", thread=f"<#{place.thread}>" if place.thread else "")
    return say("lobby.started_here")


def rematch_offer(record: MatchRecord) -> tuple[str, list[int]]:
    """Return the line above the lobby of a rematch, and the people to whom it is offered; '' and
    nobody for others.
    """
    if not record.seating:
        return "", []
    called = [user for user in record.seating if user not in (COMPUTER, record.host)]
    host = next(person for person in record.chairs if person.id == record.host)
    game = find_game(record.game).title
    line = say(
        "post.rematch_offer", who=escaped(person_name(host)), called=mentions(called), game=game
    )
    return line, called


def rows(room: Room) -> list[Row]:
    """Return the buttons, and menus for the settings that this table can choose; none once the
    lobby is closed.
    """
    record, match = room.record, room.record.id
    if record.status is not Status.LOBBY:
        return []
    looks = {"join": STRONG, "leave": PLAIN, "computer": PLAIN, "start": GOOD, "cancel": GRAVE}
    buttons = [
        button(control_id(match, what), say(f"lobby.{what}"), look) for what, look in looks.items()
    ]
    buttons.append(button(control_id(match, "time"), say("pace.button")))
    buttons.append(button(control_id(match, "rated"), say("lobby.rate", rated=record.terms.rated)))
    people = [person.id for person in record.chairs if person.id != COMPUTER]
    if len(people) > 1:
        # Somebody alone has hints anyway.
        agreed = sum(user in record.terms.hints for user in people)
        buttons.append(
            button(
                control_id(match, "hints"), say("lobby.hints", agreed=agreed, people=len(people))
            )
        )
    return [*button_rows(buttons), *settings_menus(Table(record, find_game(record.game)))]


def arrange_settings(table: Table) -> tuple[OpenSettings, OpenSettings, OpenSettings]:
    """Return the open settings that get a menu of their own, those that share the last, and
    those without one.
    """
    found = table.open_settings()
    if len(found) <= MENU_ROWS:
        return found, [], []
    own, rest = found[: MENU_ROWS - 1], found[MENU_ROWS - 1 :]
    lines = accumulate(len(values) for _, values in rest)
    fitting = sum(number <= CHOICES for number in lines)
    return own, rest[:fitting], rest[fitting:]


def settings_menus(table: Table) -> list[Row]:
    """Return the menus of the game's settings."""
    record = table.record
    words = words_of(record.game)
    own, shared, _ = arrange_settings(table)
    menus: list[Row] = []
    for setting, values in own:
        key, now = setting.key, record.settings.get(setting.key, setting.default)
        lines = [
            choice(value, setting_line(record.game, key, value), chosen=value == now)
            for value in values
        ]
        title = say("lobby.menu", setting=words.setting(key))
        menus.append(Menu(control_id(record.id, "set", key), title, tuple(lines[:CHOICES])))
    if shared:
        # None of its lines is marked, for of each setting one would be.
        lines = [
            choice(shared_menu_value(setting, value), setting_line(record.game, setting.key, value))
            for setting, values in shared
            for value in values
        ]
        title = say(
            "lobby.menu", setting=listed(words.setting(setting.key) for setting, _ in shared)
        )
        menus.append(Menu(control_id(record.id, "more"), cut(title, PLACEHOLDER), tuple(lines)))
    return menus


# The private screens of the host.


def term_menu(record: MatchRecord, term: Term, zone: str = "") -> Menu:
    """Return the menu of a term; `zone` is the host's own time zone."""
    now = term.chosen(record.terms)
    lines = tuple(
        choice(menu_value(option), term.label(option), term.explain(option), chosen=option == now)
        for option in term.options(now, zone)
    )
    return Menu(control_id(record.id, term.key), say(f"term.{term.key}"), lines)


def time_rows(record: MatchRecord, zone: str) -> list[Row]:
    """Return the menus of the terms about time; without a clock, that of the pace alone."""
    terms = [PACE] if record.terms.time.pace is Pace.NONE else TIME_TERMS
    return [term_menu(record, term, zone) for term in terms]


def computers_text() -> str:
    """Say what computers can do, level by level."""
    levels = [
        say("computers.level", level=level_name(level), how=say(f"level.how_{level}"))
        for level in LEVELS
    ]
    return "\n".join((say("computers.question"), *levels, say("computers.honest")))


def computers_rows(record: MatchRecord) -> list[Row]:
    """Return the controls that add, change and remove computers."""
    rows: list[Row] = []
    if len(record.chairs) < find_game(record.game).seats[-1]:
        labels = {level: say("computers.add", level=level_name(level)) for level in LEVELS}
        adding = [
            button(control_id(record.id, "add_computer", level), labels[level], STRONG)
            for level in LEVELS
        ]
        rows.append(tuple(adding))
    changes, removals = [], []
    for seat, chair in enumerate(record.chairs):
        if chair.id != COMPUTER:
            continue
        name = person_name(chair)
        for level in LEVELS:
            if level != chair.level:
                label = say("computers.change", name=name, level=level_name(level))
                changes.append(choice(f"{seat}_{level}", label))
        removals.append(choice(f"{seat}_remove", say("computers.remove", name=name)))
    if removals:
        rows.append(
            Menu(control_id(record.id, "computers"), say("computers.menu"), (*changes, *removals))
        )
    return [*rows, *(term_menu(record, term) for term in OTHER_TERMS)]
