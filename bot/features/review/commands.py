"""/review: how a finished match was won, and what would have been better."""

from typing import Any

import msgspec
from discord import app_commands
from msgspec.structs import replace

from bot.features.history.moments import Moments
from bot.features.play import hints
from bot.features.play.context import SeatContext
from bot.kernel import records
from bot.kernel.room import Room
from bot.model.match import Status
from bot.runtime.errors import Refused
from bot.text import say
from bot.ui import completion, describe, reply
from bot.ui.client import MotuInteraction
from bot.ui.long_jobs import LongJobs
from bot.ui.names import marked_names, plain_names
from bot.ui.pictures import Picture
from bot.ui.which_match import my_match
from bot.workers.jobs import ReviewJob
from engine import Commit
from engine.players.review import Moment, Review

MAX_STEPS = 12
"""Steps of a turn that are told."""


@app_commands.allowed_contexts(dms=True)
@app_commands.command(name="review", description=say("command.review.description"))
@app_commands.describe(match=say("command.option.match"))
async def review(interaction: MotuInteraction, match: str | None = None) -> None:
    """Show the course of a match in a picture, and the moments that decided it."""
    await show_review(interaction, await my_match(interaction, match, seated=False))


async def show_review(interaction: MotuInteraction, room: Room) -> None:
    """Show the review of a match, to the user alone."""
    if room.record.status is not Status.FINISHED:
        raise Refused(say("refusal.no_review"))
    client, game = interaction.client, room.playing().game
    kept = records.line(await client.services.require(Moments).commits(room), game)
    commits = [records.commit(stored, game) for stored in kept[1:]]
    if not commits:
        raise Refused(say("refusal.nothing_to_review"))
    positions = [records.position(stored.snapshot, {game.id: game}) for stored in kept]
    job = ReviewJob(
        game.id,
        tuple(msgspec.json.encode(position.base) for position in positions),
        tuple(replace(commit, events=()) for commit in commits),
    )
    long_jobs = client.services.require(LongJobs)
    made: Review = await long_jobs.do(interaction, room.record.id, job, say("review.what"))
    lines = [say("review.title", game=describe.title(room))]
    boards: list[Picture | None] = []
    marked: list[tuple[str, int, int]] = []
    for label, moment in enumerate(made.moments, start=1):
        before = Room(room.record, positions[moment.number - 1])
        commit = commits[moment.number - 1]
        lines.append(moment_text(before, moment, commit, label, kept[moment.number].number))
        boards.append(await _draw_board(interaction, before, moment, commit, label))
        marked.append((str(label), moment.number, int(moment.seat)))
    if not made.moments:
        lines.append(say("review.even"))
    curves = await client.pictures.curves(describe.title(room), made.expected, plain_names(room), tuple(marked))
    with reply.answering():
        await reply.show(interaction, "\n".join(lines), pictures=[curves, *boards])


def moment_text(before: Room, moment: Moment, made: Commit, label: int, number: int) -> str:
    """Say of a turn what was played, what would have been better, and why."""
    context = SeatContext.of(before, moment.seat)
    played, _ = hints.label_turn(context, made.answers)
    better, _ = hints.label_turn(context, moment.better)
    facts: dict[str, Any] = {
        "label": label,
        "number": number,
        "seat": moment.seat,
        "played": hints.join_steps(_shorten(played)),
        "part": hints.list_reasons(context.words, moment.parts),
        **hints.describe_lead(moment.points, moment.bonus),
    }
    if not moment.better:
        return say("review.gain", marked_names(before), **facts)
    facts["better"] = hints.describe_difference(played, _shorten(better))
    return say("review.moment", marked_names(before), **facts)


def _shorten(steps: list[str]) -> list[str]:
    """Return the steps of a turn; of a very long one the first."""
    return steps if len(steps) <= MAX_STEPS else [*steps[:MAX_STEPS], say("lesson.more")]


async def _draw_board(interaction: MotuInteraction, before: Room, moment: Moment, made: Commit, label: int) -> Picture:
    """Draw the board as the seat saw it before its turn.

    What would have been better is ringed, or else what it did.
    """
    _, spots = hints.label_turn(SeatContext.of(before, moment.seat), moment.better or made.answers)
    board = await interaction.client.pictures.board(
        before.playing().view(moment.seat),
        plain_names(before),
        rings=spots,
        ringed="advised" if moment.better else "played",
    )
    return replace(board, name=f"moment-{label}.png")


completion.offer(completion.matches, "match", review)
