"""/plan: a seat's next turn, written down before it comes and played by itself when it does.

A plan is made on the match as it may stand by then, and checked again when its turn comes: if it is
no longer legal in full, or something has happened where its owner did not want it to, it is
cancelled and its owner is told why.

It is kept beside the match, never in its log, and played together with the commit that makes it its
turn: nobody is notified whose plan has answered. Where an answer at once would tell others
something, it comes later, as a person's would.
"""

import asyncio
from collections.abc import Callable, Iterator

from msgspec.structs import replace

from bot.features.play.panel import SeatContext, describe_draft
from bot.features.play.presses import show_panel
from bot.features.standing_orders import LATEST, human_delay
from bot.kernel import encoding, queries
from bot.kernel.change import Change
from bot.kernel.feature import Parts
from bot.kernel.kernel import Kernel
from bot.kernel.room import Press, Room, playable_match
from bot.model import Job, MatchRecord, PlannedTurn, Status, StoredCommit
from bot.runtime.base import Refused, log_error
from bot.store.sql import Database
from bot.text import say
from bot.ui import (
    DROP,
    GOOD,
    KEEP,
    PLAN_BUTTON,
    Button,
    Choices,
    Feature,
    Item,
    MotuInteraction,
    autocomplete,
    describe,
    my_seat,
    my_seated_match,
    named_match,
    plan_button_id,
    reply,
    service,
    slash,
)
from engine import EngineError, Match, Seat
from engine.core.escape import escaped
from engine.core.secrecy import has_secrets
from engine.core.typed import suggest_turns
from engine.players.plans import (
    draft_plan,
    foresee,
    must_not_name,
    name_stage,
    read_plan,
    read_spots,
)

PLAN_PLAYS = "plan"
"""The job of a plan that waits so that nobody can tell that it is one."""
MAX_MOVE_CHARACTERS = 200
"""Characters of a typed move that are read back."""


class Plans:
    """The plans of all matches."""

    def __init__(self, kernel: Kernel) -> None:
        self._kernel = kernel

    # Made and dropped by their owners.

    async def propose(self, press: Press, move: str, unless: str) -> tuple[PlannedTurn, Room]:
        """Make a plan, for its owner to read and keep; refuse with the reason.

        Returns it with the match as it may stand when it is played, with its answers drafted.
        """

        def come_back(change: Change) -> Change:
            # Somebody who plans for their seat does not want a computer to play it.
            match = playable_match(change.before, seat)
            if seat not in match.away:
                return change
            return change.play(match.hand_over(seat, to_computer=False))

        def write_down(change: Change) -> Change:
            _must_not_be_asked(change.before, seat)
            return _replace_plan(change, seat, plan)

        pipeline = self._kernel.pipeline
        seat = (await self._kernel.matches.find(press.match)).own_seat(press.user)
        room = (await pipeline.change(press.match, come_back)).after
        _must_not_be_asked(room, seat)
        context = SeatContext.of(room, seat)
        spots = read_spots(context, unless)
        foreseen = await asyncio.to_thread(read_plan, context, move)
        plan = PlannedTurn(
            id=press.interaction,
            seat=seat,
            move=move,
            answers=foreseen.answers,
            meant=foreseen.meant,
            stages=foreseen.stages,
            unless=spots,
            since=room.playing().number,
        )
        await pipeline.change(press.match, write_down, press.interaction)
        return plan, replace(room, match=foreseen.match)

    async def keep(self, press: Press, plan: int) -> Room:
        """Keep the plan of that id, so that it is played."""

        def keep(change: Change, found: PlannedTurn) -> Change:
            if found.dropped:
                raise Refused("plan.gone")
            _must_not_be_asked(change.before, Seat(found.seat))
            return _replace_plan(change, found.seat, replace(found, kept=True))

        return await self._change_own(press, plan, keep)

    async def drop(self, press: Press, plan: int) -> Room:
        """Drop the plan of that id, or the note that it was cancelled."""
        return await self._change_own(
            press, plan, lambda change, found: _replace_plan(change, found.seat)
        )

    async def _change_own(
        self, press: Press, plan: int, act: Callable[[Change, PlannedTurn], Change]
    ) -> Room:
        """Change the plan of that id; refuse if it is not the user's any more."""

        def change_own(change: Change) -> Change:
            found = change.before.plan_of(change.before.own_seat(press.user))
            if found is None or found.id != plan:
                raise Refused("plan.gone")
            return act(change, found)

        changed = await self._kernel.pipeline.change(press.match, change_own, press.interaction)
        return changed.after

    # Played.

    async def play_later(self, job: Job) -> None:
        """Play a plan that has waited so that nobody can tell that it is one."""

        def play(change: Change) -> Change:
            room = change.before
            seat = room.seat_of(job.user)
            plan = room.plan_of(seat) if seat is not None else None
            if plan is None or room.record.status is not Status.RUNNING:
                return change
            stood = room.playing()
            if not 0 < plan.at <= change.now or not _is_asked(replace(plan, at=0), stood):
                return change
            if stood.draft(Seat(plan.seat)).answers:
                # Its owner has begun to answer.
                return _cancel(change, plan, say("plan.drafted"))
            return _play(change, plan)

        changed = await self._kernel.pipeline.change(job.match, play)
        if changed.after.is_paused:
            await self._kernel.scheduler.postpone(job, LATEST)


def commits_since_plans(db: Database, record: MatchRecord) -> list[StoredCommit]:
    """Return the commits since the oldest plan that is bound to spots was made."""
    bound = [plan.since for plan in record.plans if plan.unless]
    return queries.commits(db, record.id, min(bound)) if bound else []


def _replace_plan(change: Change, seat: int, *plan: PlannedTurn) -> Change:
    """Replace a seat's plan, or remove it."""
    others = [other for other in change.after.record.plans if other.seat != seat]
    return change.update(plans=(*others, *plan))


def _cancel(change: Change, plan: PlannedTurn, why: str) -> Change:
    """Keep a plan only as the note why it was not played."""
    return _replace_plan(change, plan.seat, replace(plan, dropped=why, at=0))


def _must_not_be_asked(room: Room, seat: Seat) -> None:
    if seat in playable_match(room, seat).waiting_for():
        raise Refused("plan.your_turn")


# Playing it.


def play_out(change: Change) -> Change:
    """Play the plans whose turn a change has brought, and remove those that are over."""
    if not change.after.record.plans or not change.commits:
        return change
    try:
        # Each plan that plays may make it the turn of another.
        for _ in range(2 * len(change.after.record.chairs)):
            change = change.update(plans=tuple(_list_wanted(change)))
            plans, stood = change.after.record.plans, change.after.playing()
            plan = next((plan for plan in plans if _is_asked(plan, stood)), None)
            if plan is None:
                break
            change = _play_or_wait(change, plan)
    except Exception as error:
        # Nobody's turn may fail because of what somebody else has planned.
        log_error(error, f"the plans of match {change.match_id} are dropped")
        return change.update(plans=())
    return change


def _play_or_wait(change: Change, plan: PlannedTurn) -> Change:
    """Play a plan whose turn it is, later if an answer at once would give something away."""
    stood = change.after.playing()
    if not has_secrets(stood.game) and len(stood.waiting_for()) == 1:
        return _play(change, plan)
    at = change.now + human_delay()
    user = change.after.record.chairs[plan.seat].id
    waiting = _replace_plan(change, plan.seat, replace(plan, at=at))
    return waiting.schedule(Job(PLAN_PLAYS, at, change.match_id, user))


def _list_wanted(change: Change) -> Iterator[PlannedTurn]:
    """Yield the plans after a change, without those whose turn their owners took themselves.

    Those whose round is over are cancelled.
    """
    stood = change.after.playing()
    for plan in change.after.record.plans:
        seat = Seat(plan.seat)
        if stood.outcome is not None or seat not in stood.humans():
            continue
        given = {
            answer.kind
            for commit in change.engine_commits
            if commit.seat == seat
            for answer in commit.answers
        }
        if given and (plan.dropped or plan.answers[0][0] in given):
            continue
        question = stood.position.question(seat)
        if plan.at and (question is None or question.kind != plan.answers[0][0]):
            yield replace(plan, at=0)
        elif not plan.dropped and name_stage(stood, seat) not in plan.stages:
            yield replace(plan, dropped=say("plan.round_over"), at=0)
        else:
            yield plan


def _is_asked(plan: PlannedTurn, match: Match) -> bool:
    """Return whether it is a plan's turn, and it is not scheduled yet."""
    may_play = plan.kept and not plan.dropped and not plan.at
    if not may_play or match.outcome is not None or plan.seat not in match.humans():
        return False
    question = match.position.question(Seat(plan.seat))
    return question is not None and question.kind == plan.answers[0][0]


def _play(change: Change, plan: PlannedTurn) -> Change:
    """Play a plan; cancel it with the reason if it is not possible."""
    seat, stood = Seat(plan.seat), change.after.playing()
    try:
        if plan.unless:
            # Everything that has happened since the plan was made.
            earlier = {
                stored.number: encoding.decode_commit(stored, stood.game)
                for stored in change.context[commits_since_plans]
                if stored.number > plan.since
            }
            made = encoding.without_undone(earlier) + change.engine_commits
            events = [event for commit in made for event in commit.events]
            must_not_name(events, seat, plan.unless)
        drafted = draft_plan(stood, seat, plan.answers, plan.meant)
        confirmed = drafted.confirm(seat)
    except EngineError as error:
        return _cancel(change, plan, describe.refusal(change.after, seat, error))
    return _replace_plan(change, seat).play(drafted, confirmed)


# /plan and its buttons.


@slash("plan", dms=True, match="my_match")
async def plan(
    interaction: MotuInteraction, move: str, unless: str = "", match: str | None = None
) -> None:
    """Read a plan back to its owner, with what it would do; a press keeps it."""
    room, seat = await my_seated_match(interaction, match, in_turn=False)
    press = Press(room.record.id, interaction.user.id, interaction.id)
    made, foreseen = await service(interaction, Plans).propose(press, move.strip(), unless)
    lines = "\n".join(describe_draft(SeatContext.of(foreseen, seat)))
    spots = tuple(spot.upper() for spot in made.unless)
    words = say(
        "plan.summary", move=escaped(made.move, MAX_MOVE_CHARACTERS), told=lines, unless=spots
    )
    keep = Button(plan_button_id(room.record.id, made.id, KEEP), say("plan.keep"), GOOD)
    drop = Button(plan_button_id(room.record.id, made.id, DROP), say("plan.drop"))
    await reply.tell(interaction, words, [(keep, drop)])


@plan.autocomplete("move")
@autocomplete
async def _complete_move(interaction: MotuInteraction, current: str) -> Choices:
    room, seat = await my_seated_match(interaction, named_match(interaction), in_turn=False)
    if seat in room.playing().waiting_for():
        return []
    there = await asyncio.to_thread(foresee, room.playing(), seat)
    return suggest_turns(SeatContext.of(room, seat).at(there), current) if there else []


class PlanButton(Item, template=PLAN_BUTTON):
    """Keeps or drops a plan. The panel then says what is planned now."""

    async def on_press(self, interaction: MotuInteraction) -> None:
        """Keep or drop the plan, and show the panel."""
        room = await self.room(interaction)
        seat = my_seat(interaction, room)
        plans, number = service(interaction, Plans), int(self.fields["plan"])
        press = Press(room.record.id, interaction.user.id, interaction.id)
        if self.fields["what"] == KEEP:
            after, notice = await plans.keep(press, number), say("plan.kept")
        else:
            after, notice = await plans.drop(press, number), say("plan.dropped_now")
        await show_panel(interaction, after, seat, notice)


def build(kernel: Kernel) -> Parts:
    """Make what plays plans when their turn comes."""
    plans = Plans(kernel)
    return Parts(
        services=(plans,),
        jobs={PLAN_PLAYS: plans.play_later},
        needs=(commits_since_plans,),
        auto_moves=(play_out,),
    )


FEATURE = Feature(name="plans", build=build, commands=(plan,), items=(PlanButton,))
