"""Results posted where a server wants them: one post for each match that was played to its end.

The job to post a result is written with the match's last post. Should the bot stop before the job
is noted as done, the channel is looked through for the post first. Whatever is wrong with that
channel never touches the match: the server's owner is told once, and /settings says it as long as
it lasts.

Beside the result one fact is told of the match, from its log and from earlier results: the heaviest
one. What no match here had before is heavier than what the game itself has to tell; if there is
nothing else, the plainest is said.
"""

import logging
from collections.abc import Iterator, Sequence
from typing import Any

from bot.features.films import Films
from bot.features.ratings import queries as rating_queries
from bot.features.ratings.records import PLAYED
from bot.features.ratings.rules import results_of
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
    discreet,
    error_codes,
    hidden_players,
    marked_names,
    write_to,
)
from bot.ui.permissions import results_channel_problem
from engine import Event
from engine.core.remark import remarks_of

log = logging.getLogger("motu.results_feed")

RESULT = "chronicle"
"""The job that posts the result of a match."""
MATCHES_BEFORE_RECORDS = 3
"""Matches of a game after which the next can be the best of them: before that it means nothing."""
ROUND_NUMBER = 25
"""Number of matches of a game on a server after which a round figure is worth a word."""
MAX_GAME_WEIGHT = 1.0
"""What a game tells weighs less than any record: those weigh 2 and more."""

Remark = tuple[float, str]
"""How much a fact weighs, and the fact in words."""


class ResultsFeed:
    """Posts the results of all servers that want it."""

    def __init__(self, client: MotuClient) -> None:
        self._client = client
        self._servers = client.services.require(Servers)
        self._films = client.services.get(Films)
        self._sender = client.services.require(Sender)

    async def post_result(self, room: Room) -> None:
        """Post the result of a match, unless it is there or not wanted."""
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
            shown = discreet(room, hidden)
            made = Message(await self._put_into_words(shown), (), ())
            news = await self._client.kernel.matches.news(shown, None)
            pictures = [await describe.draw_board(self._client, shown, events=news)]
            if settings.films and self._films is not None:
                pictures.append(await self._films.of_end(shown))
            await self._sender.send(channel, made, nonce, pictures=pictures)
        if settings.is_chronicle_lost:
            await self._servers.change(guild_id, is_chronicle_lost=False)

    async def _put_into_words(self, room: Room) -> str:
        """Return the result of a match in words, with a remark about it."""
        kernel = self._client.kernel
        commits = await kernel.matches.commits_between(room, -1, room.playing().number)
        made = [one for one in encoding.without_undone(commits) if one.back_to is None]
        events = encoding.facts(made, None)
        earlier = await kernel.store.read(rating_queries.scores_before, room.record.id)
        names = marked_names(room)
        _, fact = max(find_remarks(room, names, events, earlier), key=lambda remark: remark[0])
        facts = {"result": describe.result(room, names), "places": describe.places(room)}
        return cut(say("chronicle.post", fact=fact, link=describe.link(room), **facts), CONTENT)

    async def give_up(self, room: Room, error: Exception) -> None:
        """Leave a result unposted."""
        if getattr(error, "code", 0) in error_codes.PLACE_LOST:
            await self._tell_owner(room.record.place.guild)
        log.info("the result of match %s is not posted (%s)", room.record.id, type(error).__name__)

    async def _tell_owner(self, guild_id: int) -> None:
        """Tell the owner of the server, once, why results are not posted."""
        settings = await self._servers.of(guild_id)
        if settings.is_chronicle_lost:
            return
        await self._servers.change(guild_id, is_chronicle_lost=True)
        guild = self._client.get_guild(guild_id)
        if guild is not None and guild.owner_id:
            why = results_channel_problem(self._client, settings.chronicle)
            why = why or say("chronicle.refused", channel=f"<#{settings.chronicle}>")
            await write_to(
                self._client, guild.owner_id, say("chronicle.lost", server=guild.name, why=why)
            )


def _is_worth_posting(room: Room) -> bool:
    """Return whether two people or more have played a match to its end, and it was no lesson."""
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
    """Yield what can be said of a finished match, the plainest first; `earlier` are the scores
    of older ones here.
    """
    match = room.playing()
    outcome = match.outcome
    assert outcome is not None
    best, lead = max(outcome.scores, default=None), _lead(outcome.scores)
    # Where the most points have not won, or where all sat alone, there is nothing to be close to.
    if lead is not None and outcome.scores[outcome.winners[0]] != best:
        lead = None
    if lead and len(outcome.winners) == 1:
        yield 0.0, say("remark.won_by", names, seat=outcome.winners[0], points=lead)
    yield 0.0, say("remark.moves", number=match.moves)
    words = describe.words(room)
    for found in remarks_of(room.record.game, events, outcome):
        yield min(MAX_GAME_WEIGHT, found.weight), words.remark(found.key, names, found.facts)
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
    """Return by how many points the first is ahead of the second; None if there is no second."""
    if len(scores) < 2:
        return None
    second, first = sorted(scores)[-2:]
    return first - second


def connect(client: MotuClient) -> Parts:
    """Make what posts results."""
    feed = ResultsFeed(client)
    after_end = AfterEnd(client, RESULT, feed.post_result, feed.give_up)
    return Parts(jobs={RESULT: after_end.run}, post_followers=(after_end.follow,))


FEATURE = Feature(name="results_feed", connect=connect)
