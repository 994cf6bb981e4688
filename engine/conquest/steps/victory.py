"""The Victory Step: count points, declare Victory, and give others a last chance to prevent it.

Victory Points are counted in halves everywhere in the rules (an atoll is worth ½) and divided by
two only for events and questions.
"""

from typing import TYPE_CHECKING

from msgspec.structs import replace

from engine.conquest.board import CARDS
from engine.conquest.cards import show_card, show_cards
from engine.conquest.empire import end_match, lose_village
from engine.conquest.events import GoesOn, PointsCounted, Recounted, VictoryDeclared, VillageFelled
from engine.conquest.hex_options import hex_options
from engine.conquest.pieces import NOBODY, Declared
from engine.conquest.refusals import Refusal, hex_refusal, is_hex
from engine.conquest.scoring import count_all_points, count_points
from engine.conquest.steps.after_loss import CheckEmpires
from engine.core.decision import Answer, Decision, Option, Seat
from engine.core.event import Tell
from engine.core.steps import Run, Step, push
from engine.core.table import Table
from engine.core.words import points

if TYPE_CHECKING:
    from engine.conquest.state import State

DECLARED = "declared"
MAX_CARD_POINTS = 2
"""The most Victory Points that a face-down card can be worth."""


class CountPoints(Run, frozen=True):
    """ "Move your marker on the Victory Point Track (up or down, as required)." """

    def run(self, state: "State", table: Table) -> "State":
        """Count everybody's points; cards count only face up."""
        # "They are NOT added cumulatively each turn": see `update_track`.
        state = update_track(state.with_changes(step="victory"))
        table.tell(PointsCounted(tuple(nation.points / 2 for nation in state.nations)))
        return state


def update_track(state: "State") -> "State":
    """Set every marker on the Victory Point Track to the seat's current points.

    "They are NOT added cumulatively each turn."
    """
    for seat, total in enumerate(count_all_points(state)):
        state = state.with_nation(seat, points=total)
    return state


def deforestation_refusal(state: "State", seat: Seat, spot: str) -> Refusal:
    """Return why a seat's Deforestation cannot strike a hex: it takes another seat's Village."""
    group = state.group(spot)
    if group.owner == seat:
        return hex_refusal("own_village", spot)
    if not group.villages or group.owner == NOBODY:
        return hex_refusal("no_village_of_others", spot)
    return None


def deforestation_targets(state: "State", seat: Seat) -> tuple[str, ...]:
    """Return the hexes where a seat's Deforestation could strike."""
    return tuple(
        group.spot for group in state.groups if not deforestation_refusal(state, seat, group.spot)
    )


def play_deforestation(state: "State", seat: Seat, spot: str, tell: Tell) -> "State":
    """Use up a seat's Deforestation card, and remove another seat's Village."""
    state = show_card(state, seat, "forest", tell, used=True)
    tell(VillageFelled(seat, Seat(state.group(spot).owner), spot))
    return lose_village(state.with_changes(last=(spot,)), spot, tell)


def could_declare(state: "State", seat: Seat) -> bool:
    """Return whether a seat could have enough points, by what everybody can see.

    Every face-down card is taken to be worth the maximum, so that being asked reveals nothing
    about a seat's cards.
    """
    nation = state.nations[seat]
    # In halves, like all points.
    possible = count_points(state, seat).total + 2 * MAX_CARD_POINTS * len(nation.hidden)
    return not nation.out and possible >= 2 * state.rules.goal


class DeclareVictory(Step, frozen=True):
    """Ask every seat that could have enough points whether it declares Victory, in secret.

    Only a seat that has the points may declare. "To declare Victory, you must reveal all of
    your Arts & Culture cards bearing Victory Points." Seats with a standing order to declare
    are asked as well: if a seat was not asked and did not declare, everybody would know that
    its cards fall short.
    """

    def asks(self, state: "State") -> bool:
        """Return whether a seat still has to answer."""
        return bool(self.ask(state))

    def ask(self, state: "State") -> tuple[Decision, ...]:
        """Ask each seat whether to declare or to pass."""
        decisions = []
        for seat in state.seats:
            has_voted = state.declared is not None and bool(state.declared.votes[seat])
            if has_voted or not could_declare(state, seat):
                continue
            # The seat itself knows its face-down cards, so they decide what it is offered.
            total = count_points(state, seat, with_hidden=True).total
            options = [Option("pass", ends=True)]
            if total >= 2 * state.rules.goal:
                options = [Option("declare"), *options]
            about = (("points", points(total / 2)), ("goal", state.rules.goal))
            decisions.append(
                Decision(seat, "declare_victory", tuple(options), facts=about, secret=True)
            )
        return tuple(decisions)

    def take(self, state: "State", answer: Answer, tell: Tell) -> "State":
        """Note the answer until every seat has given one."""
        votes = [""] * len(state.nations)
        if state.declared is not None:
            votes = list(state.declared.votes)
        votes[answer.seat] = answer.keys[0]
        return state.with_changes(declared=Declared(tuple(votes)))

    def refusal(self, state: "State", decision: Decision, key: str) -> Refusal:
        """Return the refusal of a seat whose points fall short of the goal."""
        if key != "declare":
            return None
        total = count_points(state, decision.seat, with_hidden=True).total
        return "not_enough", {"points": points(total / 2), "goal": state.rules.goal}


def vote_by_standing_order(state: "State", seat: Seat) -> Answer | None:
    """Return the seat's answer to DeclareVictory by its standing order, if it is asked."""
    step = state.agenda[-1] if state.agenda else None
    if not isinstance(step, DeclareVictory) or state.nations[seat].victory != "declare":
        return None
    for question in step.ask(state):
        if question.seat == seat:
            # The first option is to declare, if the seat has enough points, and else to pass.
            return Answer(seat, question.kind, (question.options[0].key,))
    return None


class HearDeclarations(Run, frozen=True):
    """Reveal the declarations with their cards, and give everyone else one chance to answer."""

    def run(self, state: "State", table: Table) -> "State":
        """Go on to the answers, or to the next turn if nobody has declared."""
        declared = state.declared
        declarers = declared.seats if declared is not None else ()
        if declared is None or not declarers:
            return state.with_changes(declared=None)
        for seat in state.order:
            if seat in declarers:
                # "To declare Victory, you must reveal all of your Arts & Culture cards bearing
                # Victory Points."
                hidden = tuple(card for card in state.nations[seat].hidden if CARDS[card].vp)
                state = show_cards(state, seat, hidden, table.tell)
                table.tell(VictoryDeclared(seat, count_points(state, seat).total / 2))
        answers = []
        for n, nation in enumerate(state.nations):
            # Every seat with a face-down card is asked, so that being asked does not reveal a
            # Deforestation. The only seat to declare has no reason to play one. '' waits for an
            # answer.
            could_answer = bool(nation.hidden) and not nation.out and declarers != (n,)
            answers.append("" if could_answer else "pass")
        state = state.with_changes(declared=replace(declared, answers=tuple(answers)))
        return push(state, AnswerVictory(), FellDeclared(), Recount())


def current_declaration(state: "State") -> Declared:
    """Return the declared Victory."""
    if state.declared is None:
        raise ValueError("nobody has declared Victory")
    return state.declared


class AnswerVictory(Step, frozen=True):
    """Ask every seat with a face-down card whether it reveals a Deforestation, in secret."""

    def asks(self, state: "State") -> bool:
        """Return whether a seat still has to answer, or its holder to name a Village."""
        return bool(self.ask(state))

    def ask(self, state: "State") -> tuple[Decision, ...]:
        """Ask the seats that have not answered; the holder of Deforestation names a Village."""
        declared = current_declaration(state)
        about = (("declarers", declared.seats),)
        decisions = []
        for n, answer in enumerate(declared.answers):
            seat = Seat(n)
            targets = deforestation_targets(state, seat)
            # A seat that reveals Deforestation then names the Village, still in secret.
            if answer == "forest" and not declared.target:
                decisions.append(Decision(seat, "pick_village", hex_options(targets), secret=True))
            elif not answer:
                options = [Option("pass", ends=True)]
                if "forest" in state.nations[seat].hidden and targets:
                    options = [Option("forest"), *options]
                decisions.append(
                    Decision(seat, "answer_victory", tuple(options), facts=about, secret=True)
                )
        return tuple(decisions)

    def take(self, state: "State", answer: Answer, tell: Tell) -> "State":
        """Note the answer until every seat has given one."""
        declared = current_declaration(state)
        key = answer.keys[0]
        if answer.kind == "pick_village":
            return state.with_changes(declared=replace(declared, target=key))
        answers = list(declared.answers)
        answers[answer.seat] = key
        return state.with_changes(declared=replace(declared, answers=tuple(answers)))

    def refusal(self, state: "State", decision: Decision, key: str) -> Refusal:
        """Return why Deforestation cannot be played, or cannot strike a hex."""
        if decision.kind == "pick_village":
            return deforestation_refusal(state, decision.seat, key) if is_hex(key) else None
        if key != "forest":
            return None
        nation = state.nations[decision.seat]
        if not nation.holds(key):
            return "no_such_card", {"card": key}
        if nation.shows(key):
            return "card_is_used", {"card": key}
        return "nothing_to_fell", {}


class FellDeclared(Run, frozen=True):
    """Reveal the answers: a Deforestation removes its Village."""

    def run(self, state: "State", table: Table) -> "State":
        """Play the Deforestation, if there is one."""
        declared = current_declaration(state)
        if not declared.target:
            return state
        holder = Seat(declared.answers.index("forest"))
        return push(play_deforestation(state, holder, declared.target, table.tell), CheckEmpires())


class Recount(Run, frozen=True):
    """End the match if anyone still reaches the goal; otherwise it goes on.

    Cards that are still face down count only once the match has ended.
    """

    def run(self, state: "State", table: Table) -> "State":
        """End the match, or go on to the next turn."""
        declarers = current_declaration(state).seats
        state = update_track(state.with_changes(declared=None))
        # "If any player DOES have enough Victory Points to end the game, then the game ends."
        if any(state.nations[seat].points >= 2 * state.rules.goal for seat in state.seats):
            return end_match(state, DECLARED, table.tell)
        table.tell(Recounted(tuple(nation.points / 2 for nation in state.nations)))
        table.tell(GoesOn(declarers[0]))
        return state


class CountAgain(Run, frozen=True):
    """Count points again after a Deforestation outside the Victory Step."""

    def run(self, state: "State", table: Table) -> "State":
        """Move the markers on the track."""
        state = update_track(state)
        table.tell(Recounted(tuple(nation.points / 2 for nation in state.nations)))
        return state
