"""Battle Resolution: a test for each sentence of the rulebook, and its combat example.

A docstring gives the sentence, or the ruling, that its test checks.
"""

import pytest

from engine.conquest.battle_events import (
    BattleJoined,
    BattleWon,
    DieRolled,
    GroupTaken,
    PiecePanicked,
    PieceRemoved,
    PiecesStranded,
    Retreated,
    RumorsReturned,
    VillagesSaved,
)
from engine.conquest.events import HomeLost, HomeNamed, SeatOut
from engine.conquest.pieces import Kinds
from engine.core.words import words_of
from tests.engine.conquest.scenes import HIVA, SAMOA, TONGA, Play, Scene, kinds

NAMES = ("Tonga", "Samoa", "Hiva", "Raiatea")


def combat(losses: tuple[str, str] = ("thrift", "bands")) -> Play:
    """Return the combat example: Samoa attacks Kuporu, where Tonga has Villages and pieces."""
    scene = (
        Scene(3)
        .land(h8="kuporu")
        .village(TONGA, "h8", 2)
        .pieces(TONGA, "h8", "1t 1b", is_open=True)
    )
    scene.pieces(SAMOA, "f7", "1b 2w 1t")
    scene.nation(TONGA, losses=losses[0]).nation(SAMOA, losses=losses[1])
    return scene.moving(SAMOA)


def fight(attack: str, defence: str, *rolls: int, spot: str = "g8", villages: int = 0) -> Play:
    """Return a match in which Tonga attacks Samoa, at sea or (with Villages) on Kuporu."""
    scene = Scene(3).pieces(TONGA, "f8", attack).pieces(SAMOA, spot, defence)
    if villages:
        scene.land(**{spot: "kuporu"}).village(SAMOA, spot, villages)
    else:
        scene.sea(spot)
    return scene.moving(TONGA).pick(TONGA, f"f8,{spot}").finish(TONGA, *rolls)


class TestCombatExample:
    def test_pieces_form_the_rows_of_the_example(self) -> None:
        play = combat().do(SAMOA, "f7,h8,all,done", 3, 4, 1, 4)
        (joined,) = play.events(BattleJoined)
        attack, defence = joined.sides  # type: ignore[attr-defined]
        assert (attack.w, attack.b, attack.t) == (2, 1, 1)
        assert (defence.b, defence.l, defence.t) == (1, 1, 1)

    def test_all_rolls_happen_in_one_advance(self) -> None:
        """3: the attacker's Band panics; 4: the defender's; 1: a War Canoe goes; 4: the Local
        Warrior panics.
        """
        play = combat().do(SAMOA, "f7,h8,all,done", 3, 4, 1, 4)
        fell = [
            (e.seat, e.kind, type(e).__name__) for e in play.events(PiecePanicked, PieceRemoved)
        ]  # type: ignore[attr-defined]
        assert fell == [
            (SAMOA, "b", "PiecePanicked"),
            (TONGA, "b", "PiecePanicked"),
            (SAMOA, "w", "PieceRemoved"),
            (TONGA, "l", "PiecePanicked"),
        ]
        assert play.events(BattleWon)[0].winner == SAMOA  # type: ignore[attr-defined]

    def test_example_c_the_aftermath(self) -> None:
        play = combat().do(SAMOA, "f7,h8,all,done", 3, 4, 1, 4)
        assert play.waiting() == (SAMOA,)
        assert play.keys(SAMOA) == ["none", "1w"]
        play.do(SAMOA, "none,hidden")
        assert play.at(TONGA, "f8") == kinds("1t 1b")
        assert play.at(SAMOA, "h8") == kinds("1w 1t 1b")
        group = play.state.group("h8")
        assert (group.owner, group.villages) == (-1, 0)
        assert play.events(VillagesSaved, Retreated, GroupTaken)

    def test_with_the_order_to_ask_each_owner_chooses(self) -> None:
        play = combat(("ask", "ask")).do(SAMOA, "f7,h8,all,done", 3)
        assert (play.waiting(), play.kind(SAMOA)) == ((SAMOA,), "take_casualty")
        play.do(SAMOA, "b", 4)
        assert play.waiting() == (TONGA,)
        assert play.keys(TONGA) == ["b", "l"]
        play.do(TONGA, "b", 1, 4)
        assert play.events(BattleWon)

    def test_the_events_read_as_one_story(self) -> None:
        play = combat().do(SAMOA, "f7,h8,all,done", 3, 4, 1, 4)
        words = words_of("conquest")
        lines = [line for event in play.seen(None) for line in words.event_lines(event, NAMES)]
        assert lines[1:] == [
            "Battle at Kuporu (H8): Samoa attacked Tonga with 2 War Canoes and 1 Warrior "
            "Band against 1 Warrior Band and 1 Local Warrior (2 Villages).",
            "The attacker's back row had 1 Transport Canoe, the defender's 1 Transport Canoe.",
            "Samoa rolled 3, 4, 1 and 4 at H8.",
            "Samoa had 1 Warrior Band panic.",
            "Samoa lost 1 War Canoe.",
            "Tonga had 1 Warrior Band and 1 Local Warrior panic.",
            "Samoa won the Battle at H8.",
        ]


class TestRows:
    def test_warrior_bands_on_war_canoes_go_in_front_those_on_transports_behind(self) -> None:
        (joined,) = fight("1w 2t 3b", "1w", 6).events(BattleJoined)
        attack = joined.sides[0]  # type: ignore[attr-defined]
        assert attack.w == 1
        assert attack.b == 1
        assert attack.bt == 2
        assert attack.t == 2

    def test_at_sea_a_defender_fights_with_bands_on_war_canoes_only(self) -> None:
        (joined,) = fight("2w", "1w 1t 2b", 6).events(BattleJoined)
        defence = joined.sides[1]  # type: ignore[attr-defined]
        assert (defence.b, defence.bt) == (1, 1)

    def test_on_land_every_warrior_band_defends(self) -> None:
        (joined,) = fight("2w", "1t 3b", 6, spot="g8", villages=1).events(BattleJoined)
        assert joined.sides[1].b == 3  # type: ignore[attr-defined]

    @pytest.mark.parametrize(("villages", "warriors"), [(1, 1), (2, 1), (3, 2), (4, 2)])
    def test_ruling_local_warriors_by_villages(self, villages: int, warriors: int) -> None:
        scene = (
            Scene(3).land(g8="hawaii").village(SAMOA, "g8", villages, improved=int(villages == 4))
        )
        play = scene.pieces(TONGA, "f8", "2w").moving(TONGA).do(TONGA, "f8,g8,2w,done", 6)
        (joined,) = play.events(BattleJoined)
        assert joined.sides[1].l == warriors  # type: ignore[attr-defined]

    def test_rumors_in_a_battle_go_home(self) -> None:
        play = fight("2w 1r", "1w 1r", 6)
        assert [event.count for event in play.events(RumorsReturned)] == [1, 1]  # type: ignore[attr-defined]

    def test_ruling_a_lone_rumor_is_won_without_a_roll(self) -> None:
        play = fight("1w", "1r")
        assert not play.events(DieRolled)
        assert play.at(TONGA, "g8") == kinds("1w")
        assert not play.at(SAMOA, "g8").total

    def test_ruling_a_defender_without_battle_pieces_and_villages_retreats_at_once(self) -> None:
        play = fight("1w", "2t 1c")
        assert not play.events(DieRolled)
        assert play.at(SAMOA, "f7") == kinds("2t 1c")


class TestRolls:
    @pytest.mark.parametrize(
        ("die", "side", "removed"),
        [(1, 0, True), (2, 0, False), (3, 0, False), (4, 1, False), (5, 1, False), (6, 1, True)],
    )
    def test_the_die_table(self, die: int, side: int, removed: bool) -> None:
        """1 attacker removed, 2-3 attacker panics, 4-5 defender panics, 6 defender removed."""
        play = fight("1w", "1w", die)
        event = play.events(PiecePanicked, PieceRemoved)[0]
        assert event.seat == (TONGA, SAMOA)[side]  # type: ignore[attr-defined]
        assert isinstance(event, PieceRemoved) == removed

    def test_the_attacker_rolls_until_one_front_row_is_empty(self) -> None:
        play = fight("2w", "2w", 2, 4, 4)
        assert len(play.events(DieRolled)) == 3
        assert play.events(BattleWon)[0].winner == TONGA  # type: ignore[attr-defined]

    def test_a_panicked_piece_survives_and_stays_with_the_winner(self) -> None:
        """A ruling: only the loser retreats."""
        play = fight("2w", "1w", 2, 6)
        assert play.at(TONGA, "g8") == kinds("2w")

    @pytest.mark.parametrize(
        ("losses", "die", "kind"),
        [
            ("thrift", 2, "w"),
            ("thrift", 1, "b"),
            ("bands", 2, "b"),
            ("canoes", 1, "w"),
            ("bands", 1, "b"),
        ],
    )
    def test_losses_follow_the_owners_standing_order(
        self, losses: str, die: int, kind: str
    ) -> None:
        scene = (
            Scene(3)
            .sea("g8")
            .pieces(TONGA, "f8", "2w 2b")
            .pieces(SAMOA, "g8", "1w")
            .nation(TONGA, losses=losses)
        )
        play = scene.moving(TONGA).do(TONGA, "f8,g8,all,done", die, 6)
        assert play.events(PiecePanicked, PieceRemoved)[0].kind == kind  # type: ignore[attr-defined]


class TestRetreat:
    def test_the_loser_retreats_to_the_nearest_controlled_group(self) -> None:
        play = fight("2w", "1w", 4)
        assert play.at(SAMOA, "f7") == kinds("1w")

    def test_among_equally_near_groups_the_owner_chooses_out_of_turn(self) -> None:
        scene = Scene(3).sea("g8").land(h9="rapa").village(SAMOA, "g7", 1).village(SAMOA, "h9", 1)
        scene.pieces(SAMOA, "g8", "1w").pieces(TONGA, "f8", "2w")
        play = scene.moving(TONGA).do(TONGA, "f8,g8,2w,done", 4)
        assert play.waiting() == (SAMOA,)
        assert play.keys(SAMOA) == ["g7", "h9"]
        assert play.do(SAMOA, "h9").at(SAMOA, "h9") == kinds("1w")

    def test_example_d_one_canoe_carries_one_of_two_bands(self) -> None:
        """The retreat caption: no canoe is available for the other Warrior Band, and it is
        removed.
        """
        scene = (
            Scene(3)
            .land(h8="kuporu")
            .village(TONGA, "h8", 1)
            .pieces(TONGA, "h8", "1t 2b")
            .pieces(SAMOA, "f7", "2w")
        )
        play = scene.moving(SAMOA).do(SAMOA, "f7,h8,2w,done", 4, 4, 4)
        play.do(SAMOA, "none")
        assert play.at(TONGA, "f8") == kinds("1t 1b")
        assert play.events(PiecesStranded)[0].pieces == kinds("1b")  # type: ignore[attr-defined]

    def test_example_d_if_bands_and_colonies_compete_the_owner_is_asked(self) -> None:
        scene = Scene(3).land(h8="kuporu").village(TONGA, "h8", 1).pieces(TONGA, "h8", "1t 1b 1c")
        play = scene.pieces(SAMOA, "f7", "2w").moving(SAMOA).do(SAMOA, "f7,h8,2w,done", 4, 4)
        assert play.waiting() == (TONGA, SAMOA)
        assert play.keys(TONGA) == ["1b0c", "0b1c"]
        play.do(TONGA, "0b1c").do(SAMOA, "none")
        assert play.at(TONGA, "f8") == kinds("1t 1c")

    def test_a_loser_without_a_group_loses_all_pieces(self) -> None:
        scene = (
            Scene(3)
            .sea("g8")
            .pieces(SAMOA, "g8", "1w")
            .pieces(SAMOA, "f6", "1t")
            .pieces(TONGA, "f8", "2w")
        )
        scene.state = scene.state.with_group(scene.state.group("f7").__class__("f7", -1, 0))
        play = scene.nation(SAMOA, home="").moving(TONGA).do(TONGA, "f8,g8,2w,done", 4)
        assert [event.spot for event in play.events(Retreated)] == [""]  # type: ignore[attr-defined]

    def test_ruling_no_retreat_to_where_a_battle_is_due(self) -> None:
        scene = (
            Scene(3)
            .sea("g8")
            .village(SAMOA, "g7", 1)
            .pieces(SAMOA, "g8", "1w")
            .pieces(TONGA, "f8", "3w")
        )
        play = scene.moving(TONGA).do(TONGA, "f8,g8,2w,f8,g7,done,g8", 4)
        assert play.events(Retreated)[0].spot == "f7"  # type: ignore[attr-defined]

    def test_a_loser_without_pieces_is_not_asked_where_to_retreat(self) -> None:
        """Two groups are as near, but without a canoe the Warrior Band is lost wherever it would
        go.
        """
        scene = (
            Scene(3)
            .land(g8="rapa")
            .village(SAMOA, "g7", 1)
            .village(SAMOA, "f7", 2)
            .village(SAMOA, "g8", 1)
        )
        scene.village(SAMOA, "h8", 1).land(h8="niue").pieces(TONGA, "f8", "3w")
        lone = scene.pieces(SAMOA, "g8", "1b").moving(TONGA).do(TONGA, "f8,g8,3w,done", 4, 4)
        assert lone.keys(SAMOA) == [] and lone.kind(TONGA) == "save_villages"
        carried = scene.pieces(SAMOA, "g8", "1t 1b").moving(TONGA).do(TONGA, "f8,g8,3w,done", 4, 4)
        assert carried.kind(SAMOA) == "retreat_to"

    def test_a_retreat_between_the_new_zealand_tiles_needs_no_canoe(self) -> None:
        scene = (
            Scene(3, south_island="on").land(h9="aotearoa", g9="te-waka-maui").having(maui="placed")
        )
        scene.village(SAMOA, "h9", 1).village(SAMOA, "g9", 1).pieces(SAMOA, "h9", "2b").sea("g8")
        play = scene.pieces(TONGA, "g8", "3w").moving(TONGA).do(TONGA, "g8,h9,3w,done", 4, 4, 4)
        play.do(TONGA, "none")
        assert play.at(SAMOA, "g9") == kinds("2b")

    def test_ruling_a_winner_at_sea_loses_cargo_without_a_canoe(self) -> None:
        scene = Scene(3).sea("g8", "h9").pieces(TONGA, "g8", "2w 2b").pieces(SAMOA, "h9", "2w")
        play = (
            scene.nation(TONGA, losses="canoes")
            .moving(TONGA)
            .do(TONGA, "g8,h9,all,done", 1, 1, 4, 4)
        )
        assert play.at(TONGA, "h9") == Kinds()
        assert play.events(PiecesStranded)[0].pieces == kinds("2b")  # type: ignore[attr-defined]


class TestConquest:
    def won(self, attack: str = "2w 2b", *rolls: int, **settings: str) -> Play:
        """Return a match in which Tonga takes Kuporu with two Villages of Samoa."""
        scene = (
            Scene(3, **settings)
            .land(g8="kuporu")
            .village(SAMOA, "g8", 2)
            .pieces(TONGA, "f8", attack)
        )
        return scene.moving(TONGA).pick(TONGA, "f8,g8").finish(TONGA, *(rolls or (4,)))

    def test_all_villages_go_unless_saved(self) -> None:
        play = self.won().do(TONGA, "none")
        assert play.state.group("g8").villages == 0

    def test_a_village_is_saved_for_each_piece_given_up(self) -> None:
        play = self.won()
        assert play.keys(TONGA) == ["none", "1b", "1w", "2b", "1b1w", "2w"]
        play.do(TONGA, "2b")
        group = play.state.group("g8")
        assert (group.owner, group.villages) == (TONGA, 2)
        assert play.at(TONGA, "g8") == kinds("2w")

    def test_ruling_only_pieces_that_did_not_panic(self) -> None:
        play = self.won("1w 1b", 2, 4)
        assert play.keys(TONGA) == ["none", "1b"]

    def test_improved_agriculture_is_never_removed_by_conquest(self) -> None:
        scene = (
            Scene(3)
            .land(g8="rarotonga")
            .village(SAMOA, "g8", 2, improved=1)
            .pieces(TONGA, "f8", "1w")
        )
        play = scene.moving(TONGA).do(TONGA, "f8,g8,done", 4).do(TONGA, "none")
        assert play.state.group("g8").improved == 1

    def test_the_winner_may_place_a_transport_canoe_face_up(self) -> None:
        """A ruling of this project."""
        play = self.won("2w 1t").do(TONGA, "none,open")
        assert play.state.stack(TONGA, "g8").open  # type: ignore[union-attr]

    @pytest.mark.parametrize(("was_open", "ends"), [(True, "open"), (False, "hidden")])
    def test_a_winning_defender_may_place_one_transport_canoe_face_up(
        self, was_open: bool, ends: str
    ) -> None:
        """ "Regardless of whether the attacker or defender was victorious"; to say nothing
        leaves it as it lay.
        """
        for key in ("open", "hidden"):
            scene = (
                Scene(3)
                .sea("g8")
                .pieces(SAMOA, "g8", "1w 1t", is_open=was_open)
                .pieces(TONGA, "f8", "1w")
            )
            play = scene.moving(TONGA).do(TONGA, "f8,g8,done", 1)
            ending = play.question(SAMOA).ending()
            assert (play.kind(SAMOA), ending and ending.key) == ("open_here", ends)
            stack = play.do(SAMOA, key).state.stack(SAMOA, "g8")
            assert stack is not None
            assert stack.open == (key == "open")

    def test_a_winning_defender_without_a_transport_canoe_is_not_asked(self) -> None:
        scene = Scene(3).sea("g8").pieces(SAMOA, "g8", "2w").pieces(TONGA, "f8", "1w")
        assert SAMOA not in scene.moving(TONGA).do(TONGA, "f8,g8,done", 1).waiting()

    def test_independents_have_a_village_on_each_green_box_and_their_printed_warriors(self) -> None:
        """Fiji: three green boxes, three Local Warriors."""
        play = Scene(3).pieces(TONGA, "f8", "4w").moving(TONGA).do(TONGA, "f8,e7,4w,done", 4, 5, 6)
        (joined,) = play.events(BattleJoined)
        assert (joined.villages, joined.sides[1].l) == (3, 3)  # type: ignore[attr-defined]
        assert play.keys(TONGA) == ["none", "1w", "2w", "3w"]
        play.do(TONGA, "2w")
        group = play.state.group("e7")
        assert (group.owner, group.villages, group.taken) == (TONGA, 2, True)

    def test_a_failed_attack_leaves_them_independent_with_full_strength(self) -> None:
        play = Scene(3).pieces(TONGA, "f8", "1w").moving(TONGA).do(TONGA, "f8,e7,done", 3)
        view = play.match.view(None)
        assert view.group_at["e7"].independent  # type: ignore[attr-defined]
        assert view.group_at["e7"].warriors == 3  # type: ignore[attr-defined]

    def test_a_conquered_printed_group_keeps_a_piece_when_villages_are_saved(self) -> None:
        play = Scene(3).pieces(TONGA, "f8", "2w").moving(TONGA).do(TONGA, "f8,e7,2w,done", 4, 5, 6)
        assert play.keys(TONGA) == ["none", "1w"]

    def test_ruling_conquered_without_a_village_it_is_uncontrolled_and_never_independent_again(
        self,
    ) -> None:
        play = (
            Scene(3)
            .pieces(TONGA, "f8", "2w")
            .moving(TONGA)
            .do(TONGA, "f8,e7,2w,done", 4, 5, 6)
            .do(TONGA, "none")
        )
        view = play.match.view(None)
        assert view.group_at["e7"].owner == -1  # type: ignore[attr-defined]
        assert not view.group_at["e7"].independent  # type: ignore[attr-defined]

    def test_ruling_a_lost_home_is_replaced_at_once(self) -> None:
        scene = (
            Scene(3)
            .village(SAMOA, "g7", 1)
            .village(SAMOA, "h8", 1)
            .land(h8="rapa")
            .pieces(TONGA, "f8", "2w")
        )
        play = scene.moving(TONGA).do(TONGA, "f8,f7,2w,done", 4)
        assert play.waiting() == (TONGA, SAMOA)
        assert play.keys(SAMOA) == ["g7", "h8"]
        play.do(SAMOA, "h8").do(TONGA, "1w")
        assert play.events(HomeLost, HomeNamed)
        assert play.state.nations[SAMOA].home == "h8"
        assert play.state.group("f7").owner == TONGA

    def test_with_one_group_left_it_becomes_the_home_by_itself(self) -> None:
        scene = Scene(3).village(SAMOA, "g7", 1).pieces(TONGA, "f8", "2w")
        play = scene.moving(TONGA).do(TONGA, "f8,f7,2w,done", 4).do(TONGA, "none")
        assert play.state.nations[SAMOA].home == "g7"

    def test_ruling_without_village_colony_and_canoe_a_seat_is_out(self) -> None:
        scene = (
            Scene(3).pieces(TONGA, "f8", "2w").pieces(SAMOA, "f7", "1b").pieces(SAMOA, "g7", "1r")
        )
        play = scene.moving(TONGA).do(TONGA, "f8,f7,2w,done", 6, 4).do(TONGA, "none")
        assert play.events(SeatOut)
        assert not [stack for stack in play.state.stacks if stack.seat == SAMOA]
        assert play.state.seats == (TONGA, HIVA)

    def test_the_last_empire_wins(self) -> None:
        scene = Scene(2).pieces(TONGA, "f8", "2w")
        play = scene.moving(TONGA).do(TONGA, "f8,f7,2w,done", 4).do(TONGA, "none")
        outcome = play.match.outcome
        assert outcome is not None
        assert outcome.reason == "last_empire"
        assert outcome.ranking == ((TONGA,), (SAMOA,))

    def test_kumara_spreads_to_a_conqueror_who_saves_a_village(self) -> None:
        scene = (
            Scene(3, kumara="on")
            .land(g8="kuporu")
            .village(SAMOA, "g8", 1)
            .nation(SAMOA, kumara=True)
        )
        play = (
            scene.pieces(TONGA, "f8", "2w")
            .moving(TONGA)
            .do(TONGA, "f8,g8,2w,done", 4)
            .do(TONGA, "1w")
        )
        assert play.state.nations[TONGA].kumara
        assert play.state.nations[SAMOA].kumara


class TestOrderOfBattles:
    def test_the_attacker_chooses_after_all_movement(self) -> None:
        scene = (
            Scene(3)
            .sea("g8")
            .pieces(SAMOA, "g8", "1r")
            .pieces(SAMOA, "g7", "1r")
            .pieces(TONGA, "f8", "2w")
        )
        play = scene.moving(TONGA).pick(TONGA, "f8,g8,1w,f8,g7,done")
        assert play.kind(TONGA) == "pick_battle"
        assert play.keys(TONGA) == ["g7", "g8"]
        play.do(TONGA, "g8")
        assert play.at(TONGA, "g7") == kinds("1w")
        assert play.at(TONGA, "g8") == kinds("1w")
