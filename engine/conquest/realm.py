"""Changes that many steps make: tiles turned up, cards shown, Villages and Homes won and lost, seats put out."""

from typing import TYPE_CHECKING

from msgspec.structs import replace

from engine.conquest.battle_events import HomeLost, KumaraTaken
from engine.conquest.board import AOTEAROA, PRINTED, SOUTH_ISLAND, south_west
from engine.conquest.events import CardRevealed, CardsRevealed, Ended, HomeNamed, SeatOut
from engine.conquest.pieces import NOBODY, Group, HandCard, Tile
from engine.conquest.scoring import KUMARA, totals
from engine.conquest.sea_events import SouthIslandPlaced, TileRevealed
from engine.conquest.waters import controlled, on_map
from engine.core.decision import Seat
from engine.core.event import Tell

if TYPE_CHECKING:
    from engine.conquest.state import State


def reveal_tile(state: "State", spot: str, seat: int, tell: Tell) -> "State":
    """A tile turned face up; Aotearoa brings the South Island with it."""
    tile = state.tile_at[spot]
    tell(TileRevealed(seat, spot, tile.key))
    state = state.with_tile(Tile(spot, tile.key, up=True))
    if tile.key == AOTEAROA and state.maui == "aside":
        return _place_south_island(state, south_west(spot), tell)
    return state


def _place_south_island(state: "State", spot: str, tell: Tell) -> "State":
    """On Unknown, ocean or a face-down tile; what is face up or printed, or the edge of the map, keeps it out."""
    tile = state.tile_at.get(spot)
    if not spot or spot in PRINTED or (tile is not None and tile.up):
        tell(SouthIslandPlaced(""))
        return state.changed(maui="out")
    tell(SouthIslandPlaced(spot, tile is not None))
    if tile is not None:
        state = state.changed(gone=(*state.gone, tile))
    if state.voyage is not None and state.voyage.keep == spot:
        state = state.changed(voyage=replace(state.voyage, keep=""))
    seas = tuple(sea for sea in state.seas if sea != spot)
    return state.changed(seas=seas, maui="placed").with_tile(Tile(spot, SOUTH_ISLAND, up=True))


def reveal_seen_by_all(state: "State", tell: Tell) -> "State":
    """Tiles that every seat has discovered turn up by themselves."""
    for tile in state.face_down:
        if set(state.seats) <= set(tile.seen):
            state = reveal_tile(state, tile.spot, NOBODY, tell)
    return state


def show_card(state: "State", seat: int, key: str, tell: Tell, used: bool = False) -> "State":
    """A card turned up, and marked as used if it works once and does so now."""
    hand = state.nations[seat].hand
    if any(card.key == key and not card.up for card in hand):
        tell(CardRevealed(Seat(seat), key))
    return turn_up(state, seat, key, used)


def show_cards(state: "State", seat: int, keys: tuple[str, ...], tell: Tell) -> "State":
    """Several cards turned up together."""
    if not keys:
        return state
    tell(CardsRevealed(Seat(seat), keys))
    hand = state.nations[seat].hand
    return state.with_nation(seat, hand=tuple(replace(card, up=card.up or card.key in keys) for card in hand))


def with_control(state: "State", group: Group) -> "State":
    """A group with its new owner; malaria begins once somebody Controls a group of its area."""
    state = state.with_group(group)
    land = PRINTED.get(group.spot)
    struck = land is not None and bool(land.malaria) and group.owner != NOBODY
    return state.changed(malaria=True) if struck and state.rules.malaria else state


def lose_village(state: "State", spot: str, tell: Tell) -> "State":
    """One Village less; with the last one Control is lost, and a Home with it. Improved Agriculture stays."""
    group = state.group(spot)
    if group.villages > 1:
        return state.with_group(replace(group, villages=group.villages - 1))
    owner = group.owner
    return lose_home(state.with_group(replace(group, villages=0, owner=NOBODY)), owner, spot, tell)


def lose_home(state: "State", seat: int, spot: str, tell: Tell) -> "State":
    """The seat has no Home any more if it was there."""
    if seat == NOBODY or state.nations[seat].home != spot:
        return state
    tell(HomeLost(Seat(seat), spot))
    return state.with_nation(seat, home="")


def name_home(state: "State", seat: int, spot: str, tell: Tell) -> "State":
    """The seat's new Home."""
    tell(HomeNamed(Seat(seat), spot))
    return state.with_nation(seat, home=spot)


def take_kumara(state: "State", seat: int, tell: Tell) -> "State":
    """A Kumara Marker and its two points, which the track shows at once."""
    tell(KumaraTaken(Seat(seat)))
    return state.with_nation(seat, kumara=True, points=state.nations[seat].points + KUMARA)


def is_finished(state: "State", seat: Seat) -> bool:
    """No Village, no Colony and no canoe: the seat is out."""
    if controlled(state, seat):
        return False
    kinds = on_map(state, seat)
    return not kinds.c and not kinds.canoes


def put_out(state: "State", seat: Seat, tell: Tell) -> "State":
    """The seat's other pieces go; its cards stay hidden, its markers count no more."""
    tell(SeatOut(seat))
    state = state.changed(stacks=tuple(stack for stack in state.stacks if stack.seat != seat))
    state = state.with_nation(seat, out=True, home="")
    order = tuple(other for other in state.order if other != seat)
    return reveal_seen_by_all(state.changed(order=order), tell)


def finish(state: "State", reason: str, tell: Tell) -> "State":
    """The end: all cards are shown and the points counted."""
    for seat in state.seats:
        state = show_cards(state, seat, state.nations[seat].hidden, tell)
    points = totals(state, with_hidden=True)
    tell(Ended(tuple(total / 2 for total in points)))
    nations = tuple(replace(nation, points=total) for nation, total in zip(state.nations, points, strict=True))
    return state.changed(nations=nations, over=reason, step="over", agenda=(), voyage=None, movement=None, battle=None)


def turn_up(state: "State", seat: int, key: str, used: bool = False) -> "State":
    """A card face up without a word: whoever plays it tells more."""
    hand = state.nations[seat].hand
    shown = tuple(HandCard(key, True, card.used or used) if card.key == key else card for card in hand)
    return state.with_nation(seat, hand=shown)
