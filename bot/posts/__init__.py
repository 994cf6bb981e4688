"""The public posts, which everyone in the channel sees.

In come the announcements that the service has written down as due; out go messages with the board, in order and once.

outbox.py          posts what is due, whatever Discord or a crash does meanwhile
chores.py          one task a match at a time, for the outbox and for votes
lost_places.py     notices when a match that could not post can do so again
turn_message.py    the words and buttons of a turn's post: pure
lobbies.py         shows lobbies, keeps their messages up to date, and closes those that are left alone
ballots.py         the messages of votes, kept up to date
vote_message.py    the message of a vote: pure
vote_calls.py      those called to a vote whom its own message does not call
lobby_message.py   the message of a lobby: pure
calls.py           reminders, direct messages and digests, at a pace that Discord allows
rate.py            how fast the bot may ask Discord, and how often one person may show something to a channel
after_end.py       what is done once the end of a match is posted: a film (bot/films.py), and
chronicle.py       results told in the channel that a server has chosen for them; remarkable.py finds a fact to each
notices.py         lines about somebody's time, for the whole table
call_message.py    what calls somebody besides the turn's own post: pure
"""
