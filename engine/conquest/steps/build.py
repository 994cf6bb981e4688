"""The Building Step: everybody builds in secret at the same time, then all is shown.

A seat that has moved may build ahead, before the others have moved: the list is sealed like any
other, may be opened again until all are in, and is opened by itself if what all can see of its seat
has changed meanwhile."""

from collections import Counter
from typing import TYPE_CHECKING

from msgspec.structs import replace

from engine.conquest.build_list import (
    CARD,
    EXTRAS,
    HOME,
    LOOK,
    ONCE,
    PIECE_OF,
    PLACED,
    BuildList,
    build_list_of,
)
from engine.conquest.cards import card_objection, draw_card, revealable, show_card
from engine.conquest.empire import with_control
from engine.conquest.events import (
    Built,
    ColoniesSettled,
    Dropped,
    HoldingListed,
    Listed,
    PointSaved,
    SeatReady,
    SettlingListed,
    TurnedInward,
)
from engine.conquest.hex_options import LONG, hex_options, labelled_hexes
from engine.conquest.hexes import controlled
from engine.conquest.pieces import Build, Kinds, Line, one
from engine.conquest.reasons import Objection, about_hex, called, is_hex, offers, typed_number
from engine.conquest.steps.after_loss import CheckEmpires
from engine.core.decision import Answer, Decision, Fact, Option, Seat
from engine.core.event import Tell
from engine.core.steps import Run, Step, pop, push
from engine.core.table import Table

if TYPE_CHECKING:
    from engine.conquest.state import State

COPIES = 4
"""Pieces of a kind that one answer may build."""


class BeginBuilding(Run, frozen=True):
    """A list for everybody; whoever is out has nothing to say, and a list made ahead stands
    while its ground does.
    """

    def run(self, state: "State", table: Table) -> "State":
        """The step opens."""
        builds = []
        for n, made in enumerate(state.builds or empty_lists(state)):
            seat = Seat(n)
            stands = made.ready and made.ground == ground_of(state, seat)
            if state.nations[seat].out or stands:
                builds.append(made)
                continue
            if made.ready:
                table.tell(SeatReady(seat, False))
            # A list that its seat has opened again rests on the map of its day as well: groups may
            # be lost since.
            lines = still_possible(state, seat, made.lines)
            for line in (Counter(made.lines) - Counter(lines)).elements():
                table.tell(Dropped(seat, line.item, _place(line)))
            settling = build_list_of(state, seat, lines).settleable_hexes()
            builds.append(
                Build(lines, waits=tuple(spot for spot in made.waits if spot in settling))
            )
        begun = state.changed(
            step="building", builds=tuple(builds), legs=(), last=(), movement=None
        )
        return push(begun, BuildInSecret(), RevealBuilds())


def empty_lists(state: "State") -> tuple[Build, ...]:
    """A list for each seat; of one that is out it is in."""
    return tuple(Build(ready=nation.out) for nation in state.nations)


def ground_of(state: "State", seat: Seat) -> tuple[str, ...]:
    """What everybody sees of all that a seat's list rests on: its groups, its pieces, its cards
    face up.
    """
    own = [state.group(spot) for spot in controlled(state, seat)]
    groups = [f"{group.spot} {group.villages} {group.improved}" for group in own]
    stacks = [f"{stack.spot} {stack.kinds.total} {stack.open}" for stack in state.stacks_of(seat)]
    cards = [card.key for card in state.nations[seat].hand if card.up]
    return (*groups, "", *stacks, "", *cards)


def still_possible(state: "State", seat: Seat, lines: tuple[Line, ...]) -> tuple[Line, ...]:
    """What of a list can be built now, line by line."""
    kept: tuple[Line, ...] = ()
    for line in lines:
        build_list = build_list_of(state, seat, kept)
        if line.item == CARD:
            is_possible = line.spot in build_list.card_payers()
        elif line.item in PLACED or line.item == "pigs":
            is_possible = line.spot in build_list.places(line.item)
        else:
            is_possible = line.item in build_list.extras()
        if is_possible:
            kept = (*kept, line)
    return kept


def _question(state: "State", seat: Seat, build: Build, ahead: bool = False) -> Decision:
    """The next item, or what is still open about the last one."""
    build_list = build_list_of(state, seat, build.lines)
    match build.asked:
        case "":
            return _ask_item(build_list, build.waits, ahead)
        case "drop":
            return _ask_drop(build_list)
        case "card":
            return _ask_payer(build_list)
        case "wait":
            spots = build_list.settleable_hexes()
            return Decision(seat, "hold_colonies", hex_options(spots), 1, len(spots), secret=True)
        case "again":
            spots = build_list.second_settleable_hexes(build.settled)
            return Decision(seat, "settle_again", hex_options(spots), 0, 1, secret=True)
    return _ask_place(build_list, build.asked)


def _ask_item(build_list: BuildList, waits: tuple[str, ...], ahead: bool) -> Decision:
    """What can still be paid, Turning Inward and the cards that help, a line to drop, or to be
    done.

    With one place for a piece several of it may be taken at once; with more places their number is
    asked with them.
    """
    options = []
    for item in PLACED:
        spots, cost = build_list.places(item), build_list.price(item)
        most = build_list.max_copies(item, spots[0]) if len(spots) == 1 else len(spots[:1])
        for number in range(1, min(most, COPIES) + 1):
            several = number if number > 1 else 0
            facts: tuple[Fact, ...] = (("item", item), ("number", several), ("cost", cost * number))
            if several:
                facts += (("only_at", spots[0]),)
            options.append(Option(_numbered(item, number), facts=facts))
    if build_list.card_payers():
        options.append(
            Option(CARD, facts=(("item", CARD), ("number", 0), ("cost", build_list.price(CARD))))
        )
    options += [Option(extra) for extra in build_list.extras()]
    if build_list.droppable_lines():
        options.append(Option("drop"))
    if set(build_list.settleable_hexes()) - set(waits):
        options.append(Option("wait"))
    # Before the others have moved, to stop is to build later; a list that is begun is ended by
    # being done.
    may_wait = ahead and not build_list.lines
    options.append(Option("done", ends=not may_wait))
    if may_wait:
        options.append(Option("later", ends=True))
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
    about = (("item", item), ("cost", build_list.price(item)))

    def facts(spot: str, number: int) -> tuple[Fact, ...]:
        several = number if number > 1 else 0
        return (
            ("item", item),
            ("number", several),
            ("left", left[pool_of[spot]]),
            ("home", int(pool_of[spot] == HOME)),
        )

    # As many of a piece as are wanted in one hex, or one in each of several: not both in one
    # question, where any choice that is offered must be legal.
    each = min(COPIES, LONG // len(spots)) if len(spots) > 1 else 1
    numbers = {spot: min(each, build_list.max_copies(item, spot)) for spot in spots}
    if max(numbers.values()) > 1:
        counted = [(spot, n) for spot, most in numbers.items() for n in range(1, most + 1)]
        heaps = tuple(
            Option(_numbered(spot, n), spot=spot, facts=facts(spot, n)) for spot, n in counted
        )
        return Decision(build_list.estate.seat, "build_at", heaps, facts=about, secret=True)
    options = labelled_hexes({spot: facts(spot, 1) for spot in spots})
    most = build_list.max_selectable_hexes(item, spots)
    return Decision(build_list.estate.seat, "build_at", options, 1, most, facts=about, secret=True)


def _numbered(key: str, number: int) -> str:
    """The key of several of a thing: 'b-3', 'f7-2'; of one it is its own."""
    return f"{key}-{number}" if number > 1 else key


def _ask_payer(build_list: BuildList) -> Decision:
    """Which pool pays for a card; all but the Home's are named by a hex."""
    left = build_list.left
    options = []
    for pool in build_list.card_payers():
        spot = "" if pool == HOME else pool
        options.append(Option(pool, spot=spot, facts=(("left", left[pool]),)))
    return Decision(build_list.estate.seat, "pay_from", tuple(options), secret=True)


def _ask_drop(build_list: BuildList) -> Decision:
    """Which line goes, by its number on the list."""
    numbers = build_list.droppable_lines()
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
        return _listed(state, answer, tell)

    def objection(self, state: "State", decision: Decision, key: str) -> Objection:
        """What the list so far leaves possible."""
        return list_objection(state, decision, key)


class BuildAhead(Step, frozen=True):
    """A seat that has moved may build before the others move, and need not be called again for
    it.
    """

    seat: Seat

    def asks(self, state: "State") -> bool:
        """Until its list is in; without a group there is nothing to build, as all can see.

        Whose list is the last builds in the step itself: what all have built is then shown by that
        alone.
        """
        if state.nations[self.seat].out or not controlled(state, self.seat):
            return False
        lists = state.builds or empty_lists(state)
        others_are_in = all(build.ready for seat, build in enumerate(lists) if seat != self.seat)
        return not lists[self.seat].ready and not others_are_in

    def ask(self, state: "State") -> tuple[Decision, ...]:
        """The next item, or to build later with the others."""
        build = state.builds[self.seat] if state.builds else Build()
        return (_question(state, self.seat, build, ahead=True),)

    def take(self, state: "State", answer: Answer, tell: Tell) -> "State":
        """The list with this answer; it stands on what all can see now."""
        if answer.keys == ("later",):
            return pop(state)
        if not state.builds:
            state = state.changed(builds=empty_lists(state))
        state = _listed(state, answer, tell)
        if not state.builds[self.seat].ready:
            return state
        return pop(state.with_build(self.seat, ground=ground_of(state, self.seat)))

    def objection(self, state: "State", decision: Decision, key: str) -> Objection:
        """What the list so far leaves possible."""
        return list_objection(state, decision, key)


def list_objection(state: "State", decision: Decision, key: str) -> Objection:
    """Return why a seat cannot answer a question about its list so."""
    seat = decision.seat
    build = state.builds[seat] if state.builds else Build()
    build_list = build_list_of(state, seat, build.lines)
    match decision.kind:
        case "build_item":
            return _item_objection(
                build_list, decision, key, build.waits, is_ahead=state.step != "building"
            )
        case "build_at":
            return _place_objection(build_list, decision, key, build.asked)
        case "pay_from":
            return _payer_objection(build_list, decision, key)
        case "drop_item":
            number = typed_number(key)
            if 0 < number <= len(build.lines):
                return build_list.drop_objection(number - 1)
            return ("not_on_list", {"number": len(build.lines)}) if number >= 0 else None
    if not is_hex(key):
        return None
    if not state.pieces(seat, key).c:
        return about_hex("no_colony", key)
    if decision.kind == "settle_again":
        return about_hex("no_second_village", key)
    if key not in build_list.estate.colonies:
        return about_hex("no_green_box", key)
    return about_hex(build_list.settling_obstacle(key), key)


def _item_objection(
    build_list: BuildList, decision: Decision, key: str, waits: tuple[str, ...], is_ahead: bool
) -> Objection:
    """What can be paid, has a place and is not used up."""
    item, dash, typed = key.partition("-")
    number = typed_number(typed)
    if dash and (number < 1 or not (item in PLACED or is_hex(item))):
        return None
    if is_hex(item):
        is_own = build_list.left_at(item) is not None
        return ("what_first", {}) if is_own else about_hex("no_village", item)
    if item in EXTRAS:
        return build_list.extra_objection(item)
    match item:
        case "later":
            return ("list_is_begun" if build_list.lines and is_ahead else "build_now"), {}
        case "drop":
            return ("nothing_to_drop" if build_list.lines else "list_is_empty"), {}
        case "wait":
            return ("all_wait" if waits else "nobody_settles"), {}
        case "card":
            obstacle = build_list.card_obstacle()
            return (obstacle, {}) if obstacle else build_list.price_objection(CARD)
    if item not in PLACED:
        return None
    return (
        _copies_objection(build_list, decision, item, number)
        if dash
        else build_list.item_objection(item)
    )


def _copies_objection(
    build_list: BuildList, decision: Decision, item: str, number: int
) -> Objection:
    """Several of a piece are taken with it only where it has but one place."""
    if objection := build_list.item_objection(item):
        return objection
    if number == 1:
        return called(decision, item)
    if objection := build_list.number_objection(item, number):
        return objection
    places = build_list.places(item)
    if len(places) > 1:
        return "place_with_number", {"item": item, "example": f"{places[0]}-{number}"}
    return _sum_objection(build_list, item, number, places[0]) or (
        "so_many_at_once",
        {"most": COPIES},
    )


def _sum_objection(build_list: BuildList, item: str, number: int, spot: str) -> Objection:
    """Return the objection that this many of an item cost more than is left for a hex."""
    cost, left = number * build_list.price(item), build_list.left_at(spot) or 0
    return (
        ("dear_together", {"item": item, "number": number, "cost": cost, "left": left})
        if cost > left
        else None
    )


def _place_objection(build_list: BuildList, decision: Decision, key: str, item: str) -> Objection:
    """All new items must be placed in a hex that already contains a Village."""
    spot, dash, typed = key.partition("-")
    number = typed_number(typed)
    if not is_hex(spot) or (dash and number < 1):
        return None
    if objection := build_list.place_objection(item, spot):
        return objection
    if number <= 1:
        return called(decision, spot) if dash else None
    if objection := build_list.number_objection(item, number) or _sum_objection(
        build_list, item, number, spot
    ):
        return objection
    most = max(n for n in range(1, COPIES + 1) if n == 1 or offers(decision, _numbered(spot, n)))
    return "so_many_at_once", {"most": most}


def _payer_objection(build_list: BuildList, decision: Decision, key: str) -> Objection:
    """Points of one chain or group; any hex of a chain stands for it."""
    spot = build_list.estate.nation.home if key == HOME else key
    pool = HOME if key == HOME else build_list.estate.pool_of.get(key)
    if key == HOME and HOME not in build_list.left:
        return "no_home", {}
    if key != HOME and not is_hex(key):
        return None
    if pool is None:
        return about_hex("no_village", spot)
    dear = {
        "spot": spot,
        "item": CARD,
        "cost": build_list.price(CARD),
        "left": build_list.left[pool],
    }
    return called(decision, pool) or ("cannot_pay_at", dear)


def _listed(state: "State", answer: Answer, tell: Tell) -> "State":
    """The list of a seat with one more answer."""
    seat, key = answer.seat, "".join(answer.keys[:1])
    build = state.builds[seat]
    match answer.kind:
        case "build_item":
            return _choose(state, seat, key, tell)
        case "pay_from":
            return _add(state, seat, CARD, answer.keys, tell)
        case "drop_item":
            dropped = int(key) - 1
            tell(Dropped(seat, build.lines[dropped].item, _place(build.lines[dropped])))
            lines = (*build.lines[:dropped], *build.lines[dropped + 1 :])
            return state.with_build(seat, lines=lines, asked="")
        case "hold_colonies":
            tell(HoldingListed(seat, answer.keys))
            return state.with_build(seat, waits=answer.keys, asked="")
        case "settle_again":
            tell(SettlingListed(seat, answer.keys))
            return _seal(state.with_build(seat, again=key), seat, tell)
    spots: list[str] = []
    for chosen in answer.keys:
        spot, _, number = chosen.partition("-")
        spots += [spot] * int(number or 1)
    return _add(state, seat, build.asked, tuple(spots), tell)


def _choose(state: "State", seat: Seat, key: str, tell: Tell) -> "State":
    """An item: where it goes or who pays for it is asked next, unless there is nothing to
    choose.
    """
    if key == "done":
        return _finish(state, seat, tell)
    item, _, number = key.partition("-")
    build_list = build_list_of(state, seat, state.builds[seat].lines)
    if number:
        # Several of a piece are offered where it has one place.
        return _add(state, seat, item, (build_list.places(item)[0],) * int(number), tell)
    if item in PLACED or item in ("pigs", "drop", "wait"):
        return state.with_build(seat, asked=item)
    if item != CARD:
        return _add(state, seat, item, ("",), tell)
    payers = build_list.card_payers()
    if len(payers) > 1:
        return state.with_build(seat, asked=item)
    return _add(state, seat, item, tuple(payers), tell)


def _add(state: "State", seat: Seat, item: str, spots: tuple[str, ...], tell: Tell) -> "State":
    """A line more for each of the hexes, for a card with the pool that pays."""
    added = tuple(Line(item, spot) for spot in spots)
    tell(Listed(seat, item, tuple(_place(line) for line in added if _place(line))))
    return state.with_build(seat, lines=(*state.builds[seat].lines, *added), asked="")


def _finish(state: "State", seat: Seat, tell: Tell) -> "State":
    """Colonies settle "after you have completed all other Builds", but for those that are told
    to wait.
    """
    build = state.builds[seat]
    build_list = build_list_of(state, seat, build.lines)
    settled = tuple(spot for spot in build_list.settleable_hexes() if spot not in build.waits)
    if settled:
        tell(SettlingListed(seat, settled))
    state = state.with_build(seat, settled=settled)
    if build_list.second_settleable_hexes(settled):
        return state.with_build(seat, asked="again")
    return _seal(state, seat, tell)


def _seal(state: "State", seat: Seat, tell: Tell) -> "State":
    """The list is in."""
    tell(SeatReady(seat, True))
    return state.with_build(seat, asked="", ready=True)


class RevealBuilds(Run, frozen=True):
    """All lists are placed in turn order; then Colonies become Villages, and cards are drawn.

    A canoe built face up joins no pools this turn, as every list was reckoned before, but it counts
    at once in the Victory Step.
    """

    def run(self, state: "State", table: Table) -> "State":
        """What everybody built."""
        builds, order = state.builds, state.order
        savers = order if state.rules.saved else ()
        # What is left over is reckoned on the map as it was when the lists were made.
        kept = {
            seat: build_list_of(state, seat, builds[seat].lines).has_leftover for seat in savers
        }
        settling = {seat: self._settling(state, seat, builds[seat]) for seat in order}
        for seat in order:
            state = self._place(state, seat, builds[seat], table.tell)
        # Colonies come after all builds, so that nothing is built on a group that was settled this
        # turn.
        for seat in order:
            state = self._settle(state, seat, settling[seat], table.tell)
        for seat in savers:
            state = state.with_nation(seat, saved=kept[seat])
            if kept[seat]:
                table.tell(PointSaved(seat))
        # With fewer cards than buyers, turn order decides.
        curious = []
        for seat in order:
            for line in builds[seat].lines:
                if line.item in (CARD, "gift"):
                    state = draw_card(state, seat, table)
                elif line.item == LOOK:
                    curious.append(seat)
        return push(state.changed(builds=()), ShowCards(tuple(curious)), CheckEmpires())

    def _place(self, state: "State", seat: Seat, build: Build, tell: Tell) -> "State":
        """Pieces, Villages and Agriculture of one list."""
        lines = build.lines
        for line in lines:
            if line.item in ONCE:
                state = show_card(state, seat, line.item, tell, used=True)
        if any(line.item in PIECE_OF for line in lines):
            state = state.with_nation(seat, ashore=False)
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

    def _settling(self, state: "State", seat: Seat, build: Build) -> tuple[str, ...]:
        """Where Colonies still may settle: a Rumor that was to stay may have been dropped since
        the list was sealed.
        """
        build_list = build_list_of(state, seat, build.lines)
        allowed = build_list.settleable_hexes()
        spots = tuple(spot for spot in build.settled if spot in allowed)
        if build.again in build_list.second_settleable_hexes(spots):
            spots = (*spots, build.again)
        return spots

    def _settle(self, state: "State", seat: Seat, spots: tuple[str, ...], tell: Tell) -> "State":
        """Colonies replaced by Villages, at no additional cost in Build Points."""
        if spots:
            tell(ColoniesSettled(seat, spots))
        for spot in spots:
            group = state.group(spot)
            pieces = state.pieces(seat, spot).minus(one("c"))
            state = state.with_pieces(seat, spot, pieces)
            state = with_control(state, replace(group, owner=seat, villages=group.villages + 1))
        return state


class ShowCards(Step, frozen=True):
    """A card may be shown "right away": whoever listed that they want to look is asked before
    points are counted.
    """

    seats: tuple[Seat, ...]

    def asks(self, state: "State") -> bool:
        """While anybody is left."""
        return bool(self.ask(state))

    def ask(self, state: "State") -> tuple[Decision, ...]:
        """Any card that may be shown at any time, or to keep them all."""
        asked = []
        for seat in self.seats:
            if not state.nations[seat].out:
                cards = tuple(Option(key) for key in revealable(state, seat))
                asked.append(
                    Decision(seat, "show_card", (*cards, Option("keep", ends=True)), secret=True)
                )
        return tuple(asked)

    def take(self, state: "State", answer: Answer, tell: Tell) -> "State":
        """Shown or kept."""
        if answer.keys[0] != "keep":
            state = show_card(state, answer.seat, answer.keys[0], tell)
        left = tuple(seat for seat in self.seats if seat != answer.seat)
        return pop(state, ShowCards(left))

    def objection(self, state: "State", decision: Decision, key: str) -> Objection:
        """Return why a card is not a face-down one that may simply be shown."""
        return card_objection(state, decision.seat, key)
