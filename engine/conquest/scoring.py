"""Victory Points: where they come from, who is last, who has won. Counted in halves."""

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
    """The seat's points as they stand: a Village 1, a Controlled group in the Home chain 1, an atoll in it ½."""
    chain = home_chain(state, seat)
    nation = state.nations[seat]
    lands = [land_at(state, spot) for spot in chain]
    return Count(
        villages=2 * sum(group.villages for group in state.groups if group.owner == seat),
        groups=2 * sum(1 for spot in controlled(state, seat) if spot in chain),
        atolls=sum(1 for land in lands if land is not None and land.atoll),
        cards=2 * sum(worth(state, seat, card) for card in nation.hand if card.up or with_hidden),
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
    """Who takes the Turn Order Marker: fewest points on the track, then Tonga, Raiatea, Hiva, Samoa."""

    def place(seat: Seat) -> tuple[int, int]:
        nation = state.nations[seat]
        return nation.points, PEOPLE.index(nation.people)

    return min(state.seats, key=place)


def outcome(state: "State") -> Outcome | None:
    """Places by points, then Controlled groups, then cards; whoever is out comes last."""
    if not state.over:
        return None
    seats = [Seat(seat) for seat in range(len(state.nations))]
    results = {seat: _result(state, seat) for seat in seats}
    places = sorted(set(results.values()), reverse=True)
    ranking = tuple(tuple(seat for seat in seats if results[seat] == place) for place in places)
    scores = tuple(total / 2 for total in totals(state, with_hidden=True))
    tiebreak = tuple((("groups", results[seat][2]), ("cards", results[seat][3])) for seat in seats)
    return Outcome(state.over, ranking, scores, tiebreak)


def _result(state: "State", seat: Seat) -> tuple[bool, int, int, int]:
    nation = state.nations[seat]
    return not nation.out, count(state, seat, True).total, len(controlled(state, seat)), len(nation.hand)
