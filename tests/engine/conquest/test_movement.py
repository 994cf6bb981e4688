"""Transit and Movement: a test for each sentence of the rulebook.

A docstring gives the sentence, or the ruling, that its test checks.
"""

import pytest

from engine import IllegalAnswer
from engine.conquest.battle_events import BattleJoined
from engine.conquest.pieces import Kinds
from engine.conquest.sea_events import (
    CanoesOpened,
    HexAnswered,
    Sailed,
    StayedPut,
    TileRevealed,
    Transited,
)
from tests.engine.conquest.scenes import HIVA, SAMOA, TONGA, Play, Scene, kinds


def chained() -> Scene:
    """Return example B: Tuamotu and Kermadec are linked to Tonga, Pitcairn is not."""
    scene = Scene(3).sea("g8", "h8", "j8", "k8").land(f9="kermadec", l7="tuamotu", n8="pitcairn")
    scene.village(TONGA, "f9", 1).village(TONGA, "l7", 2).village(TONGA, "n8", 1)
    scene.pieces(TONGA, "f8", "2b")
    return scene.add_open_canoes(TONGA, "f8", "f9", "g8", "h8", "j8", "k8", "l7")


class TestTransit:
    def test_example_b_pieces_go_along_the_chain_as_far_as_they_wish(self) -> None:
        play = chained().moving().do(TONGA, "f8,l7-chain,all,done")
        assert play.at(TONGA, "l7") == kinds("1t 2b")
        assert play.at(TONGA, "f8") == kinds("1t")

    def test_example_b_others_learn_the_number_and_the_way(self) -> None:
        play = chained().moving().do(TONGA, "f8,l7-chain,all,done")
        (seen,) = [event for event in play.seen(SAMOA) if isinstance(event, Transited)]
        assert seen.way == ("f8", "g8", "h8", "j8", "k8", "l7")
        assert seen.count == 2
        assert seen.pieces is None

    def test_a_hex_outside_the_chain_is_never_offered(self) -> None:
        play = chained().moving().pick(TONGA, "f8")
        chain = [key for key in play.keys(TONGA) if key.endswith("-chain")]
        assert chain == ["f9-chain", "g8-chain", "h8-chain", "j8-chain", "k8-chain", "l7-chain"]

    def test_the_canoes_of_the_chain_stay(self) -> None:
        """A ruling: they may sail away, but not by Transit."""
        play = chained().moving().pick(TONGA, "f8,l7-chain")
        assert "1t" not in "".join(play.keys(TONGA))
        assert not any(
            key.endswith("-chain") for key in chained().moving().pick(TONGA, "g8").keys(TONGA)
        )

    def test_transit_is_over_once_a_canoe_has_sailed_or_was_opened(self) -> None:
        """Transit is "a free move" before Movement, and canoes are turned over only after it."""
        scene = chained().pieces(TONGA, "g7", "1t")
        sailed = scene.moving().pick(TONGA, "g8,g7,f8")
        assert not any(key.endswith("-chain") for key in sailed.keys(TONGA))
        opened = scene.moving().pick(TONGA, "open,f8")
        assert not any(key.endswith("-chain") for key in opened.keys(TONGA))

    def test_without_a_canoe_in_every_hex_there_is_no_chain(self) -> None:
        scene = Scene(3).land(f9="kermadec").pieces(TONGA, "f8", "2b").add_open_canoes(TONGA, "f9")
        assert scene.moving().kind(TONGA) == "move_stack"

    def test_pieces_moved_by_transit_may_still_be_carried(self) -> None:
        play = (
            chained().sea("g9").pieces(TONGA, "f9", "2t 1c").add_open_canoes(TONGA, "f9").moving()
        )
        play.do(TONGA, "f8,f9-chain,all,f9,g9,1t,0c,1b,done")
        assert play.at(TONGA, "g9") == kinds("1t 1b")

    def test_ruling_a_transit_ends_at_sea_only_where_canoes_have_room(self) -> None:
        play = chained().moving().pick(TONGA, "f8,g8-chain")
        assert play.kind(TONGA) == "move_stack"
        assert play.match.tip(TONGA).pieces(TONGA, "g8") == kinds("1t 1b")

    def test_a_concealed_canoe_makes_no_chain_before_it_is_open(self) -> None:
        """A ruling: canoes are turned face up after Transit."""
        scene = Scene(3).land(f9="kermadec").pieces(TONGA, "f8", "1t 2b").pieces(TONGA, "f9", "1t")
        play = scene.moving()
        assert play.kind(TONGA) == "move_stack"
        assert not any(
            key.endswith("-chain") for key in scene.moving().pick(TONGA, "f8").keys(TONGA)
        )
        play.do(TONGA, "open,done")
        assert play.events(CanoesOpened)
        assert play.state.stack(TONGA, "f8").open  # type: ignore[union-attr]
        assert play.state.stack(TONGA, "f9").open  # type: ignore[union-attr]


def sailing(pieces: str, **tiles: str) -> Scene:
    """Return a match with these pieces at Tonga's Home; G8, H9 and G9 are explored."""
    return Scene(3).sea("g8", "h9", "g9").land(**tiles).pieces(TONGA, "f8", pieces)


class TestMoving:
    def test_canoes_move_one_or_two_hexes(self) -> None:
        play = sailing("1t").moving().pick(TONGA, "f8")
        assert {"g7", "g8", "g9", "h9"} <= set(play.keys(TONGA))
        assert "h7" in play.keys(TONGA)
        assert "j6" not in play.keys(TONGA)

    def test_canoes_may_not_enter_the_unknown(self) -> None:
        keys = sailing("1t").moving().pick(TONGA, "f8").keys(TONGA)
        assert not {"e8", "f9", "h8"} & set(keys)

    def test_bands_and_colonies_do_not_move_by_themselves(self) -> None:
        assert sailing("3b 1c").moving().keys(TONGA) == ["done"]

    def test_a_seat_with_any_piece_is_asked_even_if_nothing_can_move(self) -> None:
        """Whether a seat is asked tells nothing of its pieces."""
        assert sailing("1b").moving().waiting() == sailing("1w").moving().waiting() == (TONGA,)

    def test_moving_nothing_is_reported(self) -> None:
        assert sailing("1w").moving().do(TONGA, "done").events(StayedPut)
        assert not sailing("1w").moving().do(TONGA, "f8,g8,done").events(StayedPut)

    def test_a_transport_canoe_carries_one_band_or_one_colony(self) -> None:
        play = sailing("1t 2b 1c").moving().pick(TONGA, "f8,g7")
        assert play.keys(TONGA) == ["1t", "1t1c", "1t1b"]
        play.pick(TONGA, "1t1c")
        assert play.kind(TONGA) == "move_stack"
        assert play.match.tip(TONGA).movement.fleets[0].kinds == kinds("1t 1c")

    def test_a_war_canoe_carries_one_band_and_no_colony(self) -> None:
        play = sailing("1w 2b 1c").moving().pick(TONGA, "f8,g7")
        assert play.keys(TONGA) == ["1w", "1w1b"]

    def test_one_answer_moves_all_pieces(self) -> None:
        play = sailing("2w 1t 1b").moving().do(TONGA, "f8,g8,all,done")
        assert play.at(TONGA, "g8") == kinds("2w 1t 1b")

    def test_others_see_a_number_of_pieces_only(self) -> None:
        play = sailing("2w 1t 1b").moving().do(TONGA, "f8,g8,all,done")
        (seen,) = [event for event in play.seen(None) if isinstance(event, Sailed)]
        assert (seen.count, seen.pieces) == (4, None)

    def test_a_canoe_may_drop_cargo_and_pick_other_up_on_its_way(self) -> None:
        """What is set down is spent; what waits may be taken along."""
        scene = sailing("1t 1b", h8="kuporu").pieces(TONGA, "g7", "1c")
        play = scene.moving().pick(TONGA, "f8,g7,all,fleet1")
        assert "h8" in play.keys(TONGA)
        play.do(TONGA, "h8,1c,done")
        assert play.at(TONGA, "h8") == kinds("1t 1c")
        assert play.at(TONGA, "g7") == kinds("1b")

    def test_cargo_set_down_is_visible_where_it_lies(self) -> None:
        scene = sailing("1t 1b", h8="kuporu").pieces(TONGA, "g7", "1c")
        view = scene.moving().pick(TONGA, "f8,g7,all,fleet1,h8,1c").match.view(TONGA)
        assert [(stack.spot, stack.kinds) for stack in view.stacks] == [("g7", kinds("1b"))]  # type: ignore[attr-defined]

    def test_a_piece_set_down_is_not_moved_by_another_canoe(self) -> None:
        scene = sailing("1t 1b", h8="kuporu").pieces(TONGA, "g7", "1t 1c")
        play = scene.moving().pick(TONGA, "f8,g7,all,fleet1,h8,1c,g7")
        play.pick(TONGA, "h8")
        assert play.match.tip(TONGA).movement.fleets[-1].kinds == kinds("1t")

    def test_moves_left_are_counted(self) -> None:
        play = sailing("1t").moving().pick(TONGA, "f8,g8,fleet1")
        assert set(play.keys(TONGA)) == {"f8", "g7", "g9", "h9"}
        play.pick(TONGA, "h9")
        assert play.keys(TONGA) == ["open", "done"]

    def test_ruling_at_sea_nothing_is_put_down(self) -> None:
        scene = Scene(3).sea("g8", "h9").pieces(TONGA, "g8", "2t 2b")
        play = scene.moving().pick(TONGA, "g8,f8,1t")
        assert play.match.tip(TONGA).movement.fleets[0].kinds == kinds("1t 1b")

    def passing(self, fleet: str, waiting: str) -> Play:
        """Return a match in which a fleet sails from Tonga past others at G8, on to H9."""
        scene = Scene(3).sea("g8", "h9").pieces(TONGA, "f8", fleet).pieces(TONGA, "g8", waiting)
        play = scene.moving().pick(TONGA, "f8,g8")
        if play.kind(TONGA) == "pick_company":
            play.pick(TONGA, "all")
        return play.pick(TONGA, "fleet1,h9")

    def test_ruling_at_sea_a_canoe_takes_cargo_out_of_one_that_has_not_moved(self) -> None:
        """ "Canoes may freely pick up and drop off Warrior Bands and Colonies as they move"."""
        play = self.passing("2t", "1t 1b")
        assert play.keys(TONGA) == ["all", "1t", "2t", "1t1b"]
        play.do(TONGA, "all,g8,f8,done")
        assert play.at(TONGA, "h9") == kinds("2t 1b")
        assert play.at(TONGA, "f8") == kinds("1t")

    @pytest.mark.parametrize(
        ("fleet", "waiting"), [("1w 1b", "1t 1b"), ("1t 1c", "1t 1b"), ("1w", "1t 1c")]
    )
    def test_cargo_is_taken_only_into_free_room(self, fleet: str, waiting: str) -> None:
        play = self.passing(fleet, waiting)
        assert play.kind(TONGA) == "move_stack"
        assert play.match.tip(TONGA).movement.fleets[0].kinds == kinds(fleet)
        assert play.match.tip(TONGA).pieces(TONGA, "g8") == kinds(waiting)

    def test_a_piece_that_was_picked_up_at_sea_is_not_carried_by_another_canoe(self) -> None:
        """It is aboard for the turn: neither another fleet takes it over nor does it wait any
        more.
        """
        scene = (
            Scene(3)
            .sea("g8", "g9", "h9", "h10")
            .pieces(TONGA, "f8", "1t")
            .pieces(TONGA, "g8", "1t 1b")
        )
        play = scene.pieces(TONGA, "g9", "1t").moving().pick(TONGA, "f8,g8,fleet1,h9,all,g9,h9")
        assert "fleet2" in play.keys(TONGA)
        play.pick(TONGA, "fleet2,h10")
        assert [fleet.kinds for fleet in play.match.tip(TONGA).movement.fleets] == [
            kinds("1t 1b"),
            kinds("1t"),
        ]

    def test_others_see_only_how_many_pieces_go_on(self) -> None:
        play = self.passing("1t", "1t 1b").do(TONGA, "all,done")
        seen = [
            (event.way, event.count, event.pieces)
            for event in play.seen(SAMOA)
            if isinstance(event, Sailed)
        ]
        assert seen == [(("f8", "g8"), 1, None), (("g8", "h9"), 2, None)]

    def test_ruling_what_stays_at_sea_keeps_its_canoes(self) -> None:
        scene = Scene(3).sea("g8", "h9").pieces(TONGA, "g8", "2w 1t 2b 1c")
        play = scene.moving().pick(TONGA, "g8,f8,0w")
        assert play.match.tip(TONGA).movement.fleets[0].kinds == kinds("1t 1c")

    def test_a_face_down_tile_may_be_turned_up_by_sailing_onto_it(self) -> None:
        play = Scene(3).hidden("g8", "rapa", TONGA).pieces(TONGA, "f8", "1t").moving()
        play.do(TONGA, "f8,g8,done")
        assert play.events(TileRevealed)
        assert play.at(TONGA, "g8") == kinds("1t")

    def test_a_tile_discovered_by_others_only_is_not_entered(self) -> None:
        play = (
            Scene(3)
            .hidden("g8", "rapa", SAMOA)
            .pieces(TONGA, "f8", "1t")
            .moving()
            .pick(TONGA, "f8")
        )
        assert "g8" not in play.keys(TONGA)

    def test_movement_is_drafted_with_undo_and_shown_as_arrows(self) -> None:
        play = sailing("2t").moving().pick(TONGA, "f8,g8,1t")
        view = play.match.view(TONGA)
        assert [arrow.way for arrow in view.arrows] == [("f8", "g8")]  # type: ignore[attr-defined]
        assert not play.match.view(SAMOA).arrows  # type: ignore[attr-defined]
        play.match = play.match.undo(TONGA)
        assert play.kind(TONGA) == "pick_company"

    def test_an_open_canoe_that_leaves_is_face_down(self) -> None:
        """A ruling: only by moving it away."""
        play = Scene(3).sea("g8").add_open_canoes(TONGA, "f8").moving().do(TONGA, "f8,g8,done")
        assert not play.state.stack(TONGA, "g8").open  # type: ignore[union-attr]
        assert play.events(Sailed)[0].left_open  # type: ignore[attr-defined]

    def test_a_canoe_stays_open_while_one_is_there(self) -> None:
        play = (
            Scene(3)
            .sea("g8")
            .pieces(TONGA, "f8", "1t")
            .add_open_canoes(TONGA, "f8")
            .moving()
            .do(TONGA, "f8,g8,1t,done")
        )
        assert play.state.stack(TONGA, "f8").open  # type: ignore[union-attr]

    def test_a_canoe_under_way_may_be_opened_where_it_ends(self) -> None:
        play = sailing("1t").moving().do(TONGA, "f8,g8,open,done")
        assert play.state.stack(TONGA, "g8").open  # type: ignore[union-attr]


class TestEnemies:
    def test_transport_canoes_alone_enter_no_enemy_hex(self) -> None:
        """A ruling: only with a War Canoe of their own stack."""
        scene = sailing("3t").pieces(SAMOA, "g8", "1t")
        assert "g8" not in scene.moving().pick(TONGA, "f8").keys(TONGA)
        assert "e7" not in sailing("3t").moving().pick(TONGA, "f8").keys(TONGA)

    def test_transport_canoes_may_enter_with_a_war_canoe(self) -> None:
        play = sailing("1w 2t").pieces(SAMOA, "g8", "1t").moving().pick(TONGA, "f8,g8")
        assert play.keys(TONGA) == ["all", "1w", "1w1t"]

    def test_war_canoes_stop_at_independent_and_enemy_groups(self) -> None:
        """A ruling of this project."""
        keys = sailing("1w").moving().pick(TONGA, "f8").keys(TONGA)
        assert {"e7", "f7"} <= set(keys)
        assert not {"e6", "d7", "f6", "e7-on", "f7-on"} & set(keys)

    def test_a_rumor_alone_enters_no_enemy_hex(self) -> None:
        """A ruling of this project."""
        assert "g8" not in sailing("1r").pieces(SAMOA, "g8", "1t").moving().pick(TONGA, "f8").keys(
            TONGA
        )

    def test_a_rumor_moves_like_a_canoe(self) -> None:
        play = sailing("1r").moving().do(TONGA, "f8,h9,done")
        assert play.at(TONGA, "h9") == kinds("1r")

    def through(self, enemy: str) -> Play:
        return sailing("1w 1t").pieces(SAMOA, "g8", enemy).moving()

    def test_ruling_passing_through_asks_whether_a_war_canoe_is_there(self) -> None:
        play = self.through("2t").do(TONGA, "f8,g8-on,all")
        assert [event.yes for event in play.events(HexAnswered)] == [False]  # type: ignore[attr-defined]
        assert play.keys(TONGA) == ["fleet1", "done"]
        play.do(TONGA, "fleet1,h9,done")
        assert play.at(TONGA, "h9") == kinds("1w 1t")

    def test_with_a_war_canoe_there_the_fleet_must_stop_and_fight(self) -> None:
        play = self.through("1w 1t").do(TONGA, "f8,g8-on,all")
        assert [event.yes for event in play.events(HexAnswered)] == [True]  # type: ignore[attr-defined]
        assert play.keys(TONGA) == ["done"]
        assert play.state.movement is not None
        assert play.state.movement.fleets[0].left == 0

    def test_a_fleet_that_was_let_through_may_stay_and_fight(self) -> None:
        play = self.through("2t").do(TONGA, "f8,g8-on,all").do(TONGA, "done")
        assert play.kind(TONGA) == "open_here"
        assert play.at(SAMOA, "g8") == Kinds()

    def test_a_lone_open_canoe_is_sailed_through_without_asking(self) -> None:
        scene = sailing("1w").add_open_canoes(SAMOA, "g8")
        keys = scene.moving().pick(TONGA, "f8").keys(TONGA)
        assert "h9" in keys
        assert "g8-on" not in keys

    def test_a_rumor_under_way_may_be_dropped(self) -> None:
        scene = sailing("1w 1r").pieces(SAMOA, "g8", "2t")
        play = scene.moving().do(TONGA, "f8,g8-on,all").offer(TONGA, "drop_rumor", "g8")
        assert play.state.movement is not None
        assert [fleet.kinds for fleet in play.state.movement.fleets] == [kinds("1w")]

    def test_a_rumor_removed_before_its_battle_leaves_nobody_to_fight(self) -> None:
        scene = (
            sailing("2w").pieces(SAMOA, "g8", "1r").pieces(SAMOA, "g7", "1t").cards(TONGA, "haka")
        )
        play = scene.moving().do(TONGA, "f8,g8,1w,f8,g7,done,g7")
        assert play.kind(TONGA) == "give_battle_orders"
        play.offer(SAMOA, "drop_rumor", "g8").do(TONGA, "none")
        assert [event.spot for event in play.events(BattleJoined)] == ["g7"]  # type: ignore[attr-defined]
        assert play.at(TONGA, "g8") == kinds("1w")
        assert play.at(TONGA, "g7") == kinds("1w")
        assert play.state.movement is None

    def test_the_owner_is_not_waited_for(self) -> None:
        assert self.through("2t").do(TONGA, "f8,g8-on,all").waiting() == (TONGA,)

    def test_ruling_attacks_may_come_from_several_hexes(self) -> None:
        scene = sailing("1w").pieces(TONGA, "g7", "1w").pieces(SAMOA, "g8", "1w")
        play = scene.moving().do(TONGA, "f8,g8,g7,g8,done", 6)
        assert play.state.battle is None
        assert play.at(TONGA, "g8") == kinds("2w")


class TestJoining:
    """ "Unless they are moving with at least one War Canoe in their stack": it may take along
    what waits on its way.
    """

    def scene(self, waiting: str) -> Scene:
        scene = Scene(3).sea("g8", "h9").land(h8="kuporu").village(SAMOA, "h8", 1)
        return scene.pieces(TONGA, "f8", "1w").pieces(TONGA, "g7", waiting)

    def test_a_transport_canoe_that_waits_on_the_way_joins_an_attack(self) -> None:
        assert "h8" not in self.scene("1t 1c").moving().pick(TONGA, "g7").keys(TONGA)
        play = self.scene("1t 1c").moving().pick(TONGA, "f8,h8,g7")
        assert "h8" in play.keys(TONGA)
        play.do(TONGA, "h8,all,done", 4)
        (joined,) = play.events(BattleJoined)
        assert (joined.sides[0].w, joined.sides[0].t, joined.sides[0].c) == (1, 1, 1)  # type: ignore[attr-defined]

    def test_another_fleet_that_paused_there_joins_too(self) -> None:
        scene = self.scene("1b").pieces(TONGA, "h7", "2t 1b")
        play = scene.moving().pick(TONGA, "f8,g7,fleet1,h8,1w,h7,g7,all,fleet2")
        assert "h8" in play.keys(TONGA)

    def test_a_rumor_may_join_as_well_but_nobody_enters_by_another_way(self) -> None:
        scene = self.scene("1r").pieces(TONGA, "h9", "1t")
        assert "h8" in scene.moving().pick(TONGA, "f8,h8,g7").keys(TONGA)
        assert "h8" not in scene.moving().pick(TONGA, "f8,h8,h9").keys(TONGA)

    def test_a_joining_fleet_is_not_asked_for_a_route(self) -> None:
        scene = Scene(3).sea("g8", "h9", "h10").pieces(SAMOA, "h9", "2t")
        scene.pieces(TONGA, "f8", "1w").pieces(TONGA, "g8", "1t").cards(
            TONGA, "doublehull", up=True
        )
        play = scene.moving().pick(TONGA, "f8,h9,g8")
        assert "h9" in play.keys(TONGA)
        assert "h9-on" not in play.keys(TONGA)

    def test_nobody_joins_where_the_war_canoe_asked_first(self) -> None:
        scene = Scene(3).sea("g8", "h9").pieces(SAMOA, "h9", "2t").pieces(TONGA, "g8", "1t")
        play = (
            scene.pieces(TONGA, "f8", "1w")
            .cards(TONGA, "doublehull", up=True)
            .moving()
            .do(TONGA, "f8,h9-on")
        )
        assert "h9" not in play.pick(TONGA, "g8").keys(TONGA)

    def test_a_lone_open_canoe_is_passed_together_and_not_stopped_at_alone(self) -> None:
        scene = (
            Scene(3)
            .sea("g8", "h9")
            .pieces(SAMOA, "g8", "1t", is_open=True)
            .pieces(TONGA, "f8", "1w 1t")
        )
        play = scene.moving().pick(TONGA, "f8,h9,1w,f8")
        assert "h9" in play.keys(TONGA)
        assert "g8" not in play.keys(TONGA)


class TestWays:
    """Of several shortest ways the quietest is taken, alike by all pieces: it would tell what
    they are.
    """

    def test_past_a_lone_open_canoe_only_where_it_is_shorter(self) -> None:
        for pieces in ("1w", "1t", "1r", "1w 1t"):
            scene = (
                Scene(3).sea("f9", "f10", "g8", "g9", "g10").pieces(SAMOA, "g9", "1t", is_open=True)
            )
            play = scene.pieces(TONGA, "f9", pieces).moving().pick(TONGA, "f9,g10")
            if play.kind(TONGA) == "pick_company":
                play.pick(TONGA, "all")
            assert [arrow.way for arrow in play.match.view(TONGA).arrows] == [("f9", "f10", "g10")]  # type: ignore[attr-defined]

    def test_without_another_way_war_canoes_go_past_it(self) -> None:
        scene = (
            Scene(3)
            .sea("f9", "g9", "g10")
            .pieces(SAMOA, "g9", "1t", is_open=True)
            .pieces(TONGA, "f9", "1w")
        )
        play = scene.moving().pick(TONGA, "f9,g10")
        assert [arrow.way for arrow in play.match.view(TONGA).arrows] == [("f9", "g9", "g10")]  # type: ignore[attr-defined]


class TestOneCanoe:
    """ "A Piece may not be moved by more than one Canoe in a turn"."""

    def paused(self, pieces: str) -> Play:
        return sailing(pieces, h8="kuporu").moving().pick(TONGA, "f8,g7,all,fleet1,h8")

    def test_a_band_that_came_by_war_canoe_does_not_go_on_with_a_transport_canoe(self) -> None:
        keys = self.paused("1w 1t 1c 1b").keys(TONGA)
        assert {"1t", "1t1c", "1w1b", "all"} <= set(keys)
        assert not {"1t1b", "1w1t1b1c"} & set(keys)

    def test_a_band_left_behind_by_its_canoe_moves_no_further(self) -> None:
        play = self.paused("1w 1t 1b").pick(TONGA, "1w,fleet2,h8")
        assert play.match.tip(TONGA).movement.fleets[-1].kinds == kinds("1t")

    def test_waiting_pieces_may_board_any_canoe(self) -> None:
        scene = sailing("1w 1t 1c 1b", h8="kuporu").pieces(TONGA, "g7", "1b")
        assert "1t1b" in scene.moving().pick(TONGA, "f8,g7,all,fleet1,h8").keys(TONGA)


class TestConqueredGroups:
    def held(self, pieces: str) -> Play:
        return Scene(3).village(TONGA, "e7", 2).pieces(TONGA, "e7", pieces).moving()

    def test_the_last_piece_may_not_leave_a_conquered_printed_group(self) -> None:
        """A ruling of this project."""
        assert self.held("1t").keys(TONGA) == ["open", "done"]
        play = self.held("2t").pick(TONGA, "e7,f8")
        assert play.kind(TONGA) == "move_stack"
        assert play.match.tip(TONGA).pieces(TONGA, "e7").t == 1

    def test_ruling_any_piece_counts_even_a_rumor(self) -> None:
        play = self.held("1t 1r").pick(TONGA, "e7,f8")
        assert play.keys(TONGA) == ["1t", "1r"]

    def test_ruling_the_last_rumor_is_not_dropped(self) -> None:
        assert self.held("1r").keys(TONGA, "drop_rumor") == []
        assert self.held("1r 1t").keys(TONGA, "drop_rumor") == ["e7"]


class TestNewZealand:
    """A ruling: walkers between the two tiles."""

    def zealand(self, pieces: str, **more: str) -> Scene:
        scene = (
            Scene(3, south_island="on").land(h9="aotearoa", g9="te-waka-maui").having(maui="placed")
        )
        return scene.pieces(TONGA, "h9", pieces)

    def test_bands_and_colonies_walk_without_canoes(self) -> None:
        play = self.zealand("2b 1c").moving().do(TONGA, "h9,all,done")
        assert play.at(TONGA, "g9") == kinds("2b 1c")

    def test_pieces_walk_once_a_turn(self) -> None:
        play = self.zealand("1b").moving().pick(TONGA, "h9")
        assert play.keys(TONGA) == ["done"]

    def test_pieces_do_not_walk_into_enemies(self) -> None:
        assert self.zealand("2b").pieces(SAMOA, "g9", "1r").moving().keys(TONGA) == ["done"]

    def test_pieces_that_walked_are_not_carried_on(self) -> None:
        play = self.zealand("2b").pieces(TONGA, "g9", "1t").moving().pick(TONGA, "h9,all")
        play.pick(TONGA, "g9,h9")
        assert play.match.tip(TONGA).movement.fleets[0].kinds == kinds("1t")


def test_a_hex_nobody_may_enter_is_refused() -> None:
    play = sailing("1t").moving().pick(TONGA, "f8")
    with pytest.raises(IllegalAnswer):
        play.pick(TONGA, "f9")


def test_a_seat_without_pieces_is_not_asked() -> None:
    assert Scene(3).pieces(HIVA, "l6", "1b").moving(TONGA, HIVA).waiting() == (HIVA,)
