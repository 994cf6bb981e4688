"""Names, codes and labels of all kinds can be drawn, and fit where they are put."""

from itertools import combinations

import pytest

from render import Scene, draw, renderer
from render.canvas import Mode, use_mode
from render.chrome import Chip, drawable_names, title_strip
from render.fonts import (
    STAND_IN,
    Face,
    break_in_two,
    drawable_name,
    fit_text,
    fit_words,
    has_glyph,
    label,
    record_texts,
    text_width,
    to_drawable,
)
from render.palette import (
    AGED_PAPER,
    CODE_LAND,
    CODE_SEA,
    GROVE,
    INK,
    LIVERIES,
    MEADOW,
    MUTED,
    PAPER,
    SHALLOW,
    SHELF,
    mix,
)
from tests.render.positions import atoll, match_of
from tests.render.texts import assert_apart, overlap

NAMES = {
    "short": ("A", "B", "C", "D"),
    "long": ("W" * 32, "Maximilian of the Windward Isles", "i" * 32, "Mm " * 10),
    "macrons": ("Tāne Māhuta ōēīū ĀĒĪŌŪ", "Kealiʻi Keʻala", "Ngā Tamariki o te Kōhanga", "ʻŌpūnui"),
    "far scripts": ("漢字の名前です", "שלום עולם", "مرحبا بالعالم", "😀😀 Sina 👩‍👩‍👧‍👦"),
    "odd": ("", "   ", "a\u0301\u0302\u0303 zalgo\u0489", "line\nbreak\ttab \u202e rtl \u0000"),
}
QUICK = Mode(fine=1, cut=1, keep=False)


@pytest.mark.parametrize("names", NAMES.values(), ids=NAMES)
@pytest.mark.parametrize("part", ["draw", "score_sheet"])
def test_no_text_leaves_its_box_or_runs_into_another(names, part):
    view = match_of(4)[-1].view(None)
    with use_mode(QUICK), record_texts() as texts:
        renderer(view, part)(view, Scene(names))
    assert {"Blue Lagoon"} < {text.text for text in texts}
    assert_apart(texts)


@pytest.mark.parametrize("names", NAMES.values(), ids=NAMES)
def test_no_text_of_the_fallback_sheet_leaves_its_box(names):
    with use_mode(QUICK), record_texts() as texts:
        draw(atoll(4), Scene(names))
    for text in texts:
        assert text.box[0] >= 0
        assert text.box[2] <= text.canvas.width, text


@pytest.mark.parametrize("char", "āēīōūĀĒĪŌŪʻ½×–→·…")
@pytest.mark.parametrize("face", Face)
def test_the_fonts_speak_the_languages_of_the_pacific(char, face):
    assert has_glyph(char, face)


def test_unsupported_characters_are_drawn_as_a_lozenge():
    assert not has_glyph("ⵣ")
    assert to_drawable("ⵣⵏ Sina") == f"{STAND_IN}{STAND_IN} Sina"
    assert to_drawable("𝓜𝓸𝓪𝓷𝓪") == "Moana"
    assert to_drawable("Ana\u200d\u0000") == "Ana"
    assert to_drawable("🂡 Keʻala ␀ II") == "Keʻala II"
    assert to_drawable("m\u0304ana") == "m\u0304ana"
    assert to_drawable("Z\u0351\u036b\u0301\u0301\u0301a\u0319") == "Z\u0301a\u0319"
    assert drawable_name("🂡🂡", "Lava") == "Lava"


def test_a_name_that_cannot_be_drawn_at_all_gives_way_to_the_seat():
    assert drawable_name("ⵣⵏ", "Lava") == "Lava"
    assert drawable_names(("ⵣⵏ", ""), 3) == ("Lava", "Sun", "Orchid")


def test_long_texts_shrink_before_they_are_cut():
    assert fit_text("Moana", Face.STRONG, 32, 24, 500) == ("Moana", 32)
    whole = text_width("Moana of the isles", Face.STRONG, 28)
    assert fit_text("Moana of the isles", Face.STRONG, 32, 24, whole) == ("Moana of the isles", 28)
    text, size = fit_text("Moana of the isles", Face.STRONG, 32, 24, 120)
    assert size == 24
    assert text.endswith("…")
    assert text_width(text, Face.STRONG, size) <= 120
    assert fit_text("Moana", Face.STRONG, 32, 24, 3)[0] == ""


def test_our_own_words_shrink_then_wrap_and_are_never_cut():
    text = "Groups in the Home chain"
    whole = text_width(text, Face.LABEL, 30)
    assert fit_words(text, Face.LABEL, 30, 24, whole) == ((text,), 30)
    lines, size = fit_words(text, Face.LABEL, 30, 24, whole - 1)
    assert lines == (text,) and 24 <= size < 30
    lines, size = fit_words(text, Face.LABEL, 30, 24, whole // 2)
    assert lines == ("Groups in", "the Home chain") or lines == ("Groups in the", "Home chain")
    for room in (whole // 2, whole // 4, whole // 8):
        lines, size = fit_words(text, Face.LABEL, 30, 24, room)
        assert " ".join(lines) == text
        assert all(text_width(line, Face.LABEL, size) <= room for line in lines)


def test_a_single_word_of_ours_shrinks():
    lines, size = fit_words("Independents", Face.LABEL, 30, 24, 60)
    assert lines == ("Independents",) and text_width("Independents", Face.LABEL, size) <= 60


def test_words_in_the_title_strip_are_whole_beside_the_longest_name():
    lines = ("Turn 39 · Exploration", "Order R › V › Y")
    for seats, name in (((0,), "W" * 32), ((0, 1, 2, 3), "4 players of this match")):
        with use_mode(Mode(keep=False)), record_texts() as texts:
            title_strip(1080, "Conquest of Paradise", lines, Chip(seats, name, "to move"))
        written = {text.text for text in texts}
        assert {*lines, "to move"} <= written
        assert name in written or len(seats) == 1
        for first, second in combinations(texts, 2):
            assert not overlap(first.box, second.box), (first.text, second.text)


def test_a_label_is_as_wide_as_it_was_measured():
    sprite = label("G20", Face.CODE, 24, INK)
    left, _, right, _ = sprite.mask.getbbox()
    assert right - left <= text_width("G20", Face.CODE, 24)
    assert sprite.mask.size == sprite.image.size


@pytest.mark.parametrize(
    ("ink", "ground", "least"),
    [
        (CODE_LAND, mix(MEADOW, GROVE, 0.25), 3),
        (CODE_LAND, mix(MEADOW, GROVE, 0.7), 2.9),
        (CODE_SEA, SHELF, 3),
        (CODE_SEA, SHALLOW, 2.9),
        (INK, AGED_PAPER, 7),
        (MUTED, PAPER, 4.5),
        *((livery.stamp, livery.colour, 3) for livery in LIVERIES),
    ],
)
def test_text_stands_out_from_its_ground(ink, ground, least):
    lights = sorted((_luminance(ink), _luminance(ground)))
    assert (lights[1] + 0.05) / (lights[0] + 0.05) >= least


def _luminance(colour):
    red, green, blue = (
        v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4
        for v in (c / 255 for c in colour)
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize(
    ("name", "lines"),
    [
        ("Moana", ("Moana",)),
        ("Ngā Tamariki", ("Ngā", "Tamariki")),
        ("Moana of the isles", ("Moana of", "the isles")),
        ("Christopher", ("Christop-", "her")),
        ("田中さくら子と海", ("田中さくら", "子と海")),
        ("محمدعبدالرحمنالقحطاني", ("محمدعبدالرحمنالقحطاني",)),
    ],
)
def test_a_long_name_is_broken_between_words_or_where_its_script_allows(
    name: str, lines: tuple[str, ...]
) -> None:
    found = break_in_two(name, Face.STRONG, 24, 113)
    assert found == lines
    assert len(lines) == 1 or text_width(lines[0], Face.STRONG, 24) <= 113


def test_the_phase_is_whole_beside_the_longest_name():
    chip = Chip((0,), "Wilhelmina Featherstonehaugh-Wym", "to move")
    with use_mode(QUICK), record_texts() as texts:
        title_strip(1080, "Polynesia", ("Round 4 · one action each, value 2",), chip)
    assert {"Round 4", "one action each, value 2"} < {text.text for text in texts}
