"""Votes over the commands and their buttons, in a simulated Discord."""

from typing import Any

from simcord import MemberActor

from bot.features.votes import queries as vote_queries
from bot.kernel.room import Room
from bot.model import Status
from tests.bot.answers import answer, said
from tests.bot.conftest import World


def buttons(message: Any) -> list[str]:
    """The labels under a public message."""
    return [part.label for row in message.components for part in row.children]


async def ballot(world: World, room: Room) -> Any:
    """The newest vote's message."""
    await world.env.settle()
    votes = await world.matches.store.read(vote_queries.votes, room.record.id)
    place = world.place(await world.room(room))
    return next(message for message in place.history() if message.id == votes[-1].message)


async def ask(world: World, room: Room, who: MemberActor, command: str, **options: Any) -> Any:
    place = world.place(await world.room(room))
    answered = await who.slash(place, command, **options)
    assert "discord.com/channels" in said(answered)
    return await ballot(world, room)


async def test_a_table_pauses_goes_on_and_ends_by_its_buttons(world: World) -> None:
    room = await world.started(world.bea, world.cem)
    asked = await ask(world, room, world.ana, "game pause")
    assert (
        f"**Ana** asks to pause Blue Lagoon (`{room.record.id}`)." in asked.content
        and "Not yet: Bea and Cem" in asked.content
    )
    assert buttons(asked) == ["Yes", "No"]
    await world.bea.click(asked, label="No")
    await world.bea.click(asked, label="Yes")
    done = await ballot(world, room)
    assert (
        "Yes: Ana and Bea" in done.content and "**Paused." in done.content and buttons(done) == []
    )
    assert (await world.room(room)).record.status is Status.ON_HOLD
    place = world.place(await world.room(room))
    assert "agreed on it" in said(await world.ana.slash(place, "play"))
    resumed = await ask(world, room, world.cem, "game resume")
    posts = len(place.history())
    await world.bea.click(resumed, label="Yes")
    await world.env.settle()
    assert (await world.room(room)).record.status is Status.RUNNING
    assert len(place.history()) == posts + 1, "the turn is posted anew"
    ended = await ask(world, room, world.ana, "game end")
    await world.bea.click(ended, label="Yes")
    await world.cem.click(ended, label="Yes")
    assert "ended without a result" in (await ballot(world, room)).content
    await world.env.settle()
    assert "without a result" in said(await world.ana.slash(place, "play"))
    (board,) = [message for message in place.history() if buttons(message)]
    assert buttons(board) == ["Rematch", "My view", "Log", "Fairness"]
    assert "without a result" in place.name


async def test_a_player_is_removed_by_the_others(world: World) -> None:
    room = await world.started(world.bea, world.cem)
    place = world.place(await world.room(room))
    offered = await world.ana.autocomplete(place, "game remove", "player", "")
    assert [choice["value"] for choice in offered] == ["Bea", "Cem"]
    assert "Nobody at this table" in said(await world.ana.slash(place, "game remove", player="Zoe"))
    asked = await ask(world, room, world.ana, "game remove", player="Bea")
    assert "about you" in said(await world.bea.click(asked, label="No"))
    await world.cem.click(asked, label="Yes")
    assert "Bea is removed" in (await ballot(world, room)).content
    assert "not your match" in said(await world.bea.slash(place, "hand", match=room.record.id))
    assert "Bea is removed.\n1. A computer plays for Bea" in said(
        await world.cem.slash(place, "log")
    )


async def test_a_stranger_and_a_closed_vote_are_answered_privately(world: World) -> None:
    room = await world.started(world.bea)
    asked = await ask(world, room, world.ana, "game pause")
    assert "for those who play" in said(await world.cem.click(asked, label="Yes"))
    assert [part.custom_id for row in asked.components for part in row.children] == [
        f"b:{room.record.id}:1:yes",
        f"b:{room.record.id}:1:no",
    ]
    await world.matches.votes.cast(room.record.id, 1, world.bea.id, "yes")
    assert "closed" in said(await world.bea.click(asked, label="No"))


async def test_the_message_follows_who_plays(world: World) -> None:
    room = await world.started(world.bea, world.cem)
    asked = await ask(world, room, world.ana, "game end")
    assert "Not yet: Bea and Cem" in asked.content
    sure = answer(await world.cem.slash(world.place(await world.room(room)), "resign"))
    await world.cem.click(sure.message, label="Yes, give up my seat")
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
