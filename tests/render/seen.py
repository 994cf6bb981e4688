"""Views and scenes of random matches, for tests that draw many pictures."""

import random
from collections.abc import Iterator
from functools import cache
from typing import Any

import msgspec

from engine import GAMES, Answer, Event, Match, Seat, View, visible
from render import Scene
from render.sample import NAMES, play_randomly

SETTINGS: dict[str, tuple[dict[str, Any], ...]] = {
    "maori": (
        {},
        {"board": "atoll", "rules": "advanced"},
        {"rules": "pro"},
        {"board": "atoll"},
        {"rules": "advanced"},
    ),
}
"""Settings that matches are played with besides the defaults."""
LONG_NAMES = (
    "Wilhelmina Featherstonehaugh-Wym",
    "南十字星の下で貝殻を数える長老の孫娘と三艘の大きな帆船と白い鳥",
    "الملاح العظيم عبد الرحمن بن يوسف",
    "दक्षिण समुद्र के महान नाविक वीरेंद्र",
    "WWWWWWWWWWWWWWWW🌺🌊WWWWWWWWWWWWWW",
)
"""Names as long as Discord allows, and in scripts that are wide or high."""
AWAY = 14
"""The number of commits that somebody has missed who was away for some turns."""
Seen = tuple[View, Scene]


@cache
def match_of(game: str, seats: int, seed: int) -> tuple[Match, ...]:
    """Return a random match, position by position."""
    settings = SETTINGS.get(game, ({},))[seed % len(SETTINGS.get(game, ({},)))]
    if settings.get("board") == "atoll" and seats == 5:
        settings = {}  # only four have one
    return tuple(play_randomly(game, seats, seed, settings))


def visible_events(match: Match, commits: int, viewer: Seat | None) -> tuple[Event, ...]:
    """Return the events of the last commits that a viewer sees."""
    events = [event for commit in match.commits[-commits:] for event in commit.events]
    return visible(events, viewer)


def public(match: Match, commits: int = 1) -> Seen:
    """Return the picture that everyone sees after the last commits."""
    return match.view(None), Scene(
        NAMES[: match.seats], events=visible_events(match, commits, None)
    )


def questions(match: Match, chance: random.Random, commits: int = 1) -> Iterator[Seen]:
    """Yield the pictures that the seat to move sees, question by question."""
    if not match.waiting_for():
        return
    seat = match.waiting_for()[0]
    while decision := match.question(seat):
        spots = dict.fromkeys(
            option.spot for asked in match.decisions(seat) for option in asked.options
        )
        events = (*visible_events(match, commits, seat), *visible(match.draft(seat).events, seat))
        rings = tuple(spot for spot in spots if spot)
        yield match.view(seat), Scene(NAMES[: match.seats], rings, events=events)
        number = max(1, decision.at_least) if decision.at_most else 0
        keys = [
            option.key
            for option in chance.sample(decision.options, min(number, len(decision.options)))
        ]
        match = match.pick(Answer(seat, decision.kind, tuple(keys)))


def positions(game: str, number: int) -> Iterator[tuple[str, Seen]]:
    """Return pictures of a game by name: of all seat counts, public and for every question."""
    chance = random.Random(number)
    given, seed = 0, 0
    while True:
        for seats in GAMES[game].seats:
            seed += 1
            matches = match_of(game, seats, seed)
            # One position from each fifth of the match: two with the news since a seat's last
            # turn, and one with the news for somebody who was away for long.
            for part, commits in enumerate((seats, 1, AWAY, 1, seats)):
                match = matches[int((part + chance.random()) * len(matches) / 5)]
                shown = [public(match, commits), *questions(match, chance, commits)]
                for number_of, (view, scene) in enumerate(shown):
                    # Every other picture has long names, which go around the seats.
                    turn = given // 2 % len(LONG_NAMES)
                    names = (
                        (*LONG_NAMES[turn:], *LONG_NAMES[:turn])[:seats]
                        if given % 2
                        else scene.names
                    )
                    name = (
                        f"{game} {seats} seats, seed {seed}, commit {match.number}, "
                        f"picture {number_of}"
                    )
                    yield name, (view, msgspec.structs.replace(scene, names=names))
                    given += 1
                    if given == number:
                        return
        match_of.cache_clear()
