"""How numbers, names and days are written in the pictures of standings and their alt texts."""

from datetime import UTC, datetime

from render.alt import clip_text
from render.standings.records import Entry
from render.words import words_of

MAX_ALT_NAME_LENGTH = 22
"""Characters of a name in an alt text."""


def format_number(number: float) -> str:
    """Format a number with one decimal, and with a minus sign rather than a hyphen."""
    # `or 0.0` turns a rounded -0.0 into 0.0.
    return f"{round(number, 1) or 0.0:.1f}".replace("-", "−")


def format_day(at: int) -> str:
    """Format a Unix time as a day, such as 2026-11-18."""
    return datetime.fromtimestamp(at, UTC).date().isoformat()


def format_rating(entry: Entry) -> str:
    """Format a rating for a picture; a question mark behind it says that it is provisional."""
    return f"{entry.rating}?" if entry.is_provisional else str(entry.rating)


def format_alt_rating(entry: Entry) -> str:
    """Format a rating for an alt text."""
    return words_of().say("standing.value", rating=entry.rating, provisional=entry.is_provisional)


def format_alt_name(entry: Entry) -> str:
    """Format a name for an alt text."""
    return clip_text(entry.name, MAX_ALT_NAME_LENGTH)
