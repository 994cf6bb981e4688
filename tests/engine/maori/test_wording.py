"""What players read: questions, options, events, the status and the rules help."""

import pytest

from engine import GAMES, Answer, Seat, begin
from engine.core.event import Event
from engine.core.transcript import write
from engine.core.words import words_of
from engine.maori.events import (
    DiscovererMoved,
    DiscovererPlaced,
    IslandsRemoved,
    LastTurnsBegun,
    Opened,
    Rested,
    Scored,
    ShipMoved,
    ShipSailed,
    SupplyEmptied,
    TilePlaced,
    TileRemoved,
    TileStored,
    TileTaken,
    TileTurnedUp,
)
from tests.contract.strict import StrictWords
from tests.engine.maori.table import FULL, Play, matrix_with, new_play, position, side

WORDS = words_of("maori")
NAMES = ("Ana", "Bea", "Cem")
ROW = "r1=11 r2=25 r3=79"


def labels(play: Play) -> dict[str, str]:
    """Return the options as the seat to move reads them."""
    decision = play.decision
    view = play.game.view(play.state, decision.seat)
    return {option.key: WORDS.option(decision, option, view, NAMES) for option in decision.options}


def question(play: Play) -> str:
    """Return the open question."""
    return WORDS.question(play.decision, NAMES)


def test_the_discoverer_is_placed_beside_a_tile() -> None:
    play = new_play(3)
    assert question(play) == (
        "Where do you place the discoverer? You take no tile now: Bea sails on from there. "
        "Choices show the nearest tile."
    )
    assert WORDS.short(play.decision, NAMES) == "place the discoverer"
    assert labels(play)["1"] == "1, nearest tile: single island with 1 palm"


def test_a_position_shows_its_steps_price_and_free_tile() -> None:
    play = position(side(), side(), discoverer="6", matrix=matrix_with(p=33, l=96, m=15))
    assert question(play) == (
        "Where do you move the discoverer? 2 steps are free, then each costs a shell (you have "
        "5). Choices show the tile that's free there."
    )
    label = labels(play)
    assert label["7"] == "7: 1 step; nothing to take"
    assert label["9"] == "9: 3 steps, pay 1 shell; free tile: right end with 1 palm and 1 shell"
    assert label["12"] == "12: 6 steps, pay 4 shells; free tile: left end with 2 palms and 1 hut"


def test_a_tile_says_what_it_is_and_costs() -> None:
    play = position(side(stored=39), side(), discoverer="8", matrix=matrix_with(p=33, l=34)).play(
        "9"
    )
    assert question(play) == (
        "Which tile do you take? You have 5 shells, the most: 5 points; "
        "stored: top end with 1 palm and 1 half lei."
    )
    label = labels(play)
    assert label["p"] == "P: right end with 1 palm and 1 shell"
    assert label["l"] == "L: right end with 2 palms and 1 shell, pay 1 shell"
    assert label["stored"] == "Stored: place your top end with 1 palm and 1 half lei"
    assert label["nothing"] == "Nothing: don't take a tile"


def test_a_tile_for_the_storage_alone_says_so() -> None:
    around = "r1=79 r2=79 r3=79 s1=79 s2=79 s3=79 t1=79 t2=79 t3=79"
    own = side(around, ship="s2", shells=1)
    play = position(own, side(), rules="pro", discoverer="8", matrix=matrix_with(l=91)).play("9")
    assert labels(play)["l"] == "L: water tile with 2 shells, pay 1 shell, for your storage only"
    assert labels(play)["remove"] == "Remove one of your tiles, take none"


def test_a_space_says_what_the_ship_sails_and_pays_for_it() -> None:
    own = side(ROW, ship="r1")
    play = position(own, side(), rules="pro", discoverer="6", matrix=matrix_with(l=34)).play("9,l")
    assert (
        question(play)
        == "Where do you place the right end with 2 palms and 1 shell? You have 3 shells "
        "and get 1 more."
    )
    label = labels(play)
    assert label["s4"] == "S4, pay 2 shells to sail there, get 1 shell"
    assert label["q3"] == (
        "Q3, pay 1 shell to sail there, get 1 shell; won't count: the island hits the edge or "
        "land and can't be completed"
    )
    assert label["s2"] == "S2, get 1 shell"
    assert label["store"] == "Store: keep it for later"


def test_removing_and_moving_the_ship_are_asked_with_the_tiles() -> None:
    play = position(side(ROW, ship="r1"), side(), rules="advanced", discoverer="16").play(
        "1,remove"
    )
    assert question(play) == "Which tile do you remove? It leaves the game."
    assert labels(play) == {
        "r2": "R2: right end with 1 palm and 1 half lei",
        "r3": "R3: open water tile",
    }
    play.play("r3")
    assert question(play) == "Do you move your ship from R1 to another tile? It's free."
    assert labels(play) == {
        "stay": "Stay: leave the ship there",
        "r2": "R2: right end with 1 palm and 1 half lei",
    }


@pytest.mark.parametrize(
    ("event", "label"),
    [
        (
            Opened(Seat(0), Seat(1)),
            "The matrix is laid out. Bea goes first, once Ana has placed the discoverer.",
        ),
        (DiscovererPlaced(Seat(0), "7"), "Ana placed the discoverer on 7."),
        (
            DiscovererMoved(Seat(0), "6", "9", 3, 1),
            "Ana sailed the discoverer to 9 for 1 shell.",
        ),
        (DiscovererMoved(Seat(0), "6", "7", 1, 0), "Ana sailed the discoverer to 7."),
        (TileTaken(Seat(0), "p", "single-1", (), 0), "Ana took P (single island with 1 palm)."),
        (
            TileTaken(Seat(0), "d", "right-end-2-shell-1", ("p", "l"), 2),
            "Ana took D (right end with 2 palms and 1 shell) for 2 shells.",
        ),
        (ShipSailed(Seat(0), "r1", "r3", 2), "Ana sailed the ship from R1 to R3 for 2 shells."),
        (
            TilePlaced(Seat(0), "s4", "right-end-2-shell-1", 1),
            "Ana placed it on S4 and got 1 shell.",
        ),
        (TilePlaced(Seat(0), "s4", "open-water", 0), "Ana placed it on S4."),
        (
            TilePlaced(Seat(0), "s4", "shell-water", 2, aboard=True),
            "Ana placed it and the ship on S4 and got 2 shells.",
        ),
        (
            TilePlaced(Seat(0), "s4", "shell-water", 2, True),
            "Ana placed the stored water tile with 2 shells on S4 and got 2 shells.",
        ),
        (TileStored(Seat(1), "single-1"), "Bea stored it."),
        (TileRemoved(Seat(1), "q3", "single-2"), "Bea removed Q3 (single island with 2 palms)."),
        (Rested(Seat(2)), "Cem took no tile."),
        (ShipMoved(Seat(2), "r1", "r3"), "Cem moved the ship from R1 to R3."),
        (TileTurnedUp("l", "bottom-end-1-lei"), "New on L: bottom end with 1 palm and 1 half lei."),
        (
            SupplyEmptied(),
            "No tiles left: spaces in the matrix stay empty from now on.",
        ),
        (
            LastTurnsBegun(Seat(2), (Seat(0), Seat(1))),
            "Cem's board is full: Ana and Bea get one last turn each.",
        ),
        (LastTurnsBegun(Seat(1), (Seat(0),)), "Bea's board is full: Ana gets one last turn."),
        (
            IslandsRemoved(Seat(0), ("t2", "t3")),
            "Ana's incomplete islands (land left open) came off the board: T2 and T3. That's 2 "
            "more empty spaces.",
        ),
        (
            Scored(Seat(0), 10, 12, 10, 7, 0, -2, 37),
            "Ana scored 37 points: palms 10, palms with a hut 12, leis 10, most ships 7, "
            "empty spaces −2.",
        ),
    ],
    ids=lambda value: type(value).__name__,
)
def test_every_event_has_its_text(event: Event, label: str) -> None:
    assert StrictWords(WORDS.text).event_lines(event, NAMES) == [label]


def test_the_score_sheet_comes_with_the_points() -> None:
    assert Scored.shows_scores
    assert not TileTurnedUp.shows_scores


def test_the_status_shows_the_supply_and_current_points() -> None:
    play = position(side("q3=1", shells=3), side(), side())
    assert WORDS.status(play.view, NAMES) == [
        "8 tiles and 17 shells in the supply.",
        "Shells: Ana 3, Bea 5, Cem 5.",
        "If the match ended now: Ana −12, Bea −9, Cem −9.",
    ]


def test_the_status_warns_of_the_last_turns_and_of_a_stalemate() -> None:
    nearly = side(fill=" ".join(FULL.split()[:-1]))
    play = position(nearly, side(), side(), discoverer="16").play("1,a,t3")
    assert WORDS.status(play.view, NAMES)[0] == "Last turns: Bea and Cem."
    play = position(side(), side(), side(), idle=3)
    assert (
        WORDS.status(play.view, NAMES)[0]
        == "Nobody has done anything for 3 turns in a row; at 6 the match ends."
    )


def test_when_all_is_over_the_status_has_the_points() -> None:
    play = position(side("q3=1"), side(), idle=3).play("2,nothing")
    assert WORDS.status(play.view, NAMES) == ["Points: Ana −7, Bea −9."]


def test_a_confirm_says_what_it_sets_going() -> None:
    assert WORDS.confirm("Refill") == "reveals a new tile"
    assert WORDS.confirm("EndGame") == "ends the match"
    assert WORDS.confirm("EndTurn") == WORDS.confirm("BeginPlay") == ""


def test_an_empty_storage_is_named() -> None:
    play = position(side(), side(), discoverer="8").play("9")
    assert (
        question(play)
        == "Which tile do you take? You have 5 shells, the most: 5 points; your storage is empty."
    )


def test_a_transcript_reads_like_the_decision_map() -> None:
    match = begin(GAMES["maori"], 2, {"first": "2"}, "text")
    for seat, keys in ((1, ("6",)), (0, ("9", "p", "store"))):
        for key in keys:
            (decision,) = match.decisions(Seat(seat))
            match = match.pick(Answer(Seat(seat), decision.kind, (key,)))
        match = match.confirm(Seat(seat))
    lines = write(match).splitlines()
    assert lines[lines.index("== The opening") + 3] == "    P2 placed the discoverer on 6."
    turn = lines.index("== Round 1") + 2
    assert lines[turn].startswith("2 p1 9 p store ")
    assert lines[turn + 1].startswith("    P1 sailed the discoverer to 9 for 1 shell, took P (")
    assert any(line.startswith("    New on P: ") for line in lines[turn:])


def test_the_rules_help_says_which_parts_are_this_projects_own() -> None:
    label = WORDS.topics["parts"]["text"]
    assert "our own design" in label
    assert "97 tiles" in label and "front" in label and "atoll" in label
    assert "Motu plays it like this" in WORDS.topics["rulings"]["text"]
