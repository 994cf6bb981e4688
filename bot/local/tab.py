"""One open page: a socket, and the player who sits at it."""

import asyncio
import base64
import contextlib
import json
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

from aiohttp import WSMsgType, web

from bot.local import page_data
from bot.local.command_limits import ATTACHMENT
from bot.local.command_line import Line, read, values
from bot.local.errors import Impossible, Json, Refusal
from bot.local.interactions import Interaction
from bot.local.model import Channel, Message, Thread
from bot.local.person import Person
from bot.local.posting import Upload
from bot.local.response import Response
from bot.local.slash import commands
from bot.local.state import State
from bot.local.suggestions import Offer, offer

if TYPE_CHECKING:
    from bot.local.server import LocalDiscord

MESSAGES_AT_ONCE = 50
LONGEST_MESSAGE = 2000
LONGEST_NAME = 32
MOST_PLAYERS = 50
MOST_HOURS = 24 * 31
"""How far the clock is moved at once."""
FRESH_SECONDS = 3600
"""How long the address of a file that is shown must be good for at least."""
NONSENSE = (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError)
"""What comes of a packet that the page would never send."""


class Tab:
    """Speaks JSON with the page.

    The page says {do: verb, n: number, …}. What comes of it carries the same number and says what
    it is: `history`, `offer`, `joined`, `answered`; `refused` with `why` and `facts`, for which the
    page has the words; `failed` if the bot did not answer in time. Without a number come `table`
    (the lists) and `message_create`, `_update`, `_delete`.
    """

    def __init__(
        self, discord: "LocalDiscord", socket: web.WebSocketResponse, person: Person | None
    ) -> None:
        self.discord, self.socket, self.person = discord, socket, person
        self._queue: asyncio.Queue[Json] = asyncio.Queue()
        self._pending: dict[int, tuple[int, Offer | None]] = {}
        """What the page waits for, by interaction: the number of its question, and what is
        offered besides.
        """
        self._open_channel: int | None = None
        self._told: Json = {}
        """The lists as the page has them."""
        self._is_due = False
        """Whether they will be told soon."""

    @property
    def state(self) -> State:
        """Who and what there is."""
        return self.discord.state

    async def serve(self) -> None:
        """From the greeting to the end."""
        if self.person is not None:
            # On Discord a person can write to the bot before it has written to them.
            self.discord.dm(self.person)
        self._tell()
        pump = asyncio.create_task(self._pump())
        try:
            async for frame in self.socket:
                if frame.type is WSMsgType.TEXT:
                    await self._receive(frame.data)
        finally:
            pump.cancel()

    async def close(self) -> None:
        """The program ends."""
        await self.socket.close(code=1001)

    def send(self, packet: Json) -> None:
        """Queue something for the page."""
        self._queue.put_nowait(packet)

    async def _pump(self) -> None:
        with contextlib.suppress(ConnectionError):
            while True:
                await self.socket.send_str(json.dumps(await self._queue.get()))

    async def _receive(self, text: str) -> None:
        packet: Any = None
        why, facts = "nonsense", {}
        try:
            packet = json.loads(text)
            await self._do(packet)
            return
        except Impossible as error:
            why, facts = error.why, error.facts
        except (Refusal, *NONSENSE):
            pass
        number = packet.get("n") if isinstance(packet, dict) else None
        self.send({"t": "refused", "n": number, "why": why, "facts": facts})

    # What the page is told

    def show(self, kind: str, message: Message) -> None:
        """A message was made, has changed or is gone; whoever may not see it hears nothing of
        it.
        """
        if self.person is not None and self.person.sees(message):
            self.send(
                {"t": kind, "message": page_data.message(self.state, message, self.person.user)}
            )

    def changed(self) -> None:
        """What the lists show may be different now; told once, however much happens at once."""
        if not self._is_due:
            self._is_due = True
            asyncio.get_running_loop().call_soon(self._tell)

    def _tell(self) -> None:
        """Who and what is there for this player; for nobody in particular, who is there."""
        self._is_due = False
        state, person = self.state, self.person
        found = {
            "guild": state.guild_name,
            "connected": self.discord.gateway.connected,
            "ahead": state.ahead,
            "players": [page_data.user(state, user) for user in state.people],
            "me": None if person is None else page_data.user(state, person.user),
            "places": []
            if person is None
            else page_data.places(state, person.user, self._open_channel),
        }
        if found != self._told:
            self._told = found
            self.send({"t": "table", **found})

    def hear(self, kind: str, interaction: Interaction) -> None:
        """Something came of an interaction; it may be one that was begun here."""
        if kind == "interaction_create" or interaction.id not in self._pending:
            return
        number, offered = self._pending.pop(interaction.id)
        if offered is not None:
            outcome = offered.answered(
                None if interaction.expired else interaction.choices
            ).packet()
        else:
            outcome = {"t": "failed" if interaction.expired else "answered"}
        self.send({**outcome, "n": number})

    # What the page asks for

    async def _do(self, packet: Json) -> None:
        verb = packet["do"]
        if verb == "join":
            self._join(packet)
            return
        if self.person is None:
            raise Impossible("nobody")
        verbs: dict[str, Callable[[Person, Json], Awaitable[None]]] = {
            "enter": self._enter,
            "older": self._older,
            "see": self._see,
            "send": self._send,
            "suggest": self._suggest,
            "dismiss": self._dismiss,
            "reopen": self._reopen,
            "click": self._click,
            "choose": self._choose,
            "clock": self._clock,
        }
        await verbs[verb](self.person, packet)

    def _done(self, packet: Json) -> None:
        self.send({"t": "answered", "n": packet.get("n")})

    def _await(self, packet: Json, response: Response, offered: Offer | None = None) -> None:
        """The bot is asked: the page hears what comes of it."""
        self._pending[response.interaction.id] = packet["n"], offered

    def _join(self, packet: Json) -> None:
        name = " ".join(str(packet["name"]).split())
        taken = {user.name.casefold() for user in self.state.users.values()}
        if not name or len(name) > LONGEST_NAME or not name.isprintable():
            raise Impossible("name_length", most=LONGEST_NAME)
        if name.casefold() in taken:
            raise Impossible("name_taken", name=name)
        if len(self.state.people) >= MOST_PLAYERS:
            raise Impossible("too_many_players", most=MOST_PLAYERS)
        self.discord.user(name)
        self.send({"t": "joined", "n": packet["n"], "name": name})

    def _channel(self, person: Person, packet: Json) -> Channel:
        found = self.state.channels.get(int(packet["channel"]))
        if found is None or not self.state.may(person.user, found, "view_channel"):
            raise Impossible("channel_gone")
        return found

    def _message(self, person: Person, packet: Json) -> Message:
        found = self.state.messages.get(int(packet["message"]))
        if found is None or not person.sees(found):
            raise Impossible("message_gone")
        return found

    async def _enter(self, person: Person, packet: Json) -> None:
        """A channel is opened: its newest messages, back to one that is asked for, and which is
        the first new one.
        """
        channel, asked = self._channel(person, packet), int(packet.get("message") or 0)
        posts, seen = person.messages(channel), self.state.last_seen(person.user, channel)
        back_to = next((at for at, post in enumerate(posts) if post.id == asked), len(posts))
        first_new = next(
            (str(post.id) for post in posts if post.id > seen and not post.ephemeral), None
        )
        self._open_channel = channel.id
        self._tell()
        history = self._history(person, posts, max(MESSAGES_AT_ONCE, len(posts) - back_to))
        self.send({**history, "n": packet["n"], "new": first_new})

    async def _older(self, person: Person, packet: Json) -> None:
        channel, before = self._channel(person, packet), int(packet["before"])
        posts = [post for post in person.messages(channel) if post.id < before]
        self.send({**self._history(person, posts, MESSAGES_AT_ONCE), "n": packet["n"]})

    def _history(self, person: Person, posts: list[Message], count: int) -> Json:
        now = self.state.clock.now()
        for message in posts[-count:]:
            for file in message.attachments:
                if file.expires - now < FRESH_SECONDS:
                    self.state.sign(file, message.channel)
        messages = [
            page_data.message(self.state, message, person.user) for message in posts[-count:]
        ]
        return {"t": "history", "messages": messages, "more": len(posts) > count}

    async def _see(self, person: Person, packet: Json) -> None:
        newest = min(int(packet["message"]), self.state.last_id)
        self.state.see(person.user, self._channel(person, packet), newest)
        self._done(packet)

    async def _send(self, person: Person, packet: Json) -> None:
        """A line: a command, or something said."""
        text, channel = str(packet["line"]).strip(), self._channel(person, packet)
        is_command = text.startswith("/")
        if not is_command:
            # The longest names first: @Ana Maria is not @Ana.
            for one in sorted(self.state.people, key=lambda one: -len(one.name)):
                text = text.replace(f"@{one.name}", f"<@{one.id}>")
        if not 0 < len(text) <= LONGEST_MESSAGE:
            raise Impossible("message_length", most=LONGEST_MESSAGE)
        if is_command:
            line = read(text, commands(self.state, channel, person.user))
            if line is None:
                raise Impossible("no_command", command=text.split()[0].removeprefix("/"))
            options = {**values(line), **_file(line, packet.get("file"))}
            response = await person.slash(
                line.command.name, channel=channel, wait="nothing", options=options
            )
            self._await(packet, response)
            return
        self._unarchive(channel)
        message = person.say(text, channel)
        self.state.see(person.user, channel, message.id)
        self._done(packet)

    def _unarchive(self, channel: Channel) -> None:
        """Writing in an archived thread opens it, as on Discord."""
        if isinstance(channel, Thread) and channel.archived:
            if channel.locked:
                raise Impossible("thread_locked")
            self.state.archive(channel, archived=False)

    async def _reopen(self, person: Person, packet: Json) -> None:
        self._unarchive(self._channel(person, packet))
        self._done(packet)

    async def _suggest(self, person: Person, packet: Json) -> None:
        """What could be typed at the caret; the bot may have to be asked."""
        channel, line = self._channel(person, packet), str(packet["line"])[:LONGEST_MESSAGE]
        found = offer(
            commands(self.state, channel, person.user), line, max(0, int(packet["caret"]))
        )
        asked = found.question
        if asked is None:
            self.send({**found.packet(), "n": packet["n"]})
            return
        response = await person.autocomplete(
            asked.command.name,
            focused=asked.slot.name,
            channel=channel,
            wait="nothing",
            options=asked.values,
        )
        self._await(packet, response, found)

    async def _dismiss(self, person: Person, packet: Json) -> None:
        message = self._message(person, packet)
        if not message.ephemeral:
            raise Impossible("not_private")
        self.state.delete_message(message)
        self._done(packet)

    async def _click(self, person: Person, packet: Json) -> None:
        message = self._message(person, packet)
        self._await(
            packet, await person.click(message, custom_id=str(packet["id"]), wait="nothing")
        )

    async def _choose(self, person: Person, packet: Json) -> None:
        message, picked = self._message(person, packet), [str(value) for value in packet["values"]]
        self._await(packet, await person.choose(message, str(packet["id"]), picked, wait="nothing"))

    async def _clock(self, person: Person, packet: Json) -> None:
        """The table's clock is moved forward, to see what happens over days."""
        hours = float(packet["hours"])
        if not 0 < hours <= MOST_HOURS:
            raise Impossible("clock_range", most=MOST_HOURS)
        self.state.move_clock(hours * 3600)
        self._done(packet)


def _file(line: Line, file: Any) -> dict[str, Upload]:
    """A file that was chosen beside a command, for the option of it that takes one."""
    if file is None:
        return {}
    for option in line.command.options:
        if option["type"] == ATTACHMENT:
            return {option["name"]: Upload(str(file["name"])[:100], base64.b64decode(file["data"]))}
    raise Impossible("no_file", command=line.command.name)
