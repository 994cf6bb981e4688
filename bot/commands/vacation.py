"""/vacation: days on which one's clocks wait; the tables are told."""

from discord import app_commands

from bot import reply
from bot.clock import DAY
from bot.components.items import Asked
from bot.matches.vacation import BUDGET, LONGEST, Vacation
from bot.text import say

vacation = app_commands.Group(name="vacation", description=say("command.vacation.description"))


@vacation.command(name="begin", description=say("command.vacation.begin"))
@app_commands.describe(days=say("command.vacation.days"), in_days=say("command.vacation.in_days"))
async def begin(
    interaction: Asked,
    days: app_commands.Range[int, 1, LONGEST],
    in_days: app_commands.Range[int, 0, LONGEST] = 0,
) -> None:
    """A vacation, told to all tables of theirs at which somebody waits for them."""
    matches, user = interaction.client.matches, interaction.user.id
    is_repeat = (await matches.vacations.of(user)).is_repeat(interaction.id)
    begun = await matches.vacations.begin(user, days, in_days, interaction.id)
    tables = await matches.expiries.tables_that_wait(user)
    if not is_repeat:
        await matches.expiries.tell_of_vacation(user, begun, tables)
    facts = {"since": begun.since, "at": begun.until, "days": _days(begun, begun.since), "number": len(tables)}
    await reply.tell(interaction, say("vacation.begun", **facts))


@vacation.command(name="end", description=say("command.vacation.end"))
async def end(interaction: Asked) -> None:
    """End the vacation early, or call it off."""
    matches = interaction.client.matches
    ended = await matches.vacations.end(interaction.user.id, interaction.id)
    await matches.pings.chosen(interaction.user.id)
    days = _days(ended, matches.clocks.now)
    said = say("vacation.cancelled", days=days) if ended.was_cancelled else say("vacation.ended", days=days)
    await reply.tell(interaction, said)


@vacation.command(name="show", description=say("command.vacation.show"))
async def show(interaction: Asked) -> None:
    """Show the vacation that is on or planned, and what is left of the year's budget."""
    matches = interaction.client.matches
    found, now = await matches.vacations.of(interaction.user.id), matches.clocks.now
    if found.covers(now):
        state = say("vacation.on", at=found.until)
    elif found.is_ahead(now):
        state = say("vacation.planned", since=found.since, at=found.until)
    else:
        state = say("vacation.none")
    await reply.tell(interaction, say("vacation.shown", state=state, days=_days(found, now), most=BUDGET // DAY))


def _days(vacation: Vacation, now: int) -> str:
    """The days that are left, in quarters: six hours are spent at a time."""
    return f"{vacation.left(now) / DAY:g}"
