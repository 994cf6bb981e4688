"""What a feature adds to the kernel."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from msgspec import Struct

from bot.kernel.change import Follower, Need, Subscriber
from bot.kernel.room import Post, Room
from bot.model.jobs import Job
from bot.store.sql import Write

JobHandler = Callable[[Job], Awaitable[None]]


class PostExtras(Struct, frozen=True):
    """What a feature adds to a public post, and has written when it has been made."""

    mentions: tuple[int, ...] = ()
    """Who is mentioned in it."""
    jobs: tuple[Job, ...] = ()
    writes: tuple[Write, ...] = ()
    on_sent: Callable[[], Awaitable[None]] | None = None
    """Called when it is there, before that is noted."""
    on_noted: Callable[[], None] | None = None
    """Called when all of it is written."""


PostFollower = Callable[[Post], Awaitable[PostExtras]]


class Parts(Struct, frozen=True, kw_only=True):
    """The running parts of a feature: what it offers, and where it takes part in the life of a
    match.
    """

    services: tuple[object, ...] = ()
    """Found by others by their class: see services.py."""
    jobs: Mapping[str, JobHandler] = {}
    """What runs when a job of a kind is due."""
    deadlines: tuple[str, ...] = ()
    """Kinds of jobs that could cost a player something: they wait for as long as the bot was
    down.
    """
    needs: tuple[Need[Any], ...] = ()
    """What its followers have to know about a match, besides the match."""
    auto_moves: tuple[Follower, ...] = ()
    """Make moves that somebody has written down before, such as a plan whose turn has come.

    They run first.
    """
    extenders: tuple[Follower, ...] = ()
    """May do more to the match because of a change, such as a vote that it decides.

    They run next.
    """
    followers: tuple[Follower, ...] = ()
    """Add to every change what follows from it, in the same transaction."""
    subscribers: tuple[Subscriber, ...] = ()
    """Are told of every change once it has been written."""
    post_followers: tuple[PostFollower, ...] = ()
    """Add to a public post just before it is sent."""
    on_slow_computer: tuple[Callable[[str], None], ...] = ()
    """Are told of a match in which a computer thinks for so long that people ought to know."""
    on_result: tuple[Callable[[Room], Awaitable[None]], ...] = ()
    """Tell how a match has ended, once its last board is posted.

    Repeated until Discord has taken it.
    """
    on_notification: tuple[Callable[[str], None], ...] = ()
    """Hear what any process notifies the others of: the id of a match that it has written, or
    REMINDERS_REQUESTED.
    """
    on_look_around: tuple[Callable[[], Awaitable[None]], ...] = ()
    """Run each minute where several processes share the work: another may have left something
    undone.
    """
    on_start: tuple[Callable[[], Awaitable[None]], ...] = ()
    """Take up what was left undone when the bot stopped."""
    on_close: tuple[Callable[[], Awaitable[None]], ...] = ()
