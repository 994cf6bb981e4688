"""Lobby messages: the public card with its buttons, and the host's private screen of computers.

A solo match starts at once, and nobody sees its lobby. In a server its card is posted just before
the first board and says that the match has started: the thread is created on it, and it shows the
result later. In a direct message there is no card.

A lobby is saved before its card is posted, so a crash or an outage in between leaves a lobby that
nobody can see. After a restart, LobbyMessages searches the channel for such a card, since Discord
may have posted it without the bot getting the response, and posts it if it is missing. A lobby
whose card cannot be posted is cancelled.

When the host changes the time limits, the players who have already joined are notified below the
card.
"""

import asyncio
import logging
from contextlib import suppress
from secrets import token_hex

import discord
from cachetools import TTLCache
from msgspec.structs import replace

from bot.features.lobby.rules import (
    COMPUTERS,
    STAND_IN,
    Table,
    begin_with_any,
    character_name,
    describe_character,
    has_own_map,
    level_name,
    menu_value,
    setting_line,
)
from bot.features.lobby.service import Lobby
from bot.features.reminders import service as reminders
from bot.features.reminders.player_settings import ReminderLevel
from bot.features.reminders.service import Reminders
from bot.kernel.change import Change
from bot.kernel.languages import speaking_to_table
from bot.kernel.room import LOBBY_TIMEOUT_SECONDS, Room
from bot.model import COMPUTER, DEFAULT_LEVEL, Job, MatchRecord, Person, Status
from bot.posts.outbox import Outbox
from bot.posts.sending import Sender, parts_of
from bot.posts.turn_message import Message
from bot.runtime.base import DAY, HOUR, BotError, Locks, Refused, log_error, track_task
from bot.text import and_list, say
from bot.ui import (
    DISCORD_ERRORS,
    FORM_FIELDS,
    GOOD,
    GRAVE,
    PLAIN,
    STRONG,
    Button,
    Choice,
    Menu,
    MotuClient,
    MotuInteraction,
    Picture,
    Row,
    button_rows,
    describe,
    error_codes,
    escape_text,
    form_button,
    has_component,
    ids_in,
    make_files,
    marked_names,
    mentions,
    new_embed,
    person_name,
    reply,
)
from engine import EngineError, Setting, find_game
from engine.core.words import words_of
from engine.players import LEVELS

log = logging.getLogger("motu.lobbies")

FIELD_LENGTH = 1024
"""The most characters that Discord allows in an embed's field."""
BUTTONS = {"join": STRONG, "leave": PLAIN, COMPUTERS: PLAIN, "start": GOOD, "cancel": GRAVE}
"""The card's first buttons in order, each with its look. Their labels are in [lobby]."""
MAX_POST_TRIES = 6
"""How often to try to post a card before cancelling its lobby."""
EXPIRY_INTERVAL_SECONDS = 3600.0
"""How often to close lobbies that have been idle for too long."""
NOTICES_REMEMBERED = 1000
"""For how many lobbies to remember the last notice about changed time limits."""
NOTICE_EDITED_SECONDS = HOUR
"""For how long to edit a notice when the time limits change again, instead of sending another."""


def control_id(match_id: str, what: str, key: str = "") -> str:
    """Return the custom id of a lobby's button or menu."""
    return f"l:{match_id}:{what}:{key}" if key else f"l:{match_id}:{what}"


# The card


def make_embed(room: Room) -> discord.Embed:
    """Return the card's embed: the game, its seats and settings, and what the lobby waits for."""
    record, game = room.record, find_game(room.record.game)
    words = words_of(game.id)
    description = "\n".join(filter(None, (words.summary, words.own_parts)))
    card = new_embed(game.title, description[:2000])
    most = game.seats[-1] if len(game.seats) > 1 else None
    chairs = []
    for number, person in enumerate(record.chairs, 1):
        level = level_name(person.level or DEFAULT_LEVEL) if person.id == COMPUTER else ""
        name, is_host = escape_text(person_name(person)), person.id == record.host
        how = describe_character(record.game, person.character) if person.character else ""
        facts = {"number": number, "name": name, "level": level, "host": is_host, "how": how}
        chairs.append(say("lobby.chair", **facts))
    fields = {
        say("lobby.seats", taken=len(chairs), least=game.seats[0], most=most): chairs,
        say("lobby.settings"): describe_settings(room),
        say("pace.field"): [describe.time_contract(record.terms.time)],
        say("lobby.now"): describe_state(room),
    }
    for index, (name, lines) in enumerate(fields.items()):
        value = "\n".join(lines) or say("lobby.nobody")
        # Discord shows inline fields side by side: the seats next to the settings.
        card.add_field(name=name, value=value[:FIELD_LENGTH], inline=index < 2)
    return card.set_footer(text=say("lobby.match", id=record.id))


def describe_settings(room: Room) -> list[str]:
    """Return a line for each setting and term of the match."""
    record, terms = room.record, room.record.terms
    table = Table(record, find_game(record.game))
    lines = []
    for setting in table.game.settings:
        value = table.value_of(setting)
        if not setting.free:
            lines.append(setting_line(record.game, setting.key, value))
        elif value:
            lines.append(say("lobby.given", setting=words_of(record.game).setting(setting.key)))
    is_open = record.status is Status.LOBBY
    if room.has_hints:
        lines.append(say("lobby.with_hints", alone=is_open and room.is_solo))
    else:
        lines.append(say("lobby.no_hints", open=is_open))
    if terms.lesson:
        lines.append(say("lobby.lesson"))
    if is_open or not room.is_solo:
        # A solo match is never rated, and a player who leaves it ends it, so no computer steps in.
        lines.append(say("lobby.rated" if terms.rated else "lobby.unrated"))
        lines.append(say("lobby.stand_in", level=level_name(terms.stand_in)))
    return lines


def describe_state(room: Room) -> list[str]:
    """Return lines that say what an open lobby waits for, or what happened to a closed one."""
    record, place, days = room.record, room.record.place, LOBBY_TIMEOUT_SECONDS // DAY
    match record.status:
        case Status.CANCELLED:
            return [say("lobby.cancelled")]
        case Status.EXPIRED:
            return [say("lobby.expired", days=days)]
        case Status.FINISHED | Status.CALLED_OFF:
            result = describe.result(room, marked_names(room)) if room.match else ""
            return [say("lobby.finished", result=result, link=describe.link(room))]
        case Status.LOBBY:
            table = Table(record, find_game(record.game))
            lines = []
            if record.awaited:
                who = and_list(f"<@{user}>" for user in record.awaited)
                lines.append(say("lobby.awaited", who=who))
            missing = table.seats - len(record.chairs)
            if missing > 0:
                lines.append(say("lobby.waiting", missing=missing))
            if problems := table.find_setting_problems():
                lines += [*problems, say("lobby.change")]
            return [*(lines or [say("lobby.can_start")]), say("lobby.quiet", days=days)]
    if place.thread or place.wants_thread:
        return [say("lobby.started", thread=f"<#{place.thread}>" if place.thread else "")]
    return [say("lobby.started_here")]


def make_rows(room: Room) -> list[Row]:
    """Return the card's buttons; none once the lobby is closed."""
    record, match = room.record, room.record.id
    if record.status is not Status.LOBBY:
        return []
    labels = {what: say(f"lobby.{what}") for what in BUTTONS}
    labels["rated"] = say("lobby.rate", rated=record.terms.rated)
    people = [person.id for person in record.chairs if person.id != COMPUTER]
    if len(people) > 1:
        # Hints need the consent of every player; somebody playing alone always has them.
        agreed = sum(user in record.terms.hints for user in people)
        labels["hints"] = say("lobby.hints", agreed=agreed, people=len(people))
    table = Table(record, find_game(record.game))
    forms = [
        form_button(f"set:{match}:{page}", say("lobby.more_settings" if page else "lobby.settings"))
        for page in range(len(settings_pages(table)))
    ]
    if any(setting.free for setting in table.game.settings):
        forms.append(form_button(f"map:{match}", say("lobby.map")))
    forms.append(form_button(f"pace:{match}", say("pace.button")))
    buttons = [
        Button(control_id(match, what), label, BUTTONS.get(what, PLAIN))
        for what, label in labels.items()
    ]
    first = len(BUTTONS)
    return button_rows([*buttons[:first], *forms, *buttons[first:]])


def settings_pages(table: Table) -> list[list[tuple[Setting, list[str]]]]:
    """Return the settings with more than one value to choose from, with those values, by form."""
    settings = table.open_settings()
    return [settings[first : first + FORM_FIELDS] for first in range(0, len(settings), FORM_FIELDS)]


# The host's private screen


def make_stand_in_menu(record: MatchRecord) -> Menu:
    """Return the menu of the level at which a computer takes over an abandoned seat."""
    now = STAND_IN.current(record.terms)
    lines = [
        Choice(menu_value(level), STAND_IN.label(level), chosen=level == now)
        for level in STAND_IN.options(now, "")
    ]
    return Menu(control_id(record.id, STAND_IN.key), say(f"term.{STAND_IN.key}"), tuple(lines))


def describe_computers() -> str:
    """Return the text of the computers screen: how each level plays."""
    levels = [
        say("computers.level", level=level_name(level), how=say(f"level.how_{level}"))
        for level in LEVELS
    ]
    return "\n".join((say("computers.question"), *levels, say("computers.honest")))


def make_computer_rows(record: MatchRecord) -> list[Row]:
    """Return the controls of the computers screen: add, change, swap and remove computers."""
    rows: list[Row] = []
    if len(record.chairs) < find_game(record.game).seats[-1]:
        adding = []
        for level in LEVELS:
            label = say("computers.add", level=level_name(level))
            adding.append(Button(control_id(record.id, "add_computer", level), label, STRONG))
        rows.append(tuple(adding))
    changes, removals, swaps = [], [], []
    for seat, chair in enumerate(record.chairs):
        if chair.id != COMPUTER:
            continue
        name = person_name(chair)
        for level in LEVELS:
            if level != chair.level:
                label = say("computers.change", name=name, level=level_name(level))
                changes.append(Choice(f"{seat}_{level}", label))
        removals.append(Choice(f"{seat}_remove", say("computers.remove", name=name)))
        for character in Table(record, find_game(record.game)).free_characters():
            facts = {"name": name, "other": character_name(character)}
            how = describe_character(record.game, character)
            swaps.append(Choice(f"{seat}_{character}", say("computers.swap", **facts), how))
    if removals:
        title = say("computers.menu")
        rows.append(Menu(control_id(record.id, "computers"), title, (*changes, *removals)))
    if swaps:
        title = say("computers.swap_menu")
        rows.append(Menu(control_id(record.id, "characters"), title, tuple(swaps)))
    return [*rows, make_stand_in_menu(record)]


# Posting and updating cards


def card_nonce(record: MatchRecord) -> str:
    """Return the nonce of a lobby's card, by which Discord drops a duplicate."""
    return f"lobby-{record.id}"


def make_card(room: Room) -> Message:
    """Return the card of a lobby, without the mentions that only its first version has."""
    return Message("", (), tuple(make_rows(room)), embed=make_embed(room))


def starts_at_once(room: Room) -> bool:
    """Whether this is the lobby of a solo match, which nobody sees.

    The host of any other lobby adds computers on its card.
    """
    record = room.record
    is_hidden = record.status is Status.LOBBY and not record.lobby_message
    return is_hidden and room.is_solo and len(record.chairs) > 1


class LobbyMessages:
    """Posts and updates the cards of all lobbies, and closes idle lobbies."""

    def __init__(self, client: MotuClient) -> None:
        services = client.services
        self._client = client
        self._kernel = client.kernel
        self._lobby = services.require(Lobby)
        self._reminders = services.require(Reminders)
        self._outbox = services.require(Outbox)
        self._sender = services.require(Sender)
        self.locks = Locks()
        """By match: held while its card is being posted."""
        self._watching: asyncio.Task[None] | None = None
        self._notices: TTLCache[str, tuple[int, set[int]]] = TTLCache(
            NOTICES_REMEMBERED, NOTICE_EDITED_SECONDS, client.kernel.now
        )
        """By match: the last notice about changed time limits, and everybody it mentioned."""

    async def start(self) -> None:
        """Update all cards when the bot starts, then close idle lobbies from time to time."""
        await self.close()
        self._watching = track_task(self._watch(await self._lobby.find_open()), "lobbies")

    async def close(self) -> None:
        """Stop the background task."""
        if self._watching is not None:
            self._watching.cancel()

    async def _watch(self, rooms: list[Room]) -> None:
        for room in rooms:
            await self._update(room.record.id)
        while True:
            try:
                for room in await self._lobby.expire():
                    log.info("closed lobby %s: no activity", room.record.id)
            except (BotError, EngineError) as error:
                log_error(error, "checking lobbies again later")
            await asyncio.sleep(EXPIRY_INTERVAL_SECONDS)

    def on_change(self, change: Change) -> None:
        """Update the card after a change to its lobby, or to who sits where in the match."""
        before, after = change.before.record, change.after.record
        has_moved = bool(after.lobby_message) and before.place != after.place
        if before.status is Status.LOBBY or before.chairs != after.chairs or has_moved:
            self.update_later(change.match_id)
        if before.terms.time != after.terms.time:
            work = self._notify_of_new_terms(change.after)
            self._client.handlers.start(work, f"terms-{change.match_id}")

    def update_later(self, match_id: str) -> None:
        """Update a card in the background, or post it if there is none."""
        self._client.handlers.start(self._update(match_id), f"lobby-{match_id}")

    async def _update(self, match_id: str) -> None:
        try:
            room = await self._kernel.matches.find(match_id)
            if starts_at_once(room):
                # The bot was stopped between opening and starting it.
                await self._lobby.start_alone(match_id, Person(room.record.host, ""))
                return
            await self.make(match_id)
            await self.show(match_id)
        except (BotError, EngineError, *DISCORD_ERRORS) as error:
            why = getattr(error, "code", type(error).__name__)
            log.info("couldn't update the message of lobby %s (%s)", match_id, why)

    # Posting

    async def make(self, match_id: str) -> None:
        """Post the card of a match that has none; if that fails, cancel the lobby and refuse."""

        async def attempt(tries: int) -> None:
            if tries == MAX_POST_TRIES:
                raise Refused("refusal.rematch_place")
            room = await self._kernel.matches.find(match_id)
            with speaking_to_table(room.record):
                message = await self._find(room) or await self._post(room)
            await self.note(match_id, message)

        async with self.locks[match_id]:
            room = await self._kernel.matches.find(match_id)
            record = room.record
            if record.lobby_message or not record.place.guild:
                return
            table = Table(record, find_game(record.game), Person(record.host, ""))
            if not room.is_solo or room.match is None:
                table.check_open()
            try:
                await self._outbox.retry(match_id, attempt)
            except (Refused, discord.HTTPException) as error:
                if room.match is not None:
                    raise
                log.warning("cancelled lobby %s: can't show its message", match_id)
                await self._lobby.change(match_id, table.by, Table.cancel)
                raise Refused("refusal.rematch_place") from error

    async def make_before_first_post(self, match_id: str) -> None:
        """Post the card of a solo match, so that its thread can hang on it."""
        room = await self._kernel.matches.find(match_id)
        if room.is_solo and not room.record.lobby_message:
            try:
                await self.make(match_id)
            except Refused as error:
                log_error(error, f"match {match_id} has no card")

    async def note(self, match_id: str, message: int) -> None:
        """Record which message is the card of a lobby."""
        await self._kernel.matches.note_messages(match_id, lobby_message=message)

    async def _find(self, room: Room) -> int:
        """Return the id of a lobby's card if it is in the channel already, else 0."""
        record, buttons = room.record, ids_in(make_rows(room))
        footer = say("lobby.match", id=record.id)

        def is_card(message: discord.Message) -> bool:
            # The card of a match that has started has no buttons.
            names_match = any(embed.footer.text == footer for embed in message.embeds)
            return names_match or has_component(message, buttons)

        return await self._sender.find(
            record.place.channel,
            card_nonce(record),
            record.last_activity_at,
            is_card,
            is_doubtful=record.status is Status.LOBBY,
        )

    async def _post(self, room: Room) -> int:
        """Post the card of a lobby, and return its id; a rematch mentions the invited players."""
        record, card = room.record, make_card(room)
        invited = [user for user in record.seating if user not in (COMPUTER, record.host)]
        for user in invited:
            if (await self._reminders.of(user)).level is ReminderLevel.DIGEST:
                await self._reminders.put_in_digest(user)
        offer = card
        if record.seating and record.status is Status.LOBBY:
            host = next(person for person in record.chairs if person.id == record.host)
            names = {"who": escape_text(person_name(host)), "called": mentions(invited)}
            words = say("post.rematch_offer", game=describe.title(room), **names)
            pings = tuple(await self._reminders.mentionable(invited))
            offer = replace(card, content=words, pings=pings)
        pictures = [await self._draw_map(room)]
        return await self._sender.send(
            record.place.channel, card, card_nonce(record), sent_as=offer, pictures=pictures
        )

    async def answer(self, interaction: MotuInteraction, room: Room) -> int | None:
        """Respond with the card of a new lobby; return its id, or None if it was too late."""
        with speaking_to_table(room.record):
            parts = parts_of(make_card(room), [await self._draw_map(room)])
        return await reply.respond(interaction, **parts)

    async def _draw_map(self, room: Room) -> Picture | None:
        """Draw an uploaded map, set up for about as many players as have joined."""
        game, settings = find_game(room.record.game), room.record.settings
        if not has_own_map(game, settings):
            return None
        seated = [person_name(person) for person in room.record.chairs]
        sizes = sorted(game.seats, key=lambda seats: abs(seats - len(seated)))
        try:
            begun = begin_with_any(game, settings, sizes)
            names = [*seated, *[say("name.unnamed")] * begun.seats]
            view = replace(begun.view(None), to_move=())
            return await self._client.pictures.board(view, tuple(names[: begun.seats]))
        except Exception as error:
            # The lobby works without a picture of its map.
            log_error(error)
            return None

    # Updating

    async def show(self, match_id: str, pressed: MotuInteraction | None = None) -> None:
        """Update a lobby's card; raise Discord's error if it refuses.

        The card is edited through the interaction of a button that was `pressed` on it, if given.
        """
        shown = None
        room = await self._kernel.matches.find(match_id)
        with speaking_to_table(room.record):
            # Several edits may be under way at once and overtake each other. Each repeats until
            # the card that it showed is still current afterwards.
            while (card := make_card(room)) != shown:
                if pressed is not None:
                    await self._sender.edit_pressed(pressed, card)
                elif room.record.lobby_message:
                    channel = room.record.place.channel
                    await self._sender.edit(channel, room.record.lobby_message, card)
                shown, room = card, await self._kernel.matches.find(match_id)

    async def show_map(self, room: Room) -> None:
        """Replace the picture on a lobby's card with the uploaded map, or remove it."""
        channel = self._client.get_partial_messageable(room.record.place.channel)
        with speaking_to_table(room.record):
            pictures = make_files([await self._draw_map(room)])
        with suppress(discord.HTTPException):
            card = channel.get_partial_message(room.record.lobby_message)
            await card.edit(attachments=pictures)

    # Notices about changed time limits

    async def _notify_of_new_terms(self, room: Room) -> None:
        """Notify the players who joined under other time limits, after any quiet hours."""
        match = room.record.id
        seated = [user for user in room.players if user != room.record.host]
        if not seated or room.record.status is not Status.LOBBY:
            return
        for user in seated:
            if (await self._reminders.of(user)).level is ReminderLevel.DIGEST:
                await self._reminders.put_in_digest(user, match)
        now = [user for user in seated if await self._mention_now_or_later(room, user)]
        await self._mention(room, now)

    async def on_terms_job(self, job: Job) -> None:
        """Mention a player, after their quiet hours, for time limits that changed during them."""
        room = await self._kernel.matches.find(job.match)
        is_seated = room.record.status is Status.LOBBY and job.user in room.players
        if is_seated and await self._mention_now_or_later(room, job.user):
            await self._mention(room, [job.user])

    async def _mention_now_or_later(self, room: Room, user: int) -> bool:
        """Return whether a player may be mentioned now; in quiet hours, schedule it for later."""
        chosen = await self._reminders.of(user)
        if chosen.level is not ReminderLevel.TURN:
            return False
        until = chosen.quiet_until(self._kernel.now())
        if until is not None:
            await self._kernel.scheduler.set(Job(reminders.TERMS, until, room.record.id, user))
        return until is None

    async def _mention(self, room: Room, users: list[int]) -> None:
        """Notify players of changed time limits, each at most once in a while.

        A host may change them several times in a row: a notice that has already mentioned
        everybody is edited instead.
        """
        match, channel = room.record.id, room.record.place.channel
        with speaking_to_table(room.record):
            contract = describe.time_contract(room.record.terms.time)
            text = say(
                "pace.changed", called=mentions(users), contract=contract, **describe.facts(room)
            )
        message, mentioned = self._notices.get(match, (0, set[int]()))
        unmentioned = tuple(user for user in users if user not in mentioned)
        notice = Message(text, unmentioned, ())
        try:
            if message and not unmentioned and await self._sender.edit(channel, message, notice):
                return
            # If the last notice was deleted, mention everybody again: they may not have read it.
            notice = replace(notice, pings=unmentioned or tuple(users))
            sent = await self._sender.send(channel, notice, token_hex(8))
        except discord.HTTPException as error:
            if error.code not in error_codes.PLACE_LOST:
                raise
            log.info("couldn't announce new time limits in lobby %s (%s)", match, error.code)
            return
        self._notices[match] = sent, mentioned.union(users)
