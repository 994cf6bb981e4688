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


def test_reconstructed_rules_are_declared() -> None:
    assert "own design" in WORDS.topics["components"]["text"]


def question(play: object, seat: int) -> str:
    return WORDS.question(play.question(seat), NAMES)  # type: ignore[attr-defined]


def test_the_building_panel_shows_the_remaining_points() -> None:
    play = Scene(3).building().pick(TONGA, "t")
    asked = "What do you build? Build Points left: 1 of 2."
    assert question(play, TONGA) == asked
    scene = Scene(3).land(l7="tuamotu").village(TONGA, "l7", 2)
    asked = "What do you build? Build Points left: 3 of 4. Home and its chain 1, L7 2."
    assert question(scene.building().pick(TONGA, "t,f8"), TONGA) == asked


def test_the_list_so_far_is_shown_to_its_seat() -> None:
    play = Scene(3).building().pick(TONGA, "o")
    event_texts = [
        line for event in play.match.draft(TONGA).events for line in WORDS.event_lines(event, NAMES)
    ]
    assert event_texts == ["On your list: a Transport Canoe, face up at F8."]
    assert WORDS.event_lines(Listed(TONGA, "b", ("f8", "f8")), NAMES) == [
        "On your list: 2 Warrior Bands at F8."
    ]


def test_a_discovery_says_what_can_be_built_on_it() -> None:
    found = [
        ("rapa", "Rapa: 1 green box"),
        ("kiritimati", "Kiritimati: an atoll, no room for Villages"),
    ]
    for tile, discovery in found:
        play = Scene(3).exploring(TONGA).do(TONGA, "g8", draws=["island2"], picks=[tile])
        assert question(play, TONGA) == (
            f"The tile at G8 is {discovery}. You have 2 Knots so far. Do you hide it?"
        )


def test_exploring_says_the_knots() -> None:
    play = Scene(3).exploring(TONGA).do(TONGA, "g8", draws=["ocean2"])
    assert question(play, TONGA) == (
        "Your Explorer is at G8 with 2 Knots. Go on? At 5 it must return; with more it's lost."
    )
    assert WORDS.confirm(play.pick(TONGA, "h9").match.follows(TONGA)) == "draw a marker"


def test_a_voyage_is_worded_well() -> None:
    play = Scene(3).exploring(TONGA).do(TONGA, "g8", draws=["island2"], picks=["rapa"])
    event_texts = [line for event in play.seen(SAMOA) for line in WORDS.event_lines(event, NAMES)]
    assert event_texts == [
        "Ana sent the Explorer to G8.",
        "Ana found an Island Group at G8 (2 Knots).",
    ]
    own = [line for event in play.seen(TONGA) for line in WORDS.event_lines(event, NAMES)]
    assert own[-1] == "Ana drew Rapa for G8."


def event_texts(play: Play, viewer: Seat | None = None) -> list[str]:
    return WORDS.story(play.seen(viewer), NAMES, play.match.view(viewer))


def test_lands_are_named_beside_their_codes() -> None:
    """The picture prints the names of lands, and codes at sea."""
    scene = Scene(3).sea("g8").pieces(TONGA, "f8", "2t 1c").pieces(SAMOA, "f7", "1b")
    play = scene.moving(TONGA, SAMOA).do(TONGA, "f8,g7,1t1c,f8,g8,done")
    assert event_texts(play) == [
        "Ana moved 2 pieces from Tonga (F8) to Niue (G7) and 1 piece from Tonga (F8) to G8."
    ]


def test_a_hidden_land_is_named_to_its_discoverers_alone() -> None:
    play = Scene(3).hidden("g8", "rapa", TONGA).exploring(TONGA).do(TONGA, "g8,return")
    assert "crossed Rapa (G8) for 2 Knots (2 in all)" in event_texts(play, TONGA)[0]
    assert "crossed a face-down tile (G8) for 2 Knots (2 in all)" in event_texts(play)[0]


def test_singular_and_plural_canoes_are_worded_correctly() -> None:
    scene = Scene(3).sea("g8").pieces(TONGA, "f8", "1t").pieces(SAMOA, "f7", "1b")
    assert event_texts(scene.moving(TONGA, SAMOA).do(TONGA, "open,done")) == [
        "Ana turned 1 canoe face up at Tonga (F8)."
    ]
    scene.pieces(TONGA, "g8", "1t")
    assert event_texts(scene.moving(TONGA, SAMOA).do(TONGA, "open,done")) == [
        "Ana turned 2 canoes face up at Tonga (F8) and G8."
    ]


def test_an_open_canoe_that_sails_is_missed() -> None:
    scene = Scene(3).sea("g8").add_open_canoes(TONGA, "f8").pieces(SAMOA, "f7", "1b")
    play = scene.moving(TONGA, SAMOA).do(TONGA, "f8,g8,done")
    assert event_texts(play) == [
        "Ana moved 1 piece from Tonga (F8) to G8, taking the face-up canoe along."
    ]


def test_builds_are_counted_and_nothing_is_repeated() -> None:
    scene = (
        Scene(3)
        .land(l7="tuamotu")
        .village(TONGA, "l7", 2)
        .pieces(TONGA, "g7", "1t 1c")
        .cards(TONGA, "ponds", up=True)
    )
    play = scene.building().do(TONGA, "o,f8+l7,v,done")
    assert event_texts(play) == []
    play.do(SAMOA, "done")
    play.do(HIVA, "done")
    text = "\n".join(event_texts(play))
    assert (
        "Ana built 2 face-up canoes at Tonga (F8) and Tuamotu (L7), and 1 Village at Tonga (F8)."
        in text
    )
    assert "Ana turned 1 Colony into a Village at Niue (G7)." in text


def test_a_list_is_called_sealed_until_all_are_in() -> None:
    play = Scene(3).building().pick(TONGA, "t,done")
    assert WORDS.confirm(play.match.follows(TONGA)) == "secret for now"
    play = Scene(2).building().do(SAMOA, "done").pick(TONGA, "t,done")
    assert WORDS.confirm(play.match.follows(TONGA)) == "reveal all lists"


def test_a_card_explains_itself_to_its_holder() -> None:
    play = Scene(3).cards(TONGA, "poi").exploring(TONGA)
    offer = next(offer for offer in play.match.offers(TONGA) if offer.kind == "reveal_card")
    label = WORDS.option(offer, offer.options[0], play.match.view(TONGA), NAMES)
    assert label == "Poi: 1 point; your Explorer returns at 6 Knots and is lost at 7"
    for card in CARDS:
        assert 0 < len(WORDS.fill("{card:word}: {card:word effect}", NAMES, card=card)) <= 80
        assert WORDS.word(card, "effect") != WORDS.word(card)


def test_the_search_for_kumara_counts_no_knots() -> None:
    scene = Scene(3, kumara="on").sea("s8").land(r8="rapa").village(TONGA, "r8", 1)
    lost = event_texts(scene.exploring(TONGA).do(TONGA, "ks8", 1))
    assert lost[0].endswith(", rolled 1 in the search for Kumara (Lost) and lost the Explorer.")
    scene.cards(TONGA, "poi", up=True)
    returned = event_texts(scene.exploring(TONGA).do(TONGA, "ks8", 1))
    assert returned[0].endswith(", rolled 1+1 in the search for Kumara (Return) and returned home.")


def test_saving_villages_is_worded_well() -> None:
    scene = Scene(3).sea("g8").pieces(TONGA, "f8", "2w 1b")
    play = scene.moving(TONGA).do(TONGA, "f8,e7,all,done", 6, 6, 6)
    decision = play.question(TONGA)
    view = play.match.view(TONGA)
    assert WORDS.question(decision, NAMES, view) == (
        "You took Fiji (E7) with 3 Villages. Do you save any? Each costs you one piece that "
        "didn't panic."
    )
    labels = [WORDS.option(decision, option, view, NAMES) for option in decision.options]
    assert labels == [
        "Save none",
        "Save 1 Village: give 1 Warrior Band",
        "Save 1 Village: give 1 War Canoe",
        "Save 2 Villages: give 1 War Canoe and 1 Warrior Band",
        "Save 2 Villages: give 2 War Canoes",
    ]
    assert "Ana saved no Village at Fiji (E7)." in event_texts(play.do(TONGA, "none"))[0]


def test_leaving_pieces_behind_is_worded_well() -> None:
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
    assert labels == ["Save 1 Warrior Band and no Colony", "Save no Warrior Band and 1 Colony"]


def test_rolls_are_not_repeated_after_a_battle() -> None:
    play = Scene(3).pieces(TONGA, "f8", "2w 1b").moving(TONGA).do(TONGA, "f8,e7,all,done", 6, 6, 6)
    assert "Ana rolled 6, 6 and 6 at Fiji (E7)." in event_texts(play)
    assert not any("rolls so far" in line for line in WORDS.status(play.match.view(None), NAMES))


def test_a_card_on_the_list_has_no_place() -> None:
    play = Scene(3).building().pick(TONGA, "card,drop")
    assert [
        line for event in play.match.draft(TONGA).events for line in WORDS.event_lines(event, NAMES)
    ][-1] == ("Off your list: card.")
    play = Scene(3).building().pick(TONGA, "card,r,drop")
    decision = play.question(TONGA)
    labels = [
        WORDS.option(decision, option, play.match.view(TONGA), NAMES) for option in decision.options
    ]
    assert [label.strip() for label in labels] == ["1: card", "2: Rumor at F8"]


def test_a_fleet_under_way_is_named_by_number_and_place() -> None:
    play = Scene(3).sea("g8", "h8").pieces(TONGA, "f8", "1w").moving(TONGA).pick(TONGA, "f8,g8")
    decision = play.question(TONGA)
    labels = [
        WORDS.option(decision, option, play.match.view(TONGA), NAMES) for option in decision.options
    ]
    assert labels == ["Fleet 1 at G8 (1 move)", "End Movement"]


def test_leaving_nobody_behind_is_not_mentioned() -> None:
    def behind(attack: str, defence: str) -> list[str]:
        scene = Scene(3).sea("g8").pieces(TONGA, "f8", attack).pieces(SAMOA, "g8", defence)
        play = scene.moving(TONGA).pick(TONGA, "f8,g8").finish(TONGA, 6, 6)
        return [line for line in event_texts(play) if "back row" in line]

    assert behind("2w", "1w") == []
    assert behind("2w 1t", "1w") == ["The attacker's back row had 1 Transport Canoe."]
    assert behind("2w", "1w 1t") == ["The defender's back row had 1 Transport Canoe."]
    assert behind("2w 1t", "1w 1t") == [
        "The attacker's back row had 1 Transport Canoe, the defender's 1 Transport Canoe."
    ]
