"""Turns taken back and matches rewound, on a real database."""

from random import Random

import pytest

from bot.features.reminders.rules import REMIND
from bot.features.rewind import REWIND, fingerprint
from bot.features.votes.rules import VOID
from bot.kernel import queries
from bot.kernel.room import Press, Room
from bot.model import Pace, Status, Terms, TimeTerms, Vote
from bot.posts import turn_message
from bot.runtime.base import HOUR, Refused
from engine import IllegalAnswer, Seat, commitment
from engine.core.transcript import replay
from engine.players.simple import stand_in
from tests.bot.backend import ALL_GAMES, ANA, BEA, PEOPLE, PLACE, Backend, match_of
from tests.bot.backend import question_of as asked_at
from tests.bot.kernel.test_announcements import post_all
from tests.bot.tables import check_rows
from tests.bot.world import World

GAMES = ["blue_lagoon", "maori", "polynesia", "conquest", "toy"]


async def undo(backend: Backend, room: Room, seat: int) -> Room:
    """Undo a seat's last turn by command."""
    return (await backend.matches.undo(backend.press(room, seat))).room


async def propose_rewind(backend: Backend, room: Room, to: int, who: int = 0) -> Vote:
    """Start a vote on a rewind to this commit."""
    facts = {"to": to, "at": fingerprint(match_of(room)), "before": "", "undone": "", "number": 1}
    return await backend.matches.votes.propose(
        room.record.id, PEOPLE[who], REWIND, facts, next(backend.interactions)
    )


async def agree(backend: Backend, vote: Vote, *others: int) -> Vote:
    """Let these people vote yes, and return the vote."""
    for who in others:
        vote = await backend.matches.votes.cast(
            vote.match, vote.number, PEOPLE[who].id, "yes", next(backend.interactions)
        )
    return vote


async def test_taking_a_turn_back_restores_the_draft_and_updates_the_post(
    backend: Backend,
) -> None:
    room = await backend.start_match("blue_lagoon", people=3)
    await post_all(backend)
    drafted = (await backend.pick(room, 0)).room
    answers = match_of(drafted).draft(Seat(0)).answers
    made = (await backend.matches.confirm(backend.press(drafted, 0))).room
    assert await post_all(backend, message=7) == [(0, 1)]
    press = backend.press(made, 0)
    back = (await backend.matches.undo(press)).room
    again = await backend.matches.undo(press)
    assert match_of(again.room) == match_of(back), (
        "the same press delivered again changes nothing more"
    )
    match = match_of(back)
    assert match.base == match_of(drafted).base and match.waiting_for() == (0,)
    assert match.draft(Seat(0)).answers == answers and match.number == 2
    (due,) = await backend.matches.pending_posts()
    post = await backend.matches.post_of(due)
    message = turn_message.message(post)
    assert "Ana took back their last turn." in message.content
    assert message.pings == ()
    assert post.newly == ()
    reminded = [
        due.user
        for due in await backend.matches.store.read(queries.jobs, room.record.id)
        if due.kind == REMIND
    ]
    assert reminded == [ANA.id], "Bea is called to nothing any more"
    kept = await backend.reopen(back)
    assert match_of(kept) == match
    bea = await backend.matches.undo(backend.press(back, 1, turn=match_of(made).turn(Seat(1))))
    stale = await backend.matches.confirm(
        backend.press(back, 0, turn=match_of(drafted).turn(Seat(0)))
    )
    assert bea.stale and stale.stale, "buttons of before"
    room = (await backend.matches.confirm(backend.press(back, 0))).room
    assert match_of(room).base == match_of(made).base


async def test_a_pending_post_is_withdrawn(backend: Backend) -> None:
    room = await backend.start_match("blue_lagoon")
    await post_all(backend)
    room = (await backend.take_turn(room, 0)).room
    await undo(backend, room, 0)
    (due,) = await backend.matches.pending_posts()
    assert (due.since, due.number) == (0, 2), "nobody is called for the turn that is gone"


async def test_a_secret_answer_is_taken_back_silently(backend: Backend) -> None:
    room = await backend.start_match("toy", people=3)
    await post_all(backend)
    room = (await backend.take_turn(room, 0)).room
    room = (await backend.pick(room, 1)).room
    back = await undo(backend, room, 0)
    assert await backend.matches.pending_posts() == []
    assert match_of(back).waiting_for() == (0, 1, 2)
    assert match_of(back).draft(Seat(0)).answers
    assert match_of(back).draft(Seat(1)).answers == match_of(room).draft(Seat(1)).answers, (
        "Bea's draft is hers"
    )


async def test_a_turn_that_others_acted_on_or_saw_cannot_be_taken_back(
    backend: Backend,
) -> None:
    room = await backend.start_match("toy")
    with pytest.raises(Refused, match="nothing"):
        await undo(backend, room, 0)
    room = (await backend.take_turn(room, 0)).room
    room = (await backend.take_turn(room, 1)).room
    with pytest.raises(Refused, match=r"secret choices have been revealed.*/rewind"):
        await undo(backend, room, 1)
    with pytest.raises(Refused, match=r"moved since.*/rewind"):
        await undo(backend, room, 0)
    solo = await backend.start_match("blue_lagoon", people=1, computers=1)
    solo = (await backend.take_turn(solo, 0)).room
    with pytest.raises(Refused, match="moved since"):
        await undo(backend, solo, 0)


async def start_first_building(backend: Backend) -> Room:
    """Return a match of two at its first build lists."""
    room = await backend.start_match("conquest", people=2)
    while asked_at(match_of(room), match_of(room).waiting_for()[0]).kind != "build_item":
        seat = match_of(room).waiting_for()[0]
        ending = asked_at(match_of(room), seat).ending()
        room = (await backend.pick(room, seat, *((ending.key,) if ending else ()))).room
        if match_of(room).draft(seat).answers:
            room = (await backend.matches.confirm(backend.press(room, seat))).room
    return room


async def build(backend: Backend, room: Room, seat: int, *keys: str) -> Room:
    """Pick these items for a seat's build list, and confirm it."""
    for key in keys:
        room = (await backend.pick(room, seat, key)).room
    return (await backend.matches.confirm(backend.press(room, seat))).room


async def test_a_revealed_card_cannot_be_taken_back(backend: Backend) -> None:
    room = await start_first_building(backend)
    for seat in (0, 1):
        room = await build(backend, room, seat, "card", "peek", "done")
    with pytest.raises(Refused, match="secret choices have been revealed"):
        await undo(backend, room, 1)
    card = asked_at(match_of(room), Seat(0)).options[0].key
    assert card != "keep"
    shown = await build(backend, room, 0, card)
    with pytest.raises(Refused, match=r"showed the others something.*/rewind"):
        await undo(backend, shown, 0)
    assert card in [held.key for held in match_of(shown).base.nations[0].hand if held.up]


async def test_a_build_list_cannot_be_taken_back_once_the_other_is_known(backend: Backend) -> None:
    room = await start_first_building(backend)
    ahead = await build(backend, room, 0, "done")
    back = await undo(backend, ahead, 0)
    assert match_of(back).base == match_of(room).base, "nobody has seen it yet"
    # The list is a draft again, and so to confirm is enough.
    both = await build(backend, await build(backend, back, 1, "done"), 0)
    with pytest.raises(Refused, match="secret choices have been revealed"):
        await undo(backend, both, 0)


async def test_a_draw_cannot_be_taken_back(backend: Backend) -> None:
    room = await backend.start_match("maori")
    while True:
        seat = match_of(room).waiting_for()[0]
        made = (await backend.take_turn(room, seat)).room
        if match_of(made).draws != match_of(room).draws:
            break
        room = made
    with pytest.raises(Refused, match="random result"):
        await undo(backend, made, seat)


async def test_own_turns_can_be_taken_back_one_by_one(backend: Backend) -> None:
    room = await backend.start_match("conquest", people=2)
    orders = [("set_loss_order", "bands"), ("set_course_order", "far")]
    start = match_of(room).base
    for kind, key in orders:
        room = (await backend.matches.pick(backend.press(room, 0), kind, (key,))).room
    for _ in orders:
        room = await undo(backend, room, 0)
    assert match_of(room).base == start
    assert match_of(room).moves == 0
    assert match_of(room).number == 4
    with pytest.raises(Refused, match="nothing"):
        await undo(backend, room, 0)


async def test_another_player_s_secret_order_is_not_betrayed(backend: Backend) -> None:
    room = await backend.start_match("conquest", people=2)
    room = (await backend.matches.pick(backend.press(room, 0), "set_loss_order", ("bands",))).room
    vote = await propose_rewind(backend, room, 0)
    room = (await backend.matches.pick(backend.press(room, 1), "set_course_order", ("far",))).room
    assert (await backend.matches.votes.find(room.record.id, vote.number)).is_open, (
        "nobody sees that anything happened"
    )
    room = await undo(backend, room, 0)
    ana, bea = match_of(room).base.nations[:2]
    assert ana.losses != "bands" and bea.course == "far", "and Bea keeps what she has ordered"
    assert match_of(room).number == 4 and match_of(room).moves == 1


async def test_a_rewind_needs_everyone_s_consent_and_reseeds_the_dice(backend: Backend) -> None:
    room = await backend.start_match("maori", people=3)
    start = room
    for _ in range(5):
        room = (await backend.take_turn(room, match_of(room).waiting_for()[0])).room
    await post_all(backend)
    points = await backend.matches.rewinds.points(room)
    assert [point.number for point in points] == [4, 3, 2, 1, 0]
    assert all(point.events for point in points)
    vote = await propose_rewind(backend, room, 1)
    vote = await agree(backend, vote, 1)
    assert vote.is_open
    assert match_of(await backend.matches.find(room.record.id)).number == 5
    vote = await agree(backend, vote, 2)
    after = await backend.matches.find(room.record.id)
    assert vote.outcome == "yes" and match_of(after).moves == 1 and not match_of(after).drafts
    assert match_of(after).base == match_of(await backend.matches.rewinds.at(room, 1)).base
    first, second = after.record.commitment.split()
    assert first == start.record.commitment
    assert second == commitment(room.record.id, match_of(after).dice)
    (due,) = await backend.matches.pending_posts()
    message = turn_message.message(await backend.matches.post_of(due))
    assert "went back to an earlier point" in message.content and "locked in" in message.content
    assert any(
        part.label == "Fairness" for row in message.rows if isinstance(row, tuple) for part in row
    )
    check_rows(message.rows)
    assert match_of(after).dice not in turn_message.fairness(after), "not before the end"
    for commit in await backend.matches.log(room.record.id, Seat(0)):
        assert not commit.seed
    over = await backend.play_out(await backend.reopen(after))
    proof = turn_message.fairness(over)
    assert match_of(over).seed in proof
    assert match_of(after).dice in proof
    assert first in proof
    assert second in proof
    text = await backend.matches.transcript(room.record.id)
    assert f"rewinds to 1 with seed {match_of(after).dice}" in text
    assert replay(text, ALL_GAMES).outcome == match_of(over).outcome


async def test_a_rewind_vote_is_void_once_the_match_moves_on(backend: Backend) -> None:
    room = await backend.start_match("blue_lagoon")
    room = (await backend.take_turn(room, 0)).room
    vote = await propose_rewind(backend, room, 0)
    await backend.take_turn(room, 1)
    vote = await backend.matches.votes.find(room.record.id, vote.number)
    assert vote.outcome == VOID and "moved on" in vote.why
    with pytest.raises(Refused):
        await agree(backend, vote, 1)


async def test_a_solo_player_rewinds_at_once(backend: Backend) -> None:
    room = await backend.start_match("blue_lagoon", people=1, computers=1)
    room = (await backend.take_turn(room, 0)).room
    assert match_of(room).number == 2
    vote = await propose_rewind(backend, room, 1)
    assert vote.outcome == "yes"
    await backend.matches.computers.wait(await backend.matches.find(room.record.id), 30)
    after = match_of(await backend.matches.find(room.record.id))
    assert after.waiting_for() == (0,) and after.moves == 2, "the computer has moved again"


async def test_the_time_used_is_given_back(backend: Backend) -> None:
    terms = Terms(time=TimeTerms(pace=Pace.QUICK))
    room = await backend.matches.open_lobby("blue_lagoon", {"first": "1"}, PLACE, ANA, terms=terms)
    await backend.matches.join(room.record.id, BEA)
    room = await backend.matches.start(room.record.id, ANA)
    clocks = backend.matches.clocks
    before = [clocks.seconds_left(room, Seat(seat)) for seat in (0, 1)]
    for seat in (0, 1):
        backend.clock.now += 5 * HOUR
        room = (await backend.take_turn(room, seat)).room
    await agree(backend, await propose_rewind(backend, room, 0), 1)
    room = await backend.matches.find(room.record.id)
    assert [clocks.seconds_left(room, Seat(seat)) for seat in (0, 1)] == before
    assert clocks.deadline(room, Seat(0))
    assert not clocks.deadline(room, Seat(1))


@pytest.mark.parametrize("game", GAMES)
async def test_randomly_rewound_matches_replay_to_their_current_state(
    backend: Backend, game: str
) -> None:
    rng = Random(7)
    room = await backend.start_match(game, people=2)
    back = 0
    for _ in range(40):
        if room.record.status is not Status.RUNNING or match_of(room).number > 24:
            break
        chance = rng.random()
        points = await backend.matches.rewinds.points(room)
        if chance < 0.1 and points:
            await agree(backend, await propose_rewind(backend, room, rng.choice(points).number), 1)
            back += 1
        elif chance < 0.35:
            try:
                await undo(backend, room, rng.randrange(2))
                back += 1
            except (Refused, IllegalAnswer):
                pass
        else:
            seat = rng.choice(match_of(room).waiting_for())
            await backend.matches.play(
                backend.press(room, seat), lambda room, seat: [stand_in(match_of(room), seat)]
            )
        room = await backend.matches.find(room.record.id)
    assert back
    kept = await backend.reopen(room)
    assert match_of(kept) == match_of(room)
    match = kept.record.id
    if room.record.status is Status.RUNNING:
        await backend.matches.resign(Press(match, BEA.id, next(backend.interactions)))
    played = replay(await backend.matches.transcript(match), ALL_GAMES)
    over = match_of(await backend.matches.find(match))
    assert played.base == over.base
    assert played.number == over.number
    assert played.reseeds == over.reseeds
    assert len((await backend.matches.find(match)).record.commitment.split()) == 1 + len(
        over.reseeds
    )


async def test_a_point_to_go_back_to_is_named_by_how_many_turns_ago_it_was(world: World) -> None:
    room = await world.start_match()
    for who, move in ((world.ana, "17!"), (world.bea, "1!"), (world.ana, "30!")):
        await world.play(who, room, move)
    offered = (await world.ana.autocomplete("/rewind", channel=world.place(room), to="")).choices
    assert [choice["value"] for choice in offered] == ["1", "2", "3"]
    assert [choice["name"].split(" · ")[0] for choice in offered] == [
        "1 turn back",
        "2 turns back",
        "3 turns back",
    ]
    for back in (1, 3):
        shown = await world.ana.ask("/rewind", channel=world.place(room), to=str(back))
        assert f"This undoes {back} turn" in shown.content
    for typed in ("0", "4", "x"):
        refused = await world.ana.ask("/rewind", channel=world.place(room), to=typed)
        assert "can't go back there" in refused.content
