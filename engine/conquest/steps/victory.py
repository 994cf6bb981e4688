"""The Victory Step: points counted, Victory declared, and a last chance to undo it."""

from typing import TYPE_CHECKING

from msgspec.structs import replace

from engine.conquest.board import CARDS
from engine.conquest.cards import show_card, show_cards
from engine.conquest.empire import finish, lose_village
from engine.conquest.events import GoesOn, PointsCounted, Recounted, VictoryDeclared, VillageFelled
from engine.conquest.hex_options import hex_options
from engine.conquest.pieces import NOBODY, Declared
from engine.conquest.scoring import count, totals
from engine.conquest.steps.after_loss import CheckEmpires
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
    """The track as it should be now: points are not added up from turn to turn."""
    counted = totals(state)
    for seat, total in enumerate(counted):
        state = state.with_nation(seat, points=total)
    return state


def villages_of_others(state: "State", seat: Seat) -> tuple[str, ...]:
    """Where a Deforestation of the seat could strike."""
    return tuple(group.spot for group in state.groups if group.villages and group.owner not in (seat, NOBODY))


def fell(state: "State", seat: Seat, spot: str, tell: Tell) -> "State":
    """Deforestation: the card is used, a Village of another is gone, and points are counted anew."""
    state = show_card(state, seat, "forest", tell, used=True)
    tell(VillageFelled(seat, Seat(state.group(spot).owner), spot))
    return lose_village(state.changed(last=(spot,)), spot, tell)


class DeclareVictory(Step, frozen=True):
    """In turn order, whoever could have enough points with their hidden cards is asked; only who has may declare.

    "To declare Victory, you must reveal all of your Arts & Culture cards bearing Victory Points." After one that fails
    the next in order may declare.
    """

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
        options = [Option("pass", ends=True)]
        if total >= 2 * state.rules.goal:
            options = [Option("declare"), *options]
        about = (("points", points(total / 2)), ("goal", state.rules.goal))
        return (Decision(self.seat, "declare_victory", tuple(options), facts=about),)

    def take(self, state: "State", answer: Answer, tell: Tell) -> "State":
        """All cards with Victory Points are shown, and everyone else has one chance."""
        if answer.keys[0] == "pass":
            return pop(state)
        hidden = tuple(card for card in state.nations[self.seat].hidden if CARDS[card].vp)
        state = show_cards(state, self.seat, hidden, tell)
        tell(VictoryDeclared(self.seat, count(state, self.seat).total / 2))
        answers = []
        for seat, nation in enumerate(state.nations):
            # Whoever has a face-down card is asked, be it Deforestation or not; '' waits for an answer.
            could_answer = seat != self.seat and not nation.out and bool(nation.hidden)
            answers.append("" if could_answer else "pass")
        state = state.changed(declared=Declared(self.seat, tuple(answers)))
        return pop(state, AnswerVictory(), FellDeclared(), Recount())


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
        declared = declaration(state)
        about = (("declarer", declared.seat),)
        asked = []
        for n, answer in enumerate(declared.answers):
            seat = Seat(n)
            targets = villages_of_others(state, seat)
            if answer == "forest" and not declared.target:
                asked.append(Decision(seat, "pick_village", hex_options(targets), secret=True))
            elif not answer:
                options = [Option("pass", ends=True)]
                if "forest" in state.nations[seat].hidden and targets:
                    options = [Option("forest"), *options]
                asked.append(Decision(seat, "answer_victory", tuple(options), facts=about, secret=True))
        return tuple(asked)

    def take(self, state: "State", answer: Answer, tell: Tell) -> "State":
        """Noted until all have answered."""
        declared, key = declaration(state), answer.keys[0]
        if answer.kind == "pick_village":
            return state.changed(declared=replace(declared, target=key))
        answers = list(declared.answers)
        answers[answer.seat] = key
        return state.changed(declared=replace(declared, answers=tuple(answers)))


class FellDeclared(Run, frozen=True):
    """The answers are shown: a Deforestation takes its Village."""

    def run(self, state: "State", table: Table) -> "State":
        """One Village less, or none."""
        declared = declaration(state)
        if not declared.target:
            return state
        holder = Seat(declared.answers.index("forest"))
        return push(fell(state, holder, declared.target, table.tell), CheckEmpires())


class Recount(Run, frozen=True):
    """With anyone at the goal the match ends and all cards are shown; else it goes on.

    Cards that are still face down count only once the end is certain.
    """

    def run(self, state: "State", table: Table) -> "State":
        """The end, or the next seat of the Victory Step."""
        declarer = declaration(state).seat
        state = with_track(state.changed(declared=None))
        if any(state.nations[seat].points >= 2 * state.rules.goal for seat in state.seats):
            return finish(state, DECLARED, table.tell)
        table.tell(Recounted(tuple(nation.points / 2 for nation in state.nations)))
        table.tell(GoesOn(declarer))
        return state


class CountAgain(Run, frozen=True):
    """Points are counted anew after a Deforestation out of the Victory Step."""

    def run(self, state: "State", table: Table) -> "State":
        """The track moved."""
        state = with_track(state)
        table.tell(Recounted(tuple(nation.points / 2 for nation in state.nations)))
        return state
