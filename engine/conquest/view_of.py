"""Build the view of one viewer from a position: this fills the structs of view.py.

A view is built up from what its viewer may know, never cut down from the whole position, so that
something forgotten here is missing and not leaked. The viewer's own secrets are in `_view_own`;
elsewhere the viewer matters only for the names of tiles and the kinds of pieces.
"""

from collections import Counter
from typing import TYPE_CHECKING

from engine.conquest.battle_rolls import ATTACKER, DEFENDER
from engine.conquest.board import CARD_KEYS, PRINTED, TILES, in_order
from engine.conquest.build_list import HOME, build_list_of
from engine.conquest.chains import chain_links, home_chain, open_hexes
from engine.conquest.discoveries import marked_hexes
from engine.conquest.empire import pieces_on_map, unbuilt_pieces
from engine.conquest.hexes import controlled_groups, is_enemy_hex, is_independent, local_warriors
from engine.conquest.pieces import NOBODY, Battle, Build, Declared, Line, Movement, Tile, Voyage
from engine.conquest.scoring import PointCount, count_points
from engine.conquest.steps.explore import LaunchExplorer, knot_limit
from engine.conquest.view import (
    Arrow,
    BattleView,
    BuildView,
    CardView,
    ConquestView,
    FleetView,
    GroupView,
    MarkerView,
    MovingView,
    NationView,
    OwnView,
    PoolView,
    RollView,
    RowView,
    Score,
    StackView,
    TileView,
    VoyageView,
)
from engine.core.decision import Seat

if TYPE_CHECKING:
    from engine.conquest.state import State


def view_of(state: "State", viewer: Seat | None) -> ConquestView:
    """Return the table as a viewer may know it; None stands for a spectator."""
    seats = [Seat(seat) for seat in range(len(state.nations))]
    counts = [count_points(state, seat) for seat in seats]
    # Only face-up cards count until the match has ended.
    scored = counts
    if state.over:
        scored = [count_points(state, seat, with_hidden=True) for seat in seats]
    chained = [home_chain(state, seat) for seat in seats]
    movement, battle = state.movement, state.battle
    return ConquestView(
        game="conquest",
        viewer=viewer,
        scores=tuple(points.total / 2 for points in scored),
        turn=state.turn,
        step=state.step,
        active=_active_seat(state),
        goal=state.rules.goal,
        last_turn=state.rules.last_turn,
        marker=state.marker,
        order=state.order,
        clockwise=state.clockwise,
        seas=state.seas,
        tiles=tuple(_view_tile(tile, viewer) for tile in state.tiles),
        groups=_view_groups(state, chained),
        stacks=_view_stacks(state, viewer),
        fleets=_view_fleets(state, movement, viewer) if movement is not None else (),
        arrows=tuple(Arrow(leg.seat, leg.way, leg.count, leg.transit) for leg in state.legs),
        last=state.last,
        nations=tuple(_view_nation(state, seat, counts[seat], chained[seat]) for seat in seats),
        voyage=_view_voyage(state, state.voyage) if state.voyage is not None else None,
        battle=_view_battle(battle) if battle is not None else None,
        due=movement.due if movement is not None else (),
        cup=state.cup,
        deck=len(state.deck),
        tiles_left=len(state.box),
        gone=tuple(_view_tile(tile, viewer) for tile in state.gone),
        maui=state.maui,
        declared=_first_declarer(state.declared),
        own=_view_own(state, viewer) if viewer is not None else None,
        kumara_played=state.rules.kumara,
        malaria_played=state.rules.malaria,
    )


def _active_seat(state: "State") -> int:
    """Return the seat whose step it is, even if others are asked; NOBODY if it is nobody's."""
    if state.voyage is not None:
        return state.voyage.seat
    if state.movement is not None:
        return state.movement.seat
    if state.step == "order":
        return state.marker
    if state.step not in ("exploration", "victory") or not state.agenda:
        return NOBODY
    top = state.agenda[-1]
    if isinstance(top, LaunchExplorer):
        # Building its question takes four times as long as the rest of the view.
        return top.seat
    asked = {decision.seat for decision in top.ask(state)}
    return asked.pop() if len(asked) == 1 else NOBODY


def _first_declarer(declared: Declared | None) -> int:
    """Return the first seat that declared Victory; NOBODY until all have answered."""
    return declared.seats[0] if declared is not None and declared.answers else NOBODY


def _view_tile(tile: Tile, viewer: Seat | None) -> TileView:
    """Return a tile; a face-down one is named only to its discoverers."""
    is_known = tile.up or viewer in tile.seen
    return TileView(tile.spot, tile.up, tile.key if is_known else "", tile.seen)


def _view_groups(state: "State", chained: list[frozenset[str]]) -> tuple[GroupView, ...]:
    """Return the Island Groups in sight: printed ones, then face-up tiles.

    `chained` holds each seat's Home chain.
    """
    lands = [(spot, land, True) for spot, land in PRINTED.items()]
    lands += [(tile.spot, TILES[tile.key], False) for tile in state.tiles if tile.up]
    homes = {nation.home: seat for seat, nation in enumerate(state.nations)}
    found = []
    for spot, land, is_printed in lands:
        group = state.group(spot)
        # An atoll cannot be Controlled; it counts for every seat whose chain it is part of.
        if land.atoll:
            is_chained = any(spot in chain for chain in chained)
        else:
            is_chained = group.owner != NOBODY and spot in chained[group.owner]
        found.append(
            GroupView(
                spot=spot,
                key=land.key,
                green=land.green,
                brown=land.brown,
                villages=group.villages,
                improved=group.improved,
                owner=group.owner,
                independent=is_independent(state, spot),
                warriors=local_warriors(state, spot),
                atoll=land.atoll,
                printed=is_printed,
                taken=is_printed and group.taken,
                home=homes.get(spot, NOBODY),
                chained=is_chained,
            )
        )
    return tuple(found)


def _view_stacks(state: "State", viewer: Seat | None) -> tuple[StackView, ...]:
    """Return the stacks, including pieces that a Movement has set down; kinds only for the owner.

    To others, pieces that have moved look like pieces that have not: away from enemies, fleets
    are shown as part of the stacks.
    """
    movement = state.movement
    mover = movement.seat if movement is not None else NOBODY
    opened: set[str] = set()
    if movement is not None:
        state = state.with_added_pieces(mover, *movement.spent)
        if viewer != mover:
            landed = [
                (fleet.at, fleet.kinds)
                for fleet in movement.fleets
                if not is_enemy_hex(state, mover, fleet.at)
            ]
            state = state.with_added_pieces(mover, *landed)
            opened = open_hexes(state, mover)
    found = []
    for stack in state.stacks:
        total = stack.kinds.total
        is_open = stack.open or (stack.seat == mover and stack.spot in opened)
        found.append(
            StackView(
                seat=stack.seat,
                spot=stack.spot,
                count=total,
                hidden=total - is_open,
                open=is_open,
                kinds=stack.kinds if stack.seat == viewer else None,
            )
        )
    return tuple(found)


def _view_fleets(state: "State", movement: Movement, viewer: Seat | None) -> tuple[FleetView, ...]:
    """Return the fleets to their owner; others see only how many pieces are among enemies."""
    if viewer != movement.seat:
        attacking = Counter[str]()
        for fleet in movement.fleets:
            if is_enemy_hex(state, movement.seat, fleet.at):
                attacking[fleet.at] += fleet.kinds.total
        # In map order: the order of the fleets would reveal how they split on the way.
        return tuple(
            FleetView(0, movement.seat, spot, "", 0, attacking[spot])
            for spot in in_order(attacking)
        )
    found = []
    for fleet in movement.fleets:
        # A face-up canoe in a hex is shown with the first fleet there that has a Transport Canoe.
        bearers = [other for other in movement.fleets if other.at == fleet.at and other.kinds.t]
        is_open = fleet.at in movement.opened and fleet in bearers[:1]
        found.append(
            FleetView(
                number=fleet.number,
                seat=movement.seat,
                at=fleet.at,
                origin=fleet.origin,
                left=fleet.left,
                count=fleet.kinds.total,
                kinds=fleet.kinds,
                open=is_open,
            )
        )
    return tuple(found)


def _view_voyage(state: "State", voyage: Voyage) -> VoyageView:
    """Return an Explorer at sea; its markers lie Knot side up for all to see."""
    return VoyageView(
        seat=voyage.seat,
        at=voyage.at,
        knots=voyage.knots,
        limit=knot_limit(state, voyage.seat),
        markers=tuple(
            MarkerView(marker.spot, marker.sort, marker.knots) for marker in voyage.markers
        ),
        kumara=voyage.kumara,
        deciding=voyage.keep,
    )


def _view_battle(battle: Battle) -> BattleView:
    """Return a Battle; rows stay empty until both sides have shown their pieces."""
    rows = []
    for side, row in enumerate(battle.sides if battle.shown else ()):
        rows.append(
            RowView(
                seat=battle.seat(side),
                w=row.w,
                b=row.b,
                l=row.l,
                panicked_w=row.pw,
                panicked_b=row.pb,
                panicked_l=row.pl,
                t=row.t,
                c=row.c,
                carried_b=row.bt,
            )
        )
    rolls = [
        RollView(roll.die, battle.seat(roll.hit), roll.result, roll.card) for roll in battle.rolls
    ]
    return BattleView(
        spot=battle.spot,
        attacker=battle.attacker,
        defender=battle.defender,
        villages=battle.villages,
        shown=battle.shown,
        rows=tuple(rows),
        rolls=tuple(rolls),
    )


def _view_nation(
    state: "State", seat: Seat, points: PointCount, chain: frozenset[str]
) -> NationView:
    """Return what everybody knows of a seat."""
    nation = state.nations[seat]
    # In the order of the card list: the order of the hand would reveal which were drawn first.
    face_up = [card for card in nation.hand if card.up]
    shown = sorted(face_up, key=lambda card: CARD_KEYS.index(card.key))
    return NationView(
        people=nation.people,
        home=nation.home,
        explorer=nation.explorer,
        track=nation.points / 2,
        score=Score(
            villages=points.villages / 2,
            groups=points.groups / 2,
            atolls=points.atolls / 2,
            cards=points.cards / 2,
            kumara=points.kumara / 2,
        ),
        hand=len(nation.hand),
        hidden=len(nation.hidden),
        cards=tuple(CardView(card.key, card.up, card.used) for card in shown),
        villages=points.villages // 2,
        groups=len(controlled_groups(state, seat)),
        pieces=pieces_on_map(state, seat).total,
        open_canoes=len(open_hexes(state, seat)),
        markers=len(marked_hexes(state, seat)),
        saved=nation.saved,
        kumara=nation.kumara,
        galapagos=nation.galapagos,
        ready=_has_answered(state, seat),
        out=nation.out,
        links=chain_links(state, seat),
        home_chain=in_order(chain),
    )


def _has_answered(state: "State", seat: Seat) -> bool:
    """Return whether the seat's answer in the current simultaneous step is in."""
    battle = state.battle
    if battle is not None and not battle.shown:
        return bool(_card_mode(battle, seat))
    if state.builds:
        return state.builds[seat].ready
    if state.declared is not None:
        return bool((state.declared.answers or state.declared.votes)[seat])
    return False


def _card_mode(battle: Battle, seat: Seat) -> str:
    """Return how a seat uses cards in a Battle; '' if it has yet to say, or is not in it."""
    if seat == battle.attacker:
        return battle.modes[ATTACKER]
    if seat == battle.defender:
        return battle.modes[DEFENDER]
    return ""


def _view_own(state: "State", viewer: Seat) -> OwnView:
    """Return what only the viewer knows.

    During the set-up, `builds` holds the choices of start pieces instead of build lists.
    """
    nation = state.nations[viewer]
    lines: tuple[Line, ...] = ()
    start: tuple[str, ...] = ()
    listed = None
    if state.builds and state.turn:
        build = state.builds[viewer]
        lines = build.lines
        # Before the Building Step, `builds` exists as soon as any seat has begun to build ahead. An
        # untouched list is left out, so that the others do not learn that.
        if state.step == "building" or build != Build():
            items = tuple((line.item, line.spot) for line in lines)
            listed = BuildView(items, build.settled, build.ready, build.waits)
    elif state.builds:
        start = tuple(line.item for line in state.builds[viewer].lines)
    build_list = build_list_of(state, viewer, lines)
    pools = []
    left = build_list.left
    for pool in build_list.estate.pools:
        points = pool.points
        if pool.key == HOME:
            points += build_list.bonus
        spent = points - left[pool.key]
        pools.append(PoolView(pool.key, pool.spots, points, spent))
    hidden_tiles = [tile for tile in state.tiles if not tile.up and viewer in tile.seen]
    moving = None
    movement = state.movement
    if movement is not None and movement.seat == viewer:
        moving = MovingView(movement.afloat, movement.spent, movement.answered)
    return OwnView(
        hand=tuple(CardView(card.key, card.up, card.used) for card in nation.hand),
        points=count_points(state, viewer, with_hidden=True).total / 2,
        unbuilt=unbuilt_pieces(state, viewer),
        tiles=tuple(_view_tile(tile, viewer) for tile in hidden_tiles),
        losses=nation.losses,
        orders=nation.orders,
        course=nation.course,
        first=nation.first,
        voyage=nation.sure,
        finds=nation.finds,
        declares=nation.victory,
        pools=tuple(pools),
        build=listed,
        start=start,
        mode=_card_mode(state.battle, viewer) if state.battle is not None else "",
        moving=moving,
    )
