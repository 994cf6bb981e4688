"""The messages of lobbies: the public card with its buttons and menus, and the host's screens.

A lobby is in the database before its card is on Discord, so a crash or an outage between the two
leaves one that nobody sees. Its card is then looked for, for it may be there without the bot having
heard of it, and made if it is not. A lobby whose card cannot be made is cancelled.

When the terms about time change, those who sat down on other terms are told below the card.
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
    PACE,
    TERMS,
    TIME,
    Table,
    begin_with_any,
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
from bot.kernel.room import QUIET, Room
from bot.model import COMPUTER, USUAL_LEVEL, Job, MatchRecord, Pace, Person, Status
from bot.posts.outbox import Outbox
from bot.posts.sending import Sender, parts_of
from bot.posts.turn_message import Message
from bot.runtime.base import DAY, HOUR, BotError, Locks, Refused, log_error, track_task
from bot.text import listed, say
from bot.ui import (
    DISCORD_ERRORS,
    GOOD,
    GRAVE,
    PLACEHOLDER,
    PLAIN,
    ROWS,
    STRONG,
    Button,
    Choice,
    Menu,
    MotuClient,
    MotuInteraction,
    Picture,
    Row,
    attached,
    button_rows,
    carries,
    cut,
    describe,
    error_codes,
    escaped,
    ids_in,
    marked_names,
    mentions,
    new_embed,
    person_name,
    reply,
)
from engine import EngineError, find_game
from engine.core.words import words_of
from engine.players import LEVELS

log = logging.getLogger("motu.lobbies")

FIELD_LENGTH = 1024
"""Characters of an embed's field, as Discord allows."""
MENU_ROWS = ROWS - 2
"""Menus of settings that a card has room for, below two rows of buttons."""
BUTTONS = {"join": STRONG, "leave": PLAIN, COMPUTERS: PLAIN, "start": GOOD, "cancel": GRAVE}
"""The looks of a card's first buttons, in order. Each is named by its text in [lobby]."""
TRIES = 6
"""How often it is tried to make a card."""
EXPIRY_INTERVAL_SECONDS = 3600.0
"""How often to look for lobbies in which nothing has happened for long."""
NOTICES_REMEMBERED = 1000
"""Lobbies whose last notice of other terms is remembered."""
NOTICE_EDITED_SECONDS = HOUR
"""How long a notice is edited when the terms change again; after that people are mentioned anew."""


def control_id(match: str, what: str, key: str = "") -> str:
    """Return the id of a control of a lobby."""
    return f"l:{match}:{what}:{key}" if key else f"l:{match}:{what}"


# What the card shows.


def embed(room: Room) -> discord.Embed:
    """Return the card: the game, its settings, the seats taken, and what is awaited."""
    record, game = room.record, find_game(room.record.game)
    words = words_of(game.id)
    about = "\n".join(filter(None, (words.summary, words.own_parts)))
    card = new_embed(game.title, about[:2000])
    most = game.seats[-1] if len(game.seats) > 1 else None
    chairs = []
    for number, person in enumerate(record.chairs, 1):
        level = level_name(person.level or USUAL_LEVEL) if person.id == COMPUTER else ""
        name, is_host = escaped(person_name(person)), person.id == record.host
        chairs.append(say("lobby.chair", number=number, name=name, level=level, host=is_host))
    fields = {
        say("lobby.seats", taken=len(chairs), least=game.seats[0], most=most): chairs,
        say("lobby.settings"): settings_lines(room),
        say("pace.field"): [describe.time_contract(record.terms.time)],
        say("lobby.now"): state_lines(room),
    }
    for place, (name, lines) in enumerate(fields.items()):
        value = "\n".join(lines) or say("lobby.nobody")
        # Seats and settings stand side by side.
        card.add_field(name=name, value=value[:FIELD_LENGTH], inline=place < 2)
    return card.set_footer(text=say("lobby.match", id=record.id))


def settings_lines(room: Room) -> list[str]:
    """Say what was chosen."""
    record, terms = room.record, room.record.terms
    table = Table(record, find_game(record.game))
    lines = []
    for setting in table.game.settings:
        value = table.chosen(setting)
        if not setting.free:
            lines.append(setting_line(record.game, setting.key, value))
        elif value:
            lines.append(say("lobby.given", setting=words_of(record.game).setting(setting.key)))
    is_open = record.status is Status.LOBBY
    lines.append(say("lobby.with_hints") if room.has_hints else say("lobby.no_hints", open=is_open))
    if terms.lesson:
        lines.append(say("lobby.lesson"))
    if is_open or not room.is_solo:
        # Somebody who plays alone is not rated, and ends the match by giving up.
        lines.append(say("lobby.rated" if terms.rated else "lobby.unrated"))
        lines.append(say("lobby.stand_in", level=level_name(terms.stand_in)))
    return lines


def state_lines(room: Room) -> list[str]:
    """Say what an open lobby waits for, or what has become of it."""
    record, place, days = room.record, room.record.place, QUIET // DAY
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
                who = listed(f"<@{user}>" for user in record.awaited)
                lines.append(say("lobby.awaited", who=who))
            missing = table.seats - len(record.chairs)
            if missing > 0:
                lines.append(say("lobby.waiting", missing=missing))
            if against := table.obstacles():
                lines += [*against, say("lobby.change")]
            return [*(lines or [say("lobby.can_start")]), say("lobby.quiet", days=days)]
    if place.thread or place.wants_thread:
        return [say("lobby.started", thread=f"<#{place.thread}>" if place.thread else "")]
    return [say("lobby.started_here")]


def rows(room: Room) -> list[Row]:
    """Return the card's buttons and the menus of open settings; none once the lobby is closed."""
    record, match = room.record, room.record.id
    if record.status is not Status.LOBBY:
        return []
    labels = {what: say(f"lobby.{what}") for what in BUTTONS}
    labels[TIME] = say("pace.button")
    labels["rated"] = say("lobby.rate", rated=record.terms.rated)
    people = [person.id for person in record.chairs if person.id != COMPUTER]
    if len(people) > 1:
        # Somebody alone has hints anyway.
        agreed = sum(user in record.terms.hints for user in people)
        labels["hints"] = say("lobby.hints", agreed=agreed, people=len(people))
    found = button_rows(
        Button(control_id(match, what), label, BUTTONS.get(what, PLAIN))
        for what, label in labels.items()
    )
    table = Table(record, find_game(record.game))
    settings = table.open_settings()
    # If there are more settings than menus, the last menu is for several of them.
    alone = MENU_ROWS if len(settings) <= MENU_ROWS else MENU_ROWS - 1
    for group in filter(None, (*([one] for one in settings[:alone]), settings[alone:])):
        is_shared = len(group) > 1
        lines = []
        for setting, values in group:
            key, now = setting.key, table.chosen(setting)
            for value in values:
                label = setting_line(record.game, key, value)
                # In a shared menu none is marked, for of each setting one would be.
                is_marked = value == now and not is_shared
                lines.append(Choice(f"{key}={value}" if is_shared else value, label, "", is_marked))
        words = words_of(record.game)
        title = say("lobby.menu", setting=listed(words.setting(one.key) for one, _ in group))
        custom_id = control_id(match, "more") if is_shared else control_id(match, "set", key)
        found.append(Menu(custom_id, cut(title, PLACEHOLDER), tuple(lines)))
    return found


# The private screens of the host.


def term_menus(record: MatchRecord, screen: str, zone: str = "") -> list[Row]:
    """Return the menus of the terms of a screen; `zone` is the host's own time zone."""
    menus: list[Row] = []
    for term in TERMS.values():
        # Without a clock there is nothing to choose about time but the pace.
        is_idle = screen == TIME and term is not PACE and record.terms.time.pace is Pace.NONE
        if term.screen != screen or is_idle:
            continue
        now = term.chosen(record.terms)
        lines = [
            Choice(menu_value(option), term.label(option), term.explain(option), option == now)
            for option in term.options(now, zone)
        ]
        title = say(f"term.{term.key}")
        menus.append(Menu(control_id(record.id, term.key), title, tuple(lines)))
    return menus


def computers_text() -> str:
    """Say what computers can do, level by level."""
    levels = [
        say("computers.level", level=level_name(level), how=say(f"level.how_{level}"))
        for level in LEVELS
    ]
    return "\n".join((say("computers.question"), *levels, say("computers.honest")))


def computers_rows(record: MatchRecord) -> list[Row]:
    """Return the controls that add, change and remove computers."""
    found: list[Row] = []
    if len(record.chairs) < find_game(record.game).seats[-1]:
        adding = []
        for level in LEVELS:
            label = say("computers.add", level=level_name(level))
            adding.append(Button(control_id(record.id, "add_computer", level), label, STRONG))
        found.append(tuple(adding))
    changes, removals = [], []
    for seat, chair in enumerate(record.chairs):
        if chair.id != COMPUTER:
            continue
        name = person_name(chair)
        for level in LEVELS:
            if level != chair.level:
                label = say("computers.change", name=name, level=level_name(level))
                changes.append(Choice(f"{seat}_{level}", label))
        removals.append(Choice(f"{seat}_remove", say("computers.remove", name=name)))
    if removals:
        title = say("computers.menu")
        found.append(Menu(control_id(record.id, "computers"), title, (*changes, *removals)))
    return [*found, *term_menus(record, COMPUTERS)]


# The cards made and kept up to date.


def nonce_of(record: MatchRecord) -> str:
    """Return the nonce of a lobby's card."""
    return f"lobby-{record.id}"


def card_of(room: Room) -> Message:
    """Return the card of a lobby as it is kept up to date."""
    return Message("", (), tuple(rows(room)), embed=embed(room))


class LobbyMessages:
    """Looks after the cards of all lobbies."""

    def __init__(self, client: MotuClient) -> None:
        services = client.services
        self._client = client
        self._kernel = client.kernel
        self._lobby = services.require(Lobby)
        self._reminders = services.require(Reminders)
        self._outbox = services.require(Outbox)
        self._sender = services.require(Sender)
        self.locks = Locks()
        """Held for a match while its card is being made."""
        self._watching: asyncio.Task[None] | None = None
        self._notices: TTLCache[str, tuple[int, set[int]]] = TTLCache(
            NOTICES_REMEMBERED, NOTICE_EDITED_SECONDS, client.kernel.now
        )
        """The newest notice in a lobby, and all who were mentioned for such lately."""

    async def start(self) -> None:
        """After a start: bring all cards up to date, then close quiet lobbies from time to time."""
        await self.close()
        self._watching = track_task(self._watch(await self._lobby.all_open()), "lobbies")

    async def close(self) -> None:
        """Stop; after the next start it goes on."""
        if self._watching is not None:
            self._watching.cancel()

    async def _watch(self, rooms: list[Room]) -> None:
        for room in rooms:
            await self._update(room.record.id)
        while True:
            try:
                for room in await self._lobby.expire():
                    log.info("lobby %s has closed: nothing happened in it", room.record.id)
            except (BotError, EngineError) as error:
                log_error(error, "lobbies are looked at again later")
            await asyncio.sleep(EXPIRY_INTERVAL_SECONDS)

    def on_change(self, change: Change) -> None:
        """Show what was done to a lobby, and who sits where when a seat has changed hands."""
        before, after = change.before.record, change.after.record
        if before.status is Status.LOBBY or before.chairs != after.chairs:
            self.update_later(change.match_id)
        if before.terms.time != after.terms.time:
            work = self._tell_terms(change.after)
            self._client.handlers.start(work, f"terms-{change.match_id}")

    def update_later(self, match: str) -> None:
        """Bring a card up to date in the background, or make it."""
        self._client.handlers.start(self._update(match), f"lobby-{match}")

    async def _update(self, match: str) -> None:
        try:
            await self.make(match)
            await self.show(match)
        except (BotError, EngineError, *DISCORD_ERRORS) as error:
            why = getattr(error, "code", type(error).__name__)
            log.info("the lobby message of %s stays as it was (%s)", match, why)

    # A card made.

    async def make(self, match: str) -> None:
        """Make the card of a lobby that has none; if that cannot be done, cancel it and refuse."""

        async def attempt(tries: int) -> None:
            if tries == TRIES:
                raise Refused("refusal.rematch_place")
            room = await self._kernel.matches.find(match)
            await self.note(match, await self._find(room) or await self._post(room))

        async with self.locks[match]:
            record = (await self._kernel.matches.find(match)).record
            if record.lobby_message:
                return
            table = Table(record, find_game(record.game), Person(record.host, ""))
            table.check_open()
            try:
                await self._outbox.retry(match, attempt)
            except (Refused, discord.HTTPException) as error:
                log.warning("lobby %s is cancelled: its message cannot be shown", match)
                await self._lobby.change(match, table.by, Table.cancel)
                raise Refused("refusal.rematch_place") from error

    async def note(self, match: str, message: int) -> None:
        """Note which message is the card of a lobby."""
        await self._kernel.matches.note_messages(match, lobby_message=message)

    async def _find(self, room: Room) -> int:
        """Return the id of a lobby's card if it is there already, else 0."""
        record, buttons = room.record, ids_in(rows(room))
        return await self._sender.find(
            record.place.channel,
            nonce_of(record),
            record.last_activity_at,
            lambda message: carries(message, buttons),
            is_doubtful=True,
        )

    async def _post(self, room: Room) -> int:
        """Post the card of a lobby, and return its id; that of a rematch mentions the others."""
        record, card = room.record, card_of(room)
        called = [user for user in record.seating if user not in (COMPUTER, record.host)]
        for user in called:
            if (await self._reminders.of(user)).level is ReminderLevel.DIGEST:
                await self._reminders.put_in_digest(user)
        offer = card
        if record.seating:
            host = next(person for person in record.chairs if person.id == record.host)
            names = {"who": escaped(person_name(host)), "called": mentions(called)}
            words = say("post.rematch_offer", game=describe.title(room), **names)
            pings = tuple(await self._reminders.mentionable(called))
            offer = replace(card, content=words, pings=pings)
        pictures = [await self._draw_map(room)]
        return await self._sender.send(
            record.place.channel, card, nonce_of(record), sent_as=offer, pictures=pictures
        )

    async def answer(self, interaction: MotuInteraction, room: Room) -> int | None:
        """Answer with the card of a new lobby; return its id, None if that was too late."""
        parts = parts_of(card_of(room), [await self._draw_map(room)])
        return await reply.respond(interaction, **parts)

    async def _draw_map(self, room: Room) -> Picture | None:
        """Draw the host's own map, set up as it may be when the match begins."""
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
            # A lobby is shown even if its map cannot be drawn.
            log_error(error)
            return None

    # A card kept up to date.

    async def show(self, match: str, pressed: MotuInteraction | None = None) -> None:
        """Show on a lobby's card how things stand; fail if Discord does not take it."""
        shown = None
        room = await self._kernel.matches.find(match)
        # Edits of several people may overtake each other: each ends with the truth.
        while (card := card_of(room)) != shown:
            if pressed is not None:
                await self._sender.edit_pressed(pressed, card)
            elif room.record.lobby_message:
                channel = room.record.place.channel
                await self._sender.edit(channel, room.record.lobby_message, card)
            shown, room = card, await self._kernel.matches.find(match)

    async def show_map(self, room: Room) -> None:
        """Show on a lobby's card the host's own map, or none."""
        channel = self._client.get_partial_messageable(room.record.place.channel)
        pictures = attached([await self._draw_map(room)])
        with suppress(discord.HTTPException):
            card = channel.get_partial_message(room.record.lobby_message)
            await card.edit(attachments=pictures)

    # A notice of other terms.

    async def _tell_terms(self, room: Room) -> None:
        """Tell those who sat down on other terms about time; in quiet hours, when these end."""
        match = room.record.id
        seated = [user for user in room.players if user != room.record.host]
        if not seated or room.record.status is not Status.LOBBY:
            return
        for user in seated:
            if (await self._reminders.of(user)).level is ReminderLevel.DIGEST:
                await self._reminders.put_in_digest(user, match)
        await self._mention(room, [user for user in seated if await self._can_call(room, user)])

    async def tell_terms_later(self, job: Job) -> None:
        """Mention somebody for terms that were changed in their quiet hours."""
        room = await self._kernel.matches.find(job.match)
        is_seated = room.record.status is Status.LOBBY and job.user in room.players
        if is_seated and await self._can_call(room, job.user):
            await self._mention(room, [job.user])

    async def _can_call(self, room: Room, user: int) -> bool:
        """Return whether somebody may be mentioned now; in quiet hours it is tried at their end."""
        chosen = await self._reminders.of(user)
        if chosen.level is not ReminderLevel.TURN:
            return False
        until = chosen.quiet_until(self._kernel.now())
        if until is not None:
            await self._kernel.scheduler.set(Job(reminders.TERMS, until, room.record.id, user))
        return until is None

    async def _mention(self, room: Room, users: list[int]) -> None:
        """Mention people for other terms; edit the last notice if all were mentioned lately.

        The host may go on changing the terms.
        """
        match, channel = room.record.id, room.record.place.channel
        contract = describe.time_contract(room.record.terms.time)
        said = say(
            "pace.changed", called=mentions(users), contract=contract, **describe.facts(room)
        )
        message, mentioned = self._notices.get(match, (0, set[int]()))
        unmentioned = tuple(user for user in users if user not in mentioned)
        notice = Message(said, unmentioned, ())
        try:
            if message and not unmentioned and await self._sender.edit(channel, message, notice):
                return
            # Somebody may have deleted it, perhaps before anybody had read it.
            notice = replace(notice, pings=unmentioned or tuple(users))
            sent = await self._sender.send(channel, notice, token_hex(8))
        except discord.HTTPException as error:
            if error.code not in error_codes.PLACE_LOST:
                raise
            log.info("lobby %s cannot tell of other terms (%s)", match, error.code)
            return
        self._notices[match] = sent, mentioned.union(users)
