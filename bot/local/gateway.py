"""The gateway: a WebSocket for each shard of the bot, and sessions that outlive the connection.

Motu requests the intent `guilds` alone. So the gateway sends it events about interactions, channels
and threads, but not about messages.
"""

import asyncio
import contextlib
import json
import secrets
from collections import deque
from dataclasses import dataclass, field

from aiohttp import WSMsgType, web

from bot.local import interactions, objects
from bot.local.errors import Json
from bot.local.interactions import Interaction
from bot.local.model import DM, Channel, Thread
from bot.local.state import State

# Op codes
DISPATCH = 0
HEARTBEAT = 1
IDENTIFY = 2
RESUME = 6
RECONNECT = 7
INVALID_SESSION = 9
HELLO = 10
HEARTBEAT_ACK = 11

PRIVILEGED_INTENTS = 1 << 1 | 1 << 8 | 1 << 15
"""Members, presences and message content, which Discord grants only on application.

Motu must do without them.
"""

HEARTBEAT_MS = 41_250
ACK_DELAY_SECONDS = 0.1
REPLAYED_EVENTS = 2000
"""How many events a session keeps for a shard that resumes."""


@dataclass(eq=False)
class Session:
    """The events sent to a shard, kept so that it can resume after a broken connection."""

    shard: int = 0
    shards: int = 1
    id: str = field(default_factory=lambda: secrets.token_hex(16))
    events: deque[Json] = field(default_factory=lambda: deque(maxlen=REPLAYED_EVENTS))
    last: int = 0
    """The sequence number of the newest event."""
    link: "Link | None" = None
    """The connection; None while the shard is away."""

    def serves(self, guild: int) -> bool:
        """Return whether the shard gets the events of a server; direct messages have server 0."""
        # Discord: shard_id = (guild_id >> 22) % num_shards
        return (guild >> 22) % self.shards == self.shard

    def dispatch(self, event: str, data: Json) -> None:
        """Number an event, keep it, and send it if the shard is connected."""
        self.last += 1
        packet = {"op": DISPATCH, "t": event, "s": self.last, "d": data}
        self.events.append(packet)
        if self.link is not None:
            self.link.send(packet)

    def events_after(self, number: int) -> list[Json] | None:
        """Return the events after a sequence number; None if some are no longer kept."""
        found = [packet for packet in self.events if packet["s"] > number]
        return found if len(found) == self.last - number else None


class Link:
    """An open connection, with a queue that keeps packets in order."""

    def __init__(self, socket: web.WebSocketResponse, transport: asyncio.Transport | None) -> None:
        self.socket = socket
        self._transport = transport
        self._queue: asyncio.Queue[Json] = asyncio.Queue()

    @property
    def peer_port(self) -> int:
        """The port at the bot's end of the connection; 0 if that is closed."""
        peer = self._transport.get_extra_info("peername") if self._transport is not None else None
        return int(peer[1]) if peer else 0

    def send(self, packet: Json) -> None:
        """Queue a packet."""
        self._queue.put_nowait(packet)

    def cut(self) -> None:
        """Break the connection without closing it properly."""
        if self._transport is not None:
            self._transport.abort()

    async def send_queued(self) -> None:
        """Send queued packets for as long as the connection lasts."""
        with contextlib.suppress(ConnectionError):
            while True:
                # discord.py asks for compression but accepts plain text as well.
                await self.socket.send_str(json.dumps(await self._queue.get()))


class Gateway:
    """Serves the bot's connections and dispatches events to them."""

    def __init__(self, state: State, token: str) -> None:
        self.state = state
        self.token = token
        self.sessions: dict[str, Session] = {}
        self.links: set[Link] = set()
        self.identified = 0
        """How many sessions were opened."""
        self.resumed = 0
        """How often a session was resumed."""
        self._accepting = asyncio.Event()
        self._accepting.set()
        state.listeners.append(self._on_change)

    @property
    def connected(self) -> bool:
        """Whether a shard of the bot is logged in right now."""
        return any(session.link is not None for session in self.sessions.values())

    # Failures on demand

    def drop(self) -> None:
        """Cut all connections as a broken cable would."""
        for link in list(self.links):
            link.cut()
            self._forget(link)

    def ask_reconnect(self) -> None:
        """Tell the bot to connect again and resume (op 7)."""
        for link in self.links:
            link.send({"op": RECONNECT, "d": None})

    def invalidate(self, *, resumable: bool = False) -> None:
        """Tell the bot that its sessions are invalid (op 9), and end them unless resumable."""
        for link in self.links:
            link.send({"op": INVALID_SESSION, "d": resumable})
        if not resumable:
            self.sessions.clear()

    def hold(self) -> None:
        """Send no Hello to new connections until `release`."""
        self._accepting.clear()

    def release(self) -> None:
        """Send a Hello to the connections that wait for it and to new ones."""
        self._accepting.set()

    # The connection

    async def handle(self, request: web.Request) -> web.WebSocketResponse:
        """Serve a connection until it ends."""
        # aiohttp compresses large frames in a task of its own, which fails unseen if the peer
        # disconnects meanwhile.
        socket = web.WebSocketResponse(compress=False, timeout=1.0, max_msg_size=1 << 20)
        await socket.prepare(request)
        link = Link(socket, request.transport)
        self.links.add(link)
        sender = asyncio.create_task(link.send_queued())
        try:
            await self._accepting.wait()
            link.send({"op": HELLO, "d": {"heartbeat_interval": HEARTBEAT_MS}})
            async for frame in socket:
                if frame.type is WSMsgType.TEXT:
                    await self._receive(link, frame.data)
        finally:
            sender.cancel()
            # Discord: closing with 1000 or 1001 ends the session, so that it cannot be resumed.
            if socket.close_code in (1000, 1001):
                for session in [one for one in self.sessions.values() if one.link is link]:
                    del self.sessions[session.id]
                    self.state.notify("gateway_close", session)
            self._forget(link)
        return socket

    async def close(self) -> None:
        """Close every connection."""
        self.release()
        for link in list(self.links):
            await link.socket.close(code=1001)

    def _forget(self, link: Link) -> None:
        """Drop a connection that is gone; its session may be resumed."""
        self.links.discard(link)
        for session in self.sessions.values():
            if session.link is link:
                session.link = None
                self.state.notify("gateway_close", session)

    async def _receive(self, link: Link, text: str) -> None:
        """Handle a packet of the bot; a bad one closes the connection with Discord's code."""
        try:
            packet = json.loads(text)
        except ValueError:
            await link.socket.close(code=4002, message=b"Decode error.")
            return
        op, data = packet.get("op"), packet.get("d")
        if op == HEARTBEAT:
            # discord.py notes only after a moment that it has sent a heartbeat. If it were
            # acknowledged at once, it would log that it cannot keep up.
            packet = {"op": HEARTBEAT_ACK, "d": None}
            asyncio.get_running_loop().call_later(ACK_DELAY_SECONDS, link.send, packet)
        elif op not in (IDENTIFY, RESUME):
            await link.socket.close(code=4001, message=b"Unknown opcode.")
        elif data.get("token") != self.token:
            await link.socket.close(code=4004, message=b"Authentication failed.")
        elif op == RESUME:
            self._resume(link, data)
        elif data.get("intents", 0) & PRIVILEGED_INTENTS:
            await link.socket.close(code=4014, message=b"Disallowed intent(s).")
        else:
            shard, shards = data.get("shard") or (0, 1)
            if 0 <= shard < shards:
                self._identify(link, shard, shards)
            else:
                await link.socket.close(code=4010, message=b"Invalid shard.")

    def _identify(self, link: Link, shard: int, shards: int) -> None:
        """Open a session for a shard and send it READY and its servers."""
        state = self.state
        session = Session(shard, shards, link=link)
        # A second login of a shard does not end the first: both get all events until one of them
        # closes. But a session without a connection, as after a crash, is replaced.
        for other in list(self.sessions.values()):
            is_obsolete = other.shards != shards or other.shard == shard
            if other.link is None and is_obsolete:
                del self.sessions[other.id]
        self.sessions[session.id] = session
        self.identified += 1
        guilds = [guild for guild in state.guilds if session.serves(guild)]
        # Discord's READY lists the servers without their content; GUILD_CREATE then has that.
        session.dispatch(
            "READY",
            {
                "v": 10,
                "user": objects.own_user(state),
                "guilds": [{"id": str(guild), "unavailable": True} for guild in guilds],
                "session_id": session.id,
                "resume_gateway_url": state.gateway_url,
                "application": {"id": str(state.application), "flags": 0},
                "private_channels": [],
                "shard": [shard, shards],
            },
        )
        for guild in guilds:
            session.dispatch("GUILD_CREATE", objects.guild(state, guild))
        state.notify("gateway_ready", session)

    def _resume(self, link: Link, data: Json) -> None:
        """Continue a session, beginning with the events that the bot missed."""
        session = self.sessions.get(data.get("session_id", ""))
        missed = None
        if session is not None:
            missed = session.events_after(int(data.get("seq") or 0))
        if session is None or missed is None:
            link.send({"op": INVALID_SESSION, "d": False})
            return
        for packet in missed:
            link.send(packet)
        session.link = link
        self.resumed += 1
        session.dispatch("RESUMED", {})
        self.state.notify("gateway_resumed", session)

    # Events

    def _on_change(self, kind: str, subject: object) -> None:
        """Dispatch a change of the state to the shards that Discord would tell of it."""
        if not self.sessions:
            return
        state = self.state
        # Kinds of changes are named after Discord's events: "thread_update" is THREAD_UPDATE.
        event = kind.upper()
        match kind, subject:
            case "interaction_create", Interaction():
                guild = subject.channel.guild
                data = interactions.describe_interaction(state, subject)
            case "guild_create", int():
                guild = subject
                data = objects.guild(state, subject)
            case "guild_role_create", int():
                guild = state.guild
                data = {"guild_id": str(guild), "role": objects.role(state, subject)}
            case _, Thread():
                # The permissions of a deleted thread cannot be looked up, as its parent may be
                # gone, too. All shards of the server are told of the deletion.
                if not subject.gone and not state.may(state.bot, subject, "view_channel"):
                    return
                guild = subject.guild
                data = objects.thread(state, subject)
            case _, Channel() if subject.kind != DM:
                guild = subject.guild
                data = objects.channel(state, subject)
            case _:
                return
        for session in self.sessions.values():
            if session.serves(guild):
                session.dispatch(event, data)
