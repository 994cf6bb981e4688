"""What a viewer sees of Blue Lagoon: everything, since nothing is hidden."""

from typing import TYPE_CHECKING, Any

from msgspec import Struct

from engine.blue_lagoon.board import ITEMS, bits
from engine.blue_lagoon.scoring import Row, score
from engine.core.decision import Seat
from engine.core.event import Line
from engine.core.game import View

if TYPE_CHECKING:
    from engine.blue_lagoon.state import State


class Standing(Struct, frozen=True):
    """A piece on the board: 'boat', 'settler' or 'village'."""

    spot: str
    seat: Seat
    piece: str


class SideView(Struct, frozen=True):
    """A seat's pieces left and items held, in the order of board.ITEMS."""

    settlers_left: int
    villages_left: int
    held: tuple[int, ...]


class BlueLagoonView(View, frozen=True, kw_only=True):
    """The table, with `scores` as if the phase ended now.

    `map` is read with board.board_of.
    """

    map: str
    phase: str
    """'exploration', 'settlement' or 'over'."""
    move: int
    """How many pieces were placed in this phase."""
    pieces: tuple[Standing, ...]
    items: tuple[tuple[str, str], ...]
    """Spot and item for everything that still lies on the board, in reading order."""
    sides: tuple[SideView, ...]
    last: str
    """The spot of the last placement, '' if there was none."""
    rows: tuple[tuple[Row, ...], ...]
    """For each phase scored, a row a seat."""
    now: tuple[Row, ...] = ()
    """The points of the running phase as if it ended now, a row a seat; none when the match is
    over.
    """

    def note(self, spot: str) -> str:
        """Return the item on a spot."""
        return next((item for at, item in self.items if at == spot), "")

    def status(self) -> tuple[tuple[str, dict[str, Any]], ...]:
        """Return the resources left, and the score as if the phase ended now."""
        if self.phase == "over":
            return (("final", {"points": self.scores}),)
        resources = sum(1 for _, item in self.items if item != "statuette")
        return (("left", {"resources": resources}), ("now", {"points": self.scores}))

    def stage(self) -> Line | None:
        """Return the phase."""
        return (self.phase, {}) if self.phase != "over" else None


def view_of(state: "State", viewer: Seat | None) -> BlueLagoonView:
    """Return the position as everyone may see it."""
    board, is_over = state.board, state.phase == "over"
    now = () if is_over else score(board, state.sides)
    rows = (*state.scores, now) if now else state.scores

    standing = {}
    for number, side in enumerate(state.sides):
        for bit in bits(side.pieces):
            place = board.at[bit]
            piece = "village" if side.villages & bit else "settler" if place.island else "boat"
            standing[bit] = Standing(place.code, Seat(number), piece)
    lying = {
        bit: item for item, places in zip(ITEMS, state.items, strict=True) for bit in bits(places)
    }
    # Villages are placed in the exploration only; later they merely stand.
    placed = [
        side.pieces if state.phase == "exploration" else side.settlers for side in state.sides
    ]

    return BlueLagoonView(
        game="blue_lagoon",
        viewer=viewer,
        scores=tuple(sum(row.total for row in column) for column in zip(*rows, strict=True)),
        map=state.map,
        phase=state.phase,
        move=sum(places.bit_count() for places in placed),
        pieces=tuple(standing[bit] for bit in sorted(standing)),
        items=tuple((board.at[bit].code, lying[bit]) for bit in sorted(lying)),
        sides=tuple(
            SideView(side.settlers_left, side.villages_left, side.held) for side in state.sides
        ),
        # Looked up, so that a damaged save with a spot that the map does not have is refused when
        # it is loaded.
        last=board.by_code[state.spot].code if state.spot else "",
        rows=state.scores,
        now=now,
    )
