"""Conquest of Paradise in words: rules help, cards, and what the panel says."""

from engine.conquest.board import CARDS, PRINTED, TILES
from engine.conquest.events import Listed
from engine.core.decision import Seat
from engine.core.words import words_of
from tests.engine.conquest.scenes import HIVA, SAMOA, TONGA, Play, Scene

WORDS = words_of("conquest")
NAMES = ("Ana", "Bea", "Cem")


def test_every_card_is_explained() -> None:
    pages = WORDS.topics["cards"]["text"] + WORDS.topics["battlecards"]["text"]
    assert [card for card in CARDS if WORDS.word(card).partition(" ")[0] not in pages] == []


def test_every_card_and_island_has_its_name() -> None:
    keys = [*CARDS, *TILES, *(land.key for land in PRINTED.values())]
    assert [key for key in keys if key not in WORDS.text["word"]] == []
    names = [WORDS.word(key) for key in {*keys}]
    assert len(names) == len({*names})


def test_what_is_reconstructed_is_said_openly() -> None:
    assert "own design" in WORDS.topics["components"]["text"]


def question(play: object, seat: int) -> str:
    return WORDS.question(play.question(seat), NAMES)  # type: ignore[attr-defined]


def test_the_building_panel_says_what_is_left() -> None:
    play = Scene(3).building().pick(TONGA, "t")
    assert question(play, TONGA) == (
        "Build what? 1 of 2 Build Points spent; left: 1 at Home and its chain. The deck has 27 cards."
    )


def test_the_list_so_far_is_told_to_its_seat() -> None:
    play = Scene(3).building().pick(TONGA, "o")
    told = [line for event in play.match.draft(TONGA).events for line in WORDS.tell(event, NAMES)]
    assert told == ["On the list: open Transport Canoe F8."]
    assert WORDS.tell(Listed(TONGA, "b", ("f8", "f8")), NAMES) == [
        "On the list: 2 Warrior Bands F8."
    ]


def test_a_discovery_says_what_can_be_built_on_it() -> None:
    found = [
        ("rapa", "Rapa at G8, 1 green box"),
        ("kiritimati", "Kiritimati at G8, an atoll without room for a Village"),
    ]
    for tile, said in found:
        play = Scene(3).exploring(TONGA).do(TONGA, "g8", draws=["island2"], picks=[tile])
        assert question(play, TONGA) == f"You found {said} (2 Knots so far). Keep it hidden?"


def test_exploring_says_the_knots() -> None:
    play = Scene(3).exploring(TONGA).do(TONGA, "g8", draws=["ocean2"])
    assert question(play, TONGA) == (
        "2 Knots at G8. Go on? At 5 the Explorer must return, with more it is lost."
    )
    assert WORDS.confirm(play.pick(TONGA, "h9").match.follows(TONGA)) == "draws a marker (final)"


def test_a_voyage_reads_well() -> None:
    play = Scene(3).exploring(TONGA).do(TONGA, "g8", draws=["island2"], picks=["rapa"])
    told = [line for event in play.seen(SAMOA) for line in WORDS.tell(event, NAMES)]
    assert told == ["Ana's Explorer sets out for G8.", "G8: an Island Group, 2 Knots, 2 in all."]
    own = [line for event in play.seen(TONGA) for line in WORDS.tell(event, NAMES)]
    assert own[-1] == "Ana finds Rapa at G8."


def told(play: Play, viewer: Seat | None = None) -> list[str]:
    return WORDS.story(play.seen(viewer), NAMES, play.match.view(viewer))


def test_lands_are_named_beside_their_codes() -> None:
    """The picture prints the names of lands, and codes at sea."""
    scene = Scene(3).sea("g8").pieces(TONGA, "f8", "2t 1c").pieces(SAMOA, "f7", "1b")
    play = scene.moving(TONGA, SAMOA).do(TONGA, "f8,g7,1t1c,f8,g8,done")
    assert told(play) == ["Ana: Tonga (F8) to Niue (G7), 2 pieces. Tonga (F8) to G8, 1 piece."]


def test_a_hidden_land_is_named_to_its_discoverers_alone() -> None:
    play = Scene(3).hidden("g8", "rapa", TONGA).exploring(TONGA).do(TONGA, "g8,return")
    assert "Ana enters Rapa (G8): 2 Knots, 2 in all." in told(play, TONGA)
    assert "Ana enters a face-down tile (G8): 2 Knots, 2 in all." in told(play)


def test_one_canoe_is_not_called_canoes_and_whoever_opens_one_did_something() -> None:
    scene = Scene(3).sea("g8").pieces(TONGA, "f8", "1t").pieces(SAMOA, "f7", "1b")
    assert told(scene.moving(TONGA, SAMOA).do(TONGA, "open,done")) == [
        "Ana opens 1 canoe at Tonga (F8)."
    ]
    scene.pieces(TONGA, "g8", "1t")
    assert told(scene.moving(TONGA, SAMOA).do(TONGA, "open,done")) == [
        "Ana opens 2 canoes at Tonga (F8) and G8."
    ]


def test_an_open_canoe_that_sails_is_missed() -> None:
    scene = Scene(3).sea("g8").chain(TONGA, "f8").pieces(SAMOA, "f7", "1b")
    play = scene.moving(TONGA, SAMOA).do(TONGA, "f8,g8,done")
    assert told(play) == ["Ana: Tonga (F8) to G8, 1 piece, leaving no open canoe behind."]


def test_builds_are_counted_and_nobody_is_told_twice_who_is_in() -> None:
    scene = (
        Scene(3)
        .land(l7="tuamotu")
        .village(TONGA, "l7", 2)
        .pieces(TONGA, "g7", "1t 1c")
        .cards(TONGA, "ponds", up=True)
    )
    play = scene.building().do(TONGA, "o,f8+l7,v,done")
    assert told(play) == []
    play.do(SAMOA, "done")
    play.do(HIVA, "done")
    text = "\n".join(told(play))
    assert "Ana: 2 open canoes at Tonga (F8) and Tuamotu (L7). 1 Village at Tonga (F8)." in text
    assert "1 Colony becomes a Village at Niue (G7)" in text


def test_a_list_is_said_to_be_sealed_until_all_are_in() -> None:
    play = Scene(3).building().pick(TONGA, "t,done")
    assert WORDS.confirm(play.match.follows(TONGA)) == "your list is sealed until all are in"
    play = Scene(2).building().do(SAMOA, "done").pick(TONGA, "t,done")
    assert WORDS.confirm(play.match.follows(TONGA)) == "all lists are shown"


def test_a_card_says_what_it_does_to_whoever_holds_it() -> None:
    play = Scene(3).cards(TONGA, "poi").exploring(TONGA)
    offer = next(offer for offer in play.match.offers(TONGA) if offer.kind == "reveal_card")
    label = WORDS.option(offer, offer.options[0], play.match.view(TONGA), NAMES)
    assert label == "Poi: 1 point, return at 6 Knots, lost at 7"
    for card in CARDS:
        assert 0 < len(WORDS.fill("{card:word}: {card:word effect}", NAMES, card=card)) <= 80
        assert WORDS.word(card, "effect") != WORDS.word(card)


def test_the_search_for_kumara_counts_no_knots() -> None:
    scene = Scene(3, kumara="on").sea("s8").land(r8="rapa").village(TONGA, "r8", 1)
    assert told(scene.exploring(TONGA).do(TONGA, "ks8", 1))[1:3] == [
        "Ana rolls 1: the Explorer is lost.",
        "Ana's Explorer goes to the Lost Box.",
    ]
    scene.cards(TONGA, "poi", up=True)
    assert told(scene.exploring(TONGA).do(TONGA, "ks8", 1))[1:3] == [
        "Ana rolls 1+1: it must return.",
        "Ana's Explorer is home.",
    ]


def test_saving_villages_reads_well() -> None:
    scene = Scene(3).sea("g8").pieces(TONGA, "f8", "2w 1b")
    play = scene.moving(TONGA).do(TONGA, "f8,e7,all,done", 6, 6, 6)
    decision = play.question(TONGA)
    view = play.match.view(TONGA)
    assert WORDS.question(decision, NAMES, view) == (
        "Fiji (E7) is yours, with 3 Villages. Save any? Each costs a piece that did not panic."
    )
    labels = [WORDS.option(decision, option, view, NAMES) for option in decision.options]
    assert labels == [
        "save none",
        "save 1: 1 Warrior Band",
        "save 1: 1 War Canoe",
        "save 2: 1 War Canoe and 1 Warrior Band",
        "save 2: 2 War Canoes",
    ]
    assert "Ana saves no Village at Fiji (E7)." in told(play.do(TONGA, "none"))[0]


def test_what_is_left_behind_reads_well() -> None:
    scene = (
        Scene(3)
        .pieces(TONGA, "f8", "2w 2b")
        .pieces(SAMOA, "g7", "1t 1b 1c")
        .village(SAMOA, "f7", 2)
    )
    play = scene.moving(TONGA).do(TONGA, "f8,g7,all,done", 4)
    decision = play.question(SAMOA)
    labels = [
        WORDS.option(decision, option, play.match.view(SAMOA), NAMES) for option in decision.options
    ]
    assert labels == ["1 Warrior Band and no Colony", "no Warrior Band and 1 Colony"]


def test_the_rolls_are_not_told_twice_once_a_battle_is_won() -> None:
    play = Scene(3).pieces(TONGA, "f8", "2w 1b").moving(TONGA).do(TONGA, "f8,e7,all,done", 6, 6, 6)
    assert "Rolls at E7: 6 6 6." in told(play)
    assert not any("rolls so far" in line for line in WORDS.status(play.match.view(None), NAMES))


def test_a_card_on_the_list_has_no_place() -> None:
    play = Scene(3).building().pick(TONGA, "card,drop")
    assert [line for event in play.match.draft(TONGA).events for line in WORDS.tell(event, NAMES)][
        -1
    ] == ("Off the list: card.")
    play = Scene(3).building().pick(TONGA, "card,r,drop")
    decision = play.question(TONGA)
    labels = [
        WORDS.option(decision, option, play.match.view(TONGA), NAMES) for option in decision.options
    ]
    assert [label.strip() for label in labels] == ["1: card", "2: Rumor F8"]


def test_a_fleet_under_way_is_called_by_its_number_and_place() -> None:
    play = Scene(3).sea("g8", "h8").pieces(TONGA, "f8", "1w").moving(TONGA).pick(TONGA, "f8,g8")
    decision = play.question(TONGA)
    labels = [
        WORDS.option(decision, option, play.match.view(TONGA), NAMES) for option in decision.options
    ]
    assert labels == ["Fleet 1 at G8, 1 move", "end Movement"]


def test_nobody_behind_is_not_told() -> None:
    def behind(attack: str, defence: str) -> list[str]:
        scene = Scene(3).sea("g8").pieces(TONGA, "f8", attack).pieces(SAMOA, "g8", defence)
        play = scene.moving(TONGA).pick(TONGA, "f8,g8").finish(TONGA, 6, 6)
        return [line for line in told(play) if line.startswith("Behind")]

    assert behind("2w", "1w") == []
    assert behind("2w 1t", "1w") == ["Behind the attacker: 1 Transport Canoe."]
    assert behind("2w", "1w 1t") == ["Behind the defender: 1 Transport Canoe."]
    assert behind("2w 1t", "1w 1t") == [
        "Behind the attacker: 1 Transport Canoe; behind the defender: 1 Transport Canoe."
    ]
