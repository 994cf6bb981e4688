"""One open tab of the page: a socket, and the player who uses it."""

import asyncio
import base64
import contextlib
import json
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

from aiohttp import WSMsgType, web

from bot.local import page_data
from bot.local.command_limits import ATTACHMENT
from bot.local.command_line import Line, parse_line, parse_values
from bot.local.components import Kind
from bot.local.errors import Impossible, Json, Refusal
from bot.local.interactions import Interaction
from bot.local.model import Channel, Message, Thread, Upload
from bot.local.person import Person
from bot.local.response import Response
from bot.local.slash import commands, refuse_command
from bot.local.state import State
from bot.local.suggestions import Suggestions, suggest

if TYPE_CHECKING:
    from bot.local.server import LocalDiscord

HISTORY_PAGE = 50
"""Messages that are sent at once."""
MAX_MESSAGE = 2000
MAX_NAME = 32
MAX_FILE_NAME = 100
MAX_PLAYERS = 50
MAX_CLOCK_HOURS = 24 * 31
"""How far the clock can be moved forward at once."""
MIN_URL_SECONDS = 3600
"""How long the addresses of files in a history stay valid at least."""
MALFORMED = (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError)
"""Exceptions that a packet can cause which the page would never send."""


class Tab:
    """Exchanges packets of JSON with the page.

    The page sends `{do: verb, n: number, …}`. The answer carries the same number and its kind:
    `history`, `offer`, `options`, `joined`, `answered`, or `form` if the bot opens one; `refused`
    with `why` and `facts`, for which the page has the words; `failed` if the bot did not respond in
    time. Sent without a number are `table` (the lists of channels and players) and
    `message_create`, `message_update`, `message_delete`.
    """

    def __init__(
        self, discord: "LocalDiscord", socket: web.WebSocketResponse, person: Person | None
    ) -> None:
        self.discord, self.socket, self.person = discord, socket, person
        self._queue: asyncio.Queue[Json] = asyncio.Queue()
        self._pending: dict[int, tuple[int, Suggestions | None]] = {}
        """By interaction, the number of the packet that waits for it; for autocompletion also the
        suggestions that the bot's choices are added to.
        """
        self._form: Response | None = None
        """The bot's response that has opened the newest form."""
        self._open_channel: int | None = None
        self._sent_table: Json = {}
        """The `table` packet as the page has it."""
        self._is_table_scheduled = False

    @property
    def state(self) -> State:
        """The state of the local Discord."""
        return self.discord.state

    async def serve(self) -> None:
        """Serve the socket until it closes."""
        if self.person is not None:
            # On Discord, people can open a direct message with the bot themselves.
            self.discord.dm(self.person)
        self._send_table()
        sender = asyncio.create_task(self._send_queued())
        try:
            async for frame in self.socket:
                if frame.type is WSMsgType.TEXT:
                    await self._receive(frame.data)
        finally:
            sender.cancel()

    async def close(self) -> None:
        """Close the socket because the program ends."""
        await self.socket.close(code=1001)

    def send(self, packet: Json) -> None:
        """Queue a packet for the page."""
        self._queue.put_nowait(packet)

    def send_done(self, packet: Json) -> None:
        """Tell the page that what a packet asked for is done."""
        self.send({"t": "answered", "n": packet.get("n")})

    async def _send_queued(self) -> None:
        with contextlib.suppress(ConnectionError):
            while True:
                await self.socket.send_str(json.dumps(await self._queue.get()))

    async def _receive(self, text: str) -> None:
        """Carry out a packet of the page, or refuse it."""
        packet: Any = None
        why, facts = "nonsense", {}
        try:
            packet = json.loads(text)
            await self._carry_out(packet)
            return
        except Impossible as error:
            why, facts = error.why, error.facts
        except (Refusal, *MALFORMED):
            pass
        number = packet.get("n") if isinstance(packet, dict) else None
        self.send({"t": "refused", "n": number, "why": why, "facts": facts})

    # Changes at the local Discord that the page must show

    def on_message(self, kind: str, message: Message) -> None:
        """Send a message that was posted, edited or deleted, if the player may see it."""
        if self.person is not None and self.person.sees(message):
            shown = page_data.message(self.state, message, self.person.user)
            self.send({"t": kind, "message": shown})

    def on_interaction(self, kind: str, interaction: Interaction) -> None:
        """Answer the packet that started an interaction, once the bot responds or is too late."""
        if kind == "interaction_create" or interaction.id not in self._pending:
            return
        number, suggestions = self._pending.pop(interaction.id)
        if suggestions is not None:
            choices = None if interaction.expired else interaction.choices
            answer = suggestions.with_choices(choices).to_packet()
        elif interaction.form is not None:
            answer = self._show_form(interaction, interaction.form)
        else:
            answer = {"t": "failed" if interaction.expired else "answered"}
        self.send({**answer, "n": number})

    def _show_form(self, interaction: Interaction, data: Json) -> Json:
        """Return a packet with a form that the bot has opened, and expect its submission."""
        self._form = Response(self.discord, interaction)
        form = page_data.form(self.state, data, interaction.user, interaction.channel)
        return {"t": "form", "form": {**form, "id": str(interaction.id)}}

    def schedule_table(self) -> None:
        """Send the lists soon, once for all changes that happen in a row."""
        if not self._is_table_scheduled:
            self._is_table_scheduled = True
            asyncio.get_running_loop().call_soon(self._send_table)

    def _send_table(self) -> None:
        """Send the lists of players and channels if they have changed."""
        self._is_table_scheduled = False
        state, person = self.state, self.person
        table: Json = {
            "guild": state.guild_name,
            "connected": self.discord.gateway.connected,
            "ahead": state.ahead,
            "players": [page_data.user(state, user) for user in state.people],
            "me": None,
            "places": [],
        }
        if person is not None:
            table["me"] = page_data.user(state, person.user)
            table["places"] = page_data.places(state, person.user, self._open_channel)
        if table != self._sent_table:
            self._sent_table = table
            self.send({"t": "table", **table})

    # Requests of the page

    async def _carry_out(self, packet: Json) -> None:
        """Carry out what a packet asks for."""
        verb = packet["do"]
        if verb == "join":
            self.join(packet)
            return
        if self.person is None:
            raise Impossible("nobody")
        verbs: dict[str, Callable[[Person, Json], Awaitable[None]]] = {
            "enter": self.enter,
            "older": self.load_older,
            "see": self.mark_read,
            "send": self.send_line,
            "suggest": self.suggest,
            "dismiss": self.dismiss,
            "reopen": self.reopen,
            "click": self.click,
            "choose": self.choose,
            "options": self.load_options,
            "submit": self.submit,
            "clock": self.move_clock,
        }
        await verbs[verb](self.person, packet)

    def _channel(self, person: Person, packet: Json) -> Channel:
        """Return the channel that a packet names, if the player sees it."""
        found = self.state.channels.get(int(packet["channel"]))
        if found is None or not self.state.may(person.user, found, "view_channel"):
            raise Impossible("channel_gone")
        return found

    def _message(self, person: Person, packet: Json) -> Message:
        """Return the message that a packet names, if the player sees it."""
        found = self.state.messages.get(int(packet["message"]))
        if found is None or not person.sees(found):
            raise Impossible("message_gone")
        return found

    def _await_bot(
        self, packet: Json, response: Response, suggestions: Suggestions | None = None
    ) -> None:
        """Answer a packet when the bot responds."""
        self._pending[response.interaction.id] = packet["n"], suggestions

    def join(self, packet: Json) -> None:
        """Add a player."""
        name = " ".join(str(packet["name"]).split())
        taken = {user.name.casefold() for user in self.state.users.values()}
        if not name or len(name) > MAX_NAME or not name.isprintable():
            raise Impossible("name_length", most=MAX_NAME)
        if name.casefold() in taken:
            raise Impossible("name_taken", name=name)
        if len(self.state.people) >= MAX_PLAYERS:
            raise Impossible("too_many_players", most=MAX_PLAYERS)
        self.discord.user(name)
        self.send({"t": "joined", "n": packet["n"], "name": name})

    async def enter(self, person: Person, packet: Json) -> None:
        """Open a channel: send its newest messages, at least back to one that is asked for."""
        channel = self._channel(person, packet)
        wanted = int(packet.get("message") or 0)
        messages = person.messages(channel)
        last_read = self.state.last_read(person.user, channel)
        count = HISTORY_PAGE
        first_unread = None
        for index, message in enumerate(messages):
            if message.id == wanted:
                count = max(count, len(messages) - index)
            if first_unread is None and message.id > last_read and not message.ephemeral:
                first_unread = str(message.id)
        self._open_channel = channel.id
        self._send_table()
        history = self._make_history(person, messages, count)
        self.send({**history, "n": packet["n"], "new": first_unread})

    async def load_older(self, person: Person, packet: Json) -> None:
        """Send the messages of a channel before a given one."""
        channel, before = self._channel(person, packet), int(packet["before"])
        messages = [message for message in person.messages(channel) if message.id < before]
        self.send({**self._make_history(person, messages, HISTORY_PAGE), "n": packet["n"]})

    def _make_history(self, person: Person, messages: list[Message], count: int) -> Json:
        """Return a packet with the last messages, whose files have valid addresses."""
        now = self.state.clock.now()
        shown = messages[-count:]
        for message in shown:
            for file in message.attachments:
                if file.expires - now < MIN_URL_SECONDS:
                    self.state.sign(file, message.channel)
        return {
            "t": "history",
            "messages": [page_data.message(self.state, one, person.user) for one in shown],
            "more": len(messages) > count,
        }

    async def mark_read(self, person: Person, packet: Json) -> None:
        """Mark a channel as read up to a message."""
        newest = min(int(packet["message"]), self.state.last_id)
        self.state.mark_read(person.user, self._channel(person, packet), newest)
        self.send_done(packet)

    async def send_line(self, person: Person, packet: Json) -> None:
        """Send what was typed: a command or an ordinary message."""
        text, channel = str(packet["line"]).strip(), self._channel(person, packet)
        is_command = text.startswith("/")
        if not is_command:
            # The longest names first, so that @Ana Maria does not become @Ana.
            for one in sorted(self.state.people, key=lambda one: -len(one.name)):
                text = text.replace(f"@{one.name}", f"<@{one.id}>")
        if not 0 < len(text) <= MAX_MESSAGE:
            raise Impossible("message_length", most=MAX_MESSAGE)
        if is_command:
            line = parse_line(text, commands(self.state, channel, person.user))
            if line is None:
                raise refuse_command(self.state, channel, text.split()[0].removeprefix("/"))
            options = {**parse_values(line), **_file_option(line, packet.get("file"))}
            response = await person.slash(
                line.command.name, channel=channel, wait="nothing", options=options
            )
            self._await_bot(packet, response)
            return
        # Writing in an archived thread reopens it, as on Discord.
        self._unarchive(channel)
        message = person.say(text, channel)
        self.state.mark_read(person.user, channel, message.id)
        self.send_done(packet)

    def _unarchive(self, channel: Channel) -> None:
        if isinstance(channel, Thread) and channel.archived:
            if channel.locked:
                raise Impossible("thread_locked")
            self.state.archive(channel, archived=False)

    async def reopen(self, person: Person, packet: Json) -> None:
        """Reopen an archived thread."""
        self._unarchive(self._channel(person, packet))
        self.send_done(packet)

    async def suggest(self, person: Person, packet: Json) -> None:
        """Send what could be typed at the caret, after asking the bot if need be."""
        channel, line = self._channel(person, packet), str(packet["line"])[:MAX_MESSAGE]
        known = commands(self.state, channel, person.user)
        suggestions = suggest(known, line, max(0, int(packet["caret"])))
        question = suggestions.question
        if question is None:
            self.send({**suggestions.to_packet(), "n": packet["n"]})
            return
        response = await person.autocomplete(
            question.command.name,
            focused=question.slot.name,
            channel=channel,
            wait="nothing",
            options=question.values,
        )
        self._await_bot(packet, response, suggestions)

    async def dismiss(self, person: Person, packet: Json) -> None:
        """Dismiss an ephemeral message."""
        message = self._message(person, packet)
        if not message.ephemeral:
            raise Impossible("not_private")
        self.state.delete_message(message)
        self.send_done(packet)

    async def click(self, person: Person, packet: Json) -> None:
        """Press a button."""
        message = self._message(person, packet)
        response = await person.click(message, custom_id=str(packet["id"]), wait="nothing")
        self._await_bot(packet, response)

    async def choose(self, person: Person, packet: Json) -> None:
        """Choose in a menu."""
        message = self._message(person, packet)
        values = [str(value) for value in packet["values"]]
        response = await person.choose(message, str(packet["id"]), values, wait="nothing")
        self._await_bot(packet, response)

    async def load_options(self, person: Person, packet: Json) -> None:
        """Send the people, roles or channels that a menu offers at this moment."""
        message = self._message(person, packet)
        menu = message.select(str(packet["id"]))
        options = page_data.options(self.state, menu, person.user, message.channel)
        self.send({"t": "options", "n": packet["n"], "options": options})

    async def submit(self, person: Person, packet: Json) -> None:
        """Submit the form that the bot has opened."""
        response = self._form
        if response is None or str(response.interaction.id) != packet["form"]:
            raise Impossible("form_gone")
        values: Json = {}
        for field in response.form.fields:
            value = packet["values"][field.custom_id]
            if field.kind == Kind.FILE_UPLOAD:
                value = [_decode_file(file) for file in value]
            values[field.custom_id] = value
        self._await_bot(packet, await person.submit(response, values, wait="nothing"))

    async def move_clock(self, person: Person, packet: Json) -> None:
        """Move the clock forward, to see what happens over days."""
        hours = float(packet["hours"])
        if not 0 < hours <= MAX_CLOCK_HOURS:
            raise Impossible("clock_range", most=MAX_CLOCK_HOURS)
        self.state.move_clock(hours * 3600)
        self.send_done(packet)


def _file_option(line: Line, file: Any) -> dict[str, Upload]:
    """Return a file that was chosen beside a command, by the option that takes it."""
    if file is None:
        return {}
    for option in line.command.options:
        if option["type"] == ATTACHMENT:
            return {option["name"]: _decode_file(file)}
    raise Impossible("no_file", command=line.command.name)


def _decode_file(file: Json) -> Upload:
    """Return a file that the page has sent."""
    return Upload(str(file["name"])[:MAX_FILE_NAME], base64.b64decode(file["data"]))
