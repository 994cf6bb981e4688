"""/board, /hand, /log, and the buttons that show the same: looking at a match without touching
it.
"""

import io
from itertools import count
from typing import Any

import discord

from bot.features.history.moments import show_typed_moment
from bot.features.history.transcripts import export_match
from bot.features.play.panel import build_panel
from bot.features.play.presses import draw_private_board
from bot.kernel.encoding import undone
from bot.kernel.room import Room, as_they_sat, everybody
from bot.posts import turn_message
from bot.text import say
from bot.ui import (
    CONTENT,
    MotuInteraction,
    Picture,
    describe,
    hidden_players,
    lines_within,
    marked_names,
    my_match,
    my_seat,
    my_seated_match,
    plain_names,
    reply,
    seat_of,
    slash,
)
from engine import Commit, Seat

MAX_LOG_LINES = 40
"""Log entries shown in a message; the file has them all."""


@slash("board", dms=True, extras=reply.IF_SLOW)
async def board(
    interaction: MotuInteraction,
    mine: bool = False,
    text: bool = False,
    public: bool = False,
    at: str = "",
    match: str | None = None,
) -> None:
    """Show the board, public or one's own, drawn or in words, as it is now or was at a moment."""
    room = await my_match(interaction, match, seated=mine and not at.strip())
    room.playing()
    is_here = interaction.channel_id == room.record.place.posts_to
    is_public = public and is_here and not mine and not text
    if at.strip():
        await show_typed_moment(interaction, room, at, mine, text, is_public)
        return
    seat = my_seat(interaction, room) if mine else None
    if text:
        await _show_board_in_words(interaction, room, seat)
    else:
        await show_board(interaction, room, seat, public=is_public)


async def _show_board_in_words(interaction: MotuInteraction, room: Room, seat: Seat | None) -> None:
    """Show the board in words; to a seat with its question and what it can choose."""
    scene: dict[str, Any] = {}
    if seat is not None:
        panel = build_panel(room, seat)
        scene = {"rings": panel.rings, "question": panel.question}
        # Nothing is asked of a seat that was given up, although a computer is asked for it.
        if panel.question and (asked := panel.context.question):
            scene["choices"] = tuple(panel.context.label(asked, option) for option in asked.options)
    view = room.playing().view(seat)
    await reply.show_words(
        interaction, await interaction.client.pictures.text_board(view, plain_names(room), **scene)
    )


async def show_board(
    interaction: MotuInteraction,
    room: Room,
    seat: Seat | None,
    hand: str = "",
    public: bool = False,
) -> None:
    """Show the board as a seat sees it, with its draft, or as everyone does.

    `hand` is what the seat holds, in words.
    """
    client, match = interaction.client, room.playing()
    lines = [f"**{describe.title(room)}**"]
    lines += [describe.whose_turn(room)] if match.outcome is None else describe.ranking_lines(room)
    lines += describe.status_lines(room, seat)
    picture: Picture | None
    if seat is None:
        news = await client.kernel.announcements.news(room, None)
        picture = await describe.draw_board(client, room, events=news)
    else:
        lines += hand.splitlines()
        drafted = describe.told_singly(room, match.draft(seat).events, seat)
        lines += [say("look.drafted", told=line) for line in drafted]
        picture = await draw_private_board(interaction, build_panel(room, seat))
    # With the buttons of a turn: nobody has to look for the message that has them.
    rows = turn_message.turn_rows(room)
    await reply.show(interaction, "\n".join(lines), rows, [picture], public=public)


async def show_view(interaction: MotuInteraction, room: Room) -> None:
    """Show a player the board as they see it, and a watcher what everyone sees."""
    await show_board(interaction, room, seat_of(interaction, room))


@slash("hand", dms=True, match="my_match")
async def hand(interaction: MotuInteraction, match: str | None = None) -> None:
    """Show what a player holds, in words, and the board as they see it."""
    room, seat = await my_seated_match(interaction, match)
    held = await interaction.client.pictures.hand(room.playing().view(seat), marked_names(room))
    await show_board(interaction, room, seat, held)


@slash("log", dms=True)
async def log(interaction: MotuInteraction, whole: bool = False, match: str | None = None) -> None:
    """Show the log as the user may know it."""
    room = await my_match(interaction, match, seated=False)
    await show_log(interaction, room, whole)


async def show_log(interaction: MotuInteraction, room: Room, whole: bool = False) -> None:
    """Show the end of a match's log; a finished match comes as a file too.

    With `whole`, the log of a match that is being played is sent as a file instead.
    """
    seat = seat_of(interaction, room)
    commits = await interaction.client.kernel.matches.log(room.record.id, seat)
    lines = _log_lines(room, commits, seat)
    head = say("match.title", game=describe.title(room), id=room.record.id)
    if whole and not room.is_over:
        await reply.tell(interaction, head, files=_text_file("\n".join(lines), room, "log"))
        return
    newest = lines[-MAX_LOG_LINES:] or [say("look.nothing_yet")]
    shown = lines_within(newest, CONTENT - len(head) - 1, "…")
    rows = [(turn_message.fairness_button(room),)]
    await reply.tell(
        interaction, "\n".join([head, *shown]), rows, files=await _transcript(interaction, room)
    )


def _log_lines(room: Room, commits: list[Commit], viewer: Seat | None) -> list[str]:
    """Return the log in words: a line for each commit that the viewer may know of."""
    lines: list[str] = []
    by_number = dict(enumerate(commits))
    gone = undone(by_number)
    played_for: set[Seat] = set()
    # A gap in the numbers would tell of a commit that the viewer may know nothing of.
    shown_numbers = count(1)
    for number, commit in by_number.items():
        lines += describe.seats_changed(room, number)
        names = marked_names(Room(as_they_sat(room.record, number)), played_for)
        told = describe.told(room, commit.events, viewer, names)
        if commit.resigned or commit.handed == "computer":
            played_for.add(commit.seat)
        elif commit.handed == "person":
            played_for.discard(commit.seat)
        if told:
            shown = number if room.is_over or not number else next(shown_numbers)
            lines.append(
                say("look.log_entry", number=shown, told=" ".join(told), undone=number in gone)
            )
    return [*lines, *describe.seats_changed(room, len(commits))]


async def show_fairness(interaction: MotuInteraction, room: Room) -> None:
    """Show why nobody can have influenced the dice, and how to check it once the match is over."""
    files = await _transcript(interaction, room)
    await reply.tell(interaction, turn_message.fairness(room), files=files)


async def _transcript(interaction: MotuInteraction, room: Room) -> list[discord.File]:
    """Return a finished match as a file; none while it is played."""
    if not room.is_over:
        return []
    hidden = await hidden_players(interaction.client, everybody(room.record))
    text, _ = await export_match(interaction.client.kernel, room, describe.about(room, hidden))
    return _text_file(text, room, "transcript")


def _text_file(content: str, room: Room, what: str) -> list[discord.File]:
    name = f"{room.record.game}-{room.record.id}-{what}.txt"
    return [discord.File(io.BytesIO(content.encode()), name)]
