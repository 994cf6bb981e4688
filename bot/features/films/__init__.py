"""Matches as films.

service.py     the film of how a match ended, added to its last post
shots.py       the frames of a film
commands.py    /replay
components.py  "Play from here", under a past moment
"""

from bot.features.films import commands
from bot.features.films.components import FilmButton
from bot.features.films.service import FILM, Films
from bot.features.history.moments import Moments
from bot.features.server_settings.settings import Servers
from bot.kernel.feature import Parts
from bot.ui.client import MotuClient
from bot.ui.feature import Feature
from bot.ui.long_jobs import LongJobs


def connect(client: MotuClient) -> Parts:
    """Make what adds films to posts."""
    require = client.services.require
    films = Films(client, require(Moments), require(Servers), require(LongJobs))
    return Parts(
        services=(films,),
        jobs={FILM: films.after_end.run},
        post_followers=(films.after_end.follow,),
        on_close=(films.close,),
    )


FEATURE = Feature(
    name="films",
    connect=connect,
    commands=(commands.replay,),
    items=(FilmButton,),
)
