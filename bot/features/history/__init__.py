"""Past moments of matches, and finished matches as files.

moments.py      any moment of a match
moment_view.py  a moment as a message (`/board at:`), and the buttons to step through the match
transcripts.py  finished matches written as text or JSON, and verified
commands.py     /export and /verify
"""

from bot.features.history import commands
from bot.features.history.moment_view import MomentButton
from bot.features.history.moments import Moments
from bot.features.history.transcripts import Transcripts
from bot.kernel.feature import Parts
from bot.kernel.kernel import Kernel
from bot.ui.feature import Feature


def build(kernel: Kernel) -> Parts:
    """Make what reads past moments and finished matches."""
    return Parts(services=(Moments(kernel), Transcripts(kernel)))


FEATURE = Feature(
    name="history",
    build=build,
    commands=(commands.export, commands.verify),
    items=(MomentButton,),
)
