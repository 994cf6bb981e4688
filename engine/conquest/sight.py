"""A position as one viewer may know it."""

from typing import TYPE_CHECKING

from engine.conquest.board import PRINTED, TILES, Land, in_order
from engine.conquest.kept import kept_by_key
from engine.conquest.ledger import Ledger, ledger_of
from engine.conquest.pieces import NOBODY, Battle, Fleet, HandCard, Side, Stack, Tile
from engine.conquest.scoring import Count, count
from engine.conquest.steps.explore import limit
from engine.conquest.view import (
    Arrow,
    BattleView,
    BuildView,
    CardView,
    ConquestView,
    FleetView,
    GroupView,
    MarkerView,
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
from engine.conquest.waters import (
    controlled,
    home_chain,
    is_independent,
    links,
    local_warriors,
    markers_out,
    on_map,
    unbuilt,
)
from engine.core.decision import Seat

if TYPE_CHECKING:
    from engine.conquest.state import State


def view_of(state: "State", viewer: Seat | None) -> ConquestView:
    """Built up from what the viewer may know."""
    seats = [Seat(seat) for seat in range(len(state.nations))]
    counts = [count(state, seat) for seat in seats]
    return ConquestView(
        game="conquest",
        viewer=viewer,
        to_move=tuple(sorted({decision.seat for decision in state.asked})),
        scores=tuple(one.total / 2 for one in _final(state, counts)),
        turn=state.turn,
        step=state.step,
        active=_active(state),
        goal=state.rules.goal,
        last_turn=state.rules.last_turn,
        marker=state.marker,
        order=state.order,
        clockwise=state.clockwise,
        seas=state.seas,
        tiles=_tiles(state, viewer),
        groups=_groups(state, _homes(state)),
        stacks=_stacks(state, viewer),
        fleets=_fleets(state, viewer),
        arrows=tuple(Arrow(leg.seat, leg.way, leg.count, leg.transit) for leg in state.legs),
        last=state.last,
        nations=tuple(_nation(state, seat) for seat in seats),
        voyage=_voyage(state),
        battle=_battle(state.battle) if state.battle is not None else None,
        due=state.movement.due if state.movement is not None else (),
        cup=state.cup,
        deck=len(state.deck),
        tiles_left=len(state.box),
        gone=tuple(_tile(tile, viewer) for tile in state.gone),
        maui=state.maui,
        declared=state.declared.seat if state.declared is not None else NOBODY,
        own=_own(state, viewer) if viewer is not None else None,
        kumara_played=state.rules.kumara,
        malaria_played=state.rules.malaria,
    )


def _final(state: "State", counts: list[Count]) -> list[Count]:
    return [count(state, seat, with_hidden=True) for seat in range(len(counts))] if state.over else counts


def _active(state: "State") -> int:
    """Whose step it is, whoever is asked."""
    if state.voyage is not None:
        return state.voyage.seat
    if state.movement is not None:
        return state.movement.seat
    if state.step == "order":
        return state.marker
    asked = {decision.seat for decision in state.asked}
    return asked.pop() if len(asked) == 1 and state.step in ("exploration", "victory") else NOBODY


def _tile(tile: Tile, viewer: Seat | None) -> TileView:
    known = tile.up or viewer in tile.seen
    return TileView(tile.spot, tile.up, tile.key if known else "", tile.seen)


@kept_by_key("tiles")
def _tiles(state: "State", viewer: Seat | None) -> tuple[TileView, ...]:
    return tuple(_tile(tile, viewer) for tile in state.tiles)


@kept_by_key("stacks", "movement")
def _stacks(state: "State", viewer: Seat | None) -> tuple[StackView, ...]:
    return tuple(_stack(stack, viewer) for stack in lying(state).stacks)


Homes = tuple[tuple[str, frozenset[str]], ...]
"""Each seat's Home and the chain that holds it."""


def _homes(state: "State") -> Homes:
    return tuple((nation.home, home_chain(state, seat)) for seat, nation in enumerate(state.nations))


@kept_by_key("tiles", "groups")
def _groups(state: "State", homes: Homes) -> tuple[GroupView, ...]:
    lands = [(spot, land, True) for spot, land in PRINTED.items() if spot not in state.tile_at]
    lands += [(tile.spot, TILES[tile.key], False) for tile in state.tiles if tile.up]
    return tuple(_group(state, spot, land, printed, homes) for spot, land, printed in lands)


def _group(state: "State", spot: str, land: Land, printed: bool, homes: Homes) -> GroupView:
    group = state.group(spot)
    home = next((seat for seat, (place, _) in enumerate(homes) if place == spot), NOBODY)
    if land.atoll:
        chained = any(spot in chain for _, chain in homes)
    else:
        chained = group.owner != NOBODY and spot in homes[group.owner][1]
    return GroupView(
        spot,
        land.key,
        land.name,
        land.green,
        land.brown,
        group.villages,
        group.improved,
        group.owner,
        is_independent(state, spot),
        local_warriors(state, spot),
        land.atoll,
        printed,
        printed and group.taken,
        home,
        chained,
    )


def lying(state: "State") -> "State":
    """The state with what a Movement has set down on its way beside what lay there."""
    if state.movement is None:
        return state
    seat, spent = state.movement.seat, state.movement.spent
    return state.adding(seat, *spent)


def _stack(stack: Stack, viewer: Seat | None) -> StackView:
    total = stack.kinds.total
    kinds = stack.kinds if stack.seat == viewer else None
    return StackView(stack.seat, stack.spot, total, total - stack.open, stack.open, kinds)


def _fleets(state: "State", viewer: Seat | None) -> tuple[FleetView, ...]:
    movement = state.movement
    if movement is None:
        return ()

    def seen(fleet: Fleet) -> FleetView:
        kinds = fleet.kinds if movement.seat == viewer else None
        bearers = [other for other in movement.fleets if other.at == fleet.at and other.kinds.t]
        opened = fleet.at in movement.opened and fleet in bearers[:1]
        place = (fleet.number, movement.seat, fleet.at, fleet.origin, fleet.left)
        return FleetView(*place, fleet.kinds.total, kinds, opened)

    return tuple(seen(fleet) for fleet in movement.fleets)


def _voyage(state: "State") -> VoyageView | None:
    voyage = state.voyage
    if voyage is None:
        return None
    markers = tuple(MarkerView(marker.spot, marker.sort, marker.knots) for marker in voyage.markers)
    return VoyageView(
        voyage.seat, voyage.at, voyage.knots, limit(state, voyage.seat), markers, voyage.kumara, voyage.keep
    )


def _row(battle: Battle, side: int) -> RowView:
    row: Side = battle.sides[side]
    return RowView(battle.seat(side), row.w, row.b, row.l, row.pw, row.pb, row.pl, row.t, row.c, row.bt)


def _battle(battle: Battle) -> BattleView:
    rolls = tuple(RollView(roll.die, battle.seat(roll.hit), roll.result, roll.card) for roll in battle.rolls)
    rows = (_row(battle, 0), _row(battle, 1)) if battle.shown else ()
    return BattleView(battle.spot, battle.attacker, battle.defender, battle.villages, battle.shown, rows, rolls)


def _card(card: HandCard) -> CardView:
    return CardView(card.key, card.up, card.used)


def _score(one: Count) -> Score:
    return Score(one.villages / 2, one.groups / 2, one.atolls / 2, one.cards / 2, one.kumara / 2)


@kept_by_key("nations", "stacks", "movement", "battle", "groups", "tiles", "voyage", "builds", "declared")
def _nation(state: "State", seat: Seat) -> NationView:
    nation, points, chain = state.nations[seat], count(state, seat), home_chain(state, seat)
    own = state.stacks_of[seat].values()
    return NationView(
        nation.people,
        nation.home,
        nation.explorer,
        nation.points / 2,
        _score(points),
        len(nation.hand),
        len(nation.hidden),
        tuple(_card(card) for card in nation.hand if card.up),
        points.villages // 2,
        len(controlled(state, seat)),
        on_map(state, seat).total,
        sum(1 for stack in own if stack.open),
        len(markers_out(state, seat)),
        nation.saved,
        nation.kumara,
        nation.galapagos,
        _is_ready(state, seat),
        nation.out,
        links(state, seat),
        in_order(chain),
    )


def _is_ready(state: "State", seat: Seat) -> bool:
    """Whether its secret answer of the step that is open is in."""
    if state.builds:
        return state.builds[seat].ready
    if state.declared is not None:
        return bool(state.declared.answers[seat])
    battle = state.battle
    if battle is None or battle.shown or seat not in (battle.attacker, battle.defender):
        return False
    return bool(battle.modes[int(seat != battle.attacker)])


def _own(state: "State", viewer: Seat) -> OwnView:
    nation = state.nations[viewer]
    build = state.builds[viewer] if state.builds else None
    lines = build.lines if build is not None and state.turn else ()
    ledger = ledger_of(state, (viewer, lines))
    mode = state.battle.modes[int(viewer != state.battle.attacker)] if _fights(state, viewer) and state.battle else ""
    return OwnView(
        tuple(_card(card) for card in nation.hand),
        count(state, viewer, with_hidden=True).total / 2,
        unbuilt(state, viewer),
        tuple(_tile(tile, viewer) for tile in state.tiles if not tile.up and viewer in tile.seen),
        nation.losses,
        nation.orders,
        _pools(ledger),
        BuildView(tuple((line.item, line.spot) for line in lines), build.settled, build.ready)
        if build is not None and state.turn
        else None,
        tuple(line.item for line in build.lines) if build is not None and not state.turn else (),
        mode,
    )


def _fights(state: "State", viewer: Seat) -> bool:
    return state.battle is not None and viewer in (state.battle.attacker, state.battle.defender)


def _pools(ledger: Ledger) -> tuple[PoolView, ...]:
    found = []
    for pool in ledger.ground.pools:
        points = pool.points + (ledger.bonus if pool.key == "home" else 0)
        found.append(PoolView(pool.key, pool.spots, points, points - ledger.left[pool.key]))
    return tuple(found)
