"""/replay: a match as a film."""

from typing import Any

from discord import app_commands

from bot import reply
from bot.commands import completion
from bot.components.items import Asked
from bot.errors import Refused
from bot.films import SPEEDS
from bot.matches.room import Room, everybody
from bot.pictures import Picture
from bot.text import describe, say
from bot.text.names import discreet, plain_names
from bot.which_match import my_match
from bot.workers.jobs import Filmed, MakeFilm


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
    room = await my_match(interaction, match, seated=False)
    past = interaction.client.matches.past
    moments = await past.moments(room)
    begins = await past.meant(room, moments, first)
    await show_film(interaction, room, begins, await past.meant(room, moments, last), speed)


async def show_film(interaction: Asked, room: Room, first: int, last: int, speed: str = "usual") -> None:
    """A film from one moment of a match to another, made while whoever wants it sees how far it is."""
    if speed not in SPEEDS:
        raise Refused(say("refusal.bad_option"))
    if interaction.channel_id not in (room.info.place.channel, room.info.place.thread):
        # Elsewhere those are not named who want to be shown to nobody.
        room = discreet(room, await interaction.client.matches.standing.hidden(everybody(room.info)))
    shots = await interaction.client.films.shots(room, first, last)
    if len(shots) < 2:
        raise Refused(say("refusal.no_such_film"))
    if interaction.guild_id is not None and not interaction.app_permissions.attach_files:
        raise Refused(say("refusal.no_film_here", permission=say("permission.attach_files")))
    interaction.client.public_answers.admit(interaction.user.id, interaction.channel_id or 0)
    job = MakeFilm(room.info.game, shots, plain_names(room), SPEEDS[speed], reply.largest_files(interaction))
    made: Filmed = await interaction.client.long_jobs.do(interaction, room.info.id, job, say("replay.what"))
    facts: dict[str, Any] = {"game": describe.title(room), "players": describe.players(room)}
    film = Picture(made.data, say("replay.alt", frames=len(shots), **facts), f"{room.info.game}-{room.info.id}.gif")
    with reply.answering():
        await interaction.followup.send(
            say("replay.post", id=room.info.id, every=made.every if made.every > 1 else None, **facts),
            files=reply.attached([film]),
            allowed_mentions=reply.NOBODY,
        )
        await reply.show(interaction, say("replay.done"))


completion.offer(completion.matches, "match", replay)


COMMANDS: tuple[app_commands.Command[Any, Any, Any], ...] = (replay,)
