"""The aims of a tribe bound for the far islands: new routes, tokens, and no way back."""

from collections.abc import Callable
from functools import cache

from engine import Match, Option, Seat
from engine.polynesia.board import board_of
from engine.polynesia.state import State
from engine.polynesia.travelling import open_passages


def far_islands(match: Match) -> Callable[[Option], int]:
    """Rank options by how little they help to get away; other kinds rank alike."""
    seat = match.waiting_for()[0]
    state: State = match.tip(seat)
    decision = match.question(seat)
    worth = {
        "take_action": _action,
        "move_member": _passage,
        "explore_route": _route,
        "explore_free": _route,
    }
    judge = worth.get(decision.kind)
    return (lambda option: judge(state, seat, option.key)) if judge else lambda option: 0


@cache
def depths(map_name: str) -> dict[str, int]:
    """Return the steps of each island from the Main Island."""
    board = board_of(map_name)
    found, edge = {board.main.code: 0}, [board.main]
    for island in edge:
        for passage in board.passages[island.number]:
            if passage.goal.code not in found:
                found[passage.goal.code] = found[island.code] + 1
                edge.append(passage.goal)
    return found


def _action(state: State, seat: Seat, key: str) -> int:
    ahead = any(_passage(state, seat, passage.code) < 2 for passage in open_passages(state, seat))
    order = ["travel"] if ahead else []
    order += ["explore"] if state.sides[seat].ships_out < 2 + state.round else []
    order += ["populate"] if state.round > 3 else []
    return order.index(key) if key in order else len(order) + (key in ("explore", "travel"))


def _passage(state: State, seat: Seat, key: str) -> int:
    if key == "stop":
        return 2
    passage, depth = state.board.passage[key], depths(state.map)
    if state.tokens[passage.goal.number]:
        return 0
    is_onward = depth[passage.goal.code] > depth[passage.start.code]
    return (2 if state.sides[seat].members[passage.goal.number] else 1) if is_onward else 3


def _route(state: State, seat: Seat, key: str) -> int:
    if key == "skip":
        return 9
    route = state.board.route[key]
    members = state.sides[seat].members
    ends = [bool(members[end.number]) for end in (route.a, route.b)]
    tokens = any(state.tokens[end.number] for end in (route.a, route.b))
    return (0 if tokens else 1) if any(ends) and not all(ends) else 3
