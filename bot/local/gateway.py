"""The gateway: one WebSocket to the bot, with sessions that outlive it."""

import asyncio
import contextlib
import json
import secrets
import zlib
from collections import deque
from dataclasses import dataclass, field

from aiohttp import WSMsgType, web

from bot.local import interactions, wire
from bot.local.interactions import Interaction
from bot.local.model import DM, Channel, Membership, Message, Thread, User
from bot.local.refusal import Json
from bot.local.state import State

DISPATCH, HEARTBEAT, IDENTIFY, PRESENCE, RESUME, RECONNECT, MEMBERS, INVALID, HELLO, ACK = (
    0,
    1,
    2,
    3,
    6,
    7,
    8,
    9,
    10,
    11,
)
"""Op codes."""

GUILDS, GUILD_MEMBERS, PRESENCES, GUILD_MESSAGES, DIRECT_MESSAGES, MESSAGE_CONTENT = (
    1 << n for n in (0, 1, 8, 9, 12, 15)
)
PRIVILEGED = GUILD_MEMBERS | PRESENCES | MESSAGE_CONTENT
"""Intents; those privileged have to be granted, and Motu needs none."""

HEARTBEAT_MS = 41_250
ACK_SECONDS = 0.1
REPLAY = 2000
"""Events kept for a bot that resumes."""


@dataclass(eq=False)
class Session:
    """What a bot has been told, kept so that a broken connection can be taken up again."""

    intents: int
    id: str = field(default_factory=lambda: secrets.token_hex(16))
    told: deque[Json] = field(default_factory=lambda: deque(maxlen=REPLAY))
    last: int = 0
    """The number of the newest event."""
    link: "Link | None" = None

    def tell(self, event: str, data: Json) -> None:
        """Number an event, keep it, and send it if the bot is there."""
        self.last += 1
        packet = {"op": DISPATCH, "t": event, "s": self.last, "d": data}
        self.told.append(packet)
        if self.link is not None:
            self.link.send(packet)

    def missed(self, seen: int) -> list[Json] | None:
        """The events after number `seen`; None if they are no longer kept."""
        found = [packet for packet in self.told if packet["s"] > seen]
        return found if len(found) == self.last - seen else None


class Link:
    """One open connection; what is sent leaves in order."""

    def __init__(
        self, socket: web.WebSocketResponse, transport: asyncio.Transport | None, *, compressed: bool = False
    ) -> None:
        self.socket = socket
        self._transport = transport
        self._deflate = zlib.compressobj() if compressed else None
        self._queue: asyncio.Queue[Json] = asyncio.Queue()

    def send(self, packet: Json) -> None:
        """Queue a packet."""
        self._queue.put_nowait(packet)

    def cut(self) -> None:
        """Break the connection without a word."""
        if self._transport is not None:
            self._transport.abort()

    async def pump(self) -> None:
        """Send what is queued until the socket is gone."""
        with contextlib.suppress(ConnectionError):
            while True:
                text = json.dumps(await self._queue.get())
                if self._deflate is None:
                    await self.socket.send_str(text)
                else:
                    data = self._deflate.compress(text.encode())
                    await self.socket.send_bytes(data + self._deflate.flush(zlib.Z_SYNC_FLUSH))


class Gateway:
    """Tells the bot what happens."""

    def __init__(self, state: State, token: str, *, granted: int = 0) -> None:
        self.state = state
        self.token = token
        self.granted = granted
        """The privileged intents that the application has been given."""
        self.sessions: dict[str, Session] = {}
        self.links: set[Link] = set()
        self.identified = 0
        """How many sessions were ever opened."""
        self.resumed = 0
        """How often one was taken up again."""
        self._open = asyncio.Event()
        self._open.set()
        state.listeners.append(self._hear)

    @property
    def connected(self) -> bool:
        """Whether a bot is logged in right now."""
        return any(session.link is not None for session in self.sessions.values())

    # Faults

    def drop(self) -> None:
        """Cut the connection as a broken cable would."""
        for link in list(self.links):
            link.cut()
            self._forget(link)

    def ask_reconnect(self) -> None:
        """Op 7: the bot should connect again and resume."""
        for link in self.links:
            link.send({"op": RECONNECT, "d": None})

    def invalidate(self, *, resumable: bool = False) -> None:
        """Op 9: the session is over, unless it is said to be resumable."""
        for link in self.links:
            link.send({"op": INVALID, "d": resumable})
        if not resumable:
            self.sessions.clear()

    def hold(self) -> None:
        """Greet nobody who connects until `release`."""
        self._open.clear()

    def release(self) -> None:
        """Greet those who wait, and whoever comes."""
        self._open.set()

    # The connection

    async def handle(self, request: web.Request) -> web.WebSocketResponse:
        """Serve one connection from its greeting to its end."""
        socket = web.WebSocketResponse(timeout=1.0, max_msg_size=1 << 20)
        await socket.prepare(request)
        link = Link(socket, request.transport, compressed=request.query.get("compress") == "zlib-stream")
        self.links.add(link)
        pump = asyncio.create_task(link.pump())
        try:
            await self._open.wait()
            link.send({"op": HELLO, "d": {"heartbeat_interval": HEARTBEAT_MS}})
            async for frame in socket:
                if frame.type is WSMsgType.TEXT:
                    await self._read(link, frame.data)
        finally:
            pump.cancel()
            if socket.close_code in (1000, 1001):
                self._end(link)
            self._forget(link)
        return socket

    async def close(self) -> None:
        """Say goodbye to every connection."""
        self.release()
        for link in list(self.links):
            await link.socket.close(code=1001)

    def _forget(self, link: Link) -> None:
        self.links.discard(link)
        for session in self.sessions.values():
            if session.link is link:
                session.link = None
                self.state.tell("gateway_close", session)

    def _end(self, link: Link) -> None:
        for session in [s for s in self.sessions.values() if s.link is link]:
            del self.sessions[session.id]
            self.state.tell("gateway_close", session)

    async def _read(self, link: Link, text: str) -> None:
        try:
            packet = json.loads(text)
        except ValueError:
            await link.socket.close(code=4002, message=b"Decode error.")
        else:
            await self._receive(link, packet)

    async def _receive(self, link: Link, packet: Json) -> None:
        op = packet.get("op")
        if op == HEARTBEAT:
            # discord.py notes a little late that it has sent one; answered sooner, it takes itself to be far behind.
            asyncio.get_running_loop().call_later(ACK_SECONDS, link.send, {"op": ACK, "d": None})
        elif op == IDENTIFY:
            await self._identify(link, packet["d"])
        elif op == RESUME:
            await self._resume(link, packet["d"])
        elif op == MEMBERS:
            self._members(link, packet["d"])
        elif op != PRESENCE:
            await link.socket.close(code=4001, message=b"Unknown opcode.")

    async def _identify(self, link: Link, data: Json) -> None:
        intents = data.get("intents", 0)
        if data.get("token") != self.token:
            await link.socket.close(code=4004, message=b"Authentication failed.")
        elif intents & PRIVILEGED & ~self.granted:
            await link.socket.close(code=4014, message=b"Disallowed intent(s).")
        else:
            session = Session(intents, link=link)
            # A second login of the same bot, after a crash, takes the place of the first.
            self.sessions = {session.id: session}
            self.identified += 1
            self._greet(session)

    def _greet(self, session: Session) -> None:
        state = self.state
        session.tell(
            "READY",
            {
                "v": 10,
                "user": {**wire.user(state.bot), "verified": True, "mfa_enabled": False, "email": None, "flags": 0},
                "guilds": [{"id": str(state.guild), "unavailable": True}],
                "session_id": session.id,
                "resume_gateway_url": state.url.replace("http", "ws", 1) + "/gateway",
                "application": {"id": str(state.application), "flags": 0},
                "private_channels": [],
                "shard": [0, 1],
            },
        )
        if session.intents & GUILDS:
            session.tell("GUILD_CREATE", wire.guild(state))
        state.tell("gateway_ready", session)

    async def _resume(self, link: Link, data: Json) -> None:
        session = self.sessions.get(data.get("session_id", ""))
        if data.get("token") != self.token:
            await link.socket.close(code=4004, message=b"Authentication failed.")
            return
        missed = session.missed(int(data.get("seq") or 0)) if session is not None else None
        if session is None or missed is None:
            link.send({"op": INVALID, "d": False})
        else:
            for packet in missed:
                link.send(packet)
            session.link = link
            self.resumed += 1
            session.tell("RESUMED", {})
            self.state.tell("gateway_resumed", session)

    def _members(self, link: Link, data: Json) -> None:
        wanted = {str(user) for user in data.get("user_ids", [])}
        query = (data.get("query") or "").lower()
        people = [
            p for p in self.state.users.values() if str(p.id) in wanted or (query and p.username.startswith(query))
        ]
        chunk = {
            "guild_id": str(self.state.guild),
            "members": [wire.full_member(self.state, person) for person in people],
            "chunk_index": 0,
            "chunk_count": 1,
            "nonce": data.get("nonce"),
        }
        for session in self.sessions.values():
            if session.link is link:
                session.tell("GUILD_MEMBERS_CHUNK", chunk)

    # What happens

    def _hear(self, kind: str, subject: object) -> None:
        for session in list(self.sessions.values()):
            told = self._event(session, kind, subject)
            if told is not None:
                session.tell(*told)

    def _event(self, session: Session, kind: str, subject: object) -> tuple[str, Json] | None:
        match subject:
            case Interaction():
                return self._of_interaction(kind, subject)
            case Message():
                return self._of_message(session, kind, subject)
            case Channel() if session.intents & GUILDS:
                return self._of_channel(kind, subject)
            case Membership() if session.intents & GUILDS:
                return self._of_thread_members(session, subject)
            case User() if session.intents & GUILD_MEMBERS:
                return f"GUILD_{kind.upper()}", {**wire.full_member(self.state, subject), **self._guild()}
        return None

    def _of_interaction(self, kind: str, interaction: Interaction) -> tuple[str, Json] | None:
        if kind != "interaction_create":
            return None
        return "INTERACTION_CREATE", interactions.payload(self.state, interaction)

    def _of_message(self, session: Session, kind: str, message: Message) -> tuple[str, Json] | None:
        in_dm = message.channel.kind == DM
        wanted = session.intents & (DIRECT_MESSAGES if in_dm else GUILD_MESSAGES)
        if message.ephemeral or not wanted or not self.state.may(self.state.bot, message.channel, "view_channel"):
            return None
        if kind == "message_delete":
            found = {"id": str(message.id), "channel_id": str(message.channel.id)}
            return "MESSAGE_DELETE", found if in_dm else {**found, **self._guild()}
        told = wire.message(self.state, message, with_guild=True)
        readable = in_dm or message.author is self.state.bot or self.state.bot in message.mentions
        if not readable and not session.intents & MESSAGE_CONTENT:
            told = wire.without_content(told)
        return kind.upper(), told

    def _guild(self) -> Json:
        return {"guild_id": str(self.state.guild)}

    def _of_thread_members(self, session: Session, change: Membership) -> tuple[str, Json] | None:
        bot, thread = self.state.bot.id, change.thread
        if bot not in (*change.added, *change.removed) and not session.intents & GUILD_MEMBERS:
            return None
        return "THREAD_MEMBERS_UPDATE", {
            **self._guild(),
            "id": str(thread.id),
            "member_count": len(thread.members),
            "added_members": [wire.thread_member(self.state, thread, user) for user in change.added],
            "removed_member_ids": [str(user) for user in change.removed],
        }

    def _of_channel(self, kind: str, channel: Channel) -> tuple[str, Json] | None:
        if channel.kind == DM:
            return None
        if isinstance(channel, Thread):
            if not (channel.gone or self.state.may(self.state.bot, channel, "view_channel")):
                return None
            if kind == "thread_delete":
                found = {"id": str(channel.id), "parent_id": str(channel.parent), "type": channel.kind}
                return "THREAD_DELETE", {**found, **self._guild()}
            return kind.upper(), wire.thread(self.state, channel, newly=kind == "thread_create")
        return kind.upper(), wire.channel(self.state, channel)
