"""/export and /verify."""

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
from tests.bot.features.test_review import thin_match
from tests.bot.world import World

TURNS = 2
MOST_CHOICES = 12


async def play_turns(world: World, game: str) -> Room:
    """Play some turns of a match of Ana and Bea."""
    opened = await world.ana.slash("/game new", game=game)
    await world.bea.click(opened.message, label="Join")
    await world.ana.click(opened.message, label="Start")
    (room,) = await world.matches.of_user(world.ana.id)
    for _ in range(TURNS):
        before = (await world.reload(room)).playing()
        seat = before.waiting_for()[0]
        person = world.ana if room.record.chairs[seat].id == world.ana.id else world.bea
        for _ in range(MOST_CHOICES):
            match = (await world.reload(room)).playing()
            question = match.question(Seat(seat))
            if match.number > before.number or question is None:
                break
            key = next(
                (option.key for option in question.options if option.ends), question.options[0].key
            )
            await person.slash("/play", channel=world.place(room), move=key)
        if match.is_complete(Seat(seat)):
            await person.slash("/play", channel=world.place(room), move="!")
    return await world.reload(room)


async def end_match(world: World, room: Room) -> Room:
    """Play some turns, and have Bea resign."""
    answer = await world.bea.ask("/resign", channel=world.place(room))
    await world.bea.click(answer, label="Yes, give up my seat")
    return await world.reload(room)


@pytest.mark.parametrize("game", list(GAMES))
async def test_a_finished_match_is_exported_and_verified(world: World, game: str) -> None:
    room = await play_turns(world, game)
    place, seed = world.place(room), room.playing().seed
    for command, why in (("export", "/log whole:True"), ("verify", "reveal what's still hidden")):
        refused = await world.ana.ask(command, channel=place)
        assert why in refused.content and seed not in refused.content and not refused.attachments
    room = await thin_match(world, await end_match(world, room))
    shown = await world.cem.ask("/export", channel=place)
    text, data = [(file.data).decode() for file in shown.attachments]
    assert [file.filename for file in shown.attachments] == [
        f"{game}-{room.record.id}-transcript.txt",
        f"{game}-{room.record.id}.json",
    ]
    script = check(text).script
    assert check(text).match.outcome == room.playing().outcome
    assert not check(text).reworded
    assert {chair.name for chair in script.about.chairs} == {
        "Ana",
        "Bea",
    }
    assert "Bea resigned." in text
    assert (
        commitment(room.record.id, script.seed) == room.record.commitment == script.about.seals[0]
    )
    assert json.loads(data)["seed"] == seed
    assert len(json.loads(data)["moves"]) == room.playing().number + 1
    right = (await world.cem.ask("/verify", channel=place)).content
    assert "Everything checks out" in right
    assert seed in right
    assert room.record.commitment in right
    assert "❌" not in right
    assert f"all {room.playing().number} move" in right
    assert "give up" not in right
    assert room.record.id in right
    for command in ("export", "verify"):
        offered = (await world.ana.autocomplete(command, match=room.record.id[:3])).choices
        assert room.record.id in str(offered)


async def test_a_mismatch_is_reported_with_its_place(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = await end_match(world, await play_turns(world, "blue_lagoon"))
    with closing(sqlite3.connect(world.path)) as database, database:
        database.execute(
            "UPDATE moves SET position = (SELECT position FROM moves WHERE number = 1) "
            "WHERE number = 2"
        )
    wrong = (await world.ana.ask("/verify", channel=world.place(room))).content
    assert "Something is wrong" in wrong and "After move 2 the board differs" in wrong
    monkeypatch.setattr(reply, "MAX_FILE_BYTES", reply.REQUEST_OVERHEAD_BYTES + 100)
    (packed,) = (await world.ana.ask("/export", channel=world.place(room))).attachments
    assert packed.filename.endswith(".zip")
    names = ZipFile(io.BytesIO(packed.data)).namelist()
    assert names == [
        f"blue_lagoon-{room.record.id}-transcript.txt",
        f"blue_lagoon-{room.record.id}.json",
    ]
