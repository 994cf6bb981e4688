"""Labels of Conquest of Paradise find places where they cover nothing important."""

from render.canvas import Canvas, record_placements
from render.conquest.chart import NUMBER_DISTANCES
from render.conquest.labels import Labels, Text
from render.conquest.layout import HALO, TEXT
from render.conquest.pieces import count_label
from render.conquest.tokens import counter
from render.fonts import Face, label
from render.news import Mark, bud
from render.palette import BACKDROP, WHITE
from tests.render.hidden import covered


def test_numbers_of_news_in_one_hex_stand_side_by_side():
    with record_placements() as notes:
        canvas = Canvas.blank(378, 214, BACKDROP)
        labels = Labels(canvas)
        for number in range(1, 11):
            labels.pin(
                bud(26, Mark(number), 19), (60, 100), 13, 13, f"news:{number}", NUMBER_DISTANCES
            )
        placed = notes.on(canvas.image)
    shares = [
        hides / whole for whole, hides in (covered(number, placed) for number in range(len(placed)))
    ]
    assert len(shares) == 10
    assert max(shares) < 0.04


def test_a_name_covers_pieces_before_it_covers_a_number():
    with record_placements() as notes:
        canvas = Canvas.blank(400, 200, BACKDROP)
        labels = Labels(canvas)
        # Pieces all around, so that the name must cover something, and a number where it belongs.
        for x in range(20, 400, 36):
            for y in (64, 136):
                canvas.put(counter(0, 36, ""), x, y, "piece")
                labels.keep_off(counter(0, 36, ""), x, y)
        number = count_label("3")
        canvas.put(number, 200, 122, "count")
        labels.keep_off_text(number, 200, 122, TEXT)
        labels.write([Text("g8", "Pukapuka", 200, 100)])
        placed = notes.on(canvas.image)
    at = next(number for number, thing in enumerate(placed) if thing.shows == "count")
    whole, hides = covered(at, placed)
    assert hides / whole < 0.04
    # And it is as large as it is anywhere: smaller letters cannot be read on a phone.
    name = next(thing for thing in placed if thing.shows == "name:g8")
    assert (
        name.mask.size == label("Pukapuka", Face.STRONG, TEXT, WHITE, "m", BACKDROP, HALO).mask.size
    )


def test_a_name_stays_near_its_land():
    canvas = Canvas.blank(400, 200, BACKDROP)
    labels = Labels(canvas)
    with record_placements() as notes:
        labels.keep_off(counter(0, 36, ""), 200, 78)
        labels.write([Text("g8", "Rapa", 200, 100)])
        (name,) = notes.on(canvas.image)
    assert abs((name.box[0] + name.box[2]) / 2 - 200) < 8


def test_a_printed_code_makes_way_for_a_name():
    canvas = Canvas.blank(400, 200, BACKDROP)
    labels = Labels(canvas)
    code = label("G8", Face.CODE, TEXT, WHITE, "m", BACKDROP, HALO)
    assert labels.find_code_place(code, 200, 100, TEXT) == (200, 100)
    with record_placements() as notes:
        labels.write([Text("g7", "Pukapuka", 200, 90)])
        canvas.put(code, *labels.find_code_place(code, 200, 100, TEXT))
        name, moved = notes.on(canvas.image)
    assert covered(0, [name, moved])[1] < 0.04 * covered(0, [name, moved])[0]


def test_a_name_beside_its_code_is_dropped_before_covering_text():
    for is_coded in (False, True):
        canvas = Canvas.blank(400, 200, BACKDROP)
        labels = Labels(canvas)
        for x in range(20, 400, 24):
            for y in range(20, 200, 24):
                labels.keep_off_text(count_label("3"), x, y, TEXT)
        with record_placements() as notes:
            labels.write([Text("g8", "Rapa", 200, 100, is_coded=is_coded)])
            assert bool(notes.on(canvas.image)) == (not is_coded)


def test_a_hex_without_room_for_a_name_has_its_code():
    canvas = Canvas.blank(400, 200, BACKDROP)
    labels = Labels(canvas)
    number = count_label("3")
    with record_placements() as notes:
        # A fence of numbers: between two of them there is room for a code, never for a name.
        for x in range(20, 400, 80):
            for y in range(20, 200, 24):
                canvas.put(number, x, y, f"count:{x} {y}")
                labels.keep_off_text(number, x, y, TEXT)
        labels.write([Text("g8", "Rarotonga", 200, 100)])
        *numbers, name = notes.on(canvas.image)
    assert name.mask.size == label("G8", Face.STRONG, TEXT, WHITE, "m", BACKDROP, HALO).mask.size
    assert not any(covered(0, [number, name])[1] for number in numbers)
