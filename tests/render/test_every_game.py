"""Pictures of every game: the same view gives the same small file, faithful to the drawing."""

import hashlib
import io
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from itertools import islice

import pytest
from msgspec.structs import replace
from PIL import Image

from engine import GAMES
from render import draw, picture
from render.png import encode
from render.sample import play_randomly, scene_of
from tests.bench.naive_render import psnr
from tests.render.seen import Seen

BYTES = 350 * 1024
COMMITS = 100
"""By then boards are well filled, and Conquest of Paradise has had some turns."""


@cache
def shown(game: str) -> tuple[Seen, ...]:
    """Return pictures of a full table: at the start for everyone, then for the seat to move."""
    matches = list(islice(play_randomly(game, max(GAMES[game].seats), 6), COMMITS))
    found: list[Seen] = [(matches[0].view(None), scene_of(matches[0], private=False))]
    for number in (len(matches) // 3, len(matches) * 4 // 5):
        seat = matches[number].waiting_for()[0]
        found.append((matches[number].view(seat), scene_of(matches[number])))
    return (*found, (matches[-1].view(None), scene_of(matches[-1], private=False)))


def hashed() -> str:
    """Return a hash of each game's picture; also run in another process."""
    return "\n".join(hashlib.sha256(picture(*shown(game)[1])).hexdigest() for game in GAMES)


def test_another_process_gives_the_same_bytes() -> None:
    code = "from tests.render.test_every_game import hashed; print(hashed())"
    there = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)
    assert there.stdout.strip() == hashed()


@pytest.mark.parametrize("game", GAMES)
def test_threads_draw_the_same_as_one(game: str) -> None:
    some = shown(game)
    with ThreadPoolExecutor(4) as pool:
        there = list(pool.map(lambda seen: draw(*seen).tobytes(), [*some, *some]))
    here = [draw(*seen).tobytes() for seen in some]
    assert there == here + here


@pytest.mark.parametrize("game", GAMES)
def test_pictures_are_small_palette_pngs_true_to_what_was_drawn(game: str) -> None:
    for view, scene in shown(game):
        drawn, data = draw(view, scene), picture(view, scene)
        assert len(data) <= BYTES
        image = Image.open(io.BytesIO(data))
        assert (image.format, image.mode) == ("PNG", "P")
        assert psnr(image, drawn) >= 41
        assert data == encode(drawn, game)


@pytest.mark.parametrize("game", GAMES)
def test_words_about_the_position_do_not_change_the_picture(game: str) -> None:
    view, scene = shown(game)[0]
    assert picture(view, scene) == picture(
        view, replace(scene, question="Where?", last="Moana rests.")
    )
