"""Whose hand it is: pure questions about a match that decide who plays next and what is announced."""

from collections.abc import Iterable, Iterator
from itertools import pairwise

from bot.room import Room
from engine import Match, Seat


def people_to_move(match: Match) -> tuple[Seat, ...]:
    """Seats with a person in them that owe a decision."""
    people = match.humans()
    return tuple(seat for seat in match.waiting_for() if seat in people)


def computer_to_move(match: Match) -> Seat | None:
    """The first seat without a person that owes a decision."""
    people = match.humans()
    return next((seat for seat in match.waiting_for() if seat not in people), None)


def has_passed(before: Match, after: Match) -> bool:
    """Whether a commit ends the match or hands it to a person: then everyone is told."""
    if after.outcome is not None:
        return True
    waiting = people_to_move(after)
    if not waiting:
        return False
    if after.log is None or after.log.commit.seat in before.humans():
        return after.waiting_for() != before.waiting_for() or after.resigned != before.resigned
    return waiting != people_to_move(before)


def is_newly_asked(seat: Seat, before: Match | None, after: Match) -> bool:
    """Whether a waiting seat has been asked since `before`, rather than all the time."""
    return before is None or seat not in before.waiting_for() or before.answered[seat] != after.answered[seat]


def is_gone(match: Match, seat: Seat, turn: int, on_draft: bool) -> bool:
    """Whether a button made for that turn of the seat, perhaps for its draft, is out of date."""
    # A confirm leaves the count of answers as it is; only the draft it was for is no longer there.
    return match.turn(seat) != turn or (on_draft and not match.draft(seat).answers)


def commits(trail: Iterable[Match]) -> Iterator[tuple[Match, Match]]:
    """The steps of a trail that are commits: the match before and after each."""
    return ((before, after) for before, after in pairwise(trail) if after.number > before.number)


def waits_for(room: Room, user: int) -> bool:
    """Whether a person owes a decision."""
    return room.match is not None and room.seat_of(user) in room.match.waiting_for()


def has_resigned(room: Room, user: int) -> bool:
    """Whether a person has given up his seat."""
    return room.match is not None and room.seat_of(user) in room.match.resigned
