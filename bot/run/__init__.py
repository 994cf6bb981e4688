"""The program: how it is configured, started, watched and stopped.

program.py      starts the bot, on Discord or at the local table, and stops it
config.py       settings from the environment and the command line
metrics.py      health and metrics over HTTP
own_discord.py  the Discord on this machine, started beside the bot, and its clock
tools.py        the command line, and what `motu` does besides running the bot
doctor.py       what would be wrong at a start
match_check.py  checks that a kept match is in order
"""
