"""Check that computers and hints know no secrets: `python -m tests.bench.secrets` prints a table.

Its options are `[--positions 100] [--light]`. For every kind of decision of every game, positions
are found, or constructed where it is rare, in which somebody is asked or offered it. Each is
thought about twice: as it is, and in another world that looks the same to the seat while everything
that it cannot know is different. The whole thought must be exactly the same: the choice of every
level with its comparisons, the panel of a hint, and what a review says of a turn.

`hidden` counts the positions whose two worlds differ at all, `differing` those with different
thoughts. The exit code is 1 if there are any, or too few positions of a kind. Nearly all the time
goes into the strong level, about two seconds per position; `--light` makes it look at few turns and
not far ahead.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import islice
from random import Random
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

import engine.players.levels
import engine.players.polynesia
import engine.players.review
from bot.features.play.advice import build_hint
from bot.features.review import moment_text
from engine import GAMES, Commit, Game, Match, Seat
from engine.players import LEVELS, continue_turn, think
from engine.players.mind import Effort, Mind, mind_of
from engine.players.review import judge_again, judge_turn
from tests.bot.tables import room_of
from tests.contract.kinds import Position, kinds_of, positions
from tests.contract.worlds import worlds

POSITIONS = 100
LITTLE = Effort(candidates=3, samples=(1,), laps=0, extra_turns=2)
PEOPLE = ("Ana", "Bea", "Cem", "Dee", "Eve")
LAYOUT = "{:<12} {:<20} {:>9} {:>7} {:>9}  {}"
CHUNK = 50
"""How many positions each worker gets at a time: few need memory, and lines are printed early."""


class Compared(Struct, frozen=True):
    """A position that was thought about in two worlds."""

    game: str
    kind: str
    is_hidden: bool
    """Whether the two worlds differ at all."""
    differing: tuple[str, ...]
    """The names of the thoughts that differ."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Compare and print; return 1 if anything differs or a kind has too few positions."""
    options = _parser().parse_args(arguments)
    each = 1 if options.smoke else options.positions
    is_light = options.light or options.smoke
    print(LAYOUT.format("game", "kind", "positions", "hidden", "differing", ""), flush=True)
    failed = 0
    with ProcessPoolExecutor(options.jobs, initializer=think_little if is_light else None) as pool:
        for game_id in options.only or GAMES:
            compared = [
                one
                for chunk in _chunks(positions(game_id, each))
                for one in pool.map(compare, chunk)
            ]
            failed += _print_kinds(game_id, compared, each)
    return 1 if failed else 0


def compare(position: Position) -> Compared:
    """Think about a position in two worlds that look the same to its seat."""
    match, seat = position.match, position.seat
    one, other = worlds(match, seat, Random(f"{position.kind} {match.number}"))
    seen = one.view(seat), one.decisions(seat), one.waiting_for()
    if seen != (other.view(seat), other.decisions(seat), other.waiting_for()):
        # Whatever is thought, the seat can see which world it is in.
        return Compared(match.game.id, position.kind, True, ("what is seen",))
    thoughts = whole_thought(one, seat), whole_thought(other, seat)
    names = dict.fromkeys(name for thought in thoughts for name in thought)
    differing = tuple(name for name in names if thoughts[0].get(name) != thoughts[1].get(name))
    return Compared(match.game.id, position.kind, one.base != other.base, differing)


def whole_thought(match: Match, seat: Seat) -> dict[str, Any]:
    """Return everything that is thought about a position and told to a seat, by name."""
    game = match.game
    room = room_of(match, PEOPLE[: match.seats])
    found: dict[str, Any] = {level: think(game, match.base, seat, "own", level) for level in LEVELS}
    if match.question(seat) is None:
        return found
    hinted = found["strong"]
    if begun := match.draft(seat).answers:
        hinted = found["continued"] = continue_turn(game, match.base, seat, "own", begun)
    made = build_hint(room, seat, hinted)
    found["hint"] = made.text, made.parts, made.rings, made.question
    # A weak turn is judged, which leaves something to say.
    commit = Commit(seat, found["easy"].answers)
    moment = judge_turn(game, match.base, commit, match.number) if commit.answers else None
    if moment is not None and moment.better != commit.answers:
        moment = judge_again(game, match.base, commit, moment)
        found["review"] = moment, moment_text(room, moment, commit, 1, match.number)
    return found


def think_little(set_attribute: Callable[[object, str, Any], None] = setattr) -> None:
    """Have the strong level and the review look at few turns and not far ahead, in this process."""

    def mind(game: Game[Any]) -> Mind:
        return replace(mind_of(game), effort=LITTLE, efforts={})

    for module in (engine.players.levels, engine.players.review):
        set_attribute(module, "mind_of", mind)
    set_attribute(engine.players.polynesia, "BEAM_WIDTH", 2)
    set_attribute(engine.players.polynesia, "NARROW_BEAM_WIDTH", 1)


def _chunks(found: Iterator[Position]) -> Iterator[list[Position]]:
    while chunk := list(islice(found, CHUNK)):
        yield chunk


def _print_kinds(game_id: str, compared: Sequence[Compared], each: int) -> int:
    """Print a line per kind of a game; return how many have too few positions or differ."""
    failed = 0
    for kind in kinds_of(game_id):
        of_kind = [one for one in compared if one.kind == kind]
        hidden = sum(one.is_hidden for one in of_kind)
        differing = [one for one in of_kind if one.differing]
        names = Counter(name for one in differing for name in one.differing)
        notes = [f"{name} {number}" for name, number in names.items()]
        if len(of_kind) < each:
            notes.append("TOO FEW")
        failed += bool(notes)
        print(
            LAYOUT.format(game_id, kind, len(of_kind), hidden, len(differing), ", ".join(notes)),
            flush=True,
        )
    return failed


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m tests.bench.secrets", description=(__doc__ or "").split("\n")[0]
    )
    parser.add_argument("--positions", type=int, default=POSITIONS, help="of each kind")
    parser.add_argument(
        "--only", action="append", choices=list(GAMES), metavar="GAME", help="some games"
    )
    parser.add_argument(
        "--light", action="store_true", help="the strong level looks at few turns and not far"
    )
    parser.add_argument("--jobs", type=int, default=2, help="processes")
    parser.add_argument(
        "--smoke", action="store_true", help="one position of each kind, thought about lightly"
    )
    return parser


if __name__ == "__main__":
    sys.exit(main())
