"""The one fact that is told of a match beside its result, from its log and from earlier results.

The heaviest fact wins. What no match here had before is heavier than what the game itself has to
tell; if there is nothing else, the plainest is said.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from bot.kernel.room import Room
from bot.text import say
from bot.ui import describe
from engine import Event, Outcome
from engine.core.remark import remarks_of

MATCHES_BEFORE_RECORDS = 3
"""Matches of a game after which the next can be the best of them: before that it means nothing."""
ROUND_NUMBER = 25
"""Number of matches of a game on a server after which a round figure is worth a word."""
MAX_GAME_WEIGHT = 1.0
"""What a game tells weighs less than any record: those weigh 2 and more."""

Remark = tuple[float, str]
"""How much a fact weighs, and the fact in words."""


def choose_remark(
    room: Room,
    names: Sequence[str],
    events: Sequence[Event],
    earlier: Sequence[tuple[float, ...]],
) -> str:
    """Return the most remarkable fact about a finished match; `earlier` are older scores."""
    outcome = room.playing().outcome
    assert outcome is not None
    remarks = [(0.0, _plain_fact(room, names, outcome)), *_records(room, names, outcome, earlier)]
    words = describe.words(room)
    for found in remarks_of(room.record.game, events, outcome):
        weight = min(MAX_GAME_WEIGHT, found.weight)
        remarks.append((weight, words.remark(found.key, names, found.facts)))
    return max(remarks, key=lambda remark: remark[0])[1]


def _records(
    room: Room, names: Sequence[str], outcome: Outcome, earlier: Sequence[tuple[float, ...]]
) -> Iterator[Remark]:
    """Yield what no match of this game on this server had before."""
    number = len(earlier) + 1
    facts: dict[str, Any] = {"game": describe.title(room), "number": number}
    if not earlier:
        yield 3.0, say("remark.first", **facts)
    elif number % ROUND_NUMBER == 0:
        yield 2.0, say("remark.number", **facts)
    if len(earlier) < MATCHES_BEFORE_RECORDS or not outcome.scores:
        return
    best = max(outcome.scores)
    if best > max(max(scores) for scores in earlier):
        who = [seat for seat, score in enumerate(outcome.scores) if score == best]
        yield 2.6, say("remark.highest", names, seats=who, score=best, **facts)
    lead = _lead(outcome.scores)
    earlier_leads = [found for scores in earlier if (found := _lead(scores)) is not None]
    # Where the most points have not won, or where all sat alone, there is nothing to be close to.
    if lead is None or outcome.scores[outcome.winners[0]] != best or not earlier_leads:
        return
    if lead < min(earlier_leads):
        yield 2.8, say("remark.closest", points=lead, **facts)
    elif lead > max(earlier_leads):
        yield 2.4, say("remark.clearest", points=lead, **facts)


def _lead(scores: Sequence[float]) -> float | None:
    """Return by how many points the first is ahead of the second; None if there is no second."""
    first, *others = sorted(scores, reverse=True)
    return first - others[0] if others else None


def _plain_fact(room: Room, names: Sequence[str], outcome: Outcome) -> str:
    """Say what can be said of any match: by how much it was won, or how many moves it took."""
    lead = _lead(outcome.scores) if outcome.scores else None
    if lead and len(outcome.winners) == 1:
        winner = outcome.winners[0]
        if outcome.scores[winner] == max(outcome.scores):
            return say("remark.won_by", names, seat=winner, points=lead)
    return say("remark.moves", number=room.playing().moves)
