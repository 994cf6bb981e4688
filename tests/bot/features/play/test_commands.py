"""Playing on Discord: the panel, its controls, /play, /undo and /resign, against a simulated
Discord.
"""

from types import SimpleNamespace
from typing import Any

import pytest
from discord import ui

from bot.kernel.room import Room
from bot.local import Impossible, Response, interactions
from bot.local.model import Message
from bot.model import Status
from bot.runtime.base import Refused
from bot.ui.which_match import must_be_in_server
from engine import Seat
from engine.core.typed import Suggestion
from tests.bot.world import Player, World


async def panel(world: World, who: Player, room: Room) -> Response:
    """Somebody presses Your move."""
    return await who.click(world.newest(room), label="Your move")


def pages(shown: Message) -> dict[str, str]:
    """Return the buttons of a panel that lead to other choices: custom id by group or page."""
    ids = [part["custom_id"] for part in shown.controls if part["custom_id"].startswith("m:")]
    return {custom_id.rpartition(":")[2]: custom_id for custom_id in ids}


def pick_of(shown: Message, key: str) -> str:
    """Return the custom id of the button of a choice, '' if this page does not have it."""
    ids = [part["custom_id"] for part in shown.controls if part["custom_id"].startswith("p:")]
    return next((custom_id for custom_id in ids if custom_id.endswith(f":{key}")), "")


async def choose(who: Player, shown: Any, key: str) -> Response:
    """Somebody presses the button of a choice, on whichever page of the panel it stands."""
    for group in pages(shown):
        if pick_of(shown, key):
            break
        shown = (await who.click(shown, custom_id=pages(shown)[group])).private
        if not pick_of(shown, key):
            shown = (await who.click(shown, label="Back")).private
    return await who.click(shown, custom_id=pick_of(shown, key))


async def test_your_move_opens_a_private_panel_with_a_picture(world: World) -> None:
    room = await world.started()
    opened = await panel(world, world.ana, room)
    shown = opened.private
    assert "Where do you place a piece?" in shown.content
    (picture,) = shown.attachments
    assert (
        picture.filename == "board.png" and picture.description and len(picture.description) <= 1024
    )


async def test_the_answer_is_promised_before_the_picture_is_drawn(
    world: World, monkeypatch
) -> None:
    room = await world.started()
    draw, promised = world.bot.pictures.board, []

    async def watched(*args: Any, **kwargs: Any) -> Any:
        newest = list(world.discord.interactions.by_token.values())[-1]
        promised.append(newest.answer)
        return await draw(*args, **kwargs)

    monkeypatch.setattr(world.bot.pictures, "board", watched)
    shown = (await panel(world, world.ana, room)).private
    await choose(world.ana, shown, "17")
    assert promised == [interactions.DEFER, interactions.DEFER_UPDATE]


async def test_a_turn_by_buttons_is_choose_and_confirm(world: World) -> None:
    room = await world.started()
    shown = (await panel(world, world.ana, room)).private
    drafted = (await choose(world.ana, shown, "17")).private
    assert drafted.id == shown.id, "the panel is edited in place"
    assert "boat on 17" in drafted.content and drafted.labels == ["Confirm", "Undo"]
    before = len(world.posts(room))
    done = (await world.ana.click(drafted, label="Confirm")).private
    assert done.content.startswith("Done.") and "Bea" in done.content
    posted = world.newest(room)
    assert len(world.posts(room)) == before + 1
    assert "Ana: boat on 17." in posted.content and f"<@{world.bea.id}>" in posted.content


async def test_nobody_sees_a_draft(world: World) -> None:
    room = await world.started()
    turn = world.newest(room)
    await world.ana.slash("/play", channel=world.place(room), move="17")
    assert world.newest(room) == turn
    for who in (world.bea, world.cem):
        assert "17" not in (await who.click(turn, label="Log")).private.content
        shown = await who.slash("/board", channel=world.place(room))
        assert "boat" not in shown.content


async def test_undo_takes_the_choice_back(world: World) -> None:
    room = await world.started()
    shown = (await choose(world.ana, (await panel(world, world.ana, room)).private, "17")).private
    undone = (await world.ana.click(shown, label="Undo")).private
    assert "Undo" not in undone.labels and "Where do you place" in undone.content
    match = (await world.room(room)).match
    assert match is not None and not match.draft(Seat(0)).answers


async def test_a_second_press_of_the_same_button_moves_once(world: World) -> None:
    room = await world.started()
    shown = (await panel(world, world.ana, room)).private
    await choose(world.ana, shown, "17")
    fresh = (await panel(world, world.ana, room)).private
    confirm = next(part["custom_id"] for part in fresh.controls if part.get("label") == "Confirm")
    await world.ana.click(fresh, custom_id=confirm)
    match = (await world.room(room)).match
    assert match is not None and match.number == 1


async def test_a_stale_panel_is_redrawn_and_does_nothing(world: World) -> None:
    room = await world.started()
    first, second = [(await panel(world, world.ana, room)).private for _ in range(2)]
    opened = (await world.ana.click(second, custom_id=pages(second)["sea-south"])).private
    await world.ana.slash("/play", channel=world.place(room), move="17!")
    await world.bea.slash("/play", channel=world.place(room), move="1!")
    late = (await world.ana.click(first, custom_id=pages(first)["sea-south"])).private
    assert late.content.startswith("Too late: the board has moved on")
    late = (await world.ana.click(opened, custom_id=pick_of(opened, "30"))).private
    assert late.content.startswith("Too late: the board has moved on") and late.attachments
    match = (await world.room(room)).match
    assert match is not None and match.number == 2 and not match.draft(Seat(0)).answers


async def test_a_stale_press_says_why_its_choice_is_gone(world: World) -> None:
    room = await world.started()
    shown = (await panel(world, world.ana, room)).private
    old = (await world.ana.click(shown, custom_id=pages(shown)["sea-south"])).private
    await world.ana.slash("/play", channel=world.place(room), move="17!")
    await world.bea.slash("/play", channel=world.place(room), move="30!")
    late = (await world.ana.click(old, custom_id=pick_of(old, "30"))).private
    assert late.content.startswith(
        "Too late: the board has moved on. 30 is taken by Bea. This is how it stands."
    )


async def test_a_press_that_is_not_possible_is_refused_with_the_reason(world: World) -> None:
    room = await world.started()
    await world.ana.slash("/play", channel=world.place(room), move="17!")
    await world.bea.slash("/play", channel=world.place(room), move="30!")
    turn = (await world.room(room)).playing().turn(Seat(0))
    told = await press(world, world.ana, room, f"p:{room.record.id}:0:{turn}:place_piece:30")
    assert told.startswith("30 is taken by Bea.")


@pytest.mark.parametrize(
    "move", ["17", "17!", "nonsense", "zz,zz!", "17/18", "!", "reveal_card/haka"]
)
async def test_a_paused_match_says_so_whatever_is_typed(world: World, move: str) -> None:
    room = await world.started()
    place = world.place(room)
    await world.matches.pause(room.record.id, "gone")
    told = (
        await world.ana.slash("/play", channel=place, move=move, match=room.record.id)
    ).private.content
    assert told.startswith("This match is paused: its channel or thread is gone.")
    match = (await world.room(room)).match
    assert match is not None and not match.draft(Seat(0)).answers


async def test_the_panel_works_after_a_restart_with_its_draft(world: World) -> None:
    room = await world.started()
    shown = (await choose(world.ana, (await panel(world, world.ana, room)).private, "17")).private
    await world.restart()
    done = (await world.ana.click(shown, label="Confirm")).private
    assert done.content.startswith("Done.")
    match = (await world.room(room)).match
    assert match is not None and match.number == 1


async def test_two_levels_of_buttons_lead_to_every_spot(world: World) -> None:
    room = await world.started()
    for who, move in ((world.ana, "17"), (world.bea, "1"), (world.ana, "b10"), (world.bea, "30")):
        await who.slash("/play", channel=world.place(room), move=f"{move}!")
    await world.ana.slash("/play", channel=world.place(room), move="h1!")
    await world.bea.slash("/play", channel=world.place(room), move="31!")
    top = (await panel(world, world.ana, room)).private
    assert not pick_of(top, "20") and pick_of(top, "h2v")
    below = (await world.ana.click(top, custom_id=pages(top)["sea-north"])).private
    assert "Back" in below.labels
    again = (await world.ana.click(below, label="Back")).private
    assert [part["custom_id"] for part in again.controls] == [
        part["custom_id"] for part in top.controls
    ]
    assert "boat on 20" in (await choose(world.ana, again, "20")).private.content


async def test_whoever_is_not_in_turn_gets_their_own_picture_and_is_told(world: World) -> None:
    room = await world.started()
    shown = (await panel(world, world.bea, room)).private
    assert shown.content.startswith("Not your turn: **Ana** places a piece") and shown.attachments
    typed = (await world.bea.slash("/play", channel=world.place(room), move="17")).private
    assert "not your turn" in typed.content and typed.attachments


async def test_whoever_is_not_in_the_match_is_told_what_they_can_do(world: World) -> None:
    room = await world.started()
    assert "not your match" in (await panel(world, world.cem, room)).private.content
    for command in ("play", "undo", "resign", "hand"):
        assert (
            "no running match"
            in (await world.cem.slash(command, channel=world.place(room))).private.content
        )
    for command in ("play", "undo", "resign", "hand"):
        told = (
            await world.cem.slash(command, channel=world.place(room), match=room.record.id)
        ).private.content
        assert "not your match" in told and "/board" in told


async def test_somebody_else_cannot_press_a_panel(world: World) -> None:
    room = await world.started()
    match = (await world.room(room)).match
    assert match is not None
    forged = f"p:{room.record.id}:0:0:place_piece:17"
    assert "another seat" in await press(world, world.bea, room, forged)
    assert "not your match" in await press(world, world.cem, room, forged)
    assert (await world.room(room)).match == match


async def press(world: World, who: Player, room: Room, custom_id: str) -> str:
    """Press a button of any id on a message of the bot, as an older version might have made it."""
    view = ui.View(timeout=None)
    view.add_item(ui.Button(label="x", custom_id=custom_id))
    view.stop()
    await world.bot.get_partial_messageable(room.record.place.posts_to).send("forged", view=view)
    return (await who.click(world.newest(room), custom_id=custom_id)).private.content


async def test_unknown_foreign_and_malformed_ids_get_a_private_answer(world: World) -> None:
    room = await world.started()
    before = await world.room(room)
    match = room.record.id
    for custom_id in (
        "nonsense",
        "p:",
        f"p:{match}:0",
        f"p:{match}:zero:0:place_piece:17",
        f"p:{match}:0:0:place_piece:17:more",
        "p:zzzzzzzz:0:0:place_piece:17",
        f"p:{match}:7:0:place_piece:17",
        f"p:{match}:0:99:place_piece:17",
        f"p:{match}:0:0:build_house:17",
        f"p:{match}:0:0:place_piece:g7",
        f"p:{match}:0:0:place_piece:",
        f"g:{match}:0:0:place_piece:sea-1",
        f"m:{match}:0:0:place_piece:",
        f"o:{match}:0:0:reveal:x",
        f"u:{match}:0:0::",
        f"c:{match}:0:0::",
        f"v:{match}:0:0::",
        f"x:{match}:0:77::",
        f"t:{match}:dance",
        "t:zzzzzzzz:move",
        f"l:{match}:dance",
        f"l:{match}:join",
        "l:zzzzzzzz:join",
        "r:chess:",
        "r:blue_lagoon:nonsense",
    ):
        told = await press(world, world.ana, room, custom_id)
        assert told and "Something went wrong" not in told, custom_id
    assert await world.room(room) == before


async def test_play_by_text_drafts_and_confirms(world: World) -> None:
    room = await world.started()
    drafted = (await world.ana.slash("/play", channel=world.place(room), move="17")).private
    assert "boat on 17" in drafted.content and "Confirm" in drafted.labels
    assert (
        await world.ana.slash("/play", channel=world.place(room), move="!")
    ).private.content.startswith("Done.")
    assert (
        await world.bea.slash("/play", channel=world.place(room), move="1!")
    ).private.content.startswith("Done.")


async def test_play_without_a_move_opens_the_panel(world: World) -> None:
    room = await world.started()
    assert (
        "Where do you place"
        in (await world.ana.slash("/play", channel=world.place(room))).private.content
    )


async def test_text_that_is_not_legal_changes_nothing(world: World) -> None:
    room = await world.started()
    before = await world.room(room)
    for move in (
        "g7",
        "17,18",
        "hello there",
        "x" * 6000,
        "@everyone",
        "`17`",
        "17,nonsense!",
        "/",
        "!",
    ):
        shown = (await world.ana.slash("/play", channel=world.place(room), move=move)).private
        assert "@everyone" not in shown.content and len(shown.content) < 1000
        assert await world.room(room) == before, move


async def test_completion_waits_no_longer_than_discord(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = await world.started()
    monkeypatch.setattr("bot.ui.commands.PATIENCE", 0.0)
    assert (
        await world.ana.autocomplete("/play", channel=world.place(room), move="17")
    ).choices == []


async def test_completion_never_offers_more_than_discord_takes(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = await world.started()
    found = [Suggestion("x" * 120, f"{number}" * 10) for number in range(80)]
    too_long = Suggestion("y", "y" * 101)
    monkeypatch.setattr(
        "bot.features.play.presses.suggest_turns", lambda seen, typed: [too_long, *found]
    )
    offered = (await world.ana.autocomplete("/play", channel=world.place(room), move="x")).choices
    assert [choice["value"] for choice in offered] == [text for _, text in found[:25]]
    assert all(len(choice["name"]) <= 100 for choice in offered)


async def test_completion_is_for_the_asked_seat_alone(world: World) -> None:
    room = await world.started()
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
    room = await world.started()
    assert (
        "nothing to undo"
        in (await world.ana.slash("/undo", channel=world.place(room))).private.content
    )
    await world.ana.slash("/play", channel=world.place(room), move="17")
    assert (
        "Where do you place"
        in (await world.ana.slash("/undo", channel=world.place(room))).private.content
    )
    await world.ana.slash("/play", channel=world.place(room), move="17")
    assert (
        "Where do you place"
        in (await world.ana.slash("/undo", channel=world.place(room), all=True)).private.content
    )


async def test_resign_asks_once_and_ends_a_match_of_two(world: World) -> None:
    room = await world.started()
    asked = (await world.ana.slash("/resign", channel=world.place(room))).private
    assert "The match ends with it. This cannot be undone" in asked.content
    assert (await world.room(room)).record.status is Status.RUNNING
    await world.ana.click(asked, label="Yes, give up my seat")
    assert (await world.room(room)).record.status is Status.FINISHED
    last = world.newest(room)
    assert "Blue Lagoon ended early: only Bea is left at the table." in last.content
    assert [file.filename for file in last.attachments] == ["board.png", "scores.png"]
    assert (
        "no running match"
        in (await world.ana.slash("/resign", channel=world.place(room))).private.content
    )
    assert (
        "given up your seat"
        in (
            await world.ana.slash("/resign", channel=world.place(room), match=room.record.id)
        ).private.content
    )
    assert (
        "over"
        in (
            await world.bea.slash("/resign", channel=world.place(room), match=room.record.id)
        ).private.content
    )
    assert (
        "given up your seat"
        in (
            await world.ana.slash("/play", channel=world.place(room), match=room.record.id)
        ).private.content
    )


@pytest.mark.parametrize("game", ["maori", "conquest"])
async def test_the_end_by_resignation_shows_ranking_and_score_sheet_and_the_seed_behind_a_button(
    world: World, game: str
) -> None:
    opened = (await world.ana.slash("/game new", game=game)).message
    await world.bea.click(opened, label="Join")
    await world.ana.click(opened, label="Start")
    (room,) = await world.matches.of_user(world.ana.id)
    asked = (await world.ana.slash("/resign", channel=world.place(room))).private
    await world.ana.click(asked, label="Yes, give up my seat")
    last = world.newest(room)
    assert "1. **Bea**" in last.content and "2. **Ana**" in last.content
    proof = (await world.bea.click(last, label="Fairness")).private.content
    assert (
        f"The seed is `{(await world.room(room)).match.seed}`" in proof
        and room.record.commitment in proof
    )
    assert {"board.png", "scores.png"} <= {file.filename for file in last.attachments}


async def test_whoever_resigns_is_told_that_the_seat_is_gone(world: World) -> None:
    room = await world.started(world.bea, world.cem)
    asked = (await world.bea.slash("/resign", channel=world.place(room))).private
    assert "A computer player takes it and plays on." in asked.content
    done = (await world.bea.click(asked, label="Yes, give up my seat")).private
    assert "given up your seat" in done.content and "Not your turn" not in done.content
    assert not done.controls


async def test_a_match_elsewhere_is_named(world: World) -> None:
    first = await world.started()
    other = world.discord.add_channel("elsewhere")
    asked = (await world.ana.slash("/play", channel=other, move="17")).private
    (chosen,) = asked.labels
    assert "You play no match here" in asked.content and first.record.id in chosen
    assert not (await world.room(first)).playing().draft(Seat(0)).answers, (
        "it was not taken for granted"
    )
    assert "17" in (await world.ana.click(asked, label=chosen)).private.content
    assert "no running match" in (await world.cem.slash("/play", channel=other)).private.content
    (choice,) = (await world.ana.autocomplete("/play", channel=other, match="blue")).choices
    assert choice["value"] == first.record.id
    assert (
        "boat on 17"
        in (await world.ana.slash("/play", channel=other, match=first.record.id)).private.content
    )
    assert (await world.cem.autocomplete("/play", channel=other, match="")).choices == []
    for foreign in (first.record.id, "zzzzzzzz", "@everyone", "x" * 6000):
        assert (
            "no such match here"
            in (await world.cem.slash("/board", channel=other, match=foreign)).private.content
        )


async def test_of_several_matches_here_the_one_that_waits_is_mine(world: World) -> None:
    first = await world.started(place="channel")
    bea_begins = {"game": "blue_lagoon", "place": "channel", "settings": "first=1"}
    message = (await world.bea.slash("/game new", **bea_begins)).message
    await world.ana.click(message, label="Join")
    await world.bea.click(message, label="Start")
    assert (await world.ana.slash("/play", move="17!")).private.content.startswith("Done.")
    assert (await world.room(first)).match.number == 1
    unclear = (await world.bea.slash("/play")).private
    assert "Several matches run here" in unclear.content
    chosen = next(label for label in unclear.labels if first.record.id in label)
    assert (
        "Where do you place a piece?"
        in (await world.bea.click(unclear, label=chosen)).private.content
    )
    # What is no move might be meant for any of them.
    (second,) = [
        room
        for room in await world.matches.of_user(world.bea.id)
        if room.record.id != first.record.id
    ]
    await world.bea.slash("/play", move="18!", match=second.record.id)
    assert "Where do you place a piece?" in (await world.bea.slash("/play")).private.content
    for command, options in (
        ("game pause", {}),
        ("game pace", {}),
        ("resign", {}),
        ("plan", {"move": "19"}),
    ):
        asked = (await world.bea.slash(command, **options)).private
        assert "Several matches run here" in asked.content and len(asked.labels) == 2, command


async def test_a_command_is_given_again_with_all_its_options_once_the_match_is_chosen(
    world: World,
) -> None:
    first, second = [await world.started(place="channel") for _ in range(2)]
    for room, move in ((first, "17"), (second, "18")):
        unclear = (await world.ana.slash("/play", move=f"{move}!")).private
        chosen = next(label for label in unclear.labels if room.record.id in label)
        assert (await world.ana.click(unclear, label=chosen)).private.content.startswith("Done.")
        await world.bea.slash("/play", move="1!", match=room.record.id)
        assert (await world.room(room)).playing().number == 2
    await world.ana.slash("/play", move="20", match=first.record.id)
    unclear = (await world.ana.slash("/undo", all=True)).private
    chosen = next(label for label in unclear.labels if first.record.id in label)
    await world.ana.click(unclear, label=chosen)
    assert not (await world.room(first)).playing().draft(Seat(0)).answers
    long = (await world.ana.slash("/play", move="17," * 30)).private.content
    assert "`match:`" in long and first.record.id in long and second.record.id in long


async def test_in_direct_messages_lobbies_are_not_offered_and_refused_to_old_clients(
    world: World,
) -> None:
    someone = world.person("Dee")
    for command in ("game join", "game start", "game resume"):
        with pytest.raises(Impossible, match="no_command"):
            await someone.slash(command, channel=world.discord.dm(someone))
    typed: Any = SimpleNamespace(guild_id=None, channel_id=5)
    with pytest.raises(Refused, match="server"):
        must_be_in_server(typed)


async def test_an_unexpected_error_shows_an_id_that_is_in_the_log(
    world: World, monkeypatch, caplog
) -> None:
    room = await world.started()
    secret = "the draft is g7"

    async def broken(*args: Any, **kwargs: Any) -> None:
        raise ZeroDivisionError(secret)

    monkeypatch.setattr(world.matches.play_service, "undo", broken)
    told = (await world.ana.slash("/undo", channel=world.place(room))).private.content
    short_id = told.split("`")[1]
    assert "as it was before" in told and len(short_id) == 6
    logged = next(
        record.getMessage() for record in caplog.records if short_id in record.getMessage()
    )
    assert "ZeroDivisionError" in logged and "g7" not in logged and "test_commands.py" in logged
    world.expected("ZeroDivisionError")


async def test_a_move_that_was_made_is_not_called_undone_when_its_answer_fails(
    world: World, caplog
) -> None:
    room = await world.started()
    world.discord.faults.answer("PATCH", "/webhooks/*/*/messages/@original", 400, code=50035)
    told = (await world.ana.slash("/play", channel=world.place(room), move="17!")).private.content
    assert (await world.room(room)).match.number == 1
    assert (
        told.startswith("It is done")
        and "try again" not in told
        and told.split("`")[1] in caplog.text
    )
    world.expected("HTTPException 400/50035")


async def test_a_panel_comes_without_its_picture_if_that_cannot_be_drawn(
    world: World, monkeypatch
) -> None:
    room = await world.started()

    async def broken(*args: Any, **kwargs: Any) -> None:
        raise OSError("no fonts")

    monkeypatch.setattr(world.bot.pictures, "_render", broken)
    shown = (await panel(world, world.ana, room)).private
    assert "Where do you place" in shown.content and not shown.attachments
    await world.ana.slash("/play", channel=world.place(room), move="17!")
    assert "Ana: boat on 17." in world.newest(room).content
    world.expected("OSError")
