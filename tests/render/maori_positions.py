"""Positions of Maori that the tests of its pictures share."""

from collections.abc import Iterator
from functools import cache

from engine import GAMES, Answer, Match, Seat, begin
from engine.core import transcript
from engine.maori.view import MaoriView
from render import Scene
from render.sample import NAMES, scene_of
from tests.engine.maori.settler import choice, settled
from tests.transcripts.scenario import HERE

GOLDEN = sorted((HERE / "maori").glob("*.txt"))
Seen = tuple[MaoriView, Scene]


@cache
def match_of(seats: int, board: str = "front", rules: str = "basic") -> tuple[Match, ...]:
    """A whole match in which boards are filled with care, position by position."""
    matches = [begin(GAMES["maori"], seats, {"board": board, "rules": rules}, 3)]
    while matches[-1].outcome is None:
        matches.append(settled(matches[-1]))
    return tuple(matches)


def asked(match: Match, kind: str, *keys: str) -> Match:
    """The match with the draft of the seat in turn drawn up, by these keys first, until it is
    asked that question.
    """
    (seat,) = match.waiting_for()
    while (decision := match.decisions(seat)[0]).kind != kind:
        offered = {option.key for option in decision.options}
        key = next((key for key in keys if key in offered), None) or choice(match, decision)
        match = match.pick(Answer(seat, decision.kind, (key,)))
    return match


def seen(match: Match, viewer: Seat | None) -> MaoriView:
    """The match as a viewer sees it."""
    view = match.view(viewer)
    assert isinstance(view, MaoriView)
    return view


def private(match: Match) -> Seen:
    """What the seat in turn sees."""
    return seen(match, match.waiting_for()[0]), scene_of(match)


def public(match: Match) -> Seen:
    """What everyone sees."""
    return seen(match, None), Scene(NAMES[: match.seats])


def told(text: str) -> Iterator[Seen]:
    """What is seen of a transcript: every position by everyone, and by its seat every question
    of every third turn.
    """
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
