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
    """Return the open options as the asked seat reads them."""
    decision, view = play.decision, play.view
    return {option.key: WORDS.option(decision, option, view, NAMES) for option in decision.options}


def buttons(play: Play) -> dict[str, str]:
    """Return the open options as their buttons name them."""
    decision, view = play.decision, play.view
    return {
        option.key: WORDS.option(decision, option, view, NAMES, brief=True)
        for option in decision.options
    }


def test_the_actions_say_what_they_bring() -> None:
    play = position(side(fish=3), side(), marker=2)
    label = "Which action do you take? The Phase Marker is on 2."
    assert WORDS.question(play.decision, NAMES) == label
    assert buttons(play) == {
        "explore": "Explore a route (pay 2 if it's new)",
        "travel": "Travel up to 2 steps",
        "populate": "Populate: add members to an island",
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
    label = labels(play.play("explore"))
    assert label["n2-i12"] == "N2 to I12 (shell): 4 fish, 2 each to Laura and Cem"
    assert label["n2-i13"] == "N2 to I13 (fish): 2 shells to Laura"
    assert label["n1-i5"] == "N1 to I5 (shell): new route for 3 fish or shells"
    assert label["b1-i13"] == "I13 to B1: new route for 6 fish, then populate"
    short = buttons(play)
    assert short["n2-i12"] == "N2 to I12 (shell): 4 fish"
    assert short["n1-i5"] == "N1 to I5 (shell): pay 3"
    assert short["b1-i13"] == "I13 to B1: 6 fish, then populate"
    assert WORDS.question(play.decision, NAMES) == (
        "Which route do you explore? A new one costs 3 fish or 3 shells, double if "
        "it's the first to an archipelago (Tide card 1.1); an existing one costs 2 for each "
        "owner. You have 6 fish and 3 shells."
    )
    assert labels(play.play("n1-i5")) == {"fish": "Pay 3 fish", "shell": "Pay 3 shells"}
    assert buttons(play) == {"fish": "Pay 3 fish (3 left)", "shell": "Pay 3 shells (0 left)"}


def test_without_a_member_at_home_a_first_route_promises_no_populating() -> None:
    play = position(side(fish=6, home=0), side(), side(), tides="1.1 2.4 3.7").play("explore")
    assert buttons(play)["b1-i13"] == "I13 to B1: 6 fish"


def test_a_route_leads_away_from_the_volcano_to_what_is_worth_most() -> None:
    tokens = {"a1": "K01", "t6": "K09", "t4": "K11", "a2": "K05"}
    play = position(side(fish=3), side(), side(), tokens=tokens).play("explore")
    label = buttons(play)
    assert label["a1-i12"] == "I12 to A1 (mask): 3 fish"
    assert label["t1-t6"] == "T1 to T6 (3 turtles): 3 fish"
    assert label["a2-t4"] == "A2 to T4 (turtle, ship): 3 fish"


def test_routes_say_which_point_tokens_they_bring() -> None:
    routes = {"i12-t1": "p2 p3 fish", "i13-t1": "p2 fish"}
    sides = (side("i13 1", fish=9), side("i13 1"), side())
    play = position(*sides, routes=routes, tides="1.2 2.4 3.2", pool=1).play("explore")
    label = buttons(play)
    assert label["i13-t1"] == "I13 to T1: 2 fish, get 1 point"
    assert label["i12-t1"] == "I12 to T1: 4 fish, get 1 point", "one is left in the reserve"
    assert label["i12-c1"] == "I12 to C1 (1 point): 3 fish"
    full = labels(play)["i12-t1"]
    assert full == "I12 to T1 (turtle): 4 fish, 2 each to Laura and Cem, get 1 Point token"


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
    assert WORDS.question(play.decision, NAMES) == (
        "Where do you travel? 3 steps left. Brackets show what an island gives each round, or its "
        "turtles and token. You have 1 fish for guides."
    )
    label, short = labels(play), buttons(play)
    assert label["m-n2"] == short["m-n2"] == "M to N2"
    assert label["i12-n2"] == short["i12-n2"] == "I12 to N2"
    assert label["i12-t1"] == "I12 to T1 (turtle, fish token), pay Laura 1 fish or a mask"
    assert short["i12-t1"] == "I12 to T1 (turtle, fish), pay 1 fish"
    assert label["i12-c1"] == "I12 to C1, pay a guide 1 fish or a mask"
    assert label["a1-a2"] == short["a1-a2"] == "A1 to A2 with a mask"
    assert labels(play.play("i12-c1")) == {
        "p2": "Laura, for 1 fish",
        "p3": "Cem, for 1 fish",
        "mask": "Nobody: spend a mask",
    }
    assert buttons(play) == {"p2": "Laura", "p3": "Cem", "mask": "Nobody: spend a mask"}
    label = "Who guides you from I12 to C1? They come along and get 1 fish from you."
    assert WORDS.question(play.decision, NAMES) == label
    play.play("p3")
    assert labels(play)["stop"] == "Stop here (2 steps unused)"
    assert (
        WORDS.question(play.decision, NAMES)
        == "Where do you travel? 2 steps left. Brackets show what an island has."
    )


def test_populating_and_free_routes_are_worded() -> None:
    play = position(side("m 3, n1 1, t6 1"), side()).play("populate")
    assert labels(play)["m3"] == "3 members to M" and labels(play)["t6"] == "1 member to T6"
    assert buttons(play) == {
        "m3": "3 to M: board worth 3 if they escape",
        "m": "1 to M: board worth 2 if they escape",
        "n1": "1 to N1: board worth 2 if they escape",
        "t6": "1 to T6: board worth 2",
    }
    routes = {"i12-t1": "p1 fish", "t1-d2": "p2 shell"}
    free = position(side("i12 1"), side(), side(), routes=routes, tokens={"t1": "K11"}).play(
        "travel i12-t1"
    )
    label = labels(free)
    assert label["t1-d2"] == "T1 to D2, shared with Laura"
    assert label["t1-c2"] == "T1 to C2: new route"
    assert buttons(free)["t1-d2"] == "T1 to D2, shared"
    assert label["skip"] == "No route: give up the ship token"


def test_the_decline_says_what_all_would_lose() -> None:
    play = position(side(fish=4), side(fish=2, shells=1), marker=1, turn=1, stones="grey").play(
        "shell"
    )
    assert labels(play) == {
        "fish": "Fish (you lose 4, others 2)",
        "shell": "Shells (you lose 0, others 2)",
    }
    label = "Decline: which resource must everyone (you too) give back?"
    assert WORDS.question(play.decision, NAMES) == label


def test_a_mask_says_what_all_others_would_lose() -> None:
    sides = (side("i12 1"), side(fish=4, shells=1), side(fish=1))
    routes = {"i12-c1": "p1 fish"}
    play = position(*sides, routes=routes, tokens={"c1": "K01"}, tides="1.3 2.1 3.7")
    label = buttons(play.play("travel i12-c1"))
    assert label["lose-fish"] == "Others lose 2 fish (3 in all)"
    assert label["lose-shell"] == "Others lose 2 shells (1 in all)"


ROWS = (Row(4, 5, 0, 1, 3, 2, 0), Row(1, 1, 0, 1, 0, 0, 0), Row(0, 0, 0, 0, 0, 0, 0))


@pytest.mark.parametrize(
    ("event", "lines"),
    [
        (Fished(1, "shell", 1), ["Laura took 1 shell."]),
        (RouteExplored(0, "n2-i12", "fish", 3), ["Alberto explored N2-I12 for 3 fish."]),
        (
            RouteExplored(0, "n2-i12", "shell", 4, (1, 2), is_new=False),
            ["Alberto explored N2-I12 and paid Laura and Cem 2 shells each."],
        ),
        (
            RouteExplored(0, "n2-i12", "shell", 2, (1,), is_new=False),
            ["Alberto explored N2-I12 and paid Laura 2 shells."],
        ),
        (
            RouteExplored(0, "t1-d2", "shell", 0, is_free=True),
            ["Alberto explored T1-D2 for free and put 1 shell on it."],
        ),
        (
            RouteExplored(0, "t1-d2", "shell", 0, is_new=False, is_free=True),
            ["Alberto explored T1-D2 for free."],
        ),
        (PointsTaken(0, 2, "3.2"), ["Alberto got 2 Point tokens from Tide card 3.2."]),
        (Populated(0, "m", 3), ["Alberto added 3 members to M."]),
        (Populated(0, "m", 1, 3, "shell"), ["Alberto added an extra member to M for 3 shells."]),
        (MemberMoved(0, "t1", "c2"), ["Alberto sailed from T1 to C2."]),
        (
            MemberMoved(0, "i12", "t1", 1, "fish"),
            ["Alberto sailed from I12 to T1 with Laura as guide for 1 fish."],
        ),
        (
            MemberMoved(0, "i12", "t1", has_mask=True),
            ["Alberto sailed from I12 to T1 with a mask."],
        ),
        (MaskSpent(0), []),
        (TokenTaken(0, "t1", "ship"), ["Alberto took the ship token on T1."]),
        (MaskUsed(0, "a1", "take", "shell"), ["Alberto used the mask and took 2 shells."]),
        (
            MaskUsed(0, "a1", "lose", "fish", (0, 2, 1)),
            ["Alberto used the mask, and the others lost fish: Alberto 0, Laura 2, Cem 1."],
        ),
        (MaskUsed(0, "a1", "join"), ["Alberto used the mask, and a member joined on A1."]),
        (MaskUsed(0, "a1", "nothing"), ["Alberto discarded the mask: nobody was left to join."]),
        (StoneDrawn("red", 4, 6), ["Red stone 4 of 6 was drawn."]),
        (
            StoneDrawn("red", 5, 6),
            ["Red stone 5 of 6 was drawn: the next one ends the match."],
        ),
        (StoneDrawn("grey", 4, 6), ["A grey stone was drawn: nothing happens."]),
        (StoneDrawn("black", 4, 6), ["A black stone was drawn, so two more follow."]),
        (
            Declined(1, "shell", (2, 0, 4)),
            ["Laura chose shells for the decline. Given back: Alberto 2, Laura 0, Cem 4."],
        ),
        (Gathered("fish", (1, 0, 2)), ["Harvest of fish: Alberto 1, Laura 0, Cem 2."]),
        (StartPassed(2, 5), ["Round 5: Cem goes first."]),
        (
            Erupted(("m", "n1", "n2", "n3"), (2, 0, 5)),
            [
                "The volcano erupted! M, N1, N2 and N3 are gone. Members sent home: "
                "Alberto 2, Laura 0, Cem 5."
            ],
        ),
        (
            Scored(("1.3", "2.4", "3.1"), ROWS),
            [
                "Best free space: Alberto 4, Laura 1, Cem 0.",
                "Turtle islands: Alberto 5, Laura 1, Cem 0.",
                "Turtle tokens: Alberto 0, Laura 0, Cem 0.",
                "Point tokens: Alberto 1, Laura 1, Cem 0.",
                "Tide card 1.3: Alberto 3, Laura 0, Cem 0.",
                "Tide card 2.4: Alberto 2, Laura 0, Cem 0.",
                "Total: Alberto 15, Laura 3, Cem 0.",
            ],
        ),
        (TokensLaid((("a1", "mask"),)), ["The island tokens are on the map, face up."]),
        (
            TidesDrawn(("1.3", "2.6", "3.7")),
            [
                "Tide card 1.3: 1 point per archipelago, 5 for all four.",
                "Tide card 2.6: no mask costs 2 points.",
                "Tide card 3.7: the most ships score 3 points.",
            ],
        ),
    ],
    ids=lambda value: type(value).__name__,
)
def test_every_event_has_the_expected_text(event: Event, lines: list[str]) -> None:
    assert WORDS.event_lines(event, NAMES) == lines


def test_every_kind_of_event_has_its_sentence_tested() -> None:
    cases = test_every_event_has_the_expected_text.pytestmark[0].args[1]  # type: ignore[attr-defined]
    assert {type(event) for event, _ in cases} == set(GAME.event_type.__args__)


def test_the_status_sums_the_round_up() -> None:
    play = position(side("t6 1"), side(), lava="red grey red", marker=2)
    label = WORDS.status(play.view, NAMES)
    assert label == [
        "Round 1, Phase Marker on 2. Red stones: 2 of 6.",
        "If the volcano erupted now: Alberto 2, Laura 0.",
    ]


def test_every_tide_card_has_a_reminder_of_one_line_and_a_choice_in_the_lobby() -> None:
    for card in tide_cards():
        reminder = WORDS.word(f"tide_{card}")
        assert reminder != f"tide_{card}" and len(reminder) <= 90 and "\n" not in reminder
        assert (reminder.startswith("At the end")) == (tide_cards()[card].when == "end")
        assert WORDS.choice(f"tide{card[0]}", card).startswith(f"{card}, ")


def test_the_last_action_of_a_round_warns_of_the_volcano() -> None:
    assert WORDS.confirm("DrawStone") == "draws a stone, no undo"
    assert WORDS.confirm("EndTurn") == ""


def test_the_rules_help_names_every_card_and_the_reconstructed_parts() -> None:
    topics = WORDS.topics
    assert all(card in topics["tides"]["text"] for card in tide_cards())
    assert "this project's own" in topics["components"]["text"]
    assert "Motu plays it like this" in topics["rulings"]["text"]
