"""Dice and shuffles: random numbers made from a seed and a counter, the same on every system."""

from collections.abc import Sequence
from hashlib import blake2b, sha256
from typing import TypeVar

from engine.core.event import Event

T = TypeVar("T")

WORD = 1 << 64
"""One more than the largest number of 64 bits."""


class Table:
    """Dice and shuffles for `setup` and `advance`.

    Its whole state is the seed and the number of draws so far.
    """

    __slots__ = ("_keyed", "_seed", "draws", "events")

    def __init__(self, seed: str, draws: int = 0) -> None:
        self.draws = draws
        self.events: list[Event] = []
        self._seed = seed
        self._keyed: blake2b | None = None

    def below(self, n: int) -> int:
        """Return a number from 0 to n-1, all equally likely."""
        if not 1 <= n <= WORD:
            raise ValueError(f"cannot draw below {n}")
        while True:
            word = self.draw_word()
            # Words beyond the last full multiple of n would favour small numbers.
            if word < WORD - WORD % n:
                return word % n

    def draw_word(self) -> int:
        """Return the next number of 64 bits."""
        if self._keyed is None:
            self._keyed = blake2b(key=sha256(self._seed.encode()).digest(), digest_size=8)
        word = self._keyed.copy()
        word.update(self.draws.to_bytes(16, "big"))
        self.draws += 1
        return int.from_bytes(word.digest(), "big")

    def roll(self) -> int:
        """Roll a die: 1 to 6."""
        return 1 + self.below(6)

    def choose(self, items: Sequence[T]) -> T:
        """Pick one of the items."""
        return items[self.below(len(items))]

    def shuffle(self, items: Sequence[T]) -> tuple[T, ...]:
        """Return the items in random order."""
        pile = list(items)
        for last in range(len(pile) - 1, 0, -1):
            other = self.below(last + 1)
            pile[last], pile[other] = pile[other], pile[last]
        return tuple(pile)

    def tell(self, event: Event) -> None:
        """Emit an event."""
        self.events.append(event)


def commitment(match_id: str, seed: str) -> str:
    """Return the hash shown at the start, by which the seed shown at the end can be checked."""
    return sha256(f"{match_id}:{seed}".encode()).hexdigest()
