"""A solo match is one message that is edited; matches of several people have a message per turn."""

import pytest

from bot.features.play.panel import PAGE, PICK
from bot.kernel.room import Room
from bot.local import Response
from bot.local.model import Message
from bot.model import Status
from bot.posts.outbox import MAX_EDITED_SECONDS
from engine import GAMES, Seat
from tests.bot.world import World

TURNS = 10


async def start_solo(world: World, **options: object) -> tuple[Response, Room]:
    """Have Ana start a solo match of Blue Lagoon."""
    response = await world.ana.slash("/solo", **{"game": "blue_lagoon", **options})
    await world.wait_until_idle()
    (room,) = await world.matches.of_user(world.ana.id)
    return response, room


def first_choice(panel: Message | Response) -> str:
    """Return the custom id of a panel's first choice."""
    message = panel.message if isinstance(panel, Response) else panel
    ids = [button["custom_id"] for button in message.buttons]
    return next(custom_id for custom_id in ids if custom_id.startswith(f"{PICK}:"))


async def play_turn(world: World, panel: Message | Response) -> None:
    """Play a turn with the first choice that the panel offers."""
    await world.ana.click(panel, custom_id=first_choice(panel))
    await world.ana.click(panel, label="Confirm")
    await world.wait_until_idle()


def public_messages(world: World) -> list[Message]:
    """Return the bot's messages that are not private, oldest first."""
    return [message for message in world.discord.messages() if not message.ephemeral]


async def test_ten_turns_in_a_thread_are_one_message(world: World) -> None:
    panel, room = await start_solo(world)
    before = public_messages(world)
    for _ in range(TURNS):
        number = room.playing().number
        await play_turn(world, panel)
        room = await world.reload(room)
        assert room.playing().number == number + 2, "she and the computer have moved"
        (board,) = world.boards(room)
        assert board.files["board.png"] and "Your move" in board.labels
    assert public_messages(world) == before


async def test_people_get_a_message_and_a_ping_each_turn(world: World) -> None:
    room = await world.start_match()
    moves = ((world.ana, "17!"), (world.bea, "30!"), (world.ana, "18!"), (world.bea, "31!"))
    for who, move in moves:
        await world.play(who, room, move)
    boards = world.boards(room)
    assert len(boards) == 1 + len(moves)
    assert [len(board.pings) for board in boards] == [1] * len(boards)


async def test_solo_answers_with_the_panel_and_posts_a_started_card(world: World) -> None:
    begun, room = await start_solo(world)
    assert begun.ephemeral and "Where do you place your piece?" in begun.content
    assert first_choice(begun)
    card, *others = world.posts()
    assert others == [] and not card.buttons
    assert f"<#{room.record.place.thread}>" in card.text
    shown = [snap for snap in world.discord.snapshots if snap.data.get("id") == str(card.id)]
    assert all("Started in" in snap.text and "Join" not in snap.text for snap in shown)


@pytest.mark.parametrize("code", [30046, 10008, 50083])
async def test_a_message_that_cannot_be_edited_is_followed_by_another(
    world: World, code: int
) -> None:
    panel, room = await start_solo(world)
    (board,) = world.boards(room)
    path = f"/channels/*/messages/{board.id}"
    world.discord.faults.respond_with("PATCH", path, 400, code=code)
    await play_turn(world, panel)
    first, second = world.boards(room)
    assert first is board and "Your move" in second.labels and not first.buttons


async def test_a_message_older_than_an_hour_is_followed_by_another(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    panel, room = await start_solo(world)
    monkeypatch.setattr(world.bot.kernel, "now", lambda: world.now() + MAX_EDITED_SECONDS + 1)
    await play_turn(world, panel)
    assert len(world.boards(room)) == 2


async def test_the_end_is_a_message_of_its_own(world: World) -> None:
    panel, room = await start_solo(world)
    await play_turn(world, panel)
    room = await world.play_out(await world.reload(room))
    await world.wait_until_idle()
    boards = world.boards(room)
    assert room.playing().outcome is not None
    assert "scores.png" in boards[-1].files and "Rematch" in boards[-1].labels
    assert not any(board.buttons for board in boards[:-1])


async def test_an_edit_whose_record_was_lost_is_repeated(world: World) -> None:
    panel, room = await start_solo(world)
    (board,) = world.boards(room)
    world.matches.stop_posting()
    question = room.playing().question(Seat(0))
    assert question is not None
    await world.play(world.ana, room, f"{question.options[0].key}!")
    world.bot.kernel.computers.wake(room.record.id)
    await world.wait_until_idle()
    assert await world.matches.pending_posts()
    await world.restart()
    assert world.boards(room) == [board] and not await world.matches.pending_posts()
    assert panel.ephemeral and "placed" in board.content


async def test_a_bot_killed_between_opening_and_starting_starts_the_match(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def stop(*_: object) -> None:
        raise RuntimeError("killed")

    monkeypatch.setattr(world.matches.lobby, "start_alone", stop)
    await world.ana.slash("/solo", game="blue_lagoon")
    world.expect_error("RuntimeError")
    assert world.posts() == []
    await world.restart()
    (room,) = await world.matches.of_user(world.ana.id)
    assert room.match is not None and len(world.boards(room)) == 1
    (card,) = world.posts()
    assert "Started in" in card.text


# In direct messages


async def start_directly(world: World, command: str = "/solo", **options: object) -> Room:
    """Have Ana start a match in her direct messages."""
    options = {"game": "blue_lagoon", **options}
    response = await world.ana.slash(command, channel=world.discord.dm(world.ana), **options)
    await world.wait_until_idle()
    assert response.message.deleted, "the board is the answer"
    (room,) = await world.matches.of_user(world.ana.id)
    return room


async def test_ten_turns_in_a_direct_message_are_one_message(world: World) -> None:
    room = await start_directly(world)
    (board,) = world.ana.inbox()
    assert "Where do you place your piece?" in board.content and board.files["board.png"]
    for _ in range(TURNS):
        number = room.playing().number
        await play_turn(world, board)
        room = await world.reload(room)
        assert room.playing().number == number + 2, "she and the computer have moved"
        assert board.files["board.png"] and "Where do you place" in board.content
        assert f"**{room.record.chairs[1].name}" in board.content or "placed" in board.content
    assert world.ana.inbox() == [board] and not world.errors


async def test_drafts_pages_and_undo_edit_the_same_message(world: World) -> None:
    room = await start_directly(world)
    (board,) = world.ana.inbox()
    await world.ana.click(board, custom_id=first_choice(board))
    assert "Your turn so far" in board.content and room.record.id in board.content
    controls = [part["label"] for part in board.components[-1]["components"]]
    assert controls == ["Confirm", "Undo", "Log", "Rules", "Fairness"]
    await world.ana.click(board, label="Undo")
    assert "Your turn so far" not in board.content
    folder = next(b["custom_id"] for b in board.buttons if b["custom_id"].startswith(f"{PAGE}:"))
    await world.ana.click(board, custom_id=folder)
    assert "Back" in board.labels
    await world.ana.click(board, label="Back")
    await world.ana.click(board, label="Hint")
    assert "**Hint:" in board.content
    assert world.ana.inbox() == [board]


async def test_typed_moves_and_undo_edit_the_message(world: World) -> None:
    room = await start_directly(world)
    place = world.discord.dm(world.ana)
    (board,) = world.ana.inbox()
    question = room.playing().question(Seat(0))
    assert question is not None
    key = question.options[0].key
    await world.ana.slash("/play", channel=place, move=key)
    await world.wait_until_idle()
    assert "Your turn so far" in board.content and "Confirm" in board.labels
    await world.ana.slash("/undo", channel=place)
    await world.wait_until_idle()
    assert "Your turn so far" not in board.content
    await world.ana.slash("/play", channel=place, move=f"{key}!")
    assert "Ana placed" in board.content
    public = [message for message in world.ana.inbox() if not message.ephemeral]
    assert public == [board]
    response = await world.ana.slash("/resign", channel=place)
    await world.ana.click(response, label="Yes, give up my seat")
    await world.wait_until_idle()
    public = [message for message in world.ana.inbox() if not message.ephemeral]
    assert public[0] is board and not board.buttons
    assert "Rematch" in public[-1].labels and "scores.png" in public[-1].files


async def test_a_rematch_in_a_direct_message_begins_with_its_board(world: World) -> None:
    room = await start_directly(world)
    await world.play_out(room)
    await world.wait_until_idle()
    ended = world.ana.inbox()[-1]
    await world.ana.click(ended, label="Rematch")
    await world.wait_until_idle()
    (again,) = await world.matches.of_user(world.ana.id)
    board = world.ana.inbox()[-1]
    assert again.record.id in board.content and first_choice(board)
    assert not again.record.lobby_message


async def test_a_lesson_in_a_direct_message_gets_its_advice_by_an_edit(world: World) -> None:
    await start_directly(world, "/learn")
    (board,) = world.ana.inbox()
    assert "**Good**" in board.content
    await play_turn(world, board)
    assert "**Good**" in board.content and world.ana.inbox() == [board]


async def test_a_lesson_in_a_server_keeps_its_advice_private(world: World) -> None:
    panel = await world.ana.slash("/learn", game="conquest")
    await world.wait_until_idle()
    (room,) = await world.matches.of_user(world.ana.id)
    (board,) = world.boards(room)
    assert "**Good**" in panel.private.content and board.content.startswith(f"<@{world.ana.id}>")
    assert not board.is_layout and "**Good**" not in board.content


async def test_an_old_direct_board_leads_to_the_newer_one(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = await start_directly(world)
    (board,) = world.ana.inbox()
    monkeypatch.setattr(world.bot.kernel, "now", lambda: world.now() + MAX_EDITED_SECONDS + 1)
    await play_turn(world, board)
    old, new = world.ana.inbox()
    assert old is board and old.content == "This match continues below." and not old.buttons
    assert room.record.id in new.content and first_choice(new)


async def test_a_direct_board_that_was_sent_unnoticed_is_not_sent_again(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The bot is killed after Discord has accepted the board."""

    async def stop(*_: object) -> None:
        raise KeyboardInterrupt

    place = world.discord.dm(world.ana)
    world.waits_for_all = False
    with monkeypatch.context() as killed:
        killed.setattr(world.matches.kernel.matches, "note_post", stop)
        await world.ana.slash("/solo", channel=place, game="blue_lagoon", wait="ack")
        await world.discord.until(
            lambda: any(not one.ephemeral for one in world.ana.inbox()), about="the board"
        )
    await world.restart()
    boards = [message for message in world.ana.inbox() if not message.ephemeral]
    assert len(boards) == 1 and not await world.matches.pending_posts()


async def test_a_second_press_on_a_direct_board_says_nothing(world: World) -> None:
    await start_directly(world)
    (board,) = world.ana.inbox()
    world.waits_for_all = False
    edit = world.discord.faults.hold("PATCH", "/webhooks/*/*/messages/@original")
    choice = first_choice(board)
    await world.ana.click(board, custom_id=choice, wait="ack")
    await edit.was_hit.wait()
    await world.ana.click(board, custom_id=choice, wait="ack")
    edit.release()
    await world.wait_until_idle()
    assert "Your turn so far" in board.content
    assert world.ana.inbox() == [board]


async def test_a_match_whose_board_was_plain_goes_on_in_it(world: World) -> None:
    """Earlier versions sent ordinary posts to direct messages."""
    room = await start_directly(world)
    (board,) = world.ana.inbox()
    plain = await world.bot.get_partial_messageable(room.record.place.channel).send("Ana's turn")
    await world.matches.note_messages(room.record.id, turn_message=plain.id)
    await world.ana.slash("/play", channel=board.channel, move="!")
    question = room.playing().question(Seat(0))
    assert question is not None
    await world.ana.slash("/play", channel=board.channel, move=f"{question.options[0].key}!")
    shown = next(message for message in world.ana.inbox() if message.id == plain.id)
    assert "Ana placed" in shown.content and first_choice(shown)


async def test_a_lesson_in_a_direct_message_can_end_there(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(type(GAMES["maori"]), "lesson_over", lambda self, state: True)
    room = await start_directly(world, "/learn", game="maori")
    (board,) = world.ana.inbox()
    assert "That's the lesson!" in board.content and "scores.png" in board.files
    ending = await world.ana.click(board, label="Stop here")
    await world.wait_until_idle()
    assert ending.last.ephemeral and ending.last.content.startswith("You've stopped here")
    assert (await world.reload(room)).record.status is Status.CALLED_OFF
    assert "Rematch" in board.labels and "Stop here" not in board.labels


async def test_the_next_match_opens_privately_from_a_direct_board(world: World) -> None:
    first = await start_directly(world)
    (board,) = world.ana.inbox()
    await world.ana.slash("/solo", channel=board.channel, game="maori")
    await world.wait_until_idle()
    resigned = await world.ana.slash("/resign", channel=board.channel, match=first.record.id)
    ended = await world.ana.click(resigned, label="Yes, give up my seat")
    following = next(label for label in ended.message.labels if "Next match" in label)
    opened = await world.ana.click(ended, label=following)
    assert "Maori" in opened.content and opened.ephemeral
