"""What is closed until all secret answers are in: everybody waits for it, and only its owner
knows what it is.
"""

from typing import TYPE_CHECKING

from engine.conquest.battle_rolls import ATTACKER, DEFENDER, could_hold
from engine.conquest.pieces import NOBODY
from engine.core.decision import Seat

if TYPE_CHECKING:
    from engine.conquest.state import State


def sealed(state: "State") -> tuple[tuple[str, Seat], ...]:
    """Return the closed build lists, pieces in Battle, cards for a roll, votes and answers to a
    Victory.
    """
    found: list[tuple[str, Seat]] = []
    # A list is closed until all are shown, even while its seat has taken it up again.
    if state.builds:
        found += [("build", seat) for seat in state.seats]
    battle = state.battle
    if battle is not None:
        for side in (ATTACKER, DEFENDER):
            seat = Seat(battle.seat(side))
            if not battle.shown and seat != NOBODY:
                found.append(("pieces", seat))
            # Until the roll is settled nobody knows whether a card will bend it, be it by a reply
            # or by an order.
            is_open_roll = bool(battle.rolls) and not battle.rolls[-1].result
            if is_open_roll and could_hold(state, battle, side):
                found.append(("card", seat))
    declared = state.declared
    if declared is not None:
        said = declared.answers or declared.votes
        sort = "answer" if declared.answers else "vote"
        for seat in state.seats:
            # Without a face-down card nobody is asked for an answer: all know what it would be.
            if said[seat] and (sort == "vote" or state.nations[seat].hidden):
                found.append((sort, seat))
    return tuple(found)
