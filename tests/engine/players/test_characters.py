"""Characters: a taste that one can feel, and no weakness."""

from collections import Counter

import pytest
from msgspec.structs import replace

from engine import GAMES, Table, begin
from engine.core.words import words_of
from engine.players import CHARACTERS, think
from engine.players.characters import TASTE, give_taste
from engine.players.levels import sort_by_taste
from engine.players.mind import mind_of
from engine.players.simple import stand_in
from tests.toy import TOY


@pytest.mark.parametrize("game", list(GAMES))
def test_every_game_says_what_each_character_likes(game: str) -> None:
    told = {words_of(game).say_if_any(f"character.{character}") for character in CHARACTERS}
    assert len(told) == len(CHARACTERS) and "" not in told


@pytest.mark.parametrize("game", list(GAMES))
def test_tastes_are_for_parts_that_the_estimate_has(game: str) -> None:
    match = begin(GAMES[game], 2, {}, "tastes")
    for _ in range(6):
        match = stand_in(match, match.waiting_for()[0])
    parts = mind_of(match.game).estimate(match.base)[0]
    for weights in mind_of(match.game).tastes.values():
        assert weights.keys() <= parts.keys()


def test_a_taste_is_for_ones_own_points() -> None:
    match = begin(GAMES["blue_lagoon"], 2, {}, "own")
    for _ in range(8):
        match = stand_in(match, match.waiting_for()[0])
    mind = replace(mind_of(match.game), tastes={"raider": {"links": 1.5, "islands": 0.5}})
    plain = mind.estimate(match.base)
    tasted = give_taste(mind, "raider", match.waiting_for()[0]).estimate(match.base)
    own = match.waiting_for()[0]
    assert tasted[1 - own] == plain[1 - own]
    more = 0.5 * plain[own]["links"] - 0.5 * plain[own]["islands"]
    assert tasted[own] == {**plain[own], TASTE: pytest.approx(more)}


def test_characters_choose_differently_where_they_like_different_things() -> None:
    """At the weakest level as at the strongest."""
    for level in ("first_steps", "strong"):
        chosen = Counter[bool]()
        match = begin(GAMES["blue_lagoon"], 2, {}, "choose")
        for _ in range(10):
            match = stand_in(match, match.waiting_for()[0])
            seat = match.waiting_for()[0]
            turns = {
                think(match.game, match.base, seat, "own", level, character).answers
                for character in CHARACTERS
            }
            chosen[len(turns) > 1] += 1
        assert chosen[True] > 0, level


def test_turns_are_sorted_by_what_they_are_worth_to_a_taste() -> None:
    match = begin(GAMES["blue_lagoon"], 2, {}, "sort")
    for _ in range(12):
        match = stand_in(match, match.waiting_for()[0])
    seat = match.waiting_for()[0]
    mind = replace(mind_of(match.game), tastes={"hermit": {"reach": 100.0}})
    hermit = give_taste(mind, "hermit", seat)
    turns = sort_by_taste(hermit, seat, mind.turns(match.base, seat, Table("own")))
    within = [mind.estimate(turn.tip)[seat]["reach"] for turn in turns]
    assert within == sorted(within, reverse=True) and len(set(within)) > 1


def test_a_game_without_tastes_is_played_alike_by_all_characters() -> None:
    match = begin(TOY, 2, {}, 1)
    seat = match.waiting_for()[0]
    thoughts = [think(TOY, match.base, seat, "own", "steady", one) for one in (None, *CHARACTERS)]
    assert all(thought.answers == thoughts[0].answers for thought in thoughts)
