"""/catchup shows what a player has missed in a match; /note keeps a private note for later.

Notes are private: only their author's panel and /catchup show them, and they are deleted with the
author's data.
"""

from collections import Counter
from collections.abc import Iterable, Mapping

from msgspec import Struct

from bot.kernel import encoding, queries
from bot.kernel.feature import Parts
from bot.kernel.kernel import Kernel
from bot.kernel.room import Room
from bot.posts.turn_message import turn_rows
from bot.runtime.base import Refused
from bot.store.sql import Command, SelectOne
from bot.text import and_list, say
from bot.ui import (
    CONTENT,
    MATCH,
    Button,
    Content,
    Entered,
    Feature,
    Form,
    MotuInteraction,
    TextField,
    cut,
    describe,
    escape_text,
    form_button,
    lines_within,
    make_turn_button,
    marked_names,
    my_match,
    my_seat,
    open_form,
    reply,
    seat_of,
    service,
    slash,
    turn_button_id,
)
from engine import Commit, Event, Match, Seat
from engine.core.words import points

MAX_NOTE_CHARACTERS = 400
"""The limit for a note, which must leave room for the rest of the panel."""
MAX_OWN_CHARACTERS = 800
"""The limit for news that concern the reader; other news get the rest of the message."""
DELETE_NOTE_BUTTON = "unnote"

# Notes in the database.

load_note = SelectOne(str, "SELECT note FROM notes WHERE match_id = {match} AND user_id = {user}")

put_note = Command("""
    INSERT INTO notes (match_id, user_id, note) VALUES ({match}, {user}, {note})
    ON CONFLICT (match_id, user_id) DO UPDATE SET note = excluded.note
""")

erase_note = Command("DELETE FROM notes WHERE match_id = {match} AND user_id = {user}")


# Find what has happened.


class Changes(Struct, frozen=True):
    """What a player or spectator has missed."""

    events: tuple[Event, ...]
    """The events they may know, in order."""
    before: Match | None = None
    """The match when they last acted; None for a spectator or a player who has not acted yet."""


async def changes_since_last_act(kernel: Kernel, room: Room, seat: Seat | None) -> Changes:
    """Return what happened since a player last acted; for a spectator, since the last post."""
    if seat is None:
        return Changes(await kernel.matches.news(room, None))
    match, game = room.record.id, room.playing().game
    stored_commits = await kernel.store.read(queries.commits, match)
    commits = {stored.number: encoding.decode_commit(stored, game) for stored in stored_commits}
    undone = encoding.find_undone(commits)
    standing = {number: commit for number, commit in commits.items() if number not in undone}
    began_as_computer = seat in (await kernel.matches.position(match, 0)).computers
    last = last_own_act(standing, seat, began_as_computer)
    if last is None:
        return Changes(encoding.visible_events(list(standing.values()), seat))
    missed = [commit for number, commit in standing.items() if number > last]
    return Changes(
        encoding.visible_events(missed, seat), await kernel.matches.position(match, last)
    )


def last_own_act(standing: Mapping[int, Commit], seat: Seat, by_computer: bool) -> int | None:
    """Return the number of the last commit that a seat's current player made in person, if any.

    Turns that a computer made for them are news to them, and so are those of a player whose seat
    they have taken over.
    """
    last, is_away = None, by_computer
    for number, commit in standing.items():
        if not number or commit.seat != seat:
            continue
        if commit.handed == "computer" or commit.resigned:
            is_away, by_computer = True, by_computer or commit.resigned
        elif commit.handed == "person":
            last = None if by_computer else last
            is_away = by_computer = False
        elif not is_away and not commit.seed:
            last = number
    return last


# Describe what has happened.


def catch_up_text(
    room: Room, seat: Seat | None, changes: Changes, note: str = "", deadline: int | None = None
) -> str:
    """Describe what a player has missed, news about themselves first; for None, a spectator.

    The text always fits into a message.
    """
    since = "act"
    if seat is None:
        since = "post"
    elif changes.before is None:
        since = "start"
    parts = [
        say(f"catch_up.since_{since}", **describe.facts(room)),
        question_or_turn(room, seat, deadline),
        say("note.shown", text=escape_text(note, len(note))) if note else "",
    ]
    if seat is not None:
        parts += [points_text(room, seat, changes), describe.why_plan_dropped(room, seat)]
    parts = [part for part in parts if part]
    own, others, passes = sort_events(room, seat, changes.events)
    is_nothing_told = not passes
    for key, events, most in (
        ("catch_up.mine", own, MAX_OWN_CHARACTERS),
        ("catch_up.others" if own else "catch_up.all", others, CONTENT),
    ):
        title = say(key)
        if lines := [f"- {line}" for line in describe.tell_events(room, events, seat)]:
            space = CONTENT - sum(len(part) + 1 for part in (*parts, title, passes))
            parts += [title, *lines_within(lines, min(space, most), say("catch_up.earlier"))]
            is_nothing_told = False
    parts.append(say("catch_up.nothing") if is_nothing_told else passes)
    return cut("\n".join(filter(None, parts)), CONTENT)


def question_or_turn(room: Room, seat: Seat | None, deadline: int | None) -> str:
    """Return the reader's current question, or else whose turn it is."""
    match, names = room.playing(), marked_names(room)
    if match.outcome is not None:
        return say("post.ended", result=describe.result(room, names))
    question = match.question(seat) if seat is not None and seat in match.humans() else None
    if question is None:
        return describe.whose_turn(room)
    text = describe.words(room).question(question, names, match.view(seat))
    shown = describe.emphasize_question(text)
    return say("catch_up.asked", question=shown, ends=f"<t:{deadline}:R>" if deadline else "")


def points_text(room: Room, seat: Seat, changes: Changes) -> str:
    """Describe how the reader's score has changed; '' if it has not."""
    now = room.playing().without_drafts().view(seat).scores
    before = changes.before.view(seat).scores if changes.before else ()
    if not now or not before or now[seat] == before[seat]:
        return ""
    return say("catch_up.points", was=points(before[seat]), now=points(now[seat]))


def sort_events(
    room: Room, seat: Seat | None, events: Iterable[Event]
) -> tuple[list[Event], list[Event], str]:
    """Return the events that concern the reader, the others, and a line that sums up passes."""
    own: list[Event] = []
    others: list[Event] = []
    passes: Counter[int] = Counter()
    for event in events:
        named_seats = describe.words(room).seats_in(event)
        if seat is not None and (seat in named_seats or event.audience == (seat,)):
            own.append(event)
        elif event.is_pass and len(named_seats) == 1:
            passes.update(named_seats)
        else:
            others.append(event)
    if not passes:
        return own, others, ""
    names = marked_names(room)
    who = and_list(
        say("catch_up.times", name=names[idle], number=times)
        for idle, times in sorted(passes.items())
    )
    return own, others, say("catch_up.passed", who=who)


# /catchup, and the button "Catch me up" under a turn.


@slash("catchup", dms=True)
async def catchup(interaction: MotuInteraction, match: str | None = None) -> None:
    """Show what has happened since the user last acted."""
    await show_news(interaction, await my_match(interaction, match))


async def show_news(interaction: MotuInteraction, room: Room) -> None:
    """Show the user what they have missed in a match, as text and marked on the board."""
    client, user = interaction.client, interaction.user.id
    seat = seat_of(interaction, room)
    changes = await changes_since_last_act(client.kernel, room, seat)
    note = await service(interaction, Notes).of(room, user)
    text = catch_up_text(room, seat, changes, note, client.kernel.clocks.deadline(room, seat))
    view = room.playing().without_drafts().view(seat)
    picture = await describe.draw_board(client, room, seat, changes.events, view)
    await reply.show(interaction, text, turn_rows(room), [picture])


# /note


class Notes:
    """Players' private notes, one per player and match. Nobody else can read them."""

    def __init__(self, kernel: Kernel) -> None:
        self._store = kernel.store

    async def of(self, room: Room, user: int) -> str:
        """Return a player's note; '' if there is none."""
        return await self._store.read(load_note, room.record.id, user) or ""

    async def write(self, room: Room, user: int, text: str) -> None:
        """Replace a player's note; an empty text deletes it. Refuse users without a seat."""
        if room.seat_of(user) is None:
            raise Refused("note.not_seated")
        if len(text) > MAX_NOTE_CHARACTERS:
            raise Refused("note.too_long", number=len(text), most=MAX_NOTE_CHARACTERS)
        if note := text.strip():
            await self._store.write(put_note, room.record.id, user, note)
        else:
            await self._store.write(erase_note, room.record.id, user)


@slash("note", dms=True, match="my_match", extras=reply.MAY_OPEN_FORM)
async def note(interaction: MotuInteraction, text: str = "", match: str | None = None) -> None:
    """Write a private note; without a text, open the current one in a form."""
    room = await my_match(interaction, match, seated=True)
    if not text.strip():
        await open_form(interaction, note_form_id(room))
        return
    await service(interaction, Notes).write(room, interaction.user.id, text)
    await show_note(interaction, room)


class NoteForm(Form, template=rf"note:{MATCH}", command="note"):
    """A player's note, to read and to change."""

    async def content(self, interaction: MotuInteraction) -> Content:
        """Return the current note."""
        room = await self.room(interaction)
        my_seat(interaction, room)
        field = TextField(
            key="text",
            label=say("note.text"),
            description=say("note.about"),
            value=await service(interaction, Notes).of(room, interaction.user.id),
            is_long=True,
            max_length=MAX_NOTE_CHARACTERS,
        )
        return Content(say("note.title", game=describe.title(room)), [field])

    async def on_submit(self, interaction: MotuInteraction, entered: Entered) -> None:
        """Save the note; if the text is empty, delete it."""
        room = await self.room(interaction)
        await service(interaction, Notes).write(room, interaction.user.id, entered.text("text"))
        await show_note(interaction, room)


def note_form_id(room: Room) -> str:
    """Return the id of the form for the user's note in a match."""
    return f"note:{room.record.id}"


async def delete_note(interaction: MotuInteraction, room: Room) -> None:
    """Delete the user's note."""
    await service(interaction, Notes).write(room, interaction.user.id, "")
    await show_note(interaction, room)


async def show_note(interaction: MotuInteraction, room: Room) -> None:
    """Show the user's current note in a match, if there is one."""
    note = await service(interaction, Notes).of(room, interaction.user.id)
    title = say("match.title", **describe.facts(room))
    buttons = [form_button(note_form_id(room), say("note.edit"))]
    text = say("note.none")
    if note:
        text = say("note.shown", text=escape_text(note, len(note)))
        buttons.append(
            Button(turn_button_id(room.record.id, DELETE_NOTE_BUTTON), say("note.delete"))
        )
    await reply.show(interaction, f"{title}\n{text}", [tuple(buttons)])


FEATURE = Feature(
    name="catch_up",
    build=lambda kernel: Parts(services=(Notes(kernel),)),
    commands=(catchup, note),
    items=(
        make_turn_button("news", show_news),
        make_turn_button(DELETE_NOTE_BUTTON, delete_note),
    ),
    forms=(NoteForm,),
)
