"""The entry point of `motu` and `python -m bot`: handles signals, then runs bot/program.py.

Import nothing slow here: a signal that arrives during an import would be lost.
"""

import io
import os
import signal
import sys
from collections.abc import Sequence
from typing import NoReturn

from bot.runtime.systems import STOP_SIGNALS


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run until a stop signal or a failure, then end the process with the program's exit code."""
    # Loading the program takes long enough for somebody to stop it meanwhile. There is nothing to
    # clean up yet, and an exception in the middle of an import could be lost. So just exit.
    for number in STOP_SIGNALS:
        signal.signal(number, lambda *_: os._exit(0))
    if isinstance(sys.stdout, io.TextIOWrapper):
        # On Windows the encoding of a pipe may lack macrons. Print them as escapes rather than
        # fail.
        sys.stdout.reconfigure(errors="backslashreplace")
    from bot.program import run

    code = run(arguments)
    # Everything is closed. Threads may still be drawing or thinking in vain, and on a normal exit
    # Python would wait for them.
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    os._exit(code)


if __name__ == "__main__":
    main()
