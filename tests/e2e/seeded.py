"""`python -m bot` with deals that are the same in every run, so that no test passes or fails by
luck.

Every life of a bot has seeds of its own: the name in SEEDS, and a number. GIVE_UP are the seconds
for which it asks for lost shards, ANSWER_SECONDS those after which an answer is deferred.
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
    from bot.kernel.kernel import Kernel

    seeds = (sha256(f"{os.environ['SEEDS']} {seed}".encode()).hexdigest() for seed in count())
    # As its default, since the program makes the kernel.
    Kernel.__init__.__kwdefaults__["make_seed"] = seeds.__next__
    if give_up := os.environ.get("GIVE_UP"):
        from bot.store import shard_locks

        shard_locks.REGAIN_TIMEOUT = float(give_up)
    if seconds := os.environ.get("ANSWER_SECONDS"):
        from bot.ui import reply

        reply.ANSWER_SECONDS = float(seconds)
    main()
