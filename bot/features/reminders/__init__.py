"""Reminders: who is told about a decision, when and how often.

service.py          when reminders are sent, and what withdraws them
player_settings.py  what each player has chosen
sender.py           reminders, direct messages and digests sent
messages.py         what they say
commands.py         /me settings
welcome.py          a line of welcome for newcomers
"""

from bot.features.reminders import commands
from bot.features.reminders.queries import reminders_of_match
from bot.features.reminders.sender import ReminderSender
from bot.features.reminders.service import DIGEST, REMIND, Reminders, settings_of_players
from bot.features.vacation import VACATION_ENDED, Vacations
from bot.kernel.feature import Parts
from bot.kernel.kernel import Kernel
from bot.kernel.queries import jobs_of_match
from bot.posts.outbox import Outbox
from bot.posts.sent_messages import SentMessages
from bot.ui.client import MotuClient
from bot.ui.feature import Feature
from bot.ui.rate import Bucket


def build(kernel: Kernel) -> Parts:
    """Make what works without Discord."""
    reminders = Reminders(kernel, kernel.clocks, kernel.services.require(Vacations))
    return Parts(
        services=(reminders,),
        jobs={
            REMIND: reminders.remind,
            DIGEST: reminders.digest,
            VACATION_ENDED: reminders.on_vacation_ended,
        },
        needs=(jobs_of_match, reminders_of_match, settings_of_players),
        followers=(reminders.follow,),
    )


def connect(client: MotuClient) -> Parts:
    """Make what sends reminders."""
    services = client.services
    sender = ReminderSender(
        client,
        services.require(Reminders),
        services.require(Outbox),
        services.require(SentMessages),
        services.require(Bucket),
    )
    return Parts(
        services=(sender,),
        subscribers=(sender.on_change,),
        post_followers=(sender.extend_post,),
        on_told=(sender.on_told,),
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
