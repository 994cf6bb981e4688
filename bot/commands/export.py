"""/export and /verify: a finished match as files, and checked."""

import io
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile

import discord
from discord import app_commands

from bot import reply
from bot.commands import completion
from bot.components.items import Asked
from bot.components.parts import CONTENT, lines_within
from bot.errors import Refused
from bot.matches.room import Room, everybody
from bot.matches.telling import Verdict
from bot.text import describe, say
from bot.text.names import discreet, marked_names
from bot.which_match import my_match


@app_commands.command(name="export", description=say("command.export.description"))
@app_commands.describe(match=say("command.option.match"))
async def export(interaction: Asked, match: str | None = None) -> None:
    """The whole match as a text to read and to replay, and as JSON; to whoever asks alone."""
    room = await _over(interaction, match, "no_export")
    matches = interaction.client.matches
    hidden = await matches.standing.hidden(everybody(room.info))
    text, data = await matches.exported(room.info.id, describe.about(room, hidden))
    name = f"{room.info.game}-{room.info.id}"
    files = _within({f"{name}-transcript.txt": text.encode(), f"{name}.json": data}, f"{name}.zip", interaction)
    players = describe.players(discreet(room, hidden))
    said = say("export.done", game=describe.title(room), id=room.info.id, players=players)
    with reply.answering():
        await interaction.edit_original_response(content=said, attachments=files, allowed_mentions=reply.NOBODY)


def _within(files: dict[str, bytes], packed: str, interaction: Asked) -> list[discord.File]:
    """Files as attachments; those that are too large for this place are packed into one."""
    if sum(map(len, files.values())) > reply.largest_files(interaction):
        pack = io.BytesIO()
        with ZipFile(pack, "w", ZIP_DEFLATED) as archive:
            for name, data in files.items():
                archive.writestr(name, data)
        files = {packed: pack.getvalue()}
    return [discord.File(io.BytesIO(data), name) for name, data in files.items()]


@app_commands.command(name="verify", description=say("command.verify.description"))
@app_commands.describe(match=say("command.option.match"))
async def verify(interaction: Asked, match: str | None = None) -> None:
    """Whether the dice were sealed and the log leads to the result, in words; to whoever asks alone."""
    room = await _over(interaction, match, "no_verify")
    verdict = await interaction.client.matches.verified(room.info.id)
    with reply.answering():
        await reply.show(interaction, "\n".join(lines_within(_lines(room, verdict), CONTENT, "…")))


def _lines(room: Room, verdict: Verdict) -> list[str]:
    """What was found, in words that somebody understands who has only played."""
    facts: dict[str, Any] = {"game": describe.title(room), "id": room.info.id}
    lines = [say("verify.right" if verdict.is_right else "verify.wrong", **facts)]
    for number, (seal, seed, fits) in enumerate(verdict.seeds):
        key = "seal" if fits else "other_seal"
        lines.append(say(f"verify.{key}", again=number or None, seal=seal, seed=seed))
    names, wrong = marked_names(room), verdict.wrong
    if wrong is None:
        lines.append(say("verify.moves", moves=verdict.moves, positions=verdict.positions))
        key = ("end" if verdict.has_same_end else "other_end") if room.playing().outcome else "no_end"
        lines.append(say(f"verify.{key}", result=describe.result(room, names)))
    else:
        lines.append(say(f"verify.{wrong.what}", number=wrong.number or None, why=wrong.why))
    if verdict.rules is not None and not verdict.is_right:
        was, now = verdict.rules
        lines.append(say("verify.rules", was=was, now=now))
    return [*lines, say("verify.yourself", id=room.info.id)]


async def _over(interaction: Asked, match: str | None, refusal: str) -> Room:
    """The match that somebody means; refused while there are secrets in it."""
    room = await my_match(interaction, match, seated=False)
    room.playing()
    if not room.is_over:
        raise Refused(say(f"refusal.{refusal}", game=describe.title(room), id=room.info.id))
    return room


completion.offer(completion.matches_over, "match", export, verify)


COMMANDS: tuple[app_commands.Command[Any, Any, Any], ...] = (export, verify)
