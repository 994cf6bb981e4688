"""Votes: who is asked, when they are decided, and what they do."""

import asyncio
from collections import Counter
from typing import Any

import pytest

from bot.features.votes import queries as vote_queries
from bot.features.votes import rules as ballot
from bot.features.votes.rules import ASK_AGAIN_SECONDS, VOTE_SECONDS
from bot.kernel import queries
from bot.kernel.room import Room
from bot.model import COMPUTER, Person, Status, Vote
from bot.runtime.base import DAY, BotError, NotFound, Refused
from engine import IllegalAnswer, Seat
from tests.bot.seating import ANA, BEA, CEM, DAG, PEOPLE, House, playing

EVE = Person(99, "Eve")


async def propose(house: House, room: Room, by: Person, kind: str, **facts: Any) -> Vote:
    return await house.matches.votes.propose(
        room.record.id, by, kind, facts, next(house.interactions)
    )


async def say(house: House, vote: Vote, who: Person, option: str) -> Vote:
    return await house.matches.votes.cast(
        vote.match, vote.number, who.id, option, next(house.interactions)
    )


async def now(house: House, vote: Vote) -> Vote:
    return await house.matches.votes.find(vote.match, vote.number)


async def status(house: House, room: Room) -> Status:
    return (await house.matches.find(room.record.id)).record.status


# The rules, by themselves.


@pytest.mark.parametrize(
    ("rule", "said", "asked", "early", "late"),
    [
        (ballot.majority, {"yes": 1}, 1, "yes", "yes"),
        (ballot.majority, {"yes": 1}, 2, "", "no"),
        (ballot.majority, {"yes": 1, "no": 1}, 2, "no", "no"),
        (ballot.majority, {"yes": 2}, 3, "yes", "yes"),
        (ballot.majority, {"yes": 2}, 4, "", "no"),
        (ballot.majority, {"yes": 2, "no": 2}, 4, "no", "no"),
        (ballot.majority, {"yes": 1, "no": 1}, 3, "", "no"),
        (ballot.everybody, {"yes": 2}, 3, "", "no"),
        (ballot.everybody, {"yes": 3}, 3, "yes", "yes"),
        (ballot.everybody, {"yes": 2, "no": 1}, 4, "no", "no"),
        (ballot.everybody, {}, 0, "", "no"),
        (ballot.to_go_on, {"yes": 1}, 2, "", "yes"),
        (ballot.to_go_on, {"yes": 1, "no": 1}, 2, "yes", "yes"),
        (ballot.to_go_on, {"yes": 1, "no": 2}, 3, "no", "no"),
        (ballot.to_go_on, {"yes": 1, "no": 2}, 4, "", "yes"),
        (ballot.to_go_on, {"yes": 2, "no": 2}, 4, "yes", "yes"),
        (ballot.on_a_person, {"yes": 2}, 2, "yes", "yes"),
        (ballot.on_a_person, {"yes": 1}, 2, "", "no"),
        (ballot.on_a_person, {"yes": 1}, 1, "", "yes"),
        (ballot.on_a_person, {"no": 1}, 1, "no", "no"),
        (ballot.on_a_person, {}, 1, "", "no"),
        (ballot.what_now, {}, 3, "", "on"),
        (ballot.what_now, {"on": 1, "end": 1}, 2, "on", "on"),
        (ballot.what_now, {"pause": 1, "on": 1}, 2, "on", "on"),
        (ballot.what_now, {"pause": 2}, 3, "pause", "pause"),
        (ballot.what_now, {"pause": 1, "end": 1}, 3, "", "on"),
        (ballot.what_now, {"end": 2}, 3, "", "on"),
        (ballot.what_now, {"end": 3}, 3, "end", "end"),
        (ballot.what_now, {"on": 2}, 4, "on", "on"),
    ],
)
def test_a_vote_is_decided_by_its_rule(
    rule: ballot.Rule, said: dict[str, int], asked: int, early: str, late: str
) -> None:
    counted = Counter(said)
    assert rule(counted, asked, False) == early
    assert rule(counted, asked, True) == late


# Pause, go on, end.


async def test_a_majority_pauses_a_match_and_moves_are_refused(house: House) -> None:
    room = await house.start_match(people=3)
    vote = await propose(house, room, ANA, "pause")
    assert vote.is_open and await status(house, room) is Status.RUNNING
    assert (await say(house, vote, BEA, "yes")).outcome == "yes"
    assert await status(house, room) is Status.ON_HOLD
    with pytest.raises(Refused, match="agreed to a break"):
        await house.pick(room, playing(room).waiting_for()[0])
    with pytest.raises(Refused, match="already paused"):
        await propose(house, room, CEM, "pause")


async def test_a_tie_means_go_on(house: House) -> None:
    room = await house.start_match(people=2)
    vote = await say(house, await propose(house, room, ANA, "pause"), BEA, "no")
    assert vote.outcome == "no" and await status(house, room) is Status.RUNNING
    await say(house, await propose(house, room, BEA, "pause"), ANA, "yes")
    assert await status(house, room) is Status.ON_HOLD
    vote = await propose(house, room, ANA, "resume")
    assert vote.is_open, "the other is heard first"
    assert (await say(house, vote, BEA, "no")).outcome == "yes"
    assert await status(house, room) is Status.RUNNING


async def test_a_match_paused_by_vote_is_not_resumed_by_moving_it(house: House) -> None:
    room = await house.start_match(people=1, computers=1)
    await propose(house, room, ANA, "pause")
    paused = await house.matches.pause(room.record.id, "gone")
    assert paused.record.status is Status.ON_HOLD and "gone" in paused.why_paused
    assert (
        await house.matches.select(queries.matches_unable_to_post, own=house.matches.store.own)
    )[0].record.id == room.record.id
    moved = await house.matches.move(room.record.id, room.record.place)
    assert moved.record.status is Status.ON_HOLD and "agreed" in moved.why_paused


async def test_resuming_posts_the_turn_again_and_lets_computers_move(house: House) -> None:
    room = await house.start_match(people=2)
    (first,) = await house.matches.pending_posts()
    await house.matches.note_post(first, 5)
    await say(house, await propose(house, room, ANA, "pause"), BEA, "yes")
    await say(house, await propose(house, room, ANA, "resume"), BEA, "yes")
    (again,) = await house.matches.pending_posts()
    assert (again.since, again.number) == (first.since, first.number)
    assert again.id != first.id


async def test_ending_a_match_needs_everyone_s_consent(house: House) -> None:
    room = await house.start_match(people=3)
    vote = await propose(house, room, ANA, "end")
    await say(house, vote, BEA, "yes")
    assert await status(house, room) is Status.RUNNING
    assert (await say(house, vote, CEM, "yes")).outcome == "yes"
    ended = await house.matches.find(room.record.id)
    assert ended.record.status is Status.CALLED_OFF
    assert ended.record.result_unannounced
    assert playing(ended).outcome is None
    assert await house.matches.of_user(ANA.id) == []
    for deed in (
        house.pick(room, playing(room).waiting_for()[0]),
        house.matches.resign(house.press(room, 0)),
    ):
        with pytest.raises(Refused, match="without a result"):
            await deed
    with pytest.raises(Refused, match="isn't being played"):
        await propose(house, room, ANA, "pause")


async def test_one_no_keeps_a_match_going_and_the_vote_cannot_be_repeated_at_once(
    house: House,
) -> None:
    room = await house.start_match(people=3)
    vote = await propose(house, room, ANA, "end")
    assert (await say(house, vote, CEM, "no")).outcome == "no"
    with pytest.raises(Refused, match="tomorrow"):
        await propose(house, room, ANA, "end")
    assert (await propose(house, room, BEA, "end")).is_open, "somebody else may ask"
    await say(house, await now(house, Vote(**fields(vote, number=2))), ANA, "no")
    await house.advance(ASK_AGAIN_SECONDS + 1)
    assert (await propose(house, room, ANA, "end")).is_open


def fields(vote: Vote, **changes: Any) -> dict[str, Any]:
    return {name: getattr(vote, name) for name in vote.__struct_fields__} | changes


async def test_a_solo_player_decides_alone(house: House) -> None:
    room = await house.start_match(people=1, computers=1)
    assert (await propose(house, room, ANA, "pause")).outcome == "yes"
    assert (await propose(house, room, ANA, "resume")).outcome == "yes"
    assert (await propose(house, room, ANA, "end")).outcome == "yes"
    assert await status(house, room) is Status.CALLED_OFF


async def test_a_paused_match_can_be_resigned_from(house: House) -> None:
    room = await house.start_match(people=3)
    await say(house, await propose(house, room, ANA, "pause"), BEA, "yes")
    await house.matches.resign(house.press(room, 2))
    after = await house.matches.find(room.record.id)
    assert after.record.status is Status.ON_HOLD and playing(after).resigned == {2}
    await house.matches.resign(house.press(room, 1))
    assert await status(house, room) is Status.FINISHED
    lost = await house.start_match(people=2)
    await house.matches.pause(lost.record.id, "gone")
    await house.matches.resign(house.press(lost, 0))
    assert await status(house, lost) is Status.FINISHED


# Somebody is sent away.


async def test_a_majority_of_the_others_removes_a_player(house: House) -> None:
    room = await house.start_match(people=4)
    vote = await propose(house, room, ANA, "remove", seat=1)
    with pytest.raises(Refused, match="about you"):
        await say(house, vote, BEA, "no")
    await say(house, vote, CEM, "no")
    assert (await now(house, vote)).is_open
    assert (await say(house, vote, DAG, "yes")).outcome == "yes"
    after = await house.matches.find(room.record.id)
    assert after.record.chairs[1] == Person(COMPUTER, "Bea", after.record.terms.stand_in)
    assert after.seat_of(BEA.id) is None
    assert Seat(1) not in playing(after).humans()
    assert await house.matches.of_user(BEA.id) == []
    with pytest.raises(Refused, match="don't have a seat"):
        await house.matches.resign(house.press(room, 1))
    kept = await house.reopen(room)
    assert kept.record.chairs == after.record.chairs
    assert playing(kept).humans() == (0, 2, 3)
    done = await house.play_out(kept)
    assert done.record.status is Status.FINISHED


async def test_a_removed_host_is_replaced(house: House) -> None:
    room = await house.start_match(people=3)
    vote = await propose(house, room, BEA, "remove", seat=0)
    await say(house, vote, CEM, "yes")
    assert (await house.matches.find(room.record.id)).record.host == BEA.id


async def test_one_person_alone_cannot_remove_another(house: House) -> None:
    """At a table of two, only an absent player can be removed who has not come back by the end."""
    room = await house.start_match("blue_lagoon", people=2)
    seat = playing(room).waiting_for()[0]
    absent, other = PEOPLE[seat], PEOPLE[1 - seat]
    with pytest.raises(Refused, match="only two people"):
        await propose(house, room, other, "remove", seat=seat)
    await house.advance(15 * DAY)
    with pytest.raises(Refused, match="only two people"):
        await propose(house, room, absent, "remove", seat=1 - seat)
    vote = await propose(house, room, other, "remove", seat=seat)
    assert vote.is_open
    await house.take_turn(room, seat)
    back = await now(house, vote)
    assert back.outcome == ballot.VOID and "back" in back.why
    await house.advance(VOTE_SECONDS + 1)
    assert (await house.matches.find(room.record.id)).record.chairs == room.record.chairs


async def test_an_absent_player_at_a_table_of_two_is_removed_after_the_deadline(
    house: House,
) -> None:
    room = await house.start_match(people=2)
    seat = playing(room).waiting_for()[0]
    vote = await propose(house, room, PEOPLE[1 - seat], "remove", seat=seat, absent="left")
    await house.advance(VOTE_SECONDS - 10)
    assert (await now(house, vote)).is_open
    await house.advance(20)
    assert (await now(house, vote)).outcome == "yes"
    assert (await house.matches.find(room.record.id)).record.chairs[seat].id == COMPUTER


async def test_a_player_thought_absent_only_has_to_press(house: House) -> None:
    room = await house.start_match(people=2)
    vote = await propose(house, room, ANA, "remove", seat=1, absent="left")
    assert (await say(house, vote, BEA, "no")).outcome == ballot.VOID
    assert (await house.matches.find(room.record.id)).record.chairs == room.record.chairs


async def test_being_present_does_not_stop_a_majority(
    house: House,
) -> None:
    room = await house.start_match(people=3)
    vote = await propose(house, room, ANA, "remove", seat=1, absent="left")
    with pytest.raises(Refused, match="about you"):
        await say(house, vote, BEA, "no")
    # Whatever reason the second has, it is the same question.
    assert (await propose(house, room, CEM, "remove", seat=1)).outcome == "yes"


@pytest.mark.parametrize("seat", [-1, 7, "x", None, 1.5])
async def test_an_unknown_seat_is_refused(house: House, seat: Any) -> None:
    room = await house.start_match(people=3)
    with pytest.raises(Refused, match="no person in that seat"):
        await propose(house, room, ANA, "remove", seat=seat)


async def test_computers_resigned_players_and_oneself_cannot_be_removed(house: House) -> None:
    room = await house.start_match(people=3, computers=1)
    await house.matches.resign(house.press(room, 2))
    for seat in (2, 3):
        with pytest.raises(Refused, match="no person in that seat"):
            await propose(house, room, ANA, "remove", seat=seat)
    with pytest.raises(Refused, match="/resign"):
        await propose(house, room, ANA, "remove", seat=0)


# Who may ask and answer.


async def test_strangers_resigned_players_and_invalid_votes_are_refused(house: House) -> None:
    room = await house.start_match(people=4, computers=0)
    vote = await propose(house, room, ANA, "end")
    await house.matches.resign(house.press(room, 3))
    refusals = [
        (say(house, vote, EVE, "yes"), "match's players can vote"),
        (say(house, vote, DAG, "yes"), "gave up"),
        (say(house, vote, BEA, "maybe"), "out of date"),
        (say(house, vote, ANA, "yes"), "already your vote"),
        (propose(house, room, EVE, "end"), "don't have a seat"),
        (propose(house, room, DAG, "pause"), "don't have a seat"),
        (say(house, Vote(**fields(vote, number=9)), BEA, "yes"), "no such vote"),
    ]
    for deed, why in refusals:
        with pytest.raises((Refused, NotFound), match=why):
            await deed
    assert (await now(house, vote)).said == {ANA.id: "yes"}


async def test_a_voter_may_change_their_mind_until_the_decision(house: House) -> None:
    room = await house.start_match(people=4)
    vote = await propose(house, room, ANA, "pause")
    await say(house, vote, ANA, "no")
    await say(house, vote, BEA, "yes")
    await say(house, vote, ANA, "yes")
    vote = await say(house, vote, CEM, "yes")
    assert vote.outcome == "yes" and await status(house, room) is Status.ON_HOLD
    with pytest.raises(Refused, match="is over"):
        await say(house, vote, CEM, "no")


async def test_repeating_an_open_question_counts_as_a_yes(house: House) -> None:
    room = await house.start_match(people=3)
    first = await propose(house, room, ANA, "pause")
    second = await propose(house, room, BEA, "pause")
    assert second.number == first.number and second.outcome == "yes"


async def test_votes_about_different_players_can_be_open_at_once(house: House) -> None:
    room = await house.start_match(people=4)
    first = await propose(house, room, ANA, "remove", seat=1)
    second = await propose(house, room, ANA, "remove", seat=2)
    assert first.number != second.number
    await say(house, second, DAG, "yes")
    assert (await now(house, first)).is_open
    # Of the others of the first only Dag is left besides Ana.
    await say(house, first, DAG, "yes")
    assert [chair.id for chair in (await house.matches.find(room.record.id)).record.chairs] == [
        ANA.id,
        0,
        0,
        DAG.id,
    ]


async def test_a_lobby_and_a_finished_match_have_nothing_to_vote_on(house: House) -> None:
    lobby = await house.matches.open_lobby("toy", {}, (await house.start_match()).record.place, ANA)
    with pytest.raises(Refused, match="isn't being played"):
        await propose(house, lobby, ANA, "pause")
    room = await house.play_out(await house.start_match(people=2))
    for kind in ("pause", "resume", "end", "remove"):
        with pytest.raises(Refused, match="isn't being played"):
            await propose(house, room, ANA, kind, seat=1)


async def test_a_match_that_cannot_post_cannot_vote(house: House) -> None:
    room = await house.start_match(people=2)
    await house.matches.pause(room.record.id, "gone")
    with pytest.raises(Refused, match="/game resume"):
        await propose(house, room, ANA, "end")


# Time, restarts, and what happens meanwhile.


async def test_a_vote_expires_and_silence_is_not_consent(house: House) -> None:
    room = await house.start_match(people=4)
    vote = await propose(house, room, ANA, "pause")
    await say(house, vote, BEA, "yes")
    await house.restart()
    await house.advance(VOTE_SECONDS - 1)
    assert (await now(house, vote)).is_open
    await house.advance(2)
    assert (await now(house, vote)).outcome == "no"
    assert await status(house, room) is Status.RUNNING
    assert await house.matches.store.read(
        queries.next_job_at, own=house.matches.store.own
    ) is None or not [
        due
        for due in await house.matches.store.read(queries.jobs, room.record.id)
        if due.kind == "vote"
    ]


async def test_downtime_extends_open_votes(house: House) -> None:
    room = await house.start_match(people=3)
    vote = await propose(house, room, ANA, "pause")
    await house.stop_for(7 * DAY)
    await house.matches.scheduler.run_due()
    assert (await now(house, vote)).is_open
    await house.advance(VOTE_SECONDS + 1)
    assert (await now(house, vote)).outcome == "no"


async def test_a_vote_closes_when_it_has_become_pointless(
    house: House,
) -> None:
    room = await house.start_match(people=4)
    end = await propose(house, room, ANA, "end")
    remove = await propose(house, room, ANA, "remove", seat=1)
    pause = await propose(house, room, ANA, "pause")
    await house.matches.resign(house.press(room, 1))
    gone = await now(house, remove)
    assert gone.outcome == ballot.VOID and "no person in that seat" in gone.why
    await house.matches.resign(house.press(room, 2))
    # Ana and Dag are left: Ana's yes is no majority of two.
    assert (await now(house, pause)).is_open
    assert (await now(house, end)).is_open
    await house.matches.resign(house.press(room, 3))
    for vote in (end, pause):
        assert (await now(house, vote)).outcome == ballot.VOID
    assert [vote.told for vote in await house.matches.votes.unannounced(room.record.id)] == [
        False
    ] * 3


async def test_a_leaver_no_longer_counts_which_may_decide_a_vote(house: House) -> None:
    room = await house.start_match(people=4)
    vote = await propose(house, room, ANA, "end")
    await say(house, vote, BEA, "yes")
    await say(house, vote, CEM, "yes")
    await house.matches.resign(house.press(room, 3))
    assert (await now(house, vote)).outcome == "yes"
    assert await status(house, room) is Status.CALLED_OFF


# Many at once.


async def test_fifty_votes_at_once_give_one_result(house: House) -> None:
    room = await house.start_match(people=4)
    vote = await propose(house, room, ANA, "pause")
    people = [*PEOPLE, *(Person(200 + n, f"Guest {n}") for n in range(46))]
    presses = [say(house, vote, who, ("yes", "no")[n % 2]) for n, who in enumerate(people)]
    moves = [house.pick(room, playing(room).waiting_for()[0]) for _ in range(10)]
    came = await asyncio.gather(*presses, *moves, return_exceptions=True)
    assert all(
        isinstance(one, BotError | IllegalAnswer) for one in came if isinstance(one, Exception)
    )
    after = await now(house, vote)
    assert set(after.said) <= {person.id for person in PEOPLE}
    # Ana yes, Bea no, Cem yes, Dag no: a tie, decided once.
    assert after.outcome == "no" and await status(house, room) is Status.RUNNING
    ended = [one for one in came[:50] if isinstance(one, Vote) and not one.is_open]
    assert len(ended) == 1


async def test_a_repeated_interaction_votes_once(house: House) -> None:
    room = await house.start_match(people=4)
    votes = house.matches.votes
    first = await votes.propose(room.record.id, ANA, "pause", {}, 77)
    again = await votes.propose(room.record.id, ANA, "pause", {}, 77)
    assert again == first
    assert len(await house.matches.store.read(vote_queries.votes, room.record.id)) == 1
    one, other = [await votes.cast(room.record.id, 1, BEA.id, "yes", 78) for _ in range(2)]
    assert one == other and one.said == {ANA.id: "yes", BEA.id: "yes"}
