"""The dice: a counter-keyed stream that depends on no library's generator."""

from collections.abc import Sequence
from hashlib import blake2b, sha256
from typing import TypeVar

from engine.core.event import Event

T = TypeVar("T")

WORD = 1 << 64


class Table:
    """Chance for `setup` and `advance`.

    Its whole state is the seed and the number of draws made.
    """

    __slots__ = ("_keyed", "_seed", "draws", "events")

    def __init__(self, seed: str, draws: int = 0) -> None:
        self.draws = draws
        self.events: list[Event] = []
        self._seed = seed
        self._keyed: blake2b | None = None

    def below(self, n: int) -> int:
        """A number from 0 to n-1, each as likely (draws past the last full multiple of n are
        thrown away).
        """
        if not 1 <= n <= WORD:
            raise ValueError(f"cannot draw below {n}")
        while True:
            word = self._word()
            if word < WORD - WORD % n:
                return word % n

    def roll(self) -> int:
        """A die: 1 to 6."""
        return 1 + self.below(6)

    def choose(self, items: Sequence[T]) -> T:
        """One of the items."""
        return items[self.below(len(items))]

    def shuffle(self, items: Sequence[T]) -> tuple[T, ...]:
        """The items in a random order."""
        pile = list(items)
        for last in range(len(pile) - 1, 0, -1):
            other = self.below(last + 1)
            pile[last], pile[other] = pile[other], pile[last]
        return tuple(pile)

    def tell(self, event: Event) -> None:
        """Make a fact known."""
        self.events.append(event)

    def _word(self) -> int:
        if self._keyed is None:
            self._keyed = blake2b(key=sha256(self._seed.encode()).digest(), digest_size=8)
        word = self._keyed.copy()
        word.update(self.draws.to_bytes(16, "big"))
        self.draws += 1
        return int.from_bytes(word.digest(), "big")


def commitment(match_id: str, seed: str) -> str:
    """The hash shown when a match starts, so that the seed shown at its end can be checked."""
    return sha256(f"{match_id}:{seed}".encode()).hexdigest()
