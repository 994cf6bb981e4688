"""The Exploration Step: a test for each sentence of the rulebook.

A docstring gives the sentence, or the ruling, that its test checks.
"""

import pytest

from engine.conquest.events import PointsCounted
from engine.conquest.pieces import Kinds
from engine.conquest.sea_events import (
    ExplorationPassed,
    ExplorerLost,
    ExplorerRecovered,
    ExplorerReturned,
    HexCrossed,
    MarkerDrawn,
    MarkersOut,
    OffCourseSet,
    OffCourseStuck,
    SeasCharted,
    TileFound,
    TileHidden,
    TileRevealed,
    TileSeen,
)
from tests.engine.conquest.scenes import HIVA, SAMOA, TONGA, Play, Scene


def exploring(seats: int = 3, **settings: str) -> Play:
    """Return a match in which Tonga's Explorer is about to set out."""
    return Scene(seats, **settings).exploring(TONGA)


def at_h9(*draws: str, cards: tuple[str, ...] = ()) -> Play:
    """Return a match in which Tonga has explored G8 (ocean 1) and draws this at H9."""
    play = Scene(3).cards(TONGA, *cards, up=True).exploring(TONGA)
    return play.do(TONGA, "g8", draws=["ocean1"]).do(TONGA, "h9", draws=draws)


def test_an_explorer_in_the_lost_box_is_taken_back_and_that_is_all() -> None:
    play = Scene(3).nation(TONGA, explorer="lost").exploring(TONGA)
    assert play.events(ExplorerRecovered)
    assert play.kind(TONGA) != "launch_explorer"
    assert play.state.nations[TONGA].explorer == "home"


def test_with_no_controlled_group_the_step_is_skipped() -> None:
    scene = Scene(3).pieces(TONGA, "g8", "1t").sea("g8")
    scene.state = scene.state.with_group(scene.state.group("f8").__class__("f8", -1, 0))
    assert scene.exploring(TONGA).events(ExplorationPassed)


def test_example_a_the_pre_move_reaches_the_edge_of_the_unknown() -> None:
    """Tonga begins next to Tonga, next to Niue, or beyond it over ocean and atoll: eleven hexes."""
    assert exploring().keys(TONGA) == [
        "e8",
        "f9",
        "g6",
        "g8",
        "h6",
        "h8",
        "j5",
        "j7",
        "k6",
        "k8",
        "l7",
        "pass",
    ]


def test_the_pre_move_does_not_cross_enemy_hexes() -> None:
    """Independent groups, groups of others, and any hex with another's piece, a Rumor too."""
    play = Scene(3).pieces(SAMOA, "g7", "1r").exploring(TONGA)
    assert play.keys(TONGA) == ["e8", "f9", "g8", "pass"]


def test_ruling_the_pre_move_does_not_cross_face_down_tiles() -> None:
    play = Scene(2).hidden("g8", "rapa", TONGA).exploring(TONGA)
    assert "h9" not in play.keys(TONGA)
    assert "g8" in play.keys(TONGA)


def test_a_face_down_tile_is_not_known_not_even_to_its_discoverer() -> None:
    """A ruling of this project."""
    play = Scene(2).hidden("g7", "niue", TONGA).exploring(TONGA)
    assert "h8" not in play.keys(TONGA)


def test_open_ocean_stays_on_the_map() -> None:
    play = exploring().do(TONGA, "g8", draws=["ocean2"])
    (marker,) = play.events(MarkerDrawn)
    assert marker.spot == "g8"
    assert marker.sort == "ocean"
    assert marker.knots == 2
    assert marker.total == 2
    play.do(TONGA, "return")
    assert play.events(SeasCharted)[0].spots == ("g8",)  # type: ignore[attr-defined]
    assert "g8" in play.state.seas


def test_a_marker_drawn_is_out_of_the_cup() -> None:
    before = sum(exploring().state.cup)
    assert sum(exploring().do(TONGA, "g8", draws=["ocean2"]).state.cup) == before - 1


def test_an_island_group_marker_draws_a_tile_for_its_discoverers_eyes() -> None:
    play = exploring().do(TONGA, "g8", draws=["island2"], picks=["rapa"])
    assert [event.tile for event in play.seen(TONGA) if isinstance(event, TileFound)] == ["rapa"]
    assert [event.tile for event in play.seen(SAMOA) if isinstance(event, TileFound)] == [""]
    assert play.keys(TONGA) == ["hide", "show"]
    assert "rapa" not in play.state.box


def test_a_hidden_tile_lies_face_down_under_a_marker() -> None:
    play = exploring().do(TONGA, "g8", draws=["island2"], picks=["rapa"]).do(TONGA, "hide,return")
    tile = play.state.tile_at["g8"]
    assert (tile.key, tile.up, tile.seen) == ("rapa", False, (TONGA,))
    assert [event.tile for event in play.seen(None) if isinstance(event, TileHidden)] == [""]
    assert [event.out for event in play.seen(None) if isinstance(event, MarkersOut)] == [1]


def test_a_tile_may_be_revealed_immediately() -> None:
    play = exploring().do(TONGA, "g8", draws=["island2"], picks=["rapa"]).do(TONGA, "show,return")
    assert play.state.tile_at["g8"].up
    assert play.events(TileRevealed)


def test_with_four_knots_or_fewer_one_may_go_on_or_return() -> None:
    play = exploring().do(TONGA, "g8", draws=["ocean2"]).do(TONGA, "h9", draws=["ocean2"])
    assert play.kind(TONGA) == "explore_on"
    assert "return" in play.keys(TONGA)


def test_with_five_knots_the_explorer_must_return() -> None:
    play = exploring().do(TONGA, "g8", draws=["ocean2"]).do(TONGA, "h9", draws=["ocean3"])
    assert play.events(ExplorerReturned)
    assert play.state.nations[TONGA].explorer == "home"


def test_with_six_knots_the_explorer_is_lost_after_resolving_the_hex() -> None:
    play = (
        exploring()
        .do(TONGA, "g8", draws=["ocean3"])
        .do(TONGA, "h9", draws=["island3"], picks=["rapa"])
    )
    assert play.keys(TONGA) == ["hide", "show"]
    play.do(TONGA, "hide")
    assert play.events(ExplorerLost)
    assert play.state.nations[TONGA].explorer == "lost"
    assert "h9" in play.state.tile_at


def test_off_course_the_left_neighbour_moves_the_explorer_out_of_turn() -> None:
    play = at_h9("offcourse")
    assert play.waiting() == (SAMOA,)
    assert play.keys(SAMOA) == ["g9", "h8", "h10", "j8", "j9"]


def test_an_off_course_marker_leaves_the_game_and_the_hex_stays_unknown() -> None:
    play = at_h9("offcourse").do(SAMOA, "j9", draws=["ocean1"])
    assert play.state.cup[6] == 4
    assert "h9" not in play.state.seas and "h9" not in play.state.tile_at
    assert play.events(OffCourseSet)[0].by == SAMOA  # type: ignore[attr-defined]
    play.do(TONGA, "h9", draws=["ocean1"])
    assert "h9" in play.state.seas


def test_example_a_as_a_whole() -> None:
    """G8 ocean 2, H9 off course, J9 Tahiti hidden at 4 Knots, home; H9 is still Unknown."""
    play = exploring().do(TONGA, "g8", draws=["ocean2"])
    assert set(play.keys(TONGA)) == {"f9", "g9", "h8", "h9", "f8", "g7", "return"}
    play.do(TONGA, "h9", draws=["offcourse"]).do(SAMOA, "j9", draws=["island2"], picks=["tahiti"])
    play.do(TONGA, "hide,return")
    assert play.events(ExplorerReturned)[0].total == 4  # type: ignore[attr-defined]
    assert play.events(SeasCharted)[0].spots == ("g8",)  # type: ignore[attr-defined]
    assert "h9" not in play.state.seas


def test_with_a_single_hex_off_course_nobody_is_asked() -> None:
    scene = Scene(3).sea("g9", "h8", "h10", "j8", "g8")
    play = scene.exploring(TONGA).do(TONGA, "h9", draws=["offcourse", "ocean1"])
    assert [event.spot for event in play.events(OffCourseSet)] == ["j9"]  # type: ignore[attr-defined]


def test_a_tile_turned_up_while_a_course_is_set_leaves_the_only_other_place() -> None:
    scene = (
        Scene(3)
        .sea("g9", "h8", "h10", "g8")
        .hidden("j8", "rapa", SAMOA)
        .hidden("j9", "norfolk", SAMOA)
    )
    play = scene.exploring(TONGA).do(TONGA, "h9", draws=["offcourse"])
    assert play.keys(SAMOA) == ["j8", "j9"]
    play.offer(SAMOA, "flip_tile", "j8")
    assert play.kind(TONGA) == "keep_tile"
    assert play.question(TONGA).facts[1] == ("tile", "norfolk")


def stuck() -> Play:
    """Return a match in which Tonga is at H9 with nothing to explore around it."""
    scene = Scene(3).sea("g9", "h8", "h10", "j8", "j9", "g8")
    return scene.exploring(TONGA).do(TONGA, "h9", draws=["offcourse"])


def test_off_course_with_nowhere_to_go_costs_two_knots_and_may_be_tried_again() -> None:
    play = stuck()
    assert play.events(OffCourseStuck)[0].total == 2  # type: ignore[attr-defined]
    assert "again" in play.keys(TONGA)
    play.do(TONGA, "again", draws=["ocean1"])
    assert "h9" in play.state.seas


def test_ruling_stuck_with_five_knots_or_more_is_return_or_lost() -> None:
    play = stuck().do(TONGA, "again", draws=["offcourse"]).do(TONGA, "again", draws=["offcourse"])
    assert play.events(ExplorerLost)
    assert "h9" not in play.state.seas


def test_anothers_face_down_tile_may_be_looked_at_for_two_knots() -> None:
    play = Scene(3).hidden("g8", "rapa", SAMOA).exploring(TONGA).do(TONGA, "g8")
    assert [event.tile for event in play.seen(TONGA) if isinstance(event, TileSeen)] == ["rapa"]
    assert [event.tile for event in play.seen(HIVA) if isinstance(event, TileSeen)] == [""]
    assert play.events(HexCrossed)[0].total == 2  # type: ignore[attr-defined]
    play.do(TONGA, "hide,return")
    assert play.state.tile_at["g8"].seen == (TONGA, SAMOA)


def test_a_tile_that_all_players_have_seen_turns_up() -> None:
    play = Scene(3).hidden("g8", "rapa", SAMOA, HIVA).exploring(TONGA).do(TONGA, "g8")
    assert play.state.tile_at["g8"].up
    assert play.kind(TONGA) == "explore_on"


def test_ruling_with_three_markers_out_one_must_come_up() -> None:
    scene = (
        Scene(3)
        .hidden("j8", "rapa", TONGA)
        .hidden("j9", "norfolk", TONGA)
        .hidden("k9", "rurutu", TONGA)
    )
    play = scene.exploring(TONGA).do(TONGA, "g8", draws=["island1"], picks=["tahiti"])
    assert play.keys(TONGA) == ["show", "j8", "j9", "k9"]
    play.do(TONGA, "j9,return")
    assert play.state.tile_at["j9"].up
    assert not play.state.tile_at["g8"].up


def test_crossing_a_known_hex_costs_two_knots() -> None:
    play = exploring().do(TONGA, "g8", draws=["ocean1"])
    play.do(TONGA, "g7,return")
    assert play.events(ExplorerReturned)[0].total == 3  # type: ignore[attr-defined]


def test_ruling_a_crossing_must_leave_the_explorer_able_to_go_on() -> None:
    play = exploring().do(TONGA, "g8", draws=["ocean3"])
    assert set(play.keys(TONGA)) == {"f9", "g9", "h8", "h9", "return"}


def test_ruling_a_face_down_tile_is_crossed_like_a_known_hex_by_its_discoverer() -> None:
    play = Scene(3).hidden("h9", "rapa", TONGA).exploring(TONGA).do(TONGA, "g8", draws=["ocean2"])
    play.pick(TONGA, "h9")
    assert play.kind(TONGA) == "explore_on"
    assert play.keys(TONGA) == ["g9", "h8", "h10", "j8", "j9", "return"]


def test_an_enemy_hex_is_never_crossed() -> None:
    play = (
        Scene(3)
        .sea("h9")
        .pieces(SAMOA, "h9", "1t")
        .exploring(TONGA)
        .do(TONGA, "g8", draws=["ocean1"])
    )
    assert "h9" not in play.keys(TONGA)


def test_ruling_with_an_empty_cup_nothing_is_explored() -> None:
    play = Scene(3).having(cup=(0,) * 7).exploring(TONGA)
    assert play.events(ExplorationPassed)


def test_an_explorer_may_stay_at_home() -> None:
    play = exploring().do(TONGA, "pass")
    assert play.events(ExplorationPassed, PointsCounted)


def test_a_discovery_may_be_turned_up_at_any_time() -> None:
    """The offer is made to its discoverer only."""
    play = Scene(3).hidden("j8", "rapa", SAMOA).exploring(TONGA)
    assert play.keys(SAMOA, "flip_tile") == ["j8"]
    assert play.keys(HIVA, "flip_tile") == []
    play.offer(SAMOA, "flip_tile", "j8")
    assert play.state.tile_at["j8"].up


def test_a_tile_still_being_hidden_or_shown_is_not_offered() -> None:
    play = exploring().do(TONGA, "g8", draws=["island1"], picks=["rapa"])
    assert play.keys(TONGA, "flip_tile") == []


WAY = ("m7", "n7", "p8", "q8", "r8", "s8")
"""From Hiva to the edge of the triangle."""


class TestKumara:
    """Advanced rule: sweet potatoes from South America."""

    def searching(self, *cards: str, **nation: bool) -> Play:
        """Return a match in which Hiva may go to S8, which is Known and within reach."""
        return (
            Scene(3, kumara="on")
            .sea(*WAY)
            .cards(HIVA, *cards, up=True)
            .nation(HIVA, **nation)
            .exploring(HIVA)
        )

    def test_kumara_is_sought_from_the_two_marked_hexes(self) -> None:
        assert "ks8" in self.searching().keys(HIVA)
        assert "kr9" not in self.searching().keys(HIVA)

    def test_the_pre_move_may_not_use_the_eastern_ocean(self) -> None:
        assert "ks8" not in Scene(3, kumara="on").sea("s8").exploring(HIVA).keys(HIVA)

    def test_without_the_setting_kumara_is_not_sought(self) -> None:
        assert "ks8" not in Scene(3).sea(*WAY).exploring(HIVA).keys(HIVA)

    @pytest.mark.parametrize(("die", "explorer"), [(1, "lost"), (2, "home"), (3, "home")])
    def test_a_roll_of_one_is_lost_and_two_or_three_return(self, die: int, explorer: str) -> None:
        assert self.searching().do(HIVA, "ks8", die).state.nations[HIVA].explorer == explorer

    def test_four_is_off_course_to_a_hex_not_nearer_chosen_by_the_seeker(self) -> None:
        play = self.searching().do(HIVA, "ks8", 4)
        assert play.kind(HIVA) == "sail_east"
        assert {"s7", "s9"} < set(play.keys(HIVA))
        assert not {"t8", "t9", "r8"} & set(play.keys(HIVA))

    def test_ruling_off_course_may_lead_to_the_other_hex_of_the_two_known_or_not(self) -> None:
        for explored in (WAY, (*WAY, "r9")):
            play = Scene(3, kumara="on").sea(*explored).exploring(HIVA).do(HIVA, "ks8", 4)
            assert set(play.keys(HIVA)) == {"s7", "s9", "r9"}
            assert play.do(HIVA, "r9", 2).state.nations[HIVA].explorer == "home"
            assert ("r9" in play.state.seas) == ("r9" in explored)

    def test_five_and_more_sail_on_to_any_hex_of_the_eastern_ocean(self) -> None:
        """A ruling: nobody turns back by themselves."""
        for die in (5, 6):
            assert set(self.searching().do(HIVA, "ks8", die).keys(HIVA)) == {"s7", "s9", "t8", "t9"}

    def test_the_whole_way_ends_with_kumara_two_points_and_the_explorer_at_home(self) -> None:
        play = (
            self.searching()
            .do(HIVA, "ks8", 5)
            .do(HIVA, "t8", 6)
            .do(HIVA, "u8", 6)
            .do(HIVA, "v8", 5)
        )
        assert "america" in play.keys(HIVA)
        play.do(HIVA, "america")
        assert play.state.nations[HIVA].kumara
        assert play.state.nations[HIVA].points == 8
        assert play.state.nations[HIVA].explorer == "home"

    def test_each_player_has_one_kumara_marker_at_most(self) -> None:
        assert "ks8" not in self.searching(kumara=True).keys(HIVA)

    def test_the_desolate_islands_add_one_from_then_on(self) -> None:
        """Unfortunate Islands at V9: the next 4 counts as 5."""
        play = (
            self.searching()
            .do(HIVA, "ks8", 5)
            .do(HIVA, "t8", 5)
            .do(HIVA, "u8", 5)
            .do(HIVA, "v9", 4)
        )
        assert play.state.nations[HIVA].galapagos
        assert "america" in play.keys(HIVA)

    def test_the_desolate_islands_marker_counts_in_later_searches(self) -> None:
        assert "t8" in self.searching(galapagos=True).do(HIVA, "ks8", 4).keys(HIVA)

    @pytest.mark.parametrize("card", ["navigation", "poi", "doublehull"])
    def test_navigator_cards_add_one_in_total(self, card: str) -> None:
        assert "t8" in self.searching(card).do(HIVA, "ks8", 4).keys(HIVA)
        assert "t8" not in self.searching("poi", "navigation").do(HIVA, "ks8", 3).keys(HIVA)

    def test_ocean_chart_turns_lost_into_return(self) -> None:
        assert self.searching("chart").do(HIVA, "ks8", 1).state.nations[HIVA].explorer == "home"

    def test_ruling_enemy_canoes_there_do_not_matter(self) -> None:
        scene = Scene(3, kumara="on").sea(*WAY).pieces(TONGA, "t8", "1w")
        assert "t8" in scene.exploring(HIVA).do(HIVA, "ks8", 5).keys(HIVA)


class TestSouthIsland:
    """Advanced rule: Te Waka Maui beside Aotearoa."""

    def test_it_is_placed_south_west_of_aotearoa_when_that_is_turned_up(self) -> None:
        play = Scene(3, south_island="on").hidden("h9", "aotearoa", TONGA).exploring(TONGA)
        play.offer(TONGA, "flip_tile", "h9")
        assert play.state.tile_at["g9"].key == "te-waka-maui"
        assert play.state.maui == "placed"

    def test_it_takes_the_place_of_explored_ocean_and_of_a_face_down_tile(self) -> None:
        sea = Scene(3, south_island="on").hidden("h9", "aotearoa", TONGA).sea("g9").exploring(TONGA)
        assert "g9" not in sea.offer(TONGA, "flip_tile", "h9").state.seas
        tile = (
            Scene(3, south_island="on")
            .hidden("h9", "aotearoa", TONGA)
            .hidden("g9", "rapa", SAMOA)
            .exploring(TONGA)
        )
        tile.offer(TONGA, "flip_tile", "h9")
        assert [gone.key for gone in tile.state.gone] == ["rapa"]

    def test_a_face_up_tile_or_a_printed_group_keeps_it_out(self) -> None:
        """A ruling of this project."""
        up = (
            Scene(3, south_island="on")
            .hidden("h9", "aotearoa", TONGA)
            .land(g9="rapa")
            .exploring(TONGA)
        )
        assert up.offer(TONGA, "flip_tile", "h9").state.maui == "out"
        printed = Scene(3, south_island="on").hidden("g6", "aotearoa", TONGA).exploring(TONGA)
        assert printed.offer(TONGA, "flip_tile", "g6").state.maui == "out"

    def test_the_south_island_is_out_if_it_falls_off_the_map(self) -> None:
        play = Scene(3, south_island="on").hidden("e10", "aotearoa", TONGA).exploring(TONGA)
        assert play.offer(TONGA, "flip_tile", "e10").state.maui == "out"

    def test_without_the_setting_it_never_comes(self) -> None:
        play = (
            Scene(3)
            .hidden("h9", "aotearoa", TONGA)
            .exploring(TONGA)
            .offer(TONGA, "flip_tile", "h9")
        )
        assert "g9" not in play.state.tile_at

    def test_ruling_pieces_stay_where_the_south_island_is_placed(self) -> None:
        scene = (
            Scene(3, south_island="on")
            .hidden("h9", "aotearoa", TONGA)
            .sea("g9")
            .pieces(SAMOA, "g9", "1t 1b")
        )
        play = scene.exploring(TONGA).offer(TONGA, "flip_tile", "h9")
        assert play.at(SAMOA, "g9") == Kinds(t=1, b=1)
