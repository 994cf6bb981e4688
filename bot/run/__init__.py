"""What the program needs around the bot: settings, and the other `motu` commands.

config.py       settings from the environment and the command line
own_discord.py  the Discord on this machine, started beside the bot, and its clock
tools.py        the command line, and what `motu` does besides running the bot
doctor.py       what would be wrong at a start
match_check.py  checks that a kept match is in order
"""
