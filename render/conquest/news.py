"""What happened since the last post, as numbered deeds that a picture marks.

A deed is one thing to a reader: a leg that canoes sailed, a voyage, all that a seat built, a
Battle. `news_of` gathers events into deeds; the theatre, the chart, the track and the panels mark
them with the same numbers, the newest brightest.
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

# Signs: what a deed changed beside the map; panels mark them. Counting points is no deed of
# anybody: it shows on the track.
CARDS: Final = "cards"
EXPLORER: Final = "explorer"
POINTS: Final = "points"
SAVED: Final = "saved"


class Deed(Struct, frozen=True):
    """Something that happened, as one thing: a leg sailed, a voyage, a build, a Battle."""

    kind: str
    """'sail', 'voyage', 'build', 'battle' or 'other'."""
    seat: int
    way: tuple[str, ...] = ()
    """The hexes of a way, from the first to the last."""
    spots: tuple[str, ...] = ()
    """Other hexes that changed; that of a Battle comes first."""
    signs: tuple[str, ...] = ()
    """What changed beside the map."""
    count: int = 0
    """How many pieces sailed."""

    @property
    def rings(self) -> tuple[str, ...]:
        """The hexes to ring: the end of the way, and other hexes that changed."""
        return tuple(dict.fromkeys((*self.way[-1:], *self.spots)))


class News(Struct, frozen=True):
    """The deeds in order; the last is the newest. They are numbered from 1."""

    deeds: tuple[Deed, ...] = ()
    battles: tuple[BattleWon, ...] = ()
    """The Battles that ended."""

    def numbered(self) -> Iterator[tuple[int, Deed]]:
        """Yield the deeds with their numbers."""
        return enumerate(self.deeds, 1)

    def mark(self, number: int) -> Mark:
        """Return how a deed is marked."""
        seats = [None if deed.seat == NOBODY else deed.seat for deed in self.deeds]
        return make_marks(seats)[number - 1]

    def battle_at(self, spot: str) -> int:
        """Return the number of the newest Battle in a hex; 0 if there is none."""
        newest = 0
        for number, deed in self.numbered():
            if deed.kind == "battle" and deed.spots[:1] == (spot,):
                newest = number
        return newest

    def number_of(self, sign: str, seat: int) -> int:
        """Return the number of the newest deed of a seat (or NOBODY) with a sign; 0 if none."""
        newest = 0
        for number, deed in self.numbered():
            if sign in deed.signs and seat == deed.seat:
                newest = number
        return newest


def news_of(view: ConquestView, events: Sequence[Event]) -> News:
    """Gather events into deeds; without events, use what the view knows of the last moves."""
    if view.outcome is not None:
        # The final board is a picture to keep, without marks of news.
        return News()
    log = DeedLog()
    for event in events:
        log_event(log, view, event)
    deeds = log.deeds
    if not events:
        for arrow in view.arrows:
            deeds.append(Deed("sail", arrow.seat, way=arrow.way, count=arrow.count))
        ends = {deed.way[-1] for deed in deeds}
        last = tuple(spot for spot in view.last if spot not in ends)
        if last:
            deeds.append(Deed("other", view.active, spots=last))
    visible = tuple(deed for deed in deeds if deed.way or deed.spots or deed.signs)
    battles = tuple(event for event in events if isinstance(event, BattleWon))
    return News(visible, battles)


class DeedLog:
    """Deeds being gathered: an event begins a new one or continues an earlier one."""

    def __init__(self) -> None:
        self.deeds: list[Deed] = []

    def add(
        self,
        seat: int,
        spots: tuple[str, ...] = (),
        signs: tuple[str, ...] = (),
        kind: str = "other",
    ) -> None:
        """Add a deed of its own."""
        self.deeds.append(Deed(kind, seat, spots=spots, signs=signs))

    def sail(self, event: Sailed | Transited) -> None:
        """Add a leg, or extend the last one if the same pieces sail on from its end."""
        last = self.deeds[-1] if self.deeds else None
        if last is not None and last.kind == "sail" and not last.spots:
            is_same_fleet = (last.seat, last.count) == (event.seat, event.count)
            if is_same_fleet and last.way[-1:] == event.way[:1]:
                self.deeds[-1] = replace(last, way=(*last.way, *event.way[1:]))
                return
        self.deeds.append(Deed("sail", event.seat, way=event.way, count=event.count))

    def enter_hex(self, seat: int, spot: str) -> None:
        """Extend the way of a seat's voyage, unless it already ends in this hex."""
        place = self._latest("voyage", seat)
        if place is None:
            self.deeds.append(Deed("voyage", seat, way=(spot,)))
            return
        voyage = self.deeds[place]
        if voyage.way[-1:] != (spot,):
            self.deeds[place] = replace(voyage, way=(*voyage.way, spot))

    def fight(self, attacker: int, spot: str) -> None:
        """Add a Battle unless its hex has one: a Battle ends before the next begins."""
        for deed in self.deeds:
            if deed.kind == "battle" and deed.spots[:1] == (spot,):
                return
        self.add(attacker, (spot,), kind="battle")

    def extend(
        self, kind: str, seat: int, spots: tuple[str, ...] = (), signs: tuple[str, ...] = ()
    ) -> None:
        """Add hexes and signs to a seat's newest deed of a kind; begin one if there is none."""
        place = self._latest(kind, seat)
        if place is None:
            self.add(seat, spots, signs, kind)
            return
        deed = self.deeds[place]
        self.deeds[place] = replace(
            deed,
            spots=tuple(dict.fromkeys((*deed.spots, *spots))),
            signs=tuple(dict.fromkeys((*deed.signs, *signs))),
        )

    def _latest(self, kind: str, seat: int) -> int | None:
        for place in range(len(self.deeds) - 1, -1, -1):
            deed = self.deeds[place]
            if deed.kind == kind and deed.seat == seat:
                return place
        return None


def log_event(log: DeedLog, view: ConquestView, event: Event) -> None:
    """Log an event as a deed of its own, or as a part of the deed to which it belongs."""
    match event:
        case Sailed() | Transited():
            log.sail(event)
        case CanoesOpened(seat=seat, spots=spots):
            log.extend("sail", seat, spots)

        case ExplorerLaunched(seat=seat, spot=spot):
            log.deeds.append(Deed("voyage", seat, way=(spot,), signs=(EXPLORER,)))
        case MarkerDrawn() | HexCrossed() | OffCourseSet() | KumaraSailed() | GalapagosFound():
            log.enter_hex(event.seat, event.spot)
        case ExplorerReturned() | ExplorerLost() | KumaraTaken():
            log.extend("voyage", event.seat, signs=(EXPLORER,))
        case SeasCharted(seat=seat, spots=spots):
            # The seas lie on the way of the voyage, if its way is known.
            ways = [deed.way for deed in log.deeds if deed.kind == "voyage" and deed.seat == seat]
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
            attackers = [deed.seat for deed in log.deeds if deed.kind == "battle"]
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
