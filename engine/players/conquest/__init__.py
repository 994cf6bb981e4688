"""What makes a player good at Conquest of Paradise: a chief with rules of thumb for every question, and its stances.

Looking ahead was tried and made it worse: a turn of all takes dozens of answers, and a plan that is changed from one to
the next is none. So the strong level is the chief at its best, and the others have their weaknesses.
"""

from engine.conquest.empire import on_map
from engine.conquest.scoring import count
from engine.conquest.state import State
from engine.core.decision import Answer, Seat
from engine.core.table import Table
from engine.players.conquest.chief import GAME, LASTING, Chief, Stance
from engine.players.mind import Effort, Mind, Parts, Turn, ignore

EXPERT = Stance()
STEADY = Stance(knots=2, hides=False, thrifty=False, army=False, raid=0.0)
DREAMER = Stance(knots=1, hides=False, colonies=1, thrifty=False, links=False, cards_first=True, army=False, raid=0.0)
PLAIN = Stance(plain=True)
EASY = (PLAIN, PLAIN, PLAIN, DREAMER, STEADY)
"""An easy player is of one mind today and of another tomorrow."""
INCOME = 0.4
"""Points that a Build Point brings in the end."""
PACE = 2.5
"""Points that a good empire adds in a turn, once it stands."""
PIECES = {"w": 0.7, "b": 0.4, "c": 0.8, "t": 0.2}
"""What pieces are worth while there is time to use them."""


def turns(state: State, seat: Seat, table: Table) -> list[Turn]:
    """What each stance would do, the strong player's first: for whoever wants to compare."""
    found: dict[tuple[Answer, ...], Turn] = {}
    for rank, stance in enumerate((EXPERT, STEADY, PLAIN)):
        turn = Chief(seat, stance).turn(state)
        found.setdefault(turn.answers, Turn(turn.answers, turn.tip, -float(rank)))
    return list(found.values())


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
    left = 0.0 if state.over else max(1.0, min((state.rules.goal - most) / PACE, state.rules.last_turn - state.turn))
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
    effort=Effort(samples=(1,), laps=0, extra=1),
    rules={"easy": easy, "steady": steady, "strong": strong},
)
