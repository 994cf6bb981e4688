"""The private panel: opened, pressed, shown again; /play, /undo, /resign do the same by keyboard.

Below: /board, /hand, /log, and the buttons that show the same.

One press on Confirm goes from `PanelControl.on_press` to `Play.confirm` (service.py), through the
pipeline, and comes back as an Update, from which `make_move` builds the panel (panel.py) that
`show_panel` sends.
"""

import io
from collections.abc import Awaitable
from itertools import count
from typing import Any

import discord
import msgspec
from msgspec.structs import replace

from bot.features.catch_up import Notes
from bot.features.history.moments import show_typed_moment
from bot.features.history.transcripts import export_match
from bot.features.play import advice
from bot.features.play import panel as ids
from bot.features.play.panel import Control, Panel, SeatContext, build_offers, build_panel
from bot.features.play.service import Play, must_have_hints
from bot.features.reminders.commands import with_welcome
from bot.kernel.encoding import undone
from bot.kernel.room import Press, Room, Update, as_they_sat, everybody
from bot.model import Status
from bot.posts import turn_message
from bot.runtime.base import BotError, Refused, StoreError
from bot.text import say
from bot.ui import (
    CONTENT,
    GRAVE,
    ROWS,
    STRONG,
    Button,
    Choices,
    Item,
    LateEdits,
    MotuInteraction,
    Picture,
    autocomplete,
    describe,
    escaped,
    games_button_id,
    hidden_players,
    lines_within,
    marked_names,
    my_match,
    my_seat,
    my_seated_match,
    named,
    named_match,
    plain_names,
    reply,
    seat_of,
    service,
    slash,
)
from engine import Commit, EngineError, Seat, UnreadableTurn
from engine.core.typed import read_turn, suggest_turns

MAX_MEANWHILE_CHARACTERS = 500
"""For what computers did after a turn, before the panel is shown again."""
MAX_OUTCOME_LINES = 20
"""For what a turn led to."""
MAX_LOG_LINES = 40
"""Log entries shown in a message; the file has them all."""


# Pressing its controls.


class PanelControl(Item, template=ids.CONTROL):
    """A button or menu of a private panel."""

    async def on_press(self, interaction: MotuInteraction) -> None:
        """Do what the control is for, and show what came of it."""
        control = msgspec.convert(self.fields, Control, strict=False)
        room = await named(interaction, control.match)
        seat = my_seat(interaction, room)
        if seat != control.seat:
            raise Refused("refusal.other_seat")
        if not all(ids.KEY.fullmatch(value) for value in self.values):
            raise Refused("refusal.foreign_choice")
        press = Press(control.match, interaction.user.id, interaction.id, control.turn)
        keys = self.values or control.keys
        is_stale = room.playing().turn(seat) != control.turn
        match control.sort:
            case ids.GROUPS | ids.OFFER | ids.VIEW if is_stale:
                await show_panel(interaction, room, seat, say("panel.too_late"))
            case ids.GROUPS | ids.VIEW:
                await show_panel(interaction, room, seat, page=control.page)
            case ids.OFFER:
                await show_offers(interaction, room, seat, control.kind, keys, control.page)
            case ids.HINT if control.key != ids.TAKE:
                await show_hint(interaction, room, seat)
            case ids.LESSON:
                await end_lesson(interaction, press, plays_on=control.key == ids.PLAY_ON)
            case _:
                move = begin_move(service(interaction, Play), press, control, room, keys)
                await make_move(interaction, room, seat, move, control.kind, keys)


def begin_move(
    play: Play, press: Press, control: Control, room: Room, keys: tuple[str, ...]
) -> Awaitable[Update]:
    """Return the move that a control stands for, to be awaited."""
    match control.sort:
        case ids.HINT:
            return play.take_hint(press, room, Seat(control.seat))
        case ids.UNDO:
            return play.undo(press, everything=control.key == ids.ALL)
        case ids.CONFIRM:
            return play.confirm(press)
        case ids.RESIGN:
            return play.resign(press)
    return play.pick(press, control.kind, keys)


async def show_offers(
    interaction: MotuInteraction,
    room: Room,
    seat: Seat,
    kind: str,
    keys: tuple[str, ...],
    page: str = "",
) -> None:
    """Show what a seat may do at any time, or ask whether to take those options of an offer."""
    try:
        panel = build_offers(room, seat, kind, keys, page)
    except EngineError as error:
        await show_panel(interaction, room, seat, describe.refusal(room, seat, error))
    else:
        await send_panel(interaction, panel)


async def end_lesson(interaction: MotuInteraction, press: Press, plays_on: bool) -> None:
    """Let the coach go, and the match too unless it is played on."""
    room = await service(interaction, Play).leave_lesson(press, plays_on)
    panel = build_panel(room, room.own_seat(press.user))
    if room.record.status is Status.CALLED_OFF:
        panel = replace(panel, text=say("lesson.ended", game=room.record.game))
    await send_panel(interaction, panel)


async def show_hint(interaction: MotuInteraction, room: Room, seat: Seat) -> None:
    """Show what a strong player would do, in words and ringed on the board."""
    must_have_hints(room)
    if seat not in room.playing().waiting_for():
        await open_panel(interaction, room)
        return
    thought = await interaction.client.kernel.computers.advice(room, seat)
    message = interaction.message.id if interaction.message is not None else 0
    # Not if the user has pressed something else while it was thought about.
    if service(interaction, LateEdits).is_newest(interaction, message):
        await send_panel(interaction, advice.build_hint(room, seat, thought))


async def make_move(
    interaction: MotuInteraction,
    room: Room,
    seat: Seat,
    move: Awaitable[Update],
    kind: str = "",
    keys: tuple[str, ...] = (),
) -> None:
    """Await a move and show the panel after it, with the reason if it was refused.

    The keys are what was pressed of that kind of question: the panel says if they are no longer
    possible because the press came too late.
    """
    try:
        update = await move
    except (BotError, EngineError) as error:
        room = await interaction.client.kernel.matches.find(room.record.id)
        await show_panel(interaction, room, seat, describe.refusal(room, seat, error))
        if isinstance(error, StoreError):
            reply.look_if_saved(interaction)
        return
    notice = ""
    if update.stale:
        notice = say("panel.too_late", why=describe.why_gone(update.room, seat, kind, keys))
    elif update.committed:
        notice = outcome_text(update)
    await show_panel(interaction, update.room, update.seat, notice)


def outcome_text(update: Update) -> str:
    """Say what a move led to and what computers did after it.

    A player who has given up a seat learns no more of its secrets.
    """
    room = update.room
    viewer = None if update.seat in room.playing().resigned else update.seat
    told = describe.told(room, update.events, viewer)
    lines = [say("panel.done"), *told[:MAX_OUTCOME_LINES]]
    meanwhile = describe.told_each(room, update.meanwhile, viewer, MAX_MEANWHILE_CHARACTERS)
    if meanwhile:
        lines.append(say("panel.meanwhile", told=meanwhile))
    return "\n".join(lines)


# Showing a panel.


async def open_panel(interaction: MotuInteraction, room: Room) -> None:
    """Show somebody their panel, drawn afresh."""
    seat = my_seat(interaction, room)
    notice = say("panel.paused", why=room.why_paused) if room.is_paused else ""
    if seat in room.playing().away and room.record.status is Status.RUNNING:
        # A computer has played for them: somebody who opens their panel is back.
        press = Press(room.record.id, interaction.user.id, interaction.id)
        room = (await service(interaction, Play).come_back(press)).room
        notice = say("time.you_are_back")

    async def show(*welcome: str) -> None:
        text = "\n".join(filter(None, (notice, *welcome)))
        await show_panel(interaction, room, seat, text)

    await with_welcome(interaction, show)


async def show_panel(
    interaction: MotuInteraction, room: Room, seat: Seat, notice: str = "", page: str = ""
) -> None:
    """Show a seat its panel; in a lesson a coach's advice may follow in another edit."""
    client = interaction.client
    computers, late_edits = client.kernel.computers, client.services.require(LateEdits)
    if not room.record.terms.lesson:
        await send_panel(interaction, build_panel(room, seat, page, notice))
        return

    async def add_advice() -> None:
        """Add the coach's advice, unless the user has gone on meanwhile."""
        try:
            thought = await computers.advice(room, seat)
        except Refused:
            thought = None
        now = await client.kernel.matches.find(room.record.id)
        if now.record.terms.lesson and now.playing().turn(seat) == room.playing().turn(seat):
            panel = advice.build_lesson(room, seat, page, notice, thought)
            await late_edits.edit(interaction, message, lambda: send_panel(interaction, panel))

    known = computers.known_advice(room, seat)
    is_thinking = known is None and advice.needs_thought(SeatContext.of(room, seat))
    panel = advice.build_lesson(room, seat, page, notice, known, is_thinking)
    message = await send_panel(interaction, panel)
    if is_thinking:
        late_edits.begin(add_advice())


async def send_panel(interaction: MotuInteraction, panel: Panel) -> int:
    """Show text, controls and the private picture in one edit; return the message's id."""
    client, user = interaction.client, interaction.user.id
    room, seat, rows = panel.context.room, panel.context.seat, panel.rows
    if line := _describe_time(interaction, room, seat):
        panel = panel.add_line(line)
    if not room.awaits(user) and len(rows) < ROWS:
        # Nothing waits for them here: show the way to the next match that does.
        waiting = [
            other
            for other in await client.kernel.matches.waiting_for(user)
            if other.record.id != room.record.id
        ]
        if waiting:
            following = games_button_id("next", 0, room.record.id)
            row = (
                Button(following, say("games.next", number=len(waiting)), STRONG),
                Button(games_button_id("mine"), say("games.mine")),
            )
            rows = (*rows, row)
    notes = client.services.get(Notes)
    if notes is not None and (note := await notes.of(room, user)):
        panel = panel.add_line(say("note.shown", text=escaped(note, len(note))))
    pictures = [await draw_private_board(interaction, panel)]
    if panel.with_scores:
        view, names = room.playing().view(seat), plain_names(room)
        pictures.append(await client.pictures.score_sheet(view, names, so_far=True))
    return await reply.show(interaction, panel.text, rows, pictures)


def _describe_time(interaction: MotuInteraction, room: Room, seat: Seat) -> str:
    """Say how much time a seat has; '' if no clock runs for it."""
    clocks = interaction.client.kernel.clocks
    deadline = clocks.deadline(room, seat)
    if deadline is None or room.playing().outcome is not None:
        return ""
    if confirmed_at := clocks.confirmed_at(room, seat):
        return say("time.proposed", at=confirmed_at)
    if room.is_expired(seat):
        return say("time.expired")
    return say("time.deadline", at=deadline)


async def draw_private_board(interaction: MotuInteraction, panel: Panel) -> Picture | None:
    """Draw the board as a seat sees it, with its draft and legal spots; None if that fails."""
    client, room, seat = interaction.client, panel.context.room, panel.context.seat
    news = await client.kernel.matches.news(room, seat)
    return await describe.draw_board(
        client,
        room,
        seat,
        (*news, *panel.context.draft.events),
        panel.context.view,
        rings=panel.rings,
        ringed=panel.ringed,
        question=panel.question,
    )


# The keyboard way.


@slash("play", dms=True, match="my_match")
async def play(
    interaction: MotuInteraction, move: str | None = None, match: str | None = None
) -> None:
    """Open the panel, or make a typed move."""
    room, seat = await my_seated_match(interaction, match)
    # Whatever is typed, a paused match takes no moves, and the panel says so.
    if move is None or not move.strip() or room.is_paused:
        await open_panel(interaction, room)
        return
    try:
        turn = read_turn(SeatContext.of(room, seat), move)
    except UnreadableTurn:
        # Said below, once the match has moved on.
        turn = None
    if turn and turn.is_offer and not turn.is_confirmed:
        # The panel asks whether to take it.
        ((kind, keys),) = turn.answers
        await show_offers(interaction, room, seat, kind, keys)
        return
    press = Press(room.record.id, interaction.user.id, interaction.id, room.playing().turn(seat))
    made = service(interaction, Play).play(
        press, lambda room, seat: read_turn(SeatContext.of(room, seat), move).steps
    )
    await make_move(interaction, room, seat, made)


@play.autocomplete("move")
@autocomplete
async def _complete_move(interaction: MotuInteraction, current: str) -> Choices:
    room, seat = await my_seated_match(interaction, named_match(interaction))
    return suggest_turns(SeatContext.of(room, seat), current)


@slash("undo", dms=True, match="my_match")
async def undo(interaction: MotuInteraction, all: bool = False, match: str | None = None) -> None:
    """Take back the last pick of the draft; without a draft, the last turn."""
    room, seat = await my_seated_match(interaction, match)
    press = Press(room.record.id, interaction.user.id, interaction.id)
    undone = service(interaction, Play).undo(press, everything=all)
    await make_move(interaction, room, seat, undone)


@slash("resign", dms=True, match="my_match")
async def resign(interaction: MotuInteraction, match: str | None = None) -> None:
    """Ask whether to give the seat up."""
    room, seat = await my_seated_match(interaction, match, in_turn=False)
    playing = room.playing()
    if room.is_over:
        raise Refused("refusal.over")
    if seat in playing.resigned:
        raise Refused("refusal.resigned_already")
    yes = Button(
        SeatContext.of(room, seat).make_custom_id(ids.RESIGN), say("panel.resign_yes"), GRAVE
    )
    ends = len(playing.humans()) <= 2
    said = say("panel.resign", **describe.facts(room), ends=ends)
    await reply.tell(interaction, said, [(yes,)])


# Looking at a match without touching it.


@slash("board", dms=True, extras=reply.IF_SLOW)
async def board(
    interaction: MotuInteraction,
    mine: bool = False,
    text: bool = False,
    public: bool = False,
    at: str = "",
    match: str | None = None,
) -> None:
    """Show the board, public or one's own, drawn or in words, as it is now or was at a moment."""
    room = await my_match(interaction, match, seated=mine and not at.strip())
    room.playing()
    is_here = interaction.channel_id == room.record.place.posts_to
    is_public = public and is_here and not mine and not text
    if at.strip():
        await show_typed_moment(interaction, room, at, mine, text, is_public)
        return
    seat = my_seat(interaction, room) if mine else None
    if text:
        await _show_board_in_words(interaction, room, seat)
    else:
        await show_board(interaction, room, seat, public=is_public)


async def _show_board_in_words(interaction: MotuInteraction, room: Room, seat: Seat | None) -> None:
    """Show the board in words; to a seat with its question and what it can choose."""
    scene: dict[str, Any] = {}
    if seat is not None:
        panel = build_panel(room, seat)
        scene = {"rings": panel.rings, "question": panel.question}
        if asked := panel.context.asked:
            scene["choices"] = tuple(panel.context.label(asked, option) for option in asked.options)
    view, pictures = room.playing().view(seat), interaction.client.pictures
    words = await pictures.words("text_board", view, plain_names(room), **scene)
    await reply.show_words(interaction, words)


async def show_board(
    interaction: MotuInteraction,
    room: Room,
    seat: Seat | None,
    hand: str = "",
    public: bool = False,
) -> None:
    """Show the board as a seat sees it, with its draft, or as everyone does.

    `hand` is what the seat holds, in words.
    """
    client, match = interaction.client, room.playing()
    lines = [f"**{describe.title(room)}**"]
    lines += [describe.whose_turn(room)] if match.outcome is None else describe.ranking_lines(room)
    lines += describe.status_lines(room, seat)
    picture: Picture | None
    if seat is None:
        news = await client.kernel.matches.news(room, None)
        picture = await describe.draw_board(client, room, events=news)
    else:
        lines += hand.splitlines()
        drafted = describe.told_singly(room, match.draft(seat).events, seat)
        lines += [say("look.drafted", told=line) for line in drafted]
        picture = await draw_private_board(interaction, build_panel(room, seat))
    # With the buttons of a turn: nobody has to look for the message that has them.
    rows = turn_message.turn_rows(room)
    await reply.show(interaction, "\n".join(lines), rows, [picture], public=public)


async def show_view(interaction: MotuInteraction, room: Room) -> None:
    """Show a player the board as they see it, and a watcher what everyone sees."""
    await show_board(interaction, room, seat_of(interaction, room))


@slash("hand", dms=True, match="my_match")
async def hand(interaction: MotuInteraction, match: str | None = None) -> None:
    """Show what a player holds, in words, and the board as they see it."""
    room, seat = await my_seated_match(interaction, match)
    view, pictures = room.playing().view(seat), interaction.client.pictures
    held = await pictures.words("hand", view, marked_names(room))
    await show_board(interaction, room, seat, held)


@slash("log", dms=True)
async def log(interaction: MotuInteraction, whole: bool = False, match: str | None = None) -> None:
    """Show the log as the user may know it."""
    room = await my_match(interaction, match)
    await show_log(interaction, room, whole)


async def show_log(interaction: MotuInteraction, room: Room, whole: bool = False) -> None:
    """Show the end of a match's log; a finished match comes as a file too.

    With `whole`, the log of a match that is being played is sent as a file instead.
    """
    seat = seat_of(interaction, room)
    commits = await interaction.client.kernel.matches.log(room.record.id, seat)
    lines = _log_lines(room, commits, seat)
    head = say("match.title", game=describe.title(room), id=room.record.id)
    if whole and not room.is_over:
        await reply.tell(interaction, head, files=_text_file("\n".join(lines), room, "log"))
        return
    newest = lines[-MAX_LOG_LINES:] or [say("look.nothing_yet")]
    shown = lines_within(newest, CONTENT - len(head) - 1, "…")
    rows = [(turn_message.turn_button(room, "fair"),)]
    await reply.tell(
        interaction, "\n".join([head, *shown]), rows, files=await _transcript(interaction, room)
    )


def _log_lines(room: Room, commits: list[Commit], viewer: Seat | None) -> list[str]:
    """Return the log in words: a line for each commit that the viewer may know of."""
    lines: list[str] = []
    by_number = dict(enumerate(commits))
    gone = undone(by_number)
    played_for: set[Seat] = set()
    # A gap in the numbers would tell of a commit that the viewer may know nothing of.
    shown_numbers = count(1)
    for number, commit in by_number.items():
        lines += describe.seats_changed(room, number)
        names = marked_names(Room(as_they_sat(room.record, number)), played_for)
        told = describe.told(room, commit.events, viewer, names)
        if commit.resigned or commit.handed == "computer":
            played_for.add(commit.seat)
        elif commit.handed == "person":
            played_for.discard(commit.seat)
        if told:
            shown = number if room.is_over or not number else next(shown_numbers)
            lines.append(
                say("look.log_entry", number=shown, told=" ".join(told), undone=number in gone)
            )
    return [*lines, *describe.seats_changed(room, len(commits))]


async def show_fairness(interaction: MotuInteraction, room: Room) -> None:
    """Show why nobody can have influenced the dice, and how to check it once the match is over."""
    files = await _transcript(interaction, room)
    await reply.tell(interaction, turn_message.fairness(room), files=files)


async def _transcript(interaction: MotuInteraction, room: Room) -> list[discord.File]:
    """Return a finished match as a file; none while it is played."""
    if not room.is_over:
        return []
    hidden = await hidden_players(interaction.client, everybody(room.record))
    text, _ = await export_match(interaction.client.kernel, room, describe.about(room, hidden))
    return _text_file(text, room, "transcript")


def _text_file(content: str, room: Room, what: str) -> list[discord.File]:
    name = f"{room.record.game}-{room.record.id}-{what}.txt"
    return [discord.File(io.BytesIO(content.encode()), name)]
