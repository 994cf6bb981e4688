"""Every text of a match is complete, fits its button, and is grammatical.

Random matches of all games are played, and everything that anybody could read is checked. How the
texts of a match read one after another is in tests/stories.
"""

import re
import tomllib
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest

import render
from engine import GAMES, Answer, Decision, Match, Seat, begin
from engine.core.perspective import Perspective
from engine.core.words import words_of
from tests.stories.story import HERE as STORIES

ROOT = Path(__file__).parents[1]
NAMES = ("Ana", "Bea", "Cem", "Dua", "Eli")
BUTTON = "button"
MAX_COMMITS = 150
COMMITS_BETWEEN_BOARDS = 10
"""How often the whole board is read: it changes little from one commit to the next."""
MAX_LABEL = 38
"""Characters of a button that a phone shows; an emoji takes the room of four."""
EMOJI = re.compile(r"[\u2190-\u2bff\U0001f000-\U0001faff]")
ARTICLES = re.compile(
    r"\ba (?:[AEIOaeio]|[Uu](?!ni|s[ei]))\w*|\b[Aa]n (?![AEIOUaeiou]|hour|honor|8|11|18)\w+"
)
"""'a island', 'an boat'."""
DOUBLED = re.compile(r"\b([a-z]{2,}) \1\b")
LEFTOVER = re.compile(
    r"[{}]|\bNone\b(?![.:,])|  +\S|\s[,.;:](?:\s|$)|[,;:]{2}|(?<!\.)\.\.(?!\.)|\[\]|\(\)"
)
"""An unfilled field, or the gap that an empty one leaves."""
DICE = re.compile(r"\b(?:dice|die)\b", re.IGNORECASE)
GAMES_WITH_DICE = {"conquest"}
TEXT_FILES = sorted(path for path in ROOT.glob("*/**/text/en.toml") if "tests" not in path.parts)

Said = Iterator[tuple[str, str]]
"""Where something is said, and what."""


@cache
def find_texts(game_id: str) -> list[tuple[str, str]]:
    """Return the different texts of some matches of a game, each with where it was said."""
    game = GAMES[game_id]
    found: set[tuple[str, str]] = set()
    for seats in (game.seats[0], game.seats[-1]):
        # The variants that are listed first, and those that are listed last.
        for listed in (0, -1):
            settings = {}
            for setting in game.settings:
                fitting = [choice.key for choice in setting.choices if choice.fits(seats)]
                settings |= {setting.key: fitting[listed]} if fitting else {}
            match = begin(game, seats, settings, f"reading {seats}")
            found.update(read_match(match, Random(seats)))
    return sorted(found)


def read_match(match: Match, chance: Random) -> Said:
    """Play a match at random, and yield everything that is said during it."""
    words, names = words_of(match.game.id), NAMES[: match.seats]
    told = match.prologue
    while True:
        for event in told:
            yield from (("event", line) for line in words.event_lines(event, names))
        if match.outcome is not None or match.number >= MAX_COMMITS:
            break
        yield "turn", words.whose_turn(match.asked(), names)
        if match.number % COMMITS_BETWEEN_BOARDS == 0:
            yield from read_board(match, names)
        seat = chance.choice(match.waiting_for())
        while question := match.question(seat):
            seen = Perspective(match, seat, words, names, names)
            yield "question", seen.ask(question)
            yield from read_options(seen, question)
            size = min(chance.randint(question.at_least, question.at_most), len(question.options))
            keys = tuple(option.key for option in chance.sample(question.options, size))
            match = match.pick(Answer(seat, question.kind, keys))
        match = match.confirm(seat)
        told = match.commits[-1].events


def read_options(seen: Perspective, question: Decision) -> Said:
    """Yield the options of a question, with the labels of their buttons."""
    is_menu = question.at_most > 1
    for option in question.options:
        yield "option", seen.label(question, option)
        yield "option" if is_menu else BUTTON, seen.label(question, option, brief=True)


def read_board(match: Match, names: Sequence[str]) -> Said:
    """Yield what is said about a position: the offers of all seats, and the board in words."""
    words, scene = words_of(match.game.id), render.Scene(names)
    for seat in map(Seat, range(match.seats)):
        view = match.view(seat)
        seen = Perspective(match, seat, words, names, names)
        for offer in match.offers(seat):
            yield "offer", seen.ask(offer)
            yield BUTTON, seen.name_offer(offer)
            yield from read_options(seen, offer)
        yield "hand", render.hand(view, scene)
        yield from (("status", line) for line in words.status(view, names))
        yield "alt text", render.alt_text(view, scene)
        yield "text board", render.text_board(view, scene)


def find_nouns(table: Any) -> Iterator[tuple[str, str]]:
    """Yield the singular and plural of all nouns that a text file counts."""
    for value in table.values() if isinstance(table, dict) else ():
        if isinstance(value, dict) and {"one", "other"} <= value.keys():
            yield value["one"], value["other"]
        else:
            yield from find_nouns(value)


@cache
def miscounted() -> re.Pattern[str]:
    """Return a pattern of numbers that do not agree with their noun: '1 points', '3 palm'."""
    nouns = {
        forms
        for path in TEXT_FILES
        for forms in find_nouns(tomllib.loads(path.read_text(encoding="utf-8")))
        if forms[0] != forms[1]
    }
    singular = "|".join(re.escape(one) for one, _ in nouns)
    plural = "|".join(re.escape(other) for _, other in nouns)
    return re.compile(rf"(?<![\d.,½-])1 (?:{plural})\b|\b(?:0|[2-9]|\d\d+) (?:{singular})\b(?!s)")


MISTAKES = {
    "a gap": lambda: LEFTOVER,
    "a wrong article": lambda: ARTICLES,
    "a doubled word": lambda: DOUBLED,
    "a wrong plural": miscounted,
}


@pytest.mark.parametrize("mistake", MISTAKES)
@pytest.mark.parametrize("game_id", GAMES)
def test_no_text_of_a_match_has(game_id: str, mistake: str) -> None:
    pattern = MISTAKES[mistake]()
    wrong = [
        (where, found[0], text)
        for where, text in find_texts(game_id)
        if (found := pattern.search(text))
    ]
    assert not wrong


@pytest.mark.parametrize("game_id", GAMES)
def test_the_labels_of_buttons_fit_on_a_phone(game_id: str) -> None:
    labels = {text for where, text in find_texts(game_id) if where == BUTTON}
    assert labels
    too_long = {label for label in labels if len(EMOJI.sub("····", label)) > MAX_LABEL}
    assert not too_long


@pytest.mark.parametrize("mistake", MISTAKES)
@pytest.mark.parametrize("story", sorted(STORIES.glob("*.md")), ids=lambda path: path.stem)
def test_no_text_of_a_story_has(story: Path, mistake: str) -> None:
    pattern = MISTAKES[mistake]()
    lines = story.read_text(encoding="utf-8").splitlines()
    assert not [(found[0], line) for line in lines if (found := pattern.search(line))]


@pytest.mark.parametrize("path", TEXT_FILES, ids=lambda path: str(path.parent.parent.name))
def test_only_a_game_with_dice_speaks_of_dice(path: Path) -> None:
    text = "\n".join(
        line for line in path.read_text(encoding="utf-8").splitlines() if not line.startswith("#")
    )
    assert path.parts[-3] in GAMES_WITH_DICE or not DICE.findall(text)
