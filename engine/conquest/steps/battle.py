"""Battle Resolution: which Battle, orders for cards, the rows, and the rolls until one front row is
empty.

All canoes have moved before any Battle. One Battle after the other is fought to its end and
settled, for what it leaves behind, a lost group or a retreat, matters to the next.

The rulebook lets cards be shown "at any point"; people who are not at one table cannot interrupt a
die. So each side that could hold a Battle card says once, before pieces are shown, how it wants to
use cards in this Battle; only one that wants to be asked makes the match wait after a roll. Which
Battle Piece is hit the owner decides: by a standing order, or by being asked.
"""

from typing import TYPE_CHECKING

from msgspec.structs import replace

from engine.conquest.battle_events import (
    BattleJoined,
    BattlePicked,
    BattleWon,
    CardPlayed,
    DieRolled,
    OrdersGiven,
    PiecePanicked,
    PieceRemoved,
    RumorsReturned,
    TapuPlayed,
)
from engine.conquest.battle_rolls import (
    ATTACKER,
    BATTLE_CARDS,
    DEFENDER,
    IGNORED,
    MODES,
    PANIC,
    REMOVED,
    by_order,
    card_obstacle,
    could_hold,
    playable,
    reading,
    shifted,
)
from engine.conquest.board import CARDS, PRINTED
from engine.conquest.cards import turn_up
from engine.conquest.fleets import moving, with_movement
from engine.conquest.hex_options import hex_options
from engine.conquest.hexes import (
    enemy_at,
    is_enemy_hex,
    is_independent,
    is_sea,
    land_at,
    local_warriors,
)
from engine.conquest.pieces import NOBODY, NONE, Aftermath, Battle, Roll, Side
from engine.conquest.reasons import Objection, about_hex, is_hex
from engine.conquest.steps.aftermath import SettleAftermath, SettleBattle
from engine.core.decision import Answer, Decision, Option, Seat
from engine.core.event import Tell
from engine.core.steps import Glide, Run, Step, pop, push
from engine.core.table import Table

if TYPE_CHECKING:
    from engine.conquest.state import State

THRIFT = {PANIC: "wbl", REMOVED: "lbw"}
"""The dearest panics first, for it is safe then; the cheapest is removed first."""


def fighting(state: "State") -> Battle:
    """The Battle under way."""
    if state.battle is None:
        raise ValueError("nobody is fighting")
    return state.battle


def side_of(battle: Battle, seat: Seat) -> int:
    """The side that a seat is on: "the player who moves Pieces into Battle is the attacker"."""
    return ATTACKER if seat == battle.attacker else DEFENDER


def pair(both: tuple[str, str], side: int, value: str) -> tuple[str, str]:
    """The values of the two sides with one changed."""
    return (value, both[1]) if side == ATTACKER else (both[0], value)


class NextBattle(Glide, frozen=True):
    """The attacker resolves their Battles in any order."""

    seat: Seat

    def glide(self, state: "State", tell: Tell) -> "State":
        """The only Battle, the question which, or the end of the Step."""
        due = moving(state).due if state.movement is not None else ()
        if not due:
            return state.changed(movement=None, battle=None)
        if len(due) == 1:
            return push(state, OpenBattle(self.seat, due[0]))
        return push(state, PickBattle(self.seat))


class PickBattle(Step, frozen=True):
    """With more than one Battle due the attacker says which comes next."""

    seat: Seat

    def ask(self, state: "State") -> tuple[Decision, ...]:
        """The hexes."""
        return (Decision(self.seat, "pick_battle", hex_options(moving(state).due)),)

    def take(self, state: "State", answer: Answer, tell: Tell) -> "State":
        """The Battle chosen."""
        tell(BattlePicked(self.seat, answer.keys[0]))
        return pop(state, OpenBattle(self.seat, answer.keys[0]))

    def objection(self, state: "State", decision: Decision, key: str) -> Objection:
        """One that is still to be fought."""
        return about_hex("no_battle_due", key) if is_hex(key) else None


class OpenBattle(Run, frozen=True):
    """Sides that could hold a Battle card say how they use it, before any piece is shown.

    They are asked by what others can see of their hands, so that being asked, or not, tells nothing
    of their cards.
    """

    seat: Seat
    spot: str

    def run(self, state: "State", table: Table) -> "State":
        """The Battle begun, with the standing orders of both."""
        due = tuple(spot for spot in moving(state).due if spot != self.spot)
        state = with_movement(state, due=due)
        if not is_enemy_hex(state, self.seat, self.spot):
            return self._land(state)
        # Whoever has pieces there defends, else the owner of the Villages; of an Independent group
        # that is NOBODY.
        enemy = enemy_at(state, self.seat, self.spot)
        defender = enemy.seat if enemy is not None else state.group(self.spot).owner
        battle = Battle(self.spot, self.seat, defender)
        modes = (self._mode(state, battle, ATTACKER), self._mode(state, battle, DEFENDER))
        state = state.changed(battle=replace(battle, modes=modes), step="battle", last=(self.spot,))
        return push(state, GiveBattleOrders(), FormRows())

    def _land(self, state: "State") -> "State":
        """Nobody is left to fight, a Rumor taken away or the last Village felled: the fleets
        arrive in peace.
        """
        fleets = moving(state).fleets
        landing = [(fleet.at, fleet.kinds) for fleet in fleets if fleet.at == self.spot]
        left = tuple(fleet for fleet in fleets if fleet.at != self.spot)
        state = with_movement(state.adding(self.seat, *landing), fleets=left)
        return push(state, NextBattle(self.seat))

    def _mode(self, state: "State", battle: Battle, side: int) -> str:
        """Return how a side uses its cards by standing order, '' if it has to be asked."""
        if not could_hold(state, battle, side):
            return "none"
        orders = state.nations[battle.seat(side)].orders
        return "" if orders == "askme" else orders


class GiveBattleOrders(Step, frozen=True):
    """How a side uses its cards in this Battle; a defender may call it off with Tapu, before any
    piece is shown.
    """

    def asks(self, state: "State") -> bool:
        """Until both have said."""
        return "" in fighting(state).modes

    def ask(self, state: "State") -> tuple[Decision, ...]:
        """Both sides at once."""
        battle = fighting(state)
        return tuple(
            self.question(state, battle, side) for side in (0, 1) if not battle.modes[side]
        )

    def question(self, state: "State", battle: Battle, side: int) -> Decision:
        """The ways to use cards."""
        seat = Seat(battle.seat(side))
        options = [Option(mode, ends=mode == "none") for mode in MODES]
        if side == DEFENDER and state.nations[seat].holds_unused("tapu"):
            options = [Option("tapu"), *options]
        role = "attacker" if side == ATTACKER else "defender"
        about = (("spot", battle.spot), ("enemy", battle.seat(1 - side)), ("role", role))
        return Decision(seat, "give_battle_orders", tuple(options), facts=about, secret=True)

    def take(self, state: "State", answer: Answer, tell: Tell) -> "State":
        """Noted, and nobody learns how."""
        battle = fighting(state)
        side = side_of(battle, answer.seat)
        tell(OrdersGiven(answer.seat))
        modes = pair(battle.modes, side, answer.keys[0])
        return state.changed(battle=replace(battle, modes=modes))

    def objection(self, state: "State", decision: Decision, key: str) -> Objection:
        """Tapu is for a defender who holds it."""
        if key == "askme":
            return "orders_are_asked", {}
        if key != "tapu":
            return None
        if side_of(fighting(state), decision.seat) == ATTACKER:
            return "tapu_defends", {}
        return ("card_is_used" if state.nations[decision.seat].holds(key) else "no_such_card"), {
            "card": key
        }


class FormRows(Run, frozen=True):
    """Pieces are shown and set in rows: Battle Pieces in front, the rest and Bands aboard Transport
    Canoes behind.

    "Return any Rumors to their owners": they are told and are in no row, so they are unbuilt again.
    """

    def run(self, state: "State", table: Table) -> "State":
        """The rows, unless a Tapu calls the Battle off."""
        battle = fighting(state)
        if battle.modes[DEFENDER] == "tapu":
            return self._call_off(state, battle, table)
        # "Place a Village in each green box" of an Independent group; not in brown ones.
        villages = state.group(battle.spot).villages
        if is_independent(state, battle.spot):
            villages = PRINTED[battle.spot].green
        sides = (self._attack(state, battle, table), self._defence(state, battle, table))
        land = land_at(state, battle.spot)
        name = land.key if land is not None else "sea"
        table.tell(
            BattleJoined(battle.spot, battle.attacker, battle.defender, sides, villages, name)
        )
        # From here to the end of the Battle all pieces are in its rows, and neither in a stack nor
        # in a fleet.
        stack = state.stack(battle.defender, battle.spot) if battle.defender != NOBODY else None
        stacks = tuple(other for other in state.stacks if other is not stack)
        fleets = tuple(fleet for fleet in moving(state).fleets if fleet.at != battle.spot)
        was_open = stack is not None and stack.open
        joined = replace(battle, sides=sides, shown=True, villages=villages, open=was_open)
        state = with_movement(state.changed(stacks=stacks, battle=joined), fleets=fleets)
        return push(state, RollBattle())

    def _call_off(self, state: "State", battle: Battle, table: Table) -> "State":
        """Nobody looks; every attacking fleet goes back to where it started, with its cargo, and
        moves no more.
        """
        table.tell(TapuPlayed(Seat(battle.defender), battle.attacker, battle.spot))
        state = turn_up(state, battle.defender, "tapu", used=True)
        fleets = moving(state).fleets
        going_back = [(fleet.origin, fleet.kinds) for fleet in fleets if fleet.at == battle.spot]
        left = tuple(fleet for fleet in fleets if fleet.at != battle.spot)
        state = with_movement(state.adding(battle.attacker, *going_back), fleets=left)
        return push(state.changed(battle=None, step="movement"), NextBattle(battle.attacker))

    def _attack(self, state: "State", battle: Battle, table: Table) -> Side:
        """War Canoes and the Bands they carried in front; whatever Transport Canoes brought
        behind.
        """
        # Fleets may have come from several hexes. In each of them Bands board War Canoes first, by
        # a ruling.
        kinds = NONE
        front_bands = 0
        for fleet in moving(state).fleets:
            if fleet.at == battle.spot:
                kinds = kinds.plus(fleet.kinds)
                front_bands += min(fleet.kinds.b, fleet.kinds.w)
        if kinds.r:
            table.tell(RumorsReturned(battle.attacker, kinds.r))
        return Side(w=kinds.w, b=front_bands, t=kinds.t, c=kinds.c, bt=kinds.b - front_bands)

    def _defence(self, state: "State", battle: Battle, table: Table) -> Side:
        """On an Island Group every Band defends, with the Local Warriors; at sea only those
        aboard War Canoes.
        """
        warriors = local_warriors(state, battle.spot)
        if battle.defender == NOBODY:
            return Side(l=warriors)
        kinds = state.pieces(battle.defender, battle.spot)
        front_bands = min(kinds.b, kinds.w) if is_sea(state, battle.spot) else kinds.b
        if kinds.r:
            table.tell(RumorsReturned(Seat(battle.defender), kinds.r))
        return Side(
            w=kinds.w, b=front_bands, l=warriors, t=kinds.t, c=kinds.c, bt=kinds.b - front_bands
        )


class RollBattle(Run, frozen=True):
    """The attacker rolls until one front row is empty."""

    def run(self, state: "State", table: Table) -> "State":
        """Roll a die, and ask the sides that want to be asked about it."""
        battle = fighting(state)
        # Also before the first roll: a defender without Battle Pieces loses at once and must
        # retreat.
        if not all(side.front for side in battle.sides):
            return push(state, EndBattle())
        die = table.roll()
        table.tell(DieRolled(battle.spot, die))
        hit, _ = reading(die)
        rolled = replace(battle, rolls=(*battle.rolls, Roll(die, hit)), replies=("", ""))
        return push(state.changed(battle=rolled), React(), SettleRoll())


class React(Step, frozen=True):
    """Sides that asked to be asked may bend the roll with a card, both at once and in secret."""

    def waiting(self, battle: Battle) -> list[int]:
        """Sides whose order is to be asked now and that have not answered, whether they hold a
        card or not.
        """
        found = []
        for side, mode in enumerate(battle.modes):
            is_hit = battle.rolls[-1].hit == side
            if (mode == "each" or (mode == "hurt" and is_hit)) and not battle.replies[side]:
                found.append(side)
        return found

    def asks(self, state: "State") -> bool:
        """Until they have answered."""
        return bool(self.waiting(fighting(state)))

    def ask(self, state: "State") -> tuple[Decision, ...]:
        """Their cards that can act on this roll, to pass, or to be asked no more."""
        battle = fighting(state)
        return tuple(self.question(state, battle, side) for side in self.waiting(battle))

    def question(self, state: "State", battle: Battle, side: int) -> Decision:
        """The roll, and what could be done about it."""
        die = battle.rolls[-1].die
        hit, result = reading(die)
        cards = [Option(card) for card in playable(state, battle, side)]
        whose = "own" if hit == side else "enemy"
        about = (("die", die), ("result", f"{whose}-{result}"), ("spot", battle.spot))
        options = (*cards, Option("pass", ends=True), Option("stop"))
        return Decision(Seat(battle.seat(side)), "react", options, facts=about, secret=True)

    def take(self, state: "State", answer: Answer, tell: Tell) -> "State":
        """Noted; `stop` ends the asking in this Battle."""
        battle, key = fighting(state), answer.keys[0]
        side = side_of(battle, answer.seat)
        if key == "stop":
            battle = replace(battle, modes=pair(battle.modes, side, "none"))
            key = "pass"
        return state.changed(battle=replace(battle, replies=pair(battle.replies, side, key)))

    def objection(self, state: "State", decision: Decision, key: str) -> Objection:
        """Return why a card is not the side's own, or does not change this roll."""
        if key not in CARDS:
            return None
        battle = fighting(state)
        if key in BATTLE_CARDS and not state.nations[decision.seat].holds(key):
            return "no_such_card", {"card": key}
        return card_obstacle(state, battle, side_of(battle, decision.seat), key), {"card": key}


class SettleRoll(Run, frozen=True):
    """Each roll may only be affected by one card: the side hit comes first, and what the other
    chose stays unseen.
    """

    def run(self, state: "State", table: Table) -> "State":
        """The result, and who bears it."""
        battle = fighting(state)
        roll = battle.rolls[-1]
        _, result = reading(roll.die)
        settled = replace(roll, result=result)
        for side in (roll.hit, 1 - roll.hit):
            if battle.seat(side) == NOBODY:
                continue
            reply = battle.replies[side]
            card = reply if reply not in ("", "pass") else by_order(state, battle, side)
            if card:
                state, settled = self._play(state, side, card, table)
                break
        battle = fighting(state)
        rolls = (*battle.rolls[:-1], settled)
        state = state.changed(battle=replace(battle, rolls=rolls, replies=("", "")))
        if settled.result == IGNORED:
            return push(state, RollBattle())
        return bear(state, settled.hit, table.tell)

    def _play(self, state: "State", side: int, card: str, table: Table) -> tuple["State", Roll]:
        """The card turned up and its effect on the roll; the new roll of a Haka is final."""
        battle = fighting(state)
        seat, die = battle.seat(side), battle.rolls[-1].die
        used = list(battle.used)
        used[side] = (*used[side], card)
        state = turn_up(state, seat, card)
        state = state.changed(battle=replace(battle, used=(used[0], used[1])))
        table.tell(CardPlayed(Seat(seat), card, die))
        if card == "haka":
            die = table.roll()
            table.tell(DieRolled(battle.spot, die, final=True))
        elif card in ("clubs", "slings"):
            die = shifted(die, side)
        hit, result = reading(die)
        if card == "cannibals":
            result = REMOVED
        elif card == "mana":
            result = PANIC
        elif card == "fort":
            result = IGNORED
        return state, Roll(die, hit, result, card=card)


def front_kinds(side: Side) -> list[str]:
    """Kinds of Battle Pieces in the front row: War Canoes, Warrior Bands, Local Warriors."""
    row = (("w", side.w), ("b", side.b), ("l", side.l))
    return [kind for kind, number in row if number]


def bear(state: "State", side: int, tell: Tell) -> "State":
    """A Battle Piece of a side panics or goes: by its owner's standing order, or they are asked."""
    battle = fighting(state)
    seat = battle.seat(side)
    kinds = front_kinds(battle.sides[side])
    losses = state.nations[seat].losses if seat != NOBODY else "thrift"
    if losses == "ask" and len(kinds) > 1:
        return push(state, TakeCasualty(side))
    ranked = THRIFT[battle.rolls[-1].result]
    if losses == "bands":
        ranked = "b" + ranked
    elif losses == "canoes":
        ranked = "w" + ranked
    chosen = next(kind for kind in ranked if kind in kinds)
    return lose_piece(state, side, chosen, tell)


def lose_piece(state: "State", side: int, kind: str, tell: Tell) -> "State":
    """The piece out of the front row; panicked it waits behind, Removed it is unbuilt again."""
    battle = fighting(state)
    row, roll = battle.sides[side], battle.rolls[-1]
    changes = {kind: getattr(row, kind) - 1}
    if roll.result == PANIC:
        panicked = f"p{kind}"
        changes[panicked] = getattr(row, panicked) + 1
        tell(PiecePanicked(battle.seat(side), kind))
    else:
        tell(PieceRemoved(battle.seat(side), kind))
    attack, defence = battle.sides
    if side == ATTACKER:
        attack = replace(attack, **changes)
    else:
        defence = replace(defence, **changes)
    rolls = (*battle.rolls[:-1], replace(roll, kind=kind))
    fought = replace(battle, sides=(attack, defence), rolls=rolls)
    return push(state.changed(battle=fought), RollBattle())


class TakeCasualty(Step, frozen=True):
    """The owner decides which Battle Piece is Removed or Panics."""

    side: int

    def ask(self, state: "State") -> tuple[Decision, ...]:
        """The kinds in the front row."""
        battle = fighting(state)
        kinds = front_kinds(battle.sides[self.side])
        options = tuple(Option(kind, facts=(("kind", kind),)) for kind in kinds)
        roll = battle.rolls[-1]
        about = (("die", roll.die), ("result", f"own-{roll.result}"), ("spot", battle.spot))
        return (Decision(Seat(battle.seat(self.side)), "take_casualty", options, facts=about),)

    def take(self, state: "State", answer: Answer, tell: Tell) -> "State":
        """The piece chosen."""
        return lose_piece(pop(state), self.side, answer.keys[0], tell)

    def objection(self, state: "State", decision: Decision, key: str) -> Objection:
        """A Battle Piece of the front row."""
        if key in ("t", "c", "r"):
            return "no_battle_piece", {"kind": key}
        return ("none_in_front", {"kind": key}) if key in ("w", "b", "l") else None


class EndBattle(Run, frozen=True):
    """One front row is empty: the Battle is told, and its aftermath settled by both sides at
    once.
    """

    def run(self, state: "State", table: Table) -> "State":
        """Note the winner, and ask what has to be settled."""
        battle = fighting(state)
        winner = ATTACKER if battle.sides[ATTACKER].front else DEFENDER
        seats = (battle.attacker, battle.defender)
        table.tell(BattleWon(battle.spot, seats[winner], seats, battle.rolls))
        after = state.changed(battle=replace(battle, aftermath=Aftermath(winner)))
        return push(after, SettleAftermath(), SettleBattle(), NextBattle(battle.attacker))
