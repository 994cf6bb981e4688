"""The band of Battles: a line for each that is over, and the rows of the one under way."""

from collections.abc import Sequence

from PIL import Image

from engine.conquest.battle_events import BattleWon
from engine.conquest.view import NOBODY, BattleView, ConquestView, RowView
from render.canvas import Canvas
from render.chrome import PaperSize, hairline_width, paper, share
from render.conquest.layout import (
    BATTLE_HEIGHT,
    FINISHED_BATTLE_HEIGHT,
    PLATE_RADIUS,
    PLATE_RIM,
    TEXT,
    UNSHOWN_BATTLE_HEIGHT,
    WIDTH,
)
from render.conquest.news import News
from render.conquest.tokens import counter, die, local_warrior
from render.fonts import (
    Face,
    fit_text,
    fit_words,
    read_left_to_right,
    text_width,
    write,
    write_words,
)
from render.news import bud
from render.palette import AGED_PAPER, BACKDROP, INK, MUTED, PAPER, RULE, mix
from render.pieces import badge
from render.words import words_of

WORDS = words_of("conquest")

# Lengths are in pixels.
EDGE = share(WIDTH, 0.008)
"""Around the sheet of paper."""
MARGIN = share(WIDTH, 0.012)
"""From the edge of the paper to what is on it."""
ICON = share(WIDTH, 0.031)
SPACE = share(WIDTH, 0.008)
"""Between an icon and a text beside it."""
NUMBER_SPACE = share(WIDTH, 0.005)
"""Between an icon and its number or mark."""
LABEL_WIDTH = share(WIDTH, 0.125)
"""The room for the label of a row."""

HEADING_LINE = EDGE + share(WIDTH, 0.022)
NAME_TEXT = share(WIDTH, 0.03)
LEAST_NAME_WIDTH = share(WIDTH, 0.1)
"""Left to a name if another language needs many words for what its side does."""
MIDDLE_RULE_TOP = EDGE + 8
MIDDLE_RULE_END = share(WIDTH, 0.137)
FIRST_ROW = EDGE + share(WIDTH, 0.0545)
ROW_STEP = share(WIDTH, 0.0322)
PIECE_STEP = share(WIDTH, 0.083)
ROLLS_LINE = BATTLE_HEIGHT - EDGE - share(WIDTH, 0.023)
ROLLS_STRIPE_UP = share(WIDTH, 0.021)
ROLLS_STRIPE_DOWN = share(WIDTH, 0.019)
ROLLS_STRIPE_INSET = 4
ROLL_STEP = share(WIDTH, 0.078)

FINISHED_TEXT = share(WIDTH, 0.028)
FINISHED_NUMBER_TEXT = TEXT - 5
FINISHED_ROLL_STEP = share(WIDTH, 0.052)
FINISHED_MARK_SPACE = 2
"""Between a die and its mark."""

ROWS = (
    ("front", (("w", "w"), ("b", "b"), ("l", "l"))),
    ("panicked", (("panicked_w", "w"), ("panicked_b", "b"), ("panicked_l", "l"))),
    ("back", (("t", "t"), ("c", "c"), ("carried_b", "b"))),
)
"""The rows of a side; for each the fields of its RowView and the kind of piece they count."""
MOST_ROLLS = 9
ROLL_RESULTS = {"panic": "!", "removed": "×", "ignored": "–", "": "?"}
"""The mark beside a die."""
MOST_FINISHED = 3
"""More finished Battles than this show the newest only."""


def battles_height(view: ConquestView, news: News) -> int:
    """Return the height of the band, 0 if there is no Battle to show."""
    height = FINISHED_BATTLE_HEIGHT * len(news.battles[-MOST_FINISHED:])
    if view.battle is not None:
        height += BATTLE_HEIGHT if view.battle.shown else UNSHOWN_BATTLE_HEIGHT
    return height


def draw_battles(view: ConquestView, names: Sequence[str], news: News) -> Image.Image:
    """Draw finished Battles in the order in which they were fought, then the one under way."""
    canvas = Canvas.blank(WIDTH, battles_height(view, news), BACKDROP)
    y = 0
    for battle in news.battles[-MOST_FINISHED:]:
        canvas.lay(_draw_finished(view, names, battle, news), 0, y)
        y += FINISHED_BATTLE_HEIGHT
    if view.battle is not None:
        canvas.lay(_draw_under_way(view, view.battle, names), 0, y)
    return canvas.image


def _draw_finished(
    view: ConquestView, names: Sequence[str], battle: BattleWon, news: News
) -> Image.Image:
    """Draw how a Battle went, in a line: who beat whom where, and the rolls."""
    canvas = Canvas.blank(WIDTH, FINISHED_BATTLE_HEIGHT, BACKDROP)
    top = EDGE // 2
    height = FINISHED_BATTLE_HEIGHT - 2 * top
    plate = PaperSize(WIDTH - 2 * EDGE, height, PLATE_RIM, 0, PLATE_RADIUS)
    canvas.put(paper(plate, False), EDGE, top)
    y = FINISHED_BATTLE_HEIGHT // 2
    attacker, defender = battle.seats
    x = EDGE + MARGIN
    number = news.battle_at(battle.spot)
    if number and len(news.items) > 1:
        canvas.put(bud(ICON, news.mark(number), FINISHED_NUMBER_TEXT), x + ICON // 2, y)
        x += ICON + SPACE
    canvas.put(badge(attacker, ICON), x + ICON // 2, y)
    x += ICON + SPACE
    # Dice are put from the right: the words take the room that they leave.
    right = WIDTH - EDGE - MARGIN
    for roll in reversed(battle.rolls[-MOST_ROLLS:]):
        right -= FINISHED_ROLL_STEP
        side_hit = battle.seats[roll.hit]
        canvas.put(die(roll.die, ICON, side_hit), right + ICON // 2, y)
        mark = ROLL_RESULTS.get(roll.result, "")
        write(canvas, right + ICON + FINISHED_MARK_SPACE, y, mark, Face.STRONG, TEXT, INK)
    text = WORDS.say(
        "fight.won" if battle.winner == attacker else "fight.beaten",
        names,
        view,
        attacker=attacker,
        defender=defender if defender != NOBODY else None,
        spot=battle.spot,
    )
    room = right - x - SPACE
    shown, size = fit_text(read_left_to_right(text), Face.STRONG, FINISHED_TEXT, TEXT, room)
    write(canvas, x, y, shown, Face.STRONG, size, INK)
    return canvas.image


def _draw_under_way(view: ConquestView, battle: BattleView, names: Sequence[str]) -> Image.Image:
    """Draw the rows of a running Battle; before its pieces are shown, only who meets whom."""
    height = BATTLE_HEIGHT if battle.shown else UNSHOWN_BATTLE_HEIGHT
    canvas = Canvas.blank(WIDTH, height, BACKDROP)
    plate = PaperSize(WIDTH - 2 * EDGE, height - 2 * EDGE, PLATE_RIM, 0, PLATE_RADIUS)
    canvas.put(paper(plate, False), EDGE, EDGE)
    middle = WIDTH // 2
    left = EDGE + MARGIN
    right = left + middle - EDGE

    defender = WORDS.say("fight.independents")
    if battle.defender != NOBODY:
        defender = names[battle.defender]
    elif battle.spot in view.group_at:
        # Independent people are called by their land.
        defender = WORDS.word(view.group_at[battle.spot].key, "short")
    attacks = WORDS.say("fight.attacks", (), view, spot=battle.spot)
    y = HEADING_LINE if battle.shown else height // 2
    _put_heading(canvas, left, y, battle.attacker, names[battle.attacker], attacks)
    _put_heading(canvas, right, y, battle.defender, defender, WORDS.say("fight.defends"))
    if battle.shown:
        rule = (middle, MIDDLE_RULE_TOP, middle + hairline_width(WIDTH), MIDDLE_RULE_END)
        canvas.cover(rule, RULE)
        _put_rows(canvas, left, battle.attacker, battle.rows[0])
        _put_rows(canvas, right, battle.defender, battle.rows[1])
        _put_rolls(canvas, battle)
    return canvas.image


def _put_heading(
    canvas: Canvas,
    left: int,
    y: int,
    seat: int,
    name: str,
    verb: str,
) -> None:
    """Put a side's badge, name and what it does; the name leaves room for that."""
    icon = local_warrior(ICON) if seat == NOBODY else badge(seat, ICON)
    canvas.put(icon, left + ICON // 2, y)
    x = left + ICON + SPACE
    half = WIDTH // 2
    room = half - x % half - 2 * SPACE
    lines, verb_size = fit_words(verb, Face.LABEL, TEXT, TEXT, room - LEAST_NAME_WIDTH)
    verb_width = max(text_width(line, Face.LABEL, verb_size) for line in lines)
    shown, size = fit_text(name, Face.STRONG, NAME_TEXT, TEXT, room - verb_width)
    x += write(canvas, x, y, shown, Face.STRONG, size, INK) + SPACE
    write_words(canvas, x, y, verb, Face.LABEL, (TEXT, TEXT), room - LEAST_NAME_WIDTH, MUTED)


def _put_label(canvas: Canvas, x: int, y: int, text: str) -> None:
    """Put the label of a row, shrunk if it would reach what stands beside it."""
    room = LABEL_WIDTH - SPACE
    write_words(canvas, x, y, text, Face.LABEL, (TEXT, TEXT), room, MUTED)


def _put_rows(canvas: Canvas, left: int, seat: int, row: RowView) -> None:
    """Put the pieces of a side, row by row."""
    y = FIRST_ROW
    for name, fields in ROWS:
        _put_label(canvas, left, y, WORDS.say(f"fight.{name}"))
        x = start = left + LABEL_WIDTH
        for field, kind in fields:
            number = getattr(row, field)
            if not number:
                continue
            # Independents have one kind of piece, whatever letter it is counted by.
            is_local = kind == "l" or seat == NOBODY
            icon = local_warrior(ICON) if is_local else counter(seat, ICON, kind, None)
            canvas.put(icon.fade() if name == "panicked" else icon, x + ICON // 2, y)
            write(canvas, x + ICON + NUMBER_SPACE, y, str(number), Face.STRONG, TEXT, INK)
            x += PIECE_STEP
        if x == start:
            write(canvas, start, y, "–", Face.LABEL, TEXT, MUTED)
        y += ROW_STEP


def _put_rolls(canvas: Canvas, battle: BattleView) -> None:
    """Put the newest rolls: a die in the colour of the side it hits, and its result."""
    y = ROLLS_LINE
    left = EDGE + ROLLS_STRIPE_INSET
    stripe = (left, y - ROLLS_STRIPE_UP, WIDTH - left, y + ROLLS_STRIPE_DOWN)
    canvas.cover(stripe, mix(PAPER, AGED_PAPER, 0.9))
    x = EDGE + MARGIN
    _put_label(canvas, x, y, WORDS.say("fight.rolls"))
    x += LABEL_WIDTH
    if not battle.rolls:
        write(canvas, x, y, WORDS.say("fight.no_rolls"), Face.LABEL, TEXT, MUTED)
    for roll in battle.rolls[-MOST_ROLLS:]:
        canvas.put(die(roll.die, ICON, roll.hit), x + ICON // 2, y)
        mark = ROLL_RESULTS.get(roll.result, "")
        write(canvas, x + ICON + NUMBER_SPACE, y, mark, Face.STRONG, TEXT, INK)
        x += ROLL_STEP
