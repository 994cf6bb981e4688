"""What a viewer sees of Blue Lagoon: everything, for nothing in it is hidden."""

from functools import cached_property
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from engine.blue_lagoon.board import ITEMS, Board, bits
from engine.blue_lagoon.scoring import Row, score
from engine.core.decision import Seat
from engine.core.game import View

if TYPE_CHECKING:
    from engine.blue_lagoon.state import Side, State

__all__ = ["BlueLagoonView", "Row", "SideView", "Standing", "view_of"]


class Standing(Struct, frozen=True):
    """A piece on the board: 'boat', 'settler' or 'village'."""

    spot: str
    seat: Seat
    piece: str


class SideView(Struct, frozen=True):
    """What lies before a seat: pieces left and items held, in the order of board.ITEMS."""

    settlers_left: int
    villages_left: int
    held: tuple[int, ...]


class BlueLagoonView(View, frozen=True, kw_only=True, dict=True):
    """The open table, with `scores` as if the phase ended now. `map` is read with board.board_of."""

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
    """The points of the running phase as if it ended now, a row a seat; none when the match is over."""

    def note(self, spot: str) -> str:
        """The item that lies on the spot."""
        return self._item_at.get(spot, "")

    def status(self) -> tuple[tuple[str, dict[str, Any]], ...]:
        """Resources left and the score if the phase ended now."""
        if self.phase == "over":
            return (("final", {"points": self.scores}),)
        resources = sum(1 for _, item in self.items if item != "statuette")
        return (("left", {"resources": resources}), ("now", {"points": self.scores}))

    @cached_property
    def _item_at(self) -> dict[str, str]:
        return dict(self.items)


def view_of(state: "State", viewer: Seat | None) -> BlueLagoonView:
    """The position as everyone may know it."""
    board, is_over = state.board, state.phase == "over"
    pieces = _pieces(board, state.sides)
    now = () if is_over else score(board, state.sides)
    rows = (*state.scores, now) if now else state.scores
    return BlueLagoonView(
        game="blue_lagoon",
        viewer=viewer,
        to_move=() if is_over else (_in_turn(state),),
        scores=tuple(sum(row.total for row in column) for column in zip(*rows, strict=True)),
        map=state.map,
        phase=state.phase,
        move=_placed(state),
        pieces=pieces,
        items=_items(board, state.items),
        sides=tuple(SideView(side.settlers_left, side.villages_left, side.held) for side in state.sides),
        last=board.by_code[state.spot].code if state.spot else "",
        rows=state.scores,
        now=now,
    )


def _in_turn(state: "State") -> Seat:
    """Who is asked; in a finished draft whoever drafted it, for the turn passes with the confirm."""
    seat: Seat = getattr(state.agenda[-1], "seat", state.last)
    return seat


def _placed(state: "State") -> int:
    """Villages are placed in the exploration only; later they merely stand."""
    counted = [side.pieces if state.phase == "exploration" else side.settlers for side in state.sides]
    return sum(places.bit_count() for places in counted)


def _pieces(board: Board, sides: "tuple[Side, ...]") -> tuple[Standing, ...]:
    found = []
    for number, side in enumerate(sides):
        for bit in bits(side.pieces):
            place = board.at[bit]
            piece = "village" if side.villages & bit else "settler" if place.island else "boat"
            found.append((bit, Standing(place.code, Seat(number), piece)))
    return tuple(standing for _, standing in sorted(found, key=lambda pair: pair[0]))


def _items(board: Board, items: tuple[int, ...]) -> tuple[tuple[str, str], ...]:
    lying = sorted((bit, ITEMS[item]) for item, places in enumerate(items) for bit in bits(places))
    return tuple((board.at[bit].code, name) for bit, name in lying)
