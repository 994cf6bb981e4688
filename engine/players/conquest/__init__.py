"""What makes a player good at Conquest of Paradise: a chief with rules of thumb for every question,
and its stances.

The strong level compares the chief's turn with what it would do otherwise minded or after another
beginning, each played on by the chief to the end of the next turn. A turn of all takes dozens of
answers, and a plan that is changed from one to the next is none: so the chief's own stands unless
another is clearly better. The other levels have their weaknesses.
"""

from engine.conquest.empire import on_map
from engine.conquest.pieces import Build
from engine.conquest.scoring import count
from engine.conquest.state import State
from engine.core.decision import Answer, Seat
from engine.core.table import Table
from engine.players.conquest.chief import GAME, LASTING, Chief, Stance, beginnings
from engine.players.conquest.plain import plain_answer
from engine.players.mind import Effort, Mind, Parts, Turn, ignore

EXPERT = Stance()
STANCES = (
    Stance(odds=0.5, raid=0.6),
    Stance(odds=0.8, raid=0.0),
    Stance(colonies=3, knots=4),
    Stance(cards_first=True),
)
"""Other moods of the chief that are worth a thought: bolder, more peaceful, keener on land,
keener on cards.
"""
STEADY = Stance(knots=2, hides=False, thrifty=False, army=False, raid=0.0)
DREAMER = Stance(
    knots=1,
    hides=False,
    colonies=1,
    thrifty=False,
    links=False,
    cards_first=True,
    army=False,
    raid=0.0,
)
PLAIN = Stance(plain=True)
EASY = (PLAIN, PLAIN, PLAIN, DREAMER, STEADY)
"""An easy player is of one mind today and of another tomorrow."""
AHEAD = 1
"""Turns to look ahead after the current one."""
MOST_COMMITS = 200
"""And no more commits than that."""
CAUTION = 0.7
"""Points: a plan is not dropped for less."""
INCOME = 0.4
"""Points that a Build Point brings in the end."""
PACE = 2.5
"""Points that a good empire adds in a turn, once it stands."""
PIECES = {"w": 0.7, "b": 0.4, "c": 0.8, "t": 0.2}
"""What pieces are worth while there is time to use them."""


def turns(state: State, seat: Seat, table: Table) -> list[Turn]:
    """What the chief would do, then what it would do otherwise minded or after another
    beginning.
    """
    best = strong(state, seat, table)
    found = {best.answers: best}
    for stance in STANCES:
        turn = Chief(seat, stance).turn(state)
        found.setdefault(turn.answers, turn)
    for answer in beginnings(state, seat, best.answers[0]):
        turn = Chief(seat, EXPERT).turn(state, answer)
        found.setdefault(turn.answers, turn)
    return [Turn(turn.answers, turn.tip, -float(rank)) for rank, turn in enumerate(found.values())]


def strong(state: State, seat: Seat, table: Table) -> Turn:
    """The chief at its best."""
    return Chief(seat, EXPERT).turn(state)


def steady(state: State, seat: Seat, table: Table) -> Turn:
    """A settler who leaves others in peace."""
    return Chief(seat, STEADY).turn(state)


def easy(state: State, seat: Seat, table: Table) -> Turn:
    """Now so, now so."""
    return Chief(seat, table.choose(EASY)).turn(state)


def policy(state: State, seat: Seat, table: Table) -> State:
    """What the strong player does."""
    tip: State = strong(state, seat, table).tip
    return tip


def estimate(state: State) -> tuple[Parts, ...]:
    """Points as they stand with all cards, and what the Villages will still bring."""
    counts = [count(state, seat, with_hidden=True) for seat in range(len(state.nations))]
    most = max(points.total for points in counts) / 2
    left = (
        0.0
        if state.over
        else max(1.0, min((state.rules.goal - most) / PACE, state.rules.last_turn - state.turn))
    )
    parts = []
    for seat, points in enumerate(counts):
        own = on_map(state, seat)
        fade = min(1.0, left / 3)
        parts.append(
            {
                "villages": points.villages / 2,
                "groups": points.groups / 2,
                "atolls": points.atolls / 2,
                "cards": points.cards / 2,
                "kumara": points.kumara / 2,
                "income": INCOME * left * points.villages / 2,
                "pieces": fade * sum(worth * own.of(kind) for kind, worth in PIECES.items()),
            }
        )
    return tuple(parts)


def is_far_enough(start: State, state: State) -> bool:
    """The turn after the next begins: what was built has been used once."""
    return state.turn > start.turn + AHEAD


def reopened(state: State, seat: Seat) -> State:
    """Everybody else has still to make a build list."""
    builds = [
        build if other == seat or state.nations[other].out else Build()
        for other, build in enumerate(state.builds)
    ]
    return state.changed(builds=tuple(builds))


def offers(state: State, seat: Seat) -> list[Turn]:
    """A card that helps from now on is shown at once."""
    hidden = state.nations[seat].hidden
    for card in LASTING:
        if card in hidden and GAME.outcome(state) is None:
            answer = Answer(seat, "reveal_card", (card,))
            return [Turn((answer,), GAME.take_offer(state, answer, ignore), 1000.0, is_offer=True)]
    return []


MIND = Mind(
    turns,
    estimate,
    policy,
    offers,
    effort=Effort(candidates=8, samples=(1, 1, 2), extra=MOST_COMMITS),
    until=is_far_enough,
    reopened=reopened,
    win=15.0,
    caution=CAUTION,
    plain=plain_answer,
    rules={"easy": easy, "steady": steady},
)
