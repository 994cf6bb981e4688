"""/export and /verify as people see them."""

import io
import json
import sqlite3
from contextlib import closing
from zipfile import ZipFile

import pytest

from bot.kernel.room import Room
from bot.ui import reply
from engine import GAMES, Seat, commitment
from engine.core.transcript import check
from tests.bot.features.test_review import thinned
from tests.bot.world import World

TURNS = 2
MOST_CHOICES = 12


async def played(world: World, game: str) -> Room:
    """A match of Ana and Bea after some turns."""
    opened = await world.ana.slash("/game new", game=game)
    await world.bea.click(opened.message, label="Join")
    await world.ana.click(opened.message, label="Start")
    (room,) = await world.matches.of_user(world.ana.id)
    for _ in range(TURNS):
        before = (await world.room(room)).playing()
        seat = before.waiting_for()[0]
        person = world.ana if room.record.chairs[seat].id == world.ana.id else world.bea
        for _ in range(MOST_CHOICES):
            match = (await world.room(room)).playing()
            question = match.question(Seat(seat))
            if match.number > before.number or question is None:
                break
            key = next(
                (option.key for option in question.options if option.ends), question.options[0].key
            )
            await person.slash("/play", channel=world.place(room), move=key)
        if match.is_complete(Seat(seat)):
            await person.slash("/play", channel=world.place(room), move="!")
    return await world.room(room)


async def ended(world: World, room: Room) -> Room:
    """The same once Bea has given up."""
    asked = (await world.bea.slash("/resign", channel=world.place(room))).private
    await world.bea.click(asked, label="Yes, give up my seat")
    return await world.room(room)


@pytest.mark.parametrize("game", list(GAMES))
async def test_a_finished_match_is_exported_and_verified(world: World, game: str) -> None:
    room = await played(world, game)
    place, seed = world.place(room), room.playing().seed
    for command, why in (("export", "/log whole:True"), ("verify", "foresee")):
        refused = (await world.ana.slash(command, channel=place)).private
        assert why in refused.content and seed not in refused.content and not refused.attachments
    room = await thinned(world, await ended(world, room))
    shown = (await world.cem.slash("/export", channel=place)).private
    text, data = [(file.data).decode() for file in shown.attachments]
    assert [file.filename for file in shown.attachments] == [
        f"{game}-{room.record.id}-transcript.txt",
        f"{game}-{room.record.id}.json",
    ]
    script = check(text).script
    assert check(text).match.outcome == room.playing().outcome and not check(text).reworded
    assert {chair.name for chair in script.about.chairs} == {
        "Ana",
        "Bea",
    } and "Bea resigns." in text
    assert (
        commitment(room.record.id, script.seed) == room.record.commitment == script.about.seals[0]
    )
    assert (
        json.loads(data)["seed"] == seed
        and len(json.loads(data)["moves"]) == room.playing().number + 1
    )
    right = (await world.cem.slash("/verify", channel=place)).private.content
    assert (
        "All is right" in right
        and seed in right
        and room.record.commitment in right
        and "❌" not in right
    )
    assert (
        f"all {room.playing().number} move" in right
        and "give up" not in right
        and room.record.id in right
    )
    for command in ("export", "verify"):
        offered = (await world.ana.autocomplete(command, match=room.record.id[:3])).choices
        assert room.record.id in str(offered)


async def test_a_mismatch_is_said_with_what_and_where(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = await ended(world, await played(world, "blue_lagoon"))
    with closing(sqlite3.connect(world.path)) as database, database:
        database.execute(
            "UPDATE moves SET position = (SELECT position FROM moves WHERE number = 1) WHERE number = 2"
        )
    wrong = (await world.ana.slash("/verify", channel=world.place(room))).private.content
    assert "Not all is right" in wrong and "After move 2 the board stands otherwise" in wrong
    monkeypatch.setattr(reply, "LARGEST", reply.AROUND + 100)
    (packed,) = (await world.ana.slash("/export", channel=world.place(room))).private.attachments
    assert packed.filename.endswith(".zip")
    names = ZipFile(io.BytesIO(packed.data)).namelist()
    assert names == [
        f"blue_lagoon-{room.record.id}-transcript.txt",
        f"blue_lagoon-{room.record.id}.json",
    ]
