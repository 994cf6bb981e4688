"""Matches that ended because players left: their pictures, texts and score sheets."""

from functools import cache
from importlib import import_module
from importlib.util import find_spec
from itertools import islice

import pytest
from msgspec.structs import replace

from engine import GAMES, Match, Seat, Table
from engine.core.words import points, words_of
from render import Scene, alt_text, renderer, score_sheet, text_board
from render.canvas import Mode, use_mode
from render.fonts import record_texts
from render.sample import NAMES, play_randomly

QUICK = Mode(fine=1, cut=1, keep=False)
SEATS = [(game, seats) for game in GAMES for seats in (GAMES[game].seats[0], GAMES[game].seats[-1])]


def _has(game: str, part: str) -> bool:
    """Return whether a game has its own version of an optional part of its renderer."""
    spec = find_spec(f"render.{game}")
    return spec is not None and hasattr(import_module(f"render.{game}"), part)


SHEETS = [(game, seats) for game, seats in SEATS if _has(game, "score_sheet")]
LATER = 45


@cache
def _positions(game: str, seats: int) -> tuple[Match, ...]:
    """Return the beginning of a random match; of a short one, all but its end."""
    return tuple(
        match for match in islice(play_randomly(game, seats, 4), LATER + 1) if match.outcome is None
    )


def _left(match: Match) -> Match:
    """Return the match after everybody except the last seat has resigned."""
    for seat in range(match.seats - 1):
        match = match.resign(Seat(seat))
    assert match.outcome is not None and match.outcome.reason == "resigned"
    return match


def _texts(match: Match, viewer: Seat | None = None) -> list[str]:
    """Return the texts of the score sheet."""
    view = match.view(viewer)
    with use_mode(QUICK), record_texts() as written:
        assert renderer(view, "score_sheet")(view, Scene(NAMES[: match.seats])) is not None
    return [text.text for text in written]


@pytest.mark.parametrize(("game", "seats"), SHEETS)
@pytest.mark.parametrize("number", [0, LATER])
def test_a_match_that_players_left_has_a_score_sheet_that_says_so(game, seats, number):
    match = _positions(game, seats)[number]
    assert score_sheet(match.view(None), Scene(NAMES[:seats])) is None
    texts = _texts(_left(match))
    assert "ended early" in texts
    assert any(text.startswith("Ended early: ") for text in texts)
    assert not any("wins" in text or "share the win" in text or "break" in text for text in texts)


@pytest.mark.parametrize(("game", "seats"), SHEETS)
def test_its_total_is_what_the_ranking_says(game, seats):
    match = _left(_positions(game, seats)[LATER])
    texts = _texts(match)
    rows = [texts[start : start + seats] for start in range(len(texts))]
    assert [points(score) for score in match.outcome.scores] in rows


@pytest.mark.parametrize(("game", "seats"), SHEETS)
def test_everybody_sees_the_same_sheet(game, seats):
    match = _left(_positions(game, seats)[LATER])
    assert _texts(match) == _texts(match, Seat(0)) == _texts(match, Seat(seats - 1))


def test_cards_face_down_stay_secret_and_are_not_counted():
    fought = play_randomly("conquest", 4, 9, {"last_turn": "12"})
    match = next(
        match for match in fought if sum(nation.hidden for nation in match.view(None).nations) >= 2
    )
    left = _left(match)
    texts = _texts(left)
    place = texts.index("Face-down cards (not counted)")
    assert texts[place + 1 :][:4] == [str(nation.hidden) for nation in left.view(None).nations]
    for chance in range(5):
        dealt = match.game.redeal(left.base, None, Table(str(chance)))
        assert _texts(replace(left, base=dealt)) == texts


@pytest.mark.parametrize("kind", ["palms", "huts", "leis", "ships", "shells"])
def test_maori_counts_the_boards_as_they_stood(kind):
    left = _left(_positions("maori", 5)[LATER])
    rows = left.view(None).now
    texts = _texts(left)
    assert texts[texts.index(words_of("maori").word(kind)) + 1 :][:5] == [
        points(getattr(row, kind)) for row in rows
    ]


def test_maori_takes_incomplete_islands_off_boards_that_were_left():
    left = _left(_positions("maori", 5)[LATER])
    view = left.view(None)
    texts = _texts(left)
    found = {}
    for kind in ("empty", "removed"):
        # A note stands between the label and the points.
        start = texts.index(words_of("maori").word(kind)) + 2
        found[kind] = texts[start : start + 5]
    assert found["empty"] == [points(-side.empty) for side in view.sides]
    lost = [row.empty + side.empty for row, side in zip(view.now, view.sides, strict=True)]
    assert found["removed"] == [points(number) for number in lost]
    assert min(lost) < 0


def test_polynesia_counts_as_if_the_volcano_had_erupted_then():
    left = _left(_positions("polynesia", 4)[LATER])
    view = left.view(None)
    texts = _texts(left)
    for number, card in enumerate(view.tides, 1):
        counted = [getattr(row, f"tide{number}") for row in view.now]
        start = texts.index(f"Tide card {card}") + 2
        # A note of the card may go on in further lines.
        expected = [points(value) for value in counted]
        assert expected in [texts[begin : begin + 4] for begin in range(start, start + 4)]
    assert any("volcano had erupted" in text for text in texts)


@pytest.mark.parametrize(("game", "seats"), SEATS)
def test_the_board_in_words_says_the_same(game, seats):
    left = _left(_positions(game, seats)[-1])
    scene = Scene(NAMES[:seats])
    assert "Ended early" in alt_text(left.view(None), scene)
    description = text_board(left.view(None), scene)
    assert "Ended early" in description
    assert all(points(score) in description for score in left.outcome.scores)


@pytest.mark.parametrize("game", sorted({game for game, _ in SHEETS}))
def test_the_rules_help_says_how_such_a_match_is_counted(game):
    topics = [topic["text"] for topic in words_of(game).topics.values()]
    assert any("at most one " in text and "The score sheet" in text for text in topics)
