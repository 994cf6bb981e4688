"""Decides whether a turn can be taken back: only if nobody has learned anything from it.

The game is asked, not trusted: whatever a viewer cannot know is dealt again in many ways (worlds),
and if the turn would have looked different in one of them, it has told the viewer something.
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
"""Ways in which everything that a viewer cannot know is dealt again.

If a secret with two equally likely values was told, all of these worlds look alike once in
millions. Events about less even secrets say themselves that they tell one (Event.discloses).
"""
WORLDS_TRIED_FOR_MOVES = 240
"""Worlds in which a move must be possible if the options differ from world to world.

It takes so many because few worlds may be the ones without a canoe, say.
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
    """Its own seat has learned something that was hidden from it."""
    SHOWN = "shown"
    """Somebody else has learned something that was hidden from them."""


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
    """The position after the answers given so far."""
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
    """The seats that are asked and the kinds of their questions, which everybody is told."""
    decisions: tuple[Decision, ...]
    """The viewer's own questions and offers."""
    outcome: Outcome | None


def has_secrets(game: Game[Any]) -> bool:
    """Return whether anything in a game is ever hidden from anybody."""
    return getattr(type(game), "redeal", None) is not StepGame.redeal


def find_disclosure(before: Match, commit: Commit) -> Disclosure | None:
    """Return why a turn cannot be taken back; None if nobody has learned anything from it.

    The visible move itself can be taken back, chance and revealed answers never can. For
    everything else, what a viewer could not know before the turn is dealt again, and the turn is
    taken again. If it looks the same to the viewer in all those worlds, it has not told which of
    them is the real one. In doubt the turn stands.
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
        # At the end every hand is revealed.
        return Disclosure.SHOWN
    # A large stack has a canoe of each kind in nearly every world, so that trying worlds would not
    # show what such an event tells.
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
    # A seat that is asked has no standing order for that question. Everyone can tell by the wait,
    # whatever the turn was.
    asked = {
        (question.seat, game.standing.get(question.kind, ""))
        for question in (*before.asked(), *after.asked())
    }
    others = [Seat(seat) for seat in range(before.seats) if seat != commit.seat]
    for viewer in (commit.seat, None, *others):
        seen = _see_turn(before, turn, viewer)
        for number in range(WORLDS_TRIED):
            world = _deal_world(before, viewer, asked, Table(f"world-{number}-{viewer}"))
            alike = _find_matching_turns(Turn(world), turn, viewer)
            if not any(_see_turn(before, other, viewer) == seen for other in alike):
                return Disclosure.LEARNT if viewer == commit.seat else Disclosure.SHOWN
    return None if _is_always_possible(before, turn) else Disclosure.SHOWN


def _is_always_possible(before: Match, turn: Turn) -> bool:
    """Return whether a turn is possible whatever its seat holds; if not, it reveals something."""
    if all(given.ends or given.asked.secret for given in turn.given):
        return True
    # Most questions are the same in all worlds, and then there is no need to look at many.
    offered = set()
    for number in range(WORLDS_TRIED_FOR_MOVES):
        world = Position(
            before.game, before.game.redeal(before.base, None, Table(f"more-{number}"))
        )
        asked = _find_decision(Turn(world), turn.given[0].asked.seat, turn.given[0].asked.kind)
        offered.add(asked.options if asked is not None else ())
        if number >= WORLDS_TRIED and len(offered) == 1:
            break
        if next(_find_matching_turns(Turn(world), turn, None), None) is None:
            return False
    return True


def _hides_part_of_move(turn: Turn) -> bool:
    """Return whether open and secret choices make up one move, as when three of five pieces sail.

    Nobody sees which ones, but that they can sail says what some of them are.
    """
    chosen = [given for given in turn.given if not given.ends]
    is_open = any(not given.asked.secret for given in chosen)
    return is_open and any(given.asked.secret and visible(given.events, None) for given in chosen)


def _deal_world(
    before: Match, viewer: Seat | None, asked: set[tuple[Seat, str]], table: Table
) -> Position:
    """Return a position that looks the same to the viewer, with all secrets dealt again.

    Standing orders of the others are secrets, too: some of them are given at random.
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
        if (offer.seat, offer.kind) in asked:
            # Everybody knows this seat's order. The order that a seat has given is the one that it
            # is not offered.
            real_options = real[offer.seat, offer.kind]
            standing = [other for other in offer.options if other not in real_options]
            is_given = bool(standing)
            option = standing[0] if standing else option
        if is_given:
            answer = Answer(offer.seat, offer.kind, (option.key,))
            state = game.take_offer(state, answer, lambda event: None)
    return Position(game, state)


def _find_matching_turns(start: Turn, model: Turn, viewer: Seat | None) -> Iterator[Turn]:
    """Yield turns in another world whose answers look to the viewer like the model's.

    Public answers, and all of the viewer's own, are those of the model. What another seat answers
    in secret may be anything, as long as the viewer is told the same meanwhile. The likeliest turns
    come first.
    """
    seat = model.given[0].asked.seat
    told = visible(model.events, viewer)
    is_own = viewer == seat
    known = tuple(given.answer for given in model.given if is_own or not given.asked.secret)
    # Turns to go on with, each with the known answers that are still to be given.
    unfinished = [(start, known)]
    for _ in range(MAX_TRIES):
        if not unfinished:
            return
        turn, left = unfinished.pop()
        so_far = visible(turn.events, viewer)
        if so_far != told[: len(so_far)]:
            continue
        place = len(turn.given)
        at_same_place = model.given[place] if place < len(model.given) else None
        if model.given[0].asked.blocking:
            asked = turn.position.question(seat)
        elif place == 0:
            asked = _find_decision(turn, seat, model.given[0].asked.kind)
        else:
            # An offer has only one answer.
            asked = None
        if asked is None:
            if place and not left:
                yield turn
            continue
        if asked.secret and not is_own:
            answers = _possible_answers(asked, at_same_place)
        elif left and left[0].kind == asked.kind:
            answers = [left[0]]
            left = left[1:]
        else:
            continue
        for answer in reversed(answers):
            try:
                unfinished.append((_give_answer(turn, answer), left))
            except IllegalAnswer:
                continue


def _possible_answers(asked: Decision, model: Given | None) -> list[Answer]:
    """Return answers to a secret question: first the model's own, then ending it, then others."""
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
    """Return the seat's question of a kind or, before its first answer, its offer of that kind."""
    question = turn.position.question(seat)
    offers = () if turn.given else turn.position.offers
    for decision in (question, *offers):
        if decision is not None and (decision.seat, decision.kind) == (seat, kind):
            return decision
    return None


def _give_answer(turn: Turn, answer: Answer) -> Turn:
    """Return the turn with one more answer; raise IllegalAnswer if it is not legal."""
    asked = _find_decision(turn, answer.seat, answer.kind)
    if asked is None:
        raise IllegalAnswer(answer.kind)
    asked.check(answer.keys)
    game = turn.position.game
    told: list[Event] = []
    take = game.apply if asked.blocking else game.take_offer
    state = take(turn.position.state, answer, told.append)
    return Turn(Position(game, state), (*turn.given, Given(asked, answer, tuple(told))))


def _see_turn(before: Match, turn: Turn, viewer: Seat | None) -> Sight:
    """Return what a viewer sees of a turn once it is confirmed."""
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
