"""Reminders: who is told about a decision, when and how often.

player_settings.py  what each player has chosen
rules.py            when somebody is reminded, and what the reminder says
service.py          reminders scheduled and withdrawn, and the warnings of clocks
sender.py           reminders, direct messages and digests sent
messages.py         what they say
commands.py         /me settings, and a line of welcome for newcomers
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
    """Make what works without Discord."""
    reminders = Reminders(kernel)
    return Parts(
        services=(reminders,),
        jobs={VACATION_ENDED: reminders.on_vacation_ended},
        needs=(jobs_of_match, settings_of_players),
        followers=(reminders.follow,),
    )


def connect(client: MotuClient) -> Parts:
    """Make what sends reminders."""
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
    items=(commands.SettingsControl,),
)
