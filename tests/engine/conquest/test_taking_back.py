"""Turns of Conquest that can be taken back, and those that have revealed too much."""

import pytest

from engine import Answer, Event, Match, Seat
from engine.conquest.battle_events import BattleJoined
from engine.conquest.events import Built, CardRevealed
from engine.conquest.sea_events import CanoesOpened, HexAnswered, StayedPut
from engine.core.secrecy import Disclosure, find_disclosure
from tests.engine.conquest.scenes import SAMOA, TONGA, Scene


def turn(match: Match, seat: Seat, *keys: str) -> Match:
    """Return the match after a whole turn of a seat."""
    for key in keys:
        question = match.question(seat)
        assert question is not None
        match = match.pick(Answer(seat, question.kind, (key,)))
    return match.confirm(seat)


def disclosure(before: Match, after: Match) -> Disclosure | None:
    assert after.last is not None
    return find_disclosure(before, after.last)


def last_events(after: Match, kind: type[Event]) -> list[Event]:
    assert after.last is not None
    return [event for event in after.last.events if isinstance(event, kind)]


def looking_at_cards() -> Match:
    """Return a match in which both have cards to show; only Tonga knows of its adze."""
    match = Scene(2).cards(TONGA, "adze").building().match
    for seat in (TONGA, SAMOA):
        match = turn(match, seat, "card", "peek", "done")
    return match


@pytest.mark.parametrize("is_last", [False, True])
def test_once_you_reveal_a_card_it_stays_revealed(is_last: bool) -> None:
    match = looking_at_cards()
    if is_last:
        match = turn(match, SAMOA, "keep")
    shown = turn(match, TONGA, "adze")
    assert last_events(shown, CardRevealed)
    assert disclosure(match, shown) is Disclosure.SHOWN


def test_keeping_a_card_reveals_nothing() -> None:
    match = looking_at_cards()
    assert disclosure(match, turn(match, TONGA, "keep")) is None


@pytest.mark.parametrize(("first", "last"), [(TONGA, SAMOA), (SAMOA, TONGA)])
def test_a_build_list_is_taken_back_until_all_are_shown(first: Seat, last: Seat) -> None:
    """Also where both have built nothing and Tonga, who is asked next, was the last to build."""
    match = Scene(2).building().match
    one = turn(match, first, "done")
    both = turn(one, last, "done")
    assert len(last_events(both, Built)) == 2
    assert both.draws == match.draws
    assert both.waiting_for() == (TONGA,)
    assert disclosure(match, one) is None
    assert disclosure(one, both) is Disclosure.OPENED


@pytest.mark.parametrize(("fleet", "who"), [("1w", ()), ("1w 1b", ("all",))])
def test_pieces_that_were_shown_for_a_battle_stay_shown(fleet: str, who: tuple[str, ...]) -> None:
    """A lone open canoe has no Battle Pieces, so no die is rolled; but everyone sees what has
    come to attack it.
    """
    scene = Scene(3).sea("g8").cards(TONGA, "clubs").pieces(SAMOA, "g8", "1t", is_open=True)
    match = turn(
        scene.pieces(TONGA, "f8", fleet).moving(TONGA).match, TONGA, "f8", "g8", *who, "done"
    )
    fought = turn(match, TONGA, "none")
    assert last_events(fought, BattleJoined) and fought.draws == match.draws
    assert disclosure(match, fought) is Disclosure.OPENED


@pytest.mark.parametrize("pieces", ["1w 2t 2b", "2w 2t 2b", "3w 2t 2b 1r", "4w 3t 4b"])
def test_a_tile_turned_face_up_stays_face_up(pieces: str) -> None:
    """This holds even if a canoe among the many pieces was almost certain."""
    scene = Scene(3).pieces(TONGA, "f8", pieces).pieces(SAMOA, "f7", "1t")
    match = scene.moving(TONGA, SAMOA).match
    opened = turn(match, TONGA, "open", "done", "later")
    assert last_events(opened, CanoesOpened)
    assert disclosure(match, opened) is Disclosure.SHOWN


def test_an_answer_about_a_hex_stays_however_likely_it_was() -> None:
    scene = Scene(3).cards(TONGA, "doublehull", up=True).sea("g8", "h8", "h9", "g9", "j8")
    scene = (
        scene.pieces(SAMOA, "g8", "1t 1b")
        .pieces(SAMOA, "h9", "5w 8t 4b 2r 2c")
        .pieces(TONGA, "f8", "1w")
    )
    first = turn(scene.moving(TONGA).match, TONGA, "f8", "g8-on")
    second = turn(first, TONGA, "fleet1", "h9-on")
    assert last_events(second, HexAnswered)
    assert disclosure(first, second) is Disclosure.LEARNT


def test_a_player_who_stayed_may_take_back_their_turn_and_list() -> None:
    match = (
        Scene(3)
        .pieces(TONGA, "f8", "1w 2t 2b")
        .pieces(SAMOA, "f7", "1t")
        .moving(TONGA, SAMOA)
        .match
    )
    for then in (("later",), ("t", "done")):
        stayed = turn(match, TONGA, "done", *then)
        assert last_events(stayed, StayedPut) and stayed.waiting_for() == (SAMOA,)
        assert disclosure(match, stayed) is None
