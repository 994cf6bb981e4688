"""The outbox under faults: every post goes out once, in order, and no match is lost."""

import asyncio
from fnmatch import fnmatch

import pytest

from bot.kernel import queries
from bot.kernel.room import Post, Room
from bot.local.model import Message
from bot.model import Announcement, Status
from bot.posts.outbox import Outbox
from bot.runtime.base import StoreError
from engine import Seat
from tests.bot.intercept import Run, intercept
from tests.bot.world import Player, World
from tests.patience import PATIENCE

POSTS = "/channels/*/messages"


@pytest.fixture(autouse=True)
def paused_matches_stay_paused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep paused matches from trying to post again, however long a test takes.

    The bot would take the match's new thread for a sign that it may post there.
    """
    monkeypatch.setattr("bot.posts.places.CHECK_SECONDS", PATIENCE)


def turns(world: World, room: Room) -> list[Message]:
    """Return the turn posts of a match where it is played, oldest first."""
    return [message for message in world.posts(room) if "Blue Lagoon" in message.content]


def requests_to(world: World, method: str, path: str) -> list[str]:
    """Return the paths of the bot's requests to a route."""
    found = [asked for asked in world.discord.rest.requests if asked.method == method]
    return [asked.path for asked in found if fnmatch(asked.path, path)]


async def test_a_turn_is_posted_with_its_picture_and_one_ping(world: World) -> None:
    room = await world.start_match()
    await world.ana.slash("/play", channel=world.place(room), move="17!")
    first, second = turns(world, room)
    assert second.pings == [world.bea.user] and first.nonce != second.nonce
    assert second.attachments[0].filename == "board.png"


async def test_buttons_of_the_previous_turn_are_removed_once(world: World) -> None:
    room = await world.start_match()
    for who, move in ((world.ana, "17!"), (world.bea, "1!"), (world.ana, "30!")):
        await who.slash("/play", channel=world.place(room), move=move)
    posted = turns(world, room)
    assert [bool(message.components) for message in posted] == [False, False, False, True]
    edits = requests_to(world, "PATCH", f"/channels/{world.place(room).id}/messages/*")
    assert len(edits) == 3


STARTERS = "t,t,t,t,done!"


async def start_secret_round(world: World, *others: Player) -> Room:
    """Start a Conquest match in which all choose their first pieces in secret."""
    opened = await world.ana.slash("/game new", game="conquest", settings="start=variable")
    for person in others or (world.bea,):
        await person.click(opened.message, label="Join")
    await world.ana.click(opened.message, label="Start")
    (room,) = await world.matches.of_user(world.ana.id)
    assert room.match is not None
    assert room.match.waiting_for() == tuple(range(max(len(others), 1) + 1))
    return room


async def test_the_last_post_says_who_has_answered_in_secret(world: World) -> None:
    room = await start_secret_round(world)
    (first,) = world.posts(room)
    opening = first.content
    await world.bea.slash("/play", channel=world.place(room), move=STARTERS)
    (board,) = world.posts(room)
    assert "Everyone else has answered: Bea (1 of 2)." in board.content
    assert "**Ana**" in board.content
    assert "**Bea**" not in board.content
    assert opening.splitlines()[-1] in board.content, "the dice stay sealed where they were"
    assert board.components and board.attachments
    await world.ana.slash("/play", channel=world.place(room), move=STARTERS)
    assert len(world.posts(room)) == 2
    assert "(1 of 2)" in board.content


async def test_whoever_is_awaited_last_is_told_apart(world: World) -> None:
    room = await start_secret_round(world, world.bea, world.cem)
    answer = {"channel": world.place(room), "move": STARTERS}
    assert "**Your turn**" in (await world.ana.ask("/games")).content
    await world.bea.slash("/play", **answer)
    (board,) = world.posts(room)
    assert "Already answered: Bea (1 of 3)." in board.content
    assert "**Your turn**" in (await world.ana.ask("/games")).content
    await world.cem.slash("/play", **answer)
    assert "Everyone else has answered: Bea and Cem (2 of 3)." in board.content
    assert "**Only you are left**" in (await world.ana.ask("/games")).content
    assert "Only you" not in (await world.bea.ask("/games")).content
    await world.ana.slash("/play", **answer)
    assert "Only you" not in (await world.ana.ask("/games")).content


async def test_an_uneditable_last_post_stays_unchanged(world: World) -> None:
    room = await start_secret_round(world)
    world.discord.faults.respond_with("PATCH", "/channels/*/messages/*", 400, code=30046)
    await world.bea.slash("/play", channel=world.place(room), move=STARTERS)
    (board,) = world.posts(room)
    assert "has answered" not in board.content
    await world.ana.slash("/play", channel=world.place(room), move=STARTERS)
    assert len(world.posts(room)) == 2


@pytest.mark.parametrize("applied", [False, True], ids=["before", "after"])
@pytest.mark.parametrize("fault", ["error", "cut"])
async def test_a_failed_post_is_retried_and_posted_once(
    world: World, fault: str, applied: bool
) -> None:
    """Discord fails or the connection breaks, before or after the request was carried out."""
    room = await world.start_match()
    if fault == "error":
        world.discord.faults.respond_with("POST", POSTS, 503, times=3, applied=applied)
    else:
        world.discord.faults.cut("POST", POSTS, applied=applied)
    await world.play(world.ana, room, "17!")
    await world.wait_until_posted()
    assert len(turns(world, room)) == 2


async def test_play_continues_while_posts_are_held_up(world: World) -> None:
    room = await world.start_match()
    held = world.discord.faults.hold("POST", POSTS)
    await world.play(world.ana, room, "17!")
    answer = await world.play(world.bea, room, "1!")
    assert answer.private.content.startswith("Done.")
    held.release()
    await world.wait_until_posted()
    assert len(turns(world, room)) == 3


async def test_pending_posts_go_out_after_the_start(world: World, monkeypatch) -> None:
    room = await world.start_match()
    world.matches.stop_posting()
    await world.ana.slash("/play", channel=world.place(room), move="17!")
    assert len(turns(world, room)) == 1
    await world.restart()
    assert len(turns(world, room)) == 2
    assert await world.matches.pending_posts() == []


async def test_a_busy_database_at_the_start_only_delays_posts(world: World, monkeypatch) -> None:
    monkeypatch.setattr("bot.app.DATABASE_RETRY_SECONDS", 0.01)
    room = await world.start_match()
    world.matches.stop_posting()
    await world.ana.slash("/play", channel=world.place(room), move="17!")
    failed = []

    async def fail_once(run: Run, **_: object) -> list[str]:
        if not failed:
            failed.append(run)
            raise StoreError("busy")
        return await run()

    intercept(monkeypatch, queries.matches_awaiting_computer, fail_once)
    await world.restart()
    assert failed and len(turns(world, room)) == 2


async def post_without_noting(world: World, monkeypatch: pytest.MonkeyPatch) -> Room:
    """Start a match whose last board is posted, but not noted before the bot stops."""
    room = await world.start_match()

    async def crash(*args: object) -> None:
        raise asyncio.CancelledError

    monkeypatch.setattr(world.matches.kernel.matches, "note_post", crash)
    await world.ana.slash("/play", channel=world.place(room), move="17!")
    assert len(await world.matches.pending_posts()) == 1
    return room


async def test_an_unnoted_post_is_found_again(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = await post_without_noting(world, monkeypatch)
    await world.restart()
    assert len(requests_to(world, "POST", POSTS)) == len(turns(world, room)) == 2
    assert await world.matches.pending_posts() == []


async def test_a_repeated_post_carries_the_same_nonce(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def nothing(*args: object) -> None:
        return None

    room = await post_without_noting(world, monkeypatch)
    monkeypatch.setattr(Outbox, "_find_posted", nothing)
    await world.restart()
    assert len(requests_to(world, "POST", POSTS)) == 3, "it was sent once more"
    assert len(turns(world, room)) == 2, "Discord knows it by its nonce"
    assert await world.matches.pending_posts() == []


async def test_a_deleted_thread_pauses_the_match_and_tells_the_host(world: World) -> None:
    room = await world.start_match()
    place = world.place(room)
    shown = await world.ana.slash("/play", channel=place, move="17")
    world.discord.faults.respond_with("POST", POSTS, 404, code=10003)
    await world.ana.click(shown, label="Confirm")
    paused = await world.reload(room)
    assert paused.record.status is Status.PAUSED and paused.match.number == 1, "the move is kept"
    (told,) = [message.content for message in world.ana.inbox()]
    assert world.bea.inbox() == []
    assert "paused" in told and f"/game resume match:{room.record.id}" in told
    assert "paused" in (await world.bea.ask("/games")).content
    refused = (await world.bea.ask("/play", move="1!", match=room.record.id)).content
    assert "paused" in refused
    opened = (await world.bea.ask("/play", match=room.record.id)).content
    assert opened.startswith("This match is paused: ") and "`/game resume`" in opened


async def test_a_paused_match_continues_where_it_is_resumed(world: World) -> None:
    room = await world.start_match()
    world.discord.faults.respond_with("POST", POSTS, 403, code=50013)
    await world.ana.slash("/play", channel=world.place(room), move="17!")
    other = world.discord.add_channel("elsewhere")
    assert "None of your matches" in (await world.cem.ask("/game resume", channel=other)).content
    assert "continues here" in (await world.bea.ask("/game resume", channel=other)).content
    moved = await world.reload(room)
    assert moved.record.status is Status.RUNNING and moved.record.place.channel == other.id
    (thread,) = world.threads(other)
    assert "Ana placed a boat on 17." in world.newest(thread).content
    assert (await world.bea.ask("/play", channel=thread, move="1!")).content.startswith("Done.")
    assert "Bea placed a boat on 1." in world.newest(thread).content


async def test_the_host_can_move_a_match_back(world: World) -> None:
    room = await world.start_match()
    other = world.discord.add_channel("elsewhere")
    await world.matches.outbox.pause_all(room.record.place.thread)
    await world.bea.slash("/game resume", channel=other)
    assert "Only the host" in (await world.bea.ask("/game move", match=room.record.id)).content
    assert "is now played here" in (await world.ana.ask("/game move")).content
    await world.wait_until_idle()
    moved = await world.reload(room)
    assert moved.record.status is Status.RUNNING
    assert moved.record.place.channel == world.channel.id
    board = world.newest(moved)
    assert "Blue Lagoon" in board.content and board.components
    assert (
        await world.ana.ask("/play", channel=world.place(moved), move="17!")
    ).content.startswith("Done.")


async def test_a_match_resumed_between_turns_shows_its_board_in_the_new_place(
    world: World,
) -> None:
    room = await world.start_match()
    await world.ana.slash("/play", channel=world.place(room), move="17!")
    await world.matches.outbox.pause_all(room.record.place.thread)
    other = world.discord.add_channel("elsewhere")
    await world.bea.slash("/game resume", channel=other)
    (thread,) = world.threads(other)
    (board,) = [message for message in world.posts(thread) if "Blue Lagoon" in message.content]
    assert (
        "**Bea**'s turn: place a piece" in board.content and board.attachments and board.components
    )
    assert "Ana placed a boat on 17." in board.content, "nobody can look it up where it was told"
    await world.bea.slash("/play", channel=thread, move="1!")
    assert (
        len([message for message in world.posts(thread) if "Blue Lagoon" in message.content]) == 2
    )


async def test_a_match_resumed_in_its_thread_stays_there(world: World) -> None:
    room = await world.start_match()
    world.discord.faults.respond_with("POST", POSTS, 403, code=50013)
    await world.ana.slash("/play", channel=world.place(room), move="17!")
    assert (
        "continues here" in (await world.ana.ask("/game resume", channel=world.place(room))).content
    )
    assert (await world.reload(room)).record.place == room.record.place
    assert "Ana placed a boat on 17." in turns(world, room)[-1].content


async def test_a_busy_database_only_delays_a_post(world: World, monkeypatch) -> None:
    room = await world.start_match()
    post_of, failed = world.matches.kernel.matches.post_of, []

    async def busy(announcement: Announcement) -> Post:
        if not failed:
            failed.append(announcement.id)
            raise StoreError("busy")
        return await post_of(announcement)

    monkeypatch.setattr(world.matches.kernel.matches, "post_of", busy)
    await world.ana.slash("/play", channel=world.place(room), move="17!")
    assert failed and len(turns(world, room)) == 2


async def test_a_stopping_bot_starts_no_new_post(world: World, monkeypatch) -> None:
    room = await world.start_match()
    asked, goes_on = [], asyncio.Event()

    async def slow(match: str) -> list[Announcement]:
        asked.append(match)
        await goes_on.wait()
        return []

    monkeypatch.setattr(world.matches.kernel.matches, "pending_posts", slow)
    # As if another process had posted the board: the pending posts have to be read.
    world.matches.outbox._sent.clear()
    world.matches.outbox.poke(room.record.id)
    await asyncio.sleep(0)
    world.matches.outbox.poke(room.record.id)
    closing = asyncio.ensure_future(world.matches.outbox.close())
    await asyncio.sleep(0)
    goes_on.set()
    await closing
    await asyncio.sleep(0)
    assert asked == [room.record.id]


async def test_an_end_that_could_not_be_posted_is_posted_where_it_is_resumed(world: World) -> None:
    room = await world.start_match()
    response = await world.ana.slash("/resign", channel=world.place(room))
    world.discord.faults.respond_with("POST", POSTS, 403, code=50001)
    await world.ana.click(response, label="Yes, give up my seat")
    ended = await world.reload(room)
    assert ended.record.status is Status.FINISHED
    assert "is over" in world.ana.inbox()[-1].content
    assert "continues here" in (await world.ana.ask("/game resume", match=room.record.id)).content
    assert "1. **Bea**" in turns(world, await world.reload(room))[-1].content


async def test_deleting_a_channel_pauses_its_matches(world: World) -> None:
    room = await world.start_match()
    await world.bot.on_guild_channel_delete(world.bot.get_channel(world.channel.id))
    await world.matches.outbox.pause_all(room.record.place.thread)
    assert (await world.reload(room)).record.status is Status.PAUSED
    (message,) = world.ana.inbox()
    assert "is paused" in message.content, "told once"


async def test_without_threads_the_match_uses_the_channel(world: World) -> None:
    world.discord.faults.respond_with("POST", "/channels/*/messages/*/threads", 400, code=160006)
    room = await world.start_match()
    assert room.record.place.thread == 0 and not room.record.place.wants_thread
    assert "place a piece" in world.newest().content


async def test_a_deleted_lobby_message_does_not_stop_the_match(world: World) -> None:
    world.discord.faults.respond_with("POST", "/channels/*/messages/*/threads", 404, code=10008)
    room = await world.start_match()
    assert room.record.place.thread and "place a piece" in world.newest(room).content


async def test_an_archived_thread_is_opened_before_posting(world: World) -> None:
    room = await world.start_match()
    world.discord.faults.respond_with("POST", POSTS, 400, code=50083)
    await world.ana.slash("/play", channel=world.place(room), move="17!")
    thread = world.place(room)
    assert len(requests_to(world, "PATCH", f"/channels/{thread.id}")) == 1
    assert len(turns(world, room)) == 2


async def test_an_uneditable_old_turn_keeps_its_buttons(world: World) -> None:
    room = await world.start_match()
    world.discord.faults.respond_with("PATCH", "/channels/*/messages/*", 400, code=30046)
    await world.ana.slash("/play", channel=world.place(room), move="17!")
    first, second = turns(world, room)
    assert first.components and second.components
    assert "Where do you place" in (await world.bea.press(first, label="Your move")).content


async def test_computers_play_and_are_not_mentioned(world: World) -> None:
    message = (await world.open_lobby()).message
    await world.add_computer(message)
    await world.ana.click(message, label="Start")
    (room,) = await world.matches.of_user(world.ana.id)
    await world.ana.slash("/play", channel=world.place(room), move="17!")
    match = (await world.reload(room)).match
    assert match is not None and match.number == 2 and match.waiting_for() == (0,)
    last = turns(world, room)[-1]
    assert last.content.startswith(f"<@{world.ana.id}>") and " ⚙ placed " in last.content


async def test_a_computer_that_thinks_for_a_while_is_named(world: World) -> None:
    message = (await world.open_lobby(settings="first=1")).message
    await world.add_computer(message)
    await world.bea.click(message, label="Join")
    await world.ana.click(message, label="Start")
    (room,) = await world.matches.of_user(world.ana.id)
    (board,) = turns(world, room)
    at_first = board.content
    world.matches.computers._slow[room.record.id] = Seat(1)
    world.matches.outbox.poke(room.record.id)
    await world.wait_until_idle()
    (board,) = turns(world, room)
    assert board.content == at_first, "it thinks about what is not asked"
    # As it would be if a computer had Ana's seat.
    world.matches.computers._slow[room.record.id] = Seat(0)
    for _ in range(2):
        world.matches.outbox.poke(room.record.id)
        await world.wait_until_idle()
    (board,) = turns(world, room)
    assert board.content == f"{at_first}\n**Ana** is thinking…"
    assert board.components
    assert board.attachments
    world.matches.computers._slow.clear()
    await world.ana.slash("/play", channel=world.place(room), move="17!")
    told, newest = turns(world, room)
    assert "is thinking" not in newest.content
    assert told.content == at_first.removeprefix(f"<@{world.ana.id}> "), "the story stays readable"


async def test_the_number_of_simultaneous_posts_is_limited(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    outbox, at_once, most = world.matches.outbox, 0, 0

    async def owns(match: str) -> bool:
        nonlocal at_once, most
        at_once += 1
        most = max(most, at_once)
        await asyncio.sleep(0)
        at_once -= 1
        return False

    monkeypatch.setattr(world.bot, "owns", owns)
    monkeypatch.setattr(outbox, "_posting", asyncio.Semaphore(2))
    await asyncio.gather(*(outbox.deliver(Announcement(n, "abc", 0, 1), 0) for n in range(5)))
    assert most == 2
