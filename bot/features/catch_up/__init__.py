"""/catchup: what somebody has missed in a match; and /note, which helps them remember."""

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
from bot.text import listed, say
from bot.ui import (
    CONTENT,
    Button,
    Feature,
    MotuInteraction,
    Row,
    cut,
    describe,
    escaped,
    lines_within,
    make_turn_button,
    marked_names,
    my_match,
    my_seat,
    reply,
    seat_of,
    service,
    slash,
    turn_button_id,
)
from engine import Commit, Event, Match, Seat
from engine.core.words import points

MAX_NOTE_CHARACTERS = 400
"""A note stands in the panel, which has to have room for the rest."""
MAX_OWN_CHARACTERS = 800
"""For what concerns the reader; what happened to others gets what is left."""
DELETE_NOTE_BUTTON = "unnote"

# Notes in the database.

load_note = SelectOne(str, "SELECT note FROM notes WHERE match_id = {match} AND user_id = {user}")

put_note = Command("""
    INSERT INTO notes (match_id, user_id, note) VALUES ({match}, {user}, {note})
    ON CONFLICT (match_id, user_id) DO UPDATE SET note = excluded.note
""")

erase_note = Command("DELETE FROM notes WHERE match_id = {match} AND user_id = {user}")


# What has happened.


class Changes(Struct, frozen=True):
    """What a seat, or a watcher, has missed."""

    events: tuple[Event, ...]
    """What they may know of it, in order."""
    before: Match | None = None
    """The match as they left it; None for a watcher, and for somebody who has not acted yet."""


async def changes_since_last_act(kernel: Kernel, room: Room, seat: Seat | None) -> Changes:
    """Return all that happened since a seat's own last act; for a watcher, since the last post."""
    if seat is None:
        return Changes(await kernel.matches.news(room, None))
    match, game = room.record.id, room.playing().game
    kept = await kernel.store.read(queries.commits, match)
    commits = {stored.number: encoding.decode_commit(stored, game) for stored in kept}
    standing = {
        number: commits[number] for number in sorted(commits.keys() - encoding.undone(commits))
    }
    began_as_computer = seat in (await kernel.matches.position(match, 0)).computers
    last = last_own_act(standing, seat, began_as_computer)
    if last is None:
        return Changes(encoding.facts(list(standing.values()), seat))
    missed = [made for number, made in standing.items() if number > last]
    return Changes(encoding.facts(missed, seat), await kernel.matches.position(match, last))


def last_own_act(standing: Mapping[int, Commit], seat: Seat, by_computer: bool) -> int | None:
    """Return the number of the last commit that the person in a seat has made themselves, if any.

    What a computer plays for them is news to them. So is everything to somebody who has taken over
    a seat.
    """
    last, is_away = None, by_computer
    for number, made in standing.items():
        if not number or made.seat != seat:
            continue
        if made.handed == "computer" or made.resigned:
            is_away, by_computer = True, by_computer or made.resigned
        elif made.handed == "person":
            last = None if by_computer else last
            is_away = by_computer = False
        elif not is_away and not made.seed:
            last = number
    return last


# What has happened, in words.


def catch_up_text(
    room: Room, seat: Seat | None, changes: Changes, note: str = "", deadline: int | None = None
) -> str:
    """Tell what a seat has missed, what concerns it first; for None, what a watcher has.

    It always fits into a message.
    """
    since = "act"
    if seat is None:
        since = "post"
    elif changes.before is None:
        since = "start"
    parts = [
        say(f"catch_up.since_{since}", **describe.facts(room)),
        question_or_turn(room, seat, deadline),
        say("note.shown", text=escaped(note, len(note))) if note else "",
    ]
    if seat is not None:
        parts += [points_text(room, seat, changes), describe.dropped_plan(room, seat)]
    parts = [part for part in parts if part]
    own, others, passes = sort_events(room, seat, changes.events)
    is_nothing_told = not passes
    for key, events, most in (
        ("catch_up.mine", own, MAX_OWN_CHARACTERS),
        ("catch_up.others" if own else "catch_up.all", others, CONTENT),
    ):
        title = say(key)
        if lines := [f"- {line}" for line in describe.told(room, events, seat)]:
            space = CONTENT - sum(len(part) + 1 for part in (*parts, title, passes))
            parts += [title, *lines_within(lines, min(space, most), say("catch_up.earlier"))]
            is_nothing_told = False
    parts.append(say("catch_up.nothing") if is_nothing_told else passes)
    return cut("\n".join(filter(None, parts)), CONTENT)


def question_or_turn(room: Room, seat: Seat | None, deadline: int | None) -> str:
    """Say what is asked of the reader now, else whose turn it is."""
    match, names = room.playing(), marked_names(room)
    if match.outcome is not None:
        return describe.result(room, names)
    question = match.question(seat) if seat is not None and seat in match.humans() else None
    if question is None:
        return describe.whose_turn(room)
    asked = describe.words(room).question(question, names, match.view(seat))
    return say("catch_up.asked", question=asked, ends=f"<t:{deadline}:R>" if deadline else "")


def points_text(room: Room, seat: Seat, changes: Changes) -> str:
    """Say how the reader's own points have changed; '' if they have not."""
    now = room.playing().without_drafts().view(seat).scores
    was = changes.before.view(seat).scores if changes.before else ()
    if not now or not was or now[seat] == was[seat]:
        return ""
    return say("catch_up.points", was=points(was[seat]), now=points(now[seat]))


def sort_events(
    room: Room, seat: Seat | None, events: Iterable[Event]
) -> tuple[list[Event], list[Event], str]:
    """Return what concerns the reader, what does not, and a line that says who passed how often."""
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
    who = listed(
        say("catch_up.times", name=names[idle], number=times)
        for idle, times in sorted(passes.items())
    )
    return own, others, say("catch_up.passed", who=who)


# /catchup, and the button "What happened" under a turn.


@slash("catchup", dms=True)
async def catchup(interaction: MotuInteraction, match: str | None = None) -> None:
    """Show what has happened since the user last acted."""
    await show_news(interaction, await my_match(interaction, match))


async def show_news(interaction: MotuInteraction, room: Room) -> None:
    """Show what somebody has missed in a match: in words, and all of it marked in one picture."""
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
    """Notes that people write to themselves, one in each match. Nobody else ever reads them."""

    def __init__(self, kernel: Kernel) -> None:
        self._store = kernel.store

    async def of(self, room: Room, user: int) -> str:
        """Return a person's note, '' if there is none."""
        return await self._store.read(load_note, room.record.id, user) or ""

    async def write(self, room: Room, user: int, text: str) -> None:
        """Replace a person's note; an empty one deletes it. Refuse people who have no seat."""
        if room.seat_of(user) is None:
            raise Refused("note.not_seated")
        if len(text) > MAX_NOTE_CHARACTERS:
            raise Refused("note.too_long", number=len(text), most=MAX_NOTE_CHARACTERS)
        if note := text.strip():
            await self._store.write(put_note, room.record.id, user, note)
        else:
            await self._store.write(erase_note, room.record.id, user)


@slash("note", dms=True, match="my_match")
async def note(interaction: MotuInteraction, text: str = "", match: str | None = None) -> None:
    """Write a note to oneself; without a text, show the one that there is."""
    room = await my_match(interaction, match, seated=True)
    if text.strip():
        await service(interaction, Notes).write(room, interaction.user.id, text)
    else:
        my_seat(interaction, room)
    await show_note(interaction, room)


async def delete_note(interaction: MotuInteraction, room: Room) -> None:
    """Delete the user's note to themselves."""
    await service(interaction, Notes).write(room, interaction.user.id, "")
    await show_note(interaction, room)


async def show_note(interaction: MotuInteraction, room: Room) -> None:
    """Show the user's current note in a match, if there is one."""
    kept = await service(interaction, Notes).of(room, interaction.user.id)
    title = say("match.title", **describe.facts(room))
    rows: list[Row] = []
    said = say("note.none")
    if kept:
        said = say("note.shown", text=escaped(kept, len(kept)))
        rows = [(Button(turn_button_id(room.record.id, DELETE_NOTE_BUTTON), say("note.delete")),)]
    await reply.show(interaction, f"{title}\n{said}", rows)


FEATURE = Feature(
    name="catch_up",
    build=lambda kernel: Parts(services=(Notes(kernel),)),
    commands=(catchup, note),
    items=(
        make_turn_button("news", show_news),
        make_turn_button(DELETE_NOTE_BUTTON, delete_note),
    ),
)
