"""The results of a match for everybody who sat at its table, worked out from the match as it ended.

A match that two people or more have played to its end gives each of them a place, rated or not as the table has chosen.
Everything else is counted apart: playing alone with computers, resigning or leaving, and being left with nobody to play
with.
"""

from msgspec.structs import replace

from bot.kernel.room import Room
from bot.model.match import COMPUTER, USUAL_LEVEL, MatchRecord
from bot.model.results import Kind, Result
from engine import Match, Seat


def of(room: Room) -> tuple[Result, ...]:
    """Return the results of a match that has ended."""
    record, match = room.record, room.playing()
    assert match.outcome is not None
    places: dict[int, int] = {}
    for level in match.outcome.ranking:
        places |= dict.fromkeys(level, len(places) + 1)
    leavers = _leavers(record, match)
    stayed = {person.id for person in record.chairs} - {COMPUTER} - leavers.keys()
    # Before everybody has moved nothing was at stake.
    counts = record.terms.rated and not record.terms.lesson and match.moves >= match.seats
    kind, scores = _kind(record, stayed, leavers), match.outcome.scores
    found = []
    for seat, person in enumerate(record.chairs):
        result = Result(
            seat=seat,
            user=person.id,
            name=person.name,
            place=places[seat],
            score=scores[seat],
            kind=kind,
            came_late=_came_late(record, seat, person.id),
            counts=counts,
        )
        if person.id in stayed:
            found.append(result)
        elif Seat(seat) in match.computers and not any(note.seat == seat for note in record.seat_changes):
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


def _leavers(record: MatchRecord, match: Match) -> dict[int, tuple[int, str, Kind]]:
    """Return the people who left before the end: their seat, their name, and how the match counts for them."""
    here = {
        person.id
        for seat, person in enumerate(record.chairs)
        if person.id != COMPUTER and Seat(seat) not in match.resigned | match.away
    }
    found = {}
    for note in record.seat_changes:
        if note.was not in (COMPUTER, *here):
            found[note.was] = (note.seat, note.was_name, Kind.RESIGNED if note.why == "resigned" else Kind.ABANDONED)
    for seat, person in enumerate(record.chairs):
        if person.id not in (COMPUTER, *here):
            resigned = Seat(seat) in match.resigned
            found[person.id] = (seat, person.name, Kind.RESIGNED if resigned else Kind.ABANDONED)
    return found


def _kind(record: MatchRecord, stayed: set[int], leavers: dict[int, tuple[int, str, Kind]]) -> Kind:
    """Return how the match counts for those who stayed, and for computers."""
    if len(stayed) > 1:
        return Kind.RATED if record.terms.rated else Kind.UNRATED
    if len(stayed) + len(leavers) == 1:
        return Kind.SOLO
    kinds = {kind for _, _, kind in leavers.values()}
    return Kind.RESIGNED if Kind.RESIGNED in kinds else Kind.ABANDONED


def _came_late(record: MatchRecord, seat: int, user: int) -> bool:
    """Whether somebody was not the first in their seat."""
    notes = [note for note in record.seat_changes if note.seat == seat]
    return bool(notes) and notes[0].was != user
