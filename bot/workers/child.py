"""The program of a worker: read jobs, write their results, end when there are no more.

Each message is its length in four bytes, then msgpack. What a job prints goes nowhere, and of an
error only the place where it happened is told: what is thought about is secret.
"""

import os
import signal
import sys
import traceback
from contextlib import suppress
from pathlib import Path
from typing import Any, BinaryIO

import msgspec
from msgspec import Struct

from bot.workers.jobs import AnyJob
from engine.core.words import speaking

LENGTH = 4
AUTOGROUP = Path("/proc/self/autogroup")
NICENESS = {"low": (15, 10), "lowest": (19, 14)}
"""The niceness of such a process by its priority, and that of its session.

Presses come first, then the threads that draw, then thinking, for which somebody waits ("low"), and
last what is made in the background ("lowest"). Where Linux shares processors out by session, only a
session's niceness counts, and this process is one of its own. Thinking keeps a tenth of a processor
however busy the machine is, the background less than half of that.
"""


class Reply(Struct, frozen=True, omit_defaults=True):
    """A worker's word on a job: how far it is, its result, or where it failed."""

    progress: float = 0.0
    done: msgspec.Raw = msgspec.Raw()
    failed: str = ""


def message(value: Any) -> bytes:
    """Return a value as it is sent."""
    data = msgspec.msgpack.encode(value)
    return len(data).to_bytes(LENGTH, "big") + data


def work(jobs: BinaryIO, replies: BinaryIO) -> None:
    """Do jobs until there are no more."""

    def reply(said: Reply) -> None:
        replies.write(message(said))
        replies.flush()

    while length := jobs.read(LENGTH):
        sent = jobs.read(int.from_bytes(length, "big"))
        language, job = msgspec.msgpack.decode(sent, type=tuple[str, AnyJob])
        try:
            with speaking(language):
                result = job.run(lambda part: reply(Reply(progress=part)))
            reply(Reply(done=msgspec.Raw(msgspec.msgpack.encode(result))))
        except BrokenPipeError:
            raise
        except Exception as error:
            where = "".join(traceback.format_tb(error.__traceback__))
            reply(Reply(failed=f"{type(error).__name__}\n{where}"))


def main() -> None:
    """Work from the first job to the last, where nobody else wants the processor."""
    # Ctrl-C reaches this process too, but the bot ends it by closing its input.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    niceness, session_niceness = NICENESS[sys.argv[1]]
    if hasattr(os, "nice"):
        os.nice(niceness)
    with suppress(OSError):
        AUTOGROUP.write_text(str(session_niceness), encoding="ascii")
    replies = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115, PTH123  (for as long as the process lives)
    # The bot is gone: nobody waits for the rest.
    with suppress(BrokenPipeError):
        work(sys.stdin.buffer, replies)


if __name__ == "__main__":
    main()
