"""The public messages of lobbies: found or made where one is missing, kept up to date, closed when nobody comes.

A lobby is in the database before its message is on Discord, so a crash or an outage between the two leaves one that
nobody sees. Its message is then looked for, for it may be there without the bot having heard of it, and made if it is
not. A lobby whose message cannot be made is cancelled.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager

import discord
from msgspec.structs import replace

from bot.features.lobby import messages as lobby_message
from bot.features.lobby.service import Lobby
from bot.features.reminders.player_settings import ReminderLevel
from bot.features.reminders.service import Reminders
from bot.kernel.change import Change
from bot.kernel.room import Room
from bot.model.match import Person, Status
from bot.model.stored import MessageKind
from bot.runtime.errors import BotError, log_error
from bot.runtime.tasks import track_task
from bot.text import say
from bot.ui import error_codes
from bot.ui.client import MotuClient
from bot.ui.names import person_name
from bot.ui.parts import carries, ids_in, view_of
from bot.ui.pictures import Picture
from bot.ui.reply import NOBODY, UNREACHABLE, attached, only
from engine import EngineError, begin, find_game

log = logging.getLogger("motu.lobbies")

TRIES = 6
"""How often it is tried to make a message."""
FIRST_WAIT = 1.0
"""Seconds before the second try; then twice as many each time."""
MESSAGES_LOOKED_THROUGH = 200
"""How far to look back for a message that may be there."""
EXPIRY_INTERVAL_SECONDS = 3600.0
"""How often to look for lobbies in which nothing has happened for long."""
MAX_REDRAWS = 10
"""Edits of a lobby's message after one press."""


class LobbyMessages:
    """Looks after the messages of all lobbies."""

    def __init__(self, client: MotuClient, lobby: Lobby, reminders: Reminders) -> None:
        self._client = client
        self._kernel = client.kernel
        self._lobby = lobby
        self._reminders = reminders
        self._being_shown: set[str] = set()
        """Lobbies that a command has just opened: it shows them itself."""
        self._opened: set[str] = set()
        """Lobbies opened since the start: nothing about their messages was left undone by the last stop."""
        self._mending: dict[str, asyncio.Task[None]] = {}
        self._watching: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """After a start: bring all messages up to date, then close quiet lobbies from time to time."""
        if self._watching is not None:
            self._watching.cancel()
        self._watching = track_task(self._watch(), "lobbies")

    async def close(self) -> None:
        """Stop; after the next start it goes on."""
        tasks = list(self._mending.values())
        if self._watching is not None:
            tasks.append(self._watching)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def on_change(self, change: Change) -> None:
        """Show who sits where, when a seat of a match has changed hands."""
        if change.before.match is not None and change.before.record.chairs != change.after.record.chairs:
            task = track_task(self.refresh(change.after), f"lobby-{change.match_id}")
            self._client.handlers.track(task)

    async def show_result(self, room: Room) -> None:
        """Show how a match has ended."""
        if room.record.lobby_message:
            message = self._channel(room).get_partial_message(room.record.lobby_message)
            await message.edit(embed=lobby_message.embed(room), view=None, allowed_mentions=NOBODY)

    # A message made.

    @contextmanager
    def shown_by_command(self, match: str) -> Iterator[None]:
        """Leave a lobby to the command that has opened it, which shows it inside."""
        self._being_shown.add(match)
        self._opened.add(match)
        try:
            yield
        finally:
            self._being_shown.discard(match)

    def mend(self, match: str) -> None:
        """Find or make the message of a lobby, in the background."""
        if match not in self._mending:
            task = track_task(self._mend(match), f"lobby-{match}")
            self._mending[match] = task
            task.add_done_callback(lambda _: self._mending.pop(match, None))

    async def make(self, match: str) -> Room:
        """Find or make the message of a lobby, and return the lobby; it is cancelled if that cannot be done."""
        self.mend(match)
        await asyncio.wait([self._mending[match]])
        return await self._kernel.matches.find(match)

    async def _mend(self, match: str) -> None:
        for tries in range(TRIES):
            room = await self._kernel.matches.find(match)
            is_open = room.record.status is Status.LOBBY
            if room.record.lobby_message or not is_open or match in self._being_shown:
                return
            try:
                message = await self._find(room) or await self.post(room)
                await self._kernel.announcements.note_message(match, MessageKind.LOBBY, message)
                await self.refresh(await self._kernel.matches.find(match))
                return
            except discord.HTTPException as error:
                if error.code in error_codes.PLACE_LOST:
                    break
                log.info("the message of lobby %s has to wait (%s/%s)", match, error.status, error.code)
            except (BotError, *UNREACHABLE) as error:
                log.info("the message of lobby %s has to wait (%s)", match, type(error).__name__)
            await asyncio.sleep(FIRST_WAIT * 2.0**tries)
        log.warning("lobby %s is cancelled: its message cannot be shown", match)
        await self._lobby.cancel(match, Person(room.record.host, ""))

    async def _find(self, room: Room) -> int:
        """Return the id of a lobby's message if it is there already, else 0."""
        buttons = ids_in(lobby_message.rows(room))
        async for message in self._channel(room).history(limit=MESSAGES_LOOKED_THROUGH):
            if message.author == self._client.user and carries(message, buttons):
                return message.id
        return 0

    async def post(self, room: Room) -> int:
        """Post the message of a lobby, and return its id. That of a rematch mentions those who are awaited."""
        offer, awaited = lobby_message.offer(room)
        for user in awaited:
            if (await self._reminders.of(user)).level is ReminderLevel.DIGEST:
                await self._reminders.put_in_digest(user)
        sent = await self._channel(room).send(
            offer or None,
            embed=lobby_message.embed(room),
            view=view_of(lobby_message.rows(room)),
            files=attached([await self.map_picture(room)]),
            # Discord knows a repeat by it for some minutes.
            nonce=f"lobby-{room.record.id}",
            allowed_mentions=only(await self._reminders.mentionable(awaited)),
        )
        return sent.id

    async def map_picture(self, room: Room) -> Picture | None:
        """Return a picture of the host's own map, set up as it may be when the match begins; None without one."""
        game = find_game(room.record.game)
        if not any(setting.free and room.record.settings.get(setting.key) for setting in game.settings):
            return None
        seated = [person_name(person) for person in room.record.chairs]
        for seats in sorted(game.seats, key=lambda seats: abs(seats - len(seated))):
            names = [*seated, *[say("name.unnamed")] * seats]
            try:
                view = begin(game, seats, room.record.settings).view(None)
                return await self._client.pictures.board(replace(view, to_move=()), tuple(names[:seats]))
            except EngineError:
                # The map, or another setting, does not allow this number of players.
                continue
            except Exception as error:
                # A lobby is shown even if its map cannot be drawn.
                log_error(error)
                return None
        return None

    # A message kept up to date.

    async def refresh(self, room: Room, with_picture: bool = False) -> None:
        """Edit a lobby's message to show how things stand, perhaps with another map; one that is gone is no loss."""
        if not room.record.lobby_message:
            return
        message = self._channel(room).get_partial_message(room.record.lobby_message)
        try:
            if with_picture:
                pictures = attached([await self.map_picture(room)])
                await message.edit(attachments=pictures, allowed_mentions=NOBODY)
            await self.redraw(room.record.id, message.edit)
        except discord.HTTPException as error:
            log.info("the lobby message of %s stays as it was (%s)", room.record.id, error.code)

    async def redraw(self, match: str, edit: Callable[..., Awaitable[object]]) -> None:
        """Edit a message until it shows how things stand: edits of several people may overtake each other."""
        shown = None
        for _ in range(MAX_REDRAWS):
            room = await self._kernel.matches.find(match)
            embed, rows = lobby_message.embed(room), lobby_message.rows(room)
            if (embed, rows) == shown:
                return
            shown = embed, rows
            await edit(embed=embed, view=view_of(rows), allowed_mentions=NOBODY)

    async def _watch(self) -> None:
        is_start = True
        while True:
            try:
                for room in await self._lobby.expire():
                    log.info("lobby %s has closed: nothing happened in it", room.record.id)
                    await self.refresh(room)
                if is_start:
                    await self._catch_up()
                is_start = False
            except (BotError, EngineError, *UNREACHABLE) as error:
                log_error(error, "lobbies are looked at again later")
            await asyncio.sleep(EXPIRY_INTERVAL_SECONDS)

    async def _catch_up(self) -> None:
        """Show what was done just before the last stop."""
        for room in await self._lobby.all_open():
            if room.record.id in self._opened:
                continue
            if room.record.lobby_message:
                await self.refresh(room)
            else:
                await self._mend(room.record.id)

    def _channel(self, room: Room) -> discord.PartialMessageable:
        place = room.record.place
        return self._client.get_partial_messageable(place.channel, guild_id=place.guild or None)
