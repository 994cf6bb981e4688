"""Build real panels, decode their controls, and count the presses that an answer takes."""

import re
from collections.abc import Iterable

from bot.features.play import panel as build
from bot.features.play.panel import CONFIRM, CONTROL, PAGE, PICK, PICK_SEVERAL, Control
from bot.ui.parts import Button, Menu, Part
from engine import Answer, Match, Seat
from tests.bot.tables import check_parts, controls_in, room_of

NAMES = ("Ana", "Bea", "Cem", "Dora", "Eve")
MENU_PRESSES = 2
"""How many presses a menu takes: one to open it, one to choose a line."""


def controls(shown: Iterable[Part]) -> list[tuple[Control, Button | Menu]]:
    """Return the controls of a panel, decoded from their custom ids."""
    found = []
    for part in controls_in(shown):
        parts = re.fullmatch(CONTROL, part.id)
        assert parts is not None, part.id
        known = Control(
            parts["action"],
            parts["match"],
            int(parts["seat"]),
            int(parts["turn"]),
            *parts.group(5, 6),
        )
        found.append((known, part))
    return found


def panel_controls(
    match: Match, seat: Seat, named: str = ""
) -> list[tuple[Control, Button | Menu]]:
    """Return the controls of a seat's panel, checked against Discord's limits."""
    panel = build.build_panel(room_of(match, NAMES[: match.seats]), seat, named)
    check_parts(panel.parts)
    assert 0 < len(panel.text) <= 2000
    return controls(panel.parts)


def presses_for(match: Match, seat: Seat, keys: tuple[str, ...]) -> int:
    """Return the fewest presses from a question's panel to an answer, paging included."""
    seen, edge, count = {""}, [""], 1
    while edge:
        following = []
        for name in edge:
            for control, part in panel_controls(match, seat, name):
                if control.action == PICK and control.keys == keys:
                    return count
                lines = {line.value for line in part.choices} if isinstance(part, Menu) else set()
                if control.action == PICK_SEVERAL and set(keys) <= lines:
                    return count - 1 + MENU_PRESSES
                if control.action == PAGE and control.key not in seen:
                    seen.add(control.key)
                    following.append(control.key)
        edge, count = following, count + 1
    raise AssertionError(f"no way to {keys} in {match!r}")


def presses_of_turn(match: Match, seat: Seat, answers: Iterable[Answer]) -> int:
    """Count the presses of a whole turn: Your move, every answer that is not forced, Confirm."""
    given = [answer for answer in answers if not answer.forced]
    count = 1
    for place, answer in enumerate(given):
        question = match.question(seat)
        assert question is not None
        confirms = [
            part for control, part in panel_controls(match, seat) if control.action == CONFIRM
        ]
        if confirms and place == len(given) - 1 and question.option(answer.keys[0]).ends:
            # Confirm picks this option as well: its label says so.
            return count + 1
        count += presses_for(match, seat, answer.keys)
        match = match.pick(Answer(seat, answer.kind, answer.keys))
    assert [control for control, _ in panel_controls(match, seat) if control.action == CONFIRM]
    return count + 1
