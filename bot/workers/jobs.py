"""The jobs that workers run.

A job is sent to another process, and its result is sent back, so both must be plain values. To add
a kind of job, write a WorkerJob and add it to AnyJob.
"""

from collections.abc import Callable
from typing import Any, ClassVar

import msgspec
from msgspec import Struct

from engine import Answer, Commit, Seat, find_game
from engine.core.save import decode_events, load
from engine.players import Character, Level, Thought, continue_turn, think
from engine.players.review import Review, review

Progress = Callable[[float], None]
"""Called now and then with the part of a job that is done, from 0 to 1."""


class WorkerJob(Struct, frozen=True, tag=True):
    """A job. Its repr shows nothing, because positions are secret and a repr may be logged."""

    result: ClassVar[Any]
    """The type of its result."""

    def __repr__(self) -> str:
        return f"<{type(self).__name__}>"

    def run(self, progress: Progress) -> Any:
        """Run the job, in the worker, and return its result."""
        raise NotImplementedError


class Think(WorkerJob, frozen=True):
    """Choose a computer's move."""

    result: ClassVar[Any] = Thought

    game: str
    state: bytes
    """As JSON. Hidden cards are dealt at random: it holds nothing that the seat may not know."""
    seat: Seat
    seed: str
    level: Level
    begun: tuple[Answer, ...] = ()
    """The answers that the seat has drafted, if it wants to know how to continue."""
    character: Character | None = None

    def run(self, progress: Progress) -> Thought:
        game = find_game(self.game)
        state = msgspec.json.decode(self.state, type=game.state_type)
        if self.begun:
            return continue_turn(game, state, self.seat, self.seed, self.begun)
        return think(game, state, self.seat, self.seed, self.level, self.character)


class ReviewJob(WorkerJob, frozen=True):
    """Review a finished match."""

    result: ClassVar[Any] = Review

    game: str
    states: tuple[bytes, ...]
    """The states at the start and after each commit, as JSON."""
    commits: tuple[Commit, ...]

    def run(self, progress: Progress) -> Review:
        game = find_game(self.game)
        states = [msgspec.json.decode(state, type=game.state_type) for state in self.states]
        return review(game, states, self.commits, progress)


class Shot(Struct, frozen=True):
    """A frame of a film."""

    position: bytes
    told: str
    """The caption: what has happened."""
    events: bytes
    """The events that the picture marks on the board."""
    label: str


class FilmFile(Struct, frozen=True):
    """A finished film."""

    data: bytes
    """The GIF."""
    every: int
    """The film shows one in this many moments, to keep the file small enough; 1 for all."""


class MakeFilm(WorkerJob, frozen=True):
    """Make a film of a match."""

    result: ClassVar[Any] = FilmFile

    game: str
    shots: tuple[Shot, ...]
    names: tuple[str, ...]
    seconds: float
    """How long an ordinary frame is shown."""
    most: int
    """The largest size of the file, in bytes."""

    def run(self, progress: Progress) -> FilmFile:
        # Imported here, because a worker that only thinks does not need Pillow.
        from render.film import Moment, make_film

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
        return FilmFile(*make_film(moments, self.names, self.seconds, self.most, progress))


AnyJob = Think | ReviewJob | MakeFilm
