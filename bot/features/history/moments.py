"""Show any past moment of a match: `/board at:`, and the buttons to step through the match.

The moments of a match are the positions that its posts have shown, counted from 0, the set-up.
Commit numbers must not be shown: some commits are secret, and a gap would reveal them.
"""

import re

from msgspec import Struct

from bot.kernel import encoding
from bot.kernel.kernel import Kernel
from bot.kernel.room import Room, with_seating_at
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
"""Matches what people type for a moment or round, such as `12`, `r3` or `round 3`."""
MAX_DESCRIBED_MOMENTS = 3
"""How many moments the text beside a board describes: the shown one and those before it."""

ANNOUNCED_COMMITS = Select(
    int, "SELECT number FROM announcements WHERE match_id = {match} ORDER BY number"
)
"""Return the numbers of the commits that got a post."""

REWINDS = Select(
    as_tuple,
    """
    SELECT number, back_to FROM moves WHERE match_id = {match} AND back_to IS NOT NULL
    ORDER BY number
    """,
)
"""Return the commits that went back, each with the one it went back to."""


class Timeline(Struct, frozen=True):
    """The moments of a match, without those that were undone."""

    kernel: Kernel
    room: Room
    numbers: list[int]
    """For each moment, the number of the last commit before it."""
    undone: set[int]
    """The numbers of the commits that were undone."""

    @property
    def last(self) -> int:
        """The number of the last moment."""
        return len(self.numbers) - 1

    async def room_at(self, moment: int) -> Room:
        """Return the match at a moment, with the players of that time."""
        record, number = self.room.record, self.numbers[moment]
        return Room(
            with_seating_at(record, number), await self.kernel.matches.position(record.id, number)
        )

    async def commits_since(self, earlier: int, moment: int) -> list[StoredCommit]:
        """Return the commits, with positions, after one moment (-1 for none) up to another."""
        since = self.numbers[earlier] if earlier >= 0 else -1
        commits = await self.kernel.matches.commits(
            self.room.record.id, since, self.numbers[moment]
        )
        return [stored for stored in commits if stored.number not in self.undone]

    async def events_at(self, moment: int, viewer: Seat | None) -> tuple[Event, ...]:
        """Return the events since the previous moment that the viewer may know."""
        since = self.numbers[moment - 1] if moment else -1
        commits = await self.kernel.matches.commits_between(self.room, since, self.numbers[moment])
        standing = [commit for number, commit in commits.items() if number not in self.undone]
        return encoding.visible_events(standing, viewer)

    async def round_at(self, moment: int) -> int:
        """Return the round of a moment, from 1; without rounds in the game, count one turn each."""
        match = (await self.room_at(moment)).playing()
        counted = match.game.round(match.base)
        return max(0, moment - 1) // match.seats + 1 if counted is None else counted

    async def first_of_round(self, wanted: int) -> int:
        """Return the first moment of a round, or else of a later one, or else the last moment."""
        # A binary search, because each step loads a position.
        low, high = 0, self.last
        while low < high:
            middle = (low + high) // 2
            if await self.round_at(middle) < wanted:
                low = middle + 1
            else:
                high = middle
        return low

    async def find(self, typed: str) -> int:
        """Parse what a user types for a moment: its number, a round, `first` or `last`."""
        words = " ".join(typed.casefold().split())
        shortcuts = {"last": self.last, "end": self.last, "first": 0, "start": 0}
        if words in shortcuts:
            return shortcuts[words]
        match = NUMBERED.fullmatch(words)
        number = int(match["number"]) if match else -1
        if match and match["round"]:
            last_round = await self.round_at(self.last)
            if not 1 <= number <= last_round:
                raise Refused("refusal.no_such_round", last=last_round)
            return await self.first_of_round(number)
        if not 0 <= number <= self.last:
            raise Refused("refusal.no_such_moment", last=self.last)
        return number


async def load_timeline(kernel: Kernel, room: Room) -> Timeline:
    """Load the moments of a match; refuse if it has not begun."""
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
    """Return the custom id pattern of a button under a moment: `a:<match>:<moment>:<what>:<m>`.

    It ends with m if the moment is shown from the user's own seat.
    """
    return rf"a:{MATCH}:(?P<moment>\d{{1,6}}):(?P<what>{what}):(?P<mine>m?)"


def make_moment_id(match_id: str, moment: int, what: str = "at", mine: bool = False) -> str:
    """Return the custom id of a button under a moment; the pattern is `moment_button`."""
    return f"a:{match_id}:{moment}:{what}:{'m' if mine else ''}"


class MomentButton(Item, template=moment_button("at|before|next")):
    """Shows another moment: a given one, or the start of a round before or after."""

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
                # If this is the start of a round already, go to the one before.
                moment = await timeline.first_of_round(number - 1) if first == moment else first
        await show_moment(interaction, timeline, moment, mine=bool(self.fields["mine"]))


async def show_typed_moment(
    interaction: MotuInteraction, room: Room, typed: str, mine: bool, in_words: bool, public: bool
) -> None:
    """Show the moment that a user has typed."""
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
    """Show a moment as everyone saw it, or, with `mine`, from the seat that the user had then."""
    pictures, room = interaction.client.pictures, timeline.room
    past = await timeline.room_at(moment)
    # Show a seat's view only after the end: what was hidden at that moment may still be secret.
    own_seat = past.seat_of(interaction.user.id) if room.is_over else None
    viewer = own_seat if mine else None
    facts = {"number": moment, "last": timeline.last, "round": await timeline.round_at(moment)}
    lines = [say("past.head", game=describe.title(room), **facts)]
    for shown in range(max(0, moment - MAX_DESCRIBED_MOMENTS + 1), moment + 1):
        events = await timeline.events_at(shown, viewer)
        if told := describe.tell_events(past, events, viewer):
            lines.append(say("past.told", number=shown, told=" ".join(told)))
    has_films = interaction.client.tree.get_command("replay") is not None
    rows = _rows(timeline, moment, mine, own_seat is not None, has_films)
    text, view, names = "\n".join(lines), past.playing().view(viewer), plain_names(past)
    if in_words:
        text_board = await pictures.words("text_board", view, names)
        await reply.show_words(interaction, text_board, rows, text)
    else:
        # `events` are those of the last moment in the loop, which is the one shown.
        board = await describe.draw_board(interaction.client, past, viewer, events)
        await reply.show(interaction, text, rows, [board], public=public)


def _rows(
    timeline: Timeline, moment: int, mine: bool, has_seat: bool, has_films: bool
) -> list[Row]:
    """Return the buttons to step back and forth, and below them the film and the other view."""

    def lead(
        what: str,
        to: int,
        label: str,
        is_possible: bool = True,
        look: str = PLAIN,
        mine: bool = mine,
    ) -> Button:
        custom_id = make_moment_id(timeline.room.record.id, to, what, mine)
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
