"""The public posts of a match, delivered once and in order.

outbox.py         sends every pending post exactly once and in order, through outages and crashes
places.py         where a match is played, and whether it can post there
threads.py        the threads of matches: made, named, opened
lost_places.py    notices when a match that could not post can do so again
sent_messages.py  finds messages that were sent without the bot having heard of it
turn_message.py   the words and buttons of a turn's post
chores.py         one task per match at a time
after_end.py      what is done once the end of a match is posted
"""

from bot.kernel.feature import Parts
from bot.posts.outbox import Outbox
from bot.posts.sent_messages import SentMessages
from bot.posts.threads import RENAME, Threads
from bot.ui import Bucket, Feature, MotuClient


def connect(client: MotuClient) -> Parts:
    """Make what posts."""
    threads = Threads(client, client.services.require(Bucket))
    outbox = Outbox(client, threads)
    return Parts(
        services=(threads, outbox, SentMessages(client)),
        jobs={RENAME: threads.rename_later},
        subscribers=(outbox.on_change,),
        on_slow_computer=(outbox.poke,),
        on_notification=(outbox.on_notification,),
        on_look_around=(outbox.poll_pending_posts,),
        on_start=(outbox.catch_up,),
    )


FEATURE = Feature(name="posts", connect=connect)
