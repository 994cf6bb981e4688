"""What players read: options with their prices, events as sentences, the rules help."""

import pytest

from engine.core.event import Event
from engine.core.words import words_of
from engine.polynesia import GAME
from engine.polynesia.board import tide_cards
from engine.polynesia.events import (
    Declined,
    Erupted,
    Fished,
    Gathered,
    MaskSpent,
    MaskUsed,
    MemberMoved,
    PointsTaken,
    Populated,
    RouteExplored,
    Scored,
    StartPassed,
    StoneDrawn,
    TidesDrawn,
    TokensLaid,
    TokenTaken,
)
from engine.polynesia.scoring import Row
from tests.engine.polynesia.table import Play, position, side

WORDS = words_of("polynesia")
NAMES = ("Alberto", "Laura", "Cem")


def labels(play: Play) -> dict[str, str]:
    """The open options as the asked seat reads them."""
    decision, view = play.decision, play.view
    return {option.key: WORDS.option(decision, option, view, NAMES) for option in decision.options}


def test_the_actions_say_what_they_bring() -> None:
    play = position(side(fish=3), side(), marker=2)
    assert WORDS.question(play.decision, NAMES) == "Which action do you take? The marker shows 2."
    assert labels(play) == {
        "explore": "Explore a route",
        "travel": "Travel, 2 points",
        "populate": "Populate",
        "fish": "Fish: take 2 fish",
        "shell": "Fish: take 2 shells",
    }
    assert labels(position(side(), side(), marker=1))["shell"] == "Fish: take 1 shell"


def test_routes_say_their_price_and_who_is_paid() -> None:
    routes = {"n2-i12": "p2 p3 fish", "n2-i13": "p2 shell", "i13-b1": ""}
    given = side(fish=6, shells=3)
    play = position(
        given, side(), side(), routes={k: v for k, v in routes.items() if v}, tides="1.1 2.4 3.7"
    )
    said = labels(play.play("explore"))
    assert said["n2-i12"] == "N2-I12 (shell): existing, 4 fish, 2 each to Laura and Cem"
    assert said["n2-i13"] == "N2-I13 (fish): existing, 2 shells to Laura"
    assert said["n1-i5"] == "N1-I5 (fish and shell): new, 3 fish or shells"
    assert said["b1-i13"] == "B1-I13 (fish): new, 6 fish, then populate"
    assert (
        WORDS.question(play.decision, NAMES)
        == "Which route do you explore? You have 6 fish, 3 shells and 15 ships."
    )
    assert labels(play.play("n1-i5")) == {"fish": "Pay 3 fish", "shell": "Pay 3 shells"}


def test_steps_of_a_travel_say_the_way_the_price_and_the_token() -> None:
    play = position(
        side("m 1, i12 1, a1 1", fish=1, tokens="K01"),
        side("i12 1"),
        side("i12 1"),
        tides="1.3 2.2 3.7",
        routes={
            "i12-t1": "p2 fish",
            "i12-c1": "p2 p3 fish",
            "n2-i12": "p1 fish",
            "a1-a2": "p2 shell",
        },
        tokens={"t1": "K12"},
    ).play("travel")
    said = labels(play)
    assert said["m-n2"] == "M > N2, neutral route"
    assert said["i12-n2"] == "I12 > N2, own route"
    assert (
        said["i12-t1"]
        == "I12 > T1 (turtle), guided by Laura for 1 fish, or a mask, takes a fish token"
    )
    assert said["i12-c1"] == "I12 > C1, guide chosen next: Laura and Cem for 1 fish, or a mask"
    assert said["a1-a2"] == "A1 > A2, spends a mask"
    assert labels(play.play("i12-c1")) == {
        "p2": "Laura, for 1 fish",
        "p3": "Cem, for 1 fish",
        "mask": "Spend a mask, no guide",
    }
    play.play("p3")
    assert labels(play)["stop"] == "Stop travelling: give up 2 points"
    assert WORDS.question(play.decision, NAMES).startswith(
        "Which member travels? 2 points left; you have 0 fish"
    )


def test_populating_and_free_routes_are_worded() -> None:
    said = labels(position(side("m 4, t6 1"), side()).play("populate"))
    assert said["m3"] == "M3: 3 members to M" and said["t6"] == "T6: 1 member to T6 (2 turtles)"
    routes = {"i12-t1": "p1 fish", "t1-d2": "p2 shell"}
    free = position(side("i12 1"), side(), side(), routes=routes, tokens={"t1": "K11"}).play(
        "travel i12-t1"
    )
    said = labels(free)
    assert (
        said["t1-d2"] == "T1-D2 (turtle): existing, with Laura"
        and said["t1-c2"] == "T1-C2 (turtle): new route"
    )
    assert said["skip"] == "No route: give up the ship token"


def test_the_decline_says_what_all_would_lose() -> None:
    play = position(side(fish=4), side(fish=2, shells=1), marker=1, turn=1, stones="grey").play(
        "shell"
    )
    assert labels(play) == {"fish": "Fish (6 in all)", "shell": "Shells (2 in all)"}


ROWS = (Row(4, 5, 0, 1, 3, 2, 0), Row(1, 1, 0, 1, 0, 0, 0), Row(0, 0, 0, 0, 0, 0, 0))


@pytest.mark.parametrize(
    ("event", "lines"),
    [
        (Fished(1, "shell", 1), ["Laura takes 1 shell."]),
        (RouteExplored(0, "n2-i12", "fish", 3), ["Alberto explores N2-I12 for 3 fish."]),
        (
            RouteExplored(0, "n2-i12", "shell", 4, (1, 2), is_new=False),
            ["Alberto explores N2-I12: 2 shells each to Laura and Cem."],
        ),
        (
            RouteExplored(0, "n2-i12", "shell", 2, (1,), is_new=False),
            ["Alberto explores N2-I12: 2 shells to Laura."],
        ),
        (
            RouteExplored(0, "t1-d2", "shell", 0, is_free=True),
            ["Alberto explores T1-D2 free of charge, 1 shell beside it."],
        ),
        (
            RouteExplored(0, "t1-d2", "shell", 0, is_new=False, is_free=True),
            ["Alberto explores T1-D2 free of charge."],
        ),
        (PointsTaken(0, 2, "3.2"), ["Alberto takes 2 Point tokens (card 3.2)."]),
        (Populated(0, "m", 3), ["Alberto: 3 members to M."]),
        (Populated(0, "m", 1, 3, "shell"), ["Alberto: one more member to M for 3 shells."]),
        (MemberMoved(0, "t1", "c2"), ["Alberto: T1 > C2."]),
        (
            MemberMoved(0, "i12", "t1", 1, "fish"),
            ["Alberto: I12 > T1, guided by Laura for 1 fish."],
        ),
        (MemberMoved(0, "i12", "t1", has_mask=True), ["Alberto: I12 > T1 by a mask."]),
        (MaskSpent(0), []),
        (TokenTaken(0, "t1", "ship"), ["Alberto takes the ship token on T1."]),
        (MaskUsed(0, "a1", "take", "shell"), ["Alberto uses the mask: takes 2 shells."]),
        (
            MaskUsed(0, "a1", "lose", "fish", (0, 2, 1)),
            ["Alberto uses the mask: fish lost, Alberto 0, Laura 2, Cem 1."],
        ),
        (MaskUsed(0, "a1", "join"), ["Alberto uses the mask: a member joins on A1."]),
        (MaskUsed(0, "a1", "nothing"), ["Alberto discards the mask: nobody is left to join."]),
        (StoneDrawn("red", 4, 6), ["A red stone, 4 of 6."]),
        (StoneDrawn("grey", 4, 6), ["A grey stone."]),
        (StoneDrawn("black", 4, 6), ["A black stone: two more are drawn."]),
        (
            Declined(1, "shell", (2, 0, 4)),
            ["Laura chooses the decline of shells. Lost: Alberto 2, Laura 0, Cem 4."],
        ),
        (Gathered("fish", (1, 0, 2)), ["Resources, fish: Alberto 1, Laura 0, Cem 2."]),
        (StartPassed(2, 5), ["Round 5 begins with Cem."]),
        (
            Erupted(("m", "n1", "n2", "n3"), (2, 0, 5)),
            [
                "The volcano erupts! M N1 N2 N3 are destroyed. Members sent home: Alberto 2, Laura 0, Cem 5."
            ],
        ),
        (
            Scored(("1.3", "2.4", "3.1"), ROWS),
            [
                "Highest free space: Alberto 4, Laura 1, Cem 0.",
                "Turtle islands: Alberto 5, Laura 1, Cem 0.",
                "Turtle tokens: Alberto 0, Laura 0, Cem 0.",
                "Point tokens: Alberto 1, Laura 1, Cem 0.",
                "Tide card 1.3: Alberto 3, Laura 0, Cem 0.",
                "Tide card 2.4: Alberto 2, Laura 0, Cem 0.",
                "Points: Alberto 15, Laura 3, Cem 0.",
            ],
        ),
        (TokensLaid((("a1", "mask"),)), ["The island tokens are laid and turned up."]),
        (
            TidesDrawn(("1.3", "2.6", "3.7")),
            [
                "Tide card 1.3: End: 1 point an archipelago with a member, 5 for all four.",
                "Tide card 2.6: End: without a mask you lose 2 points.",
                "Tide card 3.7: End: most ships on the map 3 points, tied 2.",
            ],
        ),
    ],
    ids=lambda value: type(value).__name__,
)
def test_events_are_told(event: Event, lines: list[str]) -> None:
    assert WORDS.tell(event, NAMES) == lines


def test_every_kind_of_event_has_its_sentence_tested() -> None:
    cases = test_events_are_told.pytestmark[0].args[1]  # type: ignore[attr-defined]
    assert {type(event) for event, _ in cases} == set(GAME.event_type.__args__)


def test_the_status_sums_the_round_up() -> None:
    play = position(side("t6 1"), side(), lava="red grey red", marker=2)
    said = WORDS.status(play.view, NAMES)
    assert said == [
        "Round 1, marker on 2; red stones 2 of 6.",
        "If the volcano erupted now: Alberto 2, Laura 0.",
    ]


def test_every_tide_card_has_a_reminder_of_one_line_and_a_choice_in_the_lobby() -> None:
    for card in tide_cards():
        reminder = WORDS.word(f"tide_{card}")
        assert reminder != f"tide_{card}" and len(reminder) <= 90 and "\n" not in reminder
        assert (reminder.startswith("End:")) == (tide_cards()[card].when == "end")
        assert WORDS.choice(f"tide{card[0]}", card).startswith(f"{card}: ")


def test_the_last_action_of_a_round_warns_of_the_volcano() -> None:
    assert WORDS.confirm("DrawStone") == "then the volcano draws (final)"
    assert WORDS.confirm("EndTurn") == ""


def test_the_rules_help_names_every_card_and_what_is_reconstructed() -> None:
    topics = WORDS.topics
    assert all(card in topics["tides"]["text"] for card in tide_cards())
    assert "this project's own" in topics["components"]["text"]
    assert "rulings of this project" in topics["rulings"]["text"]
