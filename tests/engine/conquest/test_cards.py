"""The Arts & Culture Cards: a test for each card, and the standing orders that play them."""

import pytest

from engine import Answer, begin
from engine.conquest import GAME
from engine.conquest.battle_events import (
    BattleJoined,
    BattleWon,
    CardPlayed,
    DieRolled,
    PiecePanicked,
    PieceRemoved,
    TapuPlayed,
)
from engine.conquest.board import CARD_KEYS
from engine.conquest.events import CardDrawn, CardRevealed, Recounted, VillageFelled
from engine.conquest.offers import STANDING_ORDERS
from engine.conquest.sea_events import ExplorerLost, ExplorerReturned
from tests.engine.conquest.scenes import HIVA, SAMOA, TONGA, Play, Scene, kinds
from tests.engine.conquest.test_building import built


def sea_fight(
    attack: str = "2w", defence: str = "2w", orders: tuple[str, str] = ("none", "none")
) -> Scene:
    """Return a match in which Tonga is about to attack Samoa at G8."""
    scene = Scene(3).sea("g8").pieces(TONGA, "f8", attack).pieces(SAMOA, "g8", defence)
    return scene.nation(TONGA, orders=orders[0]).nation(SAMOA, orders=orders[1])


def fought(scene: Scene, *rolls: int) -> Play:
    """Fight the Battle at G8 with these dice."""
    return scene.moving(TONGA).pick(TONGA, "f8,g8").finish(TONGA, *rolls)


def land_fight(orders: tuple[str, str] = ("none", "none")) -> Scene:
    """Return a match in which Tonga is about to attack Samoa's Village on Rapa at G8."""
    scene = (
        Scene(3)
        .land(g8="rapa")
        .village(SAMOA, "g8", 1)
        .pieces(TONGA, "f8", "2w")
        .pieces(SAMOA, "g8", "1b")
    )
    return scene.nation(TONGA, orders=orders[0]).nation(SAMOA, orders=orders[1])


def played(play: Play) -> list[tuple[int, str]]:
    """Return who has played which card."""
    return [(event.seat, event.card) for event in play.events(CardPlayed)]  # type: ignore[attr-defined]


class TestRevealing:
    @pytest.mark.parametrize("card", CARD_KEYS)
    def test_a_card_may_be_revealed_at_any_time_but_tapu_and_forest_only_by_use(
        self, card: str
    ) -> None:
        """A ruling of this project."""
        play = Scene(3).cards(SAMOA, card).exploring(TONGA)
        if card in ("tapu", "forest"):
            assert play.keys(SAMOA, "reveal_card") == []
        else:
            play.offer(SAMOA, "reveal_card", card)
            assert play.state.nations[SAMOA].shows(card)
            assert play.events(CardRevealed)

    def test_others_see_how_many_cards_and_not_which(self) -> None:
        play = Scene(3).cards(SAMOA, "haka", "tapa").exploring(TONGA)
        nation = play.match.view(TONGA).nations[SAMOA]  # type: ignore[attr-defined]
        assert (nation.hand, nation.hidden, nation.cards) == (2, 2, ())


class TestExplorationCards:
    def test_navigation_lets_the_explorers_own_seat_set_the_course(self) -> None:
        play = (
            Scene(3)
            .cards(TONGA, "navigation", up=True)
            .exploring(TONGA)
            .do(TONGA, "g8", draws=["ocean1"])
        )
        assert play.do(TONGA, "h9", draws=["offcourse"]).waiting() == (TONGA,)

    def test_poi_raises_the_limits_by_a_knot(self) -> None:
        """Go on at 5, return at 6, lost at 7."""
        scene = Scene(3).cards(TONGA, "poi", up=True)
        five = (
            scene.exploring(TONGA)
            .do(TONGA, "g8", draws=["ocean3"])
            .do(TONGA, "h9", draws=["ocean2"])
        )
        assert five.kind(TONGA) == "explore_on"
        assert five.do(TONGA, "j9", draws=["ocean1"]).events(ExplorerReturned)
        seven = (
            scene.exploring(TONGA)
            .do(TONGA, "g8", draws=["ocean3"])
            .do(TONGA, "h9", draws=["ocean2"])
        )
        assert seven.do(TONGA, "j9", draws=["ocean2"]).events(ExplorerLost)

    def test_ocean_chart_turns_lost_into_return(self) -> None:
        play = (
            Scene(3)
            .cards(TONGA, "chart", up=True)
            .exploring(TONGA)
            .do(TONGA, "g8", draws=["ocean3"])
        )
        assert play.do(TONGA, "h9", draws=["ocean3"]).events(ExplorerReturned)

    def test_ruling_a_card_revealed_too_late_changes_nothing(self) -> None:
        play = Scene(3).cards(TONGA, "poi").exploring(TONGA).do(TONGA, "g8", draws=["ocean2"])
        play.do(TONGA, "h9", draws=["ocean3"])
        assert play.events(ExplorerReturned)
        play.offer(TONGA, "reveal_card", "poi")
        assert play.state.voyage is None

    @pytest.mark.parametrize("card", ["poi", "chart"])
    def test_ruling_no_card_while_a_new_tile_is_being_hidden_or_shown(self, card: str) -> None:
        play = Scene(3).cards(TONGA, card).exploring(TONGA).do(TONGA, "g8", draws=["ocean3"])
        play.do(TONGA, "h9", draws=["island3"], picks=["rapa"]).offer(TONGA, "reveal_card", card)
        assert play.do(TONGA, "hide").events(ExplorerLost)

    def test_ruling_poi_shown_at_five_knots_does_not_help(self) -> None:
        play = Scene(3).cards(TONGA, "poi").exploring(TONGA).do(TONGA, "g8", draws=["ocean3"])
        play.do(TONGA, "h9", draws=["island2"], picks=["rapa"]).offer(TONGA, "reveal_card", "poi")
        assert play.do(TONGA, "hide").events(ExplorerReturned)

    def test_ruling_navigation_shown_after_the_marker_leaves_the_course_to_the_neighbour(
        self,
    ) -> None:
        play = (
            Scene(3).cards(TONGA, "navigation").exploring(TONGA).do(TONGA, "g8", draws=["ocean1"])
        )
        play.do(TONGA, "h9", draws=["offcourse"]).offer(TONGA, "reveal_card", "navigation")
        assert play.waiting() == (SAMOA,)

    def test_ruling_poi_shown_between_two_markers_works_for_the_next(self) -> None:
        play = Scene(3).cards(TONGA, "poi").exploring(TONGA).do(TONGA, "g8", draws=["ocean3"])
        play.offer(TONGA, "reveal_card", "poi").do(TONGA, "h9", draws=["ocean2"])
        assert play.kind(TONGA) == "explore_on"

    def test_a_face_down_card_does_nothing(self) -> None:
        play = (
            Scene(3)
            .cards(TONGA, "navigation", "chart")
            .exploring(TONGA)
            .do(TONGA, "g8", draws=["ocean1"])
        )
        assert play.do(TONGA, "h9", draws=["offcourse"]).waiting() == (SAMOA,)


class TestMovementCard:
    def test_double_hulled_canoes_move_three_hexes(self) -> None:
        scene = Scene(3).pieces(TONGA, "f8", "1t").cards(TONGA, "doublehull", up=True)
        assert "j6" in scene.moving().pick(TONGA, "f8").keys(TONGA)

    def test_ruling_a_rumor_goes_as_far_as_a_canoe_could(self) -> None:
        """ "In any way they wish": else a lone piece that goes three hexes would certainly be a
        canoe.
        """
        scene = Scene(3).pieces(TONGA, "f8", "1r").cards(TONGA, "doublehull", up=True)
        assert "j6" in scene.moving().pick(TONGA, "f8").keys(TONGA)
        scene = Scene(3).pieces(TONGA, "f8", "1r 1t").cards(TONGA, "doublehull", up=True)
        assert scene.moving().pick(TONGA, "f8,j6").keys(TONGA) == ["all", "1t", "1r"]
        without = Scene(3).pieces(TONGA, "f8", "1r").moving().pick(TONGA, "f8")
        assert "j6" not in without.keys(TONGA)


class TestBuildingCards:
    def test_fishponds_give_a_build_point_at_home(self) -> None:
        scene = Scene(3).cards(TONGA, "ponds", up=True)
        assert dict(scene.building().question(TONGA).facts)["points"] == 3

    def test_outrigger_makes_the_first_transport_canoe_of_a_turn_free(self) -> None:
        scene = Scene(3).cards(TONGA, "outrigger", up=True)
        play = built(scene, "t,t,o,done")
        assert play.at(TONGA, "f8") == kinds("3t")

    def test_irrigation_makes_improved_agriculture_cost_one(self) -> None:
        scene = Scene(3).village(TONGA, "f8", 3).cards(TONGA, "irrigation", up=True)
        play = built(scene, "a,v,done")
        assert play.state.group("f8").villages == 4

    def test_breadfruit_allows_one_group_a_second_new_village(self) -> None:
        scene = (
            Scene(3).land(g8="hawaii").village(TONGA, "g8", 1).add_open_canoes(TONGA, "f8", "g8")
        )
        scene.cards(TONGA, "breadfruit", "ponds", up=True)
        play = built(scene, "v,g8,v,g8,done")
        assert play.state.group("g8").villages == 3

    def test_breadfruit_settles_a_second_colony(self) -> None:
        scene = (
            Scene(3).land(g8="hawaii").pieces(TONGA, "g8", "2c").cards(TONGA, "breadfruit", up=True)
        )
        play = built(scene, "done,g8")
        assert play.state.group("g8").villages == 2
        assert not play.at(TONGA, "g8").c

    def test_adze_gives_two_points_once(self) -> None:
        play = built(Scene(3).cards(TONGA, "adze"), "adze,w,t,done")
        assert play.at(TONGA, "f8") == kinds("1w 1t")
        card = next(card for card in play.state.nations[TONGA].hand if card.key == "adze")
        assert (card.up, card.used) == (True, True)

    def test_ruling_a_one_time_card_may_be_shown_first_and_used_later(self) -> None:
        play = Scene(3).cards(TONGA, "adze").building().offer(TONGA, "reveal_card", "adze")
        assert "adze" in play.keys(TONGA)

    def test_a_used_card_no_longer_works(self) -> None:
        play = built(Scene(2).cards(TONGA, "adze"), "adze,done")
        again = Scene(2)
        again.state = again.state.with_nation(TONGA, hand=play.state.nations[TONGA].hand)
        assert "adze" not in again.building().keys(TONGA)

    def test_pigs_and_chickens_place_a_free_colony(self) -> None:
        play = built(Scene(3).cards(TONGA, "pigs"), "pigs,b,done")
        assert play.at(TONGA, "f8") == kinds("1c 1b")

    def test_pigs_and_chickens_bring_one_colony_however_many_groups_there_are(self) -> None:
        scene = (
            Scene(3)
            .cards(TONGA, "pigs")
            .land(l7="tuamotu")
            .village(TONGA, "l7", 1)
            .village(TONGA, "g7", 1)
        )
        play = scene.building().pick(TONGA, "pigs")
        assert play.keys(TONGA) == ["f8", "g7", "l7"]
        assert play.question(TONGA).at_least == 1
        assert play.question(TONGA).at_most == 1

    def test_gift_exchange_draws_one_more_card(self) -> None:
        play = built(Scene(3).cards(TONGA, "gift"), "card,gift,done")
        assert len(play.events(CardDrawn)) == 2


class TestBattleCards:
    def test_haka_rolls_the_die_again_and_that_is_final(self) -> None:
        play = fought(sea_fight("1w", "1w", ("all", "all")).cards(TONGA, "haka"), 1, 6)
        assert played(play) == [(TONGA, "haka")]
        assert [event.final for event in play.events(DieRolled)] == [False, True]  # type: ignore[attr-defined]
        assert play.events(BattleWon)[0].winner == TONGA  # type: ignore[attr-defined]

    def test_war_clubs_shift_the_roll_by_one_in_your_favour(self) -> None:
        play = fought(sea_fight("1w", "1w", ("all", "none")).cards(TONGA, "clubs"), 3)
        assert played(play) == [(TONGA, "clubs")]
        assert play.events(BattleWon)[0].winner == TONGA  # type: ignore[attr-defined]

    def test_slings_are_for_the_defender(self) -> None:
        defended = fought(sea_fight("1w", "1w", ("none", "all")).cards(SAMOA, "slings"), 4)
        assert played(defended) == [(SAMOA, "slings")]
        assert defended.events(BattleWon)[0].winner == SAMOA  # type: ignore[attr-defined]
        attacked = fought(sea_fight("1w", "1w", ("all", "none")).cards(TONGA, "slings"), 3)
        assert played(attacked) == []

    def test_cannibalism_turns_an_enemys_panic_into_removed(self) -> None:
        play = fought(sea_fight("1w", "1w", ("all", "none")).cards(TONGA, "cannibals"), 4)
        assert play.events(PieceRemoved)[0].seat == SAMOA  # type: ignore[attr-defined]

    def test_mana_turns_your_own_removed_into_panic(self) -> None:
        play = fought(sea_fight("1w", "1w", ("all", "none")).cards(TONGA, "mana"), 1)
        assert play.events(PiecePanicked)[0].seat == TONGA  # type: ignore[attr-defined]

    def test_a_pa_fort_ignores_a_result_against_a_defender_of_land(self) -> None:
        play = fought(land_fight(("none", "all")).cards(SAMOA, "fort"), 6, 2, 2)
        assert played(play) == [(SAMOA, "fort")]
        assert len(play.events(PiecePanicked, PieceRemoved)) == 2
        at_sea = fought(sea_fight("1w", "1w", ("none", "all")).cards(SAMOA, "fort"), 6)
        assert played(at_sea) == []

    def test_each_card_works_once_a_battle(self) -> None:
        play = fought(sea_fight("2w", "1w", ("all", "none")).cards(TONGA, "mana"), 1, 1)
        assert played(play) == [(TONGA, "mana")]

    def test_ruling_only_one_card_affects_a_roll_and_the_side_hit_comes_first(self) -> None:
        scene = sea_fight("1w", "1w", ("all", "all")).cards(TONGA, "cannibals").cards(SAMOA, "haka")
        play = fought(scene, 4, 3)
        assert played(play) == [(SAMOA, "haka")]
        assert not play.state.nations[TONGA].shows("cannibals")

    def test_with_the_order_shown_only_face_up_cards_are_used(self) -> None:
        hidden = fought(sea_fight("1w", "1w", ("shown", "none")).cards(TONGA, "clubs"), 3)
        assert played(hidden) == []
        shown = fought(sea_fight("1w", "1w", ("shown", "none")).cards(TONGA, "clubs", up=True), 3)
        assert played(shown) == [(TONGA, "clubs")]

    def test_tapu_cancels_the_battle_before_pieces_are_shown(self) -> None:
        """A ruling: the attackers go back where they came from, cargo with its canoe."""
        play = fought(land_fight(("none", "askme")).cards(SAMOA, "tapu"))
        assert play.keys(SAMOA) == ["tapu", "each", "hurt", "all", "shown", "none"]
        play.do(SAMOA, "tapu")
        assert play.events(TapuPlayed)
        assert not play.events(BattleJoined)
        assert play.at(TONGA, "f8") == kinds("2w")
        assert play.state.group("g8").villages == 1

    def test_tapu_is_for_the_defender(self) -> None:
        play = fought(land_fight(("askme", "none")).cards(TONGA, "tapu"))
        assert "tapu" not in play.keys(TONGA)

    def test_deforestation_removes_a_village_of_another_at_any_time(self) -> None:
        play = Scene(3).cards(SAMOA, "forest").exploring(TONGA)
        assert play.keys(SAMOA, "fell_forest") == ["f8", "l6"]
        play.offer(SAMOA, "fell_forest", "l6")
        assert play.state.group("l6").villages == 1
        assert play.state.nations[HIVA].points == 2
        assert play.events(VillageFelled, Recounted)

    def test_ruling_no_deforestation_while_several_answer_in_secret(self) -> None:
        assert Scene(3).cards(SAMOA, "forest").building().keys(SAMOA, "fell_forest") == []

    def test_ruling_a_deforested_home_is_replaced_out_of_turn(self) -> None:
        scene = (
            Scene(3).cards(SAMOA, "forest").village(HIVA, "l6", 1).land(l7="tuamotu", m7="hawaiki")
        )
        scene.village(HIVA, "l7", 1).village(HIVA, "m7", 1)
        play = scene.exploring(TONGA).offer(SAMOA, "fell_forest", "l6")
        assert play.waiting() == (HIVA,)
        assert play.keys(HIVA) == ["l7", "m7"]
        play.do(HIVA, "m7")
        assert play.state.nations[HIVA].home == "m7"
        assert play.kind(TONGA) == "launch_explorer"


class TestOrders:
    def test_a_side_that_could_hold_a_card_is_asked_before_pieces_are_shown(self) -> None:
        """A hidden card of any kind will do: being asked tells nothing."""
        for card in ("haka", "tapa"):
            play = fought(sea_fight(orders=("none", "askme")).cards(SAMOA, card))
            assert play.waiting() == (SAMOA,)
            assert play.kind(SAMOA) == "give_battle_orders"

    def test_without_cards_nobody_is_asked(self) -> None:
        play = fought(sea_fight("1w", "1w", ("askme", "askme")), 6)
        assert play.events(BattleWon)

    def test_with_only_face_up_cards_of_no_use_nobody_is_asked(self) -> None:
        scene = sea_fight("1w", "1w", ("askme", "askme")).cards(TONGA, "slings", "tapa", up=True)
        assert fought(scene, 6).events(BattleWon)

    def test_both_sides_are_asked_at_once_and_in_secret(self) -> None:
        scene = sea_fight("1w", "1w", ("askme", "askme")).cards(TONGA, "haka").cards(SAMOA, "tapa")
        play = fought(scene)
        assert play.waiting() == (TONGA, SAMOA)
        play.do(SAMOA, "none")
        assert play.waiting() == (TONGA,)
        play.do(TONGA, "none", 6)
        assert play.events(BattleWon)

    def test_a_standing_order_spares_the_question(self) -> None:
        play = Scene(3).exploring(TONGA).offer(SAMOA, "set_card_order", "none")
        assert play.state.nations[SAMOA].orders == "none"
        assert not play.seen(TONGA)
        assert play.seen(SAMOA)

    def test_each_asks_after_every_roll_and_hurt_after_those_against_you(self) -> None:
        each = fought(sea_fight("2w", "2w", ("each", "none")).cards(TONGA, "tapa"), 4)
        assert each.kind(TONGA) == "react"
        assert each.keys(TONGA) == ["pass", "stop"]
        hurt = fought(sea_fight("2w", "2w", ("hurt", "none")).cards(TONGA, "tapa"), 4, 2)
        assert dict(hurt.question(TONGA).facts)["die"] == 2

    def test_a_card_is_played_by_hand(self) -> None:
        play = fought(sea_fight("1w", "1w", ("each", "none")).cards(TONGA, "clubs", "haka"), 3)
        assert play.keys(TONGA) == ["clubs", "haka", "pass", "stop"]
        play.do(TONGA, "clubs")
        assert played(play) == [(TONGA, "clubs")]

    def test_only_cards_that_can_act_on_the_roll_are_offered(self) -> None:
        play = fought(
            sea_fight("2w", "2w", ("each", "none")).cards(TONGA, "clubs", "mana", "cannibals"), 2
        )
        assert play.keys(TONGA) == ["pass", "stop"]

    def test_after_stop_the_side_is_not_asked_again(self) -> None:
        play = fought(sea_fight("2w", "2w", ("each", "none")).cards(TONGA, "tapa"), 4)
        assert play.do(TONGA, "stop", 4).events(BattleWon)

    def test_the_order_for_losses_is_an_offer_known_to_its_seat_alone(self) -> None:
        play = Scene(3).exploring(TONGA).offer(HIVA, "set_loss_order", "ask")
        assert play.state.nations[HIVA].losses == "ask"
        assert not play.seen(None)

    def test_standing_orders_may_be_set_before_the_first_turn(self) -> None:
        match = begin(GAME, 2, {"homes": "pick"}, seed=1)
        kinds = {offer.kind for offer in match.offers(SAMOA)}
        assert kinds == {*STANDING_ORDERS, "set_all_orders"}
        assert (
            match.pick(Answer(SAMOA, "set_card_order", ("none",))).base.nations[SAMOA].orders
            == "none"
        )
