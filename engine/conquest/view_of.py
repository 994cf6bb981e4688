"""A position as one viewer may know it: what fills the structs of view.py.

A view is built up from what its viewer may know, never cut down from the whole: a thing that is
forgotten here is missing, and not betrayed. The viewer's own secrets are in `_own`; elsewhere the
viewer matters for the names of tiles and the kinds of pieces alone.
"""

from collections import Counter
from typing import TYPE_CHECKING

from engine.conquest.battle_rolls import ATTACKER, DEFENDER
from engine.conquest.board import CARD_KEYS, PRINTED, TILES, in_order
from engine.conquest.build_list import HOME, build_list_of
from engine.conquest.chains import home_chain, links, open_hexes
from engine.conquest.discoveries import markers_out
from engine.conquest.empire import on_map, unbuilt
from engine.conquest.hexes import controlled, is_enemy_hex, is_independent, local_warriors
from engine.conquest.pieces import NOBODY, Battle, Build, Declared, Line, Movement, Tile, Voyage
from engine.conquest.scoring import Count, count
from engine.conquest.steps.explore import LaunchExplorer, limit
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
    """Built up from what the viewer may know."""
    seats = [Seat(seat) for seat in range(len(state.nations))]
    counts = [count(state, seat) for seat in seats]
    # Cards count face up, at the end all of them.
    scored = [count(state, seat, with_hidden=True) for seat in seats] if state.over else counts
    chained = [home_chain(state, seat) for seat in seats]
    movement, battle = state.movement, state.battle
    return ConquestView(
        game="conquest",
        viewer=viewer,
        scores=tuple(points.total / 2 for points in scored),
        turn=state.turn,
        step=state.step,
        active=_active(state),
        goal=state.rules.goal,
        last_turn=state.rules.last_turn,
        marker=state.marker,
        order=state.order,
        clockwise=state.clockwise,
        seas=state.seas,
        tiles=tuple(_tile(tile, viewer) for tile in state.tiles),
        groups=_groups(state, chained),
        stacks=_stacks(state, viewer),
        fleets=_fleets(state, movement, viewer) if movement is not None else (),
        arrows=tuple(Arrow(leg.seat, leg.way, leg.count, leg.transit) for leg in state.legs),
        last=state.last,
        nations=tuple(_nation(state, seat, counts[seat], chained[seat]) for seat in seats),
        voyage=_voyage(state, state.voyage) if state.voyage is not None else None,
        battle=_battle(battle) if battle is not None else None,
        due=movement.due if movement is not None else (),
        cup=state.cup,
        deck=len(state.deck),
        tiles_left=len(state.box),
        gone=tuple(_tile(tile, viewer) for tile in state.gone),
        maui=state.maui,
        declared=_declarer(state.declared),
        own=_own(state, viewer) if viewer is not None else None,
        kumara_played=state.rules.kumara,
        malaria_played=state.rules.malaria,
    )


def _active(state: "State") -> int:
    """Return whose step it is, even if others are asked."""
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
        # To ask it where it may go would take four times as long as all the rest of a view.
        return top.seat
    asked = {decision.seat for decision in top.ask(state)}
    return asked.pop() if len(asked) == 1 else NOBODY


def _declarer(declared: Declared | None) -> int:
    """Who has declared Victory, the first of several; until all have said it is nobody's to
    know.
    """
    return declared.seats[0] if declared is not None and declared.answers else NOBODY


def _tile(tile: Tile, viewer: Seat | None) -> TileView:
    """A face-down tile is named to its discoverers alone."""
    is_known = tile.up or viewer in tile.seen
    return TileView(tile.spot, tile.up, tile.key if is_known else "", tile.seen)


def _groups(state: "State", chained: list[frozenset[str]]) -> tuple[GroupView, ...]:
    """The Island Groups in sight: those printed, then the tiles that are face up.

    `chained` are the Home chains.
    """
    lands = [(spot, land, True) for spot, land in PRINTED.items()]
    lands += [(tile.spot, TILES[tile.key], False) for tile in state.tiles if tile.up]
    homes = {nation.home: seat for seat, nation in enumerate(state.nations)}
    found = []
    for spot, land, is_printed in lands:
        group = state.group(spot)
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


def _stacks(state: "State", viewer: Seat | None) -> tuple[StackView, ...]:
    """What lies in the hexes, also what a Movement has set down on its way; the kinds for their
    owner alone.

    To others a piece that has moved looks like one that has not: where no enemy is, fleets lie with
    the stacks.
    """
    movement, opened = state.movement, set[str]()
    if movement is not None:
        state = state.adding(movement.seat, *movement.spent)
        if viewer != movement.seat:
            landed = [
                fleet
                for fleet in movement.fleets
                if not is_enemy_hex(state, movement.seat, fleet.at)
            ]
            state = state.adding(movement.seat, *((fleet.at, fleet.kinds) for fleet in landed))
            opened = open_hexes(state, movement.seat)
    found = []
    for stack in state.stacks:
        total = stack.kinds.total
        is_open = stack.open or (
            stack.spot in opened and movement is not None and stack.seat == movement.seat
        )
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


def _fleets(state: "State", movement: Movement, viewer: Seat | None) -> tuple[FleetView, ...]:
    """Fleets under way, for their owner; others see how many pieces are among enemies, and no
    more of them.
    """
    if viewer != movement.seat:
        attacking = Counter[str]()
        for fleet in movement.fleets:
            if is_enemy_hex(state, movement.seat, fleet.at):
                attacking[fleet.at] += fleet.kinds.total
        # In the order of the map: that of the fleets would tell how they parted on the way.
        return tuple(
            FleetView(0, movement.seat, spot, "", 0, attacking[spot])
            for spot in in_order(attacking)
        )
    found = []
    for fleet in movement.fleets:
        # A canoe turned face up in a hex is shown with the first fleet there that has one.
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


def _voyage(state: "State", voyage: Voyage) -> VoyageView:
    """An Explorer at sea: its markers lie Knot side up, for all to see."""
    return VoyageView(
        seat=voyage.seat,
        at=voyage.at,
        knots=voyage.knots,
        limit=limit(state, voyage.seat),
        markers=tuple(
            MarkerView(marker.spot, marker.sort, marker.knots) for marker in voyage.markers
        ),
        kumara=voyage.kumara,
        deciding=voyage.keep,
    )


def _battle(battle: Battle) -> BattleView:
    """A Battle; nobody sees a row before both sides have shown their pieces."""
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


def _nation(state: "State", seat: Seat, points: Count, chain: frozenset[str]) -> NationView:
    """What everybody knows of a seat."""
    nation = state.nations[seat]
    # In the order of the deck: that of the hand would tell which cards were drawn first.
    shown = sorted(
        (card for card in nation.hand if card.up), key=lambda card: CARD_KEYS.index(card.key)
    )
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
        groups=len(controlled(state, seat)),
        pieces=on_map(state, seat).total,
        open_canoes=len(open_hexes(state, seat)),
        markers=len(markers_out(state, seat)),
        saved=nation.saved,
        kumara=nation.kumara,
        galapagos=nation.galapagos,
        ready=_is_ready(state, seat),
        out=nation.out,
        links=links(state, seat),
        home_chain=in_order(chain),
    )


def _is_ready(state: "State", seat: Seat) -> bool:
    """Whether its secret answer of the step that is open is in."""
    battle = state.battle
    if battle is not None and not battle.shown:
        return bool(_mode(battle, seat))
    if state.builds:
        return state.builds[seat].ready
    if state.declared is not None:
        return bool((state.declared.answers or state.declared.votes)[seat])
    return False


def _mode(battle: Battle, seat: Seat) -> str:
    """How a seat uses cards in a Battle; '' if it has still to say, or is not in it."""
    if seat == battle.attacker:
        return battle.modes[ATTACKER]
    if seat == battle.defender:
        return battle.modes[DEFENDER]
    return ""


def _own(state: "State", viewer: Seat) -> OwnView:
    """What only the viewer knows.

    In the set-up a list of pieces to begin with stands where build lists are later.
    """
    nation = state.nations[viewer]
    lines: tuple[Line, ...] = ()
    start: tuple[str, ...] = ()
    listed = None
    if state.builds and state.turn:
        build = state.builds[viewer]
        lines = build.lines
        # Before the Building Step there are lists as soon as anybody has begun one, which is nobody
        # else's business.
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
    movement = (
        state.movement if state.movement is not None and state.movement.seat == viewer else None
    )
    return OwnView(
        hand=tuple(CardView(card.key, card.up, card.used) for card in nation.hand),
        points=count(state, viewer, with_hidden=True).total / 2,
        unbuilt=unbuilt(state, viewer),
        tiles=tuple(_tile(tile, viewer) for tile in hidden_tiles),
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
        mode=_mode(state.battle, viewer) if state.battle is not None else "",
        moving=MovingView(movement.afloat, movement.spent, movement.answered) if movement else None,
    )
