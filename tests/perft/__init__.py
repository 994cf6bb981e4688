"""Perft: the number of ways to play the first turns. `python -m tests.perft` recounts them."""
