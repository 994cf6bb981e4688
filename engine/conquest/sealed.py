"""Answers that stay sealed until all secret answers are in.

Everybody waits for them, and only their owner knows what they are.
"""

from typing import TYPE_CHECKING

from engine.conquest.battle_rolls import ATTACKER, DEFENDER, could_hold_battle_card
from engine.conquest.pieces import NOBODY
from engine.core.decision import Seat

if TYPE_CHECKING:
    from engine.conquest.state import State


def list_sealed_answers(state: "State") -> tuple[tuple[str, Seat], ...]:
    """Return what is sealed, as pairs of a kind and a seat.

    These are build lists, pieces in Battle, cards for a roll, and votes and answers to a
    Victory.
    """
    found: list[tuple[str, Seat]] = []
    # A list stays secret until all are revealed, even while its seat has reopened it.
    if state.builds:
        found += [("build", seat) for seat in state.seats]
    battle = state.battle
    if battle is not None:
        for side in (ATTACKER, DEFENDER):
            seat = Seat(battle.seat(side))
            if not battle.shown and seat != NOBODY:
                found.append(("pieces", seat))
            # Until the roll is settled, nobody knows whether a card will change it, by a reply or
            # by a standing order.
            is_open_roll = bool(battle.rolls) and not battle.rolls[-1].result
            if is_open_roll and could_hold_battle_card(state, battle, side):
                found.append(("card", seat))
    declared = state.declared
    if declared is not None:
        replies = declared.answers or declared.votes
        kind = "answer" if declared.answers else "vote"
        for seat in state.seats:
            # A seat without face-down cards is not asked for an answer, so it has no secret.
            is_secret = kind == "vote" or bool(state.nations[seat].hidden)
            if replies[seat] and is_secret:
                found.append((kind, seat))
    return tuple(found)
