"""The chief, a player of Conquest by rules of thumb: explore, settle, link, build, and attack.

A chief answers the questions of a turn one after the other, and remembers between them which errand
is under way. What a rule leaves open is answered by the plain player.
"""

import re
from collections.abc import Callable, Iterable
from functools import cached_property
from typing import Any

from msgspec import Struct

from engine.conquest.board import HEX_AT, TILES, distance
from engine.conquest.pieces import NO_PIECES, Kinds
from engine.conquest.scoring import count_points
from engine.conquest.state import State
from engine.core.catalog import GAMES
from engine.core.decision import Answer, Decision, Option, Seat
from engine.players.conquest.belief import Belief
from engine.players.conquest.guard import Guard
from engine.players.conquest.plain import plain_answer
from engine.players.conquest.raids import Campaign, Raids
from engine.players.conquest.realm import UNREACHABLE, Realm
from engine.players.conquest.worth import village_worth
from engine.players.mind import Turn, forced_answer, ignore_event, question_for

GAME = GAMES["conquest"]
Keys = tuple[str, ...]
HOME_DISTANCE_WEIGHT = 0.3
"""What a hex of distance to the Home counts in Exploration, besides that to the nearest group."""
VILLAGE_ROOM_WEIGHT = 0.5
"""Steps that room for a Village is worth to a Colony."""
URGENT_DANGER = 0.5
"""Villages that a Band must save for a seat that is rushed to build it before a Village."""
DANGER = 0.2
"""Villages that it must save to come before Colonies and the army."""
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
SPARE_CANOES = 2
"""Canoes to keep in store without a use yet."""
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


class Stance(Struct, frozen=True):
    """How a chief plays; the levels and the strong player's alternatives differ by it."""

    knots: int = 3
    """Most Knots with which an Explorer goes on."""
    hides: bool = True
    """Discoveries stay face down."""
    colonies: int = 2
    """Colonies that are under way at a time."""
    thrifty: bool = True
    """A Village comes before the first canoe, and leftover Build Points become canoes in store."""
    links: bool = True
    """Gaps in the chain to the Home are filled."""
    cards_first: bool = False
    """Cards come before Villages and Colonies."""
    army: bool = True
    """Leftover Build Points become War Canoes and Bands, and these attack."""
    least_raid: float = 0.5
    """Points that an attack must be expected to bring."""
    least_campaign: float = 3.0
    """Points from which on an army comes before cards and Colonies."""
    guards: bool = True
    """A group that is rushed gets Bands before Colonies, and keeps them."""
    plain: bool = False
    """Everything is left to the plain player."""


class Errand(Struct, frozen=True):
    """Pieces that should go from one hex to another."""

    spot: str
    goal: str
    kinds: Kinds
    fights: bool = False


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
        self.guard, self.raids = chief.guard, chief.raids

    @property
    def gaps(self) -> Keys:
        """Hexes where a canoe is wanted."""
        return self.realm.gaps if self.stance.links else ()

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
        for errand in self.list_errands():
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

    def list_errands(self) -> list[Errand]:
        """Return all errands, the most important first."""
        return [
            *self.attack_errands(),
            *self.settler_errands(),
            *self.link_errands(),
            *self.muster_errands(),
        ]

    def spare_pieces(self, spot: str) -> Kinds:
        """Return what may leave a hex: a face-up canoe stays, as it is part of the chain."""
        stack = self.state.stack(self.seat, spot)
        if stack is None:
            return NO_PIECES
        kept = Kinds(t=1) if stack.open else NO_PIECES
        return stack.kinds.minus(kept)

    def attack_errands(self) -> list[Errand]:
        """Return the errands of the best attack, first those that gather its pieces by Transit."""
        raid = self.raids.best_raid if self.stance.army else None
        if raid is None or raid.value < self.stance.least_raid:
            return []
        transits = []
        strikes = []
        for spot, force in raid.forces:
            stage = self.raids.stage_for(spot, raid.target.spot)
            if stage == spot:
                strikes.append(Errand(spot, raid.target.spot, force, fights=True))
            else:
                transits.append(Errand(spot, stage, force))
        return [*transits, *strikes]

    def settler_errands(self) -> list[Errand]:
        """Return errands for Colonies with canoes, each to another land, the nearest first."""
        realm = self.realm
        # Every way from a stack with Colonies to a land: its cost, then from where to where.
        ways: list[tuple[float, str, str]] = []
        settlers: dict[str, int] = {}
        for stack in self.state.stacks_of(self.seat):
            spare = self.spare_pieces(stack.spot)
            if not spare.c or stack.spot in realm.free_lands:
                continue
            settlers[stack.spot] = min(spare.c, spare.t)
            for land in realm.unsettled:
                steps = realm.steps_between(stack.spot, land)
                if steps < UNREACHABLE:
                    cost = steps - VILLAGE_ROOM_WEIGHT * realm.village_room(land)
                    ways.append((cost, stack.spot, land))
        found: list[Errand] = []
        lands: set[str] = set()
        for _, spot, land in sorted(ways):
            if land not in lands and settlers[spot]:
                lands.add(land)
                settlers[spot] -= 1
                found.append(Errand(spot, land, Kinds(t=1, c=1)))
        return found

    def link_errands(self) -> list[Errand]:
        """Return errands for canoes, one into each gap of the chain."""
        realm = self.realm
        found: list[Errand] = []
        used: dict[str, int] = {}
        for gap in self.gaps:
            if gap in realm.pieces and realm.pieces[gap].t:
                continue
            starts = []
            for stack in self.state.stacks_of(self.seat):
                spare = self.spare_pieces(stack.spot)
                # Each Colony needs a canoe of its own, and one in another gap stays there.
                free_canoes = spare.t - spare.c - used.get(stack.spot, 0)
                if free_canoes > 0 and stack.spot not in self.gaps:
                    starts.append((realm.steps_between(stack.spot, gap), stack.spot))
            away, spot = min(starts, default=(UNREACHABLE, ""))
            if away < UNREACHABLE:
                used[spot] = used.get(spot, 0) + 1
                found.append(Errand(spot, gap, Kinds(t=1)))
        return found

    def muster_errands(self) -> list[Errand]:
        """Return errands for fighters that no group needs, to the hex where the army gathers."""
        goal = self.muster_hex
        if not self.stance.army or not goal:
            return []
        found = []
        for stack in self.state.stacks_of(self.seat):
            if stack.spot == goal:
                continue
            spare = self.spare_fighters(stack.spot)
            force = Kinds(w=spare.w, b=min(spare.b, spare.w))
            has_transit = stack.spot in self.realm.chain and goal in self.realm.chain
            if force.w:
                found.append(Errand(stack.spot, goal, force))
            elif spare.b and has_transit:
                found.append(Errand(stack.spot, goal, Kinds(b=spare.b)))
        return found

    def spare_fighters(self, spot: str) -> Kinds:
        """Return the fighters that may leave a hex; a group keeps the guards that it needs."""
        kinds = self.spare_pieces(spot)
        is_own = self.state.group(spot).owner == self.seat
        has_guards = self.stance.guards and self.guard.is_rushed and is_own
        guards = self.guard.guards_needed(spot) if has_guards else 0
        bands = min(kinds.b, guards)
        war_canoes = min(kinds.w, guards - bands)
        return Kinds(w=kinds.w - war_canoes, b=kinds.b - bands)

    @cached_property
    def campaign(self) -> Campaign | None:
        """The attack that an army is raised for, with what is on the build list."""
        items = self.listed_items
        return self.raids.plan_campaign(Kinds(w=items.count("w"), b=items.count("b")))

    @property
    def listed_items(self) -> list[str]:
        """The items of the seat's build list so far."""
        builds = self.state.builds
        return [line.item for line in builds[self.seat].lines] if builds else []

    @property
    def muster_hex(self) -> str:
        """Where an army gathers: the own group nearest to its target, else the Home."""
        own = self.realm.own_groups
        if self.campaign is None or not own:
            return self.realm.nation.home or next(iter(own), "")
        target = self.campaign.target.spot

        def rank(spot: str) -> tuple[int, int, str]:
            return self.realm.steps_between(spot, target), distance(spot, target), spot

        return min(own, key=rank)

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
        """Return the errand under way; in a move that somebody else has begun, one that fits."""
        if self.chief.errand is not None:
            return self.chief.errand
        spot = self.facts["spot"]
        return next((errand for errand in self.list_errands() if errand.spot == spot), None)

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
        for spot in dict.fromkeys((*realm.own_groups, *self.gaps, *landings)):
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
        return self.first_offered(self.muster_hex, self.realm.nation.home)

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
        for item in self.build_wishes():
            if item in self.offered:
                return (item,)
        return self.first_offered("done")

    def build_wishes(self) -> list[str]:
        """Return what to build, the most important first; computed again after each item."""
        realm, stance = self.realm, self.stance
        items = self.listed_items
        if self.can_declare:
            # Nothing else would be used any more.
            return ["gift", "adze", "v", "o", "card"]
        wishes = ["gift", "adze"]
        lands = realm.unsettled
        if len(lands) >= 2 or not sum(self.state.cup):
            wishes.append("inward")
        danger = 0.0
        if stance.guards and self.guard.is_rushed and self.group_in_danger:
            danger = self.gain_of_band(self.group_in_danger)
        if danger:
            wishes.append("inward")
        if lands:
            wishes.append("pigs")
        colonies = sum(kinds.c for kinds in realm.pieces.values())
        colonies += items.count("c") + items.count("pigs")
        arrived = sum(1 for spot in realm.free_lands if realm.pieces.get(spot, NO_PIECES).c)
        under_way = colonies - arrived
        canoes = items.count("t") + sum(self.spare_pieces(spot).t for spot in realm.own_groups)
        # A canoe for each Colony that has somewhere to go, and one for each gap of the chain.
        wanted_canoes = (under_way if lands else 0) + len(self.gaps)
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
        campaign = self.campaign if stance.army else None
        if campaign is not None and campaign.value >= stance.least_campaign and campaign.recruits:
            wishes += self.army_wishes(items)
        if under_way < min(stance.colonies, len(lands)):
            wishes.append("c")
        if canoes < wanted_canoes:
            wishes.append("t")
        if stance.links:
            wishes.append("o")
        wishes += ["card", "a"]
        if campaign is not None:
            wishes += self.army_wishes(items)
        wishes.append("b")
        if stance.thrifty and canoes < wanted_canoes + SPARE_CANOES:
            wishes.append("t")
        wishes.append("r")
        return wishes

    @property
    def can_declare(self) -> bool:
        """Whether the seat has the points for Victory, with what is on its list."""
        points = count_points(self.state, self.seat, with_hidden=True).total / 2
        return points + self.listed_items.count("v") >= self.state.rules.goal

    def army_wishes(self, items: list[str]) -> list[str]:
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

    def gain_of_band(self, spot: str) -> float:
        """Return the points that a Band more would save in a group, with what is listed there."""
        kinds = self.realm.pieces.get(spot, NO_PIECES)
        lines = self.state.builds[self.seat].lines
        listed = sum(1 for line in lines if line.spot == spot and line.item in ("w", "b"))
        return self.guard.gain_of_band(spot, kinds.w + kinds.b + listed)

    def build_at(self) -> Keys | None:
        """Build the item where it is needed."""
        realm = self.realm
        item = str(self.facts["item"])
        if item in ("c", "pigs"):
            goals = realm.unsettled
        else:
            goals = (*self._groups_lacking_canoes(), *self.gaps)

        def value(option: Option) -> tuple[int, ...]:
            spot = option.spot
            if item in ("v", "a"):
                return int(spot in realm.chain), -realm.village_room(spot)
            if item == "o":
                to_chain = min((distance(spot, other) for other in realm.chain), default=0)
                return int(spot == realm.nation.home), -to_chain
            if item in ("w", "b"):
                muster = self.muster_hex
                return (
                    int(spot == self.group_in_danger and self.stance.guards),
                    -distance(spot, muster) if muster else 0,
                )
            return (-min((realm.steps_between(spot, goal) for goal in goals), default=0),)

        # Several copies at once ('f7-2') are never taken: wishes are worked out again after each.
        singles = [option for option in self.options if "-" not in option.key]
        return self.best_option(singles, value)

    def _groups_lacking_canoes(self) -> list[str]:
        """Return the groups with more Colonies than canoes, including those on the list."""
        found = []
        lines = self.state.builds[self.seat].lines
        for spot in self.realm.own_groups:
            spare = self.spare_pieces(spot)
            listed = [line.item for line in lines if line.spot == spot]
            colonies = spare.c + listed.count("c") + listed.count("pigs")
            canoes = spare.t + listed.count("t")
            if colonies > canoes:
                found.append(spot)
        return found

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
