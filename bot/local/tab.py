"""One open page: a socket, and the player who sits at it."""

import asyncio
import contextlib
import json
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

from aiohttp import WSMsgType, web

from bot.local import interactions, shown
from bot.local.driver import Person
from bot.local.interactions import Interaction
from bot.local.line import commands, read, values
from bot.local.model import SELECTS, STRING_SELECT, Channel, Message, Thread, walk
from bot.local.posting import renew
from bot.local.refusal import Json, Refusal
from bot.local.response import Response
from bot.local.slash import Impossible
from bot.local.state import State
from bot.local.suggest import Offer, offer

if TYPE_CHECKING:
    from bot.local.server import LocalDiscord

PAGE = 50
"""Messages that are shown at once."""
LONGEST = 2000
"""Characters of a message."""
NAME = 32
PLAYERS = 50
FRESH_SECONDS = 3600
NONSENSE = (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError)
"""What comes of a packet that the page would never send."""


class Tab:
    """Speaks JSON with the page. The page says {do: verb, n: number, …}; what comes of it carries the same number."""

    def __init__(self, discord: "LocalDiscord", socket: web.WebSocketResponse, person: Person | None) -> None:
        self.discord, self.socket, self.person = discord, socket, person
        self._queue: asyncio.Queue[Json] = asyncio.Queue()
        self._pending: dict[int, tuple[int, Offer | None]] = {}
        """What the page waits for, by interaction: the number of its question, and what is offered besides."""
        self._modals: dict[str, Response] = {}
        self._open_channel: int | None = None
        self._told: Json = {}
        """The lists as the page has them."""
        self._is_due = False

    @property
    def state(self) -> State:
        """Who and what there is."""
        return self.discord.state

    def send(self, packet: Json) -> None:
        """Queue something for the page."""
        self._queue.put_nowait(packet)

    def show(self, kind: str, message: Message) -> None:
        """A message was made, has changed or is gone; whoever may not see it hears nothing of it."""
        if self.person is not None and self.person.sees(message):
            self.send({"t": kind, "message": shown.message(self.state, message, self.person.user)})

    async def close(self) -> None:
        """The program ends."""
        await self.socket.close(code=1001)

    async def serve(self) -> None:
        """From the greeting to the end."""
        self._tell()
        pump = asyncio.create_task(self._pump())
        try:
            async for frame in self.socket:
                if frame.type is WSMsgType.TEXT:
                    await self._read(frame.data)
        finally:
            pump.cancel()

    async def _pump(self) -> None:
        with contextlib.suppress(ConnectionError):
            while True:
                await self.socket.send_str(json.dumps(await self._queue.get()))

    async def _read(self, text: str) -> None:
        packet: Any = None
        try:
            packet = json.loads(text)
            await self._do(packet)
        except (Impossible, Refusal, *NONSENSE) as error:
            number = packet.get("n") if isinstance(packet, dict) else None
            said = str(error) if isinstance(error, Impossible | Refusal) else "That cannot be done."
            self.send({"t": "refused", "n": number, "why": said[:1].upper() + said[1:]})

    # What the page is told

    def changed(self) -> None:
        """What the lists show may be different now; told once, however much happens at once."""
        if not self._is_due:
            self._is_due = True
            asyncio.get_running_loop().call_soon(self._tell)

    def _tell(self) -> None:
        self._is_due = False
        found = self._table()
        if found != self._told:
            self._told = found
            self.send({"t": "table", **found})

    def _table(self) -> Json:
        """Who and what is there for this player; for nobody in particular, who is there."""
        state, person = self.state, self.person
        return {
            "guild": state.guild_name,
            "connected": self.discord.gateway.connected,
            "players": [shown.user(state, user) for user in state.people],
            "me": None if person is None else shown.user(state, person.user),
            "places": [] if person is None else shown.places(state, person.user, self._open_channel),
        }

    def _may_see(self, channel: Channel) -> bool:
        return self.person is not None and self.state.may(self.person.user, channel, "view_channel")

    def hear(self, kind: str, interaction: Interaction) -> None:
        """Something came of an interaction; it may be one that was begun here."""
        if kind == "interaction_create" or interaction.id not in self._pending:
            return
        number, offered = self._pending.pop(interaction.id)
        self.send({**self._outcome(interaction, offered), "n": number})

    def _outcome(self, interaction: Interaction, offered: Offer | None) -> Json:
        if offered is not None:
            return offered.answered(None if interaction.expired else interaction.choices).packet()
        if interaction.expired:
            return {"t": "failed", "why": "This interaction failed"}
        if interaction.answer == interactions.MODAL:
            self._modals[str(interaction.id)] = Response(self.discord, interaction)
            form = shown.modal(self.state, interaction.modal or {}, interaction.user)
            self.send({"t": "modal", "opened": str(interaction.id), "modal": form})
        return {"t": "answered"}

    # What the page asks for

    async def _do(self, packet: Json) -> None:
        verb = packet["do"]
        if verb == "join":
            self._join(packet)
            return
        if self.person is None:
            raise Impossible("Choose a player first.")
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
            "submit": self._submit,
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
        if not name or len(name) > NAME or not name.isprintable():
            raise Impossible(f"A name has 1 to {NAME} characters.")
        if name.casefold() in taken:
            raise Impossible(f"There is a {name} already.")
        if len(self.state.people) >= PLAYERS:
            raise Impossible(f"There are {PLAYERS} players already.")
        self.discord.user(name)
        self.send({"t": "joined", "n": packet["n"], "name": name})

    def _place(self, packet: Json) -> Channel:
        found = self.state.channels.get(int(packet["channel"]))
        if found is None or not self._may_see(found):
            raise Impossible("That channel is gone.")
        return found

    def _post(self, packet: Json) -> Message:
        found = self.state.messages.get(int(packet["message"]))
        if found is None or self.person is None or not self.person.sees(found):
            raise Impossible("That message is gone.")
        return found

    async def _enter(self, person: Person, packet: Json) -> None:
        """A channel is opened: its newest messages, back to one that is asked for, and which is the first new one."""
        channel, asked = self._place(packet), int(packet.get("message") or 0)
        posts, seen = person.messages(channel), self.state.last_seen(person.user, channel)
        first = next((at for at, post in enumerate(posts) if post.id == asked), len(posts))
        new = next((str(post.id) for post in posts if post.id > seen and not post.ephemeral), None)
        self._open_channel = channel.id
        self._tell()
        self.send({**self._history(person, posts, max(PAGE, len(posts) - first)), "n": packet["n"], "new": new})

    async def _older(self, person: Person, packet: Json) -> None:
        channel, before = self._place(packet), int(packet["before"])
        posts = [post for post in person.messages(channel) if post.id < before]
        self.send({**self._history(person, posts, PAGE), "n": packet["n"]})

    def _history(self, person: Person, posts: list[Message], count: int) -> Json:
        for message in posts[-count:]:
            if any(file.expires - self.state.clock.now() < FRESH_SECONDS for file in message.attachments):
                renew(self.state, message)
        messages = [shown.message(self.state, message, person.user) for message in posts[-count:]]
        return {"t": "history", "messages": messages, "more": len(posts) > count}

    async def _see(self, person: Person, packet: Json) -> None:
        self.state.see(person.user, self._place(packet), min(int(packet["message"]), self.state.last_id))
        self._done(packet)

    async def _send(self, person: Person, packet: Json) -> None:
        """A line: a command, or something said."""
        text, channel = str(packet["line"]).strip(), self._place(packet)
        is_command = text.startswith("/")
        text = text if is_command else self._with_mentions(text)
        if not 0 < len(text) <= LONGEST:
            raise Impossible(f"A message has 1 to {LONGEST} characters.")
        if not is_command:
            self._say(person, channel, text)
            self._done(packet)
            return
        line = read(text, commands(self.state, channel))
        if line is None:
            raise Impossible(f"There is no such command: {text.split()[0]}")
        options = values(self.state, person.user, line)
        self._await(packet, await person.slash(line.command.name, channel=channel, wait="nothing", options=options))

    def _with_mentions(self, text: str) -> str:
        # The longest names first: @Ana Maria is not @Ana.
        for one in sorted(self.state.people, key=lambda one: -len(one.name)):
            text = text.replace(f"@{one.name}", f"<@{one.id}>")
        return text

    def _say(self, person: Person, channel: Channel, text: str) -> None:
        if isinstance(channel, Thread) and channel.archived:
            self._open(channel)
        message = person.say(text, channel)
        self.state.see(person.user, channel, message.id)

    async def _suggest(self, person: Person, packet: Json) -> None:
        """What could be typed at the caret; the bot may have to be asked."""
        channel, line = self._place(packet), str(packet["line"])[:LONGEST]
        found = offer(self.state, person.user, channel, line, max(0, int(packet["caret"])))
        asked = found.question
        if asked is None:
            self.send({**found.packet(), "n": packet["n"]})
            return
        response = await person.autocomplete(
            asked.command, focused=asked.focused, channel=channel, wait="nothing", options=asked.values
        )
        self._await(packet, response, found)

    async def _reopen(self, person: Person, packet: Json) -> None:
        channel = self._place(packet)
        if isinstance(channel, Thread) and channel.archived:
            self._open(channel)
        self._done(packet)

    def _open(self, thread: Thread) -> None:
        if thread.locked:
            raise Impossible("This thread is locked.")
        self.state.archive(thread, archived=False)

    async def _dismiss(self, person: Person, packet: Json) -> None:
        message = self._post(packet)
        if not message.ephemeral:
            raise Impossible("Only messages for you alone can be dismissed.")
        self.state.delete_message(message)
        self._done(packet)

    async def _click(self, person: Person, packet: Json) -> None:
        self._await(packet, await person.click(self._post(packet), custom_id=str(packet["id"]), wait="nothing"))

    async def _choose(self, person: Person, packet: Json) -> None:
        message = self._post(packet)
        menu = message.select(str(packet["id"]))
        picked = self._picked(menu, packet["values"])
        self._await(packet, await person.choose(message, menu["custom_id"], picked, wait="nothing"))

    def _picked(self, menu: Json, values: list[str]) -> list[Any]:
        if menu["type"] == STRING_SELECT:
            return [str(value) for value in values]
        return [self.discord.user(self.state.users[int(value)].name) for value in values]

    async def _submit(self, person: Person, packet: Json) -> None:
        opened = self._modals[packet["opened"]]
        filled = {name: [str(value) for value in given] for name, given in packet["fields"].items()}
        fields: dict[str, Any] = {name: "".join(given) for name, given in filled.items()}
        for part in walk(opened.modal["components"]):
            if part["type"] in SELECTS and part.get("custom_id") in fields:
                fields[part["custom_id"]] = self._picked(part, [value for value in filled[part["custom_id"]] if value])
        self._await(packet, await person.submit(opened, fields, wait="nothing"))
        del self._modals[packet["opened"]]
