"""The paths of the saves, and the match for new ones."""

from pathlib import Path
from random import Random

from engine import Match, Seat, begin
from tests.contract.checks import answers_of
from tests.contract.games import ALL
from tests.contract.player import play_out

HERE = Path(__file__).parent


def path_of(game_id: str, version: int, kind: str) -> Path:
    """Return the file of a version: kind is 'save' or 'snapshot'."""
    return HERE / game_id / f"v{version}.{kind}.json"


def some_match(game_id: str) -> Match:
    """Return a running match with all seats, a computer, a leaver and a draft."""
    game = ALL[game_id]
    seats = game.seats[-1]
    match = begin(game, seats, seed=f"kept {game_id}", computers=frozenset({Seat(seats - 1)}))
    half = play_out(match, Random(game_id)).number // 2
    match = play_out(match, Random(game_id), commits=half)
    if seats > 3:
        match = match.resign(Seat(1))
    return match if match.drafts else match.pick(answers_of(match.asked()[0], Random(0), 3)[0])
