"""Decides whether a turn can be taken back: only if nobody has learned anything from it.

A game doesn't declare that; it is found out by experiment. Whatever a viewer cannot know is dealt
again in many ways, called worlds. If the turn would have looked different in one of them, the
viewer has learned something. A mistake here lets players undo what they have seen, so whenever the
answer is uncertain, the turn must stand.
"""

from collections.abc import Iterator
from enum import StrEnum
from typing import Any

from msgspec import Struct

from engine.core.decision import Answer, Decision, Seat
from engine.core.errors import IllegalAnswer
from engine.core.event import Event, visible
from engine.core.game import Game, Outcome, View
from engine.core.match import Match
from engine.core.position import Position
from engine.core.record import Commit
from engine.core.steps import StepGame
from engine.core.table import Table

WORLDS_TRIED = 24
"""Worlds that are tried for each viewer.

If a turn reveals a secret with two equally likely values, all these worlds look alike only once in
2 ** 24 times. Events that reveal less balanced secrets say so themselves (`Event.discloses`).
"""
WORLDS_TRIED_FOR_MOVES = 240
"""Worlds in which a move must be possible, if the options differ from world to world.

It takes so many because the worlds that forbid it, such as those without a canoe, may be rare.
"""
MAX_TRIES = 60
"""Answers tried in a world before it counts as one in which no turn looks like the real one."""


class Disclosure(StrEnum):
    """Why a turn cannot be taken back."""

    DRAWN = "drawn"
    """Dice were rolled, or something was drawn."""
    OPENED = "opened"
    """It was the last of several secret answers, and all have been revealed."""
    LEARNT = "learnt"
    """The seat that moved has learned something that was hidden from it."""
    SHOWN = "shown"
    """Somebody else has learned something that was hidden from them."""


class TurnStep(Struct, frozen=True):
    """One answer of a turn, the question or offer it was given to, and the events it caused."""

    decision: Decision
    answer: Answer
    events: tuple[Event, ...]

    @property
    def only_ends(self) -> bool:
        """Return whether the answer only ends something.

        That is always possible, so it says nothing about what else was possible.
        """
        return all(self.decision.option(key).ends for key in self.answer.keys)


class Turn(Struct, frozen=True):
    """A turn before its confirmation."""

    position: Position
    """The position after the steps so far."""
    steps: tuple[TurnStep, ...] = ()

    @property
    def events(self) -> tuple[Event, ...]:
        """Return all events of the turn so far."""
        return tuple(event for step in self.steps for event in step.events)


class Sight(Struct, frozen=True):
    """Everything a viewer sees of a turn and of the position that it leads to."""

    events: tuple[Event, ...]
    view: View
    questions: tuple[tuple[Seat, str], ...]
    """The seats that must decide and the kinds of their questions, which are public."""
    decisions: tuple[Decision, ...]
    """The viewer's own questions and offers."""
    outcome: Outcome | None


def has_secrets(game: Game[Any]) -> bool:
    """Return whether a game ever hides anything from anybody."""
    return getattr(type(game), "redeal", None) is not StepGame.redeal


def find_disclosure(before: Match, commit: Commit) -> Disclosure | None:
    """Return why a turn cannot be taken back; None if nobody has learned anything from it.

    A visible move alone can be taken back; dice and revealed answers never can. For everything
    else, deal again what a viewer could not know before the turn, and play the turn again in each
    of these worlds. If it looks the same to the viewer in all of them, it has not revealed which of
    them is the real one. If that cannot be settled, the turn stands.
    """
    before = before.without_drafts()
    after = before.replay(commit)
    game = before.game
    opened = set(game.sealed(before.base)) - set(game.sealed(after.base))
    if any(seat != commit.seat for _, seat in opened):
        return Disclosure.OPENED
    if after.draws != before.draws:
        return Disclosure.DRAWN
    if after.outcome is not None:
        # Every hand is revealed at the end.
        return Disclosure.SHOWN
    # Some events reveal what is true in nearly every world, such as that a large stack has a canoe
    # of each kind. Trying worlds would not show that.
    for event in after.last.events if after.last else ():
        if event.discloses:
            return Disclosure(event.discloses)
    if not has_secrets(game):
        return None
    turn = Turn(before.position)
    for answer in commit.answers:
        turn = _give_answer(turn, answer)
    if _hides_part_of_move(turn):
        return Disclosure.SHOWN
    # A seat that is being asked has no standing order for that question. Everyone can tell that
    # from the wait, whatever the turn was.
    public_orders = {
        (question.seat, game.standing.get(question.kind, ""))
        for question in (*before.asked(), *after.asked())
    }
    others = [Seat(seat) for seat in range(before.seats) if seat != commit.seat]
    for viewer in (commit.seat, None, *others):
        real_sight = _see_turn(before, turn, viewer)
        for number in range(WORLDS_TRIED):
            table = Table(f"world-{number}-{viewer}")
            world = _deal_world(before, viewer, public_orders, table)
            candidates = _find_matching_turns(Turn(world), turn, viewer)
            if not any(_see_turn(before, other, viewer) == real_sight for other in candidates):
                return Disclosure.LEARNT if viewer == commit.seat else Disclosure.SHOWN
    return None if _is_always_possible(before, turn) else Disclosure.SHOWN


def _is_always_possible(before: Match, turn: Turn) -> bool:
    """Return whether a turn is possible whatever its seat holds; if not, it reveals something."""
    if all(step.only_ends or step.decision.secret for step in turn.steps):
        return True
    first = turn.steps[0].decision
    # Most questions have the same options in all worlds, and then a few worlds are enough.
    offered = set()
    for number in range(WORLDS_TRIED_FOR_MOVES):
        state = before.game.redeal(before.base, None, Table(f"more-{number}"))
        world = Position(before.game, state)
        decision = _find_decision(Turn(world), first.seat, first.kind)
        offered.add(decision.options if decision is not None else ())
        if number >= WORLDS_TRIED and len(offered) == 1:
            break
        if next(_find_matching_turns(Turn(world), turn, None), None) is None:
            return False
    return True


def _hides_part_of_move(turn: Turn) -> bool:
    """Return whether open and secret choices make up one move, as when three of five pieces sail.

    Nobody sees which pieces these are, but that they can sail says what some of them are.
    """
    choices = [step for step in turn.steps if not step.only_ends]
    if all(step.decision.secret for step in choices):
        return False
    return any(step.decision.secret and visible(step.events, None) for step in choices)


def _deal_world(
    before: Match, viewer: Seat | None, public_orders: set[tuple[Seat, str]], table: Table
) -> Position:
    """Return a position that looks the same to the viewer, with all secrets dealt again.

    The others' standing orders are secrets too, so some are given at random. `public_orders` are
    the seats and kinds of orders that everybody knows.
    """
    game = before.game
    world = Position(game, game.redeal(before.base, viewer, table))
    state = world.state
    real = {(offer.seat, offer.kind): set(offer.options) for offer in before.position.offers}
    for offer in world.offers:
        is_order = offer.secret and offer.kind in game.standing.values()
        if not is_order or offer.seat == viewer:
            continue
        option = table.choose(offer.options)
        is_given = bool(table.below(2))
        if (offer.seat, offer.kind) in public_orders:
            # Give this seat the order that it really has: the one that it is not offered.
            real_options = real[offer.seat, offer.kind]
            standing = [other for other in offer.options if other not in real_options]
            is_given = bool(standing)
            option = standing[0] if standing else option
        if is_given:
            answer = Answer(offer.seat, offer.kind, (option.key,))
            state = game.take_offer(state, answer, lambda event: None)
    return Position(game, state)


def _find_matching_turns(start: Turn, model: Turn, viewer: Seat | None) -> Iterator[Turn]:
    """Yield turns in another world that may look to the viewer like the real one, `model`.

    They have the model's public answers and, if the turn is the viewer's own, all of its answers.
    What another seat answers in secret may be anything that gives the viewer the same events. The
    likeliest turns come first.
    """
    first = model.steps[0].decision
    seat = first.seat
    model_events = visible(model.events, viewer)
    is_own = viewer == seat
    known_answers = tuple(step.answer for step in model.steps if is_own or not step.decision.secret)
    # Turns to be continued, each with the known answers that are still to come.
    unfinished = [(start, known_answers)]
    for _ in range(MAX_TRIES):
        if not unfinished:
            return
        turn, remaining = unfinished.pop()
        events = visible(turn.events, viewer)
        if events != model_events[: len(events)]:
            continue
        index = len(turn.steps)
        model_step = model.steps[index] if index < len(model.steps) else None
        if first.blocking:
            decision = turn.position.question(seat)
        elif index == 0:
            decision = _find_decision(turn, seat, first.kind)
        else:
            # An offer has only one answer.
            decision = None
        if decision is None:
            if index and not remaining:
                yield turn
            continue
        if decision.secret and not is_own:
            answers = _possible_answers(decision, model_step)
        elif remaining and remaining[0].kind == decision.kind:
            answers = [remaining[0]]
            remaining = remaining[1:]
        else:
            continue
        for answer in reversed(answers):
            try:
                unfinished.append((_give_answer(turn, answer), remaining))
            except IllegalAnswer:
                continue


def _possible_answers(decision: Decision, model: TurnStep | None) -> list[Answer]:
    """Return answers to a secret question: first the model's own, then ending it, then others."""
    choices: list[tuple[str, ...]] = []
    if model is not None and model.decision.kind == decision.kind:
        choices.append(model.answer.keys)
    ending = decision.ending()
    if ending is not None:
        choices.append((ending.key,))
    number = max(1, decision.at_least)
    keys = [option.key for option in decision.options]
    choices += [tuple(keys[first : first + number]) for first in range(len(keys) - number + 1)]
    return [Answer(decision.seat, decision.kind, choice) for choice in dict.fromkeys(choices)]


def _find_decision(turn: Turn, seat: Seat, kind: str) -> Decision | None:
    """Return the seat's question of a kind or, before its first answer, its offer of that kind."""
    question = turn.position.question(seat)
    offers = () if turn.steps else turn.position.offers
    for decision in (question, *offers):
        if decision is not None and (decision.seat, decision.kind) == (seat, kind):
            return decision
    return None


def _give_answer(turn: Turn, answer: Answer) -> Turn:
    """Return the turn with one more answer; raise IllegalAnswer if it is not legal."""
    decision = _find_decision(turn, answer.seat, answer.kind)
    if decision is None:
        raise IllegalAnswer(answer.kind)
    decision.check(answer.keys)
    game = turn.position.game
    events: list[Event] = []
    take = game.apply if decision.blocking else game.take_offer
    state = take(turn.position.state, answer, events.append)
    step = TurnStep(decision, answer, tuple(events))
    return Turn(Position(game, state), (*turn.steps, step))


def _see_turn(before: Match, turn: Turn, viewer: Seat | None) -> Sight:
    """Return what a viewer sees of a turn once it is confirmed."""
    table = Table(before.dice, before.draws)
    position = Position(before.game, before.game.advance(turn.position.state, table))
    decisions = (*position.questions, *position.offers)
    return Sight(
        events=visible((*turn.events, *table.events), viewer),
        view=position.view(viewer),
        questions=tuple((question.seat, question.kind) for question in position.questions),
        decisions=tuple(decision for decision in decisions if decision.seat == viewer),
        outcome=position.outcome,
    )
