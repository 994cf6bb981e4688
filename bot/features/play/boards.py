"""The living messages of solo matches in direct messages: the panel is the message of the turn.

The message is built here. The outbox sends and edits it (posts/outbox.py), apart from drafts and
advice, which are shown between two posts.
"""

from bot.features.play import presses
from bot.features.play.panel import Panel, build_panel
from bot.kernel.encoding import visible_events, without_undone
from bot.kernel.languages import speaking_to_table
from bot.kernel.room import Post, Room
from bot.posts.direct import DirectBoards, edit_board, is_direct
from bot.posts.outbox import has_recent_message
from bot.posts.turn_message import Message
from bot.ui import LateEdits, MotuClient, Picture, describe
from engine import Seat


class SoloBoards(DirectBoards):
    """Makes living messages, and adds a coach's advice to them."""

    def __init__(self, client: MotuClient) -> None:
        self._client = client
        self._late_edits = client.services.require(LateEdits)

    async def make(self, post: Post) -> tuple[Message, list[Picture | None]]:
        """Return the panel of the only player, with what has happened since the last post."""
        # Show the newest match: its player may have drafted something since the post was requested.
        room = await self._client.kernel.matches.find(post.room.record.id)
        seat = room.own_seat(room.players[0])
        if room.record.terms.lesson:
            # In a lesson, the coach sums up what happened.
            panel = (await presses.Lesson.begin(self._client, room, seat)).panel
        else:
            panel = build_panel(room, seat, notice=await self._tell_news(post, room, seat))
        message, pictures = await self._compose(panel)
        if any(event.shows_scores for event in post.events):
            view, names = room.playing().view(seat), describe.plain_names(room)
            pictures.append(await self._client.pictures.score_sheet(view, names))
        return message, pictures

    async def _tell_news(self, post: Post, room: Room, seat: Seat) -> str:
        """Return what everyone did since the last post, as far as the player may know it."""
        since = max(post.announcement.since, 0)
        commits = await self._client.kernel.matches.commits_between(
            room, since, room.playing().number
        )
        events = visible_events(without_undone(commits), seat)
        return describe.tell_each_actor(room, events, seat, presses.MAX_MEANWHILE_CHARACTERS)

    async def _compose(self, panel: Panel) -> tuple[Message, list[Picture | None]]:
        text, parts, pictures = await presses.compose_panel(self._client, panel, is_board=True)
        return Message("", (), (), layout=(text, *parts)), pictures

    def show_draft(self, room: Room) -> None:
        """Show in the living message what its player has drafted elsewhere, such as by command."""
        if has_recent_message(room, self._client.kernel.now()):
            self._late_edits.begin(self._show_draft(room.record.id))

    async def _show_draft(self, match_id: str) -> None:
        room = await self._client.kernel.matches.find(match_id)
        seat, message = room.own_seat(room.players[0]), room.record.turn_message
        press = self._late_edits.newest_press(message)
        with speaking_to_table(room.record):
            if room.record.terms.lesson:
                panel = (await presses.Lesson.begin(self._client, room, seat)).panel
            else:
                panel = build_panel(room, seat)
            await self._edit(room, message, panel, press)
        self.on_shown(room, message)

    def on_shown(self, room: Room, message: int) -> None:
        """In a lesson, add the coach's advice once it is ready, unless everyone would read it."""
        if is_direct(room) and room.record.terms.lesson:
            self._late_edits.begin(self._add_advice(room.record.id, message))

    async def _add_advice(self, match_id: str, message: int) -> None:
        """Wait for the coach's advice and add it."""
        press = self._late_edits.newest_press(message)
        room = await self._client.kernel.matches.find(match_id)
        with speaking_to_table(room.record):
            lesson = await presses.Lesson.begin(self._client, room, room.own_seat(room.players[0]))
            panel = await lesson.finish(self._client) if lesson.is_thinking else None
            if panel is not None:
                await self._edit(room, message, panel, press)

    async def _edit(self, room: Room, message: int, panel: Panel, press: int) -> None:
        """Show a panel in a living message, unless there is something newer to show.

        `press` is the id of the newest press on the message when the panel was built.
        """
        made, pictures = await self._compose(panel)
        now, seat = await self._client.kernel.matches.find(room.record.id), panel.context.seat
        is_current = now.playing().turn(seat) == room.playing().turn(seat)
        is_here = now.record.turn_message == message
        if is_current and is_here and self._late_edits.newest_press(message) == press:
            # Nothing may be awaited between the check and this, or a newer edit could be sent first
            # and then be overwritten.
            edit = edit_board(self._client, room, message, made.layout, pictures)
            await self._late_edits.wait_for(message, edit)
