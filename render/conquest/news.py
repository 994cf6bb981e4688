"""The news of Conquest since the last post, as numbered items that a picture marks.

An item is what a reader sees as one action: a leg that canoes sailed, a voyage, all that a seat
built, a Battle. `news_of` groups events into items. The main map, the chart, the track and the
panels mark them with the same numbers, the newest brightest. A new event that should be marked
needs a case in `log_event`.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from engine import Event
from engine.conquest.battle_events import (
    BattleJoined,
    BattlePicked,
    BattleWon,
    GroupTaken,
    Retreated,
    TapuPlayed,
    VillagesSaved,
)
from engine.conquest.events import (
    Built,
    CardDrawn,
    CardRevealed,
    CardsRevealed,
    ColoniesSettled,
    HomeLost,
    HomeNamed,
    HomePicked,
    HomesSettled,
    MalariaStruck,
    PointSaved,
    RumorDropped,
    SeatOut,
    StartPlaced,
    VictoryDeclared,
    VillageFelled,
)
from engine.conquest.sea_events import (
    CanoesOpened,
    ExplorerLaunched,
    ExplorerLost,
    ExplorerRecovered,
    ExplorerReturned,
    GalapagosFound,
    HexCrossed,
    KumaraSailed,
    KumaraTaken,
    MarkerDrawn,
    OffCourseSet,
    Sailed,
    SeasCharted,
    SouthIslandPlaced,
    TileFound,
    TileHidden,
    TileRevealed,
    TileSeen,
    Transited,
)
from engine.conquest.view import NOBODY, ConquestView
from render.news import Mark, make_marks

# Signs: what an item changed beside the map, which the panels mark. Points that are counted for all
# seats are marked on the track instead.
CARDS: Final = "cards"
EXPLORER: Final = "explorer"
POINTS: Final = "points"
SAVED: Final = "saved"


class NewsItem(Struct, frozen=True):
    """Events that a reader sees as one action: a leg sailed, a voyage, a build, a Battle."""

    kind: str
    """'sail', 'voyage', 'build', 'battle' or 'other'."""
    seat: int
    way: tuple[str, ...] = ()
    """The hexes that pieces or an Explorer went through, from the first to the last."""
    spots: tuple[str, ...] = ()
    """Other hexes that changed, first the hex of a Battle."""
    signs: tuple[str, ...] = ()
    """Signs for changes beside the map, which the seat's panel marks."""
    count: int = 0
    """How many pieces sailed."""

    @property
    def rings(self) -> tuple[str, ...]:
        """The hexes to ring: the end of the way, and other hexes that changed."""
        return tuple(dict.fromkeys((*self.way[-1:], *self.spots)))


class News(Struct, frozen=True):
    """The items in order, the newest last. They are numbered from 1."""

    items: tuple[NewsItem, ...] = ()
    battles: tuple[BattleWon, ...] = ()
    """The Battles that ended."""

    def numbered(self) -> Iterator[tuple[int, NewsItem]]:
        """Yield the items with their numbers."""
        return enumerate(self.items, 1)

    def mark(self, number: int) -> Mark:
        """Return how the item with this number is marked."""
        seats = [None if item.seat == NOBODY else item.seat for item in self.items]
        return make_marks(seats)[number - 1]

    def battle_at(self, spot: str) -> int:
        """Return the number of the newest Battle in a hex; 0 if there is none."""
        newest = 0
        for number, item in self.numbered():
            if item.kind == "battle" and item.spots[:1] == (spot,):
                newest = number
        return newest

    def number_of(self, sign: str, seat: int) -> int:
        """Return the number of the newest item of a seat (or NOBODY) with a sign; 0 if none."""
        newest = 0
        for number, item in self.numbered():
            if sign in item.signs and seat == item.seat:
                newest = number
        return newest


def news_of(view: ConquestView, events: Sequence[Event]) -> News:
    """Group events into items; without events, use what the view knows of the last moves."""
    if view.outcome is not None:
        # The final board is a picture to keep, without marks of news.
        return News()
    log = NewsLog()
    for event in events:
        log_event(log, view, event)
    items = log.items
    if not events:
        for arrow in view.arrows:
            items.append(NewsItem("sail", arrow.seat, way=arrow.way, count=arrow.count))
        ends = {item.way[-1] for item in items}
        last = tuple(spot for spot in view.last if spot not in ends)
        if last:
            items.append(NewsItem("other", view.active, spots=last))
    visible = tuple(item for item in items if item.way or item.spots or item.signs)
    battles = tuple(event for event in events if isinstance(event, BattleWon))
    return News(visible, battles)


class NewsLog:
    """The items of a post, while events are added to them one by one.

    An event begins a new item or continues an earlier one.
    """

    def __init__(self) -> None:
        self.items: list[NewsItem] = []

    def add(
        self,
        seat: int,
        spots: tuple[str, ...] = (),
        signs: tuple[str, ...] = (),
        kind: str = "other",
    ) -> None:
        """Add a new item."""
        self.items.append(NewsItem(kind, seat, spots=spots, signs=signs))

    def sail(self, event: Sailed | Transited) -> None:
        """Add a leg, or extend the last one if the same pieces sail on from where it ended."""
        last = self.items[-1] if self.items else None
        if last is not None and last.kind == "sail" and not last.spots:
            is_same_fleet = (last.seat, last.count) == (event.seat, event.count)
            if is_same_fleet and last.way[-1:] == event.way[:1]:
                self.items[-1] = replace(last, way=(*last.way, *event.way[1:]))
                return
        self.items.append(NewsItem("sail", event.seat, way=event.way, count=event.count))

    def enter_hex(self, seat: int, spot: str) -> None:
        """Extend the way of a seat's voyage, unless it already ends in this hex."""
        place = self._latest("voyage", seat)
        if place is None:
            self.items.append(NewsItem("voyage", seat, way=(spot,)))
            return
        voyage = self.items[place]
        if voyage.way[-1:] != (spot,):
            self.items[place] = replace(voyage, way=(*voyage.way, spot))

    def fight(self, attacker: int, spot: str) -> None:
        """Add a Battle unless its hex has one: a Battle ends before the next begins."""
        for item in self.items:
            if item.kind == "battle" and item.spots[:1] == (spot,):
                return
        self.add(attacker, (spot,), kind="battle")

    def extend(
        self,
        kind: str,
        seat: int,
        spots: tuple[str, ...] = (),
        signs: tuple[str, ...] = (),
    ) -> None:
        """Add hexes and signs to a seat's newest item of a kind; begin one if there is none."""
        place = self._latest(kind, seat)
        if place is None:
            self.add(seat, spots, signs, kind)
            return
        item = self.items[place]
        self.items[place] = replace(
            item,
            spots=tuple(dict.fromkeys((*item.spots, *spots))),
            signs=tuple(dict.fromkeys((*item.signs, *signs))),
        )

    def _latest(self, kind: str, seat: int) -> int | None:
        for place in range(len(self.items) - 1, -1, -1):
            item = self.items[place]
            if item.kind == kind and item.seat == seat:
                return place
        return None


def log_event(log: NewsLog, view: ConquestView, event: Event) -> None:
    """Log an event as a new item, or as a part of the item that it belongs to."""
    match event:
        case Sailed() | Transited():
            log.sail(event)
        case CanoesOpened(seat=seat, spots=spots):
            log.extend("sail", seat, spots)

        case ExplorerLaunched(seat=seat, spot=spot):
            log.items.append(NewsItem("voyage", seat, way=(spot,), signs=(EXPLORER,)))
        case MarkerDrawn() | HexCrossed() | OffCourseSet() | KumaraSailed() | GalapagosFound():
            log.enter_hex(event.seat, event.spot)
        case ExplorerReturned() | ExplorerLost() | KumaraTaken():
            log.extend("voyage", event.seat, signs=(EXPLORER,))
        case SeasCharted(seat=seat, spots=spots):
            # The seas lie on the way of the voyage, if its way is known.
            ways = [item.way for item in log.items if item.kind == "voyage" and item.seat == seat]
            log.extend("voyage", seat, () if any(ways) else spots)
        case TileFound() | TileHidden() | TileSeen() | TileRevealed():
            log.extend("voyage", event.seat, (event.spot,))

        case Built():
            pieces = tuple(spot for spot, _ in event.pieces)
            spots = (*pieces, *event.opened, *event.villages, *event.improved)
            log.extend("build", event.seat, spots)
        case ColoniesSettled(seat=seat, spots=spots):
            log.extend("build", seat, spots)
        case CardDrawn(seat=seat):
            log.extend("build", seat, signs=(CARDS,))
        case PointSaved(seat=seat):
            log.extend("build", seat, signs=(SAVED,))
        case StartPlaced(seat=seat) | HomePicked(seat=seat):
            log.extend("build", seat, (view.nations[seat].home,))

        case BattlePicked(seat=seat, spot=spot) | BattleJoined(attacker=seat, spot=spot):
            log.fight(seat, spot)
        case BattleWon(seats=(seat, _), spot=spot) | TapuPlayed(attacker=seat, spot=spot):
            log.fight(seat, spot)
        case Retreated() | VillagesSaved() | GroupTaken():
            # What follows from a Battle belongs to it, whoever does it and wherever.
            attackers = [item.seat for item in log.items if item.kind == "battle"]
            attacker = attackers[-1] if attackers else event.seat
            log.extend("battle", attacker, (event.spot,) if event.spot else ())

        case HomesSettled():
            log.add(NOBODY, tuple(nation.home for nation in view.nations))
        case MalariaStruck() | VillageFelled() | SouthIslandPlaced():
            log.add(getattr(event, "seat", NOBODY), (event.spot,) if event.spot else ())
        case RumorDropped() | HomeLost() | HomeNamed():
            log.add(event.seat, (event.spot,) if event.spot else ())
        case CardRevealed(seat=seat) | CardsRevealed(seat=seat):
            log.add(seat, signs=(CARDS,))
        case VictoryDeclared(seat=seat) | SeatOut(seat=seat):
            log.add(seat, signs=(POINTS,))
        case ExplorerRecovered(seat=seat):
            log.add(seat, signs=(EXPLORER,))
