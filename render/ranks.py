"""The seats' ranks: who leads, who has won, and the discs that show it.

Ranks are by points while a match goes on, and by its outcome once it has ended.
"""

from itertools import groupby

from msgspec import Struct

from engine import Seat, View
from engine.core.game import RESIGNED
from render.canvas import Canvas
from render.palette import ACTIVE, SAND
from render.pieces import disc
from render.words import words_of


class Rank(Struct, frozen=True):
    """A seat's rank, as its panel shows it."""

    number: int = 0
    """Counted from 1; 0 for no rank yet."""
    has_won: bool = False


UNRANKED = Rank()


def winners_of(view: View) -> tuple[Seat, ...]:
    """Return the seats that have won: none before the end, and none if players left early."""
    if view.outcome is None or view.outcome.reason == RESIGNED:
        return ()
    return view.outcome.winners


def rank_seats(view: View) -> list[tuple[int, int]]:
    """Return pairs of a seat and its rank, the best first; by points while the match goes on."""
    if view.outcome:
        ranking = view.outcome.ranking
    else:
        by_points = sorted(range(len(view.scores)), key=lambda seat: -view.scores[seat])
        groups = groupby(by_points, key=lambda seat: view.scores[seat])
        ranking = tuple(tuple(map(Seat, tied)) for _, tied in groups)
    ranked: list[tuple[int, int]] = []
    for tied in ranking:
        # Tied seats share a rank, and as many ranks after it are skipped: 1, 2, 2, 4.
        rank = len(ranked) + 1
        ranked += [(seat, rank) for seat in tied]
    return ranked


def ranks_of(view: View) -> tuple[Rank, ...]:
    """Return the rank of each seat; nobody has one while all have equal points."""
    if view.outcome is None and len(set(view.scores)) <= 1:
        return (UNRANKED,) * len(view.scores)
    winners = winners_of(view)
    numbers = dict(rank_seats(view))
    return tuple(Rank(numbers[seat], seat in winners) for seat in range(len(view.scores)))


def final_lines(view: View, final: str) -> tuple[str, ...]:
    """Return the lines of a final picture's title: `final`, and the winner's lead if any."""
    winners = winners_of(view)
    scores = sorted(view.scores, reverse=True)
    if len(winners) != 1 or len(scores) < 2 or scores[0] == scores[1]:
        return (final,)
    return final, words_of().say("final.margin", points=scores[0] - scores[1])


def put_rank(canvas: Canvas, rank: Rank, x: int, y: int, size: int) -> None:
    """Put the disc with a rank around a point; the winner's is golden."""
    if rank.number:
        text = words_of().say("pad.place", place=rank.number)
        colour = ACTIVE if rank.has_won else SAND
        canvas.put(disc(text, size, colour), x, y, f"rank:{rank.number}")
