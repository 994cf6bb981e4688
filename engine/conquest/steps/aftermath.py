"""After a Battle: Villages saved, retreats, stranded pieces and lost Homes, said by both sides at once."""

from typing import TYPE_CHECKING

from msgspec.structs import replace

from engine.conquest.battle_events import (
    CanoesOpened,
    GroupTaken,
    PiecesStranded,
    Retreated,
    VillagesSaved,
)
from engine.conquest.board import PRINTED, distance
from engine.conquest.empire import lose_home, name_home, take_kumara, with_control
from engine.conquest.hex_options import hex_options
from engine.conquest.hexes import controlled, is_independent, is_sea, land_at, other_zealand
from engine.conquest.pieces import NOBODY, NONE, Aftermath, Battle, Kinds
from engine.conquest.steps.after_loss import CheckEmpires
from engine.core.decision import Answer, Decision, Option, Seat
from engine.core.event import Tell
from engine.core.steps import Run, Step, push
from engine.core.table import Table

if TYPE_CHECKING:
    from engine.conquest.state import State


def settling(state: "State") -> tuple[Battle, Aftermath]:
    """The Battle that was won and what was said about it."""
    if state.battle is None or state.battle.aftermath is None:
        raise ValueError("no Battle is to be settled")
    return state.battle, state.battle.aftermath


def savings(state: "State", battle: Battle) -> tuple[Kinds, ...]:
    """What the attacker may give up for Villages: front-row pieces that did not panic, a piece a Village."""
    row = battle.sides[0]
    # A conquered printed group keeps a piece.
    free = row.survivors.total - (1 if battle.spot in PRINTED else 0)
    most = min(village_count(state, battle), free)
    choices = [Kinds(w=w, b=b) for b in range(row.b + 1) for w in range(row.w + 1) if 0 < w + b <= most]
    return tuple(sorted(choices, key=lambda kinds: (kinds.total, kinds.w)))


def village_count(state: "State", battle: Battle) -> int:
    """Villages that could be saved; an Independent group shows one on each green box."""
    return battle.villages if is_independent(state, battle.spot) else state.group(battle.spot).villages


def named(kinds: Kinds) -> str:
    """The key of pieces given up: '1b', '1b1w'."""
    return "".join(f"{kinds.of(kind)}{kind}" for kind in "bw" if kinds.of(kind)) or "none"


def havens(state: "State", battle: Battle, seat: int) -> tuple[str, ...]:
    """The nearest of the seat's groups where no Battle is due."""
    due = state.movement.due if state.movement is not None else ()
    own = [spot for spot in controlled(state, seat) if spot != battle.spot and spot not in due]
    nearest = min((distance(battle.spot, spot) for spot in own), default=0)
    return tuple(spot for spot in own if distance(battle.spot, spot) == nearest)


def berths(kinds: Kinds) -> tuple[tuple[int, int], ...]:
    """The best loads of Warrior Bands and Colonies that the canoes of a side can carry."""
    loads = [(min(kinds.b, kinds.canoes - c), c) for c in range(min(kinds.c, kinds.t) + 1)]

    def is_best(bands: int, colonies: int) -> bool:
        """Whether no other load has as many of both."""
        return not any(b >= bands and c >= colonies and (b, c) != (bands, colonies) for b, c in loads)

    return tuple(load for load in loads if is_best(*load))


def can_leave(state: "State", battle: Battle, side: int, spots: tuple[str, ...]) -> bool:
    """Whether anything survives a retreat: canoes do, and whoever can walk to the other New Zealand tile."""
    kinds = battle.sides[side].survivors
    return kinds.canoes > 0 or (kinds.total > 0 and other_zealand(state, battle.spot) in spots)


def needs_berths(state: "State", battle: Battle, after: Aftermath, side: int) -> bool:
    """The loser's cargo, unless it retreats over land to the other New Zealand tile; at sea the winner's as well."""
    if side == after.winner:
        return is_sea(state, battle.spot)
    return other_zealand(state, battle.spot) != retreat_of(state, battle, after)


def retreat_of(state: "State", battle: Battle, after: Aftermath) -> str:
    """Where the loser goes: as they said, or the only place; 'none' if there is none."""
    if after.retreat:
        return after.retreat
    loser = battle.seat(1 - after.winner)
    return next(iter(havens(state, battle, loser)), "none") if loser != NOBODY else "none"


class SettleAftermath(Step, frozen=True):
    """Winner and loser say what is theirs to say; neither touches the other's."""

    def asks(self, state: "State") -> bool:
        """Until nothing is left to say."""
        return bool(self.ask(state))

    def ask(self, state: "State") -> tuple[Decision, ...]:
        """A question at a time to each side."""
        battle, after = settling(state)
        asked = [self.question(state, battle, after, side) for side in (0, 1) if battle.seat(side) != NOBODY]
        return tuple(decision for decision in asked if decision is not None)

    def question(self, state: "State", battle: Battle, after: Aftermath, side: int) -> Decision | None:
        """What that side has still to say, one thing after the other."""
        if side != after.winner:
            # Where to comes first: over land to the other New Zealand tile nobody needs a canoe.
            return (
                self._retreat(state, battle, after, side)
                or self._leave(state, battle, after, side)
                or self._home(state, battle, after, side)
            )
        if side == 1:
            return self._leave(state, battle, after, side)
        return (
            self._save(state, battle, after)
            or self._leave(state, battle, after, side)
            or self._open(state, battle, after)
        )

    def _save(self, state: "State", battle: Battle, after: Aftermath) -> Decision | None:
        choices = savings(state, battle)
        if after.save or not choices:
            return None
        given = [
            Option(named(kinds), facts=(("saved", kinds.total), ("given", (("w", kinds.w), ("b", kinds.b)))))
            for kinds in choices
        ]
        options = (Option("none", ends=True), *given)
        about = (("spot", battle.spot), ("villages", village_count(state, battle)))
        return Decision(battle.attacker, "save_villages", options, facts=about)

    def _open(self, state: "State", battle: Battle, after: Aftermath) -> Decision | None:
        if after.open or not battle.sides[0].t:
            return None
        options = (Option("open"), Option("hidden", ends=True))
        return Decision(battle.attacker, "open_here", options, facts=(("spot", battle.spot),))

    def _retreat(self, state: "State", battle: Battle, after: Aftermath, side: int) -> Decision | None:
        seat = Seat(battle.seat(side))
        spots = havens(state, battle, seat)
        if after.retreat or len(spots) < 2 or not can_leave(state, battle, side, spots):
            return None
        return Decision(seat, "retreat_to", hex_options(spots), facts=(("spot", battle.spot),))

    def _leave(self, state: "State", battle: Battle, after: Aftermath, side: int) -> Decision | None:
        loads = berths(battle.sides[side].survivors)
        if after.leave[side] or len(loads) < 2 or not needs_berths(state, battle, after, side):
            return None
        if side != after.winner and retreat_of(state, battle, after) == "none":
            return None
        options = tuple(Option(f"{b}b{c}c", facts=(("bands", b), ("colonies", c))) for b, c in loads)
        return Decision(Seat(battle.seat(side)), "leave_behind", options, facts=(("spot", battle.spot),))

    def _home(self, state: "State", battle: Battle, after: Aftermath, side: int) -> Decision | None:
        seat = Seat(battle.seat(side))
        others = [spot for spot in controlled(state, seat) if spot != battle.spot]
        if after.home or side == 0 or state.nations[seat].home != battle.spot or len(others) < 2:
            return None
        return Decision(seat, "name_home", hex_options(others))

    def take(self, state: "State", answer: Answer, tell: Tell) -> "State":
        """Noted until both have spoken."""
        battle, after = settling(state)
        key, side = answer.keys[0], int(answer.seat != battle.attacker)
        fields = {"save_villages": "save", "open_here": "open", "retreat_to": "retreat", "name_home": "home"}
        if answer.kind == "leave_behind":
            leave = (after.leave[0], key) if side else (key, after.leave[1])
            after = replace(after, leave=leave)
        else:
            after = replace(after, **{fields[answer.kind]: key})
        return state.changed(battle=replace(battle, aftermath=after))


class SettleBattle(Run, frozen=True):
    """The hex changes hands or not, the loser is gone from it, and all pieces lie face down again."""

    def run(self, state: "State", table: Table) -> "State":
        """Everything said is done."""
        battle, after = settling(state)
        state = state.changed(step="movement")
        if after.winner == 0:
            state = self._conquer(state, battle, after, table.tell)
            state = self._retreat(state, battle, after, 1, table.tell)
        else:
            state = self._hold(state, battle, after, table.tell)
            state = self._retreat(state, battle, after, 0, table.tell)
        return push(state.changed(battle=None), CheckEmpires())

    def _conquer(self, state: "State", battle: Battle, after: Aftermath, tell: Tell) -> "State":
        """The attacker moves in; Control and a share of the Kumara come with a saved Village."""
        seat, loser = battle.attacker, battle.defender
        given = next((kinds for kinds in savings(state, battle) if named(kinds) == after.save), NONE)
        villages = village_count(state, battle)
        if villages:
            tell(VillagesSaved(seat, battle.spot, given.total, villages, given))
        kinds = self._aboard(state, battle, after, 0, tell).minus(given)
        state = state.with_pieces(seat, battle.spot, kinds, is_open=after.open == "open")
        if after.open == "open":
            tell(CanoesOpened(seat, (battle.spot,)))
        if land_at(state, battle.spot) is None:
            return state
        tell(GroupTaken(seat, battle.spot, given.total > 0))
        owner = seat if given.total else NOBODY
        group = replace(state.group(battle.spot), owner=owner, villages=given.total, taken=True)
        state = lose_home(with_control(state, group), loser, battle.spot, tell)
        if after.home:
            state = name_home(state, loser, after.home, tell)
        # A conqueror who saves a Village of somebody with Kumara gets it as well; the loser keeps theirs.
        had_kumara = loser != NOBODY and state.nations[loser].kumara
        if given.total and had_kumara and not state.nations[seat].kumara:
            state = take_kumara(state, seat, tell)
        return state

    def _hold(self, state: "State", battle: Battle, after: Aftermath, tell: Tell) -> "State":
        """The defender's pieces stay, and an open canoe stays open."""
        if battle.defender == NOBODY:
            return state
        kinds = self._aboard(state, battle, after, 1, tell)
        return state.with_pieces(battle.defender, battle.spot, kinds, is_open=battle.open)

    def _aboard(self, state: "State", battle: Battle, after: Aftermath, side: int, tell: Tell) -> Kinds:
        """What of a side finds room in its canoes, where it needs them; the rest is lost."""
        kinds = battle.sides[side].survivors
        if not needs_berths(state, battle, after, side):
            return kinds
        loads = {f"{b}b{c}c": (b, c) for b, c in berths(kinds)}
        # Without a choice there was no question: the only load it is.
        b, c = loads.get(after.leave[side], berths(kinds)[0])
        stranded = Kinds(b=kinds.b - b, c=kinds.c - c)
        if stranded.total:
            tell(PiecesStranded(Seat(battle.seat(side)), stranded))
        return kinds.minus(stranded)

    def _retreat(self, state: "State", battle: Battle, after: Aftermath, side: int, tell: Tell) -> "State":
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
