"""Helpers that every part of the bot uses.

base.py     errors, background tasks and locks
logs.py     log lines without secrets, and measuring how long things take
systems.py  signals and processes, which work differently on Windows

This file imports nothing: the program must handle signals before it loads anything slow.
"""
