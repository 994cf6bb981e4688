"""Count the turns of all games, or of those named, anew and write the numbers: review the
difference.

A number of seats that has no entry yet gets one, two turns deep.
"""

import sys

from msgspec.structs import replace

from tests.contract.games import ALL
from tests.perft.count import HERE, Entry, counted, entries


def main() -> None:
    """Write the counts."""
    for game_id in sys.argv[1:] or ALL:
        known = entries(game_id)
        missing = [
            Entry(seats, (0, 0))
            for seats in ALL[game_id].seats
            if seats not in {one.seats for one in known}
        ]
        fresh = [replace(entry, counts=counted(game_id, entry)) for entry in (*known, *missing)]
        (HERE / f"{game_id}.toml").write_text("\n".join(map(as_toml, fresh)), encoding="utf-8")
        for entry in fresh:
            print(game_id, entry.seats, entry.settings, *entry.counts)


def as_toml(entry: Entry) -> str:
    """An entry as it stands in the file."""
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
