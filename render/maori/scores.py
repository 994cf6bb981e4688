"""The score sheet of Maori: a row a kind of points, a column a seat."""

from PIL import Image

from engine.maori.tiles import SIDES
from engine.maori.view import MaoriView
from render import Scene
from render.canvas import Canvas
from render.chrome import share, winners_of
from render.items import shell
from render.maori.layout import PICTURE
from render.maori.sprites import flower, frame, hut, palm, ship
from render.maori.tiles import half_lei
from render.pad import Icon, Pad, icon_of, outcome_line
from render.words import words_of

EAST, WEST = SIDES.index("e"), SIDES.index("w")
LABELS = 0.33
"""The share of the width for the names of the rows."""
ROW = 0.062
"""Higher than usual: its icons need it."""
ICON = share(PICTURE, 0.045)


def _icons() -> dict[str, Icon]:
    """The icon of each row by the kind of points, as scoring.Row names them."""
    return {
        "palms": icon_of(palm(ICON, 1), down=ICON // 2),
        "huts": icon_of(hut(ICON), down=ICON // 2 - 2),
        "leis": _put_lei,
        "ships": icon_of(ship(ICON, None)),
        "shells": icon_of(shell(ICON - 6, None)),
        "empty": _put_space,
    }


def _put_lei(canvas: Canvas, x: int, y: int) -> None:
    """A whole lei: the half at the east side of a tile, and that at the west side of the next."""
    scale = ICON / 62
    for side, edge in ((EAST, 100), (WEST, 0)):
        for number, (right, down) in enumerate(half_lei(side)):
            is_white = (number + side // 2) % 2 == 1
            # Measured from the middle of the edge that the tiles share.
            left, top = round((right - edge) * scale), round((down - 50) * scale)
            canvas.put(flower(round(18 * scale), is_white), x + left, y + top)


def _put_space(canvas: Canvas, x: int, y: int) -> None:
    """An empty space; a frame is put by the corner of what it goes around."""
    size = ICON - 14
    canvas.put(frame(size, size, 4), x - size // 2, y - size // 2)


def score_sheet(view: MaoriView, scene: Scene) -> Image.Image | None:
    """The points of the match; None before its end.

    Of one that players left, the points as the boards stood.
    """
    sheet = _filled_in(view, scene)
    return sheet.image() if sheet else None


def score_text(view: MaoriView, scene: Scene) -> str:
    """The score sheet in words, '' while there is none."""
    sheet = _filled_in(view, scene)
    return sheet.text() if sheet else ""


def _filled_in(view: MaoriView, scene: Scene) -> Pad | None:
    if view.outcome is None and not scene.so_far:
        return None
    words = words_of("maori")
    sheet = Pad(PICTURE, view, scene, LABELS)
    rows = view.rows or view.now
    for kind, icon in _icons().items():
        points = [getattr(row, kind) for row in rows]
        sheet.row(words.word(kind), icon, points, high=ROW)
    sheet.total(words.say("scores.total"), view.scores, winners_of(view))
    if view.outcome is None:
        sheet.so_far(words.say("scores.as_it_stands"))
    elif view.rows:
        sheet.tie_break(words.say("scores.tie_break"), [side.shells for side in view.sides])
        sheet.verdict(outcome_line(view, sheet.names))
    else:
        sheet.ended_early(words.say("scores.as_it_stood"))
    return sheet
