"""Open, join, change, start and close lobbies, and offer rematches.

The rules are in rules.py; this file loads the lobby, applies a rule in a transaction, and enforces
the limits on how many matches a person or server may have.
"""

import secrets
from collections.abc import Mapping, Sequence
from hashlib import blake2b

from msgspec.structs import replace

from bot.features.lobby.rules import LobbyRule, Table, begin_with_any, make_rematch
from bot.features.ratings import queries as rating_queries
from bot.features.server_settings import Servers
from bot.kernel import post_rules, queries
from bot.kernel.change import Change
from bot.kernel.kernel import Kernel
from bot.kernel.room import LOBBY_TIMEOUT_SECONDS, Room
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
from bot.ui import tidy_name
from engine import Seat, begin, commitment
from engine.players import LEVELS, Level

ID_LETTERS = "abcdefghijkmnpqrstuvwxyz23456789"
ID_LENGTH = 8
ID_ATTEMPTS = 20
"""How many ids to try for a new match before giving up, since each may be taken."""
MAX_LOBBIES_PER_HOST = 5


def derive_match_id(cause: int | str, attempt: int) -> str:
    """Derive a match id from its cause, such as an interaction id.

    So a repeated request derives the same id, and finds the match that the first one opened.
    """
    digest = blake2b(f"{cause}/{attempt}".encode(), digest_size=ID_LENGTH).digest()
    return "".join(ID_LETTERS[byte % len(ID_LETTERS)] for byte in digest)


class Lobby:
    """Actions on a match before it begins.

    Each takes the id of its Discord interaction: an interaction that arrives twice acts once.
    Without an id, every call acts.
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
        interaction_id: int | None = None,
        computers: Sequence[Level] = (),
        terms: Terms = DEFAULT_TERMS,
    ) -> Room:
        """Open a lobby with the host in the first seat, followed by computers of these levels.

        Refuse unknown games, settings that fit no number of players, and a person or server with
        too many matches.
        """
        kernel = self._kernel
        game = kernel.matches.game(game_id)
        begin_with_any(game, settings, game.seats)
        # A repeat of the same interaction derives the same ids, and finds the match that the first
        # one opened.
        cause = interaction_id or secrets.token_hex()
        handled = HandledInteraction(interaction=interaction_id) if interaction_id else None
        empty = MatchRecord(
            id="",
            game=game_id,
            status=Status.LOBBY,
            place=place,
            host=host.id,
            settings=dict(settings),
            terms=terms,
            chairs=(tidy_name(host),),
            last_activity_at=int(kernel.now()),
        )
        for attempt in range(ID_ATTEMPTS):
            record = replace(empty, id=derive_match_id(cause, attempt))
            # The id decides which characters are drawn.
            for level in computers:
                record = Table(record, game, host).add_computer(level)
            try:
                return await self._create(record, handled, MAX_LOBBIES_PER_HOST)
            except Conflict:
                # The id is taken, either by this very command arriving twice or by chance.
                if handled and await kernel.store.read(
                    queries.handled_interaction, record.id, handled.interaction
                ):
                    return await kernel.matches.find(record.id)
        raise StoreError("refusal.no_free_id")

    async def suggest_level(self, user: int) -> Level:
        """Return the level of computers for a person who names none.

        It is the lowest one until they have played a match to its end.
        """
        has_finished = await self._kernel.store.read(rating_queries.has_finished, user)
        return LEVELS[1 if has_finished else 0]

    async def _create(
        self,
        record: MatchRecord,
        handled: HandledInteraction | None = None,
        max_lobbies: int | None = None,
    ) -> Room:
        """Save a new lobby; refuse a person or server with too many matches."""
        async with self._servers.within_limits(
            record.host, record.place.guild, record.id, opens=True
        ):
            await self._kernel.store.write(queries.create_match, record, handled, max_lobbies)
        return self._kernel.matches.keep(Room(record))

    async def change(
        self, match_id: str, by: Person, rule: LobbyRule, interaction_id: int | None = None
    ) -> Room:
        """Apply a lobby rule on behalf of a person, and save the result."""

        def act(change: Change) -> Change:
            record = rule(self._table(change, by))
            return replace(change, after=Room(replace(record, last_activity_at=change.now)))

        return (await self._kernel.pipeline.change(match_id, act, interaction_id)).after

    async def join(self, match_id: str, person: Person, interaction_id: int | None = None) -> Room:
        """Seat a person in a lobby, and return it.

        Refuse if the lobby is full or closed, the person has a seat in it already, or they or the
        server have reached a limit of matches.
        """
        room = await self._kernel.matches.find(match_id)
        try:
            async with self._servers.within_limits(person.id, room.record.place.guild, match_id):
                return await self.change(match_id, person, Table.join, interaction_id)
        except Refused:
            # The pipeline doesn't see a refusal by `within_limits`. If Discord delivers the press
            # again, it must not seat somebody who was told no.
            self._kernel.pipeline.note_refused(interaction_id)
            raise

    async def start(
        self,
        match_id: str,
        by: Person,
        interaction_id: int | None = None,
    ) -> Room:
        """Begin the match with a fresh seed; host only.

        Return once the computers that move first have moved, or after
        kernel.computer_wait_seconds.
        """
        kernel = self._kernel

        def start(change: Change) -> Change:
            table = self._table(change, by)
            table.check_can_start()
            record = table.record
            computers = frozenset(
                Seat(seat) for seat, person in enumerate(record.chairs) if person.id == COMPUTER
            )
            # If another process writes first, this function runs again and draws another seed.
            # That is fair, since nobody has seen the first one.
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

        change = await kernel.pipeline.change(match_id, start, interaction_id)
        return await kernel.computers.wait(change.after, kernel.computer_wait_seconds)

    async def start_alone(self, match_id: str, by: Person) -> Room:
        """Begin a match of one person against computers, unless it has begun already.

        Discord may deliver a command twice, and after a crash the bot completes what it had begun.
        """
        try:
            return await self.start(match_id, by)
        except Refused:
            room = await self._kernel.matches.find(match_id)
            if room.match is None:
                raise
            return room

    async def find_open(self, idle_since: int | None = None) -> list[Room]:
        """Return all open lobbies, or only those idle since a time."""
        store = self._kernel.store
        # The query takes a time; with one second from now, every open lobby counts as idle.
        before = int(self._kernel.now()) + 1 if idle_since is None else idle_since
        return await self._kernel.matches.select(queries.idle_lobbies, before, own=store.own)

    async def expire(self) -> list[Room]:
        """Close lobbies that have been idle for too long, and return them."""
        before = int(self._kernel.now()) - LOBBY_TIMEOUT_SECONDS

        def expire(change: Change) -> Change:
            record = change.before.record
            if record.status is not Status.LOBBY or record.last_activity_at >= before:
                return change
            return change.update(status=Status.EXPIRED)

        closed = []
        for room in await self.find_open(before):
            change = await self._kernel.pipeline.change(room.record.id, expire)
            if change.after.record.status is Status.EXPIRED:
                closed.append(change.after)
        return closed

    async def rematch(self, match_id: str, by: Person, interaction_id: int | None = None) -> Room:
        """Offer a rematch of a finished match, or join the one already offered; return its lobby.

        There is one rematch at a time. If it was cancelled or has expired, a new one is opened; if
        it has begun, it is returned without joining.
        """
        kernel = self._kernel
        ended = await kernel.matches.find(match_id)
        if not ended.is_over:
            raise Refused("refusal.not_over")
        if ended.seat_of(by.id) is None:
            raise Refused("refusal.no_rematch")
        lobby_id, room = await self.find_rematch(match_id)
        if room is None:
            game = kernel.matches.game(ended.record.game)
            set_up = await kernel.matches.position(match_id, 0)
            began = set_up.waiting_for()[0] if game.begins and set_up.waiting_for() else Seat(0)
            record = make_rematch(ended.record, game, began, lobby_id, by, int(kernel.now()))
            try:
                return await self._create(record)
            except Conflict:
                # Somebody else pressed Rematch at the same moment: join their lobby.
                return await self.rematch(match_id, by, interaction_id)
        if room.record.status is Status.LOBBY and room.seat_of(by.id) is None:
            room = await self.join(lobby_id, by, interaction_id)
        return room

    async def find_rematch(self, match_id: str) -> tuple[str, Room | None]:
        """Return the rematch's id, and the rematch if it is open or has begun."""
        for attempt in range(ID_ATTEMPTS):
            # Derived from the match: everybody who presses Rematch gets the same lobby.
            lobby_id = derive_match_id(f"rematch-{match_id}", attempt)
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
