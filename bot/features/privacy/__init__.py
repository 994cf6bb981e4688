"""Privacy: export or delete everything that is stored about a person.

service.py   exports and deletes, including the data of features that are left out
commands.py  /me export and /me delete
queries.py   finds and replaces a person in every table
"""

from bot.features.privacy import commands
from bot.features.privacy.service import FORGET, SCRUB, Privacy
from bot.kernel.feature import Parts
from bot.kernel.kernel import Kernel
from bot.ui import Feature


def build(kernel: Kernel) -> Parts:
    """Connect exports and deletions to the kernel."""
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
