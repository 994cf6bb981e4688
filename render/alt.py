"""Alt texts: numbers before adjectives, the letters that stand on the pieces, cut from the end."""

from collections.abc import Sequence

from engine import View
from engine.core.words import listed
from render import Scene
from render.palette import livery_of

LIMIT = 1024
"""The longest alt text that Discord takes."""
FIRST_CODES = 12
LONGEST_NAME = 32
LONGEST_PART = 150
"""Questions and news are cut to this, so that the seats always fit."""


def seat_name(names: Sequence[str], seat: int) -> str:
    """Letter and name, such as 'R Moana'."""
    livery = livery_of(seat)
    given = " ".join(names[seat].split()) if seat < len(names) else ""
    return f"{livery.letter} {clipped(given or livery.name, LONGEST_NAME)}"


def turn_of(view: View, scene: Scene, first: Sequence[int]) -> str:
    """Who is to move and what is asked; at the end, who is in the `first` place."""
    if first:
        names = listed(seat_name(scene.names, seat) for seat in first)
        return f"{names} {'wins' if len(first) == 1 else 'share the win'}"
    who = ", ".join(seat_name(scene.names, seat) for seat in view.to_move)
    asked = clipped(scene.question, LONGEST_PART)
    if who:
        return f"{who} to move{': ' + asked if asked else ''}"
    # Everyone sees nobody to move only where players have left the match.
    return asked or ("Ended early, nobody is to move" if view.viewer is None else "Nobody is to move")


def news_of(scene: Scene) -> str:
    """What happened last, if the scene says so."""
    return clipped(scene.last.rstrip(". "), LONGEST_PART)


def clipped(text: str, most: int) -> str:
    """A text of at most so many characters."""
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"


def code_list(spots: Sequence[str]) -> str:
    """The first dozen codes and how many more there are."""
    shown = " ".join(spot.upper() for spot in spots[:FIRST_CODES])
    more = len(spots) - FIRST_CODES
    return f"{shown} and {more} more" if more > 0 else shown


def sentence(text: str) -> str:
    """A text ended by one full stop."""
    text = " ".join(text.split())
    return text if not text or text[-1] in ".?!…" else f"{text}."


def compose(head: Sequence[str], seats: Sequence[str], board: Sequence[str], legal: Sequence[str]) -> str:
    """An alt text within the limit: what does not fit goes from the end, never the seats."""
    roster = sentence("; ".join(seats))
    room = LIMIT - len(roster) - 1
    text = clipped(" ".join(sentence(part) for part in head if part), max(room, 0))
    text = f"{text} {roster}".strip()[:LIMIT]
    for name, parts in (("Board", board), ("Legal", (code_list(legal),) if legal else ())):
        added = _as_many_as_fit(f" {name}: ", parts, LIMIT - len(text))
        text += added
    return text


def _as_many_as_fit(opening: str, parts: Sequence[str], room: int) -> str:
    for count in range(len(parts), 0, -1):
        end = "." if count == len(parts) else "; …"
        text = (opening + "; ".join(parts[:count])).rstrip(".") + end
        if len(text) <= room:
            return text
    return ""
