"""The pictures of the README: four boards side by side, and a short film.

`python -m tests.render.readme` draws them anew; a test notices when they are out of date.
"""

from collections.abc import Sequence
from itertools import islice
from pathlib import Path

from PIL import Image

from engine import GAMES, Match, begin, visible
from engine.core.words import words_of
from engine.players.simple import stand_in
from render import Scene, draw
from render.film import Moment, make_film
from render.sample import NAMES

FOLDER = Path(__file__).parents[2] / ".github"
BOARDS = FOLDER / "boards.png"
FILM = FOLDER / "film.gif"
SHOWN = {"blue_lagoon": 0.72, "maori": 0.7, "polynesia": 0.6, "conquest": 0.9}
"""The games in their order, and how far into a match each board is."""
SEATS = 4
BOARD_WIDTH, GAP = 480, 12
"""Of a board, and between two of them, in pixels."""
BACKGROUND = (11, 34, 48)
FILMED = "blue_lagoon"
FRAMES = 14
FRAME_SECONDS = 0.9


def played(game: str) -> list[Match]:
    """Return all positions of a match between plain computer players."""
    matches = [begin(GAMES[game], SEATS, {}, f"readme {game}")]
    while waiting := matches[-1].waiting_for():
        matches.append(stand_in(matches[-1], waiting[0]))
    return matches


def scene_of(matches: Sequence[Match]) -> Scene:
    """Return the scene of the last position, with what happened in everybody's last turn."""
    events = [event for match in matches[-SEATS:] if match.last for event in match.last.events]
    return Scene(NAMES[:SEATS], events=visible(tuple(events), None))


def draw_boards() -> Image.Image:
    """Draw a late board of every game, side by side."""
    boards = []
    for game, part in SHOWN.items():
        matches = played(game)
        until = matches[: round(part * len(matches))]
        board = draw(until[-1].view(None), scene_of(until))
        height = round(board.height * BOARD_WIDTH / board.width)
        boards.append(board.resize((BOARD_WIDTH, height), Image.Resampling.LANCZOS))
    width = len(boards) * (BOARD_WIDTH + GAP) - GAP
    sheet = Image.new("RGB", (width, max(board.height for board in boards)), BACKGROUND)
    for number, board in enumerate(boards):
        sheet.paste(board, (number * (BOARD_WIDTH + GAP), 0))
    return sheet


def film() -> bytes:
    """Make a film of the last turns of a match."""
    matches = played(FILMED)
    words = words_of(FILMED)
    moments = []
    for match in islice(matches, len(matches) - FRAMES, None):
        view = match.view(None)
        events = visible(match.last.events if match.last else (), None)
        caption = " ".join(words.story(events, NAMES[:SEATS], view))
        label = f"{match.number}/{matches[-1].number}"
        moments.append(Moment(view, caption, events, label))
    made, _ = make_film(moments, NAMES[:SEATS], FRAME_SECONDS)
    return made


def main() -> None:
    """Write both files."""
    boards = draw_boards()
    colours = boards.quantize(256, dither=Image.Dither.NONE)
    colours.save(BOARDS, optimize=True)
    FILM.write_bytes(film())


if __name__ == "__main__":
    main()
