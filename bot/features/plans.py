"""/plan: a turn that a player prepares ahead, and that is played as soon as it is their turn.

A plan is checked when it is made, against the position expected for that turn, and again when the
turn comes. If part of it is no longer legal by then, or something has happened on a spot that the
player has named, the plan is cancelled and the player is told why.

Plans are secret. They are stored with the match, not in its log. A plan is played in the same write
as the commit after which it is its owner's turn, so the owner is not pinged. If an instant answer
would reveal to others that there was a plan, it is played later, after a delay like a person's.
"""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager

from msgspec.structs import replace

from bot.features.play.panel import SeatContext, describe_draft
from bot.features.play.presses import show_panel
from bot.features.standing_orders import MAX_DELAY_SECONDS, human_delay
from bot.kernel import encoding, queries
from bot.kernel.change import Change
from bot.kernel.feature import Parts
from bot.kernel.kernel import Kernel
from bot.kernel.languages import speaking_to_player
from bot.kernel.room import Press, Room, playable_match
from bot.model import Job, MatchRecord, PlannedTurn, Status, StoredCommit
from bot.runtime.base import Refused, log_error
from bot.store.sql import Database
from bot.text import say
from bot.ui import (
    DROP,
    GOOD,
    KEEP,
    MATCH,
    PLAN_BUTTON,
    Button,
    Choices,
    Content,
    Entered,
    Feature,
    Form,
    Item,
    MotuInteraction,
    TextField,
    autocomplete,
    describe,
    my_seat,
    my_seated_match,
    named_match,
    open_form,
    plan_button_id,
    reply,
    service,
    slash,
)
from engine import EngineError, Match, Seat
from engine.core.escape import code_text
from engine.core.secrecy import has_secrets
from engine.core.typed import suggest_turns
from engine.players.plans import (
    draft_plan,
    encode_stage,
    foresee,
    read_plan,
    read_spots,
    require_untouched,
)

PLAN_PLAYS = "plan"
"""The kind of job that plays a delayed plan."""
MAX_TYPED_CHARACTERS = 1000
"""The most characters of each text in the form."""
MAX_MOVE_CHARACTERS = 200
"""How much of a typed move the summary repeats."""


class Plans:
    """Makes, keeps, drops and plays planned turns."""

    def __init__(self, kernel: Kernel) -> None:
        self._kernel = kernel

    # Commands of players.

    async def propose(self, press: Press, move: str, unless: str) -> tuple[PlannedTurn, Room]:
        """Make a plan that its owner still has to confirm; refuse with the reason.

        Returns the plan, and the match as expected when it is played, with its answers drafted.
        """

        def come_back(change: Change) -> Change:
            # A player who makes a plan is back, so the computer stops playing for them.
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
        expected = await asyncio.to_thread(read_plan, context, move)
        plan = PlannedTurn(
            id=press.interaction,
            seat=seat,
            move=move,
            answers=expected.answers,
            meant=expected.meant,
            stages=expected.stages,
            unless=spots,
            since=room.playing().number,
        )
        await pipeline.change(press.match, write_down, press.interaction)
        return plan, replace(room, match=expected.match)

    async def keep(self, press: Press, plan: int) -> Room:
        """Confirm a plan, so that it will be played."""

        def keep(change: Change, stored: PlannedTurn) -> Change:
            if stored.dropped:
                raise Refused("plan.gone")
            _must_not_be_asked(change.before, Seat(stored.seat))
            return _replace_plan(change, stored.seat, replace(stored, kept=True))

        return await self._change_own(press, plan, keep)

    async def drop(self, press: Press, plan: int) -> Room:
        """Drop a plan, or dismiss the note that it was cancelled."""
        return await self._change_own(
            press, plan, lambda change, found: _replace_plan(change, found.seat)
        )

    async def _change_own(
        self, press: Press, plan: int, act: Callable[[Change, PlannedTurn], Change]
    ) -> Room:
        """Change the user's plan; refuse if it has been replaced or is gone."""

        def change_own(change: Change) -> Change:
            stored = change.before.plan_of(change.before.own_seat(press.user))
            if stored is None or stored.id != plan:
                raise Refused("plan.gone")
            return act(change, stored)

        changed = await self._kernel.pipeline.change(press.match, change_own, press.interaction)
        return changed.after

    # Jobs.

    async def play_later(self, job: Job) -> None:
        """Play a plan whose delay is over."""

        def play(change: Change) -> Change:
            room = change.before
            seat = room.seat_of(job.user)
            plan = room.plan_of(seat) if seat is not None else None
            if plan is None or room.record.status is not Status.RUNNING:
                return change
            match = room.playing()
            if not 0 < plan.at <= change.now or not _is_asked(replace(plan, at=0), match):
                return change
            if match.draft(Seat(plan.seat)).answers:
                # The player has started to answer in person.
                with _speaking_to_owner(room, plan):
                    return _cancel(change, plan, say("plan.drafted"))
            return _play(change, plan)

        changed = await self._kernel.pipeline.change(job.match, play)
        if changed.after.is_paused:
            await self._kernel.scheduler.postpone(job, MAX_DELAY_SECONDS)


def commits_since_plans(db: Database, record: MatchRecord) -> list[StoredCommit]:
    """Return the commits since the oldest plan with `unless` was made. A `Need` of `play_out`."""
    bound = [plan.since for plan in record.plans if plan.unless]
    return queries.commits(db, record.id, min(bound)) if bound else []


def _replace_plan(change: Change, seat: int, *plan: PlannedTurn) -> Change:
    """Replace a seat's plan; without a new one, remove it."""
    others = [other for other in change.after.record.plans if other.seat != seat]
    return change.update(plans=(*others, *plan))


def _cancel(change: Change, plan: PlannedTurn, why: str) -> Change:
    """Cancel a plan; it stays stored, unplayed, to show its owner why."""
    return _replace_plan(change, plan.seat, replace(plan, dropped=why, at=0))


def _speaking_to_owner(room: Room, plan: PlannedTurn) -> AbstractContextManager[None]:
    """Use the language of a plan's owner, rather than that of the player who has moved."""
    return speaking_to_player(room.record, room.record.chairs[plan.seat].id)


def _must_not_be_asked(room: Room, seat: Seat) -> None:
    match = playable_match(room, seat)
    if match.outcome is not None:
        raise Refused("refusal.over")
    if seat in match.waiting_for():
        raise Refused("plan.your_turn")


# Play plans.


def play_out(change: Change) -> Change:
    """Play the plans whose turn has come with a change, and remove outdated ones. An auto move."""
    if not change.after.record.plans or not change.commits:
        return change
    try:
        # After one plan is played it may be another planned seat's turn. The limit keeps a bug from
        # becoming an endless loop.
        for _ in range(2 * len(change.after.record.chairs)):
            change = change.update(plans=tuple(_list_wanted(change)))
            plans, match = change.after.record.plans, change.after.playing()
            plan = next((plan for plan in plans if _is_asked(plan, match)), None)
            if plan is None:
                break
            change = _play_or_wait(change, plan)
    except Exception as error:
        # A player's move must not fail because of somebody else's plan.
        log_error(error, f"dropped the plans of match {change.match_id}")
        return change.update(plans=())
    return change


def _play_or_wait(change: Change, plan: PlannedTurn) -> Change:
    """Play a plan now, or schedule it if an instant answer would reveal that there was one."""
    match = change.after.playing()
    # In a game without secrets, everyone may know that a decision was planned. But if others
    # decide at the same time, whether this seat has answered already is secret.
    if not has_secrets(match.game) and len(match.waiting_for()) == 1:
        return _play(change, plan)
    at = change.now + human_delay()
    user = change.after.record.chairs[plan.seat].id
    waiting = _replace_plan(change, plan.seat, replace(plan, at=at))
    return waiting.schedule(Job(PLAN_PLAYS, at, change.match_id, user))


def _list_wanted(change: Change) -> Iterator[PlannedTurn]:
    """Yield the plans that remain after a change.

    A plan is removed if its owner has taken the turn in person, and cancelled if its round is over.
    """
    match = change.after.playing()
    for plan in change.after.record.plans:
        seat = Seat(plan.seat)
        if match.outcome is not None or seat not in match.humans():
            continue
        own_commits = [commit for commit in change.engine_commits if commit.seat == seat]
        answered_kinds = {answer.kind for commit in own_commits for answer in commit.answers}
        if answered_kinds and (plan.dropped or plan.answers[0][0] in answered_kinds):
            continue
        question = match.position.question(seat)
        if plan.at and (question is None or question.kind != plan.answers[0][0]):
            yield replace(plan, at=0)
        elif not plan.dropped and encode_stage(match, seat) not in plan.stages:
            with _speaking_to_owner(change.after, plan):
                reason = say("plan.round_over")
            yield replace(plan, dropped=reason, at=0)
        else:
            yield plan


def _is_asked(plan: PlannedTurn, match: Match) -> bool:
    """Whether it is time to play a plan, and it is not scheduled yet."""
    may_play = plan.kept and not plan.dropped and not plan.at
    if not may_play or match.outcome is not None or plan.seat not in match.humans():
        return False
    question = match.position.question(Seat(plan.seat))
    return question is not None and question.kind == plan.answers[0][0]


def _play(change: Change, plan: PlannedTurn) -> Change:
    """Play a plan, or cancel it with a reason in its owner's language."""
    with _speaking_to_owner(change.after, plan):
        return _play_or_cancel(change, plan)


def _play_or_cancel(change: Change, plan: PlannedTurn) -> Change:
    """Play a plan; cancel it with the reason if that is not possible."""
    seat, match = Seat(plan.seat), change.after.playing()
    try:
        if plan.unless:
            # Look at everything that has happened since the plan was made.
            logged = {
                stored.number: encoding.decode_commit(stored, match.game)
                for stored in change.context[commits_since_plans]
                if stored.number > plan.since
            }
            commits = encoding.without_undone(logged) + change.engine_commits
            events = [event for commit in commits for event in commit.events]
            require_untouched(events, seat, plan.unless)
        drafted = draft_plan(match, seat, plan.answers, plan.meant)
        confirmed = drafted.confirm(seat)
    except EngineError as error:
        return _cancel(change, plan, describe.refusal(change.after, seat, error))
    return _replace_plan(change, seat).play(drafted, confirmed)


# /plan and its buttons.


@slash("plan", dms=True, match="my_match", extras=reply.MAY_OPEN_FORM)
async def plan(
    interaction: MotuInteraction, move: str = "", unless: str = "", match: str | None = None
) -> None:
    """Plan the user's next turn; without a move, open a form for it."""
    room, seat = await my_seated_match(interaction, match, in_turn=False)
    if move.strip():
        await propose_plan(interaction, room, seat, move, unless)
    else:
        await open_form(interaction, f"plan:{room.record.id}")


class PlanForm(Form, template=rf"plan:{MATCH}", command="plan"):
    """The form for planning the user's next turn."""

    async def content(self, interaction: MotuInteraction) -> Content:
        """Return the current plan; refuse if it is the user's turn already."""
        room = await self.room(interaction)
        seat = my_seat(interaction, room)
        _must_not_be_asked(room, seat)
        current = room.plan_of(seat)
        move = TextField(
            key="move",
            label=say("plan.move"),
            description=say("plan.move_help"),
            value=current.move if current else "",
            is_required=True,
            is_long=True,
            max_length=MAX_TYPED_CHARACTERS,
        )
        unless = TextField(
            key="unless",
            label=say("plan.unless"),
            description=say("plan.unless_help"),
            value=" ".join(current.unless) if current else "",
            max_length=MAX_TYPED_CHARACTERS,
        )
        return Content(say("plan.title", game=describe.title(room)), [move, unless])

    async def on_submit(self, interaction: MotuInteraction, entered: Entered) -> None:
        """Show the plan that was read, with buttons to keep or drop it."""
        room = await self.room(interaction)
        seat = my_seat(interaction, room)
        # The text field allows line breaks, which a move typed in a command cannot have.
        move = " ".join(entered.text("move").split())
        await propose_plan(interaction, room, seat, move, entered.text("unless"))


async def propose_plan(
    interaction: MotuInteraction, room: Room, seat: Seat, move: str, unless: str
) -> None:
    """Show the user a summary of their plan, with buttons to keep or drop it."""
    press = Press(room.record.id, interaction.user.id, interaction.id)
    new_plan, expected = await service(interaction, Plans).propose(press, move.strip(), unless)
    lines = "\n".join(describe_draft(SeatContext.of(expected, seat)))
    spots = tuple(spot.upper() for spot in new_plan.unless)
    text = say(
        "plan.summary", move=code_text(new_plan.move, MAX_MOVE_CHARACTERS), told=lines, unless=spots
    )
    keep = Button(plan_button_id(room.record.id, new_plan.id, KEEP), say("plan.keep"), GOOD)
    drop = Button(plan_button_id(room.record.id, new_plan.id, DROP), say("plan.drop"))
    await reply.tell(interaction, text, [(keep, drop)])


@plan.autocomplete("move")
@autocomplete
async def _complete_move(interaction: MotuInteraction, current: str) -> Choices:
    room, seat = await my_seated_match(interaction, named_match(interaction), in_turn=False)
    if seat in room.playing().waiting_for():
        return []
    expected = await asyncio.to_thread(foresee, room.playing(), seat)
    return suggest_turns(SeatContext.of(room, seat).at(expected), current) if expected else []


class PlanButton(Item, template=PLAN_BUTTON):
    """Keeps or drops a plan."""

    async def on_press(self, interaction: MotuInteraction) -> None:
        """Keep or drop the plan, and show the panel with the result."""
        room = await self.room(interaction)
        seat = my_seat(interaction, room)
        plans, number = service(interaction, Plans), int(self.fields["plan"])
        press = Press(room.record.id, interaction.user.id, interaction.id)
        if self.fields["what"] == KEEP:
            room_after, notice = await plans.keep(press, number), say("plan.kept")
        else:
            room_after, notice = await plans.drop(press, number), say("plan.dropped_now")
        await show_panel(interaction, room_after, seat, notice)


def build(kernel: Kernel) -> Parts:
    """Connect plans to the kernel."""
    plans = Plans(kernel)
    return Parts(
        services=(plans,),
        jobs={PLAN_PLAYS: plans.play_later},
        needs=(commits_since_plans,),
        auto_moves=(play_out,),
    )


FEATURE = Feature(
    name="plans", build=build, commands=(plan,), items=(PlanButton,), forms=(PlanForm,)
)
