"""Seats that change hands during a match.

A player who wants to leave offers their seat and plays on until it is taken. The others may vote
that a computer plays for an absent player and that the seat is offered. Anybody may ask for a
computer's seat, or for one that was given up, whether it is offered or not; offering it, and taking
it over, needs the consent of the table.

From then on the seat is the newcomer's, with everything hidden in it: a draft of the former player
is dropped, and they see the match as any watcher does. Somebody who has played in another seat
knows too much to take this one over.

Discord does not tell the bot when somebody leaves a server, so it is asked when it becomes a
player's turn. If they are gone, the table is asked once whether a computer is to play on and the
seat to be offered.
"""

import logging
from typing import Any

from cachetools import TTLCache
from msgspec.structs import replace

from bot.features.server_settings import Servers
from bot.features.votes import discord as votes_commands
from bot.features.votes import rules
from bot.features.votes.discord import Answer
from bot.features.votes.messages import vote_button
from bot.features.votes.rules import ABSENT, BACK, TAKE, WITHDRAW, Kind
from bot.features.votes.service import Votes
from bot.kernel.change import Change
from bot.kernel.feature import Parts, PostExtras, PostFollower
from bot.kernel.kernel import Kernel
from bot.kernel.room import Post, Room
from bot.model import BOT, COMPUTER, Pace, Person, Vote
from bot.runtime.base import DAY, HOUR, BotError, Refused
from bot.text import say
from bot.ui import (
    DISCORD_ERRORS,
    GOOD,
    Button,
    Choices,
    Feature,
    Item,
    MotuClient,
    MotuInteraction,
    autocomplete,
    describe,
    my_match,
    person,
    reply,
    seat_of,
    service,
    slash,
    tidied,
    turn_button,
    turn_button_id,
)
from engine import EngineError, Seat

log = logging.getLogger("motu.leavers")

OFFER, ABSENCE, LOOK, REPLACE = "seat", "absence", "look", "replace"
"""The kinds of votes: a seat on offer, an absent player's seat or a free one to be offered, a
newcomer who asks.
"""
OFFERED = 14 * DAY
"""Seconds for which a seat is offered."""
ASK = "ask"
"""The button with which a newcomer who has read the terms asks for a seat."""
MEMBERS_REMEMBERED, REMEMBERED_SECONDS = 10_000, 6 * HOUR
"""Members that Discord is not asked about again, and for how long."""


def is_free(room: Room, seat: Seat) -> bool:
    """Return whether nobody would lose a seat if somebody else took it over."""
    return room.record.chairs[seat].id == COMPUTER or seat in room.playing().resigned


# What may be asked, and what is done when a vote passes.


def make_offer(vote: Vote, facts: dict[str, Any]) -> Vote:
    """Return the offer of a seat that a vote has led to."""
    return replace(
        vote,
        kind=OFFER,
        facts=facts,
        opened=vote.closed,
        ends=vote.closed + OFFERED,
        closed=0,
        said={},
        outcome="",
        message=0,
        place=0,
    )


def offer_of_absent(room: Room, vote: Vote) -> Vote:
    """Return the offer of an absent player's seat."""
    seat = vote.facts["seat"]
    facts = {"owner": room.record.chairs[seat].id, "subject": seat, ABSENT: vote.facts[ABSENT]}
    return make_offer(vote, facts)


def check_offer(room: Room, vote: Vote) -> None:
    """Refuse to offer a seat that was taken, or whose owner is back or has changed their mind."""
    seat, owner, absent = vote.facts["subject"], vote.facts["owner"], vote.facts.get(ABSENT)
    if vote.facts.get(BACK):
        raise Refused("vote.withdrawn")
    # If somebody else offers it, it was free then; one that was given up may have been taken back.
    is_played = vote.by.id != owner and not absent and not is_free(room, seat)
    if room.record.chairs[seat].id != owner or is_played:
        raise Refused("vote.taken")
    if owner != COMPUTER and absent and seat in room.playing().humans():
        raise Refused("vote.back")


def offer_words(room: Room, vote: Vote) -> dict[str, Any]:
    """Return the facts of an offer; newcomers have to know how much time they would have."""
    terms = room.record.terms.time
    contract = "" if terms.pace is Pace.NONE else describe.time_contract(terms)
    is_own = vote.by.id == vote.facts["owner"]
    return {"seat": vote.facts["subject"], "own": is_own, "contract": contract}


def check_other_offers(room: Room, vote: Vote, others: list[Vote]) -> None:
    """Refuse to look for a player for a seat on offer, or to ask for one that is played and not."""
    is_request = vote.kind == REPLACE
    seat = vote.facts["seat" if is_request else "subject"]
    offered = [other.facts["subject"] for other in others if other.kind == OFFER]
    if not is_request and seat in offered:
        raise Refused("vote.offered_already")
    if is_request and seat not in offered and not is_free(room, seat):
        raise Refused("vote.not_offered")


def check_may_ask(room: Room, vote: Vote) -> None:
    """Refuse somebody who has or had another seat, or asks for one that has changed hands."""
    seat, match, user = vote.facts.get("seat"), room.playing(), vote.by.id
    if not isinstance(seat, int) or not 0 <= seat < match.seats:
        raise Refused("vote.no_player")
    if room.record.chairs[seat].id != vote.facts["owner"]:
        raise Refused("vote.taken")
    if room.is_seated(user):
        raise Refused("refusal.seated")
    had = {note.seat for note in room.record.seat_changes if user in (note.user, note.was)}
    if not had | {room.seat_of(user)} <= {seat, None}:
        raise Refused("vote.knows_too_much")


def take_over(change: Change, vote: Vote) -> Change:
    """Put the newcomer into the seat, without what was private to the player before them."""
    room, seat, newcomer = change.after, Seat(vote.facts["seat"]), vote.by
    match = room.playing()
    since = match.number + 1
    if seat not in match.humans():
        handed = match.hand_over(seat, to_computer=False)
        change = replace(change.play(handed), announce_up_to=since)
    else:
        if match.draft(seat).answers:
            change = change.play(match.undo(seat, all=True))
        # The newcomer has to be told, if it is their turn.
        change = replace(change, announce_again=seat in match.waiting_for())
    why = "resigned" if seat in match.resigned else "replaced"
    change = rules.seat_person(change, seat, newcomer, since, why)
    if room.has_hints and len(room.players) > 1:
        # They come to a table that has agreed on it.
        terms = change.after.record.terms
        change = change.update(terms=replace(terms, hints=(*terms.hints, newcomer.id)))
    return change


OFFERS = Kind(
    name=OFFER,
    rule=rules.until_taken,
    check=check_offer,
    text_facts=offer_words,
    options=(TAKE, WITHDRAW),
    lasts=OFFERED,
    is_offer=True,
)
LOOKING = Kind(
    name=LOOK,
    rule=rules.consent,
    follow_up=lambda room, vote: make_offer(vote, vote.facts),
    check=check_offer,
    check_others=check_other_offers,
    text_facts=lambda room, vote: {"seat": vote.facts["subject"]},
)
TAKING_OVER = Kind(
    name=REPLACE,
    rule=rules.consent,
    carry_out=take_over,
    check=check_may_ask,
    check_others=check_other_offers,
    text_facts=lambda room, vote: {
        "seat": vote.facts["seat"],
        "free": vote.facts["owner"] == COMPUTER,
    },
    for_strangers=True,
)
REPLACING_ABSENT = Kind(
    name=ABSENCE,
    rule=rules.on_a_person,
    carry_out=rules.hand_to_computer,
    follow_up=offer_of_absent,
    notes_absence=True,
    check=rules.must_be_absent,
    text_facts=rules.absence_words,
)


class Seats:
    """Seats offered, asked for and taken over."""

    def __init__(self, kernel: Kernel, votes: Votes) -> None:
        self._votes = votes
        self._servers = kernel.services.require(Servers)
        votes.register(OFFERS, LOOKING, TAKING_OVER, REPLACING_ABSENT)

    async def offer(
        self, room: Room, by: Person, seat: Seat, interaction: int | None = None
    ) -> Vote:
        """Offer one's own seat to anybody; for a seat without a player the others are asked
        first.
        """
        if not room.is_seated(by.id):
            raise Refused("refusal.not_seated")
        if seat != room.seat_of(by.id) and not is_free(room, seat):
            raise Refused("vote.not_absent")
        facts = {"owner": room.record.chairs[seat].id, "subject": seat}
        people = room.people(Seat(one) for one in range(room.playing().seats))
        kind = LOOK if is_free(room, seat) and len(people) > 1 else OFFER
        return await self._votes.propose(room.record.id, by, kind, facts, interaction)

    async def ask_for(
        self, room: Room, by: Person, seat: Seat, interaction: int | None = None
    ) -> Vote:
        """Ask the table for a seat, on behalf of somebody who has none."""
        facts = {"seat": seat, "owner": room.record.chairs[seat].id}
        async with self._servers.within_limits(by.id, room.record.place.guild, room.record.id):
            return await self._votes.propose(
                room.record.id, tidied(by), REPLACE, facts, interaction
            )


# /game replace, and the buttons with which a seat is taken over.


@slash("game.replace")
async def replace_player(
    interaction: MotuInteraction, player: str | None = None, match: str | None = None
) -> None:
    """Offer one's own seat, or ask the table about another's; without a seat here, ask for one."""
    room = await my_match(interaction, match, in_turn=False)
    own, terms = seat_of(interaction, room), room.record.terms.time
    room.playing()
    named = votes_commands.named_seat(room, player) if player else None
    if own is None:
        seat = await offered_seat(interaction, room) if named is None else named
        if terms.pace is Pace.NONE:
            await ask_for(interaction, room, seat)
            return
        # Nobody sits down without having read how much time they have.
        ask = Button(turn_button_id(room.record.id, ASK, seat), say("vote.sit"), GOOD)
        await reply.tell(interaction, describe.time_contract(terms), [(ask,)])
        return
    seat = own if named is None else named
    if seat == own or is_free(room, seat):
        seats = service(interaction, Seats)
        vote = await seats.offer(room, person(interaction), seat, interaction.id)
        await votes_commands.answer_with_link(interaction, room, vote)
    else:
        facts = await votes_commands.facts_about(interaction, room, seat)
        await votes_commands.propose(interaction, room, ABSENCE, facts)


@replace_player.autocomplete("player")
@autocomplete
async def _complete_player(interaction: MotuInteraction, current: str) -> Choices:
    return await votes_commands.other_players(interaction, current, with_computers=True)


async def ask_for(
    interaction: MotuInteraction, room: Room, seat: Seat, answer: Answer = reply.tell
) -> None:
    """Ask the table for a seat, on behalf of a newcomer."""
    if not 0 <= seat < room.playing().seats:
        raise Refused("refusal.old_button")
    seats = service(interaction, Seats)
    vote = await seats.ask_for(room, person(interaction), seat, interaction.id)
    await votes_commands.answer_with_link(interaction, room, vote, answer)


async def offered_seat(interaction: MotuInteraction, room: Room) -> Seat:
    """Return the seat that a newcomer means who names none: the only one offered, or free."""
    open_offers = await service(interaction, Votes).open_ones(room.record.id, OFFER)
    offered = {vote.facts["subject"] for vote in open_offers}
    free = {seat for seat in range(room.playing().seats) if is_free(room, Seat(seat))}
    for found in (offered, free):
        if len(found) == 1:
            return Seat(found.pop())
    if not free:
        raise Refused("vote.not_offered")
    raise Refused("vote.which_seat", players=describe.players(room))


class TakeButton(Item, template=vote_button(TAKE)):
    """Asks for a seat that is offered. The answer is private."""

    async def on_press(self, interaction: MotuInteraction) -> None:
        """Ask the table for the seat."""
        room = await self.room(interaction)
        votes = service(interaction, Votes)
        offer = await votes.find(room.record.id, int(self.fields["vote"]))
        if not offer.is_open or offer.kind != OFFER:
            raise Refused("vote.closed")
        await ask_for(interaction, room, Seat(offer.facts["subject"]))


class AskButton(Item, template=turn_button(ASK)):
    """Asks for a seat, below the terms about time. Its last number is the seat."""

    async def on_press(self, interaction: MotuInteraction) -> None:
        """Ask the table for the seat."""
        room = await self.room(interaction)
        await ask_for(interaction, room, Seat(int(self.fields["post"] or 0)))


# Players who have left their server.


def notice_leavers(client: MotuClient, votes: Votes) -> PostFollower:
    """Return what checks, after each post, whether those whose turn it has become are there."""
    members: TTLCache[tuple[int, int], None] = TTLCache(MEMBERS_REMEMBERED, REMEMBERED_SECONDS)

    async def check(room: Room, seat: Seat) -> None:
        match, user = room.record.id, room.record.chairs[seat].id
        member = (room.record.place.guild, user)
        if user == COMPUTER or member in members:
            return
        try:
            if not await votes_commands.has_left(client, room, user):
                members[member] = None
                return
            asked = [vote for vote in await votes.all(match) if vote.kind == ABSENCE]
            if not any(vote.by.id == COMPUTER and vote.chairs[seat].id == user for vote in asked):
                await votes.propose(match, BOT, ABSENCE, {"seat": seat, ABSENT: "left"})
        except (BotError, EngineError, *DISCORD_ERRORS) as error:
            why = type(error).__name__
            log.info("cannot tell whether somebody has left match %s (%s)", match, why)

    async def extend_post(post: Post) -> PostExtras:
        def check_all() -> None:
            for seat in post.newly:
                client.handlers.start(check(post.room, seat), "leavers")

        return PostExtras(on_noted=check_all)

    return extend_post


def build(kernel: Kernel) -> Parts:
    """Make what lets seats change hands, if there are votes to agree on it."""
    votes = kernel.services.get(Votes)
    return Parts(services=(Seats(kernel, votes),)) if votes else Parts()


def connect(client: MotuClient) -> Parts:
    """Make what notices players who have left."""
    votes = client.services.get(Votes)
    return Parts(post_followers=(notice_leavers(client, votes),)) if votes else Parts()


FEATURE = Feature(
    name="seats",
    build=build,
    connect=connect,
    commands=(replace_player,),
    items=(TakeButton, AskButton),
)
