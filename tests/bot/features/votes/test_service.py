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
from tests.bot.backend import ANA, BEA, CEM, DAG, PEOPLE, Backend, match_of

EVE = Person(99, "Eve")


async def propose(backend: Backend, room: Room, by: Person, kind: str, **facts: Any) -> Vote:
    """Start a vote of this kind."""
    return await backend.matches.votes.propose(
        room.record.id, by, kind, facts, next(backend.interactions)
    )


async def cast(backend: Backend, vote: Vote, who: Person, option: str) -> Vote:
    """Cast somebody's vote, and return the vote as it is then."""
    return await backend.matches.votes.cast(
        vote.match, vote.number, who.id, option, next(backend.interactions)
    )


async def reload_vote(backend: Backend, vote: Vote) -> Vote:
    """Return the current state of a vote."""
    return await backend.matches.votes.find(vote.match, vote.number)


async def status_of(backend: Backend, room: Room) -> Status:
    """Return the current status of a match."""
    return (await backend.matches.find(room.record.id)).record.status


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


async def test_a_majority_pauses_a_match_and_moves_are_refused(backend: Backend) -> None:
    room = await backend.start_match(people=3)
    vote = await propose(backend, room, ANA, "pause")
    assert vote.is_open and await status_of(backend, room) is Status.RUNNING
    assert (await cast(backend, vote, BEA, "yes")).outcome == "yes"
    assert await status_of(backend, room) is Status.ON_HOLD
    with pytest.raises(Refused, match="agreed to a break"):
        await backend.pick(room, match_of(room).waiting_for()[0])
    with pytest.raises(Refused, match="already paused"):
        await propose(backend, room, CEM, "pause")


async def test_a_tie_means_go_on(backend: Backend) -> None:
    room = await backend.start_match(people=2)
    vote = await cast(backend, await propose(backend, room, ANA, "pause"), BEA, "no")
    assert vote.outcome == "no" and await status_of(backend, room) is Status.RUNNING
    await cast(backend, await propose(backend, room, BEA, "pause"), ANA, "yes")
    assert await status_of(backend, room) is Status.ON_HOLD
    vote = await propose(backend, room, ANA, "resume")
    assert vote.is_open, "the other is heard first"
    assert (await cast(backend, vote, BEA, "no")).outcome == "yes"
    assert await status_of(backend, room) is Status.RUNNING


async def test_a_match_paused_by_vote_is_not_resumed_by_moving_it(backend: Backend) -> None:
    room = await backend.start_match(people=1, computers=1)
    await propose(backend, room, ANA, "pause")
    paused = await backend.matches.pause(room.record.id, "gone")
    assert paused.record.status is Status.ON_HOLD and "gone" in paused.why_paused
    assert (
        await backend.matches.select(queries.matches_unable_to_post, own=backend.matches.store.own)
    )[0].record.id == room.record.id
    moved = await backend.matches.move(room.record.id, room.record.place)
    assert moved.record.status is Status.ON_HOLD and "agreed" in moved.why_paused


async def test_resuming_posts_the_turn_again_and_lets_computers_move(backend: Backend) -> None:
    room = await backend.start_match(people=2)
    (first,) = await backend.matches.pending_posts()
    await backend.matches.note_post(first, 5)
    await cast(backend, await propose(backend, room, ANA, "pause"), BEA, "yes")
    await cast(backend, await propose(backend, room, ANA, "resume"), BEA, "yes")
    (again,) = await backend.matches.pending_posts()
    assert (again.since, again.number) == (first.since, first.number)
    assert again.id != first.id


async def test_ending_a_match_needs_everyone_s_consent(backend: Backend) -> None:
    room = await backend.start_match(people=3)
    vote = await propose(backend, room, ANA, "end")
    await cast(backend, vote, BEA, "yes")
    assert await status_of(backend, room) is Status.RUNNING
    assert (await cast(backend, vote, CEM, "yes")).outcome == "yes"
    ended = await backend.matches.find(room.record.id)
    assert ended.record.status is Status.CALLED_OFF
    assert ended.record.result_unannounced
    assert match_of(ended).outcome is None
    assert await backend.matches.of_user(ANA.id) == []
    for deed in (
        backend.pick(room, match_of(room).waiting_for()[0]),
        backend.matches.resign(backend.press(room, 0)),
    ):
        with pytest.raises(Refused, match="without a result"):
            await deed
    with pytest.raises(Refused, match="isn't being played"):
        await propose(backend, room, ANA, "pause")


async def test_one_no_keeps_a_match_going_and_the_vote_cannot_be_repeated_at_once(
    backend: Backend,
) -> None:
    room = await backend.start_match(people=3)
    vote = await propose(backend, room, ANA, "end")
    assert (await cast(backend, vote, CEM, "no")).outcome == "no"
    with pytest.raises(Refused, match="tomorrow"):
        await propose(backend, room, ANA, "end")
    assert (await propose(backend, room, BEA, "end")).is_open, "somebody else may ask"
    await cast(backend, await reload_vote(backend, Vote(**fields_of(vote, number=2))), ANA, "no")
    await backend.advance(ASK_AGAIN_SECONDS + 1)
    assert (await propose(backend, room, ANA, "end")).is_open


def fields_of(vote: Vote, **changes: Any) -> dict[str, Any]:
    """Return the fields of a vote by name, with some changed."""
    return {name: getattr(vote, name) for name in vote.__struct_fields__} | changes


async def test_a_solo_player_decides_alone(backend: Backend) -> None:
    room = await backend.start_match(people=1, computers=1)
    assert (await propose(backend, room, ANA, "pause")).outcome == "yes"
    assert (await propose(backend, room, ANA, "resume")).outcome == "yes"
    assert (await propose(backend, room, ANA, "end")).outcome == "yes"
    assert await status_of(backend, room) is Status.CALLED_OFF


async def test_a_paused_match_can_be_resigned_from(backend: Backend) -> None:
    room = await backend.start_match(people=3)
    await cast(backend, await propose(backend, room, ANA, "pause"), BEA, "yes")
    await backend.matches.resign(backend.press(room, 2))
    after = await backend.matches.find(room.record.id)
    assert after.record.status is Status.ON_HOLD and match_of(after).resigned == {2}
    await backend.matches.resign(backend.press(room, 1))
    assert await status_of(backend, room) is Status.FINISHED
    lost = await backend.start_match(people=2)
    await backend.matches.pause(lost.record.id, "gone")
    await backend.matches.resign(backend.press(lost, 0))
    assert await status_of(backend, lost) is Status.FINISHED


# Somebody is sent away.


async def test_a_majority_of_the_others_removes_a_player(backend: Backend) -> None:
    room = await backend.start_match(people=4)
    vote = await propose(backend, room, ANA, "remove", seat=1)
    with pytest.raises(Refused, match="about you"):
        await cast(backend, vote, BEA, "no")
    await cast(backend, vote, CEM, "no")
    assert (await reload_vote(backend, vote)).is_open
    assert (await cast(backend, vote, DAG, "yes")).outcome == "yes"
    after = await backend.matches.find(room.record.id)
    assert after.record.chairs[1] == Person(COMPUTER, "Bea", after.record.terms.stand_in)
    assert after.seat_of(BEA.id) is None
    assert Seat(1) not in match_of(after).humans()
    assert await backend.matches.of_user(BEA.id) == []
    with pytest.raises(Refused, match="don't have a seat"):
        await backend.matches.resign(backend.press(room, 1))
    kept = await backend.reopen(room)
    assert kept.record.chairs == after.record.chairs
    assert match_of(kept).humans() == (0, 2, 3)
    done = await backend.play_out(kept)
    assert done.record.status is Status.FINISHED


async def test_a_removed_host_is_replaced(backend: Backend) -> None:
    room = await backend.start_match(people=3)
    vote = await propose(backend, room, BEA, "remove", seat=0)
    await cast(backend, vote, CEM, "yes")
    assert (await backend.matches.find(room.record.id)).record.host == BEA.id


async def test_one_person_alone_cannot_remove_another(backend: Backend) -> None:
    """At a table of two, only an absent player can be removed who has not come back by the end."""
    room = await backend.start_match("blue_lagoon", people=2)
    seat = match_of(room).waiting_for()[0]
    absent, other = PEOPLE[seat], PEOPLE[1 - seat]
    with pytest.raises(Refused, match="only two people"):
        await propose(backend, room, other, "remove", seat=seat)
    await backend.advance(15 * DAY)
    with pytest.raises(Refused, match="only two people"):
        await propose(backend, room, absent, "remove", seat=1 - seat)
    vote = await propose(backend, room, other, "remove", seat=seat)
    assert vote.is_open
    await backend.take_turn(room, seat)
    back = await reload_vote(backend, vote)
    assert back.outcome == ballot.VOID and "back" in back.why
    await backend.advance(VOTE_SECONDS + 1)
    assert (await backend.matches.find(room.record.id)).record.chairs == room.record.chairs


async def test_an_absent_player_at_a_table_of_two_is_removed_after_the_deadline(
    backend: Backend,
) -> None:
    room = await backend.start_match(people=2)
    seat = match_of(room).waiting_for()[0]
    vote = await propose(backend, room, PEOPLE[1 - seat], "remove", seat=seat, absent="left")
    await backend.advance(VOTE_SECONDS - 10)
    assert (await reload_vote(backend, vote)).is_open
    await backend.advance(20)
    assert (await reload_vote(backend, vote)).outcome == "yes"
    assert (await backend.matches.find(room.record.id)).record.chairs[seat].id == COMPUTER


async def test_a_player_thought_absent_only_has_to_press(backend: Backend) -> None:
    room = await backend.start_match(people=2)
    vote = await propose(backend, room, ANA, "remove", seat=1, absent="left")
    assert (await cast(backend, vote, BEA, "no")).outcome == ballot.VOID
    assert (await backend.matches.find(room.record.id)).record.chairs == room.record.chairs


async def test_being_present_does_not_stop_a_majority(
    backend: Backend,
) -> None:
    room = await backend.start_match(people=3)
    vote = await propose(backend, room, ANA, "remove", seat=1, absent="left")
    with pytest.raises(Refused, match="about you"):
        await cast(backend, vote, BEA, "no")
    # Even with another reason, the second vote asks the same question.
    assert (await propose(backend, room, CEM, "remove", seat=1)).outcome == "yes"


@pytest.mark.parametrize("seat", [-1, 7, "x", None, 1.5])
async def test_an_unknown_seat_is_refused(backend: Backend, seat: Any) -> None:
    room = await backend.start_match(people=3)
    with pytest.raises(Refused, match="no person in that seat"):
        await propose(backend, room, ANA, "remove", seat=seat)


async def test_computers_resigned_players_and_oneself_cannot_be_removed(backend: Backend) -> None:
    room = await backend.start_match(people=3, computers=1)
    await backend.matches.resign(backend.press(room, 2))
    for seat in (2, 3):
        with pytest.raises(Refused, match="no person in that seat"):
            await propose(backend, room, ANA, "remove", seat=seat)
    with pytest.raises(Refused, match="/resign"):
        await propose(backend, room, ANA, "remove", seat=0)


# Who may ask and answer.


async def test_strangers_resigned_players_and_invalid_votes_are_refused(backend: Backend) -> None:
    room = await backend.start_match(people=4, computers=0)
    vote = await propose(backend, room, ANA, "end")
    await backend.matches.resign(backend.press(room, 3))
    refusals = [
        (cast(backend, vote, EVE, "yes"), "match's players can vote"),
        (cast(backend, vote, DAG, "yes"), "gave up"),
        (cast(backend, vote, BEA, "maybe"), "out of date"),
        (cast(backend, vote, ANA, "yes"), "already your vote"),
        (propose(backend, room, EVE, "end"), "don't have a seat"),
        (propose(backend, room, DAG, "pause"), "don't have a seat"),
        (cast(backend, Vote(**fields_of(vote, number=9)), BEA, "yes"), "no such vote"),
    ]
    for deed, why in refusals:
        with pytest.raises((Refused, NotFound), match=why):
            await deed
    assert (await reload_vote(backend, vote)).said == {ANA.id: "yes"}


async def test_a_voter_may_change_their_mind_until_the_decision(backend: Backend) -> None:
    room = await backend.start_match(people=4)
    vote = await propose(backend, room, ANA, "pause")
    await cast(backend, vote, ANA, "no")
    await cast(backend, vote, BEA, "yes")
    await cast(backend, vote, ANA, "yes")
    vote = await cast(backend, vote, CEM, "yes")
    assert vote.outcome == "yes" and await status_of(backend, room) is Status.ON_HOLD
    with pytest.raises(Refused, match="is over"):
        await cast(backend, vote, CEM, "no")


async def test_repeating_an_open_question_counts_as_a_yes(backend: Backend) -> None:
    room = await backend.start_match(people=3)
    first = await propose(backend, room, ANA, "pause")
    second = await propose(backend, room, BEA, "pause")
    assert second.number == first.number and second.outcome == "yes"


async def test_votes_about_different_players_can_be_open_at_once(backend: Backend) -> None:
    room = await backend.start_match(people=4)
    first = await propose(backend, room, ANA, "remove", seat=1)
    second = await propose(backend, room, ANA, "remove", seat=2)
    assert first.number != second.number
    await cast(backend, second, DAG, "yes")
    assert (await reload_vote(backend, first)).is_open
    # Of the others of the first only Dag is left besides Ana.
    await cast(backend, first, DAG, "yes")
    assert [chair.id for chair in (await backend.matches.find(room.record.id)).record.chairs] == [
        ANA.id,
        0,
        0,
        DAG.id,
    ]


async def test_a_lobby_and_a_finished_match_have_nothing_to_vote_on(backend: Backend) -> None:
    lobby = await backend.matches.open_lobby(
        "toy", {}, (await backend.start_match()).record.place, ANA
    )
    with pytest.raises(Refused, match="isn't being played"):
        await propose(backend, lobby, ANA, "pause")
    room = await backend.play_out(await backend.start_match(people=2))
    for kind in ("pause", "resume", "end", "remove"):
        with pytest.raises(Refused, match="isn't being played"):
            await propose(backend, room, ANA, kind, seat=1)


async def test_a_match_that_cannot_post_cannot_vote(backend: Backend) -> None:
    room = await backend.start_match(people=2)
    await backend.matches.pause(room.record.id, "gone")
    with pytest.raises(Refused, match="/game resume"):
        await propose(backend, room, ANA, "end")


# Time, restarts, and what happens meanwhile.


async def test_a_vote_expires_and_silence_is_not_consent(backend: Backend) -> None:
    room = await backend.start_match(people=4)
    vote = await propose(backend, room, ANA, "pause")
    await cast(backend, vote, BEA, "yes")
    await backend.restart()
    await backend.advance(VOTE_SECONDS - 1)
    assert (await reload_vote(backend, vote)).is_open
    await backend.advance(2)
    assert (await reload_vote(backend, vote)).outcome == "no"
    assert await status_of(backend, room) is Status.RUNNING
    assert await backend.matches.store.read(
        queries.next_job_at, own=backend.matches.store.own
    ) is None or not [
        due
        for due in await backend.matches.store.read(queries.jobs, room.record.id)
        if due.kind == "vote"
    ]


async def test_downtime_extends_open_votes(backend: Backend) -> None:
    room = await backend.start_match(people=3)
    vote = await propose(backend, room, ANA, "pause")
    await backend.stop_for(7 * DAY)
    await backend.matches.scheduler.run_due()
    assert (await reload_vote(backend, vote)).is_open
    await backend.advance(VOTE_SECONDS + 1)
    assert (await reload_vote(backend, vote)).outcome == "no"


async def test_a_vote_closes_when_it_has_become_pointless(
    backend: Backend,
) -> None:
    room = await backend.start_match(people=4)
    end = await propose(backend, room, ANA, "end")
    remove = await propose(backend, room, ANA, "remove", seat=1)
    pause = await propose(backend, room, ANA, "pause")
    await backend.matches.resign(backend.press(room, 1))
    gone = await reload_vote(backend, remove)
    assert gone.outcome == ballot.VOID and "no person in that seat" in gone.why
    await backend.matches.resign(backend.press(room, 2))
    # Ana and Dag are left: Ana's yes is no majority of two.
    assert (await reload_vote(backend, pause)).is_open
    assert (await reload_vote(backend, end)).is_open
    await backend.matches.resign(backend.press(room, 3))
    for vote in (end, pause):
        assert (await reload_vote(backend, vote)).outcome == ballot.VOID
    assert [vote.told for vote in await backend.matches.votes.unannounced(room.record.id)] == [
        False
    ] * 3


async def test_a_leaver_no_longer_counts_which_may_decide_a_vote(backend: Backend) -> None:
    room = await backend.start_match(people=4)
    vote = await propose(backend, room, ANA, "end")
    await cast(backend, vote, BEA, "yes")
    await cast(backend, vote, CEM, "yes")
    await backend.matches.resign(backend.press(room, 3))
    assert (await reload_vote(backend, vote)).outcome == "yes"
    assert await status_of(backend, room) is Status.CALLED_OFF


# Many at once.


async def test_fifty_votes_at_once_give_one_result(backend: Backend) -> None:
    room = await backend.start_match(people=4)
    vote = await propose(backend, room, ANA, "pause")
    people = [*PEOPLE, *(Person(200 + n, f"Guest {n}") for n in range(46))]
    presses = [cast(backend, vote, who, ("yes", "no")[n % 2]) for n, who in enumerate(people)]
    moves = [backend.pick(room, match_of(room).waiting_for()[0]) for _ in range(10)]
    came = await asyncio.gather(*presses, *moves, return_exceptions=True)
    assert all(
        isinstance(one, BotError | IllegalAnswer) for one in came if isinstance(one, Exception)
    )
    after = await reload_vote(backend, vote)
    assert set(after.said) <= {person.id for person in PEOPLE}
    # Ana yes, Bea no, Cem yes, Dag no: a tie, decided once.
    assert after.outcome == "no" and await status_of(backend, room) is Status.RUNNING
    ended = [one for one in came[:50] if isinstance(one, Vote) and not one.is_open]
    assert len(ended) == 1


async def test_a_repeated_interaction_votes_once(backend: Backend) -> None:
    room = await backend.start_match(people=4)
    votes = backend.matches.votes
    first = await votes.propose(room.record.id, ANA, "pause", {}, 77)
    again = await votes.propose(room.record.id, ANA, "pause", {}, 77)
    assert again == first
    assert len(await backend.matches.store.read(vote_queries.votes, room.record.id)) == 1
    one, other = [await votes.cast(room.record.id, 1, BEA.id, "yes", 78) for _ in range(2)]
    assert one == other and one.said == {ANA.id: "yes", BEA.id: "yes"}
