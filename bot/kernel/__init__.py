"""Matches in play: loaded, changed, written and announced. Knows no Discord.

kernel.py         the store, the matches and the features put together: begin reading here
pipeline.py       the life of a change on one page: admit, load, act, follow, write, publish
change.py         a change to a match, and all that is written with it
feature.py        what a feature adds to the kernel, and its services, found by their class
matches.py        matches found, kept in memory and locked while they change, and their posts
room.py           a match with its people
encoding.py       between a match and what the store keeps of it
queries.py        the statements of matches, moves, announcements and jobs
scheduler.py      jobs that run later
clocks.py         paces, the time that counts, and the clocks of all matches
zones.py          time zones
post_rules.py     when a post is due, and whom it mentions
computers.py      computer players
"""
