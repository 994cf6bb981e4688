"""The set-up: who plays which people, the Home Island Groups, and the pieces at the start.

Steps are saved by class name and fields, so neither is ever renamed.
"""

from typing import TYPE_CHECKING

from engine.conquest.board import CHART, COSTS, HOMES, PIECES
from engine.conquest.events import HomePicked, HomesSettled, SeatReady, StartPlaced
from engine.conquest.pieces import NO_PIECES, Build, Group, Kinds, Line, pieces_of_kind
from engine.conquest.refusals import Refusal, hex_refusal, is_hex, suggest_name
from engine.core.decision import Answer, Decision, Option, Seat
from engine.core.event import Tell
from engine.core.steps import Run, Step
from engine.core.table import Table

if TYPE_CHECKING:
    from engine.conquest.state import State

START_POINTS = 4
"""Build Points of the Variable Game Start, which have to be spent in full."""
START_KINDS = ("t", "w", "b", "c", "r")
"""The kinds of pieces that may be chosen, in the order of the options."""
PEOPLE_IN_PLAY = ("tonga", "samoa", "hiva", "raiatea")
"""Two players use the first two, three players the first three, four players all."""


def people_refusal(state: "State", people: str) -> Refusal:
    """Return why a people cannot be chosen now."""
    for seat, nation in enumerate(state.nations):
        if nation.people == people:
            return "people_taken", {"people": people, "owner": seat}
    if people not in PEOPLE_IN_PLAY[: len(state.nations)]:
        return "people_not_played", {"people": people, "seats": len(state.nations)}
    return None


def unchosen_people(state: "State") -> tuple[str, ...]:
    """Return the people of this match that nobody has chosen yet."""
    return tuple(people for people in PEOPLE_IN_PLAY if not people_refusal(state, people))


class PickHome(Step, frozen=True):
    """Ask seat by seat for a people and its Home; the last seat takes what is left."""

    def asks(self, state: "State") -> bool:
        """Return whether there is still a choice."""
        return len(unchosen_people(state)) > 1

    def ask(self, state: "State") -> tuple[Decision, ...]:
        """Ask the first seat without a people."""
        seat = next(Seat(seat) for seat, nation in enumerate(state.nations) if not nation.people)
        free = unchosen_people(state)
        options = tuple(
            Option(people, spot=HOMES[people], facts=(("people", people),)) for people in free
        )
        return (Decision(seat, "pick_home", options),)

    def take(self, state: "State", answer: Answer, tell: Tell) -> "State":
        """Give the seat its people."""
        tell(HomePicked(answer.seat, answer.keys[0]))
        return state.with_nation(answer.seat, people=answer.keys[0])

    def refusal(self, state: "State", decision: Decision, key: str) -> Refusal:
        """Return why a people cannot be chosen; its Home hex is accepted as another name for it."""
        people = next((name for name, spot in HOMES.items() if spot == key), key)
        if people not in HOMES:
            return hex_refusal("no_home_there", key) if is_hex(key) else None
        return people_refusal(state, people) or suggest_name(decision, people)


class PlaceHomes(Run, frozen=True):
    """Place two Villages on each Home, one of them the capital, and two Warrior Bands.

    Seats that have not chosen a people draw one.
    """

    def run(self, state: "State", table: Table) -> "State":
        """Settle every Home; with the Variable Game Start the pieces are chosen afterwards."""
        # If players have picked their Homes, a single people is left, for the last seat.
        people = iter(table.shuffle(unchosen_people(state)))
        for seat, nation in enumerate(state.nations):
            home = nation.people or next(people)
            # Two Villages are worth two points, which are counted in halves.
            state = state.with_nation(seat, people=home, home=HOMES[home], points=4)
            state = state.with_group(Group(HOMES[home], seat, villages=2))
        table.tell(HomesSettled(tuple(nation.people for nation in state.nations)))
        if state.rules.variable_start:
            return state.with_changes(builds=(Build(),) * len(state.nations))
        for seat, nation in enumerate(state.nations):
            state = state.with_pieces(seat, nation.home, Kinds(b=2)).with_nation(seat, ashore=True)
        return state


class AddStartPiece(Step, frozen=True):
    """Variable Game Start: choose pieces worth four Build Points in secret, and free Rumors."""

    def asks(self, state: "State") -> bool:
        """Return whether a seat is still choosing."""
        return any(not build.ready for build in state.builds)

    def ask(self, state: "State") -> tuple[Decision, ...]:
        """Ask every seat that has not finished."""
        decisions = []
        for seat, build in enumerate(state.builds):
            if not build.ready:
                decisions.append(self.question(Seat(seat), build))
        return tuple(decisions)

    def question(self, seat: Seat, build: Build) -> Decision:
        """Return the question for one more piece; `done` is possible once all points are spent."""
        left = start_points_left(build)
        options = [
            Option(kind, facts=(("item", kind), ("cost", COSTS[kind])))
            for kind in START_KINDS
            if not start_piece_refusal(build, kind)
        ]
        if not left:
            options.append(Option("done", ends=True))
        return Decision(
            seat, "add_start_piece", tuple(options), facts=(("left", left),), secret=True
        )

    def take(self, state: "State", answer: Answer, tell: Tell) -> "State":
        """Add a piece, or finish."""
        key = answer.keys[0]
        build = state.builds[answer.seat]
        if key == "done":
            tell(SeatReady(answer.seat, True))
            return state.with_build(answer.seat, ready=True)
        return state.with_build(answer.seat, lines=(*build.lines, Line(key)))

    def refusal(self, state: "State", decision: Decision, key: str) -> Refusal:
        """Return why a piece cannot be chosen, or why the choice is not finished."""
        build = state.builds[decision.seat]
        if key == "done":
            return "start_points_left", {"left": start_points_left(build)}
        # These can be built only later: face-up canoes, Villages, Improved Agriculture and cards.
        if key in ("o", "v", "a", "card"):
            return "not_at_start", {"item": key}
        return start_piece_refusal(build, key) if key in START_KINDS else None


def start_points_left(build: Build) -> int:
    """Return the Build Points for start pieces that are not spent yet."""
    return START_POINTS - sum(COSTS[line.item] for line in build.lines)


def start_piece_refusal(build: Build, kind: str) -> Refusal:
    """Return why one more piece of a kind cannot be chosen at the start."""
    chosen = [line.item for line in build.lines]
    if chosen.count(kind) >= PIECES[kind]:
        return "all_chosen", {"kind": kind, "number": PIECES[kind]}
    left = start_points_left(build)
    if COSTS[kind] > left:
        return "dear_at_start", {"item": kind, "cost": COSTS[kind], "left": left}
    return None


class RevealStart(Run, frozen=True):
    """Place the chosen pieces face down on each Home."""

    def run(self, state: "State", table: Table) -> "State":
        """Place all chosen pieces at once."""
        for seat, build in enumerate(state.builds):
            kinds = NO_PIECES
            for line in build.lines:
                kinds = kinds.plus(pieces_of_kind(line.item))
            table.tell(StartPlaced(Seat(seat), kinds.total, kinds))
            state = state.with_pieces(seat, state.nations[seat].home, kinds)
        return state.with_changes(builds=())


def placed_tiles(seats: int) -> dict[str, str]:
    """Return the tiles that lie on the map from the start, by hex."""
    return {spot: tile for tile, spot in CHART.placed.get(str(seats), {}).items()}
