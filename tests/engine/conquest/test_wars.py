"""In wars, groups change hands between a build list and building, and the map stays sound."""

from collections import Counter
from random import Random

import pytest

from engine import Answer, Decision, Match, Seat
from engine.conquest.board import KINDS
from engine.conquest.build_list import PIECE_OF
from engine.conquest.empire import ALL_PIECES, pieces_on_map
from engine.conquest.events import Built
from engine.conquest.hexes import free_village_boxes, is_enemy_group, is_sea
from engine.conquest.pieces import NOBODY, Kinds, pieces_of_kind
from engine.conquest.state import State
from tests.contract.player import random_act, random_answer
from tests.engine.conquest.wars import war

SEEDS = 12
TURNS = 3
"""Turns of each war that are played, from the third on."""
LOST_AT_LEAST = 4
"""Lists for lost groups, sealed and taken up again, that the wars of each size must reach to
prove anything.
"""


class Warlord:
    """A random player who builds ahead, reopens lists, and attacks others who have built ahead."""

    def __init__(self, match: Match, rng: Random) -> None:
        self.match, self.rng = match, rng
        self.sealed: set[tuple[int, Seat]] = set()
        """Turns and seats whose list is to stay as it is."""

    def act(self) -> None:
        """Take one action: a pick, an offer or a confirm."""
        offers = [offer for n in range(self.match.seats) for offer in self.match.offers(Seat(n))]
        for offer in offers:
            if self._wants(offer):
                self.match = self.match.pick(random_answer(offer, self.rng))
                return
        seat = self.rng.choice(self.match.waiting_for())
        question = self.match.question(seat)
        key = self._liked(question) if question is not None else ""
        if question is not None and key and self.rng.random() < 0.85:
            self.match = self.match.pick(Answer(seat, question.kind, (key,)))
        else:
            self.match = random_act(self.match, self.rng).on(self.match)

    def _wants(self, offer: Decision) -> bool:
        """Return whether to take an offer: each new list is reopened half the time."""
        if offer.kind != "reopen_build":
            return (
                offer.kind in ("fell_forest", "drop_rumor", "flip_tile")
                and self.rng.random() < 0.02
            )
        list_of = (self.match.base.turn, offer.seat)
        is_undecided = list_of not in self.sealed
        self.sealed.add(list_of)
        return is_undecided and self.rng.random() < 0.5

    def _liked(self, question: Decision) -> str:
        """Return the key that leads to war soonest; '' if any will do."""
        keys = [option.key for option in question.options]
        match question.kind:
            case "launch_explorer":
                return "pass"
            case "move_stack":
                by_war = [key for key in keys if self._has_war_canoe(question.seat, key)]
                return self.rng.choice(by_war) if by_war else "done"
            case "move_to":
                fights = [
                    option.key
                    for option in question.options
                    if dict(option.facts).get("way") == "fight"
                ]
                prepared = {line.spot for build in self.match.base.builds for line in build.lines}
                fights = [key for key in fights if key in prepared] or fights
                return self.rng.choice(fights) if fights else ""
            case "pick_company" | "pick_pieces":
                return "all" if "all" in keys else keys[-1]
            case "build_item":
                return self.rng.choice(
                    [key for key in keys if key not in ("later", "drop", "wait")]
                )
            case "save_villages":
                return keys[-1]
        return ""

    def _has_war_canoe(self, seat: Seat, key: str) -> bool:
        state: State = self.match.tip(seat)
        return state.pieces(seat, key).w > 0


def lost_lists(before: State, after: State) -> list[str]:
    """Return the lists made ahead with pieces for groups that are lost when building begins."""
    if after.step != "building" or before.step == "building":
        return []
    found = []
    for seat, build in enumerate(before.builds):
        spots = {line.spot for line in build.lines if line.item in PIECE_OF}
        if any(after.group(spot).owner != seat for spot in spots):
            found.append("sealed" if build.ready else "reopened")
    return found


def check_map(state: State) -> None:
    """Check that seats share no hex outside Battles, and that each Village's owner has Control."""
    for spot, stacks in state.stacks_at.items():
        assert len(stacks) == 1, f"{stacks} share {spot}"
        (stack,) = stacks
        assert stack.seat in state.seats
        assert not is_enemy_group(state, stack.seat, spot), (
            f"{stack} lies in a group of seat {state.group(spot).owner}"
        )
        assert stack.kinds.is_afloat or not is_sea(state, spot), (
            f"{stack} has cargo without a canoe"
        )
    for group in state.groups:
        assert (group.owner in state.seats) == (group.villages > 0), group
        assert group.owner in state.seats or group.owner == NOBODY, group
        assert free_village_boxes(state, group.spot) >= 0, group


def check_pieces(before: Match, after: Match) -> None:
    """Check that nobody has more pieces than exist, and that none appears without being built."""
    assert after.last is not None
    for seat in range(after.seats):
        kinds = pieces_on_map(after.base, seat)
        supply = pieces_on_map(before.base, seat)
        for event in after.last.events:
            if isinstance(event, Built) and event.seat == seat:
                for line in event.items:
                    supply = (
                        supply.plus(pieces_of_kind(PIECE_OF[line.item]))
                        if line.item in PIECE_OF
                        else supply
                    )
        for kind in KINDS:
            assert 0 <= kinds.of(kind) <= min(supply.of(kind), ALL_PIECES.of(kind)), (
                f"{kind} of {seat}"
            )
        assert all(
            min(stack.kinds.numbers) >= 0 and stack.kinds != Kinds() for stack in after.base.stacks
        )


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_no_war_leaves_anything_in_a_group_that_was_lost(seats: int) -> None:
    reached: Counter[str] = Counter()
    for seed in range(SEEDS):
        lord = Warlord(war(seats, seed), Random(f"war {seats} {seed}"))
        last_turn = lord.match.base.turn + TURNS
        while lord.match.outcome is None and lord.match.base.turn < last_turn:
            before = lord.match
            lord.act()
            if lord.match.number == before.number:
                continue
            reached.update(lost_lists(before.base, lord.match.base))
            check_map(lord.match.base)
            check_pieces(before, lord.match)
            assert set(lord.match.waiting_for()) <= set(lord.match.base.seats), (
                "a seat that is out is asked"
            )
    assert reached["reopened"] >= LOST_AT_LEAST, reached
    assert reached["sealed"] >= LOST_AT_LEAST, reached
