"""Positions of Maori shared by the tests of its pictures."""

from collections.abc import Iterator
from functools import cache

from engine import GAMES, Answer, Match, Seat, begin
from engine.core import transcript
from engine.maori.view import MaoriView
from render import Scene
from render.sample import NAMES, scene_of
from tests.engine.maori.settler import choice, play_turn
from tests.transcripts.scenario import HERE

GOLDEN = sorted((HERE / "maori").glob("*.txt"))
Seen = tuple[MaoriView, Scene]


@cache
def match_of(seats: int, board: str = "front", rules: str = "basic") -> tuple[Match, ...]:
    """Return a match in which boards are filled carefully, position by position."""
    matches = [begin(GAMES["maori"], seats, {"board": board, "rules": rules}, 3)]
    while matches[-1].outcome is None:
        matches.append(play_turn(matches[-1]))
    return tuple(matches)


def draft_until(match: Match, kind: str, *keys: str) -> Match:
    """Draft for the seat to move, with these keys first, until it is asked this question."""
    (seat,) = match.waiting_for()
    while (decision := match.decisions(seat)[0]).kind != kind:
        offered = {option.key for option in decision.options}
        key = next((key for key in keys if key in offered), None) or choice(match, decision)
        match = match.pick(Answer(seat, decision.kind, (key,)))
    return match


def scene_for(match: Match, viewer: Seat | None) -> MaoriView:
    """Return the view and scene of a viewer."""
    view = match.view(viewer)
    assert isinstance(view, MaoriView)
    return view


def private(match: Match) -> Seen:
    """Return what the seat to move sees."""
    return scene_for(match, match.waiting_for()[0]), scene_of(match)


def public(match: Match) -> Seen:
    """Return what everyone sees."""
    return scene_for(match, None), Scene(NAMES[: match.seats])


def golden_scenes(text: str) -> Iterator[Seen]:
    """Yield the public positions of a transcript, and private ones of every third turn."""
    whole = transcript.replay(text)
    match = begin(whole.game, whole.seats, dict(whole.settings), whole.seed, whole.computers)
    for number, commit in enumerate(whole.commits):
        yield public(match)
        if number % 3 == 0:
            yield from _drafted(match, commit.answers)
        match = match.replay(commit)
    yield public(match)


def _drafted(match: Match, answers: tuple[Answer, ...]) -> Iterator[Seen]:
    for answer in answers:
        if match.decisions(answer.seat) and match.decisions(answer.seat)[0].kind == answer.kind:
            yield private(match)
            match = match.pick(answer)
