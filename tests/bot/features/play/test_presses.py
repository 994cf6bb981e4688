"""Playing on Discord: the panel and its controls, /play, /undo and /resign."""

import re
from collections.abc import Iterable
from types import SimpleNamespace
from typing import Any

import pytest
from discord import ui

from bot.features.play.panel import PAGE, PICK
from bot.kernel.room import Room
from bot.local import Impossible, Response, interactions
from bot.local.model import Message
from bot.model import Status
from bot.runtime.base import Refused
from bot.ui import MotuInteraction, Part, Section, reply, view_of
from bot.ui.which_match import must_be_in_server
from engine import Seat
from engine.core.typed import Suggestion
from tests.bot.world import Player, World


async def open_panel(world: World, who: Player, room: Room) -> Response:
    """Press Your move."""
    return await who.click(world.newest(room), label="Your move")


def pages(shown: Message) -> dict[str, str]:
    """Return the custom ids of the buttons that lead to other options, by group or page."""
    ids = [part["custom_id"] for part in shown.controls if part["custom_id"].startswith(f"{PAGE}:")]
    return {custom_id.rpartition(":")[2]: custom_id for custom_id in ids}


def option_id(shown: Message, key: str) -> str:
    """Return the custom id of an option's button; '' if it is on another page."""
    ids = [part["custom_id"] for part in shown.controls if part["custom_id"].startswith(f"{PICK}:")]
    return next((custom_id for custom_id in ids if custom_id.endswith(f":{key}")), "")


async def choose(who: Player, shown: Any, key: str) -> Response:
    """Press an option's button, on whichever page of the panel it is."""
    for group in pages(shown):
        if option_id(shown, key):
            break
        shown = await who.press(shown, custom_id=pages(shown)[group])
        if not option_id(shown, key):
            shown = await who.press(shown, label="Back")
    return await who.click(shown, custom_id=option_id(shown, key))


async def test_your_move_opens_a_private_panel_with_a_picture(world: World) -> None:
    room = await world.start_match()
    opened = await open_panel(world, world.ana, room)
    shown = opened.private
    assert "Where do you place your piece?" in shown.content
    (picture,) = shown.attachments
    assert picture.filename == "board.png"
    assert picture.description
    assert len(picture.description) <= 1024


async def test_the_interaction_is_deferred_before_the_picture_is_drawn(
    world: World, monkeypatch
) -> None:
    room = await world.start_match()
    draw, promised = world.bot.pictures.board, []

    async def watched(*args: Any, **kwargs: Any) -> Any:
        newest = list(world.discord.interactions.by_token.values())[-1]
        promised.append(newest.answer)
        return await draw(*args, **kwargs)

    monkeypatch.setattr(world.bot.pictures, "board", watched)
    shown = (await open_panel(world, world.ana, room)).private
    await choose(world.ana, shown, "17")
    assert promised == [interactions.DEFER, interactions.DEFER_UPDATE]


async def test_a_turn_by_buttons_is_choose_and_confirm(world: World) -> None:
    room = await world.start_match()
    shown = (await open_panel(world, world.ana, room)).private
    drafted = (await choose(world.ana, shown, "17")).private
    assert drafted.id == shown.id, "the panel is edited in place"
    assert "boat on 17" in drafted.content and drafted.labels == ["Confirm", "Undo"]
    before = len(world.posts(room))
    done = await world.ana.press(drafted, label="Confirm")
    assert done.content.startswith("Done.") and "Bea" in done.content
    posted = world.newest(room)
    assert len(world.posts(room)) == before + 1
    assert "Ana placed a boat on 17." in posted.content and f"<@{world.bea.id}>" in posted.content


async def test_nobody_sees_a_draft(world: World) -> None:
    room = await world.start_match()
    turn = world.newest(room)
    await world.ana.slash("/play", channel=world.place(room), move="17")
    assert world.newest(room) == turn
    for who in (world.bea, world.cem):
        assert "17" not in (await who.press(turn, label="Log")).content
        shown = await who.slash("/board", channel=world.place(room))
        assert "boat" not in shown.content


async def test_undo_takes_the_choice_back(world: World) -> None:
    room = await world.start_match()
    shown = (
        await choose(world.ana, (await open_panel(world, world.ana, room)).private, "17")
    ).private
    undone = await world.ana.press(shown, label="Undo")
    assert "Undo" not in undone.labels and "Where do you place" in undone.content
    match = (await world.reload(room)).match
    assert match is not None and not match.draft(Seat(0)).answers


async def test_a_second_press_of_the_same_button_moves_once(world: World) -> None:
    room = await world.start_match()
    shown = (await open_panel(world, world.ana, room)).private
    await choose(world.ana, shown, "17")
    fresh = (await open_panel(world, world.ana, room)).private
    confirm = next(part["custom_id"] for part in fresh.controls if part.get("label") == "Confirm")
    await world.ana.click(fresh, custom_id=confirm)
    match = (await world.reload(room)).match
    assert match is not None and match.number == 1


async def test_a_stale_panel_is_redrawn_and_does_nothing(world: World) -> None:
    room = await world.start_match()
    first, second = [(await open_panel(world, world.ana, room)).private for _ in range(2)]
    opened = await world.ana.press(second, custom_id=pages(second)["sea-south"])
    await world.ana.slash("/play", channel=world.place(room), move="17!")
    await world.bea.slash("/play", channel=world.place(room), move="1!")
    late = await world.ana.press(first, custom_id=pages(first)["sea-south"])
    assert late.content.startswith("That button is out of date")
    late = await world.ana.press(opened, custom_id=option_id(opened, "30"))
    assert late.content.startswith("That button is out of date") and late.attachments
    match = (await world.reload(room)).match
    assert match is not None
    assert match.number == 2
    assert not match.draft(Seat(0)).answers


async def test_a_stale_press_says_why_its_choice_is_no_longer_legal(world: World) -> None:
    room = await world.start_match()
    shown = (await open_panel(world, world.ana, room)).private
    old = await world.ana.press(shown, custom_id=pages(shown)["sea-south"])
    await world.ana.slash("/play", channel=world.place(room), move="17!")
    await world.bea.slash("/play", channel=world.place(room), move="30!")
    late = await world.ana.press(old, custom_id=option_id(old, "30"))
    assert late.content.startswith(
        "That button is out of date. Bea already has a piece on 30. Choose a free space. "
        "Here's the current board."
    )


async def test_an_illegal_press_is_refused_with_the_reason(world: World) -> None:
    room = await world.start_match()
    await world.ana.slash("/play", channel=world.place(room), move="17!")
    await world.bea.slash("/play", channel=world.place(room), move="30!")
    turn = (await world.reload(room)).playing().turn(Seat(0))
    text = await press_forged(world, world.ana, room, f"p:{room.record.id}:0:{turn}:place_piece:30")
    assert text.startswith("Bea already has a piece on 30.")


@pytest.mark.parametrize(
    "move", ["17", "17!", "nonsense", "zz,zz!", "17/18", "!", "reveal_card/haka"]
)
async def test_every_typed_move_in_a_paused_match_is_refused(world: World, move: str) -> None:
    room = await world.start_match()
    place = world.place(room)
    await world.matches.pause(room.record.id, "gone")
    text = (await world.ana.ask("/play", channel=place, move=move, match=room.record.id)).content
    assert text.startswith("This match is paused: its channel or thread is gone.")
    match = (await world.reload(room)).match
    assert match is not None and not match.draft(Seat(0)).answers


async def test_the_panel_works_after_a_restart_with_its_draft(world: World) -> None:
    room = await world.start_match()
    shown = (
        await choose(world.ana, (await open_panel(world, world.ana, room)).private, "17")
    ).private
    await world.restart()
    done = await world.ana.press(shown, label="Confirm")
    assert done.content.startswith("Done.")
    match = (await world.reload(room)).match
    assert match is not None and match.number == 1


async def test_two_levels_of_buttons_lead_to_every_spot(world: World) -> None:
    room = await world.start_match()
    for who, move in ((world.ana, "17"), (world.bea, "1"), (world.ana, "b10"), (world.bea, "30")):
        await who.slash("/play", channel=world.place(room), move=f"{move}!")
    await world.ana.slash("/play", channel=world.place(room), move="h1!")
    await world.bea.slash("/play", channel=world.place(room), move="31!")
    top = (await open_panel(world, world.ana, room)).private
    assert not option_id(top, "20") and option_id(top, "h2v")
    below = await world.ana.press(top, custom_id=pages(top)["sea-north"])
    assert "Back" in below.labels
    again = await world.ana.press(below, label="Back")
    assert [part["custom_id"] for part in again.controls] == [
        part["custom_id"] for part in top.controls
    ]
    assert "boat on 20" in (await choose(world.ana, again, "20")).private.content


async def test_a_player_out_of_turn_gets_their_board_and_an_explanation(world: World) -> None:
    room = await world.start_match()
    shown = (await open_panel(world, world.bea, room)).private
    assert (
        shown.content.startswith("Not your turn yet. **Ana**'s turn: place a piece")
        and shown.attachments
    )
    typed = await world.bea.ask("/play", channel=world.place(room), move="17")
    assert "not your turn" in typed.content and typed.attachments


async def test_a_spectator_is_told_what_they_can_do(world: World) -> None:
    room = await world.start_match()
    assert "not in this match" in (await open_panel(world, world.cem, room)).private.content
    for command in ("play", "undo", "resign", "hand"):
        assert (
            "not in this match" in (await world.cem.ask(command, channel=world.place(room))).content
        )
    for command in ("play", "undo", "resign", "hand"):
        text = (
            await world.cem.ask(command, channel=world.place(room), match=room.record.id)
        ).content
        assert "not in this match" in text and "/board" in text


async def test_another_person_cannot_use_a_panel(world: World) -> None:
    room = await world.start_match()
    match = (await world.reload(room)).match
    assert match is not None
    forged = f"p:{room.record.id}:0:0:place_piece:17"
    assert "another seat" in await press_forged(world, world.bea, room, forged)
    assert "not in this match" in await press_forged(world, world.cem, room, forged)
    assert (await world.reload(room)).match == match


async def press_forged(world: World, who: Player, room: Room, custom_id: str) -> str:
    """Press a button with any id, as an older version of the bot might have made it."""
    view = ui.View(timeout=None)
    view.add_item(ui.Button(label="x", custom_id=custom_id))
    view.stop()
    await world.bot.get_partial_messageable(room.record.place.posts_to).send("forged", view=view)
    return (await who.press(world.newest(room), custom_id=custom_id)).content


async def test_play_by_text_drafts_and_confirms(world: World) -> None:
    room = await world.start_match()
    drafted = await world.ana.ask("/play", channel=world.place(room), move="17")
    assert "boat on 17" in drafted.content and "Confirm" in drafted.labels
    assert (await world.ana.ask("/play", channel=world.place(room), move="!")).content.startswith(
        "Done."
    )
    assert (await world.bea.ask("/play", channel=world.place(room), move="1!")).content.startswith(
        "Done."
    )


async def test_play_without_a_move_opens_the_panel(world: World) -> None:
    room = await world.start_match()
    assert "Where do you place" in (await world.ana.ask("/play", channel=world.place(room))).content


ILLEGAL_MOVES = (
    *("g7", "17,18", "17,18!", "17+18", "17,nonsense!", "hello there", "zz!", "reveal/17!"),
    *("", "!", "!!!", ",", ",,,!", "-", "+", "/", "\\", " " * 100, "\x00", "\u202e71", "🙂"),
    *("@everyone", "<@1>", "<@&1>", "`17`", "```", "**17**", "||17||", "%s%n", "{0}"),
    *("' OR 1=1 --", "17; DROP TABLE match", "17\n18"),
    *("x" * 6000, "17," * 2000, "!" * 6000, "`" * 6000, "🙂" * 3000),
)


async def test_illegal_texts_change_nothing(world: World) -> None:
    room = await world.start_match()
    before = await world.reload(room)
    for move in ILLEGAL_MOVES:
        if move:
            shown = (await world.play(world.ana, room, move)).private.content
            assert shown
            assert len(shown) < 2000
            assert not re.search("@everyone|@here|<@1>|<@&1>|went wrong", shown), move
            assert await world.reload(room) == before, move
        offered = await world.ana.autocomplete("/play", channel=world.place(room), move=move)
        assert len(offered.choices) <= 25


async def test_completion_gives_up_when_discord_would(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = await world.start_match()
    monkeypatch.setattr("bot.ui.commands.COMPLETION_TIMEOUT_SECONDS", 0.0)
    assert (
        await world.ana.autocomplete("/play", channel=world.place(room), move="17")
    ).choices == []


async def test_completion_never_offers_more_than_discord_takes(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = await world.start_match()
    found = [Suggestion("x" * 120, f"{number}" * 10) for number in range(80)]
    too_long = Suggestion("y", "y" * 101)
    monkeypatch.setattr(
        "bot.features.play.presses.suggest_turns", lambda seen, typed: [too_long, *found]
    )
    offered = (await world.ana.autocomplete("/play", channel=world.place(room), move="x")).choices
    assert [choice["value"] for choice in offered] == [text for _, text in found[:25]]
    assert all(len(choice["name"]) <= 100 for choice in offered)


async def test_completion_is_only_for_the_player_to_move(world: World) -> None:
    room = await world.start_match()
    offered = (await world.ana.autocomplete("/play", channel=world.place(room), move="17")).choices
    assert [choice["value"] for choice in offered] == ["17", "17!"]
    for who in (world.bea, world.cem):
        assert (await who.autocomplete("/play", channel=world.place(room), move="17")).choices == []
    assert (
        await world.cem.autocomplete(
            "/play", channel=world.place(room), match=room.record.id, move="17"
        )
    ).choices == []


async def test_undo_by_command(world: World) -> None:
    room = await world.start_match()
    assert "nothing to undo" in (await world.ana.ask("/undo", channel=world.place(room))).content
    await world.ana.slash("/play", channel=world.place(room), move="17")
    assert "Where do you place" in (await world.ana.ask("/undo", channel=world.place(room))).content
    await world.ana.slash("/play", channel=world.place(room), move="17")
    assert (
        "Where do you place"
        in (await world.ana.ask("/undo", channel=world.place(room), all=True)).content
    )


async def test_resign_asks_once_and_ends_a_match_of_two(world: World) -> None:
    room = await world.start_match()
    answer = await world.ana.ask("/resign", channel=world.place(room))
    assert "That ends the match. You can't undo this" in answer.content
    assert (await world.reload(room)).record.status is Status.RUNNING
    await world.ana.click(answer, label="Yes, give up my seat")
    assert (await world.reload(room)).record.status is Status.FINISHED
    last = world.newest(room)
    assert "Blue Lagoon ended early: Ana dropped out, so only Bea is left." in last.content
    assert [file.filename for file in last.attachments] == ["board.png", "scores.png"]
    assert (
        "gave up your seat" in (await world.ana.ask("/resign", channel=world.place(room))).content
    )
    assert (
        "gave up your seat"
        in (await world.ana.ask("/resign", channel=world.place(room), match=room.record.id)).content
    )
    assert (
        "over"
        in (await world.bea.ask("/resign", channel=world.place(room), match=room.record.id)).content
    )
    assert (
        "gave up your seat"
        in (await world.ana.ask("/play", channel=world.place(room), match=room.record.id)).content
    )


@pytest.mark.parametrize("game", ["maori", "conquest"])
async def test_the_end_by_resignation_shows_ranking_and_score_sheet_and_the_seed_behind_a_button(
    world: World, game: str
) -> None:
    opened = (await world.ana.slash("/game new", game=game)).message
    await world.bea.click(opened, label="Join")
    await world.ana.click(opened, label="Start")
    (room,) = await world.matches.of_user(world.ana.id)
    answer = await world.ana.ask("/resign", channel=world.place(room))
    await world.ana.click(answer, label="Yes, give up my seat")
    last = world.newest(room)
    assert "1. **Bea**" in last.content and "2. **Ana**" in last.content
    proof = (await world.bea.press(last, label="Fairness")).content
    assert f"The seed was `{(await world.reload(room)).match.seed}`" in proof
    assert room.record.commitment in proof
    assert {"board.png", "scores.png"} <= {file.filename for file in last.attachments}


async def test_a_player_who_resigns_is_told_that_the_seat_is_gone(world: World) -> None:
    room = await world.start_match(world.bea, world.cem)
    answer = await world.bea.ask("/resign", channel=world.place(room))
    assert "A computer takes over, and the others play on." in answer.content
    done = await world.bea.press(answer, label="Yes, give up my seat")
    assert "gave up your seat" in done.content and "Not your turn" not in done.content
    assert not done.controls
    post = world.newest(room).content
    assert "Bea left the match. A computer (steady) plays in their place from now on" in post
    assert "The match continues for the others; for ratings, Bea comes last." in post


async def test_a_match_in_another_channel_is_offered(world: World) -> None:
    first = await world.start_match()
    other = world.discord.add_channel("elsewhere")
    answer = await world.ana.ask("/play", channel=other, move="17")
    (chosen,) = answer.labels
    assert "You have no match here" in answer.content and first.record.id in chosen
    assert not (await world.reload(first)).playing().draft(Seat(0)).answers, (
        "it was not taken for granted"
    )
    assert "17" in (await world.ana.press(answer, label=chosen)).content
    assert "no running match" in (await world.cem.ask("/play", channel=other)).content
    (choice,) = (await world.ana.autocomplete("/play", channel=other, match="blue")).choices
    assert choice["value"] == first.record.id
    assert (
        "boat on 17" in (await world.ana.ask("/play", channel=other, match=first.record.id)).content
    )
    assert (await world.cem.autocomplete("/play", channel=other, match="")).choices == []
    for foreign in (first.record.id, "zzzzzzzz", "@everyone", "x" * 6000):
        assert (
            "no such match here"
            in (await world.cem.ask("/board", channel=other, match=foreign)).content
        )


async def test_a_command_means_the_match_that_waits_for_me(world: World) -> None:
    first = await world.start_match(place="channel")
    bea_begins = {"game": "blue_lagoon", "place": "channel", "settings": "first=1"}
    message = (await world.bea.slash("/game new", **bea_begins)).message
    await world.ana.click(message, label="Join")
    await world.bea.click(message, label="Start")
    assert (await world.ana.ask("/play", move="17!")).content.startswith("Done.")
    assert (await world.reload(first)).match.number == 1
    unclear = await world.bea.ask("/play")
    assert "Several matches are running here" in unclear.content
    chosen = next(label for label in unclear.labels if first.record.id in label)
    assert (
        "Where do you place your piece?" in (await world.bea.press(unclear, label=chosen)).content
    )
    # What is no move might be meant for any of them.
    (second,) = [
        room
        for room in await world.matches.of_user(world.bea.id)
        if room.record.id != first.record.id
    ]
    await world.bea.slash("/play", move="18!", match=second.record.id)
    assert "Where do you place your piece?" in (await world.bea.ask("/play")).content
    for command, options in (
        ("game pause", {}),
        ("game pace", {}),
        ("resign", {}),
        ("plan", {"move": "19"}),
    ):
        answer = await world.bea.ask(command, **options)
        assert "Several matches are running here" in answer.content and len(answer.labels) == 2, (
            command
        )


async def test_choosing_a_match_repeats_the_command_with_its_options(
    world: World,
) -> None:
    first, second = [await world.start_match(place="channel") for _ in range(2)]
    for room, move in ((first, "17"), (second, "18")):
        unclear = await world.ana.ask("/play", move=f"{move}!")
        chosen = next(label for label in unclear.labels if room.record.id in label)
        assert (await world.ana.press(unclear, label=chosen)).content.startswith("Done.")
        await world.bea.slash("/play", move="1!", match=room.record.id)
        assert (await world.reload(room)).playing().number == 2
    await world.ana.slash("/play", move="20", match=first.record.id)
    unclear = await world.ana.ask("/undo", all=True)
    chosen = next(label for label in unclear.labels if first.record.id in label)
    await world.ana.click(unclear, label=chosen)
    assert not (await world.reload(first)).playing().draft(Seat(0)).answers
    long = (await world.ana.ask("/play", move="17," * 30)).content
    assert "`match:`" in long and first.record.id in long and second.record.id in long


async def test_lobby_commands_are_refused_in_direct_messages(
    world: World,
) -> None:
    someone = world.add_person("Dee")
    for command in ("game join", "game start", "game resume"):
        with pytest.raises(Impossible, match="no_command"):
            await someone.slash(command, channel=world.discord.dm(someone))
    typed: Any = SimpleNamespace(guild_id=None, channel_id=5)
    with pytest.raises(Refused, match="server"):
        must_be_in_server(typed)


async def test_an_unexpected_error_shows_an_id_that_is_in_the_log(
    world: World, monkeypatch, caplog
) -> None:
    room = await world.start_match()
    secret = "the draft is g7"

    async def broken(*args: Any, **kwargs: Any) -> None:
        raise ZeroDivisionError(secret)

    monkeypatch.setattr(world.matches.play_service, "undo", broken)
    text = (await world.ana.ask("/undo", channel=world.place(room))).content
    short_id = text.split("`")[1]
    assert "Nothing changed in the match" in text and len(short_id) == 6
    logged = next(
        record.getMessage() for record in caplog.records if short_id in record.getMessage()
    )
    assert "ZeroDivisionError" in logged and "g7" not in logged and "test_presses.py" in logged
    world.expect_error("ZeroDivisionError")


async def test_a_committed_move_is_reported_as_done_even_if_its_answer_fails(
    world: World, caplog
) -> None:
    room = await world.start_match()
    world.discord.faults.respond_with("PATCH", "/webhooks/*/*/messages/@original", 400, code=50035)
    text = (await world.ana.ask("/play", channel=world.place(room), move="17!")).content
    assert (await world.reload(room)).match.number == 1
    assert text.startswith("It worked")
    assert "try again" not in text
    assert text.split("`")[1] in caplog.text
    world.expect_error("HTTPException 400/50035")


async def test_a_panel_is_sent_without_a_picture_that_cannot_be_drawn(
    world: World, monkeypatch
) -> None:
    room = await world.start_match()

    async def broken(*args: Any, **kwargs: Any) -> None:
        raise OSError("no fonts")

    monkeypatch.setattr(world.bot.pictures, "_render", broken)
    shown = (await open_panel(world, world.ana, room)).private
    assert "Where do you place" in shown.content and not shown.attachments
    await world.ana.slash("/play", channel=world.place(room), move="17!")
    assert "Ana placed a boat on 17." in world.newest(room).content
    world.expect_error("OSError")


async def test_a_plain_panel_of_an_older_version_becomes_a_layout(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def show_plain(
        interaction: MotuInteraction, content: str, parts: Iterable[Part] = (), *_: Any
    ) -> int:
        rows = [part for part in parts if not isinstance(part, str | Section)]
        shown = await interaction.edit_original_response(content=content, view=view_of(rows))
        return shown.id

    room = await world.start_match()
    with monkeypatch.context() as before:
        before.setattr(reply, "show", show_plain)
        old = (await open_panel(world, world.ana, room)).private
    assert not old.is_layout and old.content
    shown = await choose(world.ana, old, "17")
    assert shown.message.id == old.id
    assert shown.message.is_layout and "boat on 17" in shown.content and shown.files
    # A refusal edits the layout as well.
    await world.bea.slash("/play", channel=world.place(room), move="30!")
    assert (await world.ana.click(shown, label="Confirm")).message.is_layout


async def test_every_private_answer_is_a_layout(world: World) -> None:
    room = await world.start_match()
    commands = ("/help", "/games", "/me settings", "/rules", "/log", "/hand", "/play", "/undo")
    for command in commands:
        answer = await world.ana.ask(command, channel=world.place(room))
        assert answer.ephemeral and answer.is_layout, command
        assert not answer.mentions
