"""The score sheet of Maori: a row a kind of points, a column a seat."""

from collections.abc import Sequence

from PIL import Image

from engine.maori.view import MaoriView
from render import Scene, pad
from render.canvas import Canvas
from render.chrome import names_for, share
from render.items import shell
from render.maori.layout import PICTURE
from render.maori.panels import chip_of, winners
from render.maori.sprites import flower, frame, hut, palm, ship
from render.maori.tiles import half_lei
from render.pad import Icon, Pad

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


KINDS: tuple[tuple[str, str, Icon], ...] = (
    ("palms", "Palms, no hut", _palm),
    ("huts", "Palms with a hut", _hut),
    ("leis", "Leis", _lei),
    ("ships", "Most ships", _ship),
    ("shells", "Most shells", _shell),
    ("empty", "Empty spaces", _space),
)


def score_sheet(view: MaoriView, scene: Scene) -> Image.Image | None:
    """The points of the match; None before its end. Of one that players left, the points as the boards stood."""
    is_over = bool(view.rows)
    if not is_over and view.to_move:
        return None
    names = names_for(scene.names, len(view.sides))
    sheet = Pad(PICTURE, "Maori", names, chip_of(view, names), LABELS)
    for kind, label, icon in KINDS:
        sheet.row(label, icon, [getattr(row, kind) for row in view.rows or view.now], high=ROW)
    sheet.total("Total", view.scores, winners(view) if is_over else ())
    if is_over:
        sheet.tie_break("Shells (break ties)", [side.shells for side in view.sides])
        sheet.verdict(verdict(view, names))
    else:
        sheet.ended_early("the boards as they stood, incomplete islands off")
    return sheet.image()


def verdict(view: MaoriView, names: Sequence[str]) -> str:
    """Who has won, with how many points, and what broke a tie."""
    first = winners(view)
    return pad.verdict(view.scores, first, names, f"{view.sides[first[0]].shells} shells")
