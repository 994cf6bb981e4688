"""After a Battle: Retreating and Island Group Conquest.

Both sides are asked at the same time, since neither answer affects the other. SettleBattle then
carries everything out in the rulebook's order: Villages saved, the winner in the hex, Control, a
lost Home, Kumara, and the retreat last. Only the loser retreats; the winner's panicked and back-row
pieces stay in the hex. Steps are saved by class name and fields, so neither is ever renamed.
"""

from typing import TYPE_CHECKING

from msgspec.structs import replace

from engine.conquest.battle_events import (
    GroupTaken,
    PiecesStranded,
    Retreated,
    VillagesSaved,
)
from engine.conquest.battle_rolls import ATTACKER, DEFENDER
from engine.conquest.board import PRINTED, distance
from engine.conquest.empire import lose_home, name_home, set_control, take_kumara
from engine.conquest.hex_options import hex_options
from engine.conquest.hexes import (
    controlled_groups,
    is_independent,
    is_sea,
    land_at,
    other_new_zealand_hex,
)
from engine.conquest.pieces import NO_PIECES, NOBODY, Aftermath, Battle, Kinds
from engine.conquest.refusals import Refusal, hex_refusal, is_hex, parse_pieces, suggest_name
from engine.conquest.sea_events import CanoesOpened
from engine.conquest.steps.after_loss import CheckEmpires
from engine.core.decision import Answer, Decision, Option, Seat
from engine.core.event import Tell
from engine.core.steps import Run, Step, push
from engine.core.table import Table

if TYPE_CHECKING:
    from engine.conquest.state import State


def current_aftermath(state: "State") -> tuple[Battle, Aftermath]:
    """Return the Battle that has just been won, and what its sides have decided so far."""
    if state.battle is None or state.battle.aftermath is None:
        raise ValueError("there is no Battle to settle")
    return state.battle, state.battle.aftermath


def saving_refusal(state: "State", battle: Battle, given: Kinds) -> Refusal:
    """Return why the attacker cannot give up these pieces to save Villages.

    "The Piece(s) chosen for removal must be from those who did NOT Panic in the Battle", one
    for each Village.
    """
    row = battle.sides[ATTACKER]
    villages = count_savable_villages(state, battle)
    # "The attacker may 'save' one Village for each surviving Battle Piece" given up.
    if given.total > villages:
        return "not_so_many_villages", {"spot": battle.spot, "number": villages}
    # `w` and `b` count the pieces in the front row, which are those that did not panic.
    if given.w > row.w or given.b > row.b:
        return "not_so_many_brave", {"brave": (("w", row.w), ("b", row.b))}
    # "If the conquered Island Group is printed on the map, the new owner must always keep at least
    # one Piece".
    if battle.spot in PRINTED and given.total >= row.survivors.total:
        return hex_refusal("one_must_stay", battle.spot)
    return None


def saving_choices(state: "State", battle: Battle) -> tuple[Kinds, ...]:
    """Return the pieces that the attacker may give up for Villages, the fewest first."""
    row = battle.sides[ATTACKER]
    most = min(count_savable_villages(state, battle), row.w + row.b)
    choices = []
    for total in range(1, most + 1):
        for war_canoes in range(total + 1):
            given = Kinds(w=war_canoes, b=total - war_canoes)
            if not saving_refusal(state, battle, given):
                choices.append(given)
    return tuple(choices)


def count_savable_villages(state: "State", battle: Battle) -> int:
    """Return the Villages that can be saved; an Independent group shows one per green box."""
    if is_independent(state, battle.spot):
        return battle.villages
    return state.group(battle.spot).villages


def saving_key(kinds: Kinds) -> str:
    """Return the option key of pieces given up: '1b', '1b1w', or 'none'."""
    return "".join(f"{kinds.of(kind)}{kind}" for kind in "bw" if kinds.of(kind)) or "none"


def retreat_refusal(state: "State", battle: Battle, seat: int, spot: str) -> Refusal:
    """Return why a seat's pieces cannot retreat to a hex, however near it is.

    They "may not be placed in any hex currently containing enemy Battle Pieces": that is where
    a Battle is still due.
    """
    if spot == battle.spot:
        return hex_refusal("lost_there", spot)
    if state.group(spot).owner != seat:
        return hex_refusal("no_village", spot)
    due = state.movement.due if state.movement is not None else ()
    return hex_refusal("battle_due", spot) if spot in due else None


def retreat_hexes(state: "State", battle: Battle, seat: int) -> tuple[str, ...]:
    """Return the nearest of the seat's groups, by distance in hexes, whatever lies between."""
    distances = {}
    for spot in controlled_groups(state, seat):
        # A retreat is no move: what lies between doesn't matter, and neither do canoes' ranges.
        if not retreat_refusal(state, battle, seat, spot):
            distances[spot] = distance(battle.spot, spot)
    # "When two (or more) Island Groups are the same distance away, the owning player may choose."
    nearest = min(distances.values(), default=0)
    return tuple(spot for spot, away in distances.items() if away == nearest)


def best_loads(kinds: Kinds) -> tuple[tuple[int, int], ...]:
    """Return the largest loads of (Warrior Bands, Colonies) that a side's canoes can carry.

    A Colony needs a Transport Canoe, a Band any canoe. The load with the fewest Colonies comes
    first.
    """
    loads: list[tuple[int, int]] = []
    for colonies in range(min(kinds.c, kinds.t) + 1):
        # Each Colony takes a Transport Canoe; the Bands share the other canoes.
        bands = min(kinds.b, kinds.canoes - colonies)
        # A load with one Colony more and as many Bands replaces the load before it.
        if loads and loads[-1][0] == bands:
            loads.pop()
        loads.append((bands, colonies))
    return tuple(loads)


def needs_canoes(state: "State", battle: Battle, after: Aftermath, side: int) -> bool:
    """Return whether a side's cargo needs canoes to survive.

    The loser's does, unless it retreats over land to the other New Zealand tile. Ruling: at sea
    the winner's does, too, as it may have lost the very canoes that carried its Bands and
    Colonies.
    """
    if side == after.winner:
        return is_sea(state, battle.spot)
    return other_new_zealand_hex(state, battle.spot) != find_retreat_hex(state, battle, after)


def find_retreat_hex(state: "State", battle: Battle, after: Aftermath) -> str:
    """Return where the loser retreats: the hex they chose, or the only one; 'none' without one."""
    if after.retreat:
        return after.retreat
    loser = battle.seat(1 - after.winner)
    spots = retreat_hexes(state, battle, loser) if loser != NOBODY else ()
    return spots[0] if spots else "none"


class SettleAftermath(Step, frozen=True):
    """Ask winner and loser what they have to decide, at the same time."""

    def asks(self, state: "State") -> bool:
        """Return whether a side still has something to decide."""
        return bool(self.ask(state))

    def ask(self, state: "State") -> tuple[Decision, ...]:
        """Ask each side its next question."""
        battle, after = current_aftermath(state)
        sides = [side for side in (ATTACKER, DEFENDER) if battle.seat(side) != NOBODY]
        decisions = [self.question(state, battle, after, side) for side in sides]
        return tuple(decision for decision in decisions if decision is not None)

    def question(
        self, state: "State", battle: Battle, after: Aftermath, side: int
    ) -> Decision | None:
        """Return the next question for one side, or None if it has nothing left to decide."""
        if side != after.winner:
            # The retreat comes first: on the way to the other New Zealand tile, cargo needs no
            # canoes, so nobody has to be left behind.
            return (
                self._ask_retreat(state, battle, after, side)
                or self._ask_cargo(state, battle, after, side)
                or self._ask_home(state, battle, after, side)
            )
        # Villages come first: "This decision must be made immediately."
        saving = self._ask_saving(state, battle, after) if side == ATTACKER else None
        return (
            saving
            or self._ask_cargo(state, battle, after, side)
            or self._ask_opening(state, battle, after, side)
        )

    def _ask_saving(self, state: "State", battle: Battle, after: Aftermath) -> Decision | None:
        """Return the question how many Villages the attacker saves, and with which pieces."""
        choices = saving_choices(state, battle)
        if after.save or not choices:
            return None
        options = [Option("none", forfeits=True)]
        for kinds in choices:
            given = (("w", kinds.w), ("b", kinds.b))
            options.append(
                Option(saving_key(kinds), facts=(("saved", kinds.total), ("given", given)))
            )
        about = (("spot", battle.spot), ("villages", count_savable_villages(state, battle)))
        return Decision(battle.attacker, "save_villages", tuple(options), facts=about)

    def _ask_opening(
        self, state: "State", battle: Battle, after: Aftermath, side: int
    ) -> Decision | None:
        """Return the question whether the winner places one Transport Canoe face up.

        Without an answer a defender's canoe stays as it lay.
        """
        if after.open or not battle.sides[side].t:
            return None
        # Confirm picks what changes nothing: a defender's canoe stays as it lay, an attacker's
        # hidden.
        was_open = side == DEFENDER and battle.open
        options = (Option("open", ends=was_open), Option("hidden", ends=not was_open))
        seat = Seat(battle.seat(side))
        return Decision(seat, "open_here", options, facts=(("spot", battle.spot),))

    def _ask_retreat(
        self, state: "State", battle: Battle, after: Aftermath, side: int
    ) -> Decision | None:
        """Return the question where the loser retreats, if several groups are equally near."""
        seat = Seat(battle.seat(side))
        spots = retreat_hexes(state, battle, seat)
        if after.retreat or len(spots) < 2:
            return None
        # Without a canoe, pieces survive only if they can walk to the other New Zealand tile.
        kinds = battle.sides[side].survivors
        walks = kinds.total > 0 and other_new_zealand_hex(state, battle.spot) in spots
        if not kinds.canoes and not walks:
            return None
        return Decision(seat, "retreat_to", hex_options(spots), facts=(("spot", battle.spot),))

    def _ask_cargo(
        self, state: "State", battle: Battle, after: Aftermath, side: int
    ) -> Decision | None:
        """Return the question which cargo is saved, if Bands and Colonies compete for canoes."""
        loads = best_loads(battle.sides[side].survivors)
        if after.leave[side] or len(loads) < 2:
            return None
        if not needs_canoes(state, battle, after, side):
            return None
        # A loser without anywhere to go loses all cargo, so there is nothing to choose.
        if side != after.winner and find_retreat_hex(state, battle, after) == "none":
            return None
        options = []
        for bands, colonies in loads:
            about = (("bands", bands), ("colonies", colonies))
            options.append(Option(f"{bands}b{colonies}c", facts=about))
        seat = Seat(battle.seat(side))
        return Decision(seat, "leave_behind", tuple(options), facts=(("spot", battle.spot),))

    def _ask_home(
        self, state: "State", battle: Battle, after: Aftermath, side: int
    ) -> Decision | None:
        """Return the question for a new Home, if a defender lost theirs and has a choice."""
        seat = Seat(battle.seat(side))
        others = [spot for spot in controlled_groups(state, seat) if spot != battle.spot]
        lost_home = side == DEFENDER and state.nations[seat].home == battle.spot
        if after.home or not lost_home or len(others) < 2:
            return None
        return Decision(seat, "name_home", hex_options(others))

    def take(self, state: "State", answer: Answer, tell: Tell) -> "State":
        """Note the answer until both sides have decided."""
        battle, after = current_aftermath(state)
        key = answer.keys[0]
        match answer.kind:
            case "save_villages":
                after = replace(after, save=key)
            case "open_here":
                after = replace(after, open=key)
            case "retreat_to":
                after = replace(after, retreat=key)
            case "name_home":
                after = replace(after, home=key)
            case "leave_behind":
                attacker, defender = after.leave
                leave = (key, defender) if answer.seat == battle.attacker else (attacker, key)
                after = replace(after, leave=leave)
        return state.with_changes(battle=replace(battle, aftermath=after))

    def refusal(self, state: "State", decision: Decision, key: str) -> Refusal:
        """Return why pieces cannot be given up, loaded or retreat that way, or a Home be named."""
        battle, _ = current_aftermath(state)
        match decision.kind:
            case "save_villages":
                given = parse_pieces(key)
                if given is None:
                    return None
                # Only War Canoes and Warrior Bands are Battle Pieces.
                if given.total != given.w + given.b:
                    return "no_battle_pieces", {}
                return suggest_name(decision, saving_key(given)) or saving_refusal(
                    state, battle, given
                )
            case "leave_behind":
                return self._load_refusal(battle, decision, key)
            case "retreat_to" if is_hex(key):
                if refusal := retreat_refusal(state, battle, decision.seat, key):
                    return refusal
                nearest = decision.options[0].spot
                return "not_nearest", {
                    "spot": key,
                    "away": distance(battle.spot, key),
                    "nearest": nearest,
                    "near": distance(battle.spot, nearest),
                }
            case "name_home" if is_hex(key):
                return hex_refusal("lost_there" if key == battle.spot else "no_village", key)
        return None

    def _load_refusal(self, battle: Battle, decision: Decision, key: str) -> Refusal:
        """Return why a load is not possible: it must be as large as the canoes can carry."""
        saved = parse_pieces(key)
        if saved is None:
            return None
        if saved.total != saved.b + saved.c:
            return "cargo_only", {}
        if suggestion := suggest_name(decision, f"{saved.b}b{saved.c}c"):
            return suggestion
        side = ATTACKER if decision.seat == battle.attacker else DEFENDER
        survivors = battle.sides[side].survivors
        for kind in ("b", "c"):
            number = survivors.of(kind)
            if saved.of(kind) > number:
                return "not_so_many", {"spot": battle.spot, "kind": kind, "number": number}
        if saved.c > survivors.t:
            return "colony_needs_transport", {"colonies": saved.c, "canoes": survivors.t}
        if saved.total > survivors.canoes:
            return "too_much_cargo", {"cargo": saved.total, "canoes": survivors.canoes}
        return hex_refusal("room_for_more", battle.spot)


class SettleBattle(Run, frozen=True):
    """Carry out what both sides decided; all pieces then lie face down again."""

    def run(self, state: "State", table: Table) -> "State":
        """Settle the winner's pieces in the hex, then the loser's retreat."""
        battle, after = current_aftermath(state)
        state = state.with_changes(step="movement")
        # The rulebook's order: the winner takes the hex before the loser retreats.
        if after.winner == ATTACKER:
            state = self._conquer(state, battle, after, table.tell)
            state = self._retreat(state, battle, after, DEFENDER, table.tell)
        else:
            if battle.defender != NOBODY:
                kinds = self._load_survivors(state, battle, after, DEFENDER, table.tell)
                state = state.with_pieces(
                    battle.defender, battle.spot, kinds, is_open=after.open == "open"
                )
                if after.open == "open" and not battle.open:
                    table.tell(CanoesOpened(Seat(battle.defender), (battle.spot,)))
            state = self._retreat(state, battle, after, ATTACKER, table.tell)
        return push(state.with_changes(battle=None), CheckEmpires())

    def _conquer(self, state: "State", battle: Battle, after: Aftermath, tell: Tell) -> "State":
        """Move the attacker in; Control and a share of the Kumara come with a saved Village."""
        seat = battle.attacker
        loser = battle.defender
        # Without an answer, or with 'none', no Village is saved.
        given = NO_PIECES
        for kinds in saving_choices(state, battle):
            if saving_key(kinds) == after.save:
                given = kinds
        villages = count_savable_villages(state, battle)
        if villages:
            tell(VillagesSaved(seat, battle.spot, given.total, villages, given))
        # Each saved Village costs a Battle Piece, which leaves the map.
        kinds = self._load_survivors(state, battle, after, ATTACKER, tell).minus(given)
        state = state.with_pieces(seat, battle.spot, kinds, is_open=after.open == "open")
        if after.open == "open":
            tell(CanoesOpened(seat, (battle.spot,)))
        # A Battle at sea conquers nothing.
        if land_at(state, battle.spot) is None:
            return state
        tell(GroupTaken(seat, battle.spot, given.total > 0))
        # "Improved Agriculture is never removed by conquest", so only owner and Villages change.
        owner = seat if given.total else NOBODY
        group = replace(state.group(battle.spot), owner=owner, villages=given.total, taken=True)
        state = lose_home(set_control(state, group), loser, battle.spot, tell)
        if after.home:
            state = name_home(state, loser, after.home, tell)
        # Saving a Village of a Kumara holder brings the conqueror Kumara, too: "The original Kumara
        # owner does NOT lose either the Kumara Marker or its two Victory Points."
        had_kumara = loser != NOBODY and state.nations[loser].kumara
        if given.total and had_kumara and not state.nations[seat].kumara:
            state = take_kumara(state, seat, tell)
        return state

    def _load_survivors(
        self, state: "State", battle: Battle, after: Aftermath, side: int, tell: Tell
    ) -> Kinds:
        """Return a side's survivors that its canoes can carry, if needed; the rest are lost."""
        kinds = battle.sides[side].survivors
        if not needs_canoes(state, battle, after, side):
            return kinds
        # With only one load to choose from, the owner was not asked.
        loads = best_loads(kinds)
        bands, colonies = loads[0]
        for load_bands, load_colonies in loads:
            if after.leave[side] == f"{load_bands}b{load_colonies}c":
                bands, colonies = load_bands, load_colonies
        stranded = Kinds(b=kinds.b - bands, c=kinds.c - colonies)
        if stranded.total:
            tell(PiecesStranded(Seat(battle.seat(side)), stranded))
        return kinds.minus(stranded)

    def _retreat(
        self, state: "State", battle: Battle, after: Aftermath, side: int, tell: Tell
    ) -> "State":
        """Move all survivors to one group, or remove them from the map."""
        seat = battle.seat(side)
        kinds = battle.sides[side].survivors
        if seat == NOBODY or not kinds.total:
            return state
        retreat_hex = find_retreat_hex(state, battle, after)
        # In the Battle its pieces were taken off the map, so they are lost by not coming back.
        if retreat_hex == "none":
            tell(Retreated(Seat(seat), "", kinds))
            return state
        kinds = self._load_survivors(state, battle, after, side, tell)
        if not kinds.total:
            return state
        tell(Retreated(Seat(seat), retreat_hex, kinds))
        return state.with_added_pieces(seat, (retreat_hex, kinds))
