"""What a feature adds to the kernel, and how features find each other's services."""

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
    """What a feature adds to a public post, and schedules when it has been made."""

    mentions: tuple[int, ...] = ()
    """Who is mentioned in it."""
    jobs: tuple[Job, ...] = ()
    on_noted: Callable[[], None] | None = None
    """Called when all of it is written."""


PostFollower = Callable[[Post], Awaitable[PostExtras]]


class Parts(Struct, frozen=True, kw_only=True):
    """The running parts of a feature: what it offers, and where it takes part in a match."""

    services: tuple[object, ...] = ()
    """Found by others by their class: see Services."""
    jobs: Mapping[str, JobHandler] = {}
    """What runs when a job of a kind is due."""
    deadlines: tuple[str, ...] = ()
    """Kinds of jobs that could cost a player something.

    They wait for as long as the bot was down.
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
    """Hear what any process notifies the others of: ABSENCE, or a match that it has written."""
    on_look_around: tuple[Callable[[], Awaitable[None]], ...] = ()
    """Run each minute where several processes share the work.

    Another may have left something undone.
    """
    on_start: tuple[Callable[[], Awaitable[None]], ...] = ()
    """Take up what was left undone when the bot stopped."""
    on_close: tuple[Callable[[], Awaitable[None]], ...] = ()


class Services:
    """What the features offer to each other. A feature that is left out offers nothing."""

    def __init__(self) -> None:
        self._all: list[Any] = []

    def add(self, service: object) -> None:
        """Offer a service from now on."""
        self._all.append(service)

    def get(self, kind: type[T]) -> T | None:
        """Return the service of a class or of a subclass, None if its feature is left out."""
        return next((service for service in self._all if isinstance(service, kind)), None)

    def require(self, kind: type[T]) -> T:
        """Return the service of a class; refuse in plain words if its feature is left out."""
        service = self.get(kind)
        if service is None:
            feature = kind.__module__.split(".")[2]
            if not has(f"unavailable.{feature}"):
                feature = "other"
            raise Refused(f"unavailable.{feature}")
        return service
