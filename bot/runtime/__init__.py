"""What everything in the bot stands on.

base.py     errors, background tasks, locks and time
logs.py     log lines, and measuring how long things take
systems.py  what Windows does differently

It imports nothing itself: the program handles signals before it loads anything slow.
"""
