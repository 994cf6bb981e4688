"""The plain player of Conquest: explore near home, settle free land, link it up, build, declare.

It answers for a seat that nobody holds. It sees only what its seat sees, and it starts no Battle.
Each answer is computed from the view alone: no plan is remembered from one question to the next, so
the errand that made a stack move is found again when its destination and its pieces are asked for.
"""

from collections.abc import Callable, Iterable

from engine.conquest.board import NEIGHBOURS, TILES, distance
from engine.conquest.event_base import piece_counts
from engine.conquest.view import NOBODY, ConquestView, Kinds
from engine.core.decision import Decision, Option
from engine.core.game import View

MAX_KNOTS = 2
"""With more Knots than this the Explorer Returns."""
MAX_LAND_DISTANCE = 6
"""Lands farther than this from all own groups are not worth a Colony yet."""
MAX_COLONIES = 2
"""Colonies that are under way at a time."""
MAX_GAP_DISTANCE = 2
"""How far a canoe is sent from its group to fill a gap in the chain: one move."""
BUILD_PRIORITY = ("pigs", "adze", "gift", "v", "c", "t", "o", "a", "card", "b", "done")
"""Items in the order in which they are built."""

Keys = tuple[str, ...]


def plain_answer(view: View, decision: Decision) -> Keys | None:
    """Return the keys of a plain answer, or None where any will do."""
    return answer_as(PlainPlayer, view, decision)


def beginner_answer(view: View, decision: Decision) -> Keys | None:
    """Return the keys of a beginner's answer, or None where any will do."""
    return answer_as(Beginner, view, decision)


def answer_as(player: "type[PlainPlayer]", view: View, decision: Decision) -> Keys | None:
    """Return what a kind of player answers, or None where any answer will do."""
    assert isinstance(view, ConquestView)
    answer = ANSWERS.get(decision.kind)
    if answer is None:
        return None
    return answer(player(view, decision))


class PlainPlayer:
    """One question as the asked seat sees it; each method answers the kind it is named after."""

    def __init__(self, view: ConquestView, decision: Decision) -> None:
        self.view = view
        self.decision = decision
        self.seat = decision.seat
        self.keys = [option.key for option in decision.options]
        self.facts = dict(decision.facts)
        self.nation = view.nations[decision.seat]
        self.own = [group.spot for group in view.groups if group.owner == decision.seat]
        self.stacks = {stack.spot: stack for stack in view.stacks if stack.seat == decision.seat}

    def first_offered(self, *wanted: str) -> Keys | None:
        """Return the first of these keys that may be chosen."""
        for key in wanted:
            if key in self.keys:
                return (key,)
        return None

    def nearest_option(self, options: Iterable[Option], goals: Iterable[str]) -> Keys | None:
        """Return the option whose hex is nearest to one of the goals."""
        listed, wanted = list(options), list(goals)
        if not listed or not wanted:
            return None

        def away(option: Option) -> int:
            return min(distance(option.spot, goal) for goal in wanted)

        return (min(listed, key=away).key,)

    # What there is to do for the seat.

    def free_lands(self) -> list[str]:
        """Return the lands that a Colony could settle and where nobody else is.

        Face-down tiles that the seat has discovered are included.
        """
        free = [
            group for group in self.view.groups if group.owner == NOBODY and not group.independent
        ]
        lands = [group.spot for group in free if group.green]
        if self.view.own is not None:
            lands += [tile.spot for tile in self.view.own.tiles if TILES[tile.key].green]
        others = {stack.spot for stack in self.view.stacks if stack.seat != self.seat}
        return [spot for spot in lands if spot not in others]

    def unsettled_lands(self) -> list[str]:
        """Return the free lands where no Colony has arrived yet."""
        arrived = self._hexes_with("c")
        return [spot for spot in self.free_lands() if spot not in arrived]

    def _hexes_with(self, kind: str) -> set[str]:
        """Return where own pieces of a kind are, in stacks or under way."""
        held = [(spot, stack.kinds) for spot, stack in self.stacks.items()]
        held += [(fleet.at, fleet.kinds) for fleet in self.view.fleets]
        return {spot for spot, kinds in held if kinds is not None and kinds.of(kind)}

    def missing_links(self) -> list[str]:
        """Return the hexes that lack a face-up canoe on the way to the nearest unlinked group.

        The way leads from the Home over Known hexes without enemies.
        """
        home = self.nation.home
        if not home:
            return []
        ways: dict[str, Keys] = {home: (home,)}
        # The list grows while it is walked: a breadth-first search.
        frontier = [home]
        for here in frontier:
            is_unlinked = here in self.own and here not in self.nation.home_chain
            if is_unlinked and here != home:
                return [spot for spot in ways[here] if not self._is_open(spot)]
            for spot in NEIGHBOURS[here]:
                if spot not in ways and self._is_safe(spot):
                    ways[spot] = (*ways[here], spot)
                    frontier.append(spot)
        return []

    def _is_open(self, spot: str) -> bool:
        """Return whether an own canoe lies face up in a hex."""
        if spot in self.stacks and self.stacks[spot].open:
            return True
        return any(fleet.open for fleet in self.view.fleets if fleet.at == spot)

    def _is_safe(self, spot: str) -> bool:
        """Return whether a hex is Known and not an Enemy hex."""
        if self.view.hex_at[spot].face in ("unknown", "hidden"):
            return False
        group = self.view.group_at.get(spot)
        if group is not None and (group.independent or group.owner not in (NOBODY, self.seat)):
            return False
        return all(stack.seat == self.seat for stack in self.view.stacks_at(spot))

    def gaps(self) -> list[str]:
        """Return the missing links outside own groups: a canoe must be sent there."""
        return [spot for spot in self.missing_links() if spot not in self.own]

    def spare_pieces(self, spot: str) -> Kinds:
        """Return what may leave a hex: a group keeps its face-up canoe."""
        stack = self.stacks.get(spot)
        if stack is None or stack.kinds is None:
            return Kinds()
        if stack.open and spot in self.own:
            return stack.kinds.minus(Kinds(t=1))
        return stack.kinds

    def find_errand(self, spot: str) -> tuple[str, Kinds] | None:
        """Return where pieces of a hex should go, and which ones.

        A Colony goes to free land, a canoe into a gap in the chain.
        """
        spare = self.spare_pieces(spot)
        if spare.c and spare.t and spot not in self.free_lands():
            lands = self.unsettled_lands()
            if lands:
                nearest = min(lands, key=lambda land: distance(spot, land))
                return nearest, Kinds(t=1, c=1)
        if spare.t > spare.c and spot in self.own:
            for gap in self.gaps():
                if gap not in self._hexes_with("t") and distance(spot, gap) <= MAX_GAP_DISTANCE:
                    return gap, Kinds(t=1)
        return None

    # The questions.

    def choose_first(self) -> Keys | None:
        """Go first."""
        options = self.decision.options
        own = [option.key for option in options if ("first", self.seat) in option.facts]
        return self.first_offered(*own)

    def add_start_piece(self) -> Keys | None:
        """Take a Colony, and canoes to carry it."""
        chosen = self.view.own.start if self.view.own is not None else ()
        if "c" not in chosen:
            return self.first_offered("c", "t", "done")
        return self.first_offered("t", "done")

    def launch_explorer(self) -> Keys | None:
        """Explore the Unknown hex nearest to Home, if there is one."""
        home = self.nation.home
        goals = [home] if home else [option.spot for option in self.decision.options]
        return self.nearest_option(self._marker_options(), goals)

    def explore_on(self) -> Keys | None:
        """Go on with few Knots, Return with many; rest if there is nothing to move."""
        home = self.nation.home
        knots = int(str(self.facts["knots"]))
        if home and knots <= MAX_KNOTS:
            nearest = self.nearest_option(self._marker_options(), [home])
            if nearest is not None:
                return nearest
        if self._has_moves():
            return self.first_offered("return")
        return self.first_offered("rest", "return")

    def _has_moves(self) -> bool:
        """Return whether there is a move to make or a canoe to open."""
        return bool(self._canoes_to_open()) or any(self.find_errand(spot) for spot in self.stacks)

    def _marker_options(self) -> list[Option]:
        """Return the hexes where a marker would be drawn.

        Those of face-down tiles to examine and of Known hexes to cross are left out.
        """
        return [option for option in self.decision.options if ("way", "") in option.facts]

    def move_stack(self) -> Keys | None:
        """Move a stack with an errand; then open canoes where they form a chain."""
        movers = [key for key in self.keys if key in self.stacks and self.find_errand(key)]
        if self._canoes_to_open():
            # It has nothing to hide: if one canoe should be opened, all are.
            return self.first_offered(*movers, "open", "done")
        return self.first_offered(*movers, "done")

    def _canoes_to_open(self) -> list[str]:
        """Return own groups and gaps with a face-down canoe."""
        canoes = self._hexes_with("t")
        wanted = (*self.own, *self.gaps())
        return [spot for spot in wanted if spot in canoes and not self._is_open(spot)]

    def move_to(self) -> Keys | None:
        """Move towards the errand's goal, avoiding enemies."""
        errand = self.find_errand(str(self.facts["spot"]))
        if errand is None:
            return None
        goal, _ = errand
        options = self.decision.options
        peaceful = [option for option in options if dict(option.facts).get("way") in ("", "reveal")]
        return self.nearest_option(peaceful, [goal])

    def pick_pieces(self) -> Keys | None:
        """Take what the errand needs, else as few as possible."""
        fewest = [key for key in self.keys if key != "all"]
        errand = self.find_errand(str(self.facts["spot"]))
        if errand is None:
            return self.first_offered(*fewest)
        _, needed = errand
        kind = str(self.facts["kind"])
        return self.first_offered(f"{needed.of(kind)}{kind}", *fewest)

    def pick_company(self) -> Keys | None:
        """Take exactly what the errand needs, else as few as possible."""
        errand = self.find_errand(str(self.facts["spot"]))
        if errand is not None:
            _, needed = errand
            for option in self.decision.options:
                if dict(option.facts).get("pieces") == piece_counts(needed):
                    return (option.key,)
        fewest = [key for key in self.keys if key != "all"]
        if errand is not None:
            # No listed combination is the errand's, so it must be everything.
            return self.first_offered("all", *fewest)
        return self.first_offered(*fewest, "all")

    def build_item(self) -> Keys | None:
        """Build what brings points soonest."""
        listed: list[str] = []
        if self.view.own is not None and self.view.own.build is not None:
            listed = [item for item, _ in self.view.own.build.items]

        def is_near(land: str) -> bool:
            return any(distance(land, spot) <= MAX_LAND_DISTANCE for spot in self.own)

        lands = [land for land in self.unsettled_lands() if is_near(land)]
        colonies = listed.count("c")
        for stack in self.stacks.values():
            if stack.kinds is not None:
                colonies += stack.kinds.c
        canoes = listed.count("t") + sum(self.spare_pieces(spot).t for spot in self.own)
        unwanted = set()
        if colonies >= min(MAX_COLONIES, len(lands)):
            unwanted.add("c")
        # A canoe for each Colony that has somewhere to go, and one for each gap of the chain.
        if canoes >= (colonies if lands else 0) + len(self.gaps()):
            unwanted.add("t")
        if "b" in listed:
            unwanted.add("b")
        return self.first_offered(*(wish for wish in BUILD_PRIORITY if wish not in unwanted))

    def build_at(self) -> Keys | None:
        """Build as near as possible to land that is free or still to be linked."""
        if self.facts["item"] in ("c", "pigs"):
            goals = self.unsettled_lands()
        else:
            # Colonies that wait for a canoe come first.
            waiting = [
                spot for spot in self.own if self.spare_pieces(spot).c > self.spare_pieces(spot).t
            ]
            goals = [*waiting, *self.gaps()]
        return self.nearest_option(self.decision.options, goals) or self.first_offered(
            self.nation.home, *self.keys
        )

    def choose_all(self) -> Keys | None:
        """Choose as many as possible."""
        return tuple(self.keys[: self.decision.at_most])

    def save_villages(self) -> Keys | None:
        """Save as many Villages as there are Bands to give up."""
        without_canoes = [key for key in self.keys if "w" not in key]
        return tuple(without_canoes[-1:])

    def pick_village(self) -> Keys | None:
        """Take a Village from a seat that has declared Victory."""
        owner = self.view.declared
        return self.first_offered(
            *(group.spot for group in self.view.groups if group.owner == owner)
        )


class Beginner(PlainPlayer):
    """A plain player that settles what is near, and sees no chains of canoes yet."""

    def missing_links(self) -> list[str]:
        """Return no hexes: groups stay unlinked."""
        return []


def always(*keys: str) -> Callable[[PlainPlayer], Keys | None]:
    """Return a rule that answers alike in any position: the first of these keys that is offered."""
    return lambda player: player.first_offered(*keys)


ANSWERS: dict[str, Callable[[PlainPlayer], Keys | None]] = {
    "choose_first": PlainPlayer.choose_first,
    "add_start_piece": PlainPlayer.add_start_piece,
    "launch_explorer": PlainPlayer.launch_explorer,
    "explore_on": PlainPlayer.explore_on,
    "keep_tile": always("show"),
    "move_stack": PlainPlayer.move_stack,
    "move_to": PlainPlayer.move_to,
    "pick_pieces": PlainPlayer.pick_pieces,
    "pick_company": PlainPlayer.pick_company,
    "give_battle_orders": always("tapu", "all"),
    "react": always("pass"),
    "save_villages": PlainPlayer.save_villages,
    "open_here": always("open"),
    "build_item": PlainPlayer.build_item,
    "build_at": PlainPlayer.build_at,
    "pay_from": always("home"),
    "settle_again": PlainPlayer.choose_all,
    "declare_victory": always("declare", "pass"),
    "answer_victory": always("forest", "pass"),
    "show_card": always("keep"),
    "pick_village": PlainPlayer.pick_village,
}
"""How each kind of question is answered; any other may be answered in any way."""
