"""Scoring, sentence by sentence of the rulebook, and the worked examples.

A docstring gives the sentence, or the ruling, that its test checks.
"""

import pytest
from msgspec.structs import replace

from engine import Seat
from engine.blue_lagoon import GAME
from engine.blue_lagoon.events import Scored, Skipped
from engine.blue_lagoon.scoring import (
    Row,
    score,
    score_islands,
    score_links,
    score_majorities,
    score_resources,
    score_set,
)
from engine.blue_lagoon.state import SETTLEMENT
from tests.engine.blue_lagoon.table import BOARD, bits_of, position, scored_before, side

ONE_EACH = ("a1", "b2", "c2", "d2", "e2", "f2", "g2", "h2")


@pytest.mark.parametrize(("islands", "points"), [(8, 20), (7, 10), (6, 0), (1, 0), (0, 0)])
def test_pieces_on_8_islands_give_20_and_on_7_give_10(islands: int, points: int) -> None:
    """20 points if pieces on all 8 islands, 10 if on 7, 0 for 6 or fewer."""
    assert score_islands(BOARD, bits_of(" ".join(ONE_EACH[:islands]))) == points


def test_boats_are_on_no_island() -> None:
    """Pieces on islands: a boat at sea is on none."""
    assert score_islands(BOARD, bits_of(" ".join(ONE_EACH[:6]) + " 1 17 46")) == 0


@pytest.mark.parametrize(
    ("pieces", "points"),
    [
        ("17", 0),
        ("17 18", 0),
        ("a1", 5),
        ("a4 1 b1", 10),
        ("a4 1 b1 3 8 g3 13 b10", 15),
        ("a9 3 8 g3 20 e3", 10),
        ("", 0),
    ],
)
def test_the_best_connected_group_gives_5_points_an_island(pieces: str, points: int) -> None:
    """BL-3, links alone: the longest chain that connects islands, branches included; at sea only
    0, one island 5.
    """
    assert score_links(BOARD, bits_of(pieces)) == points


def test_an_island_reached_twice_by_a_chain_counts_once() -> None:
    """5 points per island connected: a ring through an island does not count it again."""
    assert score_links(BOARD, bits_of("a4 1 b1 b4 3 a9")) == 10


def test_the_most_pieces_on_an_island_give_the_points_shown() -> None:
    """For each island, the player with the most pieces scores the points shown on the board (6,
    8, or 10).
    """
    for island, value in {"a": 6, "b": 6, "c": 6, "d": 8, "e": 8, "f": 8, "g": 10, "h": 10}.items():
        two, one = bits_of(f"{island}1 {island}2"), bits_of(f"{island}5")
        assert score_majorities(BOARD, [one, two]) == (0, value)


@pytest.mark.parametrize(
    ("pieces", "points"),
    [
        (("a1", "a2", "a3", "a4"), (1, 1, 1, 1)),
        (("g1", "g2", "g3", "g4"), (2, 2, 2, 2)),
        (("e1", "e2", "e3", ""), (2, 2, 2, 0)),
    ],
)
def test_ties_divide_the_points_evenly_rounded_down(
    pieces: tuple[str, ...], points: tuple[int, ...]
) -> None:
    """BL-5, four-way ties: divide the points evenly among tied players (round down if
    necessary).
    """
    assert score_majorities(BOARD, [bits_of(codes) for codes in pieces]) == points


def test_rounding_is_done_island_by_island() -> None:
    """Ruling: a tie splits the value, floored per island: 8 and 8 among three give 2 and 2, not
    5.
    """
    pieces = [bits_of(f"d{seat} e{seat}") for seat in (1, 2, 3)]
    assert score_majorities(BOARD, pieces) == (4, 4, 4)


def test_an_empty_island_gives_nothing() -> None:
    """Ruling: an empty island gives nothing."""
    assert score_majorities(BOARD, [0, 0]) == (0, 0)


def test_settlers_and_villages_count_alike_for_majorities() -> None:
    """Ruling: settlers and villages on the island."""
    rows = score(BOARD, [side("a1v a2v"), side("a3")])
    assert [row.majorities for row in rows] == [6, 0]


@pytest.mark.parametrize(
    ("count", "points"), [(0, 0), (1, 0), (2, 5), (3, 10), (4, 20), (5, 20), (6, 20)]
)
@pytest.mark.parametrize("kind", range(4))
def test_matching_resources_give_5_10_or_20(kind: int, count: int, points: int) -> None:
    """For each resource type: 2 matching 5 points, 3 matching 10, 4 or more 20."""
    held = [0] * 5
    held[kind] = count
    assert score_resources(held) == points


@pytest.mark.parametrize(
    ("held", "points"),
    [
        ((2, 1, 1, 1, 1), (5, 10, 4)),
        ((3, 3, 0, 0, 2), (20, 0, 8)),
        ((6, 4, 2, 1, 0), (45, 10, 0)),
        ((1, 1, 1, 1, 8), (0, 10, 32)),
        ((5, 1, 1, 0, 0), (20, 0, 0)),
    ],
)
def test_held_items_give_points_for_resources_set_and_statuettes(
    held: tuple[int, ...], points: tuple[int, ...]
) -> None:
    """BL-4, held -> resources + set + statuettes."""
    (row,) = score(BOARD, [side("", held=held)])
    assert (row.resources, row.set, row.statuettes) == points


def test_the_complete_set_is_scored_once() -> None:
    """10 points for at least one of each of the 4 types, only once a phase, however many sets
    there are.
    """
    assert score_set((3, 3, 3, 3, 0)) == 10


def test_statuettes_are_not_resources() -> None:
    """FAQ: Statuettes are separate; they neither match nor complete a set."""
    assert score_resources((0, 0, 0, 0, 8)) == 0
    assert score_set((1, 1, 1, 0, 8)) == 0


BL_1 = (
    side("3 8 9 11 33 36 37 a9 b4 g3 d7 e1 h14 c3 f1v", held=(4, 0, 0, 0, 1)),
    side("10 17 19 20 40 a10 b10 h1 d12 e3 g8 f6 b11v", held=(0, 0, 1, 0, 0)),
    side("30 26 38 e11 g19 d14 c1 f4 g16v", held=(0, 2, 0, 1, 0)),
)


def test_example_1_three_seats_scored_as_if_the_exploration_ended() -> None:
    """BL-1, every kind of points at once."""
    assert score(BOARD, BL_1) == (
        Row(islands=20, links=15, majorities=17, resources=20, set=0, statuettes=4),
        Row(islands=10, links=10, majorities=20, resources=0, set=0, statuettes=0),
        Row(islands=0, links=10, majorities=19, resources=5, set=0, statuettes=0),
    )
    assert position(*BL_1).view.scores == (76, 40, 34)


def test_example_2_the_settlement_after_it() -> None:
    """BL-2: f1 is a circle, so p1's village goes and p1 is skipped; p2 opens, its options are
    exactly these.
    """
    before_its_last = side("30 26 38 e11 g19 d14 f4 g16v", held=(0, 2, 0, 0, 0))
    play = position(*BL_1[:2], before_its_last, items={"stone": "c1"}, turn=2).place("c1")
    (scored,) = play.events_of(Scored)
    assert scored == Scored("exploration", score(BOARD, BL_1))
    assert [(p.spot, p.seat) for p in play.view.pieces] == [("b11", 1), ("g16", 2)]
    assert play.turn == 1
    assert play.keys == ["b8", "b9", "b10", "14", "17", "18"]
    assert play.state.placements(Seat(2)) == (bits_of("g12 g13 27 g17 30 g19"), 0)
    turns = []
    while not play.is_over():
        turns.append(play.turn)
        play.place(play.keys[0])
    assert set(turns) == {1, 2}
    assert play.events_of(Skipped) == [Skipped(Seat(0))]


def test_all_players_score_at_once_and_the_pad_keeps_both_phases() -> None:
    """All players score simultaneously; record all scores on the Score Pad."""
    play = position(side("17 b11v"), side("1 a4v"), items={"water": "b10"}).place("b10")
    (scored,) = play.events_of(Scored)
    assert play.view.rows == (scored.rows,)
    assert len(play.view.rows[0]) == 2


def test_points_of_both_phases_are_added_and_the_highest_total_wins() -> None:
    """Total each player's points from both phases; the player with the highest total score wins."""
    play = position(side("b11v"), side("a4v"), items={"stone": "b10"}, phase=SETTLEMENT)
    play = scored_before(play, 40, 41).place("b10")
    outcome = GAME.outcome(play.state)
    assert outcome is not None
    assert [row.total for row in play.view.rows[1]] == [11, 11]
    assert outcome.scores == (51, 52) == play.view.scores
    assert outcome.ranking == ((1,), (0,))


def ended(first: int, second: int, held: tuple[int, int]) -> tuple[tuple[Seat, ...], ...]:
    """Return the ranking of a match with these points of exploration, 11 more, and these items."""
    items = [(count, 0, 0, 0, 0) for count in held]
    play = position(
        side("a4v b11v", held=items[0]), side("c9v e3v", held=items[1]), items={"stone": "b10"}
    )
    rows = (Row(first, 0, 0, 0, 0, 0), Row(second, 0, 0, 0, 0, 0))
    over = replace(
        play.state, scores=(rows,), phase="over", reason="resources_collected", agenda=()
    )
    outcome = GAME.outcome(over)
    assert outcome is not None
    assert outcome.tiebreak == tuple((("items", number),) for number in held)
    return outcome.ranking


def test_example_6_a_tie_goes_to_the_most_items_and_then_is_shared() -> None:
    """BL-6: 90 : 90 with 5 : 4 items -> p1 alone first; 5 : 5 -> shared."""
    assert ended(90, 90, (5, 4)) == ((0,), (1,))
    assert ended(90, 90, (4, 5)) == ((1,), (0,))
    assert ended(90, 90, (5, 5)) == ((0, 1),)


def test_items_break_only_ties() -> None:
    """Tiebreaker: the tied player with the most Resources and Statuettes combined wins."""
    assert ended(91, 90, (0, 9)) == ((0,), (1,))


def test_only_items_of_the_settlement_break_a_tie() -> None:
    """Ruling: most resources and statuettes held at the end (settlement phase only)."""
    play = position(side("17", held=(3, 0, 0, 0, 3)), side("1"), items={"water": "b10"}).place(
        "b10"
    )
    outcome = GAME.outcome(play.state)
    assert outcome is not None
    assert outcome.tiebreak == ((("items", 0),),) * 2


def test_the_view_counts_as_if_the_phase_ended_now() -> None:
    """The running score is the total if the phase ended now, earlier phases included."""
    play = position(side("b11v", held=(2, 0, 0, 0, 0)), side("a4v"), phase=SETTLEMENT)
    play = scored_before(play, 40, 41)
    assert play.view.scores == (40 + 5 + 6 + 5, 41 + 5 + 6)
    assert [row.total for row in play.view.now] == [16, 11]
