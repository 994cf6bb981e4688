"""What a Battle tells. All of it is public; the rolls are told as one story when it is won."""

from engine.conquest.event_base import AtSpot, Counts, OfSeat, counts_of
from engine.conquest.pieces import NOBODY, Kinds, Roll, Side
from engine.core.decision import Seat
from engine.core.event import Event, Line


def front_row(side: Side) -> Counts:
    """War Canoes, Warrior Bands and Local Warriors that can fight."""
    counts = (("w", side.w), ("b", side.b), ("l", side.l))
    return tuple((kind, number) for kind, number in counts if number)


def back_row(side: Side) -> Counts:
    """Bands that came in Transport Canoes, those canoes, and Colonies."""
    counts = (("b", side.bt), ("t", side.t), ("c", side.c))
    return tuple((kind, number) for kind, number in counts if number)


class BattlePicked(AtSpot, frozen=True):
    """Which Battle is fought next."""


class BattleJoined(Event, frozen=True):
    """Both sides show their pieces."""

    spot: str
    attacker: Seat
    defender: int
    sides: tuple[Side, Side]
    villages: int
    land: str
    """The Island Group fought for, 'sea' if it is none."""

    def lines(self) -> tuple[Line, ...]:
        """The head of the story: who meets whom, with what, and what waits behind."""
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
        told = [("BattleJoined", facts)]
        if facts["back"]:
            told.append(("BattleJoined_back", facts))
        elif facts["behind"]:
            told.append(("BattleJoined_behind", facts))
        return tuple(told)


class DieRolled(Event, frozen=True):
    """A roll of the attacker; `final` after a Haka."""

    spot: str
    die: int
    final: bool = False


class CardPlayed(Event, frozen=True):
    """A Battle card bends the roll just made."""

    seat: Seat
    card: str
    die: int


class TapuPlayed(Event, frozen=True):
    """The Battle is called off: the attackers go back where they came from."""

    seat: Seat
    attacker: Seat
    spot: str


class PiecePanicked(Event, frozen=True):
    """A Battle Piece goes to the back row."""

    seat: int
    kind: str


class PieceRemoved(Event, frozen=True):
    """A Battle Piece is lost."""

    seat: int
    kind: str


class BattleWon(Event, frozen=True):
    """How a Battle went, and who holds the hex."""

    spot: str
    winner: int
    seats: tuple[int, int]
    rolls: tuple[Roll, ...]

    def lines(self) -> tuple[Line, ...]:
        """The rolls, what became of each side, and the winner."""
        told: list[Line] = []
        if self.rolls:
            dice = tuple(roll.die for roll in self.rolls)
            told.append(("BattleWon_rolls", {"spot": self.spot, "rolls": dice}))
        for side, seat in enumerate(self.seats):
            for result in ("panic", "removed"):
                lost = self._lost(side, result)
                key = f"BattleWon_{result}"
                if seat == NOBODY:
                    key = f"{key}_independent"
                if lost:
                    told.append((key, {"seat": seat, "pieces": lost}))
        ending = "BattleWon" if self.winner != NOBODY else "BattleWon_independent"
        told.append((ending, {"spot": self.spot, "winner": self.winner}))
        return tuple(told)

    def _lost(self, side: int, result: str) -> Counts:
        """What of a side panicked, or was Removed."""
        kinds = [roll.kind for roll in self.rolls if roll.hit == side and roll.result == result]
        return tuple((kind, kinds.count(kind)) for kind in "wbl" if kind in kinds)


class RumorsReturned(Event, frozen=True):
    """Rumors in a Battle were only that."""

    seat: Seat
    count: int


class Retreated(Event, frozen=True):
    """The loser's pieces go to the nearest of their groups; '' if there is none and they are
    lost.
    """

    seat: Seat
    spot: str
    pieces: Kinds

    def lines(self) -> tuple[Line, ...]:
        """Where to, or that all is lost."""
        key = "Retreated" if self.spot else "Retreated_nowhere"
        facts = {"seat": self.seat, "spot": self.spot, "pieces": counts_of(self.pieces)}
        return ((key, facts),)


class PiecesStranded(Event, frozen=True):
    """Pieces that found no canoe."""

    seat: Seat
    pieces: Kinds

    def lines(self) -> tuple[Line, ...]:
        """What is lost."""
        return (("PiecesStranded", {"seat": self.seat, "pieces": counts_of(self.pieces)}),)


class VillagesSaved(Event, frozen=True):
    """How many Villages of a taken group are kept, and what is given up for them."""

    seat: Seat
    spot: str
    saved: int
    villages: int
    pieces: Kinds

    def lines(self) -> tuple[Line, ...]:
        """Some or none."""
        facts = {
            "seat": self.seat,
            "spot": self.spot,
            "saved": self.saved,
            "villages": self.villages,
        }
        if not self.saved:
            return (("VillagesSaved_none", facts),)
        return (("VillagesSaved", {**facts, "pieces": counts_of(self.pieces)}),)


class GroupTaken(Event, frozen=True):
    """A group changes hands; Controlled if a Village was saved."""

    seat: Seat
    spot: str
    controlled: bool

    def lines(self) -> tuple[Line, ...]:
        """Controlled, or merely occupied."""
        key = "GroupTaken" if self.controlled else "GroupTaken_uncontrolled"
        return ((key, {"seat": self.seat, "spot": self.spot}),)


class OrdersGiven(OfSeat, frozen=True):
    """A side has said how it uses cards; nobody learns how."""


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
