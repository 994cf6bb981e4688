"""The Discord bot.

__main__.py, program.py, config.py   the program: how it is told to run, started and stopped
systems.py                           what Windows does differently when processes are started and stopped
tasks.py                             starts tasks, so that none fails unread
tools/                               what `motu` does instead, such as a backup
logs.py, metrics.py                  what is logged, and which press it came of; what can be watched from outside
app.py                               the bot itself, a discord.py client; shards.py: its servers among several processes
commands/  panel/  posts/            what people type, press privately, and all see
matches/                             the service that all three stand on; knows no Discord
store/                               what outlives a crash
long_jobs.py                         what takes a minute: its progress, and how it is stopped
workers/                             processes of their own for what takes long, such as thinking
components/  text/                   buttons and menus; words
which_match.py, hosting.py           which match somebody means; where one may be opened
leavers.py                           players who have left their server
reply.py, error_codes.py, permissions.py, errors.py   private answers, and what may go wrong
pictures.py, standing_pictures.py, films.py           boards and sheets drawn, how people stand, matches as films
clock.py, table_clock.py             the one clock, and the one at the local table
local/, own_discord.py               a Discord on this machine, to play and test without the real one
"""
