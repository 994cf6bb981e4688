"""What may happen before a match begins: pure functions over its Info."""

import unicodedata
from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from bot.errors import Refused
from bot.matches.room import COMPUTER, Info, Person, Status
from engine import BadSettings, EngineError, Game, begin

NAME_LIMIT = 32

BIDI = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""Invisible characters that turn the text around them."""


def tidied(person: Person) -> Person:
    """The person with a name of one short line."""
    spaced = "".join(" " if char.isspace() else char for char in person.name)
    kept = "".join(char for char in spaced if unicodedata.category(char) not in ("Cc", "Cs") and char not in BIDI)
    return Person(person.id, " ".join(kept.split())[:NAME_LIMIT].strip() or "Player")


def joined(info: Info, game: Game[Any], person: Person) -> Info:
    """With one more in the last chair."""
    _must_be_open(info)
    if person.id != COMPUTER and person.id in _users(info):
        raise Refused("You have a seat in this match already.")
    if len(info.chairs) >= game.seats[-1]:
        raise Refused(f"All {game.seats[-1]} seats are taken.")
    return replace(info, chairs=(*info.chairs, tidied(person)))


def with_computer(info: Info, game: Game[Any], by: Person) -> Info:
    """With a computer in the next chair."""
    _must_be_host(info, by, "add a computer")
    count = _users(info).count(COMPUTER) + 1
    return joined(info, game, Person(COMPUTER, f"Computer {count}"))


def left(info: Info, person: Person) -> Info:
    """Without that person; the next in line is host, and without anybody the lobby is cancelled."""
    _must_be_open(info)
    if person.id == COMPUTER or person.id not in _users(info):
        raise Refused("You have no seat in this match.")
    chairs = tuple(other for other in info.chairs if other.id != person.id)
    people = [other.id for other in chairs if other.id != COMPUTER]
    if not people:
        return replace(info, chairs=chairs, status=Status.CANCELLED)
    return replace(info, chairs=chairs, host=info.host if info.host in people else people[0])


def with_setting(info: Info, game: Game[Any], by: Person, key: str, value: str) -> Info:
    """With a setting chosen that some table could have."""
    _must_be_host(info, by, "change the settings")
    settings = {**info.settings, key: value}
    check_settings(game, settings, at_least=len(info.chairs))
    return replace(info, settings=settings)


def cancelled(info: Info, by: Person) -> Info:
    """Closed for good."""
    _must_be_host(info, by, "cancel it")
    return replace(info, status=Status.CANCELLED)


def ready(info: Info, game: Game[Any], by: Person) -> None:
    """Refuse a start that is not the host's, or with too few seats."""
    _must_be_host(info, by, "start it")
    if len(info.chairs) < game.seats[0]:
        raise Refused(f"{game.title} needs at least {game.seats[0]} players; {len(info.chairs)} so far.")


def check_settings(game: Game[Any], settings: Mapping[str, str], at_least: int = 0) -> None:
    """Refuse settings that no table of at least so many could have."""
    refusal: EngineError = BadSettings(f"{game.title} is for {game.seats[0]} to {game.seats[-1]} players.")
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
    if info.status is Status.CANCELLED:
        raise Refused("This lobby was cancelled.")
    if info.status is not Status.LOBBY:
        raise Refused("This match has begun already.")


def _must_be_host(info: Info, by: Person, deed: str) -> None:
    _must_be_open(info)
    if by.id != info.host:
        raise Refused(f"Only the host of this match can {deed}.")
