"""Take back turns and rewind matches.

A player can take back their last turn if it revealed nothing. With /rewind a player chooses an
earlier point, sees a preview, and starts a vote on it.

Nothing is removed from the log. A new commit says which commit the match goes back to, and numbers
keep rising, so that a button or post of an undone turn is never taken for a later one.
"""

import asyncio
from collections.abc import Iterable, Iterator, Mapping
from hashlib import sha256
from typing import Any

import msgspec
from cachetools import LRUCache
from msgspec import Struct
from msgspec.structs import replace

from bot.features.reminders.rules import SECOND_REMINDER_DELAY, Sent, reminder_job
from bot.features.votes import discord as votes
from bot.features.votes import rules
from bot.features.votes.rules import Kind, VoteEffect
from bot.features.votes.service import Votes
from bot.kernel import encoding, post_rules, queries
from bot.kernel.change import Change
from bot.kernel.feature import Parts
from bot.kernel.kernel import Kernel
from bot.kernel.pipeline import retry_on_conflict
from bot.kernel.room import Press, Room, Update, playable_match
from bot.model import HandledInteraction, Status, StoredCommit, TableClocks, Vote
from bot.runtime.base import Refused
from bot.text import say
from bot.ui import (
    CHOICE_TEXT,
    MATCH,
    STRONG,
    Button,
    Choices,
    Feature,
    Item,
    MotuInteraction,
    autocomplete,
    describe,
    my_match,
    my_seat,
    my_seated_match,
    named_match,
    plain_names,
    reply,
    service,
    slash,
)
from engine import Answer, Commit, Event, Game, Match, Seat, commitment
from engine.core.event import Line, TookBack
from engine.core.secrecy import find_disclosure

REWIND = "rewind"
"""The kind of vote."""
MAX_POINTS = 200
"""The most points to which a match can be rewound: the newest ones."""
MAX_CACHED_MATCHES = 64
"""For how many matches to cache the points: autocompletion needs them for every letter typed."""
MAX_TURN_CHARACTERS = 120
"""The most characters that describe a turn that would be undone."""
MAX_LISTED_TURNS = 6
"""How many of the turns that would be undone are listed."""


class Point(Struct, frozen=True):
    """A point that a match can be rewound to: just before a turn that everyone knows."""

    number: int
    """The last commit that is kept."""
    events: tuple[Event, ...]
    """The public events of the turn after it, the first to be undone."""
    stage: Line | None
    """The round, turn or phase of the match."""


class Rewinds:
    """Takes turns back, and rewinds matches."""

    def __init__(self, kernel: Kernel) -> None:
        self._kernel = kernel
        self._points: LRUCache[tuple[str, int], list[Point]] = LRUCache(MAX_CACHED_MATCHES)

    @retry_on_conflict
    async def take_back(self, press: Press) -> Update:
        """Take back the player's last turn; its answers become a draft again."""
        kernel = self._kernel
        async with kernel.pipeline.exclusive(press.match, press.interaction) as (change, earlier):
            room = change.before
            seat = room.own_seat(press.user)
            if earlier is not None:
                return Update(room, seat)
            match = playable_match(room, seat)
            before, turn, secret_commits = await self._find_last_turn(room, seat)
            disclosure = await asyncio.to_thread(find_disclosure, before, turn)
            if disclosure is not None:
                raise Refused(f"rewind.{disclosure}")
            clocks = await kernel.store.read(queries.clocks_at, press.match, before.number)
            # Others keep what they have drafted since, as far as it is still legal.
            drafts = {other: draft.answers for other, draft in match.drafts.items()}
            # A turn becomes the draft again, to be changed. An offer cannot be drafted.
            if turn.answers[0].kind not in {offer.kind for offer in before.offers(seat)}:
                drafts[seat] = turn.answers
            back = self._go_back(
                change, before, clocks, seat, drafts=drafts, replayed=secret_commits
            )
            last_post = room.last_post
            if last_post is None or last_post.number <= before.number:
                # No post has reported the turn, so none has to report that it was taken back.
                back = replace(back, announce_up_to=None, suppress_post=True)
            # The player knows that it is their turn again, which counts as the first reminder.
            at = change.now + SECOND_REMINDER_DELAY
            back = back.schedule(reminder_job(press.match, press.user, at, Sent(times=1)))
            handled = HandledInteraction(
                interaction=press.interaction, seat=seat, since=match.number, number=match.number
            )
            after = (await kernel.pipeline.commit(replace(back, handled=handled))).after
        return Update(after, seat, (TookBack(seat),), committed=True)

    async def _find_last_turn(self, room: Room, seat: Seat) -> tuple[Match, Commit, list[Commit]]:
        """Return the position before a seat's last turn, the turn, and later secret commits.

        Refuses if another seat has had the last turn. Offers that others have taken in secret since
        do not count: a refusal would reveal them. They are replayed once the turn is taken back.
        """
        match = room.playing()
        if not match.answered[seat]:
            raise Refused("rewind.nothing")
        number, secret_commits = match.number, list[Commit]()
        while number:
            before = await self._kernel.matches.position(room.record.id, number - 1)
            (stored,) = await self._kernel.store.read(
                queries.commits, room.record.id, number - 1, number
            )
            commit = encoding.decode_commit(stored, match.game)
            secret_kinds = {offer.kind for offer in before.offers(commit.seat) if offer.secret}
            if commit.seat != seat and commit.answers and commit.answers[0].kind in secret_kinds:
                secret_commits.insert(0, commit)
                number -= 1
                continue
            if commit.seat != seat or seat in match.away:
                raise Refused("rewind.others")
            if commit.back_to is None and commit.answers:
                return before, commit, secret_commits
            if commit.back_to is None or commit.seed:
                break
            number = commit.back_to
        raise Refused("rewind.nothing")

    async def points(self, room: Room) -> list[Point]:
        """Return the points that a match can be rewound to, newest first."""
        match = room.playing()
        key = (room.record.id, match.number)
        if key not in self._points:
            stored_commits = await self._kernel.store.read(
                queries.commits, room.record.id, number=match.number
            )
            self._points[key] = await asyncio.to_thread(_list_points, stored_commits, match.game)
        return self._points[key]

    async def at(self, room: Room, number: int) -> Room:
        """Return the match as it would be after a rewind to a commit."""
        past = await self._kernel.matches.position(room.record.id, number)
        return Room(room.record, room.playing().back_to(past, Seat(0)))

    async def load_rewind(self, room: Room, vote: Vote) -> VoteEffect:
        """Load the position that a vote wants to return to; return the effect that rewinds to it.

        Loading is done here because the effect itself runs in a follower, which cannot await.
        """
        kernel, target = self._kernel, vote.facts["to"]
        past = await kernel.matches.position(room.record.id, target)
        clocks = await kernel.store.read(queries.clocks_at, room.record.id, target)

        def go_back(change: Change, vote: Vote) -> Change:
            seat = change.after.seat_of(vote.by.id) or Seat(0)
            return self._go_back(change, past, clocks, seat, kernel.make_seed())

        return go_back

    def _go_back(
        self,
        change: Change,
        past: Match,
        clocks: TableClocks | None,
        seat: Seat,
        seed: str = "",
        drafts: Mapping[Seat, tuple[Answer, ...]] | None = None,
        replayed: Iterable[Commit] = (),
    ) -> Change:
        """Return the change that takes a match back to a past position, on behalf of a seat.

        Players get back the time they have used since: `clocks` are those of the past position.
        The commits `replayed`, secret ones of others, are made again after it. A rewind by vote
        has a new `seed`: chance is drawn anew, so that nobody profits from having seen the rest.
        """
        record = change.after.record
        positions = [change.after.playing().back_to(past, seat, seed)]
        for commit in replayed:
            positions.append(positions[-1].replay(commit))
        if drafts:
            positions.append(positions[-1].replay_drafts(drafts))
        change = change.play(*positions).update(
            last_activity_at=change.now,
            clocks=self._kernel.clocks.rewind(record, clocks or TableClocks()),
            # Plans were made for a position that is undone: a rewind by vote drops all of them,
            # taking back a turn only the player's own.
            plans=() if seed else tuple(plan for plan in record.plans if plan.seat != seat),
        )
        if seed:
            change = change.update(commitment=f"{record.commitment} {commitment(record.id, seed)}")
        after = change.after.playing()
        is_announced = bool(post_rules.people_to_move(after))
        return replace(
            change,
            announce_up_to=after.number if is_announced else None,
            suppress_post=not is_announced,
            withdrawn_after=past.number,
        )


def _list_points(stored_commits: list[StoredCommit], game: Game[Any]) -> list[Point]:
    """Return the newest MAX_POINTS points of a log, newest first."""
    points: list[Point] = []
    for stored in reversed(encoding.main_line(stored_commits, game)):
        commit = encoding.decode_commit(stored, game)
        events = encoding.visible_events([commit], None)
        if stored.number and commit.answers and events and len(points) < MAX_POINTS:
            before = encoding.decode_position(
                stored_commits[stored.number - 1].snapshot, {game.id: game}
            )
            points.append(Point(stored.number - 1, events, before.view(None).stage()))
    return points


def fingerprint(match: Match) -> str:
    """Return a short hash of the public position, which secret orders do not change."""
    known = msgspec.json.encode((match.asides, match.view(None)))
    return sha256(known).hexdigest()[:16]


def _must_not_have_moved_on(room: Room, vote: Vote) -> None:
    if fingerprint(room.playing()) != vote.facts["at"]:
        raise Refused("rewind.moved_on")


# /rewind


@slash("rewind", dms=True, match="my_match")
async def rewind(interaction: MotuInteraction, to: str, match: str | None = None) -> None:
    """Show a private preview of a rewind, with a button that starts the vote."""
    # Refuse at once if the feature votes is left out: nobody could agree to a rewind.
    service(interaction, Votes)
    room = await my_match(interaction, match, seated=True)
    facts = await _describe_rewind(interaction, room, await _find_point(interaction, room, to))
    past = await service(interaction, Rewinds).at(room, facts["to"])
    board = await describe.draw_board(interaction.client, past)
    several = len(room.people(Seat(seat) for seat in range(room.playing().seats))) > 1
    text = say("rewind.preview", game=describe.title(room), several=several, **facts)
    custom_id = f"z:{room.record.id}:{facts['to']}:{facts['at']}"
    ask = Button(custom_id, say("rewind.ask", several=several), STRONG)
    await reply.show(interaction, text, [(ask,)], [board])


class RewindButton(Item, template=rf"z:{MATCH}:(?P<to>\d{{1,6}}):(?P<at>[0-9a-f]{{16}})"):
    """Starts a vote on a rewind. Its custom id has the fingerprint of the current position."""

    async def on_press(self, interaction: MotuInteraction) -> None:
        """Start the vote, unless the match has moved on since the preview."""
        room = await self.room(interaction)
        facts = await _describe_rewind(interaction, room, int(self.fields["to"]), self.fields["at"])
        await votes.propose(interaction, room, REWIND, facts)


async def _find_point(interaction: MotuInteraction, room: Room, typed: str) -> int:
    """Return the commit before the turn that is this many turns back; -1 if there is none."""
    points = await service(interaction, Rewinds).points(room)
    back = int(typed) if typed.strip().isdecimal() and len(typed) < 7 else 0
    return points[back - 1].number if 0 < back <= len(points) else -1


async def _describe_rewind(
    interaction: MotuInteraction, room: Room, to: int, at: str = ""
) -> dict[str, Any]:
    """Return the facts of a vote on a rewind, with public descriptions of what would be undone.

    Refuses if there is no such point, or if the position no longer has the fingerprint `at`.
    """
    my_seat(interaction, room)
    stands_at = fingerprint(room.playing())
    if room.record.status is not Status.RUNNING:
        raise Refused("rewind.not_running")
    if at and at != stands_at:
        raise Refused("rewind.moved_on")
    undone = [
        point for point in await service(interaction, Rewinds).points(room) if point.number >= to
    ]
    if to < 0 or not undone or undone[-1].number != to:
        raise Refused("rewind.no_point")
    stories = [
        describe.tell_from_start(room, point.events, None, MAX_TURN_CHARACTERS) for point in undone
    ]
    lines = [say("rewind.undone", told=line) for line in stories[:MAX_LISTED_TURNS]]
    if len(undone) > MAX_LISTED_TURNS:
        lines.append(say("rewind.more_undone", number=len(undone) - MAX_LISTED_TURNS))
    return {
        "to": to,
        "at": stands_at,
        "before": stories[-1],
        "number": len(undone),
        "undone": "\n".join(lines),
    }


@rewind.autocomplete("to")
@autocomplete
async def _complete_point(interaction: MotuInteraction, current: str) -> Choices:
    room, _ = await my_seated_match(interaction, named_match(interaction))
    points = await service(interaction, Rewinds).points(room)
    typed, game_words, names = current.casefold().strip(), describe.words(room), plain_names(room)

    def offer_points() -> Iterator[tuple[str, str]]:
        for back, point in enumerate(points, start=1):
            story = describe.tell_from_start(room, point.events, None, CHOICE_TEXT, names)
            line = say("rewind.point", back=back, stage=game_words.stage(point.stage), told=story)
            if typed in line.casefold():
                yield line, str(back)

    return offer_points()


def build(kernel: Kernel) -> Parts:
    """Connect rewinds to the kernel, and to votes if that feature is there."""
    rewinds = Rewinds(kernel)
    if registry := kernel.services.get(Votes):
        kind = Kind(
            name=REWIND,
            # All players must agree.
            rule=rules.everybody,
            load_effect=rewinds.load_rewind,
            check=_must_not_have_moved_on,
            find_board=lambda room, vote: rewinds.at(room, vote.facts["to"]),
        )
        registry.register(kind)
    return Parts(services=(rewinds,))


FEATURE = Feature(name="rewind", build=build, commands=(rewind,), items=(RewindButton,))
