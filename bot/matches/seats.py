"""Seats that change hands in the midst of a match.

Somebody who wants to leave offers their seat and plays on until it is taken. Of somebody who is away the others may
decide by vote that a computer plays on and the seat is offered. A computer's seat, and one that was given up, is free
for anybody to ask for, whether it was offered or not; to look for somebody who takes it needs the consent of the table.
So does whoever takes a seat over.

From then on the seat is the newcomer's, with all that is hidden in it: a draft of its former owner is dropped, and they
see the match as any watcher does. Who has played in another seat knows too much to take this one over.
"""

from typing import Any

from msgspec.structs import replace

from bot.clock import DAY
from bot.errors import Refused
from bot.matches import ballot, lobby, records, vote_kinds
from bot.matches.ballot import ABSENT, BACK, Carried, Kind, Vote
from bot.matches.limits import Limits
from bot.matches.pace import Pace
from bot.matches.room import COMPUTER, Person, Room
from bot.matches.vote_kinds import Why, seated
from bot.matches.votes import Votes
from bot.text import pace_words, say
from engine import Seat

OFFER, ABSENCE, LOOK, REPLACE = "seat", "absence", "look", "replace"
"""The kinds of votes: a seat offered, an absent player's or a free one to be offered, a newcomer who asks for one."""
OFFERED = 14 * DAY
"""Seconds for which a seat is offered."""
TAKE, WITHDRAW = "take", "withdraw"


class Seats:
    """Seats offered, asked for and taken over."""

    def __init__(self, votes: Votes, limits: Limits, why_absent: Why) -> None:
        self._votes = votes
        self._limits = limits
        votes.register(OFFERS)
        votes.register(LOOKING)
        votes.register(TAKING_OVER)
        votes.register(
            Kind(
                name=ABSENCE,
                rule=ballot.on_a_person,
                carry=offered,
                prepare=vote_kinds.noting_absence(why_absent),
                check=vote_kinds.must_be_absent,
                words=vote_kinds.saying_why,
            )
        )

    async def offer(self, room: Room, by: Person, seat: Seat, interaction: int | None = None) -> Vote:
        """One's own seat offered to whoever takes it over; of one that a computer has the others are asked first."""
        if room.seat_of(by.id) is None or room.has_resigned(by.id):
            raise Refused(say("refusal.not_seated"))
        if seat != room.seat_of(by.id) and not is_free(room, seat):
            raise Refused(say("vote.not_absent"))
        facts = {"owner": room.info.chairs[seat].id, "subject": seat}
        people = len(room.people(Seat(one) for one in range(room.playing().seats)))
        kind = LOOK if is_free(room, seat) and people > 1 else OFFER
        return await self._votes.propose(room.info.id, by, kind, facts, interaction)

    async def ask_for(self, room: Room, by: Person, seat: Seat, interaction: int | None = None) -> Vote:
        """A seat that somebody who holds none would take over, with the consent of the table."""
        facts = {"seat": seat, "owner": room.info.chairs[seat].id}
        async with self._limits.one_more(by.id, room.info.place.guild, room.info.id):
            return await self._votes.propose(room.info.id, lobby.tidied(by), REPLACE, facts, interaction)


def is_free(room: Room, seat: Seat) -> bool:
    """Whether nobody would lose a seat that somebody takes over."""
    return room.info.chairs[seat].id == COMPUTER or seat in room.playing().resigned


async def offered(room: Room, vote: Vote) -> Carried:
    """An absent player's seat played by a computer until they are back or somebody takes it over, and offered."""
    seat, match = Seat(vote.facts["seat"]), room.playing()
    offer = _offer(vote, {"owner": room.info.chairs[seat].id, "subject": seat, ABSENT: vote.facts[ABSENT]})
    if seat not in match.humans():
        return Carried(room, then=(offer,))
    handed = match.hand_over(seat, to_computer=True)
    return Carried(Room(room.info, handed.without_log()), vote_kinds.committed(handed), (offer,))


async def looked_for(room: Room, vote: Vote) -> Carried:
    """A free seat offered, as those who play have agreed."""
    return Carried(room, then=(_offer(vote, vote.facts),))


def _offer(vote: Vote, facts: dict[str, Any]) -> Vote:
    """The offer that a vote has led to."""
    since = vote.closed
    fresh = replace(vote, said={}, outcome="", message=0, place=0, closed=0)
    return replace(fresh, kind=OFFER, facts=facts, opened=since, ends=since + OFFERED)


def _must_be_free(room: Room, vote: Vote) -> None:
    if room.info.chairs[vote.facts["subject"]].id != vote.facts["owner"] or not is_free(room, vote.facts["subject"]):
        raise Refused(say("vote.taken"))


def _must_not_be_on_offer(room: Room, vote: Vote, others: list[Vote]) -> None:
    if any(other.kind == OFFER and other.facts["subject"] == vote.facts["subject"] for other in others):
        raise Refused(say("vote.offered_already"))


def _may_be_offered(room: Room, vote: Vote) -> None:
    seat, owner = vote.facts["subject"], vote.facts["owner"]
    if vote.facts.get(BACK):
        raise Refused(say("vote.withdrawn"))
    if room.info.chairs[seat].id != owner:
        raise Refused(say("vote.taken"))
    if owner != COMPUTER and vote.facts.get(ABSENT) and seat in room.playing().humans():
        raise Refused(say("vote.back"))
    # Offered by somebody else, it was free; what was given up may have been taken back.
    if vote.by.id != owner and not vote.facts.get(ABSENT) and not is_free(room, Seat(seat)):
        raise Refused(say("vote.taken"))


def _may_ask(room: Room, vote: Vote) -> None:
    """Refuse whoever has a seat, has had another one here, or asks for one that has changed hands."""
    seat, match, by = vote.facts.get("seat"), room.playing(), vote.by.id
    if not isinstance(seat, int) or not 0 <= seat < match.seats:
        raise Refused(say("vote.no_player"))
    if room.info.chairs[seat].id != vote.facts["owner"]:
        raise Refused(say("vote.taken"))
    own = room.seat_of(by)
    if own is not None and own not in match.resigned:
        raise Refused(say("refusal.seated"))
    if any(seat != theirs for theirs in seats_had(room, by)):
        raise Refused(say("vote.knows_too_much"))


def seats_had(room: Room, user: int) -> set[int]:
    """All seats of a match that somebody holds or has held."""
    own = room.seat_of(user)
    had = {note.seat for note in room.info.sat if user in (note.user, note.was)}
    return had if own is None else had | {own}


def _must_be_on_offer(room: Room, vote: Vote, others: list[Vote]) -> None:
    seat = vote.facts["seat"]
    if not is_free(room, seat) and not any(o.kind == OFFER and o.facts["subject"] == seat for o in others):
        raise Refused(say("vote.not_offered"))


async def taken_over(room: Room, vote: Vote) -> Carried:
    """The newcomer in the seat, with nothing in it that was its former owner's alone."""
    seat, match, newcomer = Seat(vote.facts["seat"]), room.playing(), vote.by
    written: dict[str, Any] = {"chairs": True, "dues": (vote_kinds.renaming(vote),)}
    if seat not in match.humans():
        after = match.hand_over(seat, to_computer=False)
        since = after.number
        written |= vote_kinds.committed(after)
    else:
        since = match.number + 1
        after = match.undo(seat, all=True) if match.draft(seat).answers else match
        written["drafts"] = records.stored_drafts(after)
        # Whoever sits there now has to be called, if it is their turn.
        written["announce_again"] = seat in after.waiting_for()
    info = seated(room, seat, newcomer, since, "resigned" if seat in match.resigned else "replaced")
    if room.has_hints and len(room.players) > 1:
        # They come to a table that has agreed on it.
        info = replace(info, terms=replace(info.terms, hints=(*info.terms.hints, newcomer.id)))
    return Carried(Room(info, after.without_log()), written)


def _naming_newcomer(room: Room, vote: Vote) -> dict[str, Any]:
    return {"seat": vote.facts["seat"], "free": vote.facts["owner"] == COMPUTER}


def _naming_seat(room: Room, vote: Vote) -> dict[str, Any]:
    time = room.info.terms.time
    # Whoever thinks of sitting down has to know how much time they would have.
    contract = "" if time.pace is Pace.NONE else pace_words.contract(time)
    return {"seat": vote.facts["subject"], "own": vote.by.id == vote.facts["owner"], "contract": contract}


OFFERS = Kind(
    name=OFFER,
    rule=ballot.until_taken,
    carry=vote_kinds.nothing,
    check=_may_be_offered,
    words=_naming_seat,
    options=(TAKE, WITHDRAW),
    lasts=OFFERED,
    is_offer=True,
)
LOOKING = Kind(
    name=LOOK,
    rule=ballot.consent,
    carry=looked_for,
    check=_must_be_free,
    among=_must_not_be_on_offer,
    words=lambda room, vote: {"seat": vote.facts["subject"]},
)
TAKING_OVER = Kind(
    name=REPLACE,
    rule=ballot.consent,
    carry=taken_over,
    check=_may_ask,
    among=_must_be_on_offer,
    words=_naming_newcomer,
    for_strangers=True,
)
