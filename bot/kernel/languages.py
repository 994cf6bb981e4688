"""Choose the language of texts: the server's in public, the player's own in private.

An interaction is answered in the language of the person who sent it (bot/ui/reply.py), and every
task inherits the language of the task that started it. So text that is written without an
interaction, or for others to read, has to choose its language with one of these functions.

The locales were stored when the match was opened and when its players sat down, because a post or a
reminder may be sent long after the last interaction.
"""

from contextlib import AbstractContextManager

from bot.model import MatchRecord
from engine.core.words import closest_language, speaking


def speaking_to_table(record: MatchRecord) -> AbstractContextManager[None]:
    """Use the table's language, for texts that everyone in a match reads."""
    return speaking(closest_language(record.place.locale))


def speaking_to_player(record: MatchRecord, user: int) -> AbstractContextManager[None]:
    """Use one player's language; the table's if they have no seat in the match."""
    locales = {person.id: person.locale for person in record.chairs}
    return speaking(closest_language(locales.get(user) or record.place.locale))
