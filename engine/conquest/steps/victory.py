"""The Victory Step: points counted, Victory declared, and a last chance to undo it."""

from typing import TYPE_CHECKING

from msgspec.structs import replace

from engine.conquest.board import CARDS
from engine.conquest.cards import show_card, show_cards
from engine.conquest.empire import finish, lose_village
from engine.conquest.events import GoesOn, PointsCounted, Recounted, VictoryDeclared, VillageFelled
from engine.conquest.hex_options import hex_options
from engine.conquest.pieces import NOBODY, Declared
from engine.conquest.reasons import Objection, about_hex, is_hex
from engine.conquest.scoring import count, totals
from engine.conquest.steps.after_loss import CheckEmpires
from engine.core.decision import Answer, Decision, Option, Seat
from engine.core.event import Tell
from engine.core.steps import Run, Step, push
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


def felling_objection(state: "State", seat: Seat, spot: str) -> Objection:
    """Return why a Deforestation of a seat cannot strike in a hex: it takes a Village of
    another.
    """
    group = state.group(spot)
    if group.owner == seat:
        return about_hex("own_village", spot)
    return (
        None
        if group.villages and group.owner != NOBODY
        else about_hex("no_village_of_others", spot)
    )


def villages_of_others(state: "State", seat: Seat) -> tuple[str, ...]:
    """Where a Deforestation of the seat could strike."""
    return tuple(
        group.spot for group in state.groups if not felling_objection(state, seat, group.spot)
    )


def fell(state: "State", seat: Seat, spot: str, tell: Tell) -> "State":
    """Deforestation: the card is used, a Village of another is gone, and points are counted
    anew.
    """
    state = show_card(state, seat, "forest", tell, used=True)
    tell(VillageFelled(seat, Seat(state.group(spot).owner), spot))
    return lose_village(state.changed(last=(spot,)), spot, tell)


def could_declare(state: "State", seat: Seat) -> bool:
    """Whether a seat could have enough points, by what everybody can see: so being asked tells
    nothing of its cards.
    """
    nation = state.nations[seat]
    possible = count(state, seat).total + 2 * MOST_OF_A_CARD * len(nation.hidden)
    return not nation.out and possible >= 2 * state.rules.goal


class DeclareVictory(Step, frozen=True):
    """Whoever could have enough points with their hidden cards is asked, all at once and in secret;
    only who has may.

    "To declare Victory, you must reveal all of your Arts & Culture cards bearing Victory Points." A
    standing order to declare changes nothing here: a seat that was not asked, and did not declare,
    would show that its cards fall short.
    """

    def asks(self, state: "State") -> bool:
        """Until all have said."""
        return bool(self.ask(state))

    def ask(self, state: "State") -> tuple[Decision, ...]:
        """To declare or to wait."""
        asked = []
        for seat in state.seats:
            said = state.declared.votes[seat] if state.declared is not None else ""
            if said or not could_declare(state, seat):
                continue
            total = count(state, seat, with_hidden=True).total
            options = [Option("pass", ends=True)]
            if total >= 2 * state.rules.goal:
                options = [Option("declare"), *options]
            about = (("points", points(total / 2)), ("goal", state.rules.goal))
            asked.append(
                Decision(seat, "declare_victory", tuple(options), facts=about, secret=True)
            )
        return tuple(asked)

    def take(self, state: "State", answer: Answer, tell: Tell) -> "State":
        """Noted until all have said."""
        votes = list(
            state.declared.votes if state.declared is not None else ("",) * len(state.nations)
        )
        votes[answer.seat] = answer.keys[0]
        return state.changed(declared=Declared(tuple(votes)))

    def objection(self, state: "State", decision: Decision, key: str) -> Objection:
        """Only who has enough may declare."""
        if key != "declare":
            return None
        total = count(state, decision.seat, with_hidden=True).total
        return "not_enough", {"points": points(total / 2), "goal": state.rules.goal}


def ordered_vote(state: "State", seat: Seat) -> Answer | None:
    """Return what the seat's standing order says to the question whether it declares, if it has
    one and is asked.
    """
    is_open = bool(state.agenda) and isinstance(state.agenda[-1], DeclareVictory)
    if not is_open or state.nations[seat].victory != "declare":
        return None
    question = next((asked for asked in state.agenda[-1].ask(state) if asked.seat == seat), None)
    # To declare comes first, wherever it is possible.
    return Answer(seat, question.kind, (question.options[0].key,)) if question is not None else None


class HearDeclarations(Run, frozen=True):
    """All that was said is shown: declared Victories, with their cards, and everyone else has
    one chance.
    """

    def run(self, state: "State", table: Table) -> "State":
        """On to the answers, or to the next turn."""
        declared = state.declared
        declarers = declared.seats if declared is not None else ()
        if declared is None or not declarers:
            return state.changed(declared=None)
        for seat in state.order:
            if seat in declarers:
                hidden = tuple(card for card in state.nations[seat].hidden if CARDS[card].vp)
                state = show_cards(state, seat, hidden, table.tell)
                table.tell(VictoryDeclared(seat, count(state, seat).total / 2))
        answers = []
        for n, nation in enumerate(state.nations):
            # Whoever has a face-down card is asked, be it Deforestation or not; '' waits for an
            # answer. It is played against others, so one that declares alone has nobody to play it
            # against.
            could_answer = bool(nation.hidden) and not nation.out and declarers != (n,)
            answers.append("" if could_answer else "pass")
        state = state.changed(declared=replace(declared, answers=tuple(answers)))
        return push(state, AnswerVictory(), FellDeclared(), Recount())


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
        about = (("declarers", declared.seats),)
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
                asked.append(
                    Decision(seat, "answer_victory", tuple(options), facts=about, secret=True)
                )
        return tuple(asked)

    def take(self, state: "State", answer: Answer, tell: Tell) -> "State":
        """Noted until all have answered."""
        declared, key = declaration(state), answer.keys[0]
        if answer.kind == "pick_village":
            return state.changed(declared=replace(declared, target=key))
        answers = list(declared.answers)
        answers[answer.seat] = key
        return state.changed(declared=replace(declared, answers=tuple(answers)))

    def objection(self, state: "State", decision: Decision, key: str) -> Objection:
        """With a Deforestation that is still face down, against a Village of another."""
        if decision.kind == "pick_village":
            return felling_objection(state, decision.seat, key) if is_hex(key) else None
        nation = state.nations[decision.seat]
        if key != "forest":
            return None
        if not nation.holds(key):
            return "no_such_card", {"card": key}
        return ("card_is_used", {"card": key}) if nation.shows(key) else ("nothing_to_fell", {})


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
        """The end, or the next turn."""
        declarers = declaration(state).seats
        state = with_track(state.changed(declared=None))
        if any(state.nations[seat].points >= 2 * state.rules.goal for seat in state.seats):
            return finish(state, DECLARED, table.tell)
        table.tell(Recounted(tuple(nation.points / 2 for nation in state.nations)))
        table.tell(GoesOn(declarers[0]))
        return state


class CountAgain(Run, frozen=True):
    """Points are counted anew after a Deforestation out of the Victory Step."""

    def run(self, state: "State", table: Table) -> "State":
        """The track moved."""
        state = with_track(state)
        table.tell(Recounted(tuple(nation.points / 2 for nation in state.nations)))
        return state
