"""The messages of votes, whatever Discord does meanwhile: one message a vote, and at last it
says the result.
"""

from bot.features.votes import queries as vote_queries
from bot.kernel.room import Room
from bot.local.model import Message, Thread
from bot.model import Status
from tests.bot.world import World

SEND = ("POST", "/channels/*/messages")
EDIT = ("PATCH", "/channels/*/messages/*")


def ballots(world: World) -> list[Message]:
    return [message for message in world.discord.messages() if "asks to pause" in message.content]


async def ask(world: World, room: Room) -> None:
    await world.matches.votes.propose(room.record.id, room.record.chairs[0], "pause")


async def shown(world: World, room: Room) -> None:
    """Wait until the vote has a message, and that shows it."""

    async def holds() -> bool:
        (vote,) = await world.matches.store.read(vote_queries.votes, room.record.id)
        return bool(vote.message) and (vote.is_open or vote.told)

    await world.settled(holds)


async def agree(world: World, room: Room) -> None:
    await world.matches.votes.cast(room.record.id, 1, world.bea.id, "yes")
    await shown(world, room)


async def test_a_vote_is_asked_and_decided_by_one_message_through_an_outage(world: World) -> None:
    room = await world.started()
    world.discord.faults.answer(*SEND, status=503, times=3)
    await ask(world, room)
    await shown(world, room)
    world.discord.faults.answer(*EDIT, status=500, times=3)
    await agree(world, room)
    (message,) = ballots(world)
    assert "**Paused." in message.content and message.buttons == []


async def test_a_message_that_is_gone_or_shut_away_gets_a_successor(world: World) -> None:
    room = await world.started()
    await ask(world, room)
    await shown(world, room)
    world.discord.state.delete_message(ballots(world)[0])
    await agree(world, room)
    (message,) = ballots(world)
    assert "**Paused." in message.content


async def test_an_archived_thread_is_opened_for_a_vote(world: World) -> None:
    room = await world.started()
    thread = world.place(room)
    assert isinstance(thread, Thread)
    world.discord.state.archive(thread)
    await ask(world, room)
    await shown(world, room)
    assert not thread.archived and len(ballots(world)) == 1


async def test_what_was_posted_unheard_is_found_after_a_restart(world: World) -> None:
    room = await world.started()
    fault = world.discord.faults.cut(*SEND, times=1, applied=True)
    await ask(world, room)
    await fault.met.wait()
    await world.stop()
    # Long after Discord has forgotten the nonce.
    for message in ballots(world):
        message.nonce = None
    await world.start()
    await shown(world, room)
    assert len(ballots(world)) == 1
    await world.bea.click(ballots(world)[0], "Yes")
    await shown(world, room)
    assert (await world.matches.find(room.record.id)).record.status is Status.ON_HOLD


async def test_a_vote_whose_place_is_lost_goes_on_where_the_match_does(world: World) -> None:
    room = await world.started()
    await ask(world, room)
    await shown(world, room)
    world.discord.state.delete_channel(world.place(room))

    async def paused() -> bool:
        return bool((await world.matches.find(room.record.id)).record.paused_for)

    await world.settled(paused)
    elsewhere = world.discord.state.add_channel("elsewhere")
    await world.ana.slash("/game resume", channel=elsewhere, match=room.record.id)
    await world.discord.until(lambda: len(ballots(world)) == 1, about="the vote in the new place")
    (message,) = ballots(world)
    assert message.labels == ["Yes", "No"] and message.pings == [world.bea.user]
    await world.bea.click(message, "Yes")
    await shown(world, room)
    now = await world.matches.find(room.record.id)
    assert now.record.status is Status.ON_HOLD and message.channel.id == now.record.place.posts_to
