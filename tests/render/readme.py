"""Draws the README's pictures: four boards side by side, and a short film.

`python -m tests.readme` redraws them; a test fails when they are out of date.
"""

from collections.abc import Sequence
from itertools import islice
from pathlib import Path

from PIL import Image

from engine import GAMES, Match, begin, visible
from engine.core import transcript
from engine.core.words import words_of
from engine.players.simple import stand_in
from render import Scene, draw
from render.film import Moment, make_film
from render.palette import BACKDROP
from render.sample import NAMES
from tests.transcripts.scenario import HERE

FOLDER = Path(__file__).parents[2] / ".github"
BOARDS = FOLDER / "boards.png"
FILM = FOLDER / "film.gif"
SHOWN = {"blue_lagoon": 0.72, "maori": 0.7, "polynesia": 0.75, "conquest": 0.9}
"""The games in their order, and how far into a match each board is."""
SEATS = 4
TRANSCRIPT = "four-seats.txt"
SHORT = {"conquest"}
"""Games whose golden transcript ends before there is much to see."""
BOARD_HEIGHT, GAP = 640, 12
"""The height of a board, and the gap between two boards, in pixels."""
FILMED = "blue_lagoon"
FRAMES = 14
FRAME_SECONDS = 0.9


def played(game: str) -> list[Match]:
    """Return all positions of a match: of the golden transcript, or between plain players."""
    if game in SHORT:
        matches = [begin(GAMES[game], SEATS, {}, f"readme {game}")]
        while waiting := matches[-1].waiting_for():
            matches.append(stand_in(matches[-1], waiting[0]))
        return matches
    over = transcript.replay((HERE / game / TRANSCRIPT).read_text(encoding="utf-8"))
    matches = [begin(over.game, over.seats, dict(over.settings), over.seed)]
    for commit in over.commits:
        matches.append(matches[-1].replay(commit))
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
        width = round(board.width * BOARD_HEIGHT / board.height)
        boards.append(board.resize((width, BOARD_HEIGHT), Image.Resampling.LANCZOS))
    width = sum(board.width + GAP for board in boards) - GAP
    sheet = Image.new("RGB", (width, BOARD_HEIGHT), BACKDROP)
    left = 0
    for board in boards:
        sheet.paste(board, (left, 0))
        left += board.width + GAP
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
    """Write boards and film."""
    colours = draw_boards().quantize(256, dither=Image.Dither.NONE)
    colours.save(BOARDS, optimize=True)
    FILM.write_bytes(film())
