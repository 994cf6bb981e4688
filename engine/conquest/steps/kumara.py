"""The search for Kumara: an Explorer rolls its way over the eastern ocean to South America.

It is launched like any voyage (`explore.LaunchExplorer`) "in lieu of any other activity", from a
hex "To South America" that the Pre-move reaches, and ends like any voyage
(`explore.EndExploration`). Ruling: other seats' canoes on the way are ignored. Steps are saved by
class name and fields, so neither is ever renamed.
"""

from typing import TYPE_CHECKING

from msgspec.structs import replace

from engine.conquest.board import AMERICA, CHART, EASTERN, NEIGHBOURS, distance_to_america, in_order
from engine.conquest.discoveries import adjacency_refusal, current_voyage
from engine.conquest.empire import take_kumara
from engine.conquest.hex_options import hex_options
from engine.conquest.refusals import Refusal, hex_refusal, is_hex
from engine.conquest.sea_events import GalapagosFound, KumaraRolled, KumaraSailed
from engine.core.decision import Answer, Decision, Option, Seat
from engine.core.event import Tell
from engine.core.steps import Run, Step, pop, push
from engine.core.table import Table

if TYPE_CHECKING:
    from engine.conquest.state import State

NAVIGATORS = ("navigation", "poi", "doublehull")
"""Any of these cards face up adds one to the die; "Having more than one card provides no additional
modifier."
"""
SEARCH_TABLE = (
    "",
    "lost",
    "return",
    "return",
    "offcourse",
    "explore",
    "explore",
    "explore",
    "explore",
)
"""The Kumara Search Table, by die roll from 1 to 6 plus a modifier of up to 2."""


class RollKumara(Run, frozen=True):
    """ "Roll on the table below to see if your Explorer can Explore each hex." """

    seat: Seat

    def run(self, state: "State", table: Table) -> "State":
        """Roll the die, and end the voyage, sail on, or ask where to; Ocean Chart prevents Lost."""
        nation = state.nations[self.seat]
        die = table.roll()
        modifier = nation.galapagos + any(nation.shows(card) for card in NAVIGATORS)
        result = SEARCH_TABLE[die + modifier]
        if result == "lost" and nation.shows("chart"):
            result = "return"
        table.tell(KumaraRolled(self.seat, die, modifier, result))
        # With a result the voyage is over: EndExploration lies next on the agenda.
        if result in ("lost", "return"):
            return state.with_changes(voyage=replace(current_voyage(state), result=result))
        step = SailEast(self.seat, result == "explore")
        spots = step.spots(state)
        if not spots:
            # Off Course with no hex to pick: the Explorer stays where it is and rolls again.
            return push(state, RollKumara(self.seat))
        # A choice of one hex is no question.
        if len(spots) == 1:
            return step.sail(state, spots[0], table.tell)
        return push(state, step)


class SailEast(Step, frozen=True):
    """Ask for the next hex of the eastern ocean; Off Course, for one that is not nearer."""

    seat: Seat
    explores: bool
    """Whether the roll was Explore; otherwise it was Off Course."""

    def spots(self, state: "State") -> list[str]:
        """Return the hexes that the Explorer may sail to, and South America from the coast.

        Off Course: "You pick any hex adjacent to your Explorer that is NOT CLOSER to South
        America than the one it is currently in."
        """
        at = current_voyage(state).at
        if self.explores:
            spots = [spot for spot in NEIGHBOURS[at] if spot in EASTERN]
            if at in CHART.coast:
                spots.append(AMERICA)
            return spots
        # Off Course may drive the Explorer back to the hexes "To South America", where it set out.
        seas = [spot for spot in NEIGHBOURS[at] if spot in EASTERN or spot in CHART.to_america]
        return [spot for spot in seas if distance_to_america(spot) >= distance_to_america(at)]

    def ask(self, state: "State") -> tuple[Decision, ...]:
        """Ask where the Explorer sails."""
        spots = self.spots(state)
        ashore = [Option(AMERICA, spot=AMERICA)] if AMERICA in spots else []
        options = hex_options(in_order(spot for spot in spots if spot != AMERICA), *ashore)
        result = "explore" if self.explores else "offcourse"
        about = (("spot", current_voyage(state).at), ("result", result))
        at_once = state.nations[self.seat].sure != "each"
        return (Decision(self.seat, "sail_east", options, facts=about, at_once=at_once),)

    def take(self, state: "State", answer: Answer, tell: Tell) -> "State":
        """Sail to the chosen hex."""
        return self.sail(pop(state), answer.keys[0], tell)

    def refusal(self, state: "State", decision: Decision, key: str) -> Refusal:
        """Return why the Explorer cannot sail there."""
        at = current_voyage(state).at
        if key == AMERICA:
            is_too_near = at in CHART.coast and not self.explores
            return ("not_nearer", {}) if is_too_near else ("not_at_coast", {"spots": CHART.coast})
        if not is_hex(key):
            return None
        if refusal := adjacency_refusal(state, key):
            return refusal
        if key in EASTERN or (not self.explores and key in CHART.to_america):
            return "not_nearer", {}
        return hex_refusal("not_eastern", key)

    def sail(self, state: "State", spot: str, tell: Tell) -> "State":
        """Move the Explorer and roll again; in South America it takes Kumara and Returns.

        The Galapagos or Unfortunate Islands on the way bring a marker that adds one to
        every later roll.
        """
        if spot == AMERICA:
            state = take_kumara(state, self.seat, tell)
            return state.with_changes(voyage=replace(current_voyage(state), result="return"))
        tell(KumaraSailed(self.seat, spot))
        voyage = replace(current_voyage(state), at=spot)
        state = state.with_changes(voyage=voyage, last=(*state.last, spot))
        if spot in CHART.galapagos and not state.nations[self.seat].galapagos:
            tell(GalapagosFound(self.seat, spot))
            state = state.with_nation(self.seat, galapagos=True)
        return push(state, RollKumara(self.seat))
