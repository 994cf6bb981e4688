"""What may happen before a match begins: pure functions over its Info."""

import unicodedata
from collections.abc import Callable, Mapping
from string import ascii_uppercase
from typing import Any

from msgspec.structs import replace

from bot.errors import Refused
from bot.matches.room import COMPUTER, Info, Person, Status, Terms
from bot.text import listed, say
from engine import BadSettings, EngineError, Game, Seat, begin
from engine.core.game import seats_in_words
from engine.core.words import words_of
from engine.players import Level

NAME_LIMIT = 32

BIDI = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""Invisible characters that turn the text around them."""


def tidied(person: Person) -> Person:
    """The person with a name of one short line."""
    spaced = "".join(" " if char.isspace() else char for char in person.name)
    kept = "".join(char for char in spaced if unicodedata.category(char) not in ("Cc", "Cs") and char not in BIDI)
    return replace(person, name=" ".join(kept.split())[:NAME_LIMIT].strip() or say("name.unnamed"))


def joined(info: Info, game: Game[Any], person: Person) -> Info:
    """With one more in the last chair."""
    _must_be_open(info)
    if person.id != COMPUTER and person.id in _users(info):
        raise Refused(say("refusal.seated"))
    if len(info.chairs) >= game.seats[-1]:
        raise Refused(say("refusal.full", seats=game.seats[-1]))
    kept = awaited(info)
    if person.id not in (COMPUTER, *kept) and len(info.chairs) + len(kept) >= game.seats[-1]:
        raise Refused(say("refusal.kept", who=listed(f"<@{user}>" for user in kept)))
    return replace(info, chairs=_in_order(info.seating, (*info.chairs, tidied(person))))


def awaited(info: Info) -> list[int]:
    """Who is offered a rematch and has not sat down yet: their chairs are kept for them."""
    return [user for user in info.seating if user != COMPUTER and user not in _users(info)]


def rematch(info: Info, game: Game[Any], began: Seat, match: str, by: Person) -> Info:
    """The lobby of a rematch: same settings, the computers and whoever asks for it in their chairs, the next begins.

    Everybody sits one place on, so that the first chair is next to the one that began. Where a setting says who begins
    it is the first; otherwise the rules do. A coach is there for a first match alone.
    """
    chairs = (*info.chairs[began + 1 :], *info.chairs[: began + 1])
    settings = {**info.settings, game.begins: "1"} if game.begins else info.settings
    return Info(
        id=match,
        game=info.game,
        status=Status.LOBBY,
        place=replace(info.place, thread=0),
        host=by.id,
        settings=settings,
        terms=replace(info.terms, lesson=False),
        chairs=tuple(tidied(by) if chair.id == by.id else chair for chair in chairs if chair.id in (by.id, COMPUTER)),
        # Of those who wanted to be forgotten nobody will come.
        seating=tuple(chair.id for chair in chairs if chair.id >= COMPUTER),
    )


def _in_order(seating: tuple[int, ...], chairs: tuple[Person, ...]) -> tuple[Person, ...]:
    """The chairs of a rematch in the order in which they shall sit, newcomers behind."""
    ordered, rest = [], list(chairs)
    for user in seating:
        for person in rest:
            if person.id == user:
                ordered.append(person)
                rest.remove(person)
                break
    return (*ordered, *rest)


def with_computer(info: Info, game: Game[Any], by: Person, level: Level) -> Info:
    """With a computer in the next chair."""
    _must_be_host(info, by, "add_computer")
    return joined(info, game, Person(COMPUTER, _computer_name(info), level))


def _computer_name(info: Info) -> str:
    """A name of the game's world that nobody has yet; where they have run out, a letter."""
    taken = {person.name for person in info.chairs}
    names = (*words_of(info.game).computers, *(say("name.computer", letter=letter) for letter in ascii_uppercase))
    return next(name for name in names if name not in taken)


def with_level(info: Info, by: Person, seat: Seat, level: Level) -> Info:
    """With a computer that plays better or worse from now on."""
    return _with_chair(info, by, seat, lambda computer: (replace(computer, level=level),))


def without_computer(info: Info, by: Person, seat: Seat) -> Info:
    """Without that computer."""
    return _with_chair(info, by, seat, lambda computer: ())


def _with_chair(info: Info, by: Person, seat: Seat, change: Callable[[Person], tuple[Person, ...]]) -> Info:
    _must_be_host(info, by, "add_computer")
    if not 0 <= seat < len(info.chairs) or info.chairs[seat].id != COMPUTER:
        raise Refused(say("refusal.no_computer"))
    return replace(info, chairs=(*info.chairs[:seat], *change(info.chairs[seat]), *info.chairs[seat + 1 :]))


def agreed(info: Info, person: Person) -> Info:
    """With somebody's consent to hints given, or taken back."""
    _must_be_open(info)
    if person.id == COMPUTER or person.id not in _users(info):
        raise Refused(say("refusal.not_seated"))
    others = tuple(user for user in info.terms.hints if user != person.id)
    hints = others if person.id in info.terms.hints else (*others, person.id)
    return replace(info, terms=replace(info.terms, hints=hints))


def with_terms(info: Info, by: Person, terms: Terms) -> Info:
    """With other terms for the table."""
    _must_be_host(info, by, "set")
    return replace(info, terms=terms)


def with_rating(info: Info, by: Person) -> Info:
    """Rated from now on, or not any more."""
    return with_terms(info, by, replace(info.terms, rated=not info.terms.rated))


def left(info: Info, person: Person) -> Info:
    """Without that person; the next in line is host, and without anybody the lobby is cancelled.

    Somebody who is offered a rematch declines it so, and is awaited no more.
    """
    _must_be_open(info)
    seating = tuple(user for user in info.seating if user == COMPUTER or user != person.id)
    if person.id in awaited(info):
        return replace(info, seating=seating)
    if person.id == COMPUTER or person.id not in _users(info):
        raise Refused(say("refusal.not_seated"))
    chairs = tuple(other for other in info.chairs if other.id != person.id)
    people = [other.id for other in chairs if other.id != COMPUTER]
    if not people:
        return replace(info, chairs=chairs, status=Status.CANCELLED)
    return replace(info, chairs=chairs, seating=seating, host=info.host if info.host in people else people[0])


def with_setting(info: Info, game: Game[Any], by: Person, key: str, value: str) -> Info:
    """With a setting chosen that a table of at least so many could have, whatever else still has to be changed."""
    _must_be_host(info, by, "set")
    check_settings(game, {key: value}, at_least=len(info.chairs))
    return replace(info, settings={**info.settings, key: value})


def obstacles(info: Info, game: Game[Any]) -> list[str]:
    """What stands against a start besides empty chairs: settings that do not fit so many, each in words."""
    seats, words = max(len(info.chairs), game.seats[0]), words_of(game.id)
    found = []
    for setting in game.settings:
        value = info.settings.get(setting.key, setting.default)
        if not setting.free and not any(choice.key == value and choice.fits(seats) for choice in setting.choices):
            facts = {"setting": words.setting(setting.key), "value": words.choice(setting.key, value), "seats": seats}
            found.append(say("lobby.misfit", **facts))
    if not found and any(setting.free and info.settings.get(setting.key) for setting in game.settings):
        # Whether what was given freely fits, such as a map, the game alone can tell.
        try:
            begin(game, seats, info.settings)
        except EngineError as error:
            found.append(str(error))
    return found


def expired(info: Info) -> Info:
    """Closed because nobody has done anything for long."""
    _must_be_open(info)
    return replace(info, status=Status.EXPIRED)


def cancelled(info: Info, by: Person) -> Info:
    """Closed for good."""
    _must_be_host(info, by, "cancel")
    return replace(info, status=Status.CANCELLED)


def ready(info: Info, game: Game[Any], by: Person) -> None:
    """Refuse a start that is not the host's, or with too few seats."""
    _must_be_host(info, by, "start")
    if len(info.chairs) < game.seats[0]:
        raise Refused(say("refusal.too_few", game=game.title, least=game.seats[0], seated=len(info.chairs)))
    if against := obstacles(info, game):
        raise BadSettings("\n".join(against))


def check_settings(game: Game[Any], settings: Mapping[str, str], at_least: int = 0) -> None:
    """Refuse settings that no table of at least so many could have."""
    least, most = seats_in_words(game)
    refusal: EngineError = BadSettings(say("refusal.for_seats", game=game.title, least=least, most=most))
    for seats in game.seats:
        if seats >= at_least:
            try:
                begin(game, seats, settings)
            except EngineError as error:
                refusal = error
            else:
                return
    raise refusal


def _users(info: Info) -> list[int]:
    return [person.id for person in info.chairs]


def _must_be_open(info: Info) -> None:
    if info.status is Status.EXPIRED:
        raise Refused(say("refusal.lobby_expired"))
    if info.status is Status.CANCELLED:
        raise Refused(say("refusal.lobby_cancelled"))
    if info.status is not Status.LOBBY:
        raise Refused(say("refusal.begun"))


def _must_be_host(info: Info, by: Person, deed: str) -> None:
    """Refuse what is only the host's to do; `deed` says it in [refusal], as `host_start`."""
    _must_be_open(info)
    if by.id != info.host:
        raise Refused(say(f"refusal.host_{deed}"))
