"""Events of Battles, all of them public. One line describes all rolls when the Battle is won.

Saved matches hold them: a class or field is never renamed, and a new field needs a default.
"""

from engine.conquest.event_base import HexEvent, PieceCounts, SeatEvent, piece_counts
from engine.conquest.pieces import NOBODY, Kinds, Roll, Side
from engine.core.decision import Seat
from engine.core.event import Event, Line


def front_row(side: Side) -> PieceCounts:
    """Return the War Canoes, Warrior Bands and Local Warriors that can still fight."""
    counts = (("w", side.w), ("b", side.b), ("l", side.l))
    return tuple((kind, number) for kind, number in counts if number)


def back_row(side: Side) -> PieceCounts:
    """Return the Bands that came in Transport Canoes, those canoes, and Colonies."""
    counts = (("b", side.bt), ("t", side.t), ("c", side.c))
    return tuple((kind, number) for kind, number in counts if number)


class BattlePicked(HexEvent, frozen=True):
    """The attacker chose which Battle is fought next."""


class BattleJoined(Event, frozen=True):
    """Both sides have shown their pieces."""

    spot: str
    attacker: Seat
    defender: int
    sides: tuple[Side, Side]
    villages: int
    land: str
    """The key of the Island Group fought for; 'sea' if there is none."""

    def lines(self) -> tuple[Line, ...]:
        """Return who meets whom and with which Battle Pieces, and what is in the back rows."""
        attack, defence = self.sides
        facts = {
            "spot": self.spot,
            "land": self.land,
            "attacker": self.attacker,
            "defender": self.defender if self.defender != NOBODY else None,
            "front": front_row(attack),
            "back": back_row(attack),
            "facing": front_row(defence),
            "behind": back_row(defence),
            "villages": self.villages,
        }
        lines = [("BattleJoined", facts)]
        if facts["back"]:
            lines.append(("BattleJoined_back", facts))
        elif facts["behind"]:
            lines.append(("BattleJoined_behind", facts))
        return tuple(lines)


class DieRolled(Event, frozen=True):
    """The attacker rolled; `final` for the new roll of a Haka."""

    spot: str
    die: int
    final: bool = False


class CardPlayed(Event, frozen=True):
    """A Battle card changed the roll just made."""

    seat: Seat
    card: str
    die: int


class TapuPlayed(Event, frozen=True):
    """Tapu called the Battle off: the attackers return to where they came from."""

    seat: Seat
    attacker: Seat
    spot: str


class PiecePanicked(Event, frozen=True):
    """A Battle Piece panicked and went to the back row."""

    seat: int
    kind: str


class PieceRemoved(Event, frozen=True):
    """A Battle Piece was Removed."""

    seat: int
    kind: str


class BattleWon(Event, frozen=True):
    """A Battle was won, with all of its rolls."""

    spot: str
    winner: int
    seats: tuple[int, int]
    rolls: tuple[Roll, ...]

    def lines(self) -> tuple[Line, ...]:
        """Return the rolls, each side's losses, and the winner."""
        lines: list[Line] = []
        if self.rolls:
            dice = tuple(roll.die for roll in self.rolls)
            facts = {"seat": self.seats[0], "spot": self.spot, "rolls": dice}
            lines.append(("BattleWon_rolls", facts))
        for side, seat in enumerate(self.seats):
            for result in ("panic", "removed"):
                lost = self._lost(side, result)
                if not lost:
                    continue
                key = f"BattleWon_{result}"
                if seat == NOBODY:
                    key = f"{key}_independent"
                lines.append((key, {"seat": seat, "pieces": lost}))
        ending = "BattleWon" if self.winner != NOBODY else "BattleWon_independent"
        lines.append((ending, {"spot": self.spot, "winner": self.winner}))
        return tuple(lines)

    def _lost(self, side: int, result: str) -> PieceCounts:
        """Return the pieces of a side that had this result, by kind."""
        kinds = [roll.kind for roll in self.rolls if roll.hit == side and roll.result == result]
        return tuple((kind, kinds.count(kind)) for kind in "wbl" if kind in kinds)


class RumorsReturned(Event, frozen=True):
    """Rumors in a Battle went back to their owner."""

    seat: Seat
    count: int


class Retreated(Event, frozen=True):
    """The loser's pieces went to the nearest of their groups; '' if they were lost."""

    seat: Seat
    spot: str
    pieces: Kinds

    def lines(self) -> tuple[Line, ...]:
        """Return where the pieces went, or that they were lost."""
        key = "Retreated" if self.spot else "Retreated_nowhere"
        facts = {"seat": self.seat, "spot": self.spot, "pieces": piece_counts(self.pieces)}
        return ((key, facts),)


class PiecesStranded(Event, frozen=True):
    """Pieces were lost because no canoe could carry them."""

    seat: Seat
    pieces: Kinds

    def lines(self) -> tuple[Line, ...]:
        """Return which pieces were lost."""
        return (("PiecesStranded", {"seat": self.seat, "pieces": piece_counts(self.pieces)}),)


class VillagesSaved(Event, frozen=True):
    """The attacker saved some Villages of a conquered group, or none, by giving up pieces."""

    seat: Seat
    spot: str
    saved: int
    villages: int
    pieces: Kinds

    def lines(self) -> tuple[Line, ...]:
        """Return how many Villages were saved and for which pieces, or that none was."""
        facts = {
            "seat": self.seat,
            "spot": self.spot,
            "saved": self.saved,
            "villages": self.villages,
            "whole": self.villages if self.saved == self.villages else 0,
        }
        if not self.saved:
            return (("VillagesSaved_none", facts),)
        return (("VillagesSaved", {**facts, "pieces": piece_counts(self.pieces)}),)


class GroupTaken(Event, frozen=True):
    """A group was conquered; it is Controlled if a Village was saved."""

    seat: Seat
    spot: str
    controlled: bool

    def lines(self) -> tuple[Line, ...]:
        """Return whether the group is Controlled or only occupied."""
        key = "GroupTaken" if self.controlled else "GroupTaken_uncontrolled"
        return ((key, {"seat": self.seat, "spot": self.spot}),)


class OrdersGiven(SeatEvent, frozen=True):
    """A side has said how it uses its cards; nobody else learns how."""


BattleEvent = (
    BattlePicked
    | BattleJoined
    | DieRolled
    | CardPlayed
    | TapuPlayed
    | PiecePanicked
    | PieceRemoved
    | BattleWon
    | RumorsReturned
    | Retreated
    | PiecesStranded
    | VillagesSaved
    | GroupTaken
    | OrdersGiven
)
"""Every event of a Battle."""
