"""The bot's services without Discord, on a real database that can be closed and reopened.

Most tests of rules and services use the fixture `backend`; those that need messages use `world`.
"""

from collections.abc import Sequence
from hashlib import sha256
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

from bot.features.play.service import Move
from bot.kernel import queries
from bot.kernel.clocks import WARNING
from bot.kernel.room import Press, Room, Update
from bot.model import Job, Person, Place, Status
from bot.store.base import Store
from bot.store.sqlite import SqliteStore
from engine import GAMES, Answer, Decision, Match, Seat, begin
from tests.bot.manual_clock import ManualClock
from tests.bot.services import Services, open_services
from tests.patience import PATIENCE
from tests.toy import TOY

ALL_GAMES = {**GAMES, "toy": TOY}
PLACE = Place(guild=1, channel=2)
PEOPLE = tuple(Person(10 + n, name) for n, name in enumerate(("Ana", "Bea", "Cem", "Dag")))
ANA, BEA, CEM, DAG = PEOPLE


class Backend:
    """The services on a database file. They can be stopped and started, as in a restart."""

    def __init__(self, path: Path, **options: Any) -> None:
        seeds = (sha256(b"%d" % number).hexdigest() for number in count())
        self.path, self.clock = path, ManualClock()
        self.options = {
            "games": ALL_GAMES,
            "make_seed": seeds.__next__,
            "computer_wait_seconds": PATIENCE,
            "now": self.clock,
            **options,
        }
        self.interactions = count(1000)
        self.matches: Services

    async def open(self) -> Services:
        """Start the services."""
        return await self.open_on(await SqliteStore.open(self.path))

    async def open_on(self, store: Store) -> Services:
        """Start the services on a given store."""
        self.matches = open_services(store, **self.options)
        self.matches.scheduler._handlers[WARNING] = self.warn
        return self.matches

    async def warn(self, job: Job) -> None:
        """Mark a player as warned: nothing here sends warnings, and clocks wait for them."""
        room = await self.matches.find(job.match)
        seat = room.seat_of(job.user)
        if seat is not None:
            await self.matches.pings.mark_warned(job.match, seat)

    async def restart(self) -> Services:
        """Stop and restart the services, so that only stored data is left."""
        await self.matches.close()
        return await self.open()

    async def advance(self, seconds: float) -> None:
        """Let time pass, and run each job at its time."""
        end, scheduler = self.clock.now + seconds, self.matches.scheduler
        while (
            next_due := await self.matches.store.read(
                queries.next_job_at, own=self.matches.store.own
            )
        ) is not None and next_due <= end:
            self.clock.now = max(self.clock.now, next_due)
            await scheduler.run_due()
        self.clock.now = end

    async def stop_for(self, seconds: float) -> Services:
        """Stop the services and start them again after some time."""
        await self.matches.scheduler.beat()
        await self.matches.close()
        self.clock.now += seconds
        matches = await self.open()
        await matches.scheduler.beat()
        return matches

    async def reopen(self, room: Room) -> Room:
        """Restart the services and return the stored match."""
        matches = await self.restart()
        return await matches.find(room.record.id)

    async def start_match(
        self, game: str = "toy", people: int = 2, computers: int = 0, **settings: str
    ) -> Room:
        """Start a match of Ana and others; she goes first in Blue Lagoon."""
        if game == "blue_lagoon":
            settings.setdefault("first", "1")
        room = await self.matches.open_lobby(game, settings, PLACE, ANA)
        for person in PEOPLE[1:people]:
            await self.matches.join(room.record.id, person)
        for _ in range(computers):
            await self.matches.add_computer(room.record.id, ANA)
        return await self.matches.start(room.record.id, ANA)

    def press(
        self,
        room: Room,
        seat: Seat | int,
        turn: int | None = None,
        interaction_id: int | None = None,
    ) -> Press:
        """Return a press of the person in a seat, on a button made for a turn of theirs.

        Without a turn it is a typed command. An `interaction_id` repeats an earlier press.
        """
        number = next(self.interactions) if interaction_id is None else interaction_id
        return Press(room.record.id, room.record.chairs[seat].id, number, turn)

    async def pick(self, room: Room, seat: Seat | int, *keys: str, kind: str = "") -> Update:
        """Pick these keys, or the first legal ones, for a seat."""
        question = question_of(match_of(room), Seat(seat))
        return await self.matches.pick(
            self.press(room, seat, match_of(room).turn(Seat(seat))),
            kind or question.kind,
            keys or first_keys(question),
        )

    async def take_turn(self, room: Room, seat: Seat | int) -> Update:
        """Play a whole turn of a seat with the first legal answers, and confirm it."""
        while not match_of(room).is_complete(Seat(seat)):
            room = (await self.pick(room, seat)).room
        return await self.matches.confirm(self.press(room, seat, match_of(room).turn(Seat(seat))))

    async def play_out(self, room: Room, limit: int = 1000) -> Room:
        """Play a match to its end, for at most `limit` turns."""
        for _ in range(limit):
            if room.record.status is not Status.RUNNING:
                break
            room = (await self.take_turn(room, match_of(room).waiting_for()[0])).room
        return room


def names(room: Room) -> tuple[str, ...]:
    """Return the names of the players in seat order."""
    return tuple(person.name for person in room.record.chairs)


def match_of(room: Room) -> Match:
    """Return the match of a room, which must have begun."""
    assert room.match is not None
    return room.match


def question_of(match: Match, seat: Seat) -> Decision:
    """Return the blocking question of a seat."""
    return next(decision for decision in match.decisions(seat) if decision.blocking)


def answer_with(*answers: tuple[str, tuple[str, ...]], confirm: bool = True) -> Move:
    """Return a move that adds (kind, keys) answers to the draft and confirms it."""

    def move(room: Room, seat: Seat) -> list[Match]:
        positions = [match_of(room)]
        for kind, keys in answers:
            positions.append(positions[-1].pick(Answer(seat, kind, keys)))
        return [*positions, positions[-1].confirm(seat)] if confirm else positions

    return move


def first_keys(decision: Decision) -> tuple[str, ...]:
    """Return the keys of the first legal answer to a decision."""
    return tuple(option.key for option in decision.options[: max(1, decision.at_least)])


def restart_match(match: Match) -> Match:
    """Return the match at its beginning, as the engine alone would start it."""
    return begin(match.game, match.seats, dict(match.settings), match.seed, match.computers)


def random_answer(match: Match, seat: Seat, random: Random) -> Answer | None:
    """Return a random legal answer of a seat, offers included."""
    decisions: Sequence[Decision] = match.decisions(seat)
    if not decisions:
        return None
    decision = random.choice(decisions)
    size = random.randint(decision.at_least, decision.at_most)
    keys = random.sample([option.key for option in decision.options], size)
    return Answer(seat, decision.kind, tuple(keys))
