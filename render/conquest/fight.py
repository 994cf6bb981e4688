"""Battles: the one under way as rows of pieces, attacker left, defender right; those that are
over in a line each.
"""

from collections.abc import Sequence

from PIL import Image

from engine.conquest.battle_events import BattleWon
from engine.conquest.view import NOBODY, BattleView, ConquestView, RowView
from render.canvas import Canvas
from render.chrome import Plate, hair, paper, share
from render.conquest.layout import BATTLE, BATTLE_AHEAD, BATTLE_TOLD, PLATE_RADIUS, TEXT, WIDTH
from render.conquest.news import News
from render.conquest.tokens import counter, die, local_warrior
from render.fonts import Face, fitted, sentence, width, write
from render.news import bud
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
FIRST_ROW = EDGE + share(WIDTH, 0.0545)
ROW_STEP = share(WIDTH, 0.0322)
ROLLS_LINE = BATTLE - EDGE - share(WIDTH, 0.023)
RULE_END = share(WIDTH, 0.137)
TOLD_ROLL = share(WIDTH, 0.052)
"""From one roll of a Battle that is over to the next."""

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
MOST_TOLD = 3
"""Finished Battles whose lines are shown, the newest."""


def fights_high(view: ConquestView, news: News) -> int:
    """How high the band of Battles is: a line for each that is over, and the rows of the one
    under way.
    """
    high = BATTLE_TOLD * len(news.battles[-MOST_TOLD:])
    if view.battle is not None:
        high += BATTLE if view.battle.shown else BATTLE_AHEAD
    return high


def fights_band(view: ConquestView, names: Sequence[str], news: News) -> Image.Image:
    """The band of Battles: those that are over in the order in which they were fought, then the
    one under way.
    """
    canvas = Canvas.blank(WIDTH, fights_high(view, news), BACKDROP)
    y = 0
    for battle in news.battles[-MOST_TOLD:]:
        canvas.lay(_told(view, names, battle, news), 0, y)
        y += BATTLE_TOLD
    if view.battle is not None:
        canvas.lay(_under_way(view, view.battle, names), 0, y)
    return canvas.image


def _told(view: ConquestView, names: Sequence[str], battle: BattleWon, news: News) -> Image.Image:
    """How a Battle went, in a line: who beat whom where, and the rolls."""
    canvas = Canvas.blank(WIDTH, BATTLE_TOLD, BACKDROP)
    edge = EDGE // 2
    canvas.put(
        paper(Plate(WIDTH - 2 * EDGE, BATTLE_TOLD - 2 * edge, 6, 0, PLATE_RADIUS), False),
        EDGE,
        edge,
    )
    y = BATTLE_TOLD // 2
    attacker, defender = battle.seats
    x = EDGE + MARGIN
    number = news.battle_at(battle.spot)
    if number and len(news.deeds) > 1:
        canvas.put(bud(ICON, news.mark(number), TEXT - 5), x + ICON // 2, y)
        x += ICON + SPACE
    canvas.put(badge(attacker, ICON), x + ICON // 2, y)
    x += ICON + SPACE
    # From the right, so that the words take what room the dice leave.
    right = WIDTH - EDGE - MARGIN
    for roll in reversed(battle.rolls[-MOST_ROLLS:]):
        right -= TOLD_ROLL
        canvas.put(die(roll.die, ICON, battle.seats[roll.hit]), right + ICON // 2, y)
        mark = RESULTS.get(roll.result, "")
        write(canvas, right + ICON + 2, y, mark, Face.STRONG, TEXT, INK)
    has_won = battle.winner == attacker
    text = WORDS.say(
        "fight.won" if has_won else "fight.beaten",
        names,
        view,
        attacker=attacker,
        defender=defender if defender != NOBODY else None,
        spot=battle.spot,
    )
    shown, size = fitted(sentence(text), Face.STRONG, share(WIDTH, 0.028), TEXT, right - x - SPACE)
    write(canvas, x, y, shown, Face.STRONG, size, INK)
    return canvas.image


def _under_way(view: ConquestView, battle: BattleView, names: Sequence[str]) -> Image.Image:
    """The rows of a running Battle; before its pieces are shown, who meets whom."""
    high = BATTLE if battle.shown else BATTLE_AHEAD
    canvas = Canvas.blank(WIDTH, high, BACKDROP)
    plate = Plate(WIDTH - 2 * EDGE, high - 2 * EDGE, 6, 0, PLATE_RADIUS)
    canvas.put(paper(plate, False), EDGE, EDGE)
    middle = WIDTH // 2
    left = EDGE + MARGIN
    attacks = WORDS.say("fight.attacks", (), view, spot=battle.spot)
    head = HEAD_LINE if battle.shown else high // 2
    _put_head(canvas, left, head, battle.attacker, names[battle.attacker], attacks)
    left += middle - EDGE
    _put_head(
        canvas,
        left,
        head,
        battle.defender,
        _defender_name(view, battle, names),
        WORDS.say("fight.defends"),
    )
    if battle.shown:
        canvas.cover((middle, EDGE + 8, middle + hair(WIDTH), RULE_END), RULE)
        for place, seat in enumerate((battle.attacker, battle.defender)):
            _put_rows(canvas, EDGE + MARGIN + place * (middle - EDGE), seat, battle.rows[place])
        _put_rolls(canvas, battle)
    return canvas.image


def _defender_name(view: ConquestView, battle: BattleView, names: Sequence[str]) -> str:
    """The player's name, or the land's where its Independent people defend it."""
    if battle.defender != NOBODY:
        return names[battle.defender]
    group = view.group_at.get(battle.spot)
    return WORDS.word(group.key, "short") if group else WORDS.say("fight.independents")


def _put_head(canvas: Canvas, left: int, y: int, seat: int, name: str, verb: str) -> None:
    """Who this side is, and what it does; the name leaves room for that."""
    icon = local_warrior(ICON) if seat == NOBODY else badge(seat, ICON)
    canvas.put(icon, left + ICON // 2, y)
    x = left + ICON + SPACE
    half = WIDTH // 2
    room = half - x % half - 2 * SPACE - width(verb, Face.LABEL, TEXT)
    shown, size = fitted(name, Face.STRONG, share(WIDTH, 0.03), TEXT, room)
    x += write(canvas, x, y, shown, Face.STRONG, size, INK) + SPACE
    write(canvas, x, y, verb, Face.LABEL, TEXT, MUTED)


def _put_rows(canvas: Canvas, left: int, seat: int, row: RowView) -> None:
    """The pieces of a side by row."""
    y = FIRST_ROW
    for name, fields in ROWS:
        write(canvas, left, y, WORDS.say(f"fight.{name}"), Face.LABEL, TEXT, MUTED)
        x = start = left + LABELS
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
