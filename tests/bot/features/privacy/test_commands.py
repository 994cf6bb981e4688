"""/me export and /me delete."""

import json

from bot.model import Status
from tests.bot.world import World


async def test_a_person_reads_and_deletes_their_data(world: World) -> None:
    room = await world.start_match(world.bea, world.cem)
    lobby = (await world.open_lobby()).message
    exported = await world.ana.slash("/me export")
    assert exported.ephemeral and "with 2 matches" in exported.private.content
    (file,) = exported.private.attachments
    told = json.loads(file.data)
    assert file.filename == "motu-export.json" and told["user"] == str(world.ana.id)
    assert {one["match"] for one in told["matches"]} >= {room.record.id}
    response = await world.ana.slash("/me delete")
    assert response.ephemeral and response.private.labels == ["Forget me", "Keep everything"]
    assert "from 1 running match." in response.private.content
    assert "You leave 1 lobby." in response.private.content
    kept = await world.ana.click(response.private, label="Keep everything")
    assert "Nothing was changed" in kept.private.content
    assert (await world.reload(room)).seat_of(world.ana.id) is not None
    response = await world.ana.slash("/me delete")
    done = await world.ana.press(response.private, label="Forget me")
    assert "I've forgotten you. You resigned from 1 match. You left 1 lobby." in done.content
    assert done.labels == []
    await world.wait_until_idle()
    assert "Ana" not in lobby.text, "the lobby that she left says so"
    after = await world.reload(room)
    assert [chair.name for chair in after.record.chairs] == ["a former player", "Bea", "Cem"]
    assert after.record.status is Status.RUNNING and after.record.host == world.bea.id
    # Her old buttons now treat her as a stranger, and so do new ones.
    last = world.newest(room)
    assert last is not None and f"<@{world.ana.id}>" not in last.content
    assert "You're not in this match" in (await world.ana.press(last, label="Your move")).content
    assert "with" not in (await world.ana.ask("/me export")).content.split(".")[0]
    response = await world.ana.slash("/me delete")
    assert "resign" not in response.private.content and "leave" not in response.private.content
    # The match is played to its end without her, and mentions nobody who has left.
    gives_up = await world.bea.slash("/resign", channel=world.place(room))
    await world.bea.click(gives_up.private, label="Yes, give up my seat")
    await world.wait_until_idle()
    last = world.newest(room)
    assert (await world.reload(room)).record.status is Status.FINISHED
    assert last is not None and f"<@{world.cem.id}>" in last.content and "<@-" not in last.content
    await world.bea.click(last, label="Rematch")
    (rematch,) = [
        one
        for one in await world.matches.of_user(world.bea.id)
        if one.record.status is Status.LOBBY
    ]
    assert rematch.record.seating and min(rematch.record.seating) > 0
    rejoined = await world.bea.slash("/game new", game="blue_lagoon")
    await world.ana.click(rejoined.message, label="Join")
    assert lobby is not None
    assert len(await world.matches.of_user(world.ana.id)) == 1
