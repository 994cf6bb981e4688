"""A player for any game: its plain answers if it has any, else a legal one on the board."""

from hashlib import blake2b

from engine.core.decision import Answer, Decision, Option, Seat
from engine.core.match import Match
from engine.players.mind import mind_of

PATIENCE = 40
"""Answers in one turn after which a sequence is ended if it can be."""


def stand_in(match: Match, seat: Seat) -> Match:
    """Play one whole turn for a seat and confirm it; return the match unchanged if not asked.

    The same position gives the same turn, whatever the match's seed: dice are not used. Offers are
    ignored.
    """
    if seat not in match.waiting_for():
        return match
    while decision := match.question(seat):
        match = match.pick(Answer(seat, decision.kind, _keys(match, decision)))
    return match.confirm(seat)


def _keys(match: Match, decision: Decision) -> tuple[str, ...]:
    position = len(match.draft(decision.seat).answers)
    ending = decision.ending()
    if ending and position >= PATIENCE:
        return (ending.key,)
    view = match.view(decision.seat)
    plain = mind_of(match.game).plain(view, decision)
    if plain is not None:
        return plain
    if ending and decision.kind in match.game.windows:
        return (ending.key,)
    liked = [option for option in decision.options if option.spot and view.note(option.spot)]
    rest = [option for option in decision.options if option not in liked]
    ranked = _shuffled(match, decision, position, liked) + _shuffled(
        match, decision, position, rest
    )
    return tuple(option.key for option in ranked[: decision.at_least])


def _shuffled(
    match: Match, decision: Decision, position: int, options: list[Option]
) -> list[Option]:
    def draw(option: Option) -> bytes:
        text = f"{match.number}/{decision.seat}/{decision.kind}/{position}/{option.key}"
        return blake2b(text.encode(), digest_size=8).digest()

    return sorted(options, key=draw)
