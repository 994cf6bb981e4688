"""Battle Resolution: pick a Battle, give card orders, form rows, and roll until one side is beaten.

All canoes have moved before the first Battle. Battles are fought one after the other, each settled
before the next begins, because a lost group or a retreat can change the next one.

The rulebook lets cards be revealed "at any point", but people who are not at one table cannot
interrupt a die roll. So each side that could hold a Battle card says once, before pieces are shown,
how it wants to use cards in this Battle; the match waits after a roll only for a side that wants to
be asked. Which Battle Piece is hit is decided by the owner, by a standing order or when asked.
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
    card_by_standing_order,
    card_refusal_key,
    could_hold_battle_card,
    playable_cards,
    read_die,
    shift_die,
)
from engine.conquest.board import CARDS, PRINTED
from engine.conquest.cards import turn_card_up
from engine.conquest.fleets import current_movement, with_movement
from engine.conquest.hex_options import hex_options
from engine.conquest.hexes import (
    enemy_at,
    is_enemy_hex,
    is_independent,
    is_sea,
    land_at,
    local_warriors,
)
from engine.conquest.pieces import NO_PIECES, NOBODY, Aftermath, Battle, Roll, Side
from engine.conquest.refusals import Refusal, hex_refusal, is_hex
from engine.conquest.steps.aftermath import SettleAftermath, SettleBattle
from engine.core.decision import Answer, Decision, Fact, Option, Seat
from engine.core.event import Tell
from engine.core.steps import Glide, Run, Step, pop, push
from engine.core.table import Table

if TYPE_CHECKING:
    from engine.conquest.state import State

THRIFTY_LOSSES = {PANIC: "wbl", REMOVED: "lbw"}
"""Which kind is hit first: the dearest piece panics, because it survives; the cheapest is Removed.
"""


def current_battle(state: "State") -> Battle:
    """Return the Battle under way."""
    if state.battle is None:
        raise ValueError("nobody is fighting")
    return state.battle


def side_of(battle: Battle, seat: Seat) -> int:
    """Return a seat's side: "The player who moves Pieces into Battle is the attacker." """
    return ATTACKER if seat == battle.attacker else DEFENDER


def with_side_value(both: tuple[str, str], side: int, value: str) -> tuple[str, str]:
    """Return the values of both sides with one side's value replaced."""
    return (value, both[1]) if side == ATTACKER else (both[0], value)


class NextBattle(Glide, frozen=True):
    """ "If there will be more than one Battle in your turn, you decide the order." """

    seat: Seat

    def glide(self, state: "State", tell: Tell) -> "State":
        """Open the only Battle left, ask which is next, or end the Step."""
        due = current_movement(state).due if state.movement is not None else ()
        if not due:
            # The Movement is kept until its last Battle, because fleets wait in it.
            return state.with_changes(movement=None, battle=None)
        if len(due) == 1:
            return push(state, OpenBattle(self.seat, due[0]))
        return push(state, PickBattle(self.seat))


class PickBattle(Step, frozen=True):
    """Ask the attacker which of several Battles comes next."""

    seat: Seat

    def ask(self, state: "State") -> tuple[Decision, ...]:
        """Ask for one of the hexes where a Battle is due."""
        return (Decision(self.seat, "pick_battle", hex_options(current_movement(state).due)),)

    def take(self, state: "State", answer: Answer, tell: Tell) -> "State":
        """Open the chosen Battle."""
        tell(BattlePicked(self.seat, answer.keys[0]))
        return pop(state, OpenBattle(self.seat, answer.keys[0]))

    def refusal(self, state: "State", decision: Decision, key: str) -> Refusal:
        """Return the refusal of a hex where no Battle is due."""
        return hex_refusal("no_battle_due", key) if is_hex(key) else None


class OpenBattle(Run, frozen=True):
    """Begin a Battle; sides that could hold a Battle card say how they use it.

    A side is asked because of what others can see of its hand, so that being asked or not
    reveals nothing about its cards.
    """

    seat: Seat
    spot: str

    def run(self, state: "State", table: Table) -> "State":
        """Begin the Battle with the standing orders of both sides."""
        due = tuple(spot for spot in current_movement(state).due if spot != self.spot)
        state = with_movement(state, due=due)
        # Offers are taken at any time, so the enemy may have gone since the Battle was due.
        if not is_enemy_hex(state, self.seat, self.spot):
            return self._land(state)
        # The seat with pieces there defends, otherwise the owner of the Villages: NOBODY for an
        # Independent group.
        enemy = enemy_at(state, self.seat, self.spot)
        defender = enemy.seat if enemy is not None else state.group(self.spot).owner
        battle = Battle(self.spot, self.seat, defender)
        modes = (self._mode(state, battle, ATTACKER), self._mode(state, battle, DEFENDER))
        state = state.with_changes(
            battle=replace(battle, modes=modes), step="battle", last=(self.spot,)
        )
        return push(state, GiveBattleOrders(), FormRows())

    def _land(self, state: "State") -> "State":
        """Let the fleets arrive peacefully, because nobody is left to fight.

        The defender may have removed a Rumor, or lost the last Village to Deforestation.
        """
        fleets = current_movement(state).fleets
        landing = [(fleet.at, fleet.kinds) for fleet in fleets if fleet.at == self.spot]
        others = tuple(fleet for fleet in fleets if fleet.at != self.spot)
        state = with_movement(state.with_added_pieces(self.seat, *landing), fleets=others)
        return push(state, NextBattle(self.seat))

    def _mode(self, state: "State", battle: Battle, side: int) -> str:
        """Return how a side uses its cards by standing order; '' if it has to be asked."""
        if not could_hold_battle_card(state, battle, side):
            return "none"
        orders = state.nations[battle.seat(side)].orders
        return "" if orders == "askme" else orders


class GiveBattleOrders(Step, frozen=True):
    """Ask how each side uses its cards in this Battle.

    A defender may call the Battle off with Tapu, before any piece is shown.
    """

    def asks(self, state: "State") -> bool:
        """Return whether a side still has to answer."""
        return "" in current_battle(state).modes

    def ask(self, state: "State") -> tuple[Decision, ...]:
        """Ask all sides that have not answered, at the same time."""
        battle = current_battle(state)
        sides = [side for side in (ATTACKER, DEFENDER) if not battle.modes[side]]
        return tuple(self.question(state, battle, side) for side in sides)

    def question(self, state: "State", battle: Battle, side: int) -> Decision:
        """Return the question how a side uses its cards."""
        seat = Seat(battle.seat(side))
        options = [Option(mode, ends=mode == "none") for mode in MODES]
        if side == DEFENDER and state.nations[seat].holds_unused("tapu"):
            options = [Option("tapu"), *options]
        role = "attacker" if side == ATTACKER else "defender"
        about: tuple[Fact, ...] = (("spot", battle.spot), ("role", role))
        enemy = battle.seat(1 - side)
        if enemy != NOBODY:
            about = (*about, ("enemy", enemy))
        return Decision(seat, "give_battle_orders", tuple(options), facts=about, secret=True)

    def take(self, state: "State", answer: Answer, tell: Tell) -> "State":
        """Note the order; the other side does not learn it."""
        battle = current_battle(state)
        side = side_of(battle, answer.seat)
        tell(OrdersGiven(answer.seat))
        modes = with_side_value(battle.modes, side, answer.keys[0])
        return state.with_changes(battle=replace(battle, modes=modes))

    def refusal(self, state: "State", decision: Decision, key: str) -> Refusal:
        """Return why Tapu cannot be played: only a defender who holds it may."""
        if key == "askme":
            return "orders_are_asked", {}
        if key != "tapu":
            return None
        if side_of(current_battle(state), decision.seat) == ATTACKER:
            return "tapu_defends", {}
        is_held = state.nations[decision.seat].holds(key)
        return ("card_is_used" if is_held else "no_such_card"), {"card": key}


class FormRows(Run, frozen=True):
    """Show all pieces and place them in rows: Battle Pieces in front, everything else behind.

    "Return any Rumors to their owners": they are in no row, so they count as unbuilt again.
    """

    def run(self, state: "State", table: Table) -> "State":
        """Form the rows, unless Tapu calls the Battle off."""
        battle = current_battle(state)
        if battle.modes[DEFENDER] == "tapu":
            return self._call_off(state, battle, table)
        # Independent Islands: "place a Village in each green box in the hex".
        villages = state.group(battle.spot).villages
        if is_independent(state, battle.spot):
            villages = PRINTED[battle.spot].green
        sides = (self._attack(state, battle, table), self._defence(state, battle, table))
        land = land_at(state, battle.spot)
        name = land.key if land is not None else "sea"
        table.tell(
            BattleJoined(battle.spot, battle.attacker, battle.defender, sides, villages, name)
        )
        # Until the Battle is settled, its pieces are in its rows and in no stack or fleet.
        stack = state.stack(battle.defender, battle.spot) if battle.defender != NOBODY else None
        stacks = tuple(other for other in state.stacks if other is not stack)
        fleets = tuple(fleet for fleet in current_movement(state).fleets if fleet.at != battle.spot)
        # Whether a canoe lay face up is kept, for a defender who wins and stays.
        was_open = stack is not None and stack.open
        joined = replace(battle, sides=sides, shown=True, villages=villages, open=was_open)
        state = with_movement(state.with_changes(stacks=stacks, battle=joined), fleets=fleets)
        return push(state, RollBattle())

    def _call_off(self, state: "State", battle: Battle, table: Table) -> "State":
        """Send every attacking fleet back to where it started, unseen; it cannot move again."""
        # Tapu is played with the orders, before FormRows shows any piece.
        table.tell(TapuPlayed(Seat(battle.defender), battle.attacker, battle.spot))
        state = turn_card_up(state, battle.defender, "tapu", used=True)
        fleets = current_movement(state).fleets
        going_back = [(fleet.origin, fleet.kinds) for fleet in fleets if fleet.at == battle.spot]
        others = tuple(fleet for fleet in fleets if fleet.at != battle.spot)
        state = with_movement(state.with_added_pieces(battle.attacker, *going_back), fleets=others)
        return push(state.with_changes(battle=None, step="movement"), NextBattle(battle.attacker))

    def _attack(self, state: "State", battle: Battle, table: Table) -> Side:
        """Return the attacker's rows: War Canoes and the Bands they carry are in front.

        "Warrior Bands that arrived in Transport Canoes, and all other (non-Battle) Pieces,
        go in the back row."
        """
        # Fleets may have come from several hexes. Ruling: in each fleet, Warrior Bands board War
        # Canoes first.
        kinds = NO_PIECES
        front_bands = 0
        for fleet in current_movement(state).fleets:
            if fleet.at == battle.spot:
                kinds = kinds.plus(fleet.kinds)
                front_bands += min(fleet.kinds.b, fleet.kinds.w)
        if kinds.r:
            table.tell(RumorsReturned(battle.attacker, kinds.r))
        # The other Bands came in Transport Canoes.
        back_bands = kinds.b - front_bands
        return Side(w=kinds.w, b=front_bands, t=kinds.t, c=kinds.c, bt=back_bands)

    def _defence(self, state: "State", battle: Battle, table: Table) -> Side:
        """Return the defender's rows.

        On an Island Group every Warrior Band defends, together with the Local Warriors; at
        sea only those aboard War Canoes do.
        """
        warriors = local_warriors(state, battle.spot)
        if battle.defender == NOBODY:
            return Side(l=warriors)
        # Ruling: as with the attacker, Warrior Bands board War Canoes first.
        kinds = state.pieces(battle.defender, battle.spot)
        front_bands = min(kinds.b, kinds.w) if is_sea(state, battle.spot) else kinds.b
        if kinds.r:
            table.tell(RumorsReturned(Seat(battle.defender), kinds.r))
        return Side(
            w=kinds.w,
            b=front_bands,
            l=warriors,
            t=kinds.t,
            c=kinds.c,
            bt=kinds.b - front_bands,
        )


class RollBattle(Run, frozen=True):
    """ "The attacking player continues to roll until the Battle is resolved." """

    def run(self, state: "State", table: Table) -> "State":
        """Roll a die and ask the sides that want to be asked about it, or end the Battle."""
        battle = current_battle(state)
        # This is also checked before the first roll: "If the defender has no Battle Pieces [...]
        # the attacker automatically wins."
        if not all(side.front for side in battle.sides):
            return push(state, EndBattle())
        die = table.roll()
        table.tell(DieRolled(battle.spot, die))
        hit, _ = read_die(die)
        # The result stays open until SettleRoll, because a card may still change it.
        rolls = (*battle.rolls, Roll(die, hit))
        rolled = replace(battle, rolls=rolls, replies=("", ""))
        return push(state.with_changes(battle=rolled), React(), SettleRoll())


class React(Step, frozen=True):
    """Let sides that want to be asked play a card on the roll, at the same time and in secret."""

    def waiting(self, battle: Battle) -> list[int]:
        """Return the sides that are asked about this roll and have not answered.

        They are asked whether they hold a card or not, so that being asked reveals nothing.
        """
        found = []
        for side, mode in enumerate(battle.modes):
            is_hit = battle.rolls[-1].hit == side
            wants_question = mode == "each" or (mode == "hurt" and is_hit)
            if wants_question and not battle.replies[side]:
                found.append(side)
        return found

    def asks(self, state: "State") -> bool:
        """Return whether a side still has to answer."""
        return bool(self.waiting(current_battle(state)))

    def ask(self, state: "State") -> tuple[Decision, ...]:
        """Ask each side for a card that acts on this roll, to pass, or to end the questions."""
        battle = current_battle(state)
        return tuple(self.question(state, battle, side) for side in self.waiting(battle))

    def question(self, state: "State", battle: Battle, side: int) -> Decision:
        """Return the question for one side, with the roll and its result."""
        die = battle.rolls[-1].die
        hit, result = read_die(die)
        cards = [Option(card) for card in playable_cards(state, battle, side)]
        whose = "own" if hit == side else "enemy"
        about = (("die", die), ("result", f"{whose}-{result}"), ("spot", battle.spot))
        options = (*cards, Option("pass", ends=True), Option("stop"))
        return Decision(Seat(battle.seat(side)), "react", options, facts=about, secret=True)

    def take(self, state: "State", answer: Answer, tell: Tell) -> "State":
        """Note the answer; `stop` ends the questions to this side for the whole Battle."""
        battle = current_battle(state)
        key = answer.keys[0]
        side = side_of(battle, answer.seat)
        if key == "stop":
            battle = replace(battle, modes=with_side_value(battle.modes, side, "none"))
            key = "pass"
        return state.with_changes(
            battle=replace(battle, replies=with_side_value(battle.replies, side, key))
        )

    def refusal(self, state: "State", decision: Decision, key: str) -> Refusal:
        """Return why a card is not the side's own, or does not change this roll."""
        if key not in CARDS:
            return None
        battle = current_battle(state)
        if key in BATTLE_CARDS and not state.nations[decision.seat].holds(key):
            return "no_such_card", {"card": key}
        return card_refusal_key(state, battle, side_of(battle, decision.seat), key), {"card": key}


class SettleRoll(Run, frozen=True):
    """Apply a card to the roll, if one is played, and its result to a Battle Piece."""

    def run(self, state: "State", table: Table) -> "State":
        """Settle the roll, and have the side that is hit lose a piece."""
        battle = current_battle(state)
        roll = battle.rolls[-1]
        _, result = read_die(roll.die)
        settled = replace(roll, result=result)
        # "Each die roll may only be affected by ONE card." Ruling: the side that is hit comes
        # first, and the other side's choice then stays unseen.
        for side in (roll.hit, 1 - roll.hit):
            # Independent people have no cards.
            if battle.seat(side) == NOBODY:
                continue
            card = battle.replies[side]
            if card in ("", "pass"):
                card = card_by_standing_order(state, battle, side)
            if card:
                state, settled = self._play(state, side, card, table)
                break
        # Playing a card has changed the Battle, so it is read again.
        battle = current_battle(state)
        rolls = (*battle.rolls[:-1], settled)
        state = state.with_changes(battle=replace(battle, rolls=rolls, replies=("", "")))
        if settled.result == IGNORED:
            return push(state, RollBattle())
        return suffer_hit(state, settled.hit, table.tell)

    def _play(self, state: "State", side: int, card: str, table: Table) -> tuple["State", Roll]:
        """Reveal the card, and return the state and the roll that it changed."""
        battle = current_battle(state)
        seat = battle.seat(side)
        die = battle.rolls[-1].die
        used = list(battle.used)
        used[side] = (*used[side], card)
        state = turn_card_up(state, seat, card)
        state = state.with_changes(battle=replace(battle, used=(used[0], used[1])))
        table.tell(CardPlayed(Seat(seat), card, die))
        if card == "haka":
            # The new roll is final: no card can change it.
            die = table.roll()
            table.tell(DieRolled(battle.spot, die, final=True))
        elif card in ("clubs", "slings"):
            die = shift_die(die, side)
        hit, result = read_die(die)
        # `card_refusal_key` has made sure that the card acts on this roll.
        if card == "cannibals":
            result = REMOVED
        elif card == "mana":
            result = PANIC
        elif card == "fort":
            result = IGNORED
        return state, Roll(die, hit, result, card=card)


def front_kinds(side: Side) -> list[str]:
    """Return the kinds of Battle Pieces in the front row."""
    row = (("w", side.w), ("b", side.b), ("l", side.l))
    return [kind for kind, number in row if number]


def suffer_hit(state: "State", side: int, tell: Tell) -> "State":
    """Let a side's Battle Piece panic or be Removed.

    "The owning player decides which Piece is affected", by a standing order or when asked.
    """
    battle = current_battle(state)
    seat = battle.seat(side)
    kinds = front_kinds(battle.sides[side])
    # Nobody can be asked for an Independent group; its Local Warriors are all alike.
    losses = state.nations[seat].losses if seat != NOBODY else "thrift"
    if losses == "ask" and len(kinds) > 1:
        return push(state, TakeCasualty(side))
    # The first of these kinds that is in the front row is hit.
    priority = THRIFTY_LOSSES[battle.rolls[-1].result]
    if losses == "bands":
        priority = "b" + priority
    elif losses == "canoes":
        priority = "w" + priority
    chosen = next(kind for kind in priority if kind in kinds)
    return lose_piece(state, side, chosen, tell)


def lose_piece(state: "State", side: int, kind: str, tell: Tell) -> "State":
    """Take a piece out of the front row: panicked to the back row, or Removed from the map."""
    battle = current_battle(state)
    row = battle.sides[side]
    roll = battle.rolls[-1]
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
    # The roll records what it hit, for the line about the whole Battle.
    rolls = (*battle.rolls[:-1], replace(roll, kind=kind))
    fought = replace(battle, sides=(attack, defence), rolls=rolls)
    return push(state.with_changes(battle=fought), RollBattle())


class TakeCasualty(Step, frozen=True):
    """Ask the owner which Battle Piece is Removed or panics."""

    side: int

    def ask(self, state: "State") -> tuple[Decision, ...]:
        """Ask for one of the kinds in the front row."""
        battle = current_battle(state)
        kinds = front_kinds(battle.sides[self.side])
        options = tuple(Option(kind, facts=(("kind", kind),)) for kind in kinds)
        roll = battle.rolls[-1]
        about = (("die", roll.die), ("result", f"own-{roll.result}"), ("spot", battle.spot))
        return (Decision(Seat(battle.seat(self.side)), "take_casualty", options, facts=about),)

    def take(self, state: "State", answer: Answer, tell: Tell) -> "State":
        """Remove the chosen piece from the front row."""
        return lose_piece(pop(state), self.side, answer.keys[0], tell)

    def refusal(self, state: "State", decision: Decision, key: str) -> Refusal:
        """Return why a kind of piece cannot be chosen."""
        if key in ("t", "c", "r"):
            return "no_battle_piece", {"kind": key}
        return ("none_in_front", {"kind": key}) if key in ("w", "b", "l") else None


class EndBattle(Run, frozen=True):
    """One front row is empty: announce the winner, and settle what follows."""

    def run(self, state: "State", table: Table) -> "State":
        """Note the winner, and ask both sides what has to be settled."""
        battle = current_battle(state)
        # If neither side has Battle Pieces left, the defender wins.
        winner = ATTACKER if battle.sides[ATTACKER].front else DEFENDER
        seats = (battle.attacker, battle.defender)
        table.tell(BattleWon(battle.spot, seats[winner], seats, battle.rolls))
        after = state.with_changes(battle=replace(battle, aftermath=Aftermath(winner)))
        return push(after, SettleAftermath(), SettleBattle(), NextBattle(battle.attacker))
