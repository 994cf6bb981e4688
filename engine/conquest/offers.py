"""Offers: turn up discoveries and cards, remove Rumors, and set standing orders at any time.

An offer is committed at once, even between two answers of others, so every step reads the position
again when it asks.
"""

from typing import TYPE_CHECKING, Final

from msgspec import Struct
from msgspec.structs import replace

from engine.conquest.board import in_order
from engine.conquest.cards import card_refusal, revealable_cards, show_card
from engine.conquest.discoveries import marked_hexes, reveal_tile
from engine.conquest.events import OrdersSet, RumorDropped, SeatReady
from engine.conquest.fleets import with_movement
from engine.conquest.hex_options import hex_options
from engine.conquest.hexes import face_down_tile_at, is_known
from engine.conquest.pieces import Fleet, pieces_of_kind
from engine.conquest.refusals import Refusal, hex_refusal, is_hex
from engine.conquest.steps import SECRET_STEPS
from engine.conquest.steps.after_loss import CheckEmpires
from engine.conquest.steps.explore import recheck_course
from engine.conquest.steps.victory import (
    CountAgain,
    deforestation_refusal,
    deforestation_targets,
    play_deforestation,
)
from engine.core.decision import Answer, Decision, Option, Seat
from engine.core.event import Tell
from engine.core.steps import push

if TYPE_CHECKING:
    from engine.conquest.state import State

ASK_EVERYTHING_ORDERS: Final = {
    "course": "askme",
    "first": "askme",
    "sure": "each",
    "finds": "askme",
    "victory": "askme",
}
"""The standing orders of a seat that wants to be asked everything; Battle orders are separate."""


class StandingOrder(Struct, frozen=True):
    """A question that a seat can answer once and for all."""

    field: str
    """The field of Nation that keeps it."""
    text_prefix: str
    """The beginning of the keys of its texts."""
    keys: tuple[str, ...]
    """The orders that may be given."""


STANDING_ORDERS: Final = {
    "set_loss_order": StandingOrder("losses", "losses", ("thrift", "bands", "canoes", "ask")),
    "set_card_order": StandingOrder(
        "orders", "cards", ("askme", "each", "hurt", "all", "shown", "none")
    ),
    "set_course_order": StandingOrder("course", "course", ("askme", "far", "near", "lot")),
    "set_first_order": StandingOrder("first", "first", ("askme", "me", "me-cw", "me-ccw")),
    "set_voyage_order": StandingOrder("sure", "voyage", ("each", "launch", "never")),
    "set_find_order": StandingOrder("finds", "finds", ("askme", "hide", "show")),
    "set_victory_order": StandingOrder("victory", "declares", ("askme", "declare")),
}
"""The standing orders, by the offer that sets each."""


def list_offers(state: "State") -> tuple[Decision, ...]:
    """Return the offers to every seat."""
    if state.over:
        return ()
    found: list[Decision] = []
    for seat in state.seats:
        found += _offers_for(state, seat)
    return tuple(found)


def _offers_for(state: "State", seat: Seat) -> list[Decision]:
    """Return the offers to one seat."""
    nation = state.nations[seat]
    found: list[Decision] = []

    def offer(kind: str, options: tuple[Option, ...]) -> None:
        if options:
            found.append(Decision(seat, kind, options, blocking=False))

    # A sealed list may be reopened as long as another one is still open. In the set-up, `builds`
    # are the choices of start pieces, which stay.
    is_sealed = [build.ready for build in state.builds]
    if state.turn and is_sealed and is_sealed[seat] and not all(is_sealed):
        offer("reopen_build", (Option("reopen"),))
    offer("flip_tile", hex_options(marked_hexes(state, seat)))
    offer("reveal_card", tuple(Option(key) for key in revealable_cards(state, seat)))
    offer("drop_rumor", hex_options(_droppable_rumors(state, seat)))
    # Deforestation has to wait while several seats answer in secret: it would change what they are
    # answering.
    if "forest" in nation.hidden and not isinstance(state.agenda[-1], SECRET_STEPS):
        offer("fell_forest", hex_options(deforestation_targets(state, seat)))

    # Standing orders are secret: only their seat ever knows them.
    def offer_order(kind: str, prefix: str, now: str, keys: tuple[str, ...]) -> None:
        options = tuple(Option(key) for key in keys if key != now)
        about = (("now", f"{prefix}-{now}"),)
        found.append(Decision(seat, kind, options, facts=about, blocking=False, secret=True))

    pace = "swift" if _is_swift(state, seat) else "own"
    offer_order("set_all_orders", "pace", pace, ("swift", "ask"))
    # With two players, the direction of play makes no difference.
    needless = ("me-cw", "me-ccw") if len(state.seats) == 2 else ("me",)
    for kind, order in STANDING_ORDERS.items():
        keys = tuple(key for key in order.keys if key not in needless)
        offer_order(kind, order.text_prefix, getattr(nation, order.field), keys)
    return found


def _swift_orders(state: "State") -> dict[str, str]:
    """Return the standing orders of a seat that wants as few questions as possible."""
    first = "me" if len(state.seats) == 2 else "me-cw"
    return {"course": "far", "first": first, "sure": "never", "finds": "hide", "victory": "declare"}


def _is_swift(state: "State", seat: Seat) -> bool:
    """Return whether the seat has exactly those orders."""
    nation = state.nations[seat]
    return all(getattr(nation, field) == order for field, order in _swift_orders(state).items())


def rumor_refusal(state: "State", seat: Seat, spot: str) -> Refusal:
    """Return why a seat cannot remove a Rumor from a hex.

    The last piece of a conquered printed group must stay, even if it is a Rumor.
    """
    kinds = state.pieces(seat, spot)
    is_held = state.must_be_held(spot)
    if kinds.r and not (is_held and kinds.total == 1):
        return None
    if any(fleet.at == spot and fleet.kinds.r for fleet in _own_fleets(state, seat)):
        return hex_refusal("rumor_may_have_to_stay", spot) if is_held else None
    return hex_refusal("rumor_must_stay" if kinds.r else "no_rumor", spot)


def _droppable_rumors(state: "State", seat: Seat) -> tuple[str, ...]:
    """Return the hexes with a Rumor that may be removed, in a stack or in a fleet."""
    spots = {stack.spot for stack in state.stacks_of(seat) if stack.kinds.r}
    spots |= {fleet.at for fleet in _own_fleets(state, seat) if fleet.kinds.r}
    return in_order(spot for spot in spots if not rumor_refusal(state, seat, spot))


def _own_fleets(state: "State", seat: Seat) -> tuple[Fleet, ...]:
    """Return the seat's fleets under way."""
    if state.movement is None or state.movement.seat != seat:
        return ()
    return state.movement.fleets


def offer_refusal(state: "State", decision: Decision, key: str) -> Refusal:
    """Return why a seat cannot take an offer with this key."""
    seat = decision.seat
    match decision.kind:
        case "reveal_card":
            return card_refusal(state, seat, key)
        case "flip_tile" if is_hex(key):
            return _flip_refusal(state, seat, key)
        case "drop_rumor" if is_hex(key):
            return rumor_refusal(state, seat, key)
        case "fell_forest" if is_hex(key):
            return deforestation_refusal(state, seat, key)
    if decision.kind not in STANDING_ORDERS and decision.kind != "set_all_orders":
        return None
    _, _, now = str(dict(decision.facts)["now"]).partition("-")
    if key == now:
        return "order_stands", {}
    if decision.kind == "set_first_order" and key in STANDING_ORDERS[decision.kind].keys:
        # With two players the direction makes no difference; with more it has to be given.
        return ("say_which_way" if key == "me" else "one_way_round"), {}
    is_other_order = key == "swift" or any(key in order.keys for order in STANDING_ORDERS.values())
    return ("order_of_another_kind", {}) if is_other_order else None


def _flip_refusal(state: "State", seat: Seat, spot: str) -> Refusal:
    """Return why a seat cannot turn up a tile: it must have a face-down one discovered there."""
    tile = face_down_tile_at(state, spot)
    if tile is None:
        return hex_refusal("tile_is_up" if is_known(state, spot) else "no_tile_of_yours", spot)
    return hex_refusal("tile_is_asked" if seat in tile.seen else "tile_not_seen", spot)


def take_offer(state: "State", answer: Answer, tell: Tell) -> "State":
    """Return the state after an offer is taken."""
    seat, key = answer.seat, answer.keys[0]
    match answer.kind:
        case "reopen_build":
            tell(SeatReady(seat, False))
            return state.with_build(seat, ready=False, asked="", settled=(), again="")
        case "flip_tile":
            return recheck_course(reveal_tile(state, key, seat, tell), tell)
        case "reveal_card":
            return show_card(state, seat, key, tell)
        case "drop_rumor":
            tell(RumorDropped(seat, key))
            return _drop_rumor(state, seat, key)
        case "fell_forest":
            return push(play_deforestation(state, seat, key, tell), CheckEmpires(), CountAgain())
    if answer.kind == "set_all_orders":
        tell(OrdersSet(seat, "pace", key))
        return state.with_nation(
            seat, **(_swift_orders(state) if key == "swift" else ASK_EVERYTHING_ORDERS)
        )
    order = STANDING_ORDERS[answer.kind]
    tell(OrdersSet(seat, order.text_prefix, key))
    return state.with_nation(seat, **{order.field: key})


def _drop_rumor(state: "State", seat: Seat, spot: str) -> "State":
    """Remove a Rumor from the stack in a hex, or else from a fleet there."""
    rumor = pieces_of_kind("r")
    if state.pieces(seat, spot).r:
        return state.with_pieces(seat, spot, state.pieces(seat, spot).minus(rumor))
    fleets = list(_own_fleets(state, seat))
    n = next(n for n, fleet in enumerate(fleets) if fleet.at == spot and fleet.kinds.r)
    fleets[n] = replace(fleets[n], kinds=fleets[n].kinds.minus(rumor))
    return with_movement(state, fleets=tuple(fleet for fleet in fleets if fleet.kinds.total))
