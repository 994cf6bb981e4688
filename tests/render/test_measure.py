"""The sent picture is close to a lossless drawing, as tests/bench measures it."""

import io

from PIL import Image

from render import picture
from render.sample import scene_of
from tests.bench.naive_render import lossless, naive_png, psnr
from tests.render.positions import match_of


def test_the_sent_picture_is_true_to_a_lossless_drawing():
    match = match_of(4)[60]
    view, scene = match.view(None), scene_of(match)
    true = lossless(view, scene)
    sent, naive = (
        Image.open(io.BytesIO(data)) for data in (picture(view, scene), naive_png(view, scene))
    )
    assert psnr(sent, true) >= 40
    assert naive.size == sent.size == true.size
    assert 25 < psnr(naive, true) < psnr(sent, true)
