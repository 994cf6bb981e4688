"""A Blue Lagoon player for tests that need short matches: it goes straight to the resources."""

from engine import Answer, Match
from engine.blue_lagoon.board import board_of
from engine.blue_lagoon.view import BlueLagoonView


def hunt(match: Match) -> Match:
    """Play a turn that takes a resource, or goes as near to one as possible."""
    (seat,) = match.waiting_for()
    (decision,) = match.decisions(seat)
    view = match.view(seat)
    assert isinstance(view, BlueLagoonView)
    board = board_of(view.map)
    settling = {
        board.by_code[option.spot].bit: option.key
        for option in decision.options
        if option.key[-1] != "v"
    }
    near = sum(board.by_code[spot].bit for spot, item in view.items if item != "statuette")
    while settling and not any(bit & near for bit in settling):
        near |= board.near(near)
    key = next((key for bit, key in settling.items() if bit & near), decision.options[0].key)
    return match.pick(Answer(seat, decision.kind, (key,))).confirm(seat)
