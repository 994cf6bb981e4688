"""Reminders: notify players of pending decisions, as often and in the way that they have chosen.

player_settings.py  each player's settings: how often, how, and when not to be disturbed
rules.py            when to send which reminder
service.py          schedules and cancels reminders, and handles the warnings of clocks
sender.py           sends reminders and digests
messages.py         their texts and buttons
commands.py         /me settings, and the welcome for newcomers
"""

from bot.features.reminders import commands
from bot.features.reminders.player_settings import settings_of_players
from bot.features.reminders.rules import DIGEST, REMIND
from bot.features.reminders.sender import ReminderSender
from bot.features.reminders.service import RESULT_MESSAGE, STRIP, Reminders
from bot.features.vacation import VACATION_ENDED
from bot.kernel.clocks import WARNING
from bot.kernel.feature import Parts
from bot.kernel.kernel import Kernel
from bot.kernel.queries import jobs_of_match
from bot.ui import Feature, MotuClient


def build(kernel: Kernel) -> Parts:
    """Create the service, which works without Discord."""
    reminders = Reminders(kernel)
    return Parts(
        services=(reminders,),
        jobs={VACATION_ENDED: reminders.on_vacation_ended},
        needs=(jobs_of_match, settings_of_players),
        followers=(reminders.follow,),
    )


def connect(client: MotuClient) -> Parts:
    """Create the part that sends reminders."""
    sender = ReminderSender(client)
    sent = (REMIND, WARNING, RESULT_MESSAGE, DIGEST)
    return Parts(
        services=(sender,),
        jobs={STRIP: sender.strip, **dict.fromkeys(sent, sender.send)},
        post_followers=(client.services.require(Reminders).extend_post,),
    )


FEATURE = Feature(
    name="reminders",
    build=build,
    connect=connect,
    commands=(commands.settings,),
    items=(commands.StandingButton,),
    forms=(commands.ReminderForm, commands.QuietForm),
)
