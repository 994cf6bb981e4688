"""The README shows the boards as they are drawn today."""

from PIL import Image, ImageChops, ImageStat

from tests.render.readme import BOARDS, FILM, draw_boards, film
from tests.render.references import shrink

MOST_BYTES = 900_000


def test_the_boards_of_the_readme_are_up_to_date() -> None:
    """If not: `python -m tests.readme`."""
    now = shrink(draw_boards())
    with Image.open(BOARDS) as stored:
        then = shrink(stored)
    assert now.size == then.size
    assert max(ImageStat.Stat(ImageChops.difference(now, then)).mean) < 2


def test_the_film_of_the_readme_is_up_to_date() -> None:
    with Image.open(FILM) as stored:
        frames = getattr(stored, "n_frames", 1)
    assert FILM.read_bytes() == film()
    assert frames > 10
    assert FILM.stat().st_size < MOST_BYTES
    assert BOARDS.stat().st_size < MOST_BYTES
