"""The Discord bot. docs/architecture.md explains how it is built.

__main__.py      `motu` and `python -m bot`
program.py       starts and stops everything
metrics.py       health and metrics over HTTP
app.py           the discord.py client, with the features plugged in
feature_list.py  the one list of features
features         what the bot can do, a folder per feature
posts            the public posts of a match
gateway          the connection to Discord
ui               the toolkit of everything on Discord
kernel           loads, changes and saves matches; knows no Discord
store            the database
model            the records that all of them share
runtime          errors, tasks, logs and signals
text             all texts on screen
workers          processes for long work, such as a computer's thinking
run              configuration and the `motu` subcommands
local            an emulator of Discord on this machine, to play and test without the real one
"""
