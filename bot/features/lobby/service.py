"""Lobbies: opened, joined, set up, started, closed; and offered again as a rematch."""

import secrets
from collections.abc import Callable, Mapping, Sequence
from hashlib import blake2b

from msgspec.structs import replace

from bot.features.lobby import rules
from bot.features.server_settings.limits import Limits
from bot.kernel import post_rules, queries
from bot.kernel.change import Change
from bot.kernel.kernel import Kernel
from bot.kernel.room import QUIET, Room
from bot.model.match import COMPUTER, USUAL_LEVEL, USUAL_TERMS, MatchRecord, Person, Place, Status, Terms
from bot.model.stored import HandledInteraction
from bot.runtime.errors import Conflict, Refused, StoreError
from bot.text import say
from bot.ui.names import tidied
from engine import Seat, begin, commitment
from engine.players import Level

ID_LETTERS = "abcdefghijkmnpqrstuvwxyz23456789"
ID_LENGTH = 8
MAX_LOBBIES_PER_HOST = 5
ID_ATTEMPTS = 20
"""Ids tried for a new match, should they be taken."""

LobbyRule = Callable[[MatchRecord], MatchRecord]
"""What happens to a lobby. Raises Refused if it may not happen."""


class Lobby:
    """Everything that can be done to a match before it begins.

    An action comes with the id of its interaction, so that a repeat changes nothing; without one it is always new.
    """

    def __init__(self, kernel: Kernel, limits: Limits) -> None:
        self._store = kernel.store
        self._cache = kernel.cache
        self._pipeline = kernel.pipeline
        self._computers = kernel.computers
        self._matches = kernel.matches
        self._make_seed = kernel.make_seed
        self._now = kernel.now
        self._limits = limits
        self._wait_seconds = kernel.computer_wait_seconds

    async def open(
        self,
        game: str,
        settings: Mapping[str, str],
        place: Place,
        host: Person,
        interaction: int | None = None,
        computers: Sequence[Level] = (),
        terms: Terms = USUAL_TERMS,
    ) -> Room:
        """Open a lobby with the host in the first chair, and computers of these levels in the next.

        Refuses unknown games, settings no table could have, and a person or server that has too many already.
        """
        rules.check_settings(self._matches.game(game), settings)
        first_id = _new_id(interaction, 0) if interaction is not None else ""
        async with self._limits.one_more(host.id, place.guild, first_id, opens=True):
            for attempt in range(ID_ATTEMPTS):
                record = MatchRecord(
                    id=_new_id(interaction, attempt),
                    game=game,
                    status=Status.LOBBY,
                    place=place,
                    host=host.id,
                    settings=dict(settings),
                    terms=terms,
                    chairs=(tidied(host),),
                    last_activity_at=int(self._now()),
                )
                for level in computers:
                    record = rules.add_computer(record, self._matches.game(game), host, level)
                try:
                    await self._store.write(
                        queries.create_match, record, _handled_in_lobby(interaction), MAX_LOBBIES_PER_HOST
                    )
                except Conflict:
                    if await self._opened_by(interaction, record.id):
                        return await self._matches.find(record.id)
                    continue
                return self._cache.keep(Room(record))
        raise StoreError(say("refusal.no_free_id"))

    async def _opened_by(self, interaction: int | None, match: str) -> bool:
        if interaction is None:
            return False
        return await self._store.read(queries.handled_interaction, match, interaction) is not None

    async def rematch(self, match: str, by: Person, interaction: int | None = None) -> tuple[Room, bool]:
        """Return the lobby of a rematch with the person in their chair, and whether it is new: there is one at a time.

        Once that rematch has begun it is returned; one that was cancelled makes way for another.
        """
        ended = await self._matches.find(match)
        if not ended.is_over:
            raise Refused(say("refusal.not_over"))
        if ended.seat_of(by.id) is None:
            raise Refused(say("refusal.no_rematch"))
        game = self._matches.game(ended.record.game)
        set_up = await self._cache.position(match, 0)
        began = set_up.waiting_for()[0] if game.begins and set_up.waiting_for() else Seat(0)
        for attempt in range(ID_ATTEMPTS):
            # Of one match always the same ids, so that a second press finds the lobby that the first has made.
            lobby_id = _new_id(f"rematch-{match}", attempt)
            if await self._store.read(queries.load_match, lobby_id) is None:
                record = rules.make_rematch(ended.record, game, began, lobby_id, by)
                record = replace(record, last_activity_at=int(self._now()))
                async with self._limits.one_more(by.id, record.place.guild, lobby_id, opens=True):
                    try:
                        await self._store.write(queries.create_match, record)
                        return self._cache.keep(Room(record)), True
                    except Conflict:
                        # Somebody else has pressed at the same moment: theirs is the lobby.
                        pass
            room = await self._matches.find(lobby_id)
            if room.record.status is Status.LOBBY and room.seat_of(by.id) is None:
                room = await self.join(lobby_id, by, interaction)
            if room.record.status not in (Status.CANCELLED, Status.EXPIRED):
                return room, False
        raise StoreError(say("refusal.no_free_id"))

    async def rematch_of(self, match: str) -> Room | None:
        """Return the rematch of a match that is open or has begun, if there is one."""
        for attempt in range(ID_ATTEMPTS):
            kept = await self._store.read(queries.load_match, _new_id(f"rematch-{match}", attempt))
            if kept is None:
                return None
            if kept.record.status not in (Status.CANCELLED, Status.EXPIRED):
                return await self._matches.find(kept.record.id)
        return None

    async def join(self, match: str, person: Person, interaction: int | None = None) -> Room:
        """Take a chair; refused when full, running or already seated."""
        guild = (await self._matches.find(match)).record.place.guild
        try:
            async with self._limits.one_more(person.id, guild, match):
                return await self._change(
                    match, interaction, lambda record: rules.join(record, self._matches.game(record.game), person)
                )
        except Refused:
            self._pipeline.note_refused(interaction)
            raise

    async def leave(self, match: str, person: Person, interaction: int | None = None) -> Room:
        """Leave a chair; the next in line becomes host, the last to leave cancels the lobby."""
        return await self._change(match, interaction, lambda record: rules.leave(record, person))

    async def add_computer(
        self, match: str, by: Person, interaction: int | None = None, level: Level = USUAL_LEVEL
    ) -> Room:
        """Put a computer into the next chair; for the host."""
        return await self._change(
            match,
            interaction,
            lambda record: rules.add_computer(record, self._matches.game(record.game), by, level),
        )

    async def set_level(self, match: str, by: Person, seat: Seat, level: Level, interaction: int | None = None) -> Room:
        """Let a computer play better or worse; for the host."""
        return await self._change(match, interaction, lambda record: rules.set_level(record, by, seat, level))

    async def remove_computer(self, match: str, by: Person, seat: Seat, interaction: int | None = None) -> Room:
        """Send a computer away; for the host."""
        return await self._change(match, interaction, lambda record: rules.remove_computer(record, by, seat))

    async def agree_to_hints(self, match: str, by: Person, interaction: int | None = None) -> Room:
        """Give somebody's consent to hints, or take it back."""
        return await self._change(match, interaction, lambda record: rules.toggle_hints(record, by))

    async def change_rated(self, match: str, by: Person, interaction: int | None = None) -> Room:
        """Have the match rated from now on, or not any more; for the host."""
        return await self._change(match, interaction, lambda record: rules.toggle_rated(record, by))

    async def set_terms(self, match: str, by: Person, terms: Terms, interaction: int | None = None) -> Room:
        """Change what the table agrees on besides the game's settings; for the host."""
        return await self._change(match, interaction, lambda record: rules.set_terms(record, by, terms))

    async def set(self, match: str, by: Person, key: str, value: str, interaction: int | None = None) -> Room:
        """Choose a setting of the game; for the host."""
        return await self._change(
            match,
            interaction,
            lambda record: rules.set_setting(record, self._matches.game(record.game), by, key, value),
        )

    async def cancel(self, match: str, by: Person, interaction: int | None = None) -> Room:
        """Close the lobby; for the host."""
        return await self._change(match, interaction, lambda record: rules.cancel(record, by))

    async def start(self, match: str, by: Person, interaction: int | None = None, waits: bool = True) -> Room:
        """Begin the match with a fresh seed; for the host.

        Unless told otherwise it `waits` for computers that move first, so that the room is as the host will find it.
        """

        def start(change: Change) -> Change:
            record = change.before.record
            game = self._matches.game(record.game)
            rules.check_can_start(record, game, by)
            computers = frozenset(Seat(seat) for seat, person in enumerate(record.chairs) if person.id == COMPUTER)
            begun = begin(game, len(record.chairs), record.settings, self._make_seed(), computers)
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
                announce=0 if post_rules.people_to_move(begun) else None,
                handled=_handled_in_lobby(interaction),
            )

        change = await self._pipeline.change(match, start, interaction)
        return await self._computers.wait(change.after, self._wait_seconds if waits else 0.0)

    async def all_open(self) -> list[Room]:
        """Return all open lobbies."""
        now = int(self._now())
        return await self._cache.readable(await self._store.read(queries.idle_lobbies, now + 1, own=self._store.own))

    async def expire(self) -> list[Room]:
        """Close lobbies in which nobody has done anything for long, and return them."""
        expired = []
        before = int(self._now()) - QUIET

        def expire(change: Change) -> Change:
            record = change.before.record
            if record.status is not Status.LOBBY or record.last_activity_at >= before:
                return change
            return replace(change, after=Room(rules.expire(record)))

        for match in await self._store.read(queries.idle_lobbies, before, own=self._store.own):
            change = await self._pipeline.change(match, expire)
            if change.after.record.status is Status.EXPIRED:
                expired.append(change.after)
        return expired

    async def _change(self, match: str, interaction: int | None, rule: LobbyRule) -> Room:
        def act(change: Change) -> Change:
            record = replace(rule(change.before.record), last_activity_at=change.now)
            return replace(change, after=Room(record), handled=_handled_in_lobby(interaction))

        return (await self._pipeline.change(match, act, interaction)).after


def _new_id(cause: int | str | None, attempt: int) -> str:
    """Return an id for a match; for one interaction, or other cause, always the same: a repeat finds its match."""
    if cause is None:
        return "".join(secrets.choice(ID_LETTERS) for _ in range(ID_LENGTH))
    made = blake2b(f"{cause}/{attempt}".encode(), digest_size=ID_LENGTH).digest()
    return "".join(ID_LETTERS[byte % len(ID_LETTERS)] for byte in made)


def _handled_in_lobby(interaction: int | None) -> HandledInteraction | None:
    """What is kept of an interaction before the match begins: it moves no seat and makes no commit."""
    if interaction is None:
        return None
    return HandledInteraction(interaction=interaction, seat=0, since=0, number=0)
