"""A Battle as rows of pieces: attacker left, defender right, the rolls below."""

from collections.abc import Sequence

from PIL import Image

from engine.conquest.view import NOBODY, BattleView, ConquestView, RowView
from render.canvas import Canvas
from render.chrome import Plate, hair, paper, share
from render.conquest.layout import BATTLE, PLATE_RADIUS, TEXT, WIDTH
from render.conquest.tokens import counter, die, local_warrior
from render.fonts import Face, fitted, write
from render.palette import AGED_PAPER, BACKDROP, INK, MUTED, PALE, PAPER, RULE, mix
from render.pieces import badge
from render.words import words_of

WORDS = words_of("conquest")

EDGE = share(WIDTH, 0.008)
"""Around the sheet of paper."""
MARGIN = share(WIDTH, 0.012)
"""From the edge of the paper to what is on it."""
ICON = share(WIDTH, 0.031)
SPACE = share(WIDTH, 0.008)
"""Between an icon and a text beside it."""
NUMBER_SPACE = share(WIDTH, 0.005)
"""Between an icon and its number or mark."""
LABELS = share(WIDTH, 0.125)
"""The room of what a line is called."""
HEAD_LINE = EDGE + share(WIDTH, 0.022)
FIRST_ROW = EDGE + share(WIDTH, 0.0565)
ROW_STEP = share(WIDTH, 0.0342)
ROLLS_LINE = BATTLE - EDGE - share(WIDTH, 0.023)

ROWS = (
    ("front", (("w", "w"), ("b", "b"), ("l", "l"))),
    ("panicked", (("panicked_w", "w"), ("panicked_b", "b"), ("panicked_l", "l"))),
    ("back", (("t", "t"), ("c", "c"), ("carried_b", "b"))),
)
"""The rows of a side; for each the fields of its RowView and the kind of piece that they count."""
MOST_ROLLS = 9
"""As many as there is room for."""
RESULTS = {"panic": "!", "removed": "×", "ignored": "–", "": "?"}
"""The mark beside a die."""


def battle_band(view: ConquestView, names: Sequence[str]) -> Image.Image:
    """The band of a running Battle."""
    battle = view.battle
    canvas = Canvas.blank(WIDTH, BATTLE, BACKDROP)
    if battle is None:
        return canvas.image
    plate = Plate(WIDTH - 2 * EDGE, BATTLE - 2 * EDGE, 6, 0, PLATE_RADIUS)
    canvas.put(paper(plate, False), EDGE, EDGE)
    middle = WIDTH // 2
    canvas.cover((middle, EDGE + 8, middle + hair(WIDTH), share(WIDTH, 0.147)), RULE)
    left = EDGE + MARGIN
    _put_head(canvas, left, battle.attacker, names[battle.attacker], WORDS.say("fight.attacks", spot=battle.spot))
    _put_rows(canvas, left, battle.attacker, battle.rows[0] if battle.shown else None)
    left = middle + MARGIN
    _put_head(canvas, left, battle.defender, _defender_name(view, battle, names), WORDS.say("fight.defends"))
    _put_rows(canvas, left, battle.defender, battle.rows[1] if battle.shown else None)
    _put_rolls(canvas, battle)
    return canvas.image


def _defender_name(view: ConquestView, battle: BattleView, names: Sequence[str]) -> str:
    """The player's name, or the land's where its Independent people defend it."""
    if battle.defender != NOBODY:
        return names[battle.defender]
    group = view.group_at.get(battle.spot)
    return WORDS.word(group.key, "short") if group else WORDS.say("fight.independents")


def _put_head(canvas: Canvas, left: int, seat: int, name: str, verb: str) -> None:
    """Who this side is, and what it does; the name leaves room for that."""
    icon = local_warrior(ICON) if seat == NOBODY else badge(seat, ICON)
    canvas.put(icon, left + ICON // 2, HEAD_LINE)
    x = left + ICON + SPACE
    half = WIDTH // 2
    to_the_end = half - x % half
    shown, size = fitted(name, Face.STRONG, share(WIDTH, 0.03), TEXT, to_the_end - share(WIDTH, 0.16))
    x += write(canvas, x, HEAD_LINE, shown, Face.STRONG, size, INK) + SPACE
    write(canvas, x, HEAD_LINE, verb, Face.LABEL, TEXT, MUTED)


def _put_rows(canvas: Canvas, left: int, seat: int, row: RowView | None) -> None:
    """The pieces of a side by row; None before they are shown."""
    y = FIRST_ROW
    for name, fields in ROWS:
        write(canvas, left, y, WORDS.say(f"fight.{name}"), Face.LABEL, TEXT, MUTED)
        start = left + LABELS
        if row is not None:
            x = start
            for field, kind in fields:
                number = getattr(row, field)
                if number:
                    # Independents have one kind of piece, whatever letter it is counted by.
                    is_local = kind == "l" or seat == NOBODY
                    icon = local_warrior(ICON) if is_local else counter(seat, ICON, kind, None)
                    canvas.put(icon.faded() if name == "panicked" else icon, x + ICON // 2, y)
                    write(canvas, x + ICON + NUMBER_SPACE, y, str(number), Face.STRONG, TEXT, INK)
                    x += share(WIDTH, 0.083)
            if x == start:
                write(canvas, start, y, "–", Face.LABEL, TEXT, PALE)
        elif name == "front":
            write(canvas, start, y, WORDS.say("fight.not_shown"), Face.LABEL, TEXT, PALE)
        y += ROW_STEP


def _put_rolls(canvas: Canvas, battle: BattleView) -> None:
    """The newest rolls: a die in the colour of the side it hits, and what came of it."""
    y = ROLLS_LINE
    stripe = (EDGE + 4, y - share(WIDTH, 0.021), WIDTH - EDGE - 4, y + share(WIDTH, 0.019))
    canvas.cover(stripe, mix(PAPER, AGED_PAPER, 0.9))
    left = EDGE + MARGIN
    write(canvas, left, y, WORDS.say("fight.rolls"), Face.LABEL, TEXT, MUTED)
    x = left + LABELS
    if not battle.rolls:
        write(canvas, x, y, WORDS.say("fight.no_rolls"), Face.LABEL, TEXT, PALE)
    for roll in battle.rolls[-MOST_ROLLS:]:
        canvas.put(die(roll.die, ICON, roll.hit), x + ICON // 2, y)
        mark = RESULTS.get(roll.result, "")
        write(canvas, x + ICON + NUMBER_SPACE, y, mark, Face.STRONG, TEXT, INK)
        x += share(WIDTH, 0.078)
