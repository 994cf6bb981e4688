"""A clock that moves only when a test says so."""

from datetime import datetime
from zoneinfo import ZoneInfo

HOUR, DAY = 3600, 86_400


def moment(text: str, zone: str = "UTC") -> int:
    """Return a time such as '2026-03-27 18:00' in seconds since 1970."""
    return int(datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(zone)).timestamp())


class ManualClock:
    """A clock that starts on a Monday at noon."""

    def __init__(self, start: str = "2026-03-02 12:00") -> None:
        self.now = float(moment(start))

    def __call__(self) -> float:
        return self.now
