"""Positions of Conquest of Paradise shared by the tests of its pictures."""

from functools import cache

from engine import Match, Seat
from engine.conquest.view import ConquestView
from render import Scene
from render.sample import NAMES, play_randomly
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
    """Return a random match, position by position."""
    return tuple(
        play_randomly("conquest", seats, 9, {"last_turn": turns, **(ADVANCED if advanced else {})})
    )


def seat_of(match: Match) -> Seat | None:
    """Return the first seat that the match is waiting for."""
    waiting = match.waiting_for()
    return waiting[0] if waiting else None


def scene_for(match: Match, private: bool) -> tuple[ConquestView, Scene]:
    """Return the public scene, or the private one of the seat to move with its legal hexes."""
    seat = seat_of(match) if private else None
    names = NAMES[: match.seats]
    if seat is None:
        return match.view(None), Scene(names)
    spots = [option.spot for option in match.question(seat).options if option.spot]
    return match.view(seat), Scene(names, tuple(dict.fromkeys(spots)))


def first_of(kind: str, seats: int = 4, turn: int = 1) -> Match:
    """Return the first position from a turn on at which this kind of decision is asked."""
    for match in match_of(seats):
        seat = seat_of(match)
        if seat is not None and match.question(seat).kind == kind and match.view(None).turn >= turn:
            return match
    raise AssertionError(f"nobody was asked {kind}")


def battle_of(seats: int = 4) -> Match:
    """Return a position of a Battle whose rows are shown."""
    for match in match_of(seats):
        battle = match.view(None).battle
        if battle is not None and battle.shown:
            return match
    raise AssertionError("nobody fought")


def seeking_kumara(*rolls: int) -> tuple[ConquestView, Scene]:
    """Return a match in which Hiva's Explorer sails east; four rolls of 5 reach the coast."""
    position = Position(3, kumara="on", malaria="on").sea("m7", "n7", "p8", "q8", "r8", "s8")
    play = position.exploring(HIVA).do(HIVA, "ks8", rolls[0])
    for step, roll in zip(("t8", "u8", "v8"), rolls[1:], strict=False):
        play.do(HIVA, step, roll)
    return scene_for(play.match, private=True)
