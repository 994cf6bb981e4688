"""Victory Points: where they come from, who is last, who has won.

They are counted in halves, for an atoll is worth half a point, and are never rounded.
"""

from typing import TYPE_CHECKING

from msgspec import Struct

from engine.conquest.board import CARDS, PEOPLE
from engine.conquest.chains import home_chain
from engine.conquest.hexes import controlled, land_at
from engine.conquest.pieces import HandCard
from engine.core.decision import Seat
from engine.core.game import Outcome

if TYPE_CHECKING:
    from engine.conquest.state import State

KUMARA = 4
"""Two points, in halves."""


class Count(Struct, frozen=True):
    """A seat's points by origin, in halves."""

    villages: int
    groups: int
    atolls: int
    cards: int
    kumara: int

    @property
    def total(self) -> int:
        """All of them."""
        return self.villages + self.groups + self.atolls + self.cards + self.kumara


def count(state: "State", seat: int, with_hidden: bool = False) -> Count:
    """The seat's points as they stand: a Village 1, a Controlled group in the Home chain 1, an
    atoll in it ½.

    Face-down cards count only `with_hidden`. The Home itself is in the chain only with an open
    canoe of its own.
    """
    chain = home_chain(state, seat)
    nation = state.nations[seat]
    lands = [land_at(state, spot) for spot in chain]
    cards = [card for card in nation.hand if card.up or with_hidden]
    return Count(
        villages=2 * sum(group.villages for group in state.groups if group.owner == seat),
        groups=2 * sum(1 for spot in controlled(state, seat) if spot in chain),
        atolls=sum(1 for land in lands if land is not None and land.atoll),
        cards=2 * sum(worth(state, seat, card) for card in cards),
        kumara=KUMARA if nation.kumara else 0,
    )


def worth(state: "State", seat: int, card: HandCard) -> int:
    """A card's points; one more with a Village on the tile it names."""
    data = CARDS[card.key]
    if not data.bonus:
        return data.vp
    lands = (land_at(state, spot) for spot in controlled(state, seat))
    return data.vp + any(land is not None and land.key in data.bonus for land in lands)


def totals(state: "State", with_hidden: bool = False) -> tuple[int, ...]:
    """Everybody's points in halves."""
    return tuple(count(state, seat, with_hidden).total for seat in range(len(state.nations)))


def last_place(state: "State") -> Seat:
    """Who takes the Turn Order Marker: fewest points on the track, then Tonga, Raiatea, Hiva,
    Samoa.
    """

    def place(seat: Seat) -> tuple[int, int]:
        nation = state.nations[seat]
        return nation.points, PEOPLE.index(nation.people)

    return min(state.seats, key=place)


def outcome(state: "State") -> Outcome | None:
    """Most points win; ties by most Controlled groups, then most cards.

    Seats that are out come last.
    """
    if not state.over:
        return None
    seats = [Seat(seat) for seat in range(len(state.nations))]
    points = totals(state, with_hidden=True)
    results = []
    tiebreak = []
    for seat in seats:
        nation = state.nations[seat]
        groups, cards = len(controlled(state, seat)), len(nation.hand)
        results.append((not nation.out, points[seat], groups, cards))
        tiebreak.append((("groups", groups), ("cards", cards)))
    # A full tie is a shared place.
    shared: dict[tuple[bool, int, int, int], tuple[Seat, ...]] = {}
    for seat in seats:
        shared[results[seat]] = (*shared.get(results[seat], ()), seat)
    ranking = tuple(shared[result] for result in sorted(shared, reverse=True))
    scores = tuple(total / 2 for total in points)
    return Outcome(state.over, ranking, scores, tuple(tiebreak))
