"""Random play without end: `python -m tests.fuzz --minutes 5 --game blue_lagoon`.

Not part of the suite.
"""
