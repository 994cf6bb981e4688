"""The engine agrees with the slow second version of the rules, over whole random matches."""

from random import Random

import pytest

from engine import GAMES, Answer, Decision, Match, begin
from engine.maori.view import MaoriView
from tests.engine.maori import reference
from tests.engine.maori.settler import choice

GAME = GAMES["maori"]
TABLES = [(rules, board) for rules in ("basic", "advanced", "pro") for board in ("front", "atoll")]


def expected(view: MaoriView, decision: Decision) -> dict[str, int] | None:
    """Return the options and prices by the slow rules; None if they don't know the question."""
    own = view.sides[decision.seat]
    lying = {laid.spot: laid.tile for laid in own.tiles}
    empty = [code for code in reference.spaces(view.board) if code not in lying]
    fares = reference.fares(view.board, lying, own.ship) if own.ship else dict.fromkeys(empty, 0)
    payable = {code: fare for code, fare in fares.items() if fare <= own.shells}
    match decision.kind:
        case "move_discoverer":
            start = int(view.discoverer)
            fleet = reference.ships(view.board, lying)
            ways = [
                (str((start + step - 1) % 16 + 1), max(0, step - fleet)) for step in range(1, 17)
            ]
            return {code: paid for code, paid in ways if paid <= own.shells}
        case "discover_tile":
            tiles = reference.reachable(view, own.shells)
            least = min(fares.values(), default=99)
            found = {
                cell: paid
                for cell, paid in tiles.items()
                if not own.stored or least <= own.shells - paid
            }
            found |= {"stored": 0} if own.stored and payable else {}
            found |= {"remove": 0} if [code for code in lying if code != own.ship] else {}
            return found | {"nothing": 0}
        case "place_tile":
            return payable | ({} if own.stored else {"store": 0})
        case "remove_tile":
            return {code: 0 for code in lying if code != own.ship}
        case "move_ship":
            return {code: 0 for code in lying if code != own.ship} | {"stay": 0}
    return None


def check(match: Match, decision: Decision) -> None:
    view = match.view(decision.seat)
    assert isinstance(view, MaoriView)
    offered = {option.key: int(dict(option.facts).get("paid", 0)) for option in decision.options}
    wanted = expected(view, decision)
    assert wanted is None or offered == wanted


@pytest.mark.parametrize(("rules", "board"), TABLES)
@pytest.mark.parametrize("seats", [2, 4])
def test_options_prices_and_points_agree_with_a_slow_second_set_of_rules(
    rules: str, board: str, seats: int
) -> None:
    rng = Random(f"{rules} {board} {seats}")
    match = begin(GAME, seats, {"rules": rules, "board": board}, "reference")
    while match.outcome is None:
        (seat,) = match.waiting_for()
        while not match.is_complete(seat):
            (decision,) = match.decisions(seat)
            check(match, decision)
            wild = rng.random() < 0.3
            key = rng.choice(decision.options).key if wild else choice(match, decision)
            match = match.pick(Answer(seat, decision.kind, (key,)))
        match = match.confirm(seat)
        public = match.view(None)
        assert isinstance(public, MaoriView)
        assert list(public.scores) == reference.totals(public)
    assert match.number > 12 * seats
