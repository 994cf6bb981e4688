"""Time on Discord: /game pace, what tables are told about a player's time, and the votes on pace and on claiming."""

import logging
from abc import ABC, abstractmethod
from typing import Any

import discord
import msgspec
from discord import app_commands
from msgspec.structs import replace

from bot.features.clock.service import ON_VACATION
from bot.features.vacation import LEAVES
from bot.features.votes import discord as votes
from bot.features.votes import rules
from bot.features.votes.rules import Kind, must_be_about_person
from bot.kernel.change import Change
from bot.kernel.clocks import Clocks
from bot.kernel.pace import GRANTS
from bot.kernel.room import Room
from bot.kernel.zones import like_zone, read_zone
from bot.model.clocks import Expiry, Pace, TimeTerms
from bot.model.jobs import Job
from bot.model.match import Status
from bot.model.votes import Vote
from bot.posts.threads import in_open_thread
from bot.runtime.clock import HOUR
from bot.runtime.errors import NotFound, Refused
from bot.text import say
from bot.ui import completion, describe, error_codes, reply
from bot.ui.client import MotuClient, MotuInteraction
from bot.ui.components import Item, turn_button, turn_button_id
from bot.ui.names import marked_names
from bot.ui.parts import CHOICE_TEXT, STRONG, Row, button, cut, view_of
from bot.ui.rate import Bucket
from bot.ui.which_match import Several, my_match, my_seat, named
from engine import Seat

log = logging.getLogger("motu.clock")


class LobbyTerms(ABC):
    """Shows and changes the terms about time of a lobby: implemented by the feature that has lobbies."""

    @abstractmethod
    async def show(self, interaction: MotuInteraction, room: Room) -> None:
        """Show the terms; to the host with the menus to change them."""

    @abstractmethod
    async def change(self, interaction: MotuInteraction, room: Room, terms: TimeTerms) -> None:
        """Change the terms for the host, say so, and tell those who sat down on other ones."""


# /game pace


@app_commands.command(name="pace", description=say("command.pace.description"))
@app_commands.describe(
    pace=say("command.pace.pace"),
    expiry=say("command.pace.expiry"),
    weekends=say("command.pace.weekends"),
    match=say("command.option.match"),
)
@app_commands.choices(
    pace=[app_commands.Choice(name=describe.pace_name(pace), value=pace.value) for pace in Pace],
    expiry=[app_commands.Choice(name=say(f"pace.expiry_{expiry}"), value=expiry.value) for expiry in Expiry],
)
@app_commands.rename(expiry="time_up")
async def pace(
    interaction: MotuInteraction,
    pace: str | None = None,
    expiry: str | None = None,
    weekends: str | None = None,
    match: str | None = None,
) -> None:
    """Show the terms, or change them: in a lobby for its host, in a running match by vote."""
    room = await named(interaction, match) if match else await _match_or_lobby_here(interaction)
    is_lobby, services = room.record.status is Status.LOBBY, interaction.client.services
    wishes: dict[str, Any] = {"pace": pace, "expiry": expiry, "weekends": weekends}
    wishes = {name: wish for name, wish in wishes.items() if wish is not None}
    if not wishes:
        if is_lobby:
            await services.require(LobbyTerms).show(interaction, room)
        else:
            await reply.show(interaction, terms_text(room, interaction.client.kernel.clocks))
        return
    if weekends is not None:
        is_none = weekends.strip().casefold() in say("pace.words_for_none").split()
        wishes["weekends"] = "" if is_none else read_zone(weekends)
    known = room.record.terms.time
    try:
        terms = msgspec.convert(msgspec.to_builtins(known) | wishes, TimeTerms)
    except msgspec.ValidationError:
        raise Refused(say("refusal.foreign_choice")) from None
    if terms == known:
        raise Refused(say("pace.nothing_new"))
    if is_lobby:
        await services.require(LobbyTerms).change(interaction, room, terms)
    else:
        await votes.propose(interaction, room, PACE.name, {"time": msgspec.to_builtins(terms)})


async def _match_or_lobby_here(interaction: MotuInteraction) -> Room:
    """Return the match that is meant here; the lobby here, if no match is."""
    here = await interaction.client.kernel.matches.here(interaction.channel_id or 0)
    lobbies = [room for room in here if room.record.status is Status.LOBBY and room.record.lobby_message]
    try:
        return await my_match(interaction, None, seated=False, in_turn=False)
    except NotFound:
        if len(lobbies) > 1:
            raise Several(say("refusal.several_lobbies"), lobbies) from None
        if not lobbies:
            raise
        return lobbies[0]


@pace.autocomplete("weekends")
@completion.quiet
async def _complete_weekends(interaction: MotuInteraction, current: str) -> completion.Choices:
    none = say("pace.words_for_none").split()[0]
    counted = [(say("pace.weekends_on"), none)] if none.startswith(current.casefold().strip()) else []
    zones = [(cut(say("pace.weekends_off", zone=zone), CHOICE_TEXT), zone) for zone in like_zone(current)]
    return completion.choices([*counted, *zones])


completion.offer(completion.matches, "match", pace)


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


class ClaimButton(Item, template=turn_button("claim")):
    """Claims a seat whose time is up. Its last number is the seat."""

    async def on_press(self, interaction: MotuInteraction) -> None:
        """Ask the others to have the seat given up."""
        room = await named(interaction, self.fields["match"])
        my_seat(interaction, room)
        await votes.propose(interaction, room, CLAIM.name, {"seat": Seat(int(self.fields["post"] or 0))})


# Lines for a whole table


class TimeNotices:
    """Posts what tables are told about a player's time. It mentions nobody: the player has been warned."""

    def __init__(self, client: MotuClient) -> None:
        self._client = client

    async def post(self, job: Job) -> None:
        """Post a notice, if it still holds: the player may have moved, or come back."""
        try:
            room = await self._client.kernel.matches.find(job.match)
        except NotFound:
            return
        seat, key = room.seat_of(job.user), job.facts["key"]
        if seat is None or room.match is None or room.record.paused_for:
            return
        confirmed_at = self._client.kernel.clocks.confirmed_at(room, seat)
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
            game=say("match.title", game=describe.title(room), id=room.record.id),
            seat=seat,
            at=confirmed_at if key == Expiry.DRAFT else job.facts.get("until"),
            since=job.facts.get("since"),
        )
        channel = self._client.channel_of(room.record.place)
        await self._client.services.require(Bucket).take()

        async def send() -> discord.Message:
            return await channel.send(
                said,
                view=view_of(_notice_rows(room, seat, key)),
                # Discord answers a repeated nonce with the message that is there, for some minutes.
                nonce=f"time-{job.id}",
                allowed_mentions=reply.NOBODY,
            )

        try:
            await in_open_thread(self._client, channel.id, send)
        except discord.HTTPException as error:
            if error.code not in error_codes.PLACE_LOST:
                raise
            # The next post will fail as well, and pause the match.
            log.info("match %s cannot be told about time (%s)", job.match, error.code)


def _notice_rows(room: Room, seat: Seat, key: str) -> list[Row]:
    if room.record.status is not Status.RUNNING or key in (Expiry.FORFEIT, ON_VACATION, LEAVES):
        return []
    label = say("time.back") if key == Expiry.COMPUTER else say("time.move")
    buttons = [button(turn_button_id(room.record.id, "move"), label, STRONG)]
    if key == Expiry.CLAIM:
        buttons.insert(0, button(turn_button_id(room.record.id, "claim", seat), say("time.claims")))
    return [tuple(buttons)]
