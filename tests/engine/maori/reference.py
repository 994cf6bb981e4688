"""A slow second version of the rules, which test_reference.py compares with the engine.

Boards are dictionaries of codes. Islands are found by flood filling a map of points, and small
ships try every way over the board. Don't import rules from the engine here: a mistake must not be
in both.
"""

from functools import cache
from itertools import product

from engine.maori.tiles import TILES
from engine.maori.view import MaoriView

Lying = dict[str, int]
ROWS = "qrst"
FRONT_LAND = ("q1", "q2", "t4", "t5")
INSIDE = ("r2", "r3", "r4", "s2", "s3", "s4")
STEP = {"n": (-1, 0), "e": (0, 1), "s": (1, 0), "w": (0, -1)}


@cache
def spaces(board: str) -> list[str]:
    """Return the codes of a board."""
    every = [f"{row}{column}" for row, column in product(ROWS, range(1, 6))]
    return [code for code in every if board == "atoll" or code not in FRONT_LAND]


def neighbour(code: str, down: int, right: int) -> str:
    """Return the code this many columns and rows away, which may be off the board."""
    row = ROWS.index(code[0]) + down
    return f"{ROWS[row]}{int(code[1]) + right}" if 0 <= row < 4 else ""


@cache
def around(board: str, code: str) -> list[str]:
    """Return the spaces around one in all eight directions."""
    steps = [step for step in product((-1, 0, 1), repeat=2) if step != (0, 0)]
    return [other for other in (neighbour(code, *step) for step in steps) if other in spaces(board)]


def points(lying: Lying) -> dict[tuple[float, float], str]:
    """Return every point of land with its space: each tile's middle and its sides with land."""
    land = {}
    for code, number in lying.items():
        tile = TILES[number]
        row = ROWS.index(code[0])
        column = int(code[1])
        if tile.is_island:
            land[(float(row), float(column))] = code
            for side in tile.land:
                down, right = STEP["nesw"[side]]
                land[(row + down * 0.4, column + right * 0.4)] = code
    return land


def islands(board: str, lying: Lying) -> list[tuple[set[str], bool]]:
    """Return the islands, each with whether it is complete."""
    land = points(lying)
    left, found = set(land), []
    while left:
        edge = [left.pop()]
        reached = set(edge)
        while edge:
            here = edge.pop()
            near = {point for point in left if _adjoin(here, point, land)}
            left -= near
            reached |= near
            edge += near
        shores = [point for point in reached if _is_shore(point)]
        closed = all(
            any(_adjoin(shore, point, land) and land[point] != land[shore] for point in land)
            for shore in shores
        )
        found.append(({land[point] for point in reached}, closed))
    return found


def _is_shore(point: tuple[float, float]) -> bool:
    return any(abs(part - round(part)) > 0.1 for part in point)


def _adjoin(
    one: tuple[float, float], other: tuple[float, float], land: dict[tuple[float, float], str]
) -> bool:
    """Return whether two points are joined: of one tile, or of two tiles whose shores meet."""
    if land[one] == land[other]:
        return True
    return abs(one[0] - other[0]) + abs(one[1] - other[1]) < 0.3


def ships(board: str, lying: Lying) -> int:
    """Return the ships in sight."""
    printed = 2 if board == "front" or "s3" not in lying else 1
    return printed + sum(TILES[number].ships for number in lying.values())


def own_points(board: str, lying: Lying) -> tuple[int, int, int, Lying]:
    """Return the points for palms without and with huts and for leis, and the remaining tiles."""
    found = islands(board, lying)
    gone = {code for codes, complete in found if not complete for code in codes}
    plain = hutted = 0
    for codes, complete in found:
        tiles = [TILES[lying[code]] for code in codes]
        worth = (
            sum(tile.palms for tile in tiles)
            * (2 if board == "atoll" and codes <= set(INSIDE) else 1)
            * complete
        )
        if any(tile.hut for tile in tiles):
            hutted += 2 * worth
        else:
            plain += worth
    kept = {code: number for code, number in lying.items() if code not in gone}
    leis = 0
    for code, number in kept.items():
        tile = TILES[number]
        if tile.lei in (1, 2):
            other = kept.get(neighbour(code, *STEP["nesw"[tile.lei]]))
            leis += other is not None and TILES[other].lei == tile.lei + 2 - 4 * (tile.lei == 2)
    return plain, hutted, 10 * leis, kept


def totals(view: MaoriView) -> list[int]:
    """Return everybody's points as if the match ended now."""
    lying = [{laid.spot: laid.tile for laid in own.tiles} for own in view.sides]
    counted = [own_points(view.board, tiles) for tiles in lying]
    fleets = [ships(view.board, kept) for *_, kept in counted]
    shells = [own.shells for own in view.sides]
    result = []
    for seat, (plain, hutted, leis, kept) in enumerate(counted):
        total = plain + hutted + leis - (len(spaces(view.board)) - len(kept))
        total += fleets[seat] * (fleets[seat] == max(fleets)) + shells[seat] * (
            shells[seat] == max(shells)
        )
        result.append(total)
    return result


def fares(board: str, lying: Lying, ship: str) -> dict[str, int]:
    """Return the price of placing a tile on each empty space, by trying every journey."""
    reached = {ship: 0}
    while True:
        further = {
            other: steps + 1
            for code, steps in reached.items()
            for other in around(board, code)
            if steps + 1 < reached.get(other, 99)
        }
        if not further:
            break
        reached |= further
    found: dict[str, int] = {}
    for code in lying:
        for space in around(board, code):
            if space not in lying:
                found[space] = min(reached[code], found.get(space, 99))
    return found


def line(position: int) -> str:
    """Return the cells that the discoverer faces, nearest first."""
    if position <= 4:
        return "".join("abcdefghijklmnop"[position - 1 + 4 * step] for step in range(4))
    if position <= 8:
        return "abcdefghijklmnop"[4 * (position - 5) : 4 * (position - 4)][::-1]
    return line(13 - position)[::-1] if position <= 12 else line(21 - position)[::-1]


def reachable(view: MaoriView, shells: int) -> dict[str, int]:
    """Return the tiles that can be paid for, with their prices."""
    found: dict[str, int] = {}
    for cell in line(int(view.discoverer)):
        number = view.matrix["abcdefghijklmnop".index(cell)]
        if number and TILES[number].kind == "volcano":
            break
        if number:
            found[cell] = len(found)
    return {cell: price for cell, price in found.items() if price <= shells}
