"""Who answers for a seat of Conquest of Paradise: explore, settle, link, build, and take what is
weakly held.

A chief answers one question after the other of a turn, and remembers between them which errand is
under way.
"""

import re
from collections.abc import Callable, Iterable
from typing import Any

from msgspec import Struct

from engine.conquest.board import HEX_AT, TILES, distance
from engine.conquest.pieces import NONE, Kinds
from engine.conquest.state import State
from engine.core.catalog import GAMES
from engine.core.decision import Answer, Decision, Option, Seat
from engine.players.conquest.plain import plain_answer
from engine.players.conquest.realm import FAR, Realm, front, odds, pieces_needed
from engine.players.mind import Turn, forced, ignore, question_to

GAME = GAMES["conquest"]
Keys = tuple[str, ...]
VILLAGE, WAR_CANOE = 3.0, 2.4
"""What a saved Village and a War Canoe are worth, in Bands."""
LASTING = (
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
STRIKE = 3
"""No canoe goes further in a turn."""
IN_STORE = 2
"""Canoes that wait for a use."""
PLANS = ("move_stack", "add_start_piece", "choose_first", "declare_victory", "answer_victory")
"""Questions to which the chief's answer stands: where its first piece goes says nothing of the
whole plan, and who can win does not wait.
"""
PATIENCE = 120
"""Answers after which a turn is brought to its end."""


class Stance(Struct, frozen=True):
    """How a chief is minded."""

    knots: int = 3
    """Most Knots with which an Explorer goes on."""
    hides: bool = True
    """Discoveries stay face down."""
    colonies: int = 2
    """How many are under way at a time."""
    thrifty: bool = True
    """A Village comes before the first canoe, and a Build Point that is left over becomes a
    canoe in store.
    """
    links: bool = True
    """Gaps of the chain to the Home are filled."""
    cards_first: bool = False
    """Cards come before Villages and Colonies."""
    odds: float = 0.65
    """The chance from which on a Battle is sought."""
    army: bool = True
    """What is left over goes into War Canoes and Bands, and they are used."""
    raid: float = 0.8
    """The prize from which on an army comes before cards and Colonies; 0 for never."""
    plain: bool = False
    """All is left to the plain player."""


class Errand(Struct, frozen=True):
    """Pieces that are to go from a hex to another."""

    spot: str
    goal: str
    kinds: Kinds
    fights: bool = False


class Chief:
    """Answers for a seat, question by question, until its turn is whole."""

    def __init__(self, seat: Seat, stance: Stance) -> None:
        self.seat, self.stance = seat, stance
        self.errand: Errand | None = None
        self.realm: Realm | None = None
        self.tired: set[str] = set()
        """Hexes whose pieces have no more to do in this turn."""

    def turn(self, state: State, first: Answer | None = None) -> Turn:
        """The whole turn, as it follows from its first answer if that is given."""
        answers: list[Answer] = []
        while (question := question_to(GAME, state, self.seat)) is not None:
            answer = forced(GAME, question) if answers else first
            if answer is None:
                answer = Answer(self.seat, question.kind, self.keys(state, question, len(answers)))
            answers.append(answer)
            state = GAME.apply(state, answer, ignore)
        return Turn(tuple(answers), state)

    def realm_in(self, state: State) -> Realm:
        """What the seat has; worked out once for a whole build list, which takes half of its
        time away.
        """
        if self.realm is None or not self.realm.holds_for(state):
            self.realm = Realm(state, self.seat)
        return self.realm

    def keys(self, state: State, question: Decision, given: int) -> Keys:
        """The answer to a question: as the chief wants it, else as a plain player would, else
        any that is legal.
        """
        ending = question.ending()
        if ending is not None and given >= PATIENCE:
            return (ending.key,)
        rule = None if self.stance.plain else RULES.get(question.kind)
        keys = rule(Asked(state, question, self)) if rule is not None else None
        if keys is None:
            keys = plain_answer(GAME.view(state, self.seat), question)
        if keys is None:
            keys = (
                (ending.key,)
                if ending is not None
                else tuple(o.key for o in question.options[: question.at_least])
            )
        return keys


def beginnings(state: State, seat: Seat, chosen: Answer) -> list[Answer]:
    """Other first answers of a turn; of many hexes those nearest to the chosen one."""
    question = question_to(GAME, state, seat)
    if question is None or len(chosen.keys) != 1 or question.kind in PLANS:
        return []
    spot = question.option(chosen.keys[0]).spot

    def away(option: Option) -> int:
        # South America is a spot, but no hex of the map.
        return distance(option.spot, spot) if option.spot in HEX_AT and spot in HEX_AT else 0

    others = [
        option for option in question.options if option.key not in (*chosen.keys, "drop", "wait")
    ]
    return [Answer(seat, question.kind, (option.key,)) for option in sorted(others, key=away)]


class Asked:
    """A question as a chief considers it."""

    def __init__(self, state: State, question: Decision, chief: Chief) -> None:
        self.state, self.question, self.chief = state, question, chief
        self.seat, self.stance = chief.seat, chief.stance
        self.options = question.options
        self.facts = dict(question.facts)
        self.listed = [option.key for option in question.options]
        self.realm = chief.realm_in(state)

    @property
    def gaps(self) -> Keys:
        """Hexes where a canoe is wanted."""
        return self.realm.gaps if self.stance.links else ()

    def first(self, *wanted: str) -> Keys | None:
        """The first of these that may be chosen."""
        return next(((key,) for key in wanted if key in self.listed), None)

    def best(self, options: Iterable[Option], value: Callable[[Option], Any]) -> Keys | None:
        """The option of the highest value; of equals the first in the list."""
        found = list(options)
        return (max(found, key=value).key,) if found else None

    # Setting up and exploring.

    def pick_home(self) -> Keys | None:
        """The two that have room for most Villages come first."""
        return self.first("samoa", "tonga", "hiva", "raiatea")

    def add_start_piece(self) -> Keys | None:
        """A Colony with a canoe, a canoe for the Home, and Rumors, which cost nothing."""
        chosen = [line.item for line in self.state.builds[self.seat].lines]
        for item, number in (("c", 1), ("t", 2), ("r", 2)):
            if chosen.count(item) < number and item in self.listed:
                return (item,)
        return self.first("done", "t", "b")

    def choose_first(self) -> Keys | None:
        """Oneself."""
        return self.first(
            *(option.key for option in self.options if ("first", self.seat) in option.facts)
        )

    def launch_explorer(self) -> Keys | None:
        """Where an Unknown hex is near; to South America when there is nothing else or the cards
        help.
        """
        draws = self._draws()
        return self._nearest_unknown(draws) or self.first(
            *(key for key in self.listed if key.startswith("k")), "pass"
        )

    def explore_on(self) -> Keys | None:
        """On with few Knots, home with many."""
        knots = int(str(self.facts["knots"]))
        if knots > self.stance.knots or not self.realm.own:
            return self.first("return")
        return self._nearest_unknown(self._draws()) or self.first("return")

    def _draws(self) -> list[Option]:
        """Hexes where a marker is drawn, and no face-down tile looked at or Known hex crossed."""
        return [option for option in self.options if ("way", "") in option.facts]

    def _nearest_unknown(self, options: list[Option]) -> Keys | None:
        """Near own groups, first of all the Home."""
        own, home = self.realm.own, self.realm.nation.home

        def value(option: Option) -> float:
            away = min((distance(option.spot, spot) for spot in own), default=0)
            return -away - (0.3 * distance(option.spot, home) if home else 0.0)

        return self.best(options, value)

    def set_course(self) -> Keys | None:
        """An own Explorer is kept near, another's is driven away."""
        explorer = Seat(int(str(self.facts["explorer"])))
        homes = Realm(self.state, explorer).own
        sign = -1 if explorer == self.seat else 1

        def value(option: Option) -> int:
            return sign * min((distance(option.spot, spot) for spot in homes), default=0)

        return self.best(self.options, value)

    def keep_tile(self) -> Keys | None:
        """Hidden while there is a marker for it: then nobody else can settle it first.

        Atolls may be seen.
        """
        if not self.stance.hides:
            return self.first("show")
        if not TILES[str(self.facts["tile"])].green:
            return self.first("show")
        return self.first("hide", "show")

    def sail_east(self) -> Keys | None:
        """On to South America."""
        return self.first("america") or self.best(
            self.options, lambda option: distance(option.spot, "a5")
        )

    # Moving.

    def move_stack(self) -> Keys | None:
        """An errand after the other; then canoes are opened where they make a chain."""
        for errand in self._errands():
            if (
                errand.spot in self.listed
                and errand.spot not in self.chief.tired
                and self._helps(errand)
            ):
                self.chief.errand = errand
                return (errand.spot,)
        self.chief.errand = None
        wanted = [f"open-{spot}" for spot in self._openable()]
        single = [key for key in self.listed if key.startswith("open-")]
        if wanted and set(wanted) >= set(single):
            wanted = ["open"]
        return self.first(*wanted, "done")

    def _errands(self) -> list[Errand]:
        return [*self._attacks(), *self._settlers(), *self._linkers(), *self._marchers()]

    def _spare(self, spot: str) -> Kinds:
        """What may leave a hex: an open canoe stays where it makes the chain."""
        stack = self.state.stack(self.seat, spot)
        if stack is None:
            return NONE
        kept = Kinds(t=1) if stack.open else NONE
        return stack.kinds.minus(kept)

    def _attacks(self) -> list[Errand]:
        """Whatever can be taken with a good chance, the best prize first."""
        if not self.stance.army:
            return []
        realm = self.realm
        found: list[tuple[float, Errand]] = []
        for stack in self.state.stacks_of(self.seat):
            spare = self._spare(stack.spot)
            force = Kinds(w=spare.w, b=min(spare.b, spare.w))
            if not force.w:
                continue
            for target in realm.targets:
                is_near = realm.away(stack.spot, target.spot) <= STRIKE
                if is_near and odds(front(force), target.defence) >= self.stance.odds:
                    found += [
                        (realm.prize(target), Errand(stack.spot, target.spot, force, fights=True))
                    ]
        return [
            errand
            for _, errand in sorted(found, key=lambda pair: (-pair[0], pair[1].spot, pair[1].goal))
        ]

    def _settlers(self) -> list[Errand]:
        """Each Colony with a canoe to a land of its own, the nearest first."""
        realm = self.realm
        pairs = []
        for stack in self.state.stacks_of(self.seat):
            spare = self._spare(stack.spot)
            if not spare.c or stack.spot in realm.free_lands:
                continue
            for land in realm.unsettled:
                away = realm.away(stack.spot, land)
                if away < FAR:
                    pairs.append((away - 0.5 * realm.worth(land), stack.spot, land, spare))
        found: list[Errand] = []
        lands: set[str] = set()
        left: dict[str, int] = {}
        for _, spot, land, spare in sorted(pairs, key=lambda pair: pair[:3]):
            colonies = left.setdefault(spot, min(spare.c, spare.t))
            if land not in lands and colonies:
                lands.add(land)
                left[spot] -= 1
                found.append(Errand(spot, land, Kinds(t=1, c=1)))
        return found

    def _linkers(self) -> list[Errand]:
        """A canoe into each gap of the chain."""
        realm = self.realm
        found: list[Errand] = []
        used: dict[str, int] = {}
        for gap in self.gaps:
            if gap in realm.pieces and realm.pieces[gap].t:
                continue
            starts = []
            for stack in self.state.stacks_of(self.seat):
                spare = self._spare(stack.spot)
                is_waiting = stack.spot in self.gaps
                if spare.t - spare.c - used.get(stack.spot, 0) > 0 and not is_waiting:
                    starts.append((realm.away(stack.spot, gap), stack.spot))
            away, spot = min(starts, default=(FAR, ""))
            if away < FAR:
                used[spot] = used.get(spot, 0) + 1
                found.append(Errand(spot, gap, Kinds(t=1)))
        return found

    def _marchers(self) -> list[Errand]:
        """Fighters gather where the army musters; Bands go with canoes."""
        goal, found = self.realm.muster, []
        if not self.stance.army or not goal:
            return []
        for stack in self.state.stacks_of(self.seat):
            spare = self._spare(stack.spot)
            force = Kinds(w=spare.w, b=min(spare.b, spare.w))
            if stack.spot != goal and force.w:
                found.append(Errand(stack.spot, goal, force))
            elif (
                stack.spot != goal
                and spare.b
                and stack.spot in self.realm.chain
                and goal in self.realm.chain
            ):
                found.append(Errand(stack.spot, goal, Kinds(b=spare.b)))
        return found

    def _helps(self, errand: Errand) -> bool:
        """Whether a move of this turn brings the pieces nearer."""
        if errand.spot == errand.goal:
            return False
        asked = GAME.apply(self.state, Answer(self.seat, "move_stack", (errand.spot,)), ignore)
        question = question_to(GAME, asked, self.seat)
        if question is None or question.kind != "move_to":
            return False
        return self._way(question, errand) is not None

    def _way(self, question: Decision, errand: Errand) -> Option | None:
        """The hex to move to: the goal, or whatever is nearer to it than where the pieces are."""
        lanes = self.realm.lanes(errand.goal)
        best, least = None, lanes.get(errand.spot, FAR)
        for option in question.options:
            way = dict(option.facts).get("way")
            if way == "through" or (
                way == "fight" and not (errand.fights and option.spot == errand.goal)
            ):
                continue
            if errand.fights and way != "fight":
                continue
            if way == "chain" or errand.kinds.canoes:
                steps = lanes.get(option.spot, FAR)
                # By Transit first, as far as it helps: what was shifted may still sail.
                if steps < least or (steps == least and best is not None and way == "chain"):
                    best, least = option, steps
        return best

    def move_to(self) -> Keys | None:
        """Towards the errand."""
        errand = self.chief.errand
        option = self._way(self.question, errand) if errand is not None else None
        if option is None or errand is None:
            self.chief.tired.add(str(self.facts["spot"]))
            quiet = [
                option for option in self.options if dict(option.facts).get("way") in ("", "chain")
            ]
            return (quiet[0].key,) if quiet else None
        return (option.key,)

    def pick_company(self) -> Keys | None:
        """Return the pieces that the errand needs, or the closest to that."""
        errand = self.chief.errand
        wanted = errand.kinds if errand is not None else NONE
        everything = self.state.pieces(self.seat, str(self.facts["spot"]))

        def unlike(option: Option) -> int:
            kinds = everything if option.key == "all" else Kinds(**_counts(option.key))
            return -sum(
                abs(one - other) for one, other in zip(kinds.numbers, wanted.numbers, strict=True)
            )

        return self.best(self.options, unlike)

    def pick_pieces(self) -> Keys | None:
        """The same, kind by kind."""
        errand, kind = self.chief.errand, str(self.facts["kind"])
        wanted = errand.kinds.of(kind) if errand is not None else 0
        counts = [option for option in self.options if option.key != "all"]
        return self.best(counts, lambda option: -abs(int(option.key[:-1]) - wanted))

    def _openable(self) -> list[str]:
        """Where a canoe is wanted and one lies face down: groups, gaps, and lands to be settled."""
        realm = self.realm
        wanted = (
            *realm.own,
            *self.gaps,
            *(spot for spot in realm.free_lands if realm.pieces.get(spot, NONE).c),
        )
        return [
            spot
            for spot in dict.fromkeys(wanted)
            if realm.pieces.get(spot, NONE).t and spot not in realm.opened
        ]

    # Battles.

    def pick_battle(self) -> Keys | None:
        """The best prize first."""
        prizes = {target.spot: self.realm.prize(target) for target in self.realm.targets}
        return self.best(self.options, lambda option: prizes.get(option.key, 0.0))

    def give_battle_orders(self) -> Keys | None:
        """All cards; a Tapu where the attack would be felt."""
        spot = str(self.facts["spot"])
        is_feared = self.state.group(spot).villages >= 2 or spot == self.realm.nation.home
        return self.first("tapu", "all") if is_feared else self.first("all")

    def save_villages(self) -> Keys | None:
        """As many Villages as Bands can hold, then War Canoes for the rest but one."""
        villages = int(str(self.facts["villages"]))

        def value(option: Option) -> float:
            given = NONE if option.key == "none" else Kinds(**_counts(option.key))
            return VILLAGE * min(given.total, villages) - given.b - WAR_CANOE * given.w

        return self.best(self.options, value)

    def retreat_to(self) -> Keys | None:
        """Where an army musters, else the Home."""
        return self.first(self.realm.muster, self.realm.nation.home)

    def name_home(self) -> Keys | None:
        """The group with most Villages."""
        return self.best(
            self.options, lambda option: self.state.group(option.spot or option.key).villages
        )

    # Building.

    def build_item(self) -> Keys | None:
        """The first wish that can be paid."""
        if "later" in self.listed:
            return ("later",)
        for item in self._wishes():
            if item in self.listed:
                return (item,)
        return self.first("done")

    def _wishes(self) -> list[str]:
        """Yield what to build, most important first; worked out again after each item."""
        realm, stance = self.realm, self.stance
        items = [line.item for line in self.state.builds[self.seat].lines]
        wishes = ["gift", "adze"]
        lands = realm.unsettled
        if len(lands) >= 2 or not sum(self.state.cup):
            wishes.append("inward")
        if lands:
            wishes.append("pigs")
        colonies = (
            sum(kinds.c for kinds in realm.pieces.values()) + items.count("c") + items.count("pigs")
        )
        arrived = sum(1 for spot in realm.free_lands if realm.pieces.get(spot, NONE).c)
        under_way = colonies - arrived
        canoes = items.count("t") + sum(self._spare(spot).t for spot in realm.own)
        wanted = (under_way if lands else 0) + len(self.gaps)
        expanding = []
        if under_way < min(stance.colonies, len(lands)):
            expanding.append("c")
        if canoes < wanted:
            expanding.append("t")
        link_home = (
            ["o"] if realm.nation.home not in (*realm.opened, "") and "o" not in items else []
        )
        if stance.cards_first:
            wishes.append("card")
        wishes += ["v", *link_home] if stance.thrifty else [*link_home, "v"]
        if (
            stance.raid
            and realm.best_target is not None
            and realm.prize(realm.best_target) >= stance.raid
        ):
            wishes += self._army(items)
        wishes += [*expanding, *(["o"] if stance.links else []), "card", "a"]
        war, bands = self._fighters(items)
        if stance.army and realm.best_target is not None:
            wishes += ["w", "b"] if war <= bands else ["b", "w"]
        else:
            wishes.append("b")
        if stance.thrifty and canoes < wanted + IN_STORE:
            wishes.append("t")
        wishes.append("r")
        return wishes

    def _fighters(self, items: list[str]) -> tuple[int, int]:
        """War Canoes and Bands, those on the list included."""
        pieces = self.realm.pieces.values()
        return sum(kinds.w for kinds in pieces) + items.count("w"), sum(
            k.b for k in pieces
        ) + items.count("b")

    def _army(self, items: list[str]) -> list[str]:
        """War Canoes and Bands that are still wanted for what the army is raised for."""
        target = self.realm.best_target
        if target is None:
            return []
        war, bands = self._fighters(items)
        if front(Kinds(w=war, b=bands)) >= pieces_needed(target.defence, self.stance.odds + 0.05):
            return []
        return ["b", "w"] if war > bands else ["w"]

    def build_at(self) -> Keys | None:
        """Where the thing is needed."""
        realm, item = self.realm, str(self.facts["item"])
        singles = [option for option in self.options if "-" not in option.key]
        if item in ("v", "a"):
            return self.best(
                singles, lambda option: (option.spot in realm.chain, -realm.worth(option.spot))
            )
        if item == "o":
            home = realm.nation.home

            def value(option: Option) -> tuple[bool, int]:
                return option.spot == home, -min(
                    (distance(option.spot, spot) for spot in realm.chain), default=0
                )

            return self.best(singles, value)
        if item in ("w", "b"):
            return self.best(
                singles, lambda option: -distance(option.spot, realm.muster) if realm.muster else 0
            )
        goals = realm.unsettled if item in ("c", "pigs") else (*self._waiting(), *self.gaps)
        return self.best(
            singles,
            lambda option: -min((realm.away(option.spot, goal) for goal in goals), default=0),
        )

    def _waiting(self) -> list[str]:
        """Groups where Colonies lack a canoe, those on the list included."""
        found = []
        lines = self.state.builds[self.seat].lines
        for spot in self.realm.own:
            spare = self._spare(spot)
            colonies = spare.c + sum(
                1 for line in lines if line.spot == spot and line.item in ("c", "pigs")
            )
            canoes = spare.t + sum(1 for line in lines if line.spot == spot and line.item == "t")
            if colonies > canoes:
                found.append(spot)
        return found

    def show_card(self) -> Keys | None:
        """What helps from now on is shown."""
        return self.first(*LASTING, "keep")

    # Victory.

    def pick_village(self) -> Keys | None:
        """Return a seat with most points."""
        groups = {group.spot: group for group in self.state.groups}
        points = [nation.points for nation in self.state.nations]

        def value(option: Option) -> tuple[int, int]:
            group = groups[option.spot or option.key]
            return points[group.owner], -group.villages

        return self.best(self.options, value)


def _counts(key: str) -> dict[str, int]:
    """The numbers by kind of a key such as '1b2w'."""
    return {kind: int(number) for number, kind in re.findall(r"(\d+)([a-z])", key)}


def _always(*keys: str) -> Callable[[Asked], Keys | None]:
    """The same answer whatever the position: the first of these that may be given."""
    return lambda asked: asked.first(*keys)


RULES: dict[str, Callable[[Asked], Keys | None]] = {
    "pick_home": Asked.pick_home,
    "add_start_piece": Asked.add_start_piece,
    "choose_first": Asked.choose_first,
    "launch_explorer": Asked.launch_explorer,
    "explore_on": Asked.explore_on,
    "set_course": Asked.set_course,
    "keep_tile": Asked.keep_tile,
    "sail_east": Asked.sail_east,
    "move_stack": Asked.move_stack,
    "move_to": Asked.move_to,
    "pick_company": Asked.pick_company,
    "pick_pieces": Asked.pick_pieces,
    "pick_battle": Asked.pick_battle,
    "give_battle_orders": Asked.give_battle_orders,
    "react": _always("stop"),
    "save_villages": Asked.save_villages,
    "open_here": _always("open"),
    "retreat_to": Asked.retreat_to,
    "name_home": Asked.name_home,
    "build_item": Asked.build_item,
    "build_at": Asked.build_at,
    "pay_from": _always("home"),
    "show_card": Asked.show_card,
    "declare_victory": _always("declare", "pass"),
    "answer_victory": _always("forest", "pass"),
    "pick_village": Asked.pick_village,
}
"""How each question is answered; to what is not here a plain player's answer will do."""
