"""Who and what there is. No socket is known here; whoever wants to hear of changes listens."""

import hashlib
import secrets
from collections.abc import Callable
from urllib.parse import quote

from bot.local import permissions
from bot.local.clock import Clock
from bot.local.model import DM, TEXT, Attachment, Channel, Membership, Message, Seen, Thread, User
from bot.local.refusal import Json, Refusal

DISCORD_EPOCH_MS = 1_420_070_400_000
NONCE_SECONDS = 300
URL_SECONDS = 86_400

Listener = Callable[[str, object], None]
"""Gets the kind of a change ('message_create', 'thread_update', …) and its subject."""


class State:
    """One server with its channels, its people and one application."""

    def __init__(self, clock: Clock, *, guild: str = "Local table", active_threads: int = 1000) -> None:
        self.clock = clock
        self.active_threads = active_threads
        self.url = ""
        self.listeners: list[Listener] = []
        self.last_id = 0
        self._sequence = 0
        self.secret = secrets.token_bytes(16)
        """What the addresses of files are proved with."""
        self.guild = self.snowflake()
        self.guild_name = guild
        self.bot_role = self.snowflake()
        self.users: dict[int, User] = {}
        self.channels: dict[int, Channel] = {}
        self.messages: dict[int, Message] = {}
        self.attachments: dict[int, Attachment] = {}
        self.commands: dict[int | None, dict[str, Json]] = {None: {}}
        """Registered commands by server (None: everywhere) and name."""
        self.nonces: dict[tuple[int, str], Message] = {}
        self.seen: dict[tuple[int, int], int] = {}
        """The newest message that a person has seen in a channel, by both ids."""
        self.bot = self.add_user("Motu", bot=True)

    @property
    def application(self) -> int:
        """The application's id, the same as its bot's."""
        return self.bot.id

    def snowflake(self) -> int:
        """A new id: unique, increasing, and telling the time it was made."""
        self._sequence += 1
        stamp = (int(self.clock.now() * 1000) - DISCORD_EPOCH_MS) << 22
        self.last_id = max(self.last_id + 1, stamp | self._sequence & 0xFFF)
        return self.last_id

    def tell(self, kind: str, subject: object) -> None:
        """Let everybody who listens know of a change."""
        for listener in list(self.listeners):
            listener(kind, subject)

    # People and channels

    def add_user(self, name: str, *, bot: bool = False, locale: str = "en-US") -> User:
        """A new member of the server."""
        username = "".join(c for c in name.lower() if c.isascii() and (c.isalnum() or c in "._")) or "someone"
        user = User(self.snowflake(), name, username, bot=bot, locale=locale)
        self.users[user.id] = user
        self.tell("member_add", user)
        return user

    @property
    def people(self) -> list[User]:
        """Who is in the server, bots left out."""
        return [user for user in self.users.values() if not user.bot and not user.left]

    def remove_user(self, user: User) -> None:
        """Somebody leaves the server."""
        user.left = True
        self.tell("member_remove", user)

    def member(self, user_id: int) -> User:
        """The member of the server with that id."""
        found = self.users.get(user_id)
        if found is None or found.left:
            raise Refusal(10007)
        return found

    def add_channel(self, name: str) -> Channel:
        """A new text channel."""
        channel = Channel(self.snowflake(), name, position=len(self.channels))
        self.channels[channel.id] = channel
        self.tell("channel_create", channel)
        return channel

    def dm_of(self, user: User) -> Channel:
        """The private channel between the bot and a person."""
        for channel in self.channels.values():
            if channel.kind == DM and channel.recipient is user:
                return channel
        channel = Channel(self.snowflake(), "", DM, recipient=user)
        self.channels[channel.id] = channel
        self.tell("channel_create", channel)
        return channel

    def channel(self, channel_id: int) -> Channel:
        """The channel or thread of that id."""
        found = self.channels.get(channel_id)
        if found is None:
            raise Refusal(10003)
        return found

    def message(self, channel: Channel, message_id: int) -> Message:
        """A message of a channel; ephemeral ones cannot be found this way."""
        found = self.messages.get(message_id)
        if found is None or found.channel is not channel or found.ephemeral:
            raise Refusal(10008)
        return found

    def delete_channel(self, channel: Channel) -> None:
        """Take a channel or thread away, with its threads and messages."""
        children = [c for c in self.channels.values() if isinstance(c, Thread) and c.parent == channel.id]
        for gone in (*children, channel):
            gone.gone = True
            del self.channels[gone.id]
            for message in [m for m in self.messages.values() if m.channel is gone]:
                self.forget(message)
        self.tell("thread_delete" if isinstance(channel, Thread) else "channel_delete", channel)

    def offered(self) -> list[Json]:
        """The commands that people can use in the server, by name."""
        found = {**self.commands[None], **self.commands.get(self.guild, {})}
        return [found[name] for name in sorted(found)]

    # Permissions

    def permissions(self, user: User, channel: Channel) -> int:
        """What a person may do in a channel; a thread follows its channel."""
        if channel.kind == DM:
            return permissions.bits(permissions.EVERYONE) if user in (self.bot, channel.recipient) else 0
        if user.left:
            return 0
        base = self.channels[channel.parent] if isinstance(channel, Thread) else channel
        allowed = permissions.bits(permissions.EVERYONE)
        for target in (self.guild, user.id):
            allow, deny = base.overwrites.get(target, (0, 0))
            allowed = allowed & ~deny | allow
        return allowed if permissions.has(allowed, "view_channel") else 0

    def may(self, user: User, channel: Channel, permission: str) -> bool:
        """Whether a person has a permission in a channel."""
        return permissions.has(self.permissions(user, channel), permission)

    def require(self, channel: Channel, *needed: str) -> None:
        """Refuse what the bot has no permission for."""
        if not self.may(self.bot, channel, "view_channel"):
            raise Refusal(50001)
        if not all(self.may(self.bot, channel, permission) for permission in needed):
            raise Refusal(50013)

    def set_overwrite(self, channel: Channel, target: int, allow: int, deny: int) -> None:
        """Give or take permissions in a channel, for a user's id or the server's (everyone)."""
        channel.overwrites[target] = (allow, deny)
        self.tell("channel_update", channel)

    # Messages

    def add_message(self, message: Message) -> None:
        """Put a new message where people can see it."""
        self.messages[message.id] = message
        if message.nonce is not None:
            self.nonces[message.author.id, message.nonce] = message
        if not message.ephemeral:
            message.channel.last_message = message.id
            if isinstance(message.channel, Thread):
                self._stir(message.channel)
                self.join(message.channel, *(person.id for person in (message.author, *message.pings)))
        self.tell("message_create", message)

    def repeat_of(self, author: User, nonce: str) -> Message | None:
        """The message that the author sent with the same nonce within the last minutes."""
        found = self.nonces.get((author.id, nonce))
        if found is None or found.deleted or self.clock.now() - found.created > NONCE_SECONDS:
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
        if message.nonce is not None:
            self.nonces.pop((message.author.id, message.nonce), None)

    def history(self, channel: Channel) -> list[Message]:
        """The messages of a channel that everyone there sees, oldest first."""
        return [m for m in self.messages.values() if m.channel is channel and not m.ephemeral]

    # What people have seen

    def last_seen(self, user: User, channel: Channel) -> int:
        """The newest message that somebody has seen in a channel; what is older than the person counts as seen."""
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

    # Threads

    def threads(self, *, archived: bool = False) -> list[Thread]:
        """The threads of the server that are active, or those that are archived."""
        return [c for c in self.channels.values() if isinstance(c, Thread) and c.archived == archived]

    def add_thread(self, thread: Thread) -> None:
        """Open a thread; refused when too many are active."""
        if len(self.threads()) >= self.active_threads:
            raise Refusal(160006)
        self.channels[thread.id] = thread
        self._stir(thread, sent=0)
        self.tell("thread_create", thread)

    def join(self, thread: Thread, *users: int) -> None:
        """Let people into a thread."""
        added = tuple(user for user in users if user not in thread.members)
        thread.members |= set(added)
        if added:
            self.tell("thread_members", Membership(thread, added=added))

    def leave(self, thread: Thread, user: int) -> None:
        """Take somebody out of a thread."""
        if user in thread.members:
            thread.members.discard(user)
            self.tell("thread_members", Membership(thread, removed=(user,)))

    def archive(self, thread: Thread, archived: bool = True, *, locked: bool | None = None) -> None:
        """Archive a thread, or open it again."""
        if not archived and thread.archived and len(self.threads()) >= self.active_threads:
            raise Refusal(160006)
        thread.archived = archived
        thread.locked = thread.locked if locked is None else locked
        thread.archived_at = self.clock.now()
        if not archived:
            self._stir(thread, sent=0)
        self.tell("thread_update", thread)

    def _stir(self, thread: Thread, sent: int = 1) -> None:
        thread.sent += sent
        thread.active_at = self.clock.now()
        self.wait_for_silence(thread)

    def wait_for_silence(self, thread: Thread) -> None:
        """Archive a thread once it has been silent for long enough."""
        self.clock.call_at(thread.active_at + thread.archive_after * 60, lambda: self._doze(thread))

    def _doze(self, thread: Thread) -> None:
        quiet = self.clock.now() - thread.active_at
        if not thread.gone and not thread.archived and quiet >= thread.archive_after * 60:
            self.archive(thread)

    @property
    def text_channels(self) -> list[Channel]:
        """The server's channels, threads left out."""
        return [c for c in self.channels.values() if c.kind == TEXT]
