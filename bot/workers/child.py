"""The main program of a worker: read jobs from stdin, write replies to stdout, end at EOF.

A message is its length in four bytes, then msgpack. Positions are secret, so anything that a job
prints is discarded, and an error is reported only by its class and traceback.
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

LENGTH_BYTES = 4
AUTOGROUP = Path("/proc/self/autogroup")
NICENESS = {"low": (15, 10), "lowest": (19, 14)}
"""The niceness of a worker by priority, and the niceness of its session.

Interactions come first, then the drawing threads, then thinking, which somebody waits for ("low"),
and last the work that runs in the background ("lowest"). With autogroups, Linux shares the
processor between sessions and looks only at the niceness of a session; a worker has its own. Even
on a busy machine thinking gets about a tenth of a processor, background work less than half of it.
"""


class Reply(Struct, frozen=True, omit_defaults=True):
    """A worker's message about its job: the progress, the result, or the traceback."""

    progress: float = 0.0
    done: msgspec.Raw = msgspec.Raw()
    failed: str = ""


def pack_message(value: Any) -> bytes:
    """Encode a value as a message."""
    data = msgspec.msgpack.encode(value)
    return len(data).to_bytes(LENGTH_BYTES, "big") + data


def work(jobs: BinaryIO, replies: BinaryIO) -> None:
    """Run jobs until there are no more."""

    def reply(said: Reply) -> None:
        replies.write(pack_message(said))
        replies.flush()

    while length := jobs.read(LENGTH_BYTES):
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
    """Run jobs at low priority until the bot closes stdin."""
    # Ctrl-C may reach this process too, but the bot ends it by closing stdin.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    niceness, session_niceness = NICENESS[sys.argv[1]]
    if hasattr(os, "nice"):
        os.nice(niceness)
    with suppress(OSError):
        AUTOGROUP.write_text(str(session_niceness), encoding="ascii")
    replies = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115, PTH123  (for as long as the process lives)
    # A broken pipe means that the bot is gone and nobody waits for replies.
    with suppress(BrokenPipeError):
        work(sys.stdin.buffer, replies)


if __name__ == "__main__":
    main()
