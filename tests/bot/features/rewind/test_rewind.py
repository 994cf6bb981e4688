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
from tests.bot.kernel.test_announcements import post_all
from tests.bot.seating import ALL_GAMES, ANA, BEA, PEOPLE, PLACE, House, playing
from tests.bot.seating import question_of as asked_at
from tests.bot.tables import check_rows
from tests.bot.world import World

GAMES = ["blue_lagoon", "maori", "polynesia", "conquest", "toy"]


async def undone(house: House, room: Room, seat: int) -> Room:
    return (await house.matches.undo(house.press(room, seat))).room


async def asked(house: House, room: Room, to: int, who: int = 0) -> Vote:
    facts = {"to": to, "at": fingerprint(playing(room)), "before": "", "undone": "", "number": 1}
    return await house.matches.votes.propose(
        room.record.id, PEOPLE[who], REWIND, facts, next(house.interactions)
    )


async def agreed(house: House, vote: Vote, *others: int) -> Vote:
    for who in others:
        vote = await house.matches.votes.cast(
            vote.match, vote.number, PEOPLE[who].id, "yes", next(house.interactions)
        )
    return vote


async def test_taking_a_turn_back_restores_the_draft_and_updates_the_post(
    house: House,
) -> None:
    room = await house.start_match("blue_lagoon", people=3)
    await post_all(house)
    drafted = (await house.pick(room, 0)).room
    answers = playing(drafted).draft(Seat(0)).answers
    made = (await house.matches.confirm(house.press(drafted, 0))).room
    assert await post_all(house, message=7) == [(0, 1)]
    press = house.press(made, 0)
    back = (await house.matches.undo(press)).room
    again = await house.matches.undo(press)
    assert playing(again.room) == playing(back), (
        "the same press delivered again changes nothing more"
    )
    match = playing(back)
    assert match.base == playing(drafted).base and match.waiting_for() == (0,)
    assert match.draft(Seat(0)).answers == answers and match.number == 2
    (due,) = await house.matches.pending_posts()
    post = await house.matches.post_of(due)
    told = turn_message.message(post)
    assert "Ana took back their last turn." in told.content
    assert told.pings == ()
    assert post.newly == ()
    reminded = [
        due.user
        for due in await house.matches.store.read(queries.jobs, room.record.id)
        if due.kind == REMIND
    ]
    assert reminded == [ANA.id], "Bea is called to nothing any more"
    kept = await house.reopen(back)
    assert playing(kept) == match
    bea = await house.matches.undo(house.press(back, 1, turn=playing(made).turn(Seat(1))))
    stale = await house.matches.confirm(house.press(back, 0, turn=playing(drafted).turn(Seat(0))))
    assert bea.stale and stale.stale, "buttons of before"
    room = (await house.matches.confirm(house.press(back, 0))).room
    assert playing(room).base == playing(made).base


async def test_a_pending_post_is_withdrawn(house: House) -> None:
    room = await house.start_match("blue_lagoon")
    await post_all(house)
    room = (await house.take_turn(room, 0)).room
    await undone(house, room, 0)
    (due,) = await house.matches.pending_posts()
    assert (due.since, due.number) == (0, 2), "nobody is called for the turn that is gone"


async def test_a_secret_answer_is_taken_back_silently(house: House) -> None:
    room = await house.start_match("toy", people=3)
    await post_all(house)
    room = (await house.take_turn(room, 0)).room
    room = (await house.pick(room, 1)).room
    back = await undone(house, room, 0)
    assert await house.matches.pending_posts() == []
    assert playing(back).waiting_for() == (0, 1, 2)
    assert playing(back).draft(Seat(0)).answers
    assert playing(back).draft(Seat(1)).answers == playing(room).draft(Seat(1)).answers, (
        "Bea's draft is hers"
    )


async def test_a_turn_that_others_acted_on_or_saw_cannot_be_taken_back(
    house: House,
) -> None:
    room = await house.start_match("toy")
    with pytest.raises(Refused, match="nothing"):
        await undone(house, room, 0)
    room = (await house.take_turn(room, 0)).room
    room = (await house.take_turn(room, 1)).room
    with pytest.raises(Refused, match=r"secret choices have been revealed.*/rewind"):
        await undone(house, room, 1)
    with pytest.raises(Refused, match=r"moved since.*/rewind"):
        await undone(house, room, 0)
    solo = await house.start_match("blue_lagoon", people=1, computers=1)
    solo = (await house.take_turn(solo, 0)).room
    with pytest.raises(Refused, match="moved since"):
        await undone(house, solo, 0)


async def start_first_building(house: House) -> Room:
    """Return a match of two at its first build lists."""
    room = await house.start_match("conquest", people=2)
    while asked_at(playing(room), playing(room).waiting_for()[0]).kind != "build_item":
        seat = playing(room).waiting_for()[0]
        ending = asked_at(playing(room), seat).ending()
        room = (await house.pick(room, seat, *((ending.key,) if ending else ()))).room
        if playing(room).draft(seat).answers:
            room = (await house.matches.confirm(house.press(room, seat))).room
    return room


async def built(house: House, room: Room, seat: int, *keys: str) -> Room:
    for key in keys:
        room = (await house.pick(room, seat, key)).room
    return (await house.matches.confirm(house.press(room, seat))).room


async def test_a_revealed_card_cannot_be_taken_back(house: House) -> None:
    room = await start_first_building(house)
    for seat in (0, 1):
        room = await built(house, room, seat, "card", "peek", "done")
    with pytest.raises(Refused, match="secret choices have been revealed"):
        await undone(house, room, 1)
    card = asked_at(playing(room), Seat(0)).options[0].key
    assert card != "keep"
    shown = await built(house, room, 0, card)
    with pytest.raises(Refused, match=r"showed the others something.*/rewind"):
        await undone(house, shown, 0)
    assert card in [held.key for held in playing(shown).base.nations[0].hand if held.up]


async def test_a_build_list_cannot_be_taken_back_once_the_other_is_known(house: House) -> None:
    room = await start_first_building(house)
    ahead = await built(house, room, 0, "done")
    back = await undone(house, ahead, 0)
    assert playing(back).base == playing(room).base, "nobody has seen it yet"
    # The list is a draft again, and so to confirm is enough.
    both = await built(house, await built(house, back, 1, "done"), 0)
    with pytest.raises(Refused, match="secret choices have been revealed"):
        await undone(house, both, 0)


async def test_a_draw_cannot_be_taken_back(house: House) -> None:
    room = await house.start_match("maori")
    while True:
        seat = playing(room).waiting_for()[0]
        made = (await house.take_turn(room, seat)).room
        if playing(made).draws != playing(room).draws:
            break
        room = made
    with pytest.raises(Refused, match="random result"):
        await undone(house, made, seat)


async def test_own_turns_can_be_taken_back_one_by_one(house: House) -> None:
    room = await house.start_match("conquest", people=2)
    orders = [("set_loss_order", "bands"), ("set_course_order", "far")]
    start = playing(room).base
    for kind, key in orders:
        room = (await house.matches.pick(house.press(room, 0), kind, (key,))).room
    for _ in orders:
        room = await undone(house, room, 0)
    assert playing(room).base == start
    assert playing(room).moves == 0
    assert playing(room).number == 4
    with pytest.raises(Refused, match="nothing"):
        await undone(house, room, 0)


async def test_another_player_s_secret_order_is_not_betrayed(house: House) -> None:
    room = await house.start_match("conquest", people=2)
    room = (await house.matches.pick(house.press(room, 0), "set_loss_order", ("bands",))).room
    vote = await asked(house, room, 0)
    room = (await house.matches.pick(house.press(room, 1), "set_course_order", ("far",))).room
    assert (await house.matches.votes.find(room.record.id, vote.number)).is_open, (
        "nobody sees that anything happened"
    )
    room = await undone(house, room, 0)
    ana, bea = playing(room).base.nations[:2]
    assert ana.losses != "bands" and bea.course == "far", "and Bea keeps what she has ordered"
    assert playing(room).number == 4 and playing(room).moves == 1


async def test_a_rewind_needs_everyone_s_consent_and_reseeds_the_dice(house: House) -> None:
    room = await house.start_match("maori", people=3)
    start = room
    for _ in range(5):
        room = (await house.take_turn(room, playing(room).waiting_for()[0])).room
    await post_all(house)
    points = await house.matches.rewinds.points(room)
    assert [point.number for point in points] == [4, 3, 2, 1, 0]
    assert all(point.events for point in points)
    vote = await asked(house, room, 1)
    vote = await agreed(house, vote, 1)
    assert vote.is_open
    assert playing(await house.matches.find(room.record.id)).number == 5
    vote = await agreed(house, vote, 2)
    after = await house.matches.find(room.record.id)
    assert vote.outcome == "yes" and playing(after).moves == 1 and not playing(after).drafts
    assert playing(after).base == playing(await house.matches.rewinds.at(room, 1)).base
    first, second = after.record.commitment.split()
    assert first == start.record.commitment
    assert second == commitment(room.record.id, playing(after).dice)
    (due,) = await house.matches.pending_posts()
    said = turn_message.message(await house.matches.post_of(due))
    assert "went back to an earlier point" in said.content and "locked in" in said.content
    assert any(
        part.label == "Fairness" for row in said.rows if isinstance(row, tuple) for part in row
    )
    check_rows(said.rows)
    assert playing(after).dice not in turn_message.fairness(after), "not before the end"
    for commit in await house.matches.log(room.record.id, Seat(0)):
        assert not commit.seed
    over = await house.play_out(await house.reopen(after))
    proof = turn_message.fairness(over)
    assert playing(over).seed in proof
    assert playing(after).dice in proof
    assert first in proof
    assert second in proof
    text = await house.matches.transcript(room.record.id)
    assert f"rewinds to 1 with seed {playing(after).dice}" in text
    assert replay(text, ALL_GAMES).outcome == playing(over).outcome


async def test_a_rewind_vote_is_void_once_the_match_moves_on(house: House) -> None:
    room = await house.start_match("blue_lagoon")
    room = (await house.take_turn(room, 0)).room
    vote = await asked(house, room, 0)
    await house.take_turn(room, 1)
    vote = await house.matches.votes.find(room.record.id, vote.number)
    assert vote.outcome == VOID and "moved on" in vote.why
    with pytest.raises(Refused):
        await agreed(house, vote, 1)


async def test_a_solo_player_rewinds_at_once(house: House) -> None:
    room = await house.start_match("blue_lagoon", people=1, computers=1)
    room = (await house.take_turn(room, 0)).room
    assert playing(room).number == 2
    vote = await asked(house, room, 1)
    assert vote.outcome == "yes"
    await house.matches.computers.wait(await house.matches.find(room.record.id), 30)
    after = playing(await house.matches.find(room.record.id))
    assert after.waiting_for() == (0,) and after.moves == 2, "the computer has moved again"


async def test_the_time_used_is_given_back(house: House) -> None:
    terms = Terms(time=TimeTerms(pace=Pace.QUICK))
    room = await house.matches.open_lobby("blue_lagoon", {"first": "1"}, PLACE, ANA, terms=terms)
    await house.matches.join(room.record.id, BEA)
    room = await house.matches.start(room.record.id, ANA)
    clocks = house.matches.clocks
    before = [clocks.seconds_left(room, Seat(seat)) for seat in (0, 1)]
    for seat in (0, 1):
        house.clock.now += 5 * HOUR
        room = (await house.take_turn(room, seat)).room
    await agreed(house, await asked(house, room, 0), 1)
    room = await house.matches.find(room.record.id)
    assert [clocks.seconds_left(room, Seat(seat)) for seat in (0, 1)] == before
    assert clocks.deadline(room, Seat(0))
    assert not clocks.deadline(room, Seat(1))


@pytest.mark.parametrize("game", GAMES)
async def test_randomly_rewound_matches_replay_to_their_current_state(
    house: House, game: str
) -> None:
    rng = Random(7)
    room = await house.start_match(game, people=2)
    back = 0
    for _ in range(40):
        if room.record.status is not Status.RUNNING or playing(room).number > 24:
            break
        chance = rng.random()
        points = await house.matches.rewinds.points(room)
        if chance < 0.1 and points:
            await agreed(house, await asked(house, room, rng.choice(points).number), 1)
            back += 1
        elif chance < 0.35:
            try:
                await undone(house, room, rng.randrange(2))
                back += 1
            except (Refused, IllegalAnswer):
                pass
        else:
            seat = rng.choice(playing(room).waiting_for())
            await house.matches.play(
                house.press(room, seat), lambda room, seat: [stand_in(playing(room), seat)]
            )
        room = await house.matches.find(room.record.id)
    assert back
    kept = await house.reopen(room)
    assert playing(kept) == playing(room)
    match = kept.record.id
    if room.record.status is Status.RUNNING:
        await house.matches.resign(Press(match, BEA.id, next(house.interactions)))
    played = replay(await house.matches.transcript(match), ALL_GAMES)
    over = playing(await house.matches.find(match))
    assert played.base == over.base
    assert played.number == over.number
    assert played.reseeds == over.reseeds
    assert len((await house.matches.find(match)).record.commitment.split()) == 1 + len(over.reseeds)


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
