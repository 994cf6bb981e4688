"""The score sheet of Maori: a row a kind of points, a column a seat."""

from PIL import Image

from engine.maori.view import MaoriView
from render import Scene
from render.canvas import Canvas
from render.chrome import chip_of, names_for, share, title_of, winners_of
from render.items import shell
from render.maori.layout import PICTURE
from render.maori.sprites import flower, frame, hut, palm, ship
from render.maori.tiles import half_lei
from render.pad import Icon, Pad, outcome_line
from render.words import words_of

LABELS = 0.33
ROW = 0.062
"""Higher than usual: its icons need it."""
ICON = share(PICTURE, 0.045)


def _palm(canvas: Canvas, x: int, y: int) -> None:
    canvas.put(palm(ICON, 1), x, y + ICON // 2)


def _hut(canvas: Canvas, x: int, y: int) -> None:
    canvas.put(hut(ICON), x, y + ICON // 2 - 2)


def _lei(canvas: Canvas, x: int, y: int) -> None:
    for side in (1, 3):
        for i, (right, down) in enumerate(half_lei(side)):
            scale = ICON / 62
            centre = right - (100 if side == 1 else 0)
            canvas.put(
                flower(round(18 * scale), bool((i + side // 2) % 2)),
                x + round(centre * scale),
                y + round((down - 50) * scale),
            )


def _ship(canvas: Canvas, x: int, y: int) -> None:
    canvas.put(ship(ICON, None), x, y)


def _shell(canvas: Canvas, x: int, y: int) -> None:
    canvas.put(shell(ICON - 6, None), x, y)


def _space(canvas: Canvas, x: int, y: int) -> None:
    canvas.put(frame(ICON - 14, ICON - 14, 4), x - (ICON - 14) // 2, y - (ICON - 14) // 2)


ICONS: dict[str, Icon] = {
    "palms": _palm,
    "huts": _hut,
    "leis": _lei,
    "ships": _ship,
    "shells": _shell,
    "empty": _space,
}
"""By the kind of points, as scoring.Row names them."""


def score_sheet(view: MaoriView, scene: Scene) -> Image.Image | None:
    """The points of the match; None before its end. Of one that players left, the points as the boards stood."""
    if view.outcome is None:
        return None
    words, names = words_of("maori"), names_for(scene.names, len(view.sides))
    sheet = Pad(PICTURE, title_of(view), names, chip_of(view, names), LABELS)
    for kind, icon in ICONS.items():
        sheet.row(words.word(kind), icon, [getattr(row, kind) for row in view.rows or view.now], high=ROW)
    sheet.total(words.say("scores.total"), view.scores, winners_of(view))
    if view.rows:
        sheet.tie_break(words.say("scores.tie_break"), [side.shells for side in view.sides])
        sheet.verdict(outcome_line(view, names))
    else:
        sheet.ended_early(words.say("scores.as_it_stood"))
    return sheet.image()
