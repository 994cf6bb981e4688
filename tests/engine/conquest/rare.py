"""Positions of Conquest shortly before questions that random matches hardly ever reach.

Add one when a kind of question comes up too rarely to be tested.
"""

from collections.abc import Callable
from random import Random

from msgspec.structs import replace

from engine import Match, begin
from engine.conquest import GAME
from engine.conquest.board import EASTERN, HOMES, in_order
from engine.conquest.offers import STANDING_ORDERS
from engine.conquest.pieces import Voyage
from engine.conquest.state import State
from engine.conquest.steps.explore import EndExploration
from engine.conquest.steps.kumara import SailEast
from engine.conquest.steps.order import EndTurn
from engine.conquest.steps.victory import CountPoints, DeclareVictory, HearDeclarations
from engine.core.steps import Step, push
from engine.core.table import Table
from tests.engine.conquest.scenes import SAMOA, TONGA, Scene
from tests.engine.conquest.wars import war

LOW_GOAL = 8
"""A goal so low that many seats of a war have reached it."""


def setup(seats: int, seed: int) -> Match:
    """Return a match in which Homes and start pieces are still to be chosen."""
    return begin(GAME, seats, {"homes": "pick", "start": "variable"}, f"rare {seed}")


def victory(seats: int, seed: int) -> Match:
    """Return a match in which several seats can declare and somebody can play Deforestation."""
    match = war(seats, seed)
    state: State = match.base
    holder = Random(seed).randrange(seats)
    if "forest" in state.deck:
        scene = Scene(seats)
        scene.state = state
        state = scene.cards(holder, "forest").state
    rules = replace(state.rules, goal=LOW_GOAL)
    return _at(
        match,
        state.with_changes(rules=rules),
        CountPoints(),
        DeclareVictory(),
        HearDeclarations(),
        EndTurn(),
    )


def search_for_kumara(seats: int, seed: int) -> Match:
    """Return a match in which an Explorer sails east."""
    rng = Random(seed)
    match = war(seats, seed)
    state: State = match.base
    seat = rng.choice(state.seats)
    step = SailEast(seat, explores=rng.random() < 0.7)
    spots = list(in_order(EASTERN))
    rng.shuffle(spots)
    for spot in spots:
        voyage = Voyage(seat, spot, kumara=True)
        there = state.with_changes(step="exploration", voyage=voyage, last=(spot,)).with_nation(
            seat, explorer="sea"
        )
        if len(step.spots(there)) > 1:
            break
    return _at(match, there, step, EndExploration(seat), CountPoints(), EndTurn())


def attack_on_a_home(seats: int, seed: int) -> Match:
    """Return a match with a strong fleet about to attack a Home.

    Its owner has other groups, and too few canoes to save all cargo.
    """
    rng = Random(seed)
    scene = Scene(seats).sea("e8", "g8").land(g7="kuporu", f6="rapa", g6="niue")
    for spot in ("g7", "f6", "g6"):
        scene.village(SAMOA, spot)
    home = HOMES["samoa"]
    scene.pieces(SAMOA, home, rng.choice(["1t 2b 1c", "1t 1b 1c", "2t 2b 2c", "1w 1t 2b 1c"]))
    scene.pieces(TONGA, "f8", rng.choice(["5w 2b", "4w 4b 1t", "6w 3b 1t 1c"]))
    scene.cards(TONGA, "clubs", "mana").cards(SAMOA, "slings", "haka", "tapa")
    for seat in (TONGA, SAMOA):
        scene.nation(seat, losses="ask", orders=rng.choice(STANDING_ORDERS["set_card_order"].keys))
    return scene.moving(TONGA).do(TONGA, f"f8,{home},all,done").match


def colonies_ashore(seats: int, seed: int) -> Match:
    """Return a match with Colonies on free groups; with Breadfruit, two settle on one."""
    rng = Random(seed)
    scene = Scene(seats).land(g8="hawaii", h9="kuporu").cards(TONGA, "breadfruit", up=True)
    scene.pieces(TONGA, "g8", "2c").pieces(TONGA, "h9", rng.choice(["1c", "2c"])).pieces(
        TONGA, "f8", "2b 1t"
    )
    scene.pieces(SAMOA, "f7", rng.choice(["1w 1t", "2b 1t", "1c 2t"])).cards(SAMOA, "adze")
    return scene.building().match


def _at(match: Match, state: State, *steps: Step) -> Match:
    """Return a match with these steps to come, run until somebody is asked."""
    begun = push(state.with_agenda(()), *steps)
    return replace(match, base=GAME.advance(begun, Table("rare")), drafts={})


RARE: tuple[Callable[[int, int], Match], ...] = (
    setup,
    victory,
    search_for_kumara,
    attack_on_a_home,
    colonies_ashore,
)
