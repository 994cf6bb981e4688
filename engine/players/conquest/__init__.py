"""What makes a player good at Conquest of Paradise: rules of thumb for every question, and stances to choose between."""

from engine.conquest.pieces import Kinds
from engine.conquest.scoring import count
from engine.conquest.state import State
from engine.core.decision import Answer, Seat
from engine.core.table import Table
from engine.players.conquest.chief import GAME, LASTING, Chief, Stance
from engine.players.mind import Effort, Mind, Parts, Turn, ignore

STEADY = Stance("economy", odds=2.0, army=False)
EXPERT = Stance("raider", odds=0.65, raid=0.8)
STANCES = (
    (0.0, STEADY),
    (-1.0, Stance("careless", odds=2.0, army=False, hides=False, knots=2, cards_first=True, spare=0)),
    (-1.0, Stance("bold", odds=2.0, army=False, knots=4, colonies=1, spare=0, guard=2)),
    (-10.0, EXPERT),
    (-11.0, Stance("army", odds=0.65)),
)
"""The first is the steady level's; the easy level has those that are little worse; the strong one looks into all."""
INCOME = 0.4
"""Points that a Build Point brings in the end."""
PACE = 2.5
"""Points that a good empire adds in a turn, once it stands."""
WORTH = Kinds(w=1, t=0, r=0, c=1, b=1)


def turns(state: State, seat: Seat, table: Table) -> list[Turn]:
    """What each stance would do."""
    found: dict[tuple[Answer, ...], Turn] = {}
    for value, stance in STANCES:
        turn = Chief(seat, stance).turn(state)
        found.setdefault(turn.answers, Turn(turn.answers, turn.tip, value))
    return list(found.values())


def policy(state: State, seat: Seat, table: Table) -> State:
    """What the expert does."""
    tip: State = Chief(seat, EXPERT).turn(state).tip
    return tip


def estimate(state: State) -> tuple[Parts, ...]:
    """Points as they stand with all cards, and what the Villages will still bring."""
    counts = [count(state, seat, with_hidden=True) for seat in range(len(state.nations))]
    most = max(points.total for points in counts) / 2
    left = 0.0 if state.over else max(1.0, min((state.rules.goal - most) / PACE, state.rules.last_turn - state.turn))
    parts = []
    for seat, points in enumerate(counts):
        own = Kinds()
        for stack in state.stacks_of(seat):
            own = own.plus(stack.kinds)
        fade = min(1.0, left / 3)
        parts.append(
            {
                "villages": points.villages / 2,
                "groups": points.groups / 2,
                "atolls": points.atolls / 2,
                "cards": points.cards / 2,
                "kumara": points.kumara / 2,
                "income": INCOME * left * points.villages / 2,
                "pieces": fade * (0.7 * own.w + 0.4 * own.b + 0.8 * own.c + 0.2 * own.t) if left else 0.0,
            }
        )
    return tuple(parts)


def offers(state: State, seat: Seat) -> list[Turn]:
    """A card that helps from now on is shown at once."""
    hidden = state.nations[seat].hidden
    for card in LASTING:
        if card in hidden and GAME.outcome(state) is None:
            answer = Answer(seat, "reveal_card", (card,))
            return [Turn((answer,), GAME.take_offer(state, answer, ignore), 1000.0, is_offer=True)]
    return []


MIND = Mind(turns, estimate, policy, offers, temperature=1.0, effort=Effort(candidates=5, samples=(1, 1, 2), laps=4))
