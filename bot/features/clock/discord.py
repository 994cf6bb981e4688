"""Time on Discord: notices in the match's thread, and votes on time limits and on claiming a seat.

What happens when time runs out is decided in service.py; here it is only announced.
"""

import logging

import discord
import msgspec
from msgspec.structs import replace

from bot.features.clock.service import ON_VACATION, Expiries
from bot.features.vacation import LEAVES, VACATION_OVER, Vacations
from bot.features.votes import discord as votes
from bot.features.votes import rules
from bot.features.votes.rules import Kind, must_be_about_person
from bot.kernel import queries
from bot.kernel.change import Change
from bot.kernel.clocks import GRANTS, Clocks
from bot.kernel.languages import speaking_to_table
from bot.kernel.room import Room
from bot.model import Expiry, Job, Status, TimeTerms, Vote
from bot.posts.sending import Sender, send_message
from bot.posts.turn_message import Message
from bot.runtime.base import HOUR, Refused
from bot.text import say
from bot.ui import (
    STRONG,
    Bucket,
    Button,
    Item,
    MotuClient,
    MotuInteraction,
    Row,
    describe,
    error_codes,
    marked_names,
    my_seat,
    service,
    turn_button,
    turn_button_id,
)
from engine import Seat

log = logging.getLogger("motu.clock")


def describe_time(room: Room, clocks: Clocks) -> str:
    """Return the time limits of a match and, once it is running, each player's time left."""
    lines = [describe.time_contract(room.record.terms.time)]
    for seat in room.match.humans() if room.match and not room.is_over else ():
        left, deadline = clocks.seconds_left(room, seat), clocks.deadline(room, seat)
        if left is None:
            continue
        if deadline is None and left <= 0:
            # It is not their turn, and they will have at least the increment for the next one.
            left = GRANTS[room.record.clocks.pace].increment
        facts = {"seat": seat, "hours": max(0, left) // HOUR, "at": deadline}
        lines.append(say("pace.left" if left > 0 else "pace.overdue", marked_names(room), **facts))
    return "\n".join(lines)


# Votes


def proposed_terms(vote: Vote) -> TimeTerms:
    """Return the time limits that a vote proposes."""
    return msgspec.convert(vote.facts["time"], TimeTerms)


def change_terms(change: Change, vote: Vote) -> Change:
    """Change the time limits of a match to those of a passed vote."""
    # The kernel then updates the clocks, and restarts them if the pace has changed.
    return change.update(terms=replace(change.after.record.terms, time=proposed_terms(vote)))


def must_be_new_terms(room: Room, vote: Vote) -> None:
    """Refuse a vote on the time limits that the match already has."""
    if proposed_terms(vote) == room.record.terms.time:
        raise Refused("pace.nothing_new")


def must_be_claimable(room: Room, vote: Vote) -> None:
    """Refuse to claim a seat unless its time is up and the players have agreed on claims."""
    must_be_about_person(room, vote)
    is_expired = room.is_expired(Seat(vote.facts["seat"]))
    if room.record.terms.time.expiry is not Expiry.CLAIM or not is_expired:
        raise Refused("pace.not_claimable")


def resign_seat(change: Change, vote: Vote) -> Change:
    """Resign on behalf of the player whose seat was claimed."""
    return change.play(change.after.playing().resign(Seat(vote.facts["seat"])))


# A plain majority decides, so a single opponent can claim the seat: unlike with other votes about
# a player, everybody agreed to this when they joined.
CLAIM = Kind(name="claim", rule=rules.majority, apply=resign_seat, check=must_be_claimable)
PACE = Kind(
    name="pace",
    rule=rules.majority,
    apply=change_terms,
    check=must_be_new_terms,
    text_facts=lambda room, vote: {"contract": describe.time_contract(proposed_terms(vote))},
)


async def propose_time(interaction: MotuInteraction, room: Room, terms: TimeTerms) -> None:
    """Start a vote on other time limits in a running match."""
    # Refuses if this feature is switched off, since its votes are not registered then.
    service(interaction, Expiries)
    await votes.propose(interaction, room, PACE.name, {"time": msgspec.to_builtins(terms)})


class ClaimButton(Item, template=turn_button("claim")):
    """Claims a seat whose time is up. The last number of its custom id is the seat."""

    async def on_press(self, interaction: MotuInteraction) -> None:
        """Start a vote on resigning that seat."""
        room = await self.room(interaction)
        my_seat(interaction, room)
        await votes.propose(
            interaction, room, CLAIM.name, {"seat": Seat(int(self.fields["post"] or 0))}
        )


# Notices


async def post_notice(client: MotuClient, job: Job) -> None:
    """Post a notice about a player's time, unless they have moved or come back since.

    It mentions nobody, since the player has been warned already. A notice of a vacation is edited
    once the vacation is over.
    """
    room = await client.kernel.matches.find(job.match)
    seat, key = room.seat_of(job.user), job.facts["key"]
    if seat is None or room.match is None or room.record.paused_for:
        return
    confirmed_at = client.kernel.clocks.draft_confirmed_at(room, seat)
    is_about_vacation = key in (ON_VACATION, LEAVES)
    if is_about_vacation:
        vacation = await client.services.require(Vacations).of(job.user)
        if vacation.until != job.facts["until"]:
            return
    still_holds = {
        Expiry.REMIND: room.is_expired(seat),
        Expiry.CLAIM: room.is_expired(seat),
        Expiry.DRAFT: confirmed_at is not None,
        Expiry.COMPUTER: seat in room.match.away,
    }
    if not still_holds.get(key, True):
        return
    with speaking_to_table(room.record):
        text = say(
            f"time.{key}",
            marked_names(room),
            clock=bool(room.record.clocks.seats),
            others=len(room.match.humans()) > 1,
            game=say("match.title", **describe.facts(room)),
            seat=seat,
            at=confirmed_at if key == Expiry.DRAFT else job.facts.get("until"),
            since=job.facts.get("since"),
        )
        message = Message(text, (), tuple(make_notice_rows(room, seat, key)))
    await client.services.require(Bucket).take()
    try:
        sent = await send_message(client, room.record.place.posts_to, message, f"time-{job.id}")
    except discord.HTTPException as error:
        if error.code not in error_codes.PLACE_LOST:
            raise
        # The channel or thread is lost. The next post will fail as well, and pause the match.
        log.info("couldn't post a notice about time in match %s (%s)", job.match, error.code)
        return
    if is_about_vacation:
        kernel = client.kernel
        pending = await kernel.store.read(queries.find_job, VACATION_OVER, job.match, job.user)
        messages = {**dict.fromkeys(pending.facts["messages"] if pending else ()), sent.id: None}
        facts = {"messages": list(messages)}
        over = Job(VACATION_OVER, job.facts["until"], job.match, job.user, facts)
        await kernel.scheduler.set(over)


async def close_vacation_notices(client: MotuClient, job: Job) -> None:
    """Edit the notices of a vacation in a match, once it is over or was called off."""
    kernel = client.kernel
    vacation = await client.services.require(Vacations).of(job.user)
    if vacation.until > kernel.clocks.now:
        # There is another vacation by now. Its notice is among the messages.
        await kernel.scheduler.set(replace(job, at=vacation.until))
        return
    room = await kernel.matches.find(job.match)
    seat = room.seat_of(job.user)
    if seat is None or room.match is None:
        return
    with speaking_to_table(room.record):
        key = "time.stays" if vacation.until < vacation.since else "time.returned"
        title = say("match.title", **describe.facts(room))
        notice = Message(say(key, marked_names(room), game=title, seat=seat), (), ())
    sender = client.services.require(Sender)
    for message_id in job.facts["messages"]:
        await client.services.require(Bucket).take()
        await sender.edit(room.record.place.posts_to, message_id, notice)


def make_notice_rows(room: Room, seat: Seat, key: str) -> list[Row]:
    """Return the buttons under a notice: to move or come back, and to claim the seat."""
    if room.record.status is not Status.RUNNING or key in (Expiry.FORFEIT, ON_VACATION, LEAVES):
        return []
    label = say("time.back") if key == Expiry.COMPUTER else say("time.move")
    buttons = [Button(turn_button_id(room.record.id, "move"), label, STRONG)]
    if key == Expiry.CLAIM:
        buttons.insert(0, Button(turn_button_id(room.record.id, "claim", seat), say("time.claims")))
    return [tuple(buttons)]
