"""Plans: made, played on their turn, or dropped with a reason."""

import asyncio
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from bot.features.play.panel import SeatContext, build_panel
from bot.features.rewind import fingerprint
from bot.features.standing_orders import MAX_DELAY_SECONDS, MIN_DELAY_SECONDS
from bot.kernel.computers import think_here
from bot.kernel.room import Room
from bot.model import Expiry, Pace, PlannedTurn, Terms, TimeTerms
from bot.posts import turn_message
from bot.runtime.base import Refused
from engine import Answer, Game, Match, Seat, UnreadableTurn
from engine.conquest.pieces import Kinds, Line
from engine.core.escape import code_text
from engine.core.typed import read_turn
from engine.players import Level, Thought
from engine.players.plans import foresee
from tests.bot.backend import PEOPLE, PLACE, Backend, first_keys, match_of
from tests.bot.kernel.test_announcements import post_all
from tests.bot.world import World
from tests.engine.conquest.scenes import HIVA, SAMOA, TONGA, Scene
from tests.patience import PATIENCE

ANA, BEA = Seat(0), Seat(1)
TURNS = 20
"""Turns of a match among which there is surely one for a test."""


async def save_plan(
    backend: Backend, room: Room, seat: int, move: str, unless: str = "", keep: bool = True
) -> PlannedTurn:
    """Make a plan for a seat, and save it unless `keep` is false."""
    press = backend.press(room, seat)
    plan, _ = await backend.matches.plans.propose(press, move, unless)
    if keep:
        await backend.matches.plans.keep(backend.press(room, seat), plan.id)
    return plan


def whole_turn(room: Room, seat: Seat) -> str:
    """Return the first legal answers of a seat's next turn as typed text."""
    there = foresee(match_of(room), seat)
    assert there is not None
    match = there
    while question := match.question(seat):
        match = match.pick(Answer(seat, question.kind, first_keys(question)))
    return ",".join(
        "+".join(answer.keys) for answer in match.draft(seat).answers if not answer.forced
    )


async def play(backend: Backend, room: Room, seat: int, move: str) -> Room:
    """Play a typed turn of a seat, and confirm it."""
    update = await backend.matches.play(
        backend.press(room, seat), lambda r, s: read_turn(SeatContext.of(r, s), f"{move}!").steps
    )
    return update.room


async def test_a_plan_is_played_and_its_owner_is_not_reminded(backend: Backend) -> None:
    room = await backend.start_match("blue_lagoon", people=3)
    await post_all(backend)
    await save_plan(backend, room, 1, "14")
    room = await backend.reopen(room)
    room = await play(backend, room, 0, "9")
    assert match_of(room).waiting_for() == (2,)
    assert match_of(room).number == 2
    assert not room.record.plans
    (due,) = await backend.matches.pending_posts()
    post = await backend.matches.post_of(due)
    message = turn_message.message(post)
    assert (due.since, due.number) == (0, 2)
    assert post.newly == (2,)
    assert "Ana" in message.content and "Bea" in message.content, "one post tells of both"
    log = await backend.matches.log(room.record.id, None)
    assert [commit.seat for commit in log[1:]] == [0, 1], "the log has it as any other turn"


async def test_plans_follow_one_another(backend: Backend) -> None:
    room = await backend.start_match("blue_lagoon", people=3)
    for seat, move in ((1, "14"), (2, "21")):
        await save_plan(backend, room, seat, move)
    room = await play(backend, room, 0, "9")
    assert match_of(room).number == 3 and match_of(room).waiting_for() == (0,)


async def test_an_illegal_plan_is_dropped_and_its_owner_told_why(
    backend: Backend,
) -> None:
    room = await backend.start_match("blue_lagoon")
    await post_all(backend)
    await save_plan(backend, room, 1, "9")
    room = await play(backend, room, 0, "9")
    assert match_of(room).number == 1
    assert match_of(room).waiting_for() == (1,)
    assert not match_of(room).drafts
    panel = build_panel(room, BEA)
    assert "was cancelled" in panel.text and "already has a piece" in panel.text
    (due,) = await backend.matches.pending_posts()
    assert (await backend.matches.post_of(due)).newly == (1,), "so she is called as ever"
    room = await play(backend, room, 1, "14")
    assert not room.record.plans, "and once she has moved it is over"


async def test_a_plan_is_dropped_if_a_listed_spot_changes(backend: Backend) -> None:
    room = await backend.start_match("blue_lagoon")
    await save_plan(backend, room, 1, "14", unless="9, 21")
    dropped = await play(backend, room, 0, "9")
    plan = dropped.plan_of(BEA)
    assert plan is not None and "happened on 9" in plan.dropped and match_of(dropped).number == 1
    other = await backend.start_match("blue_lagoon")
    await save_plan(backend, other, 1, "14", unless="21")
    assert match_of(await play(backend, other, 0, "9")).number == 2
    with pytest.raises(UnreadableTurn, match="no space"):
        await save_plan(backend, await play(backend, other, 0, "5"), 0, "14", unless="nowhere")


async def test_a_plan_is_only_for_its_round(backend: Backend) -> None:
    room = await backend.start_match("polynesia", people=2)
    first = match_of(room).waiting_for()[0]
    other = Seat(1 - first)
    plan = await save_plan(backend, room, other, whole_turn(room, other))
    assert plan.stages == ('["round",{"round":1}]',)
    # As if the round had ended in the meantime.
    later = (replace(plan, kept=True, stages=('["round",{"round":7}]',)),)
    record = replace((await backend.matches.find(room.record.id)).record, plans=later)
    room = (await backend.take_turn(backend.matches.keep(Room(record, room.match)), first)).room
    left = room.plan_of(other)
    assert left is not None and "round" in left.dropped and match_of(room).number == 1


async def test_a_plan_is_private_and_can_be_dropped(backend: Backend) -> None:
    room = await backend.start_match("blue_lagoon")
    plan = await save_plan(backend, room, 1, "14")
    room = await backend.matches.find(room.record.id)
    assert "Planned for your next turn: `14`" in build_panel(room, BEA).text
    assert "14" not in build_panel(room, ANA).text.split("Plan")[0]
    assert "lanned" not in build_panel(room, ANA).text
    assert "14" not in repr(room.record.plans)
    with pytest.raises(Refused):
        await backend.matches.plans.drop(backend.press(room, 0), plan.id)
    await backend.matches.plans.drop(backend.press(room, 1), plan.id)
    assert match_of(await play(backend, room, 0, "9")).number == 1


async def test_an_unsaved_plan_is_not_played(backend: Backend) -> None:
    room = await backend.start_match("blue_lagoon")
    plan = await save_plan(backend, room, 1, "14", keep=False)
    room = await play(backend, room, 0, "9")
    assert match_of(room).number == 1
    with pytest.raises(Refused, match="your turn"):
        await backend.matches.plans.keep(backend.press(room, 1), plan.id)


@pytest.mark.parametrize(
    ("move", "why"),
    [("nonsense", "nonsense"), ("", "Type"), ("14,15,16", "too many|complete"), ("999", "999")],
)
async def test_an_impossible_plan_is_refused(backend: Backend, move: str, why: str) -> None:
    room = await backend.start_match("blue_lagoon")
    with pytest.raises(UnreadableTurn):
        await save_plan(backend, room, 1, move)
    with pytest.raises(Refused, match="your turn"):
        await save_plan(backend, room, 0, "9")
    assert not (await backend.matches.find(room.record.id)).record.plans


async def start_match_with_plan(backend: Backend) -> Room:
    """Return a match with secrets in which Ana is asked what she planned."""
    for _ in range(20):
        room = await backend.start_match("toy", people=3)
        room = (await backend.take_turn(room, 0)).room
        await save_plan(backend, room, 0, whole_turn(room, ANA))
        # What comes next depends on the cards: in some matches it is not what was foreseen.
        while (
            plan := (room := await backend.matches.find(room.record.id)).plan_of(ANA)
        ) and not plan.dropped:
            if plan.at:
                return room
            await backend.take_turn(room, match_of(room).waiting_for()[-1])
    raise AssertionError("never asked")


async def test_a_plan_in_a_secret_round_waits_like_a_person(backend: Backend) -> None:
    room = await start_match_with_plan(backend)
    plan, number = room.plan_of(ANA), match_of(room).number
    assert (
        plan is not None and MIN_DELAY_SECONDS <= plan.at - backend.clock.now <= MAX_DELAY_SECONDS
    )
    assert "will be played in a while" in build_panel(room, ANA).text
    await backend.advance(MIN_DELAY_SECONDS - 1)
    assert match_of(await backend.matches.find(room.record.id)).number == number, (
        "nothing tells that there is a plan"
    )
    await backend.stop_for(0)
    await backend.advance(MAX_DELAY_SECONDS)
    after = await backend.matches.find(room.record.id)
    left = after.plan_of(ANA)
    assert match_of(after).number == number + 1 if left is None else left.dropped


async def test_a_plan_is_dropped_by_a_rewind_or_when_its_owner_leaves(backend: Backend) -> None:
    room = await backend.start_match("blue_lagoon", people=3)
    await save_plan(backend, room, 1, "14")
    await backend.matches.resign(backend.press(room, 1))
    assert not (await backend.matches.find(room.record.id)).record.plans
    room = await backend.start_match("blue_lagoon")
    room = await play(backend, room, 0, "9")
    await save_plan(backend, room, 0, "21")
    facts = {"to": 0, "at": fingerprint(match_of(room)), "before": "", "undone": "", "number": 1}
    vote = await backend.matches.votes.propose(
        room.record.id, room.record.chairs[0], "rewind", facts, next(backend.interactions)
    )
    await backend.matches.votes.cast(
        vote.match, vote.number, room.record.chairs[1].id, "yes", next(backend.interactions)
    )
    after = await backend.matches.find(room.record.id)
    assert match_of(after).moves == 0 and not after.record.plans


async def test_a_plan_does_not_replace_a_turn_taken_back(
    backend: Backend,
) -> None:
    room = await backend.start_match("blue_lagoon")
    room = await play(backend, room, 0, "9")
    await save_plan(backend, room, 0, "21")
    back = (await backend.matches.undo(backend.press(room, 0))).room
    assert match_of(back).waiting_for() == (ANA,) and not back.record.plans
    assert [answer.keys for answer in match_of(back).draft(ANA).answers] == [("9",)]


async def test_planning_while_a_computer_plays_takes_the_seat_back(backend: Backend) -> None:
    terms = Terms(time=TimeTerms(pace=Pace.QUICK, expiry=Expiry.COMPUTER))
    room = await backend.matches.open_lobby(
        "blue_lagoon", {"first": "1"}, PLACE, PEOPLE[0], terms=terms
    )
    await backend.matches.join(room.record.id, PEOPLE[1])
    await backend.matches.start(room.record.id, PEOPLE[0])
    backend.matches.scheduler.register("time_notice", lambda due: asyncio.sleep(0))
    await backend.advance(25 * 3600)
    await backend.matches.computers.wait(await backend.matches.find(room.record.id), PATIENCE)
    room = await backend.matches.find(room.record.id)
    assert match_of(room).away == {ANA}
    assert match_of(room).waiting_for() == (BEA,)
    await save_plan(backend, room, 0, "30")
    assert match_of(await backend.matches.find(room.record.id)).humans() == (ANA, BEA)
    room = await play(backend, room, 1, "31")
    assert match_of(room).waiting_for() == (BEA,) and not room.record.plans, (
        "and the plan is played"
    )


async def test_a_plan_waits_while_its_match_is_paused(backend: Backend) -> None:
    room = await start_match_with_plan(backend)
    votes = backend.matches.votes
    match = room.record.id
    people = room.record.chairs
    number = match_of(room).number
    for kind in ("pause", "resume"):
        vote = await votes.propose(match, people[1], kind)
        await votes.cast(match, vote.number, people[2].id, "yes")
        if kind == "pause":
            await backend.advance(2 * MAX_DELAY_SECONDS)
            paused = await backend.matches.find(match)
            assert match_of(paused).number == number and paused.plan_of(ANA) == room.plan_of(ANA)
    await backend.advance(MAX_DELAY_SECONDS)
    after = await backend.matches.find(match)
    left = after.plan_of(ANA)
    assert match_of(after).number == number + 1 if left is None else left.dropped


async def start_timed_match(backend: Backend, people: int = 2, computers: int = 0) -> Room:
    """Start a Blue Lagoon match at the easy pace in which Ana goes first."""
    terms = Terms(time=TimeTerms(Pace.EASY))
    room = await backend.matches.open_lobby(
        "blue_lagoon", {"first": "1"}, PLACE, PEOPLE[0], terms=terms
    )
    for person in PEOPLE[1:people]:
        await backend.matches.join(room.record.id, person)
    for _ in range(computers):
        await backend.matches.add_computer(room.record.id, PEOPLE[0])
    return await backend.matches.start(room.record.id, PEOPLE[0])


def hours_left(backend: Backend, room: Room) -> list[float]:
    """Return the hours that every seat has left."""
    found = [
        backend.matches.clocks.seconds_left(room, Seat(seat))
        for seat in range(match_of(room).seats)
    ]
    return [(left or 0) / 3600 for left in found]


def last_turn(room: Room, seat: Seat) -> str:
    """Return the last one-piece turn that a seat may take."""
    there = foresee(match_of(room), seat)
    question = there.question(seat) if there else None
    assert question is not None
    return question.options[-1].key


async def test_a_planned_turn_earns_as_much_time_as_a_played_one(backend: Backend) -> None:
    room = await start_timed_match(backend)
    for turns in range(1, 7):
        await save_plan(backend, room, 1, last_turn(room, BEA))
        room = (await backend.take_turn(room, 0)).room
        assert match_of(room).number == 2 * turns, "the plan has played"
        # Up to the cap.
        assert hours_left(backend, room) == [min(72 + 36 * turns, 240)] * 2


async def slow_computers(path: Path) -> tuple[Backend, asyncio.Semaphore]:
    """Open a backend whose computers move only when the test lets them."""
    may_move = asyncio.Semaphore(0)

    async def thinks(
        game: Game[Any], state: Any, seat: Seat, seed: str, level: Level, *rest: Any
    ) -> Thought:
        await may_move.acquire()
        return await think_here(game, state, seat, seed, level)

    backend = Backend(path / "motu.sqlite3", thinker=thinks, computer_wait_seconds=0)
    await backend.open()
    return backend, may_move


async def test_a_plan_among_computers_earns_time_without_a_post_in_between(
    tmp_path: Path,
) -> None:
    backend, may_move = await slow_computers(tmp_path)
    room = await start_timed_match(backend, people=1, computers=1)
    room = (await backend.take_turn(room, 0)).room
    assert hours_left(backend, room)[0] == 72 + 36
    await save_plan(backend, room, 0, last_turn(room, ANA))
    may_move.release()
    async with asyncio.timeout(PATIENCE):
        while match_of(room := await backend.matches.find(room.record.id)).number < 3:  # noqa: ASYNC110
            await asyncio.sleep(0.001)
    assert hours_left(backend, room)[0] == 72 + 2 * 36
    await backend.matches.close()


async def test_no_board_is_posted_between_a_turn_and_the_plan_after_it(tmp_path: Path) -> None:
    """Ana moves, Bea's plan plays in the same moment, and then a computer is to move."""
    backend, may_move = await slow_computers(tmp_path)
    room = await start_timed_match(backend, people=2, computers=1)
    await post_all(backend)
    await save_plan(backend, room, 1, last_turn(room, BEA))
    room = (await backend.take_turn(room, 0)).room
    assert match_of(room).number == 2 and match_of(room).waiting_for() == (2,)
    assert await backend.matches.pending_posts() == [], (
        "the computer's move makes the post that tells of all three"
    )
    may_move.release()
    async with asyncio.timeout(PATIENCE):
        while not (due := await backend.matches.pending_posts()):  # noqa: ASYNC110
            await asyncio.sleep(0.001)
    assert [(post.since, post.number) for post in due] == [(0, 3)]
    post = await backend.matches.post_of(due[0])
    assert post.newly == (0,)
    await backend.matches.close()


async def test_a_plan_dropped_with_its_owner_earns_nothing(backend: Backend) -> None:
    room = await start_timed_match(backend, people=3)
    await save_plan(backend, room, 1, "14")
    room = (await backend.matches.resign(backend.press(room, 1))).room
    assert not room.record.plans and hours_left(backend, room)[1] == 72
    await save_plan(backend, room, 2, "14")
    kept = (await backend.matches.find(room.record.id)).plan_of(Seat(2))
    assert kept is not None
    await backend.matches.plans.drop(backend.press(room, 2), kept.id)
    room = (await backend.take_turn(await backend.matches.find(room.record.id), 0)).room
    assert hours_left(backend, room)[2] == 72


async def before_building(backend: Backend, samoa: str, villages: int = 0) -> Room:
    """Have Bea, who plays Samoa, build ahead as `samoa` says; Tonga moves next, then all build.

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
    room = await backend.start_match("conquest", people=3)
    return backend.matches.keep(Room(room.record, replace(match_of(room), base=play.state)))


async def play_until_built(backend: Backend, room: Room, loses: bool) -> Room:
    """Let Tonga end its turn, so that all build and plans are played, and return the match.

    If Samoa `loses`, Tonga has conquered F7 before that, and Samoa holds H8.
    """
    room = await backend.matches.find(room.record.id)
    if loses:
        base = match_of(room).base.with_pieces(SAMOA, "f7", Kinds())
        base = base.with_group(replace(base.group("f7"), owner=TONGA))
        base = base.with_group(replace(base.group("h8"), owner=SAMOA, villages=2))
        room = backend.matches.keep(Room(room.record, replace(match_of(room), base=base)))
    room = await play(backend, room, TONGA, "done,later")
    assert match_of(room).base.step == "building"
    await backend.advance(MAX_DELAY_SECONDS)
    return await backend.matches.find(room.record.id)


def check_dropped(room: Room, key: str) -> None:
    plan = room.plan_of(SAMOA)
    assert plan is not None and f"{key} would do something else now" in plan.dropped
    assert "would do something else now" in build_panel(room, SAMOA).text


@pytest.mark.parametrize("loses", [False, True])
async def test_a_plan_removes_only_the_list_line_it_was_made_for(
    backend: Backend, loses: bool
) -> None:
    room = await before_building(backend, "done,v,t-2,done", villages=2)
    village = Line("v", "f7")
    canoes = (Line("t", "h8"), Line("t", "h8"))
    assert match_of(room).base.builds[SAMOA].lines == (village, *canoes)
    await save_plan(backend, room, SAMOA, "drop,1,done")
    room = await play_until_built(backend, room, loses)
    made = match_of(room).base.builds[SAMOA]
    assert made.lines == canoes and made.ready is not loses
    if loses:
        check_dropped(room, "1")
    else:
        assert room.plan_of(SAMOA) is None


@pytest.mark.parametrize("loses", [False, True])
@pytest.mark.parametrize("item", ["o", "t-2"])
async def test_a_plan_builds_only_in_the_place_it_was_made_for(
    backend: Backend, item: str, loses: bool
) -> None:
    room = await before_building(backend, "done,later")
    await save_plan(backend, room, SAMOA, f"{item},done")
    room = await play_until_built(backend, room, loses)
    made = match_of(room).base.builds[SAMOA]
    if loses:
        assert not made.lines and not made.ready
        check_dropped(room, item.upper())
    else:
        assert {line.spot for line in made.lines} == {"f7"} and made.ready


def taking_tiles(match: Match, seat: Seat) -> list[str]:
    """Return typed Maori turns that take a tile and place it."""
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


async def plan_tile(backend: Backend, room: Room, is_taken: bool) -> Room:
    """Plan to take a Maori tile, while the turn before takes that tile or another."""
    for _ in range(TURNS):
        (first,) = match_of(room).waiting_for()
        other = Seat(1 - first)
        for turn in taking_tiles(match_of(room), first):
            after = read_turn(SeatContext.of(room, first), f"{turn}!").steps[-1]
            for plan in taking_tiles(after, other):
                if (plan.split(",")[1] == turn.split(",")[1]) is is_taken:
                    with suppress(UnreadableTurn):
                        await save_plan(backend, room, other, plan)
                        return await play(
                            backend, await backend.matches.find(room.record.id), first, turn
                        )
        # Who can take what depends on where the discoverer stands.
        room = (await backend.take_turn(room, first)).room
    raise AssertionError("That plan is gone")


async def test_a_plan_takes_only_the_tile_it_was_made_for(backend: Backend) -> None:
    """A tile that is taken is replaced at once, so another one is then in the same place."""
    for is_taken in (True, False) * 4:
        room = await backend.start_match("maori", people=2)
        room = (await backend.take_turn(room, match_of(room).waiting_for()[0])).room
        room = await plan_tile(backend, room, is_taken)
        if is_taken:
            (plan,) = room.record.plans
            assert "would do something else now" in plan.dropped
            assert match_of(room).waiting_for() == (plan.seat,)
        else:
            assert not room.record.plans, "it is played"


async def test_a_plan_is_repeated_as_it_was_typed(world: World) -> None:
    room = await world.start_match()
    shown = await world.bea.ask("/plan", channel=world.place(room), move="10: boat")
    assert "`10: boat`" in shown.content
    answer = await world.bea.press(shown, label="Keep the plan")
    assert "`10: boat`" in answer.content
    assert code_text("a`b") == "a'b", "it cannot leave its code span"


async def test_a_plan_is_written_in_a_form(world: World) -> None:
    room = await world.start_match()
    place = world.place(room)
    assert "already your turn" in (await world.ana.ask("/plan", channel=place)).content
    opened = await world.bea.slash("/plan", channel=place)
    refused = await world.bea.submit(opened, {"Your whole next turn": "fly"})
    assert refused.private.labels == ["Edit again"] and "fly" in refused.private.content
    again = await world.bea.click(refused.private, label="Edit again")
    assert again.form.values["Your whole next turn"] == "fly"
    spots = "Cancel it if anything happens on these spaces"
    given = {"Your whole next turn": "10:\nboat", spots: "9"}
    shown = await world.bea.submit(again, given)
    await world.bea.click(shown.message, label="Keep the plan")
    current = await world.bea.slash("/plan", channel=place)
    assert current.form.values == {"Your whole next turn": "10: boat", spots: "9"}
    late = await world.bea.slash("/plan", channel=place)
    await world.resign(world.ana, room)
    refused = await world.bea.submit(late, {"Your whole next turn": "10"})
    assert refused.private.content == "This match is over."
