"""Marks of events: if there are many, the newest are numbered; things that are gone are not."""

from itertools import pairwise

from engine import GAMES, Seat, begin
from engine.blue_lagoon import events as lagoon_events
from engine.blue_lagoon.view import BlueLagoonView
from render import Scene
from render.blue_lagoon.news import collect_news
from render.canvas import Canvas, Placed, record_placements
from render.fonts import Face, label
from render.news import NUMBERED_MARKS, Mark, bud, flower, make_marks, put_panel_flowers
from render.palette import INK, PAPER, livery_of
from tests.render.hidden import covered


def test_of_sixty_marks_the_newest_have_numbers_and_the_others_are_small_dots() -> None:
    made = make_marks([None] * 60)
    assert [mark.is_dot for mark in made] == [True] * (60 - NUMBERED_MARKS) + [
        False
    ] * NUMBERED_MARKS
    assert not any(mark.is_dot for mark in make_marks([None] * NUMBERED_MARKS))
    for drawn in (flower, bud):
        dot = drawn(30, made[0], 22)
        numbered = drawn(30, made[-1], 22)
        assert dot.image.width < numbered.image.width


def test_of_many_pieces_that_were_taken_off_between_the_phases_none_is_marked() -> None:
    view = begin(GAMES["blue_lagoon"], 2, {}, "news").view(None)
    assert isinstance(view, BlueLagoonView) and not view.pieces

    def marked(before: int) -> list[str]:
        placed = [
            lagoon_events.Settled(Seat(number % 2), str(number + 1), "settler")
            for number in range(before)
        ]
        events = (
            *placed,
            lagoon_events.Cleared(()),
            lagoon_events.Settled(Seat(1), "30", "settler"),
        )
        return [
            news_item.spot for news_item in collect_news(view, Scene(("Ana", "Bea"), events=events))
        ]

    assert marked(5) == ["30"]
    assert marked(2) == ["1", "2", "30"], "the last of the exploration are shown where they stood"


def test_no_flower_on_a_panel_covers_the_number_of_another() -> None:
    letters = 24
    for count in range(1, NUMBERED_MARKS):
        with record_placements() as notes:
            canvas = Canvas.blank(200, 80, PAPER)
            # One seat's last news items, with those of three others between them.
            put_panel_flowers(
                canvas, 100, 40, make_marks(list(range(count)))[count % 4 :: 4], 30, letters
            )
            placed = notes.on(canvas.image)
        assert placed or count < 5
        for older, newer in pairwise(placed):
            left, top, right, bottom = older.box
            number = label(older.shows.removeprefix("whose:"), Face.STRONG, letters, INK)
            there = (left + right) // 2 - number.anchor[0], (top + bottom) // 2 - number.anchor[1]
            whole, hides = covered(0, [Placed("number", number.mask, *there), newer])
            assert hides < 0.04 * whole, (count, older.shows, newer.shows)


def test_marks_say_by_colour_and_shape_who_did_it() -> None:
    looks = set()
    for mark in make_marks(range(5)):
        assert mark.seat is not None
        livery = livery_of(mark.seat)
        for drawn in (flower, bud):
            image = drawn(40, mark, 40).image
            colours = {colour for _, colour in image.getcolors(100_000) or []}
            assert livery.colour in colours, livery.name
        looks.add(bud(40, mark, 40).mask.point([0] * 128 + [255] * 128).tobytes())
    assert len(looks) == 5, "every seat's bud has another outline"
    alone = [flower(40, Mark(seat=seat), 40).image.tobytes() for seat in range(5)]
    assert len({*alone, flower(40, Mark(), 40).image.tobytes()}) == 6
