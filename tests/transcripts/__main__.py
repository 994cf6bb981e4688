"""Play the scenarios of all games, or the named ones, again and write their transcripts."""

import sys

from tests.contract.games import ALL
from tests.transcripts.scenario import HERE, play_scenario, scenarios, text_of


def main() -> None:
    """Write every golden transcript that a scenario describes."""
    for game_id in sys.argv[1:] or ALL:
        for scenario in scenarios(game_id):
            match = play_scenario(game_id, scenario)
            path = HERE / game_id / f"{scenario.name}.txt"
            path.write_text(text_of(match), encoding="utf-8")
            reason = match.outcome.reason if match.outcome else "open"
            print(f"{path.relative_to(HERE)}: {match.number} commits, {reason}")


if __name__ == "__main__":
    main()
