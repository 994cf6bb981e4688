"""Positions of Conquest of Paradise that the tests of its pictures share."""

from functools import cache

from engine import Match, Seat
from engine.conquest.view import ConquestView
from render import Scene
from render.sample import NAMES, played
from tests.engine.conquest.scenes import HIVA
from tests.engine.conquest.scenes import Scene as Position

ADVANCED = {
    "kumara": "on",
    "south_island": "on",
    "malaria": "on",
    "saved": "on",
    "start": "variable",
    "goal": "+3",
}


@cache
def match_of(seats: int, advanced: bool = False, turns: str = "12") -> tuple[Match, ...]:
    """A whole random match, position by position."""
    return tuple(
        played("conquest", seats, 9, {"last_turn": turns, **(ADVANCED if advanced else {})})
    )


def seat_of(match: Match) -> Seat | None:
    """The first seat that owes a decision."""
    waiting = match.waiting_for()
    return waiting[0] if waiting else None


def seen(match: Match, private: bool) -> tuple[ConquestView, Scene]:
    """What is drawn of a position: for everyone, or for the seat to move with its legal hexes
    ringed.
    """
    seat = seat_of(match) if private else None
    names = NAMES[: match.seats]
    if seat is None:
        return match.view(None), Scene(names)
    spots = [option.spot for option in match.question(seat).options if option.spot]
    return match.view(seat), Scene(names, tuple(dict.fromkeys(spots)))


def first_of(kind: str, seats: int = 4, turn: int = 1) -> Match:
    """The first position from a turn on at which a decision of that kind is asked."""
    for match in match_of(seats):
        seat = seat_of(match)
        if seat is not None and match.question(seat).kind == kind and match.view(None).turn >= turn:
            return match
    raise AssertionError(f"nobody was asked {kind}")


def battle_of(seats: int = 4) -> Match:
    """A position of a Battle whose rows are shown."""
    for match in match_of(seats):
        battle = match.view(None).battle
        if battle is not None and battle.shown:
            return match
    raise AssertionError("nobody fought")


def seeking_kumara(*rolls: int) -> tuple[ConquestView, Scene]:
    """Hiva's Explorer on its way over the eastern ocean; with four rolls of 5 or more it has
    come to the coast.
    """
    position = Position(3, kumara="on", malaria="on").sea("m7", "n7", "p8", "q8", "r8", "s8")
    play = position.exploring(HIVA).do(HIVA, "ks8", rolls[0])
    for step, roll in zip(("t8", "u8", "v8"), rolls[1:], strict=False):
        play.do(HIVA, step, roll)
    return seen(play.match, private=True)
