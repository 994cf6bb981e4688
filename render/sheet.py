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
    winners_of,
)
from render.fonts import Face, drawable, fitted, width, write
from render.pad import Pad, outcome_line
from render.palette import BACKDROP, INK, MUTED
from render.words import words_of

PICTURE = 960
TALLEST = 1280
"""Pixels across, and down at most."""
GAP = share(PICTURE, 0.01)
TEXT = share(PICTURE, 0.027)
LINE = share(PICTURE, 0.036)
"""From one line of facts to the next."""
LONGEST_SEAT = 150
"""Characters of an alt text for one seat."""
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
        told = []
        for field in fields(value):
            part = plain(getattr(value, field.name), words)
            told.append(f"{label(words, field.name)} {part}")
        return comma.join(told)
    if isinstance(value, dict):
        pairs = [f"{plain(key, words)} {plain(part, words)}" for key, part in value.items()]
        return comma.join(pairs) or words.word("none")
    if isinstance(value, (tuple, list, set, frozenset)):
        # Sets have no order of their own, and the same view must give the same picture.
        parts = sorted(value, key=repr) if isinstance(value, (set, frozenset)) else value
        # Parts that are lists themselves have commas inside.
        has_lists = any(isinstance(part, (Struct, tuple, list)) for part in parts)
        joint = semicolon if has_lists else comma
        return joint.join(plain(part, words) for part in parts) or words.word("none")
    # A word of the game, or something that stands for itself, such as the code of a place.
    return words.word(str(value)) if value else words.word("none")


def seat_count(view: View) -> int:
    """How many seats the view speaks of: a game may keep no scores, then those to move tell."""
    last_to_move = max(view.to_move, default=-1)
    return max(len(view.scores), last_to_move + 1)


def seat_facts(view: View, seat: int) -> list[str]:
    """What the view tells of one seat: the entry of every field that has one struct a seat."""
    words = words_of(view.game)
    told = []
    for field in fields(view):
        value = getattr(view, field.name)
        if field.name not in COMMON and _is_by_seat(value, seat_count(view)):
            told.append(plain(value[seat], words))
    return told


def facts(view: View) -> Iterator[tuple[str, str]]:
    """Every other field as a label and a text."""
    words = words_of(view.game)
    for field in fields(view):
        value = getattr(view, field.name)
        if field.name not in COMMON and not _is_by_seat(value, seat_count(view)):
            name = label(words, field.name)
            yield name[:1].upper() + name[1:], plain(value, words)


def _is_by_seat(value: Any, seats: int) -> bool:
    """Whether a field holds a struct for each seat; one that names a seat itself is of another
    kind, as a log is.
    """
    if not isinstance(value, tuple) or seats < 2 or len(value) != seats:
        return False
    return all(isinstance(part, Struct) and not hasattr(part, "seat") for part in value)


def draw(view: View, scene: Scene) -> Image.Image:
    """The view as a sheet: title strip, a panel a seat, then every fact with its label."""
    names = names_for(scene.names, seat_count(view))
    blocks = list(facts(view))
    if scene.rings:
        codes = " ".join(spot.upper() for spot in scene.rings)
        blocks.append((words_of().say("sheet.choose"), codes))

    plate = plate_of(PICTURE)
    left = (PICTURE - 2 * plate.across - GAP) // 2
    panels_top = share(PICTURE, TITLE_HEIGHT) + GAP
    rows = (len(names) + 1) // 2  # of panels, two side by side
    card_top = panels_top + rows * (plate.high + GAP)
    lines = _lines(blocks, TALLEST - card_top - share(PICTURE, 0.06))
    card_high = max(len(lines), 1) * LINE + share(PICTURE, 0.03)

    canvas = Canvas.blank(PICTURE, card_top + card_high + GAP, BACKDROP)
    canvas.lay(title_strip(PICTURE, drawable(title_of(view)), (), chip_of(view, names)), 0, 0)
    for seat, name in enumerate(names):
        x = left + seat % 2 * (plate.across + GAP)
        y = panels_top + seat // 2 * (plate.high + GAP)
        canvas.lay(_panel(view, seat, name), x - plate.rim, y - plate.rim)

    card = Plate(2 * plate.across + GAP, card_high, plate.rim, plate.band, plate.radius)
    canvas.put(paper(card, False), left, card_top)
    y = card_top + share(PICTURE, 0.033)
    for name, text in lines:
        x = left + share(PICTURE, 0.02)
        if name:
            x += write(canvas, x, y, name, Face.STRONG, TEXT, INK) + GAP
        write(canvas, x, y, text, Face.LABEL, TEXT, MUTED)
        y += LINE
    return canvas.image


def _panel(view: View, seat: int, name: str) -> Image.Image:
    """A seat's panel with what the view tells of the seat below the name."""
    score, unit = "", ""
    if seat < len(view.scores):
        score = points(view.scores[seat])
        unit = words_of().say("panel.points")
    canvas = panel(PICTURE, seat, name, score, unit, seat in view.to_move)
    plate = plate_of(PICTURE)
    room = plate.across - plate.band - share(PICTURE, 0.03)
    told = drawable("; ".join(seat_facts(view, seat)))
    text, size = fitted(told, Face.LABEL, TEXT, share(PICTURE, LEAST), room)
    inside = plate.rim + plate.band + share(PICTURE, 0.014)
    below_hairline = plate.rim + share(PICTURE, 0.0945)
    write(canvas, inside, below_hairline, text, Face.LABEL, size, MUTED)
    return canvas.image


def _lines(blocks: Sequence[tuple[str, str]], room: int) -> list[tuple[str, str]]:
    """Labels and texts wrapped to the width of the sheet, as many as fit its height."""
    across = round(PICTURE * 0.93)
    lines: list[tuple[str, str]] = []
    for name, text in blocks:
        head, line = name, ""
        for word in drawable(text).split():
            taken = width(head, Face.STRONG, TEXT) + GAP if head else 0
            longer = f"{line} {word}".strip()
            if line and taken + width(longer, Face.LABEL, TEXT) > across:
                lines.append((head, line))
                # Only the first line of a text has its label.
                head, longer = "", word
            # A word that is too long for a line alone is cut.
            line, _ = fitted(longer, Face.LABEL, TEXT, TEXT, across - taken)
        lines.append((head, line))
    most = max(1, room // LINE)
    if len(lines) > most:
        return [*lines[: most - 1], ("", "…")]
    return lines


def score_sheet(view: View, scene: Scene) -> Image.Image | None:
    """The seats by rank with their points; None while nobody has any and the match goes on."""
    sheet = _points(view, scene)
    return sheet.image() if sheet else None


def score_text(view: View, scene: Scene) -> str:
    """The same in words."""
    sheet = _points(view, scene)
    return sheet.text() if sheet else ""


def _points(view: View, scene: Scene) -> Pad | None:
    if not view.scores or not (view.outcome or any(view.scores)):
        return None
    sheet = Pad(PICTURE, view, scene, 0.2)
    sheet.total(words_of().say("sheet.points"), view.scores, winners_of(view))
    if winners_of(view):
        sheet.verdict(outcome_line(view, sheet.names))
    return sheet


def alt_text(view: View, scene: Scene) -> str:
    """The sheet in at most 1,024 characters."""
    last = words_of().say("alt.last", news=news_of(scene)) if scene.last else ""
    seats = [
        clipped(_seat_line(view, scene, seat), LONGEST_SEAT) for seat in range(seat_count(view))
    ]
    board = [words_of().say("sheet.fact", name=name, value=value) for name, value in facts(view)]
    return compose((title_of(view), turn_of(view, scene), last), seats, board, scene)


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
    told = []
    if seat < len(view.scores):
        told.append(words_of().say("sheet.score", points=view.scores[seat]))
    return told + seat_facts(view, seat)
