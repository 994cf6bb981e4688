"""A status card: one message in a channel that shows whose turn it is in the server's matches.

Members who may manage the server post it from /games; a server has at most one. It is edited when
something changes in a match, but not too often. A card that cannot be edited any more, because it
was deleted or is too old, is replaced by a new one.

The database stores only where the card is; its content is built from the matches each time. So
after a start, or when another process has taken over, it is enough to refresh all cards.
"""

import asyncio
import logging
from collections.abc import Iterable, Sequence
from functools import partial

import discord
import msgspec
from msgspec import Struct

from bot.kernel import queries
from bot.kernel.change import Change
from bot.kernel.feature import Parts, PostExtras
from bot.kernel.room import Post, Room
from bot.model import ABSENCE, Place, Status
from bot.posts.sending import CANNOT_EDIT, find_own_message
from bot.runtime.base import BotError, Chores, Refused, RunningTasks, log_error
from bot.store.sql import OWNED, Select
from bot.text import say
from bot.ui import (
    DISCORD_ERRORS,
    LAYOUT_TEXT,
    Bucket,
    Button,
    Feature,
    MotuClient,
    Part,
    cut,
    describe,
    error_codes,
    games_button_id,
    has_component,
    hidden_players,
    hide_names,
    layout_of,
    send_direct_message,
    with_heading,
)
from bot.ui.permissions import describe_missing
from bot.ui.reply import NOBODY
from engine import EngineError
from engine.core.words import closest_language, speaking

log = logging.getLogger("motu.status_card")

KEY = "status_card"
"""The key in the table of server settings."""
EDIT_INTERVAL_SECONDS = 15.0
"""The shortest time between two edits of a card."""
EDIT_TIMEOUT_SECONDS = 10.0
"""How long an edit may take. If old messages are edited too often, discord.py waits for minutes."""
RETRY_SECONDS, MAX_TRIES = 20.0, 5
"""How long to wait after a failure, and how often to try; then the next change tries again."""
MAX_TABLES = 15
"""The most matches on a card."""
PLAYERS_LENGTH, STATE_LENGTH = 80, 80
RESERVED_LENGTH = 300
"""How many characters of the card its heading and last line may take up."""
MINE_BUTTON, TABLES_BUTTON = games_button_id("mine"), games_button_id("tables")
"""The card's buttons. They identify a card, because no other public layout has both."""

servers_with_card = Select(
    int, f"SELECT guild FROM server_settings WHERE name = '{KEY}' AND {OWNED}"
)
matches_in_play = Select(
    str, "SELECT id FROM matches WHERE guild = {guild} AND is_open AND status != 'lobby'"
)


class Card(Struct, frozen=True, omit_defaults=True):
    """Where a server's card is."""

    channel: int
    message: int = 0
    """0 until it is posted."""
    after: int = 0
    """An id of Discord's from shortly before it was posted."""


class StatusCards:
    """Posts the cards of all servers, and keeps them up to date."""

    def __init__(self, client: MotuClient) -> None:
        self._client, self._kernel = client, client.kernel
        self._bucket = client.services.require(Bucket)
        self._chores = Chores("status-card", self._refresh)
        self._looking = RunningTasks()
        """Tasks that look up where the match of another process's notification is played."""
        self._servers: set[int] = set()
        """The servers with a card."""
        self._shown: dict[int, Sequence[Part]] = {}
        """What each card shows at the moment, by message id."""
        self._next_edit: dict[int, float] = {}
        """When a server's card may be edited again, by the event loop's clock."""
        self._failures: dict[int, int] = {}
        """How often in a row a server's card could not be updated."""

    # Posting and removing

    async def find(self, guild: int) -> Card | None:
        """Return where a server's card is; None if it has none."""
        document = await self._kernel.store.read(queries.server_setting, guild, KEY)
        try:
            return msgspec.json.decode(document, type=Card) if document else None
        except msgspec.MsgspecError as error:
            log_error(error, f"couldn't read the status card of server {guild}")
            return None

    async def post(self, guild: int, channel: int, interaction_id: int) -> None:
        """Post a server's card in a channel, and remove the one that it has elsewhere."""
        await self.remove(guild)
        await self._save(guild, Card(channel, after=interaction_id))
        self._next_edit.pop(guild, None)
        await self._chores.finish(str(guild))
        card = await self.find(guild)
        if card is None or not card.message:
            await self._save(guild, None)
            raise Refused("card.failed", channel=f"<#{channel}>")

    async def remove(self, guild: int) -> None:
        """Remove a server's card, if it has one."""
        card = await self.find(guild)
        await self._save(guild, None)
        if card is not None:
            await self._delete(card)

    async def _save(self, guild: int, card: Card | None) -> None:
        document = msgspec.json.encode(card).decode() if card else None
        await self._kernel.store.write(queries.put_server_setting, guild, KEY, document)
        if card:
            self._servers.add(guild)
        else:
            self._servers.discard(guild)

    async def _delete(self, card: Card) -> None:
        """Delete a card's message; if Discord refuses, it stays as it is."""
        self._shown.pop(card.message, None)
        if card.message:
            try:
                await self._client.http.delete_message(card.channel, card.message)
            except DISCORD_ERRORS as error:
                log.info("couldn't delete a status card (%s)", type(error).__name__)

    # When to refresh

    async def start(self) -> None:
        """Refresh all cards: matches may have changed while this process was not running."""
        store = self._kernel.store
        self._servers = set(await store.read(servers_with_card, own=store.own))
        self.refresh_all()

    def refresh_all(self) -> None:
        """Refresh all cards, for example after a player has hidden their name."""
        for guild in self._servers:
            self._chores.poke(str(guild))

    def on_change(self, change: Change) -> None:
        """Refresh the card of the server in which a match has changed."""
        guild = change.after.record.place.guild
        if guild in self._servers and not change.is_draft_only:
            self._chores.poke(str(guild))

    def on_notification(self, notification: str) -> None:
        """Refresh the card of a match that another process has changed."""
        if notification == ABSENCE:
            self.refresh_all()
        elif self._servers:
            self._looking.start(self._refresh_for(notification), "status-card-match")

    async def follow_post(self, post: Post) -> PostExtras:
        """Refresh the card once a post is sent, because the card links to it. A post follower."""
        guild = post.room.record.place.guild
        if guild not in self._servers:
            return PostExtras()
        return PostExtras(on_noted=partial(self._chores.poke, str(guild)))

    async def _refresh_for(self, match_id: str) -> None:
        try:
            room = await self._kernel.matches.find(match_id)
        except (BotError, EngineError):
            # It was deleted, or cannot be read.
            return
        if room.record.place.guild in self._servers:
            self._chores.poke(str(room.record.place.guild))

    async def close(self) -> None:
        """Stop refreshing."""
        await self._looking.close()
        await self._chores.close()

    # Refreshing

    async def _refresh(self, key: str) -> None:
        """Bring a server's card up to date."""
        guild_id, clock = int(key), asyncio.get_running_loop().time
        await asyncio.sleep(self._next_edit.get(guild_id, 0.0) - clock())
        card, guild = await self.find(guild_id), self._client.get_guild(guild_id)
        if card is None or guild is None or not self._kernel.store.own.serve(guild_id):
            return
        with speaking(closest_language(str(_locale_of(guild)))):
            parts = await self._make(guild, card)
            if card.message and self._shown.get(card.message) == parts:
                return
            await self._bucket.take()
            self._next_edit[guild_id] = clock() + EDIT_INTERVAL_SECONDS
            try:
                await self._show(guild_id, card, parts)
            except DISCORD_ERRORS as error:
                code = getattr(error, "code", 0)
                log.info("couldn't update a status card (%s %s)", type(error).__name__, code)
                tries = self._failures.pop(guild_id, 0) + 1
                if code in error_codes.PLACE_LOST:
                    await self._give_up(guild, card)
                elif tries < MAX_TRIES:
                    self._failures[guild_id] = tries
                    self._next_edit[guild_id] = clock() + RETRY_SECONDS
                    self._chores.poke(key)
            else:
                self._failures.pop(guild_id, None)

    async def _show(self, guild: int, card: Card, parts: Sequence[Part]) -> None:
        """Edit a card, or post it anew if it cannot be edited."""
        channel = self._client.get_partial_messageable(card.channel, guild_id=guild)
        if card.message and await self._edit(channel, card.message, parts):
            self._shown[card.message] = parts
            return
        # A crash may have prevented the recording of a card that was posted.
        sent = await self._find_posted(card)
        if sent is None or not await self._edit(channel, sent.id, parts):
            sent = await channel.send(
                view=layout_of(parts),
                allowed_mentions=NOBODY,
                silent=True,
                nonce=f"card-{card.message or card.after:x}",
            )
        if await self.find(guild) != card:
            # It was removed or moved meanwhile.
            await self._delete(Card(card.channel, sent.id))
            return
        await self._save(guild, Card(card.channel, sent.id, card.after))
        self._shown[sent.id] = parts
        await self._delete(card)

    async def _edit(
        self, channel: discord.PartialMessageable, message: int, parts: Sequence[Part]
    ) -> bool:
        """Edit a card; return False if that is not possible any more."""
        try:
            async with asyncio.timeout(EDIT_TIMEOUT_SECONDS):
                await channel.get_partial_message(message).edit(
                    view=layout_of(parts), allowed_mentions=NOBODY
                )
        except TimeoutError:
            return False
        except discord.HTTPException as error:
            if error.code not in CANNOT_EDIT:
                raise
            return False
        return True

    async def _find_posted(self, card: Card) -> discord.Message | None:
        """Return a card that was posted after the one that is recorded, if there is any."""

        def is_card(message: discord.Message) -> bool:
            has_both = all(has_component(message, [one]) for one in (MINE_BUTTON, TABLES_BUTTON))
            return message.flags.components_v2 and has_both

        try:
            after = card.message or card.after
            return await find_own_message(self._client, card.channel, after, is_card)
        except discord.Forbidden:
            # Without Read Message History a second card may appear after a crash.
            return None

    async def _give_up(self, guild: discord.Guild, card: Card) -> None:
        """Forget a card whose channel is lost, and tell the server's owner why."""
        await self._save(guild.id, None)
        if guild.owner_id:
            place = f"<#{card.channel}>"
            why = describe_missing(self._client, card.channel) or say("card.failed", channel=place)
            await send_direct_message(self._client, guild.owner_id, say("card.lost", why=why))

    # What a card shows

    async def _make(self, guild: discord.Guild, card: Card) -> list[Part]:
        """Return the parts of a card: a line for each match, the most urgent first."""
        rooms = await self._kernel.matches.select(matches_in_play, guild.id)
        rooms = [
            room
            for room in rooms
            if not room.is_over and not room.is_solo
            if is_as_public(guild, room.record.place, card.channel)
        ]
        rooms.sort(key=self._urgency)
        hidden = await hidden_players(
            self._client, {user for room in rooms for user in room.players}
        )
        # Leave out a match in which all people hide their names.
        listed_rooms = [
            hide_names(room, hidden) for room in rooms if not set(room.players) <= hidden
        ]
        lines: list[str] = []
        space = LAYOUT_TEXT - RESERVED_LENGTH
        for room in listed_rooms[:MAX_TABLES]:
            line = await self._line(room)
            space -= len(line)
            if space < 0:
                break
            lines.append(line)
        head = say("card.head", number=len(listed_rooms))
        parts: list[Part] = [with_heading(say("card.title"), head), *lines]
        if more := len(listed_rooms) - len(lines):
            parts.append(say("card.more", number=more))
        mine = Button(MINE_BUTTON, say("games.mine"))
        return [*parts, (mine, Button(TABLES_BUTTON, say("card.tables")))]

    def _urgency(self, room: Room) -> tuple[bool, float, int]:
        """Return a sort key: running matches first, then the nearest deadline, then the oldest."""
        deadlines = self._kernel.clocks.deadlines(room).values()
        is_running = room.record.status is Status.RUNNING
        return (
            not is_running,
            min(deadlines, default=float("inf")),
            room.record.last_activity_at,
        )

    async def _line(self, room: Room) -> str:
        """Return a match in a line: whom it waits for, since when and until when.

        If all others have answered a question that several people were asked, it says so.
        """
        deadlines = self._kernel.clocks.deadlines(room).values()
        link, place = describe.link(room), room.record.place
        if place.thread:
            # The thread opens at its newest message, and its link stays the same.
            link = describe.channel_link(place.guild, place.thread)
        return say(
            "card.line",
            game=describe.title(room),
            players=cut(describe.players(room), PLAYERS_LENGTH),
            state=cut(describe.describe_state(room), STATE_LENGTH),
            last=await self._kernel.matches.last_awaited(room) is not None,
            since=room.record.last_activity_at,
            due=min(deadlines, default=0),
            link=link,
        )


def is_as_public(guild: discord.Guild, place: Place, channel: int) -> bool:
    """Whether everybody who can see a channel can also see where a match is played.

    Roles decide. In doubt, because of permissions of single members, the answer is no.
    """
    match_channel, card_channel = (
        guild.get_channel_or_thread(place.channel),
        guild.get_channel(channel),
    )
    if place.channel == channel:
        return True
    if isinstance(match_channel, discord.Thread):
        match_channel = None if match_channel.is_private() else match_channel.parent
    if match_channel is None or card_channel is None:
        return False
    readers = [role for role in guild.roles if card_channel.permissions_for(role).view_channel]
    if not all(match_channel.permissions_for(role).view_channel for role in readers):
        return False
    shut_out = [
        target
        for target, overwrite in match_channel.overwrites.items()
        if overwrite.view_channel is False
    ]
    admitted = [
        target for target, overwrite in card_channel.overwrites.items() if overwrite.view_channel
    ]
    is_open = match_channel.permissions_for(guild.default_role).view_channel
    return not _people(guild, shut_out) and (is_open or not _people(guild, admitted))


def _people(guild: discord.Guild, targets: Iterable[object]) -> list[object]:
    """Return those of the targets of overwrites that are people, except for the bot."""
    return [who for who in targets if not isinstance(who, discord.Role) and who != guild.me]


def _locale_of(guild: discord.Guild) -> str:
    """Return the language that a server has chosen; only a Community server can."""
    return str(guild.preferred_locale) if "COMMUNITY" in guild.features else ""


def connect(client: MotuClient) -> Parts:
    """Create the cards."""
    cards = StatusCards(client)
    return Parts(
        services=(cards,),
        subscribers=(cards.on_change,),
        post_followers=(cards.follow_post,),
        on_notification=(cards.on_notification,),
        on_look_around=(cards.start,),
        on_start=(cards.start,),
        on_close=(cards.close,),
    )


FEATURE = Feature(name="status_card", connect=connect)
