"""The final points: free space, turtles, tokens and the three Tide cards.

A Tide card that scores at the end has a function here, listed in TIDES by the card's number.
"""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

from engine.polynesia.board import FISH, MASK, SHELL, TURTLE, TURTLES, Board, space_value

if TYPE_CHECKING:
    from engine.polynesia.state import Side, State

Points = tuple[int, ...]
"""One number for each seat."""
MASK_POINTS = (0, -1, 2, 5, 5)
"""Card 2.4: the points by number of masks, the last also for more."""
NO_MASK_POINTS = -2
"""Card 2.6."""
HARVESTS = {"3.6": FISH, "3.8": SHELL}
"""Cards that give one more harvest of a resource before they score."""


class Row(Struct, frozen=True):
    """A seat's final points, by kind."""

    space: int
    """The highest free space of the personal board."""
    turtles: int
    """Turtles on islands with a member."""
    tokens: int
    """Turtle tokens."""
    points: int
    """Point tokens."""
    tide1: int
    tide2: int
    tide3: int

    @property
    def total(self) -> int:
        """Return the sum of all points."""
        return (
            self.space
            + self.turtles
            + self.tokens
            + self.points
            + self.tide1
            + self.tide2
            + self.tide3
        )


def final_rows(state: "State") -> tuple[Row, ...]:
    """Return a row per seat, as if the volcano erupted now."""
    return score_seats(state.board, state.tides, final_sides(state))


def final_sides(state: "State") -> "tuple[Side, ...]":
    """Return the seats after the eruption and the harvest of card 3.6 or 3.8."""
    board, resource = state.board, HARVESTS.get(state.tides[2])
    sides = tuple(side.send_home(board) for side in state.sides)
    if resource is None:
        return sides
    return tuple(side.gain(resource, side.harvest(board, resource)) for side in sides)


def score_seats(board: Board, tides: Sequence[str], sides: "Sequence[Side]") -> tuple[Row, ...]:
    """Return a row per seat, given the sides after the eruption."""
    none = (0,) * len(sides)
    cards = [TIDES[tide](board, sides) if tide in TIDES else none for tide in tides]
    rows = []
    for seat, side in enumerate(sides):
        settled = [island for island in board.islands if side.members[island.number]]
        row = Row(
            space=space_value(side.home),
            turtles=sum(TURTLES.get(island.symbol, 0) for island in settled),
            tokens=side.count(TURTLE),
            points=side.points,
            tide1=cards[0][seat],
            tide2=cards[1][seat],
            tide3=cards[2][seat],
        )
        rows.append(row)
    return tuple(rows)


def count_archipelagos(board: Board, side: "Side", both: bool = False) -> int:
    """Count the archipelagos with a member of the seat on one island, or on both."""
    count = 0
    for islands in board.archipelagos.values():
        members = [side.members[island.number] for island in islands]
        count += all(members) if both else any(members)
    return count


def score_visited_archipelagos(board: Board, sides: "Sequence[Side]") -> Points:
    """Card 1.3: 1 point per archipelago with a member; 5 instead of 4 for all."""
    reached = [count_archipelagos(board, side) for side in sides]
    return tuple(5 if count == len(board.archipelagos) else count for count in reached)


def score_filled_archipelagos(board: Board, sides: "Sequence[Side]") -> Points:
    """Card 1.4: 2 points per archipelago with members on both islands; 10 for all."""
    filled = [count_archipelagos(board, side, both=True) for side in sides]
    return tuple(10 if count == len(board.archipelagos) else 2 * count for count in filled)


def score_masks(board: Board, sides: "Sequence[Side]") -> Points:
    """Card 2.4: 1 mask -1, 2 masks 2, 3 or 4 masks 5."""
    return tuple(MASK_POINTS[min(side.count(MASK), len(MASK_POINTS) - 1)] for side in sides)


def score_masks_by_archipelagos(board: Board, sides: "Sequence[Side]") -> Points:
    """Card 2.5: masks times archipelagos with a member."""
    return tuple(side.count(MASK) * count_archipelagos(board, side) for side in sides)


def score_missing_masks(board: Board, sides: "Sequence[Side]") -> Points:
    """Card 2.6: lose 2 points without a mask."""
    return tuple(0 if side.count(MASK) else NO_MASK_POINTS for side in sides)


def score_turtle_majorities(board: Board, sides: "Sequence[Side]") -> Points:
    """Card 3.4: on each turtle island, 3 points for most members, 2 for second most.

    Ties score 2 each. Ruling: after a tie for most, the next seats still score as second, since the
    card makes no exception.
    """
    points = [0] * len(sides)
    for island in board.islands:
        if island.symbol not in TURTLES:
            continue
        counts = [side.members[island.number] for side in sides]
        # The numbers of members that occur, each once: the first is the most, the next the second.
        ranks = sorted({count for count in counts if count}, reverse=True)
        for seat, count in enumerate(counts):
            if ranks and count == ranks[0]:
                is_tied = counts.count(count) > 1
                points[seat] += 2 if is_tied else 3
            elif len(ranks) > 1 and count == ranks[1]:
                points[seat] += 2
    return tuple(points)


def score_most_at_home(board: Board, sides: "Sequence[Side]") -> Points:
    """Card 3.5: 3 points for most members on the player board; nobody scores in a tie."""
    return _score_most([side.home for side in sides], 3, tied=0)


def score_most_fish(board: Board, sides: "Sequence[Side]") -> Points:
    """Card 3.6: 4 points for most fish, 3 each in a tie."""
    return _score_most([side.fish for side in sides], 4, tied=3)


def score_most_ships(board: Board, sides: "Sequence[Side]") -> Points:
    """Card 3.7: 3 points for most ships on the map, 2 each in a tie.

    Ships beside destroyed islands count.
    """
    return _score_most([side.ships_out for side in sides], 3, tied=2)


def score_most_shells(board: Board, sides: "Sequence[Side]") -> Points:
    """Card 3.8: 4 points for most shells, 3 each in a tie."""
    return _score_most([side.shells for side in sides], 4, tied=3)


TIDES: "dict[str, Callable[[Board, Sequence[Side]], Points]]" = {
    "1.3": score_visited_archipelagos,
    "1.4": score_filled_archipelagos,
    "2.4": score_masks,
    "2.5": score_masks_by_archipelagos,
    "2.6": score_missing_masks,
    "3.4": score_turtle_majorities,
    "3.5": score_most_at_home,
    "3.6": score_most_fish,
    "3.7": score_most_ships,
    "3.8": score_most_shells,
}
"""The cards that score at the end; the others act while the game is in play."""


def _score_most(counts: Sequence[int], alone: int, tied: int) -> Points:
    """Return the points of the seats that have most; none where nobody has any."""
    most = max(counts)
    points = alone if counts.count(most) == 1 else tied
    return tuple(points if count == most and most else 0 for count in counts)
