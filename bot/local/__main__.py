"""The local Discord as a process of its own: `python -m bot.local --port 8123`."""

import argparse
import asyncio
import contextlib
import errno
import json
import os
import sys
import threading
from pathlib import Path

from bot.local.server import LocalDiscord
from bot.local.table_file import Unusable
from bot.runtime.systems import release_signals, stop_on_signals

PLAYERS = ("Ana", "Ben", "Cleo")
"""Who sits at a new table if nobody is named."""
TAKEN = (errno.EADDRINUSE, errno.EACCES)
"""Why a port cannot be had.

Windows says the second of ports that it keeps for itself, and Unix of those below 1024.
"""


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m bot.local", description="A Discord on this machine."
    )
    parser.add_argument(
        "--port", type=int, default=0, help="port to listen on (default: a free one)"
    )
    parser.add_argument(
        "--json", action="store_true", help="print where it is, or what is wrong, as a line of JSON"
    )
    parser.add_argument(
        "--until-eof", action="store_true", help="stop when the standard input ends"
    )
    parser.add_argument(
        "--file", type=Path, help="where to keep everything; kept nowhere unless given"
    )
    parser.add_argument(
        "--player",
        action="append",
        default=[],
        dest="players",
        help="a player's name; may be repeated",
    )
    return parser.parse_args()


async def _serve(arguments: argparse.Namespace) -> None:
    stop = asyncio.Event()
    stop_on_signals(stop, asyncio.get_running_loop())
    # A bot that starts it holds them back until now.
    release_signals()
    players = tuple(arguments.players)
    async with LocalDiscord(
        port=arguments.port, record=False, file=arguments.file, players=players
    ) as discord:
        for name in () if discord.state.people else PLAYERS:
            discord.user(name)
        where = {"url": discord.url, "token": discord.token, "page": discord.table.address}
        if arguments.json:
            print(json.dumps(where), flush=True)
        else:
            print(*(f"{name}: {value}" for name, value in where.items()), sep="\n", flush=True)
        if arguments.until_eof:
            telling = asyncio.create_task(_tell_of(stop))
            await _until_eof()
            telling.cancel()
        else:
            await stop.wait()


async def _tell_of(stop: asyncio.Event) -> None:
    """Whoever waits for the end of the input ends first: the bot still needs its Discord while
    it stops.
    """
    await stop.wait()
    # The bot may be gone already. A closed pipe is a BrokenPipeError on Unix and a plain OSError on
    # Windows.
    with contextlib.suppress(OSError):
        print(json.dumps({"stop": True}), flush=True)


async def _until_eof() -> None:
    """Wait for the end of the standard input, in a thread: on Windows the event loop cannot read
    from it.
    """
    loop, ended = asyncio.get_running_loop(), asyncio.Event()

    def read() -> None:
        # By its number: a thread that reads from sys.stdin holds a lock that the interpreter wants
        # when it ends.
        while os.read(sys.stdin.fileno(), 1024):
            pass
        loop.call_soon_threadsafe(ended.set)

    threading.Thread(target=read, daemon=True).start()
    await ended.wait()


def main() -> int:
    """Run until told to stop.

    What is wrong is an `error` by name: the bot that started it has the words.
    """
    arguments = _arguments()
    try:
        asyncio.run(_serve(arguments))
        return 0
    except Unusable as error:
        wrong = {"error": "in_use" if error.in_use else "unusable", "detail": str(error)}
    except OSError as error:
        wrong = {
            "error": "port_taken" if error.errno in TAKEN else "unusable",
            "detail": str(error),
        }
    if arguments.json:
        print(json.dumps(wrong), flush=True)
    else:
        print(f"{wrong['error']}: {wrong['detail']}", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
