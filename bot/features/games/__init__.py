"""Somebody's matches at a glance, and the open tables of a server.

commands.py  /games and its controls
lists.py     the two lists
joining.py   a seat taken from them
"""

from bot.features.games import commands
from bot.ui.feature import Feature

FEATURE = Feature(
    name="games",
    commands=(commands.games,),
    items=(commands.GamesControl, commands.AllMatchesButton),
)
