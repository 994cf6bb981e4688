"""Reminders: who is told about a decision, when and how often.

player_settings.py  what each player has chosen
rules.py            when somebody is reminded, and of what kind the reminder is
service.py          reminders kept and withdrawn, and the warnings of clocks
sender.py           reminders, direct messages and digests sent
messages.py         what they say
queries.py          reminders as they are kept
commands.py         /me settings, and a line of welcome for newcomers
"""

from bot.features.reminders import commands
from bot.features.reminders.player_settings import settings_of_players
from bot.features.reminders.queries import reminders_of_match
from bot.features.reminders.sender import ReminderSender
from bot.features.reminders.service import DIGEST, REMIND, Reminders
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
        jobs={
            REMIND: reminders.remind,
            DIGEST: reminders.digest,
            WARNING: reminders.warn,
            VACATION_ENDED: reminders.on_vacation_ended,
        },
        needs=(jobs_of_match, reminders_of_match, settings_of_players),
        followers=(reminders.follow,),
    )


def connect(client: MotuClient) -> Parts:
    """Make what sends reminders."""
    sender = ReminderSender(client)
    return Parts(
        services=(sender,),
        subscribers=(sender.on_change,),
        post_followers=(sender.extend_post,),
        on_notification=(sender.on_notification,),
        on_look_around=(sender.look,),
        on_start=(sender.start,),
        on_close=(sender.close,),
    )


FEATURE = Feature(
    name="reminders",
    build=build,
    connect=connect,
    subcommands={"me": (commands.settings,)},
    items=(commands.SettingsControl,),
)
