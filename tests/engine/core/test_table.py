"""The random source: fair, reproducible, and the same numbers in every version."""

from collections import Counter

import pytest

from engine import Table, commitment
from engine.core.table import WORD
from tests.toy.events import TideRolled


def test_the_stream_of_a_seed_never_changes() -> None:
    table = Table("5eed")
    assert [table.below(1000) for _ in range(8)] == [100, 911, 303, 402, 240, 980, 486, 623]
    assert Table("5eed").shuffle("abcdefgh") == tuple("bdhacfge")
    assert [Table("5eed", 100).roll(), Table("5eed", 101).roll(), Table("5eed", 102).roll()] == [
        1,
        5,
        2,
    ]


def test_the_state_is_the_seed_and_the_number_of_draws() -> None:
    table = Table("a")
    first = [table.below(50) for _ in range(10)]
    assert table.draws == 10
    assert [Table("a", draw).below(50) for draw in range(10)] == first
    assert [Table("b", draw).below(50) for draw in range(10)] != first


@pytest.mark.parametrize("n", [1, 2, 6, 7, 52])
def test_every_number_below_is_as_likely(n: int) -> None:
    table = Table("fair")
    rounds = 600 * n
    counts = Counter(table.below(n) for _ in range(rounds))
    assert set(counts) == set(range(n))
    chi_square = sum((count - 600) ** 2 / 600 for count in counts.values())
    assert chi_square < n + 4 * (2 * n) ** 0.5


def test_words_past_the_last_full_multiple_are_thrown_away() -> None:
    table = Scripted([WORD - 1, WORD - 2, 5])
    assert table.below(WORD - 2) == 5
    assert table.draws == 3


def test_a_power_of_two_throws_nothing_away() -> None:
    table = Scripted([WORD - 1])
    assert table.below(WORD) == WORD - 1
    assert table.draws == 1


class Scripted(Table):
    """A random source whose 64-bit numbers are given."""

    def __init__(self, words: list[int]) -> None:
        super().__init__("")
        self.words = words

    def draw_word(self) -> int:
        self.draws += 1
        return self.words.pop(0)


@pytest.mark.parametrize("n", [0, -1, WORD + 1])
def test_a_draw_that_cannot_be_made_is_refused_at_once(n: int) -> None:
    with pytest.raises(ValueError, match="cannot draw below"):
        Table("a").below(n)


def test_choosing_from_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="cannot draw below 0"):
        Table("a").choose([])


def test_a_die_has_six_sides() -> None:
    table = Table("die")
    assert {table.roll() for _ in range(200)} == {1, 2, 3, 4, 5, 6}


def test_a_shuffle_has_every_order_as_often() -> None:
    table = Table("shuffle")
    orders = Counter(table.shuffle("abc") for _ in range(6000))
    assert len(orders) == 6
    assert min(orders.values()) > 880
    assert max(orders.values()) < 1120


def test_a_shuffle_does_not_change_its_input() -> None:
    pile = [1, 2, 3]
    assert sorted(Table("x").shuffle(pile)) == pile == [1, 2, 3]
    assert Table("x").shuffle([]) == ()


def test_events_are_recorded_in_order() -> None:
    table = Table("x")
    table.tell(TideRolled(1))
    table.tell(TideRolled(2))
    assert table.events == [TideRolled(1), TideRolled(2)]


def test_the_commitment_binds_the_match_and_its_seed() -> None:
    assert (
        commitment("m1", "5eed")
        == "956c77b4cf376d14b2329ae3957ebf8a497e600fed89d3901bcd559fd5662ae1"
    )
    assert commitment("m2", "5eed") != commitment("m1", "5eed") != commitment("m1", "5eee")
