"""/plan: the next turn, written down before it comes. service.py makes plans, keeps and plays
them.
"""

import asyncio

from bot.features.plans.service import PLAN_PLAYS, Plans, commits_since_plans, foresee
from bot.features.play import typed
from bot.features.play.context import SeatContext
from bot.features.play.panel import build_panel, describe_draft
from bot.features.play.presses import show_panel
from bot.kernel.feature import Parts
from bot.kernel.kernel import Kernel
from bot.kernel.room import Press
from bot.text import say
from bot.ui import reply
from bot.ui.client import MotuInteraction, service
from bot.ui.commands import Choices, autocomplete, named_match, slash
from bot.ui.components import DROP, KEEP, PLAN_BUTTON, Item, plan_button_id
from bot.ui.feature import Feature
from bot.ui.names import escaped
from bot.ui.parts import GOOD, button
from bot.ui.which_match import my_seat, my_seated_match

MAX_MOVE_CHARACTERS = 200
"""Characters of a typed move that are read back."""


@slash("plan", dms=True, match="my_match")
async def plan(
    interaction: MotuInteraction, move: str, unless: str = "", match: str | None = None
) -> None:
    """Read a plan back to its owner, with what it would do; a press keeps it."""
    room, seat = await my_seated_match(interaction, match, in_turn=False)
    press = Press(room.record.id, interaction.user.id, interaction.id)
    foreseen = await service(interaction, Plans).propose(press, move.strip(), unless)
    made = foreseen.plan
    lines = "\n".join(describe_draft(SeatContext.of(foreseen.room, seat)))
    spots = tuple(spot.upper() for spot in made.unless)
    words = say(
        "plan.summary", move=escaped(made.move, MAX_MOVE_CHARACTERS), told=lines, unless=spots
    )
    keep = button(plan_button_id(room.record.id, made.id, KEEP), say("plan.keep"), GOOD)
    drop = button(plan_button_id(room.record.id, made.id, DROP), say("plan.drop"))
    await reply.tell(interaction, words, [(keep, drop)])


@plan.autocomplete("move")
@autocomplete
async def _complete_move(interaction: MotuInteraction, current: str) -> Choices:
    room, seat = await my_seated_match(interaction, named_match(interaction), in_turn=False)
    if seat in room.playing().waiting_for():
        return []
    there = await asyncio.to_thread(foresee, room, seat)
    return typed.suggest_moves(there, seat, current) if there else []


class PlanButton(Item, template=PLAN_BUTTON):
    """Keeps or drops a plan. The panel then says what is planned now."""

    async def on_press(self, interaction: MotuInteraction) -> None:
        """Keep or drop the plan, and show the panel."""
        room = await self.room(interaction)
        seat = my_seat(interaction, room)
        plans, number = service(interaction, Plans), int(self.fields["plan"])
        press = Press(room.record.id, interaction.user.id, interaction.id)
        if self.fields["what"] == KEEP:
            after, notice = await plans.keep(press, number), say("plan.kept")
        else:
            after, notice = await plans.drop(press, number), say("plan.dropped_now")
        await show_panel(interaction, build_panel(after, seat, notice=notice))


def build(kernel: Kernel) -> Parts:
    """Make what plays plans when their turn comes."""
    plans = Plans(kernel)
    return Parts(
        services=(plans,),
        jobs={PLAN_PLAYS: plans.play_later},
        needs=(commits_since_plans,),
        auto_moves=(plans.play_out,),
    )


FEATURE = Feature(name="plans", build=build, commands=(plan,), items=(PlanButton,))
