"""The score sheet of Conquest of Paradise: where everybody's points come from."""

from collections.abc import Callable, Sequence

from PIL import Image

from engine.conquest.view import ConquestView
from engine.core.words import listed, points
from render import Scene
from render.canvas import Canvas, Sprite
from render.chrome import LEAST, TITLE_HEIGHT, Chip, Plate, hair, names_for, paper, share, title_strip
from render.conquest.ground import CHARTED, land_hex
from render.conquest.heading import chip_of, winners
from render.conquest.tokens import card, home_star, hut, kumara
from render.fonts import Face, fitted, write
from render.palette import ACTIVE, BACKDROP, INK, MUTED, PALE, RULE, livery_of, mix
from render.palette import PAPER as PAPER_COLOUR
from render.pieces import badge

PICTURE = 960
LABELS, EDGE, ROW, HEAD, TOTAL, FOOT = 0.36, 0.0125, 0.058, 0.105, 0.078, 0.058
"""The column of labels and the heights of rows, as shares of the picture's width."""


def card_points(view: ConquestView, seat: int) -> float:
    """All that is not counted elsewhere: in the end cards count face down too."""
    score = view.nations[seat].score
    return view.scores[seat] - score.villages - score.groups - score.atolls - score.kumara


Part = Callable[[ConquestView, int], float]
KINDS: tuple[tuple[str, Callable[[int], Sprite], Part], ...] = (
    ("Villages", hut, lambda view, seat: view.nations[seat].score.villages),
    ("Groups in the Home chain", home_star, lambda view, seat: view.nations[seat].score.groups),
    (
        "Atolls in the Home chain",
        lambda size: land_hex("flint", size // 4, CHARTED),
        lambda view, seat: view.nations[seat].score.atolls,
    ),
    ("Arts & Culture Cards", card, card_points),
    ("Kumara", kumara, lambda view, seat: view.nations[seat].score.kumara),
)


def score_sheet(view: ConquestView, scene: Scene) -> Image.Image | None:
    """The points by origin with the total; None before the end."""
    if view.step != "over":
        return None
    sheet = _Sheet(view, names_for(scene.names, len(view.nations)))
    sheet.head()
    for place, (label, icon, part) in enumerate(sheet.kinds):
        sheet.row(label, icon, [part(view, seat) for seat in range(sheet.seats)], striped=place % 2 == 0)
    sheet.total()
    return sheet.canvas.image


class _Sheet:
    """A sheet being filled from top to bottom; `y` is how far it is."""

    def __init__(self, view: ConquestView, names: tuple[str, ...]) -> None:
        self.view, self.names, self.seats = view, names, len(names)
        self.kinds = [kind for kind in KINDS if kind[0] != "Kumara" or view.kumara_played]
        edge, top = share(PICTURE, EDGE), share(PICTURE, TITLE_HEIGHT)
        rows = len(self.kinds) * share(PICTURE, ROW)
        high = share(PICTURE, HEAD) + rows + share(PICTURE, TOTAL) + 3 * share(PICTURE, FOOT)
        self.canvas = Canvas.blank(PICTURE, top + high + 2 * edge, BACKDROP)
        chip: Chip | None = chip_of(view, names)
        self.canvas.lay(title_strip(PICTURE, "Conquest of Paradise", ("Points",), chip), 0, 0)
        plate = Plate(PICTURE - 2 * edge, high, share(PICTURE, 0.005), 0, share(PICTURE, 0.0117))
        self.canvas.put(paper(plate, False), edge, top + edge)
        self.y = top + edge

    def _column(self, seat: int) -> int:
        """The middle of a seat's column."""
        left, right = PICTURE * LABELS, PICTURE * (1 - EDGE - 0.012)
        return round(left + (right - left) * (seat + 0.5) / self.seats)

    def head(self) -> None:
        """Badges and names."""
        room = round(PICTURE * (1 - LABELS - EDGE - 0.012) / self.seats) - share(PICTURE, 0.012)
        for seat, name in enumerate(self.names):
            x = self._column(seat)
            self.canvas.put(badge(seat, share(PICTURE, 0.05)), x, self.y + share(PICTURE, 0.038))
            shown, size = fitted(name, Face.STRONG, share(PICTURE, 0.03), share(PICTURE, LEAST), room)
            write(self.canvas, x, self.y + share(PICTURE, 0.082), shown, Face.STRONG, size, INK, "m")
        self.y += share(PICTURE, HEAD)

    def row(self, label: str, icon: Callable[[int], Sprite], values: Sequence[float], striped: bool) -> None:
        """Points of one origin."""
        high, edge = share(PICTURE, ROW), share(PICTURE, EDGE)
        if striped:
            tone = mix(PAPER_COLOUR, RULE, 0.22)
            self.canvas.cover((edge + 4, self.y, PICTURE - edge - 4, self.y + high), tone)
        middle = self.y + high // 2
        self.canvas.put(icon(share(PICTURE, 0.038)), share(PICTURE, EDGE + 0.036), middle)
        write(self.canvas, share(PICTURE, EDGE + 0.066), middle, label, Face.LABEL, share(PICTURE, 0.026), INK)
        self._values(middle, [points(value) for value in values], 0.033)
        self.y += high

    def _values(self, middle: int, values: Sequence[str], size: float) -> None:
        for seat, value in enumerate(values):
            face, colour = (Face.STRONG, INK) if value != "0" else (Face.LABEL, PALE)
            write(self.canvas, self._column(seat), middle, value, face, share(PICTURE, size), colour, "m")

    def total(self) -> None:
        """The totals, what breaks a tie, and who has won."""
        high, edge = share(PICTURE, TOTAL), share(PICTURE, EDGE)
        self.canvas.cover((edge + 4, self.y, PICTURE - edge - 4, self.y + high), INK)
        left, middle = share(PICTURE, EDGE + 0.02), self.y + high // 2
        write(self.canvas, left, middle, "Victory Points", Face.TITLE, share(PICTURE, 0.036), PAPER_COLOUR)
        for seat, score in enumerate(self.view.scores):
            colour = ACTIVE if seat in winners(self.view) else PAPER_COLOUR
            write(
                self.canvas, self._column(seat), middle, points(score), Face.STRONG, share(PICTURE, 0.05), colour, "m"
            )
        self.y += high
        for label, values in (
            ("Groups (break ties)", [nation.groups for nation in self.view.nations]),
            ("Cards (then these)", [nation.hand for nation in self.view.nations]),
        ):
            self._tie_break(label, values)
        self._rule()
        text, size = fitted(
            verdict(self.view, self.names),
            Face.STRONG,
            share(PICTURE, 0.031),
            share(PICTURE, LEAST),
            PICTURE - 2 * left,
        )
        write(self.canvas, PICTURE // 2, self.y + share(PICTURE, FOOT / 2), text, Face.STRONG, size, INK, "m")

    def _tie_break(self, label: str, values: Sequence[int]) -> None:
        middle = self.y + share(PICTURE, FOOT / 2)
        left = share(PICTURE, EDGE + 0.02)
        write(self.canvas, left, middle, label, Face.LABEL, share(PICTURE, LEAST), MUTED)
        for seat, value in enumerate(values):
            write(self.canvas, self._column(seat), middle, str(value), Face.LABEL, share(PICTURE, 0.03), MUTED, "m")
        self.y += share(PICTURE, FOOT)

    def _rule(self) -> None:
        edge = share(PICTURE, EDGE) + share(PICTURE, 0.015)
        self.canvas.cover((edge, self.y, PICTURE - edge, self.y + hair(PICTURE)), RULE)


def verdict(view: ConquestView, names: Sequence[str]) -> str:
    """Who has won, with how many points, and what broke a tie."""
    first, best = winners(view), view.scores[winners(view)[0]]
    if len(first) > 1:
        return f"Shared victory of {listed(_short(names, seat) for seat in first)} with {points(best)} points"
    level = [
        seat
        for seat, score in enumerate(view.scores)
        if score == best and view.nations[seat].out == view.nations[first[0]].out
    ]
    how = "points"
    if len(level) > 1:
        most = max(view.nations[seat].groups for seat in level)
        by_groups = sum(1 for seat in level if view.nations[seat].groups == most) == 1
        how = f"points, the tie broken by {'groups' if by_groups else 'cards'}"
    return f"{_short(names, first[0])} wins with {points(best)} {how}"


def _short(names: Sequence[str], seat: int) -> str:
    return names[seat] if len(names[seat]) <= 20 else f"{livery_of(seat).letter} {names[seat][:17]}…"
