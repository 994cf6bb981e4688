"""Votes over the commands and their buttons, in a simulated Discord."""

from typing import Any

from bot.features.votes import queries as vote_queries
from bot.kernel.room import Room
from bot.model import Status
from tests.bot.world import Player, World


async def ballot(world: World, room: Room) -> Any:
    """The newest vote's message."""
    await world.idle()
    votes = await world.matches.store.read(vote_queries.votes, room.record.id)
    place = world.place(await world.room(room))
    return next(message for message in world.posts(place) if message.id == votes[-1].message)


async def ask(world: World, room: Room, who: Player, command: str, **options: Any) -> Any:
    place = world.place(await world.room(room))
    answered = await who.slash(command, channel=place, **options)
    assert "discord.com/channels" in answered.private.content
    return await ballot(world, room)


async def test_a_table_pauses_goes_on_and_ends_by_its_buttons(world: World) -> None:
    room = await world.started(world.bea, world.cem)
    asked = await ask(world, room, world.ana, "game pause")
    assert (
        f"**Ana** asks to pause Blue Lagoon (`{room.record.id}`)." in asked.content
        and "Not yet: Bea and Cem" in asked.content
    )
    assert asked.labels == ["Yes", "No"]
    await world.bea.click(asked, label="No")
    await world.bea.click(asked, label="Yes")
    done = await ballot(world, room)
    assert "Yes: Ana and Bea" in done.content and "**Paused." in done.content and done.labels == []
    assert (await world.room(room)).record.status is Status.ON_HOLD
    place = world.place(await world.room(room))
    assert "agreed on it" in (await world.ana.slash("/play", channel=place)).private.content
    resumed = await ask(world, room, world.cem, "game resume")
    posts = len(world.posts(place))
    await world.bea.click(resumed, label="Yes")
    await world.idle()
    assert (await world.room(room)).record.status is Status.RUNNING
    assert len(world.posts(place)) == posts + 1, "the turn is posted anew"
    ended = await ask(world, room, world.ana, "game end")
    await world.bea.click(ended, label="Yes")
    await world.cem.click(ended, label="Yes")
    assert "ended without a result" in (await ballot(world, room)).content
    await world.idle()
    assert "without a result" in (await world.ana.slash("/play", channel=place)).private.content
    (board,) = [message for message in world.posts(place) if message.labels]
    assert board.labels == ["Rematch", "My view", "Log", "Fairness"]
    assert "without a result" in place.name


async def test_a_player_is_removed_by_the_others(world: World) -> None:
    room = await world.started(world.bea, world.cem)
    place = world.place(await world.room(room))
    offered = (await world.ana.autocomplete("/game remove", channel=place, player="")).choices
    assert [choice["value"] for choice in offered] == ["Bea", "Cem"]
    assert (
        "Nobody at this table"
        in (await world.ana.slash("/game remove", channel=place, player="Zoe")).private.content
    )
    asked = await ask(world, room, world.ana, "game remove", player="Bea")
    assert "about you" in (await world.bea.click(asked, label="No")).private.content
    await world.cem.click(asked, label="Yes")
    assert "Bea is removed" in (await ballot(world, room)).content
    assert (
        "not your match"
        in (await world.bea.slash("/hand", channel=place, match=room.record.id)).private.content
    )
    assert (
        "Bea is removed.\n1. A computer plays for Bea"
        in (await world.cem.slash("/log", channel=place)).private.content
    )


async def test_a_stranger_and_a_closed_vote_are_answered_privately(world: World) -> None:
    room = await world.started(world.bea)
    asked = await ask(world, room, world.ana, "game pause")
    assert "for those who play" in (await world.cem.click(asked, label="Yes")).private.content
    assert [button["custom_id"] for button in asked.buttons] == [
        f"b:{room.record.id}:1:yes",
        f"b:{room.record.id}:1:no",
    ]
    await world.matches.votes.cast(room.record.id, 1, world.bea.id, "yes")
    assert "closed" in (await world.bea.click(asked, label="No")).private.content


async def test_the_message_follows_who_plays(world: World) -> None:
    room = await world.started(world.bea, world.cem)
    asked = await ask(world, room, world.ana, "game end")
    assert "Not yet: Bea and Cem" in asked.content
    sure = (await world.cem.slash("/resign", channel=world.place(await world.room(room)))).private
    await world.cem.click(sure, label="Yes, give up my seat")
    assert "Not yet: Bea\n" in (await ballot(world, room)).content


async def test_a_vote_survives_a_restart_and_its_message_is_made_up_for(world: World) -> None:
    room = await world.started(world.bea)
    # The vote is in the database, and nobody has seen it yet.
    await world.matches.votes.propose(room.record.id, room.record.chairs[0], "pause")
    await world.matches.ballots.close()
    await world.restart()
    asked = await ballot(world, room)
    await world.bea.click(asked, label="Yes")
    assert "**Paused." in (await ballot(world, room)).content
