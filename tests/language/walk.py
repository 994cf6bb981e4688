"""Plays every game in the made-up language and prints what a person would still read in English.

Run by test_language.py in a process of its own, in a copy of the packages: one program speaks one
language. Its argument is the folder of golden transcripts, for the ends of matches.
"""

import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

from engine.core.words import set_default_language
from tests.language.made_up import LANGUAGE

# Commands are described when they are loaded, so the language comes first.
set_default_language(LANGUAGE)

from msgspec.structs import replace  # noqa: E402

import render  # noqa: E402
from bot.app import Motu  # noqa: E402
from bot.feature_list import FEATURES  # noqa: E402
from bot.features.lobby import messages as lobby_message  # noqa: E402
from bot.features.play.panel import build_offers, build_panel  # noqa: E402
from bot.kernel.kernel import Kernel  # noqa: E402
from bot.kernel.room import Post, Room  # noqa: E402
from bot.model import (  # noqa: E402
    Announcement,
    MatchRecord,
    Person,
    Place,
    Status,
)
from bot.posts import turn_message  # noqa: E402
from bot.ui.parts import Menu  # noqa: E402
from engine import GAMES, Answer, Event, Match, Seat, begin, visible  # noqa: E402
from engine.core.transcript import replay  # noqa: E402
from render.fonts import recording  # noqa: E402

LATIN = re.compile(r"[A-Za-z]*[a-z]{2,}")
"""A word, not the letters of seats or the code of a place."""
SAME = re.compile(r"`[^`]*`|/[a-z]+|<[^>]*>|https?:\S+|[0-9a-f]{16,}")
"""Code, commands, mentions, links and seeds."""
COMMITS, SHOWN = 60, 4
"""How far a match goes, and at how many positions of it everything is read."""
NAMES = ("Ъна", "Ъеа", "Ъем", "Ъра", "Ъел")

Said = Iterator[tuple[str, str]]
"""Where something is said, and what."""


def walked(game_id: str) -> Said:
    """A lobby, and the beginning of a match until all but one have left it."""
    game, rng = GAMES[game_id], Random(game_id)
    lobby = room_of(game_id, game.seats[-1])
    shown = lobby_message.embed(lobby)
    yield (
        "lobby",
        "\n".join(
            [shown.description or "", *(f"{field.name}\n{field.value}" for field in shown.fields)]
        ),
    )
    yield "lobby", "\n".join(labels(lobby_message.rows(lobby)))
    match = begin(game, game.seats[-1], {}, "walk")
    told = match.prologue
    while match.number < COMMITS and match.outcome is None:
        if match.number % (COMMITS // SHOWN) == 0:
            yield from read(match, told)
        match = turn_of(match, match.waiting_for()[0], rng)
        told = match.commits[-1].events
    for seat in map(Seat, range(1, match.seats)):
        match = match.resign(seat) if match.outcome is None else match
    yield from read(match, told)


def read(match: Match, told: tuple[Event, ...]) -> Said:
    """All that anybody reads of a position."""
    room = replace(room_of(match.game.id, match.seats), match=match)
    room = replace(room, record=replace(room.record, status=Status.RUNNING))
    post = Post(Announcement(1, "m", -1, 0), room, visible(told, None), match.waiting_for())
    made = turn_message.message(post)
    yield "post", "\n".join([made.content, *labels(made.rows)])
    scene = render.Scene(NAMES[: match.seats])
    seats = match.waiting_for() or (Seat(0),)
    for seat in seats:
        panel, more = build_panel(room, seat), build_offers(room, seat)
        yield "panel", "\n".join([panel.text, panel.question, *labels(panel.rows)])
        yield "offers", "\n".join([more.text, *labels(more.rows)])
        yield "hand", render.hand(match.view(seat), scene)
    for viewer in (None, *seats):
        yield "alt text", render.alt_text(match.view(viewer), scene)
        yield "text board", render.text_board(match.view(viewer), scene)
    with recording() as texts:
        render.picture(match.view(seats[0]), scene)
        render.score_sheet(match.view(None), scene)
    yield "picture", "\n".join(written.text for written in texts)


class Unopened:
    """A store that nothing is asked of."""

    is_shared = False

    def listen(self, listener: Callable[[str], None]) -> None:
        """Nothing will be told."""


def described() -> Said:
    """The commands as Discord lists them."""
    kernel = Kernel(Unopened(), [feature.build for feature in FEATURES])  # type: ignore[arg-type]
    tree = Motu(kernel).tree
    for command in tree.walk_commands():
        yield "command", command.description
        for option in getattr(command, "parameters", []):
            yield "command", str(option.description)


def room_of(game_id: str, seats: int) -> Room:
    """A lobby with so many people in it."""
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


def turn_of(match: Match, seat: Seat, rng: Random) -> Match:
    """A whole turn at random."""
    while question := match.question(seat):
        size = rng.randint(question.at_least, min(question.at_most, len(question.options)))
        keys = tuple(option.key for option in rng.sample(question.options, size))
        match = match.pick(Answer(seat, question.kind, keys))
    return match.confirm(seat)


def labels(rows: Any) -> list[str]:
    """What stands on buttons and in menus."""
    found = []
    for row in rows:
        if isinstance(row, Menu):
            found += [row.placeholder, *(line.label for line in row.choices)]
        else:
            found += [button.label for button in row]
    return found


def main(transcripts: Path) -> None:
    """Print every line with a word in our letters."""
    titles = {word for game in GAMES.values() for word in LATIN.findall(game.title)}
    everything = [("bot", described())]
    for game_id in GAMES:
        everything.append((game_id, walked(game_id)))
        scripts = [
            path.read_text(encoding="utf-8")
            for path in sorted((transcripts / game_id).glob("*.txt"))
        ]
        # One match for each way to end, which is what the last line begins with.
        for script in {text.splitlines()[-1].split()[1]: text for text in scripts}.values():
            played = replay(script)
            everything.append((game_id, read(played, played.commits[-1].events)))
    for about, said in everything:
        for where, text in said:
            for line in text.splitlines():
                if foreign := set(LATIN.findall(SAME.sub("", line))) - titles:
                    print(f"{about}, {where}: {sorted(foreign)} in {line}")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
