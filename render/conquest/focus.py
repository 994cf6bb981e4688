"""What matters this turn: the hexes that the theatre must show, and how much it should show of the others."""

from collections.abc import Sequence

from engine.conquest.board import HEX_AT, NEIGHBOURS
from engine.conquest.view import NOBODY, ConquestView


def must_show(view: ConquestView, rings: Sequence[str]) -> list[str]:
    """Every legal hex, the Explorer at sea, the Battle and the last move."""
    spots = [*rings, *view.last, *view.due, *(arrow.way[-1] for arrow in view.arrows)]
    if view.voyage is not None:
        spots.append(view.voyage.at)
    if view.battle is not None:
        spots.append(view.battle.spot)
    spots += [fleet.at for fleet in view.fleets]
    return list(dict.fromkeys(spot for spot in spots if spot in HEX_AT))


def weights_of(view: ConquestView) -> dict[str, float]:
    """How much each hex is worth showing."""
    weights: dict[str, float] = {}

    def add(spot: str, weight: float) -> None:
        if spot in HEX_AT:
            weights[spot] = weights.get(spot, 0) + weight

    mine = view.active if view.active != NOBODY else view.viewer
    for group in view.groups:
        if group.owner != NOBODY or not group.printed:
            add(group.spot, 6 if group.owner != NOBODY and group.owner == mine else 4)
    for stack in view.stacks:
        add(stack.spot, 5 if stack.seat == mine else 3)
    for tile in view.tiles:
        if not tile.up:
            add(tile.spot, 2.5)
    if view.voyage is not None:
        for spot in (*NEIGHBOURS.get(view.voyage.at, ()), *(marker.spot for marker in view.voyage.markers)):
            add(spot, 8)
    if view.battle is not None:
        for spot in NEIGHBOURS[view.battle.spot]:
            add(spot, 12)
    for arrow in view.arrows:
        for spot in arrow.way:
            add(spot, 8)
    return weights
