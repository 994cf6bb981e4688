"""/review and its button: how a finished match was won, and what would have been better.

A worker process computes the review (engine/players); here it is put into words and pictures.
"""

from bisect import bisect_left
from itertools import pairwise
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from bot.features.history.moments import load_timeline, make_moment_id
from bot.features.play import advice
from bot.features.play.panel import SeatContext
from bot.kernel import encoding
from bot.kernel.room import Room
from bot.model import Status
from bot.runtime.base import Refused
from bot.text import and_list, say
from bot.ui import (
    Button,
    Feature,
    MotuInteraction,
    Picture,
    button_rows,
    describe,
    ended_matches,
    make_turn_button,
    marked_names,
    my_ended_match,
    plain_names,
    reply,
    slash,
)
from bot.ui.long_jobs import LongJobs
from bot.workers.jobs import ReviewJob
from engine import Commit, Match
from engine.players.review import Moment, Review

CHANCE_STEP = 5
"""Percent to which a chance to win is rounded: it is not known any better."""
MAX_SHOWN_PHASES = 12
"""The most phases marked in a chart: with more, nobody could tell them apart."""


@slash("review", dms=True)
async def review(interaction: MotuInteraction, match: str | None = None) -> None:
    """Show a chart of a match, and the moments that decided it."""
    await show_review(interaction, await my_ended_match(interaction, match))


review.autocomplete("match")(ended_matches)


class Analysis(Struct, frozen=True):
    """A finished match with its review."""

    numbers: tuple[int, ...]
    """The number of each stored commit, the set-up first."""
    commits: tuple[Commit, ...]
    positions: tuple[Match, ...]
    """The positions before the first commit, and after each."""
    review: Review

    @property
    def phases(self) -> tuple[int, ...]:
        """Return the indexes of the commits that began a new phase; none if there are too many."""
        stages = [position.view(None).stage() for position in self.positions[:-1]]
        changes = [
            index for index, (before, after) in enumerate(pairwise(stages), 1) if before != after
        ]
        return tuple(changes) if len(changes) <= MAX_SHOWN_PHASES else ()


async def analyse(interaction: MotuInteraction, room: Room, what: str) -> Analysis:
    """Review a match in a worker, and show its progress meanwhile; `what` says what it is for."""
    if room.record.status is not Status.FINISHED:
        raise Refused("refusal.no_review")
    client, game = interaction.client, room.playing().game
    stored_commits = encoding.main_line(await client.kernel.matches.commits(room.record.id), game)
    commits = tuple(encoding.decode_commit(stored, game) for stored in stored_commits[1:])
    if not commits:
        raise Refused("refusal.nothing_to_review")
    games = {game.id: game}
    positions = tuple(encoding.decode_position(stored.snapshot, games) for stored in stored_commits)
    job = ReviewJob(
        game.id,
        tuple(msgspec.json.encode(position.base) for position in positions),
        tuple(replace(commit, events=()) for commit in commits),
    )
    long_jobs = client.services.require(LongJobs)
    review: Review = await long_jobs.do(interaction, room.record.id, job, what)
    return Analysis(tuple(stored.number for stored in stored_commits), commits, positions, review)


async def show_review(interaction: MotuInteraction, room: Room) -> None:
    """Show the user the review of a match, privately."""
    analysis = await analyse(interaction, room, say("review.what"))
    client, review = interaction.client, analysis.review
    timeline = await load_timeline(client.kernel, room)
    lines = [say("review.title", game=describe.title(room))]
    if review.chances:
        lines.append(describe_chances(room, review))
    labels: dict[int, list[str]] = {}
    boards: list[Picture | None] = []
    marked_moments: list[tuple[str, int, int]] = []
    for label, moment in enumerate(review.moments, start=1):
        before = Room(room.record, analysis.positions[moment.number - 1])
        commit = analysis.commits[moment.number - 1]
        number = analysis.numbers[moment.number]
        lines.append(moment_text(before, moment, commit, label, number))
        shown_moment = min(bisect_left(timeline.numbers, number), timeline.last)
        # Several turns may share a post; then one button leads to all of them.
        labels.setdefault(shown_moment, []).append(str(label))
        # The board as the seat saw it, with rings around the better turn, or else the one played.
        context = SeatContext.of(before, moment.seat)
        _, spots = context.label_turn(moment.better or commit.answers)
        ringed = "advised" if moment.better else "played"
        board = await describe.draw_board(client, before, moment.seat, rings=spots, ringed=ringed)
        boards.append(board and replace(board, name=f"moment-{label}.png"))
        marked_moments.append((str(label), moment.number, int(moment.seat)))
    if not review.moments:
        lines.append(say("review.even"))
    curves = await client.pictures.draw(
        draw_curves,
        describe.title(room),
        review.expected,
        plain_names(room),
        marked_moments,
        analysis.phases,
    )
    rows = button_rows(
        Button(
            make_moment_id(room.record.id, shown_moment),
            say("review.show", number=len(alike), labels=and_list(alike)),
        )
        for shown_moment, alike in labels.items()
    )
    await reply.show(interaction, "\n".join(lines), rows, [curves, *boards])


def draw_curves(
    title: str,
    expected: tuple[tuple[float, ...], ...],
    names: tuple[str, ...],
    marked: list[tuple[str, int, int]],
    phases: tuple[int, ...],
) -> Picture:
    """Draw the points that everybody could expect after every commit, with moments marked."""
    # Pillow is loaded when it is needed, in a drawing thread.
    from render import curves

    alt = say("review.alt", names, points=expected[-1], number=len(expected) - 1)
    moments = [curves.MarkedMoment(*moment) for moment in marked]
    return Picture(curves.draw(title, expected, names, moments, phases), alt, "review.png")


def describe_chances(room: Room, review: Review) -> str:
    """Describe how likely everybody was to win at half-time, and later."""
    names = marked_names(room)
    texts = []
    for chances in review.chances:
        each = []
        for seat, chance in enumerate(chances):
            percent = CHANCE_STEP * round(100 * chance / CHANCE_STEP)
            percent = max(CHANCE_STEP, min(100 - CHANCE_STEP, percent))
            each.append(say("review.chance", names, seat=seat, percent=percent))
        texts.append(and_list(each))
    half, later = texts
    return say("review.chances", half=half, later=later)


def moment_text(before: Room, moment: Moment, commit: Commit, label: int, number: int) -> str:
    """Return a sentence that says what would have been better in a turn, or what it gained."""
    context = SeatContext.of(before, moment.seat)
    better, played = moment.better, commit.answers
    facts: dict[str, Any] = {
        "label": label,
        "number": number,
        "seat": moment.seat,
        "played": advice.name_turn(context, played, better),
        **advice.describe_lead(moment.points, moment.bonus),
    }
    if not better:
        why = advice.describe_reasons(context, played, (), ())
        return say("review.gain", marked_names(before), **facts, why=and_list(why))
    why = advice.describe_reasons(context, better, played, moment.parts)
    facts["better"] = advice.name_turn(context, better, played)
    return say("review.moment", marked_names(before), **facts, why=and_list(why))


FEATURE = Feature(
    name="review", commands=(review,), items=(make_turn_button("review", show_review),)
)
