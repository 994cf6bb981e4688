"""Time zones: by their names, and by what people type for them."""

from functools import cache
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

from bot.runtime.base import Refused
from bot.text import listed
from engine.core.escape import escaped

USUAL_ZONES = (
    "UTC",
    "Europe/London",
    "Europe/Berlin",
    "Europe/Athens",
    "Africa/Nairobi",
    "Asia/Dubai",
    "Asia/Karachi",
    "Asia/Kolkata",
    "Asia/Dhaka",
    "Asia/Bangkok",
    "Asia/Shanghai",
    "Asia/Tokyo",
    "Australia/Sydney",
    "Pacific/Noumea",
    "Pacific/Auckland",
    "Pacific/Tongatapu",
    "Pacific/Honolulu",
    "America/Anchorage",
    "America/Los_Angeles",
    "America/Denver",
    "America/Chicago",
    "America/New_York",
    "America/Halifax",
    "America/Sao_Paulo",
    "Atlantic/Azores",
)
"""Zones offered before anything is typed: around the world, no more than Discord shows."""


@cache
def zones() -> dict[str, str]:
    """Return every time zone's name by what people may type: in lower case and with blanks."""
    return {
        _spoken(name): name
        for name in sorted(available_timezones())
        if "/" in name or name == "UTC"
    }


def zone_of(name: str) -> ZoneInfo:
    """Return a time zone by its name; UTC for one that this machine knows no more."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError):
        return ZoneInfo("UTC")


def like_zone(typed: str) -> list[str]:
    """Return the time zones that a text may mean, those first whose city begins so."""
    wanted = _spoken(typed.strip())
    if not wanted:
        return list(USUAL_ZONES)
    ranked = sorted(
        (
            not _city(spoken).startswith(wanted),
            not spoken.startswith(wanted),
            name not in USUAL_ZONES,
            name,
        )
        for spoken, name in zones().items()
        if wanted in spoken
    )
    return [name for *_, name in ranked]


def read_zone(typed: str) -> str:
    """Return the time zone that a text names, whole or by its city alone."""
    wanted = _spoken(typed.strip())
    if wanted in zones():
        return zones()[wanted]
    named = [name for spoken, name in zones().items() if _city(spoken) == wanted]
    if len(named) == 1:
        return named[0]
    raise Refused(
        "refusal.no_zone", zone=escaped(typed), zones=listed((named or like_zone(typed))[:5])
    )


def _spoken(name: str) -> str:
    return name.casefold().replace("_", " ")


def _city(spoken: str) -> str:
    return spoken.rpartition("/")[2]
