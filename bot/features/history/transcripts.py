"""Finished matches written as a whole and verified: nothing of them is a secret any more."""

import asyncio
from collections.abc import Sequence
from itertools import zip_longest

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from bot.kernel import records
from bot.kernel.kernel import Kernel
from bot.kernel.records import Games
from bot.kernel.room import Room
from bot.model.stored import StoredCommit
from bot.runtime.errors import Refused
from bot.store import queries
from bot.text import say
from engine import Commit, EngineError, Match, begin, commitment
from engine.core.story import About, position_mark, tell
from engine.core.transcript import as_text, write
from engine.core.words import words_of


class Mistake(Struct, frozen=True):
    """The first move of a log that is not as it must be."""

    number: int
    """0 for the set-up."""
    what: str
    """A key of [verify]: `lost`, `illegal`, `position` or `told`."""
    why: str = ""


class Verdict(Struct, frozen=True, kw_only=True):
    """The result of comparing the log of a match with its seals, its positions and its outcome."""

    seeds: tuple[tuple[str, str, bool], ...]
    """The seal and the seed of all dice, and whether they belong together."""
    moves: int
    positions: int
    """How many positions were stored, and compared."""
    mistake: Mistake | None = None
    has_same_end: bool = True
    rules: tuple[int, int] | None = None
    """The versions that the match was played under and that there is now, if they differ."""

    @property
    def is_right(self) -> bool:
        """Whether everything is as it must be."""
        seals_fit = all(fits for _, _, fits in self.seeds)
        return self.mistake is None and self.has_same_end and seals_fit


class Transcripts:
    """Writes and verifies matches that have ended; refuses those that have not."""

    def __init__(self, kernel: Kernel) -> None:
        self._store = kernel.store
        self._cache = kernel.cache
        self._games = kernel.games

    async def transcript(self, match: str, about: About | None = None) -> str:
        """Return the full transcript of a match, answers and seed included."""
        await self._load_finished(match)
        kept = await self._cache.commits(match)
        return await asyncio.to_thread(write_transcript, kept, self._games, about)

    async def export(self, match: str, about: About) -> tuple[str, bytes]:
        """Return the full transcript of a match, and the match as JSON."""
        await self._load_finished(match)
        kept = await self._cache.commits(match)
        return await asyncio.to_thread(export_match, kept, self._games, about)

    async def verify(self, match: str) -> Verdict:
        """Compare the log of a match with its seals, its stored positions and its outcome."""
        room = await self._load_finished(match)
        seals = room.record.commitment.split()
        kept = await self._store.read(queries.commits, match)
        return await asyncio.to_thread(verify_log, kept, self._games, match, seals)

    async def _load_finished(self, match: str) -> Room:
        room = await self._cache.find(match)
        if not room.is_over:
            raise Refused(say("refusal.no_transcript"))
        return room


def write_transcript(kept: Sequence[StoredCommit], games: Games, about: About | None = None) -> str:
    """Return a whole match as text, from its stored positions: newer rules do not change it."""
    match, positions = _rebuild(kept, games)
    return write(match, about=about, stood=positions, rules=kept[0].rules)


def export_match(kept: Sequence[StoredCommit], games: Games, about: About) -> tuple[str, bytes]:
    """Return a whole match as text and as JSON."""
    match, positions = _rebuild(kept, games)
    words = words_of(match.game.id)
    story = tell(match, words, about, positions, kept[0].rules)
    return as_text(story, match, words), msgspec.json.format(msgspec.json.encode(story), indent=1)


def verify_log(kept: Sequence[StoredCommit], games: Games, match: str, seals: Sequence[str]) -> Verdict:
    """Play the log of a match again from its seed, and compare it with what was stored."""
    first = records.position(kept[0].snapshot, games)
    last = records.position(kept[-1].snapshot, games)
    commits = [records.commit(stored, first.game) for stored in kept]
    seeds = [first.seed, *(commit.seed for commit in commits if commit.seed)]
    # A seal that is missing, or one too many, fits nothing.
    pairs = [(seal, seed, commitment(match, seed) == seal) for seal, seed in zip_longest(seals, seeds, fillvalue="")]
    begun = begin(first.game, first.seats, dict(first.settings), first.seed, first.computers)
    ended, mistake = _play_again(begun, kept, commits, games)
    oldest = min(stored.rules for stored in kept)
    return Verdict(
        seeds=tuple(pairs),
        moves=len(kept) - 1,
        positions=sum(bool(stored.snapshot) for stored in kept),
        mistake=mistake,
        has_same_end=mistake is not None or ended.outcome == last.outcome,
        rules=(oldest, first.game.version) if oldest != first.game.version else None,
    )


def _play_again(
    begun: Match, kept: Sequence[StoredCommit], commits: Sequence[Commit], games: Games
) -> tuple[Match, Mistake | None]:
    """Return where the log leads, or how far it leads and the first mistake in it."""
    match, positions = begun, dict[int, Match]()
    for stored, commit in zip(kept, commits, strict=True):
        if stored.number:
            if stored.number != match.number + 1:
                return match, Mistake(match.number + 1, "lost")
            try:
                match = match.replay(commit, positions)
            except EngineError as error:
                return match, Mistake(stored.number, "illegal", str(error))
        told = match.last.events if match.last else match.prologue
        if told != commit.events:
            return match, Mistake(stored.number, "told")
        if stored.snapshot:
            position = records.position(stored.snapshot, games)
            if position_mark(match) != position_mark(position):
                return match, Mistake(stored.number, "position")
        match = positions[stored.number] = match.without_log()
    return match, None


def _rebuild(kept: Sequence[StoredCommit], games: Games) -> tuple[Match, list[Match]]:
    """Return a match with its whole log, and its positions at first and after each commit."""
    positions = [records.position(stored.snapshot, games) for stored in kept]
    last = positions[-1]
    set_up, *commits = [records.commit(stored, last.game) for stored in kept]
    return replace(last, prologue=set_up.events, commits=tuple(commits)), positions
