"""What a table can always vote on: to pause, to resume, to end without a result, to remove a player.

Other features register further kinds: see Votes.register.
"""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from bot.features.reminders import queries as reminder_queries
from bot.features.reminders.service import REMIND
from bot.features.votes import rules
from bot.features.votes.rules import ABSENT, BACK, Kind, voters
from bot.kernel import post_rules
from bot.kernel.change import Change
from bot.kernel.room import Room
from bot.model.jobs import Job
from bot.model.match import COMPUTER, Person, SeatChange, Status
from bot.model.votes import Vote
from bot.posts.threads import RENAME
from bot.runtime.errors import Refused
from bot.text import say
from engine import Seat

# What is done when a vote passes.


def pause(change: Change, vote: Vote, loaded: None = None) -> Change:
    """Put the match on hold until the table wants to go on."""
    return change.update(status=Status.ON_HOLD)


def resume(change: Change, vote: Vote, loaded: None) -> Change:
    """Let the match go on, and tell those who are to move again."""
    # It may have lost its place meanwhile.
    status = Status.PAUSED if change.after.record.paused_for else Status.RUNNING
    awaited = change.after.people(post_rules.people_to_move(change.after.playing()))
    change = change.update(status=status, touched=vote.closed)
    change = change.cancel_jobs(*((REMIND, user) for user in awaited))
    change = change.write(reminder_queries.answer_reminders, change.match_id, *awaited)
    return replace(change, announce_again=True)


def call_off(change: Change, vote: Vote, loaded: None = None) -> Change:
    """End the match without a result."""
    return change.update(status=Status.CALLED_OFF, untold=True)


def remove(change: Change, vote: Vote, loaded: None) -> Change:
    """Have a computer play on in a player's seat, under their name; they come back only as anybody else would."""
    seat, match = Seat(vote.facts["seat"]), change.after.playing()
    record = change.after.record
    computer = replace(record.chairs[seat], id=COMPUTER, level=record.terms.stand_in)
    change = change.schedule(rename_thread(vote))
    if seat not in match.humans():
        # A computer plays for them already.
        return seat_person(change, seat, computer, match.number + 1, "removed")
    handed = match.hand_over(seat, to_computer=True)
    return announce(seat_person(change.play(handed), seat, computer, handed.number, "removed"))


def rename_thread(vote: Vote) -> Job:
    """Return the job that renames the thread after a vote has put somebody else into a seat."""
    return Job(RENAME, vote.closed, vote.match)


def announce(change: Change) -> Change:
    """Have a post tell of the newest commit, even if a computer moves next."""
    return replace(change, announce=change.after.playing().number)


def seat_person(change: Change, seat: Seat, person: Person, since: int, why: str) -> Change:
    """Put somebody else into a chair from a commit on, and note it. If the host leaves, the next in line is host."""
    record = change.after.record
    was = record.chairs[seat]
    chairs = (*record.chairs[:seat], person, *record.chairs[seat + 1 :])
    people = [chair.id for chair in chairs if chair.id != COMPUTER]
    note = SeatChange(seat, since, person.id, person.name, was.id, was.name, why)
    return change.update(
        chairs=chairs,
        host=record.host if record.host in people or not people else people[0],
        # The next player must not see what the one before has planned.
        plans=tuple(plan for plan in record.plans if plan.seat != seat),
        sat=(*record.sat, note),
    )


# What may be asked.


def must_not_be_on_hold(room: Room, vote: Vote) -> None:
    """Refuse to pause a match that is paused."""
    if room.record.status is Status.ON_HOLD:
        raise Refused(say("vote.paused_already"))


def must_be_on_hold(room: Room, vote: Vote) -> None:
    """Refuse to resume a match that is not paused."""
    if room.record.status is not Status.ON_HOLD:
        raise Refused(say("vote.not_paused"))


def must_be_about_person(room: Room, vote: Vote) -> None:
    """Refuse a vote about a seat without a person, or about the asker's own."""
    seat, match = vote.facts.get("seat"), room.playing()
    if not isinstance(seat, int) or not 0 <= seat < match.seats or seat in match.resigned:
        raise Refused(say("vote.no_player"))
    user = room.record.chairs[seat].id
    if user == COMPUTER:
        raise Refused(say("vote.no_player"))
    if user == vote.by.id:
        raise Refused(say("vote.yourself"))


AbsenceReason = Callable[[Room, Seat], str]
"""Tells why a seat's player may be thought away: a key of [vote.absent], '' if they are there."""


def noting_absence(reason: AbsenceReason) -> Callable[[Room, Vote], Vote]:
    """Return a `prepare` that notes why a player may be thought away, and how much they have answered so far."""

    def prepare(room: Room, vote: Vote) -> Vote:
        must_be_about_person(room, vote)
        seat = Seat(vote.facts["seat"])
        absent = vote.facts.get(ABSENT) or reason(room, seat)
        answered = room.playing().answered[seat]
        return replace(vote, facts={**vote.facts, ABSENT: absent, "answered": answered})

    return prepare


def must_be_absent(room: Room, vote: Vote) -> None:
    """Refuse a vote about a player who is there."""
    must_be_about_person(room, vote)
    if not vote.facts[ABSENT]:
        raise Refused(say("vote.not_absent"))
    has_acted = room.playing().answered[vote.facts["seat"]] > vote.facts["answered"]
    if has_acted or vote.facts.get(BACK):
        raise Refused(say("vote.back"))


def may_remove(room: Room, vote: Vote) -> None:
    """Refuse to remove a player where one person alone would decide it, unless the player is absent."""
    must_be_about_person(room, vote)
    if len(voters(room, vote)) > 1:
        return
    if not vote.facts[ABSENT]:
        raise Refused(say("vote.one_alone"))
    must_be_absent(room, vote)


def absence_words(room: Room, vote: Vote) -> dict[str, Any]:
    """Return the facts for the words of a vote about a player who may be absent."""
    absent = vote.facts[ABSENT]
    return {"seat": vote.facts["seat"], "absent": say(f"vote.absent.{absent}") if absent else ""}


# The kinds.

PAUSE = Kind(name="pause", rule=rules.majority, carry_out=pause, check=must_not_be_on_hold)
RESUME = Kind(name="resume", rule=rules.to_go_on, carry_out=resume, check=must_be_on_hold)
CALL_OFF = Kind(name="end", rule=rules.everybody, carry_out=call_off)


def removal(reason: AbsenceReason) -> Kind:
    """Return the vote to remove a player."""
    return Kind(
        name="remove",
        rule=rules.on_a_person,
        carry_out=remove,
        prepare=noting_absence(reason),
        check=may_remove,
        words=absence_words,
    )
