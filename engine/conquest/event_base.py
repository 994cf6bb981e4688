"""What several events of Conquest of Paradise share: whom they are about, and what of them is
secret.
"""

from typing import Any

from msgspec.structs import replace

from engine.conquest.board import KINDS
from engine.conquest.pieces import Kinds
from engine.core.decision import Seat
from engine.core.event import Event
from engine.core.event import Line as Wording

Counts = tuple[tuple[str, int], ...]
"""Kinds of pieces, each with its number, as the wording counts them."""


def counts_of(kinds: Kinds) -> Counts:
    """How many there are of each kind."""
    counts = zip(KINDS, kinds.numbers, strict=True)
    return tuple((kind, number) for kind, number in counts if number)


def told_pieces(key: str, facts: dict[str, Any], pieces: Kinds | None) -> tuple[Wording, ...]:
    """The wording of pieces: named for their owner, counted for others."""
    if pieces is not None:
        facts = {**facts, "pieces": counts_of(pieces)}
    return ((key, facts),)


def counted(seat: Seat, spots: tuple[str, ...]) -> dict[str, Any]:
    """The facts of a line about several hexes of a seat, with their number."""
    return {"seat": seat, "spots": spots, "count": len(spots)}


class OfSeat(Event, frozen=True):
    """A fact about a seat."""

    seat: Seat


class AtSpot(OfSeat, frozen=True):
    """A fact about a seat and a hex."""

    spot: str


class AtSpots(OfSeat, frozen=True):
    """A fact about a seat and several hexes."""

    spots: tuple[str, ...]

    def lines(self) -> tuple[Wording, ...]:
        """With their number."""
        return ((type(self).__name__, counted(self.seat, self.spots)),)


class Private(OfSeat, frozen=True):
    """A fact for one seat alone; others learn nothing."""

    @property
    def audience(self) -> tuple[Seat, ...] | None:
        """Its own seat."""
        return (self.seat,)


class Veiled(OfSeat, frozen=True):
    """A fact that its seat knows whole; others get it with its last field empty, as its default has
    it.

    That it happened is public, what it was is not.
    """

    @property
    def is_whole(self) -> bool:
        """Whether the last field tells what only the seat may know."""
        name, empty = self._veil()
        return bool(getattr(self, name) != empty)

    @property
    def audience(self) -> tuple[Seat, ...] | None:
        """Everyone once it is empty."""
        return (self.seat,) if self.is_whole else None

    def redacted(self) -> Event | None:
        """The fact without it."""
        name, empty = self._veil()
        return replace(self, **{name: empty})

    @property
    def key(self) -> str:
        """The wording, another one for those who do not know all."""
        return type(self).__name__ if self.is_whole else f"{type(self).__name__}_unseen"

    def _veil(self) -> tuple[str, Any]:
        """The name of the last field, and what it is when empty."""
        return self.__struct_fields__[-1], self.__struct_defaults__[-1]
