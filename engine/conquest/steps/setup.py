"""Setting up: Homes, and the pieces to begin with."""

from typing import TYPE_CHECKING

from engine.conquest.board import CHART, COSTS, HOMES, PIECES
from engine.conquest.events import HomePicked, HomesSettled, SeatReady, StartPlaced
from engine.conquest.pieces import NONE, Build, Group, Kinds, Line, one
from engine.conquest.reasons import Objection, about_hex, called, is_hex
from engine.core.decision import Answer, Decision, Option, Seat
from engine.core.event import Tell
from engine.core.steps import Run, Step
from engine.core.table import Table

if TYPE_CHECKING:
    from engine.conquest.state import State

START_POINTS = 4
START_KINDS = ("t", "w", "b", "c", "r")
PEOPLE_IN_PLAY = ("tonga", "samoa", "hiva", "raiatea")
"""Two players use Tonga and Samoa, three Hiva as well, four Raiatea."""


def people_objection(state: "State", people: str) -> Objection:
    """Return why nobody can choose that people now."""
    for seat, nation in enumerate(state.nations):
        if nation.people == people:
            return "people_taken", {"people": people, "owner": seat}
    if people not in PEOPLE_IN_PLAY[: len(state.nations)]:
        return "people_not_played", {"people": people, "seats": len(state.nations)}
    return None


def free_people(state: "State") -> tuple[str, ...]:
    """People nobody has chosen yet."""
    return tuple(people for people in PEOPLE_IN_PLAY if not people_objection(state, people))


class PickHome(Step, frozen=True):
    """Players agree where they start: seat by seat they choose, and the last takes what is left."""

    def asks(self, state: "State") -> bool:
        """While there is a choice."""
        return len(free_people(state)) > 1

    def ask(self, state: "State") -> tuple[Decision, ...]:
        """The first seat without a Home."""
        seat = next(Seat(seat) for seat, nation in enumerate(state.nations) if not nation.people)
        free = free_people(state)
        options = tuple(
            Option(people, spot=HOMES[people], facts=(("people", people),)) for people in free
        )
        return (Decision(seat, "pick_home", options),)

    def take(self, state: "State", answer: Answer, tell: Tell) -> "State":
        """The people chosen."""
        tell(HomePicked(answer.seat, answer.keys[0]))
        return state.with_nation(answer.seat, people=answer.keys[0])

    def objection(self, state: "State", decision: Decision, key: str) -> Objection:
        """A people of this match that nobody has chosen; its hex is another name for it."""
        people = next((name for name, spot in HOMES.items() if spot == key), key)
        if people not in HOMES:
            return about_hex("no_home_there", key) if is_hex(key) else None
        return people_objection(state, people) or called(decision, people)


class PlaceHomes(Run, frozen=True):
    """Two Villages on each Home, one of them the capital, and two Warrior Bands; undecided Homes
    are drawn.
    """

    def run(self, state: "State", table: Table) -> "State":
        """Homes settled and told."""
        people = iter(table.shuffle(free_people(state)))
        for seat, nation in enumerate(state.nations):
            home = nation.people or next(people)
            # Two Villages are two points, four halves.
            state = state.with_nation(seat, people=home, home=HOMES[home], points=4)
            state = state.with_group(Group(HOMES[home], seat, villages=2))
        table.tell(HomesSettled(tuple(nation.people for nation in state.nations)))
        if state.rules.variable_start:
            return state.changed(builds=(Build(),) * len(state.nations))
        for seat, nation in enumerate(state.nations):
            state = state.with_pieces(seat, nation.home, Kinds(b=2)).with_nation(seat, ashore=True)
        return state


class AddStartPiece(Step, frozen=True):
    """Variable Game Start: pieces worth exactly four Build Points, and Rumors at no cost, chosen
    in secret.
    """

    def asks(self, state: "State") -> bool:
        """Until all have chosen."""
        return any(not build.ready for build in state.builds)

    def ask(self, state: "State") -> tuple[Decision, ...]:
        """Every seat that has not finished."""
        asked = []
        for seat, build in enumerate(state.builds):
            if not build.ready:
                asked.append(self.question(Seat(seat), build))
        return tuple(asked)

    def question(self, seat: Seat, build: Build) -> Decision:
        """What still fits; `done` once all four points are spent."""
        left = start_points_left(build)
        fitting = [kind for kind in START_KINDS if not start_piece_objection(build, kind)]
        options = [Option(kind, facts=(("item", kind), ("cost", COSTS[kind]))) for kind in fitting]
        if not left:
            options.append(Option("done", ends=True))
        return Decision(
            seat, "add_start_piece", tuple(options), facts=(("left", left),), secret=True
        )

    def take(self, state: "State", answer: Answer, tell: Tell) -> "State":
        """A piece more, or the end of it."""
        key, build = answer.keys[0], state.builds[answer.seat]
        if key == "done":
            tell(SeatReady(answer.seat, True))
            return state.with_build(answer.seat, ready=True)
        return state.with_build(answer.seat, lines=(*build.lines, Line(key)))

    def objection(self, state: "State", decision: Decision, key: str) -> Objection:
        """Pieces for exactly four Build Points, as many as there are."""
        build = state.builds[decision.seat]
        if key == "done":
            return "start_points_left", {"left": start_points_left(build)}
        if key in ("o", "v", "a", "card"):
            return "not_at_start", {"item": key}
        return start_piece_objection(build, key) if key in START_KINDS else None


def start_points_left(build: Build) -> int:
    """Return the Build Points of the start that are not spent yet."""
    return START_POINTS - sum(COSTS[line.item] for line in build.lines)


def start_piece_objection(build: Build, kind: str) -> Objection:
    """Return why one more piece of a kind cannot be chosen at the start."""
    chosen = [line.item for line in build.lines]
    if chosen.count(kind) >= PIECES[kind]:
        return "all_chosen", {"kind": kind, "number": PIECES[kind]}
    left = start_points_left(build)
    if COSTS[kind] > left:
        return "dear_at_start", {"item": kind, "cost": COSTS[kind], "left": left}
    return None


class RevealStart(Run, frozen=True):
    """The chosen pieces are placed face down on each Home."""

    def run(self, state: "State", table: Table) -> "State":
        """All at once."""
        for seat, build in enumerate(state.builds):
            kinds = NONE
            for line in build.lines:
                kinds = kinds.plus(one(line.item))
            table.tell(StartPlaced(Seat(seat), kinds.total, kinds))
            state = state.with_pieces(seat, state.nations[seat].home, kinds)
        return state.changed(builds=())


def placed_tiles(seats: int) -> dict[str, str]:
    """Tiles that lie on the map from the start, by hex."""
    return {spot: tile for tile, spot in CHART.placed.get(str(seats), {}).items()}
