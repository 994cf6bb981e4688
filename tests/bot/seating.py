"""Matches on a real store for tests of the service: people, presses, and a file that can be
opened again.
"""

from collections.abc import Sequence
from hashlib import sha256
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

from bot.features.play.service import Move as Deed
from bot.kernel import queries
from bot.kernel.clocks import WARNING
from bot.kernel.room import Press, Room, Update
from bot.model import Job, Person, Place, Status
from bot.store.base import Store
from bot.store.sqlite import SqliteStore
from engine import GAMES, Answer, Decision, Match, Seat, begin
from tests.bot.desk import Desk, open_desk
from tests.bot.hand_clock import HandClock
from tests.patience import PATIENCE
from tests.toy import TOY

ALL_GAMES = {**GAMES, "toy": TOY}
PLACE = Place(guild=1, channel=2)
PEOPLE = tuple(Person(10 + n, name) for n, name in enumerate(("Ana", "Bea", "Cem", "Dag")))
ANA, BEA, CEM, DAG = PEOPLE


class House:
    """A database file and the service on it, which can be stopped and started."""

    def __init__(self, path: Path, **options: Any) -> None:
        seeds = (sha256(b"%d" % number).hexdigest() for number in count())
        self.path, self.clock = path, HandClock()
        self.options = {
            "games": ALL_GAMES,
            "make_seed": seeds.__next__,
            "computer_wait_seconds": PATIENCE,
            "now": self.clock,
            **options,
        }
        self.interactions = count(1000)
        self.matches: Desk

    async def open(self) -> Desk:
        """The service started."""
        return await self.open_on(await SqliteStore.open(self.path))

    async def open_on(self, store: Store) -> Desk:
        """The service started on a store of one's own."""
        self.matches = open_desk(store, **self.options)
        self.matches.scheduler._handlers[WARNING] = self.warn
        return self.matches

    async def warn(self, job: Job) -> None:
        """Warn somebody that their time runs out: nobody here sends it, so they count as warned."""
        room = await self.matches.find(job.match)
        seat = room.seat_of(job.user)
        if seat is not None:
            await self.matches.pings.mark_warned(job.match, seat)

    async def restart(self) -> Desk:
        """The service stopped and started anew: what was only in memory is gone."""
        await self.matches.close()
        return await self.open()

    async def later(self, seconds: float) -> None:
        """So much time passes, and whatever falls due on the way is done when it does."""
        end, scheduler = self.clock.now + seconds, self.matches.scheduler
        while (
            next_due := await self.matches.store.read(
                queries.next_job_at, own=self.matches.store.own
            )
        ) is not None and next_due <= end:
            self.clock.now = max(self.clock.now, next_due)
            await scheduler.run_due()
        self.clock.now = end

    async def down(self, seconds: float) -> Desk:
        """The service stopped, and started anew after so much time."""
        await self.matches.scheduler.beat()
        await self.matches.close()
        self.clock.now += seconds
        matches = await self.open()
        await matches.scheduler.beat()
        return matches

    async def kept(self, room: Room) -> Room:
        """The match as the file has it, read by another service."""
        matches = await self.restart()
        return await matches.find(room.record.id)

    async def started(
        self, game: str = "toy", people: int = 2, computers: int = 0, **settings: str
    ) -> Room:
        """A running match of Ana and others; she begins Blue Lagoon."""
        if game == "blue_lagoon":
            settings.setdefault("first", "1")
        room = await self.matches.open_lobby(game, settings, PLACE, ANA)
        for person in PEOPLE[1:people]:
            await self.matches.join(room.record.id, person)
        for _ in range(computers):
            await self.matches.add_computer(room.record.id, ANA)
        return await self.matches.start(room.record.id, ANA)

    def press(
        self, room: Room, seat: Seat | int, turn: int | None = None, interaction: int | None = None
    ) -> Press:
        """A press of the person in that seat."""
        number = next(self.interactions) if interaction is None else interaction
        return Press(room.record.id, room.record.chairs[seat].id, number, turn)

    async def pick(self, room: Room, seat: Seat | int, *keys: str, kind: str = "") -> Update:
        """These keys, or the first legal ones, picked by a seat."""
        question = asked(playing(room), Seat(seat))
        return await self.matches.pick(
            self.press(room, seat, playing(room).turn(Seat(seat))),
            kind or question.kind,
            keys or first_keys(question),
        )

    async def turn(self, room: Room, seat: Seat | int) -> Update:
        """A whole turn of a seat: the first legal answers, confirmed."""
        while not playing(room).is_complete(Seat(seat)):
            room = (await self.pick(room, seat)).room
        return await self.matches.confirm(self.press(room, seat, playing(room).turn(Seat(seat))))

    async def played_out(self, room: Room, limit: int = 1000) -> Room:
        """The match played on, at most so many turns."""
        for _ in range(limit):
            if room.record.status is not Status.RUNNING:
                break
            room = (await self.turn(room, playing(room).waiting_for()[0])).room
        return room


def names(room: Room) -> tuple[str, ...]:
    """Who sits there, in seat order."""
    return tuple(person.name for person in room.record.chairs)


def playing(room: Room) -> Match:
    """The match of a room that has begun."""
    assert room.match is not None
    return room.match


def asked(match: Match, seat: Seat) -> Decision:
    """The blocking question of a seat."""
    return next(decision for decision in match.decisions(seat) if decision.blocking)


def answered(*answers: tuple[str, tuple[str, ...]], confirm: bool = True) -> Deed:
    """Answers of (kind, keys) on top of the draft, and the confirm."""

    def deed(room: Room, seat: Seat) -> list[Match]:
        trail = [playing(room)]
        for kind, keys in answers:
            trail.append(trail[-1].pick(Answer(seat, kind, keys)))
        return [*trail, trail[-1].confirm(seat)] if confirm else trail

    return deed


def first_keys(decision: Decision) -> tuple[str, ...]:
    """The first legal answer."""
    return tuple(option.key for option in decision.options[: max(1, decision.at_least)])


def again(match: Match) -> Match:
    """The same match at its beginning, by the engine alone."""
    return begin(match.game, match.seats, dict(match.settings), match.seed, match.computers)


def any_answer(match: Match, seat: Seat, random: Random) -> Answer | None:
    """A random legal answer of a seat, offers included."""
    decisions: Sequence[Decision] = match.decisions(seat)
    if not decisions:
        return None
    decision = random.choice(decisions)
    size = random.randint(decision.at_least, decision.at_most)
    keys = random.sample([option.key for option in decision.options], size)
    return Answer(seat, decision.kind, tuple(keys))
