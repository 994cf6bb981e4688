"""Matches that are over, told as a whole and verified: all of it is known to everybody then."""

from collections.abc import Sequence

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from bot.matches import records
from bot.matches.records import Games
from bot.store.base import StoredCommit
from engine import Commit, EngineError, Match, begin, commitment
from engine.core.story import About, position_mark, tell
from engine.core.transcript import as_text, write
from engine.core.words import words_of


class Wrong(Struct, frozen=True):
    """The first move of a log that is not as it must be."""

    number: int
    """0 for the set-up."""
    what: str
    """A key of [verify]: `lost`, `illegal`, `position` or `told`."""
    why: str = ""


class Verdict(Struct, frozen=True, kw_only=True):
    """What came of it when the log of a match was held against its seals, its positions and its result."""

    seeds: tuple[tuple[str, str, bool], ...]
    """The seal and the seed of all dice, and whether they belong together."""
    moves: int
    positions: int
    """How many positions were kept, and compared."""
    wrong: Wrong | None = None
    has_same_end: bool = True
    rules: tuple[int, int] | None = None
    """The versions that the match was played under and that there is now, if they differ."""

    @property
    def is_right(self) -> bool:
        """Whether all is as it must be."""
        return self.wrong is None and self.has_same_end and all(fits for _, _, fits in self.seeds)


def transcript(kept: Sequence[StoredCommit], games: Games, about: About | None = None) -> str:
    """The whole match as text, from the positions that were kept: a later change of the rules leaves it as it was."""
    match, stood = _whole(kept, games)
    return write(match, about=about, stood=stood, rules=kept[0].rules)


def exported(kept: Sequence[StoredCommit], games: Games, about: About) -> tuple[str, bytes]:
    """The same, and as JSON."""
    match, stood = _whole(kept, games)
    words = words_of(match.game.id)
    story = tell(match, words, about, stood, kept[0].rules)
    return as_text(story, match, words), msgspec.json.format(msgspec.json.encode(story), indent=1)


def verified(kept: Sequence[StoredCommit], games: Games, match: str, seals: Sequence[str]) -> Verdict:
    """The log of a match played again from its seed and compared with all that was kept."""
    first, last = records.position(kept[0].snapshot, games), records.position(kept[-1].snapshot, games)
    commits = [records.commit(stored, first.game) for stored in kept]
    seeds = [first.seed, *(commit.seed for commit in commits if commit.seed)]
    # A seal that is missing, or one too many, fits nothing.
    pairs = [(*pair, commitment(match, pair[1]) == pair[0]) for pair in _paired(seals, seeds)]
    begun = begin(first.game, first.seats, dict(first.settings), first.seed, first.computers)
    ended, wrong = _played_again(begun, kept, commits, games)
    oldest = min(stored.rules for stored in kept)
    return Verdict(
        seeds=tuple(pairs),
        moves=len(kept) - 1,
        positions=sum(bool(stored.snapshot) for stored in kept),
        wrong=wrong,
        has_same_end=wrong is not None or ended.outcome == last.outcome,
        rules=(oldest, first.game.version) if oldest != first.game.version else None,
    )


def _paired(seals: Sequence[str], seeds: Sequence[str]) -> list[tuple[str, str]]:
    number = max(len(seals), len(seeds))
    return list(zip([*seals, *[""] * (number - len(seals))], [*seeds, *[""] * (number - len(seeds))], strict=True))


def _played_again(
    begun: Match, kept: Sequence[StoredCommit], commits: Sequence[Commit], games: Games
) -> tuple[Match, Wrong | None]:
    """Where the log leads, or the first move in it that is wrong."""
    match, stood = begun, dict[int, Match]()
    for stored, commit in zip(kept, commits, strict=True):
        if stored.number:
            if stored.number != match.number + 1:
                return match, Wrong(match.number + 1, "lost")
            try:
                match = match.replay(commit, stood)
            except EngineError as error:
                return match, Wrong(stored.number, "illegal", str(error))
        told = match.last.events if match.last else match.prologue
        if told != commit.events:
            return match, Wrong(stored.number, "told")
        if stored.snapshot and position_mark(match) != position_mark(records.position(stored.snapshot, games)):
            return match, Wrong(stored.number, "position")
        match = stood[stored.number] = match.without_log()
    return match, None


def _whole(kept: Sequence[StoredCommit], games: Games) -> tuple[Match, list[Match]]:
    """The match with its whole log, and as it stood at first and after each commit."""
    stood = [records.position(stored.snapshot, games) for stored in kept]
    set_up, *commits = [records.commit(stored, stood[-1].game) for stored in kept]
    return replace(stood[-1], prologue=set_up.events, commits=tuple(commits)), stood
