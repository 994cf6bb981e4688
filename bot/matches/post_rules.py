"""Whose hand it is: pure questions about a match that decide who plays next and what is announced."""

from collections.abc import Iterable, Iterator
from itertools import pairwise

from engine import Commit, Decision, Match, Seat, visible


def people_to_move(match: Match) -> tuple[Seat, ...]:
    """Seats with a person in them that owe a decision."""
    people = match.humans()
    return tuple(seat for seat in match.waiting_for() if seat in people)


def computer_to_move(match: Match) -> Seat | None:
    """The first seat without a person that owes a decision."""
    people = match.humans()
    return next((seat for seat in match.waiting_for() if seat not in people), None)


def has_passed(before: Match, after: Match) -> bool:
    """Whether a commit ends the match, hands it to a person or shows what was secret: then everyone is told."""
    if after.outcome is not None:
        return True
    waiting = people_to_move(after)
    if not waiting:
        return False
    if _is_awaited_with_others(before, after):
        return False
    if after.last is None or after.last.seat in before.humans():
        changed = after.waiting_for() != before.waiting_for() or after.resigned != before.resigned
        return changed or _is_shown(before, after)
    return waiting != people_to_move(before)


def _is_awaited_with_others(before: Match, after: Match) -> bool:
    """Whether a commit is one of several answers that tell nothing yet, or takes one back, while others are to come."""
    answered = _answered(before, after)
    if answered is None:
        return False
    was, now = _asked(before), _asked(after)
    if answered.blocking:
        return now < was and (answered.secret or not _tells(after))
    return was < now and is_still_open(after, before)


def _tells(after: Match) -> bool:
    """Whether the last commit told everyone something."""
    return after.last is not None and bool(visible(after.last.events, None))


def is_still_open(said: Match, now: Match) -> bool:
    """Whether some of several questions, or of secret ones, that were open at `said` still are, and no others."""
    asked = said.asked()
    was, left = _asked(said), _asked(now)
    return set() < left < was or (bool(left) and left == was and all(decision.secret for decision in asked))


def _is_shown(before: Match, after: Match) -> bool:
    """Whether a commit that leaves the hand where it was ends a secret round, or is an open act out of turn."""
    answered = _answered(before, after)
    if answered is None:
        return False
    if answered.blocking:
        # Asked the same again, the seat is still in the midst of it.
        return answered.secret and (answered.seat, answered.kind) not in _asked(after)
    return not answered.secret and answered.seat not in before.waiting_for()


def comes_round(said: Match, before: Match, after: Match) -> bool:
    """Whether a commit leaves the very questions open that were put in the last post, at `said`.

    Then a whole turn has been played, and since nobody else can move the next one is the same seat's again.
    """
    answered = _answered(before, after)
    if answered is None or not answered.blocking or answered.secret:
        return False
    return bool(people_to_move(after)) and _asked(said) == _asked(after)


def _answered(before: Match, after: Match) -> Decision | None:
    """The question that a commit began to answer."""
    if after.last is None or not after.last.answers:
        return None
    first = after.last.answers[0]
    asked = (*before.asked(), *before.offers(first.seat))
    return next((d for d in asked if (d.seat, d.kind) == (first.seat, first.kind)), None)


def _asked(match: Match) -> set[tuple[Seat, str]]:
    """Who is asked what, whatever anybody has drafted."""
    return {(decision.seat, decision.kind) for decision in match.asked()}


def is_newly_asked(seat: Seat, before: Match | None, commits: Iterable[Commit]) -> bool:
    """Whether a waiting seat has been asked by one of these commits since `before`, rather than all the time."""
    if before is None or seat not in before.waiting_for():
        return True
    given = {answer.kind for commit in commits if commit.seat == seat for answer in commit.answers}
    return any(kind in given for who, kind in _asked(before) if who == seat)


def is_gone(match: Match, seat: Seat, turn: int, on_draft: bool) -> bool:
    """Whether a button made for that turn of the seat, perhaps for its draft, is out of date."""
    # A confirm leaves the count of answers as it is; only the draft it was for is no longer there.
    return match.turn(seat) != turn or (on_draft and not match.draft(seat).answers)


def commits(trail: Iterable[Match]) -> Iterator[tuple[Match, Match]]:
    """The steps of a trail that are commits: the match before and after each."""
    return ((before, after) for before, after in pairwise(trail) if after.number > before.number)
