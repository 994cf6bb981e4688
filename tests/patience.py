"""The time limit of all waits in tests.

Waits end when their condition holds; this is only the limit.
"""

PATIENCE = 600.0
"""Seconds: far more than even a very busy machine needs."""
