"""The life of an interaction: admit it, acknowledge it in time, answer it, and report errors.

Discord drops an interaction that gets no response within three seconds, and accepts only one first
response. Handlers need not care: `admit` acknowledges, and `show` and `tell` do what is right after
what was sent so far. So handlers must answer with these, never with discord.py's own methods.
"""

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
from bot.ui.parts import LAYOUT_TEXT, Part, layout_of
from bot.ui.pictures import Picture
from bot.ui.rate import PublicAnswers
from engine import EngineError
from engine.core.words import closest_language, speak

log = logging.getLogger("motu")

NOBODY = discord.AllowedMentions.none()
"""Ping nobody. The client's default; a message that pings says so."""
UNREACHABLE = (aiohttp.ClientError, OSError, asyncio.TimeoutError)
"""The errors that are raised when Discord cannot be reached."""
DISCORD_ERRORS = (discord.HTTPException, *UNREACHABLE)
"""The errors that are raised when Discord refuses a request or cannot be reached."""

MAX_FILE_BYTES = 10 * 2**20
"""The limit for a message's files, even in servers that allow more: people load them on phones."""
REQUEST_OVERHEAD_BYTES = 64 * 1024
"""The size of a request apart from its files, generously."""

MAX_CONCURRENT_INTERACTIONS = 100
"""With this many interactions under way, further users are told to try again.

Answers would take many seconds, and in the end more than Discord's three for a first response.
"""
RUSH_THRESHOLD = 8
"""With this many interactions under way, IF_SLOW ones are deferred at once.

The event loop may be too busy to run their timer in time.
"""
ANSWER_SECONDS = 1.0
"""How long an IF_SLOW handler may take before its interaction is deferred.

Discord's three seconds also have to cover the gateway, a busy event loop and the response.
"""
SAVED_CHECK_SECONDS = (1.0, 4.0, 10.0, 30.0, 60.0)
"""After a database failure, the waits before each check whether the press was saved after all."""

# Keys in an interaction's `extras`.
FIRST_RESPONSE = "first_response"
"""The lock under which the first response is sent."""
ANSWERED_ELSEWHERE = "answered_elsewhere"
"""Set if Discord has delivered it twice, and the other delivery was acknowledged first."""
NAMED_MATCH = "match"
"""The id of the match that it is about, whether or not there is such a match."""
ERROR_PARTS = "error_parts"
"""The parts that an answer with an error has below its text, such as a button to try again."""
REPLACES_MESSAGE = "replaces_message"
"""Set if the answer takes the place of the private message that was pressed."""


class Acknowledgement(Enum):
    """How an interaction is acknowledged.

    The default is AT_ONCE. A command declares another one in its `extras`, a component in its
    `acknowledgement`.
    """

    AT_ONCE = auto()
    """Defer before the handler runs. The answer edits a private panel, or is a private message."""
    IN_PLACE = auto()
    """Defer before the handler runs. The answer edits the message of the pressed button."""
    IF_SLOW = auto()
    """The handler's message is the response, and may be public. Defer privately if it is slow."""
    FORM = auto()
    """The handler responds with a form, which must be the first response, or with a message.

    Defer privately if it is slow, as for IF_SLOW, but never at once: after that no form can open.
    """


DECLARED = "acknowledgement"
"""The key in a command's `extras` for its Acknowledgement."""
IF_SLOW = {DECLARED: Acknowledgement.IF_SLOW}
"""The `extras` of a command with IF_SLOW."""
MAY_OPEN_FORM = {DECLARED: Acknowledgement.FORM}
"""The `extras` of a command that opens a form if some option is missing."""


class Question(Refused):
    """A refusal that asks a question, with buttons for the answers."""

    rows: Sequence[Part] = ()


# Admission.


async def admit(
    interaction: MotuInteraction, name: str, how: Acknowledgement | None = None
) -> bool:
    """Return whether to handle an interaction, and see to its acknowledgement if so.

    It is refused if the bot is stopping, too busy or has lost its shards, or if it is too late
    to answer. The handler must run in the current task, which is tracked. `name` appears in the
    log; `how` is None for autocompletion, which cannot be acknowledged.
    """
    client = interaction.client
    speak(closest_language(str(interaction.locale)))
    if not await client.kernel.store.confirm_claim():
        # Another process has the shards now, gets the same interaction, and answers it.
        return False
    running = len(client.handlers)
    task = client.handlers.track_current()
    if name:
        press = logs.begin_press(name)
        task.add_done_callback(lambda _: logs.end_press(press))
    if client.is_ending or running >= MAX_CONCURRENT_INTERACTIONS:
        await _refuse(interaction)
        return False
    if how is None:
        return True
    is_rush = running >= RUSH_THRESHOLD
    if how is Acknowledgement.FORM or (how is Acknowledgement.IF_SLOW and not is_rush):
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
    """Tell the user that the bot is stopping or busy."""
    client = interaction.client
    if interaction.type is discord.InteractionType.autocomplete:
        with suppress(*DISCORD_ERRORS):
            await interaction.response.autocomplete([])
        return
    logs.note_outcome("refused" if client.is_ending else "busy")
    text = say("refusal.restarting" if client.is_ending else "refusal.busy")
    layout = layout_of([text, *interaction.extras.get(ERROR_PARTS, ())])
    # Don't use `tell`, which could send a follow-up message: if another process has acknowledged
    # the interaction, it also handles it, and this answer would be wrong.
    await run_and_report(interaction, respond(interaction, view=layout, ephemeral=True))
    if interaction.response.is_done():
        # The user was told that nothing happened, so a repeated delivery must do nothing either.
        client.kernel.pipeline.note_refused(interaction.id)


async def _defer_if_slow(interaction: MotuInteraction) -> None:
    """Defer the response unless the handler responds in time."""
    await asyncio.sleep(ANSWER_SECONDS)
    # If this fails, so will the handler's own response, and that is reported.
    with suppress(*DISCORD_ERRORS):
        await _defer(interaction)


async def _defer(interaction: MotuInteraction, *, in_place: bool = False) -> None:
    """Defer the response, unless there was one."""
    message = interaction.message
    # A form that a command has opened was not opened on a message.
    in_place = message is not None and (in_place or message.flags.ephemeral)
    async with _first_response(interaction):
        if not interaction.response.is_done():
            await interaction.response.defer(ephemeral=not in_place, thinking=not in_place)


@asynccontextmanager
async def _first_response(interaction: MotuInteraction) -> AsyncIterator[None]:
    """Hold the lock for the first response, because the handler and its watchdog may both send one.

    If another process has already acknowledged the interaction, note that in the `extras` instead
    of raising an error.
    """
    async with interaction.extras.setdefault(FIRST_RESPONSE, asyncio.Lock()):
        try:
            yield
        except discord.HTTPException as error:
            if error.code != error_codes.ALREADY_ACKNOWLEDGED:
                raise
            interaction.extras[ANSWERED_ELSEWHERE] = True


# Languages.


def channel_locale(interaction: MotuInteraction) -> str:
    """Return the locale for public texts in the interaction's channel; '' if none was chosen.

    In a direct message it is the user's own.
    """
    if interaction.guild_id is None:
        return str(interaction.locale)
    # Only a Community server can choose its language. For all others Discord reports 'en-US'.
    guild = interaction.guild
    has_chosen = guild is not None and "COMMUNITY" in guild.features
    return str(interaction.guild_locale) if has_chosen and interaction.guild_locale else ""


def speak_to_channel(interaction: MotuInteraction) -> None:
    """Switch this task to the channel's language, for an answer that everyone there reads."""
    speak(closest_language(channel_locale(interaction)))


# Answers.


async def respond(interaction: MotuInteraction, **message: Any) -> int | None:
    """Send a message as the first response and return its id.

    Return None, and send nothing, if there was a first response before.
    """
    async with _first_response(interaction):
        if interaction.response.is_done() or ANSWERED_ELSEWHERE in interaction.extras:
            return None
        sent = await interaction.response.send_message(**message)
        return sent.message_id or 0
    return None


async def respond_with_form(interaction: MotuInteraction, modal: discord.ui.Modal) -> bool:
    """Open a form as the first response; return False if there was another one before."""
    async with _first_response(interaction):
        if ANSWERED_ELSEWHERE in interaction.extras:
            return True
        if interaction.response.is_done():
            return False
        await interaction.response.send_modal(modal)
    return True


async def show(
    interaction: MotuInteraction,
    content: str,
    parts: Iterable[Part] = (),
    pictures: Iterable[Picture | None] = (),
    *,
    public: bool = False,
) -> int:
    """Answer with a layout, or replace the answer so far; leave out pictures that are too large.

    The pictures come first, then the content and the parts below it. A public answer is refused if
    the user has caused too many lately. Returns the message's id if the answer was an edit, as it
    is after every deferral, else 0.
    """
    if public:
        service(interaction, PublicAnswers).admit(interaction.user.id, interaction.channel_id or 0)
    all_parts, files = [content, *parts], make_files(pictures)
    try:
        return await _show(interaction, all_parts, files, public)
    except discord.HTTPException as error:
        if error.code != error_codes.TOO_LARGE or not files:
            raise
        return await _show(interaction, all_parts, [], public)


async def _show(
    interaction: MotuInteraction, parts: Sequence[Part], files: list[discord.File], public: bool
) -> int:
    layout = layout_of(parts, files)
    if await respond(interaction, view=layout, files=files, ephemeral=not public) is not None:
        return 0
    # If Discord delivered the interaction twice, there must not be a second public message.
    if public and ANSWERED_ELSEWHERE not in interaction.extras:
        # Discord makes the first message after a private 'thinking…' private, too. So finish that
        # answer first; then a follow-up can be public.
        await edit_answer(interaction, [say("answer.shown")])
        await interaction.followup.send(view=layout, files=files)
        return 0
    answer = await edit_answer(interaction, parts, files)
    return answer.id


async def edit_answer(
    interaction: MotuInteraction, parts: Iterable[Part], files: Sequence[discord.File] = ()
) -> discord.InteractionMessage:
    """Replace the answer so far with a layout, even if it was a plain message."""
    return await interaction.edit_original_response(
        # A layout has neither, and Discord refuses to turn a message into one that keeps them.
        content=None,
        embeds=[],
        attachments=files,
        view=layout_of(parts, files),
    )


def edits_pressed_message(interaction: MotuInteraction) -> bool:
    """Whether the answer to a press replaces the message that was pressed."""
    return interaction.response.type is discord.InteractionResponseType.deferred_message_update


async def withdraw(interaction: MotuInteraction) -> None:
    """Delete the 'thinking…' of a command whose answer is another message."""
    deferred = discord.InteractionResponseType.deferred_channel_message
    if interaction.response.type is deferred:
        await interaction.delete_original_response()


async def show_words(
    interaction: MotuInteraction, text: str, parts: Iterable[Part] = (), head: str = ""
) -> None:
    """Answer with a board as text; attach it as a file if it is too long for a message."""
    block = f"{head}\n```\n{text.replace('```', '')}\n```".strip()
    if len(block) <= LAYOUT_TEXT:
        await show(interaction, block, parts)
    else:
        file = Picture(text.encode(), say("look.words"), "board.txt")
        await show(interaction, head or say("look.words"), parts, [file])


async def tell(
    interaction: MotuInteraction,
    content: str,
    parts: Iterable[Part] = (),
    files: Sequence[discord.File] = (),
    *,
    in_place: bool = True,
) -> None:
    """Send the user a private layout besides the answer, or as the answer if there is none.

    With `in_place`, it replaces a command's 'thinking…'. Otherwise it is a follow-up message,
    although Discord lets the first of those take the place of 'thinking…' as well.
    """
    is_replaced = interaction.extras.pop(REPLACES_MESSAGE, False)
    all_parts = [content, *parts]
    layout = layout_of(all_parts, files)
    if await respond(interaction, view=layout, files=files, ephemeral=True) is not None:
        return
    deferred = discord.InteractionResponseType.deferred_channel_message
    if in_place and (is_replaced or interaction.response.type is deferred):
        await edit_answer(interaction, all_parts, files)
    else:
        await interaction.followup.send(view=layout, files=files, ephemeral=True)


async def send_direct_message(client: MotuClient, user: int, text: str) -> None:
    """Send a direct message to a user, if they accept any."""
    try:
        channel = await client.create_dm(discord.Object(user))
        await channel.send(text)
    except DISCORD_ERRORS as error:
        log.info("couldn't send a direct message (%s)", type(error).__name__)


def make_files(pictures: Iterable[Picture | None]) -> list[discord.File]:
    """Make attachments of pictures, with their alt texts."""
    return [
        discord.File(io.BytesIO(p.data), p.name, description=p.alt)
        for p in pictures
        if p is not None
    ]


def max_file_bytes(interaction: MotuInteraction) -> int:
    """Return how large the files of an answer may be in the interaction's channel."""
    return min(MAX_FILE_BYTES, interaction.filesize_limit) - REQUEST_OVERHEAD_BYTES


def ping_only(users: Iterable[int]) -> discord.AllowedMentions:
    """Return the option that lets a message ping these users and nobody else."""
    return discord.AllowedMentions(users=[discord.Object(user) for user in users])


# Errors.


async def run_and_report(interaction: MotuInteraction, work: Awaitable[Any]) -> None:
    """Run a handler; any error becomes one private answer."""
    try:
        await work
    except Exception as error:
        await report(interaction, error)


async def report(interaction: MotuInteraction, error: Exception) -> None:
    """Answer with an error: a refusal says why, anything else gives the id of the log entry."""
    error = getattr(error, "original", error)
    if isinstance(error, discord.HTTPException) and error.code in error_codes.TOO_LATE:
        log.info("an answer came too late for Discord (%s)", error.code)
        logs.note_outcome("late")
        return
    if isinstance(error, NotServing):
        log.info("ignored a press: another process serves its shard now")
        logs.note_outcome("left")
        return
    parts = error.rows if isinstance(error, Question) else interaction.extras.get(ERROR_PARTS, ())
    if isinstance(error, BotError | EngineError):
        logs.note_outcome("refused")
        text = str(error)
    else:
        logs.note_outcome("failed")
        # If the move was saved and only the answer failed, the user must not repeat the move.
        press = logs.current_press()
        key = "refusal.not_shown" if press and press.has_saved else "refusal.failed"
        text = say(key, id=log_error(error))
    is_in_doubt = isinstance(error, StoreError)
    try:
        # In doubt, do not replace the answer: another process may have handled the interaction, and
        # given a better one.
        await tell(interaction, text, parts, in_place=not is_in_doubt)
    except DISCORD_ERRORS as failed:
        log.warning("couldn't answer an interaction: %s", type(failed).__name__)
    if is_in_doubt:
        check_later_if_saved(interaction)


def check_later_if_saved(interaction: MotuInteraction) -> None:
    """Check in the background whether a press was saved after all, and tell the user if it was.

    The user is never told that it was not: another process may still be handling it.
    """
    match_id: str = interaction.extras.get(NAMED_MATCH, "")

    async def tell_if_saved() -> None:
        for seconds in SAVED_CHECK_SECONDS:
            await asyncio.sleep(seconds)
            with suppress(StoreError, *DISCORD_ERRORS):
                if await interaction.client.kernel.store.read(
                    queries.handled_interaction, match_id, interaction.id
                ):
                    # A new message, because another process may have replaced the answer.
                    await interaction.followup.send(say("database.was_saved"), ephemeral=True)
                    return

    if match_id:
        track_task(tell_if_saved(), "tell-if-saved")
