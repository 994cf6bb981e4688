"""The fallback renderer: any view as a labelled sheet, for a game without a renderer of its own.

A field that holds one struct per seat goes into the panels, every other field becomes a line of
the sheet. Fields and values are named by the words of the game.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import fields
from PIL import Image

from engine import View
from engine.core.words import Words, points
from render import Scene
from render.alt import (
    clip_text,
    compose,
    describe_choices,
    describe_turn,
    end_sentence,
    put_news_first,
    seat_names,
    shorten_news,
)
from render.canvas import Canvas
from render.chrome import (
    LEAST,
    TITLE_HEIGHT,
    PaperSize,
    chip_of,
    drawable_names,
    panel,
    panel_size,
    paper,
    share,
    title_of,
    title_strip,
)
from render.fonts import Face, fit_text, text_width, to_drawable, write
from render.pad import ScorePad, outcome_line
from render.palette import BACKDROP, INK, MUTED
from render.ranks import winners_of
from render.words import words_of

PICTURE = 960
MAX_HEIGHT = 1280
"""Pixels."""
GAP = share(PICTURE, 0.01)
TEXT = share(PICTURE, 0.027)
LINE_HEIGHT = share(PICTURE, 0.036)
LINES_WIDTH = round(PICTURE * 0.93)
CARD_MARGIN = share(PICTURE, 0.02)
CARD_FIRST_LINE = share(PICTURE, 0.033)
CARD_PADDING = share(PICTURE, 0.03)
"""The height of the card beyond its lines."""
BELOW_LINES = share(PICTURE, 0.06)
"""How much height the card and the edge below it take besides the lines."""
PANEL_TEXT_LEFT = share(PICTURE, 0.014)
PANEL_TEXT_MARGINS = share(PICTURE, 0.03)
PANEL_TEXT_MIDDLE = share(PICTURE, 0.0945)
SCORE_LABEL_WIDTH = 0.2
"""The share of the score sheet's width for labels."""
MAX_ALT_SEAT_LENGTH = 150
"""Characters of an alt text for one seat."""
COMMON = {field.name for field in fields(View)}
"""Fields that every view has, which the title strip and the panels show already."""


def label(words: Words, name: str) -> str:
    """Return what a field of a view is called: a word of the game, else its own name."""
    return words.word(name).replace("_", " ")


def plain(value: Any, words: Words) -> str:
    """Put a value of a view in words."""
    comma, semicolon = words.say("list.comma"), words.say("list.semicolon")
    if value is None:
        return words.word("none")
    if isinstance(value, bool):
        return words.word("yes" if value else "no")
    if isinstance(value, (int, float)):
        return points(value)
    if isinstance(value, Struct):
        parts = []
        for field in fields(value):
            part = plain(getattr(value, field.name), words)
            parts.append(f"{label(words, field.name)} {part}")
        return comma.join(parts)
    if isinstance(value, dict):
        pairs = [f"{plain(key, words)} {plain(part, words)}" for key, part in value.items()]
        return comma.join(pairs) or words.word("none")
    if isinstance(value, (set, frozenset)):
        # Sets have no order, and the same view must give the same picture.
        value = tuple(sorted(value, key=repr))
    if isinstance(value, (tuple, list)):
        # Parts that are lists themselves have commas inside.
        has_lists = any(isinstance(part, (Struct, tuple, list)) for part in value)
        separator = semicolon if has_lists else comma
        return separator.join(plain(part, words) for part in value) or words.word("none")
    # A word of the game, or something that stands for itself, such as the code of a place.
    return words.word(str(value)) if value else words.word("none")


def seat_count(view: View) -> int:
    """Return how many seats a view has; a game without scores is judged by who is to move."""
    last_to_move = max(view.to_move, default=-1)
    return max(len(view.scores), last_to_move + 1)


def seat_facts(view: View, seat: int) -> list[str]:
    """Describe one seat: its entry in every field that has one struct per seat."""
    words = words_of(view.game)
    found = []
    for field in fields(view):
        value = getattr(view, field.name)
        if field.name not in COMMON and _is_by_seat(value, seat_count(view)):
            found.append(plain(value[seat], words))
    return found


def facts(view: View) -> Iterator[tuple[str, str]]:
    """Yield every field that is not about single seats, as a label and a text."""
    words = words_of(view.game)
    for field in fields(view):
        value = getattr(view, field.name)
        if field.name not in COMMON and not _is_by_seat(value, seat_count(view)):
            name = label(words, field.name)
            yield name[:1].upper() + name[1:], plain(value, words)


def _is_by_seat(value: Any, seats: int) -> bool:
    """Return whether a field holds one struct per seat.

    Structs that name a seat themselves are of another kind, such as the entries of a log.
    """
    if not isinstance(value, tuple) or seats < 2 or len(value) != seats:
        return False
    return all(isinstance(part, Struct) and not hasattr(part, "seat") for part in value)


def draw(view: View, scene: Scene) -> Image.Image:
    """Draw the title strip, a panel per seat, and a card with every fact behind its label."""
    names = drawable_names(scene.names, seat_count(view))
    blocks = list(facts(view))
    if scene.rings:
        codes = " ".join(spot.upper() for spot in scene.rings)
        blocks.append((words_of().say("sheet.choose"), codes))

    measures = panel_size(PICTURE)
    left = (PICTURE - 2 * measures.width - GAP) // 2
    panels_top = share(PICTURE, TITLE_HEIGHT) + GAP
    panel_rows = (len(names) + 1) // 2  # two panels side by side
    card_top = panels_top + panel_rows * (measures.height + GAP)
    lines = _wrap_facts(blocks, MAX_HEIGHT - card_top - BELOW_LINES)
    card_height = max(len(lines), 1) * LINE_HEIGHT + CARD_PADDING

    canvas = Canvas.blank(PICTURE, card_top + card_height + GAP, BACKDROP)
    title = to_drawable(title_of(view))
    canvas.lay(title_strip(PICTURE, title, (), chip_of(view, names)), 0, 0)
    for seat, name in enumerate(names):
        x = left + seat % 2 * (measures.width + GAP)
        y = panels_top + seat // 2 * (measures.height + GAP)
        canvas.lay(_draw_panel(view, seat, name), x - measures.rim, y - measures.rim)

    card = PaperSize(
        2 * measures.width + GAP, card_height, measures.rim, measures.band, measures.radius
    )
    canvas.put(paper(card, False), left, card_top)
    y = card_top + CARD_FIRST_LINE
    for name, text in lines:
        x = left + CARD_MARGIN
        if name:
            x += write(canvas, x, y, name, Face.STRONG, TEXT, INK) + GAP
        write(canvas, x, y, text, Face.LABEL, TEXT, MUTED)
        y += LINE_HEIGHT
    return canvas.image


def _draw_panel(view: View, seat: int, name: str) -> Image.Image:
    """Draw a seat's panel, with what the view says about the seat below the name."""
    score, unit = "", ""
    if seat < len(view.scores):
        score = points(view.scores[seat])
        unit = words_of().say("panel.points")
    canvas = panel(PICTURE, seat, name, score, unit, seat in view.to_move)
    measures = panel_size(PICTURE)
    room = measures.width - measures.band - PANEL_TEXT_MARGINS
    facts_text = to_drawable("; ".join(seat_facts(view, seat)))
    text, size = fit_text(facts_text, Face.LABEL, TEXT, share(PICTURE, LEAST), room)
    left = measures.rim + measures.band + PANEL_TEXT_LEFT
    write(canvas, left, measures.rim + PANEL_TEXT_MIDDLE, text, Face.LABEL, size, MUTED)
    return canvas.image


def _wrap_facts(
    facts: Sequence[tuple[str, str]],
    room: int,
) -> list[tuple[str, str]]:
    """Wrap facts to the width of the sheet; return as many lines as fit `room` pixels of height.

    Each line is a label and a text. Only the first line of a fact has a label.
    """
    lines: list[tuple[str, str]] = []
    for name, text in facts:
        head, line = name, ""
        for word in to_drawable(text).split():
            head_width = text_width(head, Face.STRONG, TEXT) + GAP if head else 0
            longer = f"{line} {word}".strip()
            if line and head_width + text_width(longer, Face.LABEL, TEXT) > LINES_WIDTH:
                lines.append((head, line))
                head, longer = "", word
            # A word that is too long for a line alone is cut.
            line, _ = fit_text(longer, Face.LABEL, TEXT, TEXT, LINES_WIDTH - head_width)
        lines.append((head, line))
    most = max(1, room // LINE_HEIGHT)
    if len(lines) > most:
        return [*lines[: most - 1], ("", "…")]
    return lines


def score_sheet(view: View, scene: Scene) -> Image.Image | None:
    """Draw the seats by rank with their points; None while nobody has any."""
    sheet = _fill_in_scores(view, scene)
    return sheet.draw() if sheet else None


def score_text(view: View, scene: Scene) -> str:
    """Describe the score sheet as an alt text; '' while there is none."""
    sheet = _fill_in_scores(view, scene)
    return sheet.describe() if sheet else ""


def _fill_in_scores(view: View, scene: Scene) -> ScorePad | None:
    """Fill in a score sheet, if somebody has points or the match is over."""
    if not view.scores or not (view.outcome or any(view.scores)):
        return None
    sheet = ScorePad(PICTURE, view, scene, SCORE_LABEL_WIDTH)
    winners = winners_of(view)
    sheet.add_total(words_of().say("sheet.points"), view.scores, winners)
    if winners:
        sheet.add_verdict(outcome_line(view, sheet.names))
    return sheet


def alt_text(view: View, scene: Scene) -> str:
    """Describe the sheet as an alt text, in at most 1,024 characters."""
    words = words_of()
    last = words.say("alt.last", news=shorten_news(scene)) if scene.last else ""
    seats = [_describe_seat(view, scene, seat) for seat in range(seat_count(view))]
    seats = [clip_text(text, MAX_ALT_SEAT_LENGTH) for text in seats]
    board = [words.say("sheet.fact", name=name, value=value) for name, value in facts(view)]
    return compose((title_of(view), describe_turn(view, scene), last), seats, board, scene)


def text_board(view: View, scene: Scene) -> str:
    """Describe every fact of the view in words, with the question and the possible answers."""
    words = words_of()
    last = words.say("alt.last", news=shorten_news(scene)) if scene.last else ""
    lines = put_news_first((title_of(view), describe_turn(view, scene), last))
    lines += [_describe_seat(view, scene, seat) for seat in range(seat_count(view))]
    lines += [words.say("sheet.fact", name=name, value=value) for name, value in facts(view)]
    lines.append(describe_choices(scene))
    return "\n".join(end_sentence(line) for line in lines if line)


def hand(view: View, scene: Scene) -> str:
    """Describe what the view says about its viewer, a fact per line; '' for a spectator."""
    if view.viewer is None:
        return ""
    return "\n".join(end_sentence(line) for line in _score_and_facts(view, view.viewer))


def _describe_seat(view: View, scene: Scene, seat: int) -> str:
    """Describe a seat in one line."""
    words = words_of()
    listed = words.say("list.comma").join(_score_and_facts(view, seat))
    seat_text = listed or words.say("sheet.no_points")
    return words.say("sheet.seat", seat_names(view, scene), seat=seat, facts=seat_text)


def _score_and_facts(view: View, seat: int) -> list[str]:
    """Return the score of a seat and what else the view says about it."""
    score = []
    if seat < len(view.scores):
        score.append(words_of().say("sheet.score", points=view.scores[seat]))
    return score + seat_facts(view, seat)
