"""/replay: a match as a film."""

from collections.abc import Sequence
from typing import Any

from discord import app_commands

from bot import reply
from bot.commands import completion
from bot.components.items import Asked
from bot.errors import Refused
from bot.matches import records
from bot.matches.room import Room
from bot.pictures import Picture
from bot.store.base import StoredCommit
from bot.text import describe, say
from bot.text.names import plain_names
from bot.which_match import my_match
from bot.workers.jobs import MakeFilm, Shot
from engine import visible
from engine.core.save import encode_events

SPEEDS = {"slow": 2.4, "usual": 1.2, "fast": 0.5}
"""Seconds that a frame is shown."""
LARGEST = 10 * 2**20
"""Bytes of a film at most, also where a server takes more: people wait for it on their phones."""
AROUND = 64 * 1024
"""Bytes of a request besides its file."""
TOLD = 160
"""Characters of what has happened, below a frame."""


@app_commands.command(name="replay", description=say("command.replay.description"))
@app_commands.describe(
    match=say("command.option.match"),
    first=say("command.replay.first"),
    last=say("command.replay.last"),
    speed=say("command.replay.speed"),
)
@app_commands.choices(speed=[app_commands.Choice(name=say(f"replay.{speed}"), value=speed) for speed in SPEEDS])
@app_commands.rename(first="from", last="to")
async def replay(
    interaction: Asked, match: str | None = None, first: str = "first", last: str = "last", speed: str = "usual"
) -> None:
    """A match, or a part of it, as a film that everybody here sees."""
    await reply.acknowledge(interaction)
    room = await my_match(interaction, match, seated=False)
    past = interaction.client.matches.past
    moments = await past.moments(room)
    begins = await past.meant(room, moments, first)
    await show_film(interaction, room, begins, await past.meant(room, moments, last), speed)


async def show_film(interaction: Asked, room: Room, first: int, last: int, speed: str = "usual") -> None:
    """A film from one moment of a match to another, made while whoever wants it sees how far it is."""
    if speed not in SPEEDS:
        raise Refused(say("refusal.bad_option"))
    shots = await _shots(interaction, room, first, last)
    if len(shots) < 2:
        raise Refused(say("refusal.no_such_film"))
    most = min(LARGEST, interaction.guild.filesize_limit if interaction.guild else LARGEST) - AROUND
    job = MakeFilm(room.info.game, shots, plain_names(room), SPEEDS[speed], most)
    made: bytes = await interaction.client.long_jobs.do(interaction, room.info.id, job, say("replay.what"))
    facts: dict[str, Any] = {"game": describe.title(room), "players": describe.players(room)}
    film = Picture(made, say("replay.alt", frames=len(shots), **facts), f"{room.info.game}-{room.info.id}.gif")
    with reply.answering():
        await reply.show(interaction, say("replay.done"))
        await interaction.followup.send(
            say("replay.post", id=room.info.id, **facts), files=reply.attached([film]), allowed_mentions=reply.NOBODY
        )


async def _shots(interaction: Asked, room: Room, first: int, last: int) -> tuple[Shot, ...]:
    """A frame for each moment."""
    past = interaction.client.matches.past
    moments = await past.moments(room)
    shown = range(first, last + 1)
    kept = await past.commits(room, moments[first - 1] if first else -1, moments[last]) if shown else []
    shots = []
    for moment in shown:
        since = [stored for stored in kept if stored.number <= moments[moment]]
        kept = kept[len(since) :]
        shots.append(_shot(room, since, say("replay.number", number=moment, last=len(moments) - 1)))
    return tuple(shots)


def _shot(room: Room, since: Sequence[StoredCommit], label: str) -> Shot:
    """The position after the last of some commits, with what all of them told everybody."""
    game, snapshot = room.playing().game, since[-1].snapshot
    commits = [records.commit(stored, game) for stored in since]
    stood = Room(room.info, records.position(snapshot, {game.id: game}))
    told = describe.told_within(stood, records.facts(commits, None), None, plain_names(room), TOLD)
    marked = visible([event for made in commits for event in made.events], None)
    return Shot(snapshot, told, encode_events(marked), label)


@replay.autocomplete("match")
async def _complete_match(interaction: Asked, current: str) -> completion.Choices:
    return await completion.matches(interaction, current)


COMMANDS: tuple[app_commands.Command[Any, Any, Any], ...] = (replay,)
