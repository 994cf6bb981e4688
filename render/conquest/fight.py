"""A Battle as rows of pieces: attacker left, defender right, the rolls below."""

from collections.abc import Sequence

from PIL import Image

from engine.conquest.view import NOBODY, BattleView, ConquestView, RollView, RowView
from render.canvas import Canvas, Sprite
from render.chrome import Plate, hair, paper, share
from render.conquest.layout import BATTLE, TEXT, WIDTH
from render.conquest.tokens import NEUTRAL, counter, die, local_warrior
from render.fonts import Face, fitted, write
from render.palette import AGED_PAPER, BACKDROP, INK, MUTED, PALE, PAPER, RULE, mix
from render.pieces import badge
from render.words import words_of

WORDS = words_of("conquest")

EDGE = share(WIDTH, 0.008)
ICON = share(WIDTH, 0.031)
ROWS = (
    ("front", "w", "b", "l"),
    ("panicked", "panicked_w", "panicked_b", "panicked_l"),
    ("back", "t", "c", "carried_b"),
)
KIND = {"w": "w", "b": "b", "l": "l", "panicked_w": "w", "panicked_b": "b", "panicked_l": "l"}
KIND |= {"t": "t", "c": "c", "carried_b": "b"}


def battle_band(view: ConquestView, names: Sequence[str]) -> Image.Image:
    """The band of a running Battle."""
    battle = view.battle
    canvas = Canvas.blank(WIDTH, BATTLE, BACKDROP)
    if battle is None:
        return canvas.image
    plate = Plate(WIDTH - 2 * EDGE, BATTLE - 2 * EDGE, 6, 0, share(WIDTH, 0.0117))
    canvas.put(paper(plate, False), EDGE, EDGE)
    middle = WIDTH // 2
    canvas.cover((middle, EDGE + 8, middle + hair(WIDTH), share(WIDTH, 0.147)), RULE)
    for side, seat in enumerate((battle.attacker, battle.defender)):
        left = EDGE + share(WIDTH, 0.012) + side * (middle - EDGE)
        verb = WORDS.say("fight.defends" if side else "fight.attacks", spot=battle.spot)
        _head(canvas, left, seat, _side_name(view, battle, names, seat), verb)
        row = battle.rows[side] if battle.shown else None
        _rows(canvas, left, seat, row)
    _rolls(canvas, battle)
    return canvas.image


def _side_name(view: ConquestView, battle: BattleView, names: Sequence[str], seat: int) -> str:
    if seat != NOBODY:
        return names[seat]
    group = view.group_at.get(battle.spot)
    return WORDS.word(group.key, "short") if group else WORDS.say("fight.independents")


def _head(canvas: Canvas, left: int, seat: int, name: str, verb: str) -> None:
    y = EDGE + share(WIDTH, 0.022)
    icon = local_warrior(ICON) if seat == NOBODY else badge(seat, ICON)
    canvas.put(icon, left + ICON // 2, y)
    x = left + ICON + share(WIDTH, 0.008)
    room = WIDTH // 2 - x % (WIDTH // 2) - share(WIDTH, 0.16)
    shown, size = fitted(name, Face.STRONG, share(WIDTH, 0.03), TEXT, room)
    x += write(canvas, x, y, shown, Face.STRONG, size, INK) + share(WIDTH, 0.008)
    write(canvas, x, y, verb, Face.LABEL, TEXT, MUTED)


def _rows(canvas: Canvas, left: int, seat: int, row: RowView | None) -> None:
    for place, (name, *fields) in enumerate(ROWS):
        y = EDGE + share(WIDTH, 0.0565) + place * share(WIDTH, 0.0342)
        write(canvas, left, y, WORDS.say(f"fight.{name}"), Face.LABEL, TEXT, MUTED)
        x = left + share(WIDTH, 0.125)
        if row is None:
            if place == 0:
                write(canvas, x, y, WORDS.say("fight.not_shown"), Face.LABEL, TEXT, PALE)
            continue
        x_end = x
        for field in fields:
            number = getattr(row, field)
            if number:
                x_end = _pieces(canvas, x_end, y, _icon(seat, KIND[field], name == "panicked"), number)
        if x_end == x:
            write(canvas, x, y, "–", Face.LABEL, TEXT, PALE)


def _icon(seat: int, kind: str, is_pale: bool) -> Sprite:
    icon = local_warrior(ICON) if kind == "l" or seat == NOBODY else counter(seat, ICON, kind, None)
    return icon.faded() if is_pale else icon


def _pieces(canvas: Canvas, x: int, y: int, icon: Sprite, number: int) -> int:
    canvas.put(icon, x + ICON // 2, y)
    write(canvas, x + ICON + share(WIDTH, 0.005), y, str(number), Face.STRONG, TEXT, INK)
    return x + share(WIDTH, 0.083)


def _rolls(canvas: Canvas, battle: BattleView) -> None:
    """The newest rolls: a die in the colour of the side it hits, pale if it was ignored."""
    y, left = BATTLE - EDGE - share(WIDTH, 0.023), EDGE + share(WIDTH, 0.012)
    band = mix(PAPER, AGED_PAPER, 0.9)
    canvas.cover((EDGE + 4, y - share(WIDTH, 0.021), WIDTH - EDGE - 4, y + share(WIDTH, 0.019)), band)
    write(canvas, left, y, WORDS.say("fight.rolls"), Face.LABEL, TEXT, MUTED)
    x = left + share(WIDTH, 0.125)
    if not battle.rolls:
        write(canvas, x, y, WORDS.say("fight.no_rolls"), Face.LABEL, TEXT, PALE)
    for roll in battle.rolls[-9:]:
        x = _roll(canvas, x, y, roll)


RESULTS = {"panic": "!", "removed": "×", "ignored": "–", "": "?"}


def _roll(canvas: Canvas, x: int, y: int, roll: RollView) -> int:
    seat = NEUTRAL if roll.hit == NOBODY else roll.hit
    canvas.put(die(roll.die, ICON, seat), x + ICON // 2, y)
    mark = RESULTS.get(roll.result, "")
    write(canvas, x + ICON + share(WIDTH, 0.005), y, mark, Face.STRONG, TEXT, INK)
    return x + share(WIDTH, 0.078)
