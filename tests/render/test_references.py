"""Pictures still look as they did; tests/render/references.py draws the references anew."""

import pytest
from PIL import Image, ImageChops, ImageStat

from tests.render.references import FOLDER, REFERENCES, small


@pytest.mark.parametrize("name", REFERENCES)
def test_a_picture_looks_like_its_reference(name):
    now = small(name)
    with Image.open(FOLDER / f"{name}.png") as stored:
        then = stored.convert("RGB")
    assert now.size == then.size
    differences = ImageStat.Stat(ImageChops.difference(now, then))
    assert max(differences.mean) < 4
    assert max(differences.rms) < 9


def test_references_are_small_and_all_in_use():
    files = list(FOLDER.glob("*.png"))
    assert {path.stem for path in files} == set(REFERENCES)
    assert all(path.stat().st_size <= 60_000 for path in files)
