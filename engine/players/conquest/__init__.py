"""The computer player's knowledge of Conquest: a chief with rules of thumb, and its stances.

The strong level compares the chief's turn with turns of other stances and with other first answers,
each played on by the chief to the end of the next turn. A turn of everybody takes dozens of
answers, and a plan that changes from one answer to the next leads nowhere: so the chief's own turn
stands unless another is clearly better. The other levels have their weaknesses.

chief.py     the chief's answer to every question
stance.py    how a chief plays
errands.py   what its pieces have to do
wishes.py    what it builds
realm.py     what a seat has, and what it could settle and link
belief.py    what others may have face down
guard.py     which groups are in danger, and what they need
raids.py     which attacks are worth it, now or once an army is raised for them
battles.py   what comes of a Battle
worth.py     what Villages, chains and pieces are worth
plain.py     the plain player, which answers what the chief leaves open
"""

from functools import partial

from msgspec.structs import replace

from engine.conquest.empire import pieces_on_map
from engine.conquest.pieces import Build
from engine.conquest.scoring import count_points
from engine.conquest.state import State
from engine.core.decision import Answer, Seat
from engine.core.table import Table
from engine.players.conquest.chief import GAME, LASTING_CARDS, Chief, other_first_answers
from engine.players.conquest.plain import beginner_answer, plain_answer
from engine.players.conquest.realm import Realm
from engine.players.conquest.stance import Stance
from engine.players.conquest.worth import BUILD_POINT_VALUE, POINTS_PER_TURN
from engine.players.mind import Effect, Effort, Mind, Parts, Turn, ignore_event

EXPERT = Stance()
STANCES = (
    Stance(least_raid=-2.0, least_campaign=1.0),
    Stance(least_raid=3.0, least_campaign=10.0),
    Stance(colonies=3, knots=4),
    Stance(cards_first=True),
)
"""Other stances that are worth a thought: bolder, more peaceful, keener on land, keener on cards.
"""
STEADY = Stance(knots=2, hides=False, thrifty=False, army=False, guards=False)
DREAMER = Stance(
    knots=1,
    hides=False,
    colonies=1,
    thrifty=False,
    links=False,
    cards_first=True,
    army=False,
    guards=False,
)
GUARDED = replace(STEADY, guards=True)
TEMPERS = {
    "raider": replace(STEADY, army=True, least_raid=4.0, least_campaign=15.0),
    "gardener": replace(GUARDED, colonies=3, knots=3, hides=True),
    "trader": replace(GUARDED, thrifty=True, hides=True, knots=3),
    "hermit": replace(GUARDED, hides=True),
}
"""The steady level's stance of each character."""
PLAIN = Stance(plain=True)
EASY = (*[PLAIN] * 9, DREAMER, STEADY)
"""The stances of the easy level, one of which is drawn for each turn."""
TURNS_AHEAD = 1
"""Turns to look ahead after the current one."""
MAX_COMMITS_AHEAD = 200
"""Commits to look ahead, in case a turn takes unusually many."""
SWITCH_MARGIN = 3.0
"""Points by which another turn must be better than the chief's own to be played instead.

It is large because two samples tell little: matches of the chief alone are no worse.
"""
PIECE_VALUES = {"w": 0.7, "b": 0.4, "c": 0.8, "t": 0.2}
"""Victory Points that pieces are worth while there is time to use them."""


def turns(state: State, seat: Seat, table: Table) -> list[Turn]:
    """Return the chief's turn, then turns of other stances and with other first answers."""
    best = strong(state, seat, table)
    found = {best.answers: best}
    for stance in STANCES:
        turn = Chief(seat, stance).play_turn(state)
        found.setdefault(turn.answers, turn)
    for answer in other_first_answers(state, seat, best.answers[0]):
        turn = Chief(seat, EXPERT).play_turn(state, answer)
        found.setdefault(turn.answers, turn)
    ranked = []
    for rank, turn in enumerate(found.values()):
        ranked.append(Turn(turn.answers, turn.tip, -float(rank)))
    return ranked


class Newcomer(Chief):
    """A chief without rules of its own, who leaves everything to the beginner."""

    open_answer = staticmethod(beginner_answer)


def first_steps(state: State, seat: Seat, table: Table) -> Turn:
    """Return the turn of somebody who settles what is near and mostly links nothing."""
    chief = table.choose((Newcomer, Newcomer, Newcomer, Newcomer, Chief))
    return chief(seat, PLAIN).play_turn(state)


def strong(state: State, seat: Seat, table: Table) -> Turn:
    """Return the turn of the chief at its best."""
    return Chief(seat, EXPERT).play_turn(state)


def steady(state: State, seat: Seat, table: Table) -> Turn:
    """Return the turn of a settler who leaves others in peace."""
    return Chief(seat, STEADY).play_turn(state)


def steady_as(stance: Stance, state: State, seat: Seat, table: Table) -> Turn:
    """Return the turn of a settler with a character's stance."""
    return Chief(seat, stance).play_turn(state)


def easy_as(stance: Stance, state: State, seat: Seat, table: Table) -> Turn:
    """Return the turn of a stance that is drawn at random; one of them is a character's."""
    return Chief(seat, table.choose((*EASY[:-1], stance))).play_turn(state)


def easy(state: State, seat: Seat, table: Table) -> Turn:
    """Return the turn of a stance that is drawn at random."""
    return Chief(seat, table.choose(EASY)).play_turn(state)


def policy(state: State, seat: Seat, table: Table) -> State:
    """Return the state after the strong player's turn."""
    tip: State = strong(state, seat, table).tip
    return tip


def estimate(state: State) -> tuple[Parts, ...]:
    """Estimate final points: the current ones with all cards, and what Villages will still add."""
    counts = [count_points(state, seat, with_hidden=True) for seat in range(len(state.nations))]
    best = max(points.total for points in counts) / 2
    left = 0.0
    if not state.over:
        until_goal = (state.rules.goal - best) / POINTS_PER_TURN
        left = max(1.0, min(until_goal, state.rules.last_turn - state.turn))
    parts = []
    for seat, points in enumerate(counts):
        own = pieces_on_map(state, seat)
        fade = min(1.0, left / 3)
        parts.append(
            {
                "villages": points.villages / 2,
                "groups": points.groups / 2,
                "atolls": points.atolls / 2,
                "cards": points.cards / 2,
                "kumara": points.kumara / 2,
                "income": BUILD_POINT_VALUE * left * points.villages / 2,
                "pieces": fade * sum(worth * own.of(kind) for kind, worth in PIECE_VALUES.items()),
            }
        )
    return tuple(parts)


def is_far_enough(start: State, state: State) -> bool:
    """Return whether the turn after the next has begun: what was built has been used once."""
    return state.turn > start.turn + TURNS_AHEAD


def reopen_build_lists(state: State, seat: Seat) -> State:
    """Return the state in which everybody else has yet to make a build list."""
    builds = [
        build if other == seat or state.nations[other].out else Build()
        for other, build in enumerate(state.builds)
    ]
    return state.with_changes(builds=tuple(builds))


def offers(state: State, seat: Seat) -> list[Turn]:
    """Return the offer to reveal a card that helps from now on, if the seat has one."""
    hidden = state.nations[seat].hidden
    for card in LASTING_CARDS:
        if card in hidden and GAME.outcome(state) is None:
            answer = Answer(seat, "reveal_card", (card,))
            return [
                Turn((answer,), GAME.take_offer(state, answer, ignore_event), 1000.0, is_offer=True)
            ]
    return []


def effects(before: State, after: State, seat: Seat) -> list[Effect]:
    """Return what a turn links to the seat's Home, and where Colonies land.

    What it builds shows only later.
    """
    was = count_points(before, seat, with_hidden=True)
    now = count_points(after, seat, with_hidden=True)
    found: list[Effect] = []
    if now.groups > was.groups:
        found.append(Effect("groups", "groups", (("number", (now.groups - was.groups) // 2),)))
    if now.atolls > was.atolls:
        found.append(Effect("atolls", "atolls", (("number", now.atolls - was.atolls),)))
    landed = 0
    for spot in Realm(after, seat).free_lands:
        landed += max(0, after.pieces(seat, spot).c - before.pieces(seat, spot).c)
    if landed:
        found.append(Effect("villages", "colonies", (("number", landed),)))
    return found


MIND = Mind(
    turns,
    estimate,
    policy,
    offers,
    effort=Effort(candidates=5, samples=(1, 1), extra_turns=MAX_COMMITS_AHEAD),
    is_far_enough=is_far_enough,
    reopen_answers=reopen_build_lists,
    win_points=15.0,
    switch_margin=SWITCH_MARGIN,
    plain_answer=plain_answer,
    level_rules={
        "first_steps": first_steps,
        "easy": easy,
        "steady": steady,
        **{f"easy/{name}": partial(easy_as, stance) for name, stance in TEMPERS.items()},
        **{f"steady/{name}": partial(steady_as, stance) for name, stance in TEMPERS.items()},
    },
    chance_weights=(0.2, 0.16, 4.8),
    tastes={
        "raider": {"pieces": 1.5},
        "gardener": {"villages": 1.2, "income": 1.2},
        "trader": {"cards": 1.5},
        "hermit": {"groups": 1.3},
    },
    effects=effects,
)
