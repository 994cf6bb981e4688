"""Simulates colour blindness by the method of Machado, Oliveira and Fernandes (2009).

The matrices are theirs. MIN_DIFFERENCE may be tuned; a lower one lets colours look more alike.
"""

from collections.abc import Iterator

from PIL import Image

from tests.bench.colour import difference, lab

KINDS: dict[str, tuple[float, ...]] = {
    "protan": (
        0.152286,
        1.052583,
        -0.204868,
        0.114503,
        0.786281,
        0.099216,
        -0.003882,
        -0.048116,
        1.051998,
    ),
    "deutan": (
        0.367322,
        0.860646,
        -0.227968,
        0.280085,
        0.672501,
        0.047413,
        -0.011820,
        0.042940,
        0.968881,
    ),
    "tritan": (
        1.255528,
        -0.076749,
        -0.178779,
        -0.078411,
        0.930809,
        0.147602,
        0.004733,
        0.691367,
        0.303900,
    ),
}
"""The matrices for eyes without red, green or blue cones, which apply to linear light."""
TOLD_APART = 12
"""The difference at which two colours can be told apart at a glance, even on a small area."""


def simulate(kind: str, colour: tuple[int, int, int]) -> tuple[int, int, int]:
    """Return a colour as eyes with this kind of colour blindness see it."""
    light = [_linear(channel / 255) for channel in colour]
    matrix = KINDS[kind]
    rows = (matrix[:3], matrix[3:6], matrix[6:])
    seen = [sum(weight * part for weight, part in zip(row, light, strict=True)) for row in rows]
    red, green, blue = (round(255 * _encoded(min(1.0, max(0.0, part)))) for part in seen)
    return red, green, blue


def visible_difference(first: Image.Image, second: Image.Image, kind: str) -> float:
    """Return the share of pixels by which two pictures of one size visibly differ."""
    known: dict[tuple[tuple[int, int, int], tuple[int, int, int]], bool] = {}
    pairs = list(zip(_pixels(first), _pixels(second), strict=True))
    for one, two in set(pairs):
        known[one, two] = (
            difference(lab(simulate(kind, one)), lab(simulate(kind, two))) > TOLD_APART
        )
    return sum(known[pair] for pair in pairs) / len(pairs)


def _pixels(image: Image.Image) -> Iterator[tuple[int, int, int]]:
    data = image.convert("RGB").tobytes()
    return zip(data[::3], data[1::3], data[2::3], strict=True)


def _linear(channel: float) -> float:
    return channel / 12.92 if channel <= 0.04045 else float(((channel + 0.055) / 1.055) ** 2.4)


def _encoded(light: float) -> float:
    return 12.92 * light if light <= 0.0031308 else float(1.055 * light ** (1 / 2.4) - 0.055)
