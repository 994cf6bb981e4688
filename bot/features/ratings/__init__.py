"""Ratings: results, statistics and how well everybody plays.

records.py     results and ratings as they are kept and passed on
rules.py       the results of a finished match, and how they change ratings
service.py     writes results as matches end, rates them, and looks them up
statistics.py  the statistics of a player and of a pair, and the leaderboard, drawn
queries.py     results and ratings kept and found
discord.py     /stats and /leaderboard
"""

from bot.features.ratings import discord
from bot.features.ratings.service import Standing
from bot.kernel.feature import Parts
from bot.kernel.kernel import Kernel
from bot.ui import Feature


def build(kernel: Kernel) -> Parts:
    """Make what works without Discord."""
    standing = Standing(kernel)
    return Parts(
        services=(standing,),
        followers=(standing.write_results,),
        subscribers=(standing.rate_finished,),
        on_start=(standing.recover,),
        on_close=(standing.close,),
    )


FEATURE = Feature(name="ratings", build=build, commands=(discord.stats, discord.leaderboard))
