"""What players read: the sentences of the decision map and the rules help."""

from random import Random

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
    """Return the options as the seat reads them."""
    (decision,) = match.decisions(seat)
    view = match.view(seat)
    return {option.key: WORDS.option(decision, option, view, NAMES) for option in decision.options}


def test_options_name_the_piece_and_the_item_it_collects() -> None:
    play = position(
        side("17 g6", villages_left=1),
        side("1"),
        items={"water": "g3", "stone": "b10", "bamboo": "h1"},
    )
    decision = play.decision
    view = GAME.view(play.state, decision.seat)
    label = {option.key: WORDS.option(decision, option, view, NAMES) for option in decision.options}
    assert label["g7"] == "G7: settler"
    assert label["g3"] == "G3: settler, takes water"
    assert label["g3v"] == "G3: village, only for this phase, takes water"
    assert label["b10"] == "B10: settler, takes a precious stone, new island, +6 points"
    assert label["18"] == "18: boat by B and H"


def test_options_name_what_a_placement_gains() -> None:
    play = position(
        side("17 g6 e1 g4", villages_left=1, held=(0, 0, 2, 0, 0)),
        side("1"),
        items={"water": "g3", "bamboo": "h1"},
    )
    decision = play.decision
    view = GAME.view(play.state, decision.seat)

    def label(key: str, brief: bool = False) -> str:
        return WORDS.option(decision, decision.option(key), view, NAMES, brief)

    assert label("15") == "15: boat by E and G, links 2 islands, +5 points"
    assert label("g3") == "G3: settler, takes water (you have 2), +5 points"
    assert label("g3", brief=True) == "G3: settler, 3rd water, +5"
    assert label("g3v", brief=True) == "G3: village, this phase only, +5"
    assert label("b10") == "B10: settler, new island, +6 points"
    assert label("b10v") == "B10: village, only for this phase, new island, +6 points"
    assert label("g7v", brief=True) == "G7: village, stays"


def test_no_button_is_too_long_for_a_phone() -> None:
    match = begin(GAME, 2, {"first": "1"}, "buttons")
    rng = Random("buttons")
    while match.outcome is None:
        (seat,) = match.waiting_for()
        (decision,) = match.decisions(seat)
        view = match.view(seat)
        for option in decision.options:
            assert len(WORDS.option(decision, option, view, NAMES, brief=True)) <= 38
        key = rng.choice(decision.options).key
        match = match.pick(Answer(seat, "place_piece", (key,))).confirm(seat)


def test_a_first_placement_names_the_player_who_goes_first() -> None:
    events = Opened("exploration", Seat(0)), Settled(Seat(0), "17", "boat")
    assert WORDS.story(events, NAMES) == ["Ana goes first.", "Ana placed a boat on 17."]


def test_the_question_counts_the_remaining_pieces() -> None:
    match = begin(GAME, 3, {"first": "1"}, 1)
    (decision,) = match.decisions(Seat(0))
    assert (
        WORDS.question(decision, NAMES)
        == "Where do you place your piece? You have 25 settlers and 5 villages left."
    )
    assert WORDS.short(decision, NAMES) == "place a piece"
    assert labels(match, Seat(0))["46"].startswith("46: boat")


@pytest.mark.parametrize(
    ("event", "lines"),
    [
        (
            Settled(Seat(1), "g3", "settler", "water", 2),
            ["Bea placed a settler on G3 and took water (now 2)."],
        ),
        (Settled(Seat(0), "17", "boat"), ["Ana placed a boat on 17."]),
        (Collected(Seat(1), "g3", "water"), []),
        (Skipped(Seat(2)), ["Cem can't place any more and sits out the rest of this phase."]),
        (
            PhaseEnded("exploration", "resources_collected"),
            ["The exploration is over: all resources are taken."],
        ),
        (
            PhaseEnded("settlement", "nobody_can_place"),
            ["The settlement is over: nobody can place another piece."],
        ),
        (
            Cleared(("a9", "f1")),
            [
                "All settlers came off the board, and so did the villages on stone circles: "
                "A9 and F1."
            ],
        ),
        (
            Cleared(()),
            ["All settlers came off the board; all villages stay."],
        ),
        (Dealt("settlement", ()), ["Resources are laid out for the settlement."]),
        (Opened("settlement", Seat(1)), ["Bea goes first."]),
    ],
    ids=lambda value: type(value).__name__,
)
def test_every_event_has_its_text(event: Event, lines: list[str]) -> None:
    assert WORDS.event_lines(event, NAMES) == lines


def test_the_points_of_a_phase_are_listed_by_kind_and_seat() -> None:
    assert WORDS.event_lines(Scored("exploration", ROWS), NAMES) == [
        "Islands: Ana 20, Bea 10, Cem 0.",
        "Links: Ana 15, Bea 10, Cem 10.",
        "Majorities: Ana 17, Bea 20, Cem 19.",
        "Resources: Ana 20, Bea 0, Cem 5.",
        "Complete set: Ana 0, Bea 10, Cem 0.",
        "Statuettes: Ana 4, Bea 0, Cem 0.",
        "Points for the exploration: Ana 76, Bea 50, Cem 34.",
    ]
    assert Scored.shows_scores
    assert not Settled.shows_scores


def test_the_status_lists_remaining_items_and_current_points() -> None:
    pieces = side("17", held=(2, 0, 0, 0, 1)), side("a1"), side("1")
    play = position(*pieces, items={"water": "b10 c1", "statuette": "f1"})
    assert WORDS.status(play.view, NAMES) == [
        "2 resources left.",
        "If the phase ended now: Ana 9, Bea 11, Cem 0.",
    ]


def test_at_the_end_the_status_lists_the_final_points() -> None:
    play = position(side("17"), side("1"), items={"water": "b10"}).place("b10")
    assert WORDS.status(play.view, NAMES) == ["Points from both phases: Ana 11, Bea 0."]


def test_a_confirm_says_what_it_ends() -> None:
    assert WORDS.confirm("EndTurn") == ""
    assert WORDS.confirm("EndPhase") == "ends the exploration"
    assert WORDS.confirm("EndGame") == "ends the match"


def test_menu_groups_are_named_for_island_and_piece() -> None:
    assert WORDS.group("sea-north") == "Boats in the north"
    assert WORDS.group("settler-a") == "Settlers on A"
    assert WORDS.group("village-g") == "Villages on G"
    assert WORDS.group("settler-a", points=8, notes=2) == "Settlers on A, up to +8"
    assert WORDS.group("settler-a", notes=2) == "Settlers on A, 2 items"


def test_a_phase_change_is_narrated_in_order() -> None:
    play = position(side("17 b11v a9v"), side("1"), side("2 h1v"), items={"water": "b10"}).place(
        "b10"
    )
    lines = [line for event in play.events for line in WORDS.event_lines(event, NAMES)]
    assert lines[0] == "Ana placed a settler on B10 and took water (now 1)."
    assert lines[1] == "The exploration is over: all resources are taken."
    assert lines[-4:] == [
        "All settlers came off the board, and so did the villages on stone circles: A9.",
        "Resources are laid out for the settlement.",
        "Bea can't place any more and sits out the rest of this phase.",
        "Cem goes first.",
    ]


def test_a_transcript_reads_like_the_decision_map() -> None:
    match = (
        begin(GAME, 2, {"first": "1"}, "text")
        .pick(Answer(Seat(0), "place_piece", ("17",)))
        .confirm(Seat(0))
    )
    lines = write(match).splitlines()
    turn = next(place for place, line in enumerate(lines) if line.startswith("1 p1 17 "))
    assert lines[turn - 2] == "== Exploration Phase"
    assert lines[turn + 1] == "    P1 placed a boat on 17."
