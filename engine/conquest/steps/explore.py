"""The Exploration Step: Pre-move, Discovery, Exploring more hexes, and Resolution.

Each hex of a voyage is a commit of its own, because a drawn marker cannot be undone; crossing a
Known hex draws nothing and stays in the draft. By default only the launch waits for a confirmation,
and choices at sea are carried out at once; a seat can change that (`Nation.sure`).

`enter_hex` puts the steps of a hex on the agenda. EndExploration lies below them from the launch
on, so a voyage ends when they are used up. Steps are saved by class name and fields, so neither is
ever renamed.
"""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from msgspec.structs import replace

from engine.conquest.board import (
    CHART,
    EASTERN,
    KNOTS,
    MARKERS,
    NEIGHBOURS,
    TILES,
    distance,
    in_order,
)
from engine.conquest.discoveries import (
    adjacency_refusal,
    current_voyage,
    marked_hexes,
    reveal_seen_by_all,
    reveal_tile,
)
from engine.conquest.hex_options import labelled_hex_options
from engine.conquest.hexes import (
    controlled_groups,
    face_down_tile_at,
    is_enemy_hex,
    is_known,
    is_unknown,
    must_ask_to_move,
)
from engine.conquest.pieces import Marker, Tile, Voyage
from engine.conquest.refusals import Refusal, hex_refusal, is_hex
from engine.conquest.sea_events import (
    ExplorationPassed,
    ExplorerLaunched,
    ExplorerLost,
    ExplorerRecovered,
    ExplorerReturned,
    HexCrossed,
    MarkerDrawn,
    MarkersOut,
    OffCourseSet,
    OffCourseStuck,
    Resting,
    SeasCharted,
    TileFound,
    TileHidden,
    TileSeen,
)
from engine.conquest.steps.build import BuildAhead
from engine.conquest.steps.kumara import RollKumara
from engine.core.decision import Answer, Decision, Fact, Option, Seat
from engine.core.event import Tell
from engine.core.steps import Run, Step, pop, push
from engine.core.table import Table

if TYPE_CHECKING:
    from engine.conquest.state import State

MAX_KNOTS_TO_GO_ON = 4
"""Most Knots showing with which an Explorer may explore another hex."""
CROSSING_KNOTS = 2
"""Knots of the Explored Hex Marker, for a Known hex, another seat's face-down tile, or a penalty.
"""
MARKERS_PER_SEAT = 3
"""Discovered Island Markers that a seat may have on the map at one time."""
PASS = Option("pass", ends=True)
RETURN = Option("return", ends=True)
NOTHING_MOVES: Refusal = ("nothing_moves", {})
NO_MARKERS: Refusal = ("no_markers_left", {})
REST = Option("rest")
"""End the voyage, or do not begin one, and move nothing this turn, so that nobody waits for the
seat.
"""


def knot_limit(state: "State", seat: Seat) -> int:
    """Return the most Knots with which the seat's Explorer may go on; Poi adds one."""
    return MAX_KNOTS_TO_GO_ON + state.nations[seat].shows("poi")


def is_undiscovered_tile(state: "State", seat: Seat, spot: str) -> bool:
    """Return whether a face-down tile lies there that the seat has not discovered."""
    tile = face_down_tile_at(state, spot)
    return tile is not None and seat not in tile.seen


def exploring_refusal(state: "State", seat: Seat, spot: str) -> Refusal:
    """Return why a seat's Explorer cannot explore a hex.

    Only Unknown hexes and face-down tiles that the seat has not discovered can be explored.
    """
    if is_unknown(state, spot):
        # With an empty cup nothing can be discovered, but face-down tiles can still be examined.
        return None if sum(state.cup) else NO_MARKERS
    if is_known(state, spot):
        return hex_refusal("known_hex", spot)
    if is_undiscovered_tile(state, seat, spot):
        return None
    return "seen_by_explorer", {"spot": spot, "explorer": seat}


def add_marker(state: "State", spot: str, kind: str, knots: int) -> "State":
    """Return the state with a marker added to the voyage, and the result that its Knots lead to.

    The result is saved because a card that is revealed later must not change it.
    """
    voyage = current_voyage(state)
    markers = (*voyage.markers, Marker(spot, kind, knots))
    voyage = replace(voyage, markers=markers)
    return state.with_changes(voyage=replace(voyage, result=judge_knots(state, voyage)))


def voyage_result(state: "State") -> str:
    """Return how the current voyage must end, 'return' or 'lost'; '' while it may go on."""
    voyage = current_voyage(state)
    return voyage.result or judge_knots(state, voyage)


def judge_knots(state: "State", voyage: Voyage) -> str:
    """Return the result that the Knots of a voyage lead to.

    4 Knots or fewer: it may go on (''). 5: it must Return. 6 or more: it is Lost, which Ocean
    Chart turns into Return.
    """
    # Poi raises the limit, and with it the numbers that mean Return and Lost.
    excess = voyage.knots - knot_limit(state, voyage.seat)
    if excess <= 0:
        return ""
    if excess == 1 or state.nations[voyage.seat].shows("chart"):
        return "return"
    return "lost"


class BeginExploration(Run, frozen=True):
    """Recover a Lost Explorer, or ask where to launch it.

    "Remove it from the Box and place it in front of you. That's it for the Step; the Explorer
    does not Explore."
    """

    seat: Seat

    def run(self, state: "State", table: Table) -> "State":
        """Recover the Explorer, ask for a launch, or skip a seat that cannot explore."""
        state = state.with_changes(step="exploration", legs=())
        nation = state.nations[self.seat]
        if nation.out:
            return state
        # Recovering it takes the whole Step, so the seat is not asked to launch it.
        if nation.explorer == "lost":
            table.tell(ExplorerRecovered(self.seat))
            return state.with_nation(self.seat, explorer="home")
        launch = LaunchExplorer(self.seat)
        if controlled_groups(state, self.seat) and launch.asks(state):
            return push(state, launch)
        table.tell(ExplorationPassed(self.seat))
        return state


def find_pre_move_reach(state: "State", seat: Seat, eastern: bool = True) -> set[str]:
    """Return the hexes that the Pre-move reaches from the seat's groups.

    It leads "across any Known hexes that are NOT Enemy hexes"; the search for Kumara may not
    use the `eastern` ocean.
    """
    reached = set(controlled_groups(state, seat))
    # The list grows while it is walked: a breadth-first search.
    frontier = list(reached)
    for here in frontier:
        for spot in NEIGHBOURS[here]:
            is_barred = spot in EASTERN and not eastern
            if spot in reached or is_barred:
                continue
            if may_cross(state, seat, spot):
                reached.add(spot)
                frontier.append(spot)
    return reached


def may_cross(state: "State", seat: Seat, spot: str) -> bool:
    """Return whether a hex is Known and not an Enemy hex."""
    return is_known(state, spot) and not is_enemy_hex(state, seat, spot)


def entering_refusal(state: "State", seat: Seat, spot: str) -> Refusal:
    """Return why a voyage cannot begin in a hex: it is Known, or no markers are left to explore it.

    A voyage may begin by crossing a face-down tile that the seat itself has discovered.
    """
    if face_down_tile_at(state, spot) is not None:
        return None
    return exploring_refusal(state, seat, spot)


def launch_hexes(state: "State", seat: Seat) -> tuple[str, ...]:
    """Return every hex that the Explorer can enter first: next to its Pre-move, and not Known."""
    adjacent: set[str] = set()
    for here in find_pre_move_reach(state, seat):
        adjacent.update(NEIGHBOURS[here])
    return in_order(spot for spot in adjacent if not entering_refusal(state, seat, spot))


def kumara_refusal(state: "State", seat: Seat) -> Refusal:
    """Return why a seat cannot search for Kumara at all."""
    if not state.rules.kumara:
        return "kumara_not_played", {}
    return ("has_kumara", {}) if state.nations[seat].kumara else None


def kumara_launch_hexes(state: "State", seat: Seat) -> list[str]:
    """Return the "To South America" hexes that the Pre-move reaches without the eastern ocean."""
    if kumara_refusal(state, seat):
        return []
    reached = find_pre_move_reach(state, seat, eastern=False)
    return [spot for spot in CHART.to_america if spot in reached]


class LaunchExplorer(Step, frozen=True):
    """Ask which hex the Explorer enters first; the route of its free Pre-move does not matter."""

    seat: Seat

    def asks(self, state: "State") -> bool:
        """Return whether the Explorer can go anywhere."""
        return bool(launch_hexes(state, self.seat) or kumara_launch_hexes(state, self.seat))

    def ask(self, state: "State") -> tuple[Decision, ...]:
        """Ask for the first hex, a search for Kumara, or to stay at home."""
        hexes = label_entries(state, self.seat, launch_hexes(state, self.seat))
        kumara = [
            Option(f"k{spot}", spot=spot, group="kumara")
            for spot in kumara_launch_hexes(state, self.seat)
        ]
        at_once = state.nations[self.seat].sure == "never"
        options = labelled_hex_options(hexes, *kumara, *_rest_options(state, self.seat), PASS)
        return (Decision(self.seat, "launch_explorer", options, at_once=at_once),)

    def take(self, state: "State", answer: Answer, tell: Tell) -> "State":
        """Begin the voyage, or pass."""
        key = answer.keys[0]
        if key in ("pass", REST.key):
            tell(ExplorationPassed(self.seat))
            state = pop(state)
            return declare_rest(state, self.seat, tell) if key == REST.key else state
        # 'ks8' searches for Kumara from S8; 's8' explores that hex.
        seeks_kumara = key not in NEIGHBOURS
        spot = key[1:] if seeks_kumara else key
        tell(ExplorerLaunched(self.seat, spot, seeks_kumara))
        voyage = Voyage(self.seat, spot, kumara=seeks_kumara)
        begun = state.with_changes(voyage=voyage, last=(spot,)).with_nation(
            self.seat, explorer="sea"
        )
        begun = pop(begun, EndExploration(self.seat))
        if seeks_kumara:
            return push(begun, RollKumara(self.seat))
        return enter_hex(begun, self.seat, spot, tell)

    def refusal(self, state: "State", decision: Decision, key: str) -> Refusal:
        """Return why a voyage, or a search for Kumara, cannot begin in a hex."""
        if key == REST.key:
            return NOTHING_MOVES
        if is_hex(key):
            return entering_refusal(state, self.seat, key) or hex_refusal("out_of_reach", key)
        spot = key[1:]
        if not key.startswith("k") or not is_hex(spot):
            return None
        if refusal := kumara_refusal(state, self.seat):
            return refusal
        if spot not in CHART.to_america:
            return "kumara_begins", {"spots": CHART.to_america}
        return hex_refusal("kumara_out_of_reach", spot)


def _rest_options(state: "State", seat: Seat) -> list[Option]:
    """Return the option to rest, in a list; an empty one if the seat would not be asked to move."""
    return [REST] if must_ask_to_move(state, seat) else []


def declare_rest(state: "State", seat: Seat, tell: Tell) -> "State":
    """Skip the seat's Movement this turn; it may build at once, after its voyage."""
    tell(Resting(seat))
    return push(state.with_nation(seat, rests=True), BuildAhead(seat))


def label_entries(
    state: "State",
    seat: Seat,
    spots: Iterable[str],
) -> dict[str, tuple[Fact, ...]]:
    """Return the facts for each hex's label, in map order.

    The `way` is '' to draw a marker, 'look' to examine a face-down tile, 'cross' for the rest.
    """
    labels: dict[str, tuple[Fact, ...]] = {}
    for spot in in_order(spots):
        if is_unknown(state, spot):
            way = ""
        elif is_undiscovered_tile(state, seat, spot):
            way = "look"
        else:
            way = "cross"
        labels[spot] = (("way", way),)
    return labels


def enter_hex(state: "State", seat: Seat, spot: str, tell: Tell) -> "State":
    """Move the Explorer into a hex, and add the steps for what happens there.

    It draws a marker, examines a tile, or crosses the hex for 2 Knots.
    """
    # `last` highlights the whole way of the voyage in pictures.
    trail = state.last if spot in state.last else (*state.last, spot)
    voyage = replace(current_voyage(state), at=spot, stuck=False)
    state = state.with_changes(voyage=voyage, last=trail)
    if is_undiscovered_tile(state, seat, spot):
        return push(state, LookAtTile(seat), KeepTile(seat), ExploreOn(seat))
    if is_unknown(state, spot):
        return push(state, DrawMarker(seat))
    # "You may wish to traverse a Known hex [...] It costs two Knots to do this."
    state = add_marker(state, spot, "crossed", CROSSING_KNOTS)
    tell(HexCrossed(seat, spot, current_voyage(state).knots))
    return push(state, ExploreOn(seat))


class DrawMarker(Run, frozen=True):
    """Draw a Discovery Marker from the cup: Open Ocean, an Island Group, or Off Course."""

    seat: Seat

    def run(self, state: "State", table: Table) -> "State":
        """Draw the marker and carry out what it shows; an Island Group also draws a tile."""
        # The cup counts its markers by kind, and every single marker is equally likely.
        position = table.below(sum(state.cup))
        index = 0
        while position >= state.cup[index]:
            position -= state.cup[index]
            index += 1
        # No marker returns to the cup: Off Course Markers are removed at once, Island Group
        # Markers after the voyage, and Open Ocean Markers stay on the map.
        cup = list(state.cup)
        cup[index] -= 1
        state = state.with_changes(cup=tuple(cup))
        spot = current_voyage(state).at
        kind = MARKERS[index]
        knots = KNOTS[index]
        if kind != "offcourse":
            state = add_marker(state, spot, kind, knots)
        table.tell(MarkerDrawn(self.seat, spot, kind, knots, current_voyage(state).knots))
        if kind == "offcourse":
            return drive_off_course(state, self.seat, table.tell, table)
        if kind == "ocean":
            return push(state.with_changes(seas=(*state.seas, spot)), ExploreOn(self.seat))
        # "Reach into the box top and randomly draw an Island Group Tile."
        tile = table.choose(state.box)
        table.tell(TileFound(self.seat, spot, tile))
        state = state.with_changes(box=tuple(key for key in state.box if key != tile))
        state = state.with_tile(Tile(spot, tile, seen=(self.seat,)))
        # Until its seat has decided, the discovery has no marker; see KeepTile.
        state = state.with_changes(voyage=replace(current_voyage(state), keep=spot))
        state = apply_find_order(reveal_seen_by_all(state, table.tell), self.seat, table.tell)
        return push(state, KeepTile(self.seat), ExploreOn(self.seat))


class LookAtTile(Run, frozen=True):
    """Examine another seat's face-down tile, for 2 Knots and a Discovered Island Marker on it."""

    seat: Seat

    def run(self, state: "State", table: Table) -> "State":
        """Show the tile to the seat, and flip it if every seat has discovered it now."""
        spot = current_voyage(state).at
        tile = face_down_tile_at(state, spot)
        state = add_marker(state, spot, "crossed", CROSSING_KNOTS)
        table.tell(HexCrossed(self.seat, spot, current_voyage(state).knots))
        # An offer may have turned the tile up in the meantime; then everybody knows it.
        if tile is None:
            return state
        table.tell(TileSeen(self.seat, spot, tile.key))
        # "Place one of your Discovered Island Markers on the Tile."
        discoverers = tuple(sorted((*tile.seen, self.seat)))
        state = state.with_tile(replace(tile, seen=discoverers))
        state = state.with_changes(voyage=replace(current_voyage(state), keep=spot))
        return apply_find_order(reveal_seen_by_all(state, table.tell), self.seat, table.tell)


def off_course_hexes(state: "State", seat: Seat) -> list[str]:
    """Return where an Explorer can be moved Off Course: adjacent hexes that it can explore."""
    return [
        spot
        for spot in NEIGHBOURS[current_voyage(state).at]
        if not exploring_refusal(state, seat, spot)
    ]


def drive_off_course(state: "State", seat: Seat, tell: Tell, table: Table | None = None) -> "State":
    """Let the player to the left move an Explorer that is Off Course, or leave it if stuck.

    The Explorer was already in the hex that it wanted to explore. It is moved on from there,
    and that hex stays Unknown. Without a `table` nothing can be drawn at random, so a standing
    order for the course is ignored and the seat is asked.
    """
    spots = off_course_hexes(state, seat)
    # With Navigation face up, the Explorer's own player sets the course.
    own = state.nations[seat].shows("navigation")
    helmsman = find_helmsman(state, seat, own)
    if len(spots) > 1:
        course = state.nations[helmsman].course
        if own or course == "askme" or table is None:
            return push(state, SetCourse(seat, own))
        spots = [table.choose(filter_by_course_order(state, seat, spots, course))]
    if len(spots) == 1:
        tell(OffCourseSet(seat, helmsman, spots[0]))
        return enter_hex(state, seat, spots[0], tell)
    # "Place an Explored Hex 2-Knot Marker as a penalty."
    state = add_marker(state, current_voyage(state).at, "crossed", CROSSING_KNOTS)
    voyage = current_voyage(state)
    tell(OffCourseStuck(seat, voyage.at, voyage.knots))
    state = state.with_changes(voyage=replace(voyage, stuck=True))
    return push(state, ExploreOn(seat))


def filter_by_course_order(state: "State", seat: Seat, spots: list[str], course: str) -> list[str]:
    """Return the hexes that a course order allows: far from the seat's groups, near, or any."""
    groups = controlled_groups(state, seat)
    if course == "lot" or not groups:
        return spots
    distances = {spot: min(distance(spot, group) for group in groups) for spot in spots}
    best = max(distances.values()) if course == "far" else min(distances.values())
    return [spot for spot in spots if distances[spot] == best]


def recheck_course(state: "State", tell: Tell) -> "State":
    """Skip the question for a course if a revealed tile leaves at most one hex to go to."""
    top = state.agenda[-1]
    if not isinstance(top, SetCourse) or len(off_course_hexes(state, top.seat)) > 1:
        return state
    return drive_off_course(pop(state), top.seat, tell)


def find_helmsman(state: "State", seat: Seat, own: bool) -> Seat:
    """Return who sets the course: the next seat to the left in play, or the Explorer's if `own`."""
    if own:
        return seat
    seats = len(state.nations)
    to_the_left = (Seat((seat + step) % seats) for step in range(1, seats))
    return next((other for other in to_the_left if not state.nations[other].out), seat)


class SetCourse(Step, frozen=True):
    """Ask the player to the left to move an Explorer that is Off Course.

    "This MUST be a hex that your Explorer can Explore: any hex in the Unknown (including a hex
    with a face down Island Group that another player has Explored)."
    """

    seat: Seat
    own: bool = False
    """Navigation was face up when the marker was drawn, so the Explorer's own seat sets the
    course.
    """

    def asks(self, state: "State") -> bool:
        """Return whether the Explorer can go anywhere."""
        return bool(off_course_hexes(state, self.seat))

    def ask(self, state: "State") -> tuple[Decision, ...]:
        """Ask for one of the adjacent hexes that the Explorer can explore."""
        hexes = label_entries(state, self.seat, off_course_hexes(state, self.seat))
        helmsman = find_helmsman(state, self.seat, self.own)
        about = (("explorer", self.seat), ("spot", current_voyage(state).at))
        return (Decision(helmsman, "set_course", labelled_hex_options(hexes), facts=about),)

    def take(self, state: "State", answer: Answer, tell: Tell) -> "State":
        """Move the Explorer to the chosen hex."""
        tell(OffCourseSet(self.seat, answer.seat, answer.keys[0]))
        return enter_hex(pop(state), self.seat, answer.keys[0], tell)

    def refusal(self, state: "State", decision: Decision, key: str) -> Refusal:
        """Return why the Explorer cannot be moved to a hex."""
        at = current_voyage(state).at
        if not is_hex(key):
            return None
        if key == at:
            return hex_refusal("driven_away", key)
        if key not in NEIGHBOURS[at]:
            return "not_beside", {"spot": key, "at": at}
        return exploring_refusal(state, self.seat, key)


class KeepTile(Step, frozen=True):
    """Ask whether a discovery stays hidden under a marker or is revealed.

    With all three markers on the map, an older discovery has to be revealed to free one.
    """

    seat: Seat

    def asks(self, state: "State") -> bool:
        """Return whether there is a new discovery that is still face down."""
        keep = current_voyage(state).keep
        return bool(keep) and face_down_tile_at(state, keep) is not None

    def ask(self, state: "State") -> tuple[Decision, ...]:
        """Ask whether to hide or show the tile, or which older discovery to show instead."""
        voyage = current_voyage(state)
        marked = marked_hexes(state, self.seat)
        if len(marked) < MARKERS_PER_SEAT:
            options = [Option("hide"), Option("show")]
        else:
            # "You must choose to reveal an Island Group (to free a Marker)", or the new one itself.
            options = [Option("show"), *(Option(spot, spot=spot) for spot in marked)]
        land = TILES[state.tile_at[voyage.keep].key]
        about = (
            ("spot", voyage.keep),
            ("tile", land.key),
            ("knots", voyage.knots),
            ("green", land.green),
            ("brown", land.brown),
        )
        return (Decision(self.seat, "keep_tile", tuple(options), facts=about),)

    def take(self, state: "State", answer: Answer, tell: Tell) -> "State":
        """Leave the tile under a marker, or turn it face up."""
        return hide_or_show_tile(pop(state), self.seat, answer.keys[0], tell)

    def refusal(self, state: "State", decision: Decision, key: str) -> Refusal:
        """Return why the tile cannot be hidden, or why another tile cannot be revealed for it."""
        if key == "hide":
            return "no_marker_left", {}
        if not is_hex(key):
            return None
        if key == current_voyage(state).keep:
            return hex_refusal("new_tile", key)
        is_marked = key in marked_hexes(state, self.seat)
        return hex_refusal("marker_left" if is_marked else "no_tile_of_yours", key)


def hide_or_show_tile(state: "State", seat: Seat, key: str, tell: Tell) -> "State":
    """Hide the new discovery, reveal it, or hide it and reveal the older one in hex `key`."""
    spot = current_voyage(state).keep
    state = state.with_changes(voyage=replace(current_voyage(state), keep=""))
    if key == "show":
        return reveal_tile(state, spot, seat, tell)
    tell(TileHidden(seat, spot, state.tile_at[spot].key))
    if key != "hide":
        # The key is the hex of an older discovery, revealed to free its marker.
        state = reveal_tile(state, key, seat, tell)
    tell(MarkersOut(seat, len(marked_hexes(state, seat))))
    return state


def apply_find_order(state: "State", seat: Seat, tell: Tell) -> "State":
    """Hide or show the new discovery by the seat's standing order, if it has one.

    Without a free marker an order to hide shows the tile.
    """
    order = state.nations[seat].finds
    if order == "askme" or not KeepTile(seat).asks(state):
        return state
    if order == "hide" and len(marked_hexes(state, seat)) >= MARKERS_PER_SEAT:
        order = "show"
    return hide_or_show_tile(state, seat, order, tell)


def onward_hexes(state: "State", explorer: Seat) -> tuple[str, ...]:
    """Return the adjacent hexes that a seat's Explorer may explore or cross next."""
    return tuple(
        spot
        for spot in NEIGHBOURS[current_voyage(state).at]
        if not onward_refusal(state, explorer, spot)
    )


def onward_refusal(state: "State", explorer: Seat, spot: str) -> Refusal:
    """Return why a seat's Explorer cannot go on into an adjacent hex, to explore or to cross it.

    A Known hex is crossed "in order to get to another Unexplored hex", so the Explorer needs
    enough Knots left to go on from there.
    """
    refusal = exploring_refusal(state, explorer, spot)
    if not refusal or is_unknown(state, spot):
        return refusal
    # A face-down tile that its seat has already discovered is crossed like a Known hex.
    if is_enemy_hex(state, explorer, spot):
        return hex_refusal("enemy_hex", spot)
    knots = current_voyage(state).knots
    limit = knot_limit(state, explorer)
    if knots + CROSSING_KNOTS <= limit:
        return None
    return "too_many_knots", {"spot": spot, "knots": knots, "limit": limit}


class ExploreOn(Step, frozen=True):
    """Ask an Explorer with 4 Knots or fewer whether it explores another hex or Returns."""

    seat: Seat

    def asks(self, state: "State") -> bool:
        """Return whether the Explorer may go on and has somewhere to go."""
        if voyage_result(state):
            return False
        return self._can_retry(state) or bool(onward_hexes(state, self.seat))

    def _can_retry(self, state: "State") -> bool:
        """Return whether an Explorer stuck Off Course may "try again to Explore in that hex"."""
        return current_voyage(state).stuck and sum(state.cup) > 0

    def ask(self, state: "State") -> tuple[Decision, ...]:
        """Ask where to go on, whether to try again in the same hex, or to Return."""
        voyage = current_voyage(state)
        hexes = label_entries(state, self.seat, onward_hexes(state, self.seat))
        again = [Option("again", spot=voyage.at)] if self._can_retry(state) else []
        must_return = knot_limit(state, self.seat) + 1
        about = (("knots", voyage.knots), ("limit", must_return), ("spot", voyage.at))
        options = labelled_hex_options(hexes, *again, *_rest_options(state, self.seat), RETURN)
        at_once = state.nations[self.seat].sure != "each"
        return (Decision(self.seat, "explore_on", options, facts=about, at_once=at_once),)

    def take(self, state: "State", answer: Answer, tell: Tell) -> "State":
        """End the voyage, rest, or enter the next hex."""
        key = answer.keys[0]
        state = pop(state)
        if key == "return":
            return state
        if key == REST.key:
            # EndExploration is on top now. It has to stay there, above the BuildAhead that resting
            # adds: the voyage ends before the seat builds.
            rested = declare_rest(pop(state), self.seat, tell)
            return push(rested, EndExploration(self.seat))
        spot = current_voyage(state).at if key == "again" else key
        return enter_hex(state, self.seat, spot, tell)

    def refusal(self, state: "State", decision: Decision, key: str) -> Refusal:
        """Return why the Explorer cannot go on into a hex, try again, or rest."""
        if key == REST.key:
            return NOTHING_MOVES
        if key == "again":
            return ("not_stuck", {}) if sum(state.cup) else NO_MARKERS
        if not is_hex(key):
            return None
        return adjacency_refusal(state, key) or onward_refusal(state, self.seat, key)


class EndExploration(Run, frozen=True):
    """Resolution: the Explorer Returns or is Lost, by its Knots or by the Kumara Search Table."""

    seat: Seat

    def run(self, state: "State", table: Table) -> "State":
        """Bring the Explorer home or to the Lost Box; discovered ocean stays on the map."""
        voyage = current_voyage(state)
        is_lost = voyage_result(state) == "lost"
        if is_lost:
            table.tell(ExplorerLost(self.seat, voyage.knots))
        else:
            table.tell(ExplorerReturned(self.seat, voyage.knots))
        # "Flip Open Ocean Markers to their plain blue side and leave them"; Island Group and 2-Knot
        # Markers are removed with the voyage.
        charted = tuple(marker.spot for marker in voyage.markers if marker.sort == "ocean")
        if charted:
            table.tell(SeasCharted(self.seat, charted))
        explorer = "lost" if is_lost else "home"
        return state.with_changes(voyage=None).with_nation(self.seat, explorer=explorer)
