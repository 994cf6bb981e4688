"""Decide whether a turn can be taken back: only if nobody has learned anything from it."""

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

WORLDS = 24
"""Ways to deal what a viewer cannot know. An even secret that was told looks the same in all of
them once in millions; what tells of a skewed one says so itself (Event.discloses).
"""
MORE_WORLDS = 240
"""Deals in which a move must be possible, where it is not so in all of them: few may be without
a canoe.
"""
TRIES = 60
"""Answers tried in such a world before it is taken for granted that no turn there looks like the
one in question.
"""


class Disclosure(StrEnum):
    """The reason why a turn cannot be taken back."""

    DRAWN = "drawn"
    """Dice were rolled, or something was drawn."""
    OPENED = "opened"
    """It was the last secret answer that was waited for, and all have been opened."""
    LEARNT = "learnt"
    """Its own seat has learnt something that was hidden from it."""
    SHOWN = "shown"
    """Somebody else has learnt something that was hidden from them."""


class Given(Struct, frozen=True):
    """An answer, the question or offer it was given to, and the events it caused."""

    asked: Decision
    answer: Answer
    events: tuple[Event, ...]

    @property
    def ends(self) -> bool:
        """Return whether the answer only ends something.

        Ending is always possible, so it says nothing about what else was.
        """
        return all(self.asked.option(key).ends for key in self.answer.keys)


class Turn(Struct, frozen=True):
    """A turn up to its confirmation."""

    position: Position
    """Where it leads."""
    given: tuple[Given, ...] = ()

    @property
    def events(self) -> tuple[Event, ...]:
        """Return all events of the turn so far."""
        return tuple(event for given in self.given for event in given.events)


class Sight(Struct, frozen=True):
    """Everything a viewer sees of a turn and of the position it leads to."""

    events: tuple[Event, ...]
    view: View
    asked: tuple[tuple[Seat, str], ...]
    """Who is asked what: everybody is told."""
    decisions: tuple[Decision, ...]
    """The viewer's own questions and offers."""
    outcome: Outcome | None


def has_secrets(game: Game[Any]) -> bool:
    """Return whether anything in a game is ever hidden from anybody."""
    return getattr(type(game), "redeal", None) is not StepGame.redeal


def find_disclosure(before: Match, commit: Commit) -> Disclosure | None:
    """Return why a turn can no longer be taken back; None if nobody, its own seat included, has
    learnt from it.

    The visible move itself may be taken back; chance and opened answers never may. All else is
    found out by trying: what a viewer could not know before the turn is dealt anew, and the turn is
    taken again. If it looks the same to them in all those worlds, it has not told them in which of
    them they are. In doubt the turn stands.
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
        # The end opens every hand.
        return Disclosure.SHOWN
    # A large stack all but surely has a canoe of each kind, so trying would miss what these tell.
    for event in after.last.events if after.last else ():
        if event.discloses:
            return Disclosure(event.discloses)
    if not has_secrets(game):
        return None
    turn = Turn(before.position)
    for answer in commit.answers:
        turn = _answered(turn, answer)
    if _hides_part_of_move(turn):
        return Disclosure.SHOWN
    # A seat that is asked has given no order for it. The wait tells everyone that much, whatever
    # the turn was.
    asked = {
        (question.seat, game.standing.get(question.kind, ""))
        for question in (*before.asked(), *after.asked())
    }
    others = [Seat(seat) for seat in range(before.seats) if seat != commit.seat]
    for viewer in (commit.seat, None, *others):
        seen = _sight(before, turn, viewer)
        for number in range(WORLDS):
            world = _dealt(before, viewer, asked, Table(f"world-{number}-{viewer}"))
            alike = _turns_alike(Turn(world), turn, viewer)
            if not any(_sight(before, other, viewer) == seen for other in alike):
                return Disclosure.LEARNT if viewer == commit.seat else Disclosure.SHOWN
    return None if _is_always_possible(before, turn) else Disclosure.SHOWN


def _is_always_possible(before: Match, turn: Turn) -> bool:
    """Return whether a turn is possible whatever its seat holds; if not, it reveals something."""
    if all(given.ends or given.asked.secret for given in turn.given):
        return True
    # Most questions are the same in all worlds, and then there is no need to look at many.
    offered = set()
    for number in range(MORE_WORLDS):
        world = Position(
            before.game, before.game.redeal(before.base, None, Table(f"more-{number}"))
        )
        asked = _find_decision(Turn(world), turn.given[0].asked.seat, turn.given[0].asked.kind)
        offered.add(asked.options if asked is not None else ())
        if number >= WORLDS and len(offered) == 1:
            break
        if next(_turns_alike(Turn(world), turn, None), None) is None:
            return False
    return True


def _hides_part_of_move(turn: Turn) -> bool:
    """Return whether open and secret choices make up one move, as when three of five pieces sail.

    Nobody sees which ones, but that they can sail says what some of them are.
    """
    chosen = [given for given in turn.given if not given.ends]
    is_open = any(not given.asked.secret for given in chosen)
    return is_open and any(given.asked.secret and visible(given.events, None) for given in chosen)


def _dealt(
    before: Match, viewer: Seat | None, asked: set[tuple[Seat, str]], table: Table
) -> Position:
    """Deal everything the viewer cannot know again, with any standing orders of others."""
    game = before.game
    world = Position(game, game.redeal(before.base, viewer, table))
    state = world.state
    real = {(offer.seat, offer.kind): set(offer.options) for offer in before.position.offers}
    for offer in world.offers:
        is_order = offer.secret and offer.kind in game.standing.values()
        if not is_order or offer.seat == viewer:
            continue
        # The order that stands is the one that is not offered.
        option = table.choose(offer.options)
        is_taken = bool(table.below(2))
        if (offer.seat, offer.kind) in asked:
            stands = [
                option for option in offer.options if option not in real[offer.seat, offer.kind]
            ]
            is_taken = bool(stands)
            option = stands[0] if stands else option
        if is_taken:
            state = game.take_offer(state, Answer(offer.seat, offer.kind, (option.key,)), _ignore)
    return Position(game, state)


def _ignore(event: Event) -> None:
    """Ignore an event: this turn has not really happened."""


def _turns_alike(start: Turn, model: Turn, viewer: Seat | None) -> Iterator[Turn]:
    """Take turns in another world that the viewer cannot tell from the model by its answers, the
    likeliest first.

    Open answers, and all of the viewer's own, are those of the model. What another seat answers in
    secret may be anything, as long as the viewer is told the same meanwhile.
    """
    seat = model.given[0].asked.seat
    told = visible(model.events, viewer)
    known = tuple(given.answer for given in model.given if viewer == seat or not given.asked.secret)
    unfinished = [(start, known)]
    for _ in range(TRIES):
        if not unfinished:
            return
        turn, left = unfinished.pop()
        so_far = visible(turn.events, viewer)
        if so_far != told[: len(so_far)]:
            continue
        place = len(turn.given)
        at_same_place = model.given[place] if place < len(model.given) else None
        if not model.given[0].asked.blocking:
            asked = _find_decision(turn, seat, model.given[0].asked.kind) if not place else None
        else:
            asked = turn.position.question(seat)
        if asked is None:
            if place and not left:
                yield turn
            continue
        if asked.secret and viewer != seat:
            answers = _possible_answers(asked, at_same_place)
        elif left and left[0].kind == asked.kind:
            answers = [left[0]]
            left = left[1:]
        else:
            continue
        for answer in reversed(answers):
            try:
                unfinished.append((_answered(turn, answer), left))
            except IllegalAnswer:
                continue


def _possible_answers(asked: Decision, model: Given | None) -> list[Answer]:
    """Yield answers to a secret question: the model's own, ending it, then anything else."""
    found: list[tuple[str, ...]] = []
    if model is not None and model.asked.kind == asked.kind:
        found.append(model.answer.keys)
    ending = asked.ending()
    if ending is not None:
        found.append((ending.key,))
    number = max(1, asked.at_least)
    keys = [option.key for option in asked.options]
    found += [tuple(keys[first : first + number]) for first in range(len(keys) - number + 1)]
    return [Answer(asked.seat, asked.kind, chosen) for chosen in dict.fromkeys(found)]


def _find_decision(turn: Turn, seat: Seat, kind: str) -> Decision | None:
    """Return the seat's question of that kind or, before its first answer, its offer."""
    question = turn.position.question(seat)
    offers = () if turn.given else turn.position.offers
    for decision in (question, *offers):
        if decision is not None and (decision.seat, decision.kind) == (seat, kind):
            return decision
    return None


def _answered(turn: Turn, answer: Answer) -> Turn:
    """Give one more answer; raise IllegalAnswer if it is not legal."""
    asked = _find_decision(turn, answer.seat, answer.kind)
    if asked is None:
        raise IllegalAnswer(answer.kind)
    asked.check(answer.keys)
    game = turn.position.game
    told: list[Event] = []
    take = game.apply if asked.blocking else game.take_offer
    state = take(turn.position.state, answer, told.append)
    return Turn(Position(game, state), (*turn.given, Given(asked, answer, tuple(told))))


def _sight(before: Match, turn: Turn, viewer: Seat | None) -> Sight:
    """Confirm the turn and return what a viewer sees of it."""
    table = Table(before.dice, before.draws)
    position = Position(before.game, before.game.advance(turn.position.state, table))
    decisions = (*position.questions, *position.offers)
    return Sight(
        events=visible((*turn.events, *table.events), viewer),
        view=position.view(viewer),
        asked=tuple((question.seat, question.kind) for question in position.questions),
        decisions=tuple(decision for decision in decisions if decision.seat == viewer),
        outcome=position.outcome,
    )
