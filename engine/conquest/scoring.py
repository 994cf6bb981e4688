"""Victory Points: where they come from, who is in last place, and who has won.

Points are counted in halves, because an atoll is worth half a point, and are never rounded.
"""

from typing import TYPE_CHECKING

from msgspec import Struct

from engine.conquest.board import CARDS, PEOPLE
from engine.conquest.chains import home_chain
from engine.conquest.hexes import controlled_groups, land_at
from engine.conquest.pieces import HandCard
from engine.core.decision import Seat
from engine.core.game import Outcome

if TYPE_CHECKING:
    from engine.conquest.state import State

KUMARA_HALF_POINTS = 4
"""Two points, in halves."""


class PointCount(Struct, frozen=True):
    """A seat's points by origin, in halves."""

    villages: int
    groups: int
    atolls: int
    cards: int
    kumara: int

    @property
    def total(self) -> int:
        """Return the sum of all points."""
        return self.villages + self.groups + self.atolls + self.cards + self.kumara


def count_points(state: "State", seat: int, with_hidden: bool = False) -> PointCount:
    """Return a seat's current points, in halves.

    A Village is worth 1, a Controlled group in the Home's chain 1, an atoll in that chain ½.
    Face-down cards count only `with_hidden`.
    """
    # The Home itself counts as connected only with a face-up canoe of its own.
    chain = home_chain(state, seat)
    nation = state.nations[seat]
    lands = [land_at(state, spot) for spot in chain]
    cards = [card for card in nation.hand if card.up or with_hidden]
    return PointCount(
        villages=2 * sum(group.villages for group in state.groups if group.owner == seat),
        groups=2 * sum(1 for spot in controlled_groups(state, seat) if spot in chain),
        atolls=sum(1 for land in lands if land is not None and land.atoll),
        cards=2 * sum(card_points(state, seat, card) for card in cards),
        kumara=KUMARA_HALF_POINTS if nation.kumara else 0,
    )


def card_points(state: "State", seat: int, card: HandCard) -> int:
    """Return a card's points: one more with a Village on a tile that it names."""
    data = CARDS[card.key]
    if not data.bonus:
        return data.vp
    lands = (land_at(state, spot) for spot in controlled_groups(state, seat))
    return data.vp + any(land is not None and land.key in data.bonus for land in lands)


def count_all_points(state: "State", with_hidden: bool = False) -> tuple[int, ...]:
    """Return everybody's points, in halves."""
    return tuple(count_points(state, seat, with_hidden).total for seat in range(len(state.nations)))


def find_last_place(state: "State") -> Seat:
    """Return the seat with the fewest points on the track; ties go by the order of `PEOPLE`."""

    def rank(seat: Seat) -> tuple[int, int]:
        nation = state.nations[seat]
        return nation.points, PEOPLE.index(nation.people)

    return min(state.seats, key=rank)


def outcome(state: "State") -> Outcome | None:
    """Return the final ranking, or None while the match goes on.

    "Ties are won by the player with the most controlled island groups. If a tie still exists,
    then the tied player with the most Arts & Culture Cards wins." Eliminated seats come last.
    """
    if not state.over:
        return None
    seats = [Seat(seat) for seat in range(len(state.nations))]
    points = count_all_points(state, with_hidden=True)
    results = []
    tiebreak = []
    for seat in seats:
        nation = state.nations[seat]
        groups = len(controlled_groups(state, seat))
        cards = len(nation.hand)
        results.append((not nation.out, points[seat], groups, cards))
        tiebreak.append((("groups", groups), ("cards", cards)))
    # Seats that are still tied share a rank.
    shared: dict[tuple[bool, int, int, int], tuple[Seat, ...]] = {}
    for seat in seats:
        shared[results[seat]] = (*shared.get(results[seat], ()), seat)
    ranking = tuple(shared[result] for result in sorted(shared, reverse=True))
    scores = tuple(total / 2 for total in points)
    return Outcome(state.over, ranking, scores, tuple(tiebreak))
