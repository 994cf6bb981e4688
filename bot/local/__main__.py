"""The local Discord as a process of its own: `python -m bot.local --port 8123`."""

import argparse
import asyncio
import json
import signal
import sys

from bot.local.server import LocalDiscord


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bot.local", description="A Discord on this machine.")
    parser.add_argument("--port", type=int, default=0, help="port to listen on (default: a free one)")
    parser.add_argument("--json", action="store_true", help="print url and token as one line of JSON")
    parser.add_argument("--until-eof", action="store_true", help="stop when the standard input ends")
    return parser.parse_args()


async def _until_eof() -> None:
    reader = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    while await reader.read(1024):
        pass


async def _serve(arguments: argparse.Namespace) -> None:
    stop = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    async with LocalDiscord(port=arguments.port, record=False) as discord:
        if arguments.json:
            said = {"url": discord.url, "token": discord.token, "control": discord.url + discord.control.path}
            print(json.dumps(said), flush=True)
        else:
            print(f"Local Discord: {discord.url}/\nToken for a bot: {discord.token}", flush=True)
        ends: list[asyncio.Task[object]] = [asyncio.create_task(stop.wait())]
        if arguments.until_eof:
            ends.append(asyncio.create_task(_until_eof()))
        await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
        for end in ends:
            end.cancel()


def main() -> None:
    """Run until told to stop."""
    asyncio.run(_serve(_arguments()))


if __name__ == "__main__":
    main()
