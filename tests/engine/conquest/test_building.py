"""The Building Step: a test for each sentence of the rulebook.

A docstring gives the sentence, or the ruling, that its test checks.
"""

import pytest

from engine import IllegalAnswer
from engine.conquest.events import (
    Built,
    CardDrawn,
    CardMissed,
    ColoniesSettled,
    PointSaved,
    SeatReady,
    TurnedInward,
)
from engine.conquest.pieces import Group
from tests.engine.conquest.scenes import HIVA, SAMOA, TONGA, Play, Scene, kinds
from tests.engine.conquest.test_movement import chained


def built(scene: Scene, text: str, **script: object) -> Play:
    """Return a match in which Tonga builds this, and the others nothing."""
    play = scene.building()
    for seat in scene.state.seats:
        if seat != TONGA:
            play.do(seat, play.keys(seat)[-1])
    return play.do(TONGA, text, **script)  # type: ignore[arg-type]


class TestSecrecy:
    def test_all_build_at_the_same_time(self) -> None:
        assert Scene(4).building().waiting() == (0, 1, 2, 3)

    def test_nobody_sees_a_list_before_all_are_in(self) -> None:
        play = Scene(3).building().do(TONGA, "b,done")
        assert play.waiting() == (SAMOA, HIVA)
        assert [type(event) for event in play.seen(SAMOA)] == [SeatReady]
        assert not play.state.stacks
        view = play.match.view(SAMOA)
        assert view.nations[TONGA].ready  # type: ignore[attr-defined]

    def test_after_the_last_all_lists_are_placed(self) -> None:
        play = Scene(2).building().do(TONGA, "b,done").do(SAMOA, "t,done")
        assert play.at(TONGA, "f8") == kinds("1b")
        assert play.at(SAMOA, "f7") == kinds("1t")
        seen = [
            event for event in play.seen(SAMOA) if isinstance(event, Built) and event.seat == TONGA
        ]
        assert [(event.pieces, event.items) for event in seen] == [((("f8", 1),), ())]

    def test_a_list_that_is_in_may_be_opened_again_while_another_is_not(self) -> None:
        play = Scene(3).building().do(TONGA, "b,done")
        play.offer(TONGA, "reopen_build", "reopen")
        assert play.waiting() == (TONGA, SAMOA, HIVA)
        play.do(TONGA, "drop,t,done")
        assert [line.item for line in play.state.builds[TONGA].lines] == ["t"]
        assert play.waiting() == (SAMOA, HIVA)


class TestPools:
    def test_each_village_gives_a_build_point(self) -> None:
        play = Scene(3).building()
        assert dict(play.question(TONGA).facts)["points"] == 2

    def test_example_b_groups_of_one_chain_spend_together_a_lone_group_by_itself(self) -> None:
        view = chained().building().match.view(TONGA)
        pools = {pool.key: (pool.spots, pool.points) for pool in view.own.pools}  # type: ignore[attr-defined]
        assert pools == {"home": (("f8", "f9", "l7"), 5), "n8": (("n8",), 1)}

    def test_an_open_canoe_on_each_of_several_groups_is_one_answer(self) -> None:
        scene = (
            Scene(3).land(d9="rapa", g8="tuamotu").village(TONGA, "d9", 1).village(TONGA, "g8", 2)
        )
        play = scene.building().pick(TONGA, "o")
        assert play.keys(TONGA) == ["f8", "d9", "g8"]
        assert play.question(TONGA).at_most == 3
        play.pick(TONGA, "d9+g8")
        items = play.match.view(TONGA).own.build.items  # type: ignore[attr-defined]
        assert items == (("o", "d9"), ("o", "g8"))

    def test_several_of_a_piece_are_one_answer(self) -> None:
        """With one place they are taken with the item, with more of them with the place."""
        play = built(Scene(3).village(TONGA, "f8", 3), "t-3,done")
        assert play.at(TONGA, "f8") == kinds("3t")
        keys = Scene(3).village(TONGA, "f8", 3).building().keys(TONGA)
        assert {"t", "t-2", "t-3", "b"} <= set(keys)
        assert not {"t-4", "b-2", "o-2", "card-2"} & set(keys)
        play = chained().building().pick(TONGA, "b")
        assert play.keys(TONGA) == ["f8", "f8-2", "f9", "f9-2", "l7", "l7-2"]
        play.pick(TONGA, "l7-2")
        items = play.match.view(TONGA).own.build.items  # type: ignore[attr-defined]
        assert items == (("b", "l7"), ("b", "l7"))

    def test_no_more_pieces_than_the_supply_holds(self) -> None:
        scene = Scene(3).village(TONGA, "f8", 4, improved=1).pieces(TONGA, "f8", "14t 1r")
        assert [key for key in scene.building().keys(TONGA) if key[0] in "tr"] == ["t", "t-2", "r"]

    def test_places_are_listed_pool_by_pool_the_homes_first(self) -> None:
        scene = (
            Scene(3).land(d9="rapa", g8="tuamotu").village(TONGA, "d9", 1).village(TONGA, "g8", 1)
        )
        play = scene.add_open_canoes(TONGA, "f8", "g8").building().pick(TONGA, "t")
        assert list(dict.fromkeys(key.partition("-")[0] for key in play.keys(TONGA))) == [
            "f8",
            "g8",
            "d9",
        ]
        left = {option.spot: dict(option.facts)["left"] for option in play.question(TONGA).options}
        assert left == {"f8": 3, "g8": 3, "d9": 1}

    def test_a_lone_group_spends_no_more_than_its_own_villages(self) -> None:
        play = chained().building().pick(TONGA, "b")
        assert "n8" not in play.keys(TONGA)

    def test_things_are_built_only_where_a_village_is_already(self) -> None:
        scene = chained().land(h9="rapa").pieces(TONGA, "h9", "1c")
        assert "h9" not in scene.building().pick(TONGA, "t").keys(TONGA)

    def test_ruling_a_card_needs_two_points_of_one_pool(self) -> None:
        scene = Scene(3).land(f9="kermadec").village(TONGA, "f8", 1).village(TONGA, "f9", 1)
        assert "card" not in scene.building().keys(TONGA)

    def test_with_two_pools_that_can_pay_the_payer_is_asked(self) -> None:
        scene = Scene(3).land(g8="kuporu").village(TONGA, "g8", 2)
        play = scene.building().pick(TONGA, "card")
        assert play.keys(TONGA) == ["home", "g8"]

    def test_ruling_a_canoe_opened_in_building_joins_no_pool_before_the_next_turn(self) -> None:
        scene = (
            Scene(3)
            .land(f9="kermadec")
            .village(TONGA, "f9", 1)
            .pieces(TONGA, "f9", "1t", is_open=True)
        )
        play = scene.building().pick(TONGA, "o")
        pools = play.match.view(TONGA).own.pools  # type: ignore[attr-defined]
        assert len(pools) == 2
        play = built(scene, "o,done")
        assert play.state.nations[TONGA].points == 2 * (3 + 2)


class TestItems:
    @pytest.mark.parametrize(
        ("item", "cost"),
        [
            ("t", 1),
            ("o", 1),
            ("w", 3),
            ("b", 2),
            ("c", 2),
            ("r", 0),
            ("v", 2),
            ("a", 2),
            ("card", 2),
        ],
    )
    def test_the_build_chart(self, item: str, cost: int) -> None:
        play = Scene(3).nation(TONGA, saved=True).building()
        option = next(option for option in play.question(TONGA).options if option.key == item)
        assert dict(option.facts)["cost"] == cost

    def test_the_number_of_pieces_is_a_limit(self) -> None:
        scene = Scene(3).village(TONGA, "f8", 3).pieces(TONGA, "f8", "6w 2r")
        assert not {"w", "r"} & set(scene.building().keys(TONGA))

    def test_a_village_needs_a_free_green_box(self) -> None:
        """Tonga has three green boxes and a brown one."""
        assert "v" in Scene(3).village(TONGA, "f8", 2).building().keys(TONGA)
        assert "v" not in Scene(3).village(TONGA, "f8", 3).building().keys(TONGA)

    def test_a_brown_box_needs_improved_agriculture_which_may_come_in_the_same_turn(self) -> None:
        scene = Scene(3).village(TONGA, "f8", 3).nation(TONGA, saved=True)
        play = scene.building().pick(TONGA, "a")
        assert "v" in play.keys(TONGA)
        play = built(scene, "a,v,done")
        assert play.state.group("f8").villages == 4
        assert play.state.group("f8").improved == 1

    def test_one_new_village_per_group_and_turn(self) -> None:
        scene = (
            Scene(3)
            .land(g8="hawaii")
            .village(TONGA, "g8", 1)
            .add_open_canoes(TONGA, "f8", "g8")
            .nation(TONGA, saved=True)
        )
        play = scene.building().pick(TONGA, "v,g8")
        play.pick(TONGA, "v")
        items = play.match.view(TONGA).own.build.items  # type: ignore[attr-defined]
        assert items == (("v", "g8"), ("v", "f8"))

    def test_one_card_per_turn(self) -> None:
        play = (
            Scene(3)
            .village(TONGA, "f8", 3)
            .nation(TONGA, saved=True)
            .building()
            .pick(TONGA, "card")
        )
        assert "card" not in play.keys(TONGA)

    def test_an_open_canoe_goes_where_none_is_open(self) -> None:
        assert "o" not in Scene(3).add_open_canoes(TONGA, "f8").building().keys(TONGA)

    def test_an_item_may_be_dropped_if_the_rest_stays_legal(self) -> None:
        scene = Scene(3).village(TONGA, "f8", 3).nation(TONGA, saved=True)
        play = scene.building().pick(TONGA, "a,v,drop")
        assert play.kind(TONGA) == "build_item"
        assert [item for item, _ in play.match.view(TONGA).own.build.items] == ["a"]  # type: ignore[attr-defined]

    def test_turning_inward_gives_a_point_and_costs_the_next_exploration(self) -> None:
        play = built(Scene(3), "inward,w,done")
        assert play.events(TurnedInward)
        assert play.state.nations[TONGA].explorer == "lost"
        assert play.at(TONGA, "f8") == kinds("1w")

    def test_ruling_not_with_the_explorer_in_the_lost_box(self) -> None:
        assert "inward" not in Scene(3).nation(TONGA, explorer="lost").building().keys(TONGA)

    def test_turning_inward_is_not_dropped_once_its_point_is_spent(self) -> None:
        play = Scene(3).building().pick(TONGA, "inward,w,drop")
        assert play.kind(TONGA) == "build_item"
        assert [item for item, _ in play.match.view(TONGA).own.build.items] == ["inward"]  # type: ignore[attr-defined]


class TestColonies:
    def test_a_colony_on_new_land_becomes_its_first_village(self) -> None:
        play = built(Scene(3).land(g8="rapa").pieces(TONGA, "g8", "1c"), "done")
        assert play.state.group("g8").owner == TONGA
        assert play.state.group("g8").villages == 1
        assert play.events(ColoniesSettled)

    def test_a_colony_on_new_land_need_not_settle(self) -> None:
        play = built(Scene(3).land(g8="rapa").pieces(TONGA, "g8", "1c"), "wait,done")
        assert play.at(TONGA, "g8") == kinds("1c")

    def test_ruling_a_colony_built_now_settles_in_a_later_turn(self) -> None:
        play = Scene(3).building().pick(TONGA, "c,done")
        assert play.match.is_complete(TONGA)

    def test_ruling_a_settled_colony_is_the_groups_new_village_of_the_turn(self) -> None:
        scene = Scene(3).pieces(TONGA, "f8", "1c")
        assert built(scene, "done").state.group("f8").villages == 3
        play = built(scene, "v,done")
        assert play.state.group("f8").villages == 3
        assert play.at(TONGA, "f8") == kinds("1c")

    def test_ruling_not_on_an_atoll_nor_without_a_free_box(self) -> None:
        atoll = Scene(3).land(g8="malden").pieces(TONGA, "g8", "1c")
        assert atoll.building().pick(TONGA, "done").match.is_complete(TONGA)
        full = Scene(3).village(TONGA, "f8", 3).pieces(TONGA, "f8", "1c")
        assert full.building().pick(TONGA, "done").match.is_complete(TONGA)

    def test_ruling_a_seat_without_a_home_gets_one_with_its_next_group(self) -> None:
        scene = Scene(3).land(g8="rapa").pieces(TONGA, "g8", "1c").nation(TONGA, home="")
        scene.state = scene.state.with_group(Group("f8", -1, 0))
        assert built(scene, "done").state.nations[TONGA].home == "g8"

    def test_a_conquered_group_without_villages_needs_a_colony(self) -> None:
        scene = Scene(3).pieces(TONGA, "e7", "1c 1r")
        scene.state = scene.state.with_group(Group("e7", -1, 0, 0, True))
        assert built(scene, "done").state.group("e7").owner == TONGA

    @pytest.mark.parametrize(("pieces", "settles"), [("1c", False), ("2c", True), ("1c 1b", True)])
    def test_the_last_piece_of_a_conquered_printed_group_does_not_settle(
        self, pieces: str, settles: bool
    ) -> None:
        """ "The new owner must always keep at least one Piece in the hex"."""
        scene = Scene(3).pieces(TONGA, "e7", pieces)
        scene.state = scene.state.with_group(Group("e7", -1, 0, 0, True))
        play = built(scene, "done")
        assert (play.state.group("e7").owner == TONGA) == settles
        assert play.at(TONGA, "e7").total

    def test_it_does_not_settle_either_once_the_rumor_beside_it_is_dropped(self) -> None:
        """The list was sealed while the Rumor was there to stay."""
        scene = Scene(3).pieces(TONGA, "e7", "1c 1r")
        scene.state = scene.state.with_group(Group("e7", -1, 0, 0, True))
        play = (
            scene.building()
            .do(TONGA, "done")
            .offer(TONGA, "drop_rumor", "e7")
            .do(SAMOA, "done")
            .do(HIVA, "done")
        )
        assert play.state.group("e7").owner == -1
        assert play.at(TONGA, "e7") == kinds("1c")

    def test_a_piece_built_there_lets_the_colony_settle(self) -> None:
        """A group that is already Controlled may get one: then a piece stays."""
        scene = (
            Scene(3).village(TONGA, "e7", 1).pieces(TONGA, "e7", "1c").add_open_canoes(TONGA, "f8")
        )
        assert built(scene, "done").state.group("e7").villages == 1
        assert built(scene, "r,e7,done").state.group("e7").villages == 2


class TestCardsDrawn:
    def test_a_card_is_for_its_buyers_eyes(self) -> None:
        play = built(Scene(2), "card,done", picks=["haka"])
        assert [event.card for event in play.seen(TONGA) if isinstance(event, CardDrawn)] == [
            "haka"
        ]
        assert [event.card for event in play.seen(SAMOA) if isinstance(event, CardDrawn)] == [""]

    def test_ruling_and_59_cards_are_drawn_in_turn_order_until_none_is_left(self) -> None:
        scene = Scene(2).having(deck=("haka",), order=(SAMOA, TONGA))
        play = scene.building().do(TONGA, "card,done").do(SAMOA, "card,done")
        assert [event.seat for event in play.events(CardDrawn)] == [SAMOA]  # type: ignore[attr-defined]
        assert [event.seat for event in play.events(CardMissed)] == [TONGA]  # type: ignore[attr-defined]

    def test_ruling_without_a_deck_no_card_is_sold(self) -> None:
        assert "card" not in Scene(2).having(deck=()).building().keys(TONGA)


class TestSavedResources:
    def test_a_leftover_point_is_saved_at_home(self) -> None:
        play = built(Scene(2, saved="on"), "t,done")
        assert [event.seat for event in play.events(PointSaved)] == [TONGA, SAMOA]  # type: ignore[attr-defined]
        assert play.state.nations[TONGA].saved
        assert (
            Scene(2, saved="on")
            .nation(TONGA, saved=True)
            .building()
            .match.view(TONGA)
            .own.pools[0]
            .points
            == 3
        )  # type: ignore[attr-defined]

    def test_ruling_at_most_one_point_is_saved_and_it_may_be_saved_again(self) -> None:
        play = built(Scene(2, saved="on").nation(TONGA, saved=True), "done")
        assert play.state.nations[TONGA].saved

    def test_without_a_home_a_saved_point_waits_for_the_next_home(self) -> None:
        scene = (
            Scene(3, saved="on")
            .nation(TONGA, home="", saved=True)
            .pieces(TONGA, "f9", "1t")
            .sea("f9")
        )
        scene.state = scene.state.with_group(Group("f8", -1, 0))
        assert built(scene, "done").state.nations[TONGA].saved

    def test_nothing_is_saved_if_every_point_is_spent(self) -> None:
        assert (
            not built(Scene(2, saved="on").nation(TONGA, saved=True), "w,done")
            .state.nations[TONGA]
            .saved
        )

    def test_without_the_setting_points_are_lost(self) -> None:
        assert not built(Scene(2), "done").state.nations[TONGA].saved


def test_a_list_may_not_cost_more_than_there_is() -> None:
    with pytest.raises(IllegalAnswer):
        Scene(3).building().pick(TONGA, "b,b")
