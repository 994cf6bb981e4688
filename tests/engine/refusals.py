"""Refusals of illegal keys in random matches, for tests of whether their reasons are true."""

from collections.abc import Iterator
from itertools import chain
from random import Random
from typing import Any

from msgspec import Struct

from engine import Decision, Seat
from tests.contract.games import new_match
from tests.contract.player import play


class Refusal(Struct, frozen=True):
    """A key that is not offered, with the game's reason."""

    state: Any
    """The state that the decision is made in, with the draft of the deciding seat."""
    decision: Decision
    key: str
    reason: str
    """A key of the [why] texts."""
    facts: dict[str, Any]


def refusals(
    game_id: str, seats: int, settings: dict[str, str], seed: str, every: int = 4
) -> Iterator[Refusal]:
    """Yield the refusals of a random match.

    In every `every`th position, all spots and all keys that were offered earlier are tried.
    """
    offered: dict[str, set[str]] = {}
    start = new_match(game_id, seats, settings, seed)
    for number, (match, _, _) in enumerate(play(start, Random(seed))):
        all_decisions = [match.decisions(Seat(seat)) for seat in range(seats)]
        for decision in chain(*all_decisions):
            keys = offered.setdefault(decision.kind, set())
            keys |= {option.key for option in decision.options}
            if number % every:
                continue
            # A question comes after the draft, an offer is made in the committed position.
            at_decision = match if decision.blocking else match.without_drafts()
            state = at_decision.tip(decision.seat)
            view = at_decision.view(decision.seat)
            for key in sorted(keys | {*match.game.places(view)}):
                line = match.game.refusal(state, decision, key)
                if line is not None:
                    yield Refusal(state, decision, key, *line)
