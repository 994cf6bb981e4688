"""The frames of a film: every post of a match, as everyone saw it."""

from collections.abc import Sequence

from bot.features.history.moments import Moments
from bot.kernel import records
from bot.kernel.room import Room
from bot.model.stored import StoredCommit
from bot.text import say
from bot.ui import describe
from bot.ui.names import plain_names
from bot.workers.jobs import Shot
from engine import visible
from engine.core.save import encode_events

MAX_CAPTION_CHARACTERS = 160
"""For what has happened, below a frame."""


async def take_shots(service: Moments, room: Room, first: int, last: int) -> tuple[Shot, ...]:
    """Return a frame for each moment from the first to the last."""
    if first > last:
        return ()
    moments = await service.of(room)
    since = moments[first - 1] if first else -1
    kept = await service.commits(room, since, moments[last])
    shots = []
    for moment in range(first, last + 1):
        new = [stored for stored in kept if since < stored.number <= moments[moment]]
        label = say("replay.number", number=moment, last=len(moments) - 1)
        shots.append(_take_shot(room, new, label))
        since = moments[moment]
    return tuple(shots)


def _take_shot(room: Room, commits: Sequence[StoredCommit], label: str) -> Shot:
    """Return the position after some commits, with what all of them told everybody."""
    game, position = room.playing().game, commits[-1].snapshot
    made = [records.commit(stored, game) for stored in commits]
    then = Room(room.record, records.position(position, {game.id: game}))
    told = describe.told_within(then, records.facts(made, None), None, plain_names(room), MAX_CAPTION_CHARACTERS)
    marked = visible([event for commit in made for event in commit.events], None)
    return Shot(position, told, encode_events(marked), label)
