"""The private panel: opened, pressed, shown again."""

from collections.abc import Awaitable

from msgspec.structs import replace

from bot.features.catch_up.notes import Notes
from bot.features.play import controls, hints, lessons
from bot.features.play.controls import Control
from bot.features.play.panel import Panel, build_offers, build_panel
from bot.features.play.service import Play
from bot.features.reminders.welcome import with_welcome
from bot.kernel.clocks import Clocks
from bot.kernel.room import Press, Room, Update
from bot.model.match import Status
from bot.runtime.errors import BotError, Refused, StoreError, log_error
from bot.text import say
from bot.ui import describe, reply
from bot.ui.client import MotuInteraction
from bot.ui.components import games_button_id
from bot.ui.late_edits import LateEdits
from bot.ui.names import escaped, marked_names, plain_names
from bot.ui.parts import CONTENT, ROWS, STRONG, Row, button, cut
from bot.ui.pictures import NotDrawn, Picture
from bot.ui.which_match import my_seat, named
from engine import EngineError, Seat

MAX_MEANWHILE_CHARACTERS = 500
"""For what computers did after a turn, before the panel is shown again."""
MAX_OUTCOME_LINES = 20
"""For what a turn led to."""


# Showing a panel.


async def open_panel(interaction: MotuInteraction, room: Room) -> None:
    """Show somebody their panel, drawn afresh."""
    seat = my_seat(interaction, room)
    notice = say("panel.paused", why=room.why_paused) if room.is_paused else ""
    if seat in room.playing().away and room.record.status is Status.RUNNING:
        # A computer has played for them: somebody who opens their panel is back.
        press = Press(room.record.id, interaction.user.id, interaction.id)
        update = await interaction.client.services.require(Play).come_back(press)
        room, notice = update.room, say("time.you_are_back")

    async def show(*welcome: str) -> None:
        text = "\n".join(filter(None, (notice, *welcome)))
        await show_panel(interaction, room, seat, build_panel(room, seat, notice=text))

    await with_welcome(interaction, show)


async def show_panel(interaction: MotuInteraction, room: Room, seat: Seat, panel: Panel) -> None:
    """Show text, controls and the private picture in one edit.

    A coach's advice follows in another, if it is not ready yet.
    """
    known = interaction.client.kernel.computers.known_advice(room, seat)
    is_thinking = known is None and lessons.needs_thought(room, seat, panel)
    first = lessons.coach(room, seat, panel, known, is_thinking)
    message = await reply.show(interaction, *await _draw(interaction, room, seat, first))
    if is_thinking:
        late_edits = interaction.client.services.require(LateEdits)
        late_edits.begin(_add_advice(interaction, message, room, seat, panel))


async def _add_advice(interaction: MotuInteraction, message: int, room: Room, seat: Seat, panel: Panel) -> None:
    """Add the coach's advice to a panel, unless its user has gone on meanwhile."""
    client = interaction.client
    try:
        thought = await client.kernel.computers.advice(room, seat)
    except Refused:
        thought = None
    now = await client.kernel.matches.find(room.record.id)
    if not now.record.terms.lesson or now.playing().turn(seat) != room.playing().turn(seat):
        return
    advised = lessons.coach(room, seat, panel, thought)
    drawn = await _draw(interaction, room, seat, advised)
    late_edits = client.services.require(LateEdits)
    await late_edits.edit(interaction, message, lambda: reply.show(interaction, *drawn))


async def _draw(
    interaction: MotuInteraction, room: Room, seat: Seat, panel: Panel
) -> tuple[str, tuple[Row, ...], list[Picture | None]]:
    """Return a panel as its message has it: text, controls and pictures."""
    client = interaction.client
    if line := _time_text(client.kernel.clocks, room, seat):
        panel = _with_line(panel, line)
    panel = await _with_next_match(interaction, room, panel)
    notes = client.services.get(Notes)
    if notes is not None and (note := await notes.of(room, interaction.user.id)):
        panel = _with_line(panel, say("note.shown", text=escaped(note, len(note))))
    pictures = [await draw_private_board(interaction, room, seat, panel)]
    if panel.with_scores:
        view, names = room.playing().view(seat), plain_names(room)
        pictures.append(await client.pictures.score_sheet(view, names, so_far=True))
    return panel.text, panel.rows, pictures


def _with_line(panel: Panel, line: str) -> Panel:
    """Add a line below the text of a panel, which is shortened if there is no room for it."""
    return replace(panel, text=f"{cut(panel.text, CONTENT - len(line) - 1)}\n{line}")


def _time_text(clocks: Clocks, room: Room, seat: Seat) -> str:
    """Say how much time a seat has; '' if no clock runs for it."""
    deadline = clocks.deadline(room, seat)
    if deadline is None or room.playing().outcome is not None:
        return ""
    if confirmed_at := clocks.confirmed_at(room, seat):
        return say("time.proposed", at=confirmed_at)
    if room.is_expired(seat):
        return say("time.expired")
    return say("time.deadline", at=deadline)


async def _with_next_match(interaction: MotuInteraction, room: Room, panel: Panel) -> Panel:
    """Add the way to the next match that waits for the user, if this one does not."""
    agenda, user = interaction.client.kernel.agenda, interaction.user.id
    if agenda.awaits(room, user) or len(panel.rows) >= ROWS:
        return panel
    waiting = [other for other in await agenda.waiting(user) if other.record.id != room.record.id]
    if not waiting:
        return panel
    following = games_button_id("next", 0, room.record.id)
    row = (
        button(following, say("games.next", number=len(waiting)), STRONG),
        button(games_button_id("mine"), say("games.mine")),
    )
    return replace(panel, rows=(*panel.rows, row))


async def draw_private_board(interaction: MotuInteraction, room: Room, seat: Seat, panel: Panel) -> Picture | None:
    """Draw the board as a seat sees it, with its draft and legal spots; None if that fails."""
    client, match = interaction.client, room.playing()
    try:
        news = await client.kernel.announcements.news(room, seat)
        return await client.pictures.board(
            match.view(seat),
            plain_names(room),
            rings=panel.rings,
            ringed=panel.ringed,
            question=panel.question,
            **describe.scene(room, (*news, *match.draft(seat).events), seat),
        )
    except NotDrawn:
        return None
    except Exception as error:
        # A move must never fail for want of its picture.
        log_error(error)
        return None


# Pressing its controls.


async def press_control(interaction: MotuInteraction, control: Control, values: tuple[str, ...]) -> None:
    """Do what a control of a panel is for, and show what came of it."""
    room = await named(interaction, control.match)
    seat = my_seat(interaction, room)
    if seat != control.seat:
        raise Refused(say("refusal.other_seat"))
    if not all(controls.KEY.fullmatch(value) for value in values):
        raise Refused(say("refusal.foreign_choice"))
    play = interaction.client.services.require(Play)
    press = Press(control.match, interaction.user.id, interaction.id, control.turn)
    keys: tuple[str, ...] = ()
    match control.sort:
        case controls.GROUPS | controls.OFFER | controls.VIEW:
            await show_panel(interaction, room, seat, turn_page(room, seat, control, values))
            return
        case controls.HINT if control.key != controls.TAKE:
            await show_hint(interaction, room, seat)
            return
        case controls.LESSON:
            await _leave_lesson(interaction, press, plays_on=control.key == controls.PLAY_ON)
            return
        case controls.HINT:
            move = _draft_hint(interaction, press, room, seat)
        case controls.UNDO:
            move = play.undo(press, everything=control.key == controls.ALL)
        case controls.CONFIRM:
            move = play.confirm(press)
        case controls.RESIGN:
            move = play.resign(press)
        case _:
            keys = values if control.sort == controls.GROUP else control.keys
            move = play.pick(press, control.kind, keys)
    await make_move(interaction, control.match, seat, move, control.kind, keys)


def turn_page(room: Room, seat: Seat, control: Control, values: tuple[str, ...]) -> Panel:
    """Return the panel after a press that only turns a page of it."""
    if room.playing().turn(seat) != control.turn:
        return build_panel(room, seat, notice=say("panel.too_late"))
    if control.sort != controls.OFFER:
        return build_panel(room, seat, control.key)
    try:
        if control.key.startswith(controls.OFFER_PAGE):
            page = control.key.removeprefix(controls.OFFER_PAGE)
            return build_offers(room, seat, control.kind, page=page)
        return build_offers(room, seat, control.kind, values or control.keys)
    except EngineError as error:
        return build_panel(room, seat, notice=describe.refusal(room, seat, error))


async def show_hint(interaction: MotuInteraction, room: Room, seat: Seat) -> None:
    """Show what a strong player would do, in words and ringed on the board."""
    _require_hints(room)
    if seat not in room.playing().waiting_for():
        await open_panel(interaction, room)
        return
    thought = await interaction.client.kernel.computers.advice(room, seat)
    message = interaction.message.id if interaction.message is not None else 0
    # Not if the user has pressed something else while it was thought about.
    if interaction.client.services.require(LateEdits).is_newest(interaction, message):
        await show_panel(interaction, room, seat, hints.build(room, seat, thought))


async def _draft_hint(interaction: MotuInteraction, press: Press, room: Room, seat: Seat) -> Update:
    """Draft the whole turn of a hint, to be confirmed or undone."""
    _require_hints(room)
    turn = (await interaction.client.kernel.computers.advice(room, seat)).answers
    play = interaction.client.services.require(Play)
    return await play.play(press, lambda now, seat: [now.playing().redrafted(seat, turn)])


def _require_hints(room: Room) -> None:
    if not room.has_hints:
        raise Refused(say("refusal.no_hints"))


async def _leave_lesson(interaction: MotuInteraction, press: Press, plays_on: bool) -> None:
    """Let the coach go: the match goes on with the same question, or ends with what to do next."""
    update = await interaction.client.services.require(Play).leave_lesson(press, plays_on)
    room, seat = update.room, update.seat
    panel = build_panel(room, seat)
    if room.record.status is Status.CALLED_OFF:
        panel = replace(panel, text=say("lesson.ended", game=room.record.game))
    await show_panel(interaction, room, seat, panel)


async def make_move(
    interaction: MotuInteraction,
    match: str,
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
        room = await interaction.client.kernel.matches.find(match)
        notice = describe.refusal(room, seat, error)
        await show_panel(interaction, room, seat, build_panel(room, seat, notice=notice))
        if isinstance(error, StoreError):
            reply.look_if_saved(interaction)
        return
    room = update.room
    if update.stale:
        notice = say("panel.too_late", why=describe.why_gone(room, seat, kind, keys))
        await show_panel(interaction, room, seat, build_panel(room, seat, notice=notice))
        return
    with reply.answering():
        notice = outcome_text(update) if update.committed else ""
        await show_panel(interaction, room, seat, build_panel(room, update.seat, notice=notice))


def outcome_text(update: Update) -> str:
    """Say what a move led to and what computers did after it.

    A player who has given up a seat learns no more of its secrets.
    """
    room = update.room
    viewer = None if update.seat in room.playing().resigned else update.seat
    told = describe.told(room, update.events, viewer)
    lines = [say("panel.done"), *told[:MAX_OUTCOME_LINES]]
    meanwhile = describe.told_each(room, update.meanwhile, viewer, marked_names(room), MAX_MEANWHILE_CHARACTERS)
    if meanwhile:
        lines.append(say("panel.meanwhile", told=meanwhile))
    return "\n".join(lines)
