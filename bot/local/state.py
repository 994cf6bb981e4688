"""The state of the local Discord: servers, people, channels, messages, and who may do what.

Nothing here knows of sockets. The gateway, the page and the file listen for changes.
"""

import hashlib
import re
import secrets
from collections.abc import Callable
from urllib.parse import quote

from bot.local import permissions
from bot.local.clock import Clock
from bot.local.errors import Json, Refusal
from bot.local.model import DM, TEXT, Attachment, Channel, Message, ReadMarker, Thread, User

DISCORD_EPOCH_MS = 1_420_070_400_000
NONCE_SECONDS = 300
"""How long a repeated nonce leads to the message that is already there."""
FILE_URL_SECONDS = 86_400
"""How long the address of a file is valid."""

Listener = Callable[[str, object], None]
"""Takes the kind of a change ('message_create', 'thread_update', …) and what has changed."""


class State:
    """One server with its channels, its people and one application."""

    def __init__(self, clock: Clock, *, active_threads: int = 1000) -> None:
        self.clock = clock
        self.active_threads = active_threads
        """How many threads may be active at once."""
        self.url = ""
        """The address of the local Discord, with which the addresses of files begin."""
        self.advised_shards = 1
        """How many shards the bot is advised to use."""
        self.max_concurrency = 16
        """How many shards may log in at the same time."""
        self.listeners: list[Listener] = []
        self.last_id = 0
        self._sequence = 0
        self.secret = secrets.token_bytes(16)
        """The key that signs the addresses of files."""
        self.guild = self.snowflake()
        self.guild_name = "Local table"
        self.guild_locale = ""
        """The language that the server has chosen, as only a Community server can; '' if none."""
        self.more_guilds: list[int] = []
        """Further servers for tests. Everybody is a member of all of them; they are not saved."""
        self.bot_role = self.snowflake()
        self.roles: dict[int, str] = {}
        """Names of further roles of the first server by id, for tests; they are not saved."""
        self.users: dict[int, User] = {}
        self.channels: dict[int, Channel] = {}
        self.messages: dict[int, Message] = {}
        self.attachments: dict[int, Attachment] = {}
        self.commands: dict[int | None, dict[str, Json]] = {None: {}}
        """Registered commands by server (None: everywhere) and name."""
        self.nonces: dict[str, Message] = {}
        """The bot's messages by the nonce that it sent with them."""
        self.read_markers: dict[tuple[int, int], int] = {}
        """The newest message that a person has read in a channel, by the ids of both."""
        self.bot = self.add_user("Motu", bot=True)

    @property
    def gateway_url(self) -> str:
        """The address of the gateway."""
        return self.url.replace("http", "ws", 1) + "/gateway"

    @property
    def application(self) -> int:
        """The application's id, which is also its bot's."""
        return self.bot.id

    def snowflake(self) -> int:
        """Return a new id, larger than all before it, that contains the current time."""
        self._sequence += 1
        milliseconds = int(self.clock.now() * 1000) - DISCORD_EPOCH_MS
        # Discord: milliseconds since its epoch, then 22 bits that keep ids of a moment apart.
        # Ids go on increasing even if the machine's clock is set back.
        self.last_id = max(self.last_id + 1, milliseconds << 22 | self._sequence & 0xFFF)
        return self.last_id

    @property
    def ahead(self) -> float:
        """Seconds that the clock was moved forward."""
        return self.clock.ahead

    @ahead.setter
    def ahead(self, seconds: float) -> None:
        self.clock.ahead = seconds

    def move_clock(self, seconds: float) -> None:
        """Move the clock forward, so that players see what happens over days."""
        self.clock.move(seconds)
        self.notify("clock", self.clock)

    def notify(self, kind: str, subject: object) -> None:
        """Tell all listeners of a change."""
        for listener in list(self.listeners):
            listener(kind, subject)

    # Servers

    @property
    def guilds(self) -> list[int]:
        """The ids of all servers."""
        return [self.guild, *self.more_guilds]

    def add_guild(self, shard: int = 0, shards: int = 1) -> int:
        """Add a server that belongs to the given shard, and return its id."""
        guild = self.snowflake()
        # A server's shard follows from its id: (id >> 22) % shards.
        guild += ((shard - (guild >> 22)) % shards) << 22
        self.last_id = guild
        self.more_guilds.append(guild)
        self.notify("guild_create", guild)
        return guild

    def add_role(self, name: str) -> int:
        """Add a role to the first server, and return its id."""
        role = self.snowflake()
        self.roles[role] = name
        self.notify("guild_role_create", role)
        return role

    # People

    def add_user(self, name: str, *, bot: bool = False) -> User:
        """Add a member to the server."""
        # Discord allows only these characters in usernames; the displayed name is free.
        username = re.sub(r"[^a-z0-9._]", "", name.lower())
        user = User(self.snowflake(), name, username or "someone", bot=bot)
        self.users[user.id] = user
        self.notify("member_add", user)
        return user

    @property
    def owner(self) -> User:
        """The server's owner: the first person who joined."""
        return next(iter(self.people), self.bot)

    @property
    def people(self) -> list[User]:
        """All users but the bot."""
        return [user for user in self.users.values() if not user.bot]

    # Channels and threads

    @property
    def text_channels(self) -> list[Channel]:
        """The text channels of all servers, without threads."""
        return [channel for channel in self.channels.values() if channel.kind == TEXT]

    def threads(self, *, archived: bool = False) -> list[Thread]:
        """Return the active threads, or the archived ones."""
        threads = [channel for channel in self.channels.values() if isinstance(channel, Thread)]
        return [thread for thread in threads if thread.archived == archived]

    def channel(self, channel_id: int) -> Channel:
        """Return the channel or thread with an id."""
        found = self.channels.get(channel_id)
        if found is None:
            raise Refusal(10003)
        return found

    def add_channel(self, name: str, guild: int | None = None) -> Channel:
        """Add a text channel to a server; to the first one unless another is given."""
        channel = Channel(
            self.snowflake(), name, position=len(self.channels), guild=guild or self.guild
        )
        self.channels[channel.id] = channel
        self.notify("channel_create", channel)
        return channel

    def open_dm(self, user: User) -> Channel:
        """Return the direct messages between the bot and a person, opened on first use."""
        for channel in self.channels.values():
            if channel.recipient is user:
                return channel
        channel = Channel(self.snowflake(), "", DM, recipient=user)
        self.channels[channel.id] = channel
        self.notify("channel_create", channel)
        return channel

    def delete_channel(self, channel: Channel) -> None:
        """Delete a channel or thread, with its threads and messages."""
        threads = [one for one in self.channels.values() if isinstance(one, Thread)]
        children = [thread for thread in threads if thread.parent == channel.id]
        for gone in (*children, channel):
            gone.gone = True
            del self.channels[gone.id]
            for message in list(self.messages.values()):
                if message.channel is gone:
                    self.forget(message)
        # Discord sends no event for the threads of a deleted channel.
        self.notify("thread_delete" if isinstance(channel, Thread) else "channel_delete", channel)

    def add_thread(self, thread: Thread) -> None:
        """Open a thread, unless too many are active."""
        if len(self.threads()) >= self.active_threads:
            raise Refusal(160006)
        self.channels[thread.id] = thread
        thread.active_at = self.clock.now()
        self.archive_when_silent(thread)
        self.notify("thread_create", thread)

    def archive(self, thread: Thread, archived: bool = True, *, locked: bool | None = None) -> None:
        """Archive a thread (and lock it), or open it again."""
        if not archived and thread.archived and len(self.threads()) >= self.active_threads:
            raise Refusal(160006)
        thread.archived = archived
        thread.locked = thread.locked if locked is None else locked
        thread.archived_at = self.clock.now()
        if not archived:
            thread.active_at = self.clock.now()
            self.archive_when_silent(thread)
        self.notify("thread_update", thread)

    def archive_when_silent(self, thread: Thread) -> None:
        """Archive a thread as soon as it has had no message for its `archive_after`."""

        def archive_at() -> float:
            return thread.active_at + thread.archive_after * 60

        def check_silence() -> None:
            if thread.gone or thread.archived:
                return
            if self.clock.now() >= archive_at():
                self.archive(thread)
            else:
                # Somebody has written in the meantime.
                self.clock.call_at(archive_at(), check_silence)

        self.clock.call_at(archive_at(), check_silence)

    # Permissions

    def permissions(self, user: User, channel: Channel) -> int:
        """Return the permission bits that a user has in a channel."""
        if channel.kind == DM:
            return permissions.EVERY if user in (self.bot, channel.recipient) else 0
        # Threads have no permissions of their own.
        base = self.channels[channel.parent] if isinstance(channel, Thread) else channel
        allow, deny = base.overwrites.get(user.id, (0, 0))
        allowed = permissions.EVERY & ~deny | allow
        if user is self.owner:
            allowed |= permissions.bits(permissions.OF_OWNER)
        # Discord: without VIEW_CHANNEL all other permissions are implicitly denied.
        return allowed if allowed & permissions.bits(["view_channel"]) else 0

    def may(self, user: User, channel: Channel, permission: str) -> bool:
        """Return whether a user has a permission in a channel."""
        return bool(self.permissions(user, channel) & permissions.bits([permission]))

    def require(self, channel: Channel, *needed: str) -> None:
        """Refuse a request for which the bot lacks a permission in a channel."""
        if not self.may(self.bot, channel, "view_channel"):
            raise Refusal(50001)
        if not all(self.may(self.bot, channel, permission) for permission in needed):
            raise Refusal(50013)

    def set_permissions(
        self, channel: Channel, user: User, names: tuple[str, ...], *, allowed: bool
    ) -> None:
        """Allow or deny a user permissions in a channel."""
        allow, deny = channel.overwrites.get(user.id, (0, 0))
        changed = permissions.bits(names)
        if allowed:
            channel.overwrites[user.id] = (allow | changed, deny & ~changed)
        else:
            channel.overwrites[user.id] = (allow & ~changed, deny | changed)
        self.notify("channel_update", channel)

    # Messages

    def message(self, channel: Channel, message_id: int) -> Message:
        """Return a message of a channel."""
        found = self.messages.get(message_id)
        # An ephemeral message can be reached only with the token of its interaction.
        if found is None or found.channel is not channel or found.ephemeral:
            raise Refusal(10008)
        return found

    def history(self, channel: Channel) -> list[Message]:
        """Return the public messages of a channel, oldest first."""
        messages = [one for one in self.messages.values() if one.channel is channel]
        return [message for message in messages if not message.ephemeral]

    def add_message(self, message: Message) -> None:
        """Show a new message."""
        self.messages[message.id] = message
        if message.nonce is not None:
            self.nonces[message.nonce] = message
        if not message.ephemeral:
            message.channel.last_message = message.id
            if isinstance(message.channel, Thread):
                message.channel.active_at = self.clock.now()
        self.notify("message_create", message)

    def find_by_nonce(self, nonce: str) -> Message | None:
        """Return the message that the bot sent with a nonce in the last few minutes."""
        found = self.nonces.get(nonce)
        if found is None or self.clock.now() - found.created > NONCE_SECONDS:
            return None
        return found

    def change_message(self, message: Message) -> None:
        """Note that a message was edited."""
        message.edited = self.clock.now()
        self.notify("message_update", message)

    def delete_message(self, message: Message) -> None:
        """Delete a message."""
        self.forget(message)
        self.notify("message_delete", message)

    def forget(self, message: Message) -> None:
        """Drop a message without notifying anybody."""
        message.deleted = True
        self.messages.pop(message.id, None)
        for attachment in message.attachments:
            self.attachments.pop(attachment.id, None)
        # The interaction that it answers refers to the message for as long as the token is valid.
        # The pictures need not stay in memory as long.
        message.attachments = []
        if message.nonce is not None:
            self.nonces.pop(message.nonce, None)

    # What people have read

    def last_read(self, user: User, channel: Channel) -> int:
        """Return the id of the newest message that a user has read in a channel."""
        # Ids grow with time, so messages from before the user joined count as read.
        return max(user.id, self.read_markers.get((user.id, channel.id), 0))

    def mark_read(self, user: User, channel: Channel, message: int) -> None:
        """Note that a user has read a channel up to a message."""
        if message > self.last_read(user, channel):
            self.read_markers[user.id, channel.id] = message
            self.notify("seen", ReadMarker(user, channel, message))

    # Files

    def sign(self, attachment: Attachment, channel: Channel) -> None:
        """Give a file a signed address that expires, as Discord's CDN does."""
        attachment.expires = self.clock.now() + FILE_URL_SECONDS
        path = f"/attachments/{channel.id}/{attachment.id}/{quote(attachment.filename)}"
        signature = self.signature(attachment)
        attachment.url = f"{self.url}{path}?ex={int(attachment.expires):x}&hm={signature}"
        self.attachments[attachment.id] = attachment

    def signature(self, attachment: Attachment) -> str:
        """Return the signature in the address of a file."""
        text = f"{attachment.id}/{int(attachment.expires):x}"
        return hashlib.blake2b(text.encode(), key=self.secret, digest_size=16).hexdigest()
