"""The Building Step: everybody builds in secret at the same time, then all is shown."""

from collections import Counter
from typing import TYPE_CHECKING

from msgspec.structs import replace

from engine.conquest.build_list import CARD, HOME, PIECE_OF, PLACED, BuildList, build_list_of
from engine.conquest.cards import draw_card, show_card
from engine.conquest.empire import with_control
from engine.conquest.events import (
    Built,
    ColoniesSettled,
    Dropped,
    Listed,
    PointSaved,
    SeatReady,
    SettlingListed,
    TurnedInward,
)
from engine.conquest.hex_options import LONG, hex_options, labelled_hexes
from engine.conquest.pieces import Build, Kinds, Line, one
from engine.conquest.steps.after_loss import CheckEmpires
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
    build_list = build_list_of(state, seat, build.lines)
    match build.asked:
        case "":
            return _ask_item(build_list)
        case "drop":
            return _ask_drop(build_list)
        case "card":
            return _ask_payer(build_list)
        case "settle":
            spots = build_list.settling()
            return Decision(seat, "settle_colonies", hex_options(spots), 0, len(spots), secret=True)
        case "again":
            spots = build_list.settling_again(build.settled)
            return Decision(seat, "settle_again", hex_options(spots), 0, 1, secret=True)
    return _ask_place(build_list, build.asked)


def _ask_item(build_list: BuildList) -> Decision:
    """What can still be paid, Turning Inward and the cards that help, a line to drop, or to be done."""
    items = [item for item in PLACED if build_list.places(item)]
    if build_list.payers():
        items.append(CARD)
    options = []
    for item in items:
        cost = build_list.price(item)
        options.append(Option(item, facts=(("item", item), ("cost", cost))))
    options += [Option(extra) for extra in build_list.extras()]
    if build_list.droppable():
        options.append(Option("drop"))
    options.append(Option("done", ends=True))
    # What each pool has left: the Home's, then the others by a hex of theirs.
    left, total = build_list.left, build_list.total
    others = tuple(f"{pool} {points}" for pool, points in left.items() if pool != HOME)
    about: tuple[Fact, ...] = (
        ("spent", total - sum(left.values())),
        ("points", total),
        ("deck", build_list.estate.deck),
        ("home", left.get(HOME, 0)),
        ("elsewhere", others),
    )
    return Decision(build_list.estate.seat, "build_item", tuple(options), facts=about, secret=True)


def _ask_place(build_list: BuildList, item: str) -> Decision:
    """Hexes pool by pool, the Home's first, each with what its pool has left."""
    spots, left, pool_of = build_list.places(item), build_list.left, build_list.estate.pool_of
    facts: dict[str, tuple[Fact, ...]] = {}
    for spot in spots:
        pool = pool_of[spot]
        facts[spot] = (("left", left[pool]), ("home", int(pool == HOME)))
    options, most = labelled_hexes(facts), build_list.most(item, spots)
    about = (("item", item), ("cost", build_list.price(item)))
    return Decision(build_list.estate.seat, "build_at", options, 1, most, facts=about, secret=True)


def _ask_payer(build_list: BuildList) -> Decision:
    """Which pool pays for a card; all but the Home's are named by a hex."""
    left = build_list.left
    options = []
    for pool in build_list.payers():
        spot = "" if pool == HOME else pool
        options.append(Option(pool, spot=spot, facts=(("left", left[pool]),)))
    return Decision(build_list.estate.seat, "pay_from", tuple(options), secret=True)


def _ask_drop(build_list: BuildList) -> Decision:
    """Which line goes, by its number on the list."""
    numbers = build_list.droppable()
    options = []
    for n in numbers:
        line = build_list.lines[n]
        group = f"items-{line.item}" if len(numbers) > LONG else ""
        about = (("item", line.item), ("place", _place(line)))
        options.append(Option(str(n + 1), group=group, facts=about))
    return Decision(build_list.estate.seat, "drop_item", tuple(options), secret=True)


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
        asked = []
        for seat, build in enumerate(state.builds):
            if not build.ready:
                asked.append(_question(state, Seat(seat), build))
        return tuple(asked)

    def take(self, state: "State", answer: Answer, tell: Tell) -> "State":
        """The list with this answer."""
        seat, key = answer.seat, "".join(answer.keys[:1])
        build = state.builds[seat]
        match answer.kind:
            case "build_item":
                return self._choose(state, seat, key, tell)
            case "pay_from":
                return self._add(state, seat, CARD, answer.keys, tell)
            case "drop_item":
                dropped = int(key) - 1
                tell(Dropped(seat, build.lines[dropped].item, _place(build.lines[dropped])))
                lines = (*build.lines[:dropped], *build.lines[dropped + 1 :])
                return state.with_build(seat, lines=lines, asked="")
            case "settle_colonies":
                tell(SettlingListed(seat, answer.keys))
                return self._finish(state.with_build(seat, settled=answer.keys), seat, "again", tell)
            case "settle_again":
                tell(SettlingListed(seat, answer.keys))
                return self._finish(state.with_build(seat, again=key), seat, "ready", tell)
        return self._add(state, seat, build.asked, answer.keys, tell)

    def _choose(self, state: "State", seat: Seat, item: str, tell: Tell) -> "State":
        """An item: where it goes or who pays for it is asked next, unless there is nothing to choose."""
        if item == "done":
            return self._finish(state, seat, "settle", tell)
        if item in PLACED or item in ("pigs", "drop"):
            return state.with_build(seat, asked=item)
        if item != CARD:
            return self._add(state, seat, item, ("",), tell)
        payers = build_list_of(state, seat, state.builds[seat].lines).payers()
        if len(payers) > 1:
            return state.with_build(seat, asked=item)
        return self._add(state, seat, item, tuple(payers), tell)

    def _add(self, state: "State", seat: Seat, item: str, spots: tuple[str, ...], tell: Tell) -> "State":
        """A line more for each of the hexes, for a card with the pool that pays."""
        added = tuple(Line(item, spot) for spot in spots)
        tell(Listed(seat, item, tuple(_place(line) for line in added if _place(line))))
        return state.with_build(seat, lines=(*state.builds[seat].lines, *added), asked="")

    def _finish(self, state: "State", seat: Seat, asked: str, tell: Tell) -> "State":
        """Colonies are asked about "after you have completed all other Builds", if any can settle; then all is in."""
        build = state.builds[seat]
        build_list = build_list_of(state, seat, build.lines)
        if asked == "settle" and build_list.settling():
            return state.with_build(seat, asked="settle")
        if asked != "ready" and build_list.settling_again(build.settled):
            return state.with_build(seat, asked="again")
        tell(SeatReady(seat, True))
        return state.with_build(seat, asked="", ready=True)


class RevealBuilds(Run, frozen=True):
    """All lists are placed in turn order; then Colonies become Villages, and cards are drawn.

    A canoe built face up joins no pools this turn, as every list was reckoned before, but it counts at once in the
    Victory Step.
    """

    def run(self, state: "State", table: Table) -> "State":
        """What everybody built."""
        builds, order = state.builds, state.order
        savers = order if state.rules.saved else ()
        # What is left over is reckoned on the map as it was when the lists were made.
        kept = {seat: build_list_of(state, seat, builds[seat].lines).has_leftover for seat in savers}
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
        villages, improved = self._spots(lines, "v"), self._spots(lines, "a")
        pieces = [line for line in lines if line.item in PIECE_OF and line.item != "o"]
        face_down = [(line.spot, one(PIECE_OF[line.item])) for line in pieces]
        # Others learn how many pieces came where, and not what they are.
        counts = Counter(spot for spot, _ in face_down)
        tell(Built(seat, tuple(counts.items()), opened, villages, improved, lines))
        state = state.adding(seat, *face_down)
        for spot in opened:
            canoe_more = state.pieces(seat, spot).plus(Kinds(t=1))
            state = state.with_pieces(seat, spot, canoe_more, is_open=True)
        for spot in villages:
            group = state.group(spot)
            state = state.with_group(replace(group, villages=group.villages + 1))
        for spot in improved:
            group = state.group(spot)
            state = state.with_group(replace(group, improved=group.improved + 1))
        # Turning Inward: the Explorer goes to the Lost Box, and so skips the next Exploration Step.
        if any(line.item == "inward" for line in lines):
            tell(TurnedInward(seat))
            state = state.with_nation(seat, explorer="lost")
        return state

    def _spots(self, lines: tuple[Line, ...], item: str) -> tuple[str, ...]:
        return tuple(line.spot for line in lines if line.item == item)

    def _settle(self, state: "State", seat: Seat, build: Build, tell: Tell) -> "State":
        """Colonies replaced by Villages, at no additional cost in Build Points."""
        spots = build.settled
        if build.again:
            spots = (*spots, build.again)
        if spots:
            tell(ColoniesSettled(seat, spots))
        for spot in spots:
            group = state.group(spot)
            pieces = state.pieces(seat, spot).minus(one("c"))
            state = state.with_pieces(seat, spot, pieces)
            state = with_control(state, replace(group, owner=seat, villages=group.villages + 1))
        return state
