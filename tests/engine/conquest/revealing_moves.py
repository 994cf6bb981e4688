"""Moves that could give hidden pieces away.

The contract tests play them in lookalike matches too, where they must look the same to others. Add
a move whenever one is found that reveals something.
"""

from engine import Match
from tests.engine.conquest.scenes import SAMOA, TONGA, Scene


def revealing_moves(seats: int) -> list[tuple[Match, Match]]:
    """Return each move as the match before and after it."""
    moves = (*_ways(seats), *_left_behind(seats), *_picked_up(seats), *_opened(seats))
    return [_play_move(scene, answers) for scene, answers in moves]


def _play_move(scene: Scene, answers: str) -> tuple[Match, Match]:
    """Return the match before and after Tonga's Movement with these answers."""
    play = scene.moving(TONGA)
    before = play.match
    for word in answers.split(","):
        # Who goes is asked only where there is a choice.
        if play.kind(TONGA).startswith("pick_") or not (word == "all" or word[0].isdigit()):
            play.pick(TONGA, word)
    after = play.match
    while (question := after.question(TONGA)) is not None:
        ending = question.ending()
        assert ending is not None
        play.pick(TONGA, ending.key)
        after = play.match
    return before, after.confirm(TONGA)


def _straits(seats: int) -> Scene:
    return Scene(seats).sea("f9", "f10", "g8", "g9", "g10", "h9", "h10", "j8").land(h8="rapa")


def _ways(seats: int) -> list[tuple[Scene, str]]:
    """Return scenes with two ways of the same length, one of them past a lone open canoe."""
    past = _straits(seats).pieces(SAMOA, "g9", "1t", is_open=True)
    alone = _straits(seats).pieces(SAMOA, "g9", "1t", is_open=True)
    return [
        (past.pieces(TONGA, "f9", "1w"), "f9,g10"),
        (alone.pieces(TONGA, "f9", "1w").pieces(TONGA, "f8", "1w"), "f9,g10,f8,g9"),
    ]


def _left_behind(seats: int) -> list[tuple[Scene, str]]:
    """Return scenes in which a fleet leaves pieces on land, and a second one chooses its way."""
    found = []
    for load in ("1w 1t", "1w 1b", "1w 1r", "1w 1t 1b", "1w 1t 1c"):
        scene = (
            _straits(seats)
            .pieces(SAMOA, "h9", "2t")
            .pieces(TONGA, "g8", load)
            .pieces(TONGA, "h10", "1w")
        )
        found.append((scene, "g8,h8,all,fleet1,j8,1w,h10,h9-on"))
    return found


def _picked_up(seats: int) -> list[tuple[Scene, str]]:
    """Return scenes in which a fleet takes cargo from a canoe, and a second one chooses its way."""
    found = []
    for waiting in ("1t 1b", "1t 1c", "1w 1b", "2t 1b"):
        scene = (
            _straits(seats)
            .pieces(SAMOA, "h9", "2t")
            .pieces(TONGA, "f9", "1t")
            .pieces(TONGA, "g9", waiting)
        )
        found.append((scene.pieces(TONGA, "h10", "1w"), "f9,g9,fleet1,g8,all,h10,h9-on"))
    return found


def _opened(seats: int) -> list[tuple[Scene, str]]:
    """Return scenes in which a canoe is opened beside two fleets, and one then chooses its way."""
    found = []
    for one, other in (("1t", "1w"), ("1w", "1t"), ("1r", "1t")):
        scene = _straits(seats).pieces(SAMOA, "h9", "2t")
        scene.pieces(TONGA, "f9", one).pieces(TONGA, "g9", other).pieces(TONGA, "h10", "1w")
        found.append((scene, "f9,g8,g9,g8,open,h10,h9-on"))
    return found
