"""The private panel: open it, handle its buttons, and redraw it; /play, /undo and /resign, too.

The second half has /board, /hand and /log, and the buttons that show the same.

One press on Confirm goes from `PanelControl.on_press` to `Play.confirm` (service.py), through the
pipeline, and comes back as an Update, from which `make_move` builds the panel (panel.py) that
`show_panel` sends. Rules of a game never belong here: the engine decides what is legal.
"""

import io
from collections.abc import Awaitable
from contextlib import suppress
from itertools import count
from typing import Any

import discord
import msgspec
from msgspec import Struct
from msgspec.structs import replace

from bot.features.catch_up import Notes
from bot.features.history.moments import show_typed_moment
from bot.features.history.transcripts import export_match
from bot.features.play import advice
from bot.features.play import panel as ids
from bot.features.play.live_panels import LivePanels, describe_situation
from bot.features.play.panel import Control, Panel, SeatContext, build_offers, build_panel
from bot.features.play.service import Play, must_have_hints
from bot.features.reminders.commands import with_welcome
from bot.kernel.encoding import find_undone, visible_events, without_undone
from bot.kernel.room import Press, Room, Update, everyone_ever_seated, with_seating_at
from bot.model import Status
from bot.posts import turn_message
from bot.posts.direct import DirectBoards, is_direct
from bot.posts.outbox import Outbox
from bot.runtime.base import BotError, Refused, StoreError
from bot.text import say
from bot.ui import (
    BUTTONS_A_ROW,
    CONTENT,
    GRAVE,
    LAYOUT_PARTS,
    STRONG,
    Acknowledgement,
    Button,
    Choices,
    Item,
    LateEdits,
    MotuClient,
    MotuInteraction,
    Part,
    Picture,
    autocomplete,
    count_components,
    describe,
    escape_text,
    find_named_match,
    games_button_id,
    hidden_players,
    lines_within,
    marked_names,
    my_match,
    my_seat,
    my_seated_match,
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
"""How long a panel's text about the moves of others since the seat's own may be."""
MAX_OUTCOME_LINES = 20
"""How many lines a panel has about the results of the seat's own turn."""
MAX_LOG_LINES = 40
"""How many log entries a message shows; the file has them all."""


# Handle the panel's controls.


class PanelControl(Item, template=ids.CONTROL):
    """A button or menu of a private panel."""

    def choose_acknowledgement(self, interaction: MotuInteraction) -> Acknowledgement:
        """Edit the pressed message in direct messages, where the panel is an ordinary message.

        Never do so in a server: a message that everyone reads must not turn into a panel.
        """
        is_direct_message = interaction.guild_id is None
        return Acknowledgement.IN_PLACE if is_direct_message else Acknowledgement.AT_ONCE

    async def on_press(self, interaction: MotuInteraction) -> None:
        """Do what the control is for, and show the result.

        People tap twice when an answer takes a moment. A second press changes nothing and gets no
        message as long as the panel shows the result of the first.
        """
        control = msgspec.convert(self.fields, Control, strict=False)
        live_panels, button = service(interaction, LivePanels), (self.custom_id, *self.values)
        if control.has_effect and live_panels.is_repeated(interaction, button):
            live_panels.ignore(interaction, control.match, Seat(control.seat))
            return
        room = await find_named_match(interaction, control.match)
        seat = my_seat(interaction, room)
        if seat != control.seat:
            raise Refused("refusal.other_seat")
        if not all(ids.KEY.fullmatch(value) for value in self.values):
            raise Refused("refusal.foreign_choice")
        if control.has_effect and live_panels.has_done(interaction, button, room, seat):
            live_panels.ignore(interaction, control.match, seat)
            return
        live_panels.begin_press(interaction, button)
        has_acted = False
        try:
            has_acted = await self._act(interaction, control, room, seat)
        finally:
            live_panels.end_press(interaction, button, has_acted)

    async def _act(
        self, interaction: MotuInteraction, control: Control, room: Room, seat: Seat
    ) -> bool:
        """Do what the control is for; return False if that was not possible."""
        press = Press(control.match, interaction.user.id, interaction.id, control.turn)
        keys = self.values or control.keys
        is_stale = room.playing().turn(seat) != control.turn
        play = service(interaction, Play)
        match control.action:
            case ids.PAGE | ids.OFFER | ids.REFRESH if is_stale:
                await show_panel(interaction, room, seat, say("panel.too_late"))
            case ids.PAGE | ids.REFRESH:
                await show_panel(interaction, room, seat, page=control.page)
            case ids.OFFER:
                await show_offers(interaction, room, seat, control.kind, keys, control.page)
            case ids.LESSON:
                await end_lesson(interaction, press, plays_on=control.key == ids.PLAY_ON)
            case ids.HINT if not control.key:
                await show_hint(interaction, room, seat)
            case ids.HINT:
                move = play.take_hint(press, room, seat, control.key)
                return await make_move(interaction, room, seat, move)
            case ids.UNDO:
                move = play.undo(press, everything=control.key == ids.ALL)
                return await make_move(interaction, room, seat, move)
            case ids.CONFIRM:
                return await make_move(interaction, room, seat, play.confirm(press))
            case ids.RESIGN:
                return await make_move(interaction, room, seat, play.resign(press))
            case _:
                move = play.pick(press, control.kind, keys)
                return await make_move(interaction, room, seat, move, control.kind, keys)
        return True


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
    """End the lesson, and with it the match unless `plays_on`."""
    room = await service(interaction, Play).leave_lesson(press, plays_on)
    panel = build_panel(room, room.own_seat(press.user))
    if room.record.status is Status.CALLED_OFF:
        steps = advice.list_next_steps(panel.context.words)
        panel = replace(panel, text=say("lesson.ended", next=steps))
        if is_direct(room):
            # The living message shows the end of the match.
            await reply.tell(interaction, panel.text)
            return
    await send_panel(interaction, panel)


async def show_hint(interaction: MotuInteraction, room: Room, seat: Seat) -> None:
    """Show what a strong player would do, in words and ringed on the board."""
    must_have_hints(room)
    if seat not in room.playing().waiting_for():
        await open_panel(interaction, room)
        return
    kernel, match = interaction.client.kernel, room.playing()
    thought = await kernel.computers.advise(room, seat, match.draft(seat).answers)
    coached, log = None, list[Commit]()
    if room.record.terms.lesson:
        coached = await kernel.computers.advise(room, seat)
        log = without_undone(await kernel.matches.commits_between(room, -1, match.number))
    message = interaction.message.id if interaction.message is not None else 0
    # Show it only if the user has not pressed something else during the thinking.
    if service(interaction, LateEdits).is_newest(interaction, message):
        await send_panel(interaction, advice.build_hint(room, seat, thought, coached, log))


async def make_move(
    interaction: MotuInteraction,
    room: Room,
    seat: Seat,
    move: Awaitable[Update],
    kind: str = "",
    keys: tuple[str, ...] = (),
) -> bool:
    """Await a move and show the panel after it, with the reason if it was refused.

    `kind` and `keys` are the decision and the options that were pressed. If the press came too
    late, the panel says why they are no longer possible. Returns whether the move was made.
    """
    try:
        update = await move
    except (BotError, EngineError) as error:
        room = await interaction.client.kernel.matches.find(room.record.id)
        await show_panel(interaction, room, seat, describe.refusal(room, seat, error))
        if isinstance(error, StoreError):
            reply.check_later_if_saved(interaction)
        return False
    if update.committed and await is_shown_by_outbox(interaction, update.room):
        return True
    notice = ""
    if update.stale:
        notice = say(
            "panel.too_late", why=describe.why_impossible_now(update.room, seat, kind, keys)
        )
    elif update.committed and not update.room.record.terms.lesson:
        # In a lesson, the coach sums up what happened instead.
        notice = outcome_text(update)
    await show_panel(interaction, update.room, update.seat, notice)
    is_draft = not update.committed and not update.stale
    boards = interaction.client.services.get(DirectBoards)
    is_shown = not is_direct(update.room) or find_pressed_board(interaction, update.room)
    if is_draft and boards and not is_shown:
        boards.show_draft(update.room)
    return not update.stale


async def is_shown_by_outbox(interaction: MotuInteraction, room: Room) -> bool:
    """Wait for the outbox after a press on a living message; return whether it shows the result.

    The outbox edits the message, or sends a newer one. If the press edited it as well, the message
    would flicker, or an outdated one would look current again.
    """
    board = find_pressed_board(interaction, room)
    if not board:
        return False
    with suppress(TimeoutError):
        if await service(interaction, Outbox).wait_until_posted(room.record.id):
            now = await interaction.client.kernel.matches.find(room.record.id)
            if now.last_post is None or now.last_post.number != now.playing().number:
                return False
            live_panels, seat = service(interaction, LivePanels), my_seat(interaction, now)
            live_panels.note_shown(interaction, board, now, seat, is_redrawn=False)
            return True
    return False


def find_pressed_board(interaction: MotuInteraction, room: Room) -> int:
    """Return the id of the living message whose button was pressed; 0 if the answer is private."""
    pressed = interaction.message
    if not is_direct(room) or pressed is None or pressed.flags.ephemeral:
        return 0
    return pressed.id if reply.edits_pressed_message(interaction) else 0


def outcome_text(update: Update) -> str:
    """Describe the results of a move and what computers did after it.

    A player who has given up a seat learns no more of its secrets.
    """
    room = update.room
    viewer = None if update.seat in room.playing().resigned else update.seat
    story = describe.tell_events(room, update.events, viewer)
    lines = [say("panel.done"), *story[:MAX_OUTCOME_LINES]]
    meanwhile = describe.tell_each_actor(room, update.meanwhile, viewer, MAX_MEANWHILE_CHARACTERS)
    if meanwhile:
        lines.append(say("panel.meanwhile", told=meanwhile))
    return "\n".join(lines)


# Show a panel.


async def open_panel(interaction: MotuInteraction, room: Room, with_title: bool = False) -> None:
    """Show the user their panel as a new message; `with_title` adds which match it is."""
    seat = my_seat(interaction, room)
    players = describe.others(room, interaction.user.id, marked_names(room))
    facts = {**describe.facts(room), "players": players}
    title = say("panel.title", **facts) if with_title else ""
    notice = say("panel.paused", why=room.why_paused) if room.is_paused else ""
    if seat in room.playing().away and room.record.status is Status.RUNNING:
        # A computer has played for them: somebody who opens their panel is back.
        press = Press(room.record.id, interaction.user.id, interaction.id)
        room = (await service(interaction, Play).come_back(press)).room
        notice = say("time.you_are_back")

    async def show(*welcome: str) -> None:
        text = "\n".join(filter(None, (title, notice, *welcome)))
        await show_panel(interaction, room, seat, text)

    if room.record.terms.lesson:
        # The coach welcomes them instead: a lesson's panel has no room for both.
        await show()
    else:
        await with_welcome(interaction, show)


async def continue_panel(interaction: MotuInteraction, room: Room, seat: Seat, since: int) -> None:
    """Redraw a panel without a press, with what has happened since the last commit that it showed.

    `since` is the number of that commit.
    """
    notice, number = "", room.playing().number
    if room.is_paused:
        notice = say("panel.paused", why=room.why_paused)
    elif not room.record.terms.lesson and number > since:
        # In a lesson, the coach sums up what happened instead.
        viewer = None if seat in room.playing().resigned else seat
        commits = await interaction.client.kernel.matches.commits_between(room, since, number)
        events = visible_events(without_undone(commits), viewer)
        news = describe.tell_each_actor(room, events, viewer, MAX_MEANWHILE_CHARACTERS)
        notice = say("panel.since", told=news) if news else ""
    await show_panel(interaction, room, seat, notice)


async def show_panel(
    interaction: MotuInteraction, room: Room, seat: Seat, notice: str = "", page: str = ""
) -> None:
    """Show a seat its panel; in a lesson a coach's advice may follow in another edit."""
    client = interaction.client
    if not room.record.terms.lesson:
        await send_panel(interaction, build_panel(room, seat, page, notice))
        return
    late_edits = client.services.require(LateEdits)
    lesson = await Lesson.begin(client, room, seat, notice, page)
    message = await send_panel(interaction, lesson.panel)

    async def add_advice() -> None:
        """Add the coach's advice, unless the user has continued the turn meanwhile."""
        if panel := await lesson.finish(client):
            await late_edits.edit(interaction, message, lambda: send_panel(interaction, panel))

    if lesson.is_thinking:
        late_edits.begin(add_advice())


class Lesson(Struct, frozen=True):
    """A panel with a coach's comments, to which advice may be added later."""

    room: Room
    seat: Seat
    log: list[Commit]
    notice: str
    page: str
    panel: Panel
    """The panel as it can be shown at once."""
    is_thinking: bool
    """Whether `finish` has something to add."""

    @classmethod
    async def begin(
        cls, client: MotuClient, room: Room, seat: Seat, notice: str = "", page: str = ""
    ) -> "Lesson":
        """Build the panel of a lesson with the advice that is cached, if any."""
        commits = await client.kernel.matches.commits_between(room, -1, room.playing().number)
        log = without_undone(commits)
        known = client.kernel.computers.cached_advice(room, seat)
        is_thinking = known is None and advice.needs_thought(SeatContext.of(room, seat))
        panel = advice.build_lesson(room, seat, log, page, notice, known, is_thinking)
        return cls(room, seat, log, notice, page, panel, is_thinking)

    async def finish(self, client: MotuClient) -> Panel | None:
        """Wait for the advice; return the panel with it, or None if the turn has changed since."""
        room, seat = self.room, self.seat
        try:
            thought = await client.kernel.computers.advise(room, seat)
        except Refused:
            thought = None
        now = await client.kernel.matches.find(room.record.id)
        if not now.record.terms.lesson or now.playing().turn(seat) != room.playing().turn(seat):
            return None
        return advice.build_lesson(room, seat, self.log, self.page, self.notice, thought)


async def send_panel(interaction: MotuInteraction, panel: Panel) -> int:
    """Show a panel with its pictures in one edit; return the message's id, 0 if it is unknown."""
    room, seat = panel.context.room, panel.context.seat
    board = find_pressed_board(interaction, room)
    is_board = bool(board)
    if is_board and board != room.record.turn_message:
        # While the press was on its way, the match has moved to a newer message.
        await reply.edit_answer(interaction, [say("post.continues")])
        return 0
    text, parts, pictures = await compose_panel(interaction.client, panel, is_board)
    message = await reply.show(interaction, text, parts, pictures)
    live_panels = service(interaction, LivePanels)
    live_panels.note_shown(interaction, message, room, seat, is_redrawn=not is_board)
    if is_board:
        await redraw_if_changed(interaction, room, seat)
    return message


async def redraw_if_changed(interaction: MotuInteraction, room: Room, seat: Seat) -> None:
    """Redraw a living message if the match has changed while a press on it was being answered.

    The outbox has edited it as well, and it is unknown which of the two edits came last.
    """
    now = await interaction.client.kernel.matches.find(room.record.id)
    if describe_situation(now, seat) != describe_situation(room, seat):
        with suppress(TimeoutError):
            await service(interaction, Outbox).wait_until_posted(room.record.id)
        now = await interaction.client.kernel.matches.find(room.record.id)
        await show_panel(interaction, now, seat)


async def compose_panel(
    client: MotuClient, panel: Panel, is_board: bool = False
) -> tuple[str, list[Part], list[Picture | None]]:
    """Return the text of a panel or living message, the parts below it, and its pictures."""
    room, seat = panel.context.room, panel.context.seat
    user = room.record.chairs[seat].id
    notes = [_describe_time(client, room, seat)]
    stored_notes = client.services.get(Notes)
    if stored_notes is not None and (note := await stored_notes.of(room, user)):
        notes.append(say("note.shown", text=escape_text(note, len(note))))
    panel = replace(panel, notes=tuple(filter(None, notes)))
    if is_board:
        panel = make_board(panel)
    parts = panel.parts
    if not room.is_waiting_for(user):
        # This match doesn't wait for them, so add a button for the next one that does.
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
            parts.append(row)
    pictures = [await draw_private_board(client, panel)]
    if panel.with_scores:
        view, names = room.playing().view(seat), plain_names(room)
        pictures.append(await client.pictures.score_sheet(view, names, so_far=True))
    return panel.text, parts, pictures


def make_board(panel: Panel) -> Panel:
    """Turn a panel into the living message of a match in direct messages.

    It says which match it is, and its last row has as many buttons of a public post as fit.
    """
    room, controls = panel.context.room, panel.controls
    title = say("panel.title", game=describe.title(room), id=room.record.id, players="")
    # Besides its parts there are the gallery with the picture and the text, and maybe a new row.
    space = LAYOUT_PARTS - 4 - count_components(panel.parts)
    space = max(min(space, BUTTONS_A_ROW - len(controls)), 0)
    public = [turn_message.turn_button(room, name) for name in ("log", "rules", "fair")]
    return replace(panel, text=f"{title}\n{panel.text}", controls=(*controls, *public[:space]))


def _describe_time(client: MotuClient, room: Room, seat: Seat) -> str:
    """Say how much time a seat has; '' if no clock runs for it."""
    clocks = client.kernel.clocks
    deadline = clocks.deadline(room, seat)
    if deadline is None or room.playing().outcome is not None:
        return ""
    if confirmed_at := clocks.draft_confirmed_at(room, seat):
        return say("time.proposed", at=confirmed_at)
    if room.is_expired(seat):
        return say("time.expired")
    return say("time.deadline", at=deadline)


async def draw_private_board(client: MotuClient, panel: Panel) -> Picture | None:
    """Draw the board as a seat sees it, with its draft and legal spots; None if that fails."""
    room, seat = panel.context.room, panel.context.seat
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


# Commands that move.


@slash("play", dms=True, match="my_match")
async def play(
    interaction: MotuInteraction, move: str | None = None, match: str | None = None
) -> None:
    """Open the panel, or make a typed move."""
    room, seat = await my_seated_match(interaction, match)
    # A paused match takes no moves; its panel says why.
    if move is None or not move.strip() or room.is_paused:
        await open_panel(interaction, room)
        return
    try:
        turn = read_turn(SeatContext.of(room, seat), move)
    except UnreadableTurn:
        # `Play.play` reads it again below, in the newest position, and reports the error.
        turn = None
    if turn and turn.is_offer and not turn.is_confirmed:
        # The panel asks whether to take it.
        ((kind, keys),) = turn.answers
        await show_offers(interaction, room, seat, kind, keys)
        return
    press = Press(room.record.id, interaction.user.id, interaction.id, room.playing().turn(seat))
    attempt = service(interaction, Play).play(
        press, lambda room, seat: read_turn(SeatContext.of(room, seat), move).steps
    )
    await make_move(interaction, room, seat, attempt)


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
    attempt = service(interaction, Play).undo(press, everything=all)
    await make_move(interaction, room, seat, attempt)


@slash("resign", dms=True, match="my_match")
async def resign(interaction: MotuInteraction, match: str | None = None) -> None:
    """Ask whether to give up the seat, and say what that means for the match."""
    room, seat = await my_seated_match(interaction, match, in_turn=False)
    playing = room.playing()
    if room.is_over:
        raise Refused("refusal.over")
    if seat in playing.resigned:
        raise Refused("refusal.resigned_already")
    yes = Button(
        SeatContext.of(room, seat).make_custom_id(ids.RESIGN), say("panel.resign_yes"), GRAVE
    )
    people = room.people(Seat(number) for number in range(playing.seats))
    ends = len(people) <= 2
    # A match that ends before everyone has moved is not rated.
    is_rated = room.is_rated and (not ends or playing.moves >= playing.seats)
    question = say("panel.resign", **describe.facts(room), ends=ends, rated=is_rated)
    await reply.tell(interaction, question, [(yes,)])


# Look at a match without changing it.


@slash("board", dms=True, extras=reply.IF_SLOW)
async def board(
    interaction: MotuInteraction,
    mine: bool = False,
    text: bool = False,
    public: bool = False,
    at: str = "",
    match: str | None = None,
) -> None:
    """Show the board: as everyone or the player sees it, drawn or in words, now or in the past."""
    room = await my_match(interaction, match, seated=mine and not at.strip())
    room.playing()
    is_here = interaction.channel_id == room.record.place.posts_to
    is_public = public and is_here and not mine and not text
    if is_public:
        reply.speak_to_channel(interaction)
    if at.strip():
        await show_typed_moment(interaction, room, at, mine, text, is_public)
        return
    seat = my_seat(interaction, room) if mine else None
    if text:
        await _show_board_in_words(interaction, room, seat)
    else:
        await show_board(interaction, room, seat, public=is_public)


async def _show_board_in_words(interaction: MotuInteraction, room: Room, seat: Seat | None) -> None:
    """Show the board in words, beginning with what changed; to a seat also what it can choose."""
    news = await interaction.client.kernel.matches.news(room, seat)
    scene: dict[str, Any] = {"last": describe.tell_for_alt_text(room, news, seat)}
    if seat is not None:
        panel = build_panel(room, seat)
        scene |= {"rings": panel.rings, "question": panel.question}
        if question := panel.context.asked:
            scene["choices"] = tuple(
                panel.context.label(question, option) for option in question.options
            )
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
    """Show the board as a seat sees it, with its draft, or as everyone does if `seat` is None.

    `hand` is a text about what the seat holds.
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
        draft_lines = describe.event_lines(room, match.draft(seat).events, seat)
        lines += [say("look.drafted", told=line) for line in draft_lines]
        picture = await draw_private_board(client, build_panel(room, seat))
    # Add the buttons of a turn, so that nobody has to look for the message that has them.
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
    hand_text = await pictures.words("hand", view, marked_names(room))
    await show_board(interaction, room, seat, hand_text)


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
    undone = find_undone(by_number)
    played_for: set[Seat] = set()
    # Number the entries afresh: a gap would reveal a commit that the viewer may know nothing of.
    shown_numbers = count(1)
    for number, commit in by_number.items():
        lines += describe.seat_change_lines(room, number)
        names = marked_names(Room(with_seating_at(room.record, number)), played_for)
        story = describe.tell_events(room, commit.events, viewer, names)
        if commit.resigned or commit.handed == "computer":
            played_for.add(commit.seat)
        elif commit.handed == "person":
            played_for.discard(commit.seat)
        if story:
            shown_number = number if room.is_over or not number else next(shown_numbers)
            lines.append(
                say(
                    "look.log_entry",
                    number=shown_number,
                    told=" ".join(story),
                    undone=number in undone,
                )
            )
    return [*lines, *describe.seat_change_lines(room, len(commits))]


async def show_fairness(interaction: MotuInteraction, room: Room) -> None:
    """Show why nobody can have influenced the dice, and how to check it once the match is over."""
    files = await _transcript(interaction, room)
    await reply.tell(interaction, turn_message.fairness(room), files=files)


async def _transcript(interaction: MotuInteraction, room: Room) -> list[discord.File]:
    """Return a finished match as a file; none while it is played."""
    if not room.is_over:
        return []
    hidden = await hidden_players(interaction.client, everyone_ever_seated(room.record))
    text, _ = await export_match(interaction.client.kernel, room, describe.about(room, hidden))
    return _text_file(text, room, "transcript")


def _text_file(content: str, room: Room, what: str) -> list[discord.File]:
    name = f"{room.record.game}-{room.record.id}-{what}.txt"
    return [discord.File(io.BytesIO(content.encode()), name)]
