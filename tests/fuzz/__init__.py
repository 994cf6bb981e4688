"""Endless random play, not part of the suite: `python -m tests.fuzz --minutes 5 --game maori`."""
