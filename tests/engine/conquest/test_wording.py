"""Conquest of Paradise in words: rules help, cards, and what the panel says."""

from engine.conquest.board import CARDS, PRINTED, TILES
from engine.core.words import words_of
from tests.engine.conquest.scenes import SAMOA, TONGA, Scene

WORDS = words_of("conquest")
NAMES = ("Ana", "Bea", "Cem")


def test_every_card_is_explained() -> None:
    pages = WORDS.topics["cards"]["text"] + WORDS.topics["battlecards"]["text"]
    assert [card.name for card in CARDS.values() if card.name.partition(" ")[0] not in pages] == []


def test_every_card_and_island_has_its_name() -> None:
    for key, card in CARDS.items():
        assert WORDS.word(key) == card.name
    for land in (*TILES.values(), *PRINTED.values()):
        assert WORDS.word(land.key) == land.name


def test_what_is_reconstructed_is_said_openly() -> None:
    assert "own design" in WORDS.topics["components"]["text"]


def question(play: object, seat: int) -> str:
    return WORDS.question(play.question(seat), NAMES)  # type: ignore[attr-defined]


def test_the_building_panel_says_what_is_left() -> None:
    play = Scene(3).building().pick(TONGA, "t")
    assert question(play, TONGA) == (
        "Build what? 1 of 2 Build Points spent; left: 1 at Home and its chain, 0 elsewhere. The deck has 27 cards."
    )


def test_the_list_so_far_is_told_to_its_seat() -> None:
    play = Scene(3).building().pick(TONGA, "o")
    told = [line for event in play.match.draft(TONGA).events for line in WORDS.tell(event, NAMES)]
    assert told == ["open Transport Canoe: F8"]


def test_exploring_says_the_knots() -> None:
    play = Scene(3).exploring(TONGA).do(TONGA, "g8", draws=["ocean2"])
    assert question(play, TONGA) == ("2 Knots at G8. Go on? At 5 the Explorer must return, with more it is lost.")
    assert WORDS.confirm(play.pick(TONGA, "h9").match.follows(TONGA)) == "draws a marker, no undo"


def test_a_voyage_reads_well() -> None:
    play = Scene(3).exploring(TONGA).do(TONGA, "g8", draws=["island2"], picks=["rapa"])
    told = [line for event in play.seen(SAMOA) for line in WORDS.tell(event, NAMES)]
    assert told == ["Ana's Explorer sets out for G8.", "G8: an Island Group, 2 Knots, 2 in all."]
    own = [line for event in play.seen(TONGA) for line in WORDS.tell(event, NAMES)]
    assert own[-1] == "Ana finds Rapa at G8."
