"""/review and its button: how a finished match was won, and what would have been better."""

from typing import Any

import msgspec
from msgspec.structs import replace

from bot.features.play import advice
from bot.features.play.panel import SeatContext
from bot.kernel import encoding
from bot.kernel.room import Room
from bot.model import Status
from bot.runtime.base import Refused
from bot.text import say
from bot.ui import (
    Feature,
    MotuInteraction,
    Picture,
    describe,
    make_turn_button,
    marked_names,
    my_match,
    plain_names,
    reply,
    slash,
)
from bot.ui.long_jobs import LongJobs
from bot.workers.jobs import ReviewJob
from engine import Commit
from engine.players.review import Moment, Review

MAX_STEPS = 12
"""Steps of a turn that are told."""


@slash("review", dms=True)
async def review(interaction: MotuInteraction, match: str | None = None) -> None:
    """Show the course of a match in a picture, and the moments that decided it."""
    await show_review(interaction, await my_match(interaction, match))


async def show_review(interaction: MotuInteraction, room: Room) -> None:
    """Show the review of a match, to the user alone."""
    if room.record.status is not Status.FINISHED:
        raise Refused("refusal.no_review")
    client, game = interaction.client, room.playing().game
    kept = encoding.line(await client.kernel.matches.commits(room.record.id), game)
    commits = [encoding.decode_commit(stored, game) for stored in kept[1:]]
    if not commits:
        raise Refused("refusal.nothing_to_review")
    positions = [encoding.decode_position(stored.snapshot, {game.id: game}) for stored in kept]
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
        before, commit = Room(room.record, positions[moment.number - 1]), commits[moment.number - 1]
        lines.append(moment_text(before, moment, commit, label, kept[moment.number].number))
        # The board as the seat saw it: what would have been better is ringed, or else what it did.
        context = SeatContext.of(before, moment.seat)
        _, spots = context.label_turn(moment.better or commit.answers)
        ringed = "advised" if moment.better else "played"
        board = await describe.draw_board(client, before, moment.seat, rings=spots, ringed=ringed)
        boards.append(board and replace(board, name=f"moment-{label}.png"))
        marked.append((str(label), moment.number, int(moment.seat)))
    if not made.moments:
        lines.append(say("review.even"))
    curves = await client.pictures.draw(
        draw_curves, describe.title(room), made.expected, plain_names(room), marked
    )
    await reply.show(interaction, "\n".join(lines), pictures=[curves, *boards])


def draw_curves(
    title: str,
    expected: tuple[tuple[float, ...], ...],
    names: tuple[str, ...],
    marked: list[tuple[str, int, int]],
) -> Picture:
    """Draw the points that everybody could expect after every commit, with moments marked."""
    # Pillow is loaded when it is needed, in a drawing thread.
    from render import curves

    alt = say("review.alt", names, points=expected[-1], number=len(expected) - 1)
    moments = [curves.Marked(*moment) for moment in marked]
    return Picture(curves.draw(title, expected, names, moments), alt, "review.png")


def moment_text(before: Room, moment: Moment, made: Commit, label: int, number: int) -> str:
    """Say of a turn what was played, what would have been better, and why."""
    context = SeatContext.of(before, moment.seat)
    played, _ = context.label_turn(made.answers)
    facts: dict[str, Any] = {
        "label": label,
        "number": number,
        "seat": moment.seat,
        "played": advice.join_steps(advice.shorten_steps(played, MAX_STEPS)),
        "part": advice.list_reasons(context.words, moment.parts),
        **advice.describe_lead(moment.points, moment.bonus),
    }
    if not moment.better:
        return say("review.gain", marked_names(before), **facts)
    better, _ = context.label_turn(moment.better)
    shortened = advice.shorten_steps(better, MAX_STEPS)
    facts["better"] = advice.describe_difference(played, shortened)
    return say("review.moment", marked_names(before), **facts)


FEATURE = Feature(
    name="review", commands=(review,), items=(make_turn_button("review", show_review),)
)
