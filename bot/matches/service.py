"""The one service: load, act, store, announce. Knows no Discord type."""

import asyncio
import secrets
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from hashlib import blake2b
from typing import Any

from msgspec.structs import replace

from bot.errors import BotError, Conflict, Refused, StoreError, log_error
from bot.matches import lobby, post_rules, records
from bot.matches.room import COMPUTER, Announcement, Entry, Info, Person, Place, Post, Press, Room, Status, Update
from bot.matches.rooms import Rooms
from bot.store.base import Done, MessageKind, Scope, Store
from engine import GAMES, Answer, EngineError, Game, Match, Seat, UnknownGame, begin, commitment, visible
from engine.players.simple import stand_in

ID_LETTERS = "abcdefghijkmnpqrstuvwxyz23456789"
ID_LENGTH = 8
ATTEMPTS = 20
"""Ids tried for a new match, should they be taken."""
CACHED = 256
"""Rooms kept in memory."""
VOID = 10_000
"""Presses remembered that came to nothing."""

Deed = Callable[[Match, Seat], Iterable[Match]]
"""What a press does: the match after each of its steps."""


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
        sits_in: Callable[[Match, Seat], Match] = stand_in,
        make_seed: Callable[[], str] = fresh_seed,
        cached: int = CACHED,
    ) -> None:
        self.store = store
        self._games = games
        self._rooms = Rooms(store, games, cached)
        self._sits_in = sits_in
        self._make_seed = make_seed
        self._void: OrderedDict[int, None] = OrderedDict()

    async def recover(self) -> None:
        """After a start: let computer seats of running matches play on."""
        for match in await self.store.unattended():
            try:
                async with self._rooms.turn(match) as room:
                    await self._computers_play(room)
            except (BotError, EngineError) as error:
                log_error(error, f"match {match} cannot go on")

    async def find(self, match: str) -> Room:
        """The match of that id; NotFound if there is none, Malformed if it cannot be read."""
        return await self._rooms.find(match)

    async def here(self, channel: int) -> list[Room]:
        """Open matches of a channel or thread, newest first."""
        return await self._rooms.readable(await self.store.here(channel))

    async def ended(self, thread: int) -> list[Room]:
        """The last match that ended in a thread, if any did."""
        match = await self.store.ended(thread)
        return await self._rooms.readable([match] if match else [])

    async def of_user(self, user: int) -> list[Room]:
        """Open matches a person sits in, those waiting for them first."""
        rooms = await self._rooms.readable(await self.store.of_user(user))
        sat_in = [room for room in rooms if not room.has_resigned(user)]
        return sorted(sat_in, key=lambda room: not room.waits_for(user))

    async def history(self, match: str, viewer: Seat | None) -> list[Entry]:
        """The log as a seat, or everyone, may know it. The prologue is entry 0."""
        room = await self.find(match)
        kept = await self.store.commits(match)
        return records.entries(room, kept, self._game(room.info.game), viewer)

    async def transcript(self, match: str) -> str:
        """The full transcript, answers and seed included; refused before the match has ended."""
        room = await self.find(match)
        if room.info.status is not Status.FINISHED:
            raise Refused("The full transcript, with the seed, is shown when the match has ended.")
        kept = await self.store.commits(match)
        return await asyncio.to_thread(records.transcript, kept, self._games)

    async def setting(self, scope: Scope, owner: int, key: str) -> str | None:
        """What a player or server has chosen, if anything."""
        return await self.store.setting(scope, owner, key)

    async def put_setting(self, scope: Scope, owner: int, key: str, value: str | None) -> None:
        """A player's or server's choice kept, or forgotten with None."""
        await self.store.put_setting(scope, owner, key, value)

    async def close(self) -> None:
        """Finish what is in hand, then close the store."""
        await self._rooms.close()
        await self.store.close()

    async def open_lobby(
        self, game: str, settings: Mapping[str, str], place: Place, host: Person, interaction: int | None = None
    ) -> Room:
        """A new lobby with the host in the first chair; refuses unknown games and settings no table could have."""
        lobby.check_settings(self._game(game), settings)
        for attempt in range(ATTEMPTS):
            info = Info(
                id=_new_id(interaction, attempt),
                game=game,
                status=Status.LOBBY,
                place=place,
                host=host.id,
                settings=dict(settings),
                chairs=(lobby.tidied(host),),
            )
            try:
                await self.store.create(info, _in_lobby(interaction))
            except Conflict:
                if interaction is not None and await self.store.done(info.id, interaction):
                    return await self.find(info.id)
                continue
            return self._rooms.keep(Room(info))
        raise StoreError("No free id for a match was found. Please try again.")

    async def join(self, match: str, person: Person, interaction: int | None = None) -> Room:
        """A chair taken; refused when full, running or already seated."""
        return await self._seat(match, interaction, lambda info: lobby.joined(info, self._game(info.game), person))

    async def leave(self, match: str, person: Person, interaction: int | None = None) -> Room:
        """A chair left; the next in line becomes host, the last to leave cancels the lobby."""
        return await self._seat(match, interaction, lambda info: lobby.left(info, person))

    async def add_computer(self, match: str, by: Person, interaction: int | None = None) -> Room:
        """A computer in the next chair; the host's to do."""
        return await self._seat(match, interaction, lambda info: lobby.with_computer(info, self._game(info.game), by))

    async def set(self, match: str, by: Person, key: str, value: str, interaction: int | None = None) -> Room:
        """A setting chosen; the host's to do."""
        return await self._seat(
            match, interaction, lambda info: lobby.with_setting(info, self._game(info.game), by, key, value)
        )

    async def cancel(self, match: str, by: Person, interaction: int | None = None) -> Room:
        """The lobby closed; the host's to do."""
        return await self._seat(match, interaction, lambda info: lobby.cancelled(info, by))

    async def start(self, match: str, by: Person, interaction: int | None = None) -> Room:
        """The match begun with a fresh seed; its first announcement is due. The host's to do."""
        async with self._rooms.turn(match) as room:
            if not await self._was_done(match, interaction):
                await self._begin(room, by, interaction)
            return await self._computers_play(await self._rooms.load(match))

    async def _begin(self, room: Room, by: Person, interaction: int | None) -> None:
        game = self._game(room.info.game)
        with self._forgetting(interaction):
            lobby.ready(room.info, game, by)
            begun = _begun(room.info, game, self._make_seed())
        info = replace(
            room.info,
            status=Status.RUNNING,
            settings=dict(begun.settings),
            commitment=commitment(room.info.id, begun.seed),
        )
        await self._rooms.write(
            room.info,
            Room(info, records.without_log(begun)),
            commits=(records.stored_commit(begun),),
            chairs=True,
            unattended=post_rules.computer_to_move(begun) is not None,
            announce=0 if post_rules.people_to_move(begun) else None,
            done=_in_lobby(interaction),
        )

    async def pick(self, press: Press, kind: str, keys: tuple[str, ...]) -> Update:
        """An answer put into the draft, or an offer taken."""
        return await self._act(press, lambda match, seat: [match.pick(Answer(seat, kind, keys))])

    async def undo(self, press: Press, everything: bool = False) -> Update:
        """The last pick of the draft, or all of it, taken back."""
        return await self._act(press, lambda match, seat: [match.undo(seat, everything)], on_draft=True)

    async def confirm(self, press: Press) -> Update:
        """The draft committed."""
        return await self._act(press, lambda match, seat: [match.confirm(seat)], on_draft=True)

    async def play(self, press: Press, answers: tuple[tuple[str, tuple[str, ...]], ...], confirm: bool) -> Update:
        """Several answers (kind, keys) at once on top of the draft, then the confirm; all or nothing."""

        def played(match: Match, seat: Seat) -> Iterable[Match]:
            for kind, keys in answers:
                match = match.pick(Answer(seat, kind, keys))
                yield match
            if confirm:
                yield match.confirm(seat)

        return await self._act(press, played)

    async def resign(self, press: Press) -> Update:
        """The seat given up."""
        return await self._act(press, lambda match, seat: [match.resign(seat)])

    async def repeated(self, press: Press) -> Update | None:
        """What came of a press that was carried out before; None if it is new."""
        done = await self.store.done(press.match, press.interaction)
        return await self._repeated(await self.find(press.match), done) if done else None

    async def due(self, match: str | None = None) -> list[Announcement]:
        """Announcements not yet posted, in order; those of a match that cannot post wait until it moves."""
        return await self.store.due(match)

    async def post_of(self, announcement: Announcement) -> Post:
        """An announcement with what its message needs."""
        match, since, number = announcement.match, announcement.since, announcement.number
        room = await self.find(match)
        stood = await self._rooms.position(match, number)
        before = await self._rooms.position(match, since) if since >= 0 else None
        kept = await self.store.commits(match, since, number)
        waiting = post_rules.people_to_move(stood)
        made = records.commits(kept)
        return Post(
            announcement,
            Room(room.info, stood),
            visible(records.events(kept, stood.game), None),
            waiting,
            tuple(seat for seat in waiting if post_rules.is_newly_asked(seat, before, made)),
        )

    async def standing_post(self, match: str) -> tuple[Post, Room] | None:
        """The last post and the match as it stands now, while answers to it come in that only the last one shows."""
        room = await self.find(match)
        said = await self.store.announced(match)
        if said is None or room.match is None or not room.info.turn_message or room.match.number == said.number:
            return None
        post = await self.post_of(said)
        return (post, room) if post.room.match and post_rules.is_still_open(post.room.match, room.match) else None

    async def posted(self, announcement: Announcement, message: int) -> None:
        """Tick an announcement off; `message` now carries the buttons."""
        async with self._rooms.turn(announcement.match) as room:
            after = Room(replace(room.info, turn_message=message), room.match)
            await self._rooms.write(room.info, after, posted=announcement.id, message=(MessageKind.TURN, message))

    async def moved(self, match: str, place: Place) -> Room:
        """The match's thread was made, or a paused match goes on in another place."""
        async with self._rooms.turn(match) as room:
            status = Status.RUNNING if room.info.status is Status.PAUSED else room.info.status
            info = replace(room.info, place=place, status=status, paused_for="")
            leaves_board = bool(room.info.turn_message) and place.posts_to != room.info.place.posts_to
            if leaves_board:
                # The last board stays where it was: nothing in the new place may be taken for it.
                info = replace(info, turn_message=0)
            written = await self._rooms.write(
                room.info,
                Room(info, room.match),
                message=(MessageKind.TURN, info.turn_message),
                announce_again=leaves_board,
            )
            return await self._computers_play(written)

    async def lobby_posted(self, match: str, message: int) -> None:
        """The lobby's message, to be edited as people come and go."""
        async with self._rooms.turn(match) as room:
            after = Room(replace(room.info, lobby_message=message), room.match)
            await self._rooms.write(room.info, after, message=(MessageKind.LOBBY, message))

    async def pause(self, match: str, why: str) -> Room:
        """The match cannot post where it lives: kept, and its host told by the caller."""
        async with self._rooms.turn(match) as room:
            status = Status.PAUSED if room.info.status is Status.RUNNING else room.info.status
            info = replace(room.info, status=status, paused_for=why or "it cannot post here")
            return await self._rooms.write(room.info, Room(info, room.match))

    async def _act(self, press: Press, deed: Deed, on_draft: bool = False) -> Update:
        async with self._rooms.turn(press.match) as found:
            room = await self._computers_play(found)
            seat = _seat_at(room, press.user)
            if done := await self.store.done(press.match, press.interaction):
                return await self._repeated(room, done)
            trail = self._trail(press, room, seat, deed, on_draft)
            if trail is None:
                return Update(room, seat, stale=True)
            match = trail[0]
            done = Done(interaction=press.interaction, seat=seat, since=match.number, number=trail[-1].number)
            made = [after.last for _, after in post_rules.commits(trail) if after.last]
            told = tuple(event for commit in made for event in records.facts(commit, commit.events))
            room = await self._computers_play(await self._follow(room, trail, done))
            return Update(room, seat, visible(told, seat), committed=done.number > done.since)

    def _trail(self, press: Press, room: Room, seat: Seat, deed: Deed, on_draft: bool) -> list[Match] | None:
        """The match before and after each step of a press; None if it comes too late."""
        if press.interaction in self._void:
            return None
        with self._forgetting(press.interaction):
            match = _playable(room, seat)
            if press.turn is None or not post_rules.is_gone(match, seat, press.turn, on_draft):
                return [match, *deed(match, seat)]
        self._forget(press.interaction)
        return None

    @contextmanager
    def _forgetting(self, interaction: int | None) -> Iterator[None]:
        """Whatever is refused inside came to nothing."""
        try:
            yield
        except (BotError, EngineError):
            self._forget(interaction)
            raise

    def _forget(self, interaction: int | None) -> None:
        # Came to nothing now, so it must come to nothing should Discord deliver it again later.
        if interaction is not None:
            self._void[interaction] = None
        while len(self._void) > VOID:
            self._void.popitem(last=False)

    async def _repeated(self, room: Room, done: Done) -> Update:
        kept = await self.store.commits(room.info.id, done.since, done.number) if done.number > done.since else []
        told = records.events(kept, self._game(room.info.game))
        return Update(room, Seat(done.seat), visible(told, Seat(done.seat)), committed=done.number > done.since)

    async def _follow(self, room: Room, trail: list[Match], done: Done | None = None) -> Room:
        commits = list(post_rules.commits(trail))
        after = records.without_log(trail[-1])
        passed = [stood.number for before, stood in commits if await self._is_told(room.info.id, before, stood)]
        status = Status.FINISHED if after.outcome is not None else room.info.status
        return await self._rooms.write(
            room.info,
            Room(replace(room.info, status=status), after),
            commits=tuple(records.stored_commit(stood) for _, stood in commits),
            drafts=records.stored_drafts(after),
            unattended=post_rules.computer_to_move(after) is not None,
            announce=passed[-1] if passed else None,
            done=done,
        )

    async def _is_told(self, match: str, before: Match, stood: Match) -> bool:
        """Whether a commit makes a post due."""
        if post_rules.has_passed(before, stood):
            return True
        said = await self.store.announced(match)
        return said is not None and post_rules.comes_round(
            await self._rooms.position(match, said.number), before, stood
        )

    async def _computers_play(self, room: Room) -> Room:
        try:
            while room.match and room.info.status is Status.RUNNING:
                seat = post_rules.computer_to_move(room.match)
                if seat is None:
                    break
                room = await self._follow(room, [room.match, await self._answered_for(room.match, seat)])
        except Exception as error:
            # The person's own move is stored already: it must not fail because a computer player did.
            log_error(error, f"the computer cannot play on in match {room.info.id}")
        return await self._rooms.load(room.info.id)

    async def _answered_for(self, match: Match, seat: Seat) -> Match:
        played = await asyncio.to_thread(self._sits_in, match, seat)
        if played.number != match.number + 1 or played.number > match.game.commit_limit:
            raise RuntimeError(f"the computer made {played.number - match.number} commits after {match.number}")
        return played

    async def _seat(self, match: str, interaction: int | None, deed: Callable[[Info], Info]) -> Room:
        async with self._rooms.turn(match) as room:
            if await self._was_done(match, interaction):
                return room
            with self._forgetting(interaction):
                after = deed(room.info)
            return await self._rooms.write(room.info, Room(after), chairs=True, done=_in_lobby(interaction))

    def _game(self, game: str) -> Game[Any]:
        if game not in self._games:
            raise UnknownGame(f"There is no game '{game[:40]}'; there are {', '.join(self._games)}.")
        return self._games[game]

    async def _was_done(self, match: str, interaction: int | None) -> bool:
        """Whether a press in a lobby is a repeat; refused once more if it came to nothing."""
        if interaction is None:
            return False
        if interaction in self._void:
            raise Refused("This was answered already. Press again if you still want it.")
        return await self.store.done(match, interaction) is not None


def _new_id(interaction: int | None, attempt: int) -> str:
    """An id for a match; of one interaction always the same, so that a repeat finds the match it has made."""
    if interaction is None:
        return "".join(secrets.choice(ID_LETTERS) for _ in range(ID_LENGTH))
    made = blake2b(f"{interaction}/{attempt}".encode(), digest_size=ID_LENGTH).digest()
    return "".join(ID_LETTERS[byte % len(ID_LETTERS)] for byte in made)


def _in_lobby(interaction: int | None) -> Done | None:
    """What is kept of a press before the match begins: it moves no seat and makes no commit."""
    return None if interaction is None else Done(interaction=interaction, seat=0, since=0, number=0)


def _begun(info: Info, game: Game[Any], seed: str) -> Match:
    computers = frozenset(Seat(seat) for seat, person in enumerate(info.chairs) if person.id == COMPUTER)
    return begin(game, len(info.chairs), info.settings, seed, computers)


def _seat_at(room: Room, user: int) -> Seat:
    seat = room.seat_of(user)
    if seat is None:
        raise Refused("You have no seat in this match.")
    return seat


def _playable(room: Room, seat: Seat) -> Match:
    if room.info.status is Status.CANCELLED:
        raise Refused("This match was cancelled.")
    if room.match is None:
        raise Refused("This match has not begun yet.")
    if room.info.status is Status.PAUSED:
        raise Refused(f"This match is paused: {room.info.paused_for}. Nothing is lost: `/game resume` goes on with it.")
    if seat in room.match.resigned:
        raise Refused("You have given up your seat in this match.")
    return room.match
