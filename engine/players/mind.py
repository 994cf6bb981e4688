"""What a player knows about a game: good whole turns, and the value of a position.

A game's own knowledge is `engine/players/<game>.py`, which exports `MIND`; nothing else names it. A
game without such a file is played on its scores alone.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from itertools import combinations, islice
from typing import Any

from msgspec import Struct

from engine.core.decision import Answer, Decision, Seat
from engine.core.event import Event
from engine.core.game import Game, View
from engine.core.table import Table

Parts = Mapping[str, float]
"""What a seat's expected final points are made of: names and points."""

MOST_TURNS = 60
"""Whole turns to look at in a game without knowledge of its own."""
MOST_SUBSETS = 30
PATIENCE = 40
"""Answers in a random turn after which a sequence is ended if it can be."""


class Turn(Struct, frozen=True):
    """A whole turn of a seat: its answers and the state after them, before dice and reveals.

    `value` ranks it among the turns of its list, in points. `is_offer` marks an offer that is taken
    instead.
    """

    answers: tuple[Answer, ...]
    tip: Any
    value: float = 0.0
    is_offer: bool = False


class Effort(Struct, frozen=True):
    """How much the strong level thinks, in counts, never in seconds: a position has one answer."""

    candidates: int = 12
    samples: tuple[int, ...] = (1, 1, 2, 4)
    """How often each turn that is still in the running is played on; after each number the worse
    half is dropped.
    """
    laps: int = 1
    """How often everybody has a turn before the position is judged."""
    extra: int = 0
    """How many turns more."""
    watched: int | None = None
    """How many turns of others are thought about before they are played without thought; None
    for all.
    """

    def plies(self, seats: int) -> int:
        """Return how many turns to look ahead at a table of this size."""
        return self.laps * seats - 1 + self.extra


def no_counsel(view: View, decision: Decision) -> None:
    """Leave the answer open, for games in which any will do."""


class Mind(Struct, frozen=True):
    """A player's knowledge of a game.

    Its functions get states in which nothing is hidden from the seat that thinks.
    """

    turns: Callable[[Any, Seat, Table], list[Turn]]
    """Good whole turns of a seat that is asked, the best first."""
    estimate: Callable[[Any], tuple[Parts, ...]]
    """By seat: expected final points."""
    policy: Callable[[Any, Seat, Table], Any]
    """The state after one plain good turn of the seat, before dice: how a look-ahead plays
    everybody.
    """
    offers: Callable[[Any, Seat], list[Turn]]
    """Offers that are worth a thought."""
    temperature: float = 2.0
    """How many points worse a turn is that the easy level makes about a third as often."""
    effort: Effort = Effort()
    efforts: Mapping[int, Effort] = {}
    """By number of seats, where it is another."""
    until: Callable[[Any, Any], bool] | None = None
    """Whether a look-ahead that began in the first state has gone far enough in the second, where
    the number of turns to the next own one varies.
    """
    rest: Callable[[Any, Seat], Any] | None = None
    """The state after a turn that costs no thought: how a look-ahead plays others later on. Where
    players hardly get in each other's way it can then look much further ahead.
    """
    reopened: Callable[[Any, Seat], Any] | None = None
    """The state with all that others have answered in secret taken back, so that a look-ahead
    answers it by the policy: dealt anew it would be the least that is legal.
    """
    win: float = 4.0
    """Points that winning is worth beside the margin by which it is won."""
    caution: float = 0.0
    """By how many points another turn must come out better than the first of the list to be made
    instead of it.
    """
    plain: Callable[[View, Decision], tuple[str, ...] | None] = no_counsel
    """The keys of a plain answer to a question, given what the asked seat sees; None where any
    will do.
    """
    rules: Mapping[str, Callable[[Any, Seat, Table], Turn]] = {}
    """By level: how its turn is found in a game where rules of thumb play better than lists and
    look-aheads do.
    """

    def effort_in(self, state: Any) -> Effort:
        """Return how much to think at a table of this size."""
        return (
            self.efforts.get(len(self.estimate(state)), self.effort)
            if self.efforts
            else self.effort
        )


def ignore(event: Event) -> None:
    """Ignore an event: nobody is told what is only thought."""


def no_offers(state: Any, seat: Seat) -> list[Turn]:
    """Return no offers, for games without any."""
    return []


def question_to(game: Game[Any], state: Any, seat: Seat) -> Decision | None:
    """Return what the seat must answer."""
    return next((question for question in game.questions(state) if question.seat == seat), None)


def forced(game: Game[Any], question: Decision) -> Answer | None:
    """Return the answer that a match would give by itself within a turn."""
    return None if question.kind in game.windows else question.only_answer()


def mind_of(game: Game[Any]) -> Mind:
    """Return what is known about a game."""
    return _known_mind(game.id) or _plain_mind(game)


@cache
def _known_mind(game_id: str) -> Mind | None:
    name = f"{__package__}.{game_id}"
    found = getattr(import_module(name), "MIND", None) if find_spec(name) is not None else None
    return found if isinstance(found, Mind) else None


def _plain_mind(game: Game[Any]) -> Mind:
    """Return the mind for a game without one: any turns, judged by the public scores."""

    def estimate(state: Any) -> tuple[Parts, ...]:
        return tuple({"score": points} for points in game.view(state, None).scores)

    def value(state: Any, seat: Seat) -> float:
        scores = game.view(state, None).scores
        return float(
            scores[seat] - max(points for other, points in enumerate(scores) if other != seat)
        )

    def turns(state: Any, seat: Seat, table: Table) -> list[Turn]:
        found = {
            turn.answers: turn for turn in islice(_all_turns(game, state, seat), MOST_TURNS + 1)
        }
        if len(found) > MOST_TURNS:
            # Too many to look at all: some at random, so that no kind of turn is left out.
            drawn = (_random_turn(game, state, seat, table) for _ in range(MOST_TURNS))
            found = {turn.answers: turn for turn in drawn}
        ranked = [Turn(turn.answers, turn.tip, value(turn.tip, seat)) for turn in found.values()]
        return sorted(ranked, key=lambda turn: -turn.value)

    def policy(state: Any, seat: Seat, table: Table) -> Any:
        return _random_turn(game, state, seat, table).tip

    def offers(state: Any, seat: Seat) -> list[Turn]:
        taken = []
        for offer in game.offers(state):
            if offer.seat == seat:
                for keys in islice(_subsets(offer), MOST_SUBSETS):
                    answer = Answer(seat, offer.kind, keys)
                    tip = game.take_offer(state, answer, ignore)
                    taken.append(Turn((answer,), tip, value(tip, seat), is_offer=True))
        return taken

    return Mind(
        turns, estimate, policy, offers, effort=Effort(candidates=24, samples=(3, 4, 6, 12), laps=2)
    )


def _subsets(decision: Decision) -> Iterator[tuple[str, ...]]:
    keys = [option.key for option in decision.options]
    for size in range(decision.at_least, decision.at_most + 1):
        yield from combinations(keys, size)


def _all_turns(
    game: Game[Any], state: Any, seat: Seat, begun: tuple[Answer, ...] = ()
) -> Iterator[Turn]:
    """Yield every whole turn that begins with these answers."""
    question = question_to(game, state, seat) if len(begun) < PATIENCE else None
    if question is None:
        if question_to(game, state, seat) is None:
            yield Turn(begun, state)
        return
    only = forced(game, question) if begun else None
    answers = [only] if only else (Answer(seat, question.kind, keys) for keys in _subsets(question))
    for answer in answers:
        yield from _all_turns(game, game.apply(state, answer, ignore), seat, (*begun, answer))


def _random_turn(game: Game[Any], state: Any, seat: Seat, table: Table) -> Turn:
    """Return a whole turn at random."""
    answers: list[Answer] = []
    while (question := question_to(game, state, seat)) is not None:
        answer = forced(game, question) if answers else None
        if answer is None:
            ending = question.ending() if len(answers) >= PATIENCE else None
            keys = (ending.key,) if ending else _random_keys(question, table)
            answer = Answer(seat, question.kind, keys)
        answers.append(answer)
        state = game.apply(state, answer, ignore)
    return Turn(tuple(answers), state)


def _random_keys(decision: Decision, table: Table) -> tuple[str, ...]:
    size = decision.at_least + table.below(decision.at_most - decision.at_least + 1)
    keys = [option.key for option in decision.options]
    if size == 1:
        return (table.choose(keys),)
    chosen = set(table.shuffle(keys)[:size])
    return tuple(key for key in keys if key in chosen)


def turn_of(
    game: Game[Any], state: Any, seat: Seat, keys: tuple[str, ...], value: float = 0.0
) -> Turn:
    """Return the whole turn that these keys make, one per answer.

    Answers that a match gives by itself may be left out.
    """
    answers: list[Answer] = []
    rest = list(keys)
    while (question := question_to(game, state, seat)) is not None:
        answer = forced(game, question) if answers else None
        if answer is None:
            answer = Answer(seat, question.kind, (rest.pop(0),))
        elif rest and answer.keys == (rest[0],):
            del rest[0]
        answers.append(answer)
        state = game.apply(state, answer, ignore)
    return Turn(tuple(answers), state, value)
