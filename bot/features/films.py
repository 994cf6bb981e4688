"""Films of matches, which are animated replays: /replay, the button "Play from here", and the film
under the last post.

The job that makes the film under a match's last post is scheduled together with the post, so it
survives a restart. It may run twice: a post that already has its film must be left alone.
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
from bot.kernel.languages import speaking_to_player
from bot.kernel.room import Room, everyone_ever_seated
from bot.model import Status
from bot.posts.after_end import AfterEnd
from bot.posts.sending import send_in_thread
from bot.runtime.base import NotFound, Refused, log_error
from bot.text import and_list, say
from bot.ui import (
    Feature,
    Item,
    MotuClient,
    MotuInteraction,
    Picture,
    PublicAnswers,
    all_matches,
    describe,
    error_codes,
    hidden_players,
    hide_names,
    my_ended_match,
    my_match,
    plain_names,
    reply,
    slash,
)
from bot.ui.long_jobs import LongJobs
from bot.ui.permissions import missing_permissions_in
from bot.workers.jobs import FilmFile, MakeFilm, Shot
from bot.workers.pool import JobFailed, WorkerLost
from engine import visible
from engine.core.save import encode_events
from engine.core.words import closest_language, speaking

log = logging.getLogger("motu.films")

FILM = "film"
"""The kind of job that adds the film to the last post of a match."""
SPEEDS = {"slow": 2.4, "usual": 1.2, "fast": 0.5}
"""How many seconds a frame is shown."""
MAX_CAPTION_CHARACTERS = 125
"""The most characters of a caption: its two lines have room for about 140."""
MAX_END_BYTES = 2 * 2**20
"""The largest film under a last post, which everybody in the channel loads."""
MAX_END_FRAMES = 40
"""The most frames of a film under a last post."""
MAX_FILES = 10
"""Discord's limit for the files of a message."""
MAX_CACHED_ENDS = 4
"""How many films of ends to cache: the last post and the results channel use the same one."""

FilmKey = tuple[str, tuple[str, ...]]
"""The id of a match, and the names of its players in the film."""


@slash("replay", dms=True, choices={"speed": ("replay.{}", SPEEDS)})
@app_commands.rename(first="from", last="to")
async def replay(
    interaction: MotuInteraction,
    match: str | None = None,
    first: str = "first",
    last: str = "last",
    speed: str = "usual",
) -> None:
    """Post a film of a match, or of a part of it, for everyone in the channel."""
    try:
        room = await my_match(interaction, match)
    except NotFound:
        # No match is being played here, but one may have ended here.
        room = await my_ended_match(interaction, match)
    timeline = await load_timeline(interaction.client.kernel, room)
    await show_film(
        interaction, timeline, await timeline.find(first), await timeline.find(last), speed
    )


replay.autocomplete("match")(all_matches)


class FilmButton(Item, template=moment_button("film")):
    """Shows a film of a match that starts with the moment above the button."""

    async def on_press(self, interaction: MotuInteraction) -> None:
        """Make the film, then show the moment again, which was replaced by the film's progress."""
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
        # Outside the match's own channel, hidden players are not named.
        room = hide_names(
            room, await hidden_players(interaction.client, everyone_ever_seated(room.record))
        )
    if interaction.guild_id is not None and not interaction.app_permissions.attach_files:
        raise Refused("refusal.no_film_here", permission=say("permission.attach_files"))
    # Everyone in the channel sees the film, so it uses the channel's language.
    with speaking(closest_language(reply.channel_locale(interaction))):
        frames = await take_shots(timeline, room, first, last)
        if len(frames) < 2:
            raise Refused("refusal.no_such_film")
        services.require(PublicAnswers).admit(interaction.user.id, interaction.channel_id or 0)
        most_bytes = reply.max_file_bytes(interaction)
        job = MakeFilm(room.record.game, frames, plain_names(room), SPEEDS[speed], most_bytes)
        file: FilmFile = await services.require(LongJobs).do(
            interaction, room.record.id, job, say("replay.what")
        )
        facts: dict[str, Any] = {"game": describe.title(room), "players": describe.players(room)}
        alt = say("replay.alt", frames=len(frames), **facts)
        film = Picture(file.data, alt, f"{room.record.game}-{room.record.id}.gif")
        every = file.every if file.every > 1 else None
        post = say("replay.post", id=room.record.id, every=every, **facts)
    await interaction.followup.send(post, files=reply.make_files([film]))
    await reply.show(interaction, say("replay.done"))


async def take_shots(timeline: Timeline, room: Room, first: int, last: int) -> tuple[Shot, ...]:
    """Return a frame for each moment from the first to the last, with public information only.

    The players have the names they have in the room.
    """
    if first > last:
        return ()
    game, frames = room.playing().game, []
    remaining = await timeline.commits_since(first - 1, last)
    for moment in range(first, last + 1):
        new = [stored for stored in remaining if stored.number <= timeline.numbers[moment]]
        remaining = remaining[len(new) :]
        commits = [encoding.decode_commit(stored, game) for stored in new]
        position = new[-1].snapshot
        past = Room(room.record, encoding.decode_position(position, {game.id: game}))
        story = describe.tell_within(
            past,
            encoding.visible_events(commits, None),
            None,
            MAX_CAPTION_CHARACTERS,
            plain_names(room),
        )
        events = visible([event for commit in commits for event in commit.events], None)
        label = say("replay.number", number=moment, last=timeline.last)
        frames.append(Shot(position, story, encode_events(events), label))
    return tuple(frames)


class Films:
    """Makes films of how matches end, and adds them to their last posts."""

    def __init__(self, client: MotuClient) -> None:
        self._client = client
        self._ends: LRUCache[FilmKey, Picture | None] = LRUCache(MAX_CACHED_ENDS)
        # Make one at a time: there is only one worker, and two callers may want the same film.
        self._lock = asyncio.Lock()

    async def of_end(self, room: Room) -> Picture | None:
        """Return a film of a match's last round; None if it cannot be made."""
        key = (room.record.id, plain_names(room))
        async with self._lock:
            if key not in self._ends:
                self._ends[key] = await self._film_end(room)
            return self._ends[key]

    async def _film_end(self, room: Room) -> Picture | None:
        timeline = await load_timeline(self._client.kernel, room)
        last = timeline.last
        round_began = await timeline.first_of_round(await timeline.round_at(last))
        # Show at least everyone's last turn and the board before it; cut a long round short.
        first = min(round_began - 1, last - room.playing().seats)
        frames = await take_shots(timeline, room, max(0, last - MAX_END_FRAMES, first), last)
        job = MakeFilm(room.record.game, frames, plain_names(room), SPEEDS["usual"], MAX_END_BYTES)
        try:
            file: FilmFile = await self._client.services.require(LongJobs).result(job)
        except (WorkerLost, JobFailed) as error:
            log_error(error, f"couldn't make the final film of match {room.record.id}")
            return None
        result = describe.result(room, plain_names(room))
        alt = say("replay.alt_end", game=describe.title(room), result=result)
        return Picture(file.data, alt, f"{room.record.game}-{room.record.id}-end.gif")

    async def add_to_last_post(self, room: Room) -> None:
        """Add the film to a match's last post, unless it is there or the server wants none."""
        place, client = room.record.place, self._client
        if room.record.status is not Status.FINISHED or not room.record.turn_message:
            return
        if not (await client.services.require(Servers).of(place.guild)).films:
            return
        if missing_permissions_in(client, place.posts_to):
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
            files = reply.make_files([film])
            return await post.edit(attachments=[*post.attachments, *files])

        await send_in_thread(client, place.posts_to, add)

    async def give_up(self, room: Room, error: Exception) -> None:
        """Give up adding a film after an error."""
        if getattr(error, "code", 0) in (error_codes.NO_ACCESS, error_codes.NO_PERMISSION):
            await self._tell_host(room)
        reason = type(error).__name__
        log.info("couldn't add the film to the last post of match %s (%s)", room.record.id, reason)

    async def _tell_host(self, room: Room) -> None:
        """Tell the host which permissions the bot lacks to add the film."""
        with speaking_to_player(room.record, room.record.host):
            lacking = missing_permissions_in(self._client, room.record.place.posts_to) or [
                say("permission.attach_files")
            ]
            text = say(
                "notice.no_film",
                permissions=and_list(lacking),
                number=len(lacking),
                **describe.facts(room),
            )
        await reply.send_direct_message(self._client, room.record.host, text)


def connect(client: MotuClient) -> Parts:
    """Connect the job that adds films to posts."""
    films = Films(client)
    after_end = AfterEnd(client, FILM, films.add_to_last_post, films.give_up)
    return Parts(
        services=(films,),
        jobs={FILM: after_end.run},
        post_followers=(after_end.follow,),
    )


FEATURE = Feature(name="films", connect=connect, commands=(replay,), items=(FilmButton,))
