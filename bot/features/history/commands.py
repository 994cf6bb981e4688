"""/export and /verify: a finished match as files, and checked."""

import io
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile

import discord
from discord import app_commands

from bot.features.history.transcripts import Transcripts, Verdict
from bot.kernel.room import Room, everybody
from bot.runtime.errors import Refused
from bot.text import say
from bot.ui import completion, describe, reply
from bot.ui.client import MotuInteraction
from bot.ui.names import discreet, hidden_players, marked_names
from bot.ui.parts import CONTENT, lines_within
from bot.ui.which_match import my_match


@app_commands.allowed_contexts(dms=True)
@app_commands.command(name="export", description=say("command.export.description"))
@app_commands.describe(match=say("command.option.match"))
async def export(interaction: MotuInteraction, match: str | None = None) -> None:
    """Send a whole match, to the user alone: as text to read and to replay, and as JSON."""
    room = await _my_finished_match(interaction, match, "no_export")
    hidden = await hidden_players(interaction.client, everybody(room.record))
    transcripts = interaction.client.services.require(Transcripts)
    text, data = await transcripts.export(room.record.id, describe.about(room, hidden))
    name = f"{room.record.game}-{room.record.id}"
    files = {f"{name}-transcript.txt": text.encode(), f"{name}.json": data}
    if sum(map(len, files.values())) > reply.largest_files(interaction):
        files = {f"{name}.zip": _pack(files)}
    attachments = [discord.File(io.BytesIO(content), name) for name, content in files.items()]
    players = describe.players(discreet(room, hidden))
    said = say("export.done", game=describe.title(room), id=room.record.id, players=players)
    with reply.answering():
        await interaction.edit_original_response(content=said, attachments=attachments, allowed_mentions=reply.NOBODY)


def _pack(files: dict[str, bytes]) -> bytes:
    """Return files as one zip archive."""
    packed = io.BytesIO()
    with ZipFile(packed, "w", ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return packed.getvalue()


@app_commands.allowed_contexts(dms=True)
@app_commands.command(name="verify", description=say("command.verify.description"))
@app_commands.describe(match=say("command.option.match"))
async def verify(interaction: MotuInteraction, match: str | None = None) -> None:
    """Say, to the user alone, whether the dice were sealed and the log leads to the result."""
    room = await _my_finished_match(interaction, match, "no_verify")
    verdict = await interaction.client.services.require(Transcripts).verify(room.record.id)
    with reply.answering():
        lines = lines_within(_verdict_lines(room, verdict), CONTENT, "…")
        await reply.show(interaction, "\n".join(lines))


def _verdict_lines(room: Room, verdict: Verdict) -> list[str]:
    """Put a verdict into words that somebody understands who has only played."""
    facts: dict[str, Any] = {"game": describe.title(room), "id": room.record.id}
    lines = [say("verify.right" if verdict.is_right else "verify.wrong", **facts)]
    for number, (seal, seed, fits) in enumerate(verdict.seeds):
        key = "seal" if fits else "other_seal"
        lines.append(say(f"verify.{key}", again=number or None, seal=seal, seed=seed))
    mistake = verdict.mistake
    if mistake is None:
        lines.append(say("verify.moves", moves=verdict.moves, positions=verdict.positions))
        key = "end" if verdict.has_same_end else "other_end"
        if not room.playing().outcome:
            key = "no_end"
        lines.append(say(f"verify.{key}", result=describe.result(room, marked_names(room))))
    else:
        facts = {"number": mistake.number or None, "why": mistake.why}
        lines.append(say(f"verify.{mistake.what}", **facts))
    if verdict.rules is not None and not verdict.is_right:
        was, now = verdict.rules
        lines.append(say("verify.rules", was=was, now=now))
    return [*lines, say("verify.yourself", id=room.record.id)]


async def _my_finished_match(interaction: MotuInteraction, match: str | None, refusal: str) -> Room:
    """Return the match that somebody means; refuse while there are secrets in it."""
    room = await my_match(interaction, match, seated=False)
    room.playing()
    if not room.is_over:
        raise Refused(say(f"refusal.{refusal}", game=describe.title(room), id=room.record.id))
    return room


completion.offer(completion.matches_over, "match", export, verify)
