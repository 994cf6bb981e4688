"""What a table can vote on about time: another pace, and to have a seat given up whose time is up."""

from collections.abc import Awaitable, Callable
from typing import Any

import msgspec
from msgspec.structs import replace

from bot.errors import Refused
from bot.matches import ballot, vote_kinds
from bot.matches.ballot import Carried, Kind, Vote
from bot.matches.pace import Expiry, TimeTerms
from bot.matches.room import Room
from bot.text import pace_words, say
from engine import Match, Seat


def facts_of(terms: TimeTerms) -> dict[str, Any]:
    """The terms that a table is asked about, as the facts of a vote."""
    return {"time": msgspec.to_builtins(terms)}


def _wanted(vote: Vote) -> TimeTerms:
    return msgspec.convert(vote.facts["time"], TimeTerms)


async def _changed(room: Room, vote: Vote) -> Carried:
    """Other terms from now on: clocks of another pace begin anew, others only go on by other rules."""
    return Carried(Room(replace(room.info, terms=replace(room.info.terms, time=_wanted(vote))), room.match))


def _must_differ(room: Room, vote: Vote) -> None:
    if _wanted(vote) == room.info.terms.time:
        raise Refused(say("pace.nothing_new"))


def _must_be_claimable(room: Room, vote: Vote) -> None:
    vote_kinds.person_of(room, vote)
    if room.info.terms.time.expiry is not Expiry.CLAIM or not room.is_expired(Seat(vote.facts["seat"])):
        raise Refused(say("pace.not_claimable"))


def claim(along: Callable[[Room, list[Match]], Awaitable[Carried]]) -> Kind:
    """The vote to have a seat given up whose time is up. All sat down on these terms, so one other alone may."""

    async def carry(room: Room, vote: Vote) -> Carried:
        match = room.playing()
        return await along(room, [match, match.resign(Seat(vote.facts["seat"]))])

    return Kind(name="claim", rule=ballot.majority, carry=carry, check=_must_be_claimable)


PACE = Kind(
    name="pace",
    rule=ballot.majority,
    carry=_changed,
    check=_must_differ,
    words=lambda room, vote: {"contract": pace_words.contract(_wanted(vote))},
)
