"""Matches at once: the limit of a person grows with what they have finished, and holds whatever
comes together.
"""

from asyncio import gather

import pytest

from bot.features.server_settings import FIRST, MOST, allowance
from bot.model import Person, Status
from bot.runtime.base import Refused
from tests.bot.seating import ANA, BEA, PLACE, House

HOSTS = [Person(100 + number, "Host") for number in range(40)]


async def opened_by_others(house: House, number: int) -> list[str]:
    """Lobbies to join."""
    rooms = [await house.matches.open_lobby("toy", {}, PLACE, host) for host in HOSTS[:number]]
    return [room.record.id for room in rooms]


async def test_somebody_new_is_in_ten_matches_at_once_and_told_the_numbers(house: House) -> None:
    lobbies = await opened_by_others(house, FIRST + 1)
    for match in lobbies[:FIRST]:
        await house.matches.join(match, ANA)
    with pytest.raises(Refused, match=r"10 matches at once.* 10 at first .* finished, 0 so far"):
        await house.matches.join(lobbies[FIRST], ANA)
    with pytest.raises(Refused, match="10 matches at once"):
        await house.matches.open_lobby("toy", {}, PLACE, ANA)
    await house.matches.leave(lobbies[0], ANA)
    await house.matches.join(lobbies[FIRST], ANA)


async def test_each_finished_match_allows_one_more_and_a_seat_given_up_does_not_count(
    house: House,
) -> None:
    for _ in range(2):
        room = await house.started()
        await house.matches.resign(house.press(room, 1))
    three = await house.started(people=3)
    await house.matches.resign(house.press(three, 0))
    lobbies = await opened_by_others(house, FIRST + 3)
    for match in lobbies[: FIRST + 2]:
        await house.matches.join(match, ANA)
    with pytest.raises(Refused, match=r"12 matches at once.* 2 so far"):
        await house.matches.join(lobbies[FIRST + 2], ANA)
    assert [allowance(finished) for finished in (0, 5, 90, 1000)] == [10, 15, MOST, MOST]


async def test_the_last_place_is_given_once_however_many_ask_together(house: House) -> None:
    lobbies = await opened_by_others(house, 2 * FIRST)
    made = await gather(
        *(house.matches.join(match, ANA) for match in lobbies), return_exceptions=True
    )
    assert sum(isinstance(one, Refused) for one in made) == FIRST
    assert len(await house.matches.of_user(ANA.id)) == FIRST
    await house.matches.servers.change(PLACE.guild, per_server=2 * FIRST + 3, per_player=2)
    people = [Person(500 + number, "Guest") for number in range(5)]
    made = await gather(
        *(house.matches.open_lobby("toy", {}, PLACE, one) for one in people), return_exceptions=True
    )
    assert sum(isinstance(one, Refused) for one in made) == 2, "three more for this server"
    made = await gather(
        *(house.matches.join(match, BEA) for match in lobbies), return_exceptions=True
    )
    assert len(await house.matches.of_user(BEA.id)) == 2


async def test_a_repeat_of_the_press_that_took_the_last_place_finds_it(house: House) -> None:
    lobbies = await opened_by_others(house, FIRST - 1)
    for match in lobbies:
        await house.matches.join(match, ANA)
    room = await house.matches.open_lobby("toy", {}, PLACE, ANA, interaction=7)
    assert (
        await house.matches.open_lobby("toy", {}, PLACE, ANA, interaction=7)
    ).record.id == room.record.id
    assert room.record.status is Status.LOBBY
