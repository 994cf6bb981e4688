"""The Building Step: every seat writes a secret build list, then all lists are revealed together.

A seat that has finished its Movement may build ahead, while others still move. Its list is sealed
like any other and may be reopened until every list is in. It reopens automatically if anything that
everybody can see of the seat has changed in the meantime (`Build.ground`).

What a list may hold, and why not, is decided in build_list.py; this file asks the questions and
places the result. Steps are saved by class name and fields, so neither is ever renamed.
"""

from collections import Counter
from typing import TYPE_CHECKING

from msgspec.structs import replace

from engine.conquest.build_list import (
    CARD,
    EXTRAS,
    HOME,
    PEEK,
    PIECE_OF,
    PLACED_ITEMS,
    SINGLE_USE_CARDS,
    BuildList,
    build_list_of,
)
from engine.conquest.cards import card_refusal, draw_card, revealable_cards, show_card
from engine.conquest.empire import set_control
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
from engine.conquest.hex_options import MAX_UNGROUPED_OPTIONS, hex_options, labelled_hex_options
from engine.conquest.hexes import controlled_groups
from engine.conquest.pieces import Build, Kinds, Line, pieces_of_kind
from engine.conquest.refusals import (
    Refusal,
    hex_refusal,
    is_hex,
    is_offered,
    parse_number,
    suggest_name,
)
from engine.conquest.steps.after_loss import CheckEmpires
from engine.core.decision import Answer, Decision, Fact, Option, Seat
from engine.core.event import Tell
from engine.core.steps import Run, Step, pop, push
from engine.core.table import Table

if TYPE_CHECKING:
    from engine.conquest.state import State

MAX_COPIES_PER_ANSWER = 4
"""Pieces of one kind that a single answer may add."""


class BeginBuilding(Run, frozen=True):
    """Open a build list for every seat, and keep lists that were built ahead and still hold."""

    def run(self, state: "State", table: Table) -> "State":
        """Reopen outdated lists without their impossible lines, then ask for all open lists."""
        builds = []
        for n, made in enumerate(state.builds or empty_lists(state)):
            seat = Seat(n)
            is_current = made.ready and made.ground == visible_holdings(state, seat)
            if state.nations[seat].out or is_current:
                builds.append(made)
                continue
            if made.ready:
                table.tell(SeatReady(seat, False))
            # The seat may have lost groups, pieces or cards since it wrote these lines.
            lines = keep_possible_lines(state, seat, made.lines)
            for line in (Counter(made.lines) - Counter(lines)).elements():
                table.tell(Dropped(seat, line.item, _building_hex(line)))
            settling = build_list_of(state, seat, lines).settleable_hexes()
            builds.append(
                Build(lines, waits=tuple(spot for spot in made.waits if spot in settling))
            )
        begun = state.with_changes(
            step="building", builds=tuple(builds), legs=(), last=(), movement=None
        )
        return push(begun, BuildInSecret(), RevealBuilds())


def empty_lists(state: "State") -> tuple[Build, ...]:
    """Return an empty list for each seat; the list of an eliminated seat counts as sealed."""
    return tuple(Build(ready=nation.out) for nation in state.nations)


def visible_holdings(state: "State", seat: Seat) -> tuple[str, ...]:
    """Return what everybody sees of a seat's groups, pieces and face-up cards, as texts to compare.

    A list that was built ahead holds only while these stay the same.
    """
    # The kinds of face-down pieces must stay out: whether a list is reopened is seen by everybody.
    own = [state.group(spot) for spot in controlled_groups(state, seat)]
    groups = [f"{group.spot} {group.villages} {group.improved}" for group in own]
    stacks = [f"{stack.spot} {stack.kinds.total} {stack.open}" for stack in state.stacks_of(seat)]
    cards = [card.key for card in state.nations[seat].hand if card.up]
    return (*groups, "", *stacks, "", *cards)


def keep_possible_lines(state: "State", seat: Seat, lines: tuple[Line, ...]) -> tuple[Line, ...]:
    """Return the lines of a list that can still be built, checked in their order."""
    kept: tuple[Line, ...] = ()
    for line in lines:
        build_list = build_list_of(state, seat, kept)
        if line.item == CARD:
            is_possible = line.spot in build_list.card_payers()
        # Pigs build a Colony, so they need a hex like items that are paid for.
        elif line.item in PLACED_ITEMS or line.item == "pigs":
            is_possible = line.spot in build_list.places(line.item)
        else:
            is_possible = line.item in build_list.extras()
        if is_possible:
            kept = (*kept, line)
    return kept


def _next_question(state: "State", seat: Seat, build: Build, ahead: bool = False) -> Decision:
    """Return the seat's next question: the next item, or a detail of the last one."""
    build_list = build_list_of(state, seat, build.lines)
    match build.asked:
        case "":
            return _ask_item(build_list, build.waits, ahead)
        # The other values ask for a detail of the answer before.
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
    """Ask for the next item to build, or whether the list is done.

    The options are the items that the seat can pay for, Turning Inward, single-use cards, and
    changes to the list. Where a piece has only one possible hex, several copies may be chosen
    at once; otherwise the number is asked together with the hex.
    """
    options = []
    for item in PLACED_ITEMS:
        spots = build_list.places(item)
        if not spots:
            continue
        cost = build_list.price(item)
        most = build_list.max_copies(item, spots[0]) if len(spots) == 1 else 1
        for number in range(1, min(most, MAX_COPIES_PER_ANSWER) + 1):
            # The label of a single piece has no number, which `number` 0 leaves out.
            several = number if number > 1 else 0
            facts: tuple[Fact, ...] = (
                ("item", item),
                ("number", several),
                ("cost", cost * number),
            )
            if several:
                facts += (("only_at", spots[0]),)
            options.append(Option(_copies_key(item, number), facts=facts))
    if build_list.card_payers():
        card_facts = (("item", CARD), ("number", 0), ("cost", build_list.price(CARD)))
        options.append(Option(CARD, facts=card_facts))
    options += [Option(extra) for extra in build_list.extras()]
    if build_list.droppable_lines():
        options.append(Option("drop"))
    if set(build_list.settleable_hexes()) - set(waits):
        options.append(Option("wait"))
    # While others still have to move, an empty list may be put off; a list with lines must be
    # finished.
    may_postpone = ahead and not build_list.lines
    options.append(Option("done", ends=not may_postpone))
    if may_postpone:
        options.append(Option("later", ends=True))
    # The Build Points left in the Home pool, then in each other pool, named by one of its hexes.
    left = build_list.left
    total = build_list.total
    others = tuple(f"{pool} {points}" for pool, points in left.items() if pool != HOME)
    about: tuple[Fact, ...] = (
        ("left", sum(left.values())),
        ("points", total),
        ("deck", build_list.estate.deck),
        ("home", left.get(HOME, 0)),
        ("elsewhere", others),
        ("ahead", int(may_postpone)),
    )
    return Decision(build_list.estate.seat, "build_item", tuple(options), facts=about, secret=True)


def _ask_place(build_list: BuildList, item: str) -> Decision:
    """Ask where an item is built; hexes are listed pool by pool, the Home pool first."""
    seat = build_list.estate.seat
    spots = build_list.places(item)
    left = build_list.left
    pool_of = build_list.estate.pool_of
    price = build_list.price(item)
    about = (("item", item), ("cost", price))

    def option_facts(spot: str, number: int) -> tuple[Fact, ...]:
        several = number if number > 1 else 0
        return (
            ("item", item),
            ("number", several),
            # Where nothing is spent, it doesn't matter how much there is.
            ("left", left[pool_of[spot]] if price else 0),
            ("home", int(pool_of[spot] == HOME)),
        )

    # The answer is either several copies in one hex, or one copy in each of several hexes. Both in
    # one question would offer combinations that the seat cannot pay for.
    max_each = 1
    if len(spots) > 1:
        max_each = min(MAX_COPIES_PER_ANSWER, MAX_UNGROUPED_OPTIONS // len(spots))
    max_numbers = {spot: min(max_each, build_list.max_copies(item, spot)) for spot in spots}
    if max(max_numbers.values()) > 1:
        copies = []
        for spot, max_number in max_numbers.items():
            for number in range(1, max_number + 1):
                key = _copies_key(spot, number)
                copies.append(Option(key, spot=spot, facts=option_facts(spot, number)))
        return Decision(seat, "build_at", tuple(copies), facts=about, secret=True)
    options = labelled_hex_options({spot: option_facts(spot, 1) for spot in spots})
    max_hexes = build_list.max_selectable_hexes(item, spots)
    return Decision(seat, "build_at", options, 1, max_hexes, facts=about, secret=True)


def _copies_key(key: str, number: int) -> str:
    """Return the option key for several copies, such as 'b-3' or 'f7-2'; one copy has no number."""
    return f"{key}-{number}" if number > 1 else key


def _ask_payer(build_list: BuildList) -> Decision:
    """Ask which pool pays for a card; pools other than the Home's are named by a hex."""
    left = build_list.left
    options = []
    for pool in build_list.card_payers():
        spot = "" if pool == HOME else pool
        options.append(Option(pool, spot=spot, facts=(("left", left[pool]),)))
    return Decision(build_list.estate.seat, "pay_from", tuple(options), secret=True)


def _ask_drop(build_list: BuildList) -> Decision:
    """Ask which line to remove, by its number on the list."""
    numbers = build_list.droppable_lines()
    options = []
    for n in numbers:
        line = build_list.lines[n]
        group = f"items-{line.item}" if len(numbers) > MAX_UNGROUPED_OPTIONS else ""
        about = (("item", line.item), ("place", _building_hex(line)))
        options.append(Option(str(n + 1), group=group, facts=about))
    return Decision(build_list.estate.seat, "drop_item", tuple(options), secret=True)


def _building_hex(line: Line) -> str:
    """Return the hex where a line's item will stand; '' for a card, whose `spot` names a pool."""
    return "" if line.item == CARD else line.spot


class BuildInSecret(Step, frozen=True):
    """Ask every seat for its list in secret, all at the same time.

    "Players may not look at what (and where) the others Build before placing their own Builds."
    """

    def asks(self, state: "State") -> bool:
        """Return whether a list is still open."""
        return any(not build.ready for build in state.builds)

    def ask(self, state: "State") -> tuple[Decision, ...]:
        """Ask every seat whose list is open."""
        decisions = []
        for seat, build in enumerate(state.builds):
            if not build.ready:
                decisions.append(_next_question(state, Seat(seat), build))
        return tuple(decisions)

    def take(self, state: "State", answer: Answer, tell: Tell) -> "State":
        """Apply the answer to the seat's list."""
        return _apply_list_answer(state, answer, tell)

    def refusal(self, state: "State", decision: Decision, key: str) -> Refusal:
        """Return why the seat's list so far does not allow an answer."""
        return list_refusal(state, decision, key)


class BuildAhead(Step, frozen=True):
    """Let a seat that has moved build before the others have, so that it need not come again."""

    seat: Seat

    def asks(self, state: "State") -> bool:
        """Return whether the seat may build ahead.

        A seat without a group has nothing to build, as everybody can see. The last seat
        with an open list builds in the Building Step itself, because its list reveals all
        of them.
        """
        if state.nations[self.seat].out or not controlled_groups(state, self.seat):
            return False
        lists = state.builds or empty_lists(state)
        others_are_in = all(build.ready for seat, build in enumerate(lists) if seat != self.seat)
        return not lists[self.seat].ready and not others_are_in

    def ask(self, state: "State") -> tuple[Decision, ...]:
        """Ask for the next item; an empty list may be put off until the Building Step."""
        build = state.builds[self.seat] if state.builds else Build()
        return (_next_question(state, self.seat, build, ahead=True),)

    def take(self, state: "State", answer: Answer, tell: Tell) -> "State":
        """Apply the answer; once the list is sealed, note what everybody sees of the seat."""
        if answer.keys == ("later",):
            return pop(state)
        if not state.builds:
            state = state.with_changes(builds=empty_lists(state))
        state = _apply_list_answer(state, answer, tell)
        if not state.builds[self.seat].ready:
            return state
        return pop(state.with_build(self.seat, ground=visible_holdings(state, self.seat)))

    def refusal(self, state: "State", decision: Decision, key: str) -> Refusal:
        """Return why the seat's list so far does not allow an answer."""
        return list_refusal(state, decision, key)


def list_refusal(state: "State", decision: Decision, key: str) -> Refusal:
    """Return why a seat cannot give an answer to a question about its list."""
    seat = decision.seat
    build = state.builds[seat] if state.builds else Build()
    build_list = build_list_of(state, seat, build.lines)
    match decision.kind:
        case "build_item":
            return _item_refusal(
                build_list, decision, key, build.waits, is_ahead=state.step != "building"
            )
        case "build_at":
            return _place_refusal(build_list, decision, key, build.asked)
        case "pay_from":
            return _payer_refusal(build_list, decision, key)
        case "drop_item":
            number = parse_number(key)
            if 0 < number <= len(build.lines):
                return build_list.drop_refusal(number - 1)
            return ("not_on_list", {"number": len(build.lines)}) if number >= 0 else None
    if not is_hex(key):
        return None
    if not state.pieces(seat, key).c:
        return hex_refusal("no_colony", key)
    if decision.kind == "settle_again":
        return hex_refusal("no_second_village", key)
    if key not in build_list.estate.colonies:
        return hex_refusal("no_green_box", key)
    return hex_refusal(build_list.settling_refusal_key(key), key)


def _item_refusal(
    build_list: BuildList, decision: Decision, key: str, waits: tuple[str, ...], is_ahead: bool
) -> Refusal:
    """Return why an item cannot be added: it is too dear, fits in no hex, or is used up."""
    item, dash, typed = key.partition("-")
    number = parse_number(typed)
    if dash and (number < 1 or not (item in PLACED_ITEMS or is_hex(item))):
        return None
    if is_hex(item):
        is_own = build_list.left_at(item) is not None
        return ("what_first", {}) if is_own else hex_refusal("no_village", item)
    if item in EXTRAS:
        return build_list.extra_refusal(item)
    match item:
        case "later":
            return ("list_is_begun" if build_list.lines and is_ahead else "build_now"), {}
        case "drop":
            return ("nothing_to_drop" if build_list.lines else "list_is_empty"), {}
        case "wait":
            return ("all_wait" if waits else "nobody_settles"), {}
        case "card":
            refusal_key = build_list.card_refusal_key()
            return (refusal_key, {}) if refusal_key else build_list.price_refusal(CARD)
    if item not in PLACED_ITEMS:
        return None
    if dash:
        return _copies_refusal(build_list, decision, item, number)
    return build_list.item_refusal(item)


def _copies_refusal(build_list: BuildList, decision: Decision, item: str, number: int) -> Refusal:
    """Return why several copies of an item cannot be added with one answer.

    The number may be given with the item only if the item fits in a single hex.
    """
    if refusal := build_list.item_refusal(item):
        return refusal
    if number == 1:
        return suggest_name(decision, item)
    if refusal := build_list.number_refusal(item, number):
        return refusal
    spots = build_list.places(item)
    if len(spots) > 1:
        return "place_with_number", {"item": item, "example": f"{spots[0]}-{number}"}
    if refusal := _total_price_refusal(build_list, item, number, spots[0]):
        return refusal
    return "so_many_at_once", {"most": MAX_COPIES_PER_ANSWER}


def _total_price_refusal(build_list: BuildList, item: str, number: int, spot: str) -> Refusal:
    """Return the refusal of this many copies if they cost more than is left for a hex."""
    cost = number * build_list.price(item)
    left = build_list.left_at(spot) or 0
    if cost <= left:
        return None
    return "dear_together", {"item": item, "number": number, "cost": cost, "left": left}


def _place_refusal(build_list: BuildList, decision: Decision, key: str, item: str) -> Refusal:
    """Return why an item cannot be built in a hex.

    "All new items must be placed in a hex that ALREADY contains a Village."
    """
    spot, dash, typed = key.partition("-")
    number = parse_number(typed)
    if not is_hex(spot) or (dash and number < 1):
        return None
    if refusal := build_list.place_refusal(item, spot):
        return refusal
    if number <= 1:
        return suggest_name(decision, spot) if dash else None
    if refusal := build_list.number_refusal(item, number):
        return refusal
    if refusal := _total_price_refusal(build_list, item, number, spot):
        return refusal
    most = 1
    for n in range(2, MAX_COPIES_PER_ANSWER + 1):
        if is_offered(decision, _copies_key(spot, n)):
            most = n
    return "so_many_at_once", {"most": most}


def _payer_refusal(build_list: BuildList, decision: Decision, key: str) -> Refusal:
    """Return why a pool cannot pay for a card; any hex of a chain stands for its pool."""
    spot = build_list.estate.nation.home if key == HOME else key
    pool = HOME if key == HOME else build_list.estate.pool_of.get(key)
    if key == HOME and HOME not in build_list.left:
        return "no_home", {}
    if key != HOME and not is_hex(key):
        return None
    if pool is None:
        return hex_refusal("no_village", spot)
    if refusal := suggest_name(decision, pool):
        return refusal
    return "cannot_pay_at", {
        "spot": spot,
        "item": CARD,
        "cost": build_list.price(CARD),
        "left": build_list.left[pool],
    }


def _apply_list_answer(state: "State", answer: Answer, tell: Tell) -> "State":
    """Apply one answer to a seat's list."""
    seat = answer.seat
    # Only `settle_again` may be answered with no key at all.
    key = answer.keys[0] if answer.keys else ""
    build = state.builds[seat]
    match answer.kind:
        case "build_item":
            return _choose_item(state, seat, key, tell)
        case "pay_from":
            return _add_lines(state, seat, CARD, answer.keys, tell)
        case "drop_item":
            dropped = int(key) - 1
            line = build.lines[dropped]
            tell(Dropped(seat, line.item, _building_hex(line)))
            lines = (*build.lines[:dropped], *build.lines[dropped + 1 :])
            return state.with_build(seat, lines=lines, asked="")
        case "hold_colonies":
            tell(HoldingListed(seat, answer.keys))
            return state.with_build(seat, waits=answer.keys, asked="")
        case "settle_again":
            tell(SettlingListed(seat, answer.keys))
            return _seal_list(state.with_build(seat, again=key), seat, tell)
    spots: list[str] = []
    for chosen in answer.keys:
        spot, _, number = chosen.partition("-")
        spots += [spot] * int(number or 1)
    return _add_lines(state, seat, build.asked, tuple(spots), tell)


def _choose_item(state: "State", seat: Seat, key: str, tell: Tell) -> "State":
    """Add the chosen item, or ask first where it goes or which pool pays."""
    if key == "done":
        return _finish_list(state, seat, tell)
    item, _, number = key.partition("-")
    build_list = build_list_of(state, seat, state.builds[seat].lines)
    if number:
        # A number of copies is offered only if the item fits in a single hex.
        spot = build_list.places(item)[0]
        return _add_lines(state, seat, item, (spot,) * int(number), tell)
    if item in PLACED_ITEMS or item in ("pigs", "drop", "wait"):
        return state.with_build(seat, asked=item)
    if item != CARD:
        return _add_lines(state, seat, item, ("",), tell)
    payers = build_list.card_payers()
    if len(payers) > 1:
        return state.with_build(seat, asked=item)
    return _add_lines(state, seat, item, tuple(payers), tell)


def _add_lines(
    state: "State", seat: Seat, item: str, spots: tuple[str, ...], tell: Tell
) -> "State":
    """Add a line for each of the hexes; a card's `spots` hold the pool that pays."""
    added = tuple(Line(item, spot) for spot in spots)
    hexes = [_building_hex(line) for line in added]
    tell(Listed(seat, item, tuple(spot for spot in hexes if spot)))
    lines = (*state.builds[seat].lines, *added)
    return state.with_build(seat, lines=lines, asked="")


def _finish_list(state: "State", seat: Seat, tell: Tell) -> "State":
    """Settle the Colonies that were not told to wait, and seal the list.

    Breadfruit may let one Colony more become a Village; that is asked before the list is
    sealed.
    """
    build = state.builds[seat]
    build_list = build_list_of(state, seat, build.lines)
    settled = tuple(spot for spot in build_list.settleable_hexes() if spot not in build.waits)
    if settled:
        tell(SettlingListed(seat, settled))
    state = state.with_build(seat, settled=settled)
    if build_list.second_settleable_hexes(settled):
        return state.with_build(seat, asked="again")
    return _seal_list(state, seat, tell)


def _seal_list(state: "State", seat: Seat, tell: Tell) -> "State":
    """Mark the list as complete."""
    tell(SeatReady(seat, True))
    return state.with_build(seat, asked="", ready=True)


class RevealBuilds(Run, frozen=True):
    """Place all lists in turn order; then Colonies become Villages, and cards are drawn.

    A canoe that was built face up connects no pools this turn, since all lists are already
    made, but it counts in the Victory Step right away.
    """

    def run(self, state: "State", table: Table) -> "State":
        """Place every list, settle Colonies, save Build Points, and draw cards."""
        builds = state.builds
        order = state.order
        savers = order if state.rules.saved else ()
        # Leftover points and settling Colonies are computed on the map that the lists were made
        # for, before anything is placed.
        has_leftover = {}
        for seat in savers:
            has_leftover[seat] = build_list_of(state, seat, builds[seat].lines).has_leftover
        settling = {seat: self._settling_hexes(state, seat, builds[seat]) for seat in order}
        for seat in order:
            state = self._place_items(state, seat, builds[seat], table.tell)
        # Colonies become Villages "after you have completed all other Builds".
        for seat in order:
            state = self._settle_colonies(state, seat, settling[seat], table.tell)
        for seat in savers:
            state = state.with_nation(seat, saved=has_leftover[seat])
            if has_leftover[seat]:
                table.tell(PointSaved(seat))
        # If the deck runs out, the first buyers in turn order get the last cards.
        peeking = []
        for seat in order:
            for line in builds[seat].lines:
                if line.item in (CARD, "gift"):
                    state = draw_card(state, seat, table)
                elif line.item == PEEK:
                    peeking.append(seat)
        return push(state.with_changes(builds=()), ShowCards(tuple(peeking)), CheckEmpires())

    def _place_items(self, state: "State", seat: Seat, build: Build, tell: Tell) -> "State":
        """Place the pieces, Villages and Improved Agriculture of one list."""
        lines = build.lines
        for line in lines:
            if line.item in SINGLE_USE_CARDS:
                state = show_card(state, seat, line.item, tell, used=True)
        if any(line.item in PIECE_OF for line in lines):
            state = state.with_nation(seat, ashore=False)
        opened = tuple(line.spot for line in lines if line.item == "o")
        villages = tuple(line.spot for line in lines if line.item == "v")
        improved = tuple(line.spot for line in lines if line.item == "a")
        pieces = [line for line in lines if line.item in PIECE_OF and line.item != "o"]
        face_down = [(line.spot, pieces_of_kind(PIECE_OF[line.item])) for line in pieces]
        # Others see how many pieces are placed in a hex, but not their kinds.
        counts = Counter(spot for spot, _ in face_down)
        tell(Built(seat, tuple(counts.items()), opened, villages, improved, lines))
        state = state.with_added_pieces(seat, *face_down)
        for spot in opened:
            with_canoe = state.pieces(seat, spot).plus(Kinds(t=1))
            state = state.with_pieces(seat, spot, with_canoe, is_open=True)
        for spot in villages:
            group = state.group(spot)
            state = state.with_group(replace(group, villages=group.villages + 1))
        for spot in improved:
            group = state.group(spot)
            state = state.with_group(replace(group, improved=group.improved + 1))
        # Turning Inward: "remove your Explorer and place it in the Lost Box", so that it skips the
        # next Exploration Step.
        if any(line.item == "inward" for line in lines):
            tell(TurnedInward(seat))
            state = state.with_nation(seat, explorer="lost")
        return state

    def _settling_hexes(self, state: "State", seat: Seat, build: Build) -> tuple[str, ...]:
        """Return the hexes where the seat's Colonies may still become Villages.

        Since the list was sealed, the seat may have removed a Rumor that was to hold a
        conquered printed group; then its Colony has to stay.
        """
        build_list = build_list_of(state, seat, build.lines)
        allowed = build_list.settleable_hexes()
        spots = tuple(spot for spot in build.settled if spot in allowed)
        if build.again in build_list.second_settleable_hexes(spots):
            spots = (*spots, build.again)
        return spots

    def _settle_colonies(
        self, state: "State", seat: Seat, spots: tuple[str, ...], tell: Tell
    ) -> "State":
        """Replace Colonies with Villages, "at no additional cost in Build Points"."""
        if spots:
            tell(ColoniesSettled(seat, spots))
        for spot in spots:
            group = state.group(spot)
            without_colony = state.pieces(seat, spot).minus(pieces_of_kind("c"))
            state = state.with_pieces(seat, spot, without_colony)
            state = set_control(state, replace(group, owner=seat, villages=group.villages + 1))
        return state


class ShowCards(Step, frozen=True):
    """Ask the seats that listed a peek whether they reveal a card before points are counted.

    The rulebook allows a card to be revealed "right away", so it can count this turn.
    """

    seats: tuple[Seat, ...]

    def asks(self, state: "State") -> bool:
        """Return whether a seat is still to be asked."""
        return bool(self.ask(state))

    def ask(self, state: "State") -> tuple[Decision, ...]:
        """Ask each seat which card to reveal, if any."""
        decisions = []
        for seat in self.seats:
            if not state.nations[seat].out:
                options = [Option(key) for key in revealable_cards(state, seat)]
                options.append(Option("keep", ends=True))
                decisions.append(Decision(seat, "show_card", tuple(options), secret=True))
        return tuple(decisions)

    def take(self, state: "State", answer: Answer, tell: Tell) -> "State":
        """Reveal the chosen card, or none, and go on without this seat."""
        if answer.keys[0] != "keep":
            state = show_card(state, answer.seat, answer.keys[0], tell)
        left = tuple(seat for seat in self.seats if seat != answer.seat)
        return pop(state, ShowCards(left))

    def refusal(self, state: "State", decision: Decision, key: str) -> Refusal:
        """Return why a card cannot be revealed."""
        return card_refusal(state, decision.seat, key)
