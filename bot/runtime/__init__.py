"""What every part of the bot stands on: errors, tasks, logs, time, and what differs between
operating systems.

errors.py   what the bot refuses, and how anything unexpected is logged
locks.py    a lock for each of many things, such as matches
tasks.py    starts tasks, so that none fails unread
logs.py     log lines, and which interaction they belong to
clock.py    the current time
measure.py  how long things take
systems.py  what Windows does differently when processes are started and stopped
"""
