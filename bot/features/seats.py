"""Seats that change hands during a match: /game replace, and votes on offering and taking a seat.

A player who wants to leave offers their seat and plays on until somebody takes it. The others may
vote to let a computer play for an absent player and to offer the seat. Anybody may ask for the
seat of a computer or of a player who has resigned, whether it is offered or not. Both offering such
a seat and taking over any seat need the consent of the other players.

A newcomer gets the seat with all its hidden cards. The former player's draft is dropped, and from
then on they see only what everybody sees. Somebody who has played in one seat cannot take over
another, since they know its secrets.

Without a privileged intent, Discord does not tell the bot when somebody leaves a server. So the bot
checks whenever it becomes a player's turn. If they have left, it starts a vote, once, on letting a
computer play and offering the seat.
"""

import logging
from collections.abc import Sequence
from typing import Any

from cachetools import TTLCache
from msgspec.structs import replace

from bot.features.server_settings import Servers
from bot.features.votes import discord as votes_commands
from bot.features.votes import rules
from bot.features.votes.discord import Answer
from bot.features.votes.messages import vote_button_pattern
from bot.features.votes.rules import ABSENT, BACK, TAKE, WITHDRAW, Kind
from bot.features.votes.service import Votes
from bot.kernel.change import Change
from bot.kernel.feature import Parts, PostExtras, PostFollower
from bot.kernel.kernel import Kernel
from bot.kernel.room import Post, Room
from bot.model import BOT, COMPUTER, Pace, Person, Vote
from bot.runtime.base import DAY, HOUR, BotError, Refused
from bot.text import and_list, say
from bot.ui import (
    DISCORD_ERRORS,
    GOOD,
    MATCH,
    Button,
    Choices,
    Feature,
    Item,
    Menu,
    MotuClient,
    MotuInteraction,
    autocomplete,
    describe,
    marked_names,
    my_match,
    person,
    reply,
    seat_of,
    service,
    slash,
    tidy_name,
    turn_button,
    turn_button_id,
)
from bot.ui.reply import Question
from engine import EngineError, Seat

log = logging.getLogger("motu.leavers")

OFFER, ABSENCE, LOOK, REPLACE = "seat", "absence", "look", "replace"
"""Names of the kinds of votes.

OFFER offers a seat. The others ask the players: ABSENCE whether a computer plays for an absent
player and the seat is offered, LOOK whether a free seat is offered, REPLACE whether a newcomer gets
a seat.
"""
OFFER_SECONDS = 14 * DAY
"""How long a seat is offered."""
ASK = "ask"
"""The button with which a newcomer asks for a seat, under a text with the time limits."""
MAX_REMEMBERED_MEMBERS, REMEMBERED_SECONDS = 10_000, 6 * HOUR
"""How many members of servers to remember as present, and for how long."""


def is_free(room: Room, seat: Seat) -> bool:
    """Return whether a seat belongs to a computer or to a player who has resigned."""
    return room.record.chairs[seat].id == COMPUTER or seat in room.playing().resigned


# Checks whether a vote can be started, and the effects of votes that pass


def make_offer(vote: Vote, facts: dict[str, Any]) -> Vote:
    """Return the offer of a seat that follows a passed vote."""
    return replace(
        vote,
        kind=OFFER,
        facts=facts,
        opened=vote.closed,
        ends=vote.closed + OFFER_SECONDS,
        closed=0,
        said={},
        outcome="",
        message=0,
        place=0,
    )


def offer_absent_seat(room: Room, vote: Vote) -> Vote:
    """Return the offer of an absent player's seat that follows a passed vote."""
    seat = vote.facts["seat"]
    owner = room.record.chairs[seat].id
    return make_offer(vote, {"owner": owner, "subject": seat, ABSENT: vote.facts[ABSENT]})


def check_offer(room: Room, vote: Vote) -> None:
    """Refuse an offer that was withdrawn, or whose seat is taken or played by its owner again."""
    seat, owner = vote.facts["subject"], vote.facts["owner"]
    absent = vote.facts.get(ABSENT)
    if vote.facts.get(BACK):
        raise Refused("vote.withdrawn")
    # A seat that was offered by another player was free then, but a player who had resigned may
    # have returned to it since.
    is_played = vote.by.id != owner and not absent and not is_free(room, seat)
    if room.record.chairs[seat].id != owner or is_played:
        raise Refused("vote.taken")
    if owner != COMPUTER and absent and seat in room.playing().humans():
        raise Refused("vote.back")


def offer_facts(room: Room, vote: Vote) -> dict[str, Any]:
    """Return the text facts of an offer, including the time limits that newcomers accept."""
    terms = room.record.terms.time
    contract = "" if terms.pace is Pace.NONE else describe.time_contract(terms)
    is_own = vote.by.id == vote.facts["owner"]
    return {
        "seat": vote.facts["subject"],
        "own": is_own,
        "standing": " ".join(describe.status_lines(room, None)),
        "contract": contract,
    }


def describe_offer(room: Room, seat: Seat) -> str:
    """Return what a newcomer should know: whose seat it is, the position, and the time limits."""
    facts = {
        "game": say("vote.match", game=describe.title(room), id=room.record.id),
        "players": and_list(name for at, name in enumerate(marked_names(room)) if at != seat),
        "standing": " ".join(describe.status_lines(room, None)),
    }
    text = say("vote.this_seat", marked_names(room), seat=seat, **facts)
    return f"{text}\n{describe.time_contract(room.record.terms.time)}"


def check_other_offers(room: Room, vote: Vote, others: list[Vote]) -> None:
    """Refuse to offer a seat twice, or to ask for a seat that is neither offered nor free."""
    is_request = vote.kind == REPLACE
    seat = vote.facts["seat" if is_request else "subject"]
    offered = [other.facts["subject"] for other in others if other.kind == OFFER]
    if not is_request and seat in offered:
        raise Refused("vote.offered_already")
    if is_request and seat not in offered and not is_free(room, seat):
        raise Refused("vote.not_offered")


def check_may_ask(room: Room, vote: Vote) -> None:
    """Refuse a newcomer who has or had another seat, or whose wanted seat has changed hands."""
    seat, match, user = vote.facts.get("seat"), room.playing(), vote.by.id
    if not isinstance(seat, int) or not 0 <= seat < match.seats:
        raise Refused("vote.no_player")
    if room.record.chairs[seat].id != vote.facts["owner"]:
        raise Refused("vote.taken")
    if room.is_seated(user):
        raise Refused("refusal.seated")
    # Former players may take their own seat again: they know its secrets already.
    former_seats = {
        change.seat for change in room.record.seat_changes if user in (change.user, change.was)
    }
    if (own := room.seat_of(user)) is not None:
        former_seats.add(own)
    if former_seats - {seat}:
        raise Refused("vote.knows_too_much")


def take_over(change: Change, vote: Vote) -> Change:
    """Give the seat to the newcomer, without the draft of the player before them."""
    room, seat, newcomer = change.after, Seat(vote.facts["seat"]), vote.by
    match = room.playing()
    since = match.number + 1
    if seat not in match.humans():
        after = match.hand_over(seat, to_computer=False)
        change = replace(change.play(after), announce_up_to=since)
    else:
        if match.draft(seat).answers:
            change = change.play(match.undo(seat, all=True))
        # If it is their turn, post the board again: the last post has mentioned somebody else.
        change = replace(change, announce_again=seat in match.waiting_for())
    why = "resigned" if seat in match.resigned else "replaced"
    change = rules.seat_person(change, seat, newcomer, since, why)
    if room.has_hints and len(room.players) > 1:
        # The others have agreed to hints, and a newcomer accepts the match as it is.
        terms = change.after.record.terms
        change = change.update(terms=replace(terms, hints=(*terms.hints, newcomer.id)))
    return change


OFFERS = Kind(
    name=OFFER,
    rule=rules.until_taken,
    check=check_offer,
    text_facts=offer_facts,
    options=(TAKE, WITHDRAW),
    duration_seconds=OFFER_SECONDS,
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
    apply=take_over,
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
    apply=rules.hand_to_computer,
    follow_up=offer_absent_seat,
    notes_absence=True,
    check=rules.must_be_absent,
    text_facts=rules.absence_facts,
)


class Seats:
    """Starts the votes by which seats change hands."""

    def __init__(self, kernel: Kernel, votes: Votes) -> None:
        self._votes = votes
        self._servers = kernel.services.require(Servers)
        votes.register(OFFERS, LOOKING, TAKING_OVER, REPLACING_ABSENT)

    async def offer(
        self, room: Room, by: Person, seat: Seat, interaction_id: int | None = None
    ) -> Vote:
        """Offer a player's own seat to anybody, or start a vote on offering a free seat."""
        if not room.is_seated(by.id):
            raise Refused("refusal.not_seated")
        if seat != room.seat_of(by.id) and not is_free(room, seat):
            raise Refused("vote.not_absent")
        facts = {"owner": room.record.chairs[seat].id, "subject": seat}
        people = room.people(Seat(number) for number in range(room.playing().seats))
        # Without other people in the match there is nobody to vote.
        kind = LOOK if is_free(room, seat) and len(people) > 1 else OFFER
        return await self._votes.propose(room.record.id, by, kind, facts, interaction_id)

    async def ask_for(
        self, room: Room, by: Person, seat: Seat, interaction_id: int | None = None
    ) -> Vote:
        """Start a vote on giving a seat to somebody who has none."""
        facts = {"seat": seat, "owner": room.record.chairs[seat].id}
        async with self._servers.within_limits(by.id, room.record.place.guild, room.record.id):
            return await self._votes.propose(
                room.record.id, tidy_name(by), REPLACE, facts, interaction_id
            )


# /game replace, and the buttons that ask for a seat


@slash("game.replace")
async def replace_player(
    interaction: MotuInteraction, player: str | None = None, match: str | None = None
) -> None:
    """Offer the user's own seat, or start a vote on another's; without a seat, request one.

    If no player is given, ask whose seat is meant, unless only one is offered or free.
    """
    room = await my_match(interaction, match, in_turn=False)
    own = seat_of(interaction, room)
    room.playing()
    if player:
        await replace_in_seat(interaction, room, votes_commands.parse_seat(room, player))
        return
    if own is None:
        seat = await find_available_seat(interaction, room)
        await replace_in_seat(interaction, room, seat)
        return
    # The user's own seat first: that is what most people want.
    others = (seat for seat, _ in votes_commands.chairs_of(room) if seat != own)
    menu = replace_menu(room, "vote.replace_whom", [own, *others])
    await reply.tell(interaction, say("vote.replace_about"), [menu])


def replace_menu(room: Room, question: str, seats: Sequence[Seat]) -> Menu:
    """Return the menu of seats for /game replace."""
    return votes_commands.seat_menu(room, f"rp:{room.record.id}", question, seats)


class ReplaceMenu(Item, template=rf"rp:{MATCH}"):
    """The menu of seats that may be offered, voted on or asked for."""

    async def on_press(self, interaction: MotuInteraction) -> None:
        """Run /replace with the chosen seat."""
        room = await self.room(interaction)
        room.playing()
        interaction.extras[reply.REPLACES_MESSAGE] = True
        seat = votes_commands.chosen_seat(room, self.values)
        await replace_in_seat(interaction, room, seat)


async def replace_in_seat(interaction: MotuInteraction, room: Room, seat: Seat) -> None:
    """Offer a seat, start a vote on it or, for somebody without a seat, ask for it."""
    own = seat_of(interaction, room)
    if own is None:
        if room.record.terms.time.pace is Pace.NONE:
            await ask_for(interaction, room, seat)
            return
        # Show the time limits before a newcomer commits to them.
        ask = Button(turn_button_id(room.record.id, ASK, seat), say("vote.sit"), GOOD)
        await reply.tell(interaction, describe_offer(room, seat), [(ask,)])
    elif seat == own or is_free(room, seat):
        seats = service(interaction, Seats)
        vote = await seats.offer(room, person(interaction), seat, interaction.id)
        await votes_commands.answer_with_link(interaction, room, vote)
    else:
        facts = await votes_commands.load_facts_about(interaction, room, seat)
        await votes_commands.propose(interaction, room, ABSENCE, facts)


@replace_player.autocomplete("player")
@autocomplete
async def _complete_player(interaction: MotuInteraction, current: str) -> Choices:
    return await votes_commands.suggest_players(interaction, current)


async def ask_for(
    interaction: MotuInteraction, room: Room, seat: Seat, answer: Answer = reply.tell
) -> None:
    """Start a vote on giving a seat to the user, and answer with a link to it."""
    if not 0 <= seat < room.playing().seats:
        raise Refused("refusal.old_button")
    seats = service(interaction, Seats)
    vote = await seats.ask_for(room, person(interaction), seat, interaction.id)
    await votes_commands.answer_with_link(interaction, room, vote, answer)


async def find_available_seat(interaction: MotuInteraction, room: Room) -> Seat:
    """Return the only seat that is offered or, failing that, the only free one.

    If there are several, ask which one is meant, with a menu.
    """
    open_offers = await service(interaction, Votes).find_open(room.record.id, OFFER)
    offered = {vote.facts["subject"] for vote in open_offers}
    free = {seat for seat in range(room.playing().seats) if is_free(room, Seat(seat))}
    for seats in (offered, free):
        if len(seats) == 1:
            return Seat(seats.pop())
    if not free and not offered:
        raise Refused("vote.not_offered")
    question = Question("vote.which_seat")
    question.rows = [replace_menu(room, "vote.take_whose", sorted(map(Seat, offered | free)))]
    raise question


class TakeButton(Item, template=vote_button_pattern(TAKE)):
    """Asks for the seat of an offer. The answer is private."""

    async def on_press(self, interaction: MotuInteraction) -> None:
        """Start a vote on giving the seat to the user."""
        room = await self.room(interaction)
        votes = service(interaction, Votes)
        offer = await votes.find(room.record.id, int(self.fields["vote"]))
        if not offer.is_open or offer.kind != OFFER:
            raise Refused("vote.closed")
        await ask_for(interaction, room, Seat(offer.facts["subject"]))


class AskButton(Item, template=turn_button(ASK)):
    """Asks for a seat, below the time limits. The last number of its custom id is the seat."""

    async def on_press(self, interaction: MotuInteraction) -> None:
        """Start a vote on giving the seat to the user."""
        room = await self.room(interaction)
        await ask_for(interaction, room, Seat(int(self.fields["post"] or 0)))


# Players who have left their server


def notice_leavers(client: MotuClient, votes: Votes) -> PostFollower:
    """Return a post follower that checks whether the players to move are still in the server."""
    members: TTLCache[tuple[int, int], None] = TTLCache(MAX_REMEMBERED_MEMBERS, REMEMBERED_SECONDS)

    async def check(room: Room, seat: Seat) -> None:
        match, user = room.record.id, room.record.chairs[seat].id
        member = (room.record.place.guild, user)
        if user == COMPUTER or member in members:
            return
        try:
            if not await votes_commands.has_left(client, room, user):
                members[member] = None
                return
            # Start such a vote only once, whatever its result.
            was_asked = any(
                vote.kind == ABSENCE and vote.by.id == COMPUTER and vote.chairs[seat].id == user
                for vote in await votes.all(match)
            )
            if not was_asked:
                await votes.propose(match, BOT, ABSENCE, {"seat": seat, ABSENT: "left"})
        except (BotError, EngineError, *DISCORD_ERRORS) as error:
            reason = type(error).__name__
            log.info(
                "can't tell whether a player of match %s has left the server (%s)", match, reason
            )

    async def extend_post(post: Post) -> PostExtras:
        def check_all() -> None:
            for seat in post.newly:
                client.handlers.start(check(post.room, seat), "leavers")

        return PostExtras(on_noted=check_all)

    return extend_post


def build(kernel: Kernel) -> Parts:
    """Create the service, unless votes are switched off."""
    votes = kernel.services.get(Votes)
    return Parts(services=(Seats(kernel, votes),)) if votes else Parts()


def connect(client: MotuClient) -> Parts:
    """Create the post follower that notices players who have left."""
    votes = client.services.get(Votes)
    return Parts(post_followers=(notice_leavers(client, votes),)) if votes else Parts()


FEATURE = Feature(
    name="seats",
    build=build,
    connect=connect,
    commands=(replace_player,),
    items=(TakeButton, AskButton, ReplaceMenu),
)
