"""Polynesia on the panel and as typed text."""

import pytest
from msgspec.structs import replace

from bot.features.play import panel as build
from bot.features.play.panel import SeatContext
from engine import GAMES, Answer, Match, Seat, UnreadableTurn, begin
from engine.core.typed import TypedTurn, read_turn, suggest_turns
from engine.polynesia.state import State
from tests.bot.tables import labels, menus, room_of
from tests.engine.perspectives import perspective_of
from tests.engine.polynesia.table import position, side

NAMES = ("Alberto", "Laura", "Cem", "Dov")
ME = Seat(0)


def match_at(state: State) -> Match:
    """Return a match in this position."""
    tides = dict(zip(("tide1", "tide2", "tide3"), state.tides, strict=True))
    return replace(
        begin(GAMES["polynesia"], len(state.sides), {"first": "1", **tides}, 7), base=state
    )


def three_steps(**given: object) -> Match:
    """Return a match in which the travel of the rules help is possible."""
    return match_at(
        position(
            side("m 4, i12 1", fish=2),
            side("m 4, i12 1"),
            side("m 5", **given),
            tides="1.3 2.4 3.1",
            routes={"i12-t1": "p2 p3 fish", "t1-c2": "p1 shell"},
        ).state
    )


def start(seats: int = 3, **settings: str) -> Match:
    return begin(
        GAMES["polynesia"],
        seats,
        {"first": "1", "tide1": "1.3", "tide2": "2.4", "tide3": "3.4", **settings},
        7,
    )


def parse_text(match: Match, said: str) -> TypedTurn:
    """Return what a text means."""
    return read_turn(perspective_of(match, ME, NAMES[: match.seats]), said)


def keys(match: Match, said: str) -> list[str]:
    """Return the picks of a text."""
    return [key for _, (key,) in parse_text(match, said).answers]


@pytest.mark.parametrize(
    ("said", "picks"),
    [
        ("explore,n2-i12,fish", ["explore", "n2-i12", "fish"]),
        ("travel,m-n2,stop", ["travel", "m-n2", "stop"]),
        ("TRAVEL, M-N2, STOP !", ["travel", "m-n2", "stop"]),
        ("populate,m3", ["populate", "m3"]),
        ("populate,m", ["populate", "m"]),
        ("fish!", ["fish"]),
        ("shell", ["shell"]),
        ("tr,m-n1,m-n2,m-n3!", ["travel", "m-n1", "m-n2", "m-n3"]),
    ],
)
def test_the_examples_in_the_rules_help_can_be_typed(said: str, picks: list[str]) -> None:
    assert keys(start(), said) == picks


def test_a_guide_that_is_the_only_one_may_be_left_out_or_typed() -> None:
    match = three_steps()
    assert keys(match, "travel,i12-t1,t1-c2,m-n2!") == ["travel", "i12-t1", "t1-c2", "m-n2"]
    assert keys(match, "travel,i12-t1,p2,t1-c2,m-n2!") == ["travel", "i12-t1", "t1-c2", "m-n2"]


def one_way() -> Match:
    """Return a match with two members on I12 only, so that the first step is forced."""
    return match_at(position(side("i12 2"), side(), routes={"i12-t1": "p1 fish"}).state)


@pytest.mark.parametrize(
    ("said", "members"),
    [
        ("travel,i12-t1,stop!", {"i12": 1, "t1": 1}),
        ("travel,stop!", {"i12": 1, "t1": 1}),
        ("travel i12-t1 i12-t1 stop!", {"t1": 2}),
        ("Travel up to 3 steps, I12 to T1, Stop!", {"i12": 1, "t1": 1}),
    ],
)
def test_a_forced_first_step_is_not_played_twice(said: str, members: dict[str, int]) -> None:
    after = parse_text(one_way(), said).steps[-1].base
    counts = zip(after.board.islands, after.sides[0].members, strict=True)
    assert {island.code: count for island, count in counts if count} == members


@pytest.mark.parametrize(
    "said",
    ["travel,M > N2,stop", "travel m to n2 stop", "Travel up to 3 steps, M to N2, Stop here"],
)
def test_a_label_can_be_typed(said: str) -> None:
    assert keys(start(), said) == ["travel", "m-n2", "stop"]


def test_a_name_that_looks_like_a_key_is_not_read_as_one() -> None:
    """A label that says more than the key is the longer reading; the key alone is the key."""
    sides = (side("i12 1", fish=2), side("i12 1"), side("i12 1"))
    match = match_at(position(*sides, routes={"i12-t1": "p2 p3 fish"}).state)
    seen = perspective_of(match, ME, ("Ana", "P3", "Cem"))

    def guide(said: str) -> str:
        return read_turn(seen, said).answers[-1][1][0]

    assert guide("travel,i12-t1,P3, for 1 fish") == "p2"
    assert guide("travel i12-t1 p3 for 1 fish") == "p2"
    assert guide("travel i12-t1 Cem") == guide("travel i12-t1 p3") == "p3"


def test_a_text_with_two_readings_is_refused_with_both() -> None:
    sides = (side("i12 1", fish=2), side("i12 1"), side("i12 1"))
    match = match_at(position(*sides, routes={"i12-t1": "p2 p3 fish"}).state)
    seen = perspective_of(match, ME, ("Ana", "P3 stop", "Cem"))
    with pytest.raises(UnreadableTurn) as refused:
        read_turn(seen, "travel i12-t1 p3 stop")
    assert "in several ways: `travel,i12-t1,p2` `travel,i12-t1,p3,stop`." in str(refused.value)
    assert [keys for _, (keys,) in read_turn(seen, "travel i12-t1 p3, stop!").answers][-2:] == [
        "p3",
        "stop",
    ]


def test_with_two_guides_the_choice_is_typed() -> None:
    match = match_at(
        position(
            side("m 1, i12 1", fish=2),
            side("i12 1"),
            side("i12 1"),
            tides="1.3 2.4 3.1",
            routes={"i12-t1": "p2 p3 fish"},
        ).state
    )
    assert keys(match, "travel,i12-t1,p3,stop!") == ["travel", "i12-t1", "p3", "stop"]
    with pytest.raises(UnreadableTurn, match="Who guides you"):
        keys(match, "travel,i12-t1,stop!")


def test_a_ship_token_on_the_way_is_typed_in_its_place() -> None:
    state = position(
        side("m 1, i12 1"), side(), routes={"i12-t1": "p1 fish"}, tokens={"t1": "K11"}
    ).state
    text = "travel,i12-t1,t1-d2,shell,t1-d2,stop"
    assert keys(match_at(state), text) == text.split(",")


def test_the_decline_is_a_text_of_one_word() -> None:
    play = position(side(fish=1), side(), marker=1, turn=1, stones="grey").play("shell")
    assert keys(match_at(play.state), "shell!") == ["shell"]


def test_completion_matches_any_part_of_a_route() -> None:
    offered = suggest_turns(perspective_of(start(), ME, NAMES[:3]), "explore,t6")
    assert [value for _, value in offered] == ["explore,t1-t6", "explore,c2-t6", "explore,d2-t6"]
    assert offered[0][0] == "EXPLORE, T1 to T6 (3 turtles): new route for 3 fish or shells"


def test_the_nearest_ways_are_those_nearest_on_the_map() -> None:
    with pytest.raises(UnreadableTurn) as refused:
        keys(start(), "explore,m-n2")
    said = str(refused.value)
    assert said.startswith(
        "Part 2: `m-n2` isn't possible now. M-N2 is an orange route: everyone may use it, "
        "and nobody explores it. Nothing was changed."
    )
    assert "Nearest: N" in said


def test_an_illegal_route_is_refused_with_the_nearest_ones() -> None:
    with pytest.raises(UnreadableTurn, match=r"Nearest: .*N2 to I12"):
        keys(start(), "explore,n2-i99")


@pytest.mark.parametrize("said", ["fish 3", "fish", "explore,n2-i12", "shell!"])
def test_another_action_is_refused_with_the_one_that_was_begun(said: str) -> None:
    begun = start().pick(Answer(ME, "take_action", ("travel",)))
    with pytest.raises(UnreadableTurn) as refused:
        keys(begun, said)
    assert "You've already chosen 'Travel" in str(refused.value)
    assert "take that back with `/undo`" in str(refused.value)
    with pytest.raises(UnreadableTurn) as refused:
        keys(start(), f"travel,{said}")
    assert "You've already chosen 'Travel" in str(refused.value)
    assert "/undo" not in str(refused.value), "only this text has chosen it"


def panel_of(match: Match, *picks: str, group: str = "") -> build.Panel:
    plan = parse_text(match, ",".join(picks)) if picks else None
    for kind, chosen in plan.answers if plan else ():
        match = match.pick(Answer(ME, kind, chosen))
    return build.build_panel(room_of(match, NAMES[: match.seats]), ME, group)


def test_44_routes_come_in_groups_by_their_islands() -> None:
    built = panel_of(start(4), "explore")
    assert not menus(built.parts)
    groups = [label for label in labels(built.parts) if label.endswith(" choices")]
    assert "Routes at A1 and A2: 6 choices" in groups
    assert set(built.rings) == {route.code for route in start(4).base.board.explorable}
    inner = panel_of(start(4), "explore", group="in-a")
    assert labels(inner.parts)[-2:] == ["Back", "Undo"]
    assert len(labels(inner.parts)) == 8


def test_a_travel_is_drafted_stepwise_and_warns_of_forfeited_steps() -> None:
    built = panel_of(start(2), "travel", "m-n2")
    assert labels(built.parts)[-3:] == ["Stop here (2 steps unused)", "Undo", "Start over"]
    assert "sailed from M to N2" in built.chosen and built.rings == ("m-n1", "m-n2", "m-n3", "n2-m")
    stopped = panel_of(start(2), "travel", "m-n2", "stop")
    assert "Stop here (2 steps unused)" in stopped.chosen
    assert labels(stopped.parts) == ["Confirm", "Undo", "Start over"]


def test_the_last_action_of_a_round_says_that_the_volcano_draws() -> None:
    state = position(side(), side(), marker=1, turn=1).state
    match = match_at(state)
    drafted = match.pick(Answer(Seat(1), "take_action", ("fish",)))
    label = build.build_confirm_label(SeatContext.of(room_of(drafted, NAMES[:2]), Seat(1)))
    assert label == "Confirm: draws a stone, no undo"
