"""Addresses of PostgreSQL databases, such as postgresql://motu:password@host:5432/motu."""

import re

SCHEMES = ("postgresql://", "postgres://")
HARMLESS = re.compile(r"[\w.,:\[\]-]*(/[\w-]*)?")


def is_postgres(text: str) -> bool:
    """Return whether a text is the address of a server rather than the name of a file."""
    return text.startswith(SCHEMES)


def looks_like_address(text: str) -> bool:
    """Return whether a text is meant as an address, even of another program's: no file is called
    so.
    """
    return re.match(r"[a-z+]{2,}:/", text, re.IGNORECASE) is not None


def public_address(url: str) -> str:
    """Return as much of an address as anybody may read: where the database is, never who enters
    or how.
    """
    place = url.split("://", 1)[1].rpartition("@")[2].partition("?")[0]
    return f"{SCHEMES[0]}{place if HARMLESS.fullmatch(place) else '…'}"
