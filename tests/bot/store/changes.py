"""Changes for the store that are built without a game."""

from typing import Any

from bot.kernel.change import Change
from bot.kernel.room import Room
from bot.model import MatchRecord, StoredCommit, StoredDraft


class GivenChange(Change, frozen=True, kw_only=True):
    """A change that writes the given commits and drafts."""

    stored_commits: tuple[StoredCommit, ...] = ()  # type: ignore[assignment]
    stored_drafts: tuple[StoredDraft, ...] | None = None
    seats_changed: bool = False
    awaits_computer: bool = False


def change_to(record: MatchRecord, **written: Any) -> Change:
    """Return a change that replaces the record of a match."""
    room = Room(record)
    return GivenChange(before=room, after=room, now=0, **written)
