"""What a seat may do at any time: turn up its discoveries and cards, drop Rumors, and set standing
orders.

An offer is committed at once, also between two answers of others; so every step reads the position
anew when it asks.
"""

from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from engine.conquest.board import in_order
from engine.conquest.cards import card_objection, revealable, show_card
from engine.conquest.discoveries import markers_out, reveal_tile
from engine.conquest.events import OrdersSet, RumorDropped, SeatReady
from engine.conquest.fleets import with_movement
from engine.conquest.hex_options import hex_options
from engine.conquest.hexes import hidden_at, is_known
from engine.conquest.pieces import Fleet, one
from engine.conquest.reasons import Objection, about_hex, is_hex
from engine.conquest.steps import SECRET_STEPS
from engine.conquest.steps.after_loss import CheckEmpires
from engine.conquest.steps.explore import redirected
from engine.conquest.steps.victory import CountAgain, fell, felling_objection, villages_of_others
from engine.core.decision import Answer, Decision, Option, Seat
from engine.core.event import Tell
from engine.core.steps import push

if TYPE_CHECKING:
    from engine.conquest.state import State

ASKING: Final = {
    "course": "askme",
    "first": "askme",
    "sure": "each",
    "finds": "askme",
    "victory": "askme",
}
"""The orders of somebody who wants to be asked everything, but for Battles."""
LOSSES: Final = ("thrift", "bands", "canoes", "ask")
ORDERS: Final = ("askme", "each", "hurt", "all", "shown", "none")
COURSES: Final = ("askme", "far", "near", "lot")
SURE: Final = ("each", "launch", "never")
FINDS: Final = ("askme", "hide", "show")
DECLARES: Final = ("askme", "declare")
FIRST: Final = ("askme", "me", "me-cw", "me-ccw")
ALL_ORDERS: Final = {*LOSSES, *ORDERS, *COURSES, *SURE, *FINDS, *DECLARES, *FIRST, "swift"}
STANDING: Final = {
    "set_loss_order": ("losses", "losses"),
    "set_card_order": ("orders", "cards"),
    "set_course_order": ("course", "course"),
    "set_first_order": ("first", "first"),
    "set_voyage_order": ("sure", "voyage"),
    "set_find_order": ("finds", "finds"),
    "set_victory_order": ("victory", "declares"),
}
"""The standing orders, by their offers: the field of the Nation that keeps each, and what its
words begin with.
"""


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
    offer("reveal_card", tuple(Option(key) for key in revealable(state, seat)))
    offer("drop_rumor", hex_options(_rumor_spots(state, seat)))
    # While several answer in secret a Deforestation waits: it would change what they are answering
    # to.
    if "forest" in nation.hidden and not isinstance(state.agenda[-1], SECRET_STEPS):
        offer("fell_forest", hex_options(villages_of_others(state, seat)))
    # Standing orders are secret: only their seat ever knows them.
    now = "swift" if _is_swift(state, seat) else "own"
    options = tuple(Option(key) for key in ("swift", "ask") if key != now)
    about = (("now", f"pace-{now}"),)
    found.append(
        Decision(seat, "set_all_orders", options, facts=about, blocking=False, secret=True)
    )
    firsts = ("askme", "me") if len(state.seats) == 2 else ("askme", "me-cw", "me-ccw")
    choices = (LOSSES, ORDERS, COURSES, firsts, SURE, FINDS, DECLARES)
    for (kind, (field, sort)), keys in zip(STANDING.items(), choices, strict=True):
        now = getattr(nation, field)
        options = tuple(Option(key) for key in keys if key != now)
        found.append(
            Decision(
                seat, kind, options, facts=(("now", f"{sort}-{now}"),), blocking=False, secret=True
            )
        )
    return found


def _swift(state: "State") -> dict[str, str]:
    """The orders of somebody who wants to be asked as little as may be, but for Battles."""
    first = "me" if len(state.seats) == 2 else "me-cw"
    return {"course": "far", "first": first, "sure": "never", "finds": "hide", "victory": "declare"}


def _is_swift(state: "State", seat: Seat) -> bool:
    """Whether those are the seat's orders."""
    return all(
        getattr(state.nations[seat], field) == order for field, order in _swift(state).items()
    )


def rumor_objection(state: "State", seat: Seat, spot: str) -> Objection:
    """Return why a seat cannot drop a Rumor in a hex: the last piece of a conquered printed
    group stays.
    """
    kinds, is_held = state.pieces(seat, spot), state.must_be_held(spot)
    if kinds.r and not (is_held and kinds.total == 1):
        return None
    if any(fleet.at == spot and fleet.kinds.r for fleet in _fleets(state, seat)):
        return about_hex("rumor_may_have_to_stay", spot) if is_held else None
    return about_hex("rumor_must_stay" if kinds.r else "no_rumor", spot)


def _rumor_spots(state: "State", seat: Seat) -> tuple[str, ...]:
    """Hexes with a Rumor, under way or not, that may be dropped."""
    spots = {stack.spot for stack in state.stacks_of(seat) if stack.kinds.r}
    spots |= {fleet.at for fleet in _fleets(state, seat) if fleet.kinds.r}
    return in_order(spot for spot in spots if not rumor_objection(state, seat, spot))


def _fleets(state: "State", seat: Seat) -> tuple[Fleet, ...]:
    """The seat's fleets under way."""
    if state.movement is None or state.movement.seat != seat:
        return ()
    return state.movement.fleets


def offer_objection(state: "State", decision: Decision, key: str) -> Objection:
    """Return why a seat cannot take an offer so."""
    seat = decision.seat
    match decision.kind:
        case "reveal_card":
            return card_objection(state, seat, key)
        case "flip_tile" if is_hex(key):
            return _flip_objection(state, seat, key)
        case "drop_rumor" if is_hex(key):
            return rumor_objection(state, seat, key)
        case "fell_forest" if is_hex(key):
            return felling_objection(state, seat, key)
    if decision.kind not in STANDING and decision.kind != "set_all_orders":
        return None
    _, _, now = str(dict(decision.facts)["now"]).partition("-")
    if key == now:
        return "order_stands", {}
    if decision.kind == "set_first_order" and key in FIRST:
        # With two players there is one way round, with more a way has to be said.
        return ("say_which_way" if key == "me" else "one_way_round"), {}
    return ("order_of_another_kind", {}) if key in ALL_ORDERS else None


def _flip_objection(state: "State", seat: Seat, spot: str) -> Objection:
    """Return why a seat cannot turn up a tile: it must lie face down, with a marker of the
    seat's own.
    """
    tile = hidden_at(state, spot)
    if tile is None:
        return about_hex("tile_is_up" if is_known(state, spot) else "no_tile_of_yours", spot)
    return about_hex("tile_is_asked" if seat in tile.seen else "tile_not_seen", spot)


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
    if answer.kind == "set_all_orders":
        tell(OrdersSet(seat, "pace", key))
        return state.with_nation(seat, **(_swift(state) if key == "swift" else ASKING))
    field, sort = STANDING[answer.kind]
    tell(OrdersSet(seat, sort, key))
    return state.with_nation(seat, **{field: key})


def _without_rumor(state: "State", seat: Seat, spot: str) -> "State":
    """A Rumor less in a hex: one that lies there, else one of a fleet."""
    rumor = one("r")
    if state.pieces(seat, spot).r:
        return state.with_pieces(seat, spot, state.pieces(seat, spot).minus(rumor))
    fleets = list(_fleets(state, seat))
    n = next(n for n, fleet in enumerate(fleets) if fleet.at == spot and fleet.kinds.r)
    fleets[n] = replace(fleets[n], kinds=fleets[n].kinds.minus(rumor))
    return with_movement(state, fleets=tuple(fleet for fleet in fleets if fleet.kinds.total))
