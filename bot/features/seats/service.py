"""Seats that change hands during a match.

A player who wants to leave offers their seat and plays on until it is taken. The others may vote that a computer plays
for an absent player and that the seat is offered. Anybody may ask for a computer's seat, or for one that was given up,
whether it is offered or not; offering it, and taking it over, needs the consent of the table.

From then on the seat is the newcomer's, with everything hidden in it: a draft of the former player is dropped, and they
see the match as any watcher does. Somebody who has played in another seat knows too much to take this one over.
"""

from typing import Any

from msgspec.structs import replace

from bot.features.server_settings.limits import Limits
from bot.features.votes import kinds, rules
from bot.features.votes.absence import PlayerAbsence
from bot.features.votes.rules import ABSENT, BACK, TAKE, WITHDRAW, Kind
from bot.features.votes.service import Votes
from bot.kernel.change import Change
from bot.kernel.kernel import Kernel
from bot.kernel.room import Room
from bot.model.clocks import Pace
from bot.model.match import COMPUTER, Person
from bot.model.votes import Vote
from bot.runtime.clock import DAY
from bot.runtime.errors import Refused
from bot.text import say
from bot.ui import describe
from bot.ui.names import tidied
from engine import Seat

OFFER, ABSENCE, LOOK, REPLACE = "seat", "absence", "look", "replace"
"""The kinds of votes: a seat on offer, an absent player's seat or a free one to be offered, a newcomer who asks."""
OFFERED = 14 * DAY
"""Seconds for which a seat is offered."""


class Seats:
    """Seats offered, asked for and taken over."""

    def __init__(self, kernel: Kernel, votes: Votes, limits: Limits) -> None:
        self._votes = votes
        self._limits = limits
        votes.register(OFFERS, LOOKING, TAKING_OVER, hand_over_of_absent(PlayerAbsence(kernel)))

    async def offer(self, room: Room, by: Person, seat: Seat, interaction: int | None = None) -> Vote:
        """Offer one's own seat to anybody; for a seat without a player the others are asked first."""
        if not room.is_seated(by.id):
            raise Refused(say("refusal.not_seated"))
        if seat != room.seat_of(by.id) and not is_free(room, seat):
            raise Refused(say("vote.not_absent"))
        facts = {"owner": room.record.chairs[seat].id, "subject": seat}
        people = len(room.people(Seat(one) for one in range(room.playing().seats)))
        kind = LOOK if is_free(room, seat) and people > 1 else OFFER
        return await self._votes.propose(room.record.id, by, kind, facts, interaction)

    async def ask_for(self, room: Room, by: Person, seat: Seat, interaction: int | None = None) -> Vote:
        """Ask the table for a seat, on behalf of somebody who has none."""
        facts = {"seat": seat, "owner": room.record.chairs[seat].id}
        async with self._limits.one_more(by.id, room.record.place.guild, room.record.id):
            return await self._votes.propose(room.record.id, tidied(by), REPLACE, facts, interaction)


def is_free(room: Room, seat: Seat) -> bool:
    """Return whether nobody would lose a seat if somebody else took it over."""
    return room.record.chairs[seat].id == COMPUTER or seat in room.playing().resigned


def hand_to_computer(change: Change, vote: Vote, loaded: None) -> Change:
    """Have a computer play an absent player's seat until they are back or somebody takes it over."""
    seat, match = Seat(vote.facts["seat"]), change.after.playing()
    if seat not in match.humans():
        return change
    return kinds.announce(change.play(match.hand_over(seat, to_computer=True)))


def offer_of_absent(room: Room, vote: Vote) -> tuple[Vote, ...]:
    """Return the offer of an absent player's seat."""
    seat = vote.facts["seat"]
    facts = {"owner": room.record.chairs[seat].id, "subject": seat, ABSENT: vote.facts[ABSENT]}
    return (_offer(vote, facts),)


def offer_of_free(room: Room, vote: Vote) -> tuple[Vote, ...]:
    """Return the offer of a free seat, to which those who play have agreed."""
    return (_offer(vote, vote.facts),)


def _offer(vote: Vote, facts: dict[str, Any]) -> Vote:
    """Return the offer that a vote has led to."""
    since = vote.closed
    fresh = replace(vote, said={}, outcome="", message=0, place=0, closed=0)
    return replace(fresh, kind=OFFER, facts=facts, opened=since, ends=since + OFFERED)


def _must_be_free(room: Room, vote: Vote) -> None:
    if room.record.chairs[vote.facts["subject"]].id != vote.facts["owner"] or not is_free(room, vote.facts["subject"]):
        raise Refused(say("vote.taken"))


def _must_not_be_on_offer(room: Room, vote: Vote, others: list[Vote]) -> None:
    if any(other.kind == OFFER and other.facts["subject"] == vote.facts["subject"] for other in others):
        raise Refused(say("vote.offered_already"))


def _may_be_offered(room: Room, vote: Vote) -> None:
    seat, owner = vote.facts["subject"], vote.facts["owner"]
    if vote.facts.get(BACK):
        raise Refused(say("vote.withdrawn"))
    if room.record.chairs[seat].id != owner:
        raise Refused(say("vote.taken"))
    if owner != COMPUTER and vote.facts.get(ABSENT) and seat in room.playing().humans():
        raise Refused(say("vote.back"))
    # If somebody else offers it, it was free then; one that was given up may have been taken back.
    if vote.by.id != owner and not vote.facts.get(ABSENT) and not is_free(room, Seat(seat)):
        raise Refused(say("vote.taken"))


def _may_ask(room: Room, vote: Vote) -> None:
    """Refuse somebody who has a seat, has had another one here, or asks for one that has changed hands."""
    seat, match, by = vote.facts.get("seat"), room.playing(), vote.by.id
    if not isinstance(seat, int) or not 0 <= seat < match.seats:
        raise Refused(say("vote.no_player"))
    if room.record.chairs[seat].id != vote.facts["owner"]:
        raise Refused(say("vote.taken"))
    own = room.seat_of(by)
    if own is not None and own not in match.resigned:
        raise Refused(say("refusal.seated"))
    if any(seat != theirs for theirs in seats_had(room, by)):
        raise Refused(say("vote.knows_too_much"))


def seats_had(room: Room, user: int) -> set[int]:
    """Return all seats of a match that somebody holds or has held."""
    own = room.seat_of(user)
    had = {note.seat for note in room.record.sat if user in (note.user, note.was)}
    return had if own is None else had | {own}


def _must_be_on_offer(room: Room, vote: Vote, others: list[Vote]) -> None:
    seat = vote.facts["seat"]
    if not is_free(room, seat) and not any(o.kind == OFFER and o.facts["subject"] == seat for o in others):
        raise Refused(say("vote.not_offered"))


def take_over(change: Change, vote: Vote, loaded: None) -> Change:
    """Put the newcomer into the seat, without what was private to the player before them."""
    room, seat, newcomer = change.after, Seat(vote.facts["seat"]), vote.by
    match = room.playing()
    change = change.schedule(kinds.rename_thread(vote))
    if seat not in match.humans():
        handed = match.hand_over(seat, to_computer=False)
        since = handed.number
        change = kinds.announce(change.play(handed))
    else:
        since = match.number + 1
        if match.draft(seat).answers:
            change = change.play(match.undo(seat, all=True))
        # The newcomer has to be told, if it is their turn.
        change = replace(change, announce_again=seat in match.waiting_for())
    why = "resigned" if seat in match.resigned else "replaced"
    change = kinds.seat_person(change, seat, newcomer, since, why)
    if room.has_hints and len(room.players) > 1:
        # They come to a table that has agreed on it.
        terms = change.after.record.terms
        change = change.update(terms=replace(terms, hints=(*terms.hints, newcomer.id)))
    return change


def _newcomer_words(room: Room, vote: Vote) -> dict[str, Any]:
    return {"seat": vote.facts["seat"], "free": vote.facts["owner"] == COMPUTER}


def _offer_words(room: Room, vote: Vote) -> dict[str, Any]:
    time = room.record.terms.time
    # People who think of sitting down have to know how much time they would have.
    contract = "" if time.pace is Pace.NONE else describe.time_contract(time)
    return {"seat": vote.facts["subject"], "own": vote.by.id == vote.facts["owner"], "contract": contract}


OFFERS = Kind(
    name=OFFER,
    rule=rules.until_taken,
    check=_may_be_offered,
    words=_offer_words,
    options=(TAKE, WITHDRAW),
    lasts=OFFERED,
    is_offer=True,
)
LOOKING = Kind(
    name=LOOK,
    rule=rules.consent,
    opens=offer_of_free,
    check=_must_be_free,
    among=_must_not_be_on_offer,
    words=lambda room, vote: {"seat": vote.facts["subject"]},
)
TAKING_OVER = Kind(
    name=REPLACE,
    rule=rules.consent,
    carry_out=take_over,
    check=_may_ask,
    among=_must_be_on_offer,
    words=_newcomer_words,
    for_strangers=True,
)


def hand_over_of_absent(absence: PlayerAbsence) -> Kind:
    """Return the vote to have a computer play for an absent player, and to offer their seat."""
    return Kind(
        name=ABSENCE,
        rule=rules.on_a_person,
        carry_out=hand_to_computer,
        opens=offer_of_absent,
        prepare=kinds.noting_absence(absence.reason),
        check=kinds.must_be_absent,
        words=kinds.absence_words,
    )
