"""Count every entry anew and write the numbers: review the difference before it is kept."""

from msgspec.structs import replace

from tests.contract.games import ALL
from tests.perft.count import HERE, Entry, counted, entries


def main() -> None:
    """Write the counts of all games."""
    for game_id in ALL:
        fresh = [replace(entry, counts=counted(game_id, entry)) for entry in entries(game_id)]
        (HERE / f"{game_id}.toml").write_text("\n".join(map(as_toml, fresh)), encoding="utf-8")
        for entry in fresh:
            print(game_id, entry.seats, entry.settings, *entry.counts)


def as_toml(entry: Entry) -> str:
    """An entry as it stands in the file."""
    settings = ", ".join(f'{key} = "{value}"' for key, value in entry.settings.items())
    lines = ["[[perft]]", f"seats = {entry.seats}", f'seed = "{entry.seed}"', f"counts = {list(entry.counts)}"]
    return "\n".join([*lines, *([f"settings = {{ {settings} }}"] if settings else [])]) + "\n"


if __name__ == "__main__":
    main()
