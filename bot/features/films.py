"""Matches as films: /replay, "Play from here" under a past moment, and the film of an end.

The job to make the last one is written with the post itself, so a bot that stops in between makes
it after the next start, once: a post that has its film is left alone. If it cannot be made, the
post stays as it is.
"""

import asyncio
import logging
from typing import Any

import discord
from cachetools import LRUCache
from discord import app_commands

from bot.features.history.moments import Timeline, load_timeline, moment_button, show_moment
from bot.features.server_settings import Servers
from bot.kernel import encoding
from bot.kernel.feature import Parts
from bot.kernel.room import Room, everybody
from bot.model import Status
from bot.posts.after_end import AfterEnd
from bot.posts.sending import in_open_thread
from bot.runtime.base import Refused, log_error
from bot.text import listed, say
from bot.ui import (
    Feature,
    Item,
    MotuClient,
    MotuInteraction,
    Picture,
    PublicAnswers,
    describe,
    discreet,
    error_codes,
    hidden_players,
    my_match,
    plain_names,
    reply,
    slash,
)
from bot.ui.long_jobs import LongJobs
from bot.ui.permissions import missing_at
from bot.workers.jobs import Filmed, MakeFilm, Shot
from bot.workers.pool import JobFailed, WorkerLost
from engine import visible
from engine.core.save import encode_events

log = logging.getLogger("motu.films")

FILM = "film"
"""The job that adds the film to the last post of a match."""
SPEEDS = {"slow": 2.4, "usual": 1.2, "fast": 0.5}
"""Seconds that a frame is shown."""
MAX_CAPTION_CHARACTERS = 160
"""For what has happened, below a frame."""
MAX_END_BYTES = 2 * 2**20
MAX_END_FRAMES = 40
MAX_FILES = 10
"""Files that a message may have."""
ENDS_REMEMBERED = 4
"""Films of ends kept in memory: the last post and the results channel want the same one."""

FilmKey = tuple[str, tuple[str, ...]]
"""A match, and the names that its players have in the film."""


@slash("replay", dms=True, choices={"speed": ("replay.{}", SPEEDS)})
@app_commands.rename(first="from", last="to")
async def replay(
    interaction: MotuInteraction,
    match: str | None = None,
    first: str = "first",
    last: str = "last",
    speed: str = "usual",
) -> None:
    """Show a match, or a part of it, as a film that everybody here sees."""
    room = await my_match(interaction, match)
    timeline = await load_timeline(interaction.client.kernel, room)
    await show_film(
        interaction, timeline, await timeline.find(first), await timeline.find(last), speed
    )


class FilmButton(Item, template=moment_button("film")):
    """Plays a match from the moment under which it stands."""

    async def on_press(self, interaction: MotuInteraction) -> None:
        """Make the film, then show the moment again with its buttons, whatever came of the film."""
        room = await self.room(interaction)
        timeline = await load_timeline(interaction.client.kernel, room)
        moment = min(int(self.fields["moment"]), timeline.last)
        try:
            await show_film(interaction, timeline, moment, timeline.last)
        finally:
            await show_moment(interaction, timeline, moment, mine=bool(self.fields["mine"]))


async def show_film(
    interaction: MotuInteraction, timeline: Timeline, first: int, last: int, speed: str = "usual"
) -> None:
    """Post a film from one moment of a match to another, and show its progress meanwhile."""
    services, room = interaction.client.services, timeline.room
    if interaction.channel_id not in (room.record.place.channel, room.record.place.thread):
        # Elsewhere those who want to be hidden are not named.
        room = discreet(room, await hidden_players(interaction.client, everybody(room.record)))
    shots = await take_shots(timeline, room, first, last)
    if len(shots) < 2:
        raise Refused("refusal.no_such_film")
    if interaction.guild_id is not None and not interaction.app_permissions.attach_files:
        raise Refused("refusal.no_film_here", permission=say("permission.attach_files"))
    services.require(PublicAnswers).admit(interaction.user.id, interaction.channel_id or 0)
    job = MakeFilm(
        room.record.game, shots, plain_names(room), SPEEDS[speed], reply.largest_files(interaction)
    )
    made: Filmed = await services.require(LongJobs).do(
        interaction, room.record.id, job, say("replay.what")
    )
    facts: dict[str, Any] = {"game": describe.title(room), "players": describe.players(room)}
    alt = say("replay.alt", frames=len(shots), **facts)
    film = Picture(made.data, alt, f"{room.record.game}-{room.record.id}.gif")
    every = made.every if made.every > 1 else None
    await interaction.followup.send(
        say("replay.post", id=room.record.id, every=every, **facts),
        files=reply.attached([film]),
    )
    await reply.show(interaction, say("replay.done"))


async def take_shots(timeline: Timeline, room: Room, first: int, last: int) -> tuple[Shot, ...]:
    """Return a frame for each moment from the first to the last, as everyone saw it.

    The room has the names that players bear in the film.
    """
    if first > last:
        return ()
    game, shots = room.playing().game, []
    kept = await timeline.commits_since(first - 1, last)
    for moment in range(first, last + 1):
        new = [stored for stored in kept if stored.number <= timeline.numbers[moment]]
        kept = kept[len(new) :]
        made = [encoding.decode_commit(stored, game) for stored in new]
        position = new[-1].snapshot
        then = Room(room.record, encoding.decode_position(position, {game.id: game}))
        told = describe.told_within(
            then, encoding.facts(made, None), None, MAX_CAPTION_CHARACTERS, plain_names(room)
        )
        marked = visible([event for commit in made for event in commit.events], None)
        label = say("replay.number", number=moment, last=timeline.last)
        shots.append(Shot(position, told, encode_events(marked), label))
    return tuple(shots)


class Films:
    """Makes the films of ends, and adds them to the posts that tell of these."""

    def __init__(self, client: MotuClient) -> None:
        self._client = client
        self._ends: LRUCache[FilmKey, Picture | None] = LRUCache(ENDS_REMEMBERED)
        # One at a time: there is one process to make them, and two may want the same one.
        self._lock = asyncio.Lock()

    async def of_end(self, room: Room) -> Picture | None:
        """Return a film of the last round of a match and its end; None if it cannot be made."""
        key = (room.record.id, plain_names(room))
        async with self._lock:
            if key not in self._ends:
                self._ends[key] = await self._film_end(room)
            return self._ends[key]

    async def _film_end(self, room: Room) -> Picture | None:
        timeline = await load_timeline(self._client.kernel, room)
        last = timeline.last
        round_began = await timeline.first_of_round(await timeline.round_at(last))
        # At least everybody's last turn, with the board before it; of a long round only the end.
        first = min(round_began - 1, last - room.playing().seats)
        shots = await take_shots(timeline, room, max(0, last - MAX_END_FRAMES, first), last)
        job = MakeFilm(room.record.game, shots, plain_names(room), SPEEDS["usual"], MAX_END_BYTES)
        try:
            made: Filmed = await self._client.services.require(LongJobs).result(job)
        except (WorkerLost, JobFailed) as error:
            log_error(error, f"match {room.record.id} ends without a film")
            return None
        result = describe.result(room, plain_names(room))
        alt = say("replay.alt_end", game=describe.title(room), result=result)
        return Picture(made.data, alt, f"{room.record.game}-{room.record.id}-end.gif")

    async def add_to_last_post(self, room: Room) -> None:
        """Add the film to the last post of a match, unless it is there or not wanted."""
        place, client = room.record.place, self._client
        if room.record.status is not Status.FINISHED or not room.record.turn_message:
            return
        if not (await client.services.require(Servers).of(place.guild)).films:
            return
        if missing_at(client, place.posts_to):
            await self._tell_host(room)
            return
        post = await client.channel_of(place).fetch_message(room.record.turn_message)
        has_film = any(file.filename.endswith(".gif") for file in post.attachments)
        if has_film or len(post.attachments) >= MAX_FILES:
            return
        film = await self.of_end(room)
        if film is None:
            return

        async def add() -> discord.Message:
            files = reply.attached([film])
            return await post.edit(attachments=[*post.attachments, *files])

        await in_open_thread(client, place.posts_to, add)

    async def give_up(self, room: Room, error: Exception) -> None:
        """Leave the last post without a film."""
        if getattr(error, "code", 0) in (error_codes.NO_ACCESS, error_codes.NO_PERMISSION):
            await self._tell_host(room)
        reason = type(error).__name__
        log.info("the last post of match %s stays without a film (%s)", room.record.id, reason)

    async def _tell_host(self, room: Room) -> None:
        """Tell the host what the bot would need to add the film."""
        lacking = missing_at(self._client, room.record.place.posts_to) or [
            say("permission.attach_files")
        ]
        said = say(
            "notice.no_film",
            permissions=listed(lacking),
            number=len(lacking),
            **describe.facts(room),
        )
        await reply.write_to(self._client, room.record.host, said)


def connect(client: MotuClient) -> Parts:
    """Make what adds films to posts."""
    films = Films(client)
    after_end = AfterEnd(client, FILM, films.add_to_last_post, films.give_up)
    return Parts(
        services=(films,),
        jobs={FILM: after_end.run},
        post_followers=(after_end.follow,),
    )


FEATURE = Feature(name="films", connect=connect, commands=(replay,), items=(FilmButton,))
