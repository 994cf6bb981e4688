"""The view of a match of Polynesia, which shows everything, since nothing is hidden.

Views are not saved, so their fields may change together with the pictures, texts and computers that
read them.
"""

from typing import TYPE_CHECKING, Any

from msgspec import Struct

from engine.core.decision import Seat
from engine.core.event import Line
from engine.core.game import View
from engine.polynesia.board import COLOURS, MASK, MapName, face_of, space_value
from engine.polynesia.events import Last
from engine.polynesia.scoring import Row, final_rows

if TYPE_CHECKING:
    from engine.polynesia.state import Side, State

__all__ = [
    "ArchipelagoView",
    "IslandView",
    "Last",
    "PolynesiaView",
    "RouteView",
    "Row",
    "SideView",
    "view_of",
]


class IslandView(Struct, frozen=True):
    """An island: the members and the token on it."""

    spot: str
    symbol: str
    """'fish', 'shell', 'turtle1', 'turtle2' or ''."""
    members: tuple[int, ...]
    """How many of each seat."""
    token: str
    """The face of the token lying here: 'mask', 'ship', 'fish', 'shell', 'turtle' or ''."""
    destroyed: bool
    """Whether the eruption has destroyed it."""


class RouteView(Struct, frozen=True):
    """A route: dashed while nobody has a ship on it, unless it is neutral."""

    spot: str
    neutral: bool
    owners: tuple[Seat, ...]
    """Seats with a ship here, one each."""
    type: str
    """The resource beside it, 'fish' or 'shell'; '' while unexplored and on neutral ones."""


class ArchipelagoView(Struct, frozen=True):
    """Two islands within one outline."""

    letter: str
    islands: tuple[str, ...]
    linked: bool
    """A route to it or in it is explored."""
    point: bool
    """A Point token lies here (card 1.2)."""


class SideView(Struct, frozen=True):
    """A seat's members, ships, resources and tokens."""

    home: int
    """Members on the personal board: they stand on the last spaces of board.components().spaces."""
    value: int
    """The highest free space."""
    fish: int
    shells: int
    ships: int
    """Ships in stock."""
    ships_out: int
    """Ships on the map."""
    masks: int
    tokens: tuple[str, ...]
    """Faces of the island tokens held, masks included."""
    points: int
    """Point tokens."""


class PolynesiaView(View, frozen=True, kw_only=True):
    """The table, with `scores` as if the volcano erupted now.

    `map` is read with board.board_of.
    """

    map: MapName
    over: bool
    round: int
    marker: str
    """Where the Phase Marker stands: one of board.TRACK."""
    first: Seat
    """The seat with the Starting Player token."""
    tides: tuple[str, str, str]
    """Card ids; the text 'tide_1.1' says in a line what card 1.1 does."""
    islands: tuple[IslandView, ...]
    routes: tuple[RouteView, ...]
    archipelagos: tuple[ArchipelagoView, ...]
    lava: tuple[str, ...]
    """The stones drawn, in order: 'red', 'grey', 'black'."""
    bag: tuple[int, int, int]
    """How many stones of each of board.COLOURS are left."""
    pool: int | None
    """Point tokens in reserve; None if no Tide card uses it."""
    sides: tuple[SideView, ...]
    last: Last | None
    rows: tuple[Row, ...]
    """The final score, a row for each seat; none before the end."""
    now: tuple[Row, ...]
    """The score as if the volcano erupted now, a row for each seat; none after the end."""

    def note(self, spot: str) -> str:
        """Return the token on an island, or at the end of a passage."""
        goal = spot.rpartition("-")[2]
        for island in self.islands:
            if island.spot == goal and island.token:
                return f"token_{island.token}"
        return ""

    def status(self) -> tuple[tuple[str, dict[str, Any]], ...]:
        """Return round, marker, red stones, and the score as if the volcano erupted now."""
        if self.over:
            return (("final", {"points": self.scores}),)
        reds = self.lava.count(COLOURS[0])
        facts = {
            "round": self.round,
            "marker": self.marker,
            "red": reds,
            "all": reds + self.bag[0],
        }
        # The first spaces of the Phase Track are numbers, the others have names.
        if not self.marker.isdigit():
            facts["space"] = f"space_{self.marker}"
        return (("round", facts), ("now", {"points": self.scores}))

    def stage(self) -> Line | None:
        """Return the round."""
        return None if self.over else ("round", {"round": self.round})


def view_of(state: "State", viewer: Seat | None) -> PolynesiaView:
    """Return the position as everyone may see it."""
    now = () if state.rows else final_rows(state)
    return PolynesiaView(
        game="polynesia",
        viewer=viewer,
        scores=tuple(row.total for row in state.rows or now),
        map=state.map,
        over=state.is_over,
        round=state.round,
        marker=state.marker,
        first=state.first,
        tides=state.tides,
        islands=_show_islands(state),
        routes=_show_routes(state),
        archipelagos=_show_archipelagos(state),
        lava=state.lava,
        bag=state.bag,
        pool=state.pool,
        sides=tuple(_show_side(side) for side in state.sides),
        last=state.last,
        rows=state.rows,
        now=now,
    )


def _show_islands(state: "State") -> tuple[IslandView, ...]:
    has_erupted = state.is_over
    return tuple(
        IslandView(
            island.code,
            island.symbol,
            tuple(side.members[island.number] for side in state.sides),
            face_of(token),
            has_erupted and island.destroyed,
        )
        for island, token in zip(state.board.islands, state.tokens, strict=True)
    )


def _show_routes(state: "State") -> tuple[RouteView, ...]:
    return tuple(
        RouteView(route.code, route.neutral, state.owners(route), state.type_of(route))
        for route in state.board.routes
    )


def _show_archipelagos(state: "State") -> tuple[ArchipelagoView, ...]:
    return tuple(
        ArchipelagoView(
            letter,
            tuple(island.code for island in islands),
            state.is_linked(letter),
            letter in state.archipelago_points,
        )
        for letter, islands in state.board.archipelagos.items()
    )


def _show_side(side: "Side") -> SideView:
    faces = tuple(face_of(token) for token in side.tokens)
    return SideView(
        home=side.home,
        value=space_value(side.home),
        fish=side.fish,
        shells=side.shells,
        ships=side.ships,
        ships_out=side.ships_out,
        masks=faces.count(MASK),
        tokens=faces,
        points=side.points,
    )
