"""Saves of every version of every game, kept for ever.

`python -m tests.saves` adds those of a new version.
"""
