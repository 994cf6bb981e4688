"""Plans: a seat's next turn, written down before it comes and played by itself when it does.

A plan is made on the match as it may stand by then, and checked again when its turn comes: if it is no longer legal in
full, or something has happened where its owner did not want it to, it is cancelled and its owner is told why.

It is kept beside the match, never in its log, and played together with the commit that makes it its turn: nobody is
notified whose plan has answered. Where an answer at once would tell others something, it comes later, as a person's
would.
"""

import asyncio
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import asdict, replace

from bot.features.play.typed import Reading
from bot.features.standing_orders import LATEST, human_delay
from bot.kernel import encoding, queries
from bot.kernel.change import Change
from bot.kernel.kernel import Kernel
from bot.kernel.pipeline import retry_on_conflict
from bot.kernel.room import Press, Room, playable_match
from bot.model.jobs import Job
from bot.model.match import MatchRecord, PlannedTurn, Status
from bot.model.stored import HandledInteraction, StoredCommit
from bot.runtime.errors import Refused, log_error
from bot.store.sql import Database
from bot.text import say
from bot.ui import describe
from engine import Answer, EngineError, Match, Seat, View, visible
from engine.core.escape import escaped
from engine.core.secrecy import has_secrets
from engine.players import dealt_for
from engine.players.simple import stand_in

PLAN_PLAYS = "plan"
"""The job of a plan that waits so that nobody can tell that it is one."""
WORLDS = 4
"""Ways in which the others may have moved by then, tried before a plan is refused."""
TURNS_AHEAD = 400
"""Turns of others to look ahead at most."""
MAX_SPOTS = 20
"""Spots that a plan may be bound to."""

Reads = Callable[[Room, Seat], Reading]
"""Understands what was typed on a position, or refuses it."""


class Foreseen(Struct, frozen=True):
    """A plan, and the match as it may stand when it is played, with its answers drafted."""

    plan: PlannedTurn
    room: Room


class Plans:
    """The plans of all matches."""

    def __init__(self, kernel: Kernel) -> None:
        self._store = kernel.store
        self._matches = kernel.matches
        self._pipeline = kernel.pipeline
        self._scheduler = kernel.scheduler

    # Made and dropped by their owners.

    async def propose(self, press: Press, move: str, unless: str, reads: Reads) -> Foreseen:
        """Make a plan, for its owner to read and keep; refuse with the reason."""
        room = await self._matches.find(press.match)
        seat = room.own_seat(press.user)
        if seat in playable_match(room, seat).away:
            # Somebody who plans for their seat does not want a computer to play it.
            room = (await self._pipeline.change(press.match, lambda change: _come_back(change, seat))).after
        match = playable_match(room, seat)
        if seat in match.waiting_for():
            raise Refused(say("plan.your_turn"))
        spots = _spots(match, seat, unless)
        foreseen = await asyncio.to_thread(_foreseen, room, seat, reads)
        plan = PlannedTurn(
            id=press.interaction,
            seat=seat,
            move=move,
            answers=foreseen.plan.answers,
            meant=foreseen.plan.meant,
            stages=tuple(dict.fromkeys((_stage(match.view(seat)), *foreseen.plan.stages))),
            unless=spots,
            since=match.number,
        )

        def write_down(change: Change) -> Change:
            if seat in playable_match(change.before, seat).waiting_for():
                raise Refused(say("plan.your_turn"))
            return _with_plans(change, (*_without(change.before.record.plans, seat), plan), press, seat)

        await self._pipeline.change(press.match, write_down, press.interaction)
        return Foreseen(plan, foreseen.room)

    async def keep(self, press: Press, plan: int) -> Room:
        """Keep the plan of that id, so that it is played."""

        def keep(change: Change) -> Change:
            room = change.before
            seat = room.own_seat(press.user)
            found = room.plan_of(seat)
            if found is None or found.id != plan or found.dropped:
                raise Refused(say("plan.gone"))
            if seat in playable_match(room, seat).waiting_for():
                raise Refused(say("plan.your_turn"))
            if found.kept:
                return change
            kept = (*_without(room.record.plans, seat), replace(found, kept=True))
            return _with_plans(change, kept, press, seat)

        return (await self._pipeline.change(press.match, keep)).after

    async def drop(self, press: Press, plan: int) -> Room:
        """Drop the plan of that id, or the note that it was cancelled."""

        def drop(change: Change) -> Change:
            room = change.before
            seat = room.own_seat(press.user)
            found = room.plan_of(seat)
            if found is None or found.id != plan:
                raise Refused(say("plan.gone"))
            return _with_plans(change, _without(room.record.plans, seat), press, seat)

        return (await self._pipeline.change(press.match, drop)).after

    # Played.

    def play_out(self, change: Change) -> Change:
        """Play the plans whose turn a change has brought, and remove those that are over."""
        if not change.after.record.plans or not change.commits:
            return change
        try:
            return _play_out(change)
        except Exception as error:
            # Nobody's turn may fail because of what somebody else has planned.
            log_error(error, f"the plans of match {change.match_id} are dropped")
            return change.update(plans=())

    @retry_on_conflict
    async def play_later(self, job: Job) -> None:
        """Play a plan that has waited so that nobody can tell that it is one."""
        async with self._pipeline.exclusive(job.match) as (change, _):
            room = change.before
            seat = room.seat_of(job.user)
            plan = room.plan_of(seat) if seat is not None else None
            if plan is None or seat is None or room.match is None:
                return
            if room.is_paused:
                await self._scheduler.postpone(job, LATEST)
                return
            is_due = bool(plan.at) and plan.at <= change.now
            if room.record.status is not Status.RUNNING or not is_due:
                return
            if not _is_asked(replace(plan, at=0), room.match):
                return
            if room.match.draft(seat).answers:
                # Its owner has begun to answer.
                played = _with(change, replace(plan, dropped=say("plan.drafted"), at=0))
            else:
                commits = await self._store.read(commits_since_plans, room.record)
                played = _try(change, plan, commits)
            await self._pipeline.commit(played)


def _play_out(change: Change) -> Change:
    commits = change.context[commits_since_plans]
    for _ in range(2 * len(change.after.record.chairs)):
        change = change.update(plans=tuple(_still_wanted(change.after.record.plans, change.positions)))
        stood = change.after.playing()
        plan = next((plan for plan in change.after.record.plans if _is_asked(plan, stood)), None)
        if plan is None:
            break
        if _would_tell(stood):
            at = change.now + human_delay()
            user = change.after.record.chairs[plan.seat].id
            change = _with(change, replace(plan, at=at))
            change = change.schedule(Job(PLAN_PLAYS, at, change.match_id, user))
        else:
            change = _try(change, plan, commits)
    return change


def _try(change: Change, plan: PlannedTurn, commits: list[StoredCommit]) -> Change:
    """Play a plan; cancel it with the reason if it is not possible."""
    seat, stood = Seat(plan.seat), change.after.playing()
    try:
        named = _named_since(change, plan, commits) if plan.unless else set()
        for spot in plan.unless:
            if spot in named:
                raise Refused(say("plan.touched", spot=spot.upper()))
        drafted = stood.undo(seat, all=True) if stood.draft(seat).answers else stood
        for place, (kind, keys) in enumerate(plan.answers):
            drafted, meaning = _pick(drafted, seat, kind, keys)
            if plan.meant and meaning != plan.meant[place]:
                raise Refused(say("plan.not_the_same", key=" ".join(keys).upper()))
            if drafted.number != stood.number:
                raise Refused(say("plan.changed"))
        confirmed = drafted.confirm(seat)
    except (Refused, EngineError) as error:
        why = describe.refusal(change.after, seat, error)
        return _with(change, replace(plan, dropped=why, at=0))
    return change.update(plans=_without(change.after.record.plans, seat)).play(drafted, confirmed)


def commits_since_plans(db: Database, record: MatchRecord) -> list[StoredCommit]:
    """Return the commits since the oldest plan that is bound to spots was made."""
    bound = [plan.since for plan in record.plans if plan.unless]
    return queries.commits(db, record.id, min(bound)) if bound else []


def _named_since(change: Change, plan: PlannedTurn, commits: list[StoredCommit]) -> set[str]:
    """Return everything named in what a plan's owner has heard of since it was made."""
    later = [stored for stored in commits if stored.number > plan.since]
    made = encoding.story(later, change.before.playing().game) + change.made
    events = visible((event for commit in made for event in commit.events), Seat(plan.seat))
    return {text for event in events for text in _texts(event)}


def _come_back(change: Change, seat: Seat) -> Change:
    """Give a seat back to its owner, if a computer plays it."""
    match = playable_match(change.before, seat)
    return change.play(match.hand_over(seat, to_computer=False)) if seat in match.away else change


def _with_plans(change: Change, plans: tuple[PlannedTurn, ...], press: Press, seat: Seat) -> Change:
    """Write down plans for the person who pressed."""
    number = change.before.playing().number
    handled = HandledInteraction(interaction=press.interaction, seat=seat, since=number, number=number)
    return replace(change.update(plans=plans), handled=handled)


def _without(plans: tuple[PlannedTurn, ...], seat: int) -> tuple[PlannedTurn, ...]:
    return tuple(plan for plan in plans if plan.seat != seat)


def _with(change: Change, plan: PlannedTurn) -> Change:
    """Replace a seat's plan."""
    return change.update(plans=(*_without(change.after.record.plans, plan.seat), plan))


def _stage(view: View) -> str:
    """Return the round, as a text to be compared."""
    return msgspec.json.encode(view.stage()).decode()


def _is_asked(plan: PlannedTurn, match: Match) -> bool:
    """Return whether it is a plan's turn, and it is not scheduled yet."""
    if not plan.kept or plan.dropped or plan.at or match.outcome is not None or plan.seat not in match.humans():
        return False
    question = match.position.question(Seat(plan.seat))
    return question is not None and question.kind == plan.answers[0][0]


def _would_tell(match: Match) -> bool:
    """Return whether an answer at once would give something away: with secrets, or if several answer at a time."""
    return has_secrets(match.game) or len(match.waiting_for()) > 1


def _still_wanted(plans: Iterable[PlannedTurn], trail: Sequence[Match]) -> Iterator[PlannedTurn]:
    """Return the plans after a trail, without those whose turn their owners took themselves.

    Those whose round is over are cancelled.
    """
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


def _given(trail: Sequence[Match], seat: Seat) -> set[str]:
    """Return the kinds of questions that a seat has answered along a trail."""
    made = [after.last for before, after in pairwise(trail) if after.number > before.number and after.last]
    return {answer.kind for commit in made if commit.seat == seat for answer in commit.answers}


def _texts(value: Any) -> Iterator[str]:
    """Return every text in an event, however deep."""
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
    """Return the spots of the board that were listed; refuse if one is not there."""
    named = tuple(dict.fromkeys(typed.casefold().replace(",", " ").split()))
    board = match.game.places(match.view(seat))
    for spot in named:
        if spot not in board:
            raise Refused(say("plan.no_spot", spot=escaped(spot)))
    if len(named) > MAX_SPOTS:
        raise Refused(say("plan.too_many_spots", most=MAX_SPOTS))
    return named


def foresee(room: Room, seat: Seat, world: int = 0) -> Room | None:
    """Return a match as it may stand when a seat is next to move, by what it knows now; None if it never is."""
    match = room.playing()
    # Neither the dice nor the secrets of the match may have any part in it.
    dealt = dealt_for(match.game, match.base, seat)
    ahead = replace(match, base=dealt, drafts={}, seed=f"world-{world}", reseeds=(), draws=0)
    # The stand-in plays by the number of the commit, and that of the match counts what others do in secret.
    ahead = replace(ahead, number=match.answered[seat] + 1000 * world)
    for _ in range(TURNS_AHEAD):
        if seat in ahead.waiting_for():
            return Room(room.record, ahead)
        if ahead.outcome is not None:
            return None
        ahead = stand_in(ahead, ahead.waiting_for()[0])
    return None


def _foreseen(room: Room, seat: Seat, reads: Reads) -> Foreseen:
    """Return a plan as it is understood in a few possible positions in which it is legal in full.

    The first one decides, unless the plan names something that others may replace, as they may have in that very
    position: then what it means in most positions counts.
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
        plan = PlannedTurn(id=0, seat=seat, move="", answers=read.answers, meant=tuple(meant), stages=stages)
        found.append(Foreseen(plan, Room(room.record, read.match)))
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
