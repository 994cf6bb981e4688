"""The scale on which ratings are shown. Pure functions; what is stored stays OpenSkill's.

OpenSkill describes a player by an estimate, mu, and its uncertainty, sigma. Players are ranked by
the cautious rating `sure = mu - 3 * sigma`, which is 0 for a newcomer and negative after a first
loss. People see this number instead:

    sure >= 0:   1000 + 10 * sure
    sure < 0:    1000 * exp(sure / 100)

A newcomer has exactly 1000. Both halves meet there with the same slope of 10, and the lower one
approaches 0 without ever reaching it. The function is strictly increasing, so the shown numbers
never contradict the order of a leaderboard; after rounding, neighbours may show the same number.

The first match of two moves a newcomer to 1034 or 982, that of four to 1030, 1020, 1004 or 968.
In simulated clubs of twelve, whose members had played 40 matches each, ratings went from 740 to
1500.
"""

from math import exp

NEWCOMER = 1000
POINTS_PER_UNIT = 10
"""Shown points for each unit of the cautious rating, at and above a newcomer's."""

SETTLED_SIGMA = 7.0
"""A rating is provisional until its uncertainty has fallen below this.

A newcomer's is 8.33. In simulated clubs it took 6 matches of two players, 7 of three or 9 of four
(medians); by then the order of the ratings matched the players' true skills well, with a rank
correlation of 0.7 to 0.85, against 0.35 to 0.5 after one match.
"""


def shown_rating(sure: float) -> int:
    """Return the number that people see for a cautious rating."""
    if sure >= 0:
        return round(NEWCOMER + POINTS_PER_UNIT * sure)
    return round(NEWCOMER * exp(sure * POINTS_PER_UNIT / NEWCOMER))


def is_provisional(sigma: float) -> bool:
    """Return whether a rating with this uncertainty may still change a lot."""
    return sigma >= SETTLED_SIGMA
