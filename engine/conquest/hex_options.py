"""Options that are hexes, cut into regions of the map where the list is long."""

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from engine.conquest.board import region
from engine.core.decision import Fact, Option

LONG = 25
"""A list of more options than this is cut into groups; several of its hexes are then chosen one
at a time.
"""


def hex_options(
    spots: Sequence[str], *others: Option, facts: tuple[Fact, ...] = ()
) -> tuple[Option, ...]:
    """An option for each of the hexes, given in the order of the map, then the others."""
    return labelled_hexes(dict.fromkeys(spots, facts), *others)


def labelled_hexes(facts: Mapping[str, tuple[Fact, ...]], *others: Option) -> tuple[Option, ...]:
    """The same for hexes that have each their own facts."""
    if len(facts) + len(others) <= LONG:
        hexes = [Option(spot, spot=spot, facts=about) for spot, about in facts.items()]
        return (*hexes, *others)
    grouped = []
    for spot, about in facts.items():
        group = f"hexes-{region(spot)}"
        grouped.append(Option(spot, spot=spot, group=group, facts=about))
    rest = [replace(option, group=option.group or "other") for option in others]
    return (*grouped, *rest)
