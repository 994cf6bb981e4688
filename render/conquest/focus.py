"""What matters this turn: the hexes that the theatre must show, and how much it should show of the others."""

from collections.abc import Sequence

from engine.conquest.board import AMERICA, CHART, HEX_AT, NEIGHBOURS
from engine.conquest.view import NOBODY, ConquestView


def must_show(view: ConquestView, rings: Sequence[str]) -> list[str]:
    """Every legal hex, the Battle and the Explorer at sea; before Battles the mover's own ways; else what was last."""
    spots = [*rings]
    if view.battle is not None:
        spots.append(view.battle.spot)
    if view.voyage is not None:
        spots.append(view.voyage.at)
        if view.voyage.kumara and view.voyage.at in CHART.coast:
            spots.append(AMERICA)
    moved = [arrow.way[-1] for arrow in view.arrows] + [fleet.at for fleet in view.fleets]
    # In a Battle its hexes are to be large: the attacker's moves may lie all over the ocean.
    if view.viewer is not None and view.viewer == view.active and view.battle is None:
        spots += moved
    if not spots:
        spots = [*moved, *view.last, *view.due]
    return list(dict.fromkeys(spot for spot in spots if spot in HEX_AT or spot == AMERICA))


def leading(view: ConquestView) -> int:
    """The seat whose step it is, else the viewer, else nobody."""
    if view.active != NOBODY:
        return view.active
    return NOBODY if view.viewer is None else view.viewer


def should_show(view: ConquestView) -> list[str]:
    """Groups and pieces of the leading seat, or everybody's."""
    seat = leading(view)
    spots = [group.spot for group in view.groups if group.owner != NOBODY and seat in (group.owner, NOBODY)]
    spots += [stack.spot for stack in view.stacks if seat in (stack.seat, NOBODY)]
    return spots


def weights_of(view: ConquestView) -> dict[str, float]:
    """How much each hex is worth showing: most around a Battle, then an Explorer and moves, then what is one's own."""
    weights: dict[str, float] = {}

    def add(spot: str, weight: float) -> None:
        if spot in HEX_AT:
            weights[spot] = weights.get(spot, 0) + weight

    mine = leading(view)
    for group in view.groups:
        if group.owner != NOBODY and group.owner == mine:
            add(group.spot, 8)
        elif group.owner != NOBODY or not group.printed:
            add(group.spot, 4)
    for stack in view.stacks:
        add(stack.spot, 7 if stack.seat == mine else 3)
    for tile in view.tiles:
        if not tile.up:
            add(tile.spot, 2.5)
    if view.voyage is not None:
        for spot in NEIGHBOURS.get(view.voyage.at, ()):
            add(spot, 8)
        for marker in view.voyage.markers:
            add(marker.spot, 8)
    if view.battle is not None:
        for spot in NEIGHBOURS[view.battle.spot]:
            add(spot, 12)
    for arrow in view.arrows:
        for spot in arrow.way:
            add(spot, 8)
    return weights
