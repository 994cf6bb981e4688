"""Plans: a seat's next turn, written down before it comes and played by itself when it does.

A plan is made on the match as it may stand by then, and checked again when it is its turn: if it is not legal in full,
or something has happened where its owner did not want it to, it is dropped whole, and its owner reads why. It lies
beside the match, never in its log, and is played along with the very commit that makes it its turn: so nobody is called
whose plan has answered. Where an answer at once would tell others something, it comes later, as everybody's would.
"""

import asyncio
import secrets
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Protocol

import msgspec
from msgspec import Struct
from msgspec.structs import asdict, replace

from bot.errors import Refused, log_error
from bot.matches import records
from bot.matches.room import Due, Info, Planned, Press, Room, Status
from bot.matches.rooms import Rooms, on_newest
from bot.matches.scheduler import Scheduler
from bot.store.base import Done, Store
from bot.text import say
from engine import Answer, EngineError, Match, Seat, View, visible
from engine.core.escape import escaped
from engine.core.secrecy import has_secrets
from engine.players import dealt_for
from engine.players.simple import stand_in

DUE = "plan"
"""That a plan is to be played which has waited so that nobody sees that it is one."""
SOONEST, LATEST = 5 * 60, 30 * 60
"""Seconds that it waits, at least and at most."""
WORLDS = 4
"""Ways in which the others may have moved by then, tried before a plan is refused."""
FORESEEN = 400
"""Turns of others that are looked ahead at most."""
SPOTS = 20
"""Spots that a plan may be bound to."""


class Read(Protocol):
    """What was typed, understood on a position."""

    @property
    def match(self) -> Match:
        """With the answers in the seat's draft."""

    @property
    def answers(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """Kinds of questions, and what is answered to each."""

    @property
    def offer(self) -> bool:
        """Whether it is no turn but an offer."""


Reads = Callable[[Room, Seat], Read]
"""Understands what was typed on a position; refused if it cannot be."""


class Foreseen(Struct, frozen=True):
    """A plan, and the room with its answers drafted, as it may be when it is played."""

    plan: Planned
    room: Room


class Plans:
    """The plans of all matches."""

    def __init__(
        self,
        store: Store,
        rooms: Rooms,
        scheduler: Scheduler,
        now: Callable[[], float],
        playable: Callable[[Room, Seat], Match],
        follow: Callable[[Room, list[Match]], Any],
        go_on: Callable[[str], None],
    ) -> None:
        self._store = store
        self._rooms = rooms
        self._now = now
        self._playable = playable
        self._follow = follow
        self._go_on = go_on
        self.worded: Callable[[Room, Seat, Exception], str] = lambda room, seat, error: str(error)
        """Why something was refused, in words for that seat."""
        scheduler.register(DUE, self._play_due)

    # Made and dropped by their owners.

    @on_newest
    async def propose(self, press: Press, move: str, unless: str, reads: Reads) -> Foreseen:
        """A plan made, to be read by its owner and kept; refused with the reason."""
        room = await self._rooms.find(press.match)
        seat = room.own_seat(press.user)
        if seat in self._playable(room, seat).away:
            room = await self._come_back(press.match, seat)
        match = self._playable(room, seat)
        if seat in match.waiting_for():
            raise Refused(say("plan.your_turn"))
        spots = _spots(match, seat, unless)
        foreseen = await asyncio.to_thread(_foreseen, room, seat, reads)
        plan = Planned(
            id=press.interaction,
            seat=seat,
            move=move,
            answers=foreseen.plan.answers,
            meant=foreseen.plan.meant,
            stages=tuple(dict.fromkeys((_stage(match.view(seat)), *foreseen.plan.stages))),
            unless=spots,
            since=match.number,
        )
        async with self._rooms.turn(press.match) as now:
            if seat in self._playable(now, seat).waiting_for():
                raise Refused(say("plan.your_turn"))
            if not await self._store.done(press.match, press.interaction):
                await self._write(now, (*_without(now.info.plans, seat), plan), press, seat)
        return Foreseen(plan, foreseen.room)

    @on_newest
    async def _come_back(self, match: str, seat: Seat) -> Room:
        """The room with somebody back in their seat: whoever plans for it does not want a computer to play it."""
        async with self._rooms.turn(match) as room:
            stood = self._playable(room, seat)
            if seat in stood.away:
                await self._follow(room, [stood, stood.hand_over(seat, to_computer=False)])
        self._go_on(match)
        return await self._rooms.find(match)

    async def keep(self, press: Press, plan: int) -> Room:
        """The plan of that id kept: it will be played."""
        async with self._rooms.turn(press.match) as room:
            seat = room.own_seat(press.user)
            found = room.plan_of(seat)
            if found is None or found.id != plan or found.dropped:
                raise Refused(say("plan.gone"))
            if seat in self._playable(room, seat).waiting_for():
                raise Refused(say("plan.your_turn"))
            if not found.kept:
                kept = (*_without(room.info.plans, seat), replace(found, kept=True))
                return await self._write(room, kept, press, seat)
            return room

    @on_newest
    async def drop(self, press: Press, plan: int) -> Room:
        """The plan of that id dropped by its owner, or what is left to say of it put away."""
        async with self._rooms.turn(press.match) as room:
            seat = room.own_seat(press.user)
            found = room.plan_of(seat)
            if found is None or found.id != plan:
                raise Refused(say("plan.gone"))
            return await self._write(room, _without(room.info.plans, seat), press, seat)

    async def _write(self, room: Room, plans: tuple[Planned, ...], press: Press, seat: Seat) -> Room:
        number = room.playing().number
        done = Done(interaction=press.interaction, seat=seat, since=number, number=number)
        return await self._rooms.write(room.info, Room(replace(room.info, plans=plans), room.match), done=done)

    # Played.

    async def followed(self, room: Room, trail: list[Match]) -> tuple[Info, list[Match], tuple[Due, ...]]:
        """What is to be written after a trail: with plans played whose turn has come, and those gone that are over."""
        if not room.info.plans:
            return room.info, trail, ()
        try:
            return await self._played(room, list(trail))
        except Exception as error:
            # Nobody's turn may fail because of what somebody else has planned.
            log_error(error, f"the plans of match {room.info.id} are dropped")
            return replace(room.info, plans=()), trail, ()

    async def _played(self, room: Room, trail: list[Match]) -> tuple[Info, list[Match], tuple[Due, ...]]:
        info, dues = room.info, list[Due]()
        for _ in range(2 * len(info.chairs)):
            info = replace(info, plans=tuple(_still_wanted(info.plans, trail)))
            stood = trail[-1]
            plan = next((plan for plan in info.plans if _is_asked(plan, stood)), None)
            if plan is None:
                break
            if _would_tell(stood):
                at = int(self._now()) + SOONEST + secrets.randbelow(LATEST - SOONEST)
                info = _with(info, replace(plan, at=at))
                dues.append(Due(DUE, at, info.id, info.chairs[plan.seat].id))
                continue
            info, moved = await self._tried(Room(info, room.match), trail, plan)
            trail += moved
        return info, trail, tuple(dues)

    @on_newest
    async def _play_due(self, due: Due) -> None:
        async with self._rooms.turn(due.match) as room:
            seat = room.seat_of(due.user)
            plan = room.plan_of(seat) if seat is not None else None
            if plan is not None and room.is_paused:
                await self._store.set_due(replace(due, at=int(self._now()) + LATEST))
                return
            if plan is None or seat is None or room.match is None or room.info.status is not Status.RUNNING:
                return
            if not (plan.at and plan.at <= self._now() and _is_asked(replace(plan, at=0), room.match)):
                return
            if room.match.draft(seat).answers:
                # Its owner is at it.
                info, moved = _with(room.info, replace(plan, dropped=say("plan.drafted"), at=0)), list[Match]()
            else:
                info, moved = await self._tried(room, [room.match], plan)
            if not moved:
                await self._rooms.write(room.info, Room(info, room.match))
                return
            await self._follow(Room(info, room.match), [room.match, *moved])
        self._go_on(due.match)

    async def _tried(self, room: Room, trail: list[Match], plan: Planned) -> tuple[Info, list[Match]]:
        """The plan played, or dropped with the reason: the match's facts, and the match after each step of it."""
        seat, stood = Seat(plan.seat), trail[-1]
        try:
            for spot in plan.unless:
                if spot in await self._touched(room, trail, plan):
                    raise Refused(say("plan.touched", spot=spot.upper()))
            drafted = stood.undo(seat, all=True) if stood.draft(seat).answers else stood
            for place, (kind, keys) in enumerate(plan.answers):
                drafted, meaning = _pick(drafted, seat, kind, keys)
                if plan.meant and meaning != plan.meant[place]:
                    raise Refused(say("plan.not_the_same", key=" ".join(keys).upper()))
                if drafted.number != stood.number:
                    raise Refused(say("plan.changed"))
            moved = [drafted, drafted.confirm(seat)]
        except (Refused, EngineError) as error:
            why = self.worded(Room(room.info, stood), seat, error)
            return _with(room.info, replace(plan, dropped=why, at=0)), []
        return replace(room.info, plans=_without(room.info.plans, seat)), moved

    async def _touched(self, room: Room, trail: list[Match], plan: Planned) -> set[str]:
        """All that was named in what its owner has heard of since the plan was made."""
        stood = trail[0].number
        kept = await self._store.commits(room.info.id, plan.since, stood) if plan.since < stood else []
        commits = records.story(kept, trail[0].game) + records.made_along(trail)
        events = visible((event for made in commits for event in made.events), Seat(plan.seat))
        return {text for event in events for text in _texts(event)}


def _without(plans: tuple[Planned, ...], seat: int) -> tuple[Planned, ...]:
    return tuple(plan for plan in plans if plan.seat != seat)


def _with(info: Info, plan: Planned) -> Info:
    return replace(info, plans=(*_without(info.plans, plan.seat), plan))


def _stage(view: View) -> str:
    """The round, to be compared."""
    return msgspec.json.encode(view.stage()).decode()


def _is_asked(plan: Planned, match: Match) -> bool:
    """Whether it is a plan's turn, and nothing is set going for it yet."""
    if not plan.kept or plan.dropped or plan.at or match.outcome is not None or plan.seat not in match.humans():
        return False
    question = match.position.question(Seat(plan.seat))
    return question is not None and question.kind == plan.answers[0][0]


def _would_tell(match: Match) -> bool:
    """Whether an answer at once would tell something: where there are secrets, or several answer at the same time."""
    return has_secrets(match.game) or len(match.waiting_for()) > 1


def _still_wanted(plans: Iterable[Planned], trail: list[Match]) -> Iterator[Planned]:
    """The plans after a trail: without those whose turn their owners took themselves, or whose round is over."""
    stood = trail[-1]
    if stood.outcome is not None:
        return
    for plan in plans:
        seat = Seat(plan.seat)
        if seat not in stood.humans():
            continue
        given = _given(trail, seat)
        if given and (plan.dropped or plan.answers[0][0] in given):
            continue
        question = stood.position.question(seat)
        if plan.at and (question is None or question.kind != plan.answers[0][0]):
            yield replace(plan, at=0)
        elif not plan.dropped and _stage(stood.view(seat)) not in plan.stages:
            yield replace(plan, dropped=say("plan.round_over"), at=0)
        else:
            yield plan


def _given(trail: list[Match], seat: Seat) -> set[str]:
    """The kinds of questions that a seat has answered along a trail."""
    made = records.made_along(trail)
    return {answer.kind for commit in made if commit.seat == seat for answer in commit.answers}


def _texts(value: Any) -> Iterator[str]:
    """Every text in an event, however deep."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Struct):
        for part in asdict(value).values():
            yield from _texts(part)
    elif isinstance(value, dict):
        for part in (*value, *value.values()):
            yield from _texts(part)
    elif isinstance(value, (tuple, list, set, frozenset)):
        for part in value:
            yield from _texts(part)


def _spots(match: Match, seat: Seat, typed: str) -> tuple[str, ...]:
    """The spots of the board that were listed; refused if one is not there."""
    named = tuple(dict.fromkeys(typed.casefold().replace(",", " ").split()))
    board = match.game.places(match.view(seat))
    for spot in named:
        if spot not in board:
            raise Refused(say("plan.no_spot", spot=escaped(spot)))
    if len(named) > SPOTS:
        raise Refused(say("plan.too_many_spots", most=SPOTS))
    return named


def foresee(room: Room, seat: Seat, world: int = 0) -> Room | None:
    """The room as it may stand when the seat is next to move, by what it knows now; None if that is not in sight."""
    match = room.playing()
    # Neither the dice nor the secrets of the match have any part in it.
    dealt = dealt_for(match.game, match.base, seat)
    ahead = replace(match, base=dealt, drafts={}, seed=f"world-{world}", reseeds=(), draws=0)
    # Somebody who stands in plays by the number of the commit, and that of the match counts what others do in secret.
    ahead = replace(ahead, number=match.answered[seat] + 1000 * world)
    for _ in range(FORESEEN):
        if seat in ahead.waiting_for():
            return Room(room.info, ahead)
        if ahead.outcome is not None:
            return None
        ahead = stand_in(ahead, ahead.waiting_for()[0])
    return None


def _foreseen(room: Room, seat: Seat, reads: Reads) -> Foreseen:
    """A plan as it is understood in some positions in which it is legal in full.

    The first will do, unless the plan names something that others may put another thing in the place of, as they may
    have in that very position: then most positions decide what it means.
    """
    found: list[Foreseen] = []
    why: Exception | None = None
    for world in range(WORLDS):
        there = foresee(room, seat, world)
        if there is None:
            continue
        try:
            read = reads(there, seat)
            if read.offer:
                raise Refused(say("plan.offer"))
            read.match.confirm(seat)
        except (Refused, EngineError) as error:
            why = why or error
            continue
        meant, drafted = [], there.playing()
        for kind, keys in read.answers:
            drafted, meaning = _pick(drafted, seat, kind, keys)
            meant.append(meaning)
        stages = (_stage(there.playing().view(seat)),)
        plan = Planned(id=0, seat=seat, move="", answers=read.answers, meant=tuple(meant), stages=stages)
        found.append(Foreseen(plan, Room(room.info, read.match)))
        if not any(meant):
            break
    if not found:
        raise why or Refused(say("plan.out_of_sight"))
    meanings = Counter(foreseen.plan.meant for foreseen in found)
    return max(found, key=lambda foreseen: meanings[foreseen.plan.meant])


def _pick(match: Match, seat: Seat, kind: str, keys: tuple[str, ...]) -> tuple[Match, str]:
    """Draft an answer. Return the match, and what the answer stands for: '' if its keys say so themselves.

    What is forced by it belongs to it: nobody has named that, but it was read in the summary.
    """
    begun = len(match.draft(seat).answers)
    question, drafted = match.question(seat), match.pick(Answer(seat, kind, keys))
    found = []
    draft = drafted.draft(seat)
    while len(draft.answers) > begun:
        answer = draft.answers[-1]
        earlier = draft.before
        asked = earlier.question if earlier and len(earlier.answers) > begun else question
        names = match.game.told_apart_by.get(answer.kind)
        if names is not None and asked is not None:
            options = [option for option in asked.options if option.key in answer.keys]
            facts = [fact for option in options for fact in option.facts if fact[0] in names]
            if facts or answer.forced:
                found.append((answer.kind, answer.keys, facts))
        if earlier is None:
            break
        draft = earlier
    return drafted, msgspec.json.encode(found).decode() if found else ""
