"""Draws every kind of picture of every game, for people to look at.

`python -m tests.render.gallery FOLDER [GAME ...]` draws them at full size into FOLDER/GAME, and
into FOLDER as contact sheets: as wide as on phones, on a light and a dark page, and as colour-blind
eyes see them.
"""

import io
import sys
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

from msgspec.structs import replace
from PIL import Image

from engine import GAMES, Answer, Match, Seat, visible
from engine.core.words import words_of
from engine.players.simple import choose_keys
from render import Scene, picture, score_sheet
from render.curves import MarkedMoment
from render.curves import draw as draw_curves
from render.film import Moment, make_film
from render.poster import draw_poster
from render.sample import NAMES, play_computers
from tests.render.colour_blind import KINDS, simulate
from tests.render.seen import LONG_NAMES

PARTS = {"early": 0.1, "middle": 0.45, "late": 0.8}
"""How far into a match public boards are shown."""
SEED = 7
FILMED = 3
SHEET_WIDTH = 1500
GAP = 12
PAGES = {"dark": (49, 51, 56), "light": (255, 255, 255)}
"""The colours of Discord's pages."""
PHONES = (400, 320)
DATE = "18 November 2026"
Draw = Callable[[], bytes | None]
Named = tuple[str, Draw]


def public_scene(matches: list[Match], commits: int) -> Scene:
    """Return the public view and scene of the last position, with the news of some commits."""
    last = [match.last for match in matches[-commits:] if match.last]
    events = tuple(event for commit in last for event in commit.events)
    return Scene(NAMES[: matches[-1].seats], events=visible(events, None))


def private_scenes(match: Match) -> Iterator[tuple[str, Match, Scene]]:
    """Yield the private view and scene at each question of a seat's turn."""
    seat = match.waiting_for()[0]
    while decision := match.question(seat):
        spots = [option.spot for option in decision.options if option.spot]
        rings = tuple(dict.fromkeys(spots))
        events = visible(match.draft(seat).events, seat)
        yield decision.kind, match, Scene(NAMES[: match.seats], rings, events=events)
        match = match.pick(Answer(seat, decision.kind, choose_keys(match, decision)))


def boards(matches: list[Match]) -> Iterator[Named]:
    """Yield public boards, and a private one with its hint for every kind of question."""
    seats = matches[0].seats
    for name, part in PARTS.items():
        until = matches[: max(2, round(part * len(matches)))]
        scene = public_scene(until, seats)
        yield f"public_{name}", partial(picture, until[-1].view(None), scene)
    yield "final", partial(picture, matches[-1].view(None), public_scene(matches, seats))
    found: dict[str, tuple[Match, Seat, Scene]] = {}
    # When a question comes for the second time, there is more on the board.
    for start in (len(matches) // 2, 0):
        for match in matches[start:-1]:
            for kind, drafted, scene in private_scenes(match):
                found.setdefault(kind, (drafted, match.waiting_for()[0], scene))
    for kind, (drafted, seat, scene) in found.items():
        yield f"private_{kind}", partial(picture, drafted.view(seat), scene)
        if scene.rings:
            advised = replace(scene, rings=scene.rings[:1], ringed="advised")
            yield f"hint_{kind}", partial(picture, drafted.view(seat), advised)


def sheets(matches: list[Match], names: tuple[str, ...] = ()) -> Iterator[Named]:
    """Yield score sheets, curves, posters and the end of a film."""
    game, seats, end = matches[0].game.id, matches[0].seats, matches[-1]
    names = names or NAMES[:seats]
    view = end.view(None)
    yield "scores", partial(score_sheet, view, Scene(names))
    under_way = matches[len(matches) * 2 // 3].view(None)
    yield "scores_so_far", partial(score_sheet, under_way, Scene(names, so_far=True))
    expected = [match.view(None).scores for match in matches]
    captioned = [number for number, match in enumerate(matches) if caption_of(match, names)]
    places = [captioned[round(part * (len(captioned) - 1))] for part in (0.3, 0.55, 0.9)]
    marked = [
        MarkedMoment(str(number), place, mover_of(matches[place]))
        for number, place in enumerate(places, start=1)
    ]
    phases = (len(matches) // 2,)
    title = GAMES[game].title
    yield "curves", partial(draw_curves, title, expected, names, marked, phases)
    captions = tuple(f"Move {place}: {caption_of(matches[place], names)}" for place in places)
    yield "poster", partial(draw_poster, view, names, expected, marked, captions, DATE, phases)
    until = len(matches) // 3
    left = matches[until]
    for seat in range(seats - 1):
        left = left.resign(Seat(seat))
    yield "final_left", partial(picture, left.view(None), Scene(names))
    few = expected[: until + 1]
    yield "poster_left", partial(draw_poster, left.view(None), names, few, (), (), DATE)


def mover_of(match: Match) -> int:
    """Return the seat that made the last commit."""
    return match.last.seat if match.last else 0


def caption_of(match: Match, names: tuple[str, ...]) -> str:
    """Return what the last commit did, in words."""
    events = visible(match.last.events if match.last else (), None)
    return " ".join(words_of(match.game.id).story(events, names, match.view(None)))


def posed_positions(game: str) -> Iterator[Named]:
    """Yield the posed positions that a palette is also trained on, which matches rarely reach."""
    if find_spec(f"render.{game}.sample"):
        for number, (view, scene) in enumerate(import_module(f"render.{game}.sample").posed()):
            yield f"posed_{number}", partial(picture, view, scene)


def film_frames(matches: list[Match]) -> Iterator[Named]:
    """Yield the last frames of a film."""
    names = NAMES[: matches[0].seats]
    moments = []
    for match in matches[-FILMED:]:
        events = visible(match.last.events if match.last else (), None)
        label = f"{match.number} of {matches[-1].number}"
        moments.append(Moment(match.view(None), caption_of(match, names), events, label))
    film, _ = make_film(moments, names, 1)
    with Image.open(io.BytesIO(film)) as reel:
        for number in range(reel.n_frames):
            reel.seek(number)
            data = io.BytesIO()
            frame = Image.frombytes("RGB", reel.size, reel.convert("RGB").tobytes())
            frame.quantize(256).save(data, "PNG")
            yield f"film_{number}", data.getvalue


def pictures_of(game: str) -> Iterator[Named]:
    """Yield every kind of picture of a game."""
    yield from posed_positions(game)
    for seats in GAMES[game].seats:
        matches = list(play_computers(game, seats, SEED))
        for name, draw in (*boards(matches), *sheets(matches)):
            yield f"{name}_{seats}", draw
        if seats == max(GAMES[game].seats):
            yield from film_frames(matches)
            for name, draw in sheets(matches, LONG_NAMES[:seats]):
                yield f"{name}_long", draw


def with_eyes(image: Image.Image, kind: str) -> Image.Image:
    """Return a picture with a palette as colour-blind eyes see it."""
    flat = image.getpalette("RGB") or []
    colours = zip(flat[::3], flat[1::3], flat[2::3], strict=True)
    seen = image.copy()
    seen.putpalette([part for colour in colours for part in simulate(kind, colour)])
    return seen


def contact_sheets(
    images: Iterable[Image.Image], width: int, page: tuple[int, int, int]
) -> Iterator[Image.Image]:
    """Yield the pictures as wide as `width`, in two rows on pages of one colour."""
    columns = SHEET_WIDTH // (width + GAP)
    small = []
    for image in images:
        whole = image.convert("RGB")
        height = round(whole.height * width / whole.width)
        small.append(whole.resize((width, height), Image.Resampling.LANCZOS))
    for start in range(0, len(small), 2 * columns):
        rows = [
            small[at : at + columns] for at in (start, start + columns) if small[at : at + columns]
        ]
        heights = [max(image.height for image in row) + GAP for row in rows]
        sheet = Image.new("RGB", (columns * (width + GAP) + GAP, sum(heights) + GAP), page)
        top = GAP
        for row, height in zip(rows, heights, strict=True):
            for column, image in enumerate(row):
                sheet.paste(image, (GAP + column * (width + GAP), top))
            top += height
        yield sheet


def main() -> None:
    """Draw the given games, or all of them."""
    folder = Path(sys.argv[1])
    for game in sys.argv[2:] or GAMES:
        (folder / game).mkdir(parents=True, exist_ok=True)
        images = []
        for name, draw in pictures_of(game):
            data = draw()
            if data is not None:
                (folder / game / f"{name}.png").write_bytes(data)
                images.append(Image.open(io.BytesIO(data)))
        looks = {
            f"{width}-{page}": (images, width, PAGES[page])
            for width, page in zip(PHONES, PAGES, strict=True)
        }
        for kind in KINDS:
            looks[kind] = ([with_eyes(image, kind) for image in images], PHONES[0], PAGES["dark"])
        for look, (shown, width, page) in looks.items():
            for number, sheet in enumerate(contact_sheets(shown, width, page)):
                sheet.save(folder / f"{game}-{look}-{number}.png")


if __name__ == "__main__":
    main()
