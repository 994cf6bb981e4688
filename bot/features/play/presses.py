"""The private panel: opened, pressed, shown again. /play, /undo and /resign are the keyboard way to
the same.

One press on Confirm goes from `PanelControl.on_press` to `Play.confirm` (service.py), through the
pipeline, and comes back as an Update, from which `make_move` builds the panel (panel.py) that
`show_panel` sends.
"""

from collections.abc import Awaitable

import msgspec
from msgspec.structs import replace

from bot.features.catch_up import Notes
from bot.features.play import advice, context, typed
from bot.features.play.context import Control, SeatContext
from bot.features.play.panel import Panel, build_offers, build_panel
from bot.features.play.service import Play, must_have_hints
from bot.features.reminders.commands import with_welcome
from bot.kernel.room import Press, Room, Update
from bot.model.match import Status
from bot.runtime.errors import BotError, Refused, StoreError, log_error
from bot.text import say
from bot.ui import (
    GRAVE,
    ROWS,
    STRONG,
    Button,
    Choices,
    Item,
    LateEdits,
    MotuInteraction,
    NotDrawn,
    Picture,
    Row,
    autocomplete,
    describe,
    escaped,
    games_button_id,
    marked_names,
    my_seat,
    my_seated_match,
    named,
    named_match,
    plain_names,
    reply,
    service,
    slash,
)
from engine import EngineError, Seat

MAX_MEANWHILE_CHARACTERS = 500
"""For what computers did after a turn, before the panel is shown again."""
MAX_OUTCOME_LINES = 20
"""For what a turn led to."""


# Pressing its controls.


class PanelControl(Item, template=context.CONTROL):
    """A button or menu of a private panel."""

    async def on_press(self, interaction: MotuInteraction) -> None:
        """Do what the control is for, and show what came of it."""
        control = msgspec.convert(self.fields, Control, strict=False)
        room = await named(interaction, control.match)
        seat = my_seat(interaction, room)
        if seat != control.seat:
            raise Refused("refusal.other_seat")
        if not all(context.KEY.fullmatch(value) for value in self.values):
            raise Refused("refusal.foreign_choice")
        play = service(interaction, Play)
        press = Press(control.match, interaction.user.id, interaction.id, control.turn)
        keys: tuple[str, ...] = ()
        match control.sort:
            case context.GROUPS | context.OFFER | context.VIEW:
                await show_panel(interaction, turn_page(room, seat, control, self.values))
                return
            case context.HINT if control.key != context.TAKE:
                await show_hint(interaction, room, seat)
                return
            case context.LESSON:
                room = await play.leave_lesson(press, plays_on=control.key == context.PLAY_ON)
                panel = build_panel(room, seat)
                if room.record.status is Status.CALLED_OFF:
                    panel = replace(panel, text=say("lesson.ended", game=room.record.game))
                await show_panel(interaction, panel)
                return
            case context.HINT:
                move = play.take_hint(press, room, seat)
            case context.UNDO:
                move = play.undo(press, everything=control.key == context.ALL)
            case context.CONFIRM:
                move = play.confirm(press)
            case context.RESIGN:
                move = play.resign(press)
            case _:
                keys = self.values if control.sort == context.GROUP else control.keys
                move = play.pick(press, control.kind, keys)
        await make_move(interaction, room, seat, move, control.kind, keys)


def turn_page(room: Room, seat: Seat, control: Control, values: tuple[str, ...]) -> Panel:
    """Return the panel after a press that only turns a page of it."""
    if room.playing().turn(seat) != control.turn:
        return build_panel(room, seat, notice=say("panel.too_late"))
    if control.sort != context.OFFER:
        return build_panel(room, seat, control.key)
    try:
        if control.key.startswith(context.OFFER_PAGE):
            page = control.key.removeprefix(context.OFFER_PAGE)
            return build_offers(room, seat, control.kind, page=page)
        return build_offers(room, seat, control.kind, values or control.keys)
    except EngineError as error:
        return build_panel(room, seat, notice=describe.refusal(room, seat, error))


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
        await show_panel(interaction, advice.build_hint(room, seat, thought))


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
        notice = describe.refusal(room, seat, error)
        await show_panel(interaction, build_panel(room, seat, notice=notice))
        if isinstance(error, StoreError):
            reply.look_if_saved(interaction)
        return
    room = update.room
    if update.stale:
        notice = say("panel.too_late", why=describe.why_gone(room, seat, kind, keys))
        await show_panel(interaction, build_panel(room, seat, notice=notice))
        return
    with reply.answering():
        notice = outcome_text(update) if update.committed else ""
        await show_panel(interaction, build_panel(room, update.seat, notice=notice))


def outcome_text(update: Update) -> str:
    """Say what a move led to and what computers did after it.

    A player who has given up a seat learns no more of its secrets.
    """
    room = update.room
    viewer = None if update.seat in room.playing().resigned else update.seat
    told = describe.told(room, update.events, viewer)
    lines = [say("panel.done"), *told[:MAX_OUTCOME_LINES]]
    meanwhile = describe.told_each(
        room, update.meanwhile, viewer, marked_names(room), MAX_MEANWHILE_CHARACTERS
    )
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
        await show_panel(interaction, build_panel(room, seat, notice=text))

    await with_welcome(interaction, show)


async def show_panel(interaction: MotuInteraction, panel: Panel) -> None:
    """Show text, controls and the private picture in one edit.

    A coach's advice follows in another, if it is not ready yet.
    """
    client, room, seat = interaction.client, panel.context.room, panel.context.seat
    late_edits = client.services.require(LateEdits)

    async def add_advice() -> None:
        """Add the coach's advice, unless the user has gone on meanwhile."""
        try:
            thought = await client.kernel.computers.advice(room, seat)
        except Refused:
            thought = None
        now = await client.kernel.matches.find(room.record.id)
        if now.record.terms.lesson and now.playing().turn(seat) == room.playing().turn(seat):
            drawn = await _draw(interaction, advice.coach(panel, thought))
            await late_edits.edit(interaction, message, lambda: reply.show(interaction, *drawn))

    known = client.kernel.computers.known_advice(room, seat)
    is_thinking = known is None and advice.needs_thought(panel)
    shown = advice.coach(panel, known, is_thinking)
    message = await reply.show(interaction, *await _draw(interaction, shown))
    if is_thinking:
        late_edits.begin(add_advice())


async def _draw(
    interaction: MotuInteraction, panel: Panel
) -> tuple[str, tuple[Row, ...], list[Picture | None]]:
    """Return a panel as its message has it: text, controls and pictures."""
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
    return panel.text, rows, pictures


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
    try:
        news = await client.kernel.announcements.news(room, seat)
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
    except NotDrawn:
        return None
    except Exception as error:
        # A move must never fail for want of its picture.
        log_error(error)
        return None


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
        read = typed.parse(room, seat, move)
    except Refused:
        # Said below, once the match has moved on.
        read = None
    if read and read.offer and not read.is_confirmed:
        # The panel asks whether to take it.
        ((kind, keys),) = read.answers
        await show_panel(interaction, build_offers(room, seat, kind, keys))
        return
    press = Press(room.record.id, interaction.user.id, interaction.id, room.playing().turn(seat))
    made = service(interaction, Play).play(
        press, lambda room, seat: typed.parse(room, seat, move).apply()
    )
    await make_move(interaction, room, seat, made)


@play.autocomplete("move")
@autocomplete
async def _complete_move(interaction: MotuInteraction, current: str) -> Choices:
    room, seat = await my_seated_match(interaction, named_match(interaction))
    return typed.suggest_moves(room, seat, current)


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
        SeatContext.of(room, seat).make_custom_id(context.RESIGN), say("panel.resign_yes"), GRAVE
    )
    ends = len(playing.humans()) <= 2
    said = say("panel.resign", game=describe.title(room), id=room.record.id, ends=ends)
    await reply.tell(interaction, said, [(yes,)])
