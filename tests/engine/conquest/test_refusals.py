"""Why something is not possible: a true sentence of the rulebook for each case."""

from random import Random

import pytest

from engine import Answer, Seat, begin
from engine.conquest import GAME
from engine.conquest.board import HEX_AT
from engine.conquest.pieces import Group
from engine.core.table import Table
from engine.core.words import words_of
from tests.contract.checks import check_same_refusals, redeal_match
from tests.contract.player import play as play_on
from tests.engine.conquest.scenes import HIVA, RAIATEA, SAMOA, TONGA, Play, Scene
from tests.engine.conquest.truths import TRUTHS, is_true
from tests.engine.conquest.wars import war
from tests.engine.refusals import Refusal, refusals

NAMES = ("Ana", "Ben", "Cem", "Dov")


def why(play: Play, key: str, seat: int = TONGA, offer: str = "") -> str:
    """Return the refusal against a key; it must be true."""
    match = play.match.without_drafts() if offer else play.match
    asked = (
        play.question(seat)
        if not offer
        else next(one for one in match.offers(Seat(seat)) if one.kind == offer)
    )
    line = GAME.refusal(match.tip(Seat(seat)), asked, key)
    assert line is not None, f"nothing is said against {key}"
    assert is_true(Refusal(match.tip(Seat(seat)), asked, key, *line)), line
    return match.why_not(Seat(seat), asked, key, NAMES)


class TestSetUp:
    def test_a_people_is_led_by_one_player(self) -> None:
        match = begin(GAME, 3, {"homes": "pick"}, "homes").pick(
            Answer(Seat(0), "pick_home", ("hiva",))
        )
        play = Scene(3)
        picked = Play(play.match, match.confirm(Seat(0)).base)
        assert why(picked, "hiva", 1) == "Ana already leads Hiva."
        assert why(picked, "l6", 1) == "Ana already leads Hiva."
        assert why(picked, "raiatea", 1).startswith("Raiatea isn't in a match of 3:")
        assert why(picked, "h8", 1).startswith("H8 isn't a Home. The")
        assert why(picked, "f7", 1) == "Type SAMOA for that."

    def test_the_four_points_of_the_start_are_spent_exactly(self) -> None:
        match = begin(GAME, 2, {"start": "variable"}, "start")
        play = Play(match, match.base).pick(TONGA, "t,b")
        assert why(play, "b") == "Warrior Band costs 2, and you have 1 Build Point left."
        assert why(play, "done") == "Spend all four Build Points: you have 1 left."
        play = Play(match, match.base).pick(TONGA, "t,r,r")
        assert why(play, "r") == "You have only 2 Rumors."
        assert why(play, "v") == "You start with pieces only. You can build this later: Village."

    def test_choosing_who_goes_first_and_the_direction(self) -> None:
        assert why(Scene(3).turn(), "samoa").startswith("Add the direction: SAMOA-CW for clockwise")
        assert why(Scene(2).turn(), "samoa-cw").startswith(
            "With two players the direction doesn't matter"
        )
        assert why(Scene(3).turn(), "raiatea-cw").startswith("Raiatea isn't in a match of 3:")
        assert (
            why(Scene(4).nation(RAIATEA, out=True).turn(), "raiatea-cw")
            == "Dov is out of the game."
        )


class TestExploration:
    def test_an_explorer_enters_unknown_hexes_within_reach(self) -> None:
        play = Scene(3).exploring()
        assert why(play, "f7") == "Samoa (F7) is already Known. Explorers discover what isn't."
        assert why(play, "s8").startswith("Your Explorer can't get next to S8. It starts from")
        assert why(play, "rest").startswith("You have nothing that could move")
        assert why(
            Scene(3).having(cup=(0,) * 7).hidden("g8", "rapa", SAMOA).exploring(), "g9"
        ).startswith("The cup is")

    def test_searching_for_kumara(self) -> None:
        assert why(Scene(3).exploring(), "ks8").startswith("Kumara isn't in this match.")
        assert why(Scene(3, kumara="on").exploring(), "ks8").startswith(
            "Your Explorer can't reach S8."
        )
        assert (
            why(Scene(3, kumara="on").exploring(), "kf8")
            == "The search for Kumara starts at one of these hexes: S8 R9."
        )
        assert why(Scene(3, kumara="on").nation(TONGA, kumara=True).exploring(), "ks8").startswith(
            "You already have"
        )

    def test_going_on_to_an_adjacent_hex(self) -> None:
        scene = Scene(3).pieces(SAMOA, "g9", "1r").sea("g9")
        play = scene.exploring().do(TONGA, "g8", draws=["ocean3"])
        assert why(play, "g8") == "The Explorer is already at G8."
        assert why(play, "j9") == "J9 isn't next to G8, where the Explorer is."
        assert why(play, "g9") == "G9 is an enemy hex, and Explorers can't cross those."
        assert why(play, "f8").startswith(
            "Crossing Tonga (F8) costs 2 Knots. You have 3, and with more than 4"
        )
        assert why(play, "again").startswith("You can only try again here if your Explorer is off")

    def test_an_explorer_is_driven_where_it_can_discover_something(self) -> None:
        scene = Scene(3).hidden("h8", "rapa", TONGA)
        play = scene.exploring().do(TONGA, "g8", draws=["offcourse"])
        assert play.kind(SAMOA) == "set_course"
        assert (
            why(play, "g8", SAMOA) == "The Explorer is off course at G8 and has to leave that hex."
        )
        assert why(play, "h8", SAMOA).startswith("Ana already knows the tile")
        assert why(play, "f8", SAMOA).startswith("Tonga (F8) is already Known")
        assert why(play, "j9", SAMOA).startswith("J9 isn't next to G8,")

    def test_kumara_lies_beyond_the_eastern_ocean(self) -> None:
        scene = Scene(3, kumara="on").land(s8="rapa-nui").village(TONGA, "s8")
        play = scene.exploring().do(TONGA, "ks8", 4)
        assert play.kind(TONGA) == "sail_east"
        nearer = next(
            spot for spot in HEX_AT if spot not in play.keys(TONGA) and spot.startswith("t")
        )
        assert why(play, "america").startswith("You can only enter South America from")
        assert why(play, "f8") == "F8 isn't next to S8, where the Explorer is."
        assert why(play, nearer)
        play = scene.exploring().do(TONGA, "ks8", 5)
        assert why(play, "r8" if "r8" not in play.keys(TONGA) else "r9").startswith(
            "The search for Kumara crosses"
        )

    def test_three_discoveries_may_be_hidden(self) -> None:
        hidden = Scene(3).hidden("m5", "rapa", TONGA).hidden("m6", "norfolk", TONGA)
        play = hidden.exploring().do(TONGA, "g8", draws=["island1"])
        assert why(play, "m5").startswith("You still have a marker")
        assert why(play, "g8").startswith("G8 is the tile you just found")
        assert why(play, "m4") == "There's no face-down tile with your marker at M4."
        play = hidden.hidden("m7", "niue", TONGA).exploring().do(TONGA, "g8", draws=["island1"])
        assert why(play, "hide").startswith("All three of your markers are on tiles")


class TestMovement:
    def test_only_own_unmoved_pieces_can_move(self) -> None:
        scene = (
            Scene(3)
            .pieces(TONGA, "f8", "1t 1b")
            .pieces(SAMOA, "f7", "1w")
            .pieces(TONGA, "g7", "1b")
        )
        play = scene.village(TONGA, "e7").pieces(TONGA, "e7", "1t").moving(TONGA)
        assert why(play, "j6") == "You have no pieces at Flint Island (J6)."
        assert why(play, "f7") == "The pieces at Samoa (F7) are Ben's."
        assert why(play, "g7").startswith("You have no canoe and no Rumor at Niue (G7). Warrior")
        assert why(play, "e7").startswith(
            "You conquered Fiji (E7), which is printed on the map: one of your pieces"
        )
        play.pick(TONGA, "f8,g7,all")
        assert why(play, "f8") == "You have no pieces at Tonga (F8)."
        play = Scene(3).pieces(TONGA, "f8", "1t 1b").moving(TONGA).pick(TONGA, "f8,g7,all")
        assert (
            why(play, "g7")
            == "Your pieces at Niue (G7) have already moved. Type FLEET1 to move them on."
        )
        play.pick(TONGA, "fleet1,h7,all")
        assert why(play, "h7") == "Your pieces at H7 have already moved."
        assert why(play, "fleet1") == "Fleet 1 has no moves left."
        assert why(play, "fleet2") == "There's no fleet 2."

    def test_a_stack_may_be_shut_in(self) -> None:
        scene = (
            Scene(3)
            .land(h3="rapa")
            .village(TONGA, "h3")
            .pieces(TONGA, "h3", "1t")
            .pieces(TONGA, "f8", "1t")
        )
        assert why(scene.moving(TONGA), "h3").startswith("Nothing can leave Rapa (H3)")

    def test_a_fleet_among_enemies_stops(self) -> None:
        play = (
            Scene(3).pieces(TONGA, "f8", "1w").pieces(SAMOA, "g7", "1t", is_open=True).moving(TONGA)
        )
        assert (
            why(play.pick(TONGA, "f8,g7"), "fleet1")
            == "Fleet 1 has to stop among the enemies at Niue (G7)."
        )

    def test_canoes_are_opened_one_in_a_hex(self) -> None:
        scene = Scene(3).pieces(TONGA, "f8", "2t", is_open=True).pieces(TONGA, "g7", "1w")
        play = scene.moving(TONGA)
        assert why(play, "open").startswith("You have no canoe to turn")
        assert why(play, "open-f8").startswith("You already have a canoe face up at")
        assert why(play, "open-g7") == "You have no Transport Canoe at Niue (G7)."
        play = Scene(3).pieces(TONGA, "g7", "1t").moving(TONGA)
        assert why(play, "open-g7") == "Type OPEN for that."

    @pytest.mark.parametrize(
        ("key", "expected"),
        [
            ("f8", "Those pieces are already at Tonga (F8)."),
            ("j6", "Flint Island (J6) is too far away: you have"),
            (
                "e7",
                "Fiji (E7) is an enemy hex. Only War Canoes enter it, and pieces that come with",
            ),
            (
                "f7",
                "Samoa (F7) is an enemy hex. Only War Canoes enter it, and pieces that come with",
            ),
            ("g9", "G9 is Unknown, and only Explorers go there."),
            ("g8", "The tile at G8 is face down, and you haven't seen it."),
            ("f10", "You can't reach F10 with 2 moves. Canoes cross Known hexes"),
            ("g7-on", "There's nobody to sail through at Niue"),
            ("e7-on", "Fiji (E7) is an enemy hex. Only War Canoes enter"),
            ("g7-chain", "You have no face-up canoe at Tonga (F8), so there's no chain."),
        ],
    )
    def test_canoes_go_over_known_hexes_within_their_moves(self, key: str, expected: str) -> None:
        scene = Scene(3).sea("f10").hidden("g8", "rapa", SAMOA).pieces(TONGA, "f8", "2t 2b")
        assert why(scene.moving(TONGA).pick(TONGA, "f8"), key).startswith(expected)

    def test_war_canoes_stop_where_they_must(self) -> None:
        scene = Scene(3).sea("g8", "g9").pieces(TONGA, "f8", "2w").pieces(SAMOA, "g8", "2t")
        play = scene.moving(TONGA).pick(TONGA, "f8")
        assert "g8-on" in play.keys(TONGA)
        assert why(play, "f7-on") == "Samoa (F7) is an enemy group, and War Canoes must stop there."
        alone = (
            Scene(3)
            .sea("g8", "g9")
            .pieces(TONGA, "f8", "1w")
            .pieces(SAMOA, "g8", "1t", is_open=True)
        )
        assert why(alone.moving(TONGA).pick(TONGA, "f8"), "g8-on").startswith(
            "Nothing at G8 stops War Canoes"
        )
        far = Scene(3).sea("g8", "h9").pieces(TONGA, "f8", "1w").pieces(SAMOA, "h9", "2t")
        assert (
            why(far.moving(TONGA).pick(TONGA, "f8"), "h9-on")
            == "You'd have no moves left to sail on from H9."
        )

    def test_a_war_canoe_that_was_asked_for_is_there(self) -> None:
        scene = (
            Scene(3)
            .sea("g8")
            .pieces(TONGA, "f8", "2w")
            .pieces(TONGA, "g7", "1w")
            .pieces(SAMOA, "g8", "1w 1t")
        )
        play = scene.moving(TONGA).do(TONGA, "f8,g8-on,1w")
        assert (
            why(play.pick(TONGA, "g7"), "g8-on")
            == "There's a War Canoe at G8, so you have to stop there."
        )

    def test_transit_goes_along_a_chain_before_anything_sails(self) -> None:
        scene = (
            Scene(3)
            .add_open_canoes(TONGA, "f8", "g7")
            .pieces(TONGA, "f8", "1t 1b 1r", is_open=True)
            .add_open_canoes(TONGA, "h7")
        )
        play = scene.sea("j8").add_open_canoes(TONGA, "j8").moving(TONGA).pick(TONGA, "f8")
        assert (
            why(play, "j8-chain") == "No line of your face-up canoes leads from Tonga (F8) to J8."
        )
        assert why(scene.moving(TONGA).pick(TONGA, "g7"), "f8-chain").startswith(
            "The only piece at Niue (G7) is the"
        )
        sailed = scene.moving(TONGA).pick(TONGA, "f8,g7,1r,f8")
        assert why(sailed, "g7-chain").startswith("Transit is over")
        full = (
            Scene(3)
            .add_open_canoes(TONGA, "f8", "g7", "h7")
            .pieces(TONGA, "f8", "1t 2b", is_open=True)
        )
        full.pieces(TONGA, "h7", "1t 1b", is_open=True)
        assert why(full.moving(TONGA).pick(TONGA, "f8"), "h7-chain").startswith(
            "Those pieces can't go to H7."
        )

    @pytest.mark.parametrize(
        ("pieces", "key", "expected"),
        [
            ("2t 2b", "3t", "You have 2 Transport Canoes at Tonga (F8)."),
            (
                "2t 2b",
                "1t2b",
                "Every Warrior Band and every Colony needs its own canoe: that's 2 to carry "
                "and 1 canoe.",
            ),
            ("2t 2b", "1b", "Warrior Bands and Colonies only go with a canoe."),
            (
                "1w 1t 2c",
                "1w1c",
                "Every Colony needs its own Transport Canoe: that's 1 Colony and no "
                "Transport Canoe.",
            ),
            ("2t 2b", "1b1t", "Type 1T1B for that."),
            ("2t 2b", "2t2b", "Type ALL for that."),
            (
                "1t 2b",
                "all",
                "Every Warrior Band and every Colony needs its own canoe: that's 2 to carry "
                "and 1 canoe.",
            ),
        ],
    )
    def test_moving_pieces_need_canoes(self, pieces: str, key: str, expected: str) -> None:
        assert (
            why(Scene(3).pieces(TONGA, "f8", pieces).moving(TONGA).pick(TONGA, "f8,g7"), key)
            == expected
        )

    def test_moving_among_enemies_or_at_sea(self) -> None:
        play = Scene(3).pieces(TONGA, "f8", "1w 2t").moving(TONGA).pick(TONGA, "f8,e7")
        assert why(play, "1t").startswith(
            "The way to Fiji (E7) leads to enemies, so a War Canoe has to go along."
        )
        play = Scene(3).pieces(TONGA, "h7", "2t 2b").moving(TONGA).pick(TONGA, "h7,g7")
        assert (
            why(play, "1t")
            == "H7 is at sea: you can't leave Warrior Bands or Colonies there without a canoe."
        )
        scene = Scene(3).village(TONGA, "e7").pieces(TONGA, "e7", "2t")
        play = scene.moving(TONGA).pick(TONGA, "e7,f8")
        assert play.match.is_complete(TONGA) or play.kind(TONGA) == "move_stack"

    def test_many_pieces_are_asked_kind_by_kind(self) -> None:
        play = Scene(3).pieces(TONGA, "f8", "3w 5t 2r 3c 4b").moving(TONGA).pick(TONGA, "f8,g7")
        assert play.kind(TONGA) == "pick_pieces"
        assert why(play, "9w") == "You have 3 War Canoes at Tonga (F8)."
        assert why(play, "1t") == "One kind at a time: how many War Canoes go?"
        assert why(play, "2") == "Type 2W for that."


class TestBattle:
    def aftermath(self, attack: str = "3w 3b 1t", *rolls: int) -> Play:
        scene = Scene(3).land(h8="kuporu").village(SAMOA, "h8", 2).pieces(TONGA, "f8", attack)
        return scene.moving(TONGA).do(TONGA, "f8,h8,all,done", *(rolls or (6,)))

    def test_only_what_did_not_panic_saves_villages(self) -> None:
        play = self.aftermath("2w 1t", 2, 6)
        assert (
            why(play, "2w")
            == "Only front-row pieces that didn't panic can save Villages. You have 1 War Canoe."
        )
        play = self.aftermath()
        assert why(play, "3b") == "You can save at most 2 Villages at Kuporu (H8)."
        assert why(play, "1w1b") == "Type 1B1W for that."
        assert why(play, "1t") == "You can only give up Warrior Bands and War Canoes for Villages."

    def test_a_piece_stays_in_a_printed_group(self) -> None:
        play = Scene(3).pieces(TONGA, "f8", "2w").moving(TONGA).do(TONGA, "f8,e7,all,done", 6, 6, 6)
        assert (
            why(play, "2w")
            == "Fiji (E7) is printed on the map, so one of your pieces always has to stay there."
        )

    def test_the_loser_retreats_to_the_nearest_group(self) -> None:
        scene = (
            Scene(3)
            .land(h8="kuporu", g8="rapa", h9="tokelau")
            .village(SAMOA, "h8", 2)
            .pieces(SAMOA, "h8", "1t")
        )
        scene.village(SAMOA, "g8").village(SAMOA, "h9").pieces(TONGA, "f8", "3w").pieces(
            TONGA, "g7", "1w"
        )
        play = scene.moving(TONGA).do(TONGA, "f8,h8,all,done", 6)
        assert play.keys(SAMOA) == ["g8", "h9"]
        assert why(play, "h8", SAMOA) == "You've lost Kuporu (H8)."
        assert why(play, "f8", SAMOA) == "You have no Village at Tonga (F8)."
        assert why(play, "f7", SAMOA) == (
            "Samoa (F7) is 2 hexes away, and Rapa (G8) only 1: you retreat to your nearest group."
        )
        scene.land(j8="norfolk").village(SAMOA, "j8")
        play = scene.moving(TONGA).pick(TONGA, "f8,h8,all,g7,g8,done").do(TONGA, "h8", 6)
        assert (
            why(play, "g8", SAMOA)
            == "There's still a Battle to fight at Rapa (G8), so nobody can retreat there."
        )

    def test_tapu_and_standing_orders(self) -> None:
        scene = Scene(3).sea("g8").pieces(TONGA, "f8", "2w").pieces(SAMOA, "g8", "2w")
        play = (
            scene.cards(TONGA, "tapu").cards(SAMOA, "hui").moving(TONGA).do(TONGA, "f8,g8,all,done")
        )
        assert why(play, "tapu") == "Only a defender can play Tapu, and you're attacking."
        assert why(play, "tapu", SAMOA) == "You don't have Tapu."
        assert why(play, "askme").startswith("You're being asked")

    def test_a_card_changes_the_rolls_that_it_can(self) -> None:
        scene = (
            Scene(3)
            .sea("g8")
            .pieces(TONGA, "f8", "3w")
            .pieces(SAMOA, "g8", "3w")
            .nation(TONGA, orders="each")
        )
        scene.cards(TONGA, "clubs", "slings", "mana", "cannibals", "hui")
        play = scene.moving(TONGA).do(TONGA, "f8,g8,all,done", 2)
        assert play.kind(TONGA) == "react"
        assert why(play, "haka") == "You don't have Haka."
        assert why(play, "hui") == "Hui isn't a Battle card."
        assert why(play, "slings") == "Slings helps only a defender, and you're attacking."
        assert why(play, "cannibals") == "Cannibalism only works when an enemy piece panics."
        assert why(play, "mana") == "Mana only works when one of your pieces is removed."
        assert why(play, "clubs").startswith("War Clubs wouldn't change anything")

    def test_a_casualty_is_a_battle_piece_in_front(self) -> None:
        scene = (
            Scene(3)
            .sea("g8")
            .pieces(TONGA, "f8", "2w 1b 1t")
            .pieces(SAMOA, "g8", "3w")
            .nation(TONGA, losses="ask")
        )
        play = scene.moving(TONGA).do(TONGA, "f8,g8,all,done", 2)
        assert play.kind(TONGA) == "take_casualty"
        assert why(play, "l") == "You have no Local Warrior left in the front row."
        assert why(play, "t").startswith("Transport Canoe isn't a Battle Piece")

    def test_several_battles(self) -> None:
        scene = (
            Scene(3)
            .sea("g8")
            .pieces(TONGA, "f8", "2w")
            .pieces(SAMOA, "g8", "1w")
            .pieces(SAMOA, "g7", "1w")
        )
        play = scene.moving(TONGA).pick(TONGA, "f8,g8,1w,f8,g7,done")
        assert play.kind(TONGA) == "pick_battle"
        assert why(play, "f7") == "There's no Battle to fight at Samoa (F7)."


class TestBuilding:
    @pytest.mark.parametrize(
        ("key", "expected"),
        [
            (
                "w",
                "That costs 3 (War Canoe), and no chain or lone group of yours has more than "
                "2 left.",
            ),
            ("a", "No group of yours that can pay 2 has a brown box without Improved Agriculture."),
            (
                "o",
                "Every group of yours that can pay 1 already has a face-up canoe. Build one "
                "face down instead.",
            ),
            ("peek", "There's no card on your list to look at."),
            ("adze", "You don't have Adze."),
            ("drop", "Your list is empty."),
            ("wait", "None of your Colonies would become a Village this turn."),
            ("later", "Everyone is building now, so you can't put it off."),
            ("b-2", "2 Warrior Bands cost 4, and you have 2 left there."),
            ("r-3", "You have 2 Rumors left to build."),
            (
                "v-2",
                "You can only build one of these per hex (Village): name the hexes instead "
                "of a number.",
            ),
            ("inward", "Your Explorer is in the Lost Box, so you can't Turn Inward."),
        ],
    )
    def test_pieces_that_cannot_be_built(self, key: str, expected: str) -> None:
        scene = (
            Scene(3)
            .land(f8="tahiti")
            .pieces(TONGA, "f8", "1t", is_open=True)
            .nation(TONGA, explorer="lost")
        )
        scene.state = scene.state.with_changes(
            tiles=tuple(tile for tile in scene.state.tiles if tile.spot != "f8")
        )
        play = scene.village(TONGA, "f8", 2, improved=1).building()
        assert why(play, key) == expected

    def test_a_village_needs_a_box_and_comes_once(self) -> None:
        full = (
            Scene(3)
            .land(h8="kuporu")
            .village(TONGA, "h8", 2)
            .village(SAMOA, "f8", 2)
            .nation(TONGA, home="h8")
        )
        assert why(full.building(), "v").startswith("No group of yours that can pay 2 has room: a")
        play = (
            Scene(3)
            .land(h8="tahiti", g9="hawaiki", h9="rurutu")
            .village(TONGA, "h8", 2)
            .village(TONGA, "g9", 3)
        )
        play.village(TONGA, "h9", 1)
        build = play.building().pick(TONGA, "v")
        assert why(build, "h9").startswith("That costs 2 (Village), and Rurutu (H9) and its")
        assert why(build, "g9") == (
            "Hawaiki (G9) has no free box for a Village. It takes a green box, or a brown "
            "one with Improved Agriculture."
        )
        assert why(build, "f7") == "You have no Village at Samoa (F7)."

    def test_nothing_left_and_a_place_too_early(self) -> None:
        play = Scene(3).building().pick(TONGA, "v")
        assert why(play, "b") == "That costs 2 (Warrior Band), and you have no Build Points left."
        assert why(play, "f8").startswith("Choose what to build first. Then")
        assert why(play, "h9") == "You have no Village at H9."

    def test_pieces_are_a_limit(self) -> None:
        play = Scene(3).pieces(TONGA, "h7", "6w 2r").village(TONGA, "f8", 4).building()
        assert why(play, "w") == "All your War Canoes are on the map or on your list."
        assert why(play, "r") == "All your Rumors are on the map or on your list."

    def test_one_card_per_turn_while_the_deck_lasts(self) -> None:
        play = Scene(3).village(TONGA, "f8", 4).building().pick(TONGA, "card")
        assert why(play, "card") == "You can only build one card a turn."
        assert why(Scene(3).having(deck=()).building(), "card") == "The deck is empty."

    def test_several_where_it_stands_in_one_place(self) -> None:
        scene = Scene(3).land(h8="tahiti").village(TONGA, "h8", 2).village(TONGA, "f8", 4)
        assert why(scene.building(), "t-3").endswith("then the hex with the number, such as F8-3.")
        play = scene.building().pick(TONGA, "t")
        assert why(play, "h8-3") == "3 Transport Canoes cost 3, and you have 2 left there."
        assert why(play, "f8-1") == "Type F8 for that."
        assert why(Scene(3).village(TONGA, "f8", 9).building(), "t-5").startswith(
            "One answer builds at most 4. Add"
        )

    def test_a_card_is_paid_by_one_pool(self) -> None:
        scene = Scene(3).land(h8="tahiti", j9="rapa").village(TONGA, "h8", 2).village(TONGA, "j9")
        play = scene.building().pick(TONGA, "card")
        assert play.kind(TONGA) == "pay_from"
        assert why(play, "f8") == "Type HOME for that."
        assert why(play, "j9").startswith("That costs 2 (card), and Rapa (J9) and its")
        assert why(play, "f7") == "You have no Village at Samoa (F7)."

    def test_required_items_stay_on_the_list(self) -> None:
        play = Scene(3).building().pick(TONGA, "inward,w,r,drop")
        assert why(play, "1").startswith("You've spent the points from Turning Inward. Take")
        assert why(play, "4") == "Your list has 3 items."

    def test_colonies_that_would_not_settle(self) -> None:
        scene = Scene(3).land(h8="tahiti", h9="rapa", g9="midway")
        for spot in ("h8", "h9", "g9"):
            scene.pieces(TONGA, spot, "1c")
        play = scene.building().pick(TONGA, "wait")
        assert why(play, "g9") == "Midway (G9) has no green box for a first Village."
        assert why(play, "f8") == "You have no Colony at Tonga (F8)."


class TestAnyTime:
    def test_tiles(self) -> None:
        scene = Scene(3).hidden("h8", "rapa", TONGA).hidden("h9", "norfolk", SAMOA)
        play = scene.turn()
        assert why(play, "f8", offer="flip_tile") == "Everyone already knows Tonga (F8)."
        assert (
            why(play, "h9", offer="flip_tile")
            == "The tile at H9 is face down, and you haven't seen it."
        )
        assert (
            why(play, "m9", offer="flip_tile")
            == "There's no face-down tile with your marker at M9."
        )

    def test_rumors(self) -> None:
        scene = Scene(3).village(TONGA, "e7").pieces(TONGA, "e7", "1r").pieces(TONGA, "f8", "1r")
        assert why(scene.turn(), "f7", offer="drop_rumor") == "You have no Rumor at Samoa (F7)."
        assert why(scene.turn(), "e7", offer="drop_rumor").endswith(
            "the Rumor is your last piece there. It has to stay."
        )

    def test_cards(self) -> None:
        scene = Scene(3).cards(TONGA, "hui", "tapu").cards(TONGA, "moai", up=True)
        assert why(scene.turn(), "moai", offer="reveal_card") == "Moai is already face up."
        assert why(scene.turn(), "tapu", offer="reveal_card") == "You reveal Tapu only by using it."
        assert why(scene.turn(), "poi", offer="reveal_card") == "You don't have Poi."

    def test_deforestation(self) -> None:
        play = Scene(3).cards(TONGA, "forest").turn()
        assert why(play, "f8", offer="fell_forest").startswith(
            "The Villages at Tonga (F8) are your own"
        )
        assert (
            why(play, "j6", offer="fell_forest")
            == "Nobody else has a Village at Flint Island (J6)."
        )

    def test_victory_needs_the_points(self) -> None:
        scene = Scene(3).village(TONGA, "f8", 22).cards(TONGA, "forest", "tapu")
        assert (
            why(scene.victory(), "declare")
            == "You have 22 of the 25 points you need, counting hidden cards."
        )
        play = Scene(3).village(TONGA, "f8", 26).cards(SAMOA, "hui").victory().do(TONGA, "declare")
        assert why(play, "forest", SAMOA) == "You don't have Severe Deforestation."

    def test_standing_orders(self) -> None:
        assert (
            why(Scene(3).turn(), "thrift", offer="set_loss_order") == "That's already your order."
        )
        assert why(Scene(3).turn(), "me", offer="set_first_order").startswith(
            "Add the direction: ME-CW for clockwise"
        )
        assert why(Scene(2).turn(), "me-cw", offer="set_first_order").endswith(
            "doesn't matter: type ME."
        )
        assert (
            why(Scene(3).turn(), "far", offer="set_loss_order")
            == "That's a choice for a different standing order."
        )


def test_a_group_that_malaria_or_battle_emptied_is_no_home() -> None:
    scene = (
        Scene(3)
        .land(h8="tahiti", g9="rapa")
        .village(TONGA, "h8")
        .village(TONGA, "g9")
        .cards(SAMOA, "forest")
    )
    scene.state = scene.state.with_group(Group("f8", TONGA, 1))
    play = scene.exploring(HIVA).offer(SAMOA, "fell_forest", "f8")
    assert play.kind(TONGA) == "name_home"
    assert why(play, "f8") == "You have no Village at Tonga (F8)."


@pytest.mark.parametrize("key", ["zz", "", "f99", "9x", "k", "f8-", "-on", "0", "Ω"])
def test_an_unknown_option_has_no_refusal(key: str) -> None:
    play = Scene(3).pieces(TONGA, "f8", "2t 2b").whole_turn()
    assert GAME.refusal(play.match.tip(TONGA), play.question(TONGA), key) is None


@pytest.mark.parametrize(
    "key",
    ["0019999", "t-0019999", "f8-00001", "t-0", "f8-" + "9" * 5000, "9" * 5000, "t-", "b-x", "1²"],
)
def test_absurd_numbers_are_not_parsed(key: str) -> None:
    scene = Scene(3).land(h8="tahiti").village(TONGA, "h8", 2)
    for answers in ("t", "r,h8,r,h8,drop", "card"):
        play = scene.building()
        for answer in ("", *answers.split(",")):
            play = play.pick(TONGA, answer) if answer else play
            expected = GAME.refusal(play.match.tip(TONGA), play.question(TONGA), key)
            assert expected is None or expected[0] in ("what_first", "not_on_list", "no_village")


def test_every_reason_has_a_check_and_vice_versa() -> None:
    assert set(TRUTHS) == set(words_of("conquest").text["why"]) - {"not_on_board", "not_a_choice"}


ADVANCED = {
    "start": "variable",
    "homes": "pick",
    "south_island": "on",
    "kumara": "on",
    "last_turn": "6",
}


@pytest.mark.parametrize(
    ("seats", "settings"), [(2, ADVANCED), (3, {"last_turn": "6"}), (4, ADVANCED)]
)
def test_every_refusal_in_random_matches_is_true(seats: int, settings: dict[str, str]) -> None:
    reasons_seen = set()
    for refusal in refusals("conquest", seats, settings, f"true {seats}", every=11):
        assert is_true(refusal), refusal
        reasons_seen.add(refusal.reason)
    assert reasons_seen >= {"no_pieces", "known_hex", "cannot_pay", "order_stands", "no_rumor"}


@pytest.mark.parametrize("seed", range(3))
def test_every_refusal_in_a_war_is_true(seed: int) -> None:
    offered: dict[str, set[str]] = {}
    for number, (match, _, _) in enumerate(play_on(war(2 + seed, seed), Random(seed))):
        for decision in (
            one
            for seat in range(match.seats)
            for one in match.decisions(Seat(seat))
            if one.blocking
        ):
            keys = offered.setdefault(decision.kind, set())
            keys |= {option.key for option in decision.options}
            if number % 5 == 0:
                tip = match.tip(decision.seat)
                illegal_keys = sorted(keys - {option.key for option in decision.options})
                for key in illegal_keys:
                    line = GAME.refusal(tip, decision, key)
                    assert line is not None, (decision.kind, key)
                    assert is_true(Refusal(tip, decision, key, *line)), (decision, key, line)
                hidden = GAME.redeal(match.base, decision.seat, Table(f"other {number}"))
                check_same_refusals(
                    match, redeal_match(match, decision.seat, hidden), decision.seat
                )
                for key in (f"{key}{more}" for key in keys for more in ("-", "-x", "--1")):
                    assert GAME.refusal(tip, decision, key) is None, (decision.kind, key)
