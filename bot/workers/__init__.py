"""Worker processes for CPU-heavy work, which would delay interactions and drawing in the bot.

jobs.py     the kinds of jobs: their arguments, and the code that runs in the worker
child.py    the worker's main program: reads jobs, writes results
pool.py     the bot's side: starts workers when needed, restarts dead ones, and queues jobs
outside.py  a user's own computer player: a command that is asked for each answer
"""
