"""What a seat may do at any time: turn up its discoveries and cards, drop Rumors, and set standing orders.

An offer is committed at once, also between two answers of others; so every step reads the position anew when it asks.
"""

from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from engine.conquest.board import CARD_KEYS, in_order
from engine.conquest.cards import show_card
from engine.conquest.discoveries import markers_out, reveal_tile
from engine.conquest.events import OrdersSet, RumorDropped, SeatReady
from engine.conquest.fleets import with_movement
from engine.conquest.hex_options import hex_options
from engine.conquest.pieces import Fleet, one
from engine.conquest.steps import SECRET_STEPS
from engine.conquest.steps.after_loss import CheckEmpires
from engine.conquest.steps.explore import redirected
from engine.conquest.steps.victory import CountAgain, fell, villages_of_others
from engine.core.decision import Answer, Decision, Option, Seat
from engine.core.event import Tell
from engine.core.steps import push

if TYPE_CHECKING:
    from engine.conquest.state import State

LOSSES: Final = ("thrift", "bands", "canoes", "ask")
ORDERS: Final = ("askme", "each", "hurt", "all", "shown", "none")
REACTING: Final = ("tapu", "forest")
"""Cards that are shown by their use alone."""


def offers(state: "State") -> tuple[Decision, ...]:
    """Everybody's offers."""
    if state.over:
        return ()
    found: list[Decision] = []
    for seat in state.seats:
        found += _offers_to(state, seat)
    return tuple(found)


def _offers_to(state: "State", seat: Seat) -> list[Decision]:
    nation = state.nations[seat]
    found: list[Decision] = []

    def offer(kind: str, options: tuple[Option, ...]) -> None:
        if options:
            found.append(Decision(seat, kind, options, blocking=False))

    # Whose list is in may take it up again while another's is not.
    is_in = [build.ready for build in state.builds]
    if state.turn and is_in and is_in[seat] and not all(is_in):
        offer("reopen_build", (Option("reopen"),))
    offer("flip_tile", hex_options(markers_out(state, seat)))
    revealable = sorted((key for key in nation.hidden if key not in REACTING), key=CARD_KEYS.index)
    offer("reveal_card", tuple(Option(key) for key in revealable))
    offer("drop_rumor", hex_options(_rumor_spots(state, seat)))
    # While several answer in secret a Deforestation waits: it would change what they are answering to.
    if "forest" in nation.hidden and not isinstance(state.agenda[-1], SECRET_STEPS):
        offer("fell_forest", hex_options(villages_of_others(state, seat)))
    # Standing orders are secret: only their seat ever knows them.
    for kind, keys, sort, now in (
        ("set_loss_order", LOSSES, "losses", nation.losses),
        ("set_card_order", ORDERS, "cards", nation.orders),
    ):
        options = tuple(Option(key) for key in keys if key != now)
        found.append(Decision(seat, kind, options, facts=(("now", f"{sort}-{now}"),), blocking=False, secret=True))
    return found


def _rumor_spots(state: "State", seat: Seat) -> tuple[str, ...]:
    """Hexes with a Rumor, under way or not, that is not the last piece of a conquered printed group."""
    spots = {
        stack.spot
        for stack in state.stacks_of(seat)
        if stack.kinds.r and (stack.kinds.total > 1 or not state.must_be_held(stack.spot))
    }
    fleets = [fleet for fleet in _fleets(state, seat) if fleet.kinds.r]
    spots |= {fleet.at for fleet in fleets if not state.must_be_held(fleet.at)}
    return in_order(spots)


def _fleets(state: "State", seat: Seat) -> tuple[Fleet, ...]:
    """The seat's fleets under way."""
    if state.movement is None or state.movement.seat != seat:
        return ()
    return state.movement.fleets


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


def _without_rumor(state: "State", seat: Seat, spot: str) -> "State":
    """A Rumor less in a hex: one that lies there, else one of a fleet."""
    rumor = one("r")
    if state.pieces(seat, spot).r:
        return state.with_pieces(seat, spot, state.pieces(seat, spot).minus(rumor))
    fleets = list(_fleets(state, seat))
    n = next(n for n, fleet in enumerate(fleets) if fleet.at == spot and fleet.kinds.r)
    fleets[n] = replace(fleets[n], kinds=fleets[n].kinds.minus(rumor))
    return with_movement(state, fleets=tuple(fleet for fleet in fleets if fleet.kinds.total))
