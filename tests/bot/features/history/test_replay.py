"""/replay: a match as a film that everybody sees, made in a worker."""

import io

import pytest
from PIL import Image

from bot.features.history.moments import load_timeline
from bot.model import SeatChange, Status
from bot.ui.long_jobs import LongJobs
from engine import GAMES
from tests.bot.features.test_end_films import in_this_process
from tests.bot.features.test_review import ended, thinned
from tests.bot.world import World


@pytest.mark.parametrize("game", list(GAMES))
async def test_every_moment_of_a_match_can_be_looked_at_and_all_of_them_become_a_film(
    world: World, game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if game != "blue_lagoon":
        # One real worker is enough: it has to draw every sprite first.
        monkeypatch.setattr(LongJobs, "result", in_this_process)
    room = await thinned(world, await ended(world, game, 2))
    last = (await load_timeline(world.matches.kernel, room)).last
    shown = (await world.ana.slash("/board", channel=world.place(room), at="last")).private
    assert f"moment {last} of {last}" in shown.content and shown.attachments
    mine = (await world.ana.click(shown, label="My view")).private
    assert "As all saw it" in mine.labels
    shown = (await world.ana.click(mine, label="‹ Step")).private
    assert f"moment {last - 1} of {last}" in shown.content and "As all saw it" in shown.labels
    shown = (await world.ana.slash("/board", channel=world.place(room), at="first")).private
    assert f"moment 0 of {last}, round 1" in shown.content
    later = (await world.ana.click(shown, label="Round »")).private
    assert "round 2" in later.content or f"moment {last} of {last}" in later.content
    assert "round 1" in (await world.ana.click(later, label="« Round")).private.content
    await world.ana.click(shown, label="Play from here")
    await world.idle()
    film = world.newest(room)
    assert film is not None and "as a film" in film.content
    (file,) = film.attachments
    assert file.filename == f"{game}-{room.record.id}.gif" and "A film of" in (
        file.description or ""
    )
    with Image.open(io.BytesIO(file.data)) as opened:
        # A score sheet may come last.
        assert getattr(opened, "n_frames", 1) in (last + 1, last + 2)


async def test_a_past_moment_is_shown_to_all_in_words_or_as_one_saw_it(world: World) -> None:
    room = await world.started()
    await world.ana.slash("/play", channel=world.place(room), move="1!")
    await world.idle()
    shown = await world.bea.slash("/board", channel=world.place(room), at="1", public=True)
    assert not shown.ephemeral and "moment 1 of 1" in shown.content and "Ana" in shown.content
    stepped = (await world.cem.click(shown, label="‹ Step")).private
    assert "moment 0 of 1" in stepped.content, "to whoever presses alone"
    words = (await world.ana.slash("/board", channel=world.place(room), at="1", text=True)).private
    assert "moment 1 of 1" in words.content and ("```" in words.content or words.attachments)
    early = await world.ana.slash("/board", channel=world.place(room), at="0", mine=True)
    assert "opens once the match is over" in early.private.content


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
            (await person.slash("/board", channel=world.place(room), at=str(at))).private
            for at in (0, last)
        ]
        assert ["My view" in shown.labels for shown in seen] == [had == 0, had == last]
        mine = (await person.click(seen[had == last], label="My view")).private
        assert "As all saw it" in mine.labels
        for _ in range(last):
            mine = (await person.click(mine, label="Step ›" if had == 0 else "‹ Step")).private
        assert "As all saw it" not in mine.labels
        # The same by command, though Bea sits there no more.
        at_once = (
            await person.slash("/board", channel=world.place(room), at=str(had), mine=True)
        ).private
        assert "As all saw it" in at_once.labels
        refused = await person.slash(
            "/board", channel=world.place(room), at=str(last - had), mine=True, public=True
        )
        assert (
            refused.ephemeral and "no seat in this match at that moment" in refused.private.content
        )


async def test_a_part_of_a_match_and_what_cannot_be_shown(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(LongJobs, "result", in_this_process)
    room = await ended(world, "blue_lagoon", 3)
    await world.ana.slash("/replay", channel=world.place(room), **{"from": "2", "to": "3"})
    await world.idle()
    film = world.newest(room)
    assert film is not None
    with Image.open(io.BytesIO(film.attachments[0].data)) as shown:
        assert getattr(shown, "n_frames", 1) == 2
    for wrong, why in (
        ("900", "There is no such moment"),
        ("x", "There is no such moment"),
        ("last", "at least two"),
    ):
        assert (
            why
            in (
                await world.ana.slash("/replay", channel=world.place(room), **{"from": wrong})
            ).private.content
        )


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
        assert (
            "There is no such moment"
            in (
                await world.ana.slash("/board", channel=world.place(room), at=wrong)
            ).private.content
        )
    for wrong in ("round 7", "r0", "R #2"):
        assert (
            "the last one so far is 1"
            in (
                await world.ana.slash("/board", channel=world.place(room), at=wrong)
            ).private.content
        )
    for right in ("Round 1", " #0 ", "moment  0", "START", "٠"):
        at_once = (await world.ana.slash("/board", channel=world.place(room), at=right)).private
        assert "moment 0 of 0" in at_once.content and "My view" not in at_once.labels
