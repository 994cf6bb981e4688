"""The plain player for any game: it gives the game's plain answers, else any legal ones.

It stands in for a seat that nobody holds, and for everybody else where a plan is tried out.
"""

from hashlib import blake2b

from engine.core.decision import Answer, Decision, Option, Seat
from engine.core.match import Match
from tests.bench.earlier_players.mind import mind_of

MAX_ANSWERS_PER_TURN = 40
"""Answers in one turn after which it is ended if it can be."""


def stand_in(match: Match, seat: Seat) -> Match:
    """Play one whole turn for a seat and confirm it; return the match unchanged if not asked.

    The same position gives the same turn, whatever the match's seed: no dice are used, and
    offers are ignored.
    """
    if seat not in match.waiting_for():
        return match
    while decision := match.question(seat):
        match = match.pick(Answer(seat, decision.kind, choose_keys(match, decision)))
    return match.confirm(seat)


def choose_keys(match: Match, decision: Decision) -> tuple[str, ...]:
    """Return a plain answer: the game's own, else any, preferably on land or another named spot."""
    position = len(match.draft(decision.seat).answers)
    ending = decision.ending()
    if ending and position >= MAX_ANSWERS_PER_TURN:
        return (ending.key,)
    view = match.view(decision.seat)
    plain = mind_of(match.game).plain_answer(view, decision)
    if plain is not None:
        return plain
    if ending and decision.kind in match.game.windows:
        return (ending.key,)

    def rank(option: Option) -> tuple[bool, bytes]:
        has_note = bool(option.spot and view.note(option.spot))
        # A hash shuffles the options, the same way every time and without the match's dice.
        text = f"{match.number}/{decision.seat}/{decision.kind}/{position}/{option.key}"
        return not has_note, blake2b(text.encode(), digest_size=8).digest()

    ranked = sorted(decision.options, key=rank)
    return tuple(option.key for option in ranked[: decision.at_least])
