"""Write a save and a snapshot for each game version that has none; existing ones stay."""

from engine import save, snapshot
from tests.contract.games import ALL
from tests.saves.keep import path_of, some_match


def main() -> None:
    """Write the missing ones."""
    for game_id, game in ALL.items():
        match = some_match(game_id)
        for kind, data in (("save", save(match)), ("snapshot", snapshot(match))):
            path = path_of(game_id, game.version, kind)
            if not path.exists():
                path.parent.mkdir(exist_ok=True)
                path.write_bytes(data + b"\n")
                print(f"wrote {path.name} of {game_id}")


if __name__ == "__main__":
    main()
