"""Plans: a turn written down before it comes.

service.py   plans made, kept and played
commands.py  /plan and the buttons that keep or drop a plan
"""

from bot.features.plans import commands
from bot.features.plans.service import PLAN_PLAYS, Plans, commits_since_plans
from bot.kernel.feature import Parts
from bot.kernel.kernel import Kernel
from bot.ui.feature import Feature


def build(kernel: Kernel) -> Parts:
    """Make what plays plans when their turn comes."""
    plans = Plans(kernel)
    return Parts(
        services=(plans,),
        jobs={PLAN_PLAYS: plans.play_later},
        needs=(commits_since_plans,),
        auto_moves=(plans.play_out,),
    )


FEATURE = Feature(name="plans", build=build, commands=(commands.plan,), items=(commands.PlanButton,))
