"""A table's terms about time, in words."""

from bot.kernel.pace import GRANTS, VETO
from bot.model.clocks import VACATION_BUDGET, Expiry, Pace, TimeTerms
from bot.runtime.clock import DAY, HOUR
from bot.text import say


def contract(terms: TimeTerms) -> str:
    """All that somebody agrees to about time who sits down at a table."""
    if terms.pace is Pace.NONE:
        return say("pace.no_clock")
    facts = {"pace": name(terms.pace), "grants": grants(terms.pace), "expiry": expiry(terms.expiry)}
    zone = say("pace.zone", zone=zone_name(terms.weekends)) if terms.weekends else ""
    return say("pace.contract", **facts, zone=zone, days=VACATION_BUDGET // DAY)


def name(pace: Pace) -> str:
    """What a pace is called."""
    return say(f"pace.{pace}")


def grants(pace: Pace) -> str:
    """What a pace grants, in hours."""
    granted = GRANTS.get(pace)
    if granted is None:
        return say("pace.no_clock")
    hours = {"bank": granted.bank, "increment": granted.increment, "cap": granted.cap}
    return say("pace.grants", **{what: seconds // HOUR for what, seconds in hours.items()})


def expiry(chosen: Expiry) -> str:
    """What happens when somebody's time is up."""
    return say(f"pace.{chosen}", hours=VETO // HOUR)


def zone_name(zone: str) -> str:
    """A time zone as people read it: 'New York'."""
    return zone.rpartition("/")[2].replace("_", " ")
