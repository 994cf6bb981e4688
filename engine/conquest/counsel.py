"""What a plain player would choose: explore near home, settle what is free, link it up, build, declare.

It sees what its seat sees and no more, and it starts no Battle.
"""

from collections.abc import Callable, Iterable

from engine.conquest.board import NEIGHBOURS, TILES, distance
from engine.conquest.view import NOBODY, ConquestView, Kinds
from engine.core.decision import Decision, Option

CAREFUL = 2
"""With more Knots than this the Explorer comes home."""
FAR = 6
"""Lands further from all own groups are not worth a Colony yet."""
COLONIES = 2
"""So many Colonies are under way at a time."""
WISHES = ("pigs", "adze", "gift", "v", "c", "t", "o", "a", "card", "b", "done")
"""What is built first."""

Keys = tuple[str, ...]


def counsel(view: ConquestView, decision: Decision) -> Keys | None:
    """The keys of a plain answer, None where any will do."""
    speaks = SPEAKERS.get(decision.kind)
    return speaks(Counsel(view, decision)) if speaks is not None else None


class Counsel:
    """A question as the asked seat sees it."""

    def __init__(self, view: ConquestView, decision: Decision) -> None:
        self.view, self.decision, self.seat = view, decision, decision.seat
        self.keys = [option.key for option in decision.options]
        self.facts = dict(decision.facts)
        self.nation = view.nations[decision.seat]
        self.own = [group.spot for group in view.groups if group.owner == decision.seat]
        self.stacks = {stack.spot: stack for stack in view.stacks if stack.seat == decision.seat}

    def first(self, *wanted: str) -> Keys | None:
        """The first of these that may be chosen."""
        return next(((key,) for key in wanted if key in self.keys), None)

    def nearest(self, options: Iterable[Option], goals: Iterable[str]) -> Keys | None:
        """The option whose hex is nearest to one of the goals."""
        listed, wanted = list(options), list(goals)
        if not listed or not wanted:
            return None
        return (min(listed, key=lambda option: min(distance(option.spot, goal) for goal in wanted)).key,)

    # -- what there is to do ----------------------------------------------------------------------------------------

    def free_lands(self) -> list[str]:
        """Lands in sight, or face down and discovered, that a Colony could settle."""
        up = [group for group in self.view.groups if group.owner == NOBODY and group.green and not group.independent]
        hidden = self.view.own.tiles if self.view.own is not None else ()
        lands = [group.spot for group in up] + [tile.spot for tile in hidden if TILES[tile.key].green]
        others = {stack.spot for stack in self.view.stacks if stack.seat != self.seat}
        return [spot for spot in lands if spot not in others]

    def unsettled(self) -> list[str]:
        """Free lands where no Colony has arrived yet."""
        arrived = {spot for spot, stack in self.stacks.items() if stack.kinds is not None and stack.kinds.c}
        arrived |= {fleet.at for fleet in self.view.fleets if fleet.kinds is not None and fleet.kinds.c}
        return [spot for spot in self.free_lands() if spot not in arrived]

    def bridge(self) -> list[str]:
        """Hexes without an open canoe on the shortest way from Home to the nearest group outside its chain."""
        home = self.nation.home
        ways: dict[str, Keys] = {home: (home,)}
        edge = [home] if home else []
        while edge:
            here = edge.pop(0)
            if here in self.own and here not in self.nation.home_chain and here != home:
                return [spot for spot in ways[here] if not self._is_open(spot)]
            for spot in NEIGHBOURS[here]:
                if spot not in ways and self._is_quiet(spot):
                    ways[spot] = (*ways[here], spot)
                    edge.append(spot)
        return []

    def _is_open(self, spot: str) -> bool:
        stack = self.stacks.get(spot)
        fleets = (fleet for fleet in self.view.fleets if fleet.at == spot)
        return (stack is not None and stack.open) or any(fleet.open for fleet in fleets)

    def _is_quiet(self, spot: str) -> bool:
        group = self.view.group_at.get(spot)
        if self.view.hex_at[spot].face in ("unknown", "hidden"):
            return False
        foreign = group is not None and (group.independent or group.owner not in (NOBODY, self.seat))
        return not foreign and all(stack.seat == self.seat for stack in self.view.stacks_at(spot))

    def gaps(self) -> list[str]:
        """Hexes of the bridge that only a canoe from elsewhere can fill."""
        return [spot for spot in self.bridge() if spot not in self.own]

    def spare(self, spot: str) -> Kinds:
        """What may leave a hex: a group keeps its open canoe."""
        stack = self.stacks.get(spot)
        if stack is None or stack.kinds is None:
            return Kinds()
        return stack.kinds.minus(Kinds(t=int(stack.open and spot in self.own)))

    def errand(self, spot: str) -> tuple[str, Kinds] | None:
        """Where pieces of a hex should go, and which: a Colony to free land, a canoe into a gap of the chain."""
        spare = self.spare(spot)
        if spare.c and spare.t and spot not in self.free_lands() and (lands := self.unsettled()):
            return min(lands, key=lambda land: distance(spot, land)), Kinds(t=1, c=1)
        bare = [gap for gap in self.gaps() if gap not in self.stacks and distance(spot, gap) <= 2]
        if spare.t > spare.c and spot in self.own and bare:
            return bare[0], Kinds(t=1)
        return None

    # -- the questions ----------------------------------------------------------------------------------------------

    def launch(self) -> Keys | None:
        """The Unknown nearest to Home."""
        return self.nearest(self._draws(), [self.nation.home or option.spot for option in self.decision.options])

    def explore_on(self) -> Keys | None:
        """On with few Knots, home with many."""
        draws = self._draws() if int(str(self.facts["knots"])) <= CAREFUL else []
        return self.nearest(draws, [self.nation.home] if self.nation.home else []) or ("return",)

    def _draws(self) -> list[Option]:
        return [option for option in self.decision.options if ("way", "") in option.facts]

    def choose_first(self) -> Keys | None:
        """Oneself."""
        return self.first(*(option.key for option in self.decision.options if ("first", self.seat) in option.facts))

    def start(self) -> Keys | None:
        """A Colony and canoes to carry it."""
        chosen = self.view.own.start if self.view.own is not None else ()
        return self.first(*(() if "c" in chosen else ("c",)), "t", "done")

    def move_stack(self) -> Keys | None:
        """Whoever has an errand; then canoes are opened where they make a chain."""
        movers = [key for key in self.keys if key in self.stacks and self.errand(key)]
        return self.first(*movers, *(("open",) if self._openable() else ()), "done")

    def _openable(self) -> list[str]:
        canoes = {spot for spot, stack in self.stacks.items() if stack.kinds is not None and stack.kinds.t}
        canoes |= {fleet.at for fleet in self.view.fleets if fleet.kinds is not None and fleet.kinds.t}
        return [spot for spot in (*self.own, *self.gaps()) if spot in canoes and not self._is_open(spot)]

    def open_canoes(self) -> Keys | None:
        """Where they make a chain."""
        wanted = tuple(spot for spot in dict.fromkeys(self._openable()) if spot in self.keys)
        return wanted[: self.decision.at_most] or None

    def move_to(self) -> Keys | None:
        """Towards the errand, past all enemies."""
        errand = self.errand(str(self.facts["spot"]))
        peaceful = [option for option in self.decision.options if dict(option.facts).get("way") in ("", "reveal")]
        return self.nearest(peaceful, [errand[0]] if errand else [])

    def pick_pieces(self) -> Keys | None:
        """What the errand needs, else as few as may be."""
        errand = self.errand(str(self.facts["spot"]))
        kind = str(self.facts["kind"])
        wanted = f"{errand[1].of(kind)}{kind}" if errand else ""
        return self.first(wanted, *(key for key in self.keys if key != "all"))

    def build_item(self) -> Keys | None:
        """What brings points soonest."""
        listed = [item for item, _ in self.view.own.build.items] if self.view.own and self.view.own.build else []
        on_way = sum(stack.kinds.c for stack in self.stacks.values() if stack.kinds is not None) + listed.count("c")
        lands = [land for land in self.unsettled() if any(distance(land, spot) <= FAR for spot in self.own)]
        spare = sum(self.spare(spot).t for spot in self.own) + listed.count("t")
        unwanted = set()
        if on_way >= min(COLONIES, len(lands)):
            unwanted.add("c")
        if spare >= (on_way if lands else 0) + len(self.gaps()):
            unwanted.add("t")
        if "b" in listed:
            unwanted.add("b")
        return self.first(*(wish for wish in WISHES if wish not in unwanted))

    def build_at(self) -> Keys | None:
        """As near as may be to what is free or still to be linked."""
        goals = self.unsettled() if self.facts["item"] in ("c", "pigs") else [*self._waiting(), *self.gaps()]
        return self.nearest(self.decision.options, goals) or self.first(self.nation.home, *self.keys)

    def _waiting(self) -> list[str]:
        """Own groups whose Colonies have no canoe."""
        return [spot for spot in self.own if self.spare(spot).c > self.spare(spot).t]

    def all_of_them(self) -> Keys | None:
        """As many as may be."""
        return tuple(self.keys[: self.decision.at_most])

    def save_villages(self) -> Keys | None:
        """As many Villages as Bands can hold."""
        return tuple(key for key in self.keys if "w" not in key)[-1:]

    def pick_village(self) -> Keys | None:
        """One of whoever declared Victory."""
        owner = self.view.declared
        return self.first(*(group.spot for group in self.view.groups if group.owner == owner))


def _always(*keys: str) -> Callable[[Counsel], Keys | None]:
    return lambda asked: asked.first(*keys)


SPEAKERS: dict[str, Callable[[Counsel], Keys | None]] = {
    "add_start_piece": Counsel.start,
    "choose_first": Counsel.choose_first,
    "launch_explorer": Counsel.launch,
    "explore_on": Counsel.explore_on,
    "keep_tile": _always("show"),
    "transit_from": _always("done"),
    "move_stack": Counsel.move_stack,
    "move_to": Counsel.move_to,
    "pick_pieces": Counsel.pick_pieces,
    "open_canoes": Counsel.open_canoes,
    "give_battle_orders": _always("tapu", "all"),
    "react": _always("pass"),
    "save_villages": Counsel.save_villages,
    "open_here": _always("open"),
    "build_item": Counsel.build_item,
    "build_at": Counsel.build_at,
    "pay_from": _always("home"),
    "settle_colonies": Counsel.all_of_them,
    "settle_again": Counsel.all_of_them,
    "declare_victory": _always("declare", "pass"),
    "answer_victory": _always("forest", "pass"),
    "pick_village": Counsel.pick_village,
}
