"""The jobs that workers do.

A job is a value that crosses to another process, and so is what comes of it.
"""

from collections.abc import Callable
from typing import Any, ClassVar

import msgspec
from msgspec import Struct

from engine import Commit, Seat, find_game
from engine.core.save import decode_events, load
from engine.players import Level, Thought, think
from engine.players.review import Review, review

Progress = Callable[[float], None]
"""Told now and then how much of a job is done, from 0 to 1."""


class WorkerJob(Struct, frozen=True, tag=True):
    """A piece of work.

    Its repr tells nothing: positions are secrets, and a repr may end in a log.
    """

    result: ClassVar[Any]
    """The type of what comes of it."""

    def __repr__(self) -> str:
        return f"<{type(self).__name__}>"

    def run(self, progress: Progress) -> Any:
        """Do the work and return its result."""
        raise NotImplementedError


class Think(WorkerJob, frozen=True):
    """The choice of what a computer does in its seat.

    The state has been dealt anew: it holds nothing that the seat cannot know.
    """

    result: ClassVar[Any] = Thought

    game: str
    state: bytes
    """As JSON, by which a game's state is known."""
    seat: Seat
    seed: str
    level: Level

    def run(self, progress: Progress) -> Thought:
        game = find_game(self.game)
        return think(
            game,
            msgspec.json.decode(self.state, type=game.state_type),
            self.seat,
            self.seed,
            self.level,
        )


class ReviewJob(WorkerJob, frozen=True):
    """A finished match reviewed."""

    result: ClassVar[Any] = Review

    game: str
    states: tuple[bytes, ...]
    """At the start and after each commit, as JSON."""
    commits: tuple[Commit, ...]

    def run(self, progress: Progress) -> Review:
        game = find_game(self.game)
        states = [msgspec.json.decode(state, type=game.state_type) for state in self.states]
        return review(game, states, self.commits, progress)


class Shot(Struct, frozen=True):
    """A frame of a film: a position, what had happened, and the events that the picture marks."""

    position: bytes
    told: str
    events: bytes
    label: str


class Filmed(Struct, frozen=True):
    """A film as a GIF.

    One moment in `every` is shown; with more the file would be too large.
    """

    data: bytes
    every: int


class MakeFilm(WorkerJob, frozen=True):
    """A film of a match, of at most `most` bytes."""

    result: ClassVar[Any] = Filmed

    game: str
    shots: tuple[Shot, ...]
    names: tuple[str, ...]
    seconds: float
    """For which a usual frame is shown."""
    most: int

    def run(self, progress: Progress) -> Filmed:
        # Here, not above: a worker that only thinks has no need of all that draws.
        from render.film import Moment, film

        game = find_game(self.game)
        moments = [
            Moment(
                load(shot.position, {game.id: game}, ours=True).view(None),
                shot.told,
                decode_events(game, shot.events, game.version),
                shot.label,
            )
            for shot in self.shots
        ]
        return Filmed(*film(moments, self.names, self.seconds, self.most, progress))


AnyJob = Think | ReviewJob | MakeFilm
