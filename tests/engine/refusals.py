"""Refusals from random matches, to check their reasons."""

from collections.abc import Iterator
from random import Random
from typing import Any

from msgspec import Struct

from engine import Decision, Seat
from tests.contract.games import new_match
from tests.contract.player import play


class Refusal(Struct, frozen=True):
    """A key that is not offered, with the game's reason."""

    state: Any
    """With the draft of the asked seat."""
    decision: Decision
    key: str
    reason: str
    facts: dict[str, Any]


def refusals(
    game_id: str, seats: int, settings: dict[str, str], seed: str, every: int = 4
) -> Iterator[Refusal]:
    """Yield refusals of a match: of all spots, and of keys that were offered earlier."""
    offered: dict[str, set[str]] = {}
    for number, (match, _, _) in enumerate(
        play(new_match(game_id, seats, settings, seed), Random(seed))
    ):
        for decision in (
            decision for seat in range(seats) for decision in match.decisions(Seat(seat))
        ):
            keys = offered.setdefault(decision.kind, set())
            keys |= {option.key for option in decision.options}
            if number % every:
                continue
            # An offer is of the match itself, a question comes after the draft.
            asked = match if decision.blocking else match.without_drafts()
            view = asked.view(decision.seat)
            for key in sorted(keys | {*match.game.places(view)}):
                line = match.game.refusal(asked.tip(decision.seat), decision, key)
                if line is not None:
                    yield Refusal(asked.tip(decision.seat), decision, key, *line)
