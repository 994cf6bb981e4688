"""A state together with what its game says about it, each computed at most once.

Nothing here is saved: a match is restored from its state alone.
"""

from functools import cached_property
from typing import Any

from engine.core.decision import Decision, Seat
from engine.core.game import Game, Outcome, View


class Position:
    """A state of a game, with its questions, views and result cached.

    These are expensive to compute and read many times per turn.
    """

    def __init__(self, game: Game[Any], state: Any) -> None:
        self.game = game
        self.state = state
        self._views: dict[Seat | None, View] = {}

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Position) and (self.game.id, self.state) == (
            other.game.id,
            other.state,
        )

    def __hash__(self) -> int:
        return hash((self.game.id, self.state))

    def __repr__(self) -> str:
        # A state is full of secrets, and a repr may end in a log.
        return f"<Position of {self.game.id}>"

    @cached_property
    def outcome(self) -> Outcome | None:
        """The result, or None while the match is going on."""
        return self.game.outcome(self.state)

    @cached_property
    def questions(self) -> tuple[Decision, ...]:
        """The open questions of all seats."""
        return self.game.questions(self.state)

    @cached_property
    def offers(self) -> tuple[Decision, ...]:
        """The offers to all seats."""
        return self.game.offers(self.state)

    def question(self, seat: Seat) -> Decision | None:
        """Return the question of this seat; None if it has to wait."""
        return next((question for question in self.questions if question.seat == seat), None)

    def view(self, viewer: Seat | None) -> View:
        """Return what a seat, or a spectator (None), may know."""
        if viewer not in self._views:
            self._views[viewer] = self.game.view(self.state, viewer)
        return self._views[viewer]
