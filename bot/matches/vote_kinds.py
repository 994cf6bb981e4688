"""What a table can vote on by itself: to pause, to go on, to end without a result, to send somebody away."""

from collections.abc import Callable

from msgspec.structs import replace

from bot.errors import Refused
from bot.matches import ballot, records
from bot.matches.ballot import ABSENT, BACK, Carried, Kind, Vote, voters
from bot.matches.computers import computer_to_move
from bot.matches.room import COMPUTER, Info, Person, Room, Status
from bot.text import say
from engine import Seat


async def paused(room: Room, vote: Vote) -> Carried:
    """The match on hold until the table wants to go on."""
    return Carried(Room(replace(room.info, status=Status.ON_HOLD), room.match))


async def resumed(room: Room, vote: Vote) -> Carried:
    """The match goes on; whoever is to move is called anew."""
    # It may have lost its place meanwhile.
    status = Status.PAUSED if room.info.paused_for else Status.RUNNING
    return Carried(Room(replace(room.info, status=status), room.match), {"announce_again": True})


async def called_off(room: Room, vote: Vote) -> Carried:
    """The match ended without a result."""
    return Carried(Room(replace(room.info, status=Status.CALLED_OFF, untold=True), room.match))


async def removed(room: Room, vote: Vote) -> Carried:
    """Somebody's seat played on by a computer, under their name; they come back only as anybody else would."""
    seat, match = Seat(vote.facts["seat"]), room.playing()
    chair = replace(room.info.chairs[seat], id=COMPUTER, level=room.info.terms.stand_in)
    if seat not in match.humans():
        # A computer plays for them already.
        return Carried(Room(with_chair(room.info, seat, chair), match), {"chairs": True})
    handed = match.hand_over(seat, to_computer=True)
    written = {
        "chairs": True,
        "commits": (records.stored_commit(handed),),
        "drafts": records.stored_drafts(handed),
        "unattended": computer_to_move(handed) is not None,
        "announce": handed.number,
    }
    return Carried(Room(with_chair(room.info, seat, chair), handed.without_log()), written)


def with_chair(info: Info, seat: Seat, person: Person) -> Info:
    """With somebody else in a chair; the next person in line is host if the host has left."""
    chairs = (*info.chairs[:seat], person, *info.chairs[seat + 1 :])
    people = [chair.id for chair in chairs if chair.id != COMPUTER]
    host = info.host if info.host in people or not people else people[0]
    return replace(info, chairs=chairs, host=host)


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


def noting_absence(why: Callable[[Room, Seat, int], str]) -> Callable[[Room, Vote, int], Vote]:
    """Puts into a vote on somebody why they may be thought away, and how much they had answered by then."""

    def prepare(room: Room, vote: Vote, now: int) -> Vote:
        person_of(room, vote)
        seat = Seat(vote.facts["seat"])
        absent = vote.facts.get(ABSENT) or why(room, seat, now)
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


def removal(why_absent: Callable[[Room, Seat, int], str]) -> Kind:
    """The vote to send somebody away; it has to be told how to see that they are absent."""
    return Kind(
        name="remove",
        rule=ballot.on_a_person,
        carry=removed,
        prepare=noting_absence(why_absent),
        check=may_send_away,
    )


PAUSE = Kind(name="pause", rule=ballot.majority, carry=paused, check=must_run)
RESUME = Kind(name="resume", rule=ballot.to_go_on, carry=resumed, check=must_be_on_hold)
CALL_OFF = Kind(name="end", rule=ballot.everybody, carry=called_off)
