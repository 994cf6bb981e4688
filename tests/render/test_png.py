"""The picture files: valid, exact and small."""

import io
import random

import pytest
from PIL import Image

from render.png import HEAVY_COMPRESSION, encode, load_palette, to_palette


def speckled(size: tuple[int, int]) -> Image.Image:
    """Return a picture with many colours."""
    image = Image.new("RGB", size)
    image.putdata(
        [
            (x * 7 % 256, y * 11 % 256, (x + y) * 5 % 256)
            for y in range(size[1])
            for x in range(size[0])
        ]
    )
    return image


def read(data: bytes) -> Image.Image:
    """Read a file and check all its checksums."""
    Image.open(io.BytesIO(data)).verify()
    image = Image.open(io.BytesIO(data))
    image.load()
    return image


@pytest.mark.parametrize("size", [(1, 1), (3, 200), (257, 5), (300, 190)])
@pytest.mark.parametrize("palette", ["blue_lagoon", "no such palette"])
def test_a_file_has_each_pixel_of_the_picture_in_its_palette(
    size: tuple[int, int], palette: str
) -> None:
    image = speckled(size)
    back = read(encode(image, palette))
    assert (back.format, back.mode, back.size) == ("PNG", "P", size)
    assert back.convert("RGB").tobytes() == to_palette(image, palette).convert("RGB").tobytes()


def test_a_picture_that_has_a_palette_keeps_it() -> None:
    image = Image.new("P", (4, 2), 1)
    image.putpalette([10, 20, 30, 40, 50, 60])
    back = read(encode(image, "blue_lagoon"))
    assert back.convert("RGB").getcolors() == [(8, (40, 50, 60))]


def test_a_file_is_no_larger_than_pillow_writes_it() -> None:
    image = to_palette(speckled((300, 190)), "blue_lagoon")
    theirs = io.BytesIO()
    image.save(theirs, "PNG", compress_level=6)
    assert len(encode(image, "blue_lagoon")) <= len(theirs.getvalue()) * 1.03
    assert load_palette("blue_lagoon")


def test_a_large_file_is_compressed_as_far_as_possible() -> None:
    chance = random.Random(1)
    image = Image.frombytes("P", (700, 400), bytes(chance.choices(range(230), k=700 * 400)))
    image.putpalette(bytes(range(256)) * 3)
    assert encode(image, "blue_lagoon") == encode(image, "blue_lagoon", HEAVY_COMPRESSION)
    small = image.crop((0, 0, 300, 200))
    assert encode(small, "blue_lagoon", 1) != encode(small, "blue_lagoon", HEAVY_COMPRESSION)
