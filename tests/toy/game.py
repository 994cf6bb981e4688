"""Reef as a Game: set-up, offers, views, redeal, and the end."""

from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from engine.core.decision import Answer, Decision, Option, Seat
from engine.core.event import Line, Tell
from engine.core.game import Choice, Outcome, Point, Setting, View
from engine.core.steps import StepGame, push
from engine.core.table import Table
from tests.toy.events import AnyEvent, NetThrown, StormRaised
from tests.toy.rules import CARDS, HAND, SPOTS, Side, State, draw, round_steps


class Reason(StrEnum):
    """The ways in which a match of Reef can end."""

    REEF_EMPTY = "reef_empty"
    ROUNDS_OVER = "rounds_over"


class SideView(Struct, frozen=True):
    """What everybody sees of a seat. Cards of a sealed bid still count as held."""

    cards: int
    points: int
    baskets: tuple[int, int]
    netted: bool
    ready: bool


class ReefView(View, frozen=True, kw_only=True):
    """The table, with the viewer's own cards."""

    round: int
    reef: str
    dives: int
    taken: tuple[str, ...]
    closed: tuple[str, ...]
    discard: tuple[str, ...]
    sides: tuple[SideView, ...]
    hand: tuple[str, ...] = ()
    bid: tuple[str, ...] = ()
    reaction: str = ""

    def note(self, spot: str) -> str:
        return "taken" if spot in self.taken else "closed" if spot in self.closed else ""

    def status(self) -> tuple[tuple[str, dict[str, Any]], ...]:
        return (
            (
                "round",
                {"round": self.round, "spots": len(SPOTS) - len(self.taken) - len(self.closed)},
            ),
        )

    def stage(self) -> Line | None:
        return ("round", {"round": self.round})


def _points_for_score(raw: dict[str, Any]) -> dict[str, Any]:
    """Migrate from version 1, which called a side's points its score."""
    for side in raw.get("base", {}).get("sides", []):
        side["points"] = side.pop("score")
    return raw


def _with_discard(raw: dict[str, Any]) -> dict[str, Any]:
    """Migrate from version 2, which removed used cards from the game."""
    if "base" in raw:
        raw["base"]["discard"] = []
    return raw


class Reef(StepGame[State]):
    """The toy of the test suite."""

    id = "toy"
    title = "Reef"
    seats = range(2, 5)
    version = 3
    settings = (
        Setting("rounds", (Choice("2"), Choice("3", seats=(3, 4))), "2"),
        Setting("storms", (Choice("on"), Choice("off")), "on"),
        Setting("note", (), "", free=True),
    )
    reasons = Reason
    windows = frozenset({"react"})
    commit_limit = 60
    state_type = State
    event_type = AnyEvent
    migrations: Mapping[int, Callable[[dict[str, Any]], dict[str, Any]]] = {
        1: _points_for_score,
        2: _with_discard,
    }

    def setup(self, seats: int, settings: Mapping[str, str], table: Table) -> State:
        state = State(
            (Side(()),) * seats, CARDS, (), int(settings["rounds"]), settings["storms"] == "on", ()
        )
        for seat in range(seats):
            for _ in range(HAND):
                state = draw(state, Seat(seat), table)
        return push(state, *round_steps())

    def offers(self, state: State) -> tuple[Decision, ...]:
        """Offer every seat to use a storm or a net in its hand."""
        if state.over or not state.storms:
            return ()
        seats = [Seat(seat) for seat in range(len(state.sides))]
        return tuple(offer for seat in seats for offer in self._offers_to(state, seat))

    def _offers_to(self, state: State, seat: Seat) -> list[Decision]:
        hand, offers = state.sides[seat].hand, []
        if "storm" in hand and state.open_spots():
            spots = tuple(Option(spot, spot=spot) for spot in state.open_spots())
            offers.append(Decision(seat, "raise_storm", spots, blocking=False))
        if "net" in hand:
            targets = tuple(
                Option(f"p{n + 1}", facts=(("target", n),)) for n in range(len(state.sides))
            )
            offers.append(Decision(seat, "throw_net", targets, blocking=False))
        return offers

    def take_offer(self, state: State, answer: Answer, tell: Tell) -> State:
        key = answer.keys[0]
        if answer.kind == "raise_storm":
            tell(StormRaised(answer.seat, key))
            return replace(state.without_cards(answer.seat, "storm"), closed=(*state.closed, key))
        target = Seat(int(key[1:]) - 1)
        tell(NetThrown(answer.seat, target))
        return state.without_cards(answer.seat, "net").with_side(
            target, netted=not state.sides[target].netted
        )

    def view(self, state: State, viewer: Seat | None) -> ReefView:
        own = state.sides[viewer] if viewer is not None else Side(())
        return ReefView(
            game=self.id,
            viewer=viewer,
            scores=tuple(side.points for side in state.sides),
            round=state.round,
            reef=state.reef,
            dives=state.dives,
            taken=state.taken,
            closed=state.closed,
            discard=state.discard,
            sides=tuple(_side_view(side) for side in state.sides),
            hand=own.hand,
            bid=own.bid,
            reaction=own.reaction,
        )

    def refusal(self, state: State, decision: Decision, key: str) -> Line | None:
        """Return why a seat cannot dive or raise a storm there."""
        view = self.view(state, decision.seat)
        if (
            key not in SPOTS
            or decision.kind not in ("dive", "raise_storm")
            or key in map(_key, decision.options)
        ):
            return None
        if key in view.taken or key in view.closed:
            return "gone", {"spot": key, "how": view.note(key)}
        return "other_reef", {"spot": key, "reef": view.reef}

    def places(self, view: View) -> Mapping[str, Point]:
        """Return two rows of three."""
        return {spot: (int(spot[1]), "ab".index(spot[0])) for spot in SPOTS}

    def outcome(self, state: State) -> Outcome | None:
        if not state.over:
            return None
        scores = tuple(side.points for side in state.sides)
        cards = tuple(len(side.hand) for side in state.sides)
        worth = list(zip(scores, cards, strict=True))
        places = sorted(set(worth), reverse=True)
        ranking = tuple(
            tuple(Seat(seat) for seat, own in enumerate(worth) if own == place) for place in places
        )
        return Outcome(
            Reason(state.over), ranking, scores, tuple((("cards", number),) for number in cards)
        )

    def redeal(self, state: State, viewer: Seat | None, table: Table) -> State:
        """Shuffle the deck with others' hands; their sealed answers become the smallest ones."""
        others = [Seat(seat) for seat in range(len(state.sides)) if seat != viewer]
        held = [
            card for seat in others for card in (*state.sides[seat].hand, *state.sides[seat].bid)
        ]
        pile = list(table.shuffle(sorted((*state.deck, *held))))
        for seat in others:
            side = state.sides[seat]
            count = len(side.hand) + len(side.bid)
            cards, pile = pile[:count], pile[count:]
            bid = tuple(cards[: 1 if side.bid else 0])
            hand = tuple(sorted(cards[len(bid) :]))
            state = state.with_side(
                seat, hand=hand, bid=bid, reaction="pass" if side.reaction else ""
            )
        return replace(state, deck=tuple(sorted(pile)))

    def sealed(self, state: State) -> tuple[tuple[str, Seat], ...]:
        """Return the bids and reactions that are in."""
        bids = [("bid", Seat(seat)) for seat, side in enumerate(state.sides) if side.bid]
        reactions = [
            ("reaction", Seat(seat)) for seat, side in enumerate(state.sides) if side.reaction
        ]
        return (*bids, *reactions)


def _side_view(side: Side) -> SideView:
    cards = len(side.hand) + len(side.bid)
    return SideView(cards, side.points, side.baskets, side.netted, bool(side.bid or side.reaction))


def _key(option: Option) -> str:
    return option.key
