"""Seats that are offered, asked for and taken over."""

import asyncio
from typing import Any

import pytest

from bot.features.seats import OFFER_SECONDS
from bot.features.votes import queries as vote_queries
from bot.features.votes import rules as ballot
from bot.features.votes.rules import VOTE_SECONDS
from bot.kernel.room import Room, with_seating_at
from bot.model import COMPUTER, Pace, Person, SeatChange, Status, Terms, TimeTerms, Vote
from bot.runtime.base import DAY, Refused
from engine import Seat
from tests.bot.backend import ANA, BEA, CEM, DAG, PEOPLE, PLACE, Backend, match_of
from tests.bot.features.test_plans import save_plan
from tests.bot.features.votes.test_service import cast, propose, reload_vote

EVE, FAY = Person(50, "Eve"), Person(51, "Fay")


async def offer(backend: Backend, room: Room, by: Person, seat: int) -> Vote:
    """Offer a seat, or start a vote on offering it."""
    room = await backend.matches.find(room.record.id)
    return await backend.matches.seats.offer(room, by, Seat(seat), next(backend.interactions))


async def ask_for(backend: Backend, room: Room, by: Person, seat: int) -> Vote:
    """Start a vote on giving a seat to a newcomer."""
    room = await backend.matches.find(room.record.id)
    return await backend.matches.seats.ask_for(room, by, Seat(seat), next(backend.interactions))


async def start_timed_match(backend: Backend) -> Room:
    """Start a match of three with a clock in which Ana is to move."""
    terms = Terms(time=TimeTerms(pace=Pace.QUICK))
    room = await backend.matches.open_lobby("blue_lagoon", {"first": "1"}, PLACE, ANA, terms=terms)
    for person in PEOPLE[1:3]:
        await backend.matches.join(room.record.id, person)
    return await backend.matches.start(room.record.id, ANA)


async def reload(backend: Backend, room: Room) -> Room:
    """Return the current state of a match."""
    return await backend.matches.find(room.record.id)


async def test_a_leaver_plays_on_until_the_table_accepts_a_substitute(
    backend: Backend,
) -> None:
    room = await backend.start_match("blue_lagoon", people=3)
    offered = await offer(backend, room, ANA, 0)
    assert offered.is_open
    room = (await backend.pick(room, 0)).room
    request = await ask_for(backend, room, EVE, 0)
    with pytest.raises(Refused, match="about you"):
        await cast(backend, request, ANA, "yes")
    await cast(backend, request, BEA, "yes")
    assert (await reload(backend, room)).record.chairs[0].id == ANA.id
    assert (await cast(backend, request, CEM, "yes")).outcome == "yes"
    taken = await reload(backend, room)
    assert taken.record.chairs[0] == EVE and taken.record.host == EVE.id
    assert taken.record.seat_changes == (
        SeatChange(0, 1, EVE.id, "Eve", ANA.id, "Ana", "replaced"),
    )
    # What she had drafted is nobody else's business.
    assert not match_of(taken).draft(Seat(0)).answers
    assert match_of(taken).humans() == (0, 1, 2)
    assert (await reload_vote(backend, offered)).outcome == ballot.VOID
    assert taken.seat_of(ANA.id) is None
    assert [r.record.id for r in await backend.matches.of_user(EVE.id)] == [room.record.id]
    with pytest.raises(Refused, match="don't have a seat"):
        await backend.matches.confirm(backend.press(room, 0))
    kept = await backend.reopen(room)
    assert kept.record == taken.record and kept.match == taken.match
    await backend.take_turn(kept, 0)
    assert with_seating_at(kept.record, 0).chairs == room.record.chairs
    assert with_seating_at(kept.record, 1) == kept.record


async def test_a_substitute_is_mentioned_if_it_is_their_turn(backend: Backend) -> None:
    room = await backend.start_match("blue_lagoon", people=2)
    (first,) = await backend.matches.pending_posts()
    await backend.matches.note_post(first, 5)
    await offer(backend, room, ANA, 0)
    await cast(backend, await ask_for(backend, room, EVE, 0), BEA, "yes")
    (again,) = await backend.matches.pending_posts()
    post = await backend.matches.post_of(again)
    assert post.room.people(post.newly) == [EVE.id]


async def test_a_computer_s_or_resigned_seat_can_be_asked_for(backend: Backend) -> None:
    room = await backend.start_match(people=3, computers=1)
    await cast(backend, await ask_for(backend, room, EVE, 3), ANA, "yes")
    vote = (await backend.matches.votes.find_open(room.record.id, "replace"))[0]
    await cast(backend, vote, BEA, "yes")
    taken = await reload(backend, room)
    assert taken.record.chairs[3] == EVE
    assert Seat(3) in match_of(taken).humans()
    assert taken.record.seat_changes[-1].since == match_of(taken).number
    assert taken.record.seat_changes[-1].was == COMPUTER
    await backend.matches.resign(backend.press(room, 2))
    back = await ask_for(backend, room, FAY, 2)
    for who in (ANA, BEA):
        back = await cast(backend, back, who, "yes")
    assert back.outcome == "yes" and match_of(await reload(backend, room)).resigned == frozenset()
    done = await backend.play_out(await reload(backend, room))
    assert done.record.status is Status.FINISHED
    assert await backend.matches.transcript(room.record.id)


async def test_offering_a_seat_needs_the_players_consent(backend: Backend) -> None:
    room = await backend.start_match(people=3, computers=1)
    offers = lambda: backend.matches.votes.find_open(room.record.id, "seat")  # noqa: E731
    request = await offer(backend, room, ANA, 3)
    assert request.kind == "look"
    assert request.said == {ANA.id: "yes"}
    assert not await offers()
    assert (await cast(backend, await cast(backend, request, BEA, "no"), CEM, "no")).outcome == "no"
    assert not await offers()
    again = await offer(backend, room, BEA, 3)
    assert (await cast(backend, again, CEM, "yes")).outcome == "yes"
    (offered,) = await offers()
    assert offered.facts["subject"] == 3 and offered.ends == backend.clock.now + OFFER_SECONDS
    with pytest.raises(Refused, match="already on offer"):
        await offer(backend, room, CEM, 3)
    # A newcomer needs the consent of the table as well.
    taken = await ask_for(backend, room, EVE, 3)
    assert taken.is_open
    for who in (ANA, BEA):
        taken = await cast(backend, taken, who, "yes")
    assert (await reload(backend, room)).record.chairs[3] == EVE
    assert not await offers()


async def test_a_solo_player_can_let_somebody_in_or_hand_over(
    backend: Backend,
) -> None:
    room = await backend.start_match(people=1, computers=1)
    assert (await cast(backend, await ask_for(backend, room, EVE, 1), ANA, "yes")).outcome == "yes"
    alone = await backend.start_match(people=1, computers=1)
    await offer(backend, alone, ANA, 0)
    assert (await ask_for(backend, alone, EVE, 0)).outcome == "yes", "there is nobody else to ask"
    assert (await reload(backend, alone)).record.chairs[0] == EVE


async def test_a_refused_request_for_a_seat_says_why(backend: Backend) -> None:
    room = await backend.start_match(people=3, computers=1)
    refusals: list[tuple[Any, str]] = [
        (ask_for(backend, room, EVE, 0), "isn't on offer"),
        (ask_for(backend, room, BEA, 3), "have a seat"),
        (backend.matches.seats.ask_for(room, EVE, Seat(2), 1), "isn't on offer"),
        (propose(backend, room, EVE, "replace", seat=9, owner=0), "no person"),
        (offer(backend, room, EVE, 3), "don't have a seat"),
        (offer(backend, room, ANA, 1), "have time left"),
    ]
    for deed, why in refusals:
        with pytest.raises(Refused, match=why):
            await deed
    assert (await reload(backend, room)).record.seat_changes == ()


async def test_a_former_player_may_only_return_to_their_own_seat(
    backend: Backend,
) -> None:
    room = await backend.start_match(people=4)
    await backend.matches.resign(backend.press(room, 3))
    await backend.matches.resign(backend.press(room, 2))
    with pytest.raises(Refused, match="know things that this seat shouldn't"):
        await ask_for(backend, room, DAG, 2)
    back = await ask_for(backend, room, DAG, 3)
    await cast(backend, back, ANA, "yes")
    await cast(backend, back, BEA, "yes")
    assert Seat(3) in match_of(await reload(backend, room)).humans()


async def test_a_tied_vote_keeps_the_seat_and_requests_are_heard_in_order(
    backend: Backend,
) -> None:
    room = await backend.start_match(people=3)
    await offer(backend, room, ANA, 0)
    request = await ask_for(backend, room, EVE, 0)
    with pytest.raises(Refused, match="already a vote about that"):
        await ask_for(backend, room, FAY, 0)
    await cast(backend, request, BEA, "yes")
    assert (await cast(backend, request, CEM, "no")).outcome == "no"
    with pytest.raises(Refused, match="tomorrow"):
        await ask_for(backend, room, EVE, 0)
    assert (await ask_for(backend, room, FAY, 0)).is_open
    assert (await reload(backend, room)).record.chairs[0] == ANA


async def test_withdrawing_an_offer_closes_its_vote(backend: Backend) -> None:
    room = await backend.start_match(people=3)
    offered = await offer(backend, room, ANA, 0)
    request = await ask_for(backend, room, EVE, 0)
    votes = backend.matches.votes
    with pytest.raises(Refused, match="Only the player whose seat it is"):
        await votes.cast(room.record.id, offered.number, BEA.id, "withdraw")
    assert (
        await votes.cast(room.record.id, offered.number, ANA.id, "withdraw", 5)
    ).outcome == ballot.VOID
    assert (
        await votes.cast(room.record.id, offered.number, ANA.id, "withdraw", 5)
    ).outcome == ballot.VOID
    assert (await reload_vote(backend, request)).outcome == ballot.VOID
    with pytest.raises(Refused, match="is over"):
        await votes.cast(room.record.id, offered.number, ANA.id, "withdraw")
    with pytest.raises(Refused, match="out of date"):
        await cast(backend, await offer(backend, room, ANA, 0), BEA, "take")


async def test_an_offer_of_a_seat_expires(backend: Backend) -> None:
    room = await backend.start_match(people=3)
    offered = await offer(backend, room, ANA, 0)
    await backend.advance(OFFER_SECONDS + 1)
    assert (await reload_vote(backend, offered)).outcome == "no"


async def test_an_absent_player_s_seat_can_be_offered_by_vote(
    backend: Backend,
) -> None:
    room = await backend.start_match("blue_lagoon", people=3)
    with pytest.raises(Refused, match="isn't away"):
        await propose(backend, room, BEA, "absence", seat=0)
    await backend.advance(15 * DAY)
    vote = await propose(backend, room, BEA, "absence", seat=0)
    assert (await cast(backend, vote, CEM, "yes")).outcome == "yes"
    away = await reload(backend, room)
    assert away.record.chairs[0] == ANA
    assert Seat(0) not in match_of(away).humans()
    (offered,) = await backend.matches.votes.find_open(room.record.id, "seat")
    assert offered.ends > offered.opened and offered.facts["owner"] == ANA.id
    await backend.matches.come_back(backend.press(room, 0))
    assert (await reload_vote(backend, offered)).outcome == ballot.VOID
    assert "back" in (await reload_vote(backend, offered)).why


async def test_an_expired_seat_is_taken_over_with_a_fresh_clock(backend: Backend) -> None:
    room = await start_timed_match(backend)
    await backend.advance(3 * DAY)
    vote = await propose(backend, room, BEA, "absence", seat=0)
    assert vote.facts["absent"] == "expired"
    await cast(backend, vote, CEM, "yes")
    request = await ask_for(backend, room, EVE, 0)
    for who in (BEA, CEM):
        request = await cast(backend, request, who, "yes")
    taken = await reload(backend, room)
    assert taken.record.chairs[0] == EVE and not taken.is_expired(Seat(0))
    assert (backend.matches.clocks.seconds_left(taken, Seat(0)) or 0) > 0
    with pytest.raises(Refused, match="don't have a seat"):
        await backend.matches.come_back(backend.press(room, 0))


async def test_with_two_players_a_seat_is_offered_only_after_the_deadline(
    backend: Backend,
) -> None:
    room = await backend.start_match("blue_lagoon", people=2)
    vote = await propose(backend, room, BEA, "absence", seat=0, absent="left")
    assert vote.is_open
    await backend.advance(VOTE_SECONDS + 1)
    assert (await reload_vote(backend, vote)).outcome == "yes"
    assert Seat(0) not in match_of(await reload(backend, room)).humans()


# Two silent weeks.


async def test_after_two_silent_weeks_the_table_is_asked_once_whether_to_go_on(
    backend: Backend,
) -> None:
    room = await backend.start_match("blue_lagoon", people=3)
    await backend.advance(13 * DAY)
    assert await backend.matches.votes.unannounced(room.record.id) == []
    room = (await backend.take_turn(room, 0)).room
    await backend.advance(13 * DAY)
    assert await backend.matches.votes.unannounced(room.record.id) == []
    await backend.advance(2 * DAY)
    (vote,) = await backend.matches.votes.find_open(room.record.id, "silence")
    assert vote.by.id == COMPUTER
    await backend.advance(40 * DAY)
    votes = await backend.matches.store.read(vote_queries.votes, room.record.id)
    assert [vote.outcome for vote in votes] == ["on"], "once a silence"
    await backend.take_turn(room, 1)
    await backend.advance(15 * DAY)
    assert len(await backend.matches.store.read(vote_queries.votes, room.record.id)) == 2


@pytest.mark.parametrize(
    ("said", "status"),
    [
        (("pause", "pause"), Status.ON_HOLD),
        (("end", "end", "end"), Status.CALLED_OFF),
        (("end", "pause"), None),
        (("pause", "on", "end"), Status.RUNNING),
        (("on", "on"), Status.RUNNING),
    ],
)
async def test_a_silent_table_decides(
    backend: Backend, said: tuple[str, ...], status: Status | None
) -> None:
    room = await backend.start_match("blue_lagoon", people=3)
    await backend.advance(14 * DAY)
    (vote,) = await backend.matches.votes.find_open(room.record.id, "silence")
    for who, option in zip(PEOPLE, said, strict=False):
        vote = await cast(backend, vote, who, option)
    assert (await reload(backend, room)).record.status is (status or Status.RUNNING)
    assert vote.is_open == (status is None)


async def test_an_active_match_or_one_with_a_clock_is_not_asked(backend: Backend) -> None:
    room = await backend.start_match("blue_lagoon", people=2)
    await backend.advance(14 * DAY)
    (vote,) = await backend.matches.votes.find_open(room.record.id, "silence")
    await backend.take_turn(room, 0)
    assert (await reload_vote(backend, vote)).outcome == ballot.VOID
    assert "continues" in (await reload_vote(backend, vote)).why
    timed = await backend.matches.open_lobby(
        "toy", {}, PLACE, ANA, terms=Terms(time=TimeTerms(pace=Pace.EASY))
    )
    await backend.matches.join(timed.record.id, BEA)
    await backend.matches.start(timed.record.id, ANA)
    await backend.advance(60 * DAY)
    assert await backend.matches.votes.find_open(timed.record.id, "silence") == []


async def test_downtime_of_the_bot_does_not_count_as_silence(backend: Backend) -> None:
    room = await backend.start_match("blue_lagoon", people=2)
    await backend.advance(DAY)
    await backend.stop_for(30 * DAY)
    await backend.matches.scheduler.run_due()
    assert await backend.matches.store.read(vote_queries.votes, room.record.id) == []
    with pytest.raises(Refused, match="only two people"):
        await propose(backend, room, BEA, "remove", seat=0)
    await backend.advance(14 * DAY)
    assert len(await backend.matches.store.read(vote_queries.votes, room.record.id)) == 1


async def test_fifty_requests_for_a_seat_are_heard_one_at_a_time(backend: Backend) -> None:
    room = await backend.start_match(people=3, computers=1)
    people = [Person(500 + n, f"Guest {n}") for n in range(50)]
    came = await asyncio.gather(
        *(ask_for(backend, room, who, 3) for who in people), return_exceptions=True
    )
    (vote,) = [one for one in came if isinstance(one, Vote)]
    assert all(isinstance(one, Refused) for one in came if one is not vote)
    said = [cast(backend, vote, who, "yes") for who in PEOPLE[:3]]
    await asyncio.gather(
        *said, *(cast(backend, vote, who, "yes") for who in people), return_exceptions=True
    )
    taken = await reload(backend, room)
    assert taken.record.chairs[3] == vote.by
    assert len(taken.record.seat_changes) == 1


async def test_a_match_without_a_result_is_revealed_and_can_be_replayed(
    backend: Backend,
) -> None:
    room = await backend.start_match(people=2)
    await backend.take_turn(room, match_of(room).waiting_for()[0])
    with pytest.raises(Refused, match="when the match is over"):
        await backend.matches.transcript(room.record.id)
    await cast(backend, await propose(backend, room, ANA, "end"), BEA, "yes")
    assert match_of(room).seed in await backend.matches.transcript(room.record.id)
    again = await backend.matches.rematch(room.record.id, ANA)
    assert again.record.id != room.record.id and again.record.status is Status.LOBBY


async def test_a_leaver_s_plan_is_dropped(backend: Backend) -> None:
    room = await backend.start_match("blue_lagoon", people=3)
    await save_plan(backend, room, 1, "14")
    await offer(backend, room, BEA, 1)
    request = await ask_for(backend, room, EVE, 1)
    for who in (ANA, CEM):
        request = await cast(backend, request, who, "yes")
    room = (await backend.take_turn(await reload(backend, room), 0)).room
    assert room.record.plans == ()
    assert match_of(room).waiting_for() == (1,), "the newcomer is to move"


async def test_pausing_costs_nobody_time(backend: Backend) -> None:
    room = await start_timed_match(backend)
    left = backend.matches.clocks.seconds_left(room, Seat(0))
    await cast(backend, await propose(backend, room, ANA, "pause"), BEA, "yes")
    await backend.advance(30 * DAY)
    paused = await reload(backend, room)
    assert backend.matches.clocks.deadline(paused, Seat(0)) is None
    await cast(backend, await propose(backend, room, ANA, "resume"), BEA, "yes")
    assert backend.matches.clocks.seconds_left(await reload(backend, room), Seat(0)) == left
