"""Base classes of Conquest's events: which seat and hexes they concern, and what is kept secret.

An event carries facts; the `lines` that it returns name a text by its key, together with the facts
to fill in.
"""

from typing import Any

from msgspec.structs import replace

from engine.conquest.board import KINDS
from engine.conquest.pieces import Kinds
from engine.core.decision import Seat
from engine.core.event import Event
from engine.core.event import Line as Wording

PieceCounts = tuple[tuple[str, int], ...]
"""Kinds of pieces, each with its number, as texts count them."""


def piece_counts(kinds: Kinds) -> PieceCounts:
    """Return the kinds that are present, each with its number."""
    counts = zip(KINDS, kinds.numbers, strict=True)
    return tuple((kind, number) for kind, number in counts if number)


def piece_lines(
    key: str,
    facts: dict[str, Any],
    pieces: Kinds | None,
) -> tuple[Wording, ...]:
    """Return the line of an event about pieces: named for their owner, only counted for others."""
    if pieces is not None:
        facts = {**facts, "pieces": piece_counts(pieces)}
    return ((key, facts),)


def hex_list_facts(seat: Seat, spots: tuple[str, ...]) -> dict[str, Any]:
    """Return the facts of a line about several hexes of a seat, with their number."""
    return {"seat": seat, "spots": spots, "count": len(spots)}


class SeatEvent(Event, frozen=True):
    """An event about a seat."""

    seat: Seat


class HexEvent(SeatEvent, frozen=True):
    """An event about a seat and a hex."""

    spot: str


class HexesEvent(SeatEvent, frozen=True):
    """An event about a seat and several hexes."""

    spots: tuple[str, ...]

    def lines(self) -> tuple[Wording, ...]:
        """Return one line that lists the hexes and counts them."""
        return ((type(self).__name__, hex_list_facts(self.seat, self.spots)),)


class PrivateEvent(SeatEvent, frozen=True):
    """An event that only its seat learns of."""

    @property
    def audience(self) -> tuple[Seat, ...] | None:
        """Return the seat."""
        return (self.seat,)


class RedactedEvent(SeatEvent, frozen=True):
    """An event that its seat knows in full, and others without the value of its last field.

    That it happened is public; others get the last field's default instead of its value.
    """

    @property
    def is_whole(self) -> bool:
        """Return whether the last field holds what only the seat may know."""
        name, empty = self._secret_field()
        return bool(getattr(self, name) != empty)

    @property
    def audience(self) -> tuple[Seat, ...] | None:
        """Return the seat for the full event, and everyone for the redacted one."""
        return (self.seat,) if self.is_whole else None

    def redacted(self) -> Event | None:
        """Return the event with its last field reset to the default."""
        name, empty = self._secret_field()
        return replace(self, **{name: empty})

    @property
    def key(self) -> str:
        """Return the text key; the redacted event has a text of its own."""
        return type(self).__name__ if self.is_whole else f"{type(self).__name__}_unseen"

    def _secret_field(self) -> tuple[str, Any]:
        """Return the name and the default of the last field."""
        return self.__struct_fields__[-1], self.__struct_defaults__[-1]
