"""The one fact that is told of a match beside its result: worked out from its log and from earlier results.

The heaviest wins. What no match here had before is heavier than whatever the game itself has to tell; if there is
nothing else, the plainest is said.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from bot.matches.room import Room
from bot.text import describe, say
from engine import Event, Outcome
from engine.core.remark import remarks_of

EARLIER = 3
"""Matches of a game after which the next can be the best of them: before that it means nothing."""
ROUND = 25
"""Every so many matches of a game on a server are worth a word."""

Said = tuple[float, str]
"""How much a fact weighs, and the fact in words."""


def remark(room: Room, names: Sequence[str], events: Sequence[Event], earlier: Sequence[tuple[float, ...]]) -> str:
    """The most remarkable fact about a match that has ended, in words; `earlier` are the scores of matches before."""
    outcome = room.playing().outcome
    assert outcome is not None
    said: list[Said] = [(0.0, _plain(room, names, outcome)), *_here(room, names, outcome, earlier)]
    wording = describe.words(room)
    for found in remarks_of(room.info.game, events, outcome):
        said += [(min(1.0, found.weight), wording.remark(found.key, names, found.facts))]
    return max(said, key=lambda fact: fact[0])[1]


def _here(room: Room, names: Sequence[str], outcome: Outcome, earlier: Sequence[tuple[float, ...]]) -> Iterator[Said]:
    """What no match of this game on this server had before."""
    facts: dict[str, Any] = {"game": describe.title(room), "number": len(earlier) + 1}
    if not earlier:
        yield 3.0, say("remark.first", **facts)
    elif facts["number"] % ROUND == 0:
        yield 2.0, say("remark.number", **facts)
    if len(earlier) < EARLIER or not outcome.scores:
        return
    best = max(outcome.scores)
    if best > max(max(scores) for scores in earlier):
        who = [seat for seat, score in enumerate(outcome.scores) if score == best]
        yield 2.6, say("remark.highest", names, seats=who, score=best, **facts)
    gap = _gap(outcome.scores)
    # Where the most points have not won, or where all sat alone, there is nothing to be close to.
    others = [found for scores in earlier if (found := _gap(scores)) is not None]
    if gap is None or outcome.scores[outcome.winners[0]] != best or not others:
        return
    if gap < min(others):
        yield 2.8, say("remark.closest", points=gap, **facts)
    elif gap > max(others):
        yield 2.4, say("remark.clearest", points=gap, **facts)


def _gap(scores: Sequence[float]) -> float | None:
    """How many points lie between the first and the second."""
    first, *others = sorted(scores, reverse=True)
    return first - others[0] if others else None


def _plain(room: Room, names: Sequence[str], outcome: Outcome) -> str:
    """What any match has: by how much it was won, or how many moves it took."""
    gap = _gap(outcome.scores) if outcome.scores else None
    if gap and len(outcome.winners) == 1 and outcome.scores[outcome.winners[0]] == max(outcome.scores):
        return say("remark.won_by", names, seat=outcome.winners[0], points=gap)
    return say("remark.moves", number=room.playing().moves)
