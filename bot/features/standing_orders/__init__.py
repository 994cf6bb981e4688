"""Standing orders that answer after a while.

service.py  schedules and gives the answers
"""

from bot.features.standing_orders.service import ORDERED_ANSWER, StandingOrders
from bot.kernel.feature import Parts
from bot.kernel.kernel import Kernel
from bot.ui.feature import Feature


def build(kernel: Kernel) -> Parts:
    """Make what answers by order."""
    orders = StandingOrders(kernel)
    return Parts(services=(orders,), jobs={ORDERED_ANSWER: orders.answer}, followers=(orders.schedule,))


FEATURE = Feature(name="standing_orders", build=build)
