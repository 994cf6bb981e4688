"""The program around the bot: its settings, and the other commands of `motu`.

config.py       settings from the environment, .env and the command line
own_discord.py  starts the local Discord next to the bot, and follows its clock
tools.py        the command line, and commands such as `motu backup`
doctor.py       `motu doctor`: finds problems before the bot starts
live.py         `motu doctor --live`: tries every kind of request on Discord
play.py         `motu play`: plays a user's own computer player against Motu's
match_check.py  checks that a saved match is consistent
"""
