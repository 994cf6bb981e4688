"""Positions of made-up matches, to look at, to train palettes on and to test with.

`python -m render.sample FILE [GAME ...]` draws boards side by side, as at the top of README.
"""

import random
import sys
from collections.abc import Iterable, Iterator
from io import BytesIO
from typing import Any

from PIL import Image

from engine import GAMES, Answer, Commit, Match, Seat, begin, visible
from engine.players.levels import think
from render import Scene, picture

SHOWN_SEED = 7
SHOWN_HEIGHT = 800
SHOWN_GAP = 16
"""Height of the boards drawn side by side, and the space between them, in pixels."""
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


def played_by_computers(game_id: str, seats: int, seed: int) -> Iterator[Match]:
    """Yield the positions of a match that steady computers play, the first one included."""
    match = begin(GAMES[game_id], seats, {}, seed)
    yield match
    while waiting := match.waiting_for():
        seat = waiting[0]
        thought = think(match.game, match.base, seat, f"sample {seat} {match.number}", "steady")
        if thought.offer is not None:
            match = match.pick(thought.offer)
        else:
            match = match.replay(Commit(seat, thought.answers))
        yield match


def draw_side_by_side(games: Iterable[str]) -> Image.Image:
    """Draw a position of each game, late in a match of four computers, next to each other."""
    boards = []
    for game in games:
        positions = list(played_by_computers(game, 4, SHOWN_SEED))
        match = positions[len(positions) * 2 // 3]
        data = picture(match.view(None), scene_of(match, private=False))
        with Image.open(BytesIO(data)) as board:
            width = round(board.width * SHOWN_HEIGHT / board.height)
            boards.append(board.convert("RGB").resize((width, SHOWN_HEIGHT)))
    total = sum(board.width for board in boards) + SHOWN_GAP * (len(boards) - 1)
    # Transparent gaps suit light and dark pages alike.
    together = Image.new("RGBA", (total, SHOWN_HEIGHT))
    left = 0
    for resized in boards:
        together.paste(resized, (left, 0))
        left += resized.width + SHOWN_GAP
    return together.quantize(256, Image.Quantize.FASTOCTREE)


def main() -> None:
    """Draw the games that are named, or all of them, into a file."""
    path, *games = sys.argv[1:]
    draw_side_by_side(games or GAMES).save(path, optimize=True)


if __name__ == "__main__":
    main()
