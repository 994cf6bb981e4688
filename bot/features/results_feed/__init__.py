"""Results posted in a channel of the server's choice.

service.py  posts them
remarks.py  a fact worth telling about a match
"""

from bot.features.films.service import Films
from bot.features.results_feed.service import RESULT, ResultsFeed
from bot.features.server_settings.settings import Servers
from bot.kernel.feature import Parts
from bot.ui.client import MotuClient
from bot.ui.feature import Feature


def connect(client: MotuClient) -> Parts:
    """Make what posts results."""
    feed = ResultsFeed(client, client.services.require(Servers), client.services.get(Films))
    return Parts(
        services=(feed,),
        jobs={RESULT: feed.after_end.run},
        post_followers=(feed.after_end.follow,),
    )


FEATURE = Feature(name="results_feed", connect=connect)
