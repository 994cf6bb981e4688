"""How a chief of Conquest plays: its taste for land, links, cards and war."""

from msgspec import Struct


class Stance(Struct, frozen=True):
    """How a chief plays; the levels and the strong player's alternatives differ by it."""

    knots: int = 3
    """Most Knots with which an Explorer goes on."""
    hides: bool = True
    """Discoveries stay face down."""
    colonies: int = 2
    """Colonies that are under way at a time."""
    thrifty: bool = True
    """A Village comes before the first canoe, and leftover Build Points become canoes in store."""
    links: bool = True
    """Gaps in the chain to the Home are filled."""
    cards_first: bool = False
    """Cards come before Villages and Colonies."""
    army: bool = True
    """Leftover Build Points become War Canoes and Bands, and these attack."""
    least_raid: float = 0.5
    """Points that an attack must be expected to bring."""
    least_campaign: float = 3.0
    """Points from which on an army comes before cards and Colonies."""
    guards: bool = True
    """A group that is rushed gets Bands before Colonies, and keeps them."""
    plain: bool = False
    """Everything is left to the plain player."""
