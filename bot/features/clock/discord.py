"""Time on Discord: what tables are told about it, and the votes on pace and on claiming."""

import logging

import discord
import msgspec
from msgspec.structs import replace

from bot.features.clock.service import ON_VACATION, Expiries
from bot.features.vacation import LEAVES
from bot.features.votes import discord as votes
from bot.features.votes import rules
from bot.features.votes.rules import Kind, must_be_about_person
from bot.kernel.change import Change
from bot.kernel.clocks import GRANTS, Clocks
from bot.kernel.room import Room
from bot.model import Expiry, Job, Status, TimeTerms, Vote
from bot.posts.sending import send_message
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


def terms_text(room: Room, clocks: Clocks) -> str:
    """Return the terms of a table and, in a running match, how much time everybody has left."""
    lines = [describe.time_contract(room.record.terms.time)]
    for seat in room.match.humans() if room.match and not room.is_over else ():
        left, deadline = clocks.left(room, seat), clocks.deadline(room, seat)
        if left is None:
            continue
        if deadline is None and left <= 0:
            # Their next turn begins with that much.
            left = GRANTS[room.record.clocks.pace].increment
        facts = {"seat": seat, "hours": max(0, left) // HOUR, "at": deadline}
        lines.append(say("pace.left" if left > 0 else "pace.overdue", marked_names(room), **facts))
    return "\n".join(lines)


# Votes


def _wanted(vote: Vote) -> TimeTerms:
    return msgspec.convert(vote.facts["time"], TimeTerms)


def _change_terms(change: Change, vote: Vote) -> Change:
    """Play by other terms from now on.

    Clocks of another pace begin anew; otherwise they go on by other rules.
    """
    return change.update(terms=replace(change.after.record.terms, time=_wanted(vote)))


def _must_differ(room: Room, vote: Vote) -> None:
    if _wanted(vote) == room.record.terms.time:
        raise Refused("pace.nothing_new")


def _must_be_claimable(room: Room, vote: Vote) -> None:
    must_be_about_person(room, vote)
    if room.record.terms.time.expiry is not Expiry.CLAIM or not room.is_expired(
        Seat(vote.facts["seat"])
    ):
        raise Refused("pace.not_claimable")


def _give_up_seat(change: Change, vote: Vote) -> Change:
    return change.play(change.after.playing().resign(Seat(vote.facts["seat"])))


# Everyone sat down on these terms, so a single opponent may claim a seat whose time is up.
CLAIM = Kind(name="claim", rule=rules.majority, carry_out=_give_up_seat, check=_must_be_claimable)
PACE = Kind(
    name="pace",
    rule=rules.majority,
    carry_out=_change_terms,
    check=_must_differ,
    text_facts=lambda room, vote: {"contract": describe.time_contract(_wanted(vote))},
)


async def propose_time(interaction: MotuInteraction, room: Room, terms: TimeTerms) -> None:
    """Ask the table of a running match to play by other terms."""
    service(interaction, Expiries)
    await votes.propose(interaction, room, PACE.name, {"time": msgspec.to_builtins(terms)})


class ClaimButton(Item, template=turn_button("claim")):
    """Claims a seat whose time is up. Its last number is the seat."""

    async def on_press(self, interaction: MotuInteraction) -> None:
        """Ask the others to have the seat given up."""
        room = await self.room(interaction)
        my_seat(interaction, room)
        await votes.propose(
            interaction, room, CLAIM.name, {"seat": Seat(int(self.fields["post"] or 0))}
        )


# Lines for a whole table


async def post_notice(client: MotuClient, job: Job) -> None:
    """Tell a table about a player's time, if it still holds: they may have moved, or come back.

    It mentions nobody: the player has been warned.
    """
    room = await client.kernel.matches.find(job.match)
    seat, key = room.seat_of(job.user), job.facts["key"]
    if seat is None or room.match is None or room.record.paused_for:
        return
    confirmed_at = client.kernel.clocks.confirmed_at(room, seat)
    still_holds = {
        Expiry.REMIND: room.is_expired(seat),
        Expiry.CLAIM: room.is_expired(seat),
        Expiry.DRAFT: confirmed_at is not None,
        Expiry.COMPUTER: seat in room.match.away,
    }
    if not still_holds.get(key, True):
        return
    said = say(
        f"time.{key}",
        marked_names(room),
        clock=bool(room.record.clocks.seats),
        game=say("match.title", **describe.facts(room)),
        seat=seat,
        at=confirmed_at if key == Expiry.DRAFT else job.facts.get("until"),
        since=job.facts.get("since"),
    )
    await client.services.require(Bucket).take()
    made = Message(said, (), tuple(_notice_rows(room, seat, key)))
    try:
        await send_message(client, room.record.place.posts_to, made, f"time-{job.id}")
    except discord.HTTPException as error:
        if error.code not in error_codes.PLACE_LOST:
            raise
        # The next post will fail as well, and pause the match.
        log.info("match %s cannot be told about time (%s)", job.match, error.code)


def _notice_rows(room: Room, seat: Seat, key: str) -> list[Row]:
    if room.record.status is not Status.RUNNING or key in (Expiry.FORFEIT, ON_VACATION, LEAVES):
        return []
    label = say("time.back") if key == Expiry.COMPUTER else say("time.move")
    buttons = [Button(turn_button_id(room.record.id, "move"), label, STRONG)]
    if key == Expiry.CLAIM:
        buttons.insert(0, Button(turn_button_id(room.record.id, "claim", seat), say("time.claims")))
    return [tuple(buttons)]
