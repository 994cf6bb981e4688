"""The Building Step: everybody builds in secret at the same time, then all is shown."""

from collections import Counter
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from engine.conquest.build_list import CARD, HOME, PIECE_OF, PLACED, BuildList, build_list_of
from engine.conquest.cards import show_card
from engine.conquest.empire import with_control
from engine.conquest.events import (
    Built,
    CardDrawn,
    CardMissed,
    ColoniesSettled,
    Dropped,
    Listed,
    PointSaved,
    SeatReady,
    SettlingListed,
    TurnedInward,
)
from engine.conquest.pieces import Build, HandCard, Kinds, Line, one
from engine.conquest.steps.empire import CheckEmpires
from engine.conquest.steps.options import MENU, hexes, labelled
from engine.core.decision import Answer, Decision, Fact, Option, Seat
from engine.core.event import Tell
from engine.core.steps import Run, Step, push
from engine.core.table import Table

if TYPE_CHECKING:
    from engine.conquest.state import State

ONCE = ("adze", "pigs", "gift")
"""Cards that work once, on a build list."""


class BeginBuilding(Run, frozen=True):
    """An empty list for everybody; whoever is out has nothing to say."""

    def run(self, state: "State", table: Table) -> "State":
        """The step opens."""
        builds = tuple(Build(ready=nation.out) for nation in state.nations)
        begun = state.changed(step="building", builds=builds, legs=(), last=(), movement=None)
        return push(begun, BuildInSecret(), RevealBuilds())


def _question(state: "State", seat: Seat, build: Build) -> Decision:
    """The next item, or what is still open about the last one."""
    plan = build_list_of(state, seat, build.lines)
    match build.asked:
        case "":
            return _ask_item(plan)
        case "drop":
            return _ask_drop(plan)
        case "card":
            return _ask_payer(plan)
        case "settle":
            spots = plan.settling()
            return Decision(seat, "settle_colonies", hexes(spots), 0, len(spots), secret=True)
        case "again":
            spots = plan.settling_again(build.settled)
            return Decision(seat, "settle_again", hexes(spots), 0, 1, secret=True)
    return _ask_place(plan, build.asked)


def _ask_item(plan: BuildList) -> Decision:
    items = [item for item in PLACED if plan.places(item)]
    if plan.payers():
        items.append(CARD)
    options = [Option(item, facts=(("item", item), ("cost", plan.price(item)))) for item in items]
    options += [Option(extra) for extra in plan.extras()]
    if plan.droppable():
        options.append(Option("drop"))
    options.append(Option("done", ends=True))
    # What each pool has left: the Home's, then the others by a hex of theirs.
    left = plan.left
    others = tuple(f"{pool} {points}" for pool, points in left.items() if pool != HOME)
    about: tuple[Fact, ...] = (
        ("spent", plan.total - sum(left.values())),
        ("points", plan.total),
        ("deck", plan.estate.deck),
        ("home", left.get(HOME, 0)),
        ("elsewhere", others),
    )
    return Decision(plan.estate.seat, "build_item", tuple(options), facts=about, secret=True)


def _ask_place(plan: BuildList, item: str) -> Decision:
    """Hexes pool by pool, the Home's first, each with what its pool has left."""
    spots = plan.places(item)
    left: dict[str, tuple[Fact, ...]] = {}
    for spot in spots:
        pool = plan.estate.pool_of[spot]
        left[spot] = (("left", plan.left[pool]), ("home", int(pool == HOME)))
    about = (("item", item), ("cost", plan.price(item)))
    return Decision(plan.estate.seat, "build_at", labelled(left), 1, plan.most(item, spots), facts=about, secret=True)


def _ask_payer(plan: BuildList) -> Decision:
    options = tuple(
        Option(pool, spot="" if pool == HOME else pool, facts=(("left", plan.left[pool]),)) for pool in plan.payers()
    )
    return Decision(plan.estate.seat, "pay_from", options, secret=True)


def _ask_drop(plan: BuildList) -> Decision:
    found = plan.droppable()
    options = []
    for n in found:
        line = plan.lines[n]
        group = f"items-{line.item}" if len(found) > MENU else ""
        options.append(Option(str(n + 1), group=group, facts=(("item", line.item), ("place", _place(line)))))
    return Decision(plan.estate.seat, "drop_item", tuple(options), secret=True)


def _place(line: Line) -> str:
    """Where the thing will stand; of a card only who pays for it is known."""
    return "" if line.item == CARD else line.spot


class BuildInSecret(Step, frozen=True):
    """Each seat adds to its own list until it is done; nobody sees another's."""

    def asks(self, state: "State") -> bool:
        """Until all are in."""
        return any(not build.ready for build in state.builds)

    def ask(self, state: "State") -> tuple[Decision, ...]:
        """Every seat that is not in."""
        open_lists = ((Seat(seat), build) for seat, build in enumerate(state.builds) if not build.ready)
        return tuple(_question(state, seat, build) for seat, build in open_lists)

    def take(self, state: "State", answer: Answer, tell: Tell) -> "State":
        """The list with this answer."""
        build, seat = state.builds[answer.seat], answer.seat
        match answer.kind:
            case "build_item":
                return self._chosen(state, seat, answer.keys[0], tell)
            case "drop_item":
                return self._dropped(state, seat, int(answer.keys[0]) - 1, tell)
            case "settle_colonies":
                tell(SettlingListed(seat, answer.keys))
                return self._finish(state, seat, "again", tell, settled=answer.keys)
            case "settle_again":
                tell(SettlingListed(seat, answer.keys))
                return self._finish(state, seat, "ready", tell, again="".join(answer.keys))
        item = CARD if answer.kind == "pay_from" else build.asked
        return self._listed(state, seat, item, answer.keys, tell)

    def _listed(self, state: "State", seat: Seat, item: str, spots: tuple[str, ...], tell: Tell) -> "State":
        tell(Listed(seat, item, tuple(spot for spot in spots if spot and item != CARD)))
        lines = (*state.builds[seat].lines, *(Line(item, spot) for spot in spots))
        return state.with_build(seat, lines=lines, asked="")

    def _chosen(self, state: "State", seat: Seat, item: str, tell: Tell) -> "State":
        if item == "done":
            return self._finish(state, seat, "settle", tell)
        if item in PLACED or item in ("pigs", "drop"):
            return state.with_build(seat, asked=item)
        payers = build_list_of(state, seat, state.builds[seat].lines).payers() if item == CARD else [""]
        if len(payers) > 1:
            return state.with_build(seat, asked=item)
        return self._listed(state, seat, item, tuple(payers), tell)

    def _dropped(self, state: "State", seat: Seat, place: int, tell: Tell) -> "State":
        lines = state.builds[seat].lines
        tell(Dropped(seat, lines[place].item, _place(lines[place])))
        return state.with_build(seat, lines=(*lines[:place], *lines[place + 1 :]), asked="")

    def _finish(self, state: "State", seat: Seat, asked: str, tell: Tell, **said: Any) -> "State":
        """Colonies are asked about after all else, as far as any can settle; then the list is in."""
        build = state.builds[seat]
        plan = build_list_of(state, seat, build.lines)
        if asked == "settle" and plan.settling():
            return state.with_build(seat, asked="settle")
        if asked != "ready" and plan.settling_again(said.get("settled", ())):
            return state.with_build(seat, asked="again", **said)
        tell(SeatReady(seat, True))
        return state.with_build(seat, asked="", ready=True, **said)


class RevealBuilds(Run, frozen=True):
    """All lists are placed in turn order; then Colonies become Villages, and cards are drawn."""

    def run(self, state: "State", table: Table) -> "State":
        """What everybody built."""
        builds, order = state.builds, state.order
        savers = order if state.rules.saved else ()
        # What is left over is reckoned on the map as it was when the lists were made.
        kept = {seat: build_list_of(state, seat, builds[seat].lines).leftover() for seat in savers}
        for seat in order:
            state = self._place(state, seat, builds[seat], table.tell)
        # Colonies come after all builds, so that nothing is built on a group that was settled this turn.
        for seat in order:
            state = self._settle(state, seat, builds[seat], table.tell)
        for seat in savers:
            state = state.with_nation(seat, saved=kept[seat])
            if kept[seat]:
                table.tell(PointSaved(seat))
        # With fewer cards than buyers, turn order decides.
        for seat in order:
            for line in builds[seat].lines:
                if line.item in (CARD, "gift"):
                    state = draw_card(state, seat, table)
        return push(state.changed(builds=()), CheckEmpires())

    def _place(self, state: "State", seat: Seat, build: Build, tell: Tell) -> "State":
        """Pieces, Villages and Agriculture of one list."""
        lines = build.lines
        for line in lines:
            if line.item in ONCE:
                state = show_card(state, seat, line.item, tell, used=True)
        opened = self._spots(lines, "o")
        hidden = [(line.spot, PIECE_OF[line.item]) for line in lines if line.item in PIECE_OF and line.item != "o"]
        # Others learn how many pieces came where, and not what they are.
        counts = Counter(spot for spot, _ in hidden)
        tell(Built(seat, tuple(counts.items()), opened, self._spots(lines, "v"), self._spots(lines, "a"), lines))
        state = state.adding(seat, *((spot, one(kind)) for spot, kind in hidden))
        for spot in opened:
            state = state.with_pieces(seat, spot, state.pieces(seat, spot).plus(Kinds(t=1)), is_open=True)
        for line in lines:
            group = state.group(line.spot) if line.item in ("v", "a") else None
            if group is not None:
                more = {"villages": group.villages + 1} if line.item == "v" else {"improved": group.improved + 1}
                state = state.with_group(replace(group, **more))
        if any(line.item == "inward" for line in lines):
            tell(TurnedInward(seat))
            state = state.with_nation(seat, explorer="lost")
        return state

    def _spots(self, lines: tuple[Line, ...], item: str) -> tuple[str, ...]:
        return tuple(line.spot for line in lines if line.item == item)

    def _settle(self, state: "State", seat: Seat, build: Build, tell: Tell) -> "State":
        spots = (*build.settled, *((build.again,) if build.again else ()))
        if spots:
            tell(ColoniesSettled(seat, spots))
        for spot in spots:
            group = state.group(spot)
            state = state.with_pieces(seat, spot, state.pieces(seat, spot).minus(one("c")))
            state = with_control(state, replace(group, owner=seat, villages=group.villages + 1))
        return state


def draw_card(state: "State", seat: Seat, table: Table) -> "State":
    """A card from the deck, if there is one."""
    if not state.deck:
        table.tell(CardMissed(seat))
        return state
    card = table.choose(state.deck)
    table.tell(CardDrawn(seat, card))
    hand = (*state.nations[seat].hand, HandCard(card))
    deck = tuple(key for key in state.deck if key != card)
    return state.changed(deck=deck).with_nation(seat, hand=hand)
