"""The one list of what the bot can do. A feature that is left out of it is gone.

The order matters in two ways. A feature may use those before it, and none after it. And what
follows from a change to a match follows in this order: see bot/kernel/kernel.py.
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
