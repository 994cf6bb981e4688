"""The contract holds in matches that sail far, with guides and masks."""

import json
from collections import Counter
from random import Random

import pytest

from engine import Malformed, Seat, load, save
from engine.polynesia.state import State
from tests.contract import checks
from tests.contract.games import new_match
from tests.engine.polynesia.voyages import CARDS, voyage


def pieces_are_all_there(state: State) -> None:
    """Check the number of pieces: members and ships per seat, stones and Point tokens."""
    for seat, own in enumerate(state.sides):
        assert sum(own.members) + own.home == 13
        assert own.ships + sum(bits >> seat & 1 for bits in state.routes) == 15
    assert len(state.lava) + sum(state.bag) == 10
    assert [bits for bits in state.routes if (bits % 16 > 0) != (bits // 16 > 0)] == []
    held = Counter(token for own in state.sides for token in own.tokens) + Counter(
        t for t in state.tokens if t
    )
    assert max(held.values(), default=1) == 1
    if state.pool is not None:
        assert (
            sum(own.points for own in state.sides) + state.pool + len(state.archipelago_points)
            == 10
        )


@pytest.mark.parametrize(("seats", "card"), CARDS)
def test_every_card_keeps_the_contract(seats: int, card: str) -> None:
    match = new_match("polynesia", seats, {f"tide{card[0]}": card}, seed=f"voyage {card}")
    rng = Random(card)
    told = 0
    for turn, stood in enumerate(voyage(match, rng)):
        checks.check_somebody_is_asked(stood)
        checks.check_questions(stood)
        pieces_are_all_there(stood.base)
        if stood.number > told:
            told = stood.number
            checks.check_all_is_worded(stood, stood.last.events if stood.last else ())
        if turn % 12 == 0:
            checks.check_values(stood, stood.last.events if stood.last else ())
            checks.check_picks(stood, rng, most=2)
            checks.check_advance_is_idempotent(stood)
    assert stood.number <= match.game.commit_limit
    checks.check_saves(stood)


def test_voyages_meet_every_question_and_every_event_of_the_game() -> None:
    """Nothing in the rules is out of reach of play."""
    kinds, told = set(), set()
    for number, (seats, card) in enumerate(CARDS):
        rng = Random(number)
        match = voyage(
            new_match("polynesia", seats, {f"tide{card[0]}": card}, seed=f"every {number}"), rng
        )[-1]
        kinds |= {answer.kind for commit in match.commits for answer in commit.answers}
        told |= {type(event).__name__ for event in match.events}
    assert kinds == {
        "take_action",
        "explore_route",
        "pay_route",
        "populate_now",
        "populate",
        "add_member",
        "move_member",
        "hire_guide",
        "explore_free",
        "mark_route",
        "use_mask",
        "decline",
    }
    assert told == {kind.__name__ for kind in match.game.event_type.__args__}


def test_drafts_of_a_voyage_survive_a_save() -> None:
    for stood in voyage(new_match("polynesia", 3, seed="drafts"), Random("drafts"))[::7]:
        checks.check_saves(stood)


def test_every_seat_sees_the_same() -> None:
    """Nothing is hidden: a seat sees what a spectator sees, but for its own draft."""
    match = voyage(new_match("polynesia", 4, seed="open"), Random("open"))[-1]
    views = [match.view(Seat(seat)) for seat in range(4)]
    assert {view.islands for view in views} == {match.view(None).islands}


@pytest.mark.parametrize(
    ("field", "wrong"),
    [
        ("map", "../../secret"),
        ("tokens", ["K01"]),
        ("routes", [0]),
        ("marker", "4"),
        ("sides", []),
        ("lava", ["blue"]),
    ],
)
def test_a_damaged_position_is_refused(field: str, wrong: object) -> None:
    raw = json.loads(save(new_match("polynesia", 3, seed="damaged")))
    raw["base"][field] = wrong
    with pytest.raises(Malformed):
        load(json.dumps(raw))
