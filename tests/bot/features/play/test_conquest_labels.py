"""Every button of Conquest of Paradise is short enough to be read whole on a phone."""

from collections.abc import Callable, Iterator
from itertools import islice
from random import Random

import pytest

from bot.features.play import panel as build
from bot.features.play.panel import OFFER, PAGE, Control
from bot.ui.parts import Button
from engine import Answer, Match, Seat, begin
from engine.conquest import GAME
from engine.conquest.board import CARDS
from engine.core.words import words_of
from engine.players.simple import choose_keys
from tests.bot.features.play.driver import controls
from tests.bot.tables import room_of
from tests.contract.player import play
from tests.engine.conquest.rare import RARE
from tests.engine.conquest.scenes import TONGA, Scene
from tests.engine.conquest.wars import ADVANCED, war

MAX_CHARACTERS = 38
"""What Discord advises for a label without an emoji: phones cut longer ones."""
NAMES = ("Ana", "Bea", "Cem", "Dov")
ACTS = 120
"""Acts of a random war that are looked at: some turns of all seats."""
SETTINGS = {**ADVANCED, "homes": "pick", "start": "variable"}


def positions_of_computers(seats: int) -> Iterator[Match]:
    """Yield a match of plain computers, answer by answer."""
    match = begin(GAME, seats, SETTINGS, f"labels {seats}")
    yield match
    while match.outcome is None:
        seat = match.waiting_for()[0]
        while decision := match.question(seat):
            match = match.pick(Answer(seat, decision.kind, choose_keys(match, decision)))
            yield match
        match = match.confirm(seat)
        yield match


def positions_at_random(begun: Match, seed: int) -> Iterator[Match]:
    """Yield positions of random play that begins here."""
    yield begun
    for _, _, after in islice(play(begun, Random(seed)), ACTS):
        yield after


def buttons(match: Match) -> Iterator[tuple[Control, Button]]:
    """Yield the buttons of the panels of all who are asked, page by page."""
    room = room_of(match, NAMES[: match.seats])
    for seat in match.waiting_for():
        pages = [""]
        for page in pages:
            for control, part in controls(build.build_panel(room, seat, page).parts):
                if isinstance(part, Button):
                    yield control, part
                if control.action == PAGE and control.page not in pages:
                    pages.append(control.page)


def offer_buttons(match: Match, seat: Seat) -> Iterator[tuple[Control, Button]]:
    """Yield the buttons behind More…, and those of each offer."""
    room = room_of(match, NAMES[: match.seats])
    for listed, part in controls(build.build_offers(room, seat).parts):
        assert isinstance(part, Button)
        yield listed, part
        if listed.action == OFFER and listed.kind:
            rows = build.build_offers(room, seat, listed.kind).parts
            yield from ((one, each) for one, each in controls(rows) if isinstance(each, Button))


def too_long(found: Iterator[tuple[Control, Button]]) -> list[str]:
    """Return the labels that are too long, each with the question that it belongs to."""
    return [
        f"{control.kind}: {part.label} ({len(part.label)})"
        for control, part in found
        if len(part.label) > MAX_CHARACTERS
    ]


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_labels_fit_in_a_match_of_computers(seats: int) -> None:
    for match in positions_of_computers(seats):
        assert not too_long(buttons(match))


@pytest.mark.parametrize("seed", range(6))
def test_labels_fit_in_a_war(seed: int) -> None:
    for match in positions_at_random(war(2 + seed % 3, seed), seed):
        assert not too_long(buttons(match))


@pytest.mark.parametrize("pose", RARE)
def test_labels_of_rare_questions_fit(pose: Callable[[int, int], Match]) -> None:
    for seed in range(4):
        for match in positions_at_random(pose(2 + seed % 3, seed), seed):
            assert not too_long(buttons(match))


@pytest.mark.parametrize("seed", range(3))
def test_labels_of_offers_fit(seed: int) -> None:
    for match in islice(positions_at_random(war(2 + seed, seed), seed), 0, ACTS, 10):
        for seat in range(match.seats):
            assert not too_long(offer_buttons(match, Seat(seat)))


def test_labels_of_standing_orders_fit_whatever_the_order_is() -> None:
    match = war(4, 1)
    for offer in match.offers(Seat(0)):
        for option in offer.options if offer.secret else ():
            ordered = match.pick(Answer(Seat(0), offer.kind, (option.key,)))
            assert not too_long(offer_buttons(ordered, Seat(0)))


def test_every_card_fits_on_a_button() -> None:
    words = words_of("conquest")
    shown = [words.fill("{card:word}: {card:word brief}", card=card) for card in CARDS]
    assert [label for label in shown if len(label) > MAX_CHARACTERS] == []


@pytest.mark.parametrize(
    ("pieces", "label"),
    [
        ("2t 2b", "1 Transport Canoe and 1 Warrior Band"),
        ("2w 2t 2c 1b", "War Canoe, Transport, Colony, Band"),
        ("3w 2t 2c", "2 War Canoes, Transport, Colony"),
        ("3t 1r 1c 2b", "All but 1 Transport and 1 Band"),
    ],
)
def test_a_button_names_many_kinds_of_pieces_in_short(pieces: str, label: str) -> None:
    scene = Scene(3).sea("g8", "g9").pieces(TONGA, "g8", pieces)
    match = scene.moving(TONGA).pick(TONGA, "g8,g9").match
    shown = list(buttons(match))
    assert label in [part.label for _, part in shown]
    assert not too_long(iter(shown))
