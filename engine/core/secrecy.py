"""What a commit has given away: whether it can be taken back as if it had never been."""

from typing import Any

from msgspec.structs import replace

from engine.core.decision import Decision, Seat
from engine.core.errors import EngineError
from engine.core.event import Event, visible
from engine.core.game import Game, View
from engine.core.match import Match
from engine.core.record import Commit, Draft
from engine.core.steps import StepGame
from engine.core.table import Table

WORLDS = 12
"""Ways to deal what a viewer cannot know. A secret that was shown looks the same in all of them once in thousands."""

Known = tuple[View, tuple[Event, ...]]
"""What a viewer sees, and what they were told."""


def has_secrets(game: Game[Any]) -> bool:
    """Whether anything in a game is ever hidden from anybody."""
    return getattr(type(game), "redeal", None) is not StepGame.redeal


def tells_secrets(before: Match, commit: Commit) -> bool:
    """Whether a turn has shown anybody, its own seat too, what they could not know before: when in doubt, it has.

    Dice and draws are such a thing, and so are answers that were given in secret, once the last of them is in. All
    else is found out by trying: what a viewer cannot know is dealt anew, and the same turn is taken. If that looks the
    same to them in all those worlds, it has told them nothing.
    """
    before = before.without_drafts()
    after = before.replay(commit)
    if after.draws != before.draws or after.outcome is not None:
        return True
    asked, tip = _walked(before, commit)
    if any(decision.secret for decision in asked) and _others(before, commit.seat) != _others(after, commit.seat):
        return True
    # An answer that stays hidden tells nothing by itself; only what came of it may.
    stays_hidden = all(decision.secret for decision in asked)
    for viewer in (None, *(Seat(seat) for seat in range(before.seats))):
        knows_answers = stays_hidden or viewer == commit.seat
        stood = tip if knows_answers else before.base
        for world in range(WORLDS):
            dealt = before.game.redeal(stood, viewer, Table(f"world-{world}"))
            if dealt == stood:
                continue
            try:
                if knows_answers:
                    alike = _advanced(before, dealt, viewer) == _advanced(before, tip, viewer)
                else:
                    alike = _replayed(before, dealt, commit, viewer) == _replayed(before, stood, commit, viewer)
            except EngineError:
                # That it was possible at all tells what its seat had.
                return True
            if not alike:
                return True
    return False


def _walked(before: Match, commit: Commit) -> tuple[list[Decision], Any]:
    """The questions or the offer that a turn answers, and the state that its answers alone lead to."""
    first = commit.answers[0]
    for offer in before.offers(commit.seat):
        if offer.kind == first.kind:
            return [offer], before.game.take_offer(before.base, first, lambda event: None)
    drafted = before.redrafted(commit.seat, commit.answers).draft(commit.seat)
    asked, step = [], drafted
    while step.answers:
        earlier = step.before or Draft((), (), before.position, before.position.question(commit.seat), None)
        if earlier.question:
            asked.append(earlier.question)
        step = earlier
    return asked, drafted.tip


def _others(match: Match, seat: Seat) -> set[tuple[Seat, str]]:
    """Who else is asked what."""
    return {(question.seat, question.kind) for question in match.asked() if question.seat != seat}


def _advanced(before: Match, state: Any, viewer: Seat | None) -> Known:
    table = Table(before.dice, before.draws)
    return before.game.view(before.game.advance(state, table), viewer), visible(table.events, viewer)


def _replayed(before: Match, state: Any, commit: Commit, viewer: Seat | None) -> Known:
    after = replace(before, base=state).replay(commit)
    return after.view(viewer), visible(after.last.events if after.last else (), viewer)
