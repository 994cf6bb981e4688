"""The one service: all that can be done to a match, each act stored before it is answered. Knows no Discord type."""

import asyncio
import secrets
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from hashlib import blake2b
from typing import Any

from cachetools import FIFOCache
from msgspec.structs import replace

from bot.errors import BotError, Conflict, Refused, StoreError
from bot.matches import lobby, post_rules, records, telling, time_votes, vote_kinds, votes
from bot.matches.agenda import Agenda
from bot.matches.announcements import Announcements
from bot.matches.ballot import Carried
from bot.matches.catch_up import CatchUp
from bot.matches.clocks import Clocks
from bot.matches.computers import Computers, Thinks, computer_to_move, think_here
from bot.matches.expiry import Expiries
from bot.matches.keeping import Keeping
from bot.matches.limits import Limits
from bot.matches.notes import Notes
from bot.matches.past import Past
from bot.matches.pings import DIGEST, REMIND, Pings
from bot.matches.plans import Plans
from bot.matches.privacy import Privacy
from bot.matches.rewind import Rewinds
from bot.matches.room import (
    COMPUTER,
    QUIET,
    USUAL_LEVEL,
    USUAL_TERMS,
    Due,
    Info,
    Person,
    Place,
    Press,
    Room,
    Status,
    Terms,
    Update,
)
from bot.matches.rooms import Rooms, on_newest
from bot.matches.scheduler import Scheduler
from bot.matches.seats import Seats
from bot.matches.server_settings import Servers
from bot.matches.silence import Silence
from bot.matches.standing import Standing
from bot.matches.standing_orders import StandingOrders
from bot.matches.telling import Verdict
from bot.matches.vacation import Vacations
from bot.matches.votes import Votes
from bot.store.base import Done, MessageKind, Store
from bot.text import say
from engine import GAMES, Answer, Commit, EngineError, Game, Match, NothingToUndo, Seat, UnknownGame, begin, commitment
from engine.core.decoding import work_out_types
from engine.core.escape import escaped
from engine.core.story import About
from engine.players import Level, Thought

ID_LETTERS = "abcdefghijkmnpqrstuvwxyz23456789"
ID_LENGTH = 8
LOBBIES = 5
"""Lobbies that one person may have open at a time."""
ATTEMPTS = 20
"""Ids tried for a new match, should they be taken."""
CACHED = 2048
"""Rooms kept in memory: about 5 KB each, more for those that are played in."""
PATIENCE = 2.5
"""Seconds that a press waits for computers before it is answered: most have moved by then, and the panel shows it."""
OVER = 50
"""Matches that have ended which are offered while somebody types."""
VOID = 10_000
"""Presses remembered that came to nothing."""

Deed = Callable[[Room, Seat], Iterable[Match]]
"""What somebody does in their seat: the match after each step of it. Refused if it is not possible."""


def fresh_seed() -> str:
    """256 bits that nobody can guess."""
    return secrets.token_hex(32)


class Matches:
    """All matches. Writes to one match queue up; nothing is dropped, nothing is done twice.

    A press in a lobby comes with Discord's id of the interaction as a move does; without one it is always a new press.
    """

    def __init__(
        self,
        store: Store,
        games: Mapping[str, Game[Any]] = GAMES,
        thinks: Thinks = think_here,
        make_seed: Callable[[], str] = fresh_seed,
        cached: int = CACHED,
        now: Callable[[], float] = time.time,
        patience: float = PATIENCE,
    ) -> None:
        self.store = store
        self._games = games
        # Every game is loaded first: the store's thread, those that draw and those that look back all decode.
        list(games.values())
        work_out_types()
        self.scheduler = Scheduler(store, now)
        self._rooms = Rooms(store, games, cached, self.scheduler.poke)
        self.announcements = Announcements(store, self._rooms)
        self.pings = Pings(store, self._rooms, now, self.of_user, self.scheduler.poke)
        self.scheduler.register(REMIND, self.pings.remind)
        self.scheduler.register(DIGEST, self.pings.digest)
        self.past = Past(store, self._rooms)
        self.servers = Servers(store)
        self.limits = Limits(store, self.servers, self.of_user)
        self._make_seed = make_seed
        self._now = now
        self._when_due: Callable[[str], None] = lambda match: None
        self.computers = Computers(self.find, self._move, thinks, self._is_due)
        self.clocks = Clocks(store, self._rooms, self.scheduler, now)
        self.catch_up = CatchUp(store, self._rooms, self.announcements)
        self.notes = Notes(store)
        self.agenda = Agenda(store, self._rooms, self.clocks, self.of_user)
        self.vacations = Vacations(store, now)
        self.expiries = Expiries(
            *(store, self._rooms, self.scheduler, self.clocks, self.vacations, self.pings.settings, self.computers),
            follow=self._follow,
            go_on=self._go_on,
        )
        self.pings.deadline, self.pings.warning = self.clocks.deadline, self.clocks.warning
        self.expiries.warn = self.pings.warn
        self.pings.ready_to_warn, self.pings.on_warned = self.expiries.ready_to_warn, self.expiries.mark_warned
        self.pings.away_until = self.vacations.away_until
        self.votes = Votes(store, self._rooms, now)
        self.votes.call_when_carried(self._go_on)
        self.pings.votes_awaiting = self.votes.awaiting
        self.rewinds = Rewinds(store, self._rooms, self.clocks, self.pings, make_seed, _playable, self._go_on)
        self.votes.register(self.rewinds.kind())
        self.plans = Plans(store, self._rooms, self.scheduler, now, _playable, self._follow, self._go_on)
        self.orders = StandingOrders(self._rooms, self.scheduler, now, self._follow, self._go_on)
        self.silence = Silence(store, self._rooms, self.scheduler, self.clocks, self.votes)
        self.seats = Seats(self.votes, self.limits, self.silence.why_absent)
        self.standing = Standing(store, self._rooms, self.scheduler, games, now)
        removal = vote_kinds.removal(self.silence.why_absent)
        for kind in (vote_kinds.PAUSE, vote_kinds.RESUME, vote_kinds.CALL_OFF, removal):
            self.votes.register(kind)
        self.votes.register(time_votes.PACE)
        self.votes.register(time_votes.claim(self._along))
        self.keeping = Keeping(store, self._rooms, self.scheduler, now)
        self.privacy = Privacy(self, store, self._rooms)
        # Nobody shall miss a vote because the bot was away.
        self.scheduler.register(votes.DUE, self.votes.end, punishes=True)
        self._patience = patience
        self._void: FIFOCache[int, None] = FIFOCache(VOID)
        """Interactions that came to nothing, the last so many."""

    def call_when_due(self, call: Callable[[str], None]) -> None:
        """Have this called with a match's id whenever its public posts may have to change."""
        self._when_due = call

    def _is_due(self, match: str) -> None:
        self._when_due(match)

    async def recover(self) -> None:
        """After a start: let computer seats of running matches play on, and rate and thin what has ended."""
        await self.standing.recover()
        await self.keeping.begin()
        await self.wake_computers()

    async def wake_computers(self) -> None:
        """Let computers move wherever one is to and does not think yet."""
        for match in await self.store.unattended():
            self.computers.wake(match)

    async def find(self, match: str) -> Room:
        """The match of that id; NotFound if there is none, Malformed if it cannot be read."""
        return await self._rooms.find(match)

    async def here(self, channel: int) -> list[Room]:
        """Open matches of a channel or thread, newest first."""
        return await self._rooms.readable(await self.store.here(channel))

    async def ended(self, place: int) -> list[Room]:
        """The last match that ended in a thread or direct message, if any did."""
        match = await self.store.ended(place)
        return await self._rooms.readable([match] if match else [])

    async def around(self, user: int, channel: int) -> list[Room]:
        """Open matches that a person may mean: their own, those waiting for them first, then others of the channel."""
        theirs = await self.store.of_user(user)
        rooms = await self._rooms.readable(dict.fromkeys((*theirs, *await self.store.here(channel))))
        mine = [room for room in rooms if room.seat_of(user) is not None and not room.has_resigned(user)]
        others = [room for room in rooms if room.seat_of(user) is None or room.has_resigned(user)]
        return [*sorted(mine, key=lambda room: not room.waits_for(user)), *others]

    async def over_around(self, user: int, channel: int) -> list[Room]:
        """Matches that have ended which a person may mean: their own and those of the channel, newest first."""
        return await self._rooms.readable(await self.store.over(user, channel, OVER))

    async def of_user(self, user: int) -> list[Room]:
        """Open matches a person sits in, those waiting for them first."""
        rooms = await self._rooms.readable(await self.store.of_user(user))
        sat_in = [room for room in rooms if not room.has_resigned(user)]
        return sorted(sat_in, key=lambda room: not room.waits_for(user))

    async def paused(self) -> list[Room]:
        """Matches that cannot post where they live."""
        return await self._rooms.readable(await self.store.paused())

    async def log(self, match: str, viewer: Seat | None) -> list[Commit]:
        """The commits as a seat, or everyone, may know them, each at its number: the set-up comes first, as 0."""
        room = await self.find(match)
        game, is_over = self._game(room.info.game), room.is_over
        kept = await self.store.commits(match)
        return [records.as_known(records.commit(stored, game), viewer, is_over) for stored in kept]

    async def transcript(self, match: str, about: About | None = None) -> str:
        """The full transcript, answers and seed included; refused before the match has ended."""
        await self._must_be_over(match)
        return await asyncio.to_thread(telling.transcript, await self._rooms.commits(match), self._games, about)

    async def exported(self, match: str, about: About) -> tuple[str, bytes]:
        """The same, and as JSON."""
        await self._must_be_over(match)
        return await asyncio.to_thread(telling.exported, await self._rooms.commits(match), self._games, about)

    async def verified(self, match: str) -> Verdict:
        """The log of a match that has ended, held against its seals, the positions that are kept and its result."""
        seals = (await self._must_be_over(match)).info.commitment.split()
        kept = await self.store.commits(match)
        return await asyncio.to_thread(telling.verified, kept, self._games, match, seals)

    async def _must_be_over(self, match: str) -> Room:
        room = await self.find(match)
        if not room.is_over:
            raise Refused(say("refusal.no_transcript"))
        return room

    def stop_computers(self) -> None:
        """Before the end: computers make no further move. They go on after the next start."""
        self.computers.stop()

    async def close(self) -> None:
        """Finish what is in hand, then close the store; what computers think is dropped."""
        await self.scheduler.close()
        await self.computers.close()
        await self._rooms.close()
        await self.standing.close()
        await self.store.close()

    async def open_lobby(
        self,
        game: str,
        settings: Mapping[str, str],
        place: Place,
        host: Person,
        interaction: int | None = None,
        computers: Sequence[Level] = (),
        terms: Terms = USUAL_TERMS,
    ) -> Room:
        """A new lobby with the host in the first chair, and computers of these levels in the next.

        Refuses unknown games, settings no table could have, and a person or server that has too many already.
        """
        lobby.check_settings(self._game(game), settings)
        first_id = _new_id(interaction, 0) if interaction is not None else ""
        async with self.limits.one_more(host.id, place.guild, first_id, opens=True):
            for attempt in range(ATTEMPTS):
                info = Info(
                    id=_new_id(interaction, attempt),
                    game=game,
                    status=Status.LOBBY,
                    place=place,
                    host=host.id,
                    settings=dict(settings),
                    terms=terms,
                    chairs=(lobby.tidied(host),),
                    touched=int(self._now()),
                )
                for level in computers:
                    info = lobby.with_computer(info, self._game(game), host, level)
                try:
                    await self.store.create(info, _in_lobby(interaction), LOBBIES)
                except Conflict:
                    if interaction is not None and await self.store.done(info.id, interaction):
                        return await self.find(info.id)
                    continue
                return self._rooms.keep(Room(info))
        raise StoreError(say("refusal.no_free_id"))

    async def rematch(self, match: str, by: Person, interaction: int | None = None) -> tuple[Room, bool]:
        """The lobby of a rematch, whoever asks for it in their chair, and whether it is new: there is one at a time.

        Once that rematch has begun it is the room of it; one that was cancelled makes way for another.
        """
        ended = await self.find(match)
        if not ended.is_over:
            raise Refused(say("refusal.not_over"))
        if ended.seat_of(by.id) is None:
            raise Refused(say("refusal.no_rematch"))
        game, set_up = self._game(ended.info.game), await self._rooms.position(match, 0)
        began = set_up.waiting_for()[0] if game.begins and set_up.waiting_for() else Seat(0)
        for attempt in range(ATTEMPTS):
            # Of one match always the same ids, so that a second press finds the lobby that the first has made.
            lobby_id = _new_id(f"rematch-{match}", attempt)
            if await self.store.load(lobby_id) is None:
                info = replace(lobby.rematch(ended.info, game, began, lobby_id, by), touched=int(self._now()))
                async with self.limits.one_more(by.id, info.place.guild, lobby_id, opens=True):
                    try:
                        await self.store.create(info)
                        return self._rooms.keep(Room(info)), True
                    except Conflict:
                        # Somebody else has pressed at the same moment: theirs is the lobby.
                        pass
            room = await self.find(lobby_id)
            if room.info.status is Status.LOBBY and room.seat_of(by.id) is None:
                room = await self.join(lobby_id, by, interaction)
            if room.info.status not in (Status.CANCELLED, Status.EXPIRED):
                return room, False
        raise StoreError(say("refusal.no_free_id"))

    async def rematch_of(self, match: str) -> Room | None:
        """The rematch of a match that is open or has begun, if there is one."""
        for attempt in range(ATTEMPTS):
            kept = await self.store.load(_new_id(f"rematch-{match}", attempt))
            if kept is None:
                return None
            if kept.info.status not in (Status.CANCELLED, Status.EXPIRED):
                return await self.find(kept.info.id)
        return None

    async def of_each_kind(self, most: int) -> list[Room]:
        """Running matches, one of each kind that looks different: what will be drawn first."""
        return await self._rooms.readable(await self.store.of_each_kind(most))

    async def untold(self) -> list[str]:
        """Matches that have ended, and whose lobby and thread do not say so yet."""
        return await self.store.untold()

    @on_newest
    async def end_told(self, match: str) -> None:
        """The lobby's message and the thread's name say how a match has ended, or cannot."""
        async with self._rooms.turn(match) as room:
            await self._rooms.write(room.info, Room(replace(room.info, untold=False), room.match))

    async def join(self, match: str, person: Person, interaction: int | None = None) -> Room:
        """A chair taken; refused when full, running or already seated."""
        guild = (await self.find(match)).info.place.guild
        with self._void_if_refused(interaction):
            async with self.limits.one_more(person.id, guild, match):
                return await self._seat(
                    match, interaction, lambda info: lobby.joined(info, self._game(info.game), person)
                )

    async def leave(self, match: str, person: Person, interaction: int | None = None) -> Room:
        """A chair left; the next in line becomes host, the last to leave cancels the lobby."""
        return await self._seat(match, interaction, lambda info: lobby.left(info, person))

    async def add_computer(
        self, match: str, by: Person, interaction: int | None = None, level: Level = USUAL_LEVEL
    ) -> Room:
        """A computer in the next chair; the host's to do."""
        return await self._seat(
            match, interaction, lambda info: lobby.with_computer(info, self._game(info.game), by, level)
        )

    async def set_level(self, match: str, by: Person, seat: Seat, level: Level, interaction: int | None = None) -> Room:
        """A computer that plays better or worse; the host's to do."""
        return await self._seat(match, interaction, lambda info: lobby.with_level(info, by, seat, level))

    async def remove_computer(self, match: str, by: Person, seat: Seat, interaction: int | None = None) -> Room:
        """A computer sent away; the host's to do."""
        return await self._seat(match, interaction, lambda info: lobby.without_computer(info, by, seat))

    async def agree_to_hints(self, match: str, by: Person, interaction: int | None = None) -> Room:
        """Somebody's consent to hints given, or taken back."""
        return await self._seat(match, interaction, lambda info: lobby.agreed(info, by))

    async def change_rated(self, match: str, by: Person, interaction: int | None = None) -> Room:
        """The match rated from now on, or not any more; the host's to do."""
        return await self._seat(match, interaction, lambda info: lobby.with_rating(info, by))

    async def set_terms(self, match: str, by: Person, terms: Terms, interaction: int | None = None) -> Room:
        """What the table agrees on besides the game's settings; the host's to do."""
        return await self._seat(match, interaction, lambda info: lobby.with_terms(info, by, terms))

    async def set(self, match: str, by: Person, key: str, value: str, interaction: int | None = None) -> Room:
        """A setting chosen; the host's to do."""
        return await self._seat(
            match, interaction, lambda info: lobby.with_setting(info, self._game(info.game), by, key, value)
        )

    async def cancel(self, match: str, by: Person, interaction: int | None = None) -> Room:
        """The lobby closed; the host's to do."""
        return await self._seat(match, interaction, lambda info: lobby.cancelled(info, by))

    @on_newest
    async def start(self, match: str, by: Person, interaction: int | None = None, waits: bool = True) -> Room:
        """The match begun with a fresh seed; its first announcement is due. The host's to do.

        Unless told otherwise it `waits` for computers that move first, so that the room is as the host will find it.
        """
        async with self._rooms.turn(match) as found:
            again = await self._was_done(match, interaction)
            room = found if again else await self._begin(found, by, interaction)
        self._is_due(match)
        return await self._after_computers(room, self._patience if waits else 0.0)

    async def _begin(self, room: Room, by: Person, interaction: int | None) -> Room:
        game = self._game(room.info.game)
        chairs = room.info.chairs
        with self._void_if_refused(interaction):
            lobby.ready(room.info, game, by)
            computers = frozenset(Seat(seat) for seat, person in enumerate(chairs) if person.id == COMPUTER)
            begun = begin(game, len(chairs), room.info.settings, self._make_seed(), computers)
        info = replace(
            room.info,
            status=Status.RUNNING,
            touched=int(self._now()),
            settings=dict(begun.settings),
            commitment=commitment(room.info.id, begun.seed),
        )
        return await self._rooms.write(
            room.info,
            Room(info, begun.without_log()),
            commits=(records.stored_commit(begun),),
            dues=(self.silence.begun(room.info.id),),
            chairs=True,
            unattended=computer_to_move(begun) is not None,
            announce=0 if post_rules.people_to_move(begun) else None,
            done=_in_lobby(interaction),
        )

    async def pick(self, press: Press, kind: str, keys: tuple[str, ...]) -> Update:
        """An answer put into the draft, or an offer taken; committed if the seat wants no confirm for it."""

        def picked(room: Room, seat: Seat) -> list[Match]:
            match = room.playing()
            after = match.pick(Answer(seat, kind, keys))
            is_drafted = after.number == match.number
            return [after, after.confirm(seat)] if is_drafted and after.wants_no_confirm(seat) else [after]

        return await self.play(press, picked)

    async def undo(self, press: Press, everything: bool = False) -> Update:
        """The last pick of the draft, or all of it, taken back; without a draft, the turn that was confirmed last."""
        try:
            return await self.play(press, lambda room, seat: [room.playing().undo(seat, everything)], on_draft=True)
        except NothingToUndo:
            if press.turn is not None:
                raise
            # Found in its turn: whatever was pressed before may have left a draft, or taken it.
            return await self.rewinds.take_back(press)

    async def confirm(self, press: Press) -> Update:
        """The draft committed."""
        return await self.play(press, lambda room, seat: [room.playing().confirm(seat)], on_draft=True)

    async def resign(self, press: Press) -> Update:
        """The seat given up."""
        return await self.play(press, lambda room, seat: [room.playing().resign(seat)], while_paused=True)

    @on_newest
    async def leave_lesson(self, press: Press, plays_on: bool) -> Update:
        """The end of a first match with a coach: it goes on as any other, or is over without a result."""
        async with self._rooms.turn(press.match) as found:
            room, seat = found, found.own_seat(press.user)
            _playable(room, seat)
            if room.info.terms.lesson:
                info = replace(room.info, terms=replace(room.info.terms, lesson=False))
                if not plays_on:
                    info = replace(info, status=Status.CALLED_OFF, untold=True)
                room = await self._rooms.write(room.info, Room(info, room.match))
        self._is_due(press.match)
        return Update(room, seat)

    async def come_back(self, press: Press) -> Update:
        """The seat taken back from the computer that has played it meanwhile."""
        return await self.play(press, lambda room, seat: [])

    @on_newest
    async def play(self, press: Press, deed: Deed, on_draft: bool = False, while_paused: bool = False) -> Update:
        """Whatever a seat can do, all of it or nothing; `on_draft` if it makes no sense without one.

        The deed is worked out once it is its turn, on the match as it stands then. A press that was carried out before
        gets the same answer again, and one that comes too late is answered as stale.
        """
        async with self._rooms.turn(press.match) as found:
            room, seat = found, found.own_seat(press.user)
            done = await self.store.done(press.match, press.interaction)
            if done is not None:
                # Another process may have carried it out just now.
                room = await self._rooms.load(press.match)
                made = await self._made(room, done)
                seat = Seat(done.seat)
            elif press.interaction in self._void:
                return Update(room, seat, stale=True)
            else:
                with self._void_if_refused(press.interaction):
                    match = _playable(room, seat, while_paused)
                    # A confirm leaves the count of answers as it is; only the draft that it was for is gone then.
                    lacks_draft = on_draft and not match.draft(seat).answers and not match.has_one_answer(seat)
                    if press.turn is not None and (match.turn(seat) != press.turn or lacks_draft):
                        self.note_void(press.interaction)
                        return Update(room, seat, stale=True)
                    trail = [match]
                    if seat in match.away:
                        # Whoever does something in their seat has come back to it.
                        trail.append(match.hand_over(seat, to_computer=False))
                    trail += deed(Room(room.info, trail[-1]), seat)
                done = Done(interaction=press.interaction, seat=seat, since=match.number, number=trail[-1].number)
                made = records.made_along(trail)
                room = await self._follow(self.clocks.awake(room, seat, bool(made)), trail, done, read=room.info)
        if not made:
            return Update(room, seat)
        self._is_due(press.match)
        room = await self._after_computers(room, self._patience)
        since = await self._made(room, replace(done, since=done.number, number=room.playing().number))
        return Update(room, seat, records.facts(made, seat), records.facts(since, seat), committed=True)

    async def _made(self, room: Room, done: Done) -> list[Commit]:
        """The commits of a press that was carried out before."""
        if done.number == done.since:
            return []
        game = self._game(room.info.game)
        kept = await self.store.commits(room.info.id, done.since, done.number)
        return [records.commit(stored, game) for stored in kept]

    @on_newest
    async def moved(self, match: str, place: Place) -> Room:
        """The match's thread was made, or a paused match goes on in another place."""
        async with self._rooms.turn(match) as room:
            status = Status.RUNNING if room.info.status is Status.PAUSED else room.info.status
            touched = int(self._now()) if room.info.paused_for else room.info.touched
            info = replace(room.info, place=place, status=status, paused_for="", touched=touched)
            leaves_board = bool(room.info.turn_message) and place.posts_to != room.info.place.posts_to
            if leaves_board:
                # The last board stays where it was: nothing in the new place may be taken for it.
                info = replace(info, turn_message=0)
            moved = await self._rooms.write(
                room.info,
                Room(info, room.match),
                message=(MessageKind.TURN, info.turn_message),
                announce_again=leaves_board,
            )
        if room.info.paused_for or leaves_board:
            # What was due when it was paused has waited; a thread is made by the outbox, which is at it already.
            self._go_on(match)
        return moved

    async def lobbies(self) -> list[Room]:
        """All open lobbies."""
        return await self._rooms.readable(await self.store.lobbies(int(self._now()) + 1))

    async def expire_lobbies(self) -> list[Room]:
        """Lobbies closed in which nobody has done anything for long, as they stand now."""
        found = []
        for match in await self.store.lobbies(int(self._now()) - QUIET):
            async with self._rooms.turn(match) as room:
                if room.info.status is Status.LOBBY and room.info.touched < self._now() - QUIET:
                    after = Room(lobby.expired(room.info))
                    found.append(await self._rooms.write(room.info, after, chairs=True))
        return found

    @on_newest
    async def lobby_posted(self, match: str, message: int) -> None:
        """The lobby's message, to be edited as people come and go."""
        async with self._rooms.turn(match) as room:
            after = Room(replace(room.info, lobby_message=message), room.match)
            await self._rooms.write(room.info, after, message=(MessageKind.LOBBY, message))

    @on_newest
    async def pause(self, match: str, why: str) -> Room:
        """The match cannot post where it lives, for a reason of [pause]: kept, and its host told by the caller."""
        async with self._rooms.turn(match) as room:
            status = Status.PAUSED if room.info.status is Status.RUNNING else room.info.status
            info = replace(room.info, status=status, paused_for=why)
            return await self._rooms.write(room.info, Room(info, room.match))

    @contextmanager
    def _void_if_refused(self, interaction: int | None) -> Iterator[None]:
        """Whatever is refused inside has come to nothing; of what the database fails at, it alone knows."""
        try:
            yield
        except StoreError:
            raise
        except (BotError, EngineError):
            self.note_void(interaction)
            raise

    def note_void(self, interaction: int | None) -> None:
        """An interaction came to nothing now, so it must come to nothing should Discord deliver it again later."""
        if interaction is not None:
            self._void[interaction] = None

    def _go_on(self, match: str) -> None:
        """Something was committed in a match by nobody's press: post it, and let a computer move that is to."""
        self._is_due(match)
        self.computers.wake(match)

    async def _follow(
        self,
        room: Room,
        trail: list[Match],
        done: Done | None = None,
        dues: tuple[Due, ...] = (),
        read: Info | None = None,
    ) -> Room:
        """Write down what has happened along a trail; `read` is the match as it is kept, if the room is not."""
        after = await self._along(room, trail)
        written = after.written | {"dues": (*after.written["dues"], *dues)}
        return await self._rooms.write(read or room.info, after.room, done=done, **written)

    async def _along(self, room: Room, trail: list[Match]) -> Carried:
        """What has happened along a trail, and what plans add to it: commits, drafts, and the post that is due."""
        info, trail, later = await self.plans.followed(room, trail)
        commits = records.commits_along(trail)
        after = trail[-1].without_log()
        over = after.outcome is not None
        announce = None
        # Where only computers are to move now, the post after their move tells of all of it. A post in between would
        # show a turn that a plan has already played.
        if over or post_rules.people_to_move(after):
            told = [await self.announcements.is_told(room.info.id, *commit) for commit in commits]
            # One post tells of all that happened since the last one, so it shows how the match stands in the end.
            announce = after.number if any(told) else None
        called = await self.pings.after(room, commits, announce is not None)
        status = Status.FINISHED if over else room.info.status
        touched = int(self._now()) if commits else room.info.touched
        written = {
            "commits": tuple(records.stored_commit(stood) for _, stood in commits),
            "drafts": records.stored_drafts(after),
            "unattended": computer_to_move(after) is not None,
            "announce": announce,
            "answered": called.answered,
            "dues": (*called.dues, *later),
            "undue": tuple((REMIND, user) for user in called.answered),
        }
        return Carried(Room(replace(info, status=status, untold=over, touched=touched), after), written)

    async def advice(self, room: Room, seat: Seat) -> Thought:
        """What a strong player would do in that seat from the start of its turn, knowing what the seat knows."""
        return await self.computers.advice(room, seat)

    def known_advice(self, room: Room, seat: Seat) -> Thought | None:
        """Return the advice if it has been thought out already."""
        return self.computers.known_advice(room, seat)

    async def _after_computers(self, room: Room, seconds: float) -> Room:
        """The room once no computer is to move any more; if they think for longer, as it stands by then."""
        if room.match is None or computer_to_move(room.match) is None:
            return room
        self.computers.wake(room.info.id)
        await self.computers.rest(room.info.id, seconds)
        return await self.find(room.info.id)

    @on_newest
    async def _move(self, match: str, number: int, seat: Seat, act: Callable[[Match], Match]) -> None:
        """A computer's move, if the match still stands at that commit: else it was thought for nothing."""
        async with self._rooms.turn(match) as room:
            stood = room.match
            if stood is None or room.info.status is not Status.RUNNING or stood.number != number:
                return
            if seat in stood.humans() or seat not in stood.waiting_for():
                return
            moved = act(stood)
            if moved.number != number + 1:
                raise RuntimeError(f"a computer made {moved.number - number} commits at once")
            await self._follow(room, [stood, moved])
        self._is_due(match)

    @on_newest
    async def _seat(self, match: str, interaction: int | None, deed: Callable[[Info], Info]) -> Room:
        async with self._rooms.turn(match) as room:
            if await self._was_done(match, interaction):
                return room
            with self._void_if_refused(interaction):
                after = replace(deed(room.info), touched=int(self._now()))
            return await self._rooms.write(room.info, Room(after), chairs=True, done=_in_lobby(interaction))

    def _game(self, game: str) -> Game[Any]:
        if game not in self._games:
            raise UnknownGame(say("refusal.unknown_game", game=escaped(game), games=tuple(self._games)))
        return self._games[game]

    async def _was_done(self, match: str, interaction: int | None) -> bool:
        """Whether a press in a lobby is a repeat; refused once more if it came to nothing."""
        if interaction is None:
            return False
        if interaction in self._void:
            raise Refused(say("refusal.answered"))
        return await self.store.done(match, interaction) is not None


def _new_id(cause: int | str | None, attempt: int) -> str:
    """An id for a match; of one interaction, or other cause, always the same: a repeat finds the match it has made."""
    if cause is None:
        return "".join(secrets.choice(ID_LETTERS) for _ in range(ID_LENGTH))
    made = blake2b(f"{cause}/{attempt}".encode(), digest_size=ID_LENGTH).digest()
    return "".join(ID_LETTERS[byte % len(ID_LETTERS)] for byte in made)


def _in_lobby(interaction: int | None) -> Done | None:
    """What is kept of a press before the match begins: it moves no seat and makes no commit."""
    return None if interaction is None else Done(interaction=interaction, seat=0, since=0, number=0)


def _playable(room: Room, seat: Seat, while_paused: bool = False) -> Match:
    """The match, refused with the reason if the seat cannot act in it."""
    if room.info.status is Status.CALLED_OFF:
        raise Refused(say("refusal.called_off"))
    if room.info.status in (Status.CANCELLED, Status.EXPIRED):
        raise Refused(say("refusal.cancelled"))
    if room.match is None:
        raise Refused(say("refusal.not_begun"))
    if room.is_paused and not while_paused:
        raise Refused(say("refusal.paused_resume", why=room.why_paused))
    if seat in room.match.resigned:
        raise Refused(say("refusal.resigned"))
    return room.match
