"""Golden transcripts: a folder a game, a text a match.

`python -m tests.transcripts` plays the scenarios anew.
"""
