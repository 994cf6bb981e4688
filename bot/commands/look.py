"""/board, /hand, /log: looking at matches without touching them."""

import io
from itertools import count
from typing import Any

import discord
from discord import app_commands

from bot import reply
from bot.commands import catch_up, completion, lobby, pace, past, review, rules, votes
from bot.components.items import Asked, TurnItem
from bot.components.parts import CONTENT, Row, lines_within
from bot.errors import Refused
from bot.matches.records import undone
from bot.matches.room import Room, as_they_sat, everybody
from bot.panel import presses
from bot.panel.build import Desk, build_panel
from bot.pictures import Picture
from bot.posts import turn_message
from bot.text import describe, say
from bot.text.names import marked_names, plain_names
from bot.which_match import my_match, my_seat, named, seat_of
from engine import Seat

LINES = 40
"""Log entries shown in a message; the file has them all."""


@app_commands.command(name="board", description=say("command.board.description"), extras=reply.IF_SLOW)
@app_commands.describe(
    mine=say("command.board.mine"),
    in_words=say("command.board.text"),
    public=say("command.board.public"),
    at=say("command.board.at"),
    match=say("command.option.match"),
)
@app_commands.rename(in_words="text")
async def show_board(
    interaction: Asked,
    mine: bool = False,
    in_words: bool = False,
    public: bool = False,
    at: str = "",
    match: str | None = None,
) -> None:
    """The picture that everyone sees, or one's own, or either in words; to oneself, unless all here shall see it."""
    room = await my_match(interaction, match, seated=mine and not at.strip())
    room.playing()
    for_all = public and not mine and not in_words and interaction.channel_id == room.info.place.posts_to
    if at.strip():
        await past.show_at(interaction, room, at, mine, in_words, public=for_all)
        return
    seat = my_seat(interaction, room) if mine else None
    if not in_words:
        await _show_board(interaction, room, seat, public=for_all)
        return
    scene: dict[str, Any] = {}
    if seat is not None:
        made, desk = build_panel(room, seat), Desk.of(room, seat)
        # Nothing is asked of a seat that was given up, although a computer is asked for it.
        asked = desk.match.question(seat) if made.question else None
        choices = tuple(desk.label(asked, option) for option in asked.options) if asked else ()
        scene = {"rings": made.rings, "question": made.question, "choices": choices}
    view = room.playing().view(seat)
    await reply.show_words(interaction, await interaction.client.pictures.text_board(view, plain_names(room), **scene))


async def _show_board(
    interaction: Asked, room: Room, seat: Seat | None, hand: str = "", *, public: bool = False
) -> None:
    """The board as a seat sees it, with its draft, or as everyone does; `hand` is what the seat holds, in words."""
    match = room.playing()
    lines = [f"**{describe.title(room)}**"]
    lines += [describe.whose_turn(room)] if match.outcome is None else describe.ranking_lines(room)
    lines += describe.status_lines(room, seat)
    if seat is None:
        news = await interaction.client.matches.announcements.news(room, None)
        picture: Picture | None = await interaction.client.pictures.board(
            match.view(None), plain_names(room), **describe.scene(room, news, None)
        )
    else:
        lines += hand.splitlines()
        drafted = describe.told_singly(room, match.draft(seat).events, seat)
        lines += [say("look.drafted", told=line) for line in drafted]
        picture = await presses.private_picture(interaction, room, seat, build_panel(room, seat))
    # With the buttons of a turn: nobody has to look for the message that has them.
    await reply.show(interaction, "\n".join(lines), turn_message.turn_rows(room), [picture], public=public)


@app_commands.command(name="hand", description=say("command.hand.description"))
@app_commands.describe(match=say("command.option.my_match"))
async def hand(interaction: Asked, match: str | None = None) -> None:
    """What lies before a player, in words, and the board as they see it."""
    room = await my_match(interaction, match, seated=True)
    seat = my_seat(interaction, room)
    held = await interaction.client.pictures.hand(room.playing().view(seat), marked_names(room))
    await _show_board(interaction, room, seat, held)


@app_commands.command(name="log", description=say("command.log.description"))
@app_commands.describe(whole=say("command.log.whole"), match=say("command.option.match"))
async def log(interaction: Asked, whole: bool = False, match: str | None = None) -> None:
    """The log as the asker may know it."""
    room = await my_match(interaction, match, seated=False)
    await _show_log(interaction, room, whole)


async def _show_log(interaction: Asked, room: Room, whole: bool) -> None:
    seat = seat_of(interaction, room)
    over = room.is_over
    lines, numbers = [], count(1)
    commits = dict(enumerate(await interaction.client.matches.log(room.info.id, seat)))
    gone = undone(commits)
    played_for: set[Seat] = set()
    for number, commit in commits.items():
        lines += describe.seats_changed(room, number)
        names = marked_names(Room(as_they_sat(room.info, number)), played_for)
        said = describe.told(room, commit.events, seat, names)
        if commit.resigned or commit.handed == "computer":
            played_for.add(commit.seat)
        elif commit.handed == "person":
            played_for.discard(commit.seat)
        if said:
            # A gap in the numbers would tell of a commit that the asker may know nothing of.
            shown = number if over or not number else next(numbers)
            lines.append(say("look.log_entry", number=shown, told=" ".join(said), undone=number in gone))
    lines += describe.seats_changed(room, len(commits))
    head = say("match.title", game=describe.title(room), id=room.info.id)
    if whole and not over:
        await reply.tell(interaction, head, file=_file("\n".join(lines), room, "log"))
        return
    body = lines_within(lines[-LINES:], CONTENT - len(head) - 1, "…") if lines else [say("look.nothing_yet")]
    attached = await _transcript(interaction, room)
    fairness: Row = (turn_message.fairness_button(room),)
    await reply.tell(interaction, "\n".join([head, *body]), [fairness], **attached)


async def _show_fairness(interaction: Asked, room: Room) -> None:
    """Why nobody can have had a hand in the dice, and how to check it once the match is over."""
    await reply.tell(interaction, turn_message.fairness(room), **await _transcript(interaction, room))


async def _transcript(interaction: Asked, room: Room) -> dict[str, Any]:
    """The whole match as a file to replay, once it has ended."""
    if not room.is_over:
        return {}
    matches = interaction.client.matches
    hidden = await matches.standing.hidden(everybody(room.info))
    text = await matches.transcript(room.info.id, describe.about(room, hidden))
    return {"file": _file(text, room, "transcript")}


def _file(content: str, room: Room, what: str) -> discord.File:
    return discord.File(io.BytesIO(content.encode()), f"{room.info.game}-{room.info.id}-{what}.txt")


async def pressed(interaction: Asked, item: TurnItem) -> None:
    """A button under a turn was pressed; the answer is private."""
    room = await named(interaction, item.fields["match"])
    match item.fields["what"]:
        case "move":
            await presses.open_panel(interaction, room)
        case "view":
            # A player's own, or for a watcher what everyone sees.
            await _show_board(interaction, room, seat_of(interaction, room))
        case "news":
            await catch_up.show_news(interaction, room)
        case catch_up.UNNOTE:
            await catch_up.delete_note(interaction, room)
        case "log":
            await _show_log(interaction, room, whole=False)
        case "rules":
            await rules.show_rules(interaction, room.info.game, "")
        case "rematch":
            await lobby.offer_rematch(interaction, room)
        case "claim":
            await pace.claimed(interaction, room, int(item.fields.get("post") or 0))
        case votes.ASK:
            await votes.ask_for(interaction, room, Seat(int(item.fields.get("post") or 0)))
        case "stop":
            if not interaction.client.long_jobs.stop(int(item.fields.get("post") or 0)):
                # The bot has stopped in the midst of it: what was said of it then is taken back.
                await reply.show(interaction, say("job.gone"))
        case "review":
            await review.show_review(interaction, room)
        case "fair":
            await _show_fairness(interaction, room)
        case _:
            raise Refused(say("refusal.old_button"))


completion.offer(completion.matches, "match", show_board, hand, log)


COMMANDS: tuple[app_commands.Command[Any, Any, Any], ...] = (show_board, hand, log)
