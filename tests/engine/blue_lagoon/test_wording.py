"""What players read: the sentences of the decision map and the rules help."""

import pytest

from engine import GAMES, Answer, Match, Seat, begin
from engine.blue_lagoon.events import (
    Cleared,
    Collected,
    Dealt,
    Opened,
    PhaseEnded,
    Scored,
    Settled,
    Skipped,
)
from engine.blue_lagoon.scoring import Row
from engine.core.event import Event
from engine.core.transcript import write
from engine.core.words import words_of
from tests.engine.blue_lagoon.table import position, side

GAME = GAMES["blue_lagoon"]
WORDS = words_of("blue_lagoon")
NAMES = ("Ana", "Bea", "Cem")
ROWS = (Row(20, 15, 17, 20, 0, 4), Row(10, 10, 20, 0, 10, 0), Row(0, 10, 19, 5, 0, 0))


def labels(match: Match, seat: Seat) -> dict[str, str]:
    """The options as the seat reads them."""
    (decision,) = match.decisions(seat)
    view = match.view(seat)
    return {option.key: WORDS.option(decision, option, view, NAMES) for option in decision.options}


def test_options_say_what_is_placed_and_what_it_takes() -> None:
    play = position(
        side("17 g6", villages_left=1),
        side("1"),
        items={"water": "g3", "stone": "b10", "bamboo": "h1"},
    )
    view, decision = play.view, play.decision
    said = {option.key: WORDS.option(decision, option, view, NAMES) for option in decision.options}
    assert said["g7"] == "G7: settler"
    assert said["g3"] == "G3: settler, takes water"
    assert said["g3v"] == "G3V: village, takes water"
    assert said["b10"] == "B10: settler, takes a precious stone"
    assert said["18"] == "18: boat"


def test_the_question_counts_what_is_left() -> None:
    match = begin(GAME, 3, {"first": "1"}, 1)
    (decision,) = match.decisions(Seat(0))
    assert (
        WORDS.question(decision, NAMES)
        == "Where do you place a piece? You have 25 settlers and 5 villages left."
    )
    assert WORDS.short(decision, NAMES) == "places a piece"
    assert labels(match, Seat(0))["46"] == "46: boat"


@pytest.mark.parametrize(
    ("event", "lines"),
    [
        (
            Settled(Seat(1), "g3", "settler", "water", 2),
            ["Bea: settler on G3, takes water (now 2)."],
        ),
        (Settled(Seat(0), "17", "boat"), ["Ana: boat on 17."]),
        (Collected(Seat(1), "g3", "water"), []),
        (Skipped(Seat(2)), ["Cem cannot place and is skipped for the rest of the phase."]),
        (
            PhaseEnded("exploration", "resources_collected"),
            ["The exploration ends: all resources are collected."],
        ),
        (
            PhaseEnded("settlement", "nobody_can_place"),
            ["The settlement ends: nobody can place any more."],
        ),
        (Cleared(("a9", "f1")), ["Settlers go back. Villages removed from stone circles: A9 F1."]),
        (Cleared(()), ["Settlers go back. No village stood on a stone circle."]),
        (Dealt("settlement", ()), ["The items are dealt for the settlement."]),
        (Opened("settlement", Seat(1)), ["Bea opens the settlement."]),
    ],
    ids=lambda value: type(value).__name__,
)
def test_events_are_told_in_these_words(event: Event, lines: list[str]) -> None:
    assert WORDS.tell(event, NAMES) == lines


def test_the_points_of_a_phase_are_told_kind_by_kind_with_every_seat() -> None:
    assert WORDS.tell(Scored("exploration", ROWS), NAMES) == [
        "Islands: Ana 20, Bea 10, Cem 0.",
        "Links: Ana 15, Bea 10, Cem 10.",
        "Majorities: Ana 17, Bea 20, Cem 19.",
        "Resources: Ana 20, Bea 0, Cem 5.",
        "Complete set: Ana 0, Bea 10, Cem 0.",
        "Statuettes: Ana 4, Bea 0, Cem 0.",
        "Points of the exploration: Ana 76, Bea 50, Cem 34.",
    ]
    assert Scored.shows_scores
    assert not Settled.shows_scores


def test_the_status_sums_up_what_is_left_and_who_would_have_what() -> None:
    pieces = side("17", held=(2, 0, 0, 0, 1)), side("a1"), side("1")
    play = position(*pieces, items={"water": "b10 c1", "statuette": "f1"})
    assert WORDS.status(play.view, NAMES) == [
        "2 resources left.",
        "If the phase ended now: Ana 9, Bea 11, Cem 0.",
    ]


def test_when_all_is_over_the_status_has_the_final_points() -> None:
    play = position(side("17"), side("1"), items={"water": "b10"}).place("b10")
    assert WORDS.status(play.view, NAMES) == ["Points of both phases: Ana 11, Bea 0."]


def test_a_confirm_says_what_it_ends() -> None:
    assert WORDS.confirm("EndTurn") == ""
    assert WORDS.confirm("EndPhase") == "ends the exploration (final)"
    assert WORDS.confirm("EndGame") == "ends the settlement and the match (final)"


def test_menu_groups_are_named_for_island_and_piece() -> None:
    assert WORDS.group("sea-north") == "Boats at sea, north"
    assert WORDS.group("settler-a") == "Settlers on A"
    assert WORDS.group("village-g") == "Villages on G"


def test_a_phase_change_is_told_as_it_happens() -> None:
    play = position(side("17 b11v a9v"), side("1"), side("2 h1v"), items={"water": "b10"}).place(
        "b10"
    )
    told = [line for event in play.events for line in WORDS.tell(event, NAMES)]
    assert told[0] == "Ana: settler on B10, takes water (now 1)."
    assert told[1] == "The exploration ends: all resources are collected."
    assert told[-4:] == [
        "Settlers go back. Villages removed from stone circles: A9.",
        "The items are dealt for the settlement.",
        "Bea cannot place and is skipped for the rest of the phase.",
        "Cem opens the settlement.",
    ]


def test_a_transcript_reads_like_the_decision_map() -> None:
    match = (
        begin(GAME, 2, {"first": "1"}, "text")
        .pick(Answer(Seat(0), "place_piece", ("17",)))
        .confirm(Seat(0))
    )
    lines = write(match).splitlines()
    turn = next(place for place, line in enumerate(lines) if line.startswith("1 p1 17 "))
    assert lines[turn - 2] == "== Exploration Phase" and lines[turn + 1] == "    P1: boat on 17."
