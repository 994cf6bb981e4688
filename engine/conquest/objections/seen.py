"""What objections ask of a view: what a hex is to a seat, what the seat has there and in its hand."""

import re
from typing import Any

from engine.conquest.board import HEX_AT
from engine.conquest.pieces import NONE, Kinds
from engine.conquest.view import NOBODY, ConquestView
from engine.core.decision import Decision

Reason = tuple[str, dict[str, Any]] | None
"""A line of [why] with its facts, None where nothing is known."""
OTHER_NAME = "other_name"
"""The line of a key that is legal but called otherwise; a typed text is then read as if it had that `name`."""
COUNTS = re.compile(r"(?:\d{1,2}[wtrcb])+")


def offers(decision: Decision, key: str) -> bool:
    """Whether that key may be chosen."""
    return any(option.key == key for option in decision.options)


def called(decision: Decision, name: str) -> Reason:
    """That a key is called otherwise, if what it is called may be chosen."""
    return (OTHER_NAME, {"name": name}) if offers(decision, name) else None


def is_hex(key: str) -> bool:
    """Whether the map has that hex."""
    return key in HEX_AT


def counted(key: str) -> Kinds | None:
    """Pieces written as counts, '2w1t', in any order; None if they are not."""
    if not COUNTS.fullmatch(key):
        return None
    numbers = dict.fromkeys("wtrcb", 0)
    for number, kind in re.findall(r"(\d+)([wtrcb])", key):
        numbers[kind] += int(number)
    return Kinds(**numbers)


def is_known(view: ConquestView, spot: str) -> bool:
    """Open Ocean or a group in sight."""
    return view.hex_at[spot].face not in ("unknown", "hidden")


def is_sea(view: ConquestView, spot: str) -> bool:
    """Where cargo needs canoes."""
    return view.hex_at[spot].face == "sea"


def has_seen(view: ConquestView, seat: int, spot: str) -> bool:
    """Whether a face-down tile there has the seat's Discovered Island Marker."""
    return any(tile.spot == spot and not tile.up and seat in tile.seen for tile in view.tiles)


def is_enemy_group(view: ConquestView, seat: int, spot: str) -> bool:
    """Independent, or Controlled by another."""
    group = view.group_at.get(spot)
    return group is not None and (group.independent or group.owner not in (NOBODY, seat))


def others_at(view: ConquestView, seat: int, spot: str) -> int:
    """Whose pieces, not the seat's own, lie there; NOBODY if none do."""
    return next((stack.seat for stack in view.stacks_at(spot) if stack.seat != seat), NOBODY)


def is_enemy(view: ConquestView, seat: int, spot: str) -> bool:
    """Independent, Controlled by another, or with another's pieces."""
    return is_enemy_group(view, seat, spot) or others_at(view, seat, spot) != NOBODY


def own_pieces(view: ConquestView, spot: str) -> Kinds:
    """The viewer's pieces that lie there, what has landed included and fleets under way not."""
    return next((stack.kinds for stack in view.stacks_at(spot) if stack.kinds is not None), NONE)


def is_own_group(view: ConquestView, seat: int, spot: str) -> bool:
    """Whether the seat has a Village there."""
    group = view.group_at.get(spot)
    return group is not None and group.owner == seat


def no_village(spot: str) -> Reason:
    """That the asked seat has no Village there."""
    return "no_village", {"spot": spot}


def holds(view: ConquestView, card: str) -> bool:
    """Whether the viewer has that card, face up or down."""
    return view.own is not None and any(held.key == card for held in view.own.hand)


def shows(view: ConquestView, card: str) -> bool:
    """Whether that card lies face up before the viewer."""
    return view.own is not None and any(held.key == card and held.up for held in view.own.hand)
