"""Conquest of Paradise: explore the Pacific, build chains of canoes, hold an island empire.

steps/            the rulebook's steps, in the order of a turn; offers.py: possible at any time
board.py          map, tiles, cards and costs; pieces.py, state.py: the position that is saved
hexes.py          questions about a hex; empire.py: about a seat's pieces, Villages and Home
discoveries.py    voyages, Discovered Island Markers and tiles
sailing.py        where canoes may go; fleets.py, carrying.py, chains.py: fleets, cargo, Transit
battle_rolls.py   what a Battle roll means, and the Battle cards
build_list.py     a seat's Building Step on paper
cards.py          drawing and revealing Arts & Culture Cards
scoring.py        Victory Points and the ranking
events.py, sea_events.py, battle_events.py, event_base.py   what happened, for texts and pictures
view.py, view_of.py   what a viewer may know; redeal.py: everything else dealt again
sealed.py         secret answers that everybody waits for
hex_options.py    options that are hexes
refusals.py       shared parts of refusals: why something is not possible
remarks.py        remarks about a finished match
migrations.py     saves of older versions
"""

from collections.abc import Mapping
from enum import StrEnum

from engine.conquest import offers, scoring
from engine.conquest.board import (
    CARD_KEYS,
    CHART,
    COMPONENTS,
    GOALS,
    MARKERS,
    PLACES,
    SOUTH_ISLAND,
    TILES,
)
from engine.conquest.events import AnyEvent
from engine.conquest.migrations import MIGRATIONS
from engine.conquest.pieces import Nation, Rules, Tile
from engine.conquest.redeal import redeal_hidden
from engine.conquest.sealed import list_sealed_answers
from engine.conquest.state import State
from engine.conquest.steps import SECRET_STEPS
from engine.conquest.steps.after_loss import LAST_EMPIRE
from engine.conquest.steps.order import TURN_LIMIT, BeginTurn
from engine.conquest.steps.setup import (
    AddStartPiece,
    PickHome,
    PlaceHomes,
    RevealStart,
    placed_tiles,
)
from engine.conquest.steps.victory import DECLARED, vote_by_standing_order
from engine.conquest.view import ConquestView
from engine.conquest.view_of import view_of
from engine.core.decision import Answer, Decision, Seat
from engine.core.event import Line, Tell
from engine.core.game import Choice, Outcome, Point, Setting, View
from engine.core.steps import StepGame, push
from engine.core.table import Table

GOAL_STEPS = ("-3", "-2", "-1", "0", "+1", "+2", "+3")
LAST_TURNS = ("6", "12", "20", "40", "60")
SWITCH = (Choice("off"), Choice("on"))
LESSON_TURNS = 3
"""Turns of a first match with a coach."""


class Reason(StrEnum):
    """Every way in which the match can end."""

    DECLARED = DECLARED
    LAST_EMPIRE = LAST_EMPIRE
    TURN_LIMIT = TURN_LIMIT


class Conquest(StepGame[State]):
    """The game, as the catalog lists it."""

    id = "conquest"
    title = "Conquest of Paradise"
    seats = range(2, 5)
    version = 2
    settings = (
        Setting("homes", (Choice("random"), Choice("pick")), "random"),
        Setting("start", (Choice("basic"), Choice("variable")), "basic"),
        Setting("saved", SWITCH, "off"),
        Setting("malaria", SWITCH, "off"),
        Setting("south_island", SWITCH, "off"),
        Setting("kumara", SWITCH, "off"),
        Setting("goal", tuple(Choice(step) for step in GOAL_STEPS), "0"),
        Setting("last_turn", tuple(Choice(turn) for turn in LAST_TURNS), "40"),
    )
    reasons = Reason
    # These are asked even if only one answer is possible: whether a seat is asked may depend only
    # on what everybody can see.
    windows = frozenset(
        {"move_stack", "build_item", "declare_victory", "answer_victory", "show_card"}
    )
    told_apart_by: Mapping[str, tuple[str, ...]] = {
        # The key is a line's number, and lines may have been removed since.
        "drop_item": ("item", "place"),
        # The key names no hex where a piece can go to only one, which may be another one later.
        "build_item": ("only_at",),
        "build_at": (),
    }
    standing: Mapping[str, str] = {
        "give_battle_orders": "set_card_order",
        "react": "set_card_order",
        "take_casualty": "set_loss_order",
        "set_course": "set_course_order",
        "declare_victory": "set_victory_order",
        "choose_first": "set_first_order",
        "launch_explorer": "set_voyage_order",
        "explore_on": "set_voyage_order",
        "keep_tile": "set_find_order",
    }
    commit_limit = 6000
    state_type = State
    event_type = AnyEvent
    migrations = MIGRATIONS

    def setup(self, seats: int, settings: Mapping[str, str], table: Table) -> State:
        """Prepare tiles, markers and cards; Homes and start pieces are steps of their own."""
        placed = placed_tiles(seats)
        seas = CHART.placed_seas if placed else ()
        cup = [*COMPONENTS.cup.island, *COMPONENTS.cup.ocean, COMPONENTS.cup.offcourse]
        # "Randomly remove Discovery Markers": an Island Group Marker for each tile that lies on the
        # map from the start, and the Open Ocean Markers that are placed between them.
        for sort in ["island"] * len(placed) + ["ocean"] * len(seas):
            markers = []
            for n, marker_sort in enumerate(MARKERS):
                if marker_sort == sort:
                    markers += [n] * cup[n]
            cup[table.choose(markers)] -= 1
        # "Place the Te Waka Maui (the South Island) Tile to one side"; the other tiles are
        # scattered face down in the box.
        box = [key for key in TILES if key != SOUTH_ISLAND and key not in placed.values()]
        state = State(
            rules=Rules(
                goal=GOALS[seats] + int(settings["goal"]),
                last_turn=int(settings["last_turn"]),
                variable_start=settings["start"] == "variable",
                saved=settings["saved"] == "on",
                malaria=settings["malaria"] == "on",
                south_island=settings["south_island"] == "on",
                kumara=settings["kumara"] == "on",
            ),
            nations=(Nation(),) * seats,
            box=tuple(sorted(box)),
            cup=tuple(cup),
            deck=tuple(sorted(CARD_KEYS)),
            agenda=(),
            seas=seas,
            tiles=tuple(Tile(spot, key, up=True) for spot, key in sorted(placed.items())),
            maui="aside" if settings["south_island"] == "on" else "",
        )
        homes = (PickHome(),) if settings["homes"] == "pick" else ()
        start = (AddStartPiece(), RevealStart()) if settings["start"] == "variable" else ()
        return push(state, *homes, PlaceHomes(), *start, BeginTurn())

    def offers(self, state: State) -> tuple[Decision, ...]:
        """Return what seats may do at any time."""
        return offers.list_offers(state)

    def take_offer(self, state: State, answer: Answer, tell: Tell) -> State:
        """Return the state after an offer is taken."""
        return offers.take_offer(state, answer, tell)

    def standing_answer(self, state: State, seat: Seat) -> Answer | None:
        """Return the seat's answer by its standing order for the Victory Step, if it is asked."""
        return vote_by_standing_order(state, seat)

    def follows(self, state: State) -> str:
        """Return the name of the step that comes next, even if others still answer it in secret."""
        top = state.agenda[-1] if state.agenda else None
        if isinstance(top, SECRET_STEPS):
            return type(top).__name__
        return super().follows(state)

    def view(self, state: State, viewer: Seat | None) -> ConquestView:
        """Return the table as a viewer may know it."""
        return view_of(state, viewer)

    def refusal(self, state: State, decision: Decision, key: str) -> Line | None:
        """Return the rule that forbids an answer, from the step that asks or from the offer."""
        if decision.blocking:
            return super().refusal(state, decision, key)
        is_offered = any(option.key == key for option in decision.options)
        return None if is_offered else offers.offer_refusal(state, decision, key)

    def round(self, state: State) -> int:
        """Return the turn number; the set-up counts as part of the first turn."""
        return max(1, state.turn)

    def lesson_over(self, state: State) -> bool:
        """Return whether every Step has been seen, most of them several times."""
        return state.turn > LESSON_TURNS

    def places(self, view: View) -> Mapping[str, Point]:
        """Return the centre of every hex."""
        return PLACES

    def outcome(self, state: State) -> Outcome | None:
        """Return the ranking by points, Controlled groups and cards, once the match is over."""
        return scoring.outcome(state)

    def redeal(self, state: State, viewer: Seat | None, table: Table) -> State:
        """Return the state with everything that the viewer cannot know dealt again."""
        return redeal_hidden(state, viewer, table)

    def sealed(self, state: State) -> tuple[tuple[str, Seat], ...]:
        """Return the secret answers that are in: build lists, pieces in Battle, cards, votes."""
        return list_sealed_answers(state)


GAME = Conquest()
