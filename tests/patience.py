"""How long a test waits for anything before it fails.

Waits end with what they wait for; this is only their limit.
"""

PATIENCE = 120.0
"""Seconds: far more than even a very busy machine needs."""
