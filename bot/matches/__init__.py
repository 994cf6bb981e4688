"""The service of matches: knows no Discord type, and could serve any other chat.

In comes a Press (who wants what, of which match) or a call of a lobby; out go a Room (the match with its people), an
Update for whoever pressed, and Announcements of what everyone must be told, which the outbox posts.

service.py        Matches, all that can be done to a match: begin reading here
rooms.py          matches loaded, cached, queued for and written
room.py           Room and the other plain values that come in and go out
lobby.py          what may happen before a match begins; game_settings.py reads and offers the game's settings
announcements.py  the posts that are due and what each needs; post_rules.py says when one is, and whom it pings
computers.py      seats without a person: thought for apart, moved in their turn
pace.py           how much time players have, as arithmetic; clocks.py keeps it, expiry.py acts when it is up,
                  vacation.py has the days on which it waits, zones.py what people call time zones
scheduler.py      what is to happen later, and what the bot's own absence changes about it
votes.py          what a table decides together; ballot.py has the rules of it, vote_kinds.py and time_votes.py what
                  can be asked
agenda.py         whose move it is, for a person with many matches; limits.py says how many at once
server_settings.py  what a server has chosen with /settings
catch_up.py       what somebody has missed in a match; notes.py keeps what they note for themselves
seats.py          seats that change hands in the midst of a match; silence.py asks after matches that are left alone
plans.py          next turns written down before they come; standing_orders.py answers by order, when a person might
rewind.py         turns taken back, matches rewound
past.py           any moment of a match
pings.py          who is called to a decision, when and how often; player_settings.py has what each has chosen
standing.py       results kept and ratings made of them; results.py says what came of a match, rating.py has the rules,
                  statistics.py what can be told of somebody's results
telling.py        matches that are over, told as a whole and verified
records.py        between a match and what the store keeps of it; checking.py sees whether that is in order
queue.py          one act at a time in each match
keeping.py        what is kept of matches that have ended; privacy.py what is kept of a person, told and forgotten
"""
