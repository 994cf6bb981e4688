"""What a plain player would choose: explore near home, settle what is free, link it up, build,
declare.

It answers for a seat that nobody holds. It sees what its seat sees and no more, and it starts no
Battle. Each answer is worked out anew from the view: there is no plan that is remembered from one
question to the next, so an errand that made a stack move must be found again when its hex and its
pieces are asked for.
"""

from collections.abc import Callable, Iterable

from engine.conquest.board import NEIGHBOURS, TILES, distance
from engine.conquest.event_base import counts_of
from engine.conquest.view import NOBODY, ConquestView, Kinds
from engine.core.decision import Decision, Option
from engine.core.game import View

CAREFUL = 2
"""With more Knots than this the Explorer comes home."""
FAR = 6
"""Lands further from all own groups are not worth a Colony yet."""
COLONIES = 2
"""Colonies under way at a time."""
REACH = 2
"""So far from its group a canoe is sent to fill a gap of the chain: a move."""
WISHES = ("pigs", "adze", "gift", "v", "c", "t", "o", "a", "card", "b", "done")
"""What is built first."""

Keys = tuple[str, ...]


def plain_answer(view: View, decision: Decision) -> Keys | None:
    """Return the keys of a plain answer, None where any will do."""
    assert isinstance(view, ConquestView)
    answer = ANSWERS.get(decision.kind)
    if answer is None:
        return None
    return answer(PlainPlayer(view, decision))


class PlainPlayer:
    """A question as the asked seat sees it, and what there is to do for that seat."""

    def __init__(self, view: ConquestView, decision: Decision) -> None:
        self.view = view
        self.decision = decision
        self.seat = decision.seat
        self.keys = [option.key for option in decision.options]
        self.facts = dict(decision.facts)
        self.nation = view.nations[decision.seat]
        self.own = [group.spot for group in view.groups if group.owner == decision.seat]
        self.stacks = {stack.spot: stack for stack in view.stacks if stack.seat == decision.seat}

    def first(self, *wanted: str) -> Keys | None:
        """The first of these that may be chosen."""
        for key in wanted:
            if key in self.keys:
                return (key,)
        return None

    def nearest(self, options: Iterable[Option], goals: Iterable[str]) -> Keys | None:
        """The option whose hex is nearest to one of the goals."""
        listed, wanted = list(options), list(goals)
        if not listed or not wanted:
            return None

        def away(option: Option) -> int:
            return min(distance(option.spot, goal) for goal in wanted)

        return (min(listed, key=away).key,)

    # What there is to do.

    def free_lands(self) -> list[str]:
        """Lands in sight, or face down and discovered, that a Colony could settle and where
        nobody else is.
        """
        free = [
            group for group in self.view.groups if group.owner == NOBODY and not group.independent
        ]
        lands = [group.spot for group in free if group.green]
        if self.view.own is not None:
            lands += [tile.spot for tile in self.view.own.tiles if TILES[tile.key].green]
        others = {stack.spot for stack in self.view.stacks if stack.seat != self.seat}
        return [spot for spot in lands if spot not in others]

    def unsettled(self) -> list[str]:
        """Free lands where no Colony has arrived yet."""
        arrived = self._hexes_with("c")
        return [spot for spot in self.free_lands() if spot not in arrived]

    def _hexes_with(self, kind: str) -> set[str]:
        """Where own pieces of a kind are, in stacks or under way."""
        held = [(spot, stack.kinds) for spot, stack in self.stacks.items()]
        held += [(fleet.at, fleet.kinds) for fleet in self.view.fleets]
        return {spot for spot, kinds in held if kinds is not None and kinds.of(kind)}

    def bridge(self) -> list[str]:
        """Hexes without an open canoe on the shortest way from Home to the nearest group outside
        its chain.
        """
        home = self.nation.home
        if not home:
            return []
        ways: dict[str, Keys] = {home: (home,)}
        edge = [home]
        for here in edge:
            if here in self.own and here not in self.nation.home_chain and here != home:
                return [spot for spot in ways[here] if not self._is_open(spot)]
            for spot in NEIGHBOURS[here]:
                if spot not in ways and self._is_quiet(spot):
                    ways[spot] = (*ways[here], spot)
                    edge.append(spot)
        return []

    def _is_open(self, spot: str) -> bool:
        """Whether a canoe lies face up there."""
        if spot in self.stacks and self.stacks[spot].open:
            return True
        return any(fleet.open for fleet in self.view.fleets if fleet.at == spot)

    def _is_quiet(self, spot: str) -> bool:
        """Known, and no enemy's."""
        if self.view.hex_at[spot].face in ("unknown", "hidden"):
            return False
        group = self.view.group_at.get(spot)
        if group is not None and (group.independent or group.owner not in (NOBODY, self.seat)):
            return False
        return all(stack.seat == self.seat for stack in self.view.stacks_at(spot))

    def gaps(self) -> list[str]:
        """Hexes of the bridge that only a canoe from elsewhere can fill."""
        return [spot for spot in self.bridge() if spot not in self.own]

    def spare(self, spot: str) -> Kinds:
        """What may leave a hex: a group keeps its open canoe."""
        stack = self.stacks.get(spot)
        if stack is None or stack.kinds is None:
            return Kinds()
        if stack.open and spot in self.own:
            return stack.kinds.minus(Kinds(t=1))
        return stack.kinds

    def errand(self, spot: str) -> tuple[str, Kinds] | None:
        """Where pieces of a hex should go, and which: a Colony to free land, a canoe into a gap
        of the chain.
        """
        spare = self.spare(spot)
        if spare.c and spare.t and spot not in self.free_lands():
            lands = self.unsettled()
            if lands:
                nearest = min(lands, key=lambda land: distance(spot, land))
                return nearest, Kinds(t=1, c=1)
        if spare.t > spare.c and spot in self.own:
            for gap in self.gaps():
                if gap not in self._hexes_with("t") and distance(spot, gap) <= REACH:
                    return gap, Kinds(t=1)
        return None

    # The questions.

    def choose_first(self) -> Keys | None:
        """Oneself."""
        options = self.decision.options
        return self.first(
            *(option.key for option in options if ("first", self.seat) in option.facts)
        )

    def add_start_piece(self) -> Keys | None:
        """A Colony and canoes to carry it."""
        chosen = self.view.own.start if self.view.own is not None else ()
        if "c" not in chosen:
            return self.first("c", "t", "done")
        return self.first("t", "done")

    def launch_explorer(self) -> Keys | None:
        """The Unknown nearest to Home, if there is one."""
        home = self.nation.home
        goals = [home] if home else [option.spot for option in self.decision.options]
        return self.nearest(self._draws(), goals)

    def explore_on(self) -> Keys | None:
        """On with few Knots, home with many."""
        home, knots = self.nation.home, int(str(self.facts["knots"]))
        on = self.nearest(self._draws(), [home]) if home and knots <= CAREFUL else None
        return on or self.first(*(() if self._has_moves() else ("rest",)), "return")

    def _has_moves(self) -> bool:
        """Whether it would move or open anything as things stand."""
        return bool(self._openable()) or any(self.errand(spot) for spot in self.stacks)

    def _draws(self) -> list[Option]:
        """Hexes where a marker is drawn, and no face-down tile looked at or Known hex crossed."""
        return [option for option in self.decision.options if ("way", "") in option.facts]

    def move_stack(self) -> Keys | None:
        """Whoever has an errand; then canoes are opened where they make a chain."""
        movers = [key for key in self.keys if key in self.stacks and self.errand(key)]
        # It hides nothing: once a canoe is wanted open, all are opened.
        return self.first(*movers, *(("open",) if self._openable() else ()), "done")

    def _openable(self) -> list[str]:
        """Own groups and gaps with a canoe that lies face down."""
        canoes = self._hexes_with("t")
        wanted = (*self.own, *self.gaps())
        return [spot for spot in wanted if spot in canoes and not self._is_open(spot)]

    def move_to(self) -> Keys | None:
        """Towards the errand, past all enemies."""
        errand = self.errand(str(self.facts["spot"]))
        if errand is None:
            return None
        goal, _ = errand
        options = self.decision.options
        peaceful = [option for option in options if dict(option.facts).get("way") in ("", "reveal")]
        return self.nearest(peaceful, [goal])

    def pick_pieces(self) -> Keys | None:
        """What the errand needs, else as few as may be."""
        fewest = [key for key in self.keys if key != "all"]
        errand = self.errand(str(self.facts["spot"]))
        if errand is None:
            return self.first(*fewest)
        _, needed = errand
        kind = str(self.facts["kind"])
        return self.first(f"{needed.of(kind)}{kind}", *fewest)

    def pick_company(self) -> Keys | None:
        """The same where who goes is asked at once."""
        errand = self.errand(str(self.facts["spot"]))
        if errand is not None:
            _, needed = errand
            for option in self.decision.options:
                if dict(option.facts).get("pieces") == counts_of(needed):
                    return (option.key,)
        # Everything that could go is what the errand needs, or as few go as may be.
        fewest = [key for key in self.keys if key != "all"]
        return self.first("all", *fewest) if errand is not None else self.first(*fewest, "all")

    def build_item(self) -> Keys | None:
        """What brings points soonest."""
        listed: list[str] = []
        if self.view.own is not None and self.view.own.build is not None:
            listed = [item for item, _ in self.view.own.build.items]

        def is_near(land: str) -> bool:
            return any(distance(land, spot) <= FAR for spot in self.own)

        lands = [land for land in self.unsettled() if is_near(land)]
        colonies = listed.count("c")
        for stack in self.stacks.values():
            if stack.kinds is not None:
                colonies += stack.kinds.c
        canoes = listed.count("t") + sum(self.spare(spot).t for spot in self.own)
        unwanted = set()
        if colonies >= min(COLONIES, len(lands)):
            unwanted.add("c")
        # A canoe for each Colony that has somewhere to go, and one for each gap of the chain.
        if canoes >= (colonies if lands else 0) + len(self.gaps()):
            unwanted.add("t")
        if "b" in listed:
            unwanted.add("b")
        return self.first(*(wish for wish in WISHES if wish not in unwanted))

    def build_at(self) -> Keys | None:
        """As near as may be to what is free or still to be linked."""
        if self.facts["item"] in ("c", "pigs"):
            goals = self.unsettled()
        else:
            # First of all where Colonies wait for a canoe.
            waiting = [spot for spot in self.own if self.spare(spot).c > self.spare(spot).t]
            goals = [*waiting, *self.gaps()]
        return self.nearest(self.decision.options, goals) or self.first(
            self.nation.home, *self.keys
        )

    def all_of_them(self) -> Keys | None:
        """As many as may be."""
        return tuple(self.keys[: self.decision.at_most])

    def save_villages(self) -> Keys | None:
        """As many Villages as Bands can hold."""
        without_canoes = [key for key in self.keys if "w" not in key]
        return tuple(without_canoes[-1:])

    def pick_village(self) -> Keys | None:
        """Return a seat that has declared Victory."""
        owner = self.view.declared
        return self.first(*(group.spot for group in self.view.groups if group.owner == owner))


def _always(*keys: str) -> Callable[[PlainPlayer], Keys | None]:
    """The same answer whatever the position: the first of these that may be given."""
    return lambda player: player.first(*keys)


ANSWERS: dict[str, Callable[[PlainPlayer], Keys | None]] = {
    "choose_first": PlainPlayer.choose_first,
    "add_start_piece": PlainPlayer.add_start_piece,
    "launch_explorer": PlainPlayer.launch_explorer,
    "explore_on": PlainPlayer.explore_on,
    "keep_tile": _always("show"),
    "move_stack": PlainPlayer.move_stack,
    "move_to": PlainPlayer.move_to,
    "pick_pieces": PlainPlayer.pick_pieces,
    "pick_company": PlainPlayer.pick_company,
    "give_battle_orders": _always("tapu", "all"),
    "react": _always("pass"),
    "save_villages": PlainPlayer.save_villages,
    "open_here": _always("open"),
    "build_item": PlainPlayer.build_item,
    "build_at": PlainPlayer.build_at,
    "pay_from": _always("home"),
    "settle_again": PlainPlayer.all_of_them,
    "declare_victory": _always("declare", "pass"),
    "answer_victory": _always("forest", "pass"),
    "show_card": _always("keep"),
    "pick_village": PlainPlayer.pick_village,
}
"""How each question is answered; what is not here may be answered in any way."""
