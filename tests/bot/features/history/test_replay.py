"""/replay and /board at a past moment."""

import io

import pytest
from PIL import Image

from bot.features.history.moments import load_timeline
from bot.model import SeatChange, Status
from bot.ui.long_jobs import LongJobs
from engine import GAMES
from tests.bot.features.test_end_films import run_in_thread
from tests.bot.features.test_review import end_solo_match, thin_match
from tests.bot.world import World


@pytest.mark.parametrize("game", list(GAMES))
async def test_every_moment_of_a_match_can_be_viewed_or_filmed(
    world: World, game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if game != "blue_lagoon":
        # One real worker is enough: it has to draw every sprite first.
        monkeypatch.setattr(LongJobs, "result", run_in_thread)
    room = await thin_match(world, await end_solo_match(world, game, 2))
    last = (await load_timeline(world.matches.kernel, room)).last
    shown = await world.ana.ask("/board", channel=world.place(room), at="last")
    assert f"move {last} of {last}" in shown.content and shown.attachments
    mine = await world.ana.press(shown, label="My view")
    assert "Everyone's view" in mine.labels
    shown = await world.ana.press(mine, label="‹ Step")
    assert f"move {last - 1} of {last}" in shown.content and "Everyone's view" in shown.labels
    shown = await world.ana.ask("/board", channel=world.place(room), at="first")
    assert f"move 0 of {last}, round 1" in shown.content
    later = await world.ana.press(shown, label="Round »")
    assert "round 2" in later.content or f"move {last} of {last}" in later.content
    assert "round 1" in (await world.ana.press(later, label="« Round")).content
    await world.ana.click(shown, label="Play from here")
    await world.wait_until_idle()
    film = world.newest(room)
    assert film is not None and "as a film" in film.content
    (file,) = film.attachments
    assert file.filename == f"{game}-{room.record.id}.gif"
    assert "A film of" in (file.description or "")
    with Image.open(io.BytesIO(file.data)) as opened:
        # A score sheet may come last.
        assert getattr(opened, "n_frames", 1) in (last + 1, last + 2)


async def test_a_past_moment_is_shown_publicly_in_words_or_privately(world: World) -> None:
    room = await world.start_match()
    await world.ana.slash("/play", channel=world.place(room), move="1!")
    await world.wait_until_idle()
    shown = await world.bea.slash("/board", channel=world.place(room), at="1", public=True)
    assert not shown.ephemeral and "move 1 of 1" in shown.content and "Ana" in shown.content
    stepped = await world.cem.press(shown, label="‹ Step")
    assert "move 0 of 1" in stepped.content, "only to the person who pressed"
    words = await world.ana.ask("/board", channel=world.place(room), at="1", text=True)
    assert "move 1 of 1" in words.content and ("```" in words.content or words.attachments)
    early = await world.ana.slash("/board", channel=world.place(room), at="0", mine=True)
    assert "once the match is over" in early.private.content


async def test_my_view_of_a_past_moment_is_that_of_the_seat_i_held_then(world: World) -> None:
    room = await end_solo_match(world, "conquest", 3)
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
            await person.ask("/board", channel=world.place(room), at=str(at)) for at in (0, last)
        ]
        assert ["My view" in shown.labels for shown in seen] == [had == 0, had == last]
        mine = await person.press(seen[had == last], label="My view")
        assert "Everyone's view" in mine.labels
        for _ in range(last):
            mine = await person.press(mine, label="Step ›" if had == 0 else "‹ Step")
        assert "Everyone's view" not in mine.labels
        # The same by command, though Bea sits there no more.
        at_once = await person.ask("/board", channel=world.place(room), at=str(had), mine=True)
        assert "Everyone's view" in at_once.labels
        refused = await person.slash(
            "/board", channel=world.place(room), at=str(last - had), mine=True, public=True
        )
        assert refused.ephemeral
        assert "weren't at the table then" in refused.private.content


async def test_a_film_covers_part_of_a_match_and_bad_ranges_are_refused(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(LongJobs, "result", run_in_thread)
    room = await end_solo_match(world, "blue_lagoon", 3)
    await world.ana.slash("/replay", channel=world.place(room), **{"from": "2", "to": "3"})
    await world.wait_until_idle()
    film = world.newest(room)
    assert film is not None
    with Image.open(io.BytesIO(film.attachments[0].data)) as shown:
        assert getattr(shown, "n_frames", 1) == 2
    for wrong, why in (
        ("900", "the match has moves 0 to"),
        ("x", "the match has moves 0 to"),
        ("last", "at least two"),
    ):
        assert (
            why
            in (
                await world.ana.ask("/replay", channel=world.place(room), **{"from": wrong})
            ).content
        )


async def test_moments_taken_back_are_left_out_and_unknown_ones_refused(world: World) -> None:
    room = await world.start_match()
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
            "the match has moves 0 to"
            in (await world.ana.ask("/board", channel=world.place(room), at=wrong)).content
        )
    for wrong in ("round 7", "r0", "R #2"):
        assert (
            "the latest is 1"
            in (await world.ana.ask("/board", channel=world.place(room), at=wrong)).content
        )
    for right in ("Round 1", " #0 ", "moment  0", "START", "٠"):
        at_once = await world.ana.ask("/board", channel=world.place(room), at=right)
        assert "move 0 of 0" in at_once.content and "My view" not in at_once.labels
