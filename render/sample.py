"""Positions of random matches, to look at, to train palettes on and to test with.

`python -m render.sample out.png [seats [moves]]` draws one.
"""

import random
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from engine import GAMES, Answer, Match, Seat, begin
from render import Scene, picture

NAMES = ("Moana", "Tāne", "Keʻala", "Sina", "Rangi")


def played(game_id: str, seats: int, seed: int, settings: dict[str, Any] | None = None) -> Iterator[Match]:
    """A random match, position by position; whatever gives something is liked better."""
    match, chance = begin(GAMES[game_id], seats, settings, seed), random.Random(seed)
    yield match
    while waiting := match.waiting_for():
        match = _moved(match, waiting[0], chance)
        yield match


def _moved(match: Match, seat: Seat, chance: random.Random) -> Match:
    while not match.is_complete(seat):
        decision, view = match.decisions(seat)[0], match.view(seat)
        options = decision.options
        liked = [4 if option.spot and view.note(option.spot) else 1 for option in options]
        keys = {option.key: None for option in chance.choices(options, liked, k=decision.at_least)}
        rest = [option.key for option in options if option.key not in keys]
        answer = (*keys, *rest)[: decision.at_least]
        match = match.pick(Answer(seat, decision.kind, answer))
    return match.confirm(seat)


def scene_of(match: Match, private: bool = True) -> Scene:
    """The scene of the seat to move, or what everyone sees."""
    waiting = match.waiting_for()
    rings: dict[str, None] = {}
    if private and waiting:
        rings = {option.spot: None for decision in match.decisions(waiting[0]) for option in decision.options}
    return Scene(NAMES[: match.seats], tuple(spot for spot in rings if spot))


def main() -> None:
    """Draw a position into a file."""
    path, seats, moves = Path(sys.argv[1]), int([*sys.argv[2:], "4"][0]), int([*sys.argv[3:], "140"][0])
    for number, match in enumerate(played("blue_lagoon", seats, 22)):
        if number == moves or not match.waiting_for():
            path.write_bytes(picture(match.view(None), scene_of(match)))
            return


if __name__ == "__main__":
    main()
