"""What a position keeps from the one before is what would be worked out anew."""

from inspect import getattr_static, signature
from random import Random
from types import MethodType
from typing import Any

import pytest
from msgspec.structs import fields, replace

from engine import Answer, Decision, Table
from engine.conquest import GAME
from engine.conquest.kept import WORKS, kept
from engine.conquest.state import State
from tests.engine.conquest.wars import war

ANSWERS = 200
FIELDS = {field.name for field in fields(State)}


class Watched:
    """A position that has kept nothing, and notes which of its fields are read."""

    def __init__(self, state: State) -> None:
        self.state, self.read = state, set[str]()

    def changed(self, **changes: Any) -> "Watched":
        after = Watched(replace(self.state, **changes))
        after.read = self.read
        return after

    def __getattr__(self, name: str) -> Any:
        if name in FIELDS:
            self.read.add(name)
            return getattr(self.state, name)
        return WORKS[name].out(self) if name in WORKS else MethodType(getattr_static(State, name), self)


def _check(state: State) -> set[str]:
    """What is kept is the same worked out anew, from no other fields than it names; under which names."""
    names = state.__dict__.keys() & WORKS.keys()
    for name in names:
        work, known = WORKS[name], state.__dict__[name]
        for key, value in known.items() if work.by_key else ((None, known),):
            watched = Watched(state)
            assert value == (work.out(watched, key) if work.by_key else work.out(watched)), name
            assert watched.read <= work.sources, name
    return names


def _work_out_all(state: State) -> None:
    """All that is kept of the position and of each seat."""
    for name, work in WORKS.items():
        if not work.by_key:
            getattr(state, name)
        elif "seat" in signature(work.out).parameters:
            known = state.__dict__.setdefault(name, {})
            known.update({seat: work.out(state, seat) for seat in state.seats if seat not in known})


def _random(decision: Decision, rng: Random) -> Answer:
    ending = decision.ending()
    if ending and rng.random() < 0.3:
        return Answer(decision.seat, decision.kind, (ending.key,))
    number = rng.randint(decision.at_least, decision.at_most)
    return Answer(decision.seat, decision.kind, tuple(option.key for option in rng.sample(decision.options, number)))


@pytest.mark.parametrize("seats", GAME.seats)
def test_nothing_kept_goes_stale(seats: int) -> None:
    rng, table = Random(f"kept {seats}"), Table("kept")
    state, at_rest = war(seats, seats).base, True
    seen: set[str] = set()
    for _ in range(ANSWERS):
        decisions = GAME.questions(state)
        _work_out_all(state)
        GAME.view(state, rng.choice(state.seats))
        seen |= _check(state)
        # An offer is taken between two drafts, never within one.
        answer = _random(rng.choice(decisions if at_rest and rng.random() < 0.5 else decisions[:1]), rng)
        applied = GAME.apply(state, answer, table.tell)
        at_rest, state = bool(GAME.follows(applied)), GAME.advance(applied, table)
        if GAME.outcome(state) is not None:
            break
    assert seen == set(WORKS)


@pytest.mark.parametrize("seats", GAME.seats)
def test_nothing_kept_outlives_a_new_deal_of_what_it_was_worked_out_from(seats: int) -> None:
    for seed in range(3):
        state = war(seats, seed).base
        _work_out_all(state)
        for viewer in (None, *state.seats):
            GAME.view(state, viewer)
            _check(GAME.redeal(state, viewer, Table(f"anew {seed}")))


def test_two_values_of_one_name_are_refused() -> None:
    def tile_at(state: State) -> int:
        return 0

    with pytest.raises(ValueError, match="tile_at"):
        kept("tiles")(tile_at)


@pytest.mark.parametrize("sources", [(), ("agenda",), ("tiles", "agenda")])
def test_what_no_step_would_leave_as_it_is_is_not_kept(sources: tuple[str, ...]) -> None:
    def outlook(state: State) -> int:
        return 0

    with pytest.raises(ValueError, match="outlook"):
        kept(*sources)(outlook)
