"""All shared colours, and the five seats by colour, letter and shape.

After a change of colours, train the palettes of the PNG files again (render.train).
"""

from msgspec import Struct

Colour = tuple[int, int, int]
"""Red, green and blue, 0 to 255."""


def rgb(code: str) -> Colour:
    """Return the colour of a code such as '#12688A'."""
    value = int(code.removeprefix("#"), 16)
    return value >> 16, value >> 8 & 255, value & 255


def mix(first: Colour, second: Colour, share: float) -> Colour:
    """Mix two colours; `share` is how much of the second there is."""
    pairs = zip(first, second, strict=True)
    red, green, blue = (round(one + (other - one) * share) for one, other in pairs)
    return red, green, blue


def lighter(colour: Colour, share: float) -> Colour:
    """Mix a colour with white."""
    return mix(colour, WHITE, share)


def darker(colour: Colour, share: float) -> Colour:
    """Mix a colour with the ink of the deep sea."""
    return mix(colour, DEEP_INK, share)


WHITE = rgb("#FFFFFF")
DEEP_INK = rgb("#06121A")

# The sea, from the deepest to the shore.
ABYSS = rgb("#0A3850")
DEEP = rgb("#0E4E6B")
SHELF = rgb("#12688A")
SHALLOW = rgb("#1E8AA3")
LAGOON = rgb("#46B4BA")
GLOW = rgb("#8EDBCF")
FOAM = rgb("#E4F7EC")

# Waters of a map that is explored during the match.
UNKNOWN = rgb("#0A2B45")
EXPLORED = rgb("#3FA9BA")

# The land, from the shore upwards.
SAND = rgb("#F4E0AA")
WET_SAND = rgb("#E2C27C")
MEADOW = rgb("#BFD27A")
GROVE = rgb("#98BD5F")
FOREST = rgb("#6B9E4C")
JUNGLE = rgb("#3F7440")

# The shadows of pieces.
LAND_SHADE = rgb("#6E8C4C")
SEA_SHADE = rgb("#114A63")

# Materials.
ROCK = rgb("#6C665F")
WOOD = rgb("#C28A4A")
DARK_WOOD = rgb("#94612F")
BARK = rgb("#5C3A1C")

# Text, paper and the title strip.
INK = rgb("#10242F")
KEYLINE = rgb("#0D1A21")
PAPER = rgb("#F8EDD3")
AGED_PAPER = rgb("#EBDAB2")
MUTED = rgb("#665029")
PALE = rgb("#B49A68")
RULE = rgb("#CDB380")
BACKDROP = rgb("#0A2C40")
TITLE = rgb("#0B2230")
TITLE_TEXT = rgb("#FFF1D2")
PHASE_TEXT = rgb("#BFE3E0")
TOOTH = rgb("#D9772B")
TOOTH_LIGHT = rgb("#F3C25B")
CREAM = rgb("#FFF3DC")

# Marks: legal spots, the last move, the seat to move, danger.
LEGAL = WHITE
CASING = rgb("#0C2A38")
LAST = rgb("#FF5FA8")
LAST_CASING = rgb("#4A0A2A")
ACTIVE = rgb("#FFCF3F")
DANGER = rgb("#FF8A4A")
DEADLY = rgb("#DD3B22")

# The printed codes of spots, by what they are printed on.
CODE_LAND = rgb("#41683A")
CODE_SEA = rgb("#BFE9E6")
CODE_UNKNOWN = rgb("#7FB0C6")


class Livery(Struct, frozen=True):
    """A seat's colour, letter and shape. Nothing is ever told apart by colour alone."""

    name: str
    """The key of its name in the text files."""
    colour: Colour
    letter: str
    shape: str
    stamp: Colour
    """The colour of shape and letter on the seat's pieces."""
    cream_line: bool = False
    """Whether pieces have a cream line around the ink line: dark ones would vanish in the sea."""
    rim: Colour | None = None
    """The rim of letters and digits in the stamp's colour, if they would be faint without one."""


LIVERIES = (
    Livery("lava", rgb("#DF3F2B"), "R", "disc", CREAM, rim=rgb("#B43628")),
    Livery("sun", rgb("#FFC62B"), "Y", "triangle", rgb("#2A1E08")),
    Livery("orchid", rgb("#7B3FA3"), "V", "square", CREAM, cream_line=True),
    Livery("pearl", rgb("#FBF5E6"), "W", "diamond", rgb("#2B2117")),
    Livery("night", rgb("#2B2E36"), "K", "star", CREAM, cream_line=True),
)

PINNED = (
    *(livery.colour for livery in LIVERIES),
    *(livery.stamp for livery in LIVERIES[:4]),
    ACTIVE,
    LAST,
    LAST_CASING,
    INK,
    KEYLINE,
    PAPER,
    WHITE,
    CASING,
    BACKDROP,
    TITLE,
)
"""Colours that every trained palette contains exactly."""


def livery_of(seat: int) -> Livery:
    """Return the livery of a seat; from the sixth seat on they repeat."""
    return LIVERIES[seat % len(LIVERIES)]
