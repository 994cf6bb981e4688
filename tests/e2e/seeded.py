"""Runs `python -m bot` with the same deals each time, so that no test passes or fails by luck.

Each process has its own seeds: the name in SEEDS, and a number. GIVE_UP is for how many seconds it
tries to regain lost shards, ANSWER_SECONDS after how many seconds it defers an answer.
"""

import os
import signal
from hashlib import sha256
from itertools import count

if __name__ == "__main__":
    for number in (signal.SIGINT, signal.SIGTERM):
        # As in bot.__main__, which is loaded below.
        signal.signal(number, lambda *_: os._exit(0))
    from bot.__main__ import main
    from bot.app import Motu
    from bot.kernel.kernel import Kernel

    seeds = (sha256(f"{os.environ['SEEDS']} {seed}".encode()).hexdigest() for seed in count())
    # As defaults, since the program makes the kernel and the bot.
    Kernel.__init__.__kwdefaults__["make_seed"] = seeds.__next__
    # Tests start many bots, and few of their matches are about pictures.
    Motu.__init__.__kwdefaults__["draws_ahead"] = False
    if give_up := os.environ.get("GIVE_UP"):
        from bot.store import shard_locks

        shard_locks.REGAIN_TIMEOUT = float(give_up)
    if seconds := os.environ.get("ANSWER_SECONDS"):
        from bot.ui import reply

        reply.ANSWER_SECONDS = float(seconds)
    main()
