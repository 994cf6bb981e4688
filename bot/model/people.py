"""Which fields of a stored document tell of a person: `/me delete` goes by these types."""

from typing import Annotated

from msgspec import Struct


class NameOf(Struct, frozen=True):
    """Marks the name of a person whose id stands in another field of the same record."""

    field: str


IS_USER, IS_WORDS, IS_FACTS = "user", "words", "facts"

UserId = Annotated[int, IS_USER]
"""A person on Discord; 0 is a computer, and below it is somebody who wanted to be forgotten."""
Words = Annotated[str, IS_WORDS]
"""A text that may name people."""
