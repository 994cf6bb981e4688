"""A whole turn of Maori in one text of /play."""

import pytest
from msgspec.structs import replace

from bot.errors import Refused
from bot.panel import typed
from bot.panel.typed import Plan
from engine import GAMES, Answer, Match, Seat, begin
from tests.bot.tables import room_of
from tests.engine.maori.table import Play, matrix_with, position, side

ME = Seat(0)
ROW = "r1=11 r2=25 r3=79"


def at(play: Play) -> Match:
    """A match of two at that position."""
    settings = {"rules": play.state.rules, "board": play.state.board_name, "first": "2"}
    return replace(begin(GAMES["maori"], 2, settings, "typed"), base=play.state)


def sailing(rules: str) -> Match:
    """The position of the decision map: ship on r1, discoverer on 6, tiles 33 on P and 34 on L."""
    return at(position(side(ROW, ship="r1"), side(), rules=rules, discoverer="6", matrix=matrix_with(p=33, l=34)))


def keys(plan: Plan) -> list[str]:
    return [answer[0] for _, answer in plan.answers]


def played(match: Match, said: str) -> Match:
    """The match after that text, confirmed."""
    plan = typed.parse(room_of(match), ME, said)
    assert plan.confirm
    for kind, answer in plan.answers:
        match = match.pick(Answer(ME, kind, answer))
    return match.confirm(ME)


def test_a_pro_turn_with_a_paid_ship_move_is_one_text() -> None:
    match = sailing("pro")
    plan = typed.parse(room_of(match), ME, "9,L,S4!")
    assert keys(plan) == ["9", "l", "s4"]
    assert plan.confirm
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
    with pytest.raises(Refused, match=r"The turn is not complete, so nothing was done\.[^!]*NOTHING"):
        typed.parse(room_of(match), ME, "7!")
    assert match.draft(ME).answers == ()


def test_the_stored_tile_is_placed_by_text() -> None:
    own = side(ROW, ship="r1", stored=91)
    match = at(position(own, side(), rules="advanced", discoverer="6"))
    after = played(match, "9,stored,q3,r3!").base
    assert (after.sides[0].stored, after.sides[0].shells, after.bank) == (0, 5, 20)


def test_what_is_not_legal_is_refused_with_the_reason_and_nothing_is_half_applied() -> None:
    match = sailing("pro")
    with pytest.raises(Refused, match=r"`T5` is not possible now\. Where do you place the tile"):
        typed.parse(room_of(match), ME, "9,l,t5!")
    with pytest.raises(Refused, match=r"`A` is not possible now\. What do you do\?"):
        typed.parse(room_of(match), ME, "9,a")
    with pytest.raises(Refused, match="one choice too many"):
        typed.parse(room_of(match), ME, "9,l,s4,stay!")
    with pytest.raises(Refused, match="not complete, so nothing was done"):
        typed.parse(room_of(match), ME, "9,l!")
    assert match.drafts == {}


def test_completion_offers_the_legal_continuations_with_their_prices() -> None:
    room = room_of(sailing("pro"))
    offered = dict(typed.complete(room, ME, "9,l,"))
    assert offered["9, L, S4: sails 2 steps, pays 2 shells, takes 1 shell"] == "9,l,s4"
    assert set(offered.values()) == {"9,l,q3", "9,l,q4", "9,l,r4", "9,l,s1", "9,l,s2", "9,l,s3", "9,l,s4", "9,l,store"}
    assert "9,l,s4!" in dict(typed.complete(room, ME, "9,l,s4")).values()


def test_a_forced_rest_may_be_typed_or_left_out() -> None:
    match = at(position(side(), side(), discoverer="16", matrix=matrix_with(a=96)))
    assert played(match, "1!") == played(match, "1,nothing!")


@pytest.mark.parametrize("said", ["9,n!", "9,n", "9,N!"])
def test_a_tile_out_of_reach_is_refused_and_does_not_end_the_turn(said: str) -> None:
    match = sailing("basic")
    drafted = match.pick(Answer(ME, "move_discoverer", ("9",)))
    assert "n" not in {option.key for option in drafted.decisions(ME)[0].options}
    with pytest.raises(Refused, match=r"(?s)`N` is not possible now\. What do you do\?.*NOTHING"):
        typed.parse(room_of(match), ME, said)
    assert played(match, "9,no!").waiting_for() == (Seat(1),)


def test_a_position_out_of_reach_is_refused_and_not_taken_for_another() -> None:
    match = at(position(side(shells=0), side(), discoverer="8"))
    with pytest.raises(Refused, match=r"(?s)`1` is not possible now\..*\nPossible: 9 10\."):
        typed.parse(room_of(match), ME, "1")
