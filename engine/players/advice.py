"""What of a thought is worth telling somebody: good choices, close rivals, and what they gain.

A hint compares whole turns (`compare`), a coach names the choices that are good right now
(`find_choices`). Both follow what the seat has drafted so far. How it is put into words is up to
the caller.
"""

from collections.abc import Sequence
from itertools import chain
from typing import Any

from msgspec import Struct

from engine.core.decision import Answer, Option, Seat
from engine.core.match import Match
from engine.players.levels import Thought
from engine.players.mind import mind_of
from engine.players.search import Candidate

CLOSE_POINTS = 1.0
"""Turns that differ by no more are about as good."""
MIN_GAIN_POINTS = 0.5
"""What a turn must gain by a part of the points for that to be a reason."""
MAX_CHOICES = 3
MAX_LESSON_ANSWERS = 36
"""Answers that a lesson takes in a game that does not say itself when it is over."""


class Choice(Struct, frozen=True):
    """A good choice."""

    option: Option
    turn: tuple[Answer, ...]
    """The whole turn that it belongs to."""
    part: str = ""
    """The part of the points that it is good for, if one stands out."""


class Comparison(Struct, frozen=True):
    """The rivals of the best turn."""

    close: list[Candidate]
    """Turns that are about as good, the best first."""
    worse: Candidate | None
    """The best of those that are not."""


def find_next_option(match: Match, seat: Seat, turn: Sequence[Answer]) -> Option | None:
    """Return what a turn chooses now; None if the seat has drafted something else."""
    question = match.question(seat)
    drafted = [answer.keys for answer in match.draft(seat).answers]
    keys = [answer.keys for answer in turn]
    count = len(drafted)
    if question is None or len(keys) <= count or keys[:count] != drafted:
        return None
    return next((option for option in question.options if (option.key,) == keys[count]), None)


def compare(ranked: Sequence[Candidate]) -> Comparison:
    """Return the rivals of the first of these turns."""
    # The same answers in another order are no other turn.
    distinct: dict[Any, Candidate] = {}
    for turn in ranked:
        distinct.setdefault(tuple(sorted(answer.keys for answer in turn.answers)), turn)
    rivals = list(distinct.values())[1:]
    close = [rival for rival in rivals if rival.behind < CLOSE_POINTS]
    worse = [rival for rival in rivals if rival.behind >= CLOSE_POINTS]
    return Comparison(close, min(worse, key=lambda rival: rival.behind, default=None))


def list_gains(rival: Candidate) -> list[str]:
    """Return the parts of the points that the best turn has more of than a rival, most first."""
    gains = [(gain, part) for part, gain in rival.parts_behind if gain >= MIN_GAIN_POINTS]
    return [part for _, part in sorted(gains, reverse=True)]


def find_choices(match: Match, seat: Seat, thought: Thought) -> list[Choice]:
    """Return the choices that a strong player would think of now, the best first.

    Somebody who has begun another turn than the best is told how to go on with it, as far as it was
    looked into.
    """
    turns = [turn for turn in thought.ranked if not turn.is_offer]
    if not turns:
        option = find_next_option(match, seat, thought.answers)
        return [Choice(option, thought.answers)] if option else []
    # The best turn that goes on with each option.
    by_option: dict[Option, Candidate] = {}
    for turn in turns:
        if option := find_next_option(match, seat, turn.answers):
            by_option.setdefault(option, turn)
    candidates = list(by_option.values())
    rivals = candidates if len(candidates) > 1 else turns
    found: list[Choice] = []
    for option, turn in by_option.items():
        is_close = turn.behind <= candidates[0].behind + CLOSE_POINTS
        # A turn that was dropped after fewer samples is not known well enough.
        if is_close and turn.samples >= candidates[0].samples:
            found.append(Choice(option, turn.answers, find_main_gain(turn, rivals)))
    # A cautious player keeps to its plan unless another is clearly better: so no other is known to
    # be as good.
    return found[: 1 if mind_of(match.game).caution else MAX_CHOICES]


def find_main_gain(turn: Candidate, rivals: Sequence[Candidate]) -> str:
    """Return the part of the points that a turn brings most of at once, compared with its rivals.

    A newcomer cannot see the reason for points that are only foreseen.
    """
    own = dict(turn.at_once)
    theirs = [dict(other.at_once) for other in rivals if other is not turn]
    gains: dict[str, float] = {}
    for part in chain(own, *theirs) if theirs else ():
        sums = sum(points.get(part, 0.0) for points in theirs)
        gains[part] = own.get(part, 0.0) - sums / len(theirs)
    best = max(gains, key=lambda part: gains[part], default="")
    return best if gains.get(best, 0.0) >= MIN_GAIN_POINTS else ""


def is_lesson_over(match: Match, seat: Seat) -> bool:
    """Return whether a first match has shown all there is to learn."""
    is_over = match.game.lesson_over(match.base)
    return match.answered[seat] >= MAX_LESSON_ANSWERS if is_over is None else is_over
