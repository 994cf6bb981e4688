"""Catching up with a match after a while, and notes to oneself.

service.py     what has happened since somebody last acted
notes.py       notes kept
messages.py    what somebody has missed, in words
commands.py    /catchup and /note
components.py  the buttons "What happened" and "Delete note"
"""

from bot.features.catch_up import commands, components
from bot.features.catch_up.notes import Notes
from bot.features.catch_up.service import CatchUp
from bot.kernel.feature import Parts
from bot.kernel.kernel import Kernel
from bot.ui.feature import Feature


def build(kernel: Kernel) -> Parts:
    """Make what looks back in matches, and what keeps notes."""
    return Parts(services=(CatchUp(kernel), Notes(kernel)))


FEATURE = Feature(
    name="catch_up",
    build=build,
    commands=(commands.catchup, commands.note),
    items=(components.NewsButton, components.DeleteNoteButton),
)
