"""Compare pictures with their references; `python -m tests.render.references` redraws those."""

import pytest
from PIL import Image, ImageChops, ImageStat

from tests.render.references import FOLDER, references, shrink

REFERENCES = references()


@pytest.mark.parametrize("name", REFERENCES)
def test_a_picture_looks_like_its_reference(name):
    now = shrink(REFERENCES[name]())
    with Image.open(FOLDER / f"{name}.png") as stored:
        then = stored.convert("RGB")
    assert now.size == then.size
    differences = ImageStat.Stat(ImageChops.difference(now, then))
    assert max(differences.mean) < 4
    assert max(differences.rms) < 9


def test_references_are_small_and_all_in_use():
    files = {
        path.relative_to(FOLDER).with_suffix("").as_posix(): path for path in FOLDER.rglob("*.png")
    }
    assert files.keys() == REFERENCES.keys()
    assert all(path.stat().st_size <= 60_000 for path in files.values())
