"""Write a database of the newest schema into old/, which every later Motu must open.

Run `python -m tests.bot.store.keep` once after adding a migration, and keep what it writes for
ever.
"""

import asyncio
import sqlite3
import tempfile
from pathlib import Path

from bot.store.schema import MIGRATIONS, steps
from bot.store.sqlite import SqliteStore
from tests.bot.backend import Backend

OLD = Path(__file__).parent / "old"


async def keep(migrations: Path = MIGRATIONS) -> Path:
    """Dump a database with a running match and a draft as SQL."""
    with tempfile.TemporaryDirectory() as folder:
        backend = Backend(Path(folder) / "motu.sqlite3")
        await backend.open_on(await SqliteStore.open(backend.path, migrations))
        room = await backend.play_out(
            await backend.start_match("blue_lagoon", people=2, computers=1), limit=6
        )
        await backend.pick(room, 0)
        await backend.matches.close()
        with sqlite3.connect(backend.path) as database:
            dump = "\n".join(database.iterdump())
        database.close()
    path = OLD / f"schema_{len(steps(migrations))}.sql"
    path.write_text(dump + "\n", encoding="utf-8")
    return path


if __name__ == "__main__":
    print(asyncio.run(keep()))
