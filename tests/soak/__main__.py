"""Run a soak test: `python -m tests.soak` plays, kills, checks and reports.

The exit code is 1 if anything is wrong.
"""

import argparse
import asyncio
import random
import sys
import time
from collections.abc import Sequence
from contextlib import AsyncExitStack
from pathlib import Path

from bot.local import LocalDiscord
from tests.postgres_server import Server
from tests.soak.faults import Faults
from tests.soak.fleet import Fleet
from tests.soak.ledger import Ledger
from tests.soak.people import Crowd
from tests.soak.proof import Proof, check_everything, check_live_boards, wait_until_settled
from tests.soak.report import Run, draw_plot, make_table

OPENED = 24
"""How many matches are opened at the same time."""
THREADS = 1_000_000
"""How many threads the local Discord allows to be open; a real one counts them per server."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a soak test, print its table, and write the table and a plot into a folder."""
    options = _parser().parse_args(arguments)
    if options.processes > 1 and options.database != "postgres":
        sys.exit("Several bots need PostgreSQL: --database postgres")
    if options.faults and (
        options.database != "postgres" or options.processes < 2 or options.processes % 2
    ):
        sys.exit("Faults need pairs of bots on PostgreSQL: --database postgres --processes 4")
    # PostgreSQL runs in another folder, so a relative path would lead it astray.
    options.out = options.out.resolve()
    options.out.mkdir(parents=True, exist_ok=True)
    return asyncio.run(soak(options))


async def soak(options: argparse.Namespace) -> int:
    """Play, kill, check and report."""
    rng = random.Random(options.seed)
    proof = Proof(lenient=options.lenient)
    async with AsyncExitStack() as stack:
        server = None
        if options.database == "postgres":
            server = stack.enter_context(
                Server(options.out, fsync=options.fsync, autovacuum="on", max_connections="100")
            )
        discord = await stack.enter_async_context(
            LocalDiscord(record=False, active_threads=THREADS)
        )
        fleet = Fleet(discord, options.out, options.processes, server, spares=options.faults > 0)
        stack.push_async_callback(fleet.close)
        stack.callback(fleet.end)
        faults = Faults(fleet, random.Random(options.seed + 2))
        ledger = Ledger(discord)
        crowd = Crowd(discord, ledger, rng, fleet.process_of)
        guilds = [discord.state.add_guild(shard, fleet.shards) for shard in range(fleet.shards)]
        crowd.add_tables(
            options.matches, [discord.state.add_channel("games", guild) for guild in guilds]
        )
        await fleet.start()
        watching = asyncio.create_task(fleet.watch())
        stack.callback(watching.cancel)
        began = time.time()
        await crowd.set_up(min(options.at_once, OPENED))
        await wait_until_settled(fleet, Proof())
        _print_progress(
            f"{sum(bool(table.match) for table in crowd.tables)} matches are open after "
            f"{time.time() - began:.0f} s"
        )
        began, seconds = time.time(), options.minutes * 60
        await asyncio.gather(
            crowd.play(seconds, options.rate, options.at_once),
            fleet.kill_at_random(random.Random(options.seed + 1), seconds, options.kills),
            faults.run(options.faults, seconds),
        )
        run = Run(_describe_options(options), began, time.time())
        await fleet.all_up()
        _print_progress(
            f"{len(fleet.kills)} kills, {len(faults.done)} other faults; waiting for what is due"
        )
        await wait_until_settled(fleet, proof)
        await check_live_boards(fleet, crowd, proof, rng)
        await wait_until_settled(fleet, proof)
        await fleet.stop()
        _print_progress("the bots have ended; looking at all that is kept and was posted")
        await check_everything(fleet, crowd, ledger, proof, rng)
        missing = options.faults - len(faults.done)
        proof.add(
            "faults", len(faults.done), [f"{missing} did not fit into the time"] if missing else []
        )
        report = make_table(run, fleet, ledger, proof, faults)
        (options.out / "soak.md").write_text(report, encoding="utf-8")
        draw_plot(run, fleet, ledger, proof, options.out / "soak.png")
        print(report)
    return 1 if proof.faults else 0


def _print_progress(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


def _describe_options(options: argparse.Namespace) -> str:
    return (
        f"{options.matches:,} matches, {options.processes} bots on {options.database}, "
        f"{options.minutes:g} minutes, "
        f"{options.kills} kills, {options.faults} other faults, seed {options.seed}"
    )


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m tests.soak", description="Many matches, played and killed."
    )
    parser.add_argument("--matches", type=int, default=100)
    parser.add_argument("--processes", type=int, default=1, help="bots; several need PostgreSQL")
    parser.add_argument("--database", choices=("sqlite", "postgres"), default="sqlite")
    parser.add_argument(
        "--minutes", type=float, default=5.0, help="of play, after all matches were opened"
    )
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument(
        "--faults",
        type=int,
        default=0,
        help="bots suspended, cut off from their database or slowed down; every second "
        "bot is another's spare then",
    )
    parser.add_argument(
        "--rate", type=float, default=3.0, help="turns begun a second; each is several presses"
    )
    parser.add_argument(
        "--at-once", type=int, default=24, help="people who act at the same time at most"
    )
    parser.add_argument(
        "--fsync", choices=("on", "off"), default="off", help="PostgreSQL's; off, it is soon back"
    )
    parser.add_argument(
        "--lenient", action="store_true", help="the machine is too busy to answer every press"
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--out", type=Path, default=Path("soak"), help="a folder for the report and the logs"
    )
    return parser


if __name__ == "__main__":
    sys.exit(main())
