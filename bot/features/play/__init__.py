"""Playing: the private panel, typed moves, and looking at the board.

service.py       moves drafted, confirmed and taken back
commands.py      /play, /undo, /resign
look.py          /board, /hand, /log
components.py    the controls of a panel, and the buttons under a turn
controls.py      the custom ids of the panel's controls
presses.py       a panel opened, pressed and shown again
context.py       one seat of a match, which all below is built from
panel.py         a seat's panel: its question and its draft in words, with controls
choices.py       the options of a question as buttons or menus
pages.py         which of many options are shown at once
hints.py         the turn a strong player would make
lessons.py       what a coach says during a first match
typed.py         a typed turn, understood or refused
reading.py       a typed text, read answer by answer
option_names.py  what an option may be called when typed
suggestions.py   how a typed text may go on
"""

from bot.features.play import commands, components, look
from bot.features.play.service import Play
from bot.kernel.feature import Parts
from bot.kernel.kernel import Kernel
from bot.ui.feature import Feature


def build(kernel: Kernel) -> Parts:
    """Make what carries out moves."""
    return Parts(services=(Play(kernel),))


FEATURE = Feature(
    name="play",
    build=build,
    commands=(
        commands.play,
        commands.undo,
        commands.resign,
        look.board,
        look.hand,
        look.log,
    ),
    items=(
        components.PanelControl,
        components.MoveButton,
        components.ViewButton,
        components.LogButton,
        components.FairnessButton,
    ),
)
