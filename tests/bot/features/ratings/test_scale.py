"""The scale on which ratings are shown."""

from itertools import pairwise
from math import exp
from random import Random
from statistics import median

from openskill.models import PlackettLuce

from bot.features.ratings.records import Rating
from bot.features.ratings.scale import NEWCOMER, SETTLED_SIGMA, is_provisional, shown_rating

GRID = [step / 100 for step in range(-20_000, 10_001)]
"""Cautious ratings from -200 to 100: far more than anybody's."""


def test_a_newcomer_has_exactly_a_thousand() -> None:
    assert shown_rating(0.0) == shown_rating(Rating().sure) == Rating().shown == NEWCOMER == 1000
    assert Rating().is_provisional


def test_a_better_rating_is_never_shown_as_a_lower_number() -> None:
    shown = [shown_rating(sure) for sure in GRID]
    assert all(lower <= higher for lower, higher in pairwise(shown))
    # Around a newcomer's rating, a tenth of a unit is a point.
    nearby = [shown_rating(step / 10) for step in range(-10, 1000)]
    assert all(lower < higher for lower, higher in pairwise(nearby))
    # What separates players before rounding separates them by the documented formula, too.
    exact = [1000 + 10 * sure if sure >= 0 else 1000 * exp(sure / 100) for sure in GRID]
    assert all(lower < higher for lower, higher in pairwise(exact))
    assert all(abs(number - one) <= 0.5 for number, one in zip(shown, exact, strict=True))


def test_no_rating_is_negative() -> None:
    assert all(shown_rating(sure) > 0 for sure in GRID)
    assert shown_rating(-10_000.0) == 0


def rate_newcomers(seats: int, matches: int = 1) -> list[Rating]:
    """Return the ratings of newcomers who have always finished in the order of their seats."""
    model = PlackettLuce()
    teams = [[model.rating()] for _ in range(seats)]
    for _ in range(matches):
        teams = model.rate(teams, ranks=[float(seat) for seat in range(seats)])
    return [Rating(team[0].mu, team[0].sigma) for team in teams]


def test_a_first_match_moves_ratings_by_a_few_dozen_points() -> None:
    assert [one.shown for one in rate_newcomers(2)] == [1034, 982]
    assert [one.shown for one in rate_newcomers(3)] == [1033, 1015, 973]
    assert [one.shown for one in rate_newcomers(4)] == [1030, 1020, 1004, 968]


def test_somebody_who_loses_a_hundred_times_still_has_a_rating_to_show() -> None:
    for seats in (2, 3, 4):
        best, *_, worst = rate_newcomers(seats, matches=100)
        assert 650 < worst.shown < 1000 < best.shown < 2000


def matches_until_settled(seats: int, random: Random) -> list[int]:
    """Return after how many matches each member of a simulated club has a settled rating."""
    model = PlackettLuce()
    skills = [random.gauss(25, 5) for _ in range(12)]
    ratings = [model.rating() for _ in skills]
    settled: dict[int, int] = {}
    for played in range(1, 31):
        members = random.sample(range(12), 12)
        for first in range(0, 12, seats):
            table = members[first : first + seats]
            scores = [random.gauss(skills[member], 5) for member in table]
            rated = model.rate([[ratings[member]] for member in table], scores=scores)
            for member, (rating,) in zip(table, rated, strict=True):
                ratings[member] = rating
                if not is_provisional(rating.sigma):
                    settled.setdefault(member, played)
    return list(settled.values())


def test_a_rating_is_provisional_until_its_uncertainty_is_small() -> None:
    assert is_provisional(SETTLED_SIGMA) and not is_provisional(SETTLED_SIGMA - 0.01)
    random = Random(5)
    medians = {
        seats: median(
            matches for _ in range(10) for matches in matches_until_settled(seats, random)
        )
        for seats in (2, 3, 4)
    }
    assert medians == {2: 6, 3: 7, 4: 9}
