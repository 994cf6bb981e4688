"""The chart of a match's expected points shows every line, badge and moment."""

from itertools import combinations
from math import dist

from PIL import ImageChops

from render import curves
from render.canvas import Placed, record_placements
from render.curves import MarkedMoment
from render.fonts import record_texts
from render.palette import LIVERIES

NAMES = ("Christopher", "Ngā Tamariki", "Bo", "Alexandra the Great", "Moana")
EXPECTED = [[20.0 + seat + number * (seat + 1) / 4 for seat in range(5)] for number in range(41)]


def _middle(placed: Placed) -> tuple[float, float]:
    left, top, right, bottom = placed.box
    return (left + right) / 2, (top + bottom) / 2


def test_moments_that_lie_close_together_hide_neither_each_other_nor_the_badges() -> None:
    marked = [
        MarkedMoment(str(number + 1), commit, 4)
        for number, commit in enumerate((3, 3, 4, 5, 40, 40))
    ]
    with record_placements() as notes:
        placed = notes.on(curves.draw_image("Blue Lagoon", EXPECTED, NAMES, marked))
    discs = [one for one in placed if one.shows.isdigit()]
    assert [one.shows for one in discs] == ["1", "2", "3", "4", "5", "6"]
    across = discs[0].mask.width * 0.8  # without the shadow
    assert all(
        dist(_middle(first), _middle(second)) > across for first, second in combinations(discs, 2)
    )
    badges = [one for one in placed if one.shows.startswith("badge:")]
    assert len(badges) == 5
    assert all(dist(_middle(disc), _middle(badge)) > across for disc in discs for badge in badges)


def test_badges_of_seats_with_equal_points_leave_the_leader_where_it_is() -> None:
    for last in ([0.0, 0.0, 0.0, 0.0, 4.0], [4.0, 4.0, 4.0, 4.0, 0.0], [0.0] * 5):
        with record_placements() as notes:
            placed = notes.on(curves.draw_image("Maori", [[0.0] * 5, last], NAMES, []))
        rows = {thing.shows: _middle(thing)[1] for thing in placed if thing.shows}
        heights = [rows[f"badge:{seat}"] for seat in sorted(range(5), key=lambda one: -last[one])]
        assert heights == sorted(set(heights))
        lines = curves.draw_image("Maori", [[0.0] * 5, last], NAMES, [])
        assert 0.2 * lines.height < heights[0] and heights[-1] < 0.92 * lines.height, last


def test_badges_keep_off_the_points_beside_them() -> None:
    with record_placements() as notes, record_texts() as texts:
        placed = notes.on(curves.draw_image("Maori", [[0.0] * 4, [22.5, -14, 100, 1]], NAMES, []))
    badges = max(thing.box[2] for thing in placed if thing.shows.startswith("badge:"))
    numbers = {text.text: text.box[0] for text in texts if text.box[0] > 0.85 * curves.WIDTH}
    assert set(numbers) == {"22½", "−14", "100", "1"}
    assert min(numbers.values()) > badges


def test_long_names_go_on_in_a_second_line() -> None:
    with record_texts() as texts:
        curves.draw_image("Maori", EXPECTED, NAMES, [])
    written = {text.text for text in texts}
    assert {"Christop-", "her", "Ngā", "Tamariki", "Bo"} <= written
    for first, second in combinations(texts, 2):
        (left, top, right, bottom), other = first.box, second.box
        apart = right <= other[0] or other[2] <= left or bottom <= other[1] or other[3] <= top
        assert first.canvas is not second.canvas or apart, (first, second)


def test_one_move_is_not_called_moves() -> None:
    for expected, description in ((EXPECTED[:2], "1 move"), (EXPECTED, "40 moves")):
        with record_texts() as texts:
            curves.draw_image("Maori", expected, NAMES, [])
        assert description in {text.text for text in texts}


def test_every_line_carries_the_shape_of_its_seat() -> None:
    image = curves.draw_image("Maori", EXPECTED, NAMES, [], phases=[20])
    plain = curves.draw_image("Maori", EXPECTED, NAMES, [])
    phase = ImageChops.difference(image, plain).getbbox()
    assert phase is not None and phase[2] - phase[0] <= 2, "a hairline where the phase changes"
    for seat, livery in enumerate(LIVERIES):
        alone = [[0.0] * seat + [values[seat]] + [0.0] * (4 - seat) for values in EXPECTED]
        band = curves.draw_image("Maori", alone, NAMES, []).crop((200, 180, 800, 640))
        columns = []
        for x in range(band.width):
            colours = band.crop((x, 0, x + 1, band.height)).getcolors() or []
            columns.append(sum(number for number, found in colours if found == livery.colour))
        # A line alone is thinner than the shapes on it.
        assert max(columns) > 1.5 * sorted(columns)[band.width // 2], livery.name
