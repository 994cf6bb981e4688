"""Positions for every kind of decision of every game, questions and offers alike.

The kinds are taken from the game's texts. A decision without a text is found by the contract tests,
and a text for a decision that never comes up is found here.
"""

import tomllib
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from random import Random

from msgspec import Struct

import engine
from engine import GAMES, Decision, Match, Seat
from tests.contract.games import new_match, tables
from tests.contract.lookalikes import revealing_act
from tests.engine.conquest.rare import RARE
from tests.engine.conquest.wars import war
from tests.engine.polynesia.voyages import CARDS, voyage

MATCH_ACTS = 250
"""How many actions of a match to play."""
MATCHES_FOR_EACH = 40
"""How many matches to search per wanted position."""
PER_MATCH = 2
"""How many positions of a kind to take from one match, so that they differ."""


class Position(Struct, frozen=True):
    """A match in which a seat is asked a kind of question, or is offered it."""

    match: Match
    seat: Seat
    kind: str


@cache
def kinds_of(game_id: str) -> tuple[str, ...]:
    """Return all kinds of decisions of a game."""
    path = Path(engine.__file__).parent / game_id / "text" / "en.toml"
    return tuple(tomllib.loads(path.read_text(encoding="utf-8"))["decision"])


def positions(game_id: str, each: int) -> Iterator[Position]:
    """Yield the wanted number of positions of each kind, or fewer if a kind comes up too seldom."""
    found = Counter[str]()
    kinds = kinds_of(game_id)
    for number in range(MATCHES_FOR_EACH * each):
        if all(found[kind] >= each for kind in kinds):
            return
        rng = Random(f"{game_id} {number}")
        here = Counter[str]()
        for match in _walk(game_id, number, rng):
            for decision in _asked(match):
                seat, kind = decision.seat, decision.kind
                if kind not in kinds:
                    raise ValueError(f"{game_id} asks {kind}, which has no words")
                # Skip some chances, because the first is much the same in every match.
                if found[kind] >= each or here[kind] >= PER_MATCH or rng.random() < 0.5:
                    continue
                found[kind] += 1
                here[kind] += 1
                begun = match.draft(seat).answers if decision.blocking else ()
                yield Position(
                    match.without_log().without_drafts().replay_draft(seat, begun), seat, kind
                )


def _walk(game_id: str, number: int, rng: Random) -> Iterator[Match]:
    """Yield the positions of a match, action by action; seats and settings vary by `number`."""
    sizes = GAMES[game_id].seats
    seats = sizes[number % len(sizes)]
    turn = number // len(sizes)
    if game_id == "polynesia":
        seats, card = CARDS[number % len(CARDS)]
        yield from voyage(
            new_match(game_id, seats, {f"tide{card[0]}": card}, f"kinds {number}"), rng
        )
        return
    if game_id == "conquest":
        starts = (war, *RARE)
        match = starts[turn % len(starts)](seats, number)
    else:
        settings = tables(GAMES[game_id], seats)
        match = new_match(game_id, seats, settings[turn % len(settings)], f"kinds {number}")
    for _ in range(MATCH_ACTS):
        yield match
        if match.outcome is not None:
            return
        match = revealing_act(match, rng)


def _asked(match: Match) -> Iterator[Decision]:
    """Yield all current questions and offers, also in the middle of turns."""
    for seat in map(Seat, range(match.seats)):
        question = match.question(seat)
        if question is not None:
            yield question
        yield from match.offers(seat)
