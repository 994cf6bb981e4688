"""Golden transcripts: a folder per game, a text file per match.

`python -m tests.transcripts` plays the scenarios again.
"""
