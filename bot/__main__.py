"""What `motu` and `python -m bot` start."""

import os
import signal
import sys
from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> int:
    """Run until told to stop; the exit code is 0 if it was told to."""
    # To load the program takes long enough for somebody to end it meanwhile. Nothing has to be put away yet, and an
    # exception in the midst of an import could be lost.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: os._exit(0))
    from bot.program import run

    return run(arguments)


if __name__ == "__main__":
    sys.exit(main())
