"""After a Battle: Retreating and Island Group Conquest.

What each side has to say is asked of both at once, for neither answer touches the other's;
SettleBattle then carries it out in the rulebook's order: Villages saved, the winner in the hex,
Control, a lost Home, Kumara, and last the retreat. Only the loser retreats, the winner's panicked
and back-row pieces stay.
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
from engine.conquest.empire import lose_home, name_home, take_kumara, with_control
from engine.conquest.hex_options import hex_options
from engine.conquest.hexes import controlled, is_independent, is_sea, land_at, other_zealand
from engine.conquest.pieces import NOBODY, NONE, Aftermath, Battle, Kinds
from engine.conquest.reasons import Objection, about_hex, called, counted, is_hex
from engine.conquest.sea_events import CanoesOpened
from engine.conquest.steps.after_loss import CheckEmpires
from engine.core.decision import Answer, Decision, Option, Seat
from engine.core.event import Tell
from engine.core.steps import Run, Step, push
from engine.core.table import Table

if TYPE_CHECKING:
    from engine.conquest.state import State


def won_battle(state: "State") -> tuple[Battle, Aftermath]:
    """The Battle that was won and what was said about it."""
    if state.battle is None or state.battle.aftermath is None:
        raise ValueError("there is no Battle to settle")
    return state.battle, state.battle.aftermath


def saving_objection(state: "State", battle: Battle, given: Kinds) -> Objection:
    """Return why the attacker cannot give up these pieces: front-row pieces that did not panic,
    one a Village.
    """
    row, villages = battle.sides[ATTACKER], village_count(state, battle)
    if given.total > villages:
        return "not_so_many_villages", {"spot": battle.spot, "number": villages}
    if given.w > row.w or given.b > row.b:
        return "not_so_many_brave", {"brave": (("w", row.w), ("b", row.b))}
    # "If the conquered Island Group is printed on the map, the new owner must always keep at least
    # one Piece".
    if battle.spot in PRINTED and given.total >= row.survivors.total:
        return about_hex("one_must_stay", battle.spot)
    return None


def savings(state: "State", battle: Battle) -> tuple[Kinds, ...]:
    """What the attacker may give up for Villages, the fewest pieces first."""
    row = battle.sides[ATTACKER]
    most = min(village_count(state, battle), row.w + row.b)
    given = [Kinds(w=w, b=total - w) for total in range(1, most + 1) for w in range(total + 1)]
    return tuple(kinds for kinds in given if not saving_objection(state, battle, kinds))


def village_count(state: "State", battle: Battle) -> int:
    """Villages that could be saved; an Independent group shows one on each green box."""
    return (
        battle.villages if is_independent(state, battle.spot) else state.group(battle.spot).villages
    )


def named(kinds: Kinds) -> str:
    """The key of pieces given up: '1b', '1b1w', or 'none'."""
    return "".join(f"{kinds.of(kind)}{kind}" for kind in "bw" if kinds.of(kind)) or "none"


def haven_objection(state: "State", battle: Battle, seat: int, spot: str) -> Objection:
    """Return why a seat's pieces cannot retreat to a hex, however near it is.

    They "may not be placed in any hex currently containing enemy Battle Pieces": that is where a
    Battle is still due.
    """
    if spot == battle.spot:
        return about_hex("lost_there", spot)
    if state.group(spot).owner != seat:
        return about_hex("no_village", spot)
    due = state.movement.due if state.movement is not None else ()
    return about_hex("battle_due", spot) if spot in due else None


def havens(state: "State", battle: Battle, seat: int) -> tuple[str, ...]:
    """The nearest of the seat's groups, counted in hexes whatever lies between."""
    own = [
        spot for spot in controlled(state, seat) if not haven_objection(state, battle, seat, spot)
    ]
    nearest = min((distance(battle.spot, spot) for spot in own), default=0)
    return tuple(spot for spot in own if distance(battle.spot, spot) == nearest)


def berths(kinds: Kinds) -> tuple[tuple[int, int], ...]:
    """The best loads of Warrior Bands and Colonies that the canoes of a side can carry, fewest
    Colonies first.
    """
    loads: list[tuple[int, int]] = []
    for colonies in range(min(kinds.c, kinds.t) + 1):
        bands = min(kinds.b, kinds.canoes - colonies)
        # A load with more Colonies and no fewer Bands is better than the one before.
        if loads and loads[-1][0] == bands:
            loads.pop()
        loads.append((bands, colonies))
    return tuple(loads)


def needs_berths(state: "State", battle: Battle, after: Aftermath, side: int) -> bool:
    """The loser's cargo, unless it retreats over land to the other New Zealand tile; at sea the
    winner's as well.

    The last is a ruling: a winner may have lost the very canoes that carried its Bands and Colonies
    over the sea.
    """
    if side == after.winner:
        return is_sea(state, battle.spot)
    return other_zealand(state, battle.spot) != retreat_of(state, battle, after)


def retreat_of(state: "State", battle: Battle, after: Aftermath) -> str:
    """Where the loser goes: as they said, or the only place; 'none' if there is none."""
    if after.retreat:
        return after.retreat
    loser = battle.seat(1 - after.winner)
    spots = havens(state, battle, loser) if loser != NOBODY else ()
    return spots[0] if spots else "none"


class SettleAftermath(Step, frozen=True):
    """Winner and loser say what is theirs to say; neither touches the other's."""

    def asks(self, state: "State") -> bool:
        """Until nothing is left to say."""
        return bool(self.ask(state))

    def ask(self, state: "State") -> tuple[Decision, ...]:
        """A question at a time to each side."""
        battle, after = won_battle(state)
        sides = [side for side in (ATTACKER, DEFENDER) if battle.seat(side) != NOBODY]
        asked = [self.question(state, battle, after, side) for side in sides]
        return tuple(decision for decision in asked if decision is not None)

    def question(
        self, state: "State", battle: Battle, after: Aftermath, side: int
    ) -> Decision | None:
        """What that side has still to say, one thing after the other."""
        if side != after.winner:
            # Where to comes first: over land to the other New Zealand tile nobody needs a canoe.
            return (
                self._retreat(state, battle, after, side)
                or self._leave(state, battle, after, side)
                or self._home(state, battle, after, side)
            )
        # Villages first: "this decision must be made immediately".
        return (
            (self._save(state, battle, after) if side == ATTACKER else None)
            or self._leave(state, battle, after, side)
            or self._open(state, battle, after, side)
        )

    def _save(self, state: "State", battle: Battle, after: Aftermath) -> Decision | None:
        """How many Villages the attacker saves, and with what."""
        choices = savings(state, battle)
        if after.save or not choices:
            return None
        options = [Option("none", forfeits=True)]
        for kinds in choices:
            given = (("w", kinds.w), ("b", kinds.b))
            options.append(Option(named(kinds), facts=(("saved", kinds.total), ("given", given))))
        about = (("spot", battle.spot), ("villages", village_count(state, battle)))
        return Decision(battle.attacker, "save_villages", tuple(options), facts=about)

    def _open(self, state: "State", battle: Battle, after: Aftermath, side: int) -> Decision | None:
        """Whether the winner places one Transport Canoe face up; not to say leaves a defender's
        as it lay.
        """
        if after.open or not battle.sides[side].t:
            return None
        was_open = side == DEFENDER and battle.open
        options = (Option("open", ends=was_open), Option("hidden", ends=not was_open))
        return Decision(
            Seat(battle.seat(side)), "open_here", options, facts=(("spot", battle.spot),)
        )

    def _retreat(
        self, state: "State", battle: Battle, after: Aftermath, side: int
    ) -> Decision | None:
        """Where to, with several groups at the same distance, and if anything is left to
        retreat.
        """
        seat = Seat(battle.seat(side))
        spots = havens(state, battle, seat)
        if after.retreat or len(spots) < 2:
            return None
        # Without a canoe only those survive who can walk to the other New Zealand tile.
        kinds = battle.sides[side].survivors
        walks = kinds.total > 0 and other_zealand(state, battle.spot) in spots
        if not kinds.canoes and not walks:
            return None
        return Decision(seat, "retreat_to", hex_options(spots), facts=(("spot", battle.spot),))

    def _leave(
        self, state: "State", battle: Battle, after: Aftermath, side: int
    ) -> Decision | None:
        """Who is saved, where Bands and Colonies want the same canoes."""
        loads = berths(battle.sides[side].survivors)
        if after.leave[side] or len(loads) < 2 or not needs_berths(state, battle, after, side):
            return None
        if side != after.winner and retreat_of(state, battle, after) == "none":
            return None
        options = []
        for bands, colonies in loads:
            about = (("bands", bands), ("colonies", colonies))
            options.append(Option(f"{bands}b{colonies}c", facts=about))
        seat = Seat(battle.seat(side))
        return Decision(seat, "leave_behind", tuple(options), facts=(("spot", battle.spot),))

    def _home(self, state: "State", battle: Battle, after: Aftermath, side: int) -> Decision | None:
        """The new Home of a defender who lost theirs and has a choice."""
        seat = Seat(battle.seat(side))
        others = [spot for spot in controlled(state, seat) if spot != battle.spot]
        lost_home = side == DEFENDER and state.nations[seat].home == battle.spot
        if after.home or not lost_home or len(others) < 2:
            return None
        return Decision(seat, "name_home", hex_options(others))

    def take(self, state: "State", answer: Answer, tell: Tell) -> "State":
        """Noted until both have spoken."""
        battle, after = won_battle(state)
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
        return state.changed(battle=replace(battle, aftermath=after))

    def objection(self, state: "State", decision: Decision, key: str) -> Objection:
        """What can be given up, where the loser can go, and what the canoes can carry."""
        battle, _ = won_battle(state)
        match decision.kind:
            case "save_villages":
                given = counted(key)
                if given is None:
                    return None
                if given.total != given.w + given.b:
                    return "no_battle_pieces", {}
                return called(decision, named(given)) or saving_objection(state, battle, given)
            case "leave_behind":
                return self._load_objection(battle, decision, key)
            case "retreat_to" if is_hex(key):
                nearest = decision.options[0].spot
                away, near = distance(battle.spot, key), distance(battle.spot, nearest)
                further = {"spot": key, "away": away, "nearest": nearest, "near": near}
                return haven_objection(state, battle, decision.seat, key) or (
                    "not_nearest",
                    further,
                )
            case "name_home" if is_hex(key):
                return about_hex("lost_there" if key == battle.spot else "no_village", key)
        return None

    def _load_objection(self, battle: Battle, decision: Decision, key: str) -> Objection:
        """As much as the canoes can carry, and no less."""
        saved = counted(key)
        if saved is None:
            return None
        if saved.total != saved.b + saved.c:
            return "cargo_only", {}
        if meant := called(decision, f"{saved.b}b{saved.c}c"):
            return meant
        there = battle.sides[ATTACKER if decision.seat == battle.attacker else DEFENDER].survivors
        for kind in ("b", "c"):
            if saved.of(kind) > there.of(kind):
                return "not_so_many", {"spot": battle.spot, "kind": kind, "number": there.of(kind)}
        if saved.c > there.t:
            return "colony_needs_transport", {"colonies": saved.c, "canoes": there.t}
        if saved.total > there.canoes:
            return "too_much_cargo", {"cargo": saved.total, "canoes": there.canoes}
        return about_hex("room_for_more", battle.spot)


class SettleBattle(Run, frozen=True):
    """The hex changes hands or not, the loser is gone from it, and all pieces lie face down
    again.
    """

    def run(self, state: "State", table: Table) -> "State":
        """Everything said is done."""
        battle, after = won_battle(state)
        state = state.changed(step="movement")
        if after.winner == ATTACKER:
            state = self._conquer(state, battle, after, table.tell)
            state = self._retreat(state, battle, after, DEFENDER, table.tell)
        else:
            if battle.defender != NOBODY:
                kinds = self._aboard(state, battle, after, DEFENDER, table.tell)
                state = state.with_pieces(
                    battle.defender, battle.spot, kinds, is_open=after.open == "open"
                )
                if after.open == "open" and not battle.open:
                    table.tell(CanoesOpened(Seat(battle.defender), (battle.spot,)))
            state = self._retreat(state, battle, after, ATTACKER, table.tell)
        return push(state.changed(battle=None), CheckEmpires())

    def _conquer(self, state: "State", battle: Battle, after: Aftermath, tell: Tell) -> "State":
        """The attacker moves in; Control and a share of the Kumara come with a saved Village."""
        seat, loser = battle.attacker, battle.defender
        given = next(
            (kinds for kinds in savings(state, battle) if named(kinds) == after.save), NONE
        )
        villages = village_count(state, battle)
        if villages:
            tell(VillagesSaved(seat, battle.spot, given.total, villages, given))
        # What is given up leaves before Control is set.
        kinds = self._aboard(state, battle, after, ATTACKER, tell).minus(given)
        state = state.with_pieces(seat, battle.spot, kinds, is_open=after.open == "open")
        if after.open == "open":
            tell(CanoesOpened(seat, (battle.spot,)))
        if land_at(state, battle.spot) is None:
            return state
        tell(GroupTaken(seat, battle.spot, given.total > 0))
        # "Improved Agriculture is never removed by conquest": only owner and Villages change.
        owner = seat if given.total else NOBODY
        group = replace(state.group(battle.spot), owner=owner, villages=given.total, taken=True)
        state = lose_home(with_control(state, group), loser, battle.spot, tell)
        if after.home:
            state = name_home(state, loser, after.home, tell)
        # A conqueror who saves a Village of somebody with Kumara gets it as well; the loser keeps
        # theirs.
        had_kumara = loser != NOBODY and state.nations[loser].kumara
        if given.total and had_kumara and not state.nations[seat].kumara:
            state = take_kumara(state, seat, tell)
        return state

    def _aboard(
        self, state: "State", battle: Battle, after: Aftermath, side: int, tell: Tell
    ) -> Kinds:
        """What of a side finds room in its canoes, where it needs them; the rest is lost."""
        kinds = battle.sides[side].survivors
        if not needs_berths(state, battle, after, side):
            return kinds
        # Without a choice there was no question: the only load it is.
        bands, colonies = berths(kinds)[0]
        for b, c in berths(kinds):
            if after.leave[side] == f"{b}b{c}c":
                bands, colonies = b, c
        stranded = Kinds(b=kinds.b - bands, c=kinds.c - colonies)
        if stranded.total:
            tell(PiecesStranded(Seat(battle.seat(side)), stranded))
        return kinds.minus(stranded)

    def _retreat(
        self, state: "State", battle: Battle, after: Aftermath, side: int, tell: Tell
    ) -> "State":
        """All survivors together to one group, or out of the game."""
        seat, kinds = battle.seat(side), battle.sides[side].survivors
        if seat == NOBODY or not kinds.total:
            return state
        haven = retreat_of(state, battle, after)
        if haven == "none":
            tell(Retreated(Seat(seat), "", kinds))
            return state
        kinds = self._aboard(state, battle, after, side, tell)
        if not kinds.total:
            return state
        tell(Retreated(Seat(seat), haven, kinds))
        return state.adding(seat, (haven, kinds))
