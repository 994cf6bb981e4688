"""Players who want to be named nowhere but at their own table."""

from collections.abc import Iterable

from bot.model.results import HIDDEN
from bot.store import standings
from bot.ui.client import MotuClient


async def hidden_players(client: MotuClient, users: Iterable[int]) -> frozenset[int]:
    """Return those of the users who want to be in no list, file or post that leaves the table.

    The wish holds with or without ratings, so it is read here and not through that feature.
    """
    return await client.kernel.store.read(standings.with_setting, HIDDEN, tuple(users))
