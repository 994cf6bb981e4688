"""The life of an interaction: admitted, acknowledged in time, answered; errors become words."""

import asyncio
import io
import logging
from collections.abc import AsyncIterator, Awaitable, Iterable, Sequence
from contextlib import asynccontextmanager, suppress
from enum import Enum, auto
from typing import Any

import aiohttp
import discord

from bot.kernel import queries
from bot.runtime import logs
from bot.runtime.base import BotError, NotServing, Refused, StoreError, log_error, track_task
from bot.text import say
from bot.ui import error_codes
from bot.ui.client import MotuClient, MotuInteraction, service
from bot.ui.parts import CONTENT, Row, cut, view_of
from bot.ui.pictures import Picture
from bot.ui.rate import PublicAnswers
from engine import EngineError

log = logging.getLogger("motu")

NOBODY = discord.AllowedMentions.none()
"""Who may be pinged by what the bot sends, unless a message says otherwise: the client's
default.
"""
UNREACHABLE = (aiohttp.ClientError, OSError, asyncio.TimeoutError)
"""What is raised when Discord cannot be reached."""
DISCORD_ERRORS = (discord.HTTPException, *UNREACHABLE)
"""What is raised when Discord refuses a request, or cannot be reached."""

LARGEST = 10 * 2**20
"""Bytes of a message's files, also where a server takes more: people wait for them on their
phones.
"""
AROUND = 64 * 1024
"""Bytes of a request besides its files."""

MAX_CONCURRENT_INTERACTIONS = 100
"""Beyond this, people are told to try again: an answer would take many seconds, and in the end more
than the three within which Discord wants a first response.
"""
RUSH_THRESHOLD = 8
"""With this many being handled, interactions are acknowledged before anything else is done: the
event loop may be too busy to interrupt their handlers in time.
"""
ANSWER_SECONDS = 1.0
"""How long a handler that answers with a message of its own may take before the interaction is
deferred. Discord drops an interaction after three seconds, and the gateway, a busy event loop and
the way back all take their share of them.
"""
LOOK_AGAIN_SECONDS = (1.0, 4.0, 10.0, 30.0, 60.0)
"""How long to wait before each look at whether a press was saved about which the database could
not be asked.
"""

# What an interaction keeps in its `extras`.
FIRST_RESPONSE = "first_response"
"""The lock under which its first response is sent."""
ELSEWHERE = "answered_elsewhere"
"""It was acknowledged already: Discord told of it twice, perhaps to two processes."""
MEANT = "match"
"""The id of the match that it names, whether or not there is one."""


class Acknowledgement(Enum):
    """How Discord learns that an interaction is being handled.

    A command declares another one than AT_ONCE in its `extras`, a component in its
    `acknowledgement`.

    Whatever it is, handlers answer by `show` and `tell`, which find out by themselves what has been
    sent so far.
    """

    AT_ONCE = auto()
    """Defer before the handler runs: a private panel is edited in place, anything else gets a new
    private answer.
    """
    IN_PLACE = auto()
    """Defer before the handler runs, which edits the message that was pressed, public or not."""
    IF_SLOW = auto()
    """The handler's own message is the response, perhaps for everyone to see; deferred privately
    if that takes long.
    """


DECLARED = "acknowledgement"
IF_SLOW = {DECLARED: Acknowledgement.IF_SLOW}
"""The `extras` of a command that answers with a message of its own."""


class Question(Refused):
    """Something cannot be done before a question is answered, which its buttons do."""

    rows: Sequence[Row] = ()


# Admission.


async def admit(
    interaction: MotuInteraction, name: str, how: Acknowledgement | None = None
) -> bool:
    """Return whether an interaction may be handled; if so, it is or will be acknowledged in time.

    It may not if the bot is stopping, too busy or has lost its shards, or if Discord takes no
    answer any more. It is handled in the current task. `name` stands in the log, and `how` is None
    for completions, which cannot be acknowledged.
    """
    client = interaction.client
    if not await client.kernel.store.confirm_claim():
        # Whichever process has the shards now answers it.
        return False
    running = len(client.handlers)
    task = client.handlers.track_current()
    if name:
        press = logs.begin(name)
        task.add_done_callback(lambda _: logs.end(press))
    if client.is_ending or running >= MAX_CONCURRENT_INTERACTIONS:
        await _refuse(interaction)
        return False
    if how is None:
        return True
    if how is Acknowledgement.IF_SLOW and running < RUSH_THRESHOLD:
        watchdog = track_task(_defer_if_slow(interaction), "defer")
        task.add_done_callback(lambda _: watchdog.cancel())
        return True
    try:
        await _defer(interaction, in_place=how is Acknowledgement.IN_PLACE)
    except Exception as error:
        await report(interaction, error)
        return False
    return True


async def _refuse(interaction: MotuInteraction) -> None:
    """Say that the bot is stopping or busy."""
    client = interaction.client
    if interaction.type is discord.InteractionType.autocomplete:
        with suppress(*DISCORD_ERRORS):
            await interaction.response.autocomplete([])
        return
    logs.note("refused" if client.is_ending else "busy")
    said = say("refusal.restarting" if client.is_ending else "refusal.busy")
    # Not by `tell`: if another process has acknowledged the interaction, that one handles it, and
    # an answer of ours would be wrong.
    await guarded(interaction, respond(interaction, content=said, ephemeral=True))
    if interaction.response.is_done():
        # Should Discord deliver it once more, it must come to nothing then as well.
        client.kernel.pipeline.note_refused(interaction.id)


async def _defer_if_slow(interaction: MotuInteraction) -> None:
    await asyncio.sleep(ANSWER_SECONDS)
    # If this fails, so will the handler's own response, and that is reported.
    with suppress(*DISCORD_ERRORS):
        await _defer(interaction)


async def _defer(interaction: MotuInteraction, *, in_place: bool = False) -> None:
    """Defer the response, unless there is one."""
    message = interaction.message
    in_place = in_place or (message is not None and message.flags.ephemeral)
    async with _first_response(interaction):
        if not interaction.response.is_done():
            await interaction.response.defer(ephemeral=not in_place, thinking=not in_place)


@asynccontextmanager
async def _first_response(interaction: MotuInteraction) -> AsyncIterator[None]:
    """Keep a handler and its watchdog from both responding first: Discord refuses the second.

    That another process has acknowledged the interaction is noted, and is no failure.
    """
    async with interaction.extras.setdefault(FIRST_RESPONSE, asyncio.Lock()):
        try:
            yield
        except discord.HTTPException as error:
            if error.code != error_codes.ALREADY_ACKNOWLEDGED:
                raise
            interaction.extras[ELSEWHERE] = True


# Answers.


async def respond(interaction: MotuInteraction, **message: Any) -> int | None:
    """Send a message as the first response and return its id; None if there has been one."""
    async with _first_response(interaction):
        if interaction.response.is_done() or ELSEWHERE in interaction.extras:
            return None
        sent = await interaction.response.send_message(**message)
        return sent.message_id or 0
    return None


async def show(
    interaction: MotuInteraction,
    content: str,
    rows: Iterable[Row] = (),
    pictures: Iterable[Picture | None] = (),
    *,
    public: bool = False,
) -> int:
    """Answer with a message, private unless said otherwise; without pictures if they are too large
    for this place.

    A public one is refused to somebody who has shown too many of late. Return the id of the message
    that took the place of another, as every panel does that was deferred; 0 if there is none.
    """
    if public:
        service(interaction, PublicAnswers).admit(interaction.user.id, interaction.channel_id or 0)
    message, files = _message(content, rows), attached(pictures)
    try:
        return await _show(interaction, message, files, public)
    except discord.HTTPException as error:
        if error.code != error_codes.TOO_LARGE or not files:
            raise
        return await _show(interaction, message, [], public)


async def _show(
    interaction: MotuInteraction, message: dict[str, Any], files: list[discord.File], public: bool
) -> int:
    if await respond(interaction, files=files, ephemeral=not public, **message) is not None:
        return 0
    # If Discord told of it twice, a second public message would be one too many.
    if public and ELSEWHERE not in interaction.extras:
        # Only an answer that is no longer 'thinking…' can be followed by a message that others see.
        await interaction.edit_original_response(content=say("answer.shown"), view=None)
        await interaction.followup.send(files=files, **message)
        return 0
    shown = await interaction.edit_original_response(embeds=[], attachments=files, **message)
    return shown.id


def _message(content: str, rows: Iterable[Row]) -> dict[str, Any]:
    return {"content": cut(content, CONTENT), "view": view_of(rows)}


async def show_words(
    interaction: MotuInteraction, said: str, rows: Iterable[Row] = (), head: str = ""
) -> None:
    """Answer with a board in words; as a file if it is too long for a message."""
    block = f"{head}\n```\n{said.replace('```', '')}\n```".strip()
    if len(block) <= CONTENT:
        await show(interaction, block, rows)
    else:
        file = Picture(said.encode(), say("look.words"), "board.txt")
        await show(interaction, head or say("look.words"), rows, [file])


async def tell(
    interaction: MotuInteraction,
    content: str,
    rows: Iterable[Row] = (),
    files: Sequence[discord.File] = (),
    *,
    in_place: bool = True,
) -> None:
    """Send the user another private message; `in_place` of the answer to a command, if it has one.

    Otherwise the message is the answer only where there was none: Discord makes the first message
    after 'thinking…' take its place.
    """
    message = _message(content, rows)
    if await respond(interaction, files=files, ephemeral=True, **message) is not None:
        return
    deferred = discord.InteractionResponseType.deferred_channel_message
    if in_place and interaction.response.type is deferred:
        await interaction.edit_original_response(attachments=files, **message)
    else:
        await interaction.followup.send(files=files, ephemeral=True, **message)


async def write_to(client: MotuClient, user: int, said: str) -> None:
    """Send a direct message to somebody who has to know, if they take any."""
    try:
        channel = await client.create_dm(discord.Object(user))
        await channel.send(said)
    except DISCORD_ERRORS as error:
        log.info("somebody could not be told (%s)", type(error).__name__)


def attached(pictures: Iterable[Picture | None]) -> list[discord.File]:
    """Return pictures as attachments with their alt texts."""
    return [
        discord.File(io.BytesIO(p.data), p.name, description=p.alt)
        for p in pictures
        if p is not None
    ]


def largest_files(interaction: MotuInteraction) -> int:
    """Return how many bytes the files of an answer may have where somebody asks."""
    return min(LARGEST, interaction.filesize_limit) - AROUND


def only(users: Iterable[int]) -> discord.AllowedMentions:
    """Return that a message may ping those people, and nobody else."""
    return discord.AllowedMentions(users=[discord.Object(user) for user in users])


# Errors.


async def guarded(interaction: MotuInteraction, work: Awaitable[Any]) -> None:
    """Do the work; whatever goes wrong becomes one private answer."""
    try:
        await work
    except Exception as error:
        await report(interaction, error)


async def report(interaction: MotuInteraction, error: Exception) -> None:
    """Answer an error: a refusal in its own words, anything else with its id in the log."""
    error = getattr(error, "original", error)
    if isinstance(error, discord.HTTPException) and error.code in error_codes.TOO_LATE:
        log.info("an answer came too late (%s)", error.code)
        logs.note("late")
        return
    if isinstance(error, NotServing):
        log.info("a press is left to the process that has the shards now")
        logs.note("left")
        return
    rows = error.rows if isinstance(error, Question) else ()
    if isinstance(error, BotError | EngineError):
        logs.note("refused")
        said = str(error)
    else:
        logs.note("failed")
        # Only the answer may have failed: that is no reason to do it again.
        pressed = logs.current()
        key = "refusal.not_shown" if pressed and pressed.has_saved else "refusal.failed"
        said = say(key, id=log_error(error))
    is_in_doubt = isinstance(error, StoreError)
    try:
        # Another process may have carried it out meanwhile, and its answer is the better one.
        await tell(interaction, said, rows, in_place=not is_in_doubt)
    except DISCORD_ERRORS as failed:
        log.warning("an answer could not be given: %s", type(failed).__name__)
    if is_in_doubt:
        look_if_saved(interaction)


def look_if_saved(interaction: MotuInteraction) -> None:
    """Look later whether a press was carried out after all: its answer has left that open.

    That it was not is never said: another process may still be at it.
    """
    match: str = interaction.extras.get(MEANT, "")

    async def tell_if_saved() -> None:
        for seconds in LOOK_AGAIN_SECONDS:
            await asyncio.sleep(seconds)
            with suppress(StoreError, *DISCORD_ERRORS):
                if await interaction.client.kernel.store.read(
                    queries.handled_interaction, match, interaction.id
                ):
                    # Not in the answer's place: another process may have put a better one there.
                    await interaction.followup.send(say("database.was_saved"), ephemeral=True)
                    return

    if match:
        track_task(tell_if_saved(), "tell-if-saved")
