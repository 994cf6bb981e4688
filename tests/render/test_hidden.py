"""Marks hide nothing that a decision depends on.

`python -m tests.render.hidden` looks at 500 positions of each game.
"""

import pytest
from PIL import Image

from render.canvas import Brush, Canvas, record_placements
from render.shapes import rectangle
from tests.render.hidden import covered, find_hidden
from tests.render.seen import positions

SAMPLE = 8


@pytest.mark.parametrize("game", ["blue_lagoon", "conquest", "maori", "polynesia"])
def test_no_mark_hides_what_the_decision_depends_on(game):
    found = {
        name: things for name, seen in positions(game, SAMPLE) if (things := find_hidden(*seen))
    }
    assert not found


def test_later_drawings_cover_earlier_ones():
    brush = Brush(10, 10)
    brush.fill(rectangle(0, 0, 10, 10), (1, 2, 3))
    square = brush.finish()
    with record_placements() as notes:
        canvas = Canvas.blank(40, 40, (0, 0, 0))
        canvas.put(square, 10, 10, "code:a1")
        canvas.put(square, 25, 10, "code:a2")
        canvas.put(square, 15, 10)
        canvas.lay(Image.new("RGB", (20, 3)), 20, 10)
        placed = notes.on(canvas.image)
    assert [thing.shows for thing in placed[:3]] == ["code:a1", "code:a2", ""]
    assert [covered(number, placed) for number in range(3)] == [(100, 50), (100, 30), (100, 15)]
