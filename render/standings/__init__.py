"""Pictures of how people stand, with alt texts: a player, two rivals, the leaderboards.

The bot fills in the records and gets a PNG and a text. To change what a picture shows, edit the
module of that picture; to change how all of them look, edit page.py.

    records      what the bot hands over: sheets, lists and their lines
    player       the sheet of one player
    pair         the sheet of two players who have met
    leaderboard  the ratings of one game, or short lists of several games
    chart        ratings over time, on the sheets of players and pairs
    page         the paper below a title strip that all of them are written on
    numbers      ratings, names and days as they are written
"""

from render.standings.leaderboard import describe_lists, draw_lists
from render.standings.pair import describe_pair, draw_pair
from render.standings.player import describe_player, draw_player
from render.standings.records import (
    Curve,
    Entry,
    GameLine,
    MeetingLine,
    PairSheet,
    PlayerSheet,
    RatingList,
    SoloLine,
    VersusLine,
)

__all__ = [
    "Curve",
    "Entry",
    "GameLine",
    "MeetingLine",
    "PairSheet",
    "PlayerSheet",
    "RatingList",
    "SoloLine",
    "VersusLine",
    "describe_lists",
    "describe_pair",
    "describe_player",
    "draw_lists",
    "draw_pair",
    "draw_player",
]
