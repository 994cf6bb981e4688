"""A seat's empire: pieces, Villages and Homes won and lost, Kumara, and the end of the match."""

from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from engine.conquest.board import PIECES, PRINTED
from engine.conquest.cards import show_cards
from engine.conquest.events import Ended, HomeLost, HomeNamed
from engine.conquest.pieces import NOBODY, Group, Kinds
from engine.conquest.scoring import KUMARA_HALF_POINTS, count_all_points
from engine.conquest.sea_events import KumaraTaken
from engine.core.decision import Seat
from engine.core.event import Tell

if TYPE_CHECKING:
    from engine.conquest.state import State

ALL_PIECES: Final = Kinds(**PIECES)


def pieces_on_map(state: "State", seat: int) -> Kinds:
    """Return all of a seat's pieces on the map, including those under way and in Battle."""
    found = [stack.kinds for stack in state.stacks_of(seat)]
    if state.movement is not None and state.movement.seat == seat:
        found += [fleet.kinds for fleet in state.movement.fleets]
        found += [kinds for _, kinds in state.movement.spent]
    if state.battle is not None and state.battle.shown:
        for side, row in enumerate(state.battle.sides):
            if state.battle.seat(side) == seat:
                found.append(row.survivors)
    total = Kinds()
    for kinds in found:
        total = total.plus(kinds)
    return total


def unbuilt_pieces(state: "State", seat: int) -> Kinds:
    """Return the seat's pieces that are not on the map."""
    return ALL_PIECES.minus(pieces_on_map(state, seat))


def set_control(state: "State", group: Group) -> "State":
    """Store a group with its new owner; this may make malaria possible.

    Malaria strikes from "the first turn after any player takes control of an Island Group in
    the Malaria Area".
    """
    state = state.with_group(group)
    land = PRINTED.get(group.spot)
    is_in_malaria_area = land is not None and bool(land.malaria)
    if state.rules.malaria and is_in_malaria_area and group.owner != NOBODY:
        return state.with_changes(malaria=True)
    return state


def lose_village(state: "State", spot: str, tell: Tell) -> "State":
    """Remove a Village; with the last one its owner loses Control, and possibly the Home.

    Improved Agriculture stays.
    """
    group = state.group(spot)
    if group.villages > 1:
        return state.with_group(replace(group, villages=group.villages - 1))
    state = state.with_group(replace(group, villages=0, owner=NOBODY))
    return lose_home(state, group.owner, spot, tell)


def lose_home(state: "State", seat: int, spot: str, tell: Tell) -> "State":
    """Take away the seat's Home, if it was in this hex."""
    if seat == NOBODY or state.nations[seat].home != spot:
        return state
    tell(HomeLost(Seat(seat), spot))
    return state.with_nation(seat, home="")


def name_home(state: "State", seat: int, spot: str, tell: Tell) -> "State":
    """Give the seat a new Home."""
    tell(HomeNamed(Seat(seat), spot))
    return state.with_nation(seat, home=spot)


def take_kumara(state: "State", seat: int, tell: Tell) -> "State":
    """Give the seat Kumara and its two points, which the track shows at once."""
    tell(KumaraTaken(Seat(seat)))
    return state.with_nation(
        seat, kumara=True, points=state.nations[seat].points + KUMARA_HALF_POINTS
    )


def end_match(state: "State", reason: str, tell: Tell) -> "State":
    """End the match: reveal all cards and count the final points."""
    for seat in state.seats:
        state = show_cards(state, seat, state.nations[seat].hidden, tell)
    points = count_all_points(state, with_hidden=True)
    tell(Ended(tuple(total / 2 for total in points)))
    for n, total in enumerate(points):
        state = state.with_nation(n, points=total)
    return state.with_changes(
        over=reason, step="over", agenda=(), voyage=None, movement=None, battle=None
    )
