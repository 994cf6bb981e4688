"""Count the turns of all games, or of the named ones, and write the counts: review the diff.

A number of seats without an entry gets one, two turns deep.
"""

import sys

from msgspec.structs import replace

from tests.contract.games import ALL
from tests.perft.count import HERE, Entry, count_turns, entries


def main() -> None:
    """Write the counts."""
    for game_id in sys.argv[1:] or ALL:
        known = entries(game_id)
        missing = [
            Entry(seats, (0, 0))
            for seats in ALL[game_id].seats
            if seats not in {one.seats for one in known}
        ]
        fresh = [replace(entry, counts=count_turns(game_id, entry)) for entry in (*known, *missing)]
        (HERE / f"{game_id}.toml").write_text("\n".join(map(as_toml, fresh)), encoding="utf-8")
        for entry in fresh:
            print(game_id, entry.seats, entry.settings, *entry.counts)


def as_toml(entry: Entry) -> str:
    """Return an entry in the format of the file."""
    settings = ", ".join(f'{key} = "{value}"' for key, value in entry.settings.items())
    lines = [
        "[[perft]]",
        f"seats = {entry.seats}",
        f'seed = "{entry.seed}"',
        f"counts = {list(entry.counts)}",
    ]
    return "\n".join([*lines, *([f"settings = {{ {settings} }}"] if settings else [])]) + "\n"


if __name__ == "__main__":
    main()
