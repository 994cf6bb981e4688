"""Who and what there is. No socket is known here: whoever wants to hear of changes listens."""

import hashlib
import secrets
from collections.abc import Callable
from urllib.parse import quote

from bot.local import permissions
from bot.local.clock import Clock
from bot.local.errors import Json, Refusal
from bot.local.model import DM, TEXT, Attachment, Channel, Message, Seen, Thread, User

DISCORD_EPOCH_MS = 1_420_070_400_000
NONCE_SECONDS = 300
URL_SECONDS = 86_400

Listener = Callable[[str, object], None]
"""Gets the kind of a change ('message_create', 'thread_update', …) and its subject."""


class State:
    """One server with its channels, its people and one application."""

    def __init__(self, clock: Clock, *, active_threads: int = 1000) -> None:
        self.clock = clock
        self.active_threads = active_threads
        """How many threads may be open at once."""
        self.url = ""
        """Where the server listens; the addresses of files begin with it."""
        self.advised_shards = 1
        """How many shards a bot is told to have."""
        self.max_concurrency = 16
        """How many of them may log in beside each other."""
        self.listeners: list[Listener] = []
        self.last_id = 0
        self._sequence = 0
        self.secret = secrets.token_bytes(16)
        """What the addresses of files are proved with."""
        self.guild = self.snowflake()
        self.guild_name = "Local table"
        self.more_guilds: list[int] = []
        """Further servers, for what is tried with several; everybody is in all of them, and a
        file keeps none.
        """
        self.bot_role = self.snowflake()
        self.roles: dict[int, str] = {}
        """Names of further roles by id, in the first server; a file keeps none."""
        self.users: dict[int, User] = {}
        self.channels: dict[int, Channel] = {}
        self.messages: dict[int, Message] = {}
        self.attachments: dict[int, Attachment] = {}
        self.commands: dict[int | None, dict[str, Json]] = {None: {}}
        """Registered commands by server (None: everywhere) and name."""
        self.nonces: dict[str, Message] = {}
        """What the bot posted, by the nonce it gave."""
        self.seen: dict[tuple[int, int], int] = {}
        """The newest message that a person has seen in a channel, by both ids."""
        self.bot = self.add_user("Motu", bot=True)

    @property
    def gateway_url(self) -> str:
        """Where a bot connects."""
        return self.url.replace("http", "ws", 1) + "/gateway"

    @property
    def application(self) -> int:
        """The application's id, the same as its bot's."""
        return self.bot.id

    def snowflake(self) -> int:
        """A new id: unique, increasing, and telling the time it was made."""
        self._sequence += 1
        milliseconds = int(self.clock.now() * 1000) - DISCORD_EPOCH_MS
        # A clock that was put back must not bring old ids back.
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
        """Let time pass at once, for those who try the table out."""
        self.clock.move(seconds)
        self.tell("clock", self.clock)

    def tell(self, kind: str, subject: object) -> None:
        """Let everybody who listens know of a change."""
        for listener in list(self.listeners):
            listener(kind, subject)

    # Servers

    @property
    def guilds(self) -> list[int]:
        """All servers, the first of them first."""
        return [self.guild, *self.more_guilds]

    def add_guild(self, shard: int = 0, shards: int = 1) -> int:
        """A further server, in this one of so many shards."""
        guild = self.snowflake()
        guild += ((shard - (guild >> 22)) % shards) << 22
        self.last_id = guild
        self.more_guilds.append(guild)
        self.tell("guild_create", guild)
        return guild

    def add_role(self, name: str) -> int:
        """Add a role, and return its id."""
        role = self.snowflake()
        self.roles[role] = name
        self.tell("guild_role_create", role)
        return role

    # People

    def add_user(self, name: str, *, bot: bool = False) -> User:
        """A new member of the server."""
        username = (
            "".join(c for c in name.lower() if c.isascii() and (c.isalnum() or c in "._"))
            or "someone"
        )
        user = User(self.snowflake(), name, username, bot=bot)
        self.users[user.id] = user
        self.tell("member_add", user)
        return user

    @property
    def owner(self) -> User:
        """Whose server it is: the first who came."""
        return next(iter(self.people), self.bot)

    @property
    def people(self) -> list[User]:
        """Who is in the server, the bot left out."""
        return [user for user in self.users.values() if not user.bot]

    # Channels and threads

    @property
    def text_channels(self) -> list[Channel]:
        """The channels of all servers, threads left out."""
        return [channel for channel in self.channels.values() if channel.kind == TEXT]

    def threads(self, *, archived: bool = False) -> list[Thread]:
        """The threads that are active, or those that are archived."""
        return [
            c for c in self.channels.values() if isinstance(c, Thread) and c.archived == archived
        ]

    def channel(self, channel_id: int) -> Channel:
        """The channel or thread of that id."""
        found = self.channels.get(channel_id)
        if found is None:
            raise Refusal(10003)
        return found

    def add_channel(self, name: str, guild: int | None = None) -> Channel:
        """A new text channel of a server, or of the first."""
        channel = Channel(
            self.snowflake(), name, position=len(self.channels), guild=guild or self.guild
        )
        self.channels[channel.id] = channel
        self.tell("channel_create", channel)
        return channel

    def dm_of(self, user: User) -> Channel:
        """The private channel between the bot and a person."""
        for channel in self.channels.values():
            if channel.recipient is user:
                return channel
        channel = Channel(self.snowflake(), "", DM, recipient=user)
        self.channels[channel.id] = channel
        self.tell("channel_create", channel)
        return channel

    def delete_channel(self, channel: Channel) -> None:
        """Take a channel or thread away, with its threads and messages."""
        children = [
            c for c in self.channels.values() if isinstance(c, Thread) and c.parent == channel.id
        ]
        for gone in (*children, channel):
            gone.gone = True
            del self.channels[gone.id]
            for message in [m for m in self.messages.values() if m.channel is gone]:
                self.forget(message)
        # Discord tells of the channel alone: that its threads are gone with it, everybody has to
        # conclude.
        self.tell("thread_delete" if isinstance(channel, Thread) else "channel_delete", channel)

    def add_thread(self, thread: Thread) -> None:
        """Open a thread; refused when too many are active."""
        if len(self.threads()) >= self.active_threads:
            raise Refusal(160006)
        self.channels[thread.id] = thread
        thread.active_at = self.clock.now()
        self.wait_for_silence(thread)
        self.tell("thread_create", thread)

    def archive(self, thread: Thread, archived: bool = True, *, locked: bool | None = None) -> None:
        """Archive a thread (and lock it), or open it again."""
        if not archived and thread.archived and len(self.threads()) >= self.active_threads:
            raise Refusal(160006)
        thread.archived = archived
        thread.locked = thread.locked if locked is None else locked
        thread.archived_at = self.clock.now()
        if not archived:
            thread.active_at = self.clock.now()
            self.wait_for_silence(thread)
        self.tell("thread_update", thread)

    def wait_for_silence(self, thread: Thread) -> None:
        """Archive a thread once it has been silent for long enough."""

        def due() -> float:
            return thread.active_at + thread.archive_after * 60

        def look() -> None:
            if thread.gone or thread.archived:
                return
            if self.clock.now() >= due():
                self.archive(thread)
            else:
                self.clock.call_at(due(), look)

        self.clock.call_at(due(), look)

    # Permissions

    def permissions(self, user: User, channel: Channel) -> int:
        """What a person may do in a channel; a thread follows its channel."""
        if channel.kind == DM:
            return permissions.EVERY if user in (self.bot, channel.recipient) else 0
        base = self.channels[channel.parent] if isinstance(channel, Thread) else channel
        allow, deny = base.overwrites.get(user.id, (0, 0))
        allowed = permissions.EVERY & ~deny | allow
        if user is self.owner:
            allowed |= permissions.bits(permissions.OF_OWNER)
        # Whoever cannot see a channel can do nothing else there.
        return allowed if allowed & permissions.bits(["view_channel"]) else 0

    def may(self, user: User, channel: Channel, permission: str) -> bool:
        """Whether a person has a permission in a channel."""
        return bool(self.permissions(user, channel) & permissions.bits([permission]))

    def require(self, channel: Channel, *needed: str) -> None:
        """Refuse what the bot has no permission for."""
        if not self.may(self.bot, channel, "view_channel"):
            raise Refusal(50001)
        if not all(self.may(self.bot, channel, permission) for permission in needed):
            raise Refusal(50013)

    def set_permissions(
        self, channel: Channel, user: User, names: tuple[str, ...], *, allowed: bool
    ) -> None:
        """Give somebody permissions in a channel, or take them away."""
        allow, deny = channel.overwrites.get(user.id, (0, 0))
        changed = permissions.bits(names)
        if allowed:
            channel.overwrites[user.id] = (allow | changed, deny & ~changed)
        else:
            channel.overwrites[user.id] = (allow & ~changed, deny | changed)
        self.tell("channel_update", channel)

    # Messages

    def message(self, channel: Channel, message_id: int) -> Message:
        """A message of a channel; ephemeral ones cannot be found this way."""
        found = self.messages.get(message_id)
        if found is None or found.channel is not channel or found.ephemeral:
            raise Refusal(10008)
        return found

    def history(self, channel: Channel) -> list[Message]:
        """The messages of a channel that everyone there sees, oldest first."""
        return [m for m in self.messages.values() if m.channel is channel and not m.ephemeral]

    def add_message(self, message: Message) -> None:
        """Put a new message where people can see it."""
        self.messages[message.id] = message
        if message.nonce is not None:
            self.nonces[message.nonce] = message
        if not message.ephemeral:
            message.channel.last_message = message.id
            if isinstance(message.channel, Thread):
                message.channel.active_at = self.clock.now()
        self.tell("message_create", message)

    def repeat_of(self, nonce: str) -> Message | None:
        """The message that the bot sent with the same nonce within the last minutes."""
        found = self.nonces.get(nonce)
        if found is None or self.clock.now() - found.created > NONCE_SECONDS:
            return None
        return found

    def change_message(self, message: Message) -> None:
        """A message was edited."""
        message.edited = self.clock.now()
        self.tell("message_update", message)

    def delete_message(self, message: Message) -> None:
        """Take a message away."""
        self.forget(message)
        self.tell("message_delete", message)

    def forget(self, message: Message) -> None:
        """Let a message go without a word."""
        message.deleted = True
        self.messages.pop(message.id, None)
        for attachment in message.attachments:
            self.attachments.pop(attachment.id, None)
        # An interaction holds on to the messages that answer it for as long as its token lives; not
        # to their pictures.
        message.attachments = []
        if message.nonce is not None:
            self.nonces.pop(message.nonce, None)

    # What people have seen

    def last_seen(self, user: User, channel: Channel) -> int:
        """The newest message that somebody has seen in a channel; what is older than the person
        counts as seen.
        """
        return max(user.id, self.seen.get((user.id, channel.id), 0))

    def see(self, user: User, channel: Channel, message: int) -> None:
        """Somebody has seen a channel up to a message."""
        if message > self.last_seen(user, channel):
            self.seen[user.id, channel.id] = message
            self.tell("seen", Seen(user, channel, message))

    # Files

    def sign(self, attachment: Attachment, channel: Channel) -> None:
        """Give a file its address: guessable by nobody, and good for a day."""
        attachment.expires = self.clock.now() + URL_SECONDS
        path = f"/attachments/{channel.id}/{attachment.id}/{quote(attachment.filename)}"
        proof = self.proof(attachment)
        attachment.url = f"{self.url}{path}?ex={int(attachment.expires):x}&hm={proof}"
        self.attachments[attachment.id] = attachment

    def proof(self, attachment: Attachment) -> str:
        """What the address of a file must carry."""
        text = f"{attachment.id}/{int(attachment.expires):x}"
        return hashlib.blake2b(text.encode(), key=self.secret, digest_size=16).hexdigest()
