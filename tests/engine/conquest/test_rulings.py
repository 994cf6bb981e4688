"""Rulings, made where the rulebook is silent, that no other module tests."""

from engine.conquest.sea_events import ExplorerReturned, HexCrossed
from tests.engine.conquest.scenes import HIVA, SAMOA, TONGA, Scene, kinds


def test_ruling_crossing_costs_the_same_for_known_hexes_and_face_down_tiles() -> None:
    known = Scene(3).exploring(TONGA).do(TONGA, "g8", draws=["ocean1"]).do(TONGA, "g7,return")
    hidden = Scene(3).hidden("h9", "rapa", TONGA).exploring(TONGA).do(TONGA, "g8", draws=["ocean1"])
    hidden.do(TONGA, "h9,return")
    assert known.events(HexCrossed)[0].total == hidden.events(HexCrossed)[0].total == 3  # type: ignore[attr-defined]


def test_ruling_off_course_may_drive_to_a_tile_the_explorer_has_not_seen_and_to_no_other_tile() -> (
    None
):
    scene = Scene(3).hidden("h10", "rapa", SAMOA).hidden("g9", "norfolk", TONGA)
    play = (
        scene.exploring(TONGA)
        .do(TONGA, "g8", draws=["ocean1"])
        .do(TONGA, "h9", draws=["offcourse"])
    )
    assert "h10" in play.keys(SAMOA)
    assert "g9" not in play.keys(SAMOA)
    play.do(SAMOA, "h10")
    assert play.kind(TONGA) == "keep_tile"


def test_ruling_all_markers_of_the_turn_count_the_two_knot_ones_too() -> None:
    play = (
        Scene(3)
        .exploring(TONGA)
        .do(TONGA, "g8", draws=["ocean2"])
        .do(TONGA, "g7,h8", draws=["ocean1"])
    )
    assert play.events(ExplorerReturned)[0].total == 5  # type: ignore[attr-defined]


def test_ruling_what_lies_between_does_not_hinder_a_retreat() -> None:
    scene = Scene(3).sea("g8", "h9").pieces(SAMOA, "h9", "1w").pieces(TONGA, "g8", "2w")
    play = scene.moving(TONGA).do(TONGA, "g8,h9,2w,done", 4)
    assert play.at(SAMOA, "f7") == kinds("1w")


def test_ruling_a_transport_canoe_with_a_colony_cannot_land_beside_an_enemy() -> None:
    scene = Scene(3).land(g8="rapa").pieces(SAMOA, "g8", "1c").pieces(TONGA, "f8", "1t 1c")
    assert "g8" not in scene.moving(TONGA).pick(TONGA, "f8").keys(TONGA)


def test_ruling_nothing_is_built_on_a_secret_island() -> None:
    scene = Scene(3).hidden("g8", "rapa", TONGA)
    play = scene.building().pick(TONGA, "t,done")
    assert [line.spot for line in play.match.tip(TONGA).builds[TONGA].lines] == ["f8"]


def test_ruling_cards_shown_at_the_end_count() -> None:
    scene = Scene(2, last_turn="12").having(turn=12).cards(SAMOA, "tapa")
    outcome = scene.victory().match.outcome
    assert outcome is not None
    assert outcome.scores == (2, 4)


def test_ruling_and_47_boxes_and_orientation_are_never_asked_about() -> None:
    """Room is green boxes and improved brown ones less Villages, whichever stands where."""
    scene = Scene(3).village(TONGA, "f8", 4, improved=1).cards(SAMOA, "forest")
    play = scene.exploring(TONGA).offer(SAMOA, "fell_forest", "f8")
    group = play.state.group("f8")
    assert (group.villages, group.improved) == (3, 1)


def test_ruling_war_canoes_are_boarded_first() -> None:
    scene = (
        Scene(3)
        .sea("g8")
        .pieces(TONGA, "f8", "1w 1t 1b")
        .pieces(SAMOA, "g8", "1w")
        .nation(TONGA, losses="ask")
    )
    play = scene.moving(TONGA).do(TONGA, "f8,g8,all,done", 2)
    assert play.keys(TONGA) == ["w", "b"]


def test_ruling_the_size_of_a_stack_is_public_and_unbuilt_pieces_are_not() -> None:
    view = Scene(3).pieces(TONGA, "f8", "2w 1b").moving(TONGA).match.view(HIVA)
    assert view.stacks[0].count == 3  # type: ignore[attr-defined]
    assert view.own.unbuilt == kinds("6w 16t 2r 6c 8b")  # type: ignore[attr-defined]


def test_ruling_a_seat_that_is_out_is_skipped_as_left_neighbour() -> None:
    scene = Scene(3).nation(SAMOA, out=True)
    scene.state = scene.state.with_group(scene.state.group("f7").__class__("f7", -1, 0))
    play = (
        scene.exploring(TONGA)
        .do(TONGA, "g8", draws=["ocean1"])
        .do(TONGA, "h9", draws=["offcourse"])
    )
    assert play.waiting() == (HIVA,)


def test_ruling_a_tile_that_all_others_have_seen_turns_up_when_a_seat_goes_out() -> None:
    scene = Scene(3).hidden("h9", "rapa", TONGA, HIVA).pieces(TONGA, "f8", "2w")
    play = scene.moving(TONGA).do(TONGA, "f8,f7,2w,done", 4).do(TONGA, "none")
    assert play.state.tile_at["h9"].up


def test_a_fleet_has_a_name_that_is_no_hex() -> None:
    scene = Scene(3).sea("g8").pieces(TONGA, "f8", "2t")
    play = scene.moving(TONGA).pick(TONGA, "f8,g8,1t")
    assert play.keys(TONGA) == ["f8", "fleet1", "open", "open-f8", "open-g8", "done"]
