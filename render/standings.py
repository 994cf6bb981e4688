"""How people stand: the sheet of a player, of a pair, the list of a game and of all games."""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime

from msgspec import Struct
from msgspec.structs import replace
from PIL import Image

from engine.core.words import points
from render.alt import LIMIT, clipped
from render.canvas import Brush, Canvas
from render.chrome import LEAST, TITLE_HEIGHT, Plate, hair, paper, share, title_strip
from render.fonts import Face, drawable, fitted, sentence, width, write
from render.palette import ACTIVE, BACKDROP, INK, MUTED, PALE, RULE, Colour, livery_of, mix
from render.palette import PAPER as PAPER_COLOUR
from render.png import encode
from render.shapes import Outline, Point, ellipse
from render.words import words_of

WIDTH = 1080
EDGE = 0.0125
"""Around the paper, as a share of the width; so are all lengths below."""
LEFT, RIGHT = EDGE + 0.024, 1 - EDGE - 0.024
STRIPE = mix(PAPER_COLOUR, RULE, 0.22)
TINT = mix(PAPER_COLOUR, ACTIVE, 0.35)
END = 0.014
SIGMAS = 3
"""How far a band reaches on both sides of the estimate: its lower edge is the rating."""
STEPS = (1, 2, 5, 10, 20, 25, 50, 100)
LINES = 5
"""Lines of a scale, about."""
LEVEL = 5
"""How hard their files are packed: 4 % larger than with two more, and 5 ms earlier."""
LONGEST = 22
"""Characters of a name in an alt text."""


class Entry(Struct, frozen=True, kw_only=True):
    """Somebody in a list, with their rating: the estimate and how uncertain it is."""

    place: int
    name: str
    mu: float
    sigma: float
    matches: int
    wins: int
    is_provisional: bool = False
    is_own: bool = False
    """Whether this is the viewer's own entry."""

    @property
    def sure(self) -> float:
        """The rating."""
        return self.mu - SIGMAS * self.sigma


class GameLine(Struct, frozen=True, kw_only=True):
    """A player's results in a game."""

    title: str
    places: tuple[int, ...]
    """How often they had each place, from the first on."""
    best: float
    mean: float
    rating: Entry | None = None


class Curve(Struct, frozen=True):
    """Somebody's rating over time: when, the estimate and how uncertain it was."""

    name: str
    points: tuple[tuple[int, float, float], ...]


class PlayerSheet(Struct, frozen=True, kw_only=True):
    """All that is told of a player."""

    name: str
    scope: str
    """Where it was, in words."""
    facts: tuple[tuple[str, str], ...]
    """What else is remarkable: each with what it is called."""
    games: tuple[GameLine, ...]
    apart: tuple[tuple[str, int, str], ...]
    """What is counted apart: what it is called, how often, and a word more."""
    curve_of: str = ""
    """The game whose ratings the curve shows."""
    curve: Curve | None = None


class VersusLine(Struct, frozen=True, kw_only=True):
    """Two people in a game: how often each was ahead, and their mean scores."""

    title: str
    ahead: int
    level: int
    behind: int
    means: tuple[float, float] | None = None
    """None for all games together."""


class MeetingLine(Struct, frozen=True):
    """A match of two people."""

    title: str
    at: int
    places: tuple[int, int]
    scores: tuple[float, float]


class PairSheet(Struct, frozen=True, kw_only=True):
    """All that is told of two people."""

    names: tuple[str, str]
    scope: str
    facts: tuple[tuple[str, str], ...]
    games: tuple[VersusLine, ...]
    meetings: tuple[MeetingLine, ...]
    """The last of them, the newest first."""
    curve_of: str = ""
    curves: tuple[Curve, ...] = ()


class List(Struct, frozen=True):
    """A list of ratings in a game."""

    title: str
    entries: tuple[Entry, ...]


# What the bot asks for.


def draw_player(sheet: PlayerSheet) -> bytes:
    """The sheet of a player as a PNG."""
    return encode(player_image(sheet), "sheet", LEVEL)


def draw_pair(sheet: PairSheet) -> bytes:
    """The sheet of a pair as a PNG."""
    return encode(pair_image(sheet), "sheet", LEVEL)


def draw_lists(lists: Sequence[List], scope: str, note: str) -> bytes:
    """A list of one game, or short ones of several, as a PNG."""
    image = (
        list_image(lists[0], scope, note) if len(lists) == 1 else lists_image(lists, scope, note)
    )
    return encode(image, "sheet", LEVEL)


def player_text(sheet: PlayerSheet) -> str:
    """The same in words, for those who cannot see it."""
    words, comma = words_of(), words_of().say("list.comma")
    told = [words.say("standing.alt_player", name=clipped(sheet.name, LONGEST), scope=sheet.scope)]
    for line in sheet.games:
        places = comma.join(map(str, line.places))
        rating = _rating(line.rating) if line.rating else ""
        facts = {"best": points(line.best), "mean": _number(line.mean), "rating": rating}
        told.append(words.say("standing.alt_game", game=line.title, places=places, **facts))
    told += [words.say("standing.alt_fact", label=label, fact=fact) for label, fact in sheet.facts]
    counted = [
        words.say("standing.alt_apart", label=label, number=number, more=more)
        for label, number, more in sheet.apart
    ]
    told.append(words.say("standing.alt_counted", apart=comma.join(counted)))
    return clipped(" ".join(told), LIMIT)


def pair_text(sheet: PairSheet) -> str:
    """The sheet of a pair in words."""
    words, (one, other) = words_of(), (clipped(name, LONGEST) for name in sheet.names)
    told = [words.say("standing.alt_pair", one=one, other=other, scope=sheet.scope)]
    for line in sheet.games:
        facts = {"ahead": line.ahead, "level": line.level, "behind": line.behind}
        mine, theirs = line.means or (0.0, 0.0)
        means = {"mine": _number(mine), "theirs": _number(theirs)}
        told.append(
            words.say(
                "standing.alt_versus", game=line.title, one=one, other=other, **facts, **means
            )
        )
    told += [words.say("standing.alt_fact", label=label, fact=fact) for label, fact in sheet.facts]
    return clipped(" ".join(told), LIMIT)


def lists_text(lists: Sequence[List], scope: str, note: str) -> str:
    """Lists in words."""
    words = words_of()
    told = [words.say("standing.alt_list", scope=scope)]
    for one in lists:
        entries = words.say("list.semicolon").join(
            words.say(
                "standing.alt_entry",
                place=entry.place,
                name=_name(entry, LONGEST),
                rating=_rating(entry),
            )
            for entry in one.entries
        )
        told.append(words.say("standing.alt_entries", game=one.title, entries=entries))
    return clipped(" ".join([*told, note]), LIMIT)


# The pictures, not yet files.


def player_image(sheet: PlayerSheet) -> Image.Image:
    """The sheet of a player."""
    words, page = words_of(), _Page(words_of().say("standing.title"), sheet.scope)
    played, won = (
        sum(sum(line.places) for line in sheet.games),
        sum(line.places[0] for line in sheet.games),
    )
    page.head(sheet.name, words.say("standing.summary", matches=played, wins=won))
    for label, fact in sheet.facts:
        page.fact(label, fact)
    if sheet.games:
        page.games(sheet.games)
    if sheet.curve is not None and sheet.curve.points:
        page.heading(words.say("standing.curve", game=sheet.curve_of))
        page.chart([sheet.curve])
    page.heading(words.say("standing.apart"))
    page.cells(sheet.apart)
    return page.image()


def pair_image(sheet: PairSheet) -> Image.Image:
    """The sheet of a pair."""
    words, page = words_of(), _Page(words_of().say("standing.title"), sheet.scope)
    page.two(sheet.names)
    ahead, level, behind = (
        sum(getattr(line, what) for line in sheet.games) for what in ("ahead", "level", "behind")
    )
    in_all = VersusLine(title=words.say("standing.in_all"), ahead=ahead, level=level, behind=behind)
    for line in (in_all, *sheet.games):
        page.versus(line)
    for label, fact in sheet.facts:
        page.fact(label, fact)
    if any(curve.points for curve in sheet.curves):
        page.heading(words.say("standing.curve", game=sheet.curve_of))
        page.chart(sheet.curves)
    page.heading(words.say("standing.last"))
    for meeting in sheet.meetings:
        page.meeting(meeting)
    return page.image()


def list_image(one: List, scope: str, note: str) -> Image.Image:
    """The list of one game."""
    page = _Page(one.title, scope)
    page.list(one.entries)
    page.note(note)
    return page.image()


def lists_image(lists: Sequence[List], scope: str, note: str) -> Image.Image:
    """Short lists of several games, two beside each other."""
    page = _Page(words_of().say("standing.title"), scope)
    for start in range(0, len(lists), 2):
        page.pair_of_lists(lists[start : start + 2])
    page.note(note)
    return page.image()


class _Page:
    """A sheet of paper below a title strip.

    Its lines are noted as they are given, and drawn when all are known.
    """

    def __init__(self, title: str, scope: str) -> None:
        self._title, self._scope = title, scope
        self._lines: list[tuple[float, Callable[[int], None]]] = []
        self._striped = False
        self.canvas = Canvas.blank(1, 1, BACKDROP)

    def image(self) -> Image.Image:
        """All of it."""
        edge, strip = _px(EDGE), _px(TITLE_HEIGHT)
        high = sum(_px(line) for line, _ in self._lines) + _px(END)
        self.canvas = Canvas.blank(WIDTH, strip + high + 2 * edge, BACKDROP)
        self.canvas.lay(title_strip(WIDTH, self._title, (drawable(self._scope),), None), 0, 0)
        plate = Plate(WIDTH - 2 * edge, high, _px(0.005), band=0, radius=_px(0.0117))
        self.canvas.put(paper(plate, False), edge, strip + edge)
        y = strip + edge
        for line, draw in self._lines:
            draw(y)
            y += _px(line)
        return self.canvas.image

    def head(self, name: str, summary: str) -> None:
        """Whose sheet it is, and the sum of it."""

        def draw(y: int) -> None:
            middle = y + _px(0.052)
            taken = self._write(RIGHT, middle, summary, 0.03, MUTED, align="r")
            self._fit(LEFT, middle, drawable(name), 0.046, RIGHT - LEFT - taken / WIDTH - 0.03)

        self._lines.append((0.094, draw))

    def fact(self, label: str, fact: str) -> None:
        """Something remarkable."""

        def draw(y: int) -> None:
            middle = y + _px(0.022)
            self._write(LEFT, middle, label, 0.027, MUTED)
            self._fit(0.295, middle, sentence(drawable(fact)), 0.029, RIGHT - 0.295)

        self._lines.append((0.046, draw))

    def heading(self, text: str) -> None:
        """What comes below it."""

        def draw(y: int) -> None:
            self.canvas.cover(
                (_px(LEFT), y + _px(0.014), _px(RIGHT), y + _px(0.014) + hair(WIDTH)), RULE
            )
            self._write(LEFT, y + _px(0.044), text, 0.034, MUTED, Face.TITLE)

        self._striped = False
        self._lines.append((0.072, draw))

    def note(self, text: str) -> None:
        """A word at the foot."""
        lines = _wrapped(text, Face.LABEL, _px(LEAST), _px(RIGHT - LEFT))
        for line in lines:

            def draw(y: int, line: str = line) -> None:
                self._write(LEFT, y + _px(0.019), line, LEAST, MUTED)

            self._lines.append((0.034, draw))

    def games(self, games: Sequence[GameLine]) -> None:
        """A row for each game, with a bar for how often each place was had."""
        words, columns = words_of(), max(len(line.places) for line in games)
        ends = (0.36, 0.45, 0.77, 0.87, RIGHT)
        first, wide = 0.465, 0.19 / columns

        def head(y: int) -> None:
            middle = y + _px(0.03)
            self.canvas.cover(
                (_px(LEFT), y + _px(0.006), _px(RIGHT), y + _px(0.006) + hair(WIDTH)), RULE
            )
            for end, key in zip(ends, ("played", "won", "best", "mean", "rating"), strict=True):
                self._write(end, middle, words.say(f"standing.{key}"), LEAST, MUTED, align="r")
            for place in range(columns):
                at = first + wide * (place + 0.5)
                self._write(
                    at, middle, words.say("pad.place", place=place + 1), LEAST, MUTED, align="m"
                )

        self._lines.append((0.05, head))
        for number, line in enumerate(games):

            def draw(y: int, line: GameLine = line, is_striped: bool = number % 2 == 0) -> None:
                high, most = _px(0.086), max(line.places)
                if is_striped:
                    self._band(y, high, STRIPE)
                middle = y + high // 2
                self._fit(LEFT, middle, line.title, 0.029, ends[0] - LEFT - 0.075, Face.LABEL)
                rating = _number(line.rating.sure) if line.rating else "–"
                values = (
                    str(sum(line.places)),
                    str(line.places[0]),
                    points(line.best),
                    _number(line.mean),
                    rating,
                )
                for end, value in zip(ends, values, strict=True):
                    self._write(end, middle, value, 0.031, INK, Face.STRONG, align="r")
                for place, times in enumerate(line.places):
                    at, foot = first + wide * (place + 0.5), y + high - _px(0.008)
                    tall = round(_px(0.038) * times / most) if times else 0
                    if times:
                        half = _px(min(wide, 0.05) * 0.36)
                        box = (_px(at) - half, foot - max(tall, 4), _px(at) + half, foot)
                        self.canvas.cover(box, INK)
                        inner = (box[0] + 2, box[1] + 2, box[2] - 2, box[3] - 2)
                        if inner[3] > inner[1]:
                            self.canvas.cover(inner, ACTIVE if place == 0 else PALE)
                    above = foot - (max(tall, 4) if times else 0) - _px(0.015)
                    self._write(at, above, str(times), LEAST, INK if times else PALE, align="m")

            self._lines.append((0.086, draw))
        self._lines.append((0.006, lambda y: None))

    def chart(self, curves: Sequence[Curve]) -> None:
        """Ratings over time with their bands."""

        def draw(y: int) -> None:
            _Chart(self, y, [curve for curve in curves if curve.points]).draw(len(curves) > 1)

        self._lines.append((_Chart.HIGH, draw))

    def cells(self, cells: Sequence[tuple[str, int, str]]) -> None:
        """Numbers side by side, each with what it is of below it."""
        wide = (RIGHT - LEFT) / max(1, len(cells))

        def draw(y: int) -> None:
            for place, (label, number, more) in enumerate(cells):
                middle = LEFT + wide * (place + 0.5)
                self._write(
                    middle,
                    y + _px(0.018),
                    str(number),
                    0.037,
                    INK if number else PALE,
                    Face.STRONG,
                    "m",
                )
                for row, text in enumerate((label, more)):
                    shown, size = fitted(
                        text, Face.LABEL, _px(0.027), _px(LEAST), _px(wide - 0.008)
                    )
                    write(
                        self.canvas,
                        _px(middle),
                        y + _px(0.052 + 0.03 * row),
                        shown,
                        Face.LABEL,
                        size,
                        MUTED,
                        "m",
                    )

        self._lines.append((0.102 if any(more for _, _, more in cells) else 0.074, draw))

    def two(self, names: tuple[str, str]) -> None:
        """Who is compared, each in the colour of their bars."""

        def draw(y: int) -> None:
            middle, room = y + _px(0.05), _px((RIGHT - LEFT) / 2 - 0.06)
            # Both as large as the longer one can be.
            size = min(
                fitted(drawable(name), Face.STRONG, _px(0.044), _px(LEAST), room)[1]
                for name in names
            )
            for side, name in enumerate(names):
                x, align = (LEFT, "l") if side == 0 else (RIGHT, "r")
                shown, _ = fitted(drawable(name), Face.STRONG, size, _px(LEAST), room)
                mark = _px(0.024)
                left = _px(x) if side == 0 else _px(x) - mark
                self._box(
                    (left, middle - mark // 2, left + mark, middle + mark // 2),
                    livery_of(side).colour,
                )
                at = _px(x) + (mark + _px(0.014)) * (1 if side == 0 else -1)
                write(self.canvas, at, middle, shown, Face.STRONG, size, INK, align)

        self._lines.append((0.09, draw))

    def versus(self, line: VersusLine) -> None:
        """How often one was ahead, both were level and the other was: a bar in three parts with
        their numbers.
        """

        def draw(y: int) -> None:
            words, middle = words_of(), y + _px(0.03)
            self._fit(
                LEFT, middle, line.title, 0.029, 0.25, Face.LABEL if line.means else Face.STRONG
            )
            left, right = 0.3, 0.78
            total, x, high = line.ahead + line.level + line.behind, _px(left), _px(0.04)
            parts = (
                (line.ahead, livery_of(0).colour),
                (line.level, PAPER_COLOUR),
                (line.behind, livery_of(1).colour),
            )
            # Each part has room for its number, however small it is.
            least = _px(0.045)
            rest = _px(right - left) - least * sum(number > 0 for number, _ in parts)
            for number, colour in parts:
                across = least + round(rest * number / total) if number else 0
                if number:
                    self._box((x, middle - high // 2, x + across, middle + high // 2), colour)
                    ink = PAPER_COLOUR if colour == livery_of(0).colour else INK
                    write(
                        self.canvas,
                        x + across // 2,
                        middle,
                        str(number),
                        Face.STRONG,
                        _px(0.027),
                        ink,
                        "m",
                    )
                x += across
            if line.means:
                mine, theirs = map(_number, line.means)
                self._write(
                    RIGHT,
                    middle,
                    words.say("standing.means", mine=mine, theirs=theirs),
                    0.027,
                    INK,
                    align="r",
                )
            else:
                self._write(
                    RIGHT, middle, words.say("standing.mean_scores"), LEAST, MUTED, align="r"
                )

        self._lines.append((0.06, draw))

    def meeting(self, meeting: MeetingLine) -> None:
        """One match: when, of what, and both places and scores, the one ahead in strong letters."""
        self._striped = not self._striped
        is_striped = self._striped

        def draw(y: int) -> None:
            high = _px(0.05)
            if is_striped:
                self._band(y, high, STRIPE)
            words, middle = words_of(), y + high // 2
            self._write(LEFT, middle, _day(meeting.at), 0.026, MUTED)
            self._fit(0.23, middle, meeting.title, 0.028, 0.25, Face.LABEL)
            for side, end in enumerate((0.74, RIGHT)):
                place, score = meeting.places[side], meeting.scores[side]
                is_ahead = place < meeting.places[1 - side]
                said = words.say("standing.placed", place=place, points=points(score))
                face, colour = (Face.STRONG, INK) if is_ahead else (Face.LABEL, MUTED)
                taken = self._write(end, middle, said, 0.028, colour, face, "r")
                mark, x = _px(0.02), _px(end) - taken - _px(0.014)
                self._box(
                    (x - mark, middle - mark // 2, x, middle + mark // 2), livery_of(side).colour
                )

        self._lines.append((0.05, draw))

    def list(self, entries: Sequence[Entry]) -> None:
        """The entries of a list, each with where its rating may lie."""
        words = words_of()
        ends = {"rating": 0.76, "played": 0.87, "won": RIGHT}
        left, right = 0.42, 0.64
        low = min((entry.sure for entry in entries), default=0.0)
        top = max((entry.mu + SIGMAS * entry.sigma for entry in entries), default=1.0)

        def head(y: int) -> None:
            for key, end in ends.items():
                self._write(
                    end, y + _px(0.03), words.say(f"standing.{key}"), LEAST, MUTED, align="r"
                )
            self._write(
                (left + right) / 2,
                y + _px(0.03),
                words.say("standing.estimate"),
                LEAST,
                MUTED,
                align="m",
            )

        self._lines.append((0.052, head))
        for number, entry in enumerate(entries):

            def draw(y: int, entry: Entry = entry, is_striped: bool = number % 2 == 0) -> None:
                high = _px(0.062)
                if entry.is_own or is_striped:
                    self._band(y, high, TINT if entry.is_own else STRIPE)
                middle = y + high // 2
                place = words.say("pad.place", place=entry.place)
                self._write(LEFT + 0.052, middle, place, 0.03, INK, Face.STRONG, "r")
                self._fit_name(LEFT + 0.066, middle, entry, 0.03, left - LEFT - 0.09)
                self._range(middle, left, right, entry, low, top)
                self._write(
                    ends["rating"], middle, _number(entry.sure), 0.036, INK, Face.STRONG, "r"
                )
                self._write(ends["played"], middle, str(entry.matches), 0.028, INK, align="r")
                self._write(ends["won"], middle, str(entry.wins), 0.028, INK, align="r")

            self._lines.append((0.062, draw))
        self._lines.append((0.014, lambda y: None))

    def pair_of_lists(self, lists: Sequence[List]) -> None:
        """Two short lists beside each other."""
        rows = max(1, *(len(one.entries) for one in lists))

        def draw(y: int) -> None:
            for column, one in enumerate(lists):
                left = LEFT if column == 0 else 0.515
                right = 0.485 if column == 0 else RIGHT
                self._write(left, y + _px(0.04), one.title, 0.034, MUTED, Face.TITLE)
                line = y + _px(0.066)
                self.canvas.cover((_px(left), line, _px(right), line + hair(WIDTH)), RULE)
                if not one.entries:
                    self._write(
                        left, y + _px(0.096), words_of().say("standing.nobody"), 0.027, PALE
                    )
                for row, entry in enumerate(one.entries):
                    middle = y + _px(0.096 + 0.052 * row)
                    if entry.is_own:
                        half = _px(0.026)
                        self.canvas.cover(
                            (_px(left), middle - half, _px(right), middle + half), TINT
                        )
                    place = words_of().say("pad.place", place=entry.place)
                    self._write(left + 0.052, middle, place, 0.028, INK, Face.STRONG, "r")
                    taken = self._write(
                        right - 0.006, middle, _number(entry.sure), 0.031, INK, Face.STRONG, "r"
                    )
                    room = right - left - 0.062 - taken / WIDTH - 0.02
                    self._fit_name(left + 0.062, middle, entry, 0.028, room)

        self._lines.append((0.08 + 0.052 * rows, draw))

    # Strokes.

    def _range(
        self, middle: int, left: float, right: float, entry: Entry, low: float, top: float
    ) -> None:
        """Where a rating may lie, with its estimate: hollow while it is provisional."""

        def at(worth: float) -> int:
            return _px(left + (right - left) * (worth - low) / max(top - low, 1e-9))

        half, thin = _px(0.009), hair(WIDTH)
        self.canvas.cover((_px(left), middle, _px(right), middle + thin), RULE)
        box = (at(entry.sure), middle - half, at(entry.mu + SIGMAS * entry.sigma), middle + half)
        self._box(box, PAPER_COLOUR if entry.is_provisional else PALE)
        x = at(entry.mu)
        self.canvas.cover((x - 3, middle - half - 4, x + 3, middle + half + 4), INK)

    def _box(self, box: tuple[int, int, int, int], colour: Colour) -> None:
        """A rectangle with an edge of ink."""
        left, top, right, bottom = box
        self.canvas.cover(box, INK)
        if right - left > 4 and bottom - top > 4:
            self.canvas.cover((left + 2, top + 2, right - 2, bottom - 2), colour)

    def _band(self, y: int, high: int, colour: Colour) -> None:
        edge = _px(EDGE) + 4
        self.canvas.cover((edge, y, WIDTH - edge, y + high), colour)

    def _write(
        self,
        x: float,
        middle: int,
        text: str,
        size: float,
        colour: Colour,
        face: Face = Face.LABEL,
        align: str = "l",
    ) -> int:
        return write(self.canvas, _px(x), middle, text, face, _px(size), colour, align)

    def _fit(
        self, x: float, middle: int, text: str, size: float, room: float, face: Face = Face.STRONG
    ) -> None:
        shown, fits = fitted(text, face, _px(size), _px(LEAST), _px(room))
        write(self.canvas, _px(x), middle, shown, face, fits, INK)

    def _fit_name(self, x: float, middle: int, entry: Entry, size: float, room: float) -> None:
        """A name, however long, and behind it what says that its rating is provisional."""
        mark = _name(replace(entry, name=""))
        free = _px(room) - width(mark, Face.STRONG, _px(size))
        shown, fits = fitted(drawable(entry.name), Face.STRONG, _px(size), _px(LEAST), free)
        across = write(self.canvas, _px(x), middle, shown, Face.STRONG, fits, INK)
        write(self.canvas, _px(x) + across, middle, mark, Face.STRONG, fits, INK)


class _Chart:
    """Ratings over time: a line each for the estimate, and a band for how uncertain it is."""

    HIGH = 0.46

    def __init__(self, page: _Page, y: int, curves: Sequence[Curve]) -> None:
        self._page, self._curves = page, curves
        self._left, self._right = _px(LEFT + 0.05), _px(RIGHT - 0.01)
        self._top, self._foot = y + _px(0.02), y + _px(self.HIGH - 0.085)
        times = [at for curve in curves for at, _, _ in curve.points]
        self._since, self._until = min(times), max(times)
        low = min(mu - SIGMAS * sigma for curve in curves for _, mu, sigma in curve.points)
        high = max(mu + SIGMAS * sigma for curve in curves for _, mu, sigma in curve.points)
        self._step = next((step for step in STEPS if (high - low) / step <= LINES), STEPS[-1])
        self._low = self._step * (low // self._step)
        self._high = max(self._step * -(-high // self._step), self._low + self._step)

    def draw(self, is_pair: bool) -> None:
        """The scale, the bands, the lines over them."""
        page, words = self._page, words_of()
        for number in range(round((self._high - self._low) / self._step) + 1):
            worth = self._low + number * self._step
            y = round(self._at(self._since, worth)[1])
            page.canvas.cover((self._left, y, self._right, y + hair(WIDTH)), RULE)
            write(
                page.canvas,
                self._left - _px(0.012),
                y,
                points(worth),
                Face.LABEL,
                _px(LEAST),
                MUTED,
                "r",
            )
        # No larger than the chart: a brush for the whole page takes four times as long.
        rim = _px(0.02)
        corner = (self._left - rim, self._top - rim)
        brush = Brush(
            self._right + rim - corner[0], self._foot + rim - corner[1], at=(-corner[0], -corner[1])
        )
        paths = [self._path(curve) for curve in self._curves]
        bands = [self._band(path) for path in paths]
        colours = [livery_of(side).colour if is_pair else PALE for side in range(len(paths))]
        tints = [mix(PAPER_COLOUR, colour, 0.25 if is_pair else 0.45) for colour in colours]
        for band, tint in zip(bands, tints, strict=True):
            brush.fill(band, tint)
        if len(bands) == 2:
            # Where both may be is neither's alone.
            brush.fill(bands[1], mix(tints[0], tints[1], 0.5), clip=brush.mask(bands[0]))
        for colour, path in zip(colours, paths, strict=True):
            for sign in (1, -1):
                edge = [self._at(at, mu + sign * SIGMAS * sigma) for at, mu, sigma in path]
                brush.line(edge, _px(0.0024), mix(colour, INK, 0.3) if is_pair else MUTED)
        for side, path in enumerate(paths):
            line = [self._at(at, mu) for at, mu, _ in path]
            brush.line(line, _px(0.008), INK)
            brush.line(line, _px(0.0052), livery_of(side).colour)
            end = line[-1]
            brush.fill(ellipse(end[0], end[1], _px(0.0085)), INK)
            brush.fill(ellipse(end[0], end[1], _px(0.006)), livery_of(side).colour)
        page.canvas.put(brush.done(), 0, 0)
        foot = self._foot + _px(0.03)
        write(page.canvas, self._left, foot, _day(self._since), Face.LABEL, _px(LEAST), MUTED)
        if self._until > self._since:
            write(
                page.canvas,
                self._right,
                foot,
                _day(self._until),
                Face.LABEL,
                _px(LEAST),
                MUTED,
                "r",
            )
        write(
            page.canvas,
            self._left,
            foot + _px(0.034),
            words.say("standing.band"),
            Face.LABEL,
            _px(LEAST),
            MUTED,
        )

    def _band(self, path: Sequence[tuple[float, float, float]]) -> Outline:
        above = [self._at(at, mu + SIGMAS * sigma) for at, mu, sigma in path]
        return [*above, *(self._at(at, mu - SIGMAS * sigma) for at, mu, sigma in reversed(path))]

    def _path(self, curve: Curve) -> list[tuple[float, float, float]]:
        """The points of a line; one alone, or all of one moment, go across."""
        if self._until == self._since:
            last = len(curve.points) - 1
            spread = [
                (number / last if last else 0.0, mu, sigma)
                for number, (_, mu, sigma) in enumerate(curve.points)
            ]
            spread = spread if last else [*spread, (1.0, *spread[0][1:])]
            return [(self._since + part, mu, sigma) for part, mu, sigma in spread]
        path: list[tuple[float, float, float]] = list(curve.points)
        return path if len(path) > 1 else [*path, (float(self._until), *path[0][1:])]

    def _at(self, at: float, worth: float) -> Point:
        across = (at - self._since) / ((self._until - self._since) or 1)
        up = (worth - self._low) / (self._high - self._low)
        return self._left + across * (self._right - self._left), self._foot - up * (
            self._foot - self._top
        )


def _wrapped(text: str, face: Face, size: int, room: int) -> list[str]:
    """A text in lines that fit."""
    lines: list[str] = []
    for word in text.split():
        if lines and width(f"{lines[-1]} {word}", face, size) <= room:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines


def _name(entry: Entry, longest: int = 0) -> str:
    name = clipped(entry.name, longest) if longest else entry.name
    return words_of().say("standing.name", name=name, provisional=entry.is_provisional)


def _rating(entry: Entry) -> str:
    return words_of().say(
        "standing.value", sure=_number(entry.sure), mu=_number(entry.mu), sigma=_number(entry.sigma)
    )


def _number(number: float) -> str:
    """With one digit behind the point, below nought with a minus sign and not with a hyphen."""
    return f"{round(number, 1) or 0.0:.1f}".replace("-", "−")


def _day(at: int) -> str:
    return datetime.fromtimestamp(at, UTC).date().isoformat()


def _px(part: float) -> int:
    return share(WIDTH, part)
