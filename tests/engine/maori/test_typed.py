"""Whole turns of Maori typed as one text."""

import pytest
from msgspec.structs import replace

from engine import GAMES, Answer, Match, Seat, UnreadableTurn, begin
from engine.core.typed import TypedTurn, read_turn, suggest_turns
from tests.engine.maori.table import Play, matrix_with, position, side
from tests.engine.perspectives import perspective_of

ME = Seat(0)
ROW = "r1=11 r2=25 r3=79"


def at(play: Play) -> Match:
    """Return a match of two at this position."""
    settings = {"rules": play.state.rules, "board": play.state.board_name, "first": "2"}
    return replace(begin(GAMES["maori"], 2, settings, "typed"), base=play.state)


def sailing(rules: str) -> Match:
    """Return a match with the ship on r1, the discoverer on 6, and tiles 33 on P and 34 on L."""
    return at(
        position(
            side(ROW, ship="r1"),
            side(),
            rules=rules,
            discoverer="6",
            matrix=matrix_with(p=33, l=34),
        )
    )


def keys(plan: TypedTurn) -> list[str]:
    return [answer[0] for _, answer in plan.answers]


def played(match: Match, text: str) -> Match:
    """Play and confirm a text."""
    plan = read_turn(perspective_of(match, ME), text)
    assert plan.is_confirmed
    for kind, answer in plan.answers:
        match = match.pick(Answer(ME, kind, answer))
    return match.confirm(ME)


def test_a_pro_turn_with_a_paid_ship_move_is_one_text() -> None:
    match = sailing("pro")
    plan = read_turn(perspective_of(match, ME), "9,L,S4!")
    assert keys(plan) == ["9", "l", "s4"]
    assert plan.is_confirmed
    after = played(match, "9,l,s4!").base
    assert after.sides[0].shells == 2
    assert after.bank == 23
    assert after.discoverer == 8


@pytest.mark.parametrize(
    ("rules", "text"),
    [
        ("basic", "9,p,store!"),
        ("basic", "7,nothing!"),
        ("basic", "9,remove,r2!"),
        ("advanced", "7,l,s2,stay!"),
        ("advanced", "7,l,s2!"),
        ("advanced", "9,p,s2,r3!"),
        ("advanced", "11,remove,r2,stay!"),
        ("pro", "9,rem,r2!"),
    ],
)
def test_every_kind_of_turn_is_one_text(rules: str, text: str) -> None:
    assert played(sailing(rules), text).waiting_for() == (Seat(1),)


def test_to_take_nothing_is_typed_and_never_meant_by_a_bare_confirm() -> None:
    match = sailing("basic")
    with pytest.raises(
        UnreadableTurn, match=r"Your turn isn't complete, so nothing was changed\.[^!]*Nothing"
    ):
        read_turn(perspective_of(match, ME), "7!")
    assert match.draft(ME).answers == ()


def test_the_stored_tile_is_placed_by_text() -> None:
    own = side(ROW, ship="r1", stored=91)
    match = at(position(own, side(), rules="advanced", discoverer="6"))
    after = played(match, "9,stored,q3,r3!").base
    assert after.sides[0].stored == 0
    assert after.sides[0].shells == 5
    assert after.bank == 20


def test_an_illegal_text_is_refused_with_the_reason_as_a_whole() -> None:
    match = sailing("pro")
    with pytest.raises(
        UnreadableTurn,
        match=r"(?s)Part 3: `t5` isn't possible now. .* Nothing was changed.\nWhere do "
        r"you place the right end",
    ):
        read_turn(perspective_of(match, ME), "9,l,t5!")
    with pytest.raises(
        UnreadableTurn, match=r"(?s)Part 2: `a` isn't possible now. .*\nWhich tile do you take\?"
    ):
        read_turn(perspective_of(match, ME), "9,a")
    with pytest.raises(UnreadableTurn, match="one choice too many"):
        read_turn(perspective_of(match, ME), "9,l,s4,stay!")
    with pytest.raises(UnreadableTurn, match="isn't complete, so nothing was changed"):
        read_turn(perspective_of(match, ME), "9,l!")
    assert match.drafts == {}


def test_completion_offers_the_legal_continuations_with_their_prices() -> None:
    seen = perspective_of(sailing("pro"), ME)
    offered = dict(suggest_turns(seen, "9,l,"))
    assert offered["9, L, S4, pay 2 shells to sail there, get 1 shell"] == "9,l,s4"
    assert set(offered.values()) == {
        "9,l,q3",
        "9,l,q4",
        "9,l,r4",
        "9,l,s1",
        "9,l,s2",
        "9,l,s3",
        "9,l,s4",
        "9,l,store",
    }
    assert "9,l,s4!" in dict(suggest_turns(seen, "9,l,s4")).values()


def test_a_forced_rest_may_be_typed_or_left_out() -> None:
    match = at(position(side(), side(), discoverer="16", matrix=matrix_with(a=96)))
    assert played(match, "1!") == played(match, "1,nothing!")


@pytest.mark.parametrize("text", ["9,n!", "9,n", "9,N!"])
def test_a_tile_out_of_reach_is_refused_and_does_not_end_the_turn(text: str) -> None:
    match = sailing("basic")
    drafted = match.pick(Answer(ME, "move_discoverer", ("9",)))
    assert "n" not in {option.key for option in drafted.decisions(ME)[0].options}
    with pytest.raises(
        UnreadableTurn,
        match=r"(?si)Part 2: `n` isn't possible now. .*Which tile do you take\?.*Nothing",
    ):
        read_turn(perspective_of(match, ME), text)
    assert played(match, "9,no!").waiting_for() == (Seat(1),)


def test_a_position_out_of_reach_is_refused_and_not_taken_for_another() -> None:
    match = at(position(side(shells=0), side(), discoverer="8"))
    with pytest.raises(UnreadableTurn, match=r"(?s)`1` isn't possible now. .*\nPossible: 9, 10\."):
        read_turn(perspective_of(match, ME), "1")


def shut_in() -> Match:
    """Return a match in which tile B can only go on S2, and the ship may sail afterwards."""
    own = side("r1=11 r2=25 s1=79 q5=80", ship="r1", shells=0, stored=90)
    return at(position(own, side(), rules="advanced", discoverer="1"))


@pytest.mark.parametrize(
    ("text", "ship"),
    [
        ("2,b,s2!", "r1"),
        ("2,b!", "r1"),
        ("2,b,s2,stay!", "r1"),
        ("2,b,stay!", "r1"),
        ("2,b,s2,q5!", "q5"),
        ("2,b,q5!", "q5"),
        ("2,b,s2,s2!", "s2"),
        ("2 b s2 s2!", "s2"),
        ("2 B S2 Stay: leave the ship there!", "r1"),
    ],
)
def test_repeating_a_forced_choice_is_accepted(text: str, ship: str) -> None:
    after = played(shut_in(), text).base
    assert after.board.code(after.sides[0].ship) == ship
    assert after.sides[0].tiles[after.board.by_code["s2"].index] == 80


def test_completion_includes_forced_choices() -> None:
    seen = perspective_of(shut_in(), ME)
    offered = dict(suggest_turns(seen, "2,b,"))
    assert set(offered.values()) == {
        f"2,b,s2,{key}" for key in ("stay", "r2", "s1", "s2", "q5")
    } | {"2,b,s2,stay!"}
    assert offered["2, B, S2, Stay: leave the ship there"] == "2,b,s2,stay"
    assert "2,b,s2" in dict(suggest_turns(seen, "2,b")).values()


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (
            "9,b",
            "Part 2: `b` isn't possible now. B isn't in the discoverer's row or column, and you "
            "can only take tiles from there. The discoverer is on 9.",
        ),
        (
            "15",
            "`15` isn't possible now. 15 is 9 steps away. You have 2 ships and 5 shells, "
            "good for one step each.",
        ),
        (
            "9,l,r1!",
            "Part 3: `r1` isn't possible now. There's already a tile on R1. Choose an empty "
            "space. Nothing was changed.",
        ),
        (
            "9 l t5",
            "Part 3: `t5` isn't possible now. T5 is printed land, and tiles go on water. "
            "Choose an empty space. Nothing was changed.",
        ),
        ("zz", "`zz` isn't possible now. ZZ isn't on the board. Nothing was changed."),
    ],
)
def test_the_answer_says_which_part_of_a_turn_is_illegal_and_why(text: str, why: str) -> None:
    with pytest.raises(UnreadableTurn) as refused:
        read_turn(perspective_of(sailing("pro"), ME), text)
    assert str(refused.value).startswith(why)


def test_the_nearest_choices_are_those_nearest_on_the_board() -> None:
    match = at(position(side(ROW), side(), discoverer="6"))
    with pytest.raises(UnreadableTurn, match=r"Nearest: Q3, R4, S3, Q4, S2, S4, R5, T3 …"):
        read_turn(perspective_of(match, ME), "9,p,r3")
