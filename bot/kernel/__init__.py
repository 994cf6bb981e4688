"""The kernel: loads, changes and saves matches.

It knows nothing of Discord and must not import discord.py; what features add is declared in
feature.py.

kernel.py         puts the store, the matches and the features together: start reading here
pipeline.py       the life of a change on one page: admit, load, act, follow, write, publish
change.py         a change to a match, with everything that is written along with it
feature.py        what a feature can plug into the kernel, and how features find each other
matches.py        finds matches, caches them, and locks them while they change
room.py           a match together with its players and the place it is played in
languages.py      which language to use: the server's in public, the player's own in private
encoding.py       encodes matches for the store, decodes them, and replays their logs
queries.py        the SQL for matches, moves, announcements, jobs and settings
scheduler.py      runs jobs at the time they are scheduled for
clocks.py         the players' clocks: paces, weekends off, deadlines
zones.py          time zones, and parsing what people type for them
post_rules.py     when a match needs a new post, and whom the post pings
computers.py      computer players
"""
