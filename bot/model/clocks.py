"""How much time a table's players have: what was agreed on, and where each clock stands."""

from enum import StrEnum

from msgspec import Struct

from bot.model.people import UserId

VACATION_BUDGET = 14 * 86_400
"""Seconds of vacation that everybody has in a calendar year."""


class Pace(StrEnum):
    """How fast a table plays."""

    NONE = "none"
    QUICK = "quick"
    STEADY = "steady"
    EASY = "easy"


class Expiry(StrEnum):
    """What happens when somebody's time is up."""

    REMIND = "remind"
    DRAFT = "draft"
    """A computer drafts the decision, which is confirmed after some hours in which its owner can
    change it.
    """
    COMPUTER = "computer"
    """A computer plays the seat until its owner comes back."""
    CLAIM = "claim"
    """The others may vote to have the seat given up."""
    FORFEIT = "forfeit"


class TimeTerms(Struct, frozen=True, omit_defaults=True):
    """What a table has agreed on about time."""

    pace: Pace = Pace.NONE
    expiry: Expiry = Expiry.REMIND
    weekends: str = ""
    """The time zone in which Saturdays and Sundays are off; '' if they are not."""


class SeatClock(Struct, frozen=True, omit_defaults=True):
    """The time of one player."""

    user: UserId
    bank: int
    """Seconds that were left when the clock last began or stopped."""
    since: int = 0
    """When it began to run; 0 while it stands."""
    answered: int = 0
    """The seat's committed answers when it began."""
    paid: int = -1
    """The post after which the last increment was earned."""
    warned: int = 0
    """When its player was warned; 0 if not yet."""
    expired: int = 0
    """When it ran out; 0 if it has not."""
    drafted: int = 0
    """When a computer drafted the decision for its player; 0 if none has."""
    vacation: int = 0
    """When the vacation began for which the clock waits; 0 if it does not."""
    quiet: int = 0
    """Seconds that it has waited because its player was to be warned in their quiet hours."""
    late: int = 0
    """Seconds that were added because the warning could not be sent in time."""
    slept: int = 0
    """Decisions in a row that a computer has made because the clock had run out."""


class TableClocks(Struct, frozen=True, omit_defaults=True):
    """The clocks of a match by seat, and the rules by which they run now; none without a pace."""

    seats: tuple[SeatClock, ...] = ()
    pace: Pace = Pace.NONE
    weekends: str = ""
    posts: int = 0
    """How many posts the clocks have seen."""
