"""/vacation: days on which a player's clocks wait; their tables are told."""

from discord import app_commands

from bot.features.vacation.service import BUDGET, MAX_DAYS, Vacation, VacationListener, Vacations
from bot.runtime.clock import DAY
from bot.text import say
from bot.ui import reply
from bot.ui.client import MotuInteraction

vacation = app_commands.Group(
    name="vacation",
    description=say("command.vacation.description"),
    allowed_contexts=app_commands.AppCommandContext(dm_channel=True),
)


@vacation.command(name="begin", description=say("command.vacation.begin"))
@app_commands.describe(days=say("command.vacation.days"), in_days=say("command.vacation.in_days"))
async def begin(
    interaction: MotuInteraction,
    days: app_commands.Range[int, 1, MAX_DAYS],
    in_days: app_commands.Range[int, 0, MAX_DAYS] = 0,
) -> None:
    """Begin or plan a vacation, and tell all tables at which somebody waits for the player."""
    user, vacations = interaction.user.id, interaction.client.services.require(Vacations)
    is_repeat = (await vacations.of(user)).is_repeat(interaction.id)
    begun = await vacations.begin(user, days, in_days, interaction.id)
    tables = await vacations.tables_that_wait(user)
    if not is_repeat:
        await vacations.notify_tables(user, begun, tables)
    facts = {"since": begun.since, "at": begun.until, "days": _days_left(begun, begun.since), "number": len(tables)}
    await reply.tell(interaction, say("vacation.begun", **facts))


@vacation.command(name="end", description=say("command.vacation.end"))
async def end(interaction: MotuInteraction) -> None:
    """End the vacation early, or call it off."""
    user, services = interaction.user.id, interaction.client.services
    ended = await services.require(Vacations).end(user, interaction.id)
    for listener in services.all(VacationListener):
        await listener.on_vacation_ended(user)
    days = _days_left(ended, interaction.client.kernel.clocks.now)
    said = say("vacation.cancelled" if ended.was_cancelled else "vacation.ended", days=days)
    await reply.tell(interaction, said)


@vacation.command(name="show", description=say("command.vacation.show"))
async def show(interaction: MotuInteraction) -> None:
    """Show the vacation that is on or planned, and what is left of the year's budget."""
    found = await interaction.client.services.require(Vacations).of(interaction.user.id)
    now = interaction.client.kernel.clocks.now
    if found.covers(now):
        state = say("vacation.on", at=found.until)
    elif found.is_ahead(now):
        state = say("vacation.planned", since=found.since, at=found.until)
    else:
        state = say("vacation.none")
    days = _days_left(found, now)
    await reply.tell(interaction, say("vacation.shown", state=state, days=days, most=BUDGET // DAY))


def _days_left(vacation: Vacation, now: int) -> str:
    """Return the days that are left, in quarters: six hours are spent at a time."""
    return f"{vacation.left(now) / DAY:g}"
