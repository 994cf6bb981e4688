"""The chief, a player of Conquest by rules of thumb: explore, settle, link, build, and attack.

A chief answers the questions of a turn one after the other, and remembers between them which errand
is under way. What a rule leaves open is answered by the plain player.
"""

import re
from collections.abc import Callable, Iterable
from typing import Any

from engine.conquest.board import HEX_AT, TILES, distance
from engine.conquest.pieces import NO_PIECES, Kinds
from engine.conquest.state import State
from engine.core.catalog import GAMES
from engine.core.decision import Answer, Decision, Option, Seat
from engine.players.conquest.belief import Belief
from engine.players.conquest.errands import Errand, Errands
from engine.players.conquest.guard import Guard
from engine.players.conquest.plain import plain_answer
from engine.players.conquest.raids import Raids
from engine.players.conquest.realm import UNREACHABLE, Realm
from engine.players.conquest.stance import Stance
from engine.players.conquest.wishes import Wishes
from engine.players.mind import Turn, forced_answer, ignore_event, question_for

GAME = GAMES["conquest"]
Keys = tuple[str, ...]
HOME_DISTANCE_WEIGHT = 0.3
"""What a hex of distance to the Home counts in Exploration, besides that to the nearest group."""
WESTERN_HEX = "a5"
"""A hex of the western edge: the farther from it, the nearer to South America."""
VILLAGE_VALUE = 3.0
"""A saved Village, in Warrior Bands."""
WAR_CANOE_VALUE = 2.4
"""A War Canoe, in Warrior Bands."""
LASTING_CARDS = (
    "ponds",
    "outrigger",
    "breadfruit",
    "irrigation",
    "doublehull",
    "navigation",
    "poi",
    "chart",
)
"""Cards that help from the moment they lie face up."""
FIXED_ANSWERS = (
    "move_stack",
    "add_start_piece",
    "choose_first",
    "declare_victory",
    "answer_victory",
)
"""Questions to which no other first answer is tried: which piece moves first says nothing about the
whole plan, and a seat that can win does not wait.
"""
MAX_ANSWERS_PER_TURN = 120
"""Answers after which a turn is brought to its end."""


class Chief:
    """A player that answers for a seat, question by question, until its turn is complete."""

    open_answer = staticmethod(plain_answer)
    """Answers what the rules leave open."""

    def __init__(self, seat: Seat, stance: Stance) -> None:
        self.seat, self.stance = seat, stance
        self.errand: Errand | None = None
        self.realm: Realm | None = None
        self.finished_hexes: set[str] = set()
        """Hexes whose pieces have nothing left to do in this turn."""

    def play_turn(self, state: State, first: Answer | None = None) -> Turn:
        """Return the whole turn; if its first answer is given, the turn that follows from it."""
        answers: list[Answer] = []
        while (question := question_for(GAME, state, self.seat)) is not None:
            answer = forced_answer(GAME, question) if answers else first
            if answer is None:
                answer = Answer(
                    self.seat, question.kind, self.choose_keys(state, question, len(answers))
                )
            answers.append(answer)
            state = GAME.apply(state, answer, ignore_event)
        return Turn(tuple(answers), state)

    def realm_in(self, state: State) -> Realm:
        """Return the seat's realm in a state.

        It is computed once for a whole build list, which halves the time that a list takes.
        """
        if self.realm is None or not self.realm.is_valid_for(state):
            self.realm = Realm(state, self.seat)
            belief = Belief(state)
            self.guard = Guard(state, self.seat, belief)
            self.raids = Raids(self.realm, belief, self.guard)
        return self.realm

    def choose_keys(self, state: State, question: Decision, given: int) -> Keys:
        """Return the answer to a question: the chief's, else the plain player's, else any."""
        ending = question.ending()
        if ending is not None and given >= MAX_ANSWERS_PER_TURN:
            return (ending.key,)
        rule = None if self.stance.plain else RULES.get(question.kind)
        keys = rule(AnswerRules(state, question, self)) if rule is not None else None
        if keys is None:
            keys = self.open_answer(GAME.view(state, self.seat), question)
        if keys is None:
            some = question.options[: question.at_least]
            keys = (ending.key,) if ending is not None else tuple(option.key for option in some)
        return keys


def other_first_answers(state: State, seat: Seat, chosen: Answer) -> list[Answer]:
    """Return other first answers of a turn; hexes near the chosen one come first."""
    question = question_for(GAME, state, seat)
    if question is None or len(chosen.keys) != 1 or question.kind in FIXED_ANSWERS:
        return []
    spot = question.option(chosen.keys[0]).spot

    def away(option: Option) -> int:
        # South America is a spot, but no hex of the map; other options have no spot at all.
        if option.spot not in HEX_AT or spot not in HEX_AT:
            return 0
        return distance(option.spot, spot)

    skipped = (*chosen.keys, "drop", "wait")
    others = [option for option in question.options if option.key not in skipped]
    others.sort(key=away)
    return [Answer(seat, question.kind, (option.key,)) for option in others]


class AnswerRules:
    """The chief's rules for one question; each method answers the kind it is named after."""

    def __init__(self, state: State, question: Decision, chief: Chief) -> None:
        self.state = state
        self.question = question
        self.chief = chief
        self.seat = chief.seat
        self.stance = chief.stance
        self.options = question.options
        self.facts = dict(question.facts)
        self.offered = [option.key for option in question.options]
        self.realm = chief.realm_in(state)
        self.raids = chief.raids
        self.errands = Errands(state, self.stance, self.realm, chief.guard, chief.raids)
        self.wishes = Wishes(self.errands)

    def first_offered(self, *wanted: str) -> Keys | None:
        """Return the first of these keys that may be chosen."""
        return next(((key,) for key in wanted if key in self.offered), None)

    def best_option(self, options: Iterable[Option], value: Callable[[Option], Any]) -> Keys | None:
        """Return the option of the highest value; of equal ones the first in the list."""
        found = list(options)
        return (max(found, key=value).key,) if found else None

    # Setting up and exploring.

    def pick_home(self) -> Keys | None:
        """Prefer the Homes with room for the most Villages."""
        return self.first_offered("samoa", "tonga", "hiva", "raiatea")

    def add_start_piece(self) -> Keys | None:
        """Take a Colony with a canoe, a canoe for the Home, and Rumors, which cost nothing."""
        chosen = [line.item for line in self.state.builds[self.seat].lines]
        for item, number in (("c", 1), ("t", 2), ("r", 2)):
            if chosen.count(item) < number and item in self.offered:
                return (item,)
        return self.first_offered("done", "t", "b")

    def choose_first(self) -> Keys | None:
        """Go first."""
        own = [option.key for option in self.options if ("first", self.seat) in option.facts]
        return self.first_offered(*own)

    def launch_explorer(self) -> Keys | None:
        """Explore the nearest Unknown hex; if there is none, search for Kumara."""
        kumara = [key for key in self.offered if key.startswith("k")]
        nearest = self._nearest_unknown(self.marker_options())
        return nearest or self.first_offered(*kumara, "pass")

    def explore_on(self) -> Keys | None:
        """Go on with few Knots, Return with many."""
        knots = int(str(self.facts["knots"]))
        if knots > self.stance.knots or not self.realm.own_groups:
            return self.first_offered("return")
        return self._nearest_unknown(self.marker_options()) or self.first_offered("return")

    def marker_options(self) -> list[Option]:
        """Return the hexes where a marker would be drawn.

        Those of face-down tiles to examine and of Known hexes to cross are left out.
        """
        return [option for option in self.options if ("way", "") in option.facts]

    def _nearest_unknown(self, options: list[Option]) -> Keys | None:
        """Return the option nearest to the seat's groups, above all to the Home."""
        own = self.realm.own_groups
        home = self.realm.nation.home

        def value(option: Option) -> float:
            away = min((distance(option.spot, spot) for spot in own), default=0)
            from_home = distance(option.spot, home) if home else 0
            return -away - HOME_DISTANCE_WEIGHT * from_home

        return self.best_option(options, value)

    def set_course(self) -> Keys | None:
        """Keep an own Explorer near, and drive another's away."""
        explorer = Seat(int(str(self.facts["explorer"])))
        homes = Realm(self.state, explorer).own_groups
        sign = -1 if explorer == self.seat else 1

        def value(option: Option) -> int:
            return sign * min((distance(option.spot, spot) for spot in homes), default=0)

        return self.best_option(self.options, value)

    def keep_tile(self) -> Keys | None:
        """Hide land while there is a marker for it, so that nobody else can settle it first."""
        can_be_settled = TILES[str(self.facts["tile"])].green > 0
        if self.stance.hides and can_be_settled:
            return self.first_offered("hide", "show")
        return self.first_offered("show")

    def sail_east(self) -> Keys | None:
        """Sail on to South America."""
        if america := self.first_offered("america"):
            return america
        return self.best_option(self.options, lambda option: distance(option.spot, WESTERN_HEX))

    # Moving.

    def move_stack(self) -> Keys | None:
        """Run one errand after the other; then open canoes where they form a chain."""
        for errand in self.errands.list_errands():
            can_move = errand.spot in self.offered and errand.spot not in self.chief.finished_hexes
            if can_move and self._makes_progress(errand):
                self.chief.errand = errand
                return (errand.spot,)
        self.chief.errand = None
        wanted = [f"open-{spot}" for spot in self.canoes_to_open()]
        offered_singly = [key for key in self.offered if key.startswith("open-")]
        # If all that can be opened are wanted, one answer opens them together.
        if wanted and set(wanted) >= set(offered_singly):
            wanted = ["open"]
        return self.first_offered(*wanted, "done")

    def _makes_progress(self, errand: Errand) -> bool:
        """Return whether a move of this turn brings the errand's pieces nearer to their goal."""
        if errand.spot == errand.goal:
            return False
        answer = Answer(self.seat, "move_stack", (errand.spot,))
        asked = GAME.apply(self.state, answer, ignore_event)
        question = question_for(GAME, asked, self.seat)
        if question is None or question.kind != "move_to":
            return False
        return self.find_destination(question, errand) is not None

    def find_destination(self, question: Decision, errand: Errand) -> Option | None:
        """Return the option of a destination that is nearest to the errand's goal, if one helps."""
        steps_from = self.realm.steps_to(errand.goal)
        best = None
        fewest = steps_from.get(errand.spot, UNREACHABLE)
        for option in question.options:
            way = dict(option.facts).get("way")
            # An attack goes straight to its goal; other errands avoid enemies.
            if errand.fights and (way != "fight" or option.spot != errand.goal):
                continue
            if not errand.fights and way in ("through", "fight"):
                continue
            if way != "chain" and not errand.kinds.canoes:
                continue
            steps = steps_from.get(option.spot, UNREACHABLE)
            # Of equal destinations one by Transit is better: the pieces may still sail afterwards.
            is_free_step = steps == fewest and best is not None and way == "chain"
            if steps < fewest or is_free_step:
                best = option
                fewest = steps
        return best

    def find_errand(self) -> Errand | None:
        """Return the errand under way, else the first one that starts where the question is.

        There is none under way if the chief finishes a move that a player has begun.
        """
        if self.chief.errand is not None:
            return self.chief.errand
        spot = self.facts["spot"]
        return next((errand for errand in self.errands.list_errands() if errand.spot == spot), None)

    def move_to(self) -> Keys | None:
        """Move towards the errand's goal."""
        errand = self.find_errand()
        option = self.find_destination(self.question, errand) if errand is not None else None
        if option is not None:
            return (option.key,)
        # The question cannot be left without an answer, so make some peaceful move.
        self.chief.finished_hexes.add(str(self.facts["spot"]))
        for option in self.options:
            if dict(option.facts).get("way") in ("", "chain"):
                return (option.key,)
        return None

    def pick_company(self) -> Keys | None:
        """Take the pieces that the errand needs, or those closest to that."""
        errand = self.find_errand()
        wanted = errand.kinds if errand is not None else NO_PIECES
        everything = self.state.pieces(self.seat, str(self.facts["spot"]))

        def likeness(option: Option) -> int:
            kinds = everything if option.key == "all" else Kinds(**parse_counts(option.key))
            pairs = zip(kinds.numbers, wanted.numbers, strict=True)
            return -sum(abs(one - other) for one, other in pairs)

        return self.best_option(self.options, likeness)

    def pick_pieces(self) -> Keys | None:
        """Take as many of the kind as the errand needs, or close to that."""
        errand = self.find_errand()
        kind = str(self.facts["kind"])
        wanted = errand.kinds.of(kind) if errand is not None else 0
        counts = [option for option in self.options if option.key != "all"]
        return self.best_option(counts, lambda option: -abs(int(option.key[:-1]) - wanted))

    def canoes_to_open(self) -> list[str]:
        """Return the hexes where a face-down canoe should be opened to form a chain.

        These are groups, gaps, and lands where a Colony has arrived.
        """
        realm = self.realm
        landings = [spot for spot in realm.free_lands if realm.pieces.get(spot, NO_PIECES).c]
        found = []
        for spot in dict.fromkeys((*realm.own_groups, *self.errands.gaps, *landings)):
            has_canoe = realm.pieces.get(spot, NO_PIECES).t > 0
            if has_canoe and spot not in realm.open_hexes:
                found.append(spot)
        return found

    # Battles.

    def pick_battle(self) -> Keys | None:
        """Fight for the best target first."""
        prizes = {
            target.spot: self.raids.value_of(target, self.raids.fighters_under_way(target.spot))
            for target in self.raids.targets
        }
        return self.best_option(self.options, lambda option: prizes.get(option.key, 0.0))

    def give_battle_orders(self) -> Keys | None:
        """Play all cards; Tapu where a defeat would hurt."""
        spot = str(self.facts["spot"])
        is_feared = self.state.group(spot).villages >= 2 or spot == self.realm.nation.home
        if is_feared:
            return self.first_offered("tapu", "all")
        return self.first_offered("all")

    def save_villages(self) -> Keys | None:
        """Save as many Villages as are worth the pieces."""
        villages = int(str(self.facts["villages"]))

        def value(option: Option) -> float:
            given = NO_PIECES if option.key == "none" else Kinds(**parse_counts(option.key))
            return VILLAGE_VALUE * min(given.total, villages) - given.b - WAR_CANOE_VALUE * given.w

        return self.best_option(self.options, value)

    def retreat_to(self) -> Keys | None:
        """Retreat to where the army gathers, else to the Home."""
        return self.first_offered(self.errands.muster_hex, self.realm.nation.home)

    def name_home(self) -> Keys | None:
        """Name the group with the most Villages."""

        def villages(option: Option) -> int:
            return self.state.group(option.spot or option.key).villages

        return self.best_option(self.options, villages)

    # Building.

    def build_item(self) -> Keys | None:
        """Build the first wish that is affordable."""
        if "later" in self.offered:
            return ("later",)
        for item in self.wishes.list_wishes():
            if item in self.offered:
                return (item,)
        return self.first_offered("done")

    def build_at(self) -> Keys | None:
        """Build the item where it is needed."""
        realm = self.realm
        item = str(self.facts["item"])
        if item in ("c", "pigs"):
            goals = realm.unsettled
        else:
            goals = (*self.wishes.groups_lacking_canoes(), *self.errands.gaps)

        def value(option: Option) -> tuple[int, ...]:
            spot = option.spot
            if item in ("v", "a"):
                return int(spot in realm.chain), -realm.village_room(spot)
            if item == "o":
                to_chain = min((distance(spot, other) for other in realm.chain), default=0)
                return int(spot == realm.nation.home), -to_chain
            if item in ("w", "b"):
                muster = self.errands.muster_hex
                return (
                    int(spot == self.wishes.group_in_danger and self.stance.guards),
                    -distance(spot, muster) if muster else 0,
                )
            return (-min((realm.steps_between(spot, goal) for goal in goals), default=0),)

        # Several copies at once ('f7-2') are never taken: wishes are worked out again after each.
        singles = [option for option in self.options if "-" not in option.key]
        return self.best_option(singles, value)

    def show_card(self) -> Keys | None:
        """Reveal a card that helps from now on."""
        return self.first_offered(*LASTING_CARDS, "keep")

    # Victory.

    def pick_village(self) -> Keys | None:
        """Take a Village from the seat with the most points."""
        groups = {group.spot: group for group in self.state.groups}
        points = [nation.points for nation in self.state.nations]

        def value(option: Option) -> tuple[int, int]:
            group = groups[option.spot or option.key]
            return points[group.owner], -group.villages

        return self.best_option(self.options, value)


def parse_counts(key: str) -> dict[str, int]:
    """Return the numbers by kind of a key such as '1b2w'."""
    return {kind: int(number) for number, kind in re.findall(r"(\d+)([a-z])", key)}


def always(*keys: str) -> Callable[[AnswerRules], Keys | None]:
    """Return a rule that answers alike in any position: the first of these keys that is offered."""
    return lambda rules: rules.first_offered(*keys)


RULES: dict[str, Callable[[AnswerRules], Keys | None]] = {
    "pick_home": AnswerRules.pick_home,
    "add_start_piece": AnswerRules.add_start_piece,
    "choose_first": AnswerRules.choose_first,
    "launch_explorer": AnswerRules.launch_explorer,
    "explore_on": AnswerRules.explore_on,
    "set_course": AnswerRules.set_course,
    "keep_tile": AnswerRules.keep_tile,
    "sail_east": AnswerRules.sail_east,
    "move_stack": AnswerRules.move_stack,
    "move_to": AnswerRules.move_to,
    "pick_company": AnswerRules.pick_company,
    "pick_pieces": AnswerRules.pick_pieces,
    "pick_battle": AnswerRules.pick_battle,
    "give_battle_orders": AnswerRules.give_battle_orders,
    "react": always("stop"),
    "save_villages": AnswerRules.save_villages,
    "open_here": always("open"),
    "retreat_to": AnswerRules.retreat_to,
    "name_home": AnswerRules.name_home,
    "build_item": AnswerRules.build_item,
    "build_at": AnswerRules.build_at,
    "pay_from": always("home"),
    "show_card": AnswerRules.show_card,
    "declare_victory": always("declare", "pass"),
    "answer_victory": always("forest", "pass"),
    "pick_village": AnswerRules.pick_village,
}
"""The chief's rule for each kind of question; the plain player answers all others."""
