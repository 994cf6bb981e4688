"""The limit on a person's simultaneous matches."""

from asyncio import gather

import pytest

from bot.features.server_settings import NEWCOMER_LIMIT, PLAYER_LIMIT, player_limit
from bot.model import Person, Status
from bot.runtime.base import Refused
from tests.bot.seating import ANA, BEA, PLACE, House

HOSTS = [Person(100 + number, "Host") for number in range(40)]


async def open_lobbies(house: House, number: int) -> list[str]:
    """Open lobbies of other people."""
    rooms = [await house.matches.open_lobby("toy", {}, PLACE, host) for host in HOSTS[:number]]
    return [room.record.id for room in rooms]


async def test_a_newcomer_may_be_in_ten_matches_at_once(house: House) -> None:
    lobbies = await open_lobbies(house, NEWCOMER_LIMIT + 1)
    for match in lobbies[:NEWCOMER_LIMIT]:
        await house.matches.join(match, ANA)
    with pytest.raises(Refused, match=r"10 matches.* start with 10 .*\(0 so far\)"):
        await house.matches.join(lobbies[NEWCOMER_LIMIT], ANA)
    with pytest.raises(Refused, match="10 matches"):
        await house.matches.open_lobby("toy", {}, PLACE, ANA)
    await house.matches.leave(lobbies[0], ANA)
    await house.matches.join(lobbies[NEWCOMER_LIMIT], ANA)


async def test_each_finished_match_raises_the_limit_by_one(
    house: House,
) -> None:
    for _ in range(2):
        room = await house.start_match()
        await house.matches.resign(house.press(room, 1))
    three = await house.start_match(people=3)
    await house.matches.resign(house.press(three, 0))
    lobbies = await open_lobbies(house, NEWCOMER_LIMIT + 3)
    for match in lobbies[: NEWCOMER_LIMIT + 2]:
        await house.matches.join(match, ANA)
    with pytest.raises(Refused, match=r"12 matches.*\(2 so far\)"):
        await house.matches.join(lobbies[NEWCOMER_LIMIT + 2], ANA)
    assert [player_limit(finished) for finished in (0, 5, 90, 1000)] == [
        10,
        15,
        PLAYER_LIMIT,
        PLAYER_LIMIT,
    ]


async def test_the_last_slot_is_given_once_however_many_ask(house: House) -> None:
    lobbies = await open_lobbies(house, 2 * NEWCOMER_LIMIT)
    made = await gather(
        *(house.matches.join(match, ANA) for match in lobbies), return_exceptions=True
    )
    assert sum(isinstance(one, Refused) for one in made) == NEWCOMER_LIMIT
    assert len(await house.matches.of_user(ANA.id)) == NEWCOMER_LIMIT
    await house.matches.servers.change(PLACE.guild, per_server=2 * NEWCOMER_LIMIT + 3, per_player=2)
    people = [Person(500 + number, "Guest") for number in range(5)]
    made = await gather(
        *(house.matches.open_lobby("toy", {}, PLACE, one) for one in people), return_exceptions=True
    )
    assert sum(isinstance(one, Refused) for one in made) == 2, "three more for this server"
    made = await gather(
        *(house.matches.join(match, BEA) for match in lobbies), return_exceptions=True
    )
    assert len(await house.matches.of_user(BEA.id)) == 2


async def test_repeating_the_press_that_took_the_last_slot_succeeds(house: House) -> None:
    lobbies = await open_lobbies(house, NEWCOMER_LIMIT - 1)
    for match in lobbies:
        await house.matches.join(match, ANA)
    room = await house.matches.open_lobby("toy", {}, PLACE, ANA, interaction_id=7)
    assert (
        await house.matches.open_lobby("toy", {}, PLACE, ANA, interaction_id=7)
    ).record.id == room.record.id
    assert room.record.status is Status.LOBBY
