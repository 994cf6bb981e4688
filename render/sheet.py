"""The fallback: any view as a labelled sheet, for a game that has no looks of its own."""

from collections.abc import Iterator, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import fields
from PIL import Image

from engine import View
from engine.core.words import Words, points
from render import Scene
from render.alt import choices_of, clipped, compose, news_of, seat_names, sentence, turn_of
from render.canvas import Canvas
from render.chrome import (
    LEAST,
    TITLE_HEIGHT,
    Plate,
    chip_of,
    names_for,
    panel,
    paper,
    plate_of,
    share,
    title_of,
    title_strip,
)
from render.fonts import Face, drawable, fitted, width, write
from render.palette import BACKDROP, INK, MUTED
from render.pieces import badge
from render.words import words_of

PICTURE = 960
TALLEST = 1280
COMMON = {field.name for field in fields(View)}
"""Fields every view has: they are in the title strip and the panels already."""


def label(words: Words, name: str) -> str:
    """What a field of a view is called: by a word of the game, else by its own name."""
    return words.word(name).replace("_", " ")


def plain(value: Any, words: Words) -> str:
    """A value of a view in words."""
    comma, semicolon = words.say("list.comma"), words.say("list.semicolon")
    if value is None:
        return words.word("none")
    if isinstance(value, bool):
        return words.word("yes" if value else "no")
    if isinstance(value, (int, float)):
        return points(value)
    if isinstance(value, Struct):
        named = ((label(words, field.name), getattr(value, field.name)) for field in fields(value))
        return comma.join(f"{name} {plain(part, words)}" for name, part in named)
    if isinstance(value, dict):
        pairs = (f"{plain(key, words)} {plain(part, words)}" for key, part in value.items())
        return comma.join(pairs) or words.word("none")
    if isinstance(value, (tuple, list, set, frozenset)):
        parts = sorted(value, key=repr) if isinstance(value, (set, frozenset)) else value
        joint = semicolon if any(isinstance(part, (Struct, tuple, list)) for part in parts) else comma
        return joint.join(plain(part, words) for part in parts) or words.word("none")
    # A word of the game, or something that stands for itself, such as the code of a place.
    return words.word(str(value)) if value else words.word("none")


def seat_count(view: View) -> int:
    """How many seats the view speaks of."""
    return max(len(view.scores), max(view.to_move, default=-1) + 1)


def seat_facts(view: View, seat: int) -> list[str]:
    """What the view tells of one seat: the entry of every field that has one struct a seat."""
    seats = seat_count(view)
    values = [getattr(view, field.name) for field in fields(view) if field.name not in COMMON]
    words = words_of(view.game)
    return [plain(value[seat], words) for value in values if _is_by_seat(value, seats)]


def facts(view: View) -> Iterator[tuple[str, str]]:
    """Every other field as a label and a text."""
    seats, words = seat_count(view), words_of(view.game)
    for field in fields(view):
        value = getattr(view, field.name)
        if field.name not in COMMON and not _is_by_seat(value, seats):
            name = label(words, field.name)
            yield name[:1].upper() + name[1:], plain(value, words)


def _is_by_seat(value: Any, seats: int) -> bool:
    is_table = isinstance(value, tuple) and seats > 1 and len(value) == seats
    return is_table and all(isinstance(part, Struct) and not hasattr(part, "seat") for part in value)


def draw(view: View, scene: Scene) -> Image.Image:
    """The view as a sheet: title strip, a panel a seat, then every fact with its label."""
    names = names_for(scene.names, seat_count(view))
    blocks = list(facts(view))
    if scene.rings:
        blocks.append((words_of().say("sheet.choose"), " ".join(spot.upper() for spot in scene.rings)))
    top = share(PICTURE, TITLE_HEIGHT) + share(PICTURE, 0.01)
    plate, gap = plate_of(PICTURE), share(PICTURE, 0.01)
    start = top + -(-len(names) // 2) * (plate.high + gap)
    lines = _lines(blocks, TALLEST - start - share(PICTURE, 0.06))
    step = share(PICTURE, 0.036)
    high = max(len(lines), 1) * step + share(PICTURE, 0.03)
    canvas = Canvas.blank(PICTURE, start + high + gap, BACKDROP)
    canvas.lay(title_strip(PICTURE, drawable(title_of(view)), (), chip_of(view, names)), 0, 0)
    _put_panels(canvas, view, names, top)
    left = (PICTURE - 2 * plate.across - gap) // 2
    card = Plate(2 * plate.across + gap, high, plate.rim, plate.band, plate.radius)
    canvas.put(paper(card, False), left, start)
    for i, (name, text) in enumerate(lines):
        y = start + share(PICTURE, 0.033) + i * step
        x = left + share(PICTURE, 0.02)
        x += write(canvas, x, y, name, Face.STRONG, share(PICTURE, 0.027), INK) + share(PICTURE, 0.01) * bool(name)
        write(canvas, x, y, text, Face.LABEL, share(PICTURE, 0.027), MUTED)
    return canvas.image


def _put_panels(canvas: Canvas, view: View, names: Sequence[str], top: int) -> None:
    plate, gap = plate_of(PICTURE), share(PICTURE, 0.01)
    left = (PICTURE - 2 * plate.across - gap) // 2
    for seat, name in enumerate(names):
        score = points(view.scores[seat]) if seat < len(view.scores) else ""
        made = panel(PICTURE, seat, name, score, words_of().say("panel.points") if score else "", seat in view.to_move)
        room = plate.across - plate.band - share(PICTURE, 0.03)
        told = drawable("; ".join(seat_facts(view, seat)))
        text, size = fitted(told, Face.LABEL, share(PICTURE, 0.027), share(PICTURE, LEAST), room)
        inside = plate.rim + plate.band + share(PICTURE, 0.014)
        write(made, inside, plate.rim + share(PICTURE, 0.0945), text, Face.LABEL, size, MUTED)
        x, y = left + seat % 2 * (plate.across + gap), top + seat // 2 * (plate.high + gap)
        canvas.lay(made.image, x - plate.rim, y - plate.rim)


def _lines(blocks: Sequence[tuple[str, str]], room: int) -> list[tuple[str, str]]:
    """Labels and texts wrapped to the width of the sheet, as many as fit its height."""
    size, across = share(PICTURE, 0.027), round(PICTURE * 0.93)
    lines: list[tuple[str, str]] = []
    for name, text in blocks:
        words, line, head = drawable(text).split(), "", name
        for word in words:
            taken = width(head, Face.STRONG, size) + share(PICTURE, 0.01) * bool(head)
            longer = f"{line} {word}".strip()
            if line and taken + width(longer, Face.LABEL, size) > across:
                lines.append((head, line))
                head, longer = "", word
            line = fitted(longer, Face.LABEL, size, size, across - taken)[0]
        lines.append((head, line))
    most = max(1, room // share(PICTURE, 0.036))
    return lines if len(lines) <= most else [*lines[: most - 1], ("", "…")]


def score_sheet(view: View, scene: Scene) -> Image.Image | None:
    """The seats by points; None while nobody has any and the match goes on."""
    if not view.scores or not (view.outcome or any(view.scores)):
        return None
    names = names_for(scene.names, len(view.scores))
    order = sorted(range(len(names)), key=lambda seat: -view.scores[seat])
    row, top = share(PICTURE, 0.085), share(PICTURE, TITLE_HEIGHT) + share(PICTURE, 0.02)
    canvas = Canvas.blank(PICTURE, top + row * len(names) + share(PICTURE, 0.03), BACKDROP)
    heading = (words_of().say("sheet.points"),)
    chip = chip_of(view, names) if view.outcome else None
    canvas.lay(title_strip(PICTURE, drawable(title_of(view)), heading, chip), 0, 0)
    margin = share(PICTURE, 0.015)
    card = Plate(PICTURE - 2 * margin, row * len(names) + margin, plate_of(PICTURE).rim, 0, share(PICTURE, 0.012))
    canvas.put(paper(card, False), margin, top - margin // 2)
    for i, seat in enumerate(order):
        y = top + i * row + row // 2
        canvas.put(badge(seat, share(PICTURE, 0.055)), share(PICTURE, 0.07), y)
        name, size = fitted(names[seat], Face.STRONG, share(PICTURE, 0.04), share(PICTURE, LEAST), share(PICTURE, 0.65))
        write(canvas, share(PICTURE, 0.12), y, name, Face.STRONG, size, INK)
        write(canvas, share(PICTURE, 0.95), y, points(view.scores[seat]), Face.STRONG, share(PICTURE, 0.05), INK, "r")
    return canvas.image


def alt_text(view: View, scene: Scene) -> str:
    """The sheet in at most 1,024 characters."""
    last = words_of().say("alt.last", news=news_of(scene)) if scene.last else ""
    seats = [clipped(_seat_line(view, scene, seat), 150) for seat in range(seat_count(view))]
    board = [words_of().say("sheet.fact", name=name, value=value) for name, value in facts(view)]
    return compose((title_of(view), turn_of(view, scene), last), seats, board, scene.rings)


def text_board(view: View, scene: Scene) -> str:
    """Every fact of the view in words, with the question and what may be answered."""
    words = words_of()
    lines = [title_of(view), turn_of(view, scene)]
    lines += [_seat_line(view, scene, seat) for seat in range(seat_count(view))]
    lines += [words.say("sheet.fact", name=name, value=value) for name, value in facts(view)]
    lines.append(choices_of(scene))
    return "\n".join(sentence(line) for line in lines if line)


def hand(view: View, scene: Scene) -> str:
    """What the view tells of its viewer, a fact a line; nothing for a spectator."""
    if view.viewer is None:
        return ""
    return "\n".join(sentence(line) for line in _of_seat(view, view.viewer))


def _seat_line(view: View, scene: Scene, seat: int) -> str:
    words = words_of()
    told = words.say("list.comma").join(_of_seat(view, seat)) or words.say("sheet.no_points")
    return words.say("sheet.seat", seat_names(view, scene), seat=seat, facts=told)


def _of_seat(view: View, seat: int) -> list[str]:
    scored = [words_of().say("sheet.score", points=view.scores[seat])] if seat < len(view.scores) else []
    return [*scored, *seat_facts(view, seat)]
