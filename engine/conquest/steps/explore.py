"""The Exploration Step: Pre-move, Discovery, Exploring more hexes, and Resolution.

A voyage is a commit a hex: what is drawn cannot be undone, while crossing a Known hex draws nothing
and stays in the draft. To launch it waits for a confirm; at sea a choice is carried out at once,
unless its seat has ordered otherwise. `enter` puts on the agenda what a hex brings; EndExploration
lies under it all from the launch on.
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
    beside_objection,
    exploring,
    markers_out,
    reveal_seen_by_all,
    reveal_tile,
)
from engine.conquest.hex_options import labelled_hexes
from engine.conquest.hexes import (
    controlled,
    hidden_at,
    is_enemy_hex,
    is_known,
    is_unknown,
    may_move,
)
from engine.conquest.pieces import Marker, Tile, Voyage
from engine.conquest.reasons import Objection, about_hex, is_hex
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

GO_ON = 4
"""Most Knots with which an Explorer may go on."""
CROSSING = 2
"""Knots of the Explored Hex Marker: for a Known hex, another's face-down tile, or a penalty."""
MARKERS_EACH = 3
"""Discovered Island Markers of a seat."""
PASS, RETURN = Option("pass", ends=True), Option("return", ends=True)
NOTHING_MOVES: Objection = ("nothing_moves", {})
NO_MARKERS: Objection = ("no_markers_left", {})
REST = Option("rest")
"""To end the voyage, or not to begin it, and to move nothing this turn: then nobody need call
that seat for it.
"""


def limit(state: "State", seat: Seat) -> int:
    """Knots with which the seat's Explorer may go on; Poi allows one more."""
    return GO_ON + state.nations[seat].shows("poi")


def is_new_tile(state: "State", seat: Seat, spot: str) -> bool:
    """A face-down tile that the seat has not discovered."""
    tile = hidden_at(state, spot)
    return tile is not None and seat not in tile.seen


def exploring_objection(state: "State", seat: Seat, spot: str) -> Objection:
    """Return why a seat's Explorer cannot explore a hex: only the Unknown, and face-down tiles
    that it has not seen.
    """
    if is_unknown(state, spot):
        # With an empty cup nothing can be discovered, but face-down tiles can be looked at.
        return None if sum(state.cup) else NO_MARKERS
    if is_known(state, spot):
        return about_hex("known_hex", spot)
    return (
        None
        if is_new_tile(state, seat, spot)
        else ("seen_by_explorer", {"spot": spot, "explorer": seat})
    )


def with_marker(state: "State", spot: str, sort: str, knots: int) -> "State":
    """One more marker with its Knots showing, and what they mean: a card shown later changes it
    no more.
    """
    voyage = exploring(state)
    markers = (*voyage.markers, Marker(spot, sort, knots))
    voyage = replace(voyage, markers=markers)
    return state.changed(voyage=replace(voyage, result=verdict(state, voyage)))


def fate(state: "State") -> str:
    """How the voyage under way must end, '' while it may go on."""
    voyage = exploring(state)
    return voyage.result or verdict(state, voyage)


def verdict(state: "State", voyage: Voyage) -> str:
    """4 Knots or fewer: it may go on ('').

    5: it must Return. 6 or more: it is Lost, which Ocean Chart makes Return.
    """
    over = voyage.knots - limit(state, voyage.seat)
    if over <= 0:
        return ""
    if over == 1 or state.nations[voyage.seat].shows("chart"):
        return "return"
    return "lost"


class BeginExploration(Run, frozen=True):
    """A lost Explorer comes back, and that is all; else it may set out from a Controlled group."""

    seat: Seat

    def run(self, state: "State", table: Table) -> "State":
        """Recover, skip, or ask."""
        state = state.changed(step="exploration", legs=())
        nation = state.nations[self.seat]
        if nation.out:
            return state
        if nation.explorer == "lost":
            table.tell(ExplorerRecovered(self.seat))
            return state.with_nation(self.seat, explorer="home")
        launch = LaunchExplorer(self.seat)
        if controlled(state, self.seat) and launch.asks(state):
            return push(state, launch)
        table.tell(ExplorationPassed(self.seat))
        return state


def pre_move(state: "State", seat: Seat, eastern: bool = True) -> set[str]:
    """Where the Pre-move can take an Explorer from its groups: over Known hexes that are no
    enemy's.
    """
    reached = set(controlled(state, seat))
    edge = list(reached)
    for here in edge:
        for spot in NEIGHBOURS[here]:
            if spot in reached or (spot in EASTERN and not eastern):
                continue
            if is_quiet(state, seat, spot):
                reached.add(spot)
                edge.append(spot)
    return reached


def is_quiet(state: "State", seat: Seat, spot: str) -> bool:
    """Known, and no enemy's."""
    return is_known(state, spot) and not is_enemy_hex(state, seat, spot)


def entering_objection(state: "State", seat: Seat, spot: str) -> Objection:
    """Return why a voyage cannot begin in a hex: it is Known, or there is nothing left to discover
    it with.

    A face-down tile of the seat's own may be entered first, as a hex to cross.
    """
    return None if hidden_at(state, spot) is not None else exploring_objection(state, seat, spot)


def launch_spots(state: "State", seat: Seat) -> tuple[str, ...]:
    """Every hex the Explorer can enter first: next to what its Pre-move reaches, and not Known."""
    beside = {spot for here in pre_move(state, seat) for spot in NEIGHBOURS[here]}
    return in_order(spot for spot in beside if not entering_objection(state, seat, spot))


def kumara_objection(state: "State", seat: Seat) -> Objection:
    """Return why a seat cannot seek South America at all."""
    if not state.rules.kumara:
        return "kumara_not_played", {}
    return ("has_kumara", {}) if state.nations[seat].kumara else None


def kumara_spots(state: "State", seat: Seat) -> list[str]:
    """Hexes from which South America may be sought: reached without the eastern ocean."""
    if kumara_objection(state, seat):
        return []
    reached = pre_move(state, seat, eastern=False)
    return [spot for spot in CHART.to_america if spot in reached]


class LaunchExplorer(Step, frozen=True):
    """The first hex entered is asked for; where the free Pre-move runs changes nothing."""

    seat: Seat

    def asks(self, state: "State") -> bool:
        """While there is anywhere to go."""
        return bool(launch_spots(state, self.seat) or kumara_spots(state, self.seat))

    def ask(self, state: "State") -> tuple[Decision, ...]:
        """Hexes next to the Pre-move's reach, the search for Kumara, or to stay."""
        ways = ways_in(state, self.seat, launch_spots(state, self.seat))
        seekers = kumara_spots(state, self.seat)
        kumara = [Option(f"k{spot}", spot=spot, group="kumara") for spot in seekers]
        at_once = state.nations[self.seat].sure == "never"
        options = labelled_hexes(ways, *kumara, *_rest(state, self.seat), PASS)
        return (Decision(self.seat, "launch_explorer", options, at_once=at_once),)

    def take(self, state: "State", answer: Answer, tell: Tell) -> "State":
        """The voyage begun, or none."""
        key = answer.keys[0]
        if key in ("pass", REST.key):
            tell(ExplorationPassed(self.seat))
            return rest(pop(state), self.seat, tell) if key == REST.key else pop(state)
        # 'ks8' is the search for Kumara from S8, 's8' that hex explored.
        seeks_kumara = key not in NEIGHBOURS
        spot = key[1:] if seeks_kumara else key
        tell(ExplorerLaunched(self.seat, spot, seeks_kumara))
        voyage = Voyage(self.seat, spot, kumara=seeks_kumara)
        begun = state.changed(voyage=voyage, last=(spot,)).with_nation(self.seat, explorer="sea")
        begun = pop(begun, EndExploration(self.seat))
        if seeks_kumara:
            return push(begun, RollKumara(self.seat))
        return enter(begun, self.seat, spot, tell)

    def objection(self, state: "State", decision: Decision, key: str) -> Objection:
        """Only what is not Known is entered, next to where the Pre-move leads; or Kumara is
        sought.
        """
        if key == REST.key:
            return NOTHING_MOVES
        if is_hex(key):
            return entering_objection(state, self.seat, key) or about_hex("out_of_reach", key)
        spot = key[1:]
        if not key.startswith("k") or not is_hex(spot):
            return None
        if objection := kumara_objection(state, self.seat):
            return objection
        if spot not in CHART.to_america:
            return "kumara_begins", {"spots": CHART.to_america}
        return about_hex("kumara_out_of_reach", spot)


def _rest(state: "State", seat: Seat) -> list[Option]:
    """The choice to rest, for a seat that would be asked to move."""
    return [REST] if may_move(state, seat) else []


def rest(state: "State", seat: Seat, tell: Tell) -> "State":
    """The seat will not be asked to move; it may build at once, once its voyage is over."""
    tell(Resting(seat))
    return push(state.with_nation(seat, rests=True), BuildAhead(seat))


def ways_in(state: "State", seat: Seat, spots: Iterable[str]) -> dict[str, tuple[Fact, ...]]:
    """What entering each hex means, for its label, in the order of the map: '' to draw a marker."""
    ways: dict[str, tuple[Fact, ...]] = {}
    for spot in in_order(spots):
        way = "cross"
        if is_unknown(state, spot):
            way = ""
        elif is_new_tile(state, seat, spot):
            way = "look"
        ways[spot] = (("way", way),)
    return ways


def enter(state: "State", seat: Seat, spot: str, tell: Tell) -> "State":
    """The Explorer in a hex: a marker to draw, a tile to look at, or a crossing of 2 Knots.

    The rest is under it.
    """
    trail = state.last if spot in state.last else (*state.last, spot)
    voyage = replace(exploring(state), at=spot, stuck=False)
    state = state.changed(voyage=voyage, last=trail)
    if is_new_tile(state, seat, spot):
        return push(state, LookAtTile(seat), KeepTile(seat), ExploreOn(seat))
    if is_unknown(state, spot):
        return push(state, DrawMarker(seat))
    state = with_marker(state, spot, "crossed", CROSSING)
    tell(HexCrossed(seat, spot, exploring(state).knots))
    return push(state, ExploreOn(seat))


class DrawMarker(Run, frozen=True):
    """A Discovery Marker from the cup: ocean, an island with its tile, or Off Course."""

    seat: Seat

    def run(self, state: "State", table: Table) -> "State":
        """What the marker brings."""
        # The cup counts its markers by sort and Knots; every single one is as likely as any other.
        place = table.below(sum(state.cup))
        drawn = 0
        while place >= state.cup[drawn]:
            place -= state.cup[drawn]
            drawn += 1
        # None ever comes back: an Off Course Marker leaves the game at once, the others at the end
        # of the voyage.
        cup = (*state.cup[:drawn], state.cup[drawn] - 1, *state.cup[drawn + 1 :])
        state, spot = state.changed(cup=cup), exploring(state).at
        sort, knots = MARKERS[drawn], KNOTS[drawn]
        if sort != "offcourse":
            state = with_marker(state, spot, sort, knots)
        table.tell(MarkerDrawn(self.seat, spot, sort, knots, exploring(state).knots))
        if sort == "offcourse":
            return drive_off_course(state, self.seat, table.tell, table)
        if sort == "ocean":
            return push(state.changed(seas=(*state.seas, spot)), ExploreOn(self.seat))
        tile = table.choose(state.box)
        table.tell(TileFound(self.seat, spot, tile))
        state = state.changed(box=tuple(key for key in state.box if key != tile))
        state = state.with_tile(Tile(spot, tile, seen=(self.seat,)))
        state = state.changed(voyage=replace(exploring(state), keep=spot))
        state = kept_by_order(reveal_seen_by_all(state, table.tell), self.seat, table.tell)
        return push(state, KeepTile(self.seat), ExploreOn(self.seat))


class LookAtTile(Run, frozen=True):
    """Look at another seat's face-down tile: 2 Knots, and a marker on it."""

    seat: Seat

    def run(self, state: "State", table: Table) -> "State":
        """The tile seen; it turns up if everybody has seen it now."""
        spot = exploring(state).at
        tile = hidden_at(state, spot)
        state = with_marker(state, spot, "crossed", CROSSING)
        table.tell(HexCrossed(self.seat, spot, exploring(state).knots))
        if tile is None:
            return state
        table.tell(TileSeen(self.seat, spot, tile.key))
        seen = tuple(sorted((*tile.seen, self.seat)))
        state = state.with_tile(replace(tile, seen=seen))
        state = state.changed(voyage=replace(exploring(state), keep=spot))
        return kept_by_order(reveal_seen_by_all(state, table.tell), self.seat, table.tell)


def course_spots(state: "State", seat: Seat) -> list[str]:
    """Where an Explorer can be driven: neighbours that it can explore."""
    return [
        spot
        for spot in NEIGHBOURS[exploring(state).at]
        if not exploring_objection(state, seat, spot)
    ]


def drive_off_course(state: "State", seat: Seat, tell: Tell, table: Table | None = None) -> "State":
    """Off Course: the left neighbour moves the Explorer; with nowhere to go it stays, and 2 Knots
    are the penalty.

    The Explorer was already in the hex it wanted to explore: it is driven on from there, and that
    hex stays Unknown.
    """
    spots, own = course_spots(state, seat), state.nations[seat].shows("navigation")
    if len(spots) > 1:
        helm = helmsman(state, seat, own)
        course = state.nations[helm].course
        if own or course == "askme" or table is None:
            return push(state, SetCourse(seat, own))
        spots = [table.choose(by_order(state, seat, spots, course))]
    if len(spots) == 1:
        tell(OffCourseSet(seat, helmsman(state, seat, own), spots[0]))
        return enter(state, seat, spots[0], tell)
    state = with_marker(state, exploring(state).at, "crossed", CROSSING)
    voyage = exploring(state)
    tell(OffCourseStuck(seat, voyage.at, voyage.knots))
    state = state.changed(voyage=replace(voyage, stuck=True))
    return push(state, ExploreOn(seat))


def by_order(state: "State", seat: Seat, spots: list[str], course: str) -> list[str]:
    """Where a standing order drives an Explorer: far from the groups of its seat, near them, or
    anywhere.
    """
    homes = controlled(state, seat)
    if course == "lot" or not homes:
        return spots
    away = {spot: min(distance(spot, home) for home in homes) for spot in spots}
    wanted = max(away.values()) if course == "far" else min(away.values())
    return [spot for spot in spots if away[spot] == wanted]


def redirected(state: "State", tell: Tell) -> "State":
    """A tile turned up while a course is being set: with one hex left to be driven to, or none,
    nobody is asked.
    """
    top = state.agenda[-1]
    if not isinstance(top, SetCourse) or len(course_spots(state, top.seat)) > 1:
        return state
    return drive_off_course(pop(state), top.seat, tell)


def helmsman(state: "State", seat: Seat, own: bool) -> Seat:
    """Who sets the course: the next seat clockwise that is not out, or the Explorer's own."""
    if own:
        return seat
    count = len(state.nations)
    around = (Seat((seat + step) % count) for step in range(1, count))
    return next((other for other in around if not state.nations[other].out), seat)


class SetCourse(Step, frozen=True):
    """The player to the left moves an Explorer that is Off Course into a hex it can explore."""

    seat: Seat
    own: bool = False
    """Navigation lay face up when the marker was drawn: the Explorer's own seat sets the course."""

    def asks(self, state: "State") -> bool:
        """While there is anywhere to go."""
        return bool(course_spots(state, self.seat))

    def ask(self, state: "State") -> tuple[Decision, ...]:
        """The hexes around."""
        ways = ways_in(state, self.seat, course_spots(state, self.seat))
        asked = helmsman(state, self.seat, self.own)
        about = (("explorer", self.seat), ("spot", exploring(state).at))
        return (Decision(asked, "set_course", labelled_hexes(ways), facts=about),)

    def take(self, state: "State", answer: Answer, tell: Tell) -> "State":
        """The Explorer moved."""
        tell(OffCourseSet(self.seat, answer.seat, answer.keys[0]))
        return enter(pop(state), self.seat, answer.keys[0], tell)

    def objection(self, state: "State", decision: Decision, key: str) -> Objection:
        """Into a neighbour that the Explorer can explore."""
        at = exploring(state).at
        if not is_hex(key):
            return None
        if key == at:
            return about_hex("driven_away", key)
        if key not in NEIGHBOURS[at]:
            return "not_beside", {"spot": key, "at": at}
        return exploring_objection(state, self.seat, key)


class KeepTile(Step, frozen=True):
    """A discovery stays hidden under a marker or is shown; with three markers out one must come
    up first.
    """

    seat: Seat

    def asks(self, state: "State") -> bool:
        """Unless all have seen it, or it has been shown meanwhile."""
        keep = exploring(state).keep
        return bool(keep) and hidden_at(state, keep) is not None

    def ask(self, state: "State") -> tuple[Decision, ...]:
        """Hide or show; or which older discovery to show instead."""
        voyage, out = exploring(state), markers_out(state, self.seat)
        if len(out) < MARKERS_EACH:
            options = [Option("hide"), Option("show")]
        else:
            options = [Option("show"), *(Option(spot, spot=spot) for spot in out)]
        land = TILES[state.tile_at[voyage.keep].key]
        boxes = (("green", land.green), ("brown", land.brown), ("boxes", land.green + land.brown))
        about = (("spot", voyage.keep), ("tile", land.key), ("knots", voyage.knots), *boxes)
        return (Decision(self.seat, "keep_tile", tuple(options), facts=about),)

    def take(self, state: "State", answer: Answer, tell: Tell) -> "State":
        """The tile under its marker, or face up."""
        return kept(pop(state), self.seat, answer.keys[0], tell)

    def objection(self, state: "State", decision: Decision, key: str) -> Objection:
        """Hidden under one of three markers; without one left an older discovery comes up in its
        place.
        """
        if key == "hide":
            return "no_marker_left", {}
        if not is_hex(key):
            return None
        if key == exploring(state).keep:
            return about_hex("new_tile", key)
        return about_hex(
            "marker_left" if key in markers_out(state, self.seat) else "no_tile_of_yours", key
        )


def kept(state: "State", seat: Seat, key: str, tell: Tell) -> "State":
    """A discovery hidden, shown, or hidden while an older one comes up."""
    spot = exploring(state).keep
    state = state.changed(voyage=replace(exploring(state), keep=""))
    if key == "show":
        return reveal_tile(state, spot, seat, tell)
    tell(TileHidden(seat, spot, state.tile_at[spot].key))
    if key != "hide":
        # The key is an older discovery, turned up to free its marker.
        state = reveal_tile(state, key, seat, tell)
    tell(MarkersOut(seat, len(markers_out(state, seat))))
    return state


def kept_by_order(state: "State", seat: Seat, tell: Tell) -> "State":
    """The same by a standing order: hidden as long as there is a marker for it, or shown."""
    order = state.nations[seat].finds
    if order == "askme" or not KeepTile(seat).asks(state):
        return state
    if order == "hide" and len(markers_out(state, seat)) >= MARKERS_EACH:
        order = "show"
    return kept(state, seat, order, tell)


def onward_spots(state: "State", explorer: Seat) -> tuple[str, ...]:
    """Neighbours for the Explorer of that seat to explore, and those that it may cross.

    A Known hex is crossed "in order to get to another Unexplored hex": so only with Knots left to
    go on from there.
    """
    return tuple(
        spot
        for spot in NEIGHBOURS[exploring(state).at]
        if not onward_objection(state, explorer, spot)
    )


def onward_objection(state: "State", explorer: Seat, spot: str) -> Objection:
    """Return why the Explorer of a seat cannot go on into a neighbouring hex, to explore or to
    cross it.
    """
    objection = exploring_objection(state, explorer, spot)
    if not objection or is_unknown(state, spot):
        return objection
    # A face-down tile of its own is crossed like a Known hex.
    if is_enemy_hex(state, explorer, spot):
        return about_hex("enemy_hex", spot)
    knots, most = exploring(state).knots, limit(state, explorer)
    return (
        ("too_many_knots", {"spot": spot, "knots": knots, "limit": most})
        if knots + CROSSING > most
        else None
    )


class ExploreOn(Step, frozen=True):
    """With 4 Knots or fewer an Explorer may go on or return; crossing must leave it able to go
    on.
    """

    seat: Seat

    def asks(self, state: "State") -> bool:
        """While it may go on and there is anywhere to go."""
        if fate(state):
            return False
        return self._can_retry(state) or bool(onward_spots(state, self.seat))

    def _can_retry(self, state: "State") -> bool:
        """Stuck Off Course, it may "try again to Explore in that hex"."""
        return exploring(state).stuck and sum(state.cup) > 0

    def ask(self, state: "State") -> tuple[Decision, ...]:
        """Where to go on, to try again where it is stuck, or to return."""
        voyage = exploring(state)
        ways = ways_in(state, self.seat, onward_spots(state, self.seat))
        again = [Option("again", spot=voyage.at)] if self._can_retry(state) else []
        must_return = limit(state, self.seat) + 1
        about = (("knots", voyage.knots), ("limit", must_return), ("spot", voyage.at))
        options = labelled_hexes(ways, *again, *_rest(state, self.seat), RETURN)
        at_once = state.nations[self.seat].sure != "each"
        return (Decision(self.seat, "explore_on", options, facts=about, at_once=at_once),)

    def take(self, state: "State", answer: Answer, tell: Tell) -> "State":
        """Home, or into the next hex."""
        key, state = answer.keys[0], pop(state)
        if key == "return":
            return state
        if key == REST.key:
            # The voyage ends first: its end lies on top of the agenda now.
            ended = rest(pop(state), self.seat, tell)
            return push(ended, EndExploration(self.seat))
        spot = exploring(state).at if key == "again" else key
        return enter(state, self.seat, spot, tell)

    def objection(self, state: "State", decision: Decision, key: str) -> Objection:
        """On to a neighbour; a Known one costs 2 Knots and must leave it able to go on."""
        if key == REST.key:
            return NOTHING_MOVES
        if key == "again":
            return ("not_stuck", {}) if sum(state.cup) else NO_MARKERS
        if not is_hex(key):
            return None
        return beside_objection(state, key) or onward_objection(state, self.seat, key)


class EndExploration(Run, frozen=True):
    """Resolution: the Explorer comes home or is Lost, as its Knots or the Kumara table had it."""

    seat: Seat

    def run(self, state: "State", table: Table) -> "State":
        """Home or Lost; either way the ocean that was found stays on the map."""
        voyage = exploring(state)
        is_lost = fate(state) == "lost"
        if is_lost:
            table.tell(ExplorerLost(self.seat, voyage.knots))
        else:
            table.tell(ExplorerReturned(self.seat, voyage.knots))
        # Open Ocean Markers are flipped and stay; Island Group and 2-Knot Markers go with the
        # voyage.
        charted = tuple(marker.spot for marker in voyage.markers if marker.sort == "ocean")
        if charted:
            table.tell(SeasCharted(self.seat, charted))
        explorer = "lost" if is_lost else "home"
        return state.changed(voyage=None).with_nation(self.seat, explorer=explorer)
