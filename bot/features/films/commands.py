"""/replay: a match as a film."""

from typing import Any

from discord import app_commands

from bot.features.films.service import SPEEDS
from bot.features.films.shots import take_shots
from bot.features.history.moments import Moments
from bot.kernel.room import Room, everybody
from bot.runtime.errors import Refused
from bot.text import say
from bot.ui import completion, describe, reply
from bot.ui.client import MotuInteraction
from bot.ui.long_jobs import LongJobs
from bot.ui.names import discreet, hidden_players, plain_names
from bot.ui.pictures import Picture
from bot.ui.rate import PublicAnswers
from bot.ui.which_match import my_match
from bot.workers.jobs import Filmed, MakeFilm


@app_commands.allowed_contexts(dms=True)
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
    interaction: MotuInteraction,
    match: str | None = None,
    first: str = "first",
    last: str = "last",
    speed: str = "usual",
) -> None:
    """Show a match, or a part of it, as a film that everybody here sees."""
    room = await my_match(interaction, match, seated=False)
    service = interaction.client.services.require(Moments)
    moments = await service.of(room)
    first_moment = await service.find(room, moments, first)
    last_moment = await service.find(room, moments, last)
    await show_film(interaction, room, first_moment, last_moment, speed)


async def show_film(interaction: MotuInteraction, room: Room, first: int, last: int, speed: str = "usual") -> None:
    """Post a film from one moment of a match to another, and show its progress meanwhile."""
    if speed not in SPEEDS:
        raise Refused(say("refusal.bad_option"))
    services = interaction.client.services
    if interaction.channel_id not in (room.record.place.channel, room.record.place.thread):
        # Elsewhere those who want to be hidden are not named.
        hidden = await hidden_players(interaction.client, everybody(room.record))
        room = discreet(room, hidden)
    shots = await take_shots(services.require(Moments), room, first, last)
    if len(shots) < 2:
        raise Refused(say("refusal.no_such_film"))
    if interaction.guild_id is not None and not interaction.app_permissions.attach_files:
        raise Refused(say("refusal.no_film_here", permission=say("permission.attach_files")))
    services.require(PublicAnswers).admit(interaction.user.id, interaction.channel_id or 0)
    job = MakeFilm(
        room.record.game,
        shots,
        plain_names(room),
        SPEEDS[speed],
        reply.largest_files(interaction),
    )
    long_jobs = services.require(LongJobs)
    made: Filmed = await long_jobs.do(interaction, room.record.id, job, say("replay.what"))
    facts: dict[str, Any] = {"game": describe.title(room), "players": describe.players(room)}
    alt = say("replay.alt", frames=len(shots), **facts)
    film = Picture(made.data, alt, f"{room.record.game}-{room.record.id}.gif")
    every = made.every if made.every > 1 else None
    with reply.answering():
        await interaction.followup.send(
            say("replay.post", id=room.record.id, every=every, **facts),
            files=reply.attached([film]),
            allowed_mentions=reply.NOBODY,
        )
        await reply.show(interaction, say("replay.done"))


completion.offer(completion.matches, "match", replay)
