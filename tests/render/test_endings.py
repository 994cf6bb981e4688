"""The end of a match is a picture to keep, and a film ends on board and sheet together."""

from importlib import import_module

import pytest
from msgspec.structs import replace

from engine import GAMES, visible
from render import Scene, draw, renderer
from render.canvas import record_placements
from render.chrome import Stage, title_strip
from render.film import Moment, draw_ending, draw_frame, find_windows
from render.fonts import record_texts
from render.palette import LAST
from render.ranks import UNRANKED, ranks_of
from render.sample import NAMES
from tests.render.seen import match_of


@pytest.mark.parametrize("game", GAMES)
def test_a_final_board_has_places_but_neither_codes_nor_marks_of_news(game: str) -> None:
    seats = max(GAMES[game].seats)
    end = match_of(game, seats, 1)[-1]
    view = end.view(None)
    events = visible(end.last.events if end.last else (), None)
    with record_placements() as notes, record_texts() as texts:
        image = draw(view, Scene(NAMES[:seats], events=events))
        placed = [thing.shows for thing in notes.on(image)]
    assert sorted(shows for shows in placed if shows.startswith("rank:")) == sorted(
        f"rank:{rank.number}" for rank in ranks_of(view)
    )
    assert not [shows for shows in placed if shows.startswith(("code:", "news:", "whose:"))]
    assert LAST not in {colour for _, colour in image.getcolors(1 << 22) or []}
    lead = sorted(view.scores)[-1] - sorted(view.scores)[-2]
    margins = [text.text for text in texts if text.text.startswith("won by")]
    assert bool(margins) == (lead > 0)


def test_nobody_has_a_place_while_all_have_equal_points() -> None:
    view = match_of("blue_lagoon", 3, 1)[0].view(None)
    assert ranks_of(replace(view, scores=(2.0, 2.0, 2.0))) == (UNRANKED,) * 3
    leading = ranks_of(replace(view, scores=(2.0, 5.0, 2.0)))
    assert [rank.number for rank in leading] == [2, 1, 2]
    assert not any(rank.has_won for rank in leading)


@pytest.mark.parametrize("game", GAMES)
def test_a_film_ends_on_the_board_above_its_sheet(game: str) -> None:
    end = match_of(game, 2, 1)[-1]
    view = end.view(None)
    moment = Moment(view, "The end.", (), "9 of 9")
    board = draw_frame(moment, NAMES[:2], find_windows([moment])[0])
    sheet = renderer(view, "score_sheet")(view, Scene(NAMES[:2]))
    ending = draw_ending(board, sheet)
    assert ending.size == board.size
    upper = (0, 0, board.width, round(board.height * 0.38))
    assert ending.crop(upper).tobytes() == board.crop(upper).tobytes()
    assert ending.tobytes() != board.tobytes()


def test_a_frame_shows_who_acted() -> None:
    match = match_of("blue_lagoon", 2, 1)[9]
    assert match.last is not None
    moment = Moment(match.view(None), "", visible(match.last.events, None), "")
    with record_placements() as notes:
        placed = [thing.shows for thing in notes.on(draw_frame(moment, NAMES[:2]))]
    actor = next(event.seat for event in moment.events if hasattr(event, "seat"))
    assert f"actor:{actor}" in placed


@pytest.mark.parametrize("game", GAMES)
def test_the_title_strip_shows_how_far_a_match_has_come(game: str) -> None:
    module = import_module(f"render.{game}")
    stages = [module.stage_of(match.view(None)) for match in match_of(game, 2, 1)]
    come = [(stage.current + stage.done) / stage.phases for stage in stages]
    assert come[0] < 0.2 and come[-1] >= 1
    assert all(0 <= part <= 2 for part in come)
    view = match_of(game, 2, 1)[0].view(None)
    width = draw(view, Scene(NAMES[:2])).width
    strips = {
        title_strip(width, "A", (), None, Stage(2, *how)).tobytes()
        for how in ((0, 0.0), (0, 0.5), (1, 0.0), (1, 0.5))
    }
    assert len(strips) >= 3
