"""Private answers to interactions, and the one place where errors become words."""

import asyncio
import io
import logging
from collections.abc import Awaitable, Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, TypeVar

import aiohttp
import discord

from bot import error_codes, logs
from bot.components.items import Asked, view_of
from bot.components.parts import CONTENT, Row, cut
from bot.errors import BotError, NotServing, Unanswered, log_error
from bot.pictures import Picture
from bot.tasks import awaited_task
from bot.text import say
from bot.which_match import Several
from engine import EngineError

log = logging.getLogger("motu")

NOBODY = discord.AllowedMentions.none()
"""Who private answers and lists may ping."""

LARGEST = 10 * 2**20
"""Bytes of a message's files, also where a server takes more: people wait for them on their phones."""
AROUND = 64 * 1024
"""Bytes of a request besides its files."""


def largest_files(interaction: Asked) -> int:
    """How many bytes the files of an answer may have where somebody asks."""
    return min(LARGEST, interaction.guild.filesize_limit if interaction.guild else LARGEST) - AROUND


def only(users: Iterable[int]) -> discord.AllowedMentions:
    """Those people may be pinged by a message, and nobody else."""
    called = [discord.Object(user) for user in users]
    return discord.AllowedMentions(everyone=False, roles=False, replied_user=False, users=called)


UNREACHABLE = (aiohttp.ClientError, OSError, asyncio.TimeoutError)
"""What is raised when Discord cannot be reached."""

PATIENCE = 1.5
"""Seconds after which Discord is told that an answer takes longer: it waits for three, and the way takes its time."""
T = TypeVar("T")

THINKING = discord.InteractionResponseType.deferred_channel_message


def attached(pictures: Iterable[Picture | None]) -> list[discord.File]:
    """Pictures as attachments with their alt texts."""
    return [discord.File(io.BytesIO(p.data), p.name, description=p.alt) for p in pictures if p is not None]


async def acknowledge(interaction: Asked, *, private: bool = True, in_place: bool = False) -> None:
    """Tell Discord that an answer is coming: a private panel is edited in place, anything else gets a new answer.

    One that everyone shall see is refused to somebody who has shown too many of late.
    """
    if interaction.response.is_done():
        return
    if not private:
        interaction.client.public_answers.admit(interaction.user.id, interaction.channel_id or 0)
    message = interaction.message
    try:
        if in_place or (message is not None and message.flags.ephemeral):
            await interaction.response.defer()
        else:
            await interaction.response.defer(ephemeral=private, thinking=True)
    except discord.HTTPException as error:
        if error.code != error_codes.ALREADY_ACKNOWLEDGED:
            raise


async def in_time(interaction: Asked, work: Awaitable[T]) -> T:
    """What comes of the work; if it takes long, Discord is told meanwhile that an answer is coming."""
    task = awaited_task(work)
    try:
        done, _ = await asyncio.wait([task], timeout=PATIENCE)
        if not done:
            with suppress(discord.HTTPException, *UNREACHABLE):
                await acknowledge(interaction)
        return await task
    finally:
        task.cancel()


async def show(
    interaction: Asked, content: str, rows: Iterable[Row] = (), pictures: Iterable[Picture | None] = ()
) -> None:
    """Fill the acknowledged answer in; without pictures if they are too large for this place."""
    rows, pictures = list(rows), list(pictures)
    try:
        await interaction.edit_original_response(
            content=cut(content, CONTENT),
            embeds=[],
            view=view_of(rows),
            attachments=attached(pictures),
            allowed_mentions=NOBODY,
        )
    except discord.HTTPException as error:
        if error.code != error_codes.TOO_LARGE or not pictures:
            raise
        await show(interaction, content, rows)


async def show_words(interaction: Asked, said: str, rows: Iterable[Row] = (), head: str = "") -> None:
    """A board in words in the acknowledged answer; as a file if it is too long for a message."""
    block = f"{head}\n```\n{said.replace('```', '')}\n```".strip()
    if len(block) <= CONTENT:
        await show(interaction, block, rows)
    else:
        file = Picture(said.encode(), say("look.words"), "board.txt")
        await show(interaction, head or say("look.words"), rows, [file])


async def tell(interaction: Asked, content: str, rows: Iterable[Row] = (), **extra: Any) -> None:
    """A private message to whoever asked, whatever was answered so far."""
    content, view = cut(content, CONTENT), view_of(rows)
    if interaction.response.type is THINKING:
        files = [extra.pop("file")] if "file" in extra else []
        await interaction.edit_original_response(
            content=content, view=view, attachments=files, allowed_mentions=NOBODY, **extra
        )
        return
    if not interaction.response.is_done():
        try:
            await interaction.response.send_message(
                content, ephemeral=True, view=view, allowed_mentions=NOBODY, **extra
            )
            return
        except discord.HTTPException as error:
            if error.code != error_codes.ALREADY_ACKNOWLEDGED:
                raise
    await interaction.followup.send(content, ephemeral=True, view=view, allowed_mentions=NOBODY, **extra)


async def with_welcome(interaction: Asked, show: Callable[..., Awaitable[None]]) -> None:
    """Show a private answer; to somebody who has never been welcomed, with the line that does."""
    settings = interaction.client.matches.pings.settings
    if not await settings.welcome(interaction.user.id, lambda: show(say("welcome.line"))):
        await show()


@contextmanager
def answering() -> Iterator[None]:
    """What was asked is done: whatever goes wrong inside is no reason to do it again."""
    try:
        yield
    except Exception as error:
        raise Unanswered from error


async def guarded(interaction: Asked, work: Awaitable[Any]) -> None:
    """Do the work; whatever goes wrong becomes one private answer."""
    try:
        await work
    except Exception as error:
        await report(interaction, error)


async def report(interaction: Asked, error: Exception) -> None:
    """Answer an error: a refusal in its own words, anything unexpected with an id that is also in the log."""
    error = getattr(error, "original", error)
    reason = error.__cause__ if isinstance(error, Unanswered) and error.__cause__ else error
    if isinstance(reason, discord.HTTPException) and reason.code in error_codes.TOO_LATE:
        log.info("an answer came too late (%s)", reason.code)
        _note("late")
        return
    if isinstance(reason, NotServing):
        log.info("a press is left to the process that has the shards now")
        _note("left")
        return
    rows: list[Row] = []
    _note("refused" if isinstance(error, BotError | EngineError) else "failed")
    if isinstance(error, BotError | EngineError):
        said = str(error)
        if isinstance(error, Several):
            said, rows = error.asked(interaction)
    elif isinstance(error, Unanswered):
        said = say("refusal.not_shown", id=log_error(reason))
    else:
        said = say("refusal.failed", id=log_error(error))
    try:
        await tell(interaction, said, rows)
    except (discord.HTTPException, *UNREACHABLE) as failed:
        log.warning("an answer could not be given: %s", type(failed).__name__)


def _note(outcome: str) -> None:
    """What has come of the press that is being answered."""
    if pressed := logs.current():
        pressed.outcome = outcome
