"""/me export and /me delete, as somebody uses them."""

import json

from bot.model import Status
from tests.bot.world import World


async def test_somebody_reads_all_that_is_kept_of_them_and_is_forgotten(world: World) -> None:
    room = await world.started(world.bea, world.cem)
    lobby = (await world.lobby()).message
    exported = await world.ana.slash("/me export")
    assert exported.ephemeral and "with 2 matches" in exported.private.content
    (file,) = exported.private.attachments
    told = json.loads(file.data)
    assert file.filename == "motu-export.json" and told["user"] == str(world.ana.id)
    assert {one["match"] for one in told["matches"]} >= {room.record.id}
    asked = await world.ana.slash("/me delete")
    assert asked.ephemeral and asked.private.labels == ["Forget me", "Leave all as it is"]
    assert (
        "in 1 running match;" in asked.private.content
        and "You leave 1 lobby." in asked.private.content
    )
    kept = await world.ana.click(asked.private, label="Leave all as it is")
    assert "Nothing was changed" in kept.private.content
    assert (await world.room(room)).seat_of(world.ana.id) is not None
    asked = await world.ana.slash("/me delete")
    done = (await world.ana.click(asked.private, label="Forget me")).private
    assert (
        "I have forgotten you. You have resigned in 1 match. You have left 1 lobby." in done.content
    )
    assert done.labels == []
    await world.idle()
    assert "Ana" not in lobby.text, "the lobby that she left says so"
    after = await world.room(room)
    assert [chair.name for chair in after.record.chairs] == ["a former player", "Bea", "Cem"]
    assert after.record.status is Status.RUNNING and after.record.host == world.bea.id
    # An old button of hers is a stranger's now, and so is a new one.
    last = world.newest(room)
    assert last is not None and f"<@{world.ana.id}>" not in last.content
    assert (
        "This is not your match" in (await world.ana.click(last, label="Your move")).private.content
    )
    assert "with" not in (await world.ana.slash("/me export")).private.content.split(".")[0]
    asked = await world.ana.slash("/me delete")
    assert "resign" not in asked.private.content and "leave" not in asked.private.content
    # The match goes on without her, to its end, and calls nobody who is not there.
    gives_up = await world.bea.slash("/resign", channel=world.place(room))
    await world.bea.click(gives_up.private, label="Yes, give up my seat")
    await world.idle()
    last = world.newest(room)
    assert (await world.room(room)).record.status is Status.FINISHED
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
    assert lobby is not None and len(await world.matches.of_user(world.ana.id)) == 1
