"""/me export and /me delete, as somebody uses them."""

import json

from bot.model import Status
from tests.bot.answers import answer, labels, said
from tests.bot.conftest import World


async def test_somebody_reads_all_that_is_kept_of_them_and_is_forgotten(world: World) -> None:
    room = await world.started(world.bea, world.cem)
    lobby = (await world.lobby()).response.message
    exported = await world.ana.slash(world.channel, "me export")
    assert exported.ephemeral and "with 2 matches" in said(exported)
    (file,) = answer(exported).message.attachments
    told = json.loads(await file.read())
    assert file.filename == "motu-export.json" and told["user"] == str(world.ana.id)
    assert {one["match"] for one in told["matches"]} >= {room.record.id}
    asked = await world.ana.slash(world.channel, "me delete")
    assert asked.ephemeral and labels(answer(asked)) == ["Forget me", "Leave all as it is"]
    assert "in 1 running match;" in said(asked) and "You leave 1 lobby." in said(asked)
    kept = await world.ana.click(answer(asked).message, label="Leave all as it is")
    assert "Nothing was changed" in answer(kept).content
    assert (await world.room(room)).seat_of(world.ana.id) is not None
    asked = await world.ana.slash(world.channel, "me delete")
    done = answer(await world.ana.click(answer(asked).message, label="Forget me"))
    assert (
        "I have forgotten you. You have resigned in 1 match. You have left 1 lobby." in done.content
    )
    assert labels(done) == []
    await world.env.settle()
    edited = [
        entry
        for entry in world.env.http_requests
        if entry.method == "PATCH" and str(lobby.id) in entry.path
    ]
    assert edited, "the lobby that she left says so"
    after = await world.room(room)
    assert [chair.name for chair in after.record.chairs] == ["a former player", "Bea", "Cem"]
    assert after.record.status is Status.RUNNING and after.record.host == world.bea.id
    # An old button of hers is a stranger's now, and so is a new one.
    last = world.place(room).last_message
    assert last is not None and f"<@{world.ana.id}>" not in last.content
    assert "This is not your match" in said(await world.ana.click(last, label="Your move"))
    assert "with" not in said(await world.ana.slash(world.channel, "me export")).split(".")[0]
    asked = await world.ana.slash(world.channel, "me delete")
    assert "resign" not in said(asked) and "leave" not in said(asked)
    # The match goes on without her, to its end, and calls nobody who is not there.
    gives_up = await world.bea.slash(world.place(room), "resign")
    await world.bea.click(answer(gives_up).message, label="Yes, give up my seat")
    await world.env.settle()
    last = world.place(room).last_message
    assert (await world.room(room)).record.status is Status.FINISHED
    assert last is not None and f"<@{world.cem.id}>" in last.content and "<@-" not in last.content
    await world.bea.click(last, label="Rematch")
    (rematch,) = [
        one
        for one in await world.matches.of_user(world.bea.id)
        if one.record.status is Status.LOBBY
    ]
    assert rematch.record.seating and min(rematch.record.seating) > 0
    rejoined = await world.bea.slash(world.channel, "game new", game="blue_lagoon")
    await world.ana.click(rejoined.response.message, label="Join")
    assert lobby is not None and len(await world.matches.of_user(world.ana.id)) == 1
