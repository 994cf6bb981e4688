"""What a feature can plug into the kernel, and how features find each other's services.

A feature never imports another one's objects at start-up; it asks Services for them, so that each
feature can be left out.
"""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, TypeVar

from msgspec import Struct

from bot.kernel.change import Follower, Need, Subscriber
from bot.kernel.room import Post, Room
from bot.model import Job
from bot.runtime.base import Refused
from bot.text import has

T = TypeVar("T")

JobHandler = Callable[[Job], Awaitable[None]]


class PostExtras(Struct, frozen=True):
    """Additions of a feature to a public post."""

    mentions: tuple[int, ...] = ()
    """The users to mention in it."""
    jobs: tuple[Job, ...] = ()
    """Jobs to schedule once it has been sent."""
    end_lines: tuple[str, ...] = ()
    """Lines to add to the last post of a match."""
    on_noted: Callable[[], None] | None = None
    """Called once the post is recorded and the jobs are scheduled."""


PostFollower = Callable[[Post], Awaitable[PostExtras]]


class Parts(Struct, frozen=True, kw_only=True):
    """Everything that a feature plugs into the kernel. All of it is optional."""

    services: tuple[object, ...] = ()
    """Objects that other features find by class: see Services."""
    jobs: Mapping[str, JobHandler] = {}
    """The handler for each of the feature's kinds of jobs."""
    deadlines: tuple[str, ...] = ()
    """The kinds of jobs that can cost a player something, such as a turn or their seat.

    After an absence of the bot they are postponed by its length.
    """
    needs: tuple[Need[Any], ...] = ()
    """Queries for what the feature's followers need to know besides the match."""

    # Followers: functions of a change, which run before it is written. In order:

    auto_moves: tuple[Follower, ...] = ()
    """Make moves that players have prepared, such as a planned turn."""
    extenders: tuple[Follower, ...] = ()
    """Do more to the match because of a change, such as apply a vote that it decides."""
    followers: tuple[Follower, ...] = ()
    """Add to a change what must be written with it."""

    # Callbacks.

    subscribers: tuple[Subscriber, ...] = ()
    """Called with every change once it is written."""
    before_first_post: tuple[Callable[[str], Awaitable[None]], ...] = ()
    """Called with a match's id before its first public post is sent. May be called again."""
    post_followers: tuple[PostFollower, ...] = ()
    """Called just before a public post is sent, to add to it."""
    on_slow_computer: tuple[Callable[[str], None], ...] = ()
    """Called with a match's id when a computer has been thinking in it for long."""
    on_result: tuple[Callable[[Room], Awaitable[None]], ...] = ()
    """Called with a finished match once its last board is posted.

    Called again later if Discord fails.
    """
    on_notification: tuple[Callable[[str], None], ...] = ()
    """Called with a notification from another process: the id of a match it wrote, or ABSENCE."""
    on_look_around: tuple[Callable[[], Awaitable[None]], ...] = ()
    """Called every minute if several processes share the work, to resume what one left undone."""
    on_start: tuple[Callable[[], Awaitable[None]], ...] = ()
    """Called after the start, to resume what was left undone when the bot stopped."""
    on_close: tuple[Callable[[], Awaitable[None]], ...] = ()


class Services:
    """The objects that features offer to each other, found by their class."""

    def __init__(self) -> None:
        self._all: list[Any] = []

    def add(self, service: object) -> None:
        """Offer a service to the other features."""
        self._all.append(service)

    def get(self, kind: type[T]) -> T | None:
        """Return the service of this class; None if the feature that offers it is left out."""
        return next((service for service in self._all if isinstance(service, kind)), None)

    def require(self, kind: type[T]) -> T:
        """Return the service of this class; refuse with an explanation if it is left out."""
        service = self.get(kind)
        if service is None:
            # The third part of bot.features.votes.service.
            feature = kind.__module__.split(".")[2]
            if not has(f"unavailable.{feature}"):
                feature = "other"
            raise Refused(f"unavailable.{feature}")
        return service
