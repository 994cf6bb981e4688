"""Who is called to a decision, when and how often. The outbox and bot/posts/calls.py do the calling.

A decision is put to somebody by a public post. From then on they are called as they have chosen (player_settings.py):

- every turn: by the post itself, or in a direct message; again after a day, or well before the clock's warning; and
  once more
- a digest: once a day with all that waits for them
- last call: when their time runs out, or after some days where no clock runs
- off: never. Only the warning of a clock stands in the thread all the same, and calls nobody

That makes at most three calls for a decision, and none once it is answered: the commit that answers it takes the row of
a call back in the same transaction. Each comes after a longer wait than the one before it. Whatever comes in quiet
hours waits for their end, and the clock of a player who would be warned then waits too (expiry.py).
"""

from collections.abc import Awaitable, Callable, Collection, Iterable, Sequence

from msgspec import Struct
from msgspec.structs import replace

from bot.clock import DAY, HOUR
from bot.matches.ballot import Vote
from bot.matches.player_settings import CallLevel, Choices, PlayerSettings, Way
from bot.matches.post_rules import people_to_move
from bot.matches.room import Call, Due, Post, Room, Status
from bot.matches.rooms import Rooms
from bot.matches.scheduler import HOLD
from bot.store.base import Store
from engine import Commit, Match, Seat

MOST = 3
"""Calls for one decision."""
SECOND, THIRD = DAY, 3 * DAY
"""Seconds from one call to the next, where no clock runs."""
BEFORE_WARNING = 0.4
"""Where a clock runs, the part of the time until its warning after which somebody is reminded: less than half of it, so
that the second wait is the longer one."""
SHORT = 4 * HOUR
"""With less time than this left nobody is reminded before the clock's own warning."""
REMIND, DIGEST = "remind", "digest"
"""What is due: a call to one decision, and the digest of a day."""
TERMS = "terms"
"""That somebody has yet to hear of a lobby whose terms have changed: in their next digest, or when the row is due."""
AT_ONCE = 100
"""Calls that are wanted by one transaction."""
TURN, AGAIN, LAST, END = "turn", "again", "last", "end"
"""The kinds of calls, as [call] words them; besides them there is the digest."""

Deadline = Callable[[Room, Seat], int | None]
"""When a seat's time runs out, if a clock runs for it."""


class Calling(Struct, frozen=True):
    """Whom a post calls by itself, and what is to be kept of the others."""

    mentioned: tuple[int, ...] = ()
    calls: tuple[Call, ...] = ()
    dues: tuple[Due, ...] = ()
    answered: tuple[int, ...] = ()
    """Whose decision is answered or gone: nobody calls them to it any more."""


CALLS_NOBODY = Calling()


class Besides(Struct, frozen=True):
    """What somebody is told in a digest besides the decisions that wait for them."""

    votes: tuple[tuple[Room, Vote], ...] = ()
    lobbies: tuple[Room, ...] = ()
    """Lobbies that they sit in whose terms have changed."""
    rematches: tuple[Room, ...] = ()
    """Lobbies of rematches that wait for them."""

    @property
    def rooms(self) -> list[Room]:
        """Where it is."""
        return [*(room for room, _ in self.votes), *self.lobbies, *self.rematches]


class Pings:
    """The calls of all players: written down with what causes them, taken back with what answers them."""

    def __init__(
        self,
        store: Store,
        rooms: Rooms,
        now: Callable[[], float],
        of_user: Callable[[int], Awaitable[list[Room]]],
        poke: Callable[[], None],
    ) -> None:
        self._store = store
        self._rooms = rooms
        self.now = now
        self._of_user = of_user
        self._poke = poke
        """Has to be called when something is due that no change of a match has brought."""
        self.settings = PlayerSettings(store)
        self.deadline: Deadline = lambda room, seat: None
        self.warning: Deadline = lambda room, seat: None
        """When a seat's clock asks for its warning."""
        self.ready_to_warn: Callable[[str, Seat], Awaitable[Room | None]] = _never
        self.on_warned: Callable[[str, Seat], Awaitable[object]] = _never
        """Asked before a clock's warning is sent, and told when it was."""
        self.votes_awaiting: Callable[[Room, int], Awaitable[list[Vote]]] = _no_votes
        """The open votes of a match to which somebody has said nothing."""
        self.away_until: Callable[[int], Awaitable[int]] = _is_here
        """Until when somebody is on vacation; 0 if they are not."""
        self._when_wanted: Callable[[], None] = lambda: None
        rooms.listeners.append(self._changed)

    def call_when_wanted(self, call: Callable[[], None]) -> None:
        """Have this called whenever somebody is to be called."""
        self._when_wanted = call

    async def of(self, user: int) -> Choices:
        """What somebody has chosen, and whether they are on vacation."""
        chosen, away = await self.settings.of(user), await self.away_until(user)
        return replace(chosen, away=away) if away else chosen

    # A decision begins, and ends.

    async def calling(self, post: Post) -> Calling:
        """Whom a post calls now, and who is called otherwise or later."""
        if post.room.playing().outcome is not None:
            return await self._calling_at_end(post.room)
        room = await self._rooms.find(post.announcement.match)
        mentioned: list[int] = []
        calls: list[Call] = []
        dues: list[Due] = []
        for seat in await self._still_asked(post, room):
            (user,) = room.people([seat]) or (0,)
            if not user:
                continue
            chosen, now = await self.of(user), int(self.now())
            call, at = Call(room.info.id, user), self._first(room, seat, chosen)
            if chosen.level is CallLevel.DIGEST:
                dues += await self._digest_due(user, chosen)
            elif at == now and self.is_here(room, chosen):
                mentioned.append(user)
                call = replace(call, times=1)
                at = self._next(room, seat, call, chosen)
            elif at == now:
                call, at = replace(call, wanted=TURN, since=now), None
            calls.append(call)
            if at is not None and chosen.level is not CallLevel.DIGEST:
                dues.append(Due(REMIND, at, room.info.id, user))
        return Calling(tuple(mentioned), tuple(calls), tuple(dues))

    async def _digest_due(self, user: int, chosen: Choices) -> list[Due]:
        """Return what sets somebody's next digest; one that is due already, as after the bot was down, comes soon."""
        if await self._store.is_to_happen(DIGEST, user=user):
            return []
        return [Due(DIGEST, chosen.next_digest(self.now()), user=user)]

    async def _calling_at_end(self, room: Room) -> Calling:
        """The end is told to all who want to hear of every turn."""
        mentioned: list[int] = []
        calls: list[Call] = []
        for user in room.players:
            chosen, now = await self.of(user), int(self.now())
            if chosen.level is not CallLevel.TURN:
                continue
            if self.is_here(room, chosen):
                mentioned += [user] if chosen.quiet_until(now) is None else []
            else:
                calls.append(Call(room.info.id, user, wanted=END, since=now))
        return Calling(tuple(mentioned), tuple(calls))

    async def _still_asked(self, post: Post, room: Room) -> list[Seat]:
        """The seats that a post calls, as far as they have not answered meanwhile: it may have waited for Discord.

        Besides, if it is the newest, those whom nothing calls any more to what they are asked: as after a pause.
        """
        match, number = room.match, post.announcement.number
        if match is None:
            return []
        later = await self._store.commits(room.info.id, number) if match.number > number else []
        moved = {commit.seat for commit in later}
        asked = set(people_to_move(match)) - moved
        called = {call.user for call in await self._store.calls(room.info.id) if not call.over}
        uncalled = {seat for seat in asked if not later and room.info.chairs[seat].id not in called}
        return [seat for seat in match.waiting_for() if seat in asked and (seat in post.newly or seat in uncalled)]

    def _first(self, room: Room, seat: Seat, chosen: Choices) -> int | None:
        """When somebody is first called to a decision that is put now, if at all."""
        now = int(self.now())
        match chosen.level:
            case CallLevel.TURN if room.is_paused:
                return now + SECOND
            case CallLevel.TURN:
                return chosen.quiet_until(now) or now
            case CallLevel.LAST if self.deadline(room, seat) is None:
                return now + SECOND + THIRD
        return None

    def _next(self, room: Room, seat: Seat, call: Call, chosen: Choices) -> int | None:
        """When the next call comes after those that were made; with a clock its warning is the last."""
        now, deadline = int(self.now()), self.deadline(room, seat)
        if deadline is None:
            return {1: now + SECOND, 2: now + THIRD}.get(call.times)
        warning = self.warning(room, seat)
        if call.times != 1 or warning is None or deadline - now < SHORT:
            return None
        reminder = now + min(SECOND, round((warning - now) * BEFORE_WARNING))
        # Quiet hours may put either off.
        reminder = chosen.quiet_until(reminder) or reminder
        warning = chosen.quiet_until(warning) or warning
        return reminder if warning - reminder > reminder - now else None

    async def after(self, room: Room, commits: Sequence[tuple[Match, Match]], told: bool) -> Calling:
        """What becomes of the calls by some commits, each given as the match before and after it.

        A call is over when its decision is answered, or gone. Somebody in the midst of their turn has the same decision
        still, and is reminded as if they had been called just now.
        """
        if not commits:
            return CALLS_NOBODY
        before, after = commits[0][0], commits[-1][1]
        awaited = set(people_to_move(after))
        moved = {stood.last.seat for was, stood in commits if stood.last and _has_answered(was, stood.last)}
        over = [seat for seat in before.waiting_for() if seat not in awaited or (told and seat in moved)]
        going_on = room.people(seat for seat in before.waiting_for() if seat in moved and seat not in over)
        dues = await self._store.dues_of(room.info.id) if going_on else []
        moved_on: list[Due] = []
        for due in dues:
            if due.kind == REMIND and due.user in going_on:
                seat = room.own_seat(due.user)
                later = self._next(room, seat, Call(room.info.id, due.user, times=1), await self.of(due.user))
                # Where there is no time for a reminder, the clock's warning comes first and takes its place.
                moved_on.append(replace(due, at=max(due.at, later or self.deadline(room, seat) or 0)))
        return Calling(dues=tuple(moved_on), answered=tuple(room.people(over)))

    async def _changed(self, before: Room, after: Room) -> None:
        """Somebody is asked whom no post calls: a newcomer in a seat, or one who has come back or taken a turn back.

        They know, but may forget: they are reminded as after a call.
        """
        match = after.info.id
        asked = _awaited(after) - _awaited(before)
        if not asked or after.match is None:
            return
        said = await self._store.announced(match)
        if said is not None and said.number == after.match.number:
            return
        known = {call.user: call for call in await self._store.calls(match)}
        calls = [replace(known.get(user) or Call(match, user, times=1), over=False) for user in asked]
        await self._store.put_calls(calls, [Due(REMIND, int(self.now()) + SECOND, match, user) for user in asked])
        self._poke()

    # What is due.

    async def remind(self, due: Due) -> None:
        """A call to one decision has come due, and others with it: they are wanted from now on, some at a time.

        What kind of call it is, if any, is only worked out when it is its turn to be made. So ten thousand that are due
        at once cost the database next to nothing, and nobody who plays has to wait for them.
        """
        await self._store.want_calls(due, int(self.now()), AT_ONCE)
        self._when_wanted()

    def _kind(self, room: Room, seat: Seat, chosen: Choices, call: Call) -> str:
        """The call that is to be made by what somebody has chosen; '' if none is."""
        has_clock = self.deadline(room, seat) is not None
        if has_clock and call.wanted == LAST:
            # The warning of a clock, which nobody misses.
            return LAST
        if chosen.level is CallLevel.TURN and call.times < MOST - has_clock:
            return (TURN, AGAIN, LAST)[call.times]
        return LAST if chosen.level is CallLevel.LAST and not has_clock and call.times < MOST else ""

    async def warn(self, match: str, seat: Seat) -> None:
        """The last call before somebody's time runs out; a clock calls this, until the call was made."""
        room = await self._rooms.find(match)
        user = room.info.chairs[seat].id
        if not self._waits(room, seat) or room.info.status is not Status.RUNNING:
            return
        call = await self.call_of(match, user) or Call(match, user)
        if call.wanted == LAST and not call.over:
            return
        # A clock may warn a second time, for example after a vacation, and that warning must be heard too.
        times = 0 if call.over else min(call.times, MOST - 1)
        await self._store.put_calls((replace(call, times=times, wanted=LAST, since=int(self.now()), over=False),))
        await self._store.drop_due(REMIND, match, user)
        self._when_wanted()

    async def digest(self, due: Due) -> None:
        """The digest of a day has come due; where nothing waits there is none, until something does again."""
        chosen, now = await self.of(due.user), int(self.now())
        if chosen.level is not CallLevel.DIGEST:
            return
        if not await self.waiting(due.user) and not (await self.besides(due.user)).rooms:
            return
        if until := chosen.quiet_until(now):
            await self._store.set_due(replace(due, at=until))
            return
        standing = await self.call_of("", due.user) or Call("", due.user)
        called = replace(standing, wanted=DIGEST, since=now)
        await self._store.put_calls((called,), (replace(due, at=chosen.next_digest(now)),))
        self._when_wanted()

    async def besides(self, user: int) -> Besides:
        """Return what a digest tells somebody besides the decisions that wait for them."""
        votes: list[tuple[Room, Vote]] = []
        lobbies: list[Room] = []
        for room in await self._of_user(user):
            if room.info.status is Status.LOBBY:
                if await self._store.is_to_happen(TERMS, room.info.id, user):
                    lobbies.append(room)
            elif not room.info.paused_for:
                votes += [(room, vote) for vote in await self.votes_awaiting(room, user)]
        rematches = await self._rooms.readable(await self._store.awaiting(user))
        return Besides(tuple(votes), tuple(lobbies), tuple(rematches))

    async def put_in_digest(self, user: int, changed_lobby: str = "") -> None:
        """Have the next digest tell somebody of a vote or a rematch, or of a lobby whose terms have changed."""
        chosen = await self.of(user)
        dues = await self._digest_due(user, chosen)
        if changed_lobby:
            dues.append(Due(TERMS, chosen.next_digest(self.now()) + DAY, changed_lobby, user))
        await self._store.set_due(*dues)
        self._poke()

    async def waiting(self, user: int) -> list[tuple[Room, Call]]:
        """What waits for somebody who may still be called for it, the most urgent first."""
        made = {call.match: call for call in await self._store.calls(user=user)}
        found: list[tuple[int, Room, Call]] = []
        for room in await self._of_user(user):
            seat, call = room.seat_of(user), made.get(room.info.id) or Call(room.info.id, user)
            if seat is None or room.info.status is not Status.RUNNING or not self._waits(room, seat):
                continue
            deadline = self.deadline(room, seat)
            # With a clock the last of the calls is its warning.
            if not call.over and call.times < MOST - (deadline is not None):
                found.append((deadline or 1 << 62, room, call))
        return [(room, call) for _, room, call in sorted(found, key=lambda one: one[0])]

    def _waits(self, room: Room, seat: Seat) -> bool:
        return room.match is not None and not room.is_over and seat in people_to_move(room.match)

    # The calling.

    def is_here(self, room: Room, chosen: Choices) -> bool:
        """Whether somebody is called where the match is played; in a direct message that is where they are anyway."""
        return not chosen.is_direct or not room.info.place.guild

    def is_silent(self, chosen: Choices, kind: str = "") -> bool:
        """Whether a call of some kind to somebody makes no sound now.

        A last call is heard on vacation: one comes only where the days of vacation are used up.
        """
        heard = replace(chosen, away=0) if kind == LAST else chosen
        return heard.quiet_until(self.now()) is not None

    async def mentionable(self, users: Iterable[int]) -> list[int]:
        """Those of them who may be mentioned now for what is no turn: who want every call, and not in quiet hours."""
        chosen = [(user, await self.of(user)) for user in users]
        return [user for user, choices in chosen if choices.level is CallLevel.TURN and not self.is_silent(choices)]

    def untils(self, room: Room) -> dict[Seat, int]:
        """When the time of those who are awaited runs out, as far as a clock runs for them."""
        found = {seat: self.deadline(room, seat) for seat in room.playing().waiting_for()}
        return {seat: at for seat, at in found.items() if at is not None}

    async def call_of(self, match: str, user: int) -> Call | None:
        """How often somebody was called to their decision."""
        return next((call for call in await self._store.calls(match, user)), None)

    async def wanted(self, most: int) -> list[Call]:
        """The calls to be made now, the oldest first; those that any process may make are this one's for a while."""
        now = int(self.now())
        return [*await self._store.wanted_calls(most), *await self._store.take_calls(now, most, now + HOLD)]

    async def wanted_here(self, match: str) -> list[tuple[Call, Choices]]:
        """Those to be made now where a match is played, with what those who are called have chosen."""
        found: list[tuple[Call, Choices]] = []
        for call in await self._store.calls(match):
            if call.wanted and (ready := await self.ready(call)):
                chosen = await self.of(call.user)
                found += [(ready[1], chosen)] if self.is_here(ready[0], chosen) else []
        return found

    def is_called(self, call: Call, chosen: Choices) -> bool:
        """Whether a call mentions somebody: a warning to those who want none, or one too many, only names them."""
        return chosen.level is not CallLevel.OFF and call.times < MOST

    async def ready(self, call: Call) -> tuple[Room, Call] | None:
        """The match and the kind of a call that is to be made now; any other is dropped or put off."""
        room, chosen = await self._rooms.find(call.match), await self.of(call.user)
        seat, now = room.seat_of(call.user), int(self.now())
        if call.wanted == END:
            return room, call
        kind, at = "", None
        if seat is not None and self._waits(room, seat):
            kind = self._kind(room, seat, chosen, call)
            if kind == LAST and self.deadline(room, seat) is not None:
                # It may have waited: whether it is still to be sent, and until when they have time, is seen anew.
                warned = await self.ready_to_warn(call.match, seat)
                kind, room = (kind, warned) if warned else ("", room)
            else:
                at = chosen.quiet_until(now)
            if room.is_paused:
                at = now + SECOND
            elif (plan := room.plan_of(seat)) and plan.at:
                # It will be answered without them.
                at = plan.at + HOUR
        due = (Due(REMIND, at, call.match, call.user),) if kind and at else ()
        made = replace(call, wanted="" if due else kind)
        if made != call and not await self._store.change_call(call, made, due):
            return None
        if due:
            self._poke()
        return (room, made) if made.wanted else None

    async def unwanted(self, call: Call) -> None:
        """A call is not to be made after all."""
        await self._store.change_call(call, replace(call, wanted=""))

    async def failed(self, call: Call) -> None:
        """Give up a call that could not be made.

        Most count as made, and the next one may fare better. No call comes after a clock's warning, so that one is
        dropped without counting: its clock asks for it again (expiry.py), and runs out only after it was sent.
        """
        standing = await self.call_of(call.match, call.user)
        if standing is None or not standing.wanted:
            return
        if standing.wanted == DIGEST or await self._is_warning(standing):
            await self.unwanted(standing)
        else:
            await self.made(standing, standing.channel, standing.message)

    async def _is_warning(self, call: Call) -> bool:
        """Return whether a call is the warning of a clock that has not warned yet."""
        if call.wanted != LAST:
            return False
        room = await self._rooms.find(call.match)
        seat = room.seat_of(call.user)
        return seat is not None and self.warning(room, seat) is not None

    async def made(self, call: Call, channel: int = 0, message: int = 0) -> None:
        """A call was made, perhaps by a message of its own; the next one is due in its time."""
        after = replace(call, times=self._counted(call), wanted="", channel=channel, message=message)
        room = await self._rooms.find(call.match)
        seat = room.seat_of(call.user)
        at = None
        if seat is not None:
            if call.wanted == LAST:
                await self.on_warned(call.match, seat)
            at = self._next(room, seat, after, await self.of(call.user))
        dues = (Due(REMIND, at, call.match, call.user),) if at is not None else ()
        if call.wanted == END:
            await self._store.drop_call(call)
        elif not await self._store.change_call(call, after, dues):
            # They have moved while it was on its way: it stands, and loses its buttons at once.
            await self._store.put_calls((replace(after, over=True),))
        if dues:
            self._poke()

    async def made_digest(self, call: Call, rooms: Sequence[tuple[Room, Call]], channel: int, message: int) -> None:
        """The digest of a day was made: it counts as a call to each decision in it."""
        for room in (await self.besides(call.user)).lobbies:
            await self._store.drop_due(TERMS, room.info.id, call.user)
        counted = [replace(one, times=self._counted(one)) for _, one in rooms]
        standing = replace(call, wanted="", channel=channel, message=message)
        await self._store.put_calls((standing, *counted))

    def _counted(self, call: Call) -> int:
        return MOST if call.wanted == LAST else call.times + 1

    async def over(self, match: str, anew: Collection[int] = ()) -> list[Call]:
        """The calls of a match that may stand somewhere although they are answered or gone.

        So are those of people who are called `anew`, as after a rewind, or whose seat is another's by now.
        """
        calls = [call for call in await self._store.calls(match) if call.wanted != END]
        room = await self._rooms.find(match) if calls else None
        found = []
        for call in calls:
            seat = room.seat_of(call.user) if room else None
            if call.over or call.user in anew or seat is None or room is None or not self._waits(room, seat):
                found.append(call)
        return found

    async def forget(self, call: Call) -> None:
        """A call stands nowhere any more."""
        await self._store.drop_call(call)

    # What players choose.

    async def chosen(self, user: int, **changes: object) -> Choices:
        """A player's choices changed; what waits for them already is called by the new ones."""
        chosen, now = await self.settings.change(user, **changes), int(self.now())
        if chosen.level is CallLevel.DIGEST:
            await self._store.set_due(Due(DIGEST, chosen.next_digest(now), user=user))
        elif chosen.level is not CallLevel.OFF:
            calls = [call for _, call in await self.waiting(user)]
            await self._store.put_calls(calls, [Due(REMIND, now + SECOND, call.match, user) for call in calls])
        self._poke()
        return chosen

    async def direct_closed(self, user: int) -> None:
        """Somebody takes no direct messages any more: they are called where they play, and told so there once."""
        await self.settings.change(user, way=Way.MENTION, channel=0, closed=True)

    async def told_closed(self, user: int) -> None:
        """They were told."""
        await self.settings.change(user, closed=False)


async def _never(match: str, seat: Seat) -> None:
    """Nobody is warned where there are no clocks."""


async def _no_votes(room: Room, user: int) -> list[Vote]:
    """Nobody is asked anything where there are no votes."""
    return []


async def _is_here(user: int) -> int:
    """Nobody is on vacation where there is none."""
    return 0


def _awaited(room: Room) -> set[int]:
    """The people whose decision a match waits for."""
    return set(room.people(people_to_move(room.match))) if room.match else set()


def _has_answered(before: Match, commit: Commit) -> bool:
    """Whether a commit answers a question; an offer that was taken leaves it open."""
    asked = {(question.seat, question.kind) for question in before.asked()}
    return any((commit.seat, answer.kind) in asked for answer in commit.answers)
