"""A match under all checks, and what is kept of one that fails."""

import traceback
from pathlib import Path
from random import Random

from msgspec import Struct

from engine import Match, Seat, begin, save
from engine.core import transcript
from tests.contract import checks
from tests.contract.games import ALL, tables, words_for
from tests.contract.player import play

RESIGNED = 0.004
"""How often somebody gives up, an act."""


class Failure(Struct, frozen=True):
    """A match up to the commit before something went wrong."""

    match: Match
    trace: str


def fuzz_one(game_id: str, seed: str) -> Failure | int:
    """One match at a table drawn by the seed; the number of its commits if all went well."""
    game, rng = ALL[game_id], Random(seed)
    seats = rng.choice(list(game.seats))
    match = begin(game, seats, rng.choice(tables(game, seats)), seed)
    try:
        _watch(match, rng)
        while match.outcome is None:
            for _, _, after in play(match, rng):
                match = after
                _watch(match, rng)
                if match.outcome is None and rng.random() < RESIGNED:
                    match = match.resign(Seat(rng.choice(match.humans())))
                    break
        assert transcript.replay(transcript.write(match, words_for(game)), ALL) == match
    except Exception:
        return Failure(match, traceback.format_exc())
    return match.number


def _watch(match: Match, rng: Random) -> None:
    told = match.last.events if match.last else match.prologue
    checks.somebody_is_asked(match)
    checks.questions_are_sound(match)
    checks.all_is_worded(match, told)
    checks.values_are_values(match, told)
    checks.advance_is_idempotent(match)
    checks.secrets_are_kept(match, rng)
    if rng.random() < 0.1:
        checks.saves_load_equal(match)
    if match.outcome is None and rng.random() < 0.2:
        checks.offered_is_accepted(match, rng, most=8)
        checks.picks_are_private_and_undone(match, rng)
        checks.anything_else_is_refused(match, rng)
        checks.simultaneous_answers_commute(match, rng)


def keep(failure: Failure, folder: Path, seed: str) -> Path:
    """The failing match written down: as a transcript, or as a save if even that fails."""
    match = failure.match
    path = folder / f"{match.game.id}-{seed}.txt"
    folder.mkdir(parents=True, exist_ok=True)
    try:
        trace = "".join(f"# {line}\n" for line in failure.trace.splitlines())
        # Before the transcript may stand what one likes; in it every line is marked.
        path.write_text(trace + transcript.write(match, words_for(match.game)), encoding="utf-8")
    except Exception:
        path = path.with_suffix(".json")
        path.write_bytes(save(match))
    return path
