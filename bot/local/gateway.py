"""The gateway: a WebSocket to each shard of the bot, with sessions that outlive it.

Motu asks for the intent `guilds` alone, so it is told of interactions, channels and threads, and of
no message.
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

DISPATCH, HEARTBEAT, IDENTIFY, RESUME, RECONNECT, INVALID, HELLO, ACK = 0, 1, 2, 6, 7, 9, 10, 11
"""Op codes."""

PRIVILEGED = 1 << 1 | 1 << 8 | 1 << 15
"""The intents that a bot has to be granted: members, presences, message content.

Motu needs none.
"""

HEARTBEAT_MS = 41_250
ACK_SECONDS = 0.1
REPLAY = 2000
"""Events kept for a bot that resumes."""


@dataclass(eq=False)
class Session:
    """What a shard has been told, kept so that a broken connection can be taken up again."""

    shard: int = 0
    shards: int = 1
    """Which of how many it is."""
    id: str = field(default_factory=lambda: secrets.token_hex(16))
    told: deque[Json] = field(default_factory=lambda: deque(maxlen=REPLAY))
    last: int = 0
    """The number of the newest event."""
    link: "Link | None" = None

    def serves(self, guild: int) -> bool:
        """Whether it is told of a server; 0 is what belongs to none."""
        return (guild >> 22) % self.shards == self.shard

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

    def __init__(self, socket: web.WebSocketResponse, transport: asyncio.Transport | None) -> None:
        self.socket = socket
        self._transport = transport
        self._queue: asyncio.Queue[Json] = asyncio.Queue()

    @property
    def peer_port(self) -> int:
        """The bot's end of the connection; 0 if it is gone."""
        peer = self._transport.get_extra_info("peername") if self._transport is not None else None
        return int(peer[1]) if peer else 0

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
                # discord.py asks for compression, and takes plain text as well.
                await self.socket.send_str(json.dumps(await self._queue.get()))


class Gateway:
    """Tells the bot what happens."""

    def __init__(self, state: State, token: str) -> None:
        self.state = state
        self.token = token
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

    # Trouble

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
        # aiohttp compresses large frames in a task of its own, which fails unseen if the peer
        # leaves meanwhile.
        socket = web.WebSocketResponse(compress=False, timeout=1.0, max_msg_size=1 << 20)
        await socket.prepare(request)
        link = Link(socket, request.transport)
        self.links.add(link)
        pump = asyncio.create_task(link.pump())
        try:
            await self._open.wait()
            link.send({"op": HELLO, "d": {"heartbeat_interval": HEARTBEAT_MS}})
            async for frame in socket:
                if frame.type is WSMsgType.TEXT:
                    await self._receive(link, frame.data)
        finally:
            pump.cancel()
            if socket.close_code in (1000, 1001):
                # A bot that says goodbye cannot resume.
                for session in [one for one in self.sessions.values() if one.link is link]:
                    del self.sessions[session.id]
                    self.state.tell("gateway_close", session)
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

    async def _receive(self, link: Link, text: str) -> None:
        try:
            packet = json.loads(text)
        except ValueError:
            await link.socket.close(code=4002, message=b"Decode error.")
            return
        op, data = packet.get("op"), packet.get("d")
        if op == HEARTBEAT:
            # discord.py notes a little late that it has sent one; answered sooner, it takes itself
            # to be far behind.
            asyncio.get_running_loop().call_later(ACK_SECONDS, link.send, {"op": ACK, "d": None})
        elif op not in (IDENTIFY, RESUME):
            await link.socket.close(code=4001, message=b"Unknown opcode.")
        elif data.get("token") != self.token:
            await link.socket.close(code=4004, message=b"Authentication failed.")
        elif op == RESUME:
            self._resume(link, data)
        elif data.get("intents", 0) & PRIVILEGED:
            await link.socket.close(code=4014, message=b"Disallowed intent(s).")
        else:
            shard, shards = data.get("shard") or (0, 1)
            if 0 <= shard < shards:
                self._identify(link, shard, shards)
            else:
                await link.socket.close(code=4010, message=b"Invalid shard.")

    def _identify(self, link: Link, shard: int, shards: int) -> None:
        state = self.state
        session = Session(shard, shards, link=link)
        # A second login of the same shard does not end the first: both are told of everything until
        # one is closed. One whose connection is gone, as after a crash, makes way.
        others = [
            one
            for one in self.sessions.values()
            if one.link or (one.shards == shards and one.shard != shard)
        ]
        self.sessions = {one.id: one for one in (*others, session)}
        self.identified += 1
        guilds = [guild for guild in state.guilds if session.serves(guild)]
        session.tell(
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
            session.tell("GUILD_CREATE", objects.guild(state, guild))
        state.tell("gateway_ready", session)

    def _resume(self, link: Link, data: Json) -> None:
        session = self.sessions.get(data.get("session_id", ""))
        missed = session.missed(int(data.get("seq") or 0)) if session is not None else None
        if session is None or missed is None:
            link.send({"op": INVALID, "d": False})
            return
        for packet in missed:
            link.send(packet)
        session.link = link
        self.resumed += 1
        session.tell("RESUMED", {})
        self.state.tell("gateway_resumed", session)

    # What happens

    def _hear(self, kind: str, subject: object) -> None:
        if not self.sessions:
            return
        if isinstance(subject, Interaction) and kind == "interaction_create":
            event, data, guild = (
                "INTERACTION_CREATE",
                interactions.payload(self.state, subject),
                subject.channel.guild,
            )
        elif isinstance(subject, int) and kind == "guild_create":
            event, data, guild = "GUILD_CREATE", objects.guild(self.state, subject), subject
        elif isinstance(subject, int) and kind == "guild_role_create":
            guild = self.state.guild
            event = "GUILD_ROLE_CREATE"
            data = {"guild_id": str(guild), "role": objects.role(self.state, subject)}
        elif isinstance(subject, Thread):
            # A thread that is gone, perhaps with its channel, is told of to those who may have seen
            # it.
            if not subject.gone and not self.state.may(self.state.bot, subject, "view_channel"):
                return
            event, data, guild = kind.upper(), objects.thread(self.state, subject), subject.guild
        elif isinstance(subject, Channel) and subject.kind != DM:
            event, data, guild = kind.upper(), objects.channel(self.state, subject), subject.guild
        else:
            return
        for session in self.sessions.values():
            if session.serves(guild):
                session.tell(event, data)
