"""What people do to a lobby: the slash commands, and the controls of its card and of its host's
private screens.
"""

from contextlib import suppress
from typing import Any

import discord
from msgspec.structs import replace

from bot.features.clock.discord import propose_time, terms_text
from bot.features.lobby import messages, rules
from bot.features.lobby.messages import control_pattern
from bot.features.lobby.posts import LobbyMessages
from bot.features.lobby.rules import TERMS, Table
from bot.features.lobby.service import Lobby, LobbyRule
from bot.features.reminders.commands import with_welcome
from bot.features.reminders.service import Reminders
from bot.features.server_settings.settings import Servers, ServerSettings, Threads
from bot.features.votes.discord import go_on_here
from bot.kernel.room import Room
from bot.kernel.zones import like_zone, read_zone
from bot.model.clocks import Expiry, Pace, TimeTerms
from bot.model.match import OPEN, MatchRecord, Person, Place, Status, Terms
from bot.model.stored import MessageKind
from bot.runtime.errors import BotError, NotFound, Refused, Unanswered
from bot.text import say
from bot.ui import describe, error_codes, reply
from bot.ui.client import MotuInteraction, service
from bot.ui.commands import Choices, Command, autocomplete, slash
from bot.ui.components import Item, named, turn_button
from bot.ui.names import person
from bot.ui.parts import view_of
from bot.ui.permissions import (
    can_have_threads,
    check_can_post,
    check_can_post_at,
    check_channel,
    may_manage,
)
from bot.ui.reply import Acknowledgement
from bot.ui.which_match import Several, meant_game, must_be_in_server, my_match
from engine import GAMES, EngineError, Game, Seat, find_game
from engine.core.game import seats_in_words
from engine.core.words import words_of
from engine.players import LEVELS, Level

THREAD, CHANNEL = "thread", "channel"
"""Where a host may want a match to be played."""
SEATS = ("2", "3", "4", "5")
"""Written out: the games are not loaded yet when commands are described."""
MAX_MAP_BYTES = 200_000
CHANGES: dict[str, LobbyRule] = {
    "leave": Table.leave,
    "cancel": Table.cancel,
    "hints": Table.toggle_hints,
    "rated": Table.toggle_rated,
}
"""Changes to a lobby that take nothing but who asks, by the action in a button's id."""


# What the buttons do, and /game join, leave, start and cancel.


async def act(interaction: MotuInteraction, match: str, what: str) -> Room:
    """Carry out the action of a button or command; the last player to join a rematch starts it."""
    lobby, by = service(interaction, Lobby), person(interaction)
    if what == "join":
        return await start_if_complete(interaction, await lobby.join(match, by, interaction.id))
    if what == "start":
        room = await interaction.client.kernel.matches.find(match)
        check_can_post_at(interaction, room.record.place)
        return await lobby.start(match, by, interaction.id)
    return await change(interaction, match, CHANGES[what])


async def change(interaction: MotuInteraction, match: str, rule: LobbyRule) -> Room:
    """Have the user of an interaction do something to a lobby."""
    lobby = service(interaction, Lobby)
    return await lobby.change(match, person(interaction), rule, interaction.id)


async def start_if_complete(interaction: MotuInteraction, room: Room) -> Room:
    """Begin a rematch in which everybody who was awaited has sat down: its host may be asleep.

    If something stands against it, such as a missing permission, the lobby stays, and its host is
    told when they start.
    """
    record = room.record
    if record.status is Status.LOBBY and record.seating and not record.awaited:
        with suppress(BotError, EngineError):
            check_can_post_at(interaction, record.place)
            return await service(interaction, Lobby).start(record.id, Person(record.host, ""))
    return await interaction.client.kernel.matches.find(record.id)


async def find_lobby(interaction: MotuInteraction, match: str | None) -> Room:
    """Return the lobby that somebody means: the one named, or the only one here."""
    must_be_in_server(interaction)
    if match:
        return await named(interaction, match)
    if room := await lobby_here(interaction):
        return room
    mine = await interaction.client.kernel.matches.of_user(interaction.user.id)
    if elsewhere := [room for room in mine if room.record.status is Status.LOBBY]:
        raise Several(say("refusal.lobby_elsewhere"), elsewhere)
    raise NotFound("refusal.no_lobby")


async def lobby_here(interaction: MotuInteraction) -> Room | None:
    """Return the only lobby of this channel, if there is one; ask which of several is meant."""
    here = await interaction.client.kernel.matches.here(interaction.channel_id or 0)
    # Nobody has seen a lobby yet that has no message.
    lobbies = [
        room for room in here if room.record.status is Status.LOBBY and room.record.lobby_message
    ]
    if len(lobbies) > 1:
        raise Several(say("refusal.several_lobbies"), lobbies)
    return lobbies[0] if lobbies else None


def lobby_command(what: str, done: str) -> Command:
    """Return a command that does what a button of the lobby does, and says so with the text
    answer.`done`.
    """

    @slash(what, match="lobby")
    async def command(interaction: MotuInteraction, match: str | None = None) -> None:
        room = await find_lobby(interaction, match)
        room = await act(interaction, room.record.id, what)
        said = say(f"answer.{done}", **messages.facts(room))

        async def tell(*welcome: str) -> None:
            await reply.tell(interaction, "\n".join((said, *welcome)))

        with reply.answering():
            if what == "join":
                await with_welcome(interaction, tell)
            else:
                await tell()
            await service(interaction, LobbyMessages).refresh(room)

    return command


LOBBY_COMMANDS = (
    lobby_command("join", "joined"),
    lobby_command("leave", "left"),
    lobby_command("start", "started"),
    lobby_command("cancel", "cancelled"),
)


class LobbyControl(Item, template=control_pattern("join", "start", "set", "more", *CHANGES)):
    """A button or menu of a lobby's card, which is edited in place."""

    acknowledgement = Acknowledgement.IN_PLACE

    async def on_press(self, interaction: MotuInteraction) -> None:
        """Do what was pressed, and show on the card how things stand."""
        room = await self.room(interaction)
        record, what = room.record, self.fields["what"]
        cards = service(interaction, LobbyMessages)
        pressed_on = interaction.message.id if interaction.message is not None else 0
        if pressed_on and not record.lobby_message and record.status is Status.LOBBY:
            # It was posted, but the bot was stopped before it could note that.
            await interaction.client.kernel.announcements.note_message(
                record.id, MessageKind.LOBBY, pressed_on
            )
        try:
            if what in ("set", "more"):
                await self._set(interaction, room)
            else:
                await act(interaction, record.id, what)
        except (BotError, EngineError):
            if record.status is not Status.LOBBY and pressed_on == record.lobby_message:
                # A message that still has buttons does not show yet that the lobby is closed.
                await cards.redraw(record.id, interaction.edit_original_response)
            raise

        async def welcome(*lines: str) -> None:
            # That somebody has joined the lobby shows, so there is nothing to say to others.
            for line in lines:
                await interaction.followup.send(line, ephemeral=True)

        with reply.answering():
            await cards.redraw(record.id, interaction.edit_original_response)
            if what == "join":
                await with_welcome(interaction, welcome)

    async def _set(self, interaction: MotuInteraction, room: Room) -> None:
        """Choose a setting of the game, in a menu of its own or in one that several share."""
        if not self.values:
            raise Refused("refusal.old_lobby_control")
        key, value = self.fields["key"], self.values[0]
        game = find_game(room.record.game)
        if self.fields["what"] == "more":
            key, value = rules.read_shared_menu(game, value)
        elif key not in [setting.key for setting in rules.listed_settings(game)]:
            raise Refused("refusal.foreign_choice")
        await change(
            interaction, room.record.id, lambda table, by: table.set_setting(by, key, value)
        )


# The private screens of the host, and /game pace.


async def choose_term(interaction: MotuInteraction, room: Room, key: str, value: str) -> Room:
    """Choose one of the table's terms in a menu."""
    zone = await own_zone(interaction)

    def choose(table: Table, by: Person) -> MatchRecord:
        return table.set_terms(by, TERMS[key].choose(table.record.terms, value, zone))

    return await change(interaction, room.record.id, choose)


async def own_zone(interaction: MotuInteraction) -> str:
    """Return the time zone that the user has chosen for themselves."""
    settings = await service(interaction, Reminders).settings.of(interaction.user.id)
    return settings.zone


COMPUTER_CONTROLS = (
    "computer",
    "add_computer",
    "computers",
    *(term.key for term in rules.OTHER_TERMS),
)


class ComputerControl(Item, template=control_pattern(*COMPUTER_CONTROLS)):
    """The button Add computer, or a control of the private screen that it opens."""

    async def on_press(self, interaction: MotuInteraction) -> None:
        """Change the computers of the lobby, and show them to its host."""
        room = await self.room(interaction)
        what = self.fields["what"]
        if interaction.user.id != room.record.host:
            raise Refused("refusal.host_add_computer")
        if what in TERMS:
            room = await choose_term(interaction, room, what, self.values[0] if self.values else "")
        elif what != "computer":
            room = await change(interaction, room.record.id, self._change)
        with reply.answering():
            await reply.show(
                interaction, messages.computers_text(), messages.computers_rows(room.record)
            )
            if what != "computer":
                await service(interaction, LobbyMessages).refresh(room)

    def _change(self, table: Table, by: Person) -> MatchRecord:
        """Add a computer, or change or remove one: the line of a menu says which and how, as
        `1_strong`.
        """
        given = self.values[0] if self.values else self.fields["key"]
        if self.fields["what"] == "add_computer":
            return table.add_computer(by, rules.find_level(given))
        number, _, level = given.partition("_")
        seat = Seat(int(number)) if number.isdecimal() and len(number) < 3 else Seat(-1)
        return table.change_computer(
            by, seat, None if level == "remove" else rules.find_level(level)
        )


class TimeControl(Item, template=control_pattern("time", *(term.key for term in rules.TIME_TERMS))):
    """The button Time…, or a menu of the private screen that it opens."""

    async def on_press(self, interaction: MotuInteraction) -> None:
        """Change the terms about time, and show them."""
        room = await self.room(interaction)
        what = self.fields["what"]
        if what == "time":
            await show_time(interaction, room)
            return
        room = await choose_term(interaction, room, what, self.values[0] if self.values else "")
        with reply.answering():
            await show_time(interaction, room)
            await show_changed_time(interaction, room)


async def show_time(interaction: MotuInteraction, room: Room) -> None:
    """Show the terms about time; to the host of a lobby with the menus to change them."""
    terms = terms_text(room, interaction.client.kernel.clocks)
    if room.record.status is Status.LOBBY and interaction.user.id == room.record.host:
        rows = messages.time_rows(room.record, await own_zone(interaction))
        await reply.show(interaction, f"{say('pace.question')}\n{terms}", rows)
    else:
        await reply.show(interaction, terms)


async def show_changed_time(interaction: MotuInteraction, room: Room) -> None:
    """Show changed terms on the lobby's card, and tell those who sat down on other ones."""
    cards = service(interaction, LobbyMessages)
    await cards.refresh(room)
    await cards.tell_terms(room)


@autocomplete
async def complete_weekends(interaction: MotuInteraction, current: str) -> Choices:
    """Offer not to stop on weekends, and time zones in which they are off."""
    none = say("pace.words_for_none").split()[0]
    counted = (
        [(say("pace.weekends_on"), none)] if none.startswith(current.casefold().strip()) else []
    )
    return [*counted, *((say("pace.weekends_off", zone=zone), zone) for zone in like_zone(current))]


@slash(
    "pace",
    choices={
        "pace": {pace.value: describe.pace_name(pace) for pace in Pace},
        "time_up": {expiry.value: rules.EXPIRY.label(expiry) for expiry in Expiry},
    },
    completions={"weekends": complete_weekends},
)
async def pace(
    interaction: MotuInteraction,
    pace: str | None = None,
    time_up: str | None = None,
    weekends: str | None = None,
    match: str | None = None,
) -> None:
    """Show the terms about time, or change them: in a lobby for its host, in a running match by
    vote.
    """
    room = await named(interaction, match) if match else await match_or_lobby_here(interaction)
    if (pace, time_up, weekends) == (None, None, None):
        await show_time(interaction, room)
        return
    terms = room.record.terms
    if pace is not None:
        terms = rules.PACE.choose(terms, pace)
    if time_up is not None:
        terms = rules.EXPIRY.choose(terms, time_up)
    if weekends is not None:
        is_none = weekends.strip().casefold() in say("pace.words_for_none").split()
        terms = rules.WEEKENDS.put(terms, "" if is_none else read_zone(weekends))
    if terms == room.record.terms:
        raise Refused("pace.nothing_new")
    if room.record.status is not Status.LOBBY:
        await propose_time(interaction, room, terms.time)
        return
    room = await change(interaction, room.record.id, lambda table, by: table.set_terms(by, terms))
    with reply.answering():
        contract = describe.time_contract(terms.time)
        await reply.tell(interaction, say("pace.set", contract=contract, **messages.facts(room)))
        await show_changed_time(interaction, room)


async def match_or_lobby_here(interaction: MotuInteraction) -> Room:
    """Return the match that is meant here; the lobby here, if no match is."""
    try:
        return await my_match(interaction, None, seated=False, in_turn=False)
    except NotFound:
        if lobby := await lobby_here(interaction):
            return lobby
        raise


# /game new, /solo and /learn.


@autocomplete
async def complete_settings(interaction: MotuInteraction, current: str) -> Choices:
    """Offer ways to go on with the settings of the game that is named."""
    return rules.complete_settings(meant(str(getattr(interaction.namespace, "game", ""))), current)


@slash(
    "new",
    extras=reply.IF_SLOW,
    choices={"place": {place: say(f"command.new.{place}") for place in (THREAD, CHANNEL)}},
    completions={"settings": complete_settings},
)
async def new(
    interaction: MotuInteraction,
    game: str,
    settings: str = "",
    place: str = "",
    map: discord.Attachment | None = None,
) -> None:
    """Open a lobby, and show it where the command was used."""
    guild = must_be_in_server(interaction)
    played = meant(game)
    chosen = rules.parse_settings(played, settings)
    where = await place_for(interaction, place)
    if map is not None:
        chosen[rules.own_map_setting(played)] = await read_map(map)
    server = await service(interaction, Servers).of(guild)
    terms = Terms(time=TimeTerms(pace=server.pace))
    lobby = service(interaction, Lobby)
    room = await lobby.open(
        played.id, chosen, where, person(interaction), interaction.id, terms=terms
    )
    await show_new_lobby(interaction, room)


@slash(
    "solo",
    dms=True,
    extras=reply.IF_SLOW,
    choices={
        "level": {level: rules.level_name(level) for level in LEVELS},
        "seats": {seats: seats for seats in SEATS},
    },
)
async def solo(
    interaction: MotuInteraction, game: str, level: str = LEVELS[0], seats: str = SEATS[0]
) -> None:
    """Begin a match against computers."""
    played, number = meant(game), int(seats)
    if number not in played.seats:
        least, most = seats_in_words(played)
        raise Refused("refusal.solo_seats", game=played.title, least=least, most=most, seats=seats)
    await begin_alone(interaction, played, [rules.find_level(level)] * (number - 1), Terms())


@slash("learn", dms=True, extras=reply.IF_SLOW)
async def learn(interaction: MotuInteraction, game: str) -> None:
    """Begin a first match, against easy computers and with a coach."""
    played = meant(game)
    if not words_of(played.id).lesson("begins"):
        raise Refused("refusal.no_lesson", game=played.title)
    await begin_alone(interaction, played, [LEVELS[0]] * (played.seats[0] - 1), Terms(lesson=True))


def meant(game: str) -> Game[Any]:
    """Return the game of an id or title, in any case."""
    return GAMES[meant_game(game)]


async def begin_alone(
    interaction: MotuInteraction, game: Game[Any], computers: list[Level], terms: Terms
) -> None:
    """Begin a match against computers at once, in a server or in a direct message."""
    lobby, host = service(interaction, Lobby), person(interaction)
    place = await place_for(interaction)
    room = await lobby.open(game.id, {}, place, host, interaction.id, computers, terms)
    await show_new_lobby(interaction, room)
    # Not waited for: while a computer thinks about the first turn, nobody shall see a lobby that
    # asks to be started.
    room = await lobby.start(room.record.id, host, wait_for_computers=False)
    await service(interaction, LobbyMessages).refresh(room)


async def place_for(interaction: MotuInteraction, wanted: str = "") -> Place:
    """Return where a match opened here is played; refuse if it may not be opened, or if the bot
    could not post.

    A direct message has no threads and no settings.
    """
    channel = interaction.channel_id or 0
    if interaction.guild_id is None:
        return Place(0, channel, wants_thread=False)
    threads = (await check_may_open(interaction, interaction.guild_id, channel)).threads
    if wanted == CHANNEL and threads is Threads.ALWAYS:
        raise Refused("server.always_threads")
    if wanted == THREAD and threads is Threads.NEVER:
        raise Refused("server.no_threads")
    may_thread = wanted != CHANNEL and threads is not Threads.NEVER
    wants_thread = may_thread and can_have_threads(interaction)
    check_can_post(interaction, wants_thread)
    return Place(interaction.guild_id, channel, wants_thread=wants_thread)


async def check_may_open(interaction: MotuInteraction, guild: int, channel: int) -> ServerSettings:
    """Return the settings of a server; refuse if it wants no match opened by this person, or in
    this channel.
    """
    settings = await service(interaction, Servers).of(guild)
    if settings.hosts and not may_manage(interaction):
        roles = getattr(interaction.user, "roles", ())
        if all(role.id != settings.hosts for role in roles):
            raise Refused("server.only_hosts", role=f"<@&{settings.hosts}>")
    check_channel(interaction, settings.channels, channel)
    return settings


async def show_new_lobby(interaction: MotuInteraction, room: Room) -> None:
    """Answer with the message of a lobby that the command has opened."""
    cards = service(interaction, LobbyMessages)
    match, message = room.record.id, 0
    cards.shown_by_command.add(match)
    try:
        message = await answer_with_lobby(interaction, room)
        if message:
            await interaction.client.kernel.announcements.note_message(
                match, MessageKind.LOBBY, message
            )
    except discord.HTTPException as error:
        if error.status < 500 and error.code:
            # Nobody can see it: it must not be found by those who look for a lobby here.
            await service(interaction, Lobby).change(match, person(interaction), Table.cancel)
            raise
        raise Unanswered from error
    except reply.UNREACHABLE as error:
        raise Unanswered from error
    finally:
        if not message:
            # It may be there without the bot having heard of it.
            cards.mend(match)


async def answer_with_lobby(interaction: MotuInteraction, room: Room) -> int:
    """Send a lobby's message as the command's response, or post it if that comes too late; return
    its id.

    Return 0 if another process may have sent it.
    """
    cards = service(interaction, LobbyMessages)
    try:
        message = await reply.respond(
            interaction,
            embed=messages.embed(room),
            view=view_of(messages.rows(room)),
            files=reply.attached([await cards.map_picture(room)]),
        )
    except discord.HTTPException as error:
        if error.code not in error_codes.TOO_LATE:
            raise
        return await cards.post(room)
    if message is not None:
        return message
    if reply.ELSEWHERE in interaction.extras:
        # Discord told of it twice: the lobby may be there already.
        return 0
    message = await cards.post(room)
    with reply.answering():
        await reply.tell(interaction, say("answer.opened", **messages.facts(room)))
    return message


# /game map and move, and the button Rematch.


@slash("map", match="lobby")
async def change_map(
    interaction: MotuInteraction, file: discord.Attachment | None = None, match: str | None = None
) -> None:
    """Give an open lobby another map, or without a file the game's own."""
    room = await find_lobby(interaction, match)
    key = rules.own_map_setting(find_game(room.record.game))
    text = await read_map(file) if file is not None else ""
    room = await change(
        interaction, room.record.id, lambda table, by: table.set_setting(by, key, text)
    )
    with reply.answering():
        await reply.tell(
            interaction, say("answer.map" if text else "answer.no_map", **messages.facts(room))
        )
        await service(interaction, LobbyMessages).refresh(room, with_picture=True)


async def read_map(file: discord.Attachment) -> str:
    """Return the text of a file; refuse one that is no text, or too long for a map."""
    if file.size > MAX_MAP_BYTES:
        raise Refused("refusal.file_too_large", size=file.size, most=MAX_MAP_BYTES)
    try:
        text = (await file.read()).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise Refused("refusal.file_not_text") from None
    except reply.DISCORD_ERRORS as error:
        raise Refused("refusal.file_unread") from error
    if not text.strip():
        raise Refused("refusal.file_empty")
    return text


@slash("move")
async def move(interaction: MotuInteraction, match: str | None = None) -> None:
    """Move a match to the place where the command is used; for its host."""
    must_be_in_server(interaction)
    user = interaction.user.id
    if match:
        rooms = [await named(interaction, match)]
    else:
        rooms = await interaction.client.kernel.matches.of_user(user)
    begun = [room for room in rooms if room.match is not None and room.record.status in OPEN]
    hosted = [room for room in begun if room.record.host == user]
    if len(hosted) > 1:
        raise Several(say("refusal.several_hosted"), hosted)
    if begun and not hosted:
        raise Refused("refusal.host_move")
    if not hosted:
        raise NotFound("refusal.none_hosted")
    await go_on_here(interaction, hosted[0], "moved")


class RematchButton(Item, template=turn_button("rematch")):
    """Opens a lobby with the same table and calls the others, or takes a chair in the one that is
    open.

    It stands under the last board of a match. A rematch begins at once where nobody is awaited any
    more, or only computers are to sit down again.
    """

    async def on_press(self, interaction: MotuInteraction) -> None:
        """Offer a rematch, or accept it."""
        ended = await self.room(interaction)
        place, match = ended.record.place, ended.record.id
        lobby = service(interaction, Lobby)
        cards = service(interaction, LobbyMessages)
        if place.guild and ended.seat_of(interaction.user.id) is not None:
            _, opened = await lobby.find_rematch(match)
            if opened is None:
                await check_may_open(interaction, place.guild, place.channel)
                check_can_post_at(interaction, replace(place, thread=0))
        room, is_new = await lobby.rematch(match, person(interaction), interaction.id)
        if room.record.status is Status.LOBBY and not room.record.lobby_message:
            room = await cards.make(room.record.id)
            if room.record.status is Status.CANCELLED:
                raise Refused("refusal.rematch_place")
        room = await start_if_complete(interaction, room)
        is_open = room.record.status is Status.LOBBY
        with reply.answering():
            if not is_open or not is_new:
                await cards.refresh(room)
            key = "answer.rematch_open" if is_open else "answer.rematch_begun"
            await reply.tell(interaction, say(key, link=describe.link(room)))
