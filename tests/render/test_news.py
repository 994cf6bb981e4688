"""Marks of what happened: of very many the newest are numbered, and nothing is marked that stands there no more."""

from engine import GAMES, Seat, begin
from engine.blue_lagoon import events as told
from engine.blue_lagoon.view import BlueLagoonView
from render import Scene
from render.blue_lagoon.news import deeds_of
from render.news import NUMBERED, bud, flower, marks


def test_of_sixty_marks_the_newest_have_numbers_and_the_others_are_small_dots() -> None:
    made = marks(60)
    assert [mark.is_dot for mark in made] == [True] * (60 - NUMBERED) + [False] * NUMBERED
    assert not any(mark.is_dot for mark in marks(NUMBERED))
    for drawn in (flower, bud):
        dot, numbered = drawn(30, made[0], 22), drawn(30, made[-1], 22)
        assert dot.image.width < numbered.image.width


def test_of_many_pieces_that_were_taken_off_between_the_phases_none_is_marked() -> None:
    view = begin(GAMES["blue_lagoon"], 2, {}, "news").view(None)
    assert isinstance(view, BlueLagoonView) and not view.pieces

    def marked(before: int) -> list[str]:
        placed = [told.Settled(Seat(number % 2), str(number + 1), "settler") for number in range(before)]
        events = (*placed, told.Cleared(()), told.Settled(Seat(1), "30", "settler"))
        return [deed.spot for deed in deeds_of(view, Scene(("Ana", "Bea"), events=events))]

    assert marked(5) == ["30"]
    assert marked(2) == ["1", "2", "30"], "the last of the exploration are shown where they stood"
