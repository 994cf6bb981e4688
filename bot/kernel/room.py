"""A match as the bot sees it: the engine's Match with its players and the place it is played in.

These are values that never change; a change to a match makes a new Room (change.py). Nothing here
is stored: what is saved about a match is `MatchRecord` in bot/model.
"""

from collections.abc import Iterable

from msgspec import Struct
from msgspec.structs import replace

from bot.model import (
    COMPUTER,
    DEFAULT_LEVEL,
    TABLE,
    Announcement,
    MatchRecord,
    Person,
    PlannedTurn,
    Status,
)
from bot.runtime.base import DAY, Refused
from bot.text import has, say
from engine import Event, Match, Seat, find_game
from engine.players import LEVELS, Character, Level

LOBBY_TIMEOUT_SECONDS = 7 * DAY
"""Seconds without activity after which a lobby closes."""

SILENCE_SECONDS = 14 * DAY
"""Seconds without activity after which a match counts as silent."""


def with_seating_at(record: MatchRecord, number: int) -> MatchRecord:
    """Return the record with the players who held the seats at a commit."""
    chairs = list(record.chairs)
    # Undo the later changes, newest first.
    for seat_change in reversed(record.seat_changes):
        if seat_change.since > number:
            chairs[seat_change.seat] = Person(seat_change.was, seat_change.was_name)
    return replace(record, chairs=tuple(chairs)) if record.seat_changes else record


def everyone_ever_seated(record: MatchRecord) -> set[int]:
    """Return the ids of all people who have ever held a seat in a match."""
    users = {person.id for person in record.chairs}
    for seat_change in record.seat_changes:
        users |= {seat_change.user, seat_change.was}
    return users - {COMPUTER}


class Room(Struct, frozen=True):
    """A match together with its record: players, place, terms and status."""

    record: MatchRecord
    match: Match | None = None
    """None in the lobby."""
    last_post: Announcement | None = None
    """The last public post, sent or pending; None before the first."""

    def __repr__(self) -> str:
        # The match itself is left out: its seed and drafts must not reach a log.
        return f"<Room {self.record.id}: {self.record.game}, {self.record.status}>"

    def seat_of(self, user: int) -> Seat | None:
        """Return the seat of a person; None if they have none."""
        # Computers share the id COMPUTER, so it identifies no seat.
        ids = [person.id for person in self.record.chairs]
        return Seat(ids.index(user)) if user in ids and user != COMPUTER else None

    def own_seat(self, user: int) -> Seat:
        """Return the seat of a person; refuse if they have none."""
        seat = self.seat_of(user)
        if seat is None:
            raise Refused("refusal.not_seated")
        return seat

    def is_expired(self, seat: Seat) -> bool:
        """Whether a seat's time is up and the match still waits for its decision."""
        clocks = self.record.clocks.seats
        return bool(clocks) and bool(clocks[seat].expired)

    def is_asked(self, user: int) -> bool:
        """Whether the match waits for a person's seat to decide, even while it is paused."""
        return self.match is not None and self.seat_of(user) in self.match.waiting_for()

    def is_waiting_for(self, user: int) -> bool:
        """Whether the match is running and waits for this person to decide in person."""
        if self.match is None or self.record.status is not Status.RUNNING:
            return False
        return self.is_asked(user) and self.seat_of(user) in self.match.humans()

    def has_resigned(self, user: int) -> bool:
        """Whether a person has resigned."""
        return self.match is not None and self.seat_of(user) in self.match.resigned

    def is_seated(self, user: int) -> bool:
        """Whether a person has a seat and has not resigned."""
        return self.seat_of(user) is not None and not self.has_resigned(user)

    def level_of(self, seat: Seat) -> Level:
        """Return the level at which a computer plays a seat."""
        person = self.record.chairs[seat]
        # A computer of an older database has no level of its own.
        return (
            self.record.terms.stand_in if person.id != COMPUTER else person.level or DEFAULT_LEVEL
        )

    def character_of(self, seat: Seat) -> Character | None:
        """Return the character with which a computer plays a seat; None if it has none."""
        person = self.record.chairs[seat]
        return person.character if person.id == COMPUTER else None

    def plan_of(self, seat: Seat) -> PlannedTurn | None:
        """Return a seat's planned turn, even a dropped one; None if it has none."""
        return next((plan for plan in self.record.plans if plan.seat == seat), None)

    @property
    def next_level(self) -> Level | None:
        """The level to try next, if this is a solo match that its player has won.

        None after a win against the best computers.
        """
        outcome = self.match.outcome if self.match is not None else None
        if outcome is None or not self.is_solo:
            return None
        if any(self.record.chairs[seat].id == COMPUTER for seat in outcome.winners):
            return None
        beaten = {
            self.level_of(Seat(seat))
            for seat, person in enumerate(self.record.chairs)
            if person.id == COMPUTER
        }
        highest = max(LEVELS.index(level) for level in beaten)
        return LEVELS[highest + 1] if highest + 1 < len(LEVELS) else None

    @property
    def is_solo(self) -> bool:
        """Whether a single person plays against computers."""
        return sum(person.id != COMPUTER for person in self.record.chairs) == 1

    @property
    def is_rated(self) -> bool:
        """Whether the result counts for ratings, provided that everyone gets to move."""
        terms = self.record.terms
        return terms.rated and not terms.lesson and not self.is_solo

    @property
    def has_hints(self) -> bool:
        """Whether players may ask for hints: in a solo match, or if all of them agree to it."""
        people = {person.id for person in self.record.chairs if person.id != COMPUTER}
        return self.is_solo or people <= set(self.record.terms.hints)

    def people(self, seats: Iterable[Seat]) -> list[int]:
        """Return the ids of the people in these seats, leaving out any who resigned."""
        resigned = self.match.resigned if self.match else frozenset()
        users = [self.record.chairs[seat].id for seat in seats if seat not in resigned]
        # People whose data was deleted have negative ids, and can be neither pinged nor reminded.
        return [user for user in users if user > COMPUTER]

    @property
    def players(self) -> list[int]:
        """The ids of all people at the table, except those who had their data deleted."""
        return [person.id for person in self.record.chairs if person.id > COMPUTER]

    @property
    def is_over(self) -> bool:
        """Whether the match has ended, with or without a result, so that nothing is secret."""
        return self.record.status in (Status.FINISHED, Status.CALLED_OFF)

    @property
    def is_open_lobby(self) -> bool:
        """Whether this is a posted lobby with a free seat."""
        is_shown = self.record.status is Status.LOBBY and bool(self.record.lobby_message)
        # A rematch reserves seats for the players of the last match.
        taken = len(self.record.chairs) + len(self.record.awaited)
        return is_shown and taken < find_game(self.record.game).seats[-1]

    @property
    def is_paused(self) -> bool:
        """Whether the match is paused, by its players or because it cannot post."""
        return self.record.status in (Status.PAUSED, Status.ON_HOLD)

    @property
    def why_paused(self) -> str:
        """The reason for the pause, as text for players."""
        reason = self.record.paused_for or (TABLE if self.record.status is Status.ON_HOLD else "")
        # Older databases hold the text itself instead of a key.
        return say(f"pause.{reason}") if has(f"pause.{reason}") else reason

    def playing(self) -> Match:
        """Return the match; refuse with the reason if it has not begun."""
        if self.match is not None:
            return self.match
        match self.record.status:
            case Status.PAUSED:
                raise Refused("refusal.paused", why=self.why_paused)
            case Status.CANCELLED | Status.EXPIRED:
                raise Refused("refusal.cancelled_early")
        raise Refused("refusal.not_begun_host")


class Press(Struct, frozen=True):
    """A button press or typed command: who wants to act in which match."""

    match: str
    user: int
    interaction: int
    """Discord's id of the interaction. Handling the same one again changes nothing."""
    turn: int | None = None
    """The turn that the pressed button was made for; None for a typed command."""


class Update(Struct, frozen=True):
    """The result of a press, from which its private answer is built."""

    room: Room
    seat: Seat
    events: tuple[Event, ...] = ()
    """The events of the press that the seat may know."""
    meanwhile: tuple[Event, ...] = ()
    """The events of the computers' moves after it that the seat may know."""
    committed: bool = False
    stale: bool = False
    """Nothing was done, because the button belonged to an older position: redraw the panel."""

    def __repr__(self) -> str:
        return f"<Update of {self.room.record.id} for seat {self.seat}>"


class Post(Struct, frozen=True):
    """An announcement with everything its message needs: the match at its commit."""

    announcement: Announcement
    room: Room
    events: tuple[Event, ...]
    """The public events since the last post."""
    newly: tuple[Seat, ...] = ()
    """The seats that have been asked something new since the last post: the ones to ping."""
    by_computers: int = 0
    """How many computers have acted since the last post."""

    @property
    def shows_result(self) -> bool:
        """Whether this is the last post of a finished match."""
        has_outcome = self.room.playing().outcome is not None
        return has_outcome and self.room.record.status is Status.FINISHED


def playable_match(room: Room, seat: Seat, while_paused: bool = False) -> Match:
    """Return the match; refuse with the reason if the seat cannot act in it now."""
    if room.record.status is Status.CALLED_OFF:
        raise Refused("refusal.called_off")
    if room.record.status in (Status.CANCELLED, Status.EXPIRED):
        raise Refused("refusal.cancelled")
    if room.match is None:
        raise Refused("refusal.not_begun")
    if room.is_paused and not while_paused:
        raise Refused("refusal.paused_resume", why=room.why_paused)
    if seat in room.match.resigned:
        raise Refused("refusal.resigned")
    return room.match
