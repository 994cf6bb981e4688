"""The rules of Reef: its state, and a class per step.

Each round all seats bid cards in secret, and the highest bid dives. The neighbour on the diver's
left chooses the reef, a die says how often the diver may dive, everybody else may scare them with a
haka, and each shell goes into one of two baskets. A storm closes a spot and a net covers a basket
at any time.
"""

from msgspec import Struct
from msgspec.structs import replace

from engine.core.decision import Answer, Decision, Option, Seat
from engine.core.event import Tell
from engine.core.steps import Glide, Run, Step, pop, push
from engine.core.table import Table
from tests.toy.events import (
    BidSealed,
    BidsRevealed,
    CardDrawn,
    CatchCounted,
    Dived,
    HakaPlayed,
    ReefChosen,
    RoundEnded,
    Stowed,
    TideRolled,
)

CARDS = tuple(
    sorted(["haka", "haka", "net", "net", "storm", "storm", *(f"c{n}" for n in range(1, 13))])
)
REEFS = ("a", "b")
SPOTS = ("a1", "a2", "a3", "b1", "b2", "b3")
HAND = 3
ROOM = 2
"""Shells in a basket."""
BASKETS = ("left", "right")


class Side(Struct, frozen=True):
    """What a seat has. `hand` is hidden, and so are `bid` and `reaction` until all are in."""

    hand: tuple[str, ...]
    points: int = 0
    baskets: tuple[int, int] = (0, 0)
    netted: bool = False
    bid: tuple[str, ...] = ()
    reaction: str = ""

    def rooms(self) -> tuple[str, ...]:
        """Return the baskets that can take another shell."""
        free = [name for name, shells in zip(BASKETS, self.baskets, strict=True) if shells < ROOM]
        return tuple(name for name in free if not (self.netted and name == "left"))


class State(Struct, frozen=True):
    """A position. `deck` is sorted: the table draws cards from it at random."""

    sides: tuple[Side, ...]
    deck: tuple[str, ...]
    discard: tuple[str, ...]
    rounds: int
    storms: bool
    agenda: "tuple[AnyStep, ...]"
    round: int = 1
    taken: tuple[str, ...] = ()
    closed: tuple[str, ...] = ()
    reef: str = ""
    dives: int = 0
    over: str = ""

    def with_agenda(self, agenda: "tuple[AnyStep, ...]") -> "State":
        return replace(self, agenda=agenda)

    def with_side(self, seat: Seat, **changes: object) -> "State":
        """Return the state with changes to a seat."""
        side = replace(self.sides[seat], **changes)
        return replace(self, sides=(*self.sides[:seat], side, *self.sides[seat + 1 :]))

    def without_cards(self, seat: Seat, *cards: str) -> "State":
        """Return the state with cards of a hand discarded."""
        left = without(self.sides[seat].hand, *cards)
        discard = tuple(sorted((*self.discard, *cards)))
        return replace(self.with_side(seat, hand=left), discard=discard)

    def open_spots(self, reef: str = "") -> tuple[str, ...]:
        """Return the spots where a seat can still dive."""
        gone = {*self.taken, *self.closed}
        return tuple(spot for spot in SPOTS if spot not in gone and spot.startswith(reef))


def without(cards: tuple[str, ...], *gone: str) -> tuple[str, ...]:
    """Return the cards without these."""
    left = list(cards)
    for card in gone:
        left.remove(card)
    return tuple(left)


def round_steps() -> tuple[Step, ...]:
    """Return the steps of a round up to the reveal, which adds the others."""
    return SealBid(), RevealBids(), EndRound()


class SealBid(Step, frozen=True):
    """Ask all seats to bid one or two cards at the same time."""

    def asks(self, state: State) -> bool:
        return any(side.hand and not side.bid for side in state.sides)

    def ask(self, state: State) -> tuple[Decision, ...]:
        return tuple(
            self.question(Seat(seat), side)
            for seat, side in enumerate(state.sides)
            if side.hand and not side.bid
        )

    def question(self, seat: Seat, side: Side) -> Decision:
        """Offer the cards of a hand; the second of two equal ones gets a number."""
        options = tuple(Option(key) for key in numbered(side.hand))
        return Decision(seat, "seal_bid", options, at_most=min(2, len(options)), secret=True)

    def take(self, state: State, answer: Answer, tell: Tell) -> State:
        side = state.sides[answer.seat]
        bid = tuple(sorted(key.removesuffix("-2") for key in answer.keys))
        tell(BidSealed(answer.seat))
        return state.with_side(answer.seat, hand=without(side.hand, *bid), bid=bid)


def numbered(cards: tuple[str, ...]) -> tuple[str, ...]:
    """Return keys that tell two equal cards apart."""
    return tuple(f"{card}-2" if card in cards[:place] else card for place, card in enumerate(cards))


def worth(bid: tuple[str, ...]) -> int:
    """Return the strength of a bid: only numbers count."""
    return sum(int(card[1:]) for card in bid if card[1:].isdigit())


class RevealBids(Run, frozen=True):
    """Reveal the bids: the highest one dives, and a die settles ties."""

    def run(self, state: State, table: Table) -> State:
        bids = tuple(side.bid for side in state.sides)
        best = max(worth(bid) for bid in bids)
        winner = Seat(table.choose([seat for seat, bid in enumerate(bids) if worth(bid) == best]))
        table.tell(BidsRevealed(bids, winner))
        sides = tuple(replace(side, bid=()) for side in state.sides)
        discard = tuple(sorted((*state.discard, *(card for bid in bids for card in bid))))
        return push(
            replace(state, sides=sides, discard=discard),
            ChooseReef(winner),
            RollTide(winner),
            Dive(winner, fresh=True),
        )


class ChooseReef(Step, frozen=True):
    """Ask the neighbour on the diver's left where to dive, if there is a choice."""

    diver: Seat

    def neighbour(self, state: State) -> Seat:
        return Seat((self.diver + 1) % len(state.sides))

    def asks(self, state: State) -> bool:
        return not state.reef and all(state.open_spots(reef) for reef in REEFS)

    def ask(self, state: State) -> tuple[Decision, ...]:
        options = tuple(
            Option(f"reef-{reef}", facts=(("spots", len(state.open_spots(reef))),))
            for reef in REEFS
        )
        return (
            Decision(self.neighbour(state), "choose_reef", options, facts=(("diver", self.diver),)),
        )

    def take(self, state: State, answer: Answer, tell: Tell) -> State:
        reef = answer.keys[0].removeprefix("reef-")
        tell(ReefChosen(answer.seat, reef))
        return pop(replace(state, reef=reef))


class RollTide(Run, frozen=True):
    """Roll a die for one to three dives; then the others may react."""

    diver: Seat

    def run(self, state: State, table: Table) -> State:
        dives = (table.roll() + 1) // 2
        table.tell(TideRolled(dives))
        return push(replace(state, dives=dives), React(self.diver), SettleReactions())


class React(Step, frozen=True):
    """Ask everybody except the diver who holds a card, whether or not it is a haka."""

    diver: Seat

    def asked(self, state: State) -> list[Seat]:
        return [
            Seat(seat)
            for seat, side in enumerate(state.sides)
            if seat != self.diver and side.hand and not side.reaction
        ]

    def asks(self, state: State) -> bool:
        return bool(self.asked(state))

    def ask(self, state: State) -> tuple[Decision, ...]:
        return tuple(self.question(state, seat) for seat in self.asked(state))

    def question(self, state: State, seat: Seat) -> Decision:
        haka = (Option("haka"),) if "haka" in state.sides[seat].hand else ()
        return Decision(seat, "react", (*haka, Option("pass", ends=True)), secret=True)

    def take(self, state: State, answer: Answer, tell: Tell) -> State:
        return state.with_side(answer.seat, reaction=answer.keys[0])


class SettleReactions(Run, frozen=True):
    """Show all hakas together."""

    def run(self, state: State, table: Table) -> State:
        for seat, side in enumerate(state.sides):
            if side.reaction == "haka":
                table.tell(HakaPlayed(Seat(seat)))
                state = replace(state.without_cards(Seat(seat), "haka"), dives=1)
        return replace(state, sides=tuple(replace(side, reaction="") for side in state.sides))


class Dive(Step, frozen=True):
    """Ask the diver for one dive after another; after the first they may stop."""

    seat: Seat
    fresh: bool = False

    def asks(self, state: State) -> bool:
        return state.dives > 0 and bool(state.open_spots(state.reef))

    def ask(self, state: State) -> tuple[Decision, ...]:
        spots = tuple(
            Option(spot, spot=spot, group=f"reef-{spot[0]}")
            for spot in state.open_spots(state.reef)
        )
        stop = () if self.fresh else (Option("stop", ends=True),)
        return (Decision(self.seat, "dive", spots + stop, facts=(("dives", state.dives),)),)

    def take(self, state: State, answer: Answer, tell: Tell) -> State:
        key = answer.keys[0]
        if key == "stop":
            return pop(state)
        tell(Dived(self.seat, key))
        taken = replace(state, taken=(*state.taken, key), dives=state.dives - 1)
        return pop(taken, Stow(self.seat), CountCatch(self.seat), Dive(self.seat))


class Stow(Step, frozen=True):
    """Put the shell into a basket with room; without one it is lost."""

    seat: Seat

    def asks(self, state: State) -> bool:
        return bool(state.sides[self.seat].rooms())

    def ask(self, state: State) -> tuple[Decision, ...]:
        options = tuple(Option(name) for name in state.sides[self.seat].rooms())
        return (Decision(self.seat, "stow", options),)

    def take(self, state: State, answer: Answer, tell: Tell) -> State:
        left, right = state.sides[self.seat].baskets
        basket = answer.keys[0]
        tell(Stowed(self.seat, basket))
        baskets = (left + 1, right) if basket == "left" else (left, right + 1)
        return pop(state.with_side(self.seat, baskets=baskets))


class CountCatch(Glide, frozen=True):
    """Score 2 for a shell in the left basket, 1 in the right one."""

    seat: Seat

    def glide(self, state: State, tell: Tell) -> State:
        left, right = state.sides[self.seat].baskets
        tell(CatchCounted(self.seat, 2 * left + right))
        return state.with_side(self.seat, points=2 * left + right)


class EndRound(Run, frozen=True):
    """Have everybody draw a card; the match ends after the last round or spot."""

    def run(self, state: State, table: Table) -> State:
        table.tell(RoundEnded(state.round))
        if not state.open_spots():
            return replace(state, over="reef_empty")
        if state.round == state.rounds:
            return replace(state, over="rounds_over")
        for seat in range(len(state.sides)):
            state = draw(state, Seat(seat), table)
        return push(replace(state, round=state.round + 1, reef="", dives=0), *round_steps())


def draw(state: State, seat: Seat, table: Table) -> State:
    """Draw a card for a seat, if there is one."""
    if not state.deck:
        return state
    card = table.choose(state.deck)
    table.tell(CardDrawn(seat, card))
    hand = tuple(sorted((*state.sides[seat].hand, card)))
    return replace(state.with_side(seat, hand=hand), deck=without(state.deck, card))


AnyStep = (
    SealBid
    | RevealBids
    | ChooseReef
    | RollTide
    | React
    | SettleReactions
    | Dive
    | Stow
    | CountCatch
    | EndRound
)
