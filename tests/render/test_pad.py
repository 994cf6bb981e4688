"""Score sheets of all games: ranked, the winner's column tinted, a bar per number, and in words."""

from itertools import pairwise
from random import Random

import pytest
from msgspec.structs import replace

import render
from engine import GAMES, Match, Outcome, Seat, begin
from engine.core.words import points
from engine.players.simple import stand_in
from render import Scene
from render.fonts import Written, record_texts
from render.maori.scores import LABEL_SHARE, PICTURE_WIDTH
from render.pad import TINT, ScorePad
from render.palette import livery_of
from render.ranks import rank_seats
from tests.contract.games import shortest

NAMES = ("Moana", "Bartholomew", "Cleo", "Dominique", "Evangeline")
SIZES = [(game, seats) for game in GAMES for seats in GAMES[game].seats]


def end_of(game: str, seats: int) -> Match:
    """Play a match between stand-ins to its end."""
    match = begin(GAMES[game], seats, shortest(GAMES[game]), f"sheet {seats}")
    while match.outcome is None:
        match = stand_in(match, match.waiting_for()[0])
    return match


def places(texts: list[Written], expected: tuple[str, ...]) -> list[int]:
    """Return the horizontal positions of these texts."""
    # The first place stands in the title strip as well.
    return [
        max((text.box[1], text.box[0]) for text in texts if text.text == name)[1]
        for name in expected
    ]


@pytest.mark.parametrize(("game", "seats"), SIZES)
def test_columns_stand_by_rank_and_those_of_the_first_are_tinted(game: str, seats: int) -> None:
    view = end_of(game, seats).view(None)
    assert view.outcome is not None
    # A name as short as this is never cut.
    names = tuple(f"P{seat + 1}" for seat in range(seats))
    with record_texts() as texts:
        image = render.renderer(view, "score_sheet")(view, Scene(names))
    ranked = [seat for place in view.outcome.ranking for seat in place]
    found = places(texts, tuple(names[seat] for seat in ranked))
    assert all(left < right for left, right in pairwise(found))
    foot = max(text.box[3] for text in texts if text.text in names)
    tinted = [image.getpixel((x + 4, foot + 6)) == TINT for x in found]
    assert tinted == [seat in view.outcome.winners for seat in ranked]


@pytest.mark.parametrize(("game", "seats"), SIZES)
def test_the_alt_text_has_the_whole_table_whatever_the_names(game: str, seats: int) -> None:
    view = end_of(game, seats).view(None)
    for names in (NAMES[:seats], tuple(letter * 32 for letter in "wxyzv")[:seats]):
        with record_texts() as texts:
            render.renderer(view, "score_sheet")(view, Scene(names))
        description = render.score_text(view, Scene(names))
        assert len(description) <= 1024 and "…;" not in description and description.endswith(".")
        numbers = sorted(
            text.text for text in texts if text.text.strip("-½").isdigit() or text.text == "½"
        )
        told = (
            description.replace(";", ",")
            .replace(":", ",")
            .replace(".", ",")
            .replace(" ", "")
            .split(",")
        )
        assert all(told.count(number) >= numbers.count(number) for number in set(numbers))
        for seat, place in rank_seats(view):
            assert f"{place}. {livery_of(seat).letter} " in description
        total = ", ".join(points(view.scores[seat]) for seat, _ in rank_seats(view))
        assert f": {total}" in description


def test_a_bar_is_as_long_as_its_number_is_great_and_hollow_for_a_loss() -> None:
    view = end_of("maori", 2).view(None)
    rng = Random(7)
    for _ in range(20):
        values = [rng.choice((-1, 1)) * rng.randint(1, 40) for _ in range(2)]
        pad = ScorePad(960, view, Scene(("A", "B")), 0.4)
        pad.add_row("x", lambda canvas, x, y: None, values)
        with record_texts() as texts:
            image = pad.draw()
        row = next(text.box for text in texts if text.text == "x")
        lengths = []
        for seat in range(2):
            left = round(960 * 0.4) + pad.column_width * [
                other for other, _ in rank_seats(view)
            ].index(seat)
            line = [image.getpixel((x, row[3] + 7)) for x in range(left, left + pad.column_width)]
            lengths.append(line.count(livery_of(seat).colour))
        assert [long > 0 for long in lengths] == [value > 0 for value in values]
        if min(values) > 0:
            assert lengths[0] / values[0] == pytest.approx(lengths[1] / values[1], rel=0.35, abs=1)


def test_seats_of_one_place_share_its_number() -> None:
    view = replace(
        end_of("maori", 3).view(None),
        outcome=Outcome("board_filled", ((Seat(2),), (Seat(0), Seat(1))), (5, 5, 9)),
        scores=(5, 5, 9),
    )
    assert rank_seats(view) == [(2, 1), (0, 2), (1, 2)]
    with record_texts() as texts:
        render.score_sheet(view, Scene(("A", "B", "C")))
    assert [text.text for text in texts if text.text in ("1.", "2.", "3.")] == ["1.", "2.", "2."]


def test_before_the_end_the_columns_stand_by_points() -> None:
    view = replace(end_of("maori", 3).view(None), outcome=None, scores=(5, 9, 5))
    assert rank_seats(view) == [(1, 1), (0, 2), (2, 2)]


def test_a_name_too_long_for_its_column_goes_on_below_and_the_verdict_has_it_whole() -> None:
    view = end_of("maori", 5).view(None)
    assert view.outcome is not None
    names = ("Christopher", "Ngā Tamariki", "Bartholomew Fitzgerald the Third", "Bo", "Alexandra")
    outcome = replace(
        view.outcome, ranking=((Seat(2),), (Seat(0),), (Seat(1),), (Seat(3),), (Seat(4),))
    )
    view = replace(view, outcome=outcome, scores=(8, 7, 9, 6, 5))
    with record_texts() as texts:
        render.renderer(view, "score_sheet")(view, Scene(names))
    written = [text.text for text in texts]
    assert {"Christop-", "her", "Ngā", "Tamariki", "Bo", "Alexandra"} <= set(written)
    assert "Bartholomew Fitzgerald the Third wins with 9 points" in written
    below = next(text for text in texts if text.text == "her")
    assert below.box[1] > max(text.box[3] for text in texts if text.text == "Christop-")
    assert below.box[3] < min(text.box[1] for text in texts if text.text == "Palms without a hut")


def test_names_of_all_who_share_the_win_stand_whole_in_the_verdict_as_far_as_it_has_room() -> None:
    view = end_of("maori", 5).view(None)

    def description(names: tuple[str, ...], winners: int) -> str:
        seats = tuple(map(Seat, range(5)))
        outcome = Outcome(
            "board_filled", (seats[:winners], *((seat,) for seat in seats[winners:])), (9,) * 5
        )
        with record_texts() as texts:
            render.renderer(view, "score_sheet")(
                replace(view, outcome=outcome, scores=(9,) * 5), Scene(names)
            )
        return next(text.text for text in texts if "share the win with" in text.text)

    two = ("Moana", "Bartholomew the Navigator", "C", "D", "E")
    assert description(two, 2) == "Moana and Bartholomew the Navigator share the win with 9 points"
    assert description(tuple(letter * 32 for letter in "WXMQN"), 5).endswith(" with 9 points")


def test_a_verdict_too_long_for_a_line_is_wrapped_and_not_cut() -> None:
    view = end_of("maori", 2).view(None)
    short, long = "Ended early", "as the boards stood when everybody else had left the table " * 4

    def draw_verdict(text: str) -> tuple[int, list[Written]]:
        pad = ScorePad(960, view, Scene(("A", "B")), 0.4)
        pad.add_verdict(text)
        with record_texts() as texts:
            height = pad.draw().height
        # The title strip is on a separate canvas; the column heads come first.
        return height, [text for text in texts if text.canvas is pad.canvas][4:]

    low, (one_line,) = draw_verdict(short)
    high, lines = draw_verdict(long)
    assert one_line.text == short
    assert " ".join(line.text for line in lines) == long.strip()
    assert len(lines) > 1 and high > low
    for above, below in pairwise(lines):
        assert above.box[3] < below.box[1]
    for line in lines:
        assert line.box[0] >= 0 and line.box[2] <= 960 and line.box[3] < high


@pytest.mark.parametrize("seats", [2, 5])
def test_the_place_stands_within_its_column(seats: int) -> None:
    view = end_of("maori", seats).view(None)
    with record_texts() as texts:
        render.renderer(view, "score_sheet")(view, Scene(NAMES[:seats]))
    across = ScorePad(PICTURE_WIDTH, view, Scene(NAMES[:seats]), LABEL_SHARE).column_width
    lefts = [round(PICTURE_WIDTH * LABEL_SHARE) + across * column for column in range(seats)]
    numbers = sorted(
        text.box[0] for text in texts if text.text in {f"{place}." for place in range(1, 6)}
    )
    assert all(left + 4 <= number for left, number in zip(lefts, numbers, strict=True))
