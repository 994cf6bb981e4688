"""The Discord bot. docs/architecture.md tells how it is built.

__main__.py      `motu` and `python -m bot`
program.py       starts and stops everything
metrics.py       health and metrics over HTTP
app.py           the discord.py client, with the features plugged in
feature_list.py  the one list of features
features         what the bot can do, a folder per feature
posts            the public posts of a match
gateway          the connection to Discord
ui               the toolkit of everything on Discord
kernel           matches in play; knows no Discord
store            what outlives a crash
model            the records that all of them share
runtime          errors, tasks, logs, time
text             words
workers          processes for what takes long, such as thinking
run              configuration and the `motu` subcommands
local            a Discord on this machine, to play and test without the real one
"""
