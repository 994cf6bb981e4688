"""Post the results of finished matches to the channel that a server has chosen for them.

The job that posts a result is scheduled together with the match's last post. A job that runs again
after a crash first searches the channel for its post. A problem with the channel never affects the
match: the server's owner is told once, and /settings shows it while it lasts.

Each post has one remark about the match, the one with the highest weight. Records of the server
weigh more than the game's own remarks; without either, the remark is a plain fact.
"""

import logging
from collections.abc import Iterator, Sequence
from typing import Any

from bot.features.films import Films
from bot.features.ratings import queries as rating_queries
from bot.features.ratings.records import PLAYED
from bot.features.ratings.rules import results_of
from bot.features.ratings.service import Standing
from bot.features.server_settings import Servers
from bot.kernel import encoding
from bot.kernel.feature import Parts
from bot.kernel.room import Room
from bot.model import Status
from bot.posts.after_end import AfterEnd
from bot.posts.sending import Sender
from bot.posts.turn_message import Message
from bot.text import say
from bot.ui import (
    CONTENT,
    Feature,
    MotuClient,
    cut,
    describe,
    error_codes,
    hidden_players,
    hide_names,
    marked_names,
    send_direct_message,
)
from bot.ui.permissions import results_channel_problem
from engine import Event
from engine.core.remark import remarks_of

log = logging.getLogger("motu.results_feed")

RESULT = "chronicle"
"""The kind of job that posts the result of a match."""
MATCHES_BEFORE_RECORDS = 3
"""How many matches of a game a server must have finished before a record means anything."""
ROUND_NUMBER = 25
"""Every 25th match of a game on a server is worth a remark."""
MAX_GAME_WEIGHT = 1.0
"""The limit for a game's own remarks, so that records, which weigh 2 or more, come first."""

Remark = tuple[float, str]
"""A remark with its weight before it."""


class ResultsFeed:
    """Posts results in all servers that want them."""

    def __init__(self, client: MotuClient) -> None:
        self._client = client
        self._servers = client.services.require(Servers)
        self._films = client.services.get(Films)
        self._standing = client.services.get(Standing)
        self._sender = client.services.require(Sender)

    async def post_result(self, room: Room) -> None:
        """Post the result of a match, unless it was posted or the server does not want it."""
        guild_id = room.record.place.guild
        settings = await self._servers.of(guild_id)
        if not settings.chronicle or not _is_worth_posting(room):
            return
        guild = self._client.get_guild(guild_id)
        if guild is not None and results_channel_problem(self._client, settings.chronicle):
            await self._tell_owner(guild_id)
            return
        hidden = await hidden_players(self._client, room.players)
        if set(room.players) <= hidden:
            return
        channel, link = settings.chronicle, describe.link(room)
        nonce, ended_at = f"{room.record.id}-result", room.record.last_activity_at
        if not await self._sender.find(
            channel, nonce, ended_at, lambda message: link in message.content, is_doubtful=True
        ):
            public_room = hide_names(room, hidden)
            message = Message(await self._put_into_words(public_room), (), ())
            news = await self._client.kernel.matches.news(public_room, None)
            pictures = [await describe.draw_board(self._client, public_room, events=news)]
            if settings.films and self._films is not None:
                pictures.append(await self._films.of_end(public_room))
            await self._sender.send(channel, message, nonce, pictures=pictures)
        if settings.is_chronicle_lost:
            await self._servers.change(guild_id, is_chronicle_lost=False)

    async def _put_into_words(self, room: Room) -> str:
        """Return the text of a post: the result of a match, with a remark."""
        kernel = self._client.kernel
        all_commits = await kernel.matches.commits_between(room, -1, room.playing().number)
        commits = [
            commit for commit in encoding.without_undone(all_commits) if commit.back_to is None
        ]
        events = encoding.visible_events(commits, None)
        earlier = await kernel.store.read(rating_queries.scores_before, room.record.id)
        names = marked_names(room)
        _, fact = max(find_remarks(room, names, events, earlier), key=lambda remark: remark[0])
        text = say(
            "chronicle.post",
            result=describe.result(room, names),
            places=describe.places(room),
            ratings=await self._standing.describe_changes(room) if self._standing else "",
            fact=fact,
            link=describe.link(room),
        )
        return cut(text, CONTENT)

    async def give_up(self, room: Room, error: Exception) -> None:
        """Give up posting a result after an error."""
        if getattr(error, "code", 0) in error_codes.PLACE_LOST:
            await self._tell_owner(room.record.place.guild)
        log.info("couldn't post the result of match %s (%s)", room.record.id, type(error).__name__)

    async def _tell_owner(self, guild_id: int) -> None:
        """Tell the server's owner, once, why results cannot be posted."""
        settings = await self._servers.of(guild_id)
        if settings.is_chronicle_lost:
            return
        await self._servers.change(guild_id, is_chronicle_lost=True)
        guild = self._client.get_guild(guild_id)
        if guild is not None and guild.owner_id:
            why = results_channel_problem(self._client, settings.chronicle)
            why = why or say("chronicle.refused", channel=f"<#{settings.chronicle}>")
            await send_direct_message(
                self._client, guild.owner_id, say("chronicle.lost", server=guild.name, why=why)
            )


def _is_worth_posting(room: Room) -> bool:
    """Whether at least two people have played the match to its end, and it was no lesson."""
    is_finished = room.record.status is Status.FINISHED
    if not is_finished or room.record.terms.lesson or not room.record.place.guild:
        return False
    return any(result.kind in PLAYED for result in results_of(room))


def find_remarks(
    room: Room,
    names: Sequence[str],
    events: Sequence[Event],
    earlier: Sequence[tuple[float, ...]],
) -> Iterator[Remark]:
    """Yield remarks about a finished match.

    `earlier` has the scores of the server's earlier matches of the game, for records.
    """
    match = room.playing()
    outcome = match.outcome
    assert outcome is not None
    best, lead = max(outcome.scores, default=None), _lead(outcome.scores)
    # In games where points do not decide who wins, a lead in points means nothing.
    if lead is not None and outcome.scores[outcome.winners[0]] != best:
        lead = None
    # Plain facts have no weight, the game's own remarks up to 1, records of the server from 2 on.
    if lead and len(outcome.winners) == 1:
        yield 0.0, say("remark.won_by", names, seat=outcome.winners[0], points=lead)
    yield 0.0, say("remark.moves", number=match.moves)
    words = describe.words(room)
    for remark in remarks_of(room.record.game, events, outcome):
        yield min(MAX_GAME_WEIGHT, remark.weight), words.remark(remark.key, names, remark.facts)
    number = len(earlier) + 1
    facts: dict[str, Any] = {"game": describe.title(room), "number": number}
    if not earlier:
        yield 3.0, say("remark.first", **facts)
    elif number % ROUND_NUMBER == 0:
        yield 2.0, say("remark.number", **facts)
    if len(earlier) < MATCHES_BEFORE_RECORDS or best is None:
        return
    if best > max(max(scores) for scores in earlier):
        who = [seat for seat, score in enumerate(outcome.scores) if score == best]
        yield 2.6, say("remark.highest", names, seats=who, score=best, **facts)
    earlier_leads = [gap for scores in earlier if (gap := _lead(scores)) is not None]
    if lead is not None and earlier_leads:
        if lead < min(earlier_leads):
            yield 2.8, say("remark.closest", points=lead, **facts)
        elif lead > max(earlier_leads):
            yield 2.4, say("remark.clearest", points=lead, **facts)


def _lead(scores: Sequence[float]) -> float | None:
    """Return the lead of the best score over the second best; None if there is only one."""
    if len(scores) < 2:
        return None
    second, first = sorted(scores)[-2:]
    return first - second


def connect(client: MotuClient) -> Parts:
    """Connect the job that posts results."""
    feed = ResultsFeed(client)
    after_end = AfterEnd(client, RESULT, feed.post_result, feed.give_up)
    return Parts(jobs={RESULT: after_end.run}, post_followers=(after_end.follow,))


FEATURE = Feature(name="results_feed", connect=connect)
