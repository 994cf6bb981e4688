"""The private panel: opened, pressed, shown again."""

from collections.abc import Awaitable

from msgspec.structs import replace

from bot import reply
from bot.components import ids
from bot.components.ids import Control
from bot.components.items import Asked
from bot.components.parts import CONTENT, ROWS, STRONG, Row, button, cut
from bot.errors import BotError, Refused, StoreError, log_error
from bot.matches.clocks import Clocks
from bot.matches.room import Press, Room, Status, Update
from bot.matches.service import Matches
from bot.panel import hint, lesson
from bot.panel.build import Panel, build_offers, build_panel
from bot.pictures import NotDrawn, Picture
from bot.text import describe, say
from bot.text.names import escaped, marked_names, plain_names
from bot.which_match import my_seat, named
from engine import EngineError, Seat

MEANWHILE = 500
"""Characters for what computers did after a turn, before the panel is shown again."""


async def open_panel(interaction: Asked, room: Room) -> None:
    """Show somebody their panel, drawn afresh."""
    seat = my_seat(interaction, room)
    notice = say("panel.paused", why=room.why_paused) if room.is_paused else ""
    if seat in room.playing().away and room.info.status is Status.RUNNING:
        # A computer has played for them: whoever opens their panel is back.
        press = Press(room.info.id, interaction.user.id, interaction.id)
        room, notice = (await interaction.client.matches.come_back(press)).room, say("time.you_are_back")

    async def show(*welcome: str) -> None:
        said = "\n".join(filter(None, (notice, *welcome)))
        await show_panel(interaction, room, seat, build_panel(room, seat, notice=said))

    await reply.with_welcome(interaction, show)


async def show_panel(interaction: Asked, room: Room, seat: Seat, made: Panel) -> None:
    """Show words, controls and the private picture in one edit; a coach's advice follows when it is thought out."""
    known = interaction.client.matches.known_advice(room, seat)
    is_thinking = known is None and lesson.needs_thought(room, seat, made)
    first = lesson.coached(room, seat, made, known, is_thinking)
    message = await reply.show(interaction, *await _drawn(interaction, room, seat, first))
    if is_thinking:
        interaction.client.late_edits.begin(_coach(interaction, message, room, seat, made))


async def _coach(interaction: Asked, message: int, room: Room, seat: Seat, made: Panel) -> None:
    """Add the coach's advice to a panel, unless its person has gone on meanwhile."""
    matches = interaction.client.matches
    try:
        thought = await matches.advice(room, seat)
    except Refused:
        thought = None
    now = await matches.find(room.info.id)
    if not now.info.terms.lesson or now.playing().turn(seat) != room.playing().turn(seat):
        return
    drawn = await _drawn(interaction, room, seat, lesson.coached(room, seat, made, thought))
    await interaction.client.late_edits.edit(interaction, message, lambda: reply.show(interaction, *drawn))


async def _drawn(
    interaction: Asked, room: Room, seat: Seat, made: Panel
) -> tuple[str, tuple[Row, ...], list[Picture | None]]:
    """A panel as its message has it: words, controls and pictures."""
    made = timed(interaction.client.matches.clocks, room, seat, made)
    made = await _with_way_on(interaction, room, made)
    if note := await interaction.client.matches.notes.of(room, interaction.user.id):
        shown = say("note.shown", text=escaped(note, len(note)))
        made = replace(made, text=f"{cut(made.text, CONTENT - len(shown) - 1)}\n{shown}")
    pictures = [await private_picture(interaction, room, seat, made)]
    if made.with_scores:
        view, names = room.playing().view(seat), plain_names(room)
        pictures.append(await interaction.client.pictures.score_sheet(view, names, so_far=True))
    return made.text, made.rows, pictures


async def _with_way_on(interaction: Asked, room: Room, made: Panel) -> Panel:
    """The panel of somebody who has nothing to do there now, with the way to the next match that waits for them."""
    agenda, user = interaction.client.matches.agenda, interaction.user.id
    if agenda.awaits(room, user) or len(made.rows) >= ROWS:
        return made
    waiting = [other for other in await agenda.waiting(user) if other.info.id != room.info.id]
    if not waiting:
        return made
    onward = button(ids.games("next", 0, room.info.id), say("games.next", number=len(waiting)), STRONG)
    return replace(made, rows=(*made.rows, (onward, button(ids.games("mine"), say("games.mine")))))


def timed(clocks: Clocks, room: Room, seat: Seat, made: Panel) -> Panel:
    """The panel with how much time there is, where a clock runs for the seat."""
    deadline = clocks.deadline(room, seat)
    if deadline is None or room.playing().outcome is not None:
        return made
    if proposed := clocks.confirmed_at(room, seat):
        line = say("time.proposed", at=proposed)
    else:
        line = say("time.expired") if room.is_expired(seat) else say("time.deadline", at=deadline)
    return replace(made, text=f"{cut(made.text, CONTENT - len(line) - 1)}\n{line}")


async def private_picture(interaction: Asked, room: Room, seat: Seat, made: Panel) -> Picture | None:
    """The board as a seat sees it, its draft and legal spots included; None if it cannot be drawn."""
    match = room.playing()
    try:
        news = await interaction.client.matches.announcements.news(room, seat)
        scene = describe.scene(room, (*news, *match.draft(seat).events), seat)
        return await interaction.client.pictures.board(
            match.view(seat),
            plain_names(room),
            rings=made.rings,
            ringed=made.ringed,
            question=made.question,
            **scene,
        )
    except NotDrawn:
        return None
    except Exception as error:
        # A move must never fail for want of its picture.
        log_error(error)
        return None


async def pressed(interaction: Asked, control: Control, values: tuple[str, ...]) -> None:
    """A control of a panel was pressed: act, show what came of it."""
    room = await named(interaction, control.match)
    seat = my_seat(interaction, room)
    if seat != control.seat:
        raise Refused(say("refusal.other_seat"))
    if not all(ids.KEY.fullmatch(value) for value in values):
        raise Refused(say("refusal.foreign_choice"))
    matches = interaction.client.matches
    press = Press(control.match, interaction.user.id, interaction.id, control.turn)
    match control.sort:
        case ids.GROUPS | ids.OFFER | ids.VIEW:
            await show_panel(interaction, room, seat, _turned_page(room, seat, control, values))
            return
        case ids.HINT if control.key == ids.TAKE:
            deed = _taken(matches, press, room, seat)
        case ids.HINT:
            await _hint(interaction, room, seat)
            return
        case ids.LESSON:
            await _leave_lesson(interaction, press, plays_on=control.key == ids.PLAY_ON)
            return
        case ids.UNDO:
            deed = matches.undo(press, everything=control.key == ids.ALL)
        case ids.CONFIRM:
            deed = matches.confirm(press)
        case ids.RESIGN:
            deed = matches.resign(press)
        case ids.GROUP:
            deed = matches.pick(press, control.kind, values)
        case _:
            deed = matches.pick(press, control.kind, control.keys)
    keys = values if control.sort == ids.GROUP else control.keys if control.sort == ids.PICK else ()
    await answered(interaction, control.match, seat, deed, control.kind, keys)


async def _leave_lesson(interaction: Asked, press: Press, plays_on: bool) -> None:
    """The coach leaves; who plays on has the same question before them, who does not is told what there is next."""
    update = await interaction.client.matches.leave_lesson(press, plays_on)
    made = build_panel(update.room, update.seat)
    if update.room.info.status is Status.CALLED_OFF:
        made = replace(made, text=say("lesson.ended", game=update.room.info.game))
    await show_panel(interaction, update.room, update.seat, made)


async def _hint(interaction: Asked, room: Room, seat: Seat) -> None:
    """What a strong player would do, in words and ringed on the board."""
    if not room.has_hints:
        raise Refused(say("refusal.no_hints"))
    if seat not in room.playing().waiting_for():
        await open_panel(interaction, room)
        return
    thought = await interaction.client.matches.advice(room, seat)
    pressed_on = interaction.message.id if interaction.message is not None else 0
    if interaction.client.late_edits.is_newest(interaction, pressed_on):
        await show_panel(interaction, room, seat, hint.build(room, seat, thought))


async def _taken(matches: Matches, press: Press, room: Room, seat: Seat) -> Update:
    """The whole turn of a hint drafted, to be confirmed or undone."""
    if not room.has_hints:
        raise Refused(say("refusal.no_hints"))
    turn = (await matches.advice(room, seat)).answers
    return await matches.play(press, lambda found, own: [found.playing().redrafted(own, turn)])


def _turned_page(room: Room, seat: Seat, control: Control, values: tuple[str, ...]) -> Panel:
    """Presses that only turn a page of the panel."""
    if room.playing().turn(seat) != control.turn:
        return build_panel(room, seat, notice=say("panel.too_late"))
    if control.sort != ids.OFFER:
        return build_panel(room, seat, control.key)
    try:
        if control.key.startswith(ids.OFFER_PAGE):
            return build_offers(room, seat, control.kind, named=control.key.removeprefix(ids.OFFER_PAGE))
        return build_offers(room, seat, control.kind, values or control.keys)
    except EngineError as error:
        return build_panel(room, seat, notice=describe.refusal(room, seat, error))


async def answered(
    interaction: Asked, match: str, seat: Seat, deed: Awaitable[Update], kind: str = "", keys: tuple[str, ...] = ()
) -> None:
    """Do something to a match and show the panel after it, with the reason if it was refused.

    The keys are what was pressed of that kind of question: if it comes too late, they may be possible no more.
    """
    try:
        update = await deed
    except (BotError, EngineError) as error:
        room = await interaction.client.matches.find(match)
        notice = describe.refusal(room, seat, error)
        await show_panel(interaction, room, seat, build_panel(room, seat, notice=notice))
        if isinstance(error, StoreError):
            reply.look_if_saved(interaction)
        return
    if update.stale:
        notice = say("panel.too_late", why=describe.why_gone(update.room, seat, kind, keys))
        await show_panel(interaction, update.room, seat, build_panel(update.room, seat, notice=notice))
        return
    with reply.answering():
        notice = came_of(update) if update.committed else ""
        await show_panel(interaction, update.room, seat, build_panel(update.room, update.seat, notice=notice))


def came_of(update: Update) -> str:
    """What an answer led to and what computers did after it; who has given up a seat learns no more of its secrets."""
    room = update.room
    viewer = None if update.seat in room.playing().resigned else update.seat
    lines = [say("panel.done"), *describe.told(room, update.events, viewer)[:20]]
    if since := describe.told_each(room, update.meanwhile, viewer, marked_names(room), MEANWHILE):
        lines.append(say("panel.meanwhile", told=since))
    return "\n".join(lines)
