"""Checks where texts stand that `record_texts` has recorded while something was drawn."""

from collections.abc import Sequence
from itertools import combinations

from render.fonts import Written

Box = tuple[float, ...]


def overlap(first: Box, second: Box) -> bool:
    """Return whether two boxes share a pixel."""
    return (
        first[0] < second[2]
        and second[0] < first[2]
        and first[1] < second[3]
        and second[1] < first[3]
    )


def assert_inside(texts: Sequence[Written]) -> None:
    """Check that no text leaves its canvas."""
    for text in texts:
        left, top, right, bottom = text.box
        assert 0 <= left < right <= text.canvas.width, text
        assert 0 <= top < bottom <= text.canvas.height, text


def assert_apart(texts: Sequence[Written]) -> None:
    """Check that no text leaves its canvas or runs into another."""
    assert_inside(texts)
    for first, second in combinations(texts, 2):
        if first.canvas is second.canvas:
            assert not overlap(first.box, second.box), (first, second)
