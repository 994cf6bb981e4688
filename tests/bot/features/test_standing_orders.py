"""Standing orders answer like a person would, so that nobody can tell."""

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from bot.features.play.panel import build_panel
from bot.features.reminders.rules import REMIND
from bot.features.rewind import REWIND, fingerprint
from bot.features.standing_orders import MAX_DELAY_SECONDS, MIN_DELAY_SECONDS, ORDERED_ANSWER
from bot.kernel import queries
from bot.kernel.room import Room
from bot.model import Job
from bot.posts import turn_message
from engine.conquest.events import VictoryDeclared
from engine.conquest.steps.build import BeginBuilding
from engine.conquest.steps.victory import CountPoints, DeclareVictory, HearDeclarations
from tests.bot.backend import ANA, BEA, CEM, DAG, PLACE, Backend, answer_with, match_of
from tests.bot.features.test_seats import ask_for, offer
from tests.bot.kernel.test_announcements import post_all
from tests.engine.conquest.scenes import HIVA, SAMOA, TONGA
from tests.engine.conquest.test_victory import rich

SHORT, ENOUGH = ("tapu", "fort"), ("moai", "hula")
"""What Hiva has face down, showing 22 of 25 points."""
SAID = answer_with(("build_item", ("done",)))


async def asked_to_declare(backend: Backend, cards: tuple[str, ...], order: str) -> Room:
    """Return a match in which Cem, with this order, is asked whether to declare."""
    room = await backend.start_match("conquest", people=3)
    scene = (
        rich().cards(HIVA, *cards).nation(HIVA, victory=order).having(order=(HIVA, SAMOA, TONGA))
    )
    play = scene._at(BeginBuilding(), CountPoints(), DeclareVictory(), HearDeclarations())
    play.do(TONGA, "done").do(HIVA, "done")
    begun = replace(match_of(room), base=play.state)
    room = backend.matches.keep(Room(room.record, begun))
    await post_all(backend)
    room = (await backend.matches.play(backend.press(room, SAMOA), SAID)).room
    assert match_of(room).waiting_for() == (HIVA,)
    return room


async def visible_to_others(backend: Backend, room: Room) -> list[Any]:
    """Return everything that others and spectators can see of a match."""
    match = match_of(room)
    seen: list[Any] = [match.waiting_for()]
    for viewer in (None, TONGA, SAMOA):
        log = await backend.matches.log(room.record.id, viewer)
        seen += [match.view(viewer), [(commit.seat, commit.events) for commit in log[1:]]]
    seen += [match.decisions(seat) for seat in (TONGA, SAMOA)]
    jobs = await backend.matches.store.read(queries.jobs, room.record.id)
    seen.append([(job.user, job.facts, job.at) for job in jobs if job.kind == REMIND])
    for due in await backend.matches.pending_posts():
        post = await backend.matches.post_of(due)
        seen += [post.newly, turn_message.message(post).content.replace(room.record.id, "")]
    await post_all(backend)
    return seen


async def test_a_standing_order_answers_after_a_delay(backend: Backend) -> None:
    room = await asked_to_declare(backend, SHORT, "declare")
    (due,) = [
        due
        for due in await backend.matches.store.read(queries.jobs, room.record.id)
        if due.kind == ORDERED_ANSWER
    ]
    assert MIN_DELAY_SECONDS <= due.at - backend.clock.now <= MAX_DELAY_SECONDS
    assert "Your standing answer will be given" in build_panel(room, HIVA).text
    await backend.advance(MIN_DELAY_SECONDS - 1)
    assert match_of(await backend.matches.find(room.record.id)).waiting_for() == (HIVA,)
    await backend.stop_for(0)
    await backend.advance(MAX_DELAY_SECONDS)
    after = match_of(await backend.matches.find(room.record.id))
    assert after.number == match_of(room).number + 1
    assert after.base.turn == match_of(room).base.turn + 1


async def not_declaring(path: Path, cards: tuple[str, ...], order: str) -> list[Any]:
    """Return what others see before and after Hiva passes, by order or by hand."""
    backend = Backend(path)
    await backend.open()
    room = await asked_to_declare(backend, cards, order)
    seen = await visible_to_others(backend, room)
    if (cards, order) == (SHORT, "declare"):
        await backend.advance(MAX_DELAY_SECONDS)
    else:
        await backend.advance(MIN_DELAY_SECONDS - 1)
        await backend.matches.play(
            backend.press(room, HIVA), answer_with(("declare_victory", ("pass",)))
        )
    seen += await visible_to_others(backend, await backend.matches.find(room.record.id))
    await backend.matches.close()
    return seen


async def test_not_declaring_looks_the_same_whatever_the_reason(tmp_path: Path) -> None:
    by_order = await not_declaring(tmp_path / "ordered", SHORT, "declare")
    for number, (cards, order) in enumerate(
        ((SHORT, "askme"), (ENOUGH, "askme"), (ENOUGH, "declare"))
    ):
        by_hand = await not_declaring(tmp_path / str(number), cards, order)
        for ordered, said in zip(by_order, by_hand, strict=True):
            assert ordered == said


async def test_a_standing_order_declares_with_enough_points(backend: Backend) -> None:
    room = await asked_to_declare(backend, ENOUGH, "declare")
    await backend.advance(MAX_DELAY_SECONDS)
    log = await backend.matches.log(room.record.id, None)
    assert log[-1].seat == HIVA
    assert [event.seat for event in log[-1].events if isinstance(event, VictoryDeclared)] == [HIVA]


async def test_a_player_may_answer_before_the_order_or_change_it(backend: Backend) -> None:
    room = await asked_to_declare(backend, ENOUGH, "declare")
    await backend.matches.play(
        backend.press(room, HIVA), answer_with(("declare_victory", ("pass",)))
    )
    number = match_of(await backend.matches.find(room.record.id)).number
    await backend.advance(MAX_DELAY_SECONDS)
    assert match_of(await backend.matches.find(room.record.id)).number == number

    room = await asked_to_declare(backend, ENOUGH, "declare")
    await backend.matches.pick(backend.press(room, HIVA), "set_victory_order", ("askme",))
    await backend.advance(MAX_DELAY_SECONDS)
    assert match_of(await backend.matches.find(room.record.id)).waiting_for() == (HIVA,)
    await backend.matches.pick(backend.press(room, HIVA), "set_victory_order", ("declare",))
    await backend.advance(MAX_DELAY_SECONDS)
    assert match_of(await backend.matches.find(room.record.id)).waiting_for() != (HIVA,)


async def orders_due(backend: Backend, room: Room) -> list[Job]:
    return [
        due
        for due in await backend.matches.store.read(queries.jobs, room.record.id)
        if due.kind == ORDERED_ANSWER
    ]


async def pass_vote(
    backend: Backend, room: Room, kind: str, facts: dict[str, Any] | None = None
) -> Room:
    """Have Ana propose something and everybody agree."""
    vote = await backend.matches.votes.propose(
        room.record.id, ANA, kind, facts or {}, next(backend.interactions)
    )
    for person in (BEA, CEM):
        if (await backend.matches.votes.find(vote.match, vote.number)).is_open:
            await backend.matches.votes.cast(
                vote.match, vote.number, person.id, "yes", next(backend.interactions)
            )
    return await backend.matches.find(room.record.id)


async def must_answer_in_time(backend: Backend, room: Room) -> None:
    """Check that the panel announces the order, and that it answers in time."""
    assert "Your standing answer will be given" in build_panel(room, HIVA).text
    (due,) = await orders_due(backend, room)
    assert due.user == room.record.chairs[HIVA].id
    assert MIN_DELAY_SECONDS <= due.at - backend.clock.now <= MAX_DELAY_SECONDS
    number = match_of(room).number
    await backend.advance(MIN_DELAY_SECONDS - 1)
    assert match_of(await backend.matches.find(room.record.id)).number == number
    await backend.advance(MAX_DELAY_SECONDS)
    after = match_of(await backend.matches.find(room.record.id))
    assert after.number == number + 1
    assert after.base.turn == match_of(room).base.turn + 1
    assert await orders_due(backend, room) == []


async def test_a_standing_order_answers_again_after_a_rewind(backend: Backend) -> None:
    room = await asked_to_declare(backend, SHORT, "declare")
    number = match_of(room).number
    await backend.advance(MAX_DELAY_SECONDS)
    later = await backend.matches.find(room.record.id)
    facts = {
        "to": number,
        "at": fingerprint(match_of(later)),
        "before": "",
        "undone": "",
        "number": 1,
    }
    back = await pass_vote(backend, later, REWIND, facts)
    assert match_of(back).base == match_of(room).base
    await must_answer_in_time(backend, back)


async def test_a_standing_order_answers_after_a_draft_is_taken_back(backend: Backend) -> None:
    room = await asked_to_declare(backend, SHORT, "declare")
    await backend.matches.play(
        backend.press(room, HIVA), answer_with(("declare_victory", ("pass",)), confirm=False)
    )
    assert await orders_due(backend, room) == [], "its owner is at it"
    back = (await backend.matches.undo(backend.press(room, HIVA))).room
    await must_answer_in_time(backend, back)


async def test_a_standing_order_waits_while_a_match_is_paused(backend: Backend) -> None:
    room = await asked_to_declare(backend, SHORT, "declare")
    paused = await pass_vote(backend, room, "pause")
    assert paused.is_paused and await orders_due(backend, room) == []
    await backend.advance(3 * MAX_DELAY_SECONDS)
    resumed = await pass_vote(backend, paused, "resume")
    assert not resumed.is_paused and match_of(resumed).number == match_of(room).number
    await must_answer_in_time(backend, resumed)
    # It is no different where the match could not post for a while.
    room = await asked_to_declare(backend, SHORT, "declare")
    await backend.matches.pause(room.record.id, "gone")
    await backend.advance(3 * MAX_DELAY_SECONDS)
    await must_answer_in_time(backend, await backend.matches.move(room.record.id, PLACE))


@pytest.mark.parametrize("is_away", [False, True])
async def test_a_standing_order_answers_for_a_substitute(backend: Backend, is_away: bool) -> None:
    room = await asked_to_declare(backend, SHORT, "declare")
    await offer(backend, room, CEM, HIVA)
    if is_away:
        # It thinks for longer than the table takes to agree.
        backend.matches.computers.stop()
        handed = match_of(await backend.matches.find(room.record.id)).hand_over(
            HIVA, to_computer=True
        )
        await backend.matches.pipeline.change(room.record.id, lambda change: change.play(handed))
        assert await orders_due(backend, room) == [], "a computer answers for itself"
    vote = await ask_for(backend, room, DAG, HIVA)
    for person in (ANA, BEA):
        await backend.matches.votes.cast(
            vote.match, vote.number, person.id, "yes", next(backend.interactions)
        )
    taken = await backend.matches.find(room.record.id)
    assert taken.record.chairs[HIVA].id == DAG.id
    await must_answer_in_time(backend, taken)


async def test_a_standing_order_answers_after_downtime(backend: Backend) -> None:
    room = await asked_to_declare(backend, SHORT, "declare")
    await backend.stop_for(0)
    await must_answer_in_time(backend, await backend.matches.find(room.record.id))
