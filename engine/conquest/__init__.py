"""Conquest of Paradise: explore the Pacific, build chains of canoes, hold an island empire.

steps/            the rulebook's steps, in the order of a turn; offers.py: possible at any time
board.py          map, tiles, cards and costs; pieces.py and state.py make a position of them
hexes.py          what a hex is; empire.py what a seat has
discoveries.py    what Explorers find
sailing.py        where canoes may go; fleets.py, carrying.py, chains.py: fleets, cargo, Transit
battle_rolls.py   what a roll of a Battle means
build_list.py     a seat's Building Step on paper
cards.py          Arts & Culture Cards
scoring.py        Victory Points
events.py, sea_events.py, battle_events.py, event_base.py   what is told
view.py, view_of.py, redeal.py   what a viewer may know, made of a position; and all else dealt anew
sealed.py         what is closed until all secret answers are in
hex_options.py    options that are hexes
reasons.py        what the reasons of all steps share
remarks.py        what can be told of a match that has ended
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
from engine.conquest.redeal import redealt
from engine.conquest.sealed import sealed
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
from engine.conquest.steps.victory import DECLARED, ordered_vote
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
LESSON = 3
"""Turns of a first match with a coach."""


class Reason(StrEnum):
    """Every way the match can end."""

    DECLARED = DECLARED
    LAST_EMPIRE = LAST_EMPIRE
    TURN_LIMIT = TURN_LIMIT


class Conquest(StepGame[State]):
    """The game for the catalog."""

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
    # Asked also with one answer: whether a seat is asked may depend only on what everybody can see.
    windows = frozenset(
        {"move_stack", "build_item", "declare_victory", "answer_victory", "show_card"}
    )
    told_apart_by: Mapping[str, tuple[str, ...]] = {
        # Lines are numbered, and a list that is taken up again may have lost some.
        "drop_item": ("item", "place"),
        # Where there is one place for a piece nobody has to name it, and it may be another one
        # later.
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
        """Tiles, markers and cards made ready; Homes and first pieces are steps of their own."""
        placed = placed_tiles(seats)
        seas = CHART.placed_seas if placed else ()
        cup = [*COMPONENTS.cup.island, *COMPONENTS.cup.ocean, COMPONENTS.cup.offcourse]
        # "Randomly remove Discovery Markers": an Island Group Marker for each tile that lies on the
        # map from the start, and the Open Ocean Markers that are placed between them.
        for sort in ("island",) * len(placed) + ("ocean",) * len(seas):
            markers = []
            for n, kind in enumerate(MARKERS):
                if kind == sort:
                    markers += [n] * cup[n]
            cup[table.choose(markers)] -= 1
        # The South Island waits aside; the other tiles are scattered face down.
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
        """What may be done at any time."""
        return offers.offers(state)

    def take_offer(self, state: State, answer: Answer, tell: Tell) -> State:
        """The state after an offer was taken."""
        return offers.take_offer(state, answer, tell)

    def standing_answer(self, state: State, seat: Seat) -> Answer | None:
        """Return what the seat's order for Victory says, if that is what it is asked."""
        return ordered_vote(state, seat)

    def follows(self, state: State) -> str:
        """The run step that comes next, or the step in which the answers of others are still to
        come.
        """
        top = state.agenda[-1] if state.agenda else None
        if isinstance(top, SECRET_STEPS):
            return type(top).__name__
        return super().follows(state)

    def view(self, state: State, viewer: Seat | None) -> ConquestView:
        """The table as a viewer may know it."""
        return view_of(state, viewer)

    def objection(self, state: State, decision: Decision, key: str) -> Line | None:
        """Return the rule that stands against an answer: of the step that asks, or of the offer."""
        if decision.blocking:
            return super().objection(state, decision, key)
        is_offered = any(option.key == key for option in decision.options)
        return None if is_offered else offers.offer_objection(state, decision, key)

    def round(self, state: State) -> int:
        """The turn, in the words of the rulebook; the set-up counts to the first."""
        return max(1, state.turn)

    def lesson_over(self, state: State) -> bool:
        """Once every Step was seen, some of them several times."""
        return state.turn > LESSON

    def places(self, view: View) -> Mapping[str, Point]:
        """Every hex, as far apart as the hexes are."""
        return PLACES

    def outcome(self, state: State) -> Outcome | None:
        """Places by points, Controlled groups and cards, once the match is over."""
        return scoring.outcome(state)

    def redeal(self, state: State, viewer: Seat | None, table: Table) -> State:
        """All that the viewer cannot know dealt anew."""
        return redealt(state, viewer, table)

    def sealed(self, state: State) -> tuple[tuple[str, Seat], ...]:
        """Build lists, pieces in Battle, cards for a roll, and what is said to a Victory."""
        return sealed(state)


GAME = Conquest()
