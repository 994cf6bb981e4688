"""/catchup and the button What happened: what somebody has missed in a match; and /note, which helps them remember."""

from typing import Any

from discord import app_commands

from bot import reply
from bot.commands import completion
from bot.components import ids
from bot.components.items import Asked
from bot.components.parts import CONTENT, PLAIN, Row, button, cut, lines_within
from bot.errors import log_error
from bot.matches.catch_up import Changes
from bot.matches.room import Room
from bot.pictures import Picture
from bot.posts import turn_message
from bot.text import describe, listed, say
from bot.text.names import escaped, marked_names, plain_names
from bot.which_match import my_match, my_seat, seat_of
from engine import Event, Seat, visible
from engine.core.words import points

MINE = 800
"""Characters of what concerns the reader; what happened to others gets what is left."""
UNNOTE = "unnote"
"""The button that deletes a note."""


@app_commands.command(name="catchup", description=say("command.catchup.description"))
@app_commands.describe(match=say("command.option.match"))
async def catchup(interaction: Asked, match: str | None = None) -> None:
    """What happened since the asker's own last act."""
    await show_news(interaction, await my_match(interaction, match, seated=False))


async def show_news(interaction: Asked, room: Room) -> None:
    """What somebody has missed in a match: in words, and all of it marked in one picture."""
    seat, matches = seat_of(interaction, room), interaction.client.matches
    changes = await matches.catch_up.changes(room, seat)
    note = await matches.notes.of(room, interaction.user.id)
    deadline = matches.agenda.deadline(room, interaction.user.id)
    said = in_words(room, seat, changes, note, deadline)
    await reply.show(
        interaction, said, turn_message.turn_rows(room), [await _picture(interaction, room, seat, changes)]
    )


def in_words(room: Room, seat: Seat | None, changes: Changes, note: str = "", deadline: int | None = None) -> str:
    """What a seat has missed, what concerns it first; for None what a watcher has. It always fits a message."""
    since = "post" if seat is None else "start" if changes.before is None else "act"
    head = [say(f"catch_up.since_{since}", game=describe.title(room), id=room.info.id), *_asked(room, seat, deadline)]
    if note:
        head.append(say("note.shown", text=escaped(note, len(note))))
    if seat is not None:
        head += [*_points(room, seat, changes), *filter(None, [describe.dropped_plan(room, seat)])]
    mine, others, passes = _sorted(room, seat, changes.events)
    parts: list[str] = [*head]
    if told := describe.told(room, mine, seat):
        lines = [f"- {line}" for line in told]
        parts += [say("catch_up.mine"), *lines_within(lines, MINE, say("catch_up.earlier"))]
    tail = [passes] if passes else []
    told = describe.told(room, others, seat)
    if told:
        title = say("catch_up.others" if mine else "catch_up.all")
        room_left = CONTENT - sum(len(part) + 1 for part in (*parts, title, *tail))
        parts += [title, *lines_within([f"- {line}" for line in told], room_left, say("catch_up.earlier"))]
    elif not mine and not passes:
        parts.append(say("catch_up.nothing"))
    return cut("\n".join([*parts, *tail]), CONTENT)


def _asked(room: Room, seat: Seat | None, deadline: int | None) -> list[str]:
    """What is asked of the reader now, else whose turn it is."""
    match = room.playing()
    if match.outcome is not None:
        return [describe.result(room, marked_names(room))]
    question = match.question(seat) if seat is not None and seat in match.humans() else None
    if question is None:
        return [describe.whose_turn(room)]
    asked = describe.words(room).question(question, marked_names(room), match.view(seat))
    return [say("catch_up.asked", question=asked, ends=f"<t:{deadline}:R>" if deadline else "")]


def _points(room: Room, seat: Seat, changes: Changes) -> list[str]:
    """How the reader's own points have changed."""
    now = room.playing().without_drafts().view(seat).scores
    was = changes.before.view(seat).scores if changes.before else ()
    if not now or not was or now[seat] == was[seat]:
        return []
    return [say("catch_up.points", was=points(was[seat]), now=points(now[seat]))]


def _sorted(room: Room, seat: Seat | None, events: tuple[Event, ...]) -> tuple[list[Event], list[Event], str]:
    """What concerns the reader, what does not, and who passed how often in a line."""
    mine: list[Event] = []
    others: list[Event] = []
    passed: dict[int, int] = {}
    for event in events:
        named = describe.words(room).seats_in(event)
        if seat is not None and (seat in named or event.audience == (seat,)):
            mine.append(event)
        elif event.is_pass and len(named) == 1:
            (idle,) = named
            passed[idle] = passed.get(idle, 0) + 1
        else:
            others.append(event)
    names = marked_names(room)
    who = listed(say("catch_up.times", name=names[one], number=times) for one, times in sorted(passed.items()))
    return mine, others, say("catch_up.passed", who=who) if passed else ""


async def _picture(interaction: Asked, room: Room, seat: Seat | None, changes: Changes) -> Picture | None:
    """The board as the reader sees it, with everything that they have missed marked."""
    view = room.playing().without_drafts().view(seat)
    try:
        scene = describe.scene(room, visible(changes.events, seat), seat)
        return await interaction.client.pictures.board(view, plain_names(room), **scene)
    except Exception as error:
        # The words tell as much.
        log_error(error)
        return None


@app_commands.command(name="note", description=say("command.note.description"))
@app_commands.describe(text=say("command.note.text"), match=say("command.option.my_match"))
async def note(interaction: Asked, text: str = "", match: str | None = None) -> None:
    """A note to oneself written, or without a text shown."""
    room = await my_match(interaction, match, seated=True)
    if text.strip():
        await interaction.client.matches.notes.write(room, interaction.user.id, text)
    else:
        my_seat(interaction, room)
    with reply.answering():
        await _show_note(interaction, room)


async def delete_note(interaction: Asked, room: Room) -> None:
    """The note to oneself forgotten."""
    await interaction.client.matches.notes.write(room, interaction.user.id, "")
    with reply.answering():
        await _show_note(interaction, room)


async def _show_note(interaction: Asked, room: Room) -> None:
    kept = await interaction.client.matches.notes.of(room, interaction.user.id)
    title = say("match.title", game=describe.title(room), id=room.info.id)
    said = say("note.shown", text=escaped(kept, len(kept))) if kept else say("note.none")
    rows: list[Row] = [(button(ids.turn(room.info.id, UNNOTE), say("note.delete"), PLAIN),)] if kept else []
    await reply.show(interaction, f"{title}\n{said}", rows)


completion.offer(completion.matches, "match", catchup, note)


COMMANDS: tuple[app_commands.Command[Any, Any, Any], ...] = (catchup, note)
