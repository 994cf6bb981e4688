"""The source of all randomness: dice and shuffles, computed from a seed and a counter.

The same seed and counter give the same numbers on every system and in every version, because saved
matches and transcripts are replayed from them. So no method may draw more, fewer or other numbers
than it does now.
"""

from collections.abc import Sequence
from hashlib import blake2b, sha256
from typing import TypeVar

from engine.core.event import Event

T = TypeVar("T")

WORD = 1 << 64
"""One more than the largest 64-bit number."""


class Table:
    """The random source of a match: rolls dice, shuffles and draws, and collects events.

    Only a game's `setup` and `advance` get one, so that nothing random happens before a turn is
    confirmed. Its whole state is the seed and the number of draws so far. (It has nothing to do
    with the people at a table.)
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
            # Numbers beyond the last full multiple of n would make small remainders likelier.
            if word < WORD - WORD % n:
                return word % n

    def draw_word(self) -> int:
        """Return the next random 64-bit number."""
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
        """Return the items in random order (a Fisher-Yates shuffle)."""
        pile = list(items)
        for last in range(len(pile) - 1, 0, -1):
            other = self.below(last + 1)
            pile[last], pile[other] = pile[other], pile[last]
        return tuple(pile)

    def tell(self, event: Event) -> None:
        """Report an event."""
        self.events.append(event)


def commitment(match_id: str, seed: str) -> str:
    """Return the hash that commits to a seed.

    It is published before the match, so that anybody can check the seed published afterwards.
    """
    return sha256(f"{match_id}:{seed}".encode()).hexdigest()
