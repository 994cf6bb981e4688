"""Count whole turns. Offers do not count, and of seats asked at once the first moves."""

import tomllib
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from engine import Answer, Decision, Event, Game, Seat, Table
from engine.core.game import full_settings
from tests.contract.games import ALL

HERE = Path(__file__).parent


class Entry(Struct, frozen=True, forbid_unknown_fields=True):
    """A table with its number of turns: after one turn, after two, and so on."""

    seats: int
    counts: tuple[int, ...]
    seed: str = "perft"
    settings: dict[str, str] = {}


def entries(game_id: str) -> list[Entry]:
    """Return the stored counts of a game."""
    path = HERE / f"{game_id}.toml"
    raw = tomllib.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    return [msgspec.convert(entry, Entry) for entry in raw.get("perft", [])]


def count_turns(game_id: str, entry: Entry) -> tuple[int, ...]:
    """Return the counts by the current rules."""
    game = ALL[game_id]
    table = Table(entry.seed)
    state = game.setup(entry.seats, full_settings(game, entry.seats, entry.settings), table)
    start = game.advance(state, table)
    return tuple(
        perft(game, start, entry.seed, table.draws, depth + 1) for depth in range(len(entry.counts))
    )


def perft(game: Game[Any], state: Any, seed: str, draws: int, depth: int) -> int:
    """Return the number of sequences of this many turns."""
    asked = [question.seat for question in game.questions(state)]
    if not asked or game.outcome(state) is not None:
        return 0
    turns = whole_turns(game, state, asked[0])
    if depth == 1:
        return sum(1 for _ in turns)
    return sum(_after(game, tip, seed, draws, depth - 1) for tip in turns)


def _after(game: Game[Any], tip: Any, seed: str, draws: int, depth: int) -> int:
    table = Table(seed, draws)
    state = game.advance(tip, table)
    return perft(game, state, seed, table.draws, depth)


def whole_turns(game: Game[Any], state: Any, seat: Seat) -> Iterator[Any]:
    """Yield the position after each turn of the seat that can be confirmed."""
    decision = next((question for question in game.questions(state) if question.seat == seat), None)
    if decision is None:
        yield state
        return
    for keys in _subsets(decision):
        yield from whole_turns(
            game, game.apply(state, Answer(seat, decision.kind, keys), _unheard), seat
        )


def _subsets(decision: Decision) -> Iterator[tuple[str, ...]]:
    keys = [option.key for option in decision.options]
    for size in range(decision.at_least, decision.at_most + 1):
        yield from combinations(keys, size)


def _unheard(event: Event) -> None:
    """Nobody listens."""
