"""Players' settings: quiet hours across clock changes, digests, and typed times."""

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest

from bot.features.reminders.commands import with_welcome
from bot.features.reminders.player_settings import (
    ReminderLevel,
    ReminderSettings,
    local_time,
    read_quiet,
    read_time,
)
from bot.kernel.zones import USUAL_ZONES, parse_zone, suggest_zones, zone_names
from bot.runtime.base import Refused
from tests.bot.backend import Backend
from tests.bot.manual_clock import DAY, HOUR, moment

BERLIN = "Europe/Berlin"
NIGHT = ReminderSettings(quiet=(22 * 60, 8 * 60), zone=BERLIN)


@pytest.mark.parametrize(
    ("now", "end"),
    [
        ("2026-03-02 21:59", None),
        ("2026-03-02 22:00", "2026-03-03 08:00"),
        ("2026-03-03 07:59", "2026-03-03 08:00"),
        ("2026-03-03 08:00", None),
        # The clocks go forward at two on the 29th: that night lasts nine hours, and ends when the
        # wall says eight.
        ("2026-03-28 23:00", "2026-03-29 08:00"),
        ("2026-03-29 07:59", "2026-03-29 08:00"),
        # They go back at three on the 25th of October: that night has eleven hours.
        ("2026-10-24 23:00", "2026-10-25 08:00"),
        ("2026-10-25 07:59", "2026-10-25 08:00"),
    ],
)
def test_quiet_hours_end_by_the_local_clock(now: str, end: str | None) -> None:
    assert NIGHT.quiet_until(moment(now, BERLIN)) == (moment(end, BERLIN) if end else None)


def test_quiet_hours_follow_both_clock_changes() -> None:
    spring, autumn = moment("2026-03-28 22:00", BERLIN), moment("2026-10-24 22:00", BERLIN)
    lengths = [(NIGHT.quiet_until(start) or 0) - start for start in (spring, autumn)]
    assert lengths == [9 * HOUR, 11 * HOUR]


@pytest.mark.parametrize("change", ["2026-03-29", "2026-10-25"])
@pytest.mark.parametrize("quiet", [(60, 150), (150, 200), (1380, 150), (125, 135), (0, 1380)])
def test_quiet_hours_never_last_longer_than_a_day(change: str, quiet: tuple[int, int]) -> None:
    chosen = ReminderSettings(quiet=quiet, zone=BERLIN)
    start = moment(f"{change} 00:00", BERLIN) - DAY
    loud = 0
    for now in range(start, start + 3 * DAY, 300):
        until = chosen.quiet_until(now)
        assert until is None or now < until <= now + 25 * HOUR
        loud += until is None
    assert loud


def test_quiet_hours_by_day_and_without_any() -> None:
    noon = moment("2026-03-02 12:00", BERLIN)
    assert (
        ReminderSettings(quiet=(9 * 60, 17 * 60), zone=BERLIN).quiet_until(noon) == noon + 5 * HOUR
    )
    assert ReminderSettings().quiet_until(noon) is None


@pytest.mark.parametrize(
    ("chosen", "expected"),
    [
        (ReminderSettings(zone=BERLIN), "2026-03-29 09:00"),
        (NIGHT, "2026-03-29 08:00"),
        (ReminderSettings(quiet=NIGHT.quiet, zone=BERLIN, digest=18 * 60 + 30), "2026-03-28 18:30"),
        # On that day there is no half past two.
        (ReminderSettings(zone=BERLIN, digest=150), "2026-03-29 03:30"),
    ],
)
def test_a_digest_comes_daily_at_the_same_local_time(
    chosen: ReminderSettings, expected: str
) -> None:
    now = moment("2026-03-28 12:00", BERLIN)
    first = chosen.next_digest(now)
    assert first == moment(expected, BERLIN)
    following = chosen.next_digest(first)
    assert 22 * HOUR <= following - first <= 25 * HOUR


@pytest.mark.parametrize(
    ("typed", "minutes"),
    [
        ("22:30", 1350),
        ("7", 420),
        (" 7.15 ", 435),
        ("10 pm", 1320),
        ("12am", 0),
        ("12 PM", 720),
        ("24:00", 0),
    ],
)
def test_times_can_be_typed_in_common_ways(typed: str, minutes: int) -> None:
    assert read_time(typed) == minutes


@pytest.mark.parametrize(
    "typed", ["", "noon", "25:00", "10:60", "13 pm", "0 am", "-3", "1:2:3", "²²:00"]
)
def test_an_invalid_time_is_refused(typed: str) -> None:
    with pytest.raises(Refused, match="isn't a time of day"):
        read_time(typed)


def test_quiet_hours_can_be_typed_in_common_ways() -> None:
    assert (
        read_quiet("22:00-08:00")
        == read_quiet("10 pm to 8 am")
        == read_quiet("22 – 8")
        == (1320, 480)
    )
    assert read_quiet(" OFF ") is None and read_quiet("none") is None
    for typed, reason in (
        ("late", "don't understand"),
        ("8-8", "start and end at the same time"),
        ("8-x", "isn't a time of day"),
    ):
        with pytest.raises(Refused, match=reason):
            read_quiet(typed)


def test_time_zones_are_found_by_partial_names() -> None:
    assert parse_zone("europe/berlin") == parse_zone("Berlin") == BERLIN
    assert parse_zone("new york") == "America/New_York" and parse_zone("utc") == "UTC"
    assert suggest_zones("berl")[0] == BERLIN and suggest_zones("new y")[0] == "America/New_York"
    assert suggest_zones("") == list(USUAL_ZONES) and len(USUAL_ZONES) <= 25
    assert set(USUAL_ZONES) <= set(zone_names().values())
    with pytest.raises(Refused, match="don't know the time zone 'Atlantis'"):
        parse_zone("Atlantis")
    with pytest.raises(Refused, match="Europe/Berlin"):
        parse_zone("berli")


def test_an_unknown_time_zone_counts_as_utc() -> None:
    assert local_time("Pacific/Atlantis", moment("2026-03-02 12:34")) == "12:34"
    assert local_time("Asia/Kathmandu", moment("2026-03-02 12:34")) == "18:19"


async def test_settings_are_saved_and_changed_one_by_one(backend: Backend) -> None:
    reminders = backend.matches.pings
    assert await reminders.of(1) == ReminderSettings()
    await asyncio.gather(
        reminders.change_settings(1, zone=BERLIN),
        reminders.change_settings(1, level=ReminderLevel.DIGEST),
    )
    await reminders.change_settings(1, quiet=(60, 120))
    await backend.restart()
    assert await backend.matches.pings.of(1) == ReminderSettings(
        level=ReminderLevel.DIGEST, quiet=(60, 120), zone=BERLIN
    )
    assert await backend.matches.pings.of(2) == ReminderSettings()


async def test_each_person_is_welcomed_once(backend: Backend) -> None:
    heard: list[int] = []

    async def welcome(user: int, fails: bool = False) -> bool:
        is_welcomed = False

        async def show(*welcome: str) -> None:
            nonlocal is_welcomed
            await asyncio.sleep(0)
            if fails:
                raise OSError
            if welcome:
                heard.append(user)
                is_welcomed = True

        client = SimpleNamespace(kernel=backend.matches.kernel)
        interaction: Any = SimpleNamespace(client=client, user=SimpleNamespace(id=user))
        await with_welcome(interaction, show)
        return is_welcomed

    with pytest.raises(OSError):
        await welcome(1, fails=True)
    assert sorted(await asyncio.gather(welcome(1), welcome(1), welcome(2))) == [False, True, True]
    await backend.restart()
    assert not await welcome(1) and sorted(heard) == [1, 2]
