"""`motu doctor --live`: makes one request of each kind that Motu makes, and cleans up.

What Discord accepts depends on permissions, on the host's own settings and on Discord itself, which
no test on this machine can check. The requests are those of a real match, but they notify nobody,
and everything they post is deleted.
"""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from io import BytesIO
from typing import Any

import aiohttp
import discord
from msgspec import Struct, field

from bot.local.errors import Refusal
from bot.local.form_limits import check_form
from bot.posts.places import ARCHIVE_AFTER_MINUTES
from bot.posts.sending import parts_of
from bot.posts.turn_message import Message
from bot.run.config import Config
from bot.text import has, say
from bot.ui import Button, Choice, Picture, cut, layout_of, make_files, new_embed
from bot.ui.forms import (
    CheckField,
    ChoiceField,
    Content,
    Field,
    FileField,
    PickField,
    TextField,
    make_modal,
)
from bot.ui.permissions import CHANNELS_WITH_THREADS
from bot.ui.reply import NOBODY
from engine.core.escape import one_line

REQUEST_TIMEOUT_SECONDS = 60
"""How long a request may take, with discord.py's own retries."""
RATE_LIMIT_SECONDS = 30.0
"""How long discord.py may wait for a rate limit; left to itself it waits for minutes."""
PICTURE_SIZE, PICTURE_COLOURS = (64, 64), ("#2a7f8e", "#e8c872")
FILM_FRAME_MS = 500
MAX_REASON_LENGTH = 200
THREAD_CREATED = discord.MessageType.thread_created
FAILURES = (discord.DiscordException, aiohttp.ClientError, OSError, TimeoutError)


class Request(Struct, frozen=True):
    """A request that was made. [live] has the text of its name, [live_effect] why it matters."""

    name: str
    why: str = ""
    """Why it failed; '' if it did not."""


async def try_requests(config: Config, channel: int) -> list[Request]:
    """Make the requests with the token of the configuration, and return the result of each."""
    client = discord.Client(
        intents=discord.Intents.none(), max_ratelimit_timeout=RATE_LIMIT_SECONDS
    )
    try:
        await client.login(config.token)
        trial = Trial(client, channel, config.guild)
        try:
            await trial.run()
        finally:
            await trial.clean_up()
        return trial.done
    finally:
        await client.close()


def explain(error: BaseException) -> str:
    """Return why a request failed, with Discord's code. Nothing of the request is repeated."""
    if not isinstance(error, discord.HTTPException):
        key = "rate_limit" if isinstance(error, discord.RateLimited) else "no_answer"
        return say(f"live_reason.{key}", error=type(error).__name__)
    key = f"live_reason.code_{error.code}"
    known = say(key) if has(key) else one_line(cut(error.text, MAX_REASON_LENGTH))
    return say("live_reason.refused", why=known, status=str(error.status), code=str(error.code))


class Trial(Struct):
    """The requests made so far, and what they have left on Discord."""

    client: discord.Client
    channel: int
    guild: int | None
    """The server in which alone the commands are registered; None for all servers."""
    done: list[Request] = field(default_factory=list)
    messages: list[discord.Message] = field(default_factory=list)
    threads: list[int] = field(default_factory=list)
    can_read_history: bool = False

    async def run(self) -> None:
        """Make the requests. Where one fails, those that need its result are left out."""
        http = self.client.http
        if (form := check_form_locally()).why:
            self.done.append(form)
        await self._request("gateway", http.get_bot_gateway)
        application = await self._request("application", self.client.application_info)
        if application is not None:
            # Nobody can write to a team, so write to its owner.
            team = application.team
            host = team.owner_id if team and team.owner_id else application.owner.id
            await self._try_direct_message(host)
            if self.guild is None:
                fetch = partial(http.get_global_commands, application.id)
                await self._request("commands", fetch)
        found = await self._request("channel", partial(http.get_channel, self.channel))
        if found is None:
            return
        if found["type"] not in [kind.value for kind in CHANNELS_WITH_THREADS]:
            self.done[-1] = Request("channel", say("live_reason.no_text_channel"))
            return
        if application is not None:
            guild = int(found["guild_id"])
            await self._request("member", partial(http.get_member, guild, host))
            await self._try_commands(application.id, guild)
        place = self.client.get_partial_messageable(self.channel)
        post = await self._try_post(place)
        await self._try_layout(place, "layout")
        card = Message("", (), (make_row(),), embed=new_embed(say("live.text"), ""))
        lobby = await self._post("card", place, **parts_of(card))
        if carrier := lobby or post:
            await self._try_thread(carrier)
        if self.can_read_history:
            await self._try_thread_alone(place)

    async def _request(self, name: str, make: Callable[[], Awaitable[Any]]) -> Any:
        """Make a request and return its result; None if it failed."""
        try:
            async with asyncio.timeout(REQUEST_TIMEOUT_SECONDS):
                result = await make()
        except FAILURES as error:
            self.done.append(Request(name, explain(error)))
            return None
        self.done.append(Request(name))
        return result

    async def _post(
        self, name: str, place: discord.abc.Messageable, **message: Any
    ) -> discord.Message | None:
        """Send a message, and remember to delete it."""
        message |= {"silent": True, "allowed_mentions": NOBODY}
        sent: discord.Message | None = await self._request(name, partial(place.send, **message))
        if sent is not None:
            self.messages.append(sent)
        return sent

    async def _try_direct_message(self, host: int) -> None:
        """Write to the host, as for a reminder and for a solo match."""
        opened = await self._request(
            "open_direct", partial(self.client.create_dm, discord.Object(host))
        )
        if opened is not None and await self._post("direct", opened, content=say("live.text")):
            await self._try_layout(opened, "board")

    async def _try_commands(self, application: int, guild: int) -> None:
        """Fetch the commands of the server. If it has none of its own, register none there.

        That changes nothing, but Discord refuses it if the bot was invited without its commands.
        The commands themselves are registered at the start of the bot.
        """
        http = self.client.http
        fetch = partial(http.get_guild_commands, application, guild)
        if await self._request("commands", fetch) == []:
            register = partial(http.bulk_upsert_guild_commands, application, guild, [])
            await self._request("register", register)

    async def _try_post(self, place: discord.PartialMessageable) -> discord.Message | None:
        """Post a board, edit it, fetch it, and add a film to it."""
        board = Message(say("live.text"), (), (make_row(),))
        post = await self._post("post", place, **parts_of(board, [make_picture()]))
        newest = await self._request("history", partial(read_newest, place))
        self.can_read_history = newest is not None
        if post is not None:
            edit = partial(post.edit, allowed_mentions=NOBODY)
            await self._request("edit", partial(edit, content=say("live.edited"), view=None))
            await self._request("fetch", partial(place.fetch_message, post.id))
            files: list[Any] = [*post.attachments, *make_files([make_film()])]
            await self._request("film", partial(post.edit, attachments=files))
        return post

    async def _try_layout(self, place: discord.abc.Messageable, name: str) -> None:
        """Post a layout with a picture and a file, and edit it."""
        files = make_files([make_picture(), make_file()])
        layout = layout_of([say("live.text"), make_row()], files)
        post = await self._post(name, place, view=layout, files=files)
        if post is not None:
            files = make_files([make_picture(), make_file()])
            layout = layout_of([say("live.edited"), make_row()], files)
            edit = partial(post.edit, view=layout, attachments=files)
            await self._request(f"edit_{name}", edit)

    async def _try_thread(self, carrier: discord.Message) -> None:
        """Open a thread on a message, post in it, rename it, archive it and reopen it."""
        http = self.client.http
        start = partial(http.start_thread_with_message, self.channel, carrier.id)
        # Call the route directly, as Motu does: discord.py's objects need the server in its cache.
        duration = {"auto_archive_duration": ARCHIVE_AFTER_MINUTES}
        thread = await self._request("thread", partial(start, name=say("live.text"), **duration))
        if thread is None:
            return
        self.threads.append(int(thread["id"]))
        board = Message(say("live.text"), (), ())
        inside = self.client.get_partial_messageable(self.threads[0])
        await self._post("thread_post", inside, **parts_of(board, [make_picture()]))
        change = partial(http.edit_channel, self.threads[0])
        await self._request("rename", partial(change, name=say("live.edited"), archived=False))
        await self._request("archive", partial(change, archived=True))
        await self._request("unarchive", partial(change, archived=False))

    async def _try_thread_alone(self, place: discord.PartialMessageable) -> None:
        """Open a thread without a message, as for a match whose lobby card was deleted."""
        start = partial(
            self.client.http.start_thread_without_message,
            self.channel,
            name=say("live.text"),
            auto_archive_duration=ARCHIVE_AFTER_MINUTES,
            type=discord.ChannelType.public_thread.value,
        )
        thread = await self._request("thread_alone", start)
        if thread is not None:
            self.threads.append(int(thread["id"]))
            # Discord announces it with a message in the channel.
            with suppress(*FAILURES):
                newest = await read_newest(place)
                self.messages += [one for one in newest if one.type is THREAD_CREATED]

    async def clean_up(self) -> None:
        """Delete the messages and the threads; archive a thread that cannot be deleted."""
        http = self.client.http
        # Delete the newest first: the post in the thread before the thread, and that before its
        # card.
        for message in reversed(self.messages):
            delete = partial(http.delete_message, message.channel.id, message.id)
            await self._request("delete", delete)
        for thread in self.threads:
            try:
                await http.delete_channel(thread)
            except FAILURES:
                # This needs Manage Threads, for which Motu's invitation does not ask.
                archive = partial(http.edit_channel, thread, archived=True)
                await self._request("leave_thread", archive)


def check_form_locally() -> Request:
    """Check a form with a field of each kind, which only a press on Discord could open."""
    label = say("live.button")
    choices = tuple(Choice(value, value) for value in ("1", "2"))
    fields: list[Field] = [
        TextField(key="text", label=label),
        ChoiceField(key="choice", label=label, choices=choices),
        PickField(key="pick", label=label, kind="channels"),
        CheckField(key="check", label=label),
        FileField(key="file", label=label),
    ]
    try:
        check_form(make_modal("live", Content(say("live.text"), fields), {}).to_dict())
    except Refusal as refusal:
        return Request("form", say("live_reason.form", error=str(refusal.errors)))
    return Request("form")


async def read_newest(place: discord.abc.Messageable) -> list[discord.Message]:
    """Return the newest message of a channel."""
    return [message async for message in place.history(limit=1)]


def make_row() -> tuple[Button, ...]:
    """Return a row with a button, which does nothing."""
    return (Button("live", say("live.button"), disabled=True),)


def make_picture() -> Picture:
    """Return a small picture."""
    return Picture(_paint("PNG"), say("live.text"), "board.png")


def make_film() -> Picture:
    """Return a film of two frames."""
    return Picture(_paint("GIF"), say("live.text"), "film.gif")


def make_file() -> Picture:
    """Return a small text file."""
    return Picture(say("live.text").encode(), say("live.text"), "board.txt")


def _paint(kind: str) -> bytes:
    """Return frames of one colour each as a picture or a film, which differ only in their kind."""
    from PIL import Image

    first, *others = (Image.new("RGB", PICTURE_SIZE, colour) for colour in PICTURE_COLOURS)
    file = BytesIO()
    more: dict[str, Any] = {}
    if kind == "GIF":
        more = {"save_all": True, "append_images": others, "duration": FILM_FRAME_MS}
    first.save(file, kind, **more)
    return file.getvalue()
