"""Rulebook sentences that no other module tests: add a test here for every one still missing."""

from engine.conquest.battle_events import BattleJoined
from engine.conquest.board import CHART, PRINTED_OCEAN
from engine.conquest.events import SeatOut
from engine.conquest.pieces import Group
from engine.conquest.sea_events import Transited
from tests.engine.conquest.scenes import HIVA, SAMOA, TONGA, Scene, kinds
from tests.engine.conquest.test_building import built
from tests.engine.conquest.test_victory import rich


def test_the_pre_move_begins_on_any_controlled_group() -> None:
    """A lone group far from Home will do; the Unknown around it is in reach."""
    scene = Scene(3).land(q8="rapa").village(TONGA, "q8", 1)
    assert {"p8", "p9", "q9", "r8", "r9"} <= set(scene.exploring(TONGA).keys(TONGA))


def test_hexes_without_open_boxes_cannot_be_explored() -> None:
    scene = Scene(3).sea(
        *(spot for spot in CHART.unknown if spot not in ("q9", "g7", "j6", "l6", "h7", "k7"))
    )
    assert not set(scene.exploring(TONGA).keys(TONGA)) & PRINTED_OCEAN


def test_a_chain_may_branch_and_has_no_limit_in_transit() -> None:
    scene = Scene(3).sea("g8", "h9", "g9").pieces(TONGA, "f8", "4w 6t 8b 6c")
    play = (
        scene.add_open_canoes(TONGA, "f8", "g8", "h9", "g9")
        .land(g10="rapa")
        .add_open_canoes(TONGA, "g10")
        .moving(TONGA)
    )
    reached = {"g8-chain", "g9-chain", "h9-chain", "g10-chain"}
    assert reached <= set(play.pick(TONGA, "f8").keys(TONGA))
    play.pick(TONGA, "g10-chain,all")
    assert play.match.tip(TONGA).pieces(TONGA, "g10") == kinds("4w 7t 8b 6c")
    assert [
        event.count for event in play.match.draft(TONGA).events if isinstance(event, Transited)
    ] == [24]


def test_a_rumor_taken_off_may_be_built_again_for_nothing() -> None:
    play = Scene(3).pieces(TONGA, "f8", "2r").exploring(TONGA).offer(TONGA, "drop_rumor", "f8")
    assert play.at(TONGA, "f8") == kinds("1r")
    assert built(Scene(3).pieces(TONGA, "f8", "1r"), "r,done").at(TONGA, "f8") == kinds("2r")


def test_local_warriors_are_always_back_for_the_next_battle() -> None:
    scene = Scene(3).pieces(TONGA, "f8", "2w").pieces(TONGA, "g7", "1w").village(SAMOA, "f7", 2)
    first = scene.moving(TONGA).do(TONGA, "f8,f7,1w,done", 1)
    assert [event.sides[1].l for event in first.events(BattleJoined)] == [1]  # type: ignore[attr-defined]
    again = (
        Scene(3)
        .village(SAMOA, "f7", 2)
        .pieces(TONGA, "f8", "1w")
        .moving(TONGA)
        .do(TONGA, "f8,f7,done", 4)
    )
    assert [event.sides[1].l for event in again.events(BattleJoined)] == [1]  # type: ignore[attr-defined]


def test_the_most_points_win_not_the_declaration() -> None:
    scene = rich().cards(HIVA, "moai", "hula").having(order=(HIVA, SAMOA, TONGA))
    scene.village(SAMOA, "f7", 4, improved=1).village(SAMOA, "h8", 4, improved=1).village(
        SAMOA, "j9", 3
    )
    scene.village(SAMOA, "e7", 4, improved=1).pieces(SAMOA, "e7", "1b").nation(SAMOA, kumara=True)
    scene.land(h9="norfolk", g8="rapa").village(SAMOA, "h9", 1).village(SAMOA, "g8", 1)
    scene.cards(SAMOA, "navigation", "poi", "slings", "mana", "fort", "ponds", "chart", up=True)
    outcome = scene.victory().do(HIVA, "declare").do(SAMOA, "pass").match.outcome
    assert outcome is not None
    assert outcome.reason == "declared"
    assert outcome.ranking == ((SAMOA,), (HIVA,), (TONGA,))
    assert outcome.scores[HIVA] == 25


def test_a_conqueror_with_kumara_gets_no_second() -> None:
    scene = (
        Scene(3, kumara="on").land(g8="kuporu").village(SAMOA, "g8", 1).nation(SAMOA, kumara=True)
    )
    scene.nation(TONGA, kumara=True, points=8).pieces(TONGA, "f8", "2w")
    play = scene.moving(TONGA).do(TONGA, "f8,g8,2w,done", 4).do(TONGA, "1w")
    assert play.state.group("g8").owner == TONGA
    assert play.match.view(None).nations[TONGA].score.kumara == 2  # type: ignore[attr-defined]


def test_a_turn_goes_on_without_a_seat_that_is_out() -> None:
    """A ruling: neither asked nor in the order, and two that are left have but one way round."""
    scene = Scene(3).nation(SAMOA, out=True, home="").having(order=(TONGA, HIVA))
    scene.state = scene.state.with_group(Group("f7", -1, 0))
    play = scene.turn()
    assert play.keys(TONGA) == ["tonga", "hiva"]
    play.do(TONGA, "hiva")
    assert play.state.order == (HIVA, TONGA)
    building = scene.building()
    assert building.waiting() == (TONGA, HIVA)
    assert not building.events(SeatOut)


def test_no_hex_is_ever_too_full() -> None:
    play = (
        Scene(3)
        .sea("g8")
        .pieces(TONGA, "f8", "6w 16t 8b 2r")
        .moving(TONGA)
        .do(TONGA, "f8,g8,all,done")
    )
    assert play.at(TONGA, "g8") == kinds("6w 16t 8b 2r")
