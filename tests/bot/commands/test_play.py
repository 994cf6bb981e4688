"""Playing on Discord: the panel, its controls, /play, /undo and /resign, against a simulated
Discord.
"""

from types import SimpleNamespace
from typing import Any

import discord
import pytest
from simcord import InteractionResult, MemberActor
from simcord.backend.errors import SetupError

from bot.kernel.room import Room
from bot.model import Status
from bot.runtime.base import Refused
from bot.ui.which_match import must_be_in_server
from engine import Seat
from engine.core.typed import Suggestion
from tests.bot.answers import answer, labels, pages, parts, pick_of, said
from tests.bot.conftest import World


async def panel(world: World, who: MemberActor, room: Room) -> InteractionResult:
    """Somebody presses Your move."""
    return await who.click(world.place(room).last_message, label="Your move")


async def choose(who: MemberActor, shown: Any, key: str) -> InteractionResult:
    """Somebody presses the button of a choice, on whichever page of the panel it stands."""
    for group in pages(shown):
        if pick_of(shown, key):
            break
        shown = answer(await who.click(shown.message, custom_id=pages(shown)[group]))
        if not pick_of(shown, key):
            shown = answer(await who.click(shown.message, label="Back"))
    return await who.click(shown.message, custom_id=pick_of(shown, key))


async def test_your_move_opens_a_private_panel_with_a_picture(world: World) -> None:
    room = await world.started()
    opened = await panel(world, world.ana, room)
    shown = answer(opened)
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
        promised.append(
            [entry.json["type"] for entry in world.env.http_requests if "callback" in entry.path][
                -1
            ]
        )
        return await draw(*args, **kwargs)

    monkeypatch.setattr(world.bot.pictures, "board", watched)
    shown = answer(await panel(world, world.ana, room))
    await choose(world.ana, shown, "17")
    assert promised == [5, 6]


async def test_a_turn_by_buttons_is_choose_and_confirm(world: World) -> None:
    room = await world.started()
    shown = answer(await panel(world, world.ana, room))
    drafted = answer(await choose(world.ana, shown, "17"))
    assert drafted.id == shown.id, "the panel is edited in place"
    assert "boat on 17" in drafted.content and labels(drafted) == ["Confirm", "Undo"]
    before = len(world.place(room).history())
    done = answer(await world.ana.click(drafted.message, label="Confirm"))
    assert done.content.startswith("Done.") and "Bea" in done.content
    posted = world.place(room).last_message
    assert len(world.place(room).history()) == before + 1
    assert "Ana: boat on 17." in posted.content and f"<@{world.bea.id}>" in posted.content


async def test_nobody_sees_a_draft(world: World) -> None:
    room = await world.started()
    turn = world.place(room).last_message
    await world.ana.slash(world.place(room), "play", move="17")
    assert world.place(room).last_message == turn
    for who in (world.bea, world.cem):
        assert "17" not in said(await who.click(turn, label="Log"))
        shown = await who.slash(world.place(room), "board")
        assert "boat" not in shown.response.content


async def test_undo_takes_the_choice_back(world: World) -> None:
    room = await world.started()
    shown = answer(await choose(world.ana, answer(await panel(world, world.ana, room)), "17"))
    undone = answer(await world.ana.click(shown.message, label="Undo"))
    assert "Undo" not in labels(undone) and "Where do you place" in undone.content
    match = (await world.room(room)).match
    assert match is not None and not match.draft(Seat(0)).answers


async def test_a_second_press_of_the_same_button_moves_once(world: World) -> None:
    room = await world.started()
    shown = answer(await panel(world, world.ana, room))
    await choose(world.ana, shown, "17")
    fresh = answer(await panel(world, world.ana, room))
    confirm = next(part["custom_id"] for part in parts(fresh) if part.get("label") == "Confirm")
    await world.ana.click(fresh.message, custom_id=confirm)
    match = (await world.room(room)).match
    assert match is not None and match.number == 1


async def test_a_stale_panel_is_redrawn_and_does_nothing(world: World) -> None:
    room = await world.started()
    first, second = [answer(await panel(world, world.ana, room)) for _ in range(2)]
    opened = answer(await world.ana.click(second.message, custom_id=pages(second)["sea-south"]))
    await world.ana.slash(world.place(room), "play", move="17!")
    await world.bea.slash(world.place(room), "play", move="1!")
    late = answer(await world.ana.click(first.message, custom_id=pages(first)["sea-south"]))
    assert late.content.startswith("Too late: the board has moved on")
    late = answer(await world.ana.click(opened.message, custom_id=pick_of(opened, "30")))
    assert late.content.startswith("Too late: the board has moved on") and late.attachments
    match = (await world.room(room)).match
    assert match is not None and match.number == 2 and not match.draft(Seat(0)).answers


async def test_a_stale_press_says_why_its_choice_is_gone(world: World) -> None:
    room = await world.started()
    shown = answer(await panel(world, world.ana, room))
    old = answer(await world.ana.click(shown.message, custom_id=pages(shown)["sea-south"]))
    await world.ana.slash(world.place(room), "play", move="17!")
    await world.bea.slash(world.place(room), "play", move="30!")
    late = answer(await world.ana.click(old.message, custom_id=pick_of(old, "30")))
    assert late.content.startswith(
        "Too late: the board has moved on. 30 is taken by Bea. This is how it stands."
    )


async def test_a_press_that_is_not_possible_is_refused_with_the_reason(world: World) -> None:
    room = await world.started()
    await world.ana.slash(world.place(room), "play", move="17!")
    await world.bea.slash(world.place(room), "play", move="30!")
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
    told = said(await world.ana.slash(place, "play", move=move, match=room.record.id))
    assert told.startswith("This match is paused: its channel or thread is gone.")
    match = (await world.room(room)).match
    assert match is not None and not match.draft(Seat(0)).answers


async def test_the_panel_works_after_a_restart_with_its_draft(world: World) -> None:
    room = await world.started()
    shown = answer(await choose(world.ana, answer(await panel(world, world.ana, room)), "17"))
    await world.restart()
    done = answer(await world.ana.click(shown.message, label="Confirm"))
    assert done.content.startswith("Done.")
    match = (await world.room(room)).match
    assert match is not None and match.number == 1


async def test_two_levels_of_buttons_lead_to_every_spot(world: World) -> None:
    room = await world.started()
    for who, move in ((world.ana, "17"), (world.bea, "1"), (world.ana, "b10"), (world.bea, "30")):
        await who.slash(world.place(room), "play", move=f"{move}!")
    await world.ana.slash(world.place(room), "play", move="h1!")
    await world.bea.slash(world.place(room), "play", move="31!")
    top = answer(await panel(world, world.ana, room))
    assert not pick_of(top, "20") and pick_of(top, "h2v")
    below = answer(await world.ana.click(top.message, custom_id=pages(top)["sea-north"]))
    assert "Back" in labels(below)
    again = answer(await world.ana.click(below.message, label="Back"))
    assert [part["custom_id"] for part in parts(again)] == [
        part["custom_id"] for part in parts(top)
    ]
    assert "boat on 20" in answer(await choose(world.ana, again, "20")).content


async def test_whoever_is_not_in_turn_gets_their_own_picture_and_is_told(world: World) -> None:
    room = await world.started()
    shown = answer(await panel(world, world.bea, room))
    assert shown.content.startswith("Not your turn: **Ana** places a piece") and shown.attachments
    typed = answer(await world.bea.slash(world.place(room), "play", move="17"))
    assert "not your turn" in typed.content and typed.attachments


async def test_whoever_is_not_in_the_match_is_told_what_they_can_do(world: World) -> None:
    room = await world.started()
    assert "not your match" in said(await panel(world, world.cem, room))
    for command in ("play", "undo", "resign", "hand"):
        assert "no running match" in said(await world.cem.slash(world.place(room), command))
    for command in ("play", "undo", "resign", "hand"):
        told = said(await world.cem.slash(world.place(room), command, match=room.record.id))
        assert "not your match" in told and "/board" in told


async def test_somebody_else_cannot_press_a_panel(world: World) -> None:
    room = await world.started()
    match = (await world.room(room)).match
    assert match is not None
    forged = f"p:{room.record.id}:0:0:place_piece:17"
    assert "another seat" in await press(world, world.bea, room, forged)
    assert "not your match" in await press(world, world.cem, room, forged)
    assert (await world.room(room)).match == match


async def press(world: World, who: MemberActor, room: Room, custom_id: str) -> str:
    """Somebody presses a control of that id on a message of the bot that was made to carry it."""
    message = await world.bot.get_partial_messageable(room.record.place.posts_to).send(
        "forged", view=forged(custom_id)
    )
    result = await who.click(message, custom_id=custom_id)
    return said(result)


def forged(custom_id: str) -> Any:
    """A view with a button of any id, as an older version or somebody else might have made it."""
    from discord import ui

    view = ui.View(timeout=None)
    view.add_item(ui.Button(label="x", custom_id=custom_id))
    view.stop()
    return view


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
    drafted = answer(await world.ana.slash(world.place(room), "play", move="17"))
    assert "boat on 17" in drafted.content and "Confirm" in labels(drafted)
    assert said(await world.ana.slash(world.place(room), "play", move="!")).startswith("Done.")
    assert said(await world.bea.slash(world.place(room), "play", move="1!")).startswith("Done.")


async def test_play_without_a_move_opens_the_panel(world: World) -> None:
    room = await world.started()
    assert "Where do you place" in said(await world.ana.slash(world.place(room), "play"))


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
        shown = answer(await world.ana.slash(world.place(room), "play", move=move))
        assert "@everyone" not in shown.content and len(shown.content) < 1000
        assert await world.room(room) == before, move


async def test_completion_waits_no_longer_than_discord(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = await world.started()
    monkeypatch.setattr("bot.ui.commands.PATIENCE", 0.0)
    assert await world.ana.autocomplete(world.place(room), "play", "move", "17") == []


async def test_completion_never_offers_more_than_discord_takes(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = await world.started()
    found = [Suggestion("x" * 120, f"{number}" * 10) for number in range(80)]
    too_long = Suggestion("y", "y" * 101)
    monkeypatch.setattr(
        "bot.features.play.presses.suggest_turns", lambda seen, typed: [too_long, *found]
    )
    offered = await world.ana.autocomplete(world.place(room), "play", "move", "x")
    assert [choice["value"] for choice in offered] == [text for _, text in found[:25]]
    assert all(len(choice["name"]) <= 100 for choice in offered)


async def test_completion_is_for_the_asked_seat_alone(world: World) -> None:
    room = await world.started()
    offered = await world.ana.autocomplete(world.place(room), "play", "move", "17")
    assert [choice["value"] for choice in offered] == ["17", "17!"]
    for who in (world.bea, world.cem):
        assert await who.autocomplete(world.place(room), "play", "move", "17") == []
    assert (
        await world.cem.autocomplete(world.place(room), "play", "move", "17", match=room.record.id)
        == []
    )


async def test_undo_by_command(world: World) -> None:
    room = await world.started()
    assert "nothing to undo" in said(await world.ana.slash(world.place(room), "undo"))
    await world.ana.slash(world.place(room), "play", move="17")
    assert "Where do you place" in said(await world.ana.slash(world.place(room), "undo"))
    await world.ana.slash(world.place(room), "play", move="17")
    assert "Where do you place" in said(await world.ana.slash(world.place(room), "undo", all=True))


async def test_resign_asks_once_and_ends_a_match_of_two(world: World) -> None:
    room = await world.started()
    asked = answer(await world.ana.slash(world.place(room), "resign"))
    assert "The match ends with it. This cannot be undone" in asked.content
    assert (await world.room(room)).record.status is Status.RUNNING
    await world.ana.click(asked.message, label="Yes, give up my seat")
    assert (await world.room(room)).record.status is Status.FINISHED
    last = world.place(room).last_message
    assert "Blue Lagoon ended early: only Bea is left at the table." in last.content
    assert [file.filename for file in last.attachments] == ["board.png", "scores.png"]
    assert "no running match" in said(await world.ana.slash(world.place(room), "resign"))
    assert "given up your seat" in said(
        await world.ana.slash(world.place(room), "resign", match=room.record.id)
    )
    assert "over" in said(await world.bea.slash(world.place(room), "resign", match=room.record.id))
    assert "given up your seat" in said(
        await world.ana.slash(world.place(room), "play", match=room.record.id)
    )


@pytest.mark.parametrize("game", ["maori", "conquest"])
async def test_the_end_by_resignation_shows_ranking_and_score_sheet_and_the_seed_behind_a_button(
    world: World, game: str
) -> None:
    opened = (await world.ana.slash(world.channel, "game new", game=game)).response.message
    await world.bea.click(opened, label="Join")
    await world.ana.click(opened, label="Start")
    (room,) = await world.matches.of_user(world.ana.id)
    asked = answer(await world.ana.slash(world.place(room), "resign"))
    await world.ana.click(asked.message, label="Yes, give up my seat")
    last = world.place(room).last_message
    assert "1. **Bea**" in last.content and "2. **Ana**" in last.content
    proof = said(await world.bea.click(last, label="Fairness"))
    assert (
        f"The seed is `{(await world.room(room)).match.seed}`" in proof
        and room.record.commitment in proof
    )
    assert {"board.png", "scores.png"} <= {file.filename for file in last.attachments}


async def test_whoever_resigns_is_told_that_the_seat_is_gone(world: World) -> None:
    room = await world.started(world.bea, world.cem)
    asked = answer(await world.bea.slash(world.place(room), "resign"))
    assert "A computer player takes it and plays on." in asked.content
    done = answer(await world.bea.click(asked.message, label="Yes, give up my seat"))
    assert "given up your seat" in done.content and "Not your turn" not in done.content
    assert not parts(done)


async def test_a_match_elsewhere_is_named(world: World) -> None:
    first = await world.started()
    other = world.guild.create_text_channel("elsewhere")
    asked = answer(await world.ana.slash(other, "play", move="17"))
    (chosen,) = labels(asked)
    assert "You play no match here" in asked.content and first.record.id in chosen
    assert not (await world.room(first)).playing().draft(Seat(0)).answers, (
        "it was not taken for granted"
    )
    assert "17" in said(await world.ana.click(asked.message, label=chosen))
    assert "no running match" in said(await world.cem.slash(other, "play"))
    (choice,) = await world.ana.autocomplete(other, "play", "match", "blue")
    assert choice["value"] == first.record.id
    assert "boat on 17" in said(await world.ana.slash(other, "play", match=first.record.id))
    assert await world.cem.autocomplete(other, "play", "match", "") == []
    for foreign in (first.record.id, "zzzzzzzz", "@everyone", "x" * 6000):
        assert "no such match here" in said(await world.cem.slash(other, "board", match=foreign))


async def test_of_several_matches_here_the_one_that_waits_is_mine(world: World) -> None:
    first = await world.started(place="channel")
    bea_begins = {"game": "blue_lagoon", "place": "channel", "settings": "first=1"}
    message = (await world.bea.slash(world.channel, "game new", **bea_begins)).response.message
    await world.ana.click(message, label="Join")
    await world.bea.click(message, label="Start")
    assert said(await world.ana.slash(world.channel, "play", move="17!")).startswith("Done.")
    assert (await world.room(first)).match.number == 1
    unclear = answer(await world.bea.slash(world.channel, "play"))
    assert "Several matches run here" in unclear.content
    chosen = next(label for label in labels(unclear) if first.record.id in label)
    assert "Where do you place a piece?" in said(
        await world.bea.click(unclear.message, label=chosen)
    )
    # What is no move might be meant for any of them.
    (second,) = [
        room
        for room in await world.matches.of_user(world.bea.id)
        if room.record.id != first.record.id
    ]
    await world.bea.slash(world.channel, "play", move="18!", match=second.record.id)
    assert "Where do you place a piece?" in said(await world.bea.slash(world.channel, "play"))
    for command, options in (
        ("game pause", {}),
        ("game pace", {}),
        ("resign", {}),
        ("plan", {"move": "19"}),
    ):
        asked = answer(await world.bea.slash(world.channel, command, **options))
        assert "Several matches run here" in asked.content and len(labels(asked)) == 2, command


async def test_a_command_is_given_again_with_all_its_options_once_the_match_is_chosen(
    world: World,
) -> None:
    first, second = [await world.started(place="channel") for _ in range(2)]
    for room, move in ((first, "17"), (second, "18")):
        unclear = answer(await world.ana.slash(world.channel, "play", move=f"{move}!"))
        chosen = next(label for label in labels(unclear) if room.record.id in label)
        assert said(await world.ana.click(unclear.message, label=chosen)).startswith("Done.")
        await world.bea.slash(world.channel, "play", move="1!", match=room.record.id)
        assert (await world.room(room)).playing().number == 2
    await world.ana.slash(world.channel, "play", move="20", match=first.record.id)
    unclear = answer(await world.ana.slash(world.channel, "undo", all=True))
    chosen = next(label for label in labels(unclear) if first.record.id in label)
    await world.ana.click(unclear.message, label=chosen)
    assert not (await world.room(first)).playing().draft(Seat(0)).answers
    long = said(await world.ana.slash(world.channel, "play", move="17," * 30))
    assert "`match:`" in long and first.record.id in long and second.record.id in long


async def test_in_direct_messages_lobbies_are_not_offered_and_refused_to_old_clients(
    world: World,
) -> None:
    someone = world.env.create_user("Dee")
    for command in ("game join", "game start", "game resume"):
        with pytest.raises(SetupError, match="not visible"):
            await someone.slash(command)
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
    told = said(await world.ana.slash(world.place(room), "undo"))
    short_id = told.split("`")[1]
    assert "as it was before" in told and len(short_id) == 6
    logged = next(
        record.getMessage() for record in caplog.records if short_id in record.getMessage()
    )
    assert "ZeroDivisionError" in logged and "g7" not in logged and "test_play.py" in logged
    world.expected(ZeroDivisionError)


async def test_a_move_that_was_made_is_not_called_undone_when_its_answer_fails(
    world: World, caplog
) -> None:
    room = await world.started()
    world.env.inject_error(
        "PATCH", "/webhooks/*/*/messages/@original", status=400, code=50035, message="Invalid Form"
    )
    told = said(await world.ana.slash(world.place(room), "play", move="17!"))
    assert (await world.room(room)).match.number == 1
    assert (
        told.startswith("It is done")
        and "try again" not in told
        and told.split("`")[1] in caplog.text
    )
    world.expected(discord.HTTPException)


async def test_a_panel_comes_without_its_picture_if_that_cannot_be_drawn(
    world: World, monkeypatch
) -> None:
    room = await world.started()

    async def broken(*args: Any, **kwargs: Any) -> None:
        raise OSError("no fonts")

    monkeypatch.setattr(world.bot.pictures, "board", broken)
    shown = answer(await panel(world, world.ana, room))
    assert "Where do you place" in shown.content and not shown.attachments
    await world.ana.slash(world.place(room), "play", move="17!")
    assert "Ana: boat on 17." in world.place(room).last_message.content
