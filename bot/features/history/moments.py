"""Any moment of a match: `/board at:`, and the buttons to step through the match.

A moment is what a post has shown, counted from 0, the set-up. People do not count by commits: some
commits are secret while a match is played, and a gap in their numbers would tell of them.
"""

import re

from msgspec import Struct

from bot.kernel import encoding
from bot.kernel.kernel import Kernel
from bot.kernel.room import Room, as_they_sat
from bot.model import StoredCommit
from bot.runtime.base import Refused
from bot.store.sql import Select, as_tuple
from bot.text import say
from bot.ui import (
    MATCH,
    PLAIN,
    STRONG,
    Button,
    Item,
    MotuInteraction,
    Row,
    describe,
    plain_names,
    reply,
)
from engine import Event, Seat

NUMBERED = re.compile(r"(?:(?P<round>r|round)|moment)? ?#?(?P<number>\d{1,6})")
"""How somebody writes which moment or round they mean, spaces made single."""
MOMENTS_TOLD = 3
"""Moments that are told beside the board: itself, and those before it."""

ANNOUNCED_COMMITS = Select(
    int, "SELECT number FROM announcements WHERE match_id = {match} ORDER BY number"
)
"""Return the numbers of the commits after which a post was due."""

REWINDS = Select(
    as_tuple,
    """
    SELECT number, back_to FROM moves WHERE match_id = {match} AND back_to IS NOT NULL
    ORDER BY number
    """,
)
"""Return the commits that took others back, each with the one it went back to."""


class Timeline(Struct, frozen=True):
    """The moments of a match, without those that were undone."""

    kernel: Kernel
    room: Room
    numbers: list[int]
    """For each moment, the number of the commit after which the match stood there."""
    undone: set[int]
    """The numbers of commits that were taken back."""

    @property
    def last(self) -> int:
        """The last moment."""
        return len(self.numbers) - 1

    async def room_at(self, moment: int) -> Room:
        """Return the match as it stood at a moment. The first costs as much as the last."""
        record, number = self.room.record, self.numbers[moment]
        return Room(
            as_they_sat(record, number), await self.kernel.matches.position(record.id, number)
        )

    async def commits_since(self, earlier: int, moment: int) -> list[StoredCommit]:
        """Return the commits after one moment up to another, with positions; all up to it for
        -1.
        """
        since = self.numbers[earlier] if earlier >= 0 else -1
        kept = await self.kernel.matches.commits(self.room.record.id, since, self.numbers[moment])
        return [stored for stored in kept if stored.number not in self.undone]

    async def events_at(self, moment: int, viewer: Seat | None) -> tuple[Event, ...]:
        """Return what happened since the moment before, as a seat or everyone may know it."""
        since = self.numbers[moment - 1] if moment else -1
        commits = await self.kernel.matches.commits_between(self.room, since, self.numbers[moment])
        standing = [made for number, made in commits.items() if number not in self.undone]
        return encoding.facts(standing, viewer)

    async def round_at(self, moment: int) -> int:
        """Return the round of a moment, from 1; without rounds, everybody's turn makes one."""
        match = (await self.room_at(moment)).playing()
        counted = match.game.round(match.base)
        return max(0, moment - 1) // match.seats + 1 if counted is None else counted

    async def first_of_round(self, wanted: int) -> int:
        """Return the first moment of a round or a later one; the last moment if there is none."""
        low, high = 0, self.last
        while low < high:
            middle = (low + high) // 2
            if await self.round_at(middle) < wanted:
                low = middle + 1
            else:
                high = middle
        return low

    async def find(self, typed: str) -> int:
        """Return the moment that somebody means: its number, a round, the first or the last."""
        words = " ".join(typed.casefold().split())
        named = {"last": self.last, "end": self.last, "first": 0, "start": 0}
        if words in named:
            return named[words]
        found = NUMBERED.fullmatch(words)
        number = int(found["number"]) if found else -1
        if found and found["round"]:
            last_round = await self.round_at(self.last)
            if not 1 <= number <= last_round:
                raise Refused("refusal.no_such_round", last=last_round)
            return await self.first_of_round(number)
        if not 0 <= number <= self.last:
            raise Refused("refusal.no_such_moment", last=self.last)
        return number


async def load_timeline(kernel: Kernel, room: Room) -> Timeline:
    """Return the moments of a match that has begun."""
    match, store = room.playing(), kernel.store
    undone: set[int] = set()
    for number, back_to in await store.read(REWINDS, room.record.id):
        undone.update(range(back_to + 1, number + 1))
    numbers = [0, *await store.read(ANNOUNCED_COMMITS, room.record.id)]
    if match.outcome is not None:
        numbers.append(match.number)
    moments = [number for number in dict.fromkeys(numbers) if number not in undone]
    return Timeline(kernel, room, moments, undone)


def moment_button(what: str) -> str:
    """Return the pattern of a button under a moment: `a:<match>:<moment>:<what>:<m>`.

    It ends with m if the moment is seen from one's own seat.
    """
    return rf"a:{MATCH}:(?P<moment>\d{{1,6}}):(?P<what>{what}):(?P<mine>m?)"


class MomentButton(Item, template=moment_button("at|before|next")):
    """Leads from one moment of a match to another."""

    async def on_press(self, interaction: MotuInteraction) -> None:
        """Show the moment that the button leads to."""
        room = await self.room(interaction)
        timeline = await load_timeline(interaction.client.kernel, room)
        moment = min(int(self.fields["moment"]), timeline.last)
        if self.fields["what"] != "at":
            number = await timeline.round_at(moment)
            if self.fields["what"] == "next":
                moment = await timeline.first_of_round(number + 1)
            else:
                first = await timeline.first_of_round(number)
                # Already at the beginning of its round: go to the round before.
                moment = await timeline.first_of_round(number - 1) if first == moment else first
        await show_moment(interaction, timeline, moment, mine=bool(self.fields["mine"]))


async def show_typed_moment(
    interaction: MotuInteraction, room: Room, typed: str, mine: bool, in_words: bool, public: bool
) -> None:
    """Show the moment that somebody has typed."""
    if mine and not room.is_over:
        raise Refused("refusal.past_not_over")
    timeline = await load_timeline(interaction.client.kernel, room)
    moment = await timeline.find(typed)
    if mine and (await timeline.room_at(moment)).seat_of(interaction.user.id) is None:
        raise Refused("refusal.no_seat_then")
    await show_moment(interaction, timeline, moment, mine, in_words, public)


async def show_moment(
    interaction: MotuInteraction,
    timeline: Timeline,
    moment: int,
    mine: bool,
    in_words: bool = False,
    public: bool = False,
) -> None:
    """Show a moment as everyone saw it, or as the user did in the seat that they held then."""
    pictures, room = interaction.client.pictures, timeline.room
    then = await timeline.room_at(moment)
    # What was hidden from others then may be so still; it is theirs again once the match is over.
    own_seat = then.seat_of(interaction.user.id) if room.is_over else None
    viewer = own_seat if mine else None
    facts = {"number": moment, "last": timeline.last, "round": await timeline.round_at(moment)}
    lines = [say("past.head", game=describe.title(room), **facts)]
    for shown in range(max(0, moment - MOMENTS_TOLD + 1), moment + 1):
        events = await timeline.events_at(shown, viewer)
        if told := describe.told(then, events, viewer):
            lines.append(say("past.told", number=shown, told=" ".join(told)))
    has_films = interaction.client.tree.get_command("replay") is not None
    rows = _rows(timeline, moment, mine, own_seat is not None, has_films)
    text, view, names = "\n".join(lines), then.playing().view(viewer), plain_names(then)
    if in_words:
        words = await pictures.words("text_board", view, names)
        await reply.show_words(interaction, words, rows, text)
    else:
        # The events of the moment itself were told last.
        board = await describe.draw_board(interaction.client, then, viewer, events)
        await reply.show(interaction, text, rows, [board], public=public)


def _rows(
    timeline: Timeline, moment: int, mine: bool, has_seat: bool, has_films: bool
) -> list[Row]:
    """Return the steps and rounds back and forth; below, a film from here on and the other view."""

    def lead(
        what: str,
        to: int,
        label: str,
        is_possible: bool = True,
        look: str = PLAIN,
        mine: bool = mine,
    ) -> Button:
        custom_id = f"a:{timeline.room.record.id}:{to}:{what}:{'m' if mine else ''}"
        return Button(custom_id, label, look, disabled=not is_possible)

    is_first, is_last = moment == 0, moment == timeline.last
    steps = (
        lead("before", moment, say("past.round_before"), not is_first),
        lead("at", max(0, moment - 1), say("past.step_before"), not is_first),
        lead("at", moment + 1, say("past.step"), not is_last),
        lead("next", moment, say("past.round_next"), not is_last),
    )
    more = []
    if has_films:
        more.append(lead("film", moment, say("past.film"), not is_last, STRONG))
    if has_seat:
        other_view = say("past.all_view" if mine else "past.my_view")
        more.append(lead("at", moment, other_view, mine=not mine))
    return [steps, tuple(more)] if more else [steps]
