"""What a table can vote on about time: another pace, and claiming a seat whose time is up."""

from typing import Any

import msgspec
from msgspec.structs import replace

from bot.features.votes import rules
from bot.features.votes.rules import Kind, must_be_about_person
from bot.kernel.change import Change
from bot.kernel.room import Room
from bot.model.clocks import Expiry, TimeTerms
from bot.model.votes import Vote
from bot.runtime.errors import Refused
from bot.text import say
from bot.ui import describe
from engine import Seat


def facts_of(terms: TimeTerms) -> dict[str, Any]:
    """Return the facts of a vote on other terms."""
    return {"time": msgspec.to_builtins(terms)}


def _wanted(vote: Vote) -> TimeTerms:
    return msgspec.convert(vote.facts["time"], TimeTerms)


def _change_terms(change: Change, vote: Vote) -> Change:
    """Play by other terms from now on. Clocks of another pace begin anew; otherwise they go on by other rules."""
    return change.update(terms=replace(change.after.record.terms, time=_wanted(vote)))


def _must_differ(room: Room, vote: Vote) -> None:
    if _wanted(vote) == room.record.terms.time:
        raise Refused(say("pace.nothing_new"))


def _must_be_claimable(room: Room, vote: Vote) -> None:
    must_be_about_person(room, vote)
    if room.record.terms.time.expiry is not Expiry.CLAIM or not room.is_expired(Seat(vote.facts["seat"])):
        raise Refused(say("pace.not_claimable"))


def _give_up_seat(change: Change, vote: Vote) -> Change:
    return change.play(change.after.playing().resign(Seat(vote.facts["seat"])))


# Everyone sat down on these terms, so a single opponent may claim a seat whose time is up.
CLAIM = Kind(name="claim", rule=rules.majority, carry_out=_give_up_seat, check=_must_be_claimable)
PACE = Kind(
    name="pace",
    rule=rules.majority,
    carry_out=_change_terms,
    check=_must_differ,
    words=lambda room, vote: {"contract": describe.time_contract(_wanted(vote))},
)
