"""Runs the bot and records how long each interaction waits for its first response.

The milliseconds are written to the file ACKNOWLEDGED, one per line: from the moment when discord.py
gets the interaction to the one when the response's headers are written to the socket.
"""

import os
import runpy
import time
from pathlib import Path
from typing import Any

import aiohttp
from discord.state import ConnectionState


def run() -> None:
    """Run the bot, recording both moments."""
    arrived: dict[str, float] = {}
    parse = ConnectionState.parse_interaction_create
    start_session = aiohttp.ClientSession.__init__

    def parse_and_note(self: Any, data: Any) -> None:
        arrived[data["id"]] = time.perf_counter()
        parse(self, data)

    async def note_response(
        session: Any, context: Any, sent: aiohttp.TraceRequestHeadersSentParams
    ) -> None:
        parts = sent.url.path.split("/")
        if parts[-1] == "callback" and (since := arrived.pop(parts[-3], None)) is not None:
            print(1000 * (time.perf_counter() - since), file=noted)

    def start_traced(self: Any, *given: Any, **options: Any) -> None:
        trace = aiohttp.TraceConfig()
        trace.on_request_headers_sent.append(note_response)
        options["trace_configs"] = [*(options.get("trace_configs") or ()), trace]
        start_session(self, *given, **options)

    ConnectionState.parse_interaction_create = parse_and_note  # type: ignore[method-assign]
    aiohttp.ClientSession.__init__ = start_traced  # type: ignore[method-assign]
    with Path(os.environ["ACKNOWLEDGED"]).open("a", buffering=1) as noted:
        runpy.run_module("tests.e2e.seeded", run_name="__main__")


if __name__ == "__main__":
    run()
