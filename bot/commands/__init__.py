"""The slash commands.

In come interactions of Discord, out go private answers; what is done to a match is the service's, in bot.matches.

lobby.py        /game: lobbies opened, joined, started, cancelled; matches moved
votes.py        /game pause, resume, end, remove, replace, and the buttons under a vote
lobby_time.py   the lobby's button Time…; pace.py is /game pace, and the button to claim a seat
vacation.py     /vacation
play.py         /play, /undo, /resign
rewind.py       /rewind
plan.py         /plan
look.py         /board, /hand, /log, /games, and the buttons under a turn
export.py       /export, /verify
rules.py        /rules
me.py           /me settings; privacy.py has /me export and /me delete
standing.py     /stats, /leaderboard
completion.py   what is offered while somebody types
"""
