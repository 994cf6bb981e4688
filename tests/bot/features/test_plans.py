"""Plans: made, kept, played when their turn comes, dropped with the reason, and nobody else's
business.
"""

import asyncio
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from bot.features.play.panel import SeatContext, build_panel
from bot.features.rewind import fingerprint
from bot.features.standing_orders import LATEST, SOONEST
from bot.kernel.computers import think_here
from bot.kernel.room import Room
from bot.model import Expiry, Pace, PlannedTurn, Terms, TimeTerms
from bot.posts import turn_message
from bot.runtime.base import Refused
from engine import Answer, Game, Match, Seat, UnreadableTurn
from engine.conquest.pieces import Kinds, Line
from engine.core.typed import read_turn
from engine.players import Level, Thought
from engine.players.plans import foresee
from tests.bot.kernel.test_announcements import post_all
from tests.bot.seating import PEOPLE, PLACE, House, first_keys, playing
from tests.engine.conquest.scenes import HIVA, SAMOA, TONGA, Scene
from tests.patience import PATIENCE

ANA, BEA = Seat(0), Seat(1)
TURNS = 20
"""Turns of a match among which there is surely one for a test."""


async def planned(
    house: House, room: Room, seat: int, move: str, unless: str = "", keep: bool = True
) -> PlannedTurn:
    press = house.press(room, seat)
    made, _ = await house.matches.plans.propose(press, move, unless)
    if keep:
        await house.matches.plans.keep(house.press(room, seat), made.id)
    return made


def whole_turn(room: Room, seat: Seat) -> str:
    """The first legal answers of a seat's next turn, as they are typed."""
    there = foresee(playing(room), seat)
    assert there is not None
    match = there
    while question := match.question(seat):
        match = match.pick(Answer(seat, question.kind, first_keys(question)))
    return ",".join(
        "+".join(answer.keys) for answer in match.draft(seat).answers if not answer.forced
    )


async def played(house: House, room: Room, seat: int, move: str) -> Room:
    deed = house.matches.play(
        house.press(room, seat), lambda r, s: read_turn(SeatContext.of(r, s), f"{move}!").steps
    )
    return (await deed).room


async def test_a_plan_plays_itself_and_its_owner_is_not_called(house: House) -> None:
    room = await house.started("blue_lagoon", people=3)
    await post_all(house)
    await planned(house, room, 1, "14")
    room = await house.kept(room)
    room = await played(house, room, 0, "9")
    assert (
        playing(room).waiting_for() == (2,) and playing(room).number == 2 and not room.record.plans
    )
    (due,) = await house.matches.due()
    post = await house.matches.post_of(due)
    told = turn_message.message(post)
    assert (due.since, due.number) == (0, 2) and post.newly == (2,)
    assert "Ana" in told.content and "Bea" in told.content, "one post tells of both"
    log = await house.matches.log(room.record.id, None)
    assert [commit.seat for commit in log[1:]] == [0, 1], "the log has it as any other turn"


async def test_plans_follow_one_another(house: House) -> None:
    room = await house.started("blue_lagoon", people=3)
    for seat, move in ((1, "14"), (2, "21")):
        await planned(house, room, seat, move)
    room = await played(house, room, 0, "9")
    assert playing(room).number == 3 and playing(room).waiting_for() == (0,)


async def test_a_plan_that_is_not_legal_any_more_is_dropped_whole_and_its_owner_reads_why(
    house: House,
) -> None:
    room = await house.started("blue_lagoon")
    await post_all(house)
    await planned(house, room, 1, "9")
    room = await played(house, room, 0, "9")
    assert (
        playing(room).number == 1
        and playing(room).waiting_for() == (1,)
        and not playing(room).drafts
    )
    panel = build_panel(room, BEA)
    assert "was dropped" in panel.text and "taken" in panel.text
    (due,) = await house.matches.due()
    assert (await house.matches.post_of(due)).newly == (1,), "so she is called as ever"
    room = await played(house, room, 1, "14")
    assert not room.record.plans, "and once she has moved it is over"


async def test_a_plan_is_dropped_if_something_happens_on_a_listed_spot(house: House) -> None:
    room = await house.started("blue_lagoon")
    await planned(house, room, 1, "14", unless="9, 21")
    dropped = await played(house, room, 0, "9")
    plan = dropped.plan_of(BEA)
    assert plan is not None and "happened on 9" in plan.dropped and playing(dropped).number == 1
    other = await house.started("blue_lagoon")
    await planned(house, other, 1, "14", unless="21")
    assert playing(await played(house, other, 0, "9")).number == 2
    with pytest.raises(UnreadableTurn, match="no spot"):
        await planned(house, await played(house, other, 0, "5"), 0, "14", unless="nowhere")


async def test_a_plan_is_for_its_round_alone(house: House) -> None:
    room = await house.started("polynesia", people=2)
    first = playing(room).waiting_for()[0]
    other = Seat(1 - first)
    plan = await planned(house, room, other, whole_turn(room, other))
    assert plan.stages == ('["round",{"round":1}]',)
    # As if the round had ended in the meantime.
    later = (replace(plan, kept=True, stages=('["round",{"round":7}]',)),)
    record = replace((await house.matches.find(room.record.id)).record, plans=later)
    room = (await house.turn(house.matches.keep(Room(record, room.match)), first)).room
    left = room.plan_of(other)
    assert left is not None and "round" in left.dropped and playing(room).number == 1


async def test_what_is_planned_is_nobody_elses_and_its_owner_drops_it_at_will(house: House) -> None:
    room = await house.started("blue_lagoon")
    plan = await planned(house, room, 1, "14")
    room = await house.matches.find(room.record.id)
    assert "Planned for your next turn: `14`" in build_panel(room, BEA).text
    assert (
        "14" not in build_panel(room, ANA).text.split("Plan")[0]
        and "lanned" not in build_panel(room, ANA).text
    )
    assert "14" not in repr(room.record.plans)
    with pytest.raises(Refused):
        await house.matches.plans.drop(house.press(room, 0), plan.id)
    await house.matches.plans.drop(house.press(room, 1), plan.id)
    assert playing(await played(house, room, 0, "9")).number == 1


async def test_a_plan_that_was_not_kept_is_not_played(house: House) -> None:
    room = await house.started("blue_lagoon")
    plan = await planned(house, room, 1, "14", keep=False)
    room = await played(house, room, 0, "9")
    assert playing(room).number == 1
    with pytest.raises(Refused, match="your turn"):
        await house.matches.plans.keep(house.press(room, 1), plan.id)


@pytest.mark.parametrize(
    ("move", "why"),
    [("nonsense", "nonsense"), ("", "Type"), ("14,15,16", "too many|complete"), ("999", "999")],
)
async def test_what_cannot_be_a_turn_is_refused(house: House, move: str, why: str) -> None:
    room = await house.started("blue_lagoon")
    with pytest.raises(UnreadableTurn):
        await planned(house, room, 1, move)
    with pytest.raises(Refused, match="your turn"):
        await planned(house, room, 0, "9")
    assert not (await house.matches.find(room.record.id)).record.plans


async def asked_as_planned(house: House) -> Room:
    """A match with secrets in which what Ana has planned is being asked of her."""
    for _ in range(20):
        room = await house.started("toy", people=3)
        room = (await house.turn(room, 0)).room
        await planned(house, room, 0, whole_turn(room, ANA))
        # What comes next depends on the cards: in some matches it is not what was foreseen.
        while (
            plan := (room := await house.matches.find(room.record.id)).plan_of(ANA)
        ) and not plan.dropped:
            if plan.at:
                return room
            await house.turn(room, playing(room).waiting_for()[-1])
    raise AssertionError("never asked")


async def test_where_secrets_are_a_plan_waits_as_people_do(house: House) -> None:
    room = await asked_as_planned(house)
    plan, number = room.plan_of(ANA), playing(room).number
    assert plan is not None and SOONEST <= plan.at - house.clock.now <= LATEST
    assert "plays itself in a while" in build_panel(room, ANA).text
    await house.later(SOONEST - 1)
    assert playing(await house.matches.find(room.record.id)).number == number, (
        "nothing tells that there is a plan"
    )
    await house.down(0)
    await house.later(LATEST)
    after = await house.matches.find(room.record.id)
    left = after.plan_of(ANA)
    assert playing(after).number == number + 1 if left is None else left.dropped


async def test_a_plan_goes_with_a_rewind_and_with_its_owner(house: House) -> None:
    room = await house.started("blue_lagoon", people=3)
    await planned(house, room, 1, "14")
    await house.matches.resign(house.press(room, 1))
    assert not (await house.matches.find(room.record.id)).record.plans
    room = await house.started("blue_lagoon")
    room = await played(house, room, 0, "9")
    await planned(house, room, 0, "21")
    facts = {"to": 0, "at": fingerprint(playing(room)), "before": "", "undone": "", "number": 1}
    vote = await house.matches.votes.propose(
        room.record.id, room.record.chairs[0], "rewind", facts, next(house.interactions)
    )
    await house.matches.votes.cast(
        vote.match, vote.number, room.record.chairs[1].id, "yes", next(house.interactions)
    )
    after = await house.matches.find(room.record.id)
    assert playing(after).moves == 0 and not after.record.plans


async def test_a_plan_is_not_played_in_place_of_a_turn_that_its_owner_takes_back(
    house: House,
) -> None:
    room = await house.started("blue_lagoon")
    room = await played(house, room, 0, "9")
    await planned(house, room, 0, "21")
    back = (await house.matches.undo(house.press(room, 0))).room
    assert playing(back).waiting_for() == (ANA,) and not back.record.plans
    assert [answer.keys for answer in playing(back).draft(ANA).answers] == [("9",)]


async def test_whoever_plans_while_a_computer_plays_for_them_is_back(house: House) -> None:
    terms = Terms(time=TimeTerms(pace=Pace.QUICK, expiry=Expiry.COMPUTER))
    room = await house.matches.open_lobby(
        "blue_lagoon", {"first": "1"}, PLACE, PEOPLE[0], terms=terms
    )
    await house.matches.join(room.record.id, PEOPLE[1])
    await house.matches.start(room.record.id, PEOPLE[0])
    house.matches.scheduler.register("time_notice", lambda due: asyncio.sleep(0))
    await house.later(25 * 3600)
    await house.matches.computers.wait(await house.matches.find(room.record.id), PATIENCE)
    room = await house.matches.find(room.record.id)
    assert playing(room).away == {ANA} and playing(room).waiting_for() == (BEA,)
    await planned(house, room, 0, "30")
    assert playing(await house.matches.find(room.record.id)).humans() == (ANA, BEA)
    room = await played(house, room, 1, "31")
    assert playing(room).waiting_for() == (BEA,) and not room.record.plans, "and the plan is played"


async def test_a_plan_waits_while_its_match_is_paused(house: House) -> None:
    room = await asked_as_planned(house)
    votes, match, people = house.matches.votes, room.record.id, room.record.chairs
    number = playing(room).number
    for kind in ("pause", "resume"):
        vote = await votes.propose(match, people[1], kind)
        await votes.cast(match, vote.number, people[2].id, "yes")
        if kind == "pause":
            await house.later(2 * LATEST)
            paused = await house.matches.find(match)
            assert playing(paused).number == number and paused.plan_of(ANA) == room.plan_of(ANA)
    await house.later(LATEST)
    after = await house.matches.find(match)
    left = after.plan_of(ANA)
    assert playing(after).number == number + 1 if left is None else left.dropped


async def with_clock(house: House, people: int = 2, computers: int = 0) -> Room:
    """A match of Blue Lagoon at the easy pace, in which Ana begins."""
    terms = Terms(time=TimeTerms(Pace.EASY))
    room = await house.matches.open_lobby(
        "blue_lagoon", {"first": "1"}, PLACE, PEOPLE[0], terms=terms
    )
    for person in PEOPLE[1:people]:
        await house.matches.join(room.record.id, person)
    for _ in range(computers):
        await house.matches.add_computer(room.record.id, PEOPLE[0])
    return await house.matches.start(room.record.id, PEOPLE[0])


def hours_left(house: House, room: Room) -> list[float]:
    """What everybody has left, in hours."""
    found = [house.matches.clocks.left(room, Seat(seat)) for seat in range(playing(room).seats)]
    return [(left or 0) / 3600 for left in found]


def last_turn(room: Room, seat: Seat) -> str:
    """The last of the one-piece turns that a seat may take next, which nobody else takes by
    chance.
    """
    there = foresee(playing(room), seat)
    question = there.question(seat) if there else None
    assert question is not None
    return question.options[-1].key


async def test_a_player_who_plans_earns_as_much_time_as_one_who_plays_by_hand(house: House) -> None:
    room = await with_clock(house)
    for turns in range(1, 7):
        await planned(house, room, 1, last_turn(room, BEA))
        room = (await house.turn(room, 0)).room
        assert playing(room).number == 2 * turns, "the plan has played"
        # Up to the cap.
        assert hours_left(house, room) == [min(72 + 36 * turns, 240)] * 2


async def slow_computers(path: Path) -> tuple[House, asyncio.Semaphore]:
    """A house whose computers move when they are let, once each time."""
    may_move = asyncio.Semaphore(0)

    async def thinks(
        game: Game[Any], state: Any, seat: Seat, seed: str, level: Level, urgency: Any
    ) -> Thought:
        await may_move.acquire()
        return await think_here(game, state, seat, seed, level)

    house = House(path / "motu.sqlite3", thinker=thinks, computer_wait_seconds=0)
    await house.open()
    return house, may_move


async def test_a_plan_among_computers_earns_time_though_there_was_no_post_since_the_last_turn(
    tmp_path: Path,
) -> None:
    house, may_move = await slow_computers(tmp_path)
    room = await with_clock(house, people=1, computers=1)
    room = (await house.turn(room, 0)).room
    assert hours_left(house, room)[0] == 72 + 36
    await planned(house, room, 0, last_turn(room, ANA))
    may_move.release()
    async with asyncio.timeout(PATIENCE):
        while playing(room := await house.matches.find(room.record.id)).number < 3:  # noqa: ASYNC110
            await asyncio.sleep(0.001)
    assert hours_left(house, room)[0] == 72 + 2 * 36
    await house.matches.close()


async def test_no_board_comes_between_a_turn_and_the_plan_that_follows_it(tmp_path: Path) -> None:
    """Ana moves, Bea's plan plays in the same moment, and then a computer is to move."""
    house, may_move = await slow_computers(tmp_path)
    room = await with_clock(house, people=2, computers=1)
    await post_all(house)
    await planned(house, room, 1, last_turn(room, BEA))
    room = (await house.turn(room, 0)).room
    assert playing(room).number == 2 and playing(room).waiting_for() == (2,)
    assert await house.matches.due() == [], (
        "the computer's move makes the post that tells of all three"
    )
    may_move.release()
    async with asyncio.timeout(PATIENCE):
        while not (due := await house.matches.due()):  # noqa: ASYNC110
            await asyncio.sleep(0.001)
    assert [(post.since, post.number) for post in due] == [(0, 3)]
    post = await house.matches.post_of(due[0])
    assert post.newly == (0,)
    await house.matches.close()


async def test_a_plan_that_goes_with_its_owner_earns_nothing(house: House) -> None:
    room = await with_clock(house, people=3)
    await planned(house, room, 1, "14")
    room = (await house.matches.resign(house.press(room, 1))).room
    assert not room.record.plans and hours_left(house, room)[1] == 72
    await planned(house, room, 2, "14")
    kept = (await house.matches.find(room.record.id)).plan_of(Seat(2))
    assert kept is not None
    await house.matches.plans.drop(house.press(room, 2), kept.id)
    room = (await house.turn(await house.matches.find(room.record.id), 0)).room
    assert hours_left(house, room)[2] == 72


async def before_building(house: House, samoa: str, villages: int = 0) -> Room:
    """Bea, who plays Samoa, has moved and built ahead as `samoa` says; Tonga is to move, then all
    build.

    She has two Villages in F7, and perhaps some in H8.
    """
    scene = Scene(3).having(order=(SAMOA, TONGA, HIVA)).land(h8="kuporu").pieces(SAMOA, "f7", "1t")
    if villages:
        scene = scene.village(SAMOA, "h8", villages)
    play = scene.pieces(TONGA, "f8", "4w").whole_turn()
    for seat in (SAMOA, TONGA, HIVA):
        play.do(seat, "pass")
    play.do(SAMOA, samoa)
    if play.state.builds:
        play.offer(SAMOA, "reopen_build", "reopen")
    room = await house.started("conquest", people=3)
    return house.matches.keep(Room(room.record, replace(playing(room), base=play.state)))


async def built(house: House, room: Room, loses: bool) -> Room:
    """Tonga moves, and the time of plans comes; as if it had conquered F7, and Samoa held H8
    instead.
    """
    room = await house.matches.find(room.record.id)
    if loses:
        base = playing(room).base.with_pieces(SAMOA, "f7", Kinds())
        base = base.with_group(replace(base.group("f7"), owner=TONGA))
        base = base.with_group(replace(base.group("h8"), owner=SAMOA, villages=2))
        room = house.matches.keep(Room(room.record, replace(playing(room), base=base)))
    room = await played(house, room, TONGA, "done,later")
    assert playing(room).base.step == "building"
    await house.later(LATEST)
    return await house.matches.find(room.record.id)


def must_be_dropped(room: Room, key: str) -> None:
    plan = room.plan_of(SAMOA)
    assert plan is not None and f"{key} would now do something else" in plan.dropped
    assert "would now do something else" in build_panel(room, SAMOA).text


@pytest.mark.parametrize("loses", [False, True])
async def test_a_plan_takes_the_line_off_a_list_that_it_was_made_for_or_none(
    house: House, loses: bool
) -> None:
    room = await before_building(house, "done,v,t-2,done", villages=2)
    village, canoes = Line("v", "f7"), (Line("t", "h8"), Line("t", "h8"))
    assert playing(room).base.builds[SAMOA].lines == (village, *canoes)
    await planned(house, room, SAMOA, "drop,1,done")
    room = await built(house, room, loses)
    made = playing(room).base.builds[SAMOA]
    assert made.lines == canoes and made.ready is not loses
    if loses:
        must_be_dropped(room, "1")
    else:
        assert room.plan_of(SAMOA) is None


@pytest.mark.parametrize("loses", [False, True])
@pytest.mark.parametrize("item", ["o", "t-2"])
async def test_a_plan_builds_in_the_one_place_there_was_or_nowhere(
    house: House, item: str, loses: bool
) -> None:
    room = await before_building(house, "done,later")
    await planned(house, room, SAMOA, f"{item},done")
    room = await built(house, room, loses)
    made = playing(room).base.builds[SAMOA]
    if loses:
        assert not made.lines and not made.ready
        must_be_dropped(room, item.upper())
    else:
        assert {line.spot for line in made.lines} == {"f7"} and made.ready


def taking_tiles(match: Match, seat: Seat) -> list[str]:
    """The turns of Maori, as they are typed, in which a seat takes a tile and puts it in the
    first space.
    """
    found, question = [], match.question(seat)
    assert question is not None and question.kind == "move_discoverer"
    for position in question.options:
        sailed = match.pick(Answer(seat, question.kind, (position.key,)))
        tiles = sailed.question(seat)
        assert tiles is not None and tiles.kind == "discover_tile"
        for tile in tiles.options:
            if tile.spot:
                spaces = sailed.pick(Answer(seat, tiles.kind, (tile.key,))).question(seat)
                assert spaces is not None
                found.append(f"{position.key},{tile.key},{spaces.options[0].key}")
    return found


async def planned_for_tile(house: House, room: Room, is_taken: bool) -> Room:
    """Somebody plans to take a tile in Maori; the turn before takes that very one, or another."""
    for _ in range(TURNS):
        (first,) = playing(room).waiting_for()
        other = Seat(1 - first)
        for turn in taking_tiles(playing(room), first):
            after = read_turn(SeatContext.of(room, first), f"{turn}!").steps[-1]
            for plan in taking_tiles(after, other):
                if (plan.split(",")[1] == turn.split(",")[1]) is is_taken:
                    with suppress(UnreadableTurn):
                        await planned(house, room, other, plan)
                        return await played(
                            house, await house.matches.find(room.record.id), first, turn
                        )
        # Who can take what depends on where the discoverer stands.
        room = (await house.turn(room, first)).room
    raise AssertionError("no such plan")


async def test_a_plan_takes_the_tile_that_it_was_made_for_or_none(house: House) -> None:
    """In Maori a tile that is taken is replaced at once: then another lies in the same place."""
    for is_taken in (True, False) * 4:
        room = await house.started("maori", people=2)
        room = (await house.turn(room, playing(room).waiting_for()[0])).room
        room = await planned_for_tile(house, room, is_taken)
        if is_taken:
            (plan,) = room.record.plans
            assert "would now do something else" in plan.dropped
            assert playing(room).waiting_for() == (plan.seat,)
        else:
            assert not room.record.plans, "it is played"
