"""/review: how a finished match was won, and what would have been better."""

from typing import Any

import msgspec
from discord import app_commands
from msgspec.structs import replace

from bot import reply
from bot.commands import completion
from bot.components.items import Asked
from bot.errors import Refused
from bot.matches import records
from bot.matches.room import Room, Status
from bot.panel import hint
from bot.pictures import Picture
from bot.text import describe, say
from bot.text.names import marked_names, plain_names
from bot.which_match import my_match
from bot.workers.jobs import LookAgain
from engine import Commit
from engine.players.review import Moment, Review

STEPS = 12
"""So many steps of a turn are told."""


@app_commands.command(name="review", description=say("command.review.description"))
@app_commands.describe(match=say("command.option.match"))
async def review(interaction: Asked, match: str | None = None) -> None:
    """The course of a match in a picture, and the moments that decided it."""
    await show_review(interaction, await my_match(interaction, match, seated=False))


async def show_review(interaction: Asked, room: Room) -> None:
    """The review of a match, privately."""
    if room.info.status is not Status.FINISHED:
        raise Refused(say("refusal.no_review"))
    matches = interaction.client.matches
    game = room.playing().game
    kept = records.line(await matches.past.commits(room), game)
    commits = [records.commit(stored, game) for stored in kept[1:]]
    if not commits:
        raise Refused(say("refusal.nothing_to_review"))
    stood = [records.position(stored.snapshot, {game.id: game}) for stored in kept]
    job = LookAgain(
        game.id,
        tuple(msgspec.json.encode(match.base) for match in stood),
        tuple(replace(commit, events=()) for commit in commits),
    )
    made: Review = await interaction.client.long_jobs.do(interaction, room.info.id, job, say("review.what"))
    lines = [say("review.title", game=describe.title(room))]
    boards: list[Picture | None] = []
    for label, moment in enumerate(made.moments, start=1):
        before = Room(room.info, stood[moment.number - 1])
        commit = commits[moment.number - 1]
        lines.append(moment_text(before, moment, commit, label, kept[moment.number].number))
        boards.append(await _board(interaction, before, moment, commit, label))
    if not made.moments:
        lines.append(say("review.even"))
    marked = tuple((str(label), moment.number, int(moment.seat)) for label, moment in enumerate(made.moments, start=1))
    curves = await interaction.client.pictures.curves(describe.title(room), made.expected, plain_names(room), marked)
    with reply.answering():
        await reply.show(interaction, "\n".join(lines), pictures=[curves, *boards])


def moment_text(before: Room, moment: Moment, made: Commit, label: int, number: int) -> str:
    """Return what a review says of a turn: what was played, what would have been better, and why."""
    played, _ = hint.in_labels(before, moment.seat, made.answers)
    better, _ = hint.in_labels(before, moment.seat, moment.better)
    facts: dict[str, Any] = {"label": label, "number": number, "seat": moment.seat}
    facts |= {"played": hint.in_steps(_brief(played)), "part": hint.in_parts(before, moment.parts)}
    facts |= hint.in_points(moment.points, moment.bonus)
    if moment.better:
        facts["better"] = hint.apart(played, _brief(better))
    return say("review.moment" if moment.better else "review.gain", marked_names(before), **facts)


def _brief(labels: list[str]) -> list[str]:
    """The steps of a turn, of a very long one those at its beginning."""
    return labels if len(labels) <= STEPS else [*labels[:STEPS], say("lesson.more")]


async def _board(interaction: Asked, before: Room, moment: Moment, made: Commit, label: int) -> Picture:
    """The board as the seat saw it before its turn, what would have been better ringed, or else what it did."""
    _, spots = hint.in_labels(before, moment.seat, moment.better or made.answers)
    ringed = "advised" if moment.better else "played"
    view = before.playing().view(moment.seat)
    board = await interaction.client.pictures.board(view, plain_names(before), rings=spots, ringed=ringed)
    return replace(board, name=f"moment-{label}.png")


completion.offer(completion.matches, "match", review)


COMMANDS: tuple[app_commands.Command[Any, Any, Any], ...] = (review,)
