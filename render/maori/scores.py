"""The score sheet of Maori: a row for each kind of points, a column for each seat."""

from PIL import Image

from engine.maori.scoring import Row
from engine.maori.tiles import SIDES
from engine.maori.view import MaoriView, SideView
from render import Scene
from render.canvas import Canvas
from render.chrome import share
from render.items import shell
from render.maori.layout import PICTURE_WIDTH
from render.maori.sprites import draw_frame, draw_hut, draw_lei_flower, draw_palm, draw_ship
from render.maori.tiles import draw_ghost_tile, is_white_flower, list_lei_flowers
from render.pad import Icon, ScorePad, outcome_line, sprite_icon
from render.ranks import winners_of
from render.words import words_of

EAST, WEST = SIDES.index("e"), SIDES.index("w")
LABEL_SHARE = 0.33
"""The share of the width for the names of the rows."""
ROW_HEIGHT = 0.062
"""A share of the width, more than usual: the icons need it."""
ICON_SIZE = share(PICTURE_WIDTH, 0.045)
SHELL_SIZE = ICON_SIZE - 6
SPACE_SIZE = ICON_SIZE - 14
SPACE_FRAME = 4
LEI_SCALE = ICON_SIZE / 62
"""Pixels to a hundredth of a tile, in which the flowers of a lei are placed."""
LEI_FLOWER_SIZE = 18
REMOVED_TILE = 69
"""The number of the tile that stands for those of incomplete islands."""
COSTING = ("empty", "removed")
"""Kinds of points that are lost."""


def _row_icons() -> dict[str, Icon]:
    """Return the icon of each row by its kind of points, as scoring.Row names them."""
    half = ICON_SIZE // 2
    return {
        "palms": sprite_icon(draw_palm(ICON_SIZE, 1), down=half),
        "huts": sprite_icon(draw_hut(ICON_SIZE), down=half - 2),
        "leis": _put_lei,
        "ships": sprite_icon(draw_ship(ICON_SIZE, None)),
        "shells": sprite_icon(shell(SHELL_SIZE, None)),
        "empty": _put_space,
        "removed": _put_removed_tile,
    }


def _put_lei(canvas: Canvas, x: int, y: int) -> None:
    """Put a whole lei: half at the east side of a tile, half at the west side of the next."""
    for side, edge in ((EAST, 100), (WEST, 0)):
        for number, (across, down) in enumerate(list_lei_flowers(side)):
            # Measured from the middle of the edge that the tiles share.
            right, below = round((across - edge) * LEI_SCALE), round((down - 50) * LEI_SCALE)
            size = round(LEI_FLOWER_SIZE * LEI_SCALE)
            flower = draw_lei_flower(size, is_white_flower(number, side))
            canvas.put(flower, x + right, y + below)


def _put_space(canvas: Canvas, x: int, y: int) -> None:
    """Put an empty space; its frame is put by the corner of what it goes around."""
    half = SPACE_SIZE // 2
    canvas.put(draw_frame(SPACE_SIZE, SPACE_SIZE, SPACE_FRAME), x - half, y - half)


def _put_removed_tile(canvas: Canvas, x: int, y: int) -> None:
    """Put a space whose tile was taken off."""
    _put_space(canvas, x, y)
    half = SPACE_SIZE // 2
    canvas.lay(draw_ghost_tile(REMOVED_TILE, SPACE_SIZE), x - half, y - half)


def list_points(view: MaoriView) -> dict[str, list[int]]:
    """Return the points of all seats by kind; spaces of incomplete islands are apart from others.

    Of a match that players left, they are the points of the boards at that time.
    """
    rows = view.rows or view.now
    kinds = {kind: [getattr(row, kind) for row in rows] for kind in Row.__struct_fields__}
    removed = [-_count_removed(side) for side in view.sides]
    kinds["empty"] = [
        empty - taken_off for empty, taken_off in zip(kinds["empty"], removed, strict=True)
    ]
    kinds["removed"] = removed
    return kinds


def _count_removed(side: SideView) -> int:
    """Count the tiles of incomplete islands, which are taken off before the scoring."""
    incomplete = [island for island in side.islands if not island.complete]
    return len(side.removed) + sum(len(island.spots) for island in incomplete)


def score_sheet(view: MaoriView, scene: Scene) -> Image.Image | None:
    """Draw the points of the match; None before its end.

    Of a match that players left, they are the points of the boards at that time.
    """
    sheet = _fill_in_sheet(view, scene)
    return sheet.draw() if sheet else None


def score_text(view: MaoriView, scene: Scene) -> str:
    """Return the score sheet in words, '' while there is none."""
    sheet = _fill_in_sheet(view, scene)
    return sheet.describe() if sheet else ""


def _fill_in_sheet(view: MaoriView, scene: Scene) -> ScorePad | None:
    if view.outcome is None and not scene.so_far:
        return None
    words = words_of("maori")
    sheet = ScorePad(PICTURE_WIDTH, view, scene, LABEL_SHARE)
    points = list_points(view)
    for kind, icon in _row_icons().items():
        note = words.say(f"scores.{kind}") if kind in COSTING else ""
        sheet.add_row(words.word(kind), icon, points[kind], note, height=ROW_HEIGHT)
    sheet.add_total(words.say("scores.total"), view.scores, winners_of(view))
    if view.outcome is None:
        sheet.add_interim_verdict(words.say("scores.as_it_stands"))
    elif view.rows:
        sheet.add_tie_break(words.say("scores.tie_break"), [side.shells for side in view.sides])
        sheet.add_verdict(outcome_line(view, sheet.names))
    else:
        sheet.add_early_end(words.say("scores.as_it_stood"))
    return sheet
