"""Positions that random matches do not reach, to train the palette on and to look at.

Plain computer players fill the map; one position has an Explorer off South America.
"""

from collections.abc import Iterator

from msgspec.structs import replace

from engine import GAMES, Event, Match, Seat, begin, visible
from engine.conquest.board import AMERICA, CHART
from engine.conquest.view import ConquestView, VoyageView
from engine.core.game import View
from engine.players.simple import stand_in
from render import Scene
from render.sample import play_randomly, scene_of

ADVANCED = {
    "start": "variable",
    "saved": "on",
    "malaria": "on",
    "south_island": "on",
    "kumara": "on",
}
"""Settings with every advanced rule."""
PROGRESS = (0.35, 0.6, 0.8, 0.95)
"""How far into a match its positions lie, as shares of its commits."""
MARKED_COMMITS = 8
"""The latest commits whose events are marked: enough for marks of every age."""
USUAL_KNOT_LIMIT = 4


def posed() -> Iterator[tuple[View, Scene]]:
    """Yield late positions, public and private, and one of the search for Kumara."""
    for seats in GAMES["conquest"].seats:
        matches = play_plainly(seats)
        for place, progress in enumerate(PROGRESS):
            match = matches[int(progress * len(matches))]
            waiting = match.waiting_for()
            # Every other picture is the private one of the seat to move.
            viewer = waiting[0] if place % 2 == 0 and waiting else None
            scene = scene_of(match, viewer is not None)
            yield match.view(viewer), replace(scene, events=_recent_events(match, viewer))
        yield _off_south_america(matches[len(matches) // 2])
    # Random players scatter their pieces, as plain ones never do.
    random_matches = list(play_randomly("conquest", 4, seed=7))
    for progress in PROGRESS:
        match = random_matches[int(progress * len(random_matches))]
        scene = scene_of(random_matches[-1], False)
        yield match.view(None), replace(scene, events=_recent_events(match, None))


def _recent_events(match: Match, viewer: Seat | None) -> tuple[Event, ...]:
    """Return the events of the latest commits that a viewer may see."""
    events: list[Event] = []
    for commit in match.commits[-MARKED_COMMITS:]:
        events += commit.events
    return visible(events, viewer)


def play_plainly(seats: int) -> list[Match]:
    """Return all positions of a match of plain computer players with every advanced rule."""
    matches = [begin(GAMES["conquest"], seats, ADVANCED, f"plain {seats}")]
    while waiting := matches[-1].waiting_for():
        matches.append(stand_in(matches[-1], waiting[0]))
    return matches


def _off_south_america(match: Match) -> tuple[View, Scene]:
    """Return a position with an Explorer about to land in South America."""
    view = match.view(None)
    assert isinstance(view, ConquestView)
    landing = CHART.coast[2]
    voyage = VoyageView(Seat(0), landing, knots=0, limit=USUAL_KNOT_LIMIT, markers=(), kumara=True)
    scene = replace(scene_of(match, False), rings=(AMERICA,))
    return replace(view, voyage=voyage, last=(landing,)), scene
