"""The slash commands.

In come interactions of Discord, out go private answers; what is done to a match is the service's, in bot.matches.

lobby.py        /game: lobbies opened, joined, started, cancelled; paused matches resumed
play.py         /play, /undo, /resign
rewind.py       /rewind
plan.py         /plan
look.py         /board, /hand, /log, /games, and the buttons under a turn
rules.py        /rules
me.py           /me
completion.py   what is offered while somebody types
"""
