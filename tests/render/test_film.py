"""Films: every frame is the board as it was posted, and no file is larger than allowed."""

import io
from functools import lru_cache
from itertools import pairwise
from random import Random

import pytest
from msgspec.structs import replace
from PIL import Image, ImageChops

from engine import GAMES, visible
from engine.conquest.view import ConquestView
from engine.core.words import words_of
from render import Scene, draw
from render.conquest import windows
from render.conquest.battle_band import battles_height
from render.conquest.exploration_band import is_exploring
from render.conquest.layout import TITLE, bands_of
from render.conquest.news import news_of
from render.film import Moment, Reel, TooLarge, draw_frame, find_windows, make_film
from render.fonts import record_texts
from render.png import to_palette
from render.sample import NAMES, play_randomly

SHOWN = 6


@lru_cache
def moments_of(game: str) -> tuple[Moment, ...]:
    """Return the end of a match, a moment per commit."""
    seats = min(GAMES[game].seats)
    found = []
    for match in list(play_randomly(game, seats, seed=5))[-SHOWN:]:
        view = match.view(None)
        events = visible(match.last.events if match.last else (), None)
        caption = " ".join(words_of(game).story(events, NAMES[:seats], view))
        found.append(Moment(view, caption, events, str(match.number)))
    return tuple(found)


def frames_of(data: bytes) -> list[tuple[Image.Image, int]]:
    """Return each frame with its duration in hundredths of a second."""
    frames = []
    with Image.open(io.BytesIO(data)) as opened:
        for number in range(getattr(opened, "n_frames", 1)):
            opened.seek(number)
            frames.append((opened.convert("RGB"), opened.info["duration"] // 10))
    return frames


def far(first: Image.Image, second: Image.Image) -> float:
    """Return the share of pixels that visibly differ between two pictures."""
    difference = ImageChops.difference(first, second).convert("L").histogram()
    return sum(difference[32:]) / (first.width * first.height)


def test_a_caption_of_two_lines_is_not_cut_off() -> None:
    caption = (
        "Dominique's Explorer found an Island Group at F6 (3 Knots, 3 in all). "
        "Bartholomew turned up Norfolk at F6, and moved on to D5."
    )
    moment = replace(moments_of("blue_lagoon")[0], caption=caption, label="129 of 130")
    with record_texts() as texts:
        draw_frame(moment, NAMES[:2])
    shown = " ".join(text.text for text in texts)
    assert len(caption) == 126 and caption in shown, shown


@pytest.mark.parametrize("game", list(GAMES))
def test_every_frame_is_the_board_as_posted_and_the_last_is_the_score_sheet(game: str) -> None:
    moments = moments_of(game)
    names = NAMES[: min(GAMES[game].seats)]
    frames = frames_of(make_film(moments, names, 1.0)[0])
    assert len(frames) == len(moments) + 1
    for (frame, _), moment, window in zip(frames, moments, find_windows(moments), strict=False):
        drawn = draw_frame(moment, names, window)
        # In fewer colours, and nothing of the frame before shines through.
        assert far(frame, drawn.convert("RGB")) < 0.004
        # As it was posted, except for whose turn it is, marks of news, and where the map is
        # cut.
        posted = draw(moment.view, Scene(names, events=moment.events, window=window)).convert("RGB")
        assert far(frame.crop((0, 0, *posted.size)), posted) < 0.07
    assert frames[0][1] == 200 and frames[1][1] == 100
    assert frames[-1][1] == 700
    assert ImageChops.difference(frames[-1][0], frames[-2][0]).getbbox()
    assert [hold for _, hold in frames[:-1]].count(300) == sum(
        moment.is_scoring for moment in moments
    )


def test_the_map_of_a_film_seldom_moves_and_shows_every_battle_and_explorer() -> None:
    shown, covered = [], set()
    for match, _ in zip(play_randomly("conquest", 2, seed=5), range(150), strict=False):
        view = match.view(None)
        events = visible(match.last.events if match.last else (), None)
        assert isinstance(view, ConquestView)
        shown.append((view, events))
    chosen = windows.film_windows([view for view, _ in shown])
    posted = []
    for (view, events), window in zip(shown, chosen, strict=True):
        must = windows.required_hexes(view, ())
        high = battles_height(view, news_of(view, events))
        assert all(window.holds(spot) for spot in must) and window.is_large
        if view.battle is not None:
            # Beside the band that tells of it.
            band = windows.film_battles_top(view, window, high) - TITLE
            middle = window.middle_of(view.battle.spot)[1]
            assert middle + window.rise <= band or band + high <= middle - window.rise
            covered.add(band == 0)
        posted.append(
            windows.main_map_window(view, must, bands_of(high, is_exploring(view)).main_map_height)
        )
    moves, moves_of_posts = (
        sum(
            (one.unit, one.left, one.top) != (other.unit, other.left, other.top)
            for one, other in pairwise(crops)
        )
        for crops in (chosen, posted)
    )
    assert 0 < moves <= 3 < moves_of_posts and covered == {False, True}


def test_pixels_are_those_of_the_frame_whatever_was_there_before() -> None:
    chance = Random(3)
    noise = [
        Image.frombytes("RGB", (40, 30), bytes(chance.choices((0, 90, 250), k=3600)))
        for _ in range(4)
    ]
    reel = Reel(noise, "maori", letters=10)
    for picture in noise:
        reel.add(picture, 1)
    colours = {
        colour for picture in noise for _, colour in picture.convert("RGB").getcolors() or ()
    }
    assert len(colours) == 27
    for (frame, _), picture in zip(frames_of(reel.finish()), noise, strict=True):
        assert (
            ImageChops.difference(frame, to_palette(picture, "maori").convert("RGB")).getbbox()
            is None
        )


def test_a_film_is_made_of_fewer_moments_if_it_would_be_too_large() -> None:
    moments, names = moments_of("maori"), NAMES[:2]
    whole, every = make_film(moments, names, 1.0)
    assert make_film(moments, names, 1.0) == (whole, every) and every == 1
    smaller, every = make_film(moments, names, 1.0, most=len(whole) - 1)
    assert every == 2
    assert len(smaller) < len(whole)
    few = len(frames_of(smaller))
    assert 3 <= few < len(frames_of(whole))
    # It lasts as long.
    assert (
        abs(sum(hold for _, hold in frames_of(smaller)) - sum(hold for _, hold in frames_of(whole)))
        < 1500
    )
    with pytest.raises(TooLarge):
        make_film(moments, names, 1.0, most=20_000)


def test_a_frame_like_the_last_makes_that_longer() -> None:
    red, blue = (Image.new("RGB", (8, 8), colour) for colour in ((200, 0, 0), (0, 0, 200)))
    reel = Reel([red, blue], "maori")
    for picture, seconds in ((red, 1), (red, 2), (blue, 1)):
        reel.add(picture, seconds)
    assert [hold for _, hold in frames_of(reel.finish())] == [300, 100]


def test_sentences_run_left_to_right_whatever_the_script_of_a_name() -> None:
    def first_letters(caption: str) -> Image.Image:
        frame = draw_frame(replace(moments_of("maori")[0], caption=caption), NAMES[:2])
        return frame.crop((0, frame.height - 90, 130, frame.height))

    whole, name = first_letters("محمد علي: discoverer 8 > 9."), first_letters("محمد علي")
    # The name stands where it stands alone: at the left.
    assert (
        ImageChops.difference(whole.crop((0, 0, 110, 90)), name.crop((0, 0, 110, 90))).getbbox()
        is None
    )
