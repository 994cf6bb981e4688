"""Open, join, set up, start and close lobbies, and offer rematches."""

import secrets
from collections.abc import Mapping, Sequence
from hashlib import blake2b

from msgspec.structs import replace

from bot.features.lobby.rules import LobbyRule, Table, begin_with_any, make_rematch
from bot.features.server_settings import Servers
from bot.kernel import post_rules, queries
from bot.kernel.change import Change
from bot.kernel.kernel import Kernel
from bot.kernel.room import QUIET, Room
from bot.model import (
    COMPUTER,
    DEFAULT_TERMS,
    HandledInteraction,
    MatchRecord,
    Person,
    Place,
    Status,
    Terms,
)
from bot.runtime.base import Conflict, NotFound, Refused, StoreError
from bot.ui import tidied
from engine import Seat, begin, commitment
from engine.players import Level

ID_LETTERS = "abcdefghijkmnpqrstuvwxyz23456789"
ID_LENGTH = 8
ID_ATTEMPTS = 20
"""Ids tried for a new match, should they be taken."""
MAX_LOBBIES_PER_HOST = 5


def derive_match_id(cause: int | str, attempt: int) -> str:
    """Derive a match id from its cause, so that a repeated request finds the match it made."""
    digest = blake2b(f"{cause}/{attempt}".encode(), digest_size=ID_LENGTH).digest()
    return "".join(ID_LETTERS[byte % len(ID_LETTERS)] for byte in digest)


class Lobby:
    """Everything that can be done to a match before it begins.

    Each action takes the id of its interaction, so that a repeat changes nothing; without an id it
    always counts as new.
    """

    def __init__(self, kernel: Kernel) -> None:
        self._kernel = kernel
        self._servers = kernel.services.require(Servers)

    async def open(
        self,
        game_id: str,
        settings: Mapping[str, str],
        place: Place,
        host: Person,
        interaction: int | None = None,
        computers: Sequence[Level] = (),
        terms: Terms = DEFAULT_TERMS,
    ) -> Room:
        """Open a lobby with the host in the first chair, and computers of these levels in the next.

        Refuses unknown games, settings no table could have, and a person or server that has too
        many already.
        """
        kernel = self._kernel
        game = kernel.matches.game(game_id)
        begin_with_any(game, settings, game.seats)
        # A repeat of the same interaction works out the same ids, and so finds the match that the
        # first has opened.
        cause = interaction or secrets.token_hex()
        handled = HandledInteraction(interaction=interaction) if interaction else None
        record = MatchRecord(
            id="",
            game=game_id,
            status=Status.LOBBY,
            place=place,
            host=host.id,
            settings=dict(settings),
            terms=terms,
            chairs=(tidied(host),),
            last_activity_at=int(kernel.now()),
        )
        for level in computers:
            record = Table(record, game, host).add_computer(level)
        for attempt in range(ID_ATTEMPTS):
            record = replace(record, id=derive_match_id(cause, attempt))
            try:
                return await self._create(record, handled, MAX_LOBBIES_PER_HOST)
            except Conflict:
                # The id is taken: by a repeat of this very command, or by chance.
                if handled and await kernel.store.read(
                    queries.handled_interaction, record.id, handled.interaction
                ):
                    return await kernel.matches.find(record.id)
        raise StoreError("refusal.no_free_id")

    async def _create(
        self,
        record: MatchRecord,
        handled: HandledInteraction | None = None,
        most: int | None = None,
    ) -> Room:
        """Write a new lobby; refuse a person or server that has too many."""
        async with self._servers.within_limits(
            record.host, record.place.guild, record.id, opens=True
        ):
            await self._kernel.store.write(queries.create_match, record, handled, most)
        return self._kernel.matches.keep(Room(record))

    async def change(
        self, match: str, by: Person, rule: LobbyRule, interaction: int | None = None
    ) -> Room:
        """Apply a lobby rule on somebody's behalf."""

        def act(change: Change) -> Change:
            record = rule(self._table(change, by))
            return replace(change, after=Room(replace(record, last_activity_at=change.now)))

        return (await self._kernel.pipeline.change(match, act, interaction)).after

    async def join(self, match: str, person: Person, interaction: int | None = None) -> Room:
        """Take a chair; refused when full, running or already seated."""
        room = await self._kernel.matches.find(match)
        try:
            async with self._servers.within_limits(person.id, room.record.place.guild, match):
                return await self.change(match, person, Table.join, interaction)
        except Refused:
            self._kernel.pipeline.note_refused(interaction)
            raise

    async def start(
        self,
        match: str,
        by: Person,
        interaction: int | None = None,
        wait_for_computers: bool = True,
    ) -> Room:
        """Begin the match with a fresh seed; for the host.

        With `wait_for_computers`, return only after computers that move first have moved, or a time
        limit is up.
        """
        kernel = self._kernel

        def start(change: Change) -> Change:
            table = self._table(change, by)
            table.check_can_start()
            record = table.record
            computers = frozenset(
                Seat(seat) for seat, person in enumerate(record.chairs) if person.id == COMPUTER
            )
            # Drawn anew if the start is worked out again because another process wrote first:
            # nobody has seen it yet.
            begun = begin(
                table.game, len(record.chairs), record.settings, kernel.make_seed(), computers
            )
            started = replace(
                record,
                status=Status.RUNNING,
                last_activity_at=change.now,
                settings=dict(begun.settings),
                commitment=commitment(record.id, begun.seed),
            )
            return replace(
                change,
                after=Room(started, begun.without_log()),
                positions=(begun,),
                announce_up_to=0 if post_rules.people_to_move(begun) else None,
            )

        change = await kernel.pipeline.change(match, start, interaction)
        seconds = kernel.computer_wait_seconds if wait_for_computers else 0.0
        return await kernel.computers.wait(change.after, seconds)

    async def all_open(self, idle_since: int | None = None) -> list[Room]:
        """Return all open lobbies, or those in which nothing has happened since a time."""
        store = self._kernel.store
        # Every open lobby was last active before the next second.
        before = int(self._kernel.now()) + 1 if idle_since is None else idle_since
        return await self._kernel.matches.select(queries.idle_lobbies, before, own=store.own)

    async def expire(self) -> list[Room]:
        """Close lobbies that have been idle for too long, and return them."""
        before = int(self._kernel.now()) - QUIET

        def expire(change: Change) -> Change:
            record = change.before.record
            if record.status is not Status.LOBBY or record.last_activity_at >= before:
                return change
            return change.update(status=Status.EXPIRED)

        closed = []
        for room in await self.all_open(before):
            change = await self._kernel.pipeline.change(room.record.id, expire)
            if change.after.record.status is Status.EXPIRED:
                closed.append(change.after)
        return closed

    async def rematch(self, match: str, by: Person, interaction: int | None = None) -> Room:
        """Return the match's rematch; the person sits in it if it is open.

        There is one rematch at a time; if it was cancelled or has expired, a new one is made.
        """
        kernel = self._kernel
        ended = await kernel.matches.find(match)
        if not ended.is_over:
            raise Refused("refusal.not_over")
        if ended.seat_of(by.id) is None:
            raise Refused("refusal.no_rematch")
        lobby_id, room = await self.find_rematch(match)
        if room is None:
            game = kernel.matches.game(ended.record.game)
            set_up = await kernel.matches.position(match, 0)
            began = set_up.waiting_for()[0] if game.begins and set_up.waiting_for() else Seat(0)
            record = make_rematch(ended.record, game, began, lobby_id, by, int(kernel.now()))
            try:
                return await self._create(record)
            except Conflict:
                # Somebody else pressed at the same moment: use their lobby.
                return await self.rematch(match, by, interaction)
        if room.record.status is Status.LOBBY and room.seat_of(by.id) is None:
            room = await self.join(lobby_id, by, interaction)
        return room

    async def find_rematch(self, match: str) -> tuple[str, Room | None]:
        """Return the rematch's id, and the rematch if it is open or has begun."""
        for attempt in range(ID_ATTEMPTS):
            # Of one match always the same ids, so that a second press finds the lobby that the
            # first has made.
            lobby_id = derive_match_id(f"rematch-{match}", attempt)
            try:
                room = await self._kernel.matches.find(lobby_id)
            except NotFound:
                return lobby_id, None
            if room.record.status not in (Status.CANCELLED, Status.EXPIRED):
                return lobby_id, room
        raise StoreError("refusal.no_free_id")

    def _table(self, change: Change, by: Person) -> Table:
        record = change.before.record
        return Table(record, self._kernel.matches.game(record.game), by)
