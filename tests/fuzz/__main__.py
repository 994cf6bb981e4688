"""Play random matches under all checks until the time is up; write failing ones as transcripts."""

import argparse
import itertools
import secrets
import sys
import time
from pathlib import Path

from tests.contract.games import ALL
from tests.fuzz.run import Failure, fuzz_one, keep


def arguments() -> argparse.Namespace:
    """Parse what to play and for how long."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--minutes", type=float, default=1.0)
    parser.add_argument("--game", choices=sorted(ALL), help="one game only; else all in turn")
    parser.add_argument(
        "--seed", default=secrets.token_hex(4), help="the first part of every match's seed"
    )
    parser.add_argument(
        "--into", type=Path, default=Path("fuzz-failures"), help="where failing matches go"
    )
    return parser.parse_args()


def main() -> int:
    """Play until the time is up; return how many games failed."""
    options = arguments()
    games = [options.game] if options.game else list(ALL)
    end = time.monotonic() + 60 * options.minutes
    matches = commits = 0
    for count in itertools.count():
        if time.monotonic() > end or not games:
            break
        game_id = games[count % len(games)]
        seed = f"{options.seed}-{count}"
        result = fuzz_one(game_id, seed)
        if isinstance(result, Failure):
            print(f"{game_id} {seed} fails: {keep(result, options.into, seed)}\n{result.trace}")
            games.remove(game_id)
        else:
            matches, commits = matches + 1, commits + result
    failed = (1 if options.game else len(ALL)) - len(games)
    print(f"seed {options.seed}: {matches} matches with {commits} commits passed, {failed} failed")
    return failed


if __name__ == "__main__":
    sys.exit(main())
