"""Advice for a person: good choices, close rivals, and what they gain.

A hint compares whole turns (`compare`), a coach names the choices that are good right now
(`find_choices`). Both follow what the seat has drafted so far. The caller puts them into words.
"""

from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from engine.core.decision import Answer, Option, Seat
from engine.core.match import Match
from engine.players.levels import Thought, deal_for
from engine.players.mind import Effect, ignore_event, mind_of
from engine.players.search import Candidate

CLOSE_POINTS = 1.0
"""Turns that differ by less are about as good."""
MIN_GAIN_POINTS = 0.5
"""Points that a turn must gain in one part for that to be a reason."""
MIN_LATER_POINTS = 1.0
"""The same for points that a turn only prepares, which are less certain."""
MAX_CHOICES = 3
"""Choices that a coach names at once."""

PartList = Sequence[tuple[str, float]]
"""Parts of a seat's points, with their numbers."""


class Choice(Struct, frozen=True):
    """A good choice."""

    option: Option
    turn: tuple[Answer, ...]
    """The whole turn that it belongs to."""
    gain: "Gain | None" = None
    """What it is good for, if something stands out."""


class Gain(Struct, frozen=True):
    """The part of the points of which a turn brings more than its rivals."""

    part: str
    is_later: bool
    """Whether the turn only prepares it; other gains can be seen on the board at once."""


class Comparison(Struct, frozen=True):
    """The rivals of the best turn."""

    close: list[Candidate]
    """Turns that are about as good, the best first."""
    worse: Candidate | None
    """The best of the other turns, if possible of those that were examined well."""


def find_next_option(match: Match, seat: Seat, turn: Sequence[Answer]) -> Option | None:
    """Return the option that a turn chooses next; None if the seat has drafted something else."""
    question = match.question(seat)
    drafted = [answer.keys for answer in match.draft(seat).answers]
    keys = [answer.keys for answer in turn]
    count = len(drafted)
    if question is None or len(keys) <= count or keys[:count] != drafted:
        return None
    return next((option for option in question.options if (option.key,) == keys[count]), None)


def compare(ranked: Sequence[Candidate]) -> Comparison:
    """Return the rivals of the first of these turns."""
    # Turns with the same answers in another order count as one.
    distinct: dict[Any, Candidate] = {}
    for turn in ranked:
        distinct.setdefault(tuple(sorted(answer.keys for answer in turn.answers)), turn)
    rivals = list(distinct.values())[1:]
    close = [rival for rival in rivals if rival.behind < CLOSE_POINTS]
    worse = [rival for rival in rivals if rival.behind >= CLOSE_POINTS]
    # The figures of a turn that was dropped early say less.
    enough = ranked[0].samples / 2
    worse.sort(key=lambda rival: (rival.samples < enough, rival.behind))
    return Comparison(close, worse[0] if worse else None)


def list_suggestions(match: Match, thought: Thought) -> list[tuple[Answer, ...]]:
    """Return the turns to suggest: the best one, then those that are about as good."""
    turns = [turn for turn in thought.ranked if not turn.is_offer]
    suggested = [thought.answers]
    # A mind with a margin keeps its plan unless another is clearly better, so nothing says that
    # others are as good.
    if turns and not mind_of(match.game).switch_margin:
        close = compare(turns).close
        # A turn that was dropped after fewer samples was not examined well enough.
        suggested += [rival.answers for rival in close if rival.samples >= turns[0].samples]
    return suggested[:MAX_CHOICES]


def list_gains(rival: Candidate) -> list[str]:
    """Return the parts of the points that the best turn has more of than a rival, most first."""
    gains = [(gain, part) for part, gain in rival.parts_behind if gain >= MIN_GAIN_POINTS]
    return [part for _, part in sorted(gains, reverse=True)]


def find_effects(match: Match, seat: Seat, turn: Sequence[Answer]) -> list[Effect]:
    """Return what a whole turn of a seat does on the board, as far as the seat can know."""
    game = match.game
    known = deal_for(game, match.base, seat)
    tip = known
    for answer in turn:
        if any(offer.kind == answer.kind for offer in match.offers(seat)):
            return []
        tip = game.apply(tip, answer, ignore_event)
    return mind_of(game).effects(known, tip, seat)


def list_reasons(
    effects: Sequence[Effect], rival_effects: Sequence[Effect], gains: Sequence[str]
) -> list[Effect | str]:
    """Return why a turn is better than a rival, the best reason first.

    First comes what it does and the rival doesn't for a part of the points that it has more of,
    or else just that part; then what it does besides. `gains` are these parts, most first.
    """
    own = [effect for effect in effects if effect not in rival_effects]
    found: list[Effect | str] = []
    for part in gains:
        found += [effect for effect in own if effect.part == part][:1] or [part]
    found += [effect for effect in own if effect not in found]
    return found


def find_choices(match: Match, seat: Seat, thought: Thought) -> list[Choice]:
    """Return the choices that a strong player would consider now, the best first.

    A person who has begun another turn than the best is told how to go on with it, as far as it
    was looked into.
    """
    turns = [turn for turn in thought.ranked if not turn.is_offer]
    if not turns:
        option = find_next_option(match, seat, thought.answers)
        return [Choice(option, thought.answers)] if option else []
    # The best turn for each option that can be chosen now.
    by_option: dict[Option, Candidate] = {}
    for turn in turns:
        if option := find_next_option(match, seat, turn.answers):
            by_option.setdefault(option, turn)
    candidates = list(by_option.values())
    rivals = candidates
    if len(candidates) == 1:
        # In the midst of a turn there is no rival any more; what it gains was told before.
        rivals = [] if match.draft(seat).answers else turns
    found: list[Choice] = []
    for option, turn in by_option.items():
        is_close = turn.behind <= candidates[0].behind + CLOSE_POINTS
        # A turn that was dropped after fewer samples was not examined well enough.
        if not is_close or turn.samples < candidates[0].samples:
            continue
        gain = find_main_gain(turn, rivals)
        told = [(other.option.spot, other.gain) for other in found if other.option.spot]
        # Another piece on the same spot for the same reason would only confuse.
        if (option.spot, gain) not in told:
            found.append(Choice(option, turn.answers, gain))
    # A mind with a margin keeps its plan unless another is clearly better, so nothing says that
    # others are as good.
    return found[: 1 if mind_of(match.game).switch_margin else MAX_CHOICES]


def find_main_gain(turn: Candidate, rivals: Sequence[Candidate]) -> Gain | None:
    """Return in what a turn gains most, compared with its rivals; None if it is little.

    What it gains at once comes first, because a newcomer can see that.
    """
    others = [rival for rival in rivals if rival is not turn]
    if not others:
        return None
    part, points = _find_best_part(turn.at_once, [other.at_once for other in others])
    if points >= MIN_GAIN_POINTS:
        return Gain(part, is_later=False)
    part, points = _find_best_part(turn.parts, [other.parts for other in others])
    return Gain(part, is_later=True) if points >= MIN_LATER_POINTS else None


def _find_best_part(own: PartList, theirs: Sequence[PartList]) -> tuple[str, float]:
    """Return the part of which there is most above the average of others, and how much more."""
    gains = dict(own)
    for points in theirs:
        for part, number in points:
            gains[part] = gains.get(part, 0.0) - number / len(theirs)
    return max(gains.items(), key=lambda gain: gain[1], default=("", 0.0))
