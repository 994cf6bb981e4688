"""/export writes a finished match to files, and /verify replays it to check that it was fair.

Both are only for matches that are over, in which nothing is secret any more.
"""

import asyncio
import io
from collections.abc import Sequence
from itertools import zip_longest

import discord
import msgspec
from msgspec import Struct
from msgspec.structs import replace

from bot.kernel import encoding, queries
from bot.kernel.encoding import Games
from bot.kernel.kernel import Kernel
from bot.kernel.room import Room, everyone_ever_seated
from bot.model import StoredCommit
from bot.runtime.base import Refused
from bot.text import say
from bot.ui import (
    CONTENT,
    MotuInteraction,
    describe,
    ended_matches,
    hidden_players,
    hide_names,
    lines_within,
    marked_names,
    my_ended_match,
    reply,
    slash,
)
from engine import commitment
from engine.core.story import About, position_mark, tell_story
from engine.core.words import words_of

OTHER_END = "other_end"
"""The mistake of a log whose replay has a different outcome."""


class Mistake(Struct, frozen=True):
    """The first move of a log that the check rejects."""

    number: int
    """0 for the set-up."""
    what: str
    """A key of [verify]: `lost`, `illegal`, `position`, `told` or `other_end`."""
    why: str = ""


class Verdict(Struct, frozen=True, kw_only=True):
    """The result of comparing the log of a match with its seals, its positions and its outcome."""

    seeds: tuple[tuple[str, str, bool], ...]
    """Each published hash with its seed, and whether they match."""
    moves: int
    positions: int
    """How many positions were stored, and compared."""
    mistake: Mistake | None = None
    rules: tuple[int, int] | None = None
    """The oldest version of the rules in the log and the current one, if they differ."""

    @property
    def is_right(self) -> bool:
        """Whether everything checks out."""
        return self.mistake is None and all(fits for _, _, fits in self.seeds)


@slash("export", dms=True)
async def export(interaction: MotuInteraction, match: str | None = None) -> None:
    """Send the user a whole match privately: as a text that can be replayed, and as JSON."""
    room = await _my_finished_match(interaction, match, "refusal.no_export")
    hidden = await hidden_players(interaction.client, everyone_ever_seated(room.record))
    text, data = await export_match(interaction.client.kernel, room, describe.about(room, hidden))
    name = f"{room.record.game}-{room.record.id}"
    files = {f"{name}-transcript.txt": text.encode(), f"{name}.json": data}
    if sum(map(len, files.values())) > reply.max_file_bytes(interaction):
        from zipfile import ZIP_DEFLATED, ZipFile  # Hardly ever needed.

        packed = io.BytesIO()
        with ZipFile(packed, "w", ZIP_DEFLATED) as archive:
            for file_name, content in files.items():
                archive.writestr(file_name, content)
        files = {f"{name}.zip": packed.getvalue()}
    attachments = [
        discord.File(io.BytesIO(content), file_name) for file_name, content in files.items()
    ]
    answer = say("export.done", **describe.facts(hide_names(room, hidden)))
    await reply.edit_answer(interaction, [answer], attachments)


@slash("verify", dms=True)
async def verify(interaction: MotuInteraction, match: str | None = None) -> None:
    """Tell the user privately whether the dice and the log of a match check out."""
    room = await _my_finished_match(interaction, match, "refusal.no_verify")
    verdict = await verify_match(interaction.client.kernel, room)
    lines = lines_within(_verdict_lines(room, verdict), CONTENT, "…")
    await reply.show(interaction, "\n".join(lines))


export.autocomplete("match")(ended_matches)
verify.autocomplete("match")(ended_matches)


async def _my_finished_match(
    interaction: MotuInteraction, match_id: str | None, refusal: str
) -> Room:
    """Return the match that a user means; refuse if it is not over."""
    room = await my_ended_match(interaction, match_id)
    room.playing()
    if not room.is_over:
        raise Refused(refusal, **describe.facts(room))
    return room


def _verdict_lines(room: Room, verdict: Verdict) -> list[str]:
    """Describe a verdict in words that players understand."""
    facts = describe.facts(room)
    lines = [say("verify.right" if verdict.is_right else "verify.wrong", **facts)]
    for number, (seal, seed, fits) in enumerate(verdict.seeds):
        key = "verify.seal" if fits else "verify.other_seal"
        lines.append(say(key, again=number or None, seal=seal, seed=seed))
    mistake, result = verdict.mistake, describe.result(room, marked_names(room))
    if mistake is None or mistake.what == OTHER_END:
        lines.append(say("verify.moves", moves=verdict.moves, positions=verdict.positions))
    if mistake is not None:
        after = mistake.number or None
        lines.append(say(f"verify.{mistake.what}", number=after, why=mistake.why, result=result))
    else:
        has_ended = room.playing().outcome is not None
        lines.append(say("verify.end" if has_ended else "verify.no_end", result=result))
    if verdict.rules is not None and not verdict.is_right:
        was, now = verdict.rules
        lines.append(say("verify.rules", was=was, now=now))
    return [*lines, say("verify.yourself", id=room.record.id)]


async def export_match(kernel: Kernel, room: Room, about: About | None = None) -> tuple[str, bytes]:
    """Return the full transcript of a finished match, with answers and seeds, as text and JSON.

    It is written from the stored positions, so newer rules do not change it.
    """

    def write() -> tuple[str, bytes]:
        from engine.core.transcript import as_text  # Hardly ever needed.

        positions = [encoding.decode_position(stored.snapshot, kernel.games) for stored in kept]
        last = positions[-1]
        set_up, *commits = [encoding.decode_commit(stored, last.game) for stored in kept]
        match = replace(last, prologue=set_up.events, commits=tuple(commits))
        story = tell_story(match, None, about, positions, kept[0].rules)
        data = msgspec.json.format(msgspec.json.encode(story), indent=1)
        return as_text(story, match, words_of(match.game.id)), data

    _must_be_over(room)
    kept = await kernel.matches.commits(room.record.id)
    return await asyncio.to_thread(write)


async def verify_match(kernel: Kernel, room: Room) -> Verdict:
    """Compare the log of a finished match with its seals, its stored positions and its outcome."""
    _must_be_over(room)
    kept = await kernel.store.read(queries.commits, room.record.id)
    return await asyncio.to_thread(
        verify_log, kept, kernel.games, room.record.id, room.record.commitment.split()
    )


def _must_be_over(room: Room) -> None:
    # Answers and seeds stay secret until the match ends, for everyone.
    if not room.is_over:
        raise Refused("refusal.no_transcript")


def verify_log(
    kept: Sequence[StoredCommit], games: Games, match_id: str, seals: Sequence[str]
) -> Verdict:
    """Replay the log of a match from its seed, and compare it with what was stored."""
    first = encoding.decode_position(kept[0].snapshot, games)
    commits = [encoding.decode_commit(stored, first.game) for stored in kept]
    seeds = [first.seed, *(commit.seed for commit in commits if commit.seed)]
    # A missing hash, or one too many, matches nothing.
    pairs = [
        (seal, seed, commitment(match_id, seed) == seal)
        for seal, seed in zip_longest(seals, seeds, fillvalue="")
    ]
    oldest = min(stored.rules for stored in kept)
    return Verdict(
        seeds=tuple(pairs),
        moves=len(kept) - 1,
        positions=sum(bool(stored.snapshot) for stored in kept),
        mistake=_find_mistake(kept, games),
        rules=(oldest, first.game.version) if oldest != first.game.version else None,
    )


def _find_mistake(stored_commits: Sequence[StoredCommit], games: Games) -> Mistake | None:
    """Return the first mistake in a log; None if it leads to the outcome of the match."""
    # Up to the first gap in the numbers.
    unbroken = [stored for number, stored in enumerate(stored_commits) if stored.number == number]
    number, played, stored_position = -1, None, None
    try:
        for number, played, stored_position in encoding.replay_from_seed(unbroken, games):
            if stored_position is not None and position_mark(played) != position_mark(
                stored_position
            ):
                return Mistake(number, "position")
    except Refused as error:
        if error.__cause__ is None:
            return Mistake(number + 1, "told")
        return Mistake(number + 1, "illegal", str(error.__cause__))
    if len(unbroken) < len(stored_commits):
        return Mistake(len(unbroken), "lost")
    if played and stored_position and played.outcome != stored_position.outcome:
        return Mistake(number, OTHER_END)
    return None
