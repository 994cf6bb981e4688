"""What people do to a lobby: the slash commands, and the controls of its card and screens."""

from collections.abc import Sequence
from contextlib import suppress

import discord
from msgspec.structs import replace

from bot.features.clock.discord import propose_time, terms_text
from bot.features.lobby import messages, rules
from bot.features.lobby.messages import LobbyMessages
from bot.features.lobby.rules import COMPUTERS, TERMS, TIME, LobbyRule, Table
from bot.features.lobby.service import Lobby
from bot.features.reminders.commands import with_welcome
from bot.features.reminders.service import Reminders
from bot.features.server_settings import Servers, ServerSettings, Threads
from bot.features.votes.discord import go_on_here
from bot.kernel.room import Room
from bot.kernel.zones import like_zone, read_zone
from bot.model import (
    DEFAULT_TERMS,
    OPEN,
    Expiry,
    MatchRecord,
    Pace,
    Person,
    Place,
    Status,
    Terms,
    TimeTerms,
)
from bot.runtime.base import BotError, NotFound, Refused, log_error
from bot.text import say
from bot.ui import (
    MATCH,
    Acknowledgement,
    Choices,
    Item,
    MotuInteraction,
    Several,
    SlashCommand,
    autocomplete,
    describe,
    error_codes,
    meant_game,
    must_be_in_server,
    my_match,
    named,
    only_one,
    person,
    reply,
    service,
    slash,
    turn_button,
)
from bot.ui.permissions import (
    can_have_threads,
    check_can_post,
    check_channel,
    may_manage,
)
from engine import GAMES, EngineError, Seat, find_game
from engine.core.game import seats_in_words
from engine.core.words import words_of
from engine.players import LEVELS, Level

THREAD, CHANNEL = "thread", "channel"
"""Where a host may want a match to be played."""
SEATS = ("2", "3", "4", "5")
"""Written out: the games are not loaded yet when commands are described."""
MAX_MAP_BYTES = 200_000
RULES: dict[str, LobbyRule] = {
    "leave": Table.leave,
    "cancel": Table.cancel,
    "hints": Table.toggle_hints,
    "rated": Table.toggle_rated,
}
"""What buttons do that say nothing but their name."""
SCREENS = {
    **{key: term.screen for key, term in TERMS.items()},
    **dict.fromkeys((COMPUTERS, "add_computer", "computers"), COMPUTERS),
    TIME: TIME,
}
"""The controls that open a private screen or stand on it; all others are on the card."""
CONTROLS = "|".join(("join", "start", "set", "more", *RULES, *SCREENS))


# The controls of the card and of the private screens, and the commands that do the same.


async def act(interaction: MotuInteraction, match: str, what: str) -> Room:
    """Carry out the action of a button or command; the last player to join a rematch starts it."""
    lobby, by = service(interaction, Lobby), person(interaction)
    if what == "join":
        return await start_if_complete(interaction, await lobby.join(match, by, interaction.id))
    if what == "start":
        room = await interaction.client.kernel.matches.find(match)
        check_can_post(interaction, room.record.place)
        return await lobby.start(match, by, interaction.id)
    return await change(interaction, match, RULES[what])


async def start_if_complete(interaction: MotuInteraction, room: Room) -> Room:
    """Begin a rematch in which everybody who was awaited has sat down: its host may be asleep.

    If something stands against it, such as a missing permission, the lobby stays, and its host is
    told when they start.
    """
    record = room.record
    if record.status is Status.LOBBY and record.seating and not record.awaited:
        with suppress(BotError, EngineError):
            check_can_post(interaction, record.place)
            return await service(interaction, Lobby).start(record.id, Person(record.host, ""))
    return await interaction.client.kernel.matches.find(record.id)


async def tell_done(interaction: MotuInteraction, what: str, *said: str) -> None:
    """Say privately what was done; somebody who joins for the first time is welcomed."""

    async def tell(*welcome: str) -> None:
        if lines := (*said, *welcome):
            await reply.tell(interaction, "\n".join(lines))

    await (with_welcome(interaction, tell) if what == "join" else tell())


class LobbyControl(
    Item, template=rf"l:{MATCH}:(?P<what>{CONTROLS})(?::(?P<key>[a-z0-9_]{{1,40}}))?"
):
    """A button or menu of a lobby's card, or of a private screen that one of its buttons opens."""

    def acknowledged(self) -> Acknowledgement:
        """Return how a press is acknowledged: the card is edited in place, a screen is private."""
        is_private = self.fields["what"] in SCREENS
        return Acknowledgement.AT_ONCE if is_private else Acknowledgement.IN_PLACE

    async def on_press(self, interaction: MotuInteraction) -> None:
        """Do what was pressed, and show on the card and the screen how things stand."""
        room = await self.room(interaction)
        match, what = room.record.id, self.fields["what"]
        screen = SCREENS.get(what)
        cards = service(interaction, LobbyMessages)
        if screen == COMPUTERS and interaction.user.id != room.record.host:
            raise Refused("refusal.host_add_computer")
        try:
            if what != screen:
                room = await self._act(interaction)
        except (BotError, EngineError):
            pressed_on = interaction.message.id if interaction.message else 0
            is_closed = room.record.status is not Status.LOBBY
            if is_closed and pressed_on == room.record.lobby_message:
                # A card that still has buttons does not show yet that the lobby is closed.
                await cards.show(match, interaction)
            raise
        if screen == TIME:
            await show_time(interaction, room)
        elif screen == COMPUTERS:
            controls = messages.computers_rows(room.record)
            await reply.show(interaction, messages.computers_text(), controls)
        else:
            await cards.show(match, interaction)
            # That somebody has joined shows on the card, so there is nothing else to say.
            await tell_done(interaction, what)

    async def _act(self, interaction: MotuInteraction) -> Room:
        """Do what a button says, or choose the line of a menu."""
        match, what, key = self.fields["match"], self.fields["what"], self.fields["key"]
        if what in ("join", "start", *RULES):
            return await act(interaction, match, what)
        value = self.values[0] if self.values else key
        zone = await own_zone(interaction)

        def choose(table: Table) -> MatchRecord:
            if what in TERMS:
                return table.set_terms(TERMS[what].choose(table.record.terms, value, zone))
            if what == "add_computer":
                return table.add_computer(rules.find_level(value))
            if what == "computers":
                # Which computer and how, as `1_strong`.
                seat, _, level = value.partition("_")
                number = int(seat) if seat.isdecimal() and len(seat) < 3 else -1
                wanted = None if level == "remove" else rules.find_level(level)
                return table.change_computer(Seat(number), wanted)
            typed = value if what == "more" else f"{key}={value}"
            return table.choose(rules.parse_settings(table.game, typed))

        return await change(interaction, match, choose)


async def change(interaction: MotuInteraction, match: str, rule: LobbyRule) -> Room:
    """Have the user of an interaction do something to a lobby."""
    lobby = service(interaction, Lobby)
    return await lobby.change(match, person(interaction), rule, interaction.id)


async def own_zone(interaction: MotuInteraction) -> str:
    """Return the time zone that the user has chosen for themselves."""
    return (await service(interaction, Reminders).of(interaction.user.id)).zone


async def show_time(interaction: MotuInteraction, room: Room) -> None:
    """Show the terms about time; to the host of a lobby with the menus to change them."""
    said, controls = terms_text(room, interaction.client.kernel.clocks), []
    if room.record.status is Status.LOBBY and interaction.user.id == room.record.host:
        said = f"{say('pace.question')}\n{said}"
        controls = messages.term_menus(room.record, TIME, await own_zone(interaction))
    await reply.show(interaction, said, controls)


# The commands that do what the card's buttons do.


def lobby_command(what: str, done: str) -> SlashCommand:
    """Make the command that does what a button of the card does, and says so with answer.`done`."""

    @slash(f"game.{what}", match="lobby")
    async def run(interaction: MotuInteraction, match: str | None = None) -> None:
        room = await find_lobby(interaction, match)
        room = await act(interaction, room.record.id, what)
        await tell_done(interaction, what, say(f"answer.{done}", **describe.facts(room)))

    return run


join = lobby_command("join", "joined")
leave = lobby_command("leave", "left")
start = lobby_command("start", "started")
cancel = lobby_command("cancel", "cancelled")


async def find_lobby(interaction: MotuInteraction, match: str | None) -> Room:
    """Return the lobby that somebody means: the one named, or the only one here."""
    must_be_in_server(interaction)
    if match:
        return await named(interaction, match)
    if room := await lobby_here(interaction):
        return room
    mine = await interaction.client.kernel.matches.of_user(interaction.user.id)
    if elsewhere := [room for room in mine if room.record.status is Status.LOBBY]:
        raise Several(interaction, "refusal.lobby_elsewhere", elsewhere)
    raise NotFound("refusal.no_lobby")


async def lobby_here(interaction: MotuInteraction) -> Room | None:
    """Return the only lobby of this channel, if there is one; ask which of several is meant."""
    here = await interaction.client.kernel.matches.here(interaction.channel_id or 0)
    lobbies = [room for room in here if room.record.status is Status.LOBBY]
    # Nobody has seen a lobby yet that has no message.
    shown = [room for room in lobbies if room.record.lobby_message]
    return only_one(interaction, "refusal.several_lobbies", shown)


# /game pace


@slash(
    "game.pace",
    choices={"pace": ("pace.{}", Pace), "time_up": ("pace.expiry_{}", Expiry)},
)
async def pace(
    interaction: MotuInteraction,
    pace: str | None = None,
    time_up: str | None = None,
    weekends: str | None = None,
    match: str | None = None,
) -> None:
    """Show the terms about time, or change them: as the host of a lobby, else by vote."""
    room = await named(interaction, match) if match else await match_or_lobby_here(interaction)
    terms = room.record.terms
    if not (pace or time_up or weekends):
        await show_time(interaction, room)
        return
    if pace:
        terms = rules.PACE.choose(terms, pace)
    if time_up:
        terms = rules.EXPIRY.choose(terms, time_up)
    if weekends:
        is_none = weekends.strip().casefold() in say("pace.words_for_none").split()
        terms = rules.WEEKENDS.put(terms, "" if is_none else read_zone(weekends))
    if terms == room.record.terms:
        raise Refused("pace.nothing_new")
    if room.record.status is not Status.LOBBY:
        await propose_time(interaction, room, terms.time)
        return
    room = await change(interaction, room.record.id, lambda table: table.set_terms(terms))
    contract = describe.time_contract(terms.time)
    await reply.tell(interaction, say("pace.set", contract=contract, **describe.facts(room)))


@pace.autocomplete("weekends")
@autocomplete
async def _complete_weekends(interaction: MotuInteraction, current: str) -> Choices:
    """Offer not to stop on weekends, and time zones in which they are off."""
    none = say("pace.words_for_none").split()[0]
    zones = [(say("pace.weekends_off", zone=zone), zone) for zone in like_zone(current)]
    is_none = none.startswith(current.casefold().strip())
    return [(say("pace.weekends_on"), none), *zones] if is_none else zones


async def match_or_lobby_here(interaction: MotuInteraction) -> Room:
    """Return the match that is meant here; the lobby here, if no match is."""
    try:
        return await my_match(interaction, None, in_turn=False)
    except NotFound:
        if lobby := await lobby_here(interaction):
            return lobby
        raise


# /game new, /solo and /learn


@slash(
    "game.new",
    extras=reply.IF_SLOW,
    choices={"place": ("command.game.new.{}", (THREAD, CHANNEL))},
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
    played = GAMES[meant_game(game)]
    chosen = rules.parse_settings(played, settings)
    where = await place_for(interaction, place)
    if map is not None:
        chosen[rules.own_map_setting(played)] = await read_map(map)
    server = await service(interaction, Servers).of(guild)
    terms = Terms(time=TimeTerms(pace=server.pace))
    await open_lobby(interaction, played.id, chosen, where, terms)


@new.autocomplete("settings")
@autocomplete
async def _complete_settings(interaction: MotuInteraction, current: str) -> Choices:
    """Offer ways to go on with the settings of the game that is named."""
    game = meant_game(str(getattr(interaction.namespace, "game", "")))
    return rules.complete_settings(GAMES[game], current)


@slash(
    "solo",
    dms=True,
    extras=reply.IF_SLOW,
    choices={"level": ("level.{}", LEVELS), "seats": ("{}", SEATS)},
)
async def solo(
    interaction: MotuInteraction, game: str, level: str = LEVELS[0], seats: str = SEATS[0]
) -> None:
    """Begin a match against computers."""
    played, number = GAMES[meant_game(game)], int(seats)
    if number not in played.seats:
        least, most = seats_in_words(played)
        raise Refused("refusal.solo_seats", game=played.title, least=least, most=most, seats=seats)
    computers = [rules.find_level(level)] * (number - 1)
    await begin_alone(interaction, played.id, computers, DEFAULT_TERMS)


@slash("learn", dms=True, extras=reply.IF_SLOW)
async def learn(interaction: MotuInteraction, game: str) -> None:
    """Begin a first match, against easy computers and with a coach."""
    played = GAMES[meant_game(game)]
    if not words_of(played.id).lesson("begins"):
        raise Refused("refusal.no_lesson", game=played.title)
    computers = [LEVELS[0]] * (played.seats[0] - 1)
    await begin_alone(interaction, played.id, computers, Terms(lesson=True))


async def begin_alone(
    interaction: MotuInteraction, game: str, computers: list[Level], terms: Terms
) -> None:
    """Begin a match against computers at once, in a server or in a direct message."""
    place = await place_for(interaction)
    match = await open_lobby(interaction, game, {}, place, terms, computers)
    # Not waited for: while a computer thinks about the first turn, nobody shall see a lobby that
    # asks to be started.
    lobby = service(interaction, Lobby)
    await lobby.start(match, person(interaction), wait_for_computers=False)


async def place_for(interaction: MotuInteraction, wanted: str = "") -> Place:
    """Return where a match opened here is played; refuse if it may not be, or nothing be posted.

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
    place = Place(interaction.guild_id, channel, wants_thread=wants_thread)
    check_can_post(interaction, place)
    return place


async def check_may_open(interaction: MotuInteraction, guild: int, channel: int) -> ServerSettings:
    """Return a server's settings; refuse if they let no match be opened by this person or here."""
    settings = await service(interaction, Servers).of(guild)
    if settings.hosts and not may_manage(interaction):
        roles = getattr(interaction.user, "roles", ())
        if all(role.id != settings.hosts for role in roles):
            raise Refused("server.only_hosts", role=f"<@&{settings.hosts}>")
    check_channel(interaction, settings.channels, channel)
    return settings


async def open_lobby(
    interaction: MotuInteraction,
    game: str,
    settings: dict[str, str],
    place: Place,
    terms: Terms,
    computers: Sequence[Level] = (),
) -> str:
    """Open a lobby, answer with its card, and return its id.

    The card is posted by itself if it comes too late to be the answer.
    """
    lobby, host = service(interaction, Lobby), person(interaction)
    room = await lobby.open(game, settings, place, host, interaction.id, computers, terms)
    match, cards = room.record.id, service(interaction, LobbyMessages)
    async with cards.locks[match]:
        try:
            message = await cards.answer(interaction, room)
        except reply.DISCORD_ERRORS as error:
            message, code = None, getattr(error, "code", 0)
            if code and code not in error_codes.TOO_LATE and getattr(error, "status", 500) < 500:
                # Nobody can see it: it must not be found by those who look for a lobby here.
                await lobby.change(match, host, Table.cancel)
                raise Refused("refusal.failed", id=log_error(error)) from error
            if code not in error_codes.TOO_LATE:
                # It may be there without the bot having heard of it.
                cards.update_later(match)
                raise
        if message:
            await cards.note(match, message)
            return match
    await cards.make(match)
    if interaction.response.is_done() and reply.ELSEWHERE not in interaction.extras:
        await reply.tell(interaction, say("answer.opened", **describe.facts(room)))
    return match


# /game map and move, and the button Rematch


@slash("game.map", match="lobby")
async def change_map(
    interaction: MotuInteraction, file: discord.Attachment | None = None, match: str | None = None
) -> None:
    """Give an open lobby another map, or without a file the game's own."""
    room = await find_lobby(interaction, match)
    key = rules.own_map_setting(find_game(room.record.game))
    text = await read_map(file) if file is not None else ""
    room = await change(interaction, room.record.id, lambda table: table.choose({key: text}))
    said = say("answer.map" if text else "answer.no_map", **describe.facts(room))
    await reply.tell(interaction, said)
    await service(interaction, LobbyMessages).show_map(room)


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


@slash("game.move")
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
    room = only_one(interaction, "refusal.several_hosted", hosted)
    if room is None:
        raise Refused("refusal.host_move") if begun else NotFound("refusal.none_hosted")
    await go_on_here(interaction, room, "moved")


class RematchButton(Item, template=turn_button("rematch")):
    """Opens a lobby with the same table and calls the others, or takes a chair in it.

    It stands under the last board of a match. A rematch begins at once where nobody is awaited any
    more, or only computers are to sit down again.
    """

    async def on_press(self, interaction: MotuInteraction) -> None:
        """Offer a rematch, or accept it."""
        ended = await self.room(interaction)
        place, match = ended.record.place, ended.record.id
        lobby = service(interaction, Lobby)
        if place.guild and ended.seat_of(interaction.user.id) is not None:
            _, opened = await lobby.find_rematch(match)
            if opened is None:
                await check_may_open(interaction, place.guild, place.channel)
                check_can_post(interaction, replace(place, thread=0))
        room = await lobby.rematch(match, person(interaction), interaction.id)
        if room.record.status is Status.LOBBY:
            await service(interaction, LobbyMessages).make(room.record.id)
        room = await start_if_complete(interaction, room)
        is_open = room.record.status is Status.LOBBY
        key = "answer.rematch_open" if is_open else "answer.rematch_begun"
        await reply.tell(interaction, say(key, link=describe.link(room)))
