"""The public posts of a match, delivered once and in order.

outbox.py        sends every pending post exactly once and in order, through outages and crashes
places.py        where matches are played, their threads, and matches that cannot post
sending.py       sends other messages exactly once, and keeps them up to date
turn_message.py  the text and buttons of a turn's post
direct.py        the living message of a solo match in direct messages
after_end.py     work that follows the last post of a match, such as making its film
"""

from bot.kernel.feature import Parts
from bot.posts.outbox import Outbox
from bot.posts.places import RENAME, Threads
from bot.posts.sending import Sender
from bot.ui import Bucket, Feature, MotuClient


def connect(client: MotuClient) -> Parts:
    """Create the outbox, and the services that it posts with."""
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
