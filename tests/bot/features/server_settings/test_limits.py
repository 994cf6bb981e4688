"""The limit on a person's simultaneous matches."""

from asyncio import gather

import pytest

from bot.features.server_settings import NEWCOMER_LIMIT, PLAYER_LIMIT, player_limit
from bot.model import Person, Status
from bot.runtime.base import Refused
from tests.bot.backend import ANA, BEA, PLACE, Backend

HOSTS = [Person(100 + number, "Host") for number in range(40)]


async def open_lobbies(backend: Backend, number: int) -> list[str]:
    """Open lobbies of other people."""
    rooms = [await backend.matches.open_lobby("toy", {}, PLACE, host) for host in HOSTS[:number]]
    return [room.record.id for room in rooms]


async def test_a_newcomer_may_be_in_ten_matches_at_once(backend: Backend) -> None:
    lobbies = await open_lobbies(backend, NEWCOMER_LIMIT + 1)
    for match in lobbies[:NEWCOMER_LIMIT]:
        await backend.matches.join(match, ANA)
    with pytest.raises(Refused, match=r"10 matches.* start with 10 .*\(0 so far\)"):
        await backend.matches.join(lobbies[NEWCOMER_LIMIT], ANA)
    with pytest.raises(Refused, match="10 matches"):
        await backend.matches.open_lobby("toy", {}, PLACE, ANA)
    await backend.matches.leave(lobbies[0], ANA)
    await backend.matches.join(lobbies[NEWCOMER_LIMIT], ANA)


async def test_each_finished_match_raises_the_limit_by_one(
    backend: Backend,
) -> None:
    for _ in range(2):
        room = await backend.start_match()
        await backend.matches.resign(backend.press(room, 1))
    three = await backend.start_match(people=3)
    await backend.matches.resign(backend.press(three, 0))
    lobbies = await open_lobbies(backend, NEWCOMER_LIMIT + 3)
    for match in lobbies[: NEWCOMER_LIMIT + 2]:
        await backend.matches.join(match, ANA)
    with pytest.raises(Refused, match=r"12 matches.*\(2 so far\)"):
        await backend.matches.join(lobbies[NEWCOMER_LIMIT + 2], ANA)
    assert [player_limit(finished) for finished in (0, 5, 90, 1000)] == [
        10,
        15,
        PLAYER_LIMIT,
        PLAYER_LIMIT,
    ]


async def test_the_last_slot_is_given_once_however_many_ask(backend: Backend) -> None:
    lobbies = await open_lobbies(backend, 2 * NEWCOMER_LIMIT)
    made = await gather(
        *(backend.matches.join(match, ANA) for match in lobbies), return_exceptions=True
    )
    assert sum(isinstance(one, Refused) for one in made) == NEWCOMER_LIMIT
    assert len(await backend.matches.of_user(ANA.id)) == NEWCOMER_LIMIT
    await backend.matches.servers.change(
        PLACE.guild, per_server=2 * NEWCOMER_LIMIT + 3, per_player=2
    )
    people = [Person(500 + number, "Guest") for number in range(5)]
    made = await gather(
        *(backend.matches.open_lobby("toy", {}, PLACE, one) for one in people),
        return_exceptions=True,
    )
    assert sum(isinstance(one, Refused) for one in made) == 2, "three more for this server"
    made = await gather(
        *(backend.matches.join(match, BEA) for match in lobbies), return_exceptions=True
    )
    assert len(await backend.matches.of_user(BEA.id)) == 2


async def test_repeating_the_press_that_took_the_last_slot_succeeds(backend: Backend) -> None:
    lobbies = await open_lobbies(backend, NEWCOMER_LIMIT - 1)
    for match in lobbies:
        await backend.matches.join(match, ANA)
    room = await backend.matches.open_lobby("toy", {}, PLACE, ANA, interaction_id=7)
    assert (
        await backend.matches.open_lobby("toy", {}, PLACE, ANA, interaction_id=7)
    ).record.id == room.record.id
    assert room.record.status is Status.LOBBY
