"""What any store must do; no SQL in here."""

from typing import Protocol


class Store(Protocol):
    """Matches, kept so that no crash loses an acknowledged move."""
