"""What a seat may do at any time: turn up its discoveries and cards, drop Rumors, and set standing orders."""

from functools import cache, lru_cache
from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from engine.conquest.events import OrdersSet, RumorDropped, SeatReady
from engine.conquest.kept import kept_by_key
from engine.conquest.pieces import Fleet, one
from engine.conquest.realm import reveal_tile, show_card
from engine.conquest.sailing import with_movement
from engine.conquest.steps import SECRET_STEPS
from engine.conquest.steps.choice import hexes
from engine.conquest.steps.empire import CheckEmpires
from engine.conquest.steps.explore import redirected
from engine.conquest.steps.victory import CountAgain, fell, villages_of_others
from engine.conquest.waters import markers_out
from engine.core.decision import Answer, Decision, Option, Seat
from engine.core.event import Tell
from engine.core.steps import push

if TYPE_CHECKING:
    from engine.conquest.state import State

LOSSES: Final = ("thrift", "bands", "canoes", "ask")
ORDERS: Final = ("askme", "each", "hurt", "all", "shown", "none")
KINDS: Final = frozenset(
    {"flip_tile", "reveal_card", "drop_rumor", "fell_forest", "set_loss_order", "set_card_order", "reopen_build"}
)

Spots = tuple[str, ...]
Means = tuple[bool, Spots, Spots, Spots, Spots]
"""Whether a list may be reopened, and the tiles, cards, Rumors and Villages of others that an offer could name."""


def offers(state: "State") -> tuple[Decision, ...]:
    """Everybody's offers."""
    if state.over:
        return ()
    return _offers(state, (_reopening(state), not isinstance(state.agenda[-1], SECRET_STEPS), state.rumors))


def _reopening(state: "State") -> tuple[int, ...]:
    """Seats that may go back to their build lists: those that are ready while others are not."""
    if not state.builds or not state.turn:
        return ()
    ready = tuple(seat for seat, build in enumerate(state.builds) if build.ready)
    return ready if len(ready) < len(state.builds) else ()


@kept_by_key("nations", "tiles", "voyage", "groups")
def _offers(state: "State", now: tuple[tuple[int, ...], bool, tuple[Spots, ...]]) -> tuple[Decision, ...]:
    """Everybody's offers, by what changes most: who may reopen a list, whether one may fell, where Rumors are."""
    reopening, may_fell, rumors = now
    found: tuple[Decision, ...] = ()
    for seat in state.seats:
        nation = state.nations[seat]
        villages = villages_of_others(state, seat) if may_fell and "forest" in nation.hidden else ()
        means = (seat in reopening, markers_out(state, seat), nation.revealable, rumors[seat], villages)
        found += _offers_to(seat, means, nation.losses, nation.orders)
    return found


@lru_cache(maxsize=2048)
def _offers_to(seat: Seat, means: Means, losses: str, orders: str) -> tuple[Decision, ...]:
    """A seat's offers, by all that they depend on."""
    reopens, tiles, cards, rumors, villages = means
    return (
        *_simple(seat, "reopen_build", ("reopen",) if reopens else ()),
        *_at_hexes(seat, "flip_tile", tiles),
        *_simple(seat, "reveal_card", cards),
        *_at_hexes(seat, "drop_rumor", rumors),
        *_at_hexes(seat, "fell_forest", villages),
        *_order_offers(seat, losses, orders),
    )


@lru_cache(maxsize=2048)
def _at_hexes(seat: Seat, kind: str, spots: Spots) -> tuple[Decision, ...]:
    return (Decision(seat, kind, hexes(spots), blocking=False),) if spots else ()


@lru_cache(maxsize=2048)
def _simple(seat: Seat, kind: str, keys: tuple[str, ...]) -> tuple[Decision, ...]:
    return (Decision(seat, kind, tuple(Option(key) for key in keys), blocking=False),) if keys else ()


@cache
def _order_offers(seat: Seat, losses: str, orders: str) -> tuple[Decision, Decision]:
    """Standing orders: only their seat ever knows them."""
    other_losses = tuple(Option(key) for key in LOSSES if key != losses)
    other_orders = tuple(Option(key) for key in ORDERS if key != orders)
    now = (("now", f"losses-{losses}"),), (("now", f"cards-{orders}"),)
    return (
        Decision(seat, "set_loss_order", other_losses, facts=now[0], blocking=False, secret=True),
        Decision(seat, "set_card_order", other_orders, facts=now[1], blocking=False, secret=True),
    )


def _fleets(state: "State", seat: Seat) -> tuple[Fleet, ...]:
    return state.movement.fleets if state.movement is not None and state.movement.seat == seat else ()


def _without_rumor(state: "State", seat: Seat, spot: str) -> "State":
    """A Rumor less in a hex: one that lies there, else one of a fleet."""
    rumor = one("r")
    if state.pieces(seat, spot).r:
        return state.with_pieces(seat, spot, state.pieces(seat, spot).minus(rumor))
    fleet = next(fleet for fleet in _fleets(state, seat) if fleet.at == spot and fleet.kinds.r)
    without = replace(fleet, kinds=fleet.kinds.minus(rumor))
    fleets = (without if other is fleet else other for other in _fleets(state, seat))
    return with_movement(state, fleets=tuple(fleet for fleet in fleets if fleet.kinds.total))


def take_offer(state: "State", answer: Answer, tell: Tell) -> "State":
    """The state after an offer was taken."""
    seat, key = answer.seat, answer.keys[0]
    match answer.kind:
        case "reopen_build":
            tell(SeatReady(seat, False))
            return state.with_build(seat, ready=False, asked="", settled=(), again="")
        case "flip_tile":
            return redirected(reveal_tile(state, key, seat, tell), tell)
        case "reveal_card":
            return show_card(state, seat, key, tell)
        case "drop_rumor":
            tell(RumorDropped(seat, key))
            return _without_rumor(state, seat, key)
        case "fell_forest":
            return push(fell(state, seat, key, tell), CheckEmpires(), CountAgain())
        case "set_loss_order":
            tell(OrdersSet(seat, "losses", key))
            return state.with_nation(seat, losses=key)
    tell(OrdersSet(seat, "cards", key))
    return state.with_nation(seat, orders=key)


__all__ = ["KINDS", "LOSSES", "ORDERS", "offers", "take_offer"]
