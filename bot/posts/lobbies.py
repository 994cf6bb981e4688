"""The public messages of lobbies: found or made where one is missing, kept up to date, closed when it is quiet.

A lobby is in the database before its message is on Discord, so a crash or an outage between the two leaves one that
nobody sees. Its message is then looked for, for it may be there without the bot having heard of it, and made if it is
not. A lobby whose message cannot be made is cancelled.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import discord
from cachetools import TTLCache
from msgspec.structs import replace

from bot import error_codes
from bot.clock import HOUR
from bot.components.items import carries, view_of
from bot.components.parts import ids_in
from bot.errors import BotError, NotFound, log_error
from bot.matches.pings import TERMS
from bot.matches.player_settings import CallLevel
from bot.matches.room import Due, Person, Room, Status
from bot.pictures import Picture
from bot.posts import lobby_message
from bot.reply import NOBODY, UNREACHABLE, attached, only
from bot.tasks import track_task
from bot.text import pace_words, say
from bot.text.names import mentions, person_name
from engine import EngineError, begin, find_game

if TYPE_CHECKING:
    from bot.app import Motu

log = logging.getLogger("motu.lobbies")

TRIES, FIRST_WAIT = 6, 1.0
"""How often a message is tried to be made, and the seconds before the second try; then twice as many each time."""
LOOKED_BACK = 200
"""Messages looked through for one that may be there."""
EVERY = 3600.0
"""Seconds between two looks for lobbies that have been quiet for long."""
REMEMBERED = 1000
"""Lobbies of which it is remembered where people were told of other terms."""
EDITED_FOR = HOUR
"""Seconds for which a message about other terms is edited; after that people are mentioned anew."""
REDRAWN = 10
"""Edits of a lobby's message after one press, at most."""


class Lobbies:
    """Looks after the messages of all lobbies."""

    def __init__(self, bot: "Motu") -> None:
        self._bot = bot
        self._in_hand: set[str] = set()
        """Lobbies that a command has just opened: it shows them itself."""
        self._opened: set[str] = set()
        """Lobbies opened since the start: their messages need no look at what the last stop may have left undone."""
        self._mending: dict[str, asyncio.Task[None]] = {}
        self._watching: asyncio.Task[None] | None = None
        self._terms: TTLCache[str, tuple[int, set[int]]] = TTLCache(REMEMBERED, EDITED_FOR, bot.matches.pings.now)
        """The newest message that tells of other terms of a lobby, and all who were mentioned lately for such."""
        bot.matches.scheduler.register(TERMS, self._call_after_quiet)

    def watch(self) -> None:
        """After a start: bring all messages up to date, then close what is quiet, now and then."""
        if self._watching is not None:
            self._watching.cancel()
        self._watching = track_task(self._watch(), "lobbies")

    @contextmanager
    def in_hand(self, match: str) -> Iterator[None]:
        """Whoever has opened this lobby is at showing it."""
        self._in_hand.add(match)
        self._opened.add(match)
        try:
            yield
        finally:
            self._in_hand.discard(match)

    def mend(self, match: str) -> None:
        """The message of this lobby may not be there."""
        if match not in self._mending:
            task = track_task(self._mend(match), f"lobby-{match}")
            self._mending[match] = task
            task.add_done_callback(lambda _: self._mending.pop(match, None))

    async def shown(self, match: str) -> Room:
        """The lobby once its message is there; cancelled if that cannot be made."""
        self.mend(match)
        await asyncio.wait([self._mending[match]])
        return await self._bot.matches.find(match)

    async def close(self) -> None:
        """Look no more; after the next start it goes on."""
        tasks = [*self._mending.values(), *([self._watching] if self._watching else [])]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def refresh(self, room: Room, with_picture: bool = False) -> None:
        """The lobby's message as it stands now, perhaps with another map; one that is gone is no loss."""
        if not room.info.lobby_message:
            return
        message = self._channel(room).get_partial_message(room.info.lobby_message)
        try:
            if with_picture:
                await message.edit(attachments=attached([await self.map_picture(room)]), allowed_mentions=NOBODY)
            await self.redraw(room.info.id, message.edit)
        except discord.HTTPException as error:
            log.info("the lobby message of %s stays as it was (%s)", room.info.id, error.code)

    async def terms_changed(self, room: Room) -> None:
        """Tell those who sat down on other terms about time; in quiet hours, when these end."""
        seated = [user for user in room.players if user != room.info.host]
        if not seated or room.info.status is not Status.LOBBY:
            return
        pings, match = self._bot.matches.pings, room.info.id
        await self._put_in_digests(seated, changed_lobby=match)
        for user in seated:
            chosen = await pings.of(user)
            until = chosen.quiet_until(pings.now())
            if chosen.level is CallLevel.TURN and until is not None:
                await self._bot.matches.scheduler.set(Due(TERMS, until, match, user))
        try:
            await self._tell_terms(room, await pings.mentionable(seated))
        except discord.HTTPException as error:
            log.info("the people in lobby %s are not told of other terms (%s)", match, error.code)

    async def _tell_terms(self, room: Room, called: list[int]) -> None:
        """Mention people for other terms; if all were lately, edit that message, for the host may go on changing."""
        match, channel = room.info.id, self._channel(room)
        facts = {"game": find_game(room.info.game).title, "id": match, "called": mentions(called)}
        said = say("pace.changed", contract=pace_words.contract(room.info.terms.time), **facts)
        message, mentioned = self._terms.get(match, (0, set[int]()))
        if message and mentioned.issuperset(called):
            try:
                await channel.get_partial_message(message).edit(content=said, allowed_mentions=NOBODY)
                return
            except discord.HTTPException as error:
                if error.code != error_codes.UNKNOWN_MESSAGE:
                    raise
                # Somebody has deleted it, perhaps before anybody had read it.
                mentioned = set()
        fresh = [user for user in called if user not in mentioned]
        sent = await channel.send(said, allowed_mentions=only(fresh))
        self._terms[match] = sent.id, mentioned.union(fresh)

    async def _call_after_quiet(self, due: Due) -> None:
        """Mention somebody for terms that were changed in their quiet hours. Who wants a digest has had it by now."""
        matches, user = self._bot.matches, due.user
        try:
            room = await matches.find(due.match)
        except NotFound:
            return
        chosen = await matches.pings.of(user)
        is_seated = room.info.status is Status.LOBBY and user in room.players
        if not is_seated or chosen.level is not CallLevel.TURN:
            return
        if (until := chosen.quiet_until(matches.pings.now())) is not None:
            await matches.store.set_due(replace(due, at=until))
            return
        try:
            await self._tell_terms(room, [user])
        except discord.HTTPException as error:
            if error.code not in error_codes.PLACE_LOST:
                raise
            log.info("lobby %s cannot tell of other terms (%s)", due.match, error.code)

    async def _put_in_digests(self, users: list[int], changed_lobby: str = "") -> None:
        """Have those told with their next digest who want one, and are mentioned for nothing else."""
        pings = self._bot.matches.pings
        for user in users:
            if (await pings.of(user)).level is CallLevel.DIGEST:
                await pings.put_in_digest(user, changed_lobby)

    async def redraw(self, match: str, edit: Callable[..., Awaitable[object]]) -> None:
        """Edit a message until it shows how things stand: edits of several people may overtake each other."""
        shown = None
        for _ in range(REDRAWN):
            room = await self._bot.matches.find(match)
            embed, rows = lobby_message.embed(room), lobby_message.rows(room)
            if (embed, rows) == shown:
                return
            shown = embed, rows
            await edit(embed=embed, view=view_of(rows), allowed_mentions=NOBODY)

    async def _watch(self) -> None:
        is_start = True
        while True:
            try:
                for room in await self._bot.matches.expire_lobbies():
                    log.info("lobby %s has closed: nothing happened in it", room.info.id)
                    await self.refresh(room)
                if is_start:
                    for room in await self._bot.matches.lobbies():
                        if room.info.id in self._opened:
                            continue
                        if room.info.lobby_message:
                            # What was done just before the last stop may not have been shown.
                            await self.refresh(room)
                        else:
                            await self._mend(room.info.id)
                is_start = False
            except (BotError, EngineError, *UNREACHABLE) as error:
                log_error(error, "lobbies are looked at again later")
            await asyncio.sleep(EVERY)

    async def _mend(self, match: str) -> None:
        """Find the lobby's message, or make it; cancel the lobby if that cannot be."""
        for tries in range(TRIES):
            room = await self._bot.matches.find(match)
            if room.info.lobby_message or room.info.status is not Status.LOBBY or match in self._in_hand:
                return
            try:
                message = await self._found(room) or await self.post(room)
                await self._bot.matches.lobby_posted(match, message)
                await self.refresh(await self._bot.matches.find(match))
                return
            except discord.HTTPException as error:
                if error.code in error_codes.PLACE_LOST:
                    break
                log.info("the message of lobby %s has to wait (%s/%s)", match, error.status, error.code)
            except (BotError, *UNREACHABLE) as error:
                log.info("the message of lobby %s has to wait (%s)", match, type(error).__name__)
            await asyncio.sleep(FIRST_WAIT * 2.0**tries)
        log.warning("lobby %s is cancelled: its message cannot be shown", match)
        await self._bot.matches.cancel(match, Person(room.info.host, ""))

    async def _found(self, room: Room) -> int:
        """The message, if it is there already; 0 if not."""
        wanted = ids_in(lobby_message.rows(room))
        async for message in self._channel(room).history(limit=LOOKED_BACK):
            if message.author == self._bot.user and carries(message, wanted):
                return message.id
        return 0

    async def post(self, room: Room) -> int:
        """The lobby's message made, with the map if it is one of the host's own."""
        offer, called = lobby_message.offer(room)
        await self._put_in_digests(called)
        sent = await self._channel(room).send(
            offer or None,
            embed=lobby_message.embed(room),
            view=view_of(lobby_message.rows(room)),
            files=attached([await self.map_picture(room)]),
            # Discord knows a repeat by it for some minutes.
            nonce=f"lobby-{room.info.id}",
            allowed_mentions=only(await self._bot.matches.pings.mentionable(called)),
        )
        return sent.id

    async def map_picture(self, room: Room) -> Picture | None:
        """A map of the host's own, set up as it may be when the match begins; None if there is none."""
        game = find_game(room.info.game)
        if not any(setting.free and room.info.settings.get(setting.key) for setting in game.settings):
            return None
        seated = [person_name(person) for person in room.info.chairs]
        for seats in sorted(game.seats, key=lambda seats: abs(seats - len(seated))):
            names = tuple((*seated, *[say("name.unnamed")] * seats)[:seats])
            try:
                view = begin(game, seats, room.info.settings).view(None)
                return await self._bot.pictures.board(replace(view, to_move=()), names)
            except EngineError:
                # The map, or another setting, is not for so many.
                continue
            except Exception as error:
                # A lobby is shown even if its map cannot be drawn.
                log_error(error)
                return None
        return None

    def _channel(self, room: Room) -> discord.PartialMessageable:
        return self._bot.get_partial_messageable(room.info.place.channel, guild_id=room.info.place.guild or None)
