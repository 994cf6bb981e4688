"""What was told since the last post, as deeds that a picture marks: numbered, the newest
brightest.
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
from engine.conquest.board import AMERICA, HEX_AT
from engine.conquest.events import (
    Built,
    CardDrawn,
    CardRevealed,
    CardsRevealed,
    ColoniesSettled,
    Ended,
    HomeLost,
    HomeNamed,
    HomePicked,
    HomesSettled,
    MalariaStruck,
    PointSaved,
    PointsCounted,
    Recounted,
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
from render.news import Mark, marks

CARDS: Final = "cards"
"""The sign of a deed that shows in a panel, as the next; points show on the track too."""
EXPLORER: Final = "explorer"
POINTS: Final = "points"
SAVED: Final = "saved"


class Deed(Struct, frozen=True):
    """Something that happened, as one thing: a leg sailed, a voyage, what a seat built, a
    Battle.
    """

    sort: str
    """'sail', 'voyage', 'build', 'battle' or 'other'."""
    seat: int
    way: tuple[str, ...] = ()
    """The hexes of a way, from the first to the last."""
    spots: tuple[str, ...] = ()
    """Hexes that changed besides."""
    signs: tuple[str, ...] = ()
    """What changed beside the map."""
    count: int = 0
    """How many pieces sailed."""

    @property
    def rings(self) -> tuple[str, ...]:
        """The hexes to ring: the end of the way, and what changed besides."""
        return tuple(dict.fromkeys((*self.way[-1:], *self.spots)))


class News(Struct, frozen=True):
    """The deeds in order; the last is the newest."""

    deeds: tuple[Deed, ...] = ()
    battles: tuple[BattleWon, ...] = ()
    """How Battles went that are over."""

    @property
    def spots(self) -> tuple[str, ...]:
        """Every hex that a deed marks, those of the newest first."""
        found = [spot for deed in reversed(self.deeds) for spot in (*deed.way, *deed.spots)]
        return tuple(dict.fromkeys(spot for spot in found if spot in HEX_AT or spot == AMERICA))

    def numbered(self) -> Iterator[tuple[int, Deed]]:
        """The deeds with their numbers."""
        return enumerate(self.deeds, 1)

    def mark(self, number: int) -> Mark:
        """How the deed of that number is marked."""
        return marks(len(self.deeds))[number - 1]

    def battle_at(self, spot: str) -> int:
        """The number of the newest Battle in a hex; 0 if there is none."""
        found = [
            number
            for number, deed in self.numbered()
            if deed.sort == "battle" and deed.spots[:1] == (spot,)
        ]
        return found[-1] if found else 0

    def number_of(self, sign: str, seat: int) -> int:
        """The newest deed of a seat, or of nobody, that shows by a sign beside the map; 0 if
        there is none.
        """
        found = [
            number for number, deed in self.numbered() if sign in deed.signs and seat == deed.seat
        ]
        return found[-1] if found else 0


def news_of(view: ConquestView, events: Sequence[Event]) -> News:
    """The deeds among what was told; where nothing was, what the view knows of the last moves."""
    deeds: list[Deed] = []
    for event in events:
        _add(deeds, view, event)
    if not deeds and not events:
        deeds = [
            Deed("sail", arrow.seat, way=arrow.way, count=arrow.count) for arrow in view.arrows
        ]
        last = tuple(spot for spot in view.last if not any(spot == deed.way[-1] for deed in deeds))
        if last:
            deeds.append(Deed("other", view.active, spots=last))
    shown = tuple(deed for deed in deeds if deed.way or deed.spots or deed.signs)
    return News(shown, tuple(event for event in events if isinstance(event, BattleWon)))


def _add(deeds: list[Deed], view: ConquestView, event: Event) -> None:
    """Tell one more event: as a deed of its own, or as a part of the one that it belongs to."""
    match event:
        case Sailed() | Transited():
            _sail(deeds, event)
        case ExplorerLaunched(seat=seat, spot=spot):
            deeds.append(Deed("voyage", seat, way=(spot,), signs=(EXPLORER,)))
        case MarkerDrawn() | HexCrossed() | OffCourseSet() | KumaraSailed() | GalapagosFound():
            _voyage(deeds, event.seat, event.spot)
        case ExplorerReturned() | ExplorerLost() | KumaraTaken():
            _join(deeds, "voyage", event.seat, signs=(EXPLORER,))
        case SeasCharted(seat=seat, spots=spots):
            # Of a voyage that is told from its beginning they lie on its way.
            is_told = any(
                deed.sort == "voyage" and deed.seat == seat and deed.way for deed in deeds
            )
            _join(deeds, "voyage", seat, spots=() if is_told else spots)
        case TileFound() | TileHidden() | TileSeen():
            _join(deeds, "voyage", event.seat, spots=(event.spot,))
        case TileRevealed(seat=seat, spot=spot):
            _join(deeds, "voyage", seat, spots=(spot,))
        case CanoesOpened(seat=seat, spots=spots):
            _join(deeds, "sail", seat, spots=spots)
        case Built():
            changed = [
                *(spot for spot, _ in event.pieces),
                *event.opened,
                *event.villages,
                *event.improved,
            ]
            _join(deeds, "build", event.seat, spots=tuple(changed))
        case ColoniesSettled(seat=seat, spots=spots):
            _join(deeds, "build", seat, spots=spots)
        case CardDrawn(seat=seat) | PointSaved(seat=seat):
            _join(deeds, "build", seat, signs=(CARDS if isinstance(event, CardDrawn) else SAVED,))
        case BattlePicked(seat=seat, spot=spot) | BattleJoined(attacker=seat, spot=spot):
            _fight(deeds, seat, spot)
        case BattleWon(seats=(seat, _), spot=spot) | TapuPlayed(attacker=seat, spot=spot):
            _fight(deeds, seat, spot)
        case Retreated() | VillagesSaved() | GroupTaken():
            # What comes of a Battle belongs to it, whoever does it and wherever.
            attacker = next(
                (deed.seat for deed in reversed(deeds) if deed.sort == "battle"), event.seat
            )
            _join(deeds, "battle", attacker, spots=(event.spot,) if event.spot else ())
        case StartPlaced(seat=seat) | HomePicked(seat=seat):
            _join(deeds, "build", seat, spots=(view.nations[seat].home,))
        case HomesSettled():
            homes = tuple(nation.home for nation in view.nations)
            deeds.append(Deed("other", NOBODY, spots=homes))
        case (
            MalariaStruck()
            | VillageFelled()
            | SouthIslandPlaced()
            | RumorDropped()
            | HomeLost()
            | HomeNamed()
        ):
            deeds.append(
                Deed(
                    "other",
                    getattr(event, "seat", NOBODY),
                    spots=(event.spot,) if event.spot else (),
                )
            )
        case CardRevealed(seat=seat) | CardsRevealed(seat=seat):
            deeds.append(Deed("other", seat, signs=(CARDS,)))
        case VictoryDeclared(seat=seat) | SeatOut(seat=seat):
            deeds.append(Deed("other", seat, signs=(POINTS,)))
        case PointsCounted() | Recounted() | Ended():
            deeds.append(Deed("other", NOBODY, signs=(POINTS,)))
        case ExplorerRecovered(seat=seat):
            deeds.append(Deed("other", seat, signs=(EXPLORER,)))


def _sail(deeds: list[Deed], event: Sailed | Transited) -> None:
    """A leg; one that goes on where the same pieces have just come to makes that one longer."""
    if deeds:
        last = deeds[-1]
        is_same = (
            last.sort == "sail"
            and (last.seat, last.count) == (event.seat, event.count)
            and not last.spots
        )
        if is_same and last.way[-1] == event.way[0]:
            deeds[-1] = replace(last, way=(*last.way, *event.way[1:]))
            return
    deeds.append(Deed("sail", event.seat, way=event.way, count=event.count))


def _voyage(deeds: list[Deed], seat: int, spot: str) -> None:
    """An Explorer enters a hex, or something happens in the hex it has entered."""
    _join(deeds, "voyage", seat)
    for place in range(len(deeds) - 1, -1, -1):
        deed = deeds[place]
        if deed.sort == "voyage" and deed.seat == seat:
            if deed.way[-1:] != (spot,):
                deeds[place] = replace(deed, way=(*deed.way, spot))
            return


def _fight(deeds: list[Deed], attacker: int, spot: str) -> None:
    """A Battle, which is known by its hex: one is over before the next begins."""
    is_told = any(deed.sort == "battle" and deed.spots[:1] == (spot,) for deed in deeds)
    if not is_told:
        deeds.append(Deed("battle", attacker, spots=(spot,)))


def _join(
    deeds: list[Deed],
    sort: str,
    seat: int,
    spots: tuple[str, ...] = (),
    signs: tuple[str, ...] = (),
) -> None:
    """Add to the seat's newest deed of that sort; if there is none, begin one."""
    for place in range(len(deeds) - 1, -1, -1):
        deed = deeds[place]
        if deed.sort == sort and deed.seat == seat:
            deeds[place] = replace(
                deed,
                spots=tuple(dict.fromkeys((*deed.spots, *spots))),
                signs=tuple(dict.fromkeys((*deed.signs, *signs))),
            )
            return
    deeds.append(Deed(sort, seat, spots=spots, signs=signs))
