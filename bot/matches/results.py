"""What came of a match for everybody who sat at its table, worked out from the match as it ended.

A match that was played to its end by two people or more is a result of theirs, rated or not as the table has chosen.
All else is counted apart: who played alone with computers, who resigned or left, and who was left with nobody to play
with.
"""

from enum import StrEnum

from msgspec import Struct
from msgspec.structs import replace

from bot.matches.room import COMPUTER, USUAL_LEVEL, Info, Room
from engine import Match, Seat


class Kind(StrEnum):
    """How a result is counted."""

    RATED = "rated"
    UNRATED = "unrated"
    """As good as any, but the table wanted no rating."""
    RESIGNED = "resigned"
    """Somebody resigned; or all others did."""
    ABANDONED = "abandoned"
    """Somebody left their seat to another or to a computer; or all others did."""
    SOLO = "solo"
    """Nobody else but computers was ever at the table."""


PLAYED = (Kind.RATED, Kind.UNRATED)
"""The kinds that are a person's results proper: places, wins and scores are taken from them."""


class Result(Struct, frozen=True, kw_only=True):
    """What came of a match for one person or computer. In a seat that changed hands there are several."""

    seat: int
    user: int
    name: str
    level: str = ""
    """Of a computer."""
    place: int
    """From 1 on; those who are level share theirs. Whoever leaves is last."""
    score: float
    kind: Kind
    has_left: bool = False
    """They left before the end."""
    came_late: bool = False
    """They took over what another had begun."""
    counts: bool = False
    """Whether a rating may change by it."""


class Finish(Struct, frozen=True, kw_only=True):
    """A match that has ended with a result."""

    number: int
    """The how-manieth of all."""
    match: str
    guild: int
    game: str
    seats: int
    at: int
    """When it ended, in seconds since 1970."""
    results: tuple[Result, ...] = ()


def of(room: Room) -> tuple[Result, ...]:
    """The results of a match that has ended."""
    info, match = room.info, room.playing()
    assert match.outcome is not None
    places: dict[int, int] = {}
    for level in match.outcome.ranking:
        places |= dict.fromkeys(level, len(places) + 1)
    leavers = _leavers(info, match)
    stayed = {person.id for person in info.chairs} - {COMPUTER} - leavers.keys()
    # Before everybody has moved nothing was at stake.
    counts = info.terms.rated and not info.terms.lesson and match.moves >= match.seats
    kind, scores = _kind(info, stayed, leavers), match.outcome.scores
    found = []
    for seat, person in enumerate(info.chairs):
        result = Result(
            seat=seat,
            user=person.id,
            name=person.name,
            place=places[seat],
            score=scores[seat],
            kind=kind,
            came_late=_came_late(info, seat, person.id),
            counts=counts,
        )
        if person.id in stayed:
            found.append(result)
        elif Seat(seat) in match.computers and not any(note.seat == seat for note in info.sat):
            # Where somebody has played before it is no computer's result.
            found.append(replace(result, level=person.level or USUAL_LEVEL))
    for user, (seat, name, how) in leavers.items():
        last = Result(
            seat=seat,
            user=user,
            name=name,
            place=match.seats,
            score=scores[seat],
            kind=how,
            has_left=True,
            counts=counts,
        )
        found.append(last)
    return tuple(found)


def _leavers(info: Info, match: Match) -> dict[int, tuple[int, str, Kind]]:
    """Who left before the end: their seat, their name, and how they are counted."""
    here = {
        person.id
        for seat, person in enumerate(info.chairs)
        if person.id != COMPUTER and Seat(seat) not in match.resigned | match.away
    }
    found = {}
    for note in info.sat:
        if note.was not in (COMPUTER, *here):
            found[note.was] = (note.seat, note.was_name, Kind.RESIGNED if note.why == "resigned" else Kind.ABANDONED)
    for seat, person in enumerate(info.chairs):
        if person.id not in (COMPUTER, *here):
            resigned = Seat(seat) in match.resigned
            found[person.id] = (seat, person.name, Kind.RESIGNED if resigned else Kind.ABANDONED)
    return found


def _kind(info: Info, stayed: set[int], leavers: dict[int, tuple[int, str, Kind]]) -> Kind:
    """How the match counts for those who stayed, and for computers."""
    if len(stayed) > 1:
        return Kind.RATED if info.terms.rated else Kind.UNRATED
    if len(stayed) + len(leavers) == 1:
        return Kind.SOLO
    kinds = {kind for _, _, kind in leavers.values()}
    return Kind.RESIGNED if Kind.RESIGNED in kinds else Kind.ABANDONED


def _came_late(info: Info, seat: int, user: int) -> bool:
    """Whether somebody was not the first in their seat."""
    notes = [note for note in info.sat if note.seat == seat]
    return bool(notes) and notes[0].was != user
