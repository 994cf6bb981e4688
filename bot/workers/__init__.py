"""Processes for work that keeps a processor busy, so that it holds up no press and no picture.

jobs.py   the work there is: each job says what it needs and does it
child.py  the program of such a process: jobs in, results out
pool.py   the processes as the bot sees them: started when needed, and again when one has died
"""
