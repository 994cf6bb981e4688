"""Matches worth keeping, described in <game>/scenarios.toml and played by a simple rule.

`short = { setting = "value" }` in that file shortens the matches that other tests play.
"""

import re
import tomllib
from importlib import import_module
from pathlib import Path
from random import Random

import msgspec
from msgspec import Struct

from engine import Answer, Decision, Match, Option, Seat, begin
from engine.core.notation import quote_value
from engine.core.story import initial_computers, last_line, notation
from tests.contract.games import ALL, words_for

HERE = Path(__file__).parent


class Resignation(Struct, frozen=True):
    """A seat that resigns after a number of commits."""

    seat: int
    after: int


class Scenario(Struct, frozen=True, forbid_unknown_fields=True):
    """How a match is played. `name` is the file's."""

    name: str
    seats: int
    seed: str
    settings: dict[str, str] = {}
    aims: str = ""
    """A function of <game>/aims.py that says how far an option is from what is wanted; the
    nearest are picked.
    """
    avoids: str = ""
    """A pattern of keys that are only picked when nothing else is left."""
    offers: float = 0.0
    """How often an offer is taken."""
    resigns: tuple[Resignation, ...] = ()
    commits: int | None = None
    """Where to stop, if not at the end."""


def scenarios(game_id: str) -> list[Scenario]:
    """Return the scenarios of a game."""
    path = HERE / game_id / "scenarios.toml"
    raw = tomllib.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    return [msgspec.convert(entry, Scenario) for entry in raw.get("scenario", [])]


def play_scenario(game_id: str, scenario: Scenario) -> Match:
    """Play the match of a scenario."""
    match = begin(ALL[game_id], scenario.seats, scenario.settings, scenario.seed)
    rng = Random(scenario.seed)
    while match.outcome is None and match.number != scenario.commits:
        match = _next_commit(match, scenario, rng)
    return match


def text_of(match: Match) -> str:
    """Return the transcript to keep: version 1 has no hash of a position.

    So a State may change its shape without changing these files.
    """
    words = words_for(match.game)
    names = [f"P{seat + 1}" for seat in range(match.seats)]
    lines = [
        "motu transcript 1",
        f"game {match.game.id} {match.game.version}",
        f"seats {match.seats}",
    ]
    defaults = {setting.key: setting.default for setting in match.game.settings}
    lines += [
        f"set {key} {quote_value(value)}" for key, value in match.settings if value or defaults[key]
    ]
    lines += [f"computer p{seat + 1}" for seat in sorted(initial_computers(match))]
    lines.append(f"seed {quote_value(match.seed)}")
    stood = begin(
        match.game, match.seats, dict(match.settings), match.seed, initial_computers(match)
    )
    for commit in match.commits:
        told = [line for event in commit.events for line in words.event_lines(event, names)]
        comment = "  # " + " · ".join(told) if told else ""
        lines.append(f"{stood.number + 1} {notation(stood, commit)}{comment}")
        stood = stood.replay(commit)
    return "\n".join([*lines, last_line(match)]) + "\n"


def _next_commit(match: Match, scenario: Scenario, rng: Random) -> Match:
    for resignation in scenario.resigns:
        seat = Seat(resignation.seat - 1)
        if match.number >= resignation.after and seat not in match.resigned:
            return match.resign(seat)
    offers = [offer for seat in range(match.seats) for offer in match.offers(Seat(seat))]
    if offers and rng.random() < scenario.offers:
        return match.pick(_answer(match, rng.choice(offers), scenario, rng))
    seat = match.waiting_for()[0]
    while question := match.question(seat):
        match = match.pick(_answer(match, question, scenario, rng))
    return match.confirm(seat)


def _answer(match: Match, decision: Decision, scenario: Scenario, rng: Random) -> Answer:
    size = rng.randint(decision.at_least, decision.at_most)
    liked = _liked(match, decision, scenario) if size == 1 else list(decision.options)
    keys = tuple(option.key for option in rng.sample(liked, size))
    return Answer(decision.seat, decision.kind, keys)


def _liked(match: Match, decision: Decision, scenario: Scenario) -> list[Option]:
    options = list(decision.options)
    if scenario.avoids:
        options = [o for o in options if not re.fullmatch(scenario.avoids, o.key)] or options
    if scenario.aims:
        distance = getattr(import_module(f"tests.transcripts.{match.game.id}.aims"), scenario.aims)(
            match
        )
        nearest = min(map(distance, options))
        options = [option for option in options if distance(option) == nearest]
    return options
