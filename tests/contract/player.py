"""Random players for any game: they pick, undo, confirm and take offers."""

from collections.abc import Iterator
from random import Random

from msgspec import Struct

from engine import Answer, Decision, Match, NotFinished, Seat

OFFERED = 0.1
UNDONE = 0.08
STOPPED = 0.3


class Act(Struct, frozen=True):
    """One action: a pick or an offer if it has an answer, otherwise an undo or a confirm."""

    seat: Seat
    answer: Answer | None = None
    undo: bool = False

    def on(self, match: Match) -> Match:
        """Return the match after this action."""
        if self.answer is not None:
            return match.pick(self.answer)
        return match.undo(self.seat) if self.undo else match.confirm(self.seat)


def random_answer(decision: Decision, rng: Random) -> Answer:
    """Return a random legal answer."""
    size = rng.randint(decision.at_least, decision.at_most)
    keys = rng.sample([option.key for option in decision.options], size)
    return Answer(decision.seat, decision.kind, tuple(keys))


def random_act(match: Match, rng: Random) -> Act:
    """Return a random legal action. Offers are rare, or a match would end too soon."""
    offers = [offer for seat in range(match.seats) for offer in match.offers(Seat(seat))]
    if offers and rng.random() < OFFERED:
        offer = rng.choice(offers)
        return Act(offer.seat, random_answer(offer, rng))
    seat = rng.choice(match.waiting_for())
    draft = match.draft(seat).answers
    if draft and rng.random() < UNDONE:
        return Act(seat, undo=True)
    decision = match.question(seat)
    if decision is None:
        return Act(seat)
    ending = decision.ending()
    if draft and ending and rng.random() < STOPPED:
        # After this question is ended, another one may follow that cannot be ended.
        return (
            Act(seat)
            if can_stop(match, seat)
            else Act(seat, Answer(seat, decision.kind, (ending.key,)))
        )
    return Act(seat, random_answer(decision, rng))


def can_stop(match: Match, seat: Seat) -> bool:
    """Return whether a confirm is possible now."""
    try:
        match.confirm(seat)
    except NotFinished:
        return False
    return True


def play(match: Match, rng: Random) -> Iterator[tuple[Match, Act, Match]]:
    """Play a match to its end; yield the match before, the action, and the match after."""
    while match.outcome is None:
        assert match.number <= match.game.commit_limit, "the match does not end"
        act = random_act(match, rng)
        after = act.on(match)
        yield match, act, after
        match = after


def play_out(match: Match, rng: Random, commits: int | None = None) -> Match:
    """Play a match to its end, or for a number of commits."""
    end = None if commits is None else match.number + commits
    for _, _, after in play(match, rng):
        match = after
        if match.number == end:
            break
    return match
