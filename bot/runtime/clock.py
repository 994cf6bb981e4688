"""The one clock: whatever a player or a match feels of time comes from it.

Tests hand in one of their own.
"""

import time
from collections.abc import Callable

HOUR, DAY = 3600, 86_400
"""In seconds, as all time is counted here."""


class Clock:
    """This machine's time, called for seconds since 1970.

    At the local table it can be moved forward.
    """

    def __init__(self) -> None:
        self.ahead = 0.0
        """Seconds that it was moved forward."""
        self._moved: list[Callable[[], object]] = []

    def __call__(self) -> float:
        return time.time() + self.ahead

    def on_move(self, call: Callable[[], object]) -> None:
        """Call a function whenever the clock is moved."""
        self._moved.append(call)

    def move_to(self, ahead: float) -> None:
        """Set the clock so many seconds ahead of this machine's; it is never put back."""
        if ahead > self.ahead:
            self.ahead = ahead
            for call in self._moved:
                call()
