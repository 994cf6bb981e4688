"""What a player knows about a game: good whole turns, and the value of a position.

A game's own knowledge is in `engine/players/<game>.py`, which exports `MIND`; nothing else names
it. A game without such a file is played by its public scores alone.
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
"""The parts of a seat's expected final points, by name."""

MAX_TURNS_LISTED = 60
"""Whole turns to look at in a game without knowledge of its own."""
MAX_SUBSETS_PER_OFFER = 30
"""Choices of options to look at in one offer."""
MAX_ANSWERS_PER_TURN = 40
"""Answers in a turn after which it is ended if it can be."""


class Turn(Struct, frozen=True):
    """A whole turn of a seat: its answers and the state after them, before dice and reveals.

    `value` ranks it among the turns of its list, in points. `is_offer` marks an offer that is
    taken instead of a turn.
    """

    answers: tuple[Answer, ...]
    tip: Any
    value: float = 0.0
    is_offer: bool = False


class Effect(Struct, frozen=True):
    """Something concrete that a turn does on the board: a reason for it, a line of [effect]."""

    part: str
    """The part of the points that it is for."""
    key: str
    facts: tuple[tuple[str, Any], ...] = ()


class Effort(Struct, frozen=True):
    """How much the strong level thinks, in counts and not in seconds, so that results repeat."""

    candidates: int = 12
    """Turns that are looked into."""
    samples: tuple[int, ...] = (1, 1, 2, 4)
    """How often each remaining turn is played out; after each of these numbers the worse half
    is dropped.
    """
    laps: int = 1
    """How often everybody has a turn before the position is judged."""
    extra_turns: int = 0
    """Turns to look ahead in addition."""

    def plies(self, seats: int) -> int:
        """Return how many turns to look ahead at a table of this size."""
        return self.laps * seats - 1 + self.extra_turns


class Outlook(Struct, frozen=True):
    """How a level looks at its turns: how many it notices, and how far it looks."""

    attention: float = 1.0
    """The share of the listed turns that it notices; it overlooks the others, points or not."""
    foresight: float = 1.0
    """How much of a turn's prospects it counts, besides the points that it brings at once: 0 for
    nothing, 1 for all.
    """
    temperature: float = 0.0
    """A turn that seems this many points worse is chosen about a third as often; at 0 the one that
    seems best is always chosen.
    """
    effort: Effort | None = None
    """How it looks ahead, None for not at all."""


def no_effects(before: Any, after: Any, seat: Seat) -> list[Effect]:
    """Return no effects, for games whose points say enough."""
    return []


def no_plain_answer(view: View, decision: Decision) -> None:
    """Return None, for games in which any answer will do."""


class Mind(Struct, frozen=True):
    """A player's knowledge of a game.

    Its functions get states in which everything hidden from the thinking seat has been dealt
    anew.
    """

    turns: Callable[[Any, Seat, Table], list[Turn]]
    """Return good whole turns of a seat that is asked, the best first; in the middle of a turn,
    good ways to finish it.
    """
    estimate: Callable[[Any], tuple[Parts, ...]]
    """Return each seat's expected final points."""
    policy: Callable[[Any, Seat, Table], Any]
    """Return the state after one good turn of the seat, before dice: how a look-ahead plays
    everybody.
    """
    offers: Callable[[Any, Seat], list[Turn]]
    """Return offers that are worth a thought."""
    outlooks: Mapping[str, Outlook] = {}
    """The levels below strong that differ from the usual ones in this game."""
    effort: Effort = Effort()
    efforts: Mapping[int, Effort] = {}
    """Efforts by number of seats, where they differ from `effort`."""
    is_far_enough: Callable[[Any, Any], bool] | None = None
    """Return whether a look-ahead that began in the first state may stop in the second. It is
    for games in which the number of turns until the next own one varies.
    """
    weigh_positions: Callable[[Any, int], list[tuple[float, Any]]] | None = None
    """Play on from a state for a number of turns, and return the positions to judge it by, with
    their weights. It is for games in which chance can be weighed, so that no samples are needed.
    """
    reopen_answers: Callable[[Any, Seat], Any] | None = None
    """Return the state with secret answers of others taken back, so that a look-ahead answers
    them by the policy; dealt anew, they would be the smallest that are legal.
    """
    win_points: float = 4.0
    """Points that winning is worth, besides the margin."""
    switch_margin: float = 0.0
    """How many points better another turn must be to be played instead of the first of the list."""
    plain_answer: Callable[[View, Decision], tuple[str, ...] | None] = no_plain_answer
    """Return the keys of a plain answer, given what the asked seat sees; None where any will do."""
    level_rules: Mapping[str, Callable[[Any, Seat, Table], Turn]] = {}
    """How a level finds its turn, in games where rules of thumb play better than look-aheads.

    A key such as 'steady/raider' is for one character.
    """
    chance_weights: tuple[float, ...] = ()
    """How much a point of expected lead says about who will win, after each of
    `review.CHANCE_SHARES` of a match; empty in a game whose matches nobody has counted.
    """
    tastes: Mapping[str, Mapping[str, float]] = {}
    """By character: what it counts a part of its own points for, times what the part brings.

    Parts that are not named count for what they bring.
    """
    effects: Callable[[Any, Any, Seat], list[Effect]] = no_effects
    """Return what a seat's turn does, given the states before and after it, the most telling first.

    A player and everybody else may read it, so it never speaks of 'you'.
    """

    def effort_in(self, state: Any) -> Effort:
        """Return how much to think in a state: this depends on the number of seats."""
        if not self.efforts:
            return self.effort
        seats = len(self.estimate(state))
        return self.efforts.get(seats, self.effort)


def ignore_event(event: Event) -> None:
    """Ignore an event: what is only thought has not happened."""


def no_offers(state: Any, seat: Seat) -> list[Turn]:
    """Return no offers, for games without any."""
    return []


def question_for(game: Game[Any], state: Any, seat: Seat) -> Decision | None:
    """Return the question that the seat must answer, if there is one."""
    return next((question for question in game.questions(state) if question.seat == seat), None)


def forced_answer(game: Game[Any], question: Decision) -> Answer | None:
    """Return the answer that a match gives by itself within a turn, if there is only one."""
    return None if question.kind in game.windows else question.only_answer()


def mind_of(game: Game[Any]) -> Mind:
    """Return what is known about a game."""
    return find_mind(game.id) or make_plain_mind(game)


@cache
def find_mind(game_id: str) -> Mind | None:
    """Return the mind of a game that has a file of its own here."""
    name = f"{__package__}.{game_id}"
    if find_spec(name) is None:
        return None
    found = getattr(import_module(name), "MIND", None)
    return found if isinstance(found, Mind) else None


def make_plain_mind(game: Game[Any]) -> Mind:
    """Return a mind for a game without one: random turns, judged by the public scores."""

    def estimate(state: Any) -> tuple[Parts, ...]:
        return tuple({"score": points} for points in game.view(state, None).scores)

    def value(state: Any, seat: Seat) -> float:
        scores = game.view(state, None).scores
        best_rival = max(points for other, points in enumerate(scores) if other != seat)
        return float(scores[seat] - best_rival)

    def turns(state: Any, seat: Seat, table: Table) -> list[Turn]:
        # One turn more than wanted shows whether there are too many.
        first_turns = islice(walk_turns(game, state, seat), MAX_TURNS_LISTED + 1)
        found = {turn.answers: turn for turn in first_turns}
        if len(found) > MAX_TURNS_LISTED:
            # The first ones would all begin alike, so look at random ones instead.
            drawn = [play_random_turn(game, state, seat, table) for _ in range(MAX_TURNS_LISTED)]
            found = {turn.answers: turn for turn in drawn}
        valued = [
            Turn(turn.answers, turn.tip, value=value(turn.tip, seat)) for turn in found.values()
        ]
        return sorted(valued, key=lambda turn: -turn.value)

    def policy(state: Any, seat: Seat, table: Table) -> Any:
        return play_random_turn(game, state, seat, table).tip

    def offers(state: Any, seat: Seat) -> list[Turn]:
        taken = []
        for offer in game.offers(state):
            if offer.seat != seat:
                continue
            for keys in islice(list_key_choices(offer), MAX_SUBSETS_PER_OFFER):
                answer = Answer(seat, offer.kind, keys)
                tip = game.take_offer(state, answer, ignore_event)
                taken.append(Turn((answer,), tip, value(tip, seat), is_offer=True))
        return taken

    effort = Effort(candidates=24, samples=(3, 4, 6, 12), laps=2)
    return Mind(turns, estimate, policy, offers, effort=effort)


def list_key_choices(decision: Decision) -> Iterator[tuple[str, ...]]:
    """Yield every legal choice of options, as keys."""
    keys = [option.key for option in decision.options]
    for size in range(decision.at_least, decision.at_most + 1):
        yield from combinations(keys, size)


def walk_turns(
    game: Game[Any], state: Any, seat: Seat, begun: tuple[Answer, ...] = ()
) -> Iterator[Turn]:
    """Yield every whole turn that begins with these answers."""
    question = question_for(game, state, seat)
    if question is None:
        yield Turn(begun, state)
        return
    if len(begun) >= MAX_ANSWERS_PER_TURN:
        # Some games let a turn go on and on; such turns are left out.
        return
    # A match gives forced answers by itself, except the first of a turn.
    only = forced_answer(game, question) if begun else None
    choices = iter([only.keys]) if only else list_key_choices(question)
    for keys in choices:
        answer = only or Answer(seat, question.kind, keys)
        after = game.apply(state, answer, ignore_event)
        yield from walk_turns(game, after, seat, (*begun, answer))


def play_random_turn(game: Game[Any], state: Any, seat: Seat, table: Table) -> Turn:
    """Return a random whole turn."""
    answers: list[Answer] = []
    while (question := question_for(game, state, seat)) is not None:
        answer = forced_answer(game, question) if answers else None
        if answer is None:
            ending = question.ending() if len(answers) >= MAX_ANSWERS_PER_TURN else None
            keys = (ending.key,) if ending else pick_random_keys(question, table)
            answer = Answer(seat, question.kind, keys)
        answers.append(answer)
        state = game.apply(state, answer, ignore_event)
    return Turn(tuple(answers), state)


def pick_random_keys(decision: Decision, table: Table) -> tuple[str, ...]:
    """Return a random legal choice of options."""
    size = decision.at_least + table.below(decision.at_most - decision.at_least + 1)
    keys = [option.key for option in decision.options]
    if size == 1:
        return (table.choose(keys),)
    chosen = set(table.shuffle(keys)[:size])
    return tuple(key for key in keys if key in chosen)


def turn_from_keys(
    game: Game[Any], state: Any, seat: Seat, keys: tuple[str, ...], value: float = 0.0
) -> Turn:
    """Return the whole turn that these keys make, one key per answer.

    Answers that a match gives by itself may be left out.
    """
    answers: list[Answer] = []
    rest = list(keys)
    while (question := question_for(game, state, seat)) is not None:
        answer = forced_answer(game, question) if answers else None
        if answer is None:
            answer = Answer(seat, question.kind, (rest.pop(0),))
        elif rest and answer.keys == (rest[0],):
            del rest[0]
        answers.append(answer)
        state = game.apply(state, answer, ignore_event)
    return Turn(tuple(answers), state, value)
