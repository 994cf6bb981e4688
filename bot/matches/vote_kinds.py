"""What a table can vote on by itself: to pause, to go on, to end without a result, to send somebody away."""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from bot.clock import DAY
from bot.errors import Refused
from bot.matches import ballot, post_rules, records
from bot.matches.ballot import ABSENT, BACK, Carried, Kind, Vote, voters
from bot.matches.computers import computer_to_move
from bot.matches.pings import REMIND
from bot.matches.room import COMPUTER, Due, Info, Person, Room, Sat, Status
from bot.text import say
from engine import Match, Seat


async def paused(room: Room, vote: Vote) -> Carried:
    """The match on hold until the table wants to go on."""
    return Carried(Room(replace(room.info, status=Status.ON_HOLD), room.match))


async def resumed(room: Room, vote: Vote) -> Carried:
    """The match goes on; whoever is to move is called anew."""
    # It may have lost its place meanwhile.
    status = Status.PAUSED if room.info.paused_for else Status.RUNNING
    info = replace(room.info, status=status, touched=vote.closed)
    awaited = tuple(room.people(post_rules.people_to_move(room.playing())))
    uncalled = {"answered": awaited, "undue": tuple((REMIND, user) for user in awaited)}
    return Carried(Room(info, room.match), {"announce_again": True, **uncalled})


async def called_off(room: Room, vote: Vote) -> Carried:
    """The match ended without a result."""
    return Carried(Room(replace(room.info, status=Status.CALLED_OFF, untold=True), room.match))


async def removed(room: Room, vote: Vote) -> Carried:
    """Somebody's seat played on by a computer, under their name; they come back only as anybody else would."""
    seat, match = Seat(vote.facts["seat"]), room.playing()
    computer = replace(room.info.chairs[seat], id=COMPUTER, level=room.info.terms.stand_in)
    if seat not in match.humans():
        # A computer plays for them already.
        info = seated(room, seat, computer, match.number + 1, "removed")
        return Carried(Room(info, match), {"chairs": True, "dues": (renaming(vote),)})
    handed = match.hand_over(seat, to_computer=True)
    info = seated(room, seat, computer, handed.number, "removed")
    return Carried(Room(info, handed.without_log()), {"chairs": True, "dues": (renaming(vote),), **committed(handed)})


async def nothing(room: Room, vote: Vote) -> Carried:
    """Nothing comes of it by itself."""
    return Carried(room)


RENAME = "thread_name"
"""What is due: a name for a match's thread that says who plays there now."""


def renaming(vote: Vote) -> Due:
    """What is due once somebody else sits there."""
    return Due(RENAME, vote.closed, vote.match)


def committed(handed: Match) -> dict[str, Any]:
    """What is written of a seat that was handed over: it is told in a post, and computers may be to move."""
    return {
        "commits": (records.stored_commit(handed),),
        "drafts": records.stored_drafts(handed),
        "unattended": computer_to_move(handed) is not None,
        "announce": handed.number,
    }


def seated(room: Room, seat: Seat, person: Person, since: int, why: str) -> Info:
    """With somebody else in a chair from a commit on, which is noted; after a host who leaves the next in line is."""
    info, was = room.info, room.info.chairs[seat]
    chairs = (*info.chairs[:seat], person, *info.chairs[seat + 1 :])
    people = [chair.id for chair in chairs if chair.id != COMPUTER]
    note = Sat(seat, since, person.id, person.name, was.id, was.name, why)
    host = info.host if info.host in people or not people else people[0]
    # What the one before planned is no business of the next.
    plans = tuple(plan for plan in info.plans if plan.seat != seat)
    return replace(info, chairs=chairs, host=host, plans=plans, sat=(*info.sat, note))


def must_run(room: Room, vote: Vote) -> None:
    """Refuse to pause what is paused."""
    if room.info.status is Status.ON_HOLD:
        raise Refused(say("vote.paused_already"))


def must_be_on_hold(room: Room, vote: Vote) -> None:
    """Refuse to go on with what goes on."""
    if room.info.status is not Status.ON_HOLD:
        raise Refused(say("vote.not_paused"))


def person_of(room: Room, vote: Vote) -> Person:
    """Whom a vote is about; refused if no person sits there any more."""
    seat, match = vote.facts.get("seat"), room.playing()
    if not isinstance(seat, int) or not 0 <= seat < match.seats or seat in match.resigned:
        raise Refused(say("vote.no_player"))
    person = room.info.chairs[seat]
    if person.id in (COMPUTER, vote.by.id):
        raise Refused(say("vote.no_player") if person.id == COMPUTER else say("vote.yourself"))
    return person


Why = Callable[[Room, Seat], str]
"""Why somebody may be thought away: a key of [vote.absent], '' if they are there."""


def noting_absence(why: Why) -> Callable[[Room, Vote], Vote]:
    """Puts into a vote on somebody why they may be thought away, and how much they had answered by then."""

    def prepare(room: Room, vote: Vote) -> Vote:
        person_of(room, vote)
        seat = Seat(vote.facts["seat"])
        absent = vote.facts.get(ABSENT) or why(room, seat)
        return replace(vote, facts={**vote.facts, ABSENT: absent, "answered": room.playing().answered[seat]})

    return prepare


def must_be_absent(room: Room, vote: Vote) -> None:
    """Refuse a vote on somebody who is there."""
    person_of(room, vote)
    acted = room.playing().answered[vote.facts["seat"]] > vote.facts["answered"]
    if not vote.facts[ABSENT] or acted or vote.facts.get(BACK):
        raise Refused(say("vote.back") if vote.facts[ABSENT] else say("vote.not_absent"))


def may_send_away(room: Room, vote: Vote) -> None:
    """Refuse to send somebody away where one person alone would decide it, unless they are away already."""
    person_of(room, vote)
    if len(voters(room, vote)) > 1:
        return
    if not vote.facts[ABSENT]:
        raise Refused(say("vote.one_alone"))
    must_be_absent(room, vote)


def saying_why(room: Room, vote: Vote) -> dict[str, Any]:
    """Words for a vote on somebody who is away."""
    absent = vote.facts[ABSENT]
    return {"seat": vote.facts["seat"], "absent": say(f"vote.absent.{absent}") if absent else ""}


def removal(why_absent: Why) -> Kind:
    """The vote to send somebody away; it has to be told how to see that they are absent."""
    return Kind(
        name="remove",
        rule=ballot.on_a_person,
        carry=removed,
        prepare=noting_absence(why_absent),
        check=may_send_away,
        words=saying_why,
    )


def asked_in_silence(room: Room, vote: Vote) -> Vote:
    """The question of the bot with the commit at which nothing happened any more."""
    return replace(vote, facts={"number": room.playing().number})


def must_be_silent(room: Room, vote: Vote) -> None:
    """A match that goes on need not be asked whether it shall."""
    if room.info.status is not Status.RUNNING or room.playing().number > vote.facts["number"]:
        raise Refused(say("vote.goes_on"))


async def paused_or_ended(room: Room, vote: Vote) -> Carried:
    """What a table wants to do with a match in which nothing happens."""
    return await (paused if vote.outcome == ballot.PAUSE else called_off)(room, vote)


SILENCE = Kind(
    name="silence",
    rule=ballot.what_now,
    carry=paused_or_ended,
    prepare=asked_in_silence,
    check=must_be_silent,
    options=(ballot.GO_ON, ballot.PAUSE, ballot.END),
    lasts=7 * DAY,
)
PAUSE = Kind(name="pause", rule=ballot.majority, carry=paused, check=must_run)
RESUME = Kind(name="resume", rule=ballot.to_go_on, carry=resumed, check=must_be_on_hold)
CALL_OFF = Kind(name="end", rule=ballot.everybody, carry=called_off)
