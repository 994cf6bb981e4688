"""People as matches keep them: the id and a short, harmless name."""

import unicodedata

from msgspec.structs import replace

from bot.model.match import Person
from bot.text import say
from bot.ui.client import MotuInteraction

NAME_LENGTH = 32
"""Characters of a name at most."""

BIDI = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""Invisible characters that turn the text around them."""


def person(interaction: MotuInteraction) -> Person:
    """Return the user of an interaction, by the name that the server shows."""
    return Person(interaction.user.id, interaction.user.display_name[:100])


def tidied(person: Person) -> Person:
    """Return a person with a name of one short line."""
    spaced = "".join(" " if char.isspace() else char for char in person.name)
    kept = "".join(char for char in spaced if unicodedata.category(char) not in ("Cc", "Cs") and char not in BIDI)
    name = " ".join(kept.split())[:NAME_LENGTH].strip()
    return replace(person, name=name or say("name.unnamed"))
