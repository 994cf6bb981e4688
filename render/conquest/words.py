"""Conquest of Paradise in words: the alt text of a picture and the whole table as text."""

from collections.abc import Iterator

from engine.conquest.board import CARDS, CHART, KINDS, PRINTED, TILES
from engine.conquest.view import NOBODY, BattleView, ConquestView, GroupView, Kinds, StackView
from engine.core.words import listed, points
from render import Scene
from render.alt import compose, news_of, seat_name, sentence, turn_of
from render.conquest.america import LANDMARKS
from render.conquest.heading import STEPS, winners
from render.conquest.own import cards_text, list_text
from render.conquest.scores import kinds_of
from render.palette import livery_of

NAMES = {"w": "War Canoe", "t": "Transport Canoe", "r": "Rumor", "c": "Colony", "b": "Warrior Band"}
PLURALS = {"c": "Colonies"}


def alt_text(view: ConquestView, scene: Scene) -> str:
    """The picture in at most 1,024 characters."""
    head = (f"Conquest of Paradise, {_phase(view)}", _turn(view, scene), _last(view, scene))
    seats = [_seat(view, scene, seat) for seat in range(len(view.nations))]
    return compose(head, seats, [*_under_way(view), *_board(view)], scene.rings)


def text_board(view: ConquestView, scene: Scene) -> str:
    """The whole table in words."""
    lines = [f"Conquest of Paradise, {_phase(view)}.", sentence(_turn(view, scene))]
    last = _last(view, scene)
    lines += [f"{last}."] if last else []
    lines += [f"{_seat(view, scene, seat)}; {_more(view, seat)}." for seat in range(len(view.nations))]
    lines += ["", *(f"{part}." for part in _under_way(view))]
    lines += ["", "Island groups and atolls:", *(f"{_group(view, group, brief=False)}." for group in view.groups)]
    lines += [f"{line}." for line in _hidden(view, scene)]
    lines += ["", "Pieces:", *(f"{line}." for line in _stacks(view, scene))]
    lines += ["", f"Explored ocean: {_codes(view.seas)}.", f"Still unknown: {_codes(_unknown(view))}."]
    lines += [_america()] if view.kumara_played else []
    lines.append(_supply(view))
    lines += [f"{line}." for line in _own(view)]
    if scene.rings:
        lines += ["", "Legal: " + " ".join(spot.upper() for spot in scene.rings) + "."]
    return "\n".join([*lines, *_scored(view, scene)])


def _scored(view: ConquestView, scene: Scene) -> Iterator[str]:
    """What the score sheet says, once there is one."""
    if view.step != "over" and (view.to_move or view.viewer is not None):
        return
    yield ""
    yield "Points:" if view.step == "over" else "Points as the map stood, with face-up cards alone:"
    for seat in range(len(view.nations)):
        counted = ", ".join(f"{label} {points(part(view, seat))}" for label, _, part in kinds_of(view))
        yield f"{seat_name(scene.names, seat)}: {counted}; {points(view.scores[seat])} in all."


def _phase(view: ConquestView) -> str:
    step = STEPS.get(view.step, view.step).lower()
    return f"turn {view.turn}, {step}, goal {view.goal} points" if view.turn else step


def _turn(view: ConquestView, scene: Scene) -> str:
    return turn_of(view, scene, winners(view) if view.step == "over" else ())


def _last(view: ConquestView, scene: Scene) -> str:
    if scene.last:
        return f"Last: {news_of(scene)}"
    return f"Last: at {_codes(view.last[-4:])}" if view.last else ""


def _seat(view: ConquestView, scene: Scene, seat: int) -> str:
    nation = view.nations[seat]
    parts = [
        f"{points(view.scores[seat])} points",
        _many(nation.villages, "village"),
        _many(nation.groups, "group"),
        f"{_many(nation.open_canoes, 'open canoe')} of {_many(nation.pieces, 'piece')}",
        _many(nation.hand, "card"),
    ]
    if nation.explorer == "lost":
        parts.append("Explorer lost")
    return f"{seat_name(scene.names, seat)}: {'out, ' if nation.out else ''}{', '.join(parts)}"


def _many(number: int, noun: str, nouns: str = "") -> str:
    return f"{number} {noun if number == 1 else nouns or noun + 's'}"


def _more(view: ConquestView, seat: int) -> str:
    nation = view.nations[seat]
    order = f"{view.order.index(seat) + 1} in turn order" if seat in view.order else "turn order not chosen"
    shown = ", ".join(CARDS[card.key].name for card in nation.cards) or "none"
    parts = [
        f"Home {nation.home.upper() or 'not chosen'}",
        order,
        f"{points(nation.track)} on the track",
        f"cards face up: {shown}",
        f"{_many(nation.markers, 'discovery', 'discoveries')} hidden",
        f"Explorer {'at sea' if nation.explorer == 'sea' else nation.explorer}",
    ]
    told = ((nation.saved, "a Build Point saved"), (nation.kumara, "has Kumara"), (nation.ready, "ready"))
    chain = f"Home chain {_codes(nation.home_chain)}" if nation.home_chain else "no Home chain"
    return ", ".join([*parts, *(text for is_so, text in told if is_so), chain])


def _under_way(view: ConquestView) -> Iterator[str]:
    voyage = view.voyage
    if voyage is not None:
        how = "seeking Kumara" if voyage.kumara else f"{_many(voyage.knots, 'Knot')}, may go on with {voyage.limit}"
        yield f"{livery_of(voyage.seat).letter} Explorer at {voyage.at.upper()}, {how}"
    if view.battle is not None:
        yield _battle(view.battle)
    if view.due:
        yield f"Battles due at {_codes(view.due)}"
    for arrow in view.arrows:
        verb = "transit" if arrow.transit else "sailed"
        way = "-".join(spot.upper() for spot in arrow.way)
        yield f"{livery_of(arrow.seat).letter} {verb} {arrow.count} {way}"


def _letter(seat: int) -> str:
    return "Independents" if seat == NOBODY else livery_of(seat).letter


def _battle(battle: BattleView) -> str:
    sides = f"Battle at {battle.spot.upper()}, {_letter(battle.attacker)} against {_letter(battle.defender)}"
    if not battle.shown:
        return f"{sides}, pieces not yet shown"
    rows = []
    for row in battle.rows:
        pieces = ((row.w, "War Canoe"), (row.b, "Band"), (row.l, "Local Warrior"))
        front = f"front {', '.join(_many(number, noun) for number, noun in pieces if number) or 'empty'}"
        panicked = row.panicked_w + row.panicked_b + row.panicked_l
        back = row.t + row.c + row.carried_b
        rows.append(f"{_letter(row.seat)} {front}, {panicked} panicked, {back} behind")
    rolls = " ".join(str(roll.die) for roll in battle.rolls) or "none"
    return f"{sides}: {'; '.join(rows)}; rolls {rolls}"


def _board(view: ConquestView) -> Iterator[str]:
    """Owned groups seat by seat, stacks, then tiles face down and face up."""
    for seat in range(len(view.nations)):
        held = [_group(view, group, brief=True) for group in view.groups if group.owner == seat]
        at_sea = [f"{stack.count} at {stack.spot.upper()}" for stack in view.stacks if stack.seat == seat]
        if held or at_sea:
            yield f"{livery_of(seat).letter} {', '.join(held) or 'no group'}; pieces {', '.join(at_sea) or 'none'}"
    hidden = [f"{tile.spot.upper()} ({_seen(tile.seen)})" for tile in view.tiles if not tile.up]
    if hidden:
        yield f"face down {', '.join(hidden)}"
    free = [
        f"{group.name} {group.spot.upper()}" for group in view.groups if group.owner == NOBODY and not group.printed
    ]
    if free:
        yield f"free {', '.join(free)}"


def _seen(seats: tuple[int, ...]) -> str:
    return "".join(livery_of(seat).letter for seat in seats)


def _group(view: ConquestView, group: GroupView, brief: bool) -> str:
    if brief:
        return f"{group.name} {group.spot.upper()} {_many(group.villages, 'village')}"
    if group.atoll:
        return f"{group.spot.upper()} {group.name}, atoll"
    owner = "Independent" if group.independent else "free" if group.owner == NOBODY else livery_of(group.owner).letter
    parts = [f"{group.spot.upper()} {group.name}", owner, f"{group.green} green and {group.brown} brown boxes"]
    strikes = view.malaria_played and group.spot in PRINTED
    rolls = tuple(str(roll) for roll in PRINTED[group.spot].malaria) if strikes else ()
    told = (
        (group.villages, _many(group.villages, "village")),
        (group.improved, f"{group.improved} improved"),
        (group.warriors, _many(group.warriors, "Local Warrior")),
        (group.home != NOBODY, f"Home of {_letter(group.home)}"),
        (group.chained, "in a Home chain"),
        (rolls, f"malaria on {listed(rolls)}"),
    )
    return ", ".join([*parts, *(text for is_so, text in told if is_so)])


def _hidden(view: ConquestView, scene: Scene) -> Iterator[str]:
    for tile in view.tiles:
        if not tile.up:
            seen = listed(seat_name(scene.names, seat) for seat in tile.seen) or "nobody"
            name = f", which is {TILES[tile.key].name}" if tile.key else ""
            yield f"{tile.spot.upper()} a tile face down, discovered by {seen}{name}"


def _stacks(view: ConquestView, scene: Scene) -> Iterator[str]:
    for stack in view.stacks:
        yield f"{stack.spot.upper()} {seat_name(scene.names, stack.seat)}: {_stack(stack)}"
    for fleet in view.fleets:
        kinds = f", {_kinds(fleet.kinds)}" if fleet.kinds is not None else ""
        name = seat_name(scene.names, fleet.seat)
        moves = f"{_many(fleet.count, 'piece')}, {_many(fleet.left, 'move')} left"
        yield f"{fleet.at.upper()} {name}: fleet {fleet.number}, {moves}{kinds}"
    if not view.stacks and not view.fleets:
        yield "none"


def _stack(stack: StackView) -> str:
    parts = ["a Transport Canoe face up"] if stack.open else []
    if stack.hidden:
        known = f" ({_kinds(stack.kinds.minus(Kinds(t=int(stack.open))))})" if stack.kinds is not None else ""
        parts.append(f"{stack.hidden} face down{known}")
    return ", ".join(parts)


def _kinds(kinds: Kinds) -> str:
    parts = []
    for kind in KINDS:
        number = kinds.of(kind)
        if number:
            parts.append(_many(number, NAMES[kind], PLURALS.get(kind, "")))
    return ", ".join(parts) or "nothing"


def _codes(spots: tuple[str, ...]) -> str:
    return " ".join(spot.upper() for spot in spots) or "none"


def _unknown(view: ConquestView) -> tuple[str, ...]:
    return tuple(hex.spot for hex in view.hexes if hex.face == "unknown")


def _supply(view: ConquestView) -> str:
    islands, oceans, off = sum(view.cup[:3]), sum(view.cup[3:6]), view.cup[6]
    cup = f"{islands} Island, {oceans} Open Ocean and {off} Off Course markers in the cup"
    return f"Still to come: {view.tiles_left} tiles, {view.deck} cards, {cup}."


def _america() -> str:
    """Where Kumara is sought."""
    start, coast = _codes(CHART.to_america), _codes(CHART.coast)
    islands = ", ".join(f"{LANDMARKS[spot]} {spot.upper()}" for spot in CHART.galapagos)
    return f"To South America from {start}, ashore from {coast}; on the way {islands}."


def _own(view: ConquestView) -> Iterator[str]:
    own = view.own
    if own is None:
        return
    yield f"Your cards: {cards_text(own)}; {points(own.points)} points with all of them"
    if own.tiles:
        yield f"Your discoveries: {', '.join(f'{tile.spot.upper()} {TILES[tile.key].name}' for tile in own.tiles)}"
    yield f"Your pieces not yet built: {_kinds(own.unbuilt)}"
    if own.build is not None:
        yield f"Your list: {list_text(own)}"
