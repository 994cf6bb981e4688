"""/replay: a match as a film that everybody sees, made in a worker."""

import io

import pytest
from PIL import Image

from bot.features.history.moments import load_timeline
from bot.model import SeatChange, Status
from bot.ui.long_jobs import LongJobs
from engine import GAMES
from tests.bot.answers import answer, labels, said
from tests.bot.commands.test_review import ended, thinned
from tests.bot.conftest import World
from tests.bot.posts.test_films import in_this_process


@pytest.mark.parametrize("game", list(GAMES))
async def test_every_moment_of_a_match_can_be_looked_at_and_all_of_them_become_a_film(
    world: World, game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if game != "blue_lagoon":
        # One real worker is enough: it has to draw every sprite first.
        monkeypatch.setattr(LongJobs, "result", in_this_process)
    room = await thinned(world, await ended(world, game, 2))
    last = (await load_timeline(world.matches.kernel, room)).last
    shown = answer(await world.ana.slash(world.place(room), "board", at="last"))
    assert f"moment {last} of {last}" in shown.content and shown.message.attachments
    mine = answer(await world.ana.click(shown, label="My view"))
    assert "As all saw it" in labels(mine)
    shown = answer(await world.ana.click(mine, label="‹ Step"))
    assert f"moment {last - 1} of {last}" in shown.content and "As all saw it" in labels(shown)
    shown = answer(await world.ana.slash(world.place(room), "board", at="first"))
    assert f"moment 0 of {last}, round 1" in shown.content
    later = answer(await world.ana.click(shown, label="Round »"))
    assert "round 2" in later.content or f"moment {last} of {last}" in later.content
    assert "round 1" in answer(await world.ana.click(later, label="« Round")).content
    await world.ana.click(shown, label="Play from here")
    await world.env.settle()
    film = world.place(room).last_message
    assert film is not None and "as a film" in film.content and not film.flags.ephemeral
    (file,) = film.attachments
    assert file.filename == f"{game}-{room.record.id}.gif" and "A film of" in (
        file.description or ""
    )
    with Image.open(io.BytesIO(await file.read())) as opened:
        # A score sheet may come last.
        assert getattr(opened, "n_frames", 1) in (last + 1, last + 2)


async def test_a_past_moment_is_shown_to_all_in_words_or_as_one_saw_it(world: World) -> None:
    room = await world.started()
    await world.ana.slash(world.place(room), "play", move="1!")
    await world.env.settle()
    shown = await world.bea.slash(world.place(room), "board", at="1", public=True)
    assert (
        not shown.response.ephemeral
        and "moment 1 of 1" in shown.response.content
        and "Ana" in shown.response.content
    )
    stepped = answer(await world.cem.click(shown.response.message, label="‹ Step"))
    assert "moment 0 of 1" in stepped.content, "to whoever presses alone"
    words = answer(await world.ana.slash(world.place(room), "board", at="1", text=True))
    assert "moment 1 of 1" in words.content and (
        "```" in words.content or words.message.attachments
    )
    early = await world.ana.slash(world.place(room), "board", at="0", mine=True)
    assert "opens once the match is over" in said(early)


async def test_ones_own_view_is_of_the_seat_that_one_held_then(world: World) -> None:
    room = await ended(world, "conquest", 3)
    last = (await load_timeline(world.matches.kernel, room)).last
    note = SeatChange(
        0, (room.playing().number + 1) // 2, world.ana.id, "Ana", world.bea.id, "Bea", "replaced"
    )
    # Ana has taken her seat over from Bea; and the table has ended it without a result.
    await world.matches.pipeline.change(
        room.record.id, lambda change: change.update(seat_changes=(note,), status=Status.CALLED_OFF)
    )
    for person, had in ((world.ana, last), (world.bea, 0)):
        seen = [
            answer(await person.slash(world.place(room), "board", at=str(at))) for at in (0, last)
        ]
        assert ["My view" in labels(shown) for shown in seen] == [had == 0, had == last]
        mine = answer(await person.click(seen[had == last], label="My view"))
        assert "As all saw it" in labels(mine)
        for _ in range(last):
            mine = answer(await person.click(mine, label="Step ›" if had == 0 else "‹ Step"))
        assert "As all saw it" not in labels(mine)
        # The same by command, though Bea sits there no more.
        at_once = answer(await person.slash(world.place(room), "board", at=str(had), mine=True))
        assert "As all saw it" in labels(at_once)
        refused = await person.slash(
            world.place(room), "board", at=str(last - had), mine=True, public=True
        )
        assert refused.ephemeral and "no seat in this match at that moment" in said(refused)


async def test_a_part_of_a_match_and_what_cannot_be_shown(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(LongJobs, "result", in_this_process)
    room = await ended(world, "blue_lagoon", 3)
    await world.ana.slash(world.place(room), "replay", **{"from": "2", "to": "3"})
    await world.env.settle()
    film = world.place(room).last_message
    assert film is not None
    with Image.open(io.BytesIO(await film.attachments[0].read())) as shown:
        assert getattr(shown, "n_frames", 1) == 2
    for wrong, why in (
        ("900", "There is no such moment"),
        ("x", "There is no such moment"),
        ("last", "at least two"),
    ):
        assert why in said(await world.ana.slash(world.place(room), "replay", **{"from": wrong}))


async def test_moments_that_were_taken_back_are_left_out_and_bad_ones_refused(world: World) -> None:
    room = await world.started()
    for wrong in (
        "999",
        "round x",
        "-1",
        "0 0",
        "robin 0",
        "x 0",
        "1000000000",
        "0.0",
        "²",
        "round",
        "x" * 90,
    ):
        assert "There is no such moment" in said(
            await world.ana.slash(world.place(room), "board", at=wrong)
        )
    for wrong in ("round 7", "r0", "R #2"):
        assert "the last one so far is 1" in said(
            await world.ana.slash(world.place(room), "board", at=wrong)
        )
    for right in ("Round 1", " #0 ", "moment  0", "START", "٠"):
        at_once = answer(await world.ana.slash(world.place(room), "board", at=right))
        assert "moment 0 of 0" in at_once.content and "My view" not in labels(at_once)
