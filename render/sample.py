"""Positions of random matches, to look at, to train palettes on and to test with.

`python -m render.sample out.png [seats [moves]]` draws one.
"""

import random
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from engine import GAMES, Answer, Match, Seat, begin, visible
from render import Scene, picture

NAMES = ("Moana", "Tāne", "Keʻala", "Sina", "Rangi")


def played(
    game_id: str, seats: int, seed: int, settings: dict[str, Any] | None = None
) -> Iterator[Match]:
    """A random match, position by position; whatever gives something is liked better."""
    chance = random.Random(seed)
    match = begin(GAMES[game_id], seats, settings, seed)
    yield match
    while waiting := match.waiting_for():
        match = moved(match, waiting[0], chance)
        yield match


def moved(match: Match, seat: Seat, chance: random.Random) -> Match:
    """A random turn of a seat."""
    while decision := match.question(seat):
        view = match.view(seat)
        options = decision.options
        liked = [4 if option.spot and view.note(option.spot) else 1 for option in options]
        # The same option may be drawn twice: then those not drawn fill up what is asked for.
        # A question may have nothing to choose: it is closed by an answer without keys.
        picks = chance.choices(options, liked, k=decision.at_least) if options else []
        drawn = {option.key: None for option in picks}
        rest = [option.key for option in options if option.key not in drawn]
        answer = (*drawn, *rest)[: decision.at_least]
        match = match.pick(Answer(seat, decision.kind, answer))
    return match.confirm(seat)


TOLD = 3
"""The commits of which a sample marks what they told: as many as if two computers had played on."""


def scene_of(match: Match, private: bool = True) -> Scene:
    """The scene of the seat to move, or what everyone sees."""
    waiting = match.waiting_for()
    rings: tuple[str, ...] = ()
    if private and waiting:
        rings = _legal_spots(match, waiting[0])
    told = [event for commit in match.commits[-TOLD:] for event in commit.events]
    if private and waiting:
        told += match.draft(waiting[0]).events
    return Scene(
        NAMES[: match.seats],
        rings,
        events=visible(told, waiting[0] if private and waiting else None),
    )


def _legal_spots(match: Match, seat: Seat) -> tuple[str, ...]:
    """The spots of the question asked; if it is about none, those of the question that an answer
    to it leads to.
    """
    spots = _spots(match, seat)
    decision = match.question(seat)
    if spots or decision is None or decision.at_least != 1:
        return spots
    # Another option first in each position: or only the first action would ever be seen.
    turn = match.number % len(decision.options)
    for option in (*decision.options[turn:], *decision.options[:turn]):
        answered = match.pick(Answer(seat, decision.kind, (option.key,)))
        if spots := _spots(answered, seat):
            return spots
    return ()


def _spots(match: Match, seat: Seat) -> tuple[str, ...]:
    found = {option.spot: None for decision in match.decisions(seat) for option in decision.options}
    return tuple(spot for spot in found if spot)


def main() -> None:
    """Draw a position into a file."""
    path = Path(sys.argv[1])
    seats = int(sys.argv[2]) if len(sys.argv) > 2 else 4
    moves = int(sys.argv[3]) if len(sys.argv) > 3 else 140
    for number, match in enumerate(played("blue_lagoon", seats, 22, {"first": "1"})):
        if number == moves or not match.waiting_for():
            path.write_bytes(picture(match.view(None), scene_of(match)))
            return


if __name__ == "__main__":
    main()
