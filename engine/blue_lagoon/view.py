"""The view of a match of Blue Lagoon, which shows everything, since nothing is hidden.

Views are not saved, so their fields may change together with the pictures, texts and computers that
read them.
"""

from typing import TYPE_CHECKING, Any

from msgspec import Struct

from engine.blue_lagoon.board import ITEMS, bits, board_of
from engine.blue_lagoon.scoring import LINK_POINTS, Row, count_row, score, score_majorities
from engine.core.decision import Option, Seat
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
    """For each phase scored, a row for each seat."""
    now: tuple[Row, ...] = ()
    """The points of the running phase as if it ended now, a row for each seat; none when the
    match is over.
    """

    def note(self, spot: str) -> str:
        """Return the item on a spot."""
        return next((item for at, item in self.items if at == spot), "")

    def facts(self, option: Option) -> dict[str, Any]:
        """Return what a placement brings besides the piece.

        `points` is what it adds to the viewer's points as if the phase ended now, `held` how many
        of the item there the viewer has, `new` whether the island is new to the viewer, `chain` how
        many islands the best chain links if it gets longer, `shores` the islands beside a boat. A
        village `stays` for settlement or is `removed` from its stone circle before.
        """
        if self.viewer is None or not self.now:
            return {}
        is_village = ("piece", "village") in option.facts
        board = board_of(self.map)
        place = board.by_code[option.spot]
        pieces = [0] * len(self.sides)
        for piece in self.pieces:
            pieces[piece.seat] |= board.by_code[piece.spot].bit
        before, own = self.now[self.viewer], pieces[self.viewer]
        beside = board.near(place.bit)

        held = list(self.sides[self.viewer].held)
        already = 0
        if item := self.note(place.code):
            already = held[ITEMS.index(item)]
            held[ITEMS.index(item)] += 1
        after = before
        # A boat away from the viewer's pieces changes no points: most options are such boats.
        if place.island or beside & own:
            pieces[self.viewer] |= place.bit
            majorities = score_majorities(board, pieces)[self.viewer]
            after = count_row(board, own | place.bit, held, majorities)
        is_longer = after.links > max(before.links, LINK_POINTS)
        shores = () if place.island else board.islands.items()
        return {
            "points": after.total - before.total,
            "held": already,
            "new": bool(place.island) and not own & board.islands[place.island],
            "chain": after.links // LINK_POINTS if is_longer else 0,
            "shores": tuple(island for island, places in shores if places & beside),
            "stays": is_village and not place.circle,
            "removed": is_village and place.circle,
        }

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
            piece = "settler" if place.island else "boat"
            if side.villages & bit:
                piece = "village"
            standing[bit] = Standing(place.code, Seat(number), piece)
    items: dict[int, str] = {}
    for item, places in zip(ITEMS, state.items, strict=True):
        items |= dict.fromkeys(bits(places), item)
    # In settlement, villages stand on the board since exploration: only settlers were placed.
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
        items=tuple((board.at[bit].code, items[bit]) for bit in sorted(items)),
        sides=tuple(
            SideView(side.settlers_left, side.villages_left, side.held) for side in state.sides
        ),
        # Looked up rather than copied: a damaged save with a spot that the map does not have is
        # refused when it is loaded.
        last=board.by_code[state.spot].code if state.spot else "",
        rows=state.scores,
        now=now,
    )
