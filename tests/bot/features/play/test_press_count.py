"""Count the presses of turns on real panels, from Your move to Confirm."""

import random
from collections import Counter
from collections.abc import Iterator

import pytest

from engine import GAMES, Answer, BadSettings, Match, Seat, begin
from tests.bot.features.play.driver import presses_of_turn

EXTRA = frozenset({"explore_free", "mark_route", "populate_now", "hire_guide", "use_mask"})
"""What a token, a Tide card or a choice between guides asks on top of an ordinary turn of
Polynesia.
"""
LOOKED_AT = 0.04
"""The share of turns that are counted: to build all their panels takes longer than to play them."""


def tables(game: str, rng: random.Random) -> Iterator[Match]:
    """Yield a table for every number of seats and every value of every setting."""
    settings = [setting for setting in GAMES[game].settings if not setting.free]
    for seats in GAMES[game].seats:
        for setting in settings:
            for choice in setting.choices:
                drawn = {
                    s.key: rng.choice([c.key for c in s.choices if c.fits(seats)]) for s in settings
                }
                try:
                    yield begin(
                        GAMES[game], seats, {**drawn, setting.key: choice.key}, rng.random()
                    )
                except BadSettings:
                    assert not choice.fits(seats)


def turns(match: Match, rng: random.Random) -> Iterator[tuple[Match, Seat, tuple[Answer, ...]]]:
    """Yield random whole turns, early and late ones alike."""
    while match.outcome is None:
        seat = match.waiting_for()[0]
        drafted = match
        while question := drafted.question(seat):
            going_on = [
                option for option in question.options if not option.ends and not option.forfeits
            ]
            options = going_on if going_on and rng.random() < 0.9 else question.options
            drafted = drafted.pick(Answer(seat, question.kind, (rng.choice(options).key,)))
        if rng.random() < LOOKED_AT:
            yield match, seat, drafted.draft(seat).answers
        match = drafted.confirm(seat)


@pytest.mark.parametrize(("game", "most"), [("blue_lagoon", 4), ("maori", 6), ("polynesia", 6)])
def test_an_ordinary_turn_takes_few_presses(game: str, most: int) -> None:
    rng = random.Random(game)
    counted: Counter[int] = Counter()
    for table in tables(game, rng):
        for match, seat, answers in turns(table, rng):
            if EXTRA.isdisjoint(answer.kind for answer in answers):
                presses = presses_of_turn(match, seat, answers)
                assert presses <= most, answers
                counted[presses] += 1
    print(f"{game}: presses a turn {sorted(counted.items())}")
    assert counted.total() > 100 and counted[most], counted
