"""Votes: who is asked, when they are decided, what comes of them, and what is refused."""

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
def test_a_rule_decides(
    rule: ballot.Rule, said: dict[str, int], asked: int, early: str, late: str
) -> None:
    counted = Counter(said)
    assert (rule(counted, asked, False), rule(counted, asked, True)) == (early, late)


# Pause, go on, end.


async def test_a_majority_pauses_and_a_paused_match_takes_no_move(house: House) -> None:
    room = await house.started(people=3)
    vote = await propose(house, room, ANA, "pause")
    assert vote.is_open and await status(house, room) is Status.RUNNING
    assert (await say(house, vote, BEA, "yes")).outcome == "yes"
    assert await status(house, room) is Status.ON_HOLD
    with pytest.raises(Refused, match="have agreed on it"):
        await house.pick(room, playing(room).waiting_for()[0])
    with pytest.raises(Refused, match="paused already"):
        await propose(house, room, CEM, "pause")


async def test_a_tie_means_go_on_whether_to_pause_or_to_resume(house: House) -> None:
    room = await house.started(people=2)
    vote = await say(house, await propose(house, room, ANA, "pause"), BEA, "no")
    assert vote.outcome == "no" and await status(house, room) is Status.RUNNING
    await say(house, await propose(house, room, BEA, "pause"), ANA, "yes")
    assert await status(house, room) is Status.ON_HOLD
    vote = await propose(house, room, ANA, "resume")
    assert vote.is_open, "the other is heard first"
    assert (await say(house, vote, BEA, "no")).outcome == "yes"
    assert await status(house, room) is Status.RUNNING


async def test_what_a_table_paused_is_not_resumed_by_another_place(house: House) -> None:
    room = await house.started(people=1, computers=1)
    await propose(house, room, ANA, "pause")
    paused = await house.matches.pause(room.record.id, "gone")
    assert paused.record.status is Status.ON_HOLD and "gone" in paused.why_paused
    assert (
        await house.matches.select(queries.matches_unable_to_post, own=house.matches.store.own)
    )[0].record.id == room.record.id
    moved = await house.matches.moved(room.record.id, room.record.place)
    assert moved.record.status is Status.ON_HOLD and "agreed" in moved.why_paused


async def test_to_resume_posts_the_turn_anew_and_lets_computers_move(house: House) -> None:
    room = await house.started(people=2)
    (first,) = await house.matches.due()
    await house.matches.note_post(first, 5)
    await say(house, await propose(house, room, ANA, "pause"), BEA, "yes")
    await say(house, await propose(house, room, ANA, "resume"), BEA, "yes")
    (again,) = await house.matches.due()
    assert (again.since, again.number) == (first.since, first.number) and again.id != first.id


async def test_all_must_agree_to_end_and_nobody_plays_on(house: House) -> None:
    room = await house.started(people=3)
    vote = await propose(house, room, ANA, "end")
    await say(house, vote, BEA, "yes")
    assert await status(house, room) is Status.RUNNING
    assert (await say(house, vote, CEM, "yes")).outcome == "yes"
    ended = await house.matches.find(room.record.id)
    assert (
        ended.record.status is Status.CALLED_OFF
        and ended.record.result_unannounced
        and playing(ended).outcome is None
    )
    assert await house.matches.of_user(ANA.id) == []
    for deed in (
        house.pick(room, playing(room).waiting_for()[0]),
        house.matches.resign(house.press(room, 0)),
    ):
        with pytest.raises(Refused, match="without a result"):
            await deed
    with pytest.raises(Refused, match="not being played"):
        await propose(house, room, ANA, "pause")


async def test_one_no_keeps_a_match_from_its_end_and_the_same_is_not_asked_at_once_again(
    house: House,
) -> None:
    room = await house.started(people=3)
    vote = await propose(house, room, ANA, "end")
    assert (await say(house, vote, CEM, "no")).outcome == "no"
    with pytest.raises(Refused, match="tomorrow"):
        await propose(house, room, ANA, "end")
    assert (await propose(house, room, BEA, "end")).is_open, "somebody else may ask"
    await say(house, await now(house, Vote(**fields(vote, number=2))), ANA, "no")
    await house.later(ASK_AGAIN_SECONDS + 1)
    assert (await propose(house, room, ANA, "end")).is_open


def fields(vote: Vote, **changes: Any) -> dict[str, Any]:
    return {name: getattr(vote, name) for name in vote.__struct_fields__} | changes


async def test_somebody_alone_with_computers_decides_alone(house: House) -> None:
    room = await house.started(people=1, computers=1)
    assert (await propose(house, room, ANA, "pause")).outcome == "yes"
    assert (await propose(house, room, ANA, "resume")).outcome == "yes"
    assert (await propose(house, room, ANA, "end")).outcome == "yes"
    assert await status(house, room) is Status.CALLED_OFF


async def test_a_paused_match_can_be_resigned_from(house: House) -> None:
    room = await house.started(people=3)
    await say(house, await propose(house, room, ANA, "pause"), BEA, "yes")
    await house.matches.resign(house.press(room, 2))
    after = await house.matches.find(room.record.id)
    assert after.record.status is Status.ON_HOLD and playing(after).resigned == {2}
    await house.matches.resign(house.press(room, 1))
    assert await status(house, room) is Status.FINISHED
    lost = await house.started(people=2)
    await house.matches.pause(lost.record.id, "gone")
    await house.matches.resign(house.press(lost, 0))
    assert await status(house, lost) is Status.FINISHED


# Somebody is sent away.


async def test_a_majority_of_the_others_removes_somebody_who_is_not_asked(house: House) -> None:
    room = await house.started(people=4)
    vote = await propose(house, room, ANA, "remove", seat=1)
    with pytest.raises(Refused, match="about you"):
        await say(house, vote, BEA, "no")
    await say(house, vote, CEM, "no")
    assert (await now(house, vote)).is_open
    assert (await say(house, vote, DAG, "yes")).outcome == "yes"
    after = await house.matches.find(room.record.id)
    assert after.record.chairs[1] == Person(COMPUTER, "Bea", after.record.terms.stand_in)
    assert after.seat_of(BEA.id) is None and Seat(1) not in playing(after).humans()
    assert await house.matches.of_user(BEA.id) == []
    with pytest.raises(Refused, match="no seat"):
        await house.matches.resign(house.press(room, 1))
    kept = await house.kept(room)
    assert kept.record.chairs == after.record.chairs and playing(kept).humans() == (0, 2, 3)
    done = await house.played_out(kept)
    assert done.record.status is Status.FINISHED


async def test_a_host_who_is_removed_hands_the_table_on(house: House) -> None:
    room = await house.started(people=3)
    vote = await propose(house, room, BEA, "remove", seat=0)
    await say(house, vote, CEM, "yes")
    assert (await house.matches.find(room.record.id)).record.host == BEA.id


async def test_nobody_is_removed_by_one_persons_whim(house: House) -> None:
    """At a table of two only somebody who is away, and only when they have not come back by the
    end.
    """
    room = await house.started("blue_lagoon", people=2)
    seat = playing(room).waiting_for()[0]
    absent, other = PEOPLE[seat], PEOPLE[1 - seat]
    with pytest.raises(Refused, match="alone"):
        await propose(house, room, other, "remove", seat=seat)
    await house.later(15 * DAY)
    with pytest.raises(Refused, match="alone"):
        await propose(house, room, absent, "remove", seat=1 - seat)
    vote = await propose(house, room, other, "remove", seat=seat)
    assert vote.is_open
    await house.turn(room, seat)
    back = await now(house, vote)
    assert back.outcome == ballot.VOID and "back" in back.why
    await house.later(VOTE_SECONDS + 1)
    assert (await house.matches.find(room.record.id)).record.chairs == room.record.chairs


async def test_somebody_absent_at_a_table_of_two_is_removed_when_the_time_is_over(
    house: House,
) -> None:
    room = await house.started(people=2)
    seat = playing(room).waiting_for()[0]
    vote = await propose(house, room, PEOPLE[1 - seat], "remove", seat=seat, absent="left")
    await house.later(VOTE_SECONDS - 10)
    assert (await now(house, vote)).is_open
    await house.later(20)
    assert (await now(house, vote)).outcome == "yes"
    assert (await house.matches.find(room.record.id)).record.chairs[seat].id == COMPUTER


async def test_somebody_thought_absent_has_only_to_press(house: House) -> None:
    room = await house.started(people=2)
    vote = await propose(house, room, ANA, "remove", seat=1, absent="left")
    assert (await say(house, vote, BEA, "no")).outcome == ballot.VOID
    assert (await house.matches.find(room.record.id)).record.chairs == room.record.chairs


async def test_where_a_majority_may_remove_somebody_being_there_does_not_stop_it(
    house: House,
) -> None:
    room = await house.started(people=3)
    vote = await propose(house, room, ANA, "remove", seat=1, absent="left")
    with pytest.raises(Refused, match="about you"):
        await say(house, vote, BEA, "no")
    # Whatever reason the second has, it is the same question.
    assert (await propose(house, room, CEM, "remove", seat=1)).outcome == "yes"


@pytest.mark.parametrize("seat", [-1, 7, "x", None, 1.5])
async def test_a_seat_that_is_none_is_refused(house: House, seat: Any) -> None:
    room = await house.started(people=3)
    with pytest.raises(Refused, match="No person sits there"):
        await propose(house, room, ANA, "remove", seat=seat)


async def test_computers_those_who_resigned_and_oneself_cannot_be_removed(house: House) -> None:
    room = await house.started(people=3, computers=1)
    await house.matches.resign(house.press(room, 2))
    for seat in (2, 3):
        with pytest.raises(Refused, match="No person sits there"):
            await propose(house, room, ANA, "remove", seat=seat)
    with pytest.raises(Refused, match="/resign"):
        await propose(house, room, ANA, "remove", seat=0)


# Who may ask and answer.


async def test_strangers_those_who_resigned_and_foolish_presses_are_refused(house: House) -> None:
    room = await house.started(people=4, computers=0)
    vote = await propose(house, room, ANA, "end")
    await house.matches.resign(house.press(room, 3))
    refusals = [
        (say(house, vote, EVE, "yes"), "for those who play"),
        (say(house, vote, DAG, "yes"), "given up"),
        (say(house, vote, BEA, "maybe"), "another time"),
        (say(house, vote, ANA, "yes"), "said that already"),
        (propose(house, room, EVE, "end"), "no seat"),
        (propose(house, room, DAG, "pause"), "no seat"),
        (say(house, Vote(**fields(vote, number=9)), BEA, "yes"), "no such vote"),
    ]
    for deed, why in refusals:
        with pytest.raises((Refused, NotFound), match=why):
            await deed
    assert (await now(house, vote)).said == {ANA.id: "yes"}


async def test_one_may_change_ones_mind_until_it_is_decided(house: House) -> None:
    room = await house.started(people=4)
    vote = await propose(house, room, ANA, "pause")
    await say(house, vote, ANA, "no")
    await say(house, vote, BEA, "yes")
    await say(house, vote, ANA, "yes")
    vote = await say(house, vote, CEM, "yes")
    assert vote.outcome == "yes" and await status(house, room) is Status.ON_HOLD
    with pytest.raises(Refused, match="closed"):
        await say(house, vote, CEM, "no")


async def test_to_ask_what_is_being_asked_is_a_yes_to_it(house: House) -> None:
    room = await house.started(people=3)
    first = await propose(house, room, ANA, "pause")
    second = await propose(house, room, BEA, "pause")
    assert second.number == first.number and second.outcome == "yes"


async def test_votes_about_different_people_are_open_at_once(house: House) -> None:
    room = await house.started(people=4)
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
    lobby = await house.matches.open_lobby("toy", {}, (await house.started()).record.place, ANA)
    with pytest.raises(Refused, match="not being played"):
        await propose(house, lobby, ANA, "pause")
    room = await house.played_out(await house.started(people=2))
    for kind in ("pause", "resume", "end", "remove"):
        with pytest.raises(Refused, match="not being played"):
            await propose(house, room, ANA, kind, seat=1)


async def test_what_cannot_post_cannot_ask(house: House) -> None:
    room = await house.started(people=2)
    await house.matches.pause(room.record.id, "gone")
    with pytest.raises(Refused, match="/game resume"):
        await propose(house, room, ANA, "end")


# Time, restarts, and what happens meanwhile.


async def test_a_vote_ends_in_time_and_silence_is_no_consent(house: House) -> None:
    room = await house.started(people=4)
    vote = await propose(house, room, ANA, "pause")
    await say(house, vote, BEA, "yes")
    await house.restart()
    await house.later(VOTE_SECONDS - 1)
    assert (await now(house, vote)).is_open
    await house.later(2)
    assert (await now(house, vote)).outcome == "no" and await status(house, room) is Status.RUNNING
    assert await house.matches.store.read(
        queries.next_job_at, own=house.matches.store.own
    ) is None or not [
        due
        for due in await house.matches.store.read(queries.jobs, room.record.id)
        if due.kind == "vote"
    ]


async def test_nobody_loses_time_to_vote_because_the_bot_was_away(house: House) -> None:
    room = await house.started(people=3)
    vote = await propose(house, room, ANA, "pause")
    await house.down(7 * DAY)
    await house.matches.scheduler.run_due()
    assert (await now(house, vote)).is_open
    await house.later(VOTE_SECONDS + 1)
    assert (await now(house, vote)).outcome == "no"


async def test_a_vote_closes_when_the_match_is_over_or_what_it_asks_has_come_about(
    house: House,
) -> None:
    room = await house.started(people=4)
    end = await propose(house, room, ANA, "end")
    remove = await propose(house, room, ANA, "remove", seat=1)
    pause = await propose(house, room, ANA, "pause")
    await house.matches.resign(house.press(room, 1))
    gone = await now(house, remove)
    assert gone.outcome == ballot.VOID and "No person sits there" in gone.why
    await house.matches.resign(house.press(room, 2))
    # Ana and Dag are left: Ana's yes is no majority of two.
    assert (await now(house, pause)).is_open and (await now(house, end)).is_open
    await house.matches.resign(house.press(room, 3))
    for vote in (end, pause):
        assert (await now(house, vote)).outcome == ballot.VOID
    assert [vote.told for vote in await house.matches.votes.unannounced(room.record.id)] == [
        False
    ] * 3


async def test_who_leaves_counts_no_more_and_a_vote_may_be_decided_by_it(house: House) -> None:
    room = await house.started(people=4)
    vote = await propose(house, room, ANA, "end")
    await say(house, vote, BEA, "yes")
    await say(house, vote, CEM, "yes")
    await house.matches.resign(house.press(room, 3))
    assert (await now(house, vote)).outcome == "yes" and await status(
        house, room
    ) is Status.CALLED_OFF


# Many at once.


async def test_fifty_voices_at_once_come_to_one_result(house: House) -> None:
    room = await house.started(people=4)
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


async def test_a_repeated_interaction_is_done_once(house: House) -> None:
    room = await house.started(people=4)
    votes = house.matches.votes
    first = await votes.propose(room.record.id, ANA, "pause", {}, 77)
    again = await votes.propose(room.record.id, ANA, "pause", {}, 77)
    assert (
        again == first
        and len(await house.matches.store.read(vote_queries.votes, room.record.id)) == 1
    )
    one, other = [await votes.cast(room.record.id, 1, BEA.id, "yes", 78) for _ in range(2)]
    assert one == other and one.said == {ANA.id: "yes", BEA.id: "yes"}
