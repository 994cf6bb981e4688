"""A whole turn of Maori in one text."""

import pytest
from msgspec.structs import replace

from engine import GAMES, Answer, Match, Seat, UnreadableTurn, begin
from engine.core.typed import TypedTurn, read_turn, suggest_turns
from tests.engine.maori.table import Play, matrix_with, position, side
from tests.engine.seeing import seen_by

ME = Seat(0)
ROW = "r1=11 r2=25 r3=79"


def at(play: Play) -> Match:
    """A match of two at that position."""
    settings = {"rules": play.state.rules, "board": play.state.board_name, "first": "2"}
    return replace(begin(GAMES["maori"], 2, settings, "typed"), base=play.state)


def sailing(rules: str) -> Match:
    """The position of the decision map: ship on r1, discoverer on 6, tiles 33 on P and 34 on L."""
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


def played(match: Match, said: str) -> Match:
    """The match after that text, confirmed."""
    plan = read_turn(seen_by(match, ME), said)
    assert plan.is_confirmed
    for kind, answer in plan.answers:
        match = match.pick(Answer(ME, kind, answer))
    return match.confirm(ME)


def test_a_pro_turn_with_a_paid_ship_move_is_one_text() -> None:
    match = sailing("pro")
    plan = read_turn(seen_by(match, ME), "9,L,S4!")
    assert keys(plan) == ["9", "l", "s4"]
    assert plan.is_confirmed
    after = played(match, "9,l,s4!").base
    assert (after.sides[0].shells, after.bank, after.discoverer) == (2, 23, 8)


@pytest.mark.parametrize(
    ("rules", "said"),
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
def test_every_kind_of_turn_is_one_text(rules: str, said: str) -> None:
    assert played(sailing(rules), said).waiting_for() == (Seat(1),)


def test_to_take_nothing_is_typed_and_never_meant_by_a_bare_confirm() -> None:
    match = sailing("basic")
    with pytest.raises(
        UnreadableTurn, match=r"The turn is not complete, so nothing was done\.[^!]*Nothing"
    ):
        read_turn(seen_by(match, ME), "7!")
    assert match.draft(ME).answers == ()


def test_the_stored_tile_is_placed_by_text() -> None:
    own = side(ROW, ship="r1", stored=91)
    match = at(position(own, side(), rules="advanced", discoverer="6"))
    after = played(match, "9,stored,q3,r3!").base
    assert (after.sides[0].stored, after.sides[0].shells, after.bank) == (0, 5, 20)


def test_what_is_not_legal_is_refused_with_the_reason_and_nothing_is_half_applied() -> None:
    match = sailing("pro")
    with pytest.raises(
        UnreadableTurn,
        match=r"(?s)Part 3, `t5` is not possible now: .* Nothing was drafted.\nWhere do you place the tile",
    ):
        read_turn(seen_by(match, ME), "9,l,t5!")
    with pytest.raises(
        UnreadableTurn, match=r"(?s)Part 2, `a` is not possible now: .*\nWhat do you do\?"
    ):
        read_turn(seen_by(match, ME), "9,a")
    with pytest.raises(UnreadableTurn, match="one choice too many"):
        read_turn(seen_by(match, ME), "9,l,s4,stay!")
    with pytest.raises(UnreadableTurn, match="not complete, so nothing was done"):
        read_turn(seen_by(match, ME), "9,l!")
    assert match.drafts == {}


def test_completion_offers_the_legal_continuations_with_their_prices() -> None:
    seen = seen_by(sailing("pro"), ME)
    offered = dict(suggest_turns(seen, "9,l,"))
    assert offered["9, L, S4: sails 2 steps, pays 2 shells, takes 1 shell"] == "9,l,s4"
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


@pytest.mark.parametrize("said", ["9,n!", "9,n", "9,N!"])
def test_a_tile_out_of_reach_is_refused_and_does_not_end_the_turn(said: str) -> None:
    match = sailing("basic")
    drafted = match.pick(Answer(ME, "move_discoverer", ("9",)))
    assert "n" not in {option.key for option in drafted.decisions(ME)[0].options}
    with pytest.raises(
        UnreadableTurn, match=r"(?si)Part 2, `n` is not possible now: .*What do you do\?.*Nothing"
    ):
        read_turn(seen_by(match, ME), said)
    assert played(match, "9,no!").waiting_for() == (Seat(1),)


def test_a_position_out_of_reach_is_refused_and_not_taken_for_another() -> None:
    match = at(position(side(shells=0), side(), discoverer="8"))
    with pytest.raises(UnreadableTurn, match=r"(?s)`1` is not possible now: .*\nPossible: 9, 10\."):
        read_turn(seen_by(match, ME), "1")


def shut_in() -> Match:
    """The tile B can go on S2 alone, and then the ship may sail."""
    own = side("r1=11 r2=25 s1=79 q5=80", ship="r1", shells=0, stored=90)
    return at(position(own, side(), rules="advanced", discoverer="1"))


@pytest.mark.parametrize(
    ("said", "ship"),
    [
        ("2,b,s2!", "r1"),
        ("2,b!", "r1"),
        ("2,b,s2,stay!", "r1"),
        ("2,b,stay!", "r1"),
        ("2,b,s2,q5!", "q5"),
        ("2,b,q5!", "q5"),
        ("2,b,s2,s2!", "s2"),
        ("2 b s2 s2!", "s2"),
        ("2 B S2 Stay: leave the ship where it is!", "r1"),
    ],
)
def test_a_choice_that_repeats_what_goes_without_saying_is_that(said: str, ship: str) -> None:
    after = played(shut_in(), said).base
    assert after.board.code(after.sides[0].ship) == ship
    assert after.sides[0].tiles[after.board.by_code["s2"].index] == 80


def test_completion_writes_what_goes_without_saying() -> None:
    seen = seen_by(shut_in(), ME)
    offered = dict(suggest_turns(seen, "2,b,"))
    assert set(offered.values()) == {
        f"2,b,s2,{key}" for key in ("stay", "r2", "s1", "s2", "q5")
    } | {"2,b,s2,stay!"}
    assert offered["2, B, S2, Stay: leave the ship where it is"] == "2,b,s2,stay"
    assert "2,b,s2" in dict(suggest_turns(seen, "2,b")).values()


@pytest.mark.parametrize(
    ("said", "why"),
    [
        (
            "9,b",
            "Part 2, `b` is not possible now: B is not in the row or column at which the discoverer stands, on 9.",
        ),
        (
            "15",
            "`15` is not possible now: 15 is 9 steps away: you have 2 ships and 5 shells, a step each.",
        ),
        (
            "9,l,r1!",
            "Part 3, `r1` is not possible now: A tile of yours lies on R1 already. Nothing was drafted.",
        ),
        (
            "9 l t5",
            "Part 3, `t5` is not possible now: T5 is printed land: a tile goes on water. Nothing was drafted.",
        ),
        ("zz", "`zz` is not possible now: ZZ is not on the board. Nothing was drafted."),
    ],
)
def test_the_answer_says_which_part_of_a_turn_is_illegal_and_why(said: str, why: str) -> None:
    with pytest.raises(UnreadableTurn) as refused:
        read_turn(seen_by(sailing("pro"), ME), said)
    assert str(refused.value).startswith(why)


def test_the_nearest_choices_are_those_nearest_on_the_board() -> None:
    match = at(position(side(ROW), side(), discoverer="6"))
    with pytest.raises(UnreadableTurn, match=r"Nearest: Q3, R4, S3, Q4, S2, S4, R5, T3 …"):
        read_turn(seen_by(match, ME), "9,p,r3")
