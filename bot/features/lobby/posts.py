"""The public messages of lobbies: found or made where one is missing, kept up to date, closed when
nobody comes.

A lobby is in the database before its message is on Discord, so a crash or an outage between the two
leaves one that nobody sees. Its message is then looked for, for it may be there without the bot
having heard of it, and made if it is not. A lobby whose message cannot be made is cancelled.

When the terms about time change, those who sat down on other terms are told below it.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable

import discord
from cachetools import TTLCache
from msgspec.structs import replace

from bot.features.lobby import messages
from bot.features.lobby.rules import Table, has_own_map
from bot.features.lobby.service import Lobby
from bot.features.reminders.player_settings import ReminderLevel
from bot.features.reminders.service import TERMS, Reminders
from bot.kernel.change import Change
from bot.kernel.room import Room
from bot.model.jobs import Job
from bot.model.match import Person, Status
from bot.model.stored import MessageKind
from bot.runtime.clock import HOUR
from bot.runtime.errors import BotError, NotFound, log_error
from bot.runtime.tasks import track_task
from bot.text import say
from bot.ui import describe, error_codes
from bot.ui.client import MotuClient
from bot.ui.names import mentions, person_name
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
NOTICES_REMEMBERED = 1000
"""Lobbies whose last notice of other terms is remembered."""
NOTICE_EDITED_SECONDS = HOUR
"""How long a notice is edited when the terms change again; after that people are mentioned anew."""


class LobbyMessages:
    """Looks after the messages of all lobbies."""

    def __init__(self, client: MotuClient) -> None:
        self._client = client
        self._kernel = client.kernel
        self._lobby = client.services.require(Lobby)
        self._reminders = client.services.require(Reminders)
        self.shown_by_command: set[str] = set()
        """Lobbies that commands have opened since the start, and show themselves."""
        self._mending: dict[str, asyncio.Task[None]] = {}
        self._watching: asyncio.Task[None] | None = None
        self._notices: TTLCache[str, tuple[int, set[int]]] = TTLCache(
            NOTICES_REMEMBERED, NOTICE_EDITED_SECONDS, client.kernel.now
        )
        """The newest notice in a lobby, and all who were mentioned for such lately."""

    async def start(self) -> None:
        """After a start: bring all messages up to date, then close quiet lobbies from time to
        time.
        """
        if self._watching is not None:
            self._watching.cancel()
        self._watching = track_task(self._watch(), "lobbies")

    async def close(self) -> None:
        """Stop; after the next start it goes on."""
        tasks = [task for task in (self._watching, *self._mending.values()) if task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _watch(self) -> None:
        is_start = True
        while True:
            try:
                for room in await self._lobby.expire():
                    log.info("lobby %s has closed: nothing happened in it", room.record.id)
                    await self.refresh(room)
                if is_start:
                    # Show what was done just before the last stop.
                    for room in await self._lobby.all_open():
                        if room.record.id in self.shown_by_command:
                            continue
                        if room.record.lobby_message:
                            await self.refresh(room)
                        else:
                            await self.make(room.record.id)
                is_start = False
            except (BotError, EngineError, *UNREACHABLE) as error:
                log_error(error, "lobbies are looked at again later")
            await asyncio.sleep(EXPIRY_INTERVAL_SECONDS)

    def _channel(self, room: Room) -> discord.PartialMessageable:
        place = room.record.place
        return self._client.get_partial_messageable(place.channel, guild_id=place.guild or None)

    # A message made.

    def mend(self, match: str) -> asyncio.Task[None]:
        """Find or make the message of a lobby, in the background; it is cancelled if that cannot
        be done.
        """
        if match not in self._mending:
            self._mending[match] = track_task(self._mend(match), f"lobby-{match}")
            self._mending[match].add_done_callback(lambda _: self._mending.pop(match, None))
        return self._mending[match]

    async def make(self, match: str) -> Room:
        """Find or make the message of a lobby, and return how the lobby stands then."""
        await asyncio.wait([self.mend(match)])
        return await self._kernel.matches.find(match)

    async def _mend(self, match: str) -> None:
        for tries in range(TRIES):
            room = await self._kernel.matches.find(match)
            if room.record.lobby_message or room.record.status is not Status.LOBBY:
                return
            try:
                message = await self._find(room) or await self.post(room)
                await self._kernel.announcements.note_message(match, MessageKind.LOBBY, message)
                await self.refresh(await self._kernel.matches.find(match))
                return
            except discord.HTTPException as error:
                if error.code in error_codes.PLACE_LOST:
                    break
                log.info(
                    "the message of lobby %s has to wait (%s/%s)", match, error.status, error.code
                )
            except (BotError, *UNREACHABLE) as error:
                log.info("the message of lobby %s has to wait (%s)", match, type(error).__name__)
            await asyncio.sleep(FIRST_WAIT * 2.0**tries)
        log.warning("lobby %s is cancelled: its message cannot be shown", match)
        await self._lobby.change(match, Person(room.record.host, ""), Table.cancel)

    async def _find(self, room: Room) -> int:
        """Return the id of a lobby's message if it is there already, else 0."""
        buttons = ids_in(messages.rows(room))
        async for message in self._channel(room).history(limit=MESSAGES_LOOKED_THROUGH):
            if message.author == self._client.user and carries(message, buttons):
                return message.id
        return 0

    async def post(self, room: Room) -> int:
        """Post the message of a lobby, and return its id.

        That of a rematch mentions those who are awaited.
        """
        offer, awaited = messages.rematch_offer(room.record)
        for user in awaited:
            if (await self._reminders.of(user)).level is ReminderLevel.DIGEST:
                await self._reminders.put_in_digest(user)
        sent = await self._channel(room).send(
            offer or None,
            embed=messages.embed(room),
            view=view_of(messages.rows(room)),
            files=attached([await self.map_picture(room)]),
            # Discord knows a repeat by it for some minutes.
            nonce=f"lobby-{room.record.id}",
            allowed_mentions=only(await self._reminders.mentionable(awaited)),
        )
        return sent.id

    async def map_picture(self, room: Room) -> Picture | None:
        """Return a picture of the host's own map, set up as it may be when the match begins;
        None without one.
        """
        game, settings = find_game(room.record.game), room.record.settings
        if not has_own_map(game, settings):
            return None
        seated = [person_name(person) for person in room.record.chairs]
        for seats in sorted(game.seats, key=lambda seats: abs(seats - len(seated))):
            names = [*seated, *[say("name.unnamed")] * seats]
            try:
                view = begin(game, seats, settings).view(None)
                return await self._client.pictures.board(
                    replace(view, to_move=()), tuple(names[:seats])
                )
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
        """Edit a lobby's message to show how things stand, perhaps with another map; one that is
        gone is no loss.
        """
        if not room.record.lobby_message:
            return
        message = self._channel(room).get_partial_message(room.record.lobby_message)
        try:
            if with_picture:
                pictures = attached([await self.map_picture(room)])
                await message.edit(attachments=pictures)
            await self.redraw(room.record.id, message.edit)
        except discord.HTTPException as error:
            log.info("the lobby message of %s stays as it was (%s)", room.record.id, error.code)

    async def redraw(self, match: str, edit: Callable[..., Awaitable[object]]) -> None:
        """Edit a message until it shows how things stand: edits of several people may overtake
        each other.
        """
        shown = None
        for _ in range(MAX_REDRAWS):
            room = await self._kernel.matches.find(match)
            embed, rows = messages.embed(room), messages.rows(room)
            if (embed, rows) == shown:
                return
            shown = embed, rows
            # Said here, for discord.py leaves its default out of an edit without a text.
            await edit(embed=embed, view=view_of(rows), allowed_mentions=NOBODY)

    async def show_result(self, room: Room) -> None:
        """Show how a match has ended.

        Unlike a refresh it fails if that cannot be shown, and is repeated.
        """
        if room.record.lobby_message:
            message = self._channel(room).get_partial_message(room.record.lobby_message)
            await message.edit(embed=messages.embed(room), view=None, allowed_mentions=NOBODY)

    def on_change(self, change: Change) -> None:
        """Show who sits where, when a seat of a match has changed hands."""
        if (
            change.before.match is not None
            and change.before.record.chairs != change.after.record.chairs
        ):
            task = track_task(self.refresh(change.after), f"lobby-{change.match_id}")
            self._client.handlers.track(task)

    # A notice of other terms.

    async def tell_terms(self, room: Room) -> None:
        """Tell those who sat down on other terms about time; in their quiet hours, when these
        end.
        """
        match = room.record.id
        seated = [user for user in room.players if user != room.record.host]
        if not seated or room.record.status is not Status.LOBBY:
            return
        mentioned = []
        for user in seated:
            chosen = await self._reminders.of(user)
            until = chosen.quiet_until(self._kernel.now())
            if chosen.level is ReminderLevel.DIGEST:
                await self._reminders.put_in_digest(user, match)
            elif chosen.level is ReminderLevel.TURN and until is not None:
                await self._kernel.scheduler.set(Job(TERMS, until, match, user))
            elif chosen.level is ReminderLevel.TURN:
                mentioned.append(user)
        try:
            await self._mention(room, mentioned)
        except discord.HTTPException as error:
            log.info("the people in lobby %s are not told of other terms (%s)", match, error.code)

    async def tell_terms_later(self, job: Job) -> None:
        """Mention somebody for terms that were changed in their quiet hours."""
        user = job.user
        try:
            room = await self._kernel.matches.find(job.match)
        except NotFound:
            return
        chosen = await self._reminders.of(user)
        is_seated = room.record.status is Status.LOBBY and user in room.players
        if not is_seated or chosen.level is not ReminderLevel.TURN:
            return
        until = chosen.quiet_until(self._kernel.now())
        if until is not None:
            await self._kernel.scheduler.set(replace(job, at=until))
            return
        try:
            await self._mention(room, [user])
        except discord.HTTPException as error:
            if error.code not in error_codes.PLACE_LOST:
                raise
            log.info("lobby %s cannot tell of other terms (%s)", job.match, error.code)

    async def _mention(self, room: Room, users: list[int]) -> None:
        """Mention people for other terms; if all were lately, edit that notice, for the host may
        go on changing.
        """
        match, channel = room.record.id, self._channel(room)
        contract = describe.time_contract(room.record.terms.time)
        said = say(
            "pace.changed", called=mentions(users), contract=contract, **messages.facts(room)
        )
        message, mentioned = self._notices.get(match, (0, set[int]()))
        if message and mentioned.issuperset(users):
            try:
                await channel.get_partial_message(message).edit(content=said)
                return
            except discord.HTTPException as error:
                if error.code != error_codes.UNKNOWN_MESSAGE:
                    raise
                # Somebody has deleted it, perhaps before anybody had read it.
                mentioned = set()
        newly_mentioned = [user for user in users if user not in mentioned]
        sent = await channel.send(said, allowed_mentions=only(newly_mentioned))
        self._notices[match] = sent.id, mentioned.union(newly_mentioned)
