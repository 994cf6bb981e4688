"""/plan: the next turn written down before it comes."""

import asyncio
from typing import Any

from discord import app_commands

from bot import reply
from bot.commands import completion
from bot.components import ids
from bot.components.items import Asked, PlanItem
from bot.components.parts import GOOD, button
from bot.matches.plans import foresee
from bot.matches.room import Press
from bot.panel import presses, typed
from bot.panel.build import Desk, build_panel, drafted_lines
from bot.text import say
from bot.text.names import escaped
from bot.which_match import my_match, my_seat, named


@app_commands.command(name="plan", description=say("command.plan.description"))
@app_commands.describe(
    move=say("command.plan.move"), unless=say("command.plan.unless"), match=say("command.option.my_match")
)
async def plan(interaction: Asked, move: str, unless: str = "", match: str | None = None) -> None:
    """A plan read back to its owner, with what it would do; a press keeps it."""
    room = await my_match(interaction, match, seated=True, in_turn=False)
    seat = my_seat(interaction, room)
    whole = f"{move.rstrip().rstrip('!')}!"
    press = Press(room.info.id, interaction.user.id, interaction.id)
    foreseen = await interaction.client.matches.plans.propose(
        press, move.strip(), unless, lambda there, seat: typed.parse(there, seat, whole)
    )
    made = foreseen.plan
    lines = "\n".join(drafted_lines(Desk.of(foreseen.room, seat)))
    said = say("plan.summary", move=escaped(made.move, 200), told=lines, unless=tuple(s.upper() for s in made.unless))
    keep = button(ids.plan(room.info.id, made.id, "keep"), say("plan.keep"), GOOD)
    drop = button(ids.plan(room.info.id, made.id, "drop"), say("plan.drop"))
    await reply.tell(interaction, said, [(keep, drop)])


async def pressed(interaction: Asked, item: PlanItem) -> None:
    """A plan kept or dropped: the panel says what is planned now."""
    room = await named(interaction, item.fields["match"])
    seat = my_seat(interaction, room)
    plans, number = interaction.client.matches.plans, int(item.fields["plan"])
    press = Press(room.info.id, interaction.user.id, interaction.id)
    keeps = item.fields["what"] == "keep"
    after = await (plans.keep(press, number) if keeps else plans.drop(press, number))
    notice = say("plan.kept") if keeps else say("plan.dropped_now")
    await presses.show_panel(interaction, after, seat, build_panel(after, seat, notice=notice))


@plan.autocomplete("move")
@completion.quiet
async def _complete_move(interaction: Asked, current: str) -> completion.Choices:
    room = await my_match(interaction, completion.named_match(interaction), seated=True, in_turn=False)
    seat = my_seat(interaction, room)
    if seat in room.playing().waiting_for():
        return []
    there = await asyncio.to_thread(foresee, room, seat)
    return completion.choices(typed.complete(there, seat, current)) if there else []


completion.offer(completion.matches, "match", plan)


COMMANDS: tuple[app_commands.Command[Any, Any, Any], ...] = (plan,)
