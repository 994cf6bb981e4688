"""A sample of typed turns; `python -m tests.fuzz.typed` plays any number."""

from itertools import islice
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from engine import GAMES, begin
from engine.core.typed import DeadEnd, Reading
from tests.contract.games import tables
from tests.fuzz import typed

TURNS = 12
SIZES = [(game_id, seats) for game_id, game in GAMES.items() for seats in game.seats]


@pytest.mark.parametrize(("game_id", "seats"), SIZES)
def test_a_turn_commits_the_same_typed_in_any_way_or_pressed(game_id: str, seats: int) -> None:
    rng = Random(f"{game_id} {seats}")
    settings = rng.choice(tables(GAMES[game_id], seats))
    match = begin(GAMES[game_id], seats, settings, "typed")
    assert sum(islice(typed.check_match(match, rng), TURNS)) >= 2 * TURNS


def test_a_text_that_is_misread_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """If a forced answer in a text were read as the next choice, the comparison would find it."""
    answer = Reading.answer

    def forgetful(self: Reading, *given: Any) -> Reading | DeadEnd:
        after = answer(self, *given)
        return replace(after, pending=()) if isinstance(after, Reading) else after

    monkeypatch.setattr(Reading, "answer", forgetful)
    rng = Random("misread")
    match = begin(GAMES["maori"], 2, {"rules": "advanced"}, "misread")
    with pytest.raises(typed.Misread):
        sum(typed.check_match(match, rng))
