"""What a seat wishes to build, the most important first."""

from functools import cached_property

from engine.conquest.pieces import NO_PIECES
from engine.conquest.scoring import count_points
from engine.players.conquest.errands import Errands
from engine.players.conquest.worth import village_worth

URGENT_DANGER = 0.5
"""Villages that a Band must save for a seat that is rushed to build it before a Village."""
DANGER = 0.2
"""Villages that it must save to come before Colonies and the army."""
CROWD_CAMPAIGN = 10.0
"""Points that a campaign must bring to come first among three or four, where a war between two
helps the others.
"""
SPARE_CANOES = 2
"""Canoes to keep in store without a use yet."""


class Wishes:
    """A seat's wishes for its build list; worked out again after each item."""

    def __init__(self, errands: Errands) -> None:
        self.errands = errands
        self.state, self.stance, self.seat = errands.state, errands.stance, errands.seat
        self.realm, self.guard, self.raids = errands.realm, errands.guard, errands.raids

    def list_wishes(self) -> list[str]:
        """Return what to build, the most important first; computed again after each item."""
        realm, stance = self.realm, self.stance
        items = self.errands.listed_items
        if self.can_declare:
            # Nothing else would be used any more.
            return ["gift", "adze", "v", "o", "card"]
        wishes = ["gift", "adze"]
        lands = realm.unsettled
        if len(lands) >= 2 or not sum(self.state.cup):
            wishes.append("inward")
        danger = self.rush_danger
        if danger:
            wishes.append("inward")
        if lands:
            wishes.append("pigs")
        colonies = sum(kinds.c for kinds in realm.pieces.values())
        colonies += items.count("c") + items.count("pigs")
        arrived = sum(1 for spot in realm.free_lands if realm.pieces.get(spot, NO_PIECES).c)
        under_way = colonies - arrived
        canoes = items.count("t") + sum(
            self.errands.spare_pieces(spot).t for spot in realm.own_groups
        )
        # A canoe for each Colony that has somewhere to go, and one for each gap of the chain.
        wanted_canoes = (under_way if lands else 0) + len(self.errands.gaps)
        if stance.cards_first:
            wishes.append("card")
        # The Home needs a face-up canoe of its own to be part of a chain.
        home = realm.nation.home
        lacks_canoe = home != "" and home not in realm.open_hexes and "o" not in items
        link_home = ["o"] if lacks_canoe else []
        if danger >= URGENT_DANGER * village_worth(self.state):
            wishes += ["b", "w"]
        wishes += ["v", *link_home] if stance.thrifty else [*link_home, "v"]
        if danger:
            wishes += ["b", "w"]
        campaign = self.errands.campaign if stance.army else None
        least = stance.least_campaign
        if len(self.state.seats) > 2:
            least = max(least, CROWD_CAMPAIGN)
        if campaign is not None and campaign.value >= least and campaign.recruits:
            wishes += self.list_recruits(items)
        if under_way < min(stance.colonies, len(lands)):
            wishes.append("c")
        if canoes < wanted_canoes:
            wishes.append("t")
        if stance.links:
            wishes.append("o")
        wishes += ["card", "a"]
        if campaign is not None:
            wishes += self.list_recruits(items)
        wishes.append("b")
        if stance.thrifty and canoes < wanted_canoes + SPARE_CANOES:
            wishes.append("t")
        wishes.append("r")
        return wishes

    @property
    def can_declare(self) -> bool:
        """Whether the seat has the points for Victory, with what is on its list."""
        points = count_points(self.state, self.seat, with_hidden=True).total / 2
        return points + self.errands.listed_items.count("v") >= self.state.rules.goal

    def list_recruits(self, items: list[str]) -> list[str]:
        """Return the pieces of an army, a Band for each War Canoe."""
        army = self.raids.army
        if army.b + items.count("b") > army.w + items.count("w"):
            return ["w", "b"]
        return ["b", "w"]

    @cached_property
    def group_in_danger(self) -> str:
        """The group where a Band more saves most, '' if nowhere enough."""
        gains = {spot: self.gain_of_band(spot) for spot in self.realm.own_groups}
        spot = max(gains, key=lambda spot: (gains[spot], spot), default="")
        return spot if spot and gains[spot] >= DANGER * village_worth(self.state) else ""

    @property
    def rush_danger(self) -> float:
        """The points that a Band would save from a rush; 0 if there is none, or too few."""
        if not self.stance.guards or not self.guard.is_rushed or not self.group_in_danger:
            return 0.0
        return self.gain_of_band(self.group_in_danger)

    def gain_of_band(self, spot: str) -> float:
        """Return the points that a Band more would save in a group, with what is listed there."""
        kinds = self.realm.pieces.get(spot, NO_PIECES)
        lines = self.state.builds[self.seat].lines
        listed = sum(1 for line in lines if line.spot == spot and line.item in ("w", "b"))
        return self.guard.gain_of_band(spot, kinds.w + kinds.b + listed)

    def groups_lacking_canoes(self) -> list[str]:
        """Return the groups with more Colonies than canoes, including those on the list."""
        found = []
        lines = self.state.builds[self.seat].lines
        for spot in self.realm.own_groups:
            spare = self.errands.spare_pieces(spot)
            listed = [line.item for line in lines if line.spot == spot]
            colonies = spare.c + listed.count("c") + listed.count("pigs")
            canoes = spare.t + listed.count("t")
            if colonies > canoes:
                found.append(spot)
        return found
