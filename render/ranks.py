"""Who leads and who has won: the places of the seats, and the discs that show them."""

from itertools import groupby

from msgspec import Struct

from engine import Seat, View
from engine.core.game import RESIGNED
from render.canvas import Canvas
from render.palette import ACTIVE, SAND
from render.pieces import disc
from render.words import words_of


class Rank(Struct, frozen=True):
    """The place of a seat, as its panel shows it."""

    place: int = 0
    """From 1; 0 while nobody leads."""
    has_won: bool = False


UNRANKED = Rank()


def winners_of(view: View) -> tuple[Seat, ...]:
    """Return the seats that have won: none before the end, and none if players left early."""
    if view.outcome is None or view.outcome.reason == RESIGNED:
        return ()
    return view.outcome.winners


def rank_seats(view: View) -> list[tuple[int, int]]:
    """Return the seats with their places, the best first; by points while the match goes on."""
    if view.outcome:
        ranking = view.outcome.ranking
    else:
        by_points = sorted(range(len(view.scores)), key=lambda seat: -view.scores[seat])
        groups = groupby(by_points, key=lambda seat: view.scores[seat])
        ranking = tuple(tuple(map(Seat, level)) for _, level in groups)
    ranked: list[tuple[int, int]] = []
    for level in ranking:
        # Seats on one level share a place, and the places after it are skipped: 1, 2, 2, 4.
        place = len(ranked) + 1
        ranked += [(seat, place) for seat in level]
    return ranked


def ranks_of(view: View) -> tuple[Rank, ...]:
    """Return the rank of each seat; while all have equal points, nobody has a place."""
    if view.outcome is None and len(set(view.scores)) <= 1:
        return (UNRANKED,) * len(view.scores)
    winners = winners_of(view)
    places = dict(rank_seats(view))
    return tuple(Rank(places[seat], seat in winners) for seat in range(len(view.scores)))


def final_lines(view: View, final: str) -> tuple[str, ...]:
    """Return the lines of a final picture's title: `final`, and by how much somebody won."""
    winners = winners_of(view)
    scores = sorted(view.scores, reverse=True)
    if len(winners) != 1 or len(scores) < 2 or scores[0] == scores[1]:
        return (final,)
    return final, words_of().say("final.margin", points=scores[0] - scores[1])


def put_rank(canvas: Canvas, rank: Rank, x: int, y: int, size: int) -> None:
    """Put the disc of a place around a point; that of a winner is golden."""
    if rank.place:
        text = words_of().say("pad.place", place=rank.place)
        colour = ACTIVE if rank.has_won else SAND
        canvas.put(disc(text, size, colour), x, y, f"rank:{rank.place}")
