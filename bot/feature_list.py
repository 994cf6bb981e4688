"""The one list of what the bot can do. Delete a line, and the bot runs without that feature.

The order matters in two ways. A feature may use the services of those before it, and of none after
it. And the followers of a change to a match run in this order (bot/kernel/pipeline.py).
"""

from bot import posts
from bot.features import (
    catch_up,
    clock,
    films,
    games,
    help,
    history,
    lobby,
    plans,
    play,
    poster,
    privacy,
    ratings,
    reminders,
    results_feed,
    review,
    rewind,
    seats,
    server_settings,
    silence,
    standing_orders,
    status_card,
    thinning,
    vacation,
    votes,
)
from bot.ui import Feature

FEATURES: tuple[Feature, ...] = (
    posts.FEATURE,
    server_settings.FEATURE,
    status_card.FEATURE,
    vacation.FEATURE,
    reminders.FEATURE,
    ratings.FEATURE,
    votes.FEATURE,
    seats.FEATURE,
    rewind.FEATURE,
    clock.FEATURE,
    silence.FEATURE,
    standing_orders.FEATURE,
    history.FEATURE,
    catch_up.FEATURE,
    films.FEATURE,
    results_feed.FEATURE,
    play.FEATURE,
    plans.FEATURE,
    review.FEATURE,
    poster.FEATURE,
    lobby.FEATURE,
    games.FEATURE,
    help.FEATURE,
    privacy.FEATURE,
    thinning.FEATURE,
)
