"""/solo: one person starts a match against computers with one command."""

from itertools import count
from random import Random

import pytest

from bot.kernel.room import Room
from bot.local import Response
from bot.model import Status
from engine import GAMES, Seat
from render.sample import play_random_turn
from tests.bot.world import World


async def start_solo(world: World, **options: object) -> tuple[Response, Room]:
    """Have Ana start a solo match in the channel."""
    response = await world.ana.slash("/solo", **options)
    await world.wait_until_idle()
    (room,) = await world.matches.of_user(world.ana.id)
    return response, room


@pytest.mark.parametrize("game", ["blue_lagoon", "conquest"])
async def test_one_command_adds_computers_and_starts(world: World, game: str) -> None:
    seats = min(3, max(GAMES[game].seats))
    begun, room = await start_solo(world, game=game, level="easy", seats=str(seats))
    assert begun.private.labels, "the answer is the panel with the first question"
    assert room.record.status is Status.RUNNING
    assert [person.level for person in room.record.chairs] == [None, *["easy"] * (seats - 1)]
    first = world.newest(room)
    assert first is not None and first.content.startswith(f"<@{world.ana.id}>")
    panel = await world.ana.press(first, label="Your move")
    assert panel.labels, "and the public board opens the panel again"


async def test_a_first_match_is_against_a_computer_taking_its_first_steps(
    world: World,
) -> None:
    """The default is two seats; once a match is finished, the computer is an easy one."""
    _, room = await start_solo(world, game="Blue Lagoon")
    assert [person.level for person in room.record.chairs] == [None, "first_steps"]
    await world.play_out(room)
    _, room = await start_solo(world, game="Blue Lagoon")
    assert [person.level for person in room.record.chairs] == [None, "easy"]


async def win(world: World, room: Room) -> Room:
    """Have Ana win her match, by random turns that happen to be good enough."""
    for seed in count():
        chance, match = Random(seed), room.playing()
        while waiting := match.waiting_for():
            match = play_random_turn(match, waiting[0], chance)
        assert match.outcome is not None
        if match.outcome.winners == (room.seat_of(world.ana.id),):
            return await world.play_out(room, seed)
    raise AssertionError


async def test_who_beats_a_computer_is_offered_the_next_level(world: World) -> None:
    _, room = await start_solo(world, game="maori", level="easy", seats="3")
    last = world.newest(await win(world, room))
    pressed = await world.ana.click(last, label="Next level: steady")
    await world.wait_until_idle()
    (following,) = await world.matches.of_user(world.ana.id)
    assert pressed.private.labels, "the answer is the panel with the first question"
    assert [person.level for person in following.record.chairs] == [None, "steady", "steady"]
    assert following.record.settings == room.record.settings
    assert following.record.place.channel == room.record.place.channel
    refused = await world.bea.click(last, label="Next level: steady")
    assert "Only those who played" in refused.private.content


async def test_there_is_no_next_level_above_strong_or_after_a_defeat(world: World) -> None:
    _, room = await start_solo(world, game="maori", level="strong")
    ended = await win(world, room)
    assert not [label for label in world.newest(ended).labels if "level" in label]
    _, room = await start_solo(world, game="maori", level="easy")
    response = await world.ana.slash("/resign", channel=world.place(room))
    await world.ana.click(response.private, label="Yes, give up my seat")
    assert not [label for label in world.newest(room).labels if "level" in label]


@pytest.mark.parametrize(("game", "seats"), [("blue_lagoon", "5"), ("conquest", "5")])
async def test_too_many_seats_are_refused_privately(world: World, game: str, seats: str) -> None:
    refused = await world.ana.slash("/solo", game=game, seats=seats)
    assert refused.ephemeral and "2 to 4 players, not 5" in refused.private.content
    assert await world.matches.of_user(world.ana.id) == []


async def test_a_game_that_does_not_exist_is_refused(world: World) -> None:
    assert "don't know that game" in (await world.ana.ask("/solo", game="chess")).content.casefold()


async def test_a_resignation_ends_a_solo_match(world: World) -> None:
    _, room = await start_solo(world, game="polynesia")
    response = await world.ana.slash("/resign", channel=world.place(room))
    assert "That ends the match." in response.private.content
    await world.ana.click(response.private, label="Yes, give up my seat")
    after = await world.reload(room)
    assert after.record.status is Status.FINISHED
    assert "atings" not in world.newest(after).content
    assert after.playing().resigned == {Seat(0)}


async def test_a_solo_rematch_starts_at_once_and_without_a_coach(world: World) -> None:
    await world.ana.slash("/learn", game="blue_lagoon")
    await world.wait_until_idle()
    (room,) = await world.matches.of_user(world.ana.id)
    response = await world.ana.slash("/resign", channel=world.place(room))
    await world.ana.click(response.private, label="Yes, give up my seat")
    await world.wait_until_idle()
    pressed = await world.ana.click(world.newest(room), label="Rematch")
    await world.wait_until_idle()
    (again,) = await world.matches.of_user(world.ana.id)
    assert again.record.id in pressed.private.content and pressed.private.labels
    assert again.record.status is Status.RUNNING
    assert sorted(person.level or "" for person in again.record.chairs) == ["", "first_steps"]
    assert not again.record.terms.lesson
    first, second = world.posts()
    assert not first.buttons and not second.buttons and "Started in" in second.text


async def test_the_panel_reports_the_computers_moves_after_a_turn(world: World) -> None:
    _, room = await start_solo(world, game="blue_lagoon")
    choice = room.playing().question(Seat(0))
    assert choice is not None
    done = (
        await world.ana.ask("/play", channel=world.place(room), move=f"{choice.options[0].key}!")
    ).content
    told = [line for line in done.splitlines() if line.startswith("Then: ")]
    assert len(told) == 1
    assert room.record.chairs[1].name in told[0], done
