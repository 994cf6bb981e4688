"""Privacy: what is kept of a person, exported and deleted.

service.py   exports and forgets, also what belongs to features that are left out
commands.py  /me export and /me delete
queries.py   where a person stands in every table
"""

from bot.features.privacy import commands
from bot.features.privacy.service import FORGET, SCRUB, Privacy
from bot.kernel.feature import Parts
from bot.kernel.kernel import Kernel
from bot.ui import Feature


def build(kernel: Kernel) -> Parts:
    """Make what works without Discord."""
    privacy = Privacy(kernel)
    return Parts(
        services=(privacy,), jobs={FORGET: privacy.resume_forgetting, SCRUB: privacy.scrub}
    )


FEATURE = Feature(
    name="privacy",
    build=build,
    commands=(commands.export, commands.delete),
    items=(commands.DeleteButton,),
)
