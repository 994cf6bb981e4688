"""Names in every script are drawn in a font that has it, shaped and ordered correctly."""

import shutil
import unicodedata
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest
from PIL import Image, ImageChops, ImageStat

import render
from engine import GAMES, begin
from render import Scene, emoji, fonts, script_fonts, scripts
from render.canvas import Canvas
from render.chrome import drawable_names
from render.fonts import (
    Face,
    fit_text,
    label,
    read_left_to_right,
    record_texts,
    text_width,
    to_drawable,
)
from render.script_fonts import CHINESE, JAPANESE, KOREAN, SCRIPTS
from render.scripts import runs_of
from tests.contract.games import shortest

INK = (16, 36, 47)
NAMES = {
    "han": "山田太郎",
    "kana": "さくら",
    "hangul": "김민수",
    "arabic": "محمد",
    "hebrew": "שלום",
    "devanagari": "राजेश",
    "thai": "สมชาย",
    "bengali": "দেব",
    "tamil": "மணி",
    "emoji": "🐢🌊",
    "joined emoji": "👩\u200d🚀",
    "flag": "🇳🇿",
    "keycap": "2️⃣",
}


def drawn(text: str, size: int = 40) -> Image.Image:
    """Draw a text on white."""
    sprite = label(text, Face.STRONG, size, INK)
    canvas = Canvas.blank(sprite.image.width, sprite.image.height, (255, 255, 255))
    canvas.put(sprite, sprite.anchor[0], sprite.anchor[1])
    return canvas.image.convert("RGB")


def ink_of(text: str) -> Image.Image:
    """Return where a picture is dark."""
    return drawn(text).convert("L").point([255 if value < 128 else 0 for value in range(256)])


@pytest.mark.parametrize("name", NAMES.values(), ids=NAMES)
def test_a_name_is_drawn_letter_by_letter_as_it_is(name: str) -> None:
    assert to_drawable(name) == unicodedata.normalize("NFC", name)
    assert drawable_names((name,), 1) == (to_drawable(name),)
    ink = ink_of(name)
    left, top, right, foot = ink.getbbox()  # type: ignore[misc]
    assert right - left > 20 and foot - top > 20
    assert right < ink.width and top > 0 and foot < ink.height, "nothing is cut off"


def test_no_two_letters_of_a_script_look_alike() -> None:
    for name in ("山田太郎", "김민수", "สมช", "שלו", "🐢🌊"):
        assert len({ink_of(char).tobytes() for char in name}) == len(name)


def gaps(text: str) -> int:
    """Return the columns without ink between the first and the last with some."""
    ink = ink_of(text)
    left, _, right, _ = ink.getbbox()  # type: ignore[misc]
    return sum(ink.crop((x, 0, x + 1, ink.height)).getbbox() is None for x in range(left, right))


def test_letters_of_arabic_are_joined_and_those_of_hebrew_are_not() -> None:
    assert gaps("محمد") == 0 and gaps("م\u200cح\u200cم\u200cد") > 3 and gaps("שלום") > 3


def test_vowels_of_devanagari_and_thai_take_their_places() -> None:
    # The vowel sign i is written after its consonant and stands before it.
    syllable, consonant = ink_of("कि"), ink_of("क")
    end = syllable.crop((syllable.width - consonant.width, 20, syllable.width, syllable.height))
    start = consonant.crop((0, 20, consonant.width, consonant.height))
    assert ImageStat.Stat(ImageChops.difference(end, start)).mean[0] < 12
    assert text_width("ที่", Face.STRONG, 40) == text_width("ท", Face.STRONG, 40)


def shown(text: str) -> list[str]:
    return [run.text for run in runs_of(text)]


def test_right_to_left_text_is_drawn_right_to_left() -> None:
    assert shown("Dan שלום") == ["Dan ", "שלום"]
    assert shown("שלום Dan 12") == ["Dan 12", "שלום "]
    assert shown("مرحبا 12 Ana") == ["Ana", " ", "12", "مرحبا "]
    assert shown("Ana שלום 7") == ["Ana ", "7", "שלום "]
    assert shown("Ana שלום!") == ["Ana ", "שלום", "!"]
    assert [run.level for run in runs_of("שלום עולם")] == [1], "both words are one run"
    # The first letter is the one at the right.
    word, first = ink_of("שלום"), ink_of("ש")
    end = word.crop((word.width - first.width, 0, word.width, word.height))
    assert ImageStat.Stat(ImageChops.difference(end, first)).mean[0] < 12


def test_a_sentence_goes_from_left_to_right_though_a_name_from_right_to_left_begins_it() -> None:
    assert shown(read_left_to_right("שלום wins with 3 points")) == [
        "שלום",
        " ",
        "wins with 3 points",
    ]
    assert text_width(read_left_to_right("שלום wins"), Face.STRONG, 40) == text_width(
        "שלום wins", Face.STRONG, 40
    )
    assert read_left_to_right("Ana wins") == "Ana wins"


def test_shared_characters_are_drawn_as_the_rest_of_the_name_says() -> None:
    assert runs_of("直子")[0].script == CHINESE
    assert runs_of("直子さん")[0].script == JAPANESE
    assert runs_of("直김")[0].script == KOREAN


def test_an_emoji_has_its_colours() -> None:
    colours = [colour for _, colour in drawn("🐢", 60).getcolors(99_999)]  # type: ignore[union-attr]
    assert any(green > red + 40 and green > blue + 40 for red, green, blue in colours)  # type: ignore[misc]


def test_a_cut_tears_no_sign_apart() -> None:
    for name in ("👩\u200d🚀👩\u200d🚀👩\u200d🚀👩\u200d🚀", "किकिकिकिकिकि", "محمدمحمدمحمد"):
        whole = text_width(name, Face.STRONG, 30)
        short, size = fit_text(name, Face.STRONG, 30, 30, whole * 2 // 3)
        assert short.endswith("…")
        assert 1 < len(short) < len(name)
        assert text_width(short, Face.STRONG, size) <= whole * 2 // 3
        kept = short.removesuffix("…")
        assert list(scripts.clusters(name))[: len(list(scripts.clusters(kept)))] == list(
            scripts.clusters(kept)
        )


def test_a_name_that_nothing_can_draw_is_the_colour_of_its_seat() -> None:
    assert drawable_names(("ⵣⵣ", "Ana"), 2) == ("Lava", "Ana")


def test_without_the_pictures_emoji_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(emoji, "find_emoji_pictures", dict)
    to_drawable.cache_clear()
    assert to_drawable("🐢 Ana") == "Ana" and drawable_names(("🐢🌊",), 1) == ("Lava",)
    to_drawable.cache_clear()


@pytest.mark.parametrize("game", GAMES)
def test_every_picture_shows_such_names(game: str) -> None:
    seats = min(4, max(GAMES[game].seats))
    match = begin(GAMES[game], seats, shortest(GAMES[game]), "names")
    names = ("山田", "محمد", "राजेश", "🐢🌊")[:seats]
    with record_texts() as texts:
        render.draw(match.view(None), Scene(names))
    assert set(names) <= {text.text for text in texts}
    assert all(name in render.alt_text(match.view(None), Scene(names)) for name in names)


@pytest.fixture
def without_packages(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Hide the extra font packages and the fonts of this machine."""

    def forget() -> None:
        for function in (
            script_fonts.open_font,
            script_fonts.find_system_fonts,
            script_fonts.find_script,
            scripts.shape_run,
            emoji.find_emoji_pictures,
            fonts.to_drawable,
            fonts.text_width,
            fonts.is_plain,
        ):
            function.cache_clear()

    monkeypatch.setattr(script_fonts, "find_spec", lambda name: None)
    monkeypatch.setattr(script_fonts, "SYSTEM_FONT_FOLDERS", ())
    forget()
    yield
    forget()


def test_without_its_font_a_name_is_replaced_by_a_readable_one(without_packages: None) -> None:
    assert to_drawable("Ana สมชาย 🐢") == "Ana ◊◊◊◊◊"
    assert drawable_names(("山田太郎", "Ben"), 2) == ("Lava", "Ben")


@pytest.mark.parametrize(("name", "file"), [("สมชาย", "thai"), ("김민수", "cjk")])
def test_a_font_of_the_machine_is_used_where_the_package_is_missing(
    name: str,
    file: str,
    without_packages: None,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    script = KOREAN if file == "cjk" else next(one for one in SCRIPTS if file in one.file)
    (package,) = find_spec(script.package).submodule_search_locations  # type: ignore[union-attr, misc]
    folder = tmp_path / "truetype" / "noto"
    folder.mkdir(parents=True)
    shutil.copy(Path(package) / script.file, folder)
    monkeypatch.setattr(script_fonts, "SYSTEM_FONT_FOLDERS", (tmp_path,))
    assert to_drawable(name) == unicodedata.normalize("NFC", name)
    assert len({ink_of(char).tobytes() for char in name[:3]}) == 3
