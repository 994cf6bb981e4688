"""Play every game in the made-up language, and print what is still in English.

test_language.py runs this in a separate process on a copy of the packages, because the language is
set for the whole process. The argument is the folder of golden transcripts, which are used for the
ends of matches.
"""

import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

from msgspec.structs import replace

import render
from bot.app import Motu
from bot.feature_list import FEATURES
from bot.features.lobby import messages as lobby_message
from bot.features.play.panel import build_offers, build_panel
from bot.kernel.kernel import Kernel
from bot.kernel.room import Post, Room
from bot.model import (
    Announcement,
    MatchRecord,
    Person,
    Place,
    Status,
)
from bot.posts import turn_message
from bot.text import BOT
from bot.ui.parts import Menu, Section
from engine import GAMES, Answer, Event, Match, Seat, begin, visible
from engine.core.transcript import replay
from engine.core.words import read_words, set_default_language
from render.fonts import ELLIPSIS, record_texts
from tests.language.made_up import LANGUAGE

LATIN = re.compile(r"[A-Za-z]*[a-z]{2,}")
"""Matches a word; seat letters and codes of places are shorter."""
SAME = re.compile(r"`[^`]*`|/[a-z]+|<[^>]*>|https?:\S+|[0-9a-f]{16,}")
"""Matches what is not translated: code, commands, mentions, links and seeds."""
COMMITS, SHOWN = 60, 4
"""How many commits to play, and at how many positions to read everything."""
ALT_TEXT = "alt text"
"""The one kind of text that may be cut: Discord limits it, and there is a board in words."""
NAMES = ("Ъна", "Ъеа", "Ъем", "Ъра", "Ъел")

Said = Iterator[tuple[str, str]]
"""Where something is said, and the text."""


def walk_match(game_id: str) -> Said:
    """Yield the texts of a lobby and a match's beginning, until all but one player have left."""
    game, rng = GAMES[game_id], Random(game_id)
    lobby = room_of(game_id, game.seats[-1])
    shown = lobby_message.make_embed(lobby)
    yield (
        "lobby",
        "\n".join(
            [shown.description or "", *(f"{field.name}\n{field.value}" for field in shown.fields)]
        ),
    )
    yield "lobby", "\n".join(labels(lobby_message.make_rows(lobby)))
    match = begin(game, game.seats[-1], {}, "walk")
    told = match.prologue
    while match.number < COMMITS and match.outcome is None:
        if match.number % (COMMITS // SHOWN) == 0:
            yield from read_position(match, told)
        match = play_random_turn(match, match.waiting_for()[0], rng)
        told = match.commits[-1].events
    for seat in map(Seat, range(1, match.seats)):
        match = match.resign(seat) if match.outcome is None else match
    yield from read_position(match, told)


def read_position(match: Match, told: tuple[Event, ...]) -> Said:
    """Yield everything that people read about a position."""
    room = replace(room_of(match.game.id, match.seats), match=match)
    room = replace(room, record=replace(room.record, status=Status.RUNNING))
    post = Post(Announcement(1, "m", -1, 0), room, visible(told, None), match.waiting_for())
    made = turn_message.message(post)
    yield "post", "\n".join([made.content, *labels(made.rows)])
    scene = render.Scene(NAMES[: match.seats])
    seats = match.waiting_for() or (Seat(0),)
    for seat in seats:
        panel, more = build_panel(room, seat), build_offers(room, seat)
        yield "panel", "\n".join([panel.text, panel.question, *labels(panel.parts)])
        yield "offers", "\n".join([more.text, *labels(more.parts)])
        yield "hand", render.hand(match.view(seat), scene)
    for viewer in (None, *seats):
        yield ALT_TEXT, render.alt_text(match.view(viewer), scene)
        yield "text board", render.text_board(match.view(viewer), scene)
    with record_texts() as texts:
        render.picture(match.view(seats[0]), scene)
        render.score_sheet(match.view(None), scene)
    yield "picture", "\n".join(written.text for written in texts)


class Unopened:
    """A store that is never used."""

    is_shared = False

    def listen(self, listener: Callable[[str], None]) -> None:
        """Do nothing: there are no notifications."""


def describe_commands() -> Said:
    """Yield the descriptions of the commands and their options."""
    kernel = Kernel(Unopened(), [feature.build for feature in FEATURES])  # type: ignore[arg-type]
    tree = Motu(kernel).tree
    for command in tree.walk_commands():
        yield "command", command.description
        for option in getattr(command, "parameters", []):
            yield "command", str(option.description)


def room_of(game_id: str, seats: int) -> Room:
    """Return a lobby with this many people."""
    chairs = tuple(Person(100 + seat, NAMES[seat]) for seat in range(seats))
    place = Place(1, 2)
    return Room(
        MatchRecord(
            id="m",
            game=game_id,
            status=Status.LOBBY,
            place=place,
            host=100,
            settings={},
            chairs=chairs,
        )
    )


def play_random_turn(match: Match, seat: Seat, rng: Random) -> Match:
    """Play a random whole turn."""
    while question := match.question(seat):
        size = rng.randint(question.at_least, min(question.at_most, len(question.options)))
        keys = tuple(option.key for option in rng.sample(question.options, size))
        match = match.pick(Answer(seat, question.kind, keys))
    return match.confirm(seat)


def labels(rows: Any) -> list[str]:
    """Return the labels of buttons and menus, with the texts between them."""
    found = []
    for row in rows:
        if isinstance(row, Menu):
            found += [row.placeholder, *(line.label for line in row.choices)]
        elif isinstance(row, Section):
            found += [row.text, row.button.label]
        elif isinstance(row, str):
            found.append(row)
        else:
            found += [button.label for button in row]
    return found


def _all_texts(text: Any) -> Iterator[str]:
    if isinstance(text, str):
        yield text
    else:
        for part in text.values():
            yield from _all_texts(part)


def main(transcripts: Path) -> None:
    """Print every line with a word in Latin letters, and every line that is cut."""
    set_default_language(LANGUAGE)
    titles = {word for game in GAMES.values() for word in LATIN.findall(game.title)}
    unfinished = {text for text in _all_texts(read_words(BOT).text) if text.endswith(ELLIPSIS)}
    everything = [("bot", describe_commands())]
    for game_id in GAMES:
        everything.append((game_id, walk_match(game_id)))
        scripts = [
            path.read_text(encoding="utf-8")
            for path in sorted((transcripts / game_id).glob("*.txt"))
        ]
        # One match for each way to end, which is what the last line begins with.
        for script in {text.splitlines()[-1].split()[1]: text for text in scripts}.values():
            played = replay(script)
            everything.append((game_id, read_position(played, played.commits[-1].events)))
    for about, said in everything:
        for where, text in said:
            for line in text.splitlines():
                if foreign := set(LATIN.findall(SAME.sub("", line))) - titles:
                    print(f"{about}, {where}: {sorted(foreign)} in {line}")
                # A post may drop its first lines, and says so at its start.
                is_cut = ELLIPSIS in line.removeprefix(ELLIPSIS) and line not in unfinished
                if is_cut and where != ALT_TEXT:
                    print(f"{about}, {where}: cut in {line}")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
