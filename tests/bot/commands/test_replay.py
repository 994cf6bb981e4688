"""/replay: a match as a film that everybody sees, made in a worker."""

import io

import pytest
from PIL import Image

from engine import GAMES
from tests.bot.answers import said
from tests.bot.commands.test_review import ended
from tests.bot.conftest import World


@pytest.mark.parametrize("game", list(GAMES))
async def test_a_match_becomes_a_film_with_a_frame_for_each_post(world: World, game: str) -> None:
    room = await ended(world, game, 2)
    posts = len(await world.matches.store.told_at(room.info.id))
    await world.ana.slash(world.place(room), "replay", speed="fast")
    await world.env.settle()
    film = world.place(room).last_message
    assert film is not None and "as a film" in film.content and not film.flags.ephemeral
    (file,) = film.attachments
    assert file.filename == f"{game}-{room.info.id}.gif" and "A film of" in (file.description or "")
    with Image.open(io.BytesIO(await file.read())) as shown:
        # The set-up comes first, though a computer may have moved before the first post; a score sheet may come last.
        assert posts <= getattr(shown, "n_frames", 1) <= posts + 2


async def test_a_part_of_a_match_and_what_cannot_be_shown(world: World) -> None:
    room = await ended(world, "blue_lagoon", 3)
    await world.ana.slash(world.place(room), "replay", **{"from": 2, "to": 3})
    await world.env.settle()
    film = world.place(room).last_message
    assert film is not None
    with Image.open(io.BytesIO(await film.attachments[0].read())) as shown:
        assert getattr(shown, "n_frames", 1) == 2
    refused = await world.ana.slash(world.place(room), "replay", **{"from": 900})
    assert "There are no such moves" in said(refused)
