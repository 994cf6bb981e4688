"""The messages of votes when Discord fails: one per vote, with the result in the end."""

from bot.features.votes import queries as vote_queries
from bot.kernel.room import Room
from bot.local.model import Message, Thread
from bot.model import Status
from tests.bot.world import World

SEND = ("POST", "/channels/*/messages")
EDIT = ("PATCH", "/channels/*/messages/*")


def ballots(world: World) -> list[Message]:
    return [message for message in world.discord.messages() if "wants to pause" in message.content]


async def ask(world: World, room: Room) -> None:
    await world.matches.votes.propose(room.record.id, room.record.chairs[0], "pause")


async def wait_for_vote_message(world: World, room: Room) -> None:
    """Wait until the vote has a message that shows it."""

    async def holds() -> bool:
        (vote,) = await world.matches.store.read(vote_queries.votes, room.record.id)
        return bool(vote.message) and (vote.is_open or vote.told)

    await world.wait_until(holds)


async def agree(world: World, room: Room) -> None:
    await world.matches.votes.cast(room.record.id, 1, world.bea.id, "yes")
    await wait_for_vote_message(world, room)


async def test_a_vote_uses_one_message_despite_an_outage(world: World) -> None:
    room = await world.start_match()
    world.discord.faults.respond_with(*SEND, status=503, times=3)
    await ask(world, room)
    await wait_for_vote_message(world, room)
    world.discord.faults.respond_with(*EDIT, status=500, times=3)
    await agree(world, room)
    (message,) = ballots(world)
    assert "**Paused." in message.content and message.buttons == []


async def test_a_deleted_or_locked_vote_message_is_replaced(world: World) -> None:
    room = await world.start_match()
    await ask(world, room)
    await wait_for_vote_message(world, room)
    world.discord.state.delete_message(ballots(world)[0])
    await agree(world, room)
    (message,) = ballots(world)
    assert "**Paused." in message.content


async def test_an_archived_thread_is_opened_for_a_vote(world: World) -> None:
    room = await world.start_match()
    thread = world.place(room)
    assert isinstance(thread, Thread)
    world.discord.state.archive(thread)
    await ask(world, room)
    await wait_for_vote_message(world, room)
    assert not thread.archived and len(ballots(world)) == 1


async def test_a_vote_message_whose_answer_was_lost_is_found_after_a_restart(world: World) -> None:
    room = await world.start_match()
    fault = world.discord.faults.cut(*SEND, times=1, applied=True)
    await ask(world, room)
    await fault.was_hit.wait()
    await world.stop()
    # Long after Discord has forgotten the nonce.
    for message in ballots(world):
        message.nonce = None
    await world.start()
    await wait_for_vote_message(world, room)
    assert len(ballots(world)) == 1
    await world.bea.click(ballots(world)[0], "Yes")
    await wait_for_vote_message(world, room)
    assert (await world.matches.find(room.record.id)).record.status is Status.ON_HOLD


async def test_a_vote_moves_with_its_match(world: World) -> None:
    room = await world.start_match()
    await ask(world, room)
    await wait_for_vote_message(world, room)
    world.discord.state.delete_channel(world.place(room))

    async def paused() -> bool:
        return bool((await world.matches.find(room.record.id)).record.paused_for)

    await world.wait_until(paused)
    elsewhere = world.discord.state.add_channel("elsewhere")
    await world.ana.slash("/game resume", channel=elsewhere, match=room.record.id)
    await world.discord.until(lambda: len(ballots(world)) == 1, about="the vote in the new place")
    (message,) = ballots(world)
    assert message.labels == ["Yes", "No"] and message.pings == [world.bea.user]
    await world.bea.click(message, "Yes")
    await wait_for_vote_message(world, room)
    now = await world.matches.find(room.record.id)
    assert now.record.status is Status.ON_HOLD
    assert message.channel.id == now.record.place.posts_to
