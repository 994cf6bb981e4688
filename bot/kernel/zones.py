"""Time zones: parse what people type for them, and suggest matching ones.

The names come from Python's zoneinfo; only the suggestions in USUAL_ZONES are chosen by hand.
"""

from functools import cache
from typing import TYPE_CHECKING

from bot.runtime.base import Refused
from bot.text import and_list
from engine.core.escape import escape_text

if TYPE_CHECKING:
    # Imported when a zone is first needed, to keep the bot's start quick.
    from zoneinfo import ZoneInfo

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
"""The zones suggested before anything is typed. Discord shows at most 25 choices."""


@cache
def zone_names() -> dict[str, str]:
    """Return the names of all time zones by what people type: lower case, with spaces."""
    from zoneinfo import available_timezones

    return {
        _normalize(name): name
        for name in sorted(available_timezones())
        if "/" in name or name == "UTC"
    }


def zone_of(name: str) -> "ZoneInfo":
    """Return a time zone by name; UTC if this machine's database does not have it any more."""
    from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError):
        return ZoneInfo("UTC")


def suggest_zones(typed: str) -> list[str]:
    """Return the time zones that contain a text, those whose city starts with it first."""
    wanted = _normalize(typed.strip())
    if not wanted:
        return list(USUAL_ZONES)
    ranked = sorted(
        (
            not _city_of(spoken).startswith(wanted),
            not spoken.startswith(wanted),
            name not in USUAL_ZONES,
            name,
        )
        for spoken, name in zone_names().items()
        if wanted in spoken
    )
    return [name for *_, name in ranked]


def parse_zone(typed: str) -> str:
    """Return the time zone with this full name or city; refuse, with suggestions, if none fits."""
    wanted = _normalize(typed.strip())
    if wanted in zone_names():
        return zone_names()[wanted]
    named = [name for spoken, name in zone_names().items() if _city_of(spoken) == wanted]
    if len(named) == 1:
        return named[0]
    raise Refused(
        "refusal.no_zone",
        zone=escape_text(typed),
        zones=and_list((named or suggest_zones(typed))[:5]),
    )


def _normalize(name: str) -> str:
    return name.casefold().replace("_", " ")


def _city_of(spoken: str) -> str:
    return spoken.rpartition("/")[2]
