"""The records: plain values that the store keeps and everything else passes around. Imports nothing
else of the bot.

match.py    a match: its status, place, people and terms
people.py   which fields tell of a person
clocks.py   how much time players have
votes.py    a vote of a table
jobs.py     work scheduled for later, and absences of the bot
posts.py    public posts and reminders that have to be sent
results.py  results and ratings
stored.py   what one transaction writes, and encoded commits, drafts and positions
shards.py   which servers one process is responsible for
"""
