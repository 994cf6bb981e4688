"""Ratings: the results of matches, and the statistics and ratings of players.

records.py     records of results and ratings
rules.py       the results of a finished match, and how they change ratings
scale.py       the scale on which ratings are shown
service.py     writes results when matches end, and rates them
changes.py     tells how a match has changed ratings
statistics.py  draws the statistics of a player or a pair, and the leaderboard
queries.py     the SQL for results and ratings
discord.py     /stats and /leaderboard
"""

from bot.features.ratings import discord
from bot.features.ratings.service import Standing
from bot.kernel.feature import Parts
from bot.kernel.kernel import Kernel
from bot.ui import Feature


def build(kernel: Kernel) -> Parts:
    """Connect results and ratings to the kernel."""
    standing = Standing(kernel)
    return Parts(
        services=(standing,),
        followers=(standing.write_results,),
        subscribers=(standing.rate_finished,),
        post_followers=(standing.extend_post,),
        on_start=(standing.recover,),
        on_close=(standing.close,),
    )


FEATURE = Feature(
    name="ratings",
    build=build,
    commands=(discord.stats, discord.leaderboard),
    items=(discord.StatsMenu,),
)
