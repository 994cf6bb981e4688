"""Describe how a finished match has changed its players' ratings, in a line of a post.

The rules of rating are in rules.py; here they are only put into words.
"""

from collections.abc import Sequence

from bot.features.ratings.records import Kind, RatingChange
from bot.features.ratings.rules import results_of
from bot.kernel.room import Room
from bot.model import COMPUTER
from bot.text import say
from engine.core.escape import escape_text


def describe_changes(room: Room, changes: Sequence[RatingChange]) -> str:
    """Return how a match has changed ratings, or why it has not; '' for a solo match."""
    if sum(result.user != COMPUTER for result in results_of(room)) < 2:
        return ""
    lines = []
    why = _why_not_rated(room)
    if why:
        lines.append(say("standing.not_rated", why=say(f"standing.{why}")))
    if changes:
        all_provisional = all(change.now.is_provisional for change in changes)
        each = [_describe_change(change, not all_provisional) for change in changes]
        # If those who stayed are not rated, only those who left have lost something.
        key = "standing.changes_for_leaving" if why else "standing.changes"
        joined = say("list.semicolon").join(each)
        lines.append(say(key, changes=joined, provisional=all_provisional))
    return " ".join(lines)


def _describe_change(change: RatingChange, with_mark: bool) -> str:
    gain = change.now.shown - change.was.shown
    return say(
        "standing.change",
        name=escape_text(change.name),
        change=f"{gain:+}".replace("-", "−") if gain else "±0",
        rating=change.now.shown,
        provisional=with_mark and change.now.is_provisional,
    )


def _why_not_rated(room: Room) -> str:
    """Return the text key of the reason why those who stayed are not rated; '' if they are."""
    stayed = [result for result in results_of(room) if result.user and not result.has_left]
    if not stayed or room.record.terms.lesson:
        return ""
    kind = stayed[0].kind
    if kind is Kind.SOLO:
        return ""
    if kind in (Kind.RESIGNED, Kind.ABANDONED):
        return "why_left_alone"
    if kind is Kind.UNRATED:
        return "why_unrated"
    return "" if stayed[0].counts else "why_too_short"
