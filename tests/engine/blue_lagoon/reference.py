"""A slow second version of the rules, which test_reference.py compares with the engine.

It works on sets of (row, column), without bits, tables or shortcuts. Don't import rules from the
engine here: a mistake must not be in both.
"""

from itertools import combinations
from typing import Any

from engine.blue_lagoon.board import ITEMS
from engine.blue_lagoon.scoring import Row
from engine.blue_lagoon.view import BlueLagoonView

Cell = tuple[int, int]


class Atlas:
    """A map file as sets of cells."""

    def __init__(self, data: dict[str, Any]) -> None:
        self.islands = {
            i["id"].lower(): {tuple(cell) for cell in i["cells"]} for i in data["islands"]
        }
        self.values = {i["id"].lower(): i["majority_value"] for i in data["islands"]}
        self.cells = {
            (row, column) for row, width in enumerate(data["row_widths"]) for column in range(width)
        }
        self.land = set().union(*self.islands.values())
        self.codes = self._codes()
        self.cell_of = {code: cell for cell, code in self.codes.items()}
        self.beside: dict[Cell, set[Cell]] = {cell: set() for cell in self.cells}
        for one, other in combinations(self.cells, 2):
            if _touch(one, other):
                self.beside[one].add(other)
                self.beside[other].add(one)

    def _codes(self) -> dict[Cell, str]:
        codes = {cell: str(number) for number, cell in enumerate(sorted(self.cells - self.land), 1)}
        for island, cells in self.islands.items():
            codes |= {cell: f"{island}{number}" for number, cell in enumerate(sorted(cells), 1)}
        return codes


def _touch(one: Cell, other: Cell) -> bool:
    """Return whether two cells touch.

    In half cells: cells of one row are two apart, those of adjacent rows one. Even rows are shifted
    by one to the right.
    """
    (row, column), (other_row, other_column) = one, other
    across = abs((2 * column + (row % 2 == 0)) - (2 * other_column + (other_row % 2 == 0)))
    down = abs(row - other_row)
    return (down == 0 and across == 2) or (down == 1 and across == 1)


def legal(atlas: Atlas, view: BlueLagoonView, seat: int) -> set[str]:
    """Return the keys that the rulebook allows a seat."""
    taken = {atlas.cell_of[piece.spot] for piece in view.pieces}
    own = {atlas.cell_of[piece.spot] for piece in view.pieces if piece.seat == seat}
    side, keys = view.sides[seat], set()
    for cell in atlas.cells - taken:
        beside_own = bool(atlas.beside[cell] & own)
        at_sea = cell not in atlas.land
        if side.settlers_left and (beside_own or (at_sea and view.phase == "exploration")):
            keys.add(atlas.codes[cell])
        if side.villages_left and beside_own and not at_sea and view.phase == "exploration":
            keys.add(atlas.codes[cell] + "v")
    return keys


def rows(atlas: Atlas, view: BlueLagoonView) -> tuple[Row, ...]:
    """Return the score pad for this position."""
    cells = [
        {atlas.cell_of[p.spot] for p in view.pieces if p.seat == seat}
        for seat in range(len(view.sides))
    ]
    return tuple(_row(atlas, view, cells, seat) for seat in range(len(view.sides)))


def _row(atlas: Atlas, view: BlueLagoonView, cells: list[set[Cell]], seat: int) -> Row:
    own = cells[seat]
    held = dict(zip(ITEMS, view.sides[seat].held, strict=True))
    on = {name for name, island in atlas.islands.items() if island & own}
    resources = [held[item] for item in ("coconut", "bamboo", "water", "stone")]
    return Row(
        islands=20 if len(on) > 7 else 10 if len(on) == 7 else 0,
        links=5
        * max(
            (len({n for n, i in atlas.islands.items() if i & g}) for g in _groups(atlas, own)),
            default=0,
        ),
        majorities=sum(_share(atlas, cells, seat, name) for name in atlas.islands),
        resources=sum(20 if n >= 4 else {3: 10, 2: 5}.get(n, 0) for n in resources),
        set=10 if min(resources) else 0,
        statuettes=4 * held["statuette"],
    )


def _share(atlas: Atlas, cells: list[set[Cell]], seat: int, island: str) -> int:
    counts = [len(own & atlas.islands[island]) for own in cells]
    best = [other for other, count in enumerate(counts) if count == max(counts) and count]
    return atlas.values[island] // len(best) if seat in best else 0


def _groups(atlas: Atlas, own: set[Cell]) -> list[set[Cell]]:
    groups: list[set[Cell]] = []
    for cell in own:
        joined = [group for group in groups if any(atlas.beside[cell] & {other} for other in group)]
        groups = [group for group in groups if group not in joined] + [set().union({cell}, *joined)]
    return groups
