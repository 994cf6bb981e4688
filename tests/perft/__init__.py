"""Perft: how many ways there are to play the first turns. `python -m tests.perft` counts anew."""
