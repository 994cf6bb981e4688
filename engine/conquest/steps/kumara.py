"""The search for Kumara, "in lieu of any other activity": an Explorer rolls its way over the
eastern ocean.

It is launched like any voyage (`explore.LaunchExplorer`), from a hex "To South America" that the
Pre-move reaches, and ends like any (`explore.EndExploration`). Others' canoes on the way are
ignored, by a ruling.
"""

from typing import TYPE_CHECKING

from msgspec.structs import replace

from engine.conquest.board import AMERICA, CHART, EASTERN, NEIGHBOURS, in_order, to_america
from engine.conquest.discoveries import beside_objection, exploring
from engine.conquest.empire import take_kumara
from engine.conquest.hex_options import hex_options
from engine.conquest.reasons import Objection, about_hex, is_hex
from engine.conquest.sea_events import GalapagosFound, KumaraRolled, KumaraSailed
from engine.core.decision import Answer, Decision, Option, Seat
from engine.core.event import Tell
from engine.core.steps import Run, Step, pop, push
from engine.core.table import Table

if TYPE_CHECKING:
    from engine.conquest.state import State

NAVIGATORS = ("navigation", "poi", "doublehull")
"""Any of these face up adds one to the die; "having more than one card provides no additional
modifier".
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
"""The Kumara Search Table: what a die from 1 to 6 means, with up to two added to it."""


class RollKumara(Run, frozen=True):
    """Each hex is a roll: Lost, Return, Off Course, or onwards."""

    seat: Seat

    def run(self, state: "State", table: Table) -> "State":
        """The roll and what it allows; Ocean Chart turns Lost into Return."""
        nation = state.nations[self.seat]
        die = table.roll()
        modifier = nation.galapagos + any(nation.shows(card) for card in NAVIGATORS)
        result = SEARCH_TABLE[die + modifier]
        if result == "lost" and nation.shows("chart"):
            result = "return"
        table.tell(KumaraRolled(self.seat, die, modifier, result))
        if result in ("lost", "return"):
            return state.changed(voyage=replace(exploring(state), result=result))
        step = SailEast(self.seat, result == "explore")
        spots = step.spots(state)
        if not spots:
            # Off Course with nowhere to go: it stays and rolls again.
            return push(state, RollKumara(self.seat))
        if len(spots) == 1:
            return step.sail(state, spots[0], table.tell)
        return push(state, step)


class SailEast(Step, frozen=True):
    """Onwards to any hex of the eastern ocean; Off Course to one that is not nearer.

    Nobody turns back.
    """

    seat: Seat
    explores: bool

    def spots(self, state: "State") -> list[str]:
        """The hexes, and South America itself from the coast.

        Off Course the owner picks, and not a nearer one.
        """
        at = exploring(state).at
        if self.explores:
            spots = [spot for spot in NEIGHBOURS[at] if spot in EASTERN]
            if at in CHART.coast:
                spots.append(AMERICA)
            return spots
        seas = [spot for spot in NEIGHBOURS[at] if spot in EASTERN or spot in CHART.to_america]
        return [spot for spot in seas if to_america(spot) >= to_america(at)]

    def ask(self, state: "State") -> tuple[Decision, ...]:
        """Where the Explorer goes."""
        spots = self.spots(state)
        ashore = [Option(AMERICA, spot=AMERICA)] if AMERICA in spots else []
        options = hex_options(in_order(spot for spot in spots if spot != AMERICA), *ashore)
        result = "explore" if self.explores else "offcourse"
        about = (("spot", exploring(state).at), ("result", result))
        at_once = state.nations[self.seat].sure != "each"
        return (Decision(self.seat, "sail_east", options, facts=about, at_once=at_once),)

    def take(self, state: "State", answer: Answer, tell: Tell) -> "State":
        """The Explorer moved."""
        return self.sail(pop(state), answer.keys[0], tell)

    def objection(self, state: "State", decision: Decision, key: str) -> Objection:
        """Over the eastern ocean, and off course no nearer to South America."""
        at = exploring(state).at
        if key == AMERICA:
            is_too_near = at in CHART.coast and not self.explores
            return ("not_nearer", {}) if is_too_near else ("not_at_coast", {"spots": CHART.coast})
        if not is_hex(key):
            return None
        if objection := beside_objection(state, key):
            return objection
        if key in EASTERN or (not self.explores and key in CHART.to_america):
            return "not_nearer", {}
        return about_hex("not_eastern", key)

    def sail(self, state: "State", spot: str, tell: Tell) -> "State":
        """On the way; desolate islands help from then on, and South America is the goal."""
        if spot == AMERICA:
            state = take_kumara(state, self.seat, tell)
            return state.changed(voyage=replace(exploring(state), result="return"))
        tell(KumaraSailed(self.seat, spot))
        voyage = replace(exploring(state), at=spot)
        state = state.changed(voyage=voyage, last=(*state.last, spot))
        if spot in CHART.galapagos and not state.nations[self.seat].galapagos:
            tell(GalapagosFound(self.seat, spot))
            state = state.with_nation(self.seat, galapagos=True)
        return push(state, RollKumara(self.seat))
