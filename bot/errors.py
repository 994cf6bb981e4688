"""What the bot refuses, in words for the person who asked.

BotError
├── Refused        not possible for this person or at this time
├── NotFound       no such match, or none here
└── StoreError     the database cannot be used
    └── Conflict   somebody else wrote first
"""


class BotError(Exception):
    """A refusal with a message for the person who asked; nothing has changed."""


class Refused(BotError):
    """Not possible for this person or at this time."""


class NotFound(BotError):
    """No such match, or none here."""


class StoreError(BotError):
    """The database cannot be used."""


class Conflict(StoreError):
    """Somebody else wrote first."""
