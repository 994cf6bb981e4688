"""Positions of Polynesia shared by the tests of its pictures, from golden transcripts."""

from functools import cache

from engine import Answer, Match, begin
from engine.core import transcript
from engine.polynesia.view import PolynesiaView
from render import Scene
from render.sample import NAMES
from tests.transcripts.scenario import HERE

GOLDEN = tuple(sorted(path.stem for path in (HERE / "polynesia").glob("*.txt")))
BY_SEATS = {2: "two-seats", 3: "three-seats", 4: "four-seats"}


@cache
def golden(name: str) -> tuple[Match, ...]:
    """Return a golden match, position by position."""
    over = transcript.replay((HERE / "polynesia" / f"{name}.txt").read_text(encoding="utf-8"))
    found = [begin(over.game, over.seats, dict(over.settings), over.seed)]
    for commit in over.commits:
        found.append(found[-1].replay(commit))
    return tuple(found)


def match_of(seats: int) -> tuple[Match, ...]:
    """Return a whole match with this number of seats."""
    return golden(BY_SEATS[seats])


def public(match: Match) -> tuple[PolynesiaView, Scene]:
    """Return what everyone sees."""
    return match.view(None), Scene(NAMES[: match.seats])


def private(match: Match, action: str) -> tuple[PolynesiaView, Scene]:
    """Return what the seat to move sees once it has chosen an action."""
    seat = match.waiting_for()[0]
    drafted = match.pick(Answer(seat, "take_action", (action,)))
    spots = (option.spot for decision in drafted.decisions(seat) for option in decision.options)
    return drafted.view(seat), Scene(
        NAMES[: match.seats], tuple(dict.fromkeys(spot for spot in spots if spot))
    )


def actions(match: Match) -> list[str]:
    """Return the actions of the seat to move that lead to a question about a spot."""
    if not match.waiting_for():
        return []
    (decision,) = match.decisions(match.waiting_for()[0])
    keys = [option.key for option in decision.options]
    return [key for key in keys if key in ("explore", "travel", "populate")]
