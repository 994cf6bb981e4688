"""The search for Kumara: an Explorer rolls its way over the eastern ocean to South America."""

from typing import TYPE_CHECKING

from msgspec.structs import replace

from engine.conquest.board import AMERICA, CHART, EASTERN, NEIGHBOURS, in_order, to_america
from engine.conquest.empire import take_kumara
from engine.conquest.hex_options import hex_options
from engine.conquest.pieces import Voyage
from engine.conquest.sea_events import GalapagosFound, KumaraRolled, KumaraSailed
from engine.core.decision import Answer, Decision, Option, Seat
from engine.core.event import Tell
from engine.core.steps import Run, Step, pop, push
from engine.core.table import Table

if TYPE_CHECKING:
    from engine.conquest.state import State

NAVIGATORS = ("navigation", "poi", "doublehull")
"""Any of these face up adds one to the die."""


def exploring(state: "State") -> Voyage:
    """The voyage under way."""
    if state.voyage is None:
        raise ValueError("no Explorer is at sea")
    return state.voyage


def modifier(state: "State", seat: Seat) -> int:
    """One for the Galapagos Marker, one for a navigator's card."""
    nation = state.nations[seat]
    return nation.galapagos + any(nation.shows(card) for card in NAVIGATORS)


def table_result(roll: int) -> str:
    """The Kumara Search Table."""
    return "lost" if roll <= 1 else "return" if roll <= 3 else "offcourse" if roll == 4 else "explore"


class RollKumara(Run, frozen=True):
    """Each hex is a roll: Lost, Return, Off Course, or onwards."""

    seat: Seat

    def run(self, state: "State", table: Table) -> "State":
        """The roll and what it allows; Ocean Chart turns Lost into Return."""
        die, plus = table.roll(), modifier(state, self.seat)
        result = table_result(die + plus)
        if result == "lost" and state.nations[self.seat].shows("chart"):
            result = "return"
        table.tell(KumaraRolled(self.seat, die, plus, result))
        if result in ("lost", "return"):
            return state.changed(voyage=replace(exploring(state), result=result))
        step = SailEast(self.seat, result == "explore")
        spots = step.spots(state)
        if not spots:
            return push(state, RollKumara(self.seat))
        return push(state, step) if len(spots) > 1 else step.sail(state, spots[0], table.tell)


class SailEast(Step, frozen=True):
    """Onwards to any hex of the eastern ocean; Off Course to one that is not nearer. Nobody turns back."""

    seat: Seat
    explores: bool

    def spots(self, state: "State") -> list[str]:
        """The hexes, and South America itself from the coast."""
        at = exploring(state).at
        if self.explores:
            over = [spot for spot in NEIGHBOURS[at] if spot in EASTERN]
            return [*over, AMERICA] if at in CHART.coast else over
        seas = [spot for spot in NEIGHBOURS[at] if spot in EASTERN or spot in CHART.to_america]
        return [spot for spot in seas if to_america(spot) >= to_america(at)]

    def ask(self, state: "State") -> tuple[Decision, ...]:
        """Where the Explorer goes."""
        spots = self.spots(state)
        ashore = [Option(AMERICA, spot=AMERICA)] if AMERICA in spots else []
        about = (("spot", exploring(state).at), ("result", "explore" if self.explores else "offcourse"))
        options = hex_options(in_order(spot for spot in spots if spot != AMERICA), *ashore)
        return (Decision(self.seat, "sail_east", options, facts=about),)

    def take(self, state: "State", answer: Answer, tell: Tell) -> "State":
        """The Explorer moved."""
        return self.sail(pop(state), answer.keys[0], tell)

    def sail(self, state: "State", spot: str, tell: Tell) -> "State":
        """On the way; desolate islands help from then on, and South America is the goal."""
        if spot == AMERICA:
            state = take_kumara(state, self.seat, tell)
            return state.changed(voyage=replace(exploring(state), result="return"))
        tell(KumaraSailed(self.seat, spot))
        state = state.changed(voyage=replace(exploring(state), at=spot), last=(*state.last, spot))
        if spot in CHART.galapagos and not state.nations[self.seat].galapagos:
            tell(GalapagosFound(self.seat, spot))
            state = state.with_nation(self.seat, galapagos=True)
        return push(state, RollKumara(self.seat))
