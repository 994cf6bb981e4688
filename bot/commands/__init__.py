"""The slash commands.

In come interactions of Discord, out go private answers; what is done to a match is the service's, in bot.matches.

register.py     all of them, and which serves which press
solo.py         /solo, /learn
help.py         /help
games.py        /games
lobby.py        /game: lobbies opened, joined, started, cancelled; matches moved
computers.py    the lobby's button Add computer; lobby_time.py its button Time…
pace.py         /game pace, and the button to claim a seat
votes.py        /game pause, resume, end, remove, replace, and the buttons under a vote
vacation.py     /vacation
play.py         /play, /undo, /resign
rewind.py       /rewind
plan.py         /plan
look.py         /board, /hand, /log, and the buttons under a turn; past.py has /board at:
catch_up.py     /catchup, /note
replay.py       /replay
review.py       /review
export.py       /export, /verify
rules.py        /rules
me.py           /me settings; privacy.py has /me export and /me delete
standing.py     /stats, /leaderboard
settings.py     /settings
completion.py   what is offered while somebody types
"""
