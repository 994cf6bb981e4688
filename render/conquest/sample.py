"""Positions that random matches do not show: full maps of plain players, and an Explorer off
South America.
"""

from collections.abc import Iterator

from msgspec.structs import replace

from engine import GAMES, Event, Match, Seat, begin, visible
from engine.conquest.board import AMERICA, CHART
from engine.conquest.view import ConquestView, VoyageView
from engine.core.game import View
from engine.players.simple import stand_in
from render import Scene
from render.sample import played, scene_of

ADVANCED = {
    "start": "variable",
    "saved": "on",
    "malaria": "on",
    "south_island": "on",
    "kumara": "on",
}
SHARES = (0.35, 0.6, 0.8, 0.95)
"""How far matches have come."""
LAST_COMMITS = 8


def posed() -> Iterator[tuple[View, Scene]]:
    """Public and private pictures of late positions, and one of the search for Kumara."""
    for seats in GAMES["conquest"].seats:
        matches = plain(seats)
        for place, share in enumerate(SHARES):
            match = matches[int(share * len(matches))]
            waiting = match.waiting_for()
            # Every other one is the private picture of the seat to move.
            viewer = waiting[0] if place % 2 == 0 and waiting else None
            yield (
                match.view(viewer),
                replace(scene_of(match, viewer is not None), events=_told(match, viewer)),
            )
        yield _seeking(matches[len(matches) // 2])
    # Random players scatter their pieces: maps that plain ones never make.
    wild = list(played("conquest", 4, seed=7))
    for share in SHARES:
        match = wild[int(share * len(wild))]
        yield match.view(None), replace(scene_of(wild[-1], False), events=_told(match, None))


def _told(match: Match, viewer: Seat | None) -> tuple[Event, ...]:
    """What a viewer was told of the last commits: marks of every age."""
    return visible(
        [event for commit in match.commits[-LAST_COMMITS:] for event in commit.events], viewer
    )


def plain(seats: int) -> list[Match]:
    """A match of plain players with every advanced rule, position by position."""
    matches = [begin(GAMES["conquest"], seats, ADVANCED, f"plain {seats}")]
    while waiting := matches[-1].waiting_for():
        matches.append(stand_in(matches[-1], waiting[0]))
    return matches


def _seeking(match: Match) -> tuple[View, Scene]:
    """The same table with an Explorer about to land in South America."""
    view = match.view(None)
    assert isinstance(view, ConquestView)
    landing = CHART.coast[2]
    voyage = VoyageView(Seat(0), landing, knots=0, limit=4, markers=(), kumara=True)
    scene = replace(scene_of(match, False), rings=(AMERICA,))
    return replace(view, voyage=voyage, last=(landing,)), scene
