"""Time arithmetic: weekends, summer time and downtime."""

from random import Random

import pytest

from bot.kernel.clocks import GRANTS, CountedTime, Grants
from bot.model import Pace
from tests.bot.manual_clock import DAY, HOUR, moment

BERLIN = "Europe/Berlin"


def test_the_three_paces() -> None:
    assert {
        pace: (grants.bank // HOUR, grants.increment // HOUR, grants.cap // HOUR)
        for pace, grants in GRANTS.items()
    } == {
        Pace.QUICK: (24, 4, 72),
        Pace.STEADY: (72, 12, 120),
        Pace.EASY: (72, 36, 240),
    }
    assert isinstance(GRANTS[Pace.QUICK], Grants)


@pytest.mark.parametrize(
    ("since", "hours", "until"),
    [
        # 28 March 2026 is a Saturday; on the Sunday clocks go from 2:00 to 3:00.
        ("2026-03-27 18:00", 6, "2026-03-28 00:00"),
        ("2026-03-27 18:00", 7, "2026-03-30 01:00"),
        ("2026-03-28 12:00", 1, "2026-03-30 01:00"),
        ("2026-03-29 23:59", 24, "2026-03-31 00:00"),
        # Over five working days and the weekend after them.
        ("2026-03-30 00:00", 121, "2026-04-06 01:00"),
        # On 25 October they go back from 3:00 to 2:00.
        ("2026-10-23 12:00", 13, "2026-10-26 01:00"),
    ],
)
def test_no_clock_runs_on_a_weekend_in_the_zone_of_the_table(
    since: str, hours: int, until: str
) -> None:
    start, end = moment(since, BERLIN), moment(until, BERLIN)
    assert CountedTime(BERLIN, ()).after(start, hours * HOUR) == end
    assert CountedTime(BERLIN, ()).elapsed(start, end) == hours * HOUR


def test_an_hour_is_an_hour_over_the_change_to_summer_time() -> None:
    start = moment("2026-03-28 12:00", BERLIN)
    assert (
        CountedTime("", ()).after(start, DAY) == moment("2026-03-29 13:00", BERLIN) == start + DAY
    )


def test_a_weekend_begins_earlier_in_the_east() -> None:
    start = moment("2026-03-06 12:00")
    ends = [
        CountedTime(zone, ()).after(start, DAY)
        for zone in ("Pacific/Auckland", "UTC", "Pacific/Honolulu")
    ]
    # In Auckland it is Saturday already.
    assert ends == [
        moment(text) for text in ("2026-03-09 11:00", "2026-03-09 12:00", "2026-03-09 12:00")
    ]


def test_overlapping_absences_and_weekends_count_once() -> None:
    friday, monday = moment("2026-03-06 12:00"), moment("2026-03-09 12:00")
    away = [(friday + HOUR, monday)]
    assert CountedTime("UTC", away).elapsed(friday, monday + HOUR) == 2 * HOUR
    assert CountedTime("UTC", away).after(friday, 2 * HOUR) == monday + HOUR


def test_time_used_and_deadline_agree() -> None:
    random, start = Random(1), moment("2026-03-20 00:00")
    for _ in range(500):
        since = start + random.randrange(30 * DAY)
        away = sorted(
            (at, at + random.randrange(3 * DAY))
            for at in (start + random.randrange(40 * DAY) for _ in range(3))
        )
        zone = random.choice(("", "UTC", BERLIN, "America/Sao_Paulo"))
        seconds = random.randrange(20 * DAY)
        end = CountedTime(zone, away).after(since, seconds)
        assert CountedTime(zone, away).elapsed(since, end) == seconds
        assert CountedTime(zone, away).elapsed(since, end - 1) in (seconds - 1, 0)


def test_an_unknown_zone_counts_as_utc() -> None:
    start = moment("2026-03-06 12:00")
    off = [
        next(CountedTime(zone, ())._time_off(start))
        for zone in ("Nowhere/Atlantis", "UTC", "../etc/passwd")
    ]
    assert off[0] == off[1] == off[2]
