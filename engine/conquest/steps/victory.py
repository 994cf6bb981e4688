"""The Victory Step: points counted, Victory declared, and a last chance to undo it."""

from typing import TYPE_CHECKING

from msgspec.structs import replace

from engine.conquest.board import CARDS
from engine.conquest.cards import show_card, show_cards
from engine.conquest.empire import finish, lose_village
from engine.conquest.events import GoesOn, PointsCounted, Recounted, VictoryDeclared, VillageFelled
from engine.conquest.pieces import Declared
from engine.conquest.scoring import count, totals
from engine.conquest.steps.empire import CheckEmpires
from engine.conquest.steps.options import hexes
from engine.core.decision import Answer, Decision, Option, Seat
from engine.core.event import Tell
from engine.core.steps import Run, Step, pop, push
from engine.core.table import Table
from engine.core.words import points

if TYPE_CHECKING:
    from engine.conquest.state import State

DECLARED = "declared"
MOST_OF_A_CARD = 2
"""The most points a face-down card can hold."""


class CountPoints(Run, frozen=True):
    """Markers on the Victory Point Track are moved to what each seat has now."""

    def run(self, state: "State", table: Table) -> "State":
        """Points counted, face-up cards only."""
        state = with_track(state.changed(step="victory"))
        table.tell(PointsCounted(tuple(nation.points / 2 for nation in state.nations)))
        return state


def with_track(state: "State") -> "State":
    """The track as it should be now."""
    counted = totals(state)
    if counted == tuple(nation.points for nation in state.nations):
        return state
    nations = tuple(replace(nation, points=total) for nation, total in zip(state.nations, counted, strict=True))
    return state.changed(nations=nations)


def villages_of_others(state: "State", seat: Seat) -> tuple[str, ...]:
    """Where a Deforestation of the seat could strike."""
    return tuple(group.spot for group in state.groups if group.villages and group.owner not in (seat, -1))


def fell(state: "State", seat: Seat, spot: str, tell: Tell) -> "State":
    """Deforestation: the card is used, a Village of another is gone, and points are counted anew."""
    state = show_card(state, seat, "forest", tell, used=True)
    tell(VillageFelled(seat, Seat(state.group(spot).owner), spot))
    return lose_village(state.changed(last=(spot,)), spot, tell)


class DeclareVictory(Step, frozen=True):
    """In turn order, whoever could have enough points with their hidden cards is asked; only who has may declare."""

    seat: Seat

    def asks(self, state: "State") -> bool:
        """By what everybody can see, so that being asked tells nothing of the cards."""
        nation = state.nations[self.seat]
        if nation.out:
            return False
        possible = count(state, self.seat).total + 2 * MOST_OF_A_CARD * len(nation.hidden)
        return possible >= 2 * state.rules.goal

    def ask(self, state: "State") -> tuple[Decision, ...]:
        """To declare or to wait."""
        total = count(state, self.seat, with_hidden=True).total
        declare = [Option("declare")] if total >= 2 * state.rules.goal else []
        about = (("points", points(total / 2)), ("goal", state.rules.goal))
        return (Decision(self.seat, "declare_victory", (*declare, Option("pass", ends=True)), facts=about),)

    def take(self, state: "State", answer: Answer, tell: Tell) -> "State":
        """All cards with Victory Points are shown, and everyone else has one chance."""
        if answer.keys[0] == "pass":
            return pop(state)
        hidden = tuple(card for card in state.nations[self.seat].hidden if CARDS[card].vp)
        state = show_cards(state, self.seat, hidden, tell)
        tell(VictoryDeclared(self.seat, count(state, self.seat).total / 2))
        answers = tuple(_first_answer(state, self.seat, Seat(other)) for other in range(len(state.nations)))
        declared = state.changed(declared=Declared(self.seat, answers))
        return pop(declared, AnswerVictory(), FellDeclared(), Recount())


def _first_answer(state: "State", declarer: Seat, seat: Seat) -> str:
    nation = state.nations[seat]
    return "pass" if seat == declarer or nation.out or not nation.hidden else ""


def declaration(state: "State") -> Declared:
    """The Victory that was declared."""
    if state.declared is None:
        raise ValueError("nobody has declared Victory")
    return state.declared


class AnswerVictory(Step, frozen=True):
    """Everyone else with a face-down card may reveal a Deforestation, all at once and in secret."""

    def asks(self, state: "State") -> bool:
        """Until all have answered and the holder has named a Village."""
        return bool(self.ask(state))

    def ask(self, state: "State") -> tuple[Decision, ...]:
        """Seats that have not answered."""
        told = declaration(state)
        asked = [self._question(state, told, Seat(seat)) for seat in range(len(told.answers))]
        return tuple(decision for decision in asked if decision is not None)

    def _question(self, state: "State", told: Declared, seat: Seat) -> Decision | None:
        if told.answers[seat] == "forest" and not told.target:
            return Decision(seat, "pick_village", hexes(villages_of_others(state, seat)), secret=True)
        if told.answers[seat]:
            return None
        can_fell = "forest" in state.nations[seat].hidden and villages_of_others(state, seat)
        options = (*([Option("forest")] if can_fell else []), Option("pass", ends=True))
        return Decision(seat, "answer_victory", options, facts=(("declarer", told.seat),), secret=True)

    def take(self, state: "State", answer: Answer, tell: Tell) -> "State":
        """Noted until all have answered."""
        told, key = declaration(state), answer.keys[0]
        if answer.kind == "pick_village":
            return state.changed(declared=replace(told, target=key))
        answers = (*told.answers[: answer.seat], key, *told.answers[answer.seat + 1 :])
        return state.changed(declared=replace(told, answers=answers))


class FellDeclared(Run, frozen=True):
    """The answers are shown: a Deforestation takes its Village."""

    def run(self, state: "State", table: Table) -> "State":
        """One Village less, or none."""
        told = declaration(state)
        if not told.target:
            return state
        holder = Seat(told.answers.index("forest"))
        return push(fell(state, holder, told.target, table.tell), CheckEmpires())


class Recount(Run, frozen=True):
    """With anyone at the goal the match ends and all cards are shown; else it goes on."""

    def run(self, state: "State", table: Table) -> "State":
        """The end, or the next seat of the Victory Step."""
        told = declaration(state)
        state = with_track(state.changed(declared=None))
        if any(state.nations[seat].points >= 2 * state.rules.goal for seat in state.seats):
            return finish(state, DECLARED, table.tell)
        table.tell(Recounted(tuple(nation.points / 2 for nation in state.nations)))
        table.tell(GoesOn(told.seat))
        return state


class CountAgain(Run, frozen=True):
    """Points are counted anew after a Deforestation out of the Victory Step."""

    def run(self, state: "State", table: Table) -> "State":
        """The track moved."""
        state = with_track(state)
        table.tell(Recounted(tuple(nation.points / 2 for nation in state.nations)))
        return state
