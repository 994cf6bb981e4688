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
from bot.local.table_file import TableFileError
from bot.runtime.systems import release_signals, stop_on_signals

DEFAULT_PLAYERS = ("Ana", "Ben", "Cleo")
"""The players of a new table if none are named."""
PORT_TAKEN = (errno.EADDRINUSE, errno.EACCES)
"""Errors of a port that cannot be used.

EACCES is reported on Windows for ports that the system reserves, and on Unix for those below 1024.
"""


def _parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m bot.local", description="Run a small Discord on this machine."
    )
    parser.add_argument(
        "--port", type=int, default=0, help="port to listen on (default: a free one)"
    )
    parser.add_argument(
        "--json", action="store_true", help="print its addresses, or an error, as a line of JSON"
    )
    parser.add_argument("--until-eof", action="store_true", help="stop when standard input ends")
    parser.add_argument("--file", type=Path, help="where to save everything (default: nowhere)")
    parser.add_argument(
        "--player",
        action="append",
        default=[],
        dest="players",
        help="a player's name (can be given several times)",
    )
    return parser.parse_args()


async def _serve(arguments: argparse.Namespace) -> None:
    """Run the local Discord until a signal, or the end of the input, says to stop."""
    stop = asyncio.Event()
    stop_on_signals(stop, asyncio.get_running_loop())
    # The bot that starts this process blocks its signals until somebody can handle them.
    release_signals()
    players = tuple(arguments.players)
    async with LocalDiscord(
        port=arguments.port, record=False, file=arguments.file, players=players
    ) as discord:
        if not discord.state.people:
            for name in DEFAULT_PLAYERS:
                discord.user(name)
        addresses = {"url": discord.url, "token": discord.token, "page": discord.table.address}
        if arguments.json:
            print(json.dumps(addresses), flush=True)
        else:
            lines = [f"{name}: {value}" for name, value in addresses.items()]
            print("\n".join(lines), flush=True)
        if arguments.until_eof:
            # On a signal the bot is only told: it closes the input when it has stopped itself, and
            # until then it needs its Discord.
            reporter = asyncio.create_task(_report_stop(stop))
            await _wait_for_eof()
            reporter.cancel()
        else:
            await stop.wait()


async def _report_stop(stop: asyncio.Event) -> None:
    """Tell the bot, which reads our output, that a signal says to stop."""
    await stop.wait()
    # The bot may be gone already. A closed pipe is a BrokenPipeError on Unix and a plain OSError on
    # Windows.
    with contextlib.suppress(OSError):
        print(json.dumps({"stop": True}), flush=True)


async def _wait_for_eof() -> None:
    """Wait for the end of the standard input."""
    loop, ended = asyncio.get_running_loop(), asyncio.Event()

    def read() -> None:
        # By its number: a thread that reads from sys.stdin holds a lock that the interpreter needs
        # when it exits.
        while os.read(sys.stdin.fileno(), 1024):
            pass
        loop.call_soon_threadsafe(ended.set)

    # In a thread, since on Windows the event loop cannot read from the standard input.
    threading.Thread(target=read, daemon=True).start()
    await ended.wait()


def main() -> int:
    """Run the local Discord, and return the exit status.

    With --json an error is reported by name: the bot that started this process has the texts.
    """
    arguments = _parse_arguments()
    try:
        asyncio.run(_serve(arguments))
        return 0
    except TableFileError as error:
        name, detail = "in_use" if error.in_use else "unusable", str(error)
    except OSError as error:
        name, detail = "port_taken" if error.errno in PORT_TAKEN else "unusable", str(error)
    if arguments.json:
        print(json.dumps({"error": name, "detail": detail}), flush=True)
    else:
        print(f"{name}: {detail}", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
