"""Ratings: results, statistics and how well everybody plays.

service.py     writes results as matches end, rates them, and looks them up
rules.py       how a match changes ratings
results.py     the results of a finished match
statistics.py  the statistics of a player and of a pair
commands.py    /stats and /leaderboard
pictures.py    their pictures
"""

from bot.features.ratings import commands
from bot.features.ratings.service import RECOMPUTE, Standing
from bot.kernel.feature import Parts
from bot.kernel.kernel import Kernel
from bot.ui.feature import Feature


def build(kernel: Kernel) -> Parts:
    """Make what works without Discord."""
    standing = Standing(kernel)
    return Parts(
        services=(standing,),
        jobs={RECOMPUTE: standing.recompute_later},
        followers=(standing.write_results,),
        subscribers=(standing.rate_finished,),
        on_start=(standing.recover,),
        on_close=(standing.close,),
    )


FEATURE = Feature(name="ratings", build=build, commands=(commands.stats, commands.leaderboard))
