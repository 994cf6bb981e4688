"""Thinning: old positions of finished matches are deleted where the log can restore them.

service.py  finds the matches and thins them
"""

from bot.features.thinning.service import THIN, Thinning
from bot.kernel.feature import Parts
from bot.kernel.kernel import Kernel
from bot.ui.feature import Feature


def build(kernel: Kernel) -> Parts:
    """Make what works without Discord."""
    thinning = Thinning(kernel)
    return Parts(services=(thinning,), jobs={THIN: thinning.thin_next}, on_start=(thinning.start,))


FEATURE = Feature(name="thinning", build=build)
