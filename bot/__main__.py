"""What `motu` and `python -m bot` start."""

import io
import os
import signal
import sys
from collections.abc import Sequence
from typing import NoReturn

from bot.runtime.systems import STOP_SIGNALS


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run until told to stop, then end the process; its exit code is 0 if it was told to."""
    # To load the program takes long enough for somebody to end it meanwhile. Nothing has to be put
    # away yet, and an exception in the midst of an import could be lost.
    for number in STOP_SIGNALS:
        signal.signal(number, lambda *_: os._exit(0))
    if isinstance(sys.stdout, io.TextIOWrapper):
        # On Windows a pipe may take no macrons: the name of a file is printed with escapes then,
        # instead of failing.
        sys.stdout.reconfigure(errors="backslashreplace")
    from bot.program import run

    code = run(arguments)
    # All is put away. What may be left are threads that draw or think in vain, and Python would
    # wait for them.
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    os._exit(code)


if __name__ == "__main__":
    main()
