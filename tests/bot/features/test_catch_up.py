"""Catching up: the log since a seat's last action."""

from random import Random

import pytest

from bot.features.catch_up import (
    MAX_NOTE_CHARACTERS,
    Changes,
    catch_up_text,
    changes_since_last_act,
)
from bot.kernel.room import Room
from bot.model import Status
from bot.runtime.base import Refused
from bot.ui import describe
from engine import GAMES, Match, Seat
from engine.maori.events import Rested
from tests.bot.backend import ANA, BEA, CEM, Backend, match_of, random_answer


async def play_randomly(
    backend: Backend, room: Room, seats: tuple[int, ...], commits: int, seed: str
) -> Room:
    """Commit random turns of these seats."""
    random, until = Random(seed), match_of(room).number + commits

    def turn(room: Room, seat: Seat) -> list[Match]:
        trail = [match_of(room)]
        for _ in range(200):
            if trail[-1].number > trail[0].number:
                return trail
            if trail[-1].is_complete(seat):
                return [*trail, trail[-1].confirm(seat)]
            answer = random_answer(trail[-1], seat, random)
            assert answer is not None
            trail.append(trail[-1].pick(answer))
        raise AssertionError("a turn without an end")

    while room.record.status is Status.RUNNING and match_of(room).number < until:
        waiting = [seat for seat in match_of(room).waiting_for() if seat in seats]
        if not waiting:
            break
        room = (await backend.matches.play(backend.press(room, waiting[0]), turn)).room
    return room


@pytest.mark.parametrize("game", GAMES)
async def test_it_lists_the_log_since_the_player_s_last_action(backend: Backend, game: str) -> None:
    room = await backend.start_match(game, people=3 if 3 in GAMES[game].seats else 2)
    seats = tuple(range(len(room.record.chairs)))
    for step in range(6):
        room = await play_randomly(backend, room, seats, 25, f"{game}-{step}")
        room = await play_randomly(backend, room, seats[1:], 60, f"{game}-{step}-others")
        for seat in map(Seat, seats):
            log = await backend.matches.log(room.record.id, seat)
            own = [number for number, made in enumerate(log) if number and made.seat == seat]
            missed = tuple(
                event for made in log[own[-1] + 1 if own else 0 :] for event in made.events
            )
            changes = await changes_since_last_act(backend.matches.kernel, room, seat)
            assert changes.events == missed
            assert (
                len(catch_up_text(room, seat, changes, "*" * MAX_NOTE_CHARACTERS, 1_790_000_000))
                <= 2000
            )
            said, words = catch_up_text(room, seat, changes), describe.words(room)
            if "press Log" in said:
                continue
            for is_mine in (True, False):
                mine = [
                    event
                    for event in missed
                    if seat in words.seats_in(event) or event.audience == (seat,)
                ]
                told = mine if is_mine else [event for event in missed if event not in mine]
                folded = [event for event in told if is_mine or not event.is_pass]
                assert all(line in said for line in describe.tell_events(room, folded, seat))
    watcher = await changes_since_last_act(backend.matches.kernel, room, None)
    assert watcher.events == await backend.matches.news(room, None)


async def test_events_about_me_come_first_and_passes_are_combined(backend: Backend) -> None:
    room = await backend.start_match("maori", people=3, first="1")
    idle = Changes((Rested(Seat(1)), Rested(Seat(2)), Rested(Seat(1)), Rested(Seat(0))))
    text = catch_up_text(room, Seat(0), idle)
    assert text.index("Ana took no tile.") > text.index("**About you**")
    assert text.endswith("Passed: Bea (2 times) and Cem (once).") and "Bea took no tile" not in text


async def test_a_player_who_never_acted_reads_from_the_start(
    backend: Backend,
) -> None:
    room = await backend.start_match("blue_lagoon")
    fresh = await changes_since_last_act(backend.matches.kernel, room, Seat(1))
    assert fresh.before is None and "since the start" in catch_up_text(room, Seat(1), fresh)
    room = (await backend.take_turn(room, 0)).room
    room = (await backend.take_turn(room, 1)).room
    await backend.matches.pipeline.change(
        room.record.id,
        lambda change: change.play(match_of(change.before).hand_over(Seat(0), to_computer=True)),
    )
    await backend.matches.computers.wait(await backend.matches.find(room.record.id), 60)
    room = await backend.matches.find(room.record.id)
    missed = await changes_since_last_act(backend.matches.kernel, room, Seat(0))
    assert missed.before is not None
    assert missed.before.number == 1, "the last thing that Ana did herself"
    text = catch_up_text(room, Seat(0), missed)
    assert text.index("Ana ⚙ placed ") < text.index("Bea placed ")
    assert text.index("**About you**") < text.index("Ana ⚙ placed ")


async def test_turns_taken_back_are_left_out(backend: Backend) -> None:
    room = await backend.start_match("blue_lagoon")
    room = (await backend.take_turn(room, 0)).room
    text = catch_up_text(
        room, Seat(1), await changes_since_last_act(backend.matches.kernel, room, Seat(1))
    )
    begun = await backend.matches.position(room.record.id, 0)
    await backend.matches.pipeline.change(
        room.record.id, lambda change: change.play(match_of(change.before).back_to(begun, Seat(0)))
    )
    room = await backend.matches.find(room.record.id)
    said = catch_up_text(
        room, Seat(1), await changes_since_last_act(backend.matches.kernel, room, Seat(1))
    )
    assert "oat on 1." in text and "oat on 1." not in said


async def test_a_note_is_private_limited_and_survives_a_restart(backend: Backend) -> None:
    room = await backend.start_match("blue_lagoon")
    await backend.matches.notes.write(room, ANA.id, "  watch G7 ")
    await backend.matches.notes.write(room, BEA.id, "mine")
    with pytest.raises(Refused, match=r"401 characters; the limit is 400"):
        await backend.matches.notes.write(room, ANA.id, "x" * (MAX_NOTE_CHARACTERS + 1))
    with pytest.raises(Refused, match="Only players"):
        await backend.matches.notes.write(room, CEM.id, "hello")
    room = await backend.reopen(room)
    assert [await backend.matches.notes.of(room, user) for user in (ANA.id, BEA.id, CEM.id)] == [
        "watch G7",
        "mine",
        "",
    ]
    await backend.matches.notes.write(room, ANA.id, "")
    assert await backend.matches.notes.of(room, ANA.id) == ""
