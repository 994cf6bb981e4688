"""Scripted rushes of Conquest: they arm from the first turn and sail at a neighbour.

A computer that only tends its own islands loses to them, however well it does so. Besides what a
script says it answers as the plain player does, so it explores a little and never links anything.
"""

from msgspec import Struct

from engine import Answer, Match, Seat
from engine.conquest.view import NOBODY, ConquestView, Kinds
from engine.core.decision import Decision, Option
from engine.players.conquest.plain import Keys, PlainPlayer, plain_answer

FIGHT = "fight"
"""The way of a destination where a Battle would be fought."""


class Rush(Struct, frozen=True):
    """A script: what it builds, and when and where it strikes."""

    builds: tuple[str, ...]
    """Items in the order in which they are built; the cheapest last."""
    fighters: int
    """Pieces that must be able to fight before a stack sails."""
    homes_only: bool = False
    """It strikes at Homes only, not at any group of a rival."""


RUSHES = {
    "army first": Rush(("inward", "w", "b", "v"), fighters=4),
    "nearest Home": Rush(("v", "inward", "w", "b"), fighters=5, homes_only=True),
    "canoes only": Rush(("inward", "w", "v"), fighters=3),
}


def rush_turn(match: Match, seat: Seat, name: str) -> Match:
    """Return the match after a rush's turn for a seat that is asked."""
    while decision := match.question(seat):
        view = match.view(seat)
        assert isinstance(view, ConquestView)
        match = match.pick(Answer(seat, decision.kind, rush_keys(view, decision, RUSHES[name])))
    return match.confirm(seat)


def rush_keys(view: ConquestView, decision: Decision, rush: Rush) -> Keys:
    """Return the keys of a rush's answer."""
    player = Raider(view, decision, rush)
    keys = None
    if decision.kind == "build_item":
        keys = player.first_offered(*player.wishes(), "done")
    elif decision.kind == "build_at":
        keys = player.nearest_option(player.single_options(), player.targets())
    elif decision.kind == "move_stack":
        keys = player.first_offered(*player.strikers(), "done")
    elif decision.kind == "move_to":
        keys = player.sail()
    elif decision.kind in ("pick_company", "pick_pieces"):
        keys = player.board()
    if keys is None:
        keys = plain_answer(view, decision)
    if keys is None:
        ending = decision.ending()
        keys = (ending.key,) if ending else tuple(player.keys[: decision.at_least])
    return keys


class Raider(PlainPlayer):
    """A player that sails at the nearest target once it has enough fighters in a hex."""

    def __init__(self, view: ConquestView, decision: Decision, rush: Rush) -> None:
        super().__init__(view, decision)
        self.rush = rush

    def targets(self) -> list[str]:
        """Return where rivals can be struck."""
        homes = [
            nation.home
            for seat, nation in enumerate(self.view.nations)
            if seat != self.seat and nation.home
        ]
        if self.rush.homes_only:
            return homes
        groups = self.view.groups
        return [group.spot for group in groups if group.owner not in (NOBODY, self.seat)]

    def wishes(self) -> list[str]:
        """Return what to build, a Band for each War Canoe."""
        listed = []
        if self.view.own is not None and self.view.own.build is not None:
            listed = [item for item, _ in self.view.own.build.items]
        kinds = [stack.kinds for stack in self.stacks.values() if stack.kinds is not None]
        war_canoes = sum(one.w for one in kinds) + listed.count("w")
        bands = sum(one.b for one in kinds) + listed.count("b")
        has_bands_to_spare = bands > war_canoes
        return [item for item in self.rush.builds if item != "b" or not has_bands_to_spare]

    def strikers(self) -> list[str]:
        """Return the hexes whose fighters can reach a target or come nearer to one."""
        found = []
        for spot, stack in self.stacks.items():
            kinds = stack.kinds or Kinds()
            bands = min(kinds.w, kinds.b) if "b" in self.rush.builds else 0
            fighters = kinds.w + bands
            if spot in self.keys and kinds.w and fighters >= self.rush.fighters:
                found.append(spot)
        return found

    def sail(self) -> Keys | None:
        """Strike at the nearest target, else come nearer to it."""
        options = self.decision.options
        targets = self.targets()
        struck = [
            option
            for option in options
            if option.spot in targets and dict(option.facts).get("way") == FIGHT
        ]
        quiet = [option for option in options if dict(option.facts).get("way") == ""]
        return self.nearest_option(struck or quiet or options, targets)

    def board(self) -> Keys | None:
        """Take everything along, but no Bands if the script builds none."""
        if "b" in self.rush.builds:
            return self.first_offered("all", self.keys[-1])
        stack = self.stacks.get(str(self.facts["spot"]))
        war_canoes = stack.kinds.w if stack is not None and stack.kinds is not None else 0
        return self.first_offered(f"{war_canoes}w", "0b", "all", self.keys[-1])

    def single_options(self) -> list[Option]:
        """Return the places for one copy of an item."""
        return [option for option in self.decision.options if "-" not in option.key]
