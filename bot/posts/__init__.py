"""The public posts of a match, delivered once and in order.

outbox.py         sends every pending post exactly once and in order, through outages and crashes
places.py         where matches are played, their threads, and when a lost place can be used again
sending.py        sends a message once, and keeps it up to date
turn_message.py   the words and buttons of a turn's post
after_end.py      what is done once the end of a match is posted
"""

from bot.kernel.feature import Parts
from bot.posts.outbox import Outbox
from bot.posts.places import RENAME, Threads
from bot.posts.sending import Sender
from bot.ui import Bucket, Feature, MotuClient


def connect(client: MotuClient) -> Parts:
    """Make what posts."""
    threads = Threads(client, client.services.require(Bucket))
    outbox = Outbox(client, threads)
    return Parts(
        services=(threads, outbox, Sender(client)),
        jobs={RENAME: threads.rename_later},
        subscribers=(outbox.on_change,),
        on_slow_computer=(outbox.poke,),
        on_notification=(outbox.on_notification,),
        on_look_around=(outbox.poll_pending_posts,),
        on_start=(outbox.catch_up,),
    )


FEATURE = Feature(name="posts", connect=connect)
