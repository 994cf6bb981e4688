"""The command line and its tools, such as `motu backup`.

A tool is a coroutine function that takes the options and returns the exit code; it raises errors as
BotErrors. To add one, write it here and list it in TOOLS. This module is imported at every start,
so each tool imports what it needs when it runs.
"""

import argparse
import os
import sys
from collections.abc import Callable, Coroutine, Iterator, Mapping, Sequence
from pathlib import Path
from time import gmtime, strftime
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import replace

from bot.run.config import Config, apply_options, read_config
from bot.runtime.base import BotError
from bot.store.opening import is_postgres, public_address
from bot.text import say
from engine.core.words import set_default_language

if TYPE_CHECKING:
    from engine.core.transcript import Played

BAR_WIDTH = 30
"""Characters of a progress bar."""
PROGRESS_EVERY = 1000
"""Matches after which a line is printed if the output is no terminal."""
MAX_BYTES_PER_CHARACTER = 4
"""In UTF-8."""


class Tool(Struct, frozen=True):
    """A subcommand of `motu`. Its help texts are in [help.<name>]."""

    run: Callable[[argparse.Namespace], Coroutine[Any, Any, int]]
    arguments: Mapping[str, str] = {}
    """Names of its arguments, and how --help shows them."""
    numbers: Mapping[str, str] = {}
    """Names of its options that take a number, and how --help shows them."""
    is_optional: bool = False
    """Whether its arguments may be left out."""
    takes_data: bool = True
    """Whether it has the option --data, which selects the bot's database."""
    texts: Mapping[str, str] = {}
    """Names of its options that take a text, and how --help shows them."""
    required: tuple[str, ...] = ()
    """Those of its options that it cannot do without."""


def parse_options(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Return the options, with the tool to run as `run`; None runs the bot.

    Ends the program for --help and for unknown options.
    """
    parser = argparse.ArgumentParser(prog="motu", description=say("help.about"))
    parser.add_argument("--version", action="store_true", help=say("help.show_version"))
    parser.add_argument("--data", type=Path, metavar="FOLDER", help=say("help.data"))
    local = parser.add_argument_group(say("help.local_group"))
    local.add_argument("--local", action="store_true", help=say("help.local"))
    local.add_argument("--players", metavar="NAMES", help=say("help.players"))
    local.add_argument("--port", type=int, metavar="NUMBER", help=say("help.port"))
    local.add_argument("--fresh", action="store_true", help=say("help.fresh"))
    parser.set_defaults(run=None, player=None)
    words = parser.add_subparsers(title=say("help.tools_group"), metavar="TOOL")
    for word, tool in TOOLS.items():
        about = say(f"help.{word}.about")
        own = words.add_parser(word, help=about, description=about)
        own.set_defaults(run=tool.run)
        if tool.takes_data:
            # Any other default would overwrite a --data before the tool's name.
            unchanged = argparse.SUPPRESS
            own.add_argument(
                "--data", type=Path, metavar="FOLDER", default=unchanged, help=say("help.data")
            )
        for name, metavar in tool.numbers.items():
            shown = say(f"help.{word}.{name}")
            own.add_argument(f"--{name}", type=int, metavar=metavar, help=shown)
        for name, metavar in tool.texts.items():
            shown = say(f"help.{word}.{name}")
            own.add_argument(
                f"--{name}", metavar=metavar, required=name in tool.required, help=shown
            )
        for name, metavar in tool.arguments.items():
            number = "?" if tool.is_optional else None
            own.add_argument(name, nargs=number, metavar=metavar, help=say(f"help.{word}.{name}"))
    options = parser.parse_args(arguments)
    if options.run is play and options.game is None:
        # Without a game the bot runs, on a local table whose computers are the command.
        options.run, options.local = None, True
    return options


async def back_up(options: argparse.Namespace) -> int:
    """Copy the database that the bot would run with, also while it runs."""
    from bot.store.backup import back_up

    config = _read_settings(options)
    if config.postgres:
        raise BotError("database.dump", place=public_address(config.postgres))
    stamp = strftime("%Y%m%d-%H%M%S", gmtime())
    copy = Path(options.file or config.database.parent / "backups" / f"motu-{stamp}.db")
    matches = back_up(config.database, copy)
    print(say("program.backed_up", copy=copy, matches=matches))
    return 0


async def check(options: argparse.Namespace) -> int:
    """Print a line for each match that does not follow from its seed and commits.

    The exit code is 1 if there is one.
    """
    from bot.run.match_check import find_faults
    from bot.store.moving import match_versions
    from bot.store.opening import open_store

    place = _read_settings(options).place
    if options.database is not None:
        place = _parse_place(options.database)
    wrong = 0
    async with await open_store(place, read_only=True) as store:
        matches = [match for match, _ in await store.read(match_versions)]
        for done, match in enumerate(matches, start=1):
            for fault in await store.read(find_faults, match):
                print(say("check.fault", id=match, fault=fault))
                wrong += 1
            _show_progress(done, len(matches))
    print(say("check.wrong" if wrong else "check.right", matches=len(matches), faults=wrong))
    return 1 if wrong else 0


async def examine(options: argparse.Namespace) -> int:
    """Find problems before the bot starts; the exit code is 1 if there are any."""
    from bot.run import doctor

    return await doctor.run(options)


async def move(options: argparse.Namespace) -> int:
    """Copy a whole database into another, from a file to a server or back."""
    from bot.store.moving import move
    from bot.store.opening import open_store
    from bot.store.sqlite_file import make_private_folder

    set_default_language(read_config().language)
    source, target = _parse_place(options.source), _parse_place(options.target)
    if isinstance(source, Path) and not source.is_file():
        raise BotError("database.none", path=source)
    shown = target
    if isinstance(target, Path):
        make_private_folder(target.parent)
    else:
        shown = public_address(target)
    async with (
        await open_store(source, alone=True) as ours,
        await open_store(target, alone=True) as theirs,
    ):
        moved = await move(ours, theirs, _show_progress)
    print(say("program.moved", matches=moved.matches, copied=moved.copied, place=shown))
    return 0


async def recompute_ratings(options: argparse.Namespace) -> int:
    """Recompute results and ratings in the database of the bot, which must not run meanwhile."""
    from bot.features.ratings.service import Standing
    from bot.kernel.kernel import Kernel
    from bot.store.opening import open_store

    def show_progress(done: int) -> None:
        if done % PROGRESS_EVERY == 0:
            print(say("program.rating", matches=done), file=sys.stderr)

    config = _read_settings(options)
    if not config.postgres and not config.database.is_file():
        raise BotError("database.none", path=config.database)
    kernel = Kernel(await open_store(config.place, alone=True))
    standing = Standing(kernel)
    try:
        matches = await standing.recompute(show_progress)
    finally:
        await standing.close()
        await kernel.close()
    print(say("program.rated", matches=matches))
    return 0


async def play(options: argparse.Namespace) -> int:
    """Play a user's own computer player against Motu's."""
    from bot.run.play import play_matches

    set_default_language(read_config().language)
    return await play_matches(options)


async def replay(options: argparse.Namespace) -> int:
    """Play the match in a transcript and print its moves; the exit code is 1 if it is wrong."""
    from engine import EngineError
    from engine.core.notation import MAX_CHARACTERS
    from engine.core.transcript import check

    set_default_language(read_config().language)
    try:
        # Blocking the event loop is fine here: nothing else runs in it.
        with Path(options.file).open("rb") as file:  # noqa: ASYNC230
            # Read just enough to see that a file is too long.
            text = file.read((MAX_CHARACTERS + 1) * MAX_BYTES_PER_CHARACTER)
    except OSError as error:
        raise BotError("program.unreadable", path=options.file, why=error.strerror) from error
    try:
        played = check(text)
    except EngineError as error:
        print(
            _make_printable(say("replay_file.wrong", path=options.file, why=error)), file=sys.stderr
        )
        return 1
    try:
        for line in (*_tell_match(played), "", *_list_findings(played)):
            print(_make_printable(line))
        sys.stdout.flush()
    except BrokenPipeError:
        # The reader of the pipe is gone. Python would complain when it flushes at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0


def _tell_match(played: "Played") -> Iterator[str]:
    """Yield the match in words, from its first move to its result."""
    from engine.core.story import tell_story
    from engine.core.transcript import title

    story = tell_story(played.match, about=played.script.about)
    undone: set[int] = set()
    for move in story.moves:
        if move.back_to is not None:
            undone |= set(range(move.back_to + 1, move.number))
    yield title(story, played.match)
    stage = ""
    for move in story.moves:
        if move.stage != stage:
            yield from ("", move.stage)
            stage = move.stage
        if not move.number and not move.told:
            continue
        key = "undone" if move.number in undone else "move"
        first, *more = move.told or (move.notation,)
        yield say(f"replay_file.{key}", number=f"{move.number:>4}", told=first)
        yield from (f"      {line}" for line in more)
    yield ""
    yield from story.result_told


def _list_findings(played: "Played") -> Iterator[str]:
    """Yield what was checked, and what could not be."""
    script, match = played.script, played.match
    has_positions = script.format > 1 and script.written == match.game.version
    yield say(
        "replay_file.moves",
        moves=match.number,
        positions=match.number + 1 if has_positions else None,
    )
    if not has_positions:
        yield say("replay_file.no_positions")
    yield say("replay_file.result" if match.outcome else "replay_file.no_result")
    seals = len(script.about.seals)
    yield say("replay_file.seals", later=seals - 1) if seals else say("replay_file.no_seals")
    if played.reworded:
        yield say("replay_file.reworded", line=played.reworded[0], lines=len(played.reworded))


def _make_printable(line: str) -> str:
    """Replace characters that the terminal cannot show, or would take as control codes."""
    safe = "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in line)
    encoding = sys.stdout.encoding or "utf-8"
    return safe.encode(encoding, "replace").decode(encoding)


def _read_settings(options: argparse.Namespace) -> Config:
    """Return the settings that the bot would run with, and speak their language from now on."""
    read = read_config()
    # Without a token the bot would run on a local table, but a tool is meant for the configured
    # server.
    config = replace(apply_options(options, read), postgres="" if options.data else read.postgres)
    set_default_language(config.language)
    return config


def _parse_place(text: str) -> Path | str:
    """Return a database given on the command line: a file, or the address of a server."""
    return text if is_postgres(text) else Path(text)


def _show_progress(done: int, matches: int) -> None:
    """Show the progress of a tool: a bar in a terminal, a line now and then elsewhere."""
    filled = "#" * (BAR_WIDTH * done // matches)
    line = say("program.progress", bar=f"{filled:.<{BAR_WIDTH}}", done=done, matches=matches)
    if sys.stderr.isatty():
        print(f"\r{line}", end="\n" if done == matches else "", file=sys.stderr, flush=True)
    elif done == matches or done % PROGRESS_EVERY == 0:
        print(line, file=sys.stderr)


TOOLS = {
    "backup": Tool(back_up, {"file": "FILE"}, is_optional=True),
    "check": Tool(check, {"database": "DATABASE"}, is_optional=True),
    "doctor": Tool(examine, numbers={"live": "CHANNEL"}),
    "move": Tool(move, {"source": "FROM", "target": "TO"}, takes_data=False),
    "play": Tool(
        play,
        {"game": "GAME"},
        numbers={"matches": "NUMBER", "seconds": "NUMBER"},
        is_optional=True,
        texts={"player": "COMMAND", "level": "LEVEL"},
        required=("player",),
    ),
    "ratings": Tool(recompute_ratings),
    "replay": Tool(replay, {"file": "FILE"}, takes_data=False),
}
