"""Plays one random match under all checks of the contract, and saves it if a check fails."""

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
"""The probability that somebody resigns after a commit."""


class Failure(Struct, frozen=True):
    """A match up to the commit before something went wrong."""

    match: Match
    trace: str


def fuzz_one(game_id: str, seed: str) -> Failure | int:
    """Play a random match under all checks; return the number of its commits."""
    game, rng = ALL[game_id], Random(seed)
    seats = rng.choice(list(game.seats))
    match = begin(game, seats, rng.choice(tables(game, seats)), seed)
    try:
        _check_all(match, rng)
        while match.outcome is None:
            for _, _, after in play(match, rng):
                match = after
                _check_all(match, rng)
                if match.outcome is None and rng.random() < RESIGNED:
                    match = match.resign(Seat(rng.choice(match.humans())))
                    break
        assert transcript.replay(transcript.write(match, words_for(game)), ALL) == match
    except Exception:
        return Failure(match, traceback.format_exc())
    return match.number


def _check_all(match: Match, rng: Random) -> None:
    """Check everything about a position; what takes long is checked only now and then."""
    events = match.last.events if match.last else match.prologue
    checks.check_somebody_is_asked(match)
    checks.check_questions(match)
    checks.check_all_is_worded(match, events)
    checks.check_values(match, events)
    checks.check_advance_is_idempotent(match)
    checks.check_secrets(match, rng)
    if rng.random() < 0.1:
        checks.check_saves(match)
    if match.outcome is None and rng.random() < 0.2:
        checks.check_offered_is_accepted(match, rng, most=8)
        checks.check_picks(match, rng)
        checks.check_anything_else_is_refused(match, rng)
        checks.check_simultaneous_answers_commute(match, rng)


def keep(failure: Failure, folder: Path, seed: str) -> Path:
    """Save a failing match as a transcript, or as a save if even that fails."""
    match = failure.match
    path = folder / f"{match.game.id}-{seed}.txt"
    folder.mkdir(parents=True, exist_ok=True)
    try:
        trace = "".join(f"# {line}\n" for line in failure.trace.splitlines())
        # Comments may stand only before a transcript, since every line in it has a checksum.
        path.write_text(trace + transcript.write(match, words_for(match.game)), encoding="utf-8")
    except Exception:
        path = path.with_suffix(".json")
        path.write_bytes(save(match))
    return path
