"""Lobbies on Discord: slash commands, the controls of the card and its screen, and Rematch.

A card's custom ids are `l:<match>:<what>:<key>`, with one of CONTROLS as `what`. To add a button to
the card, add a rule to RULES, and its look and place to BUTTONS in messages.py.
"""

from collections.abc import Mapping
from contextlib import suppress

import discord
from msgspec.structs import replace

from bot.features.clock.discord import describe_time
from bot.features.lobby import messages, rules
from bot.features.lobby.forms import (
    change,
    change_map,
    change_settings,
    change_time,
    read_map,
)
from bot.features.lobby.messages import LobbyMessages
from bot.features.lobby.rules import COMPUTERS, STAND_IN, LobbyRule, Table
from bot.features.lobby.service import Lobby
from bot.features.play.presses import open_panel
from bot.features.reminders.commands import with_welcome
from bot.features.server_settings import Servers, ServerSettings, Threads
from bot.features.votes.discord import move_here
from bot.kernel.room import Room
from bot.kernel.zones import parse_zone, suggest_zones
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
from bot.posts.outbox import Outbox
from bot.runtime.base import BotError, NotFound, Refused, log_error
from bot.text import say
from bot.ui import (
    MATCH,
    Acknowledgement,
    AskWhichMatch,
    Choices,
    Item,
    MotuInteraction,
    SlashCommand,
    autocomplete,
    describe,
    error_codes,
    find_named_match,
    form_button,
    must_be_in_server,
    my_match,
    named_match,
    open_form,
    parse_game,
    person,
    pick_only_match,
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
from engine.core.game import seat_range
from engine.core.words import words_of
from engine.players import LEVELS, Level

THREAD, CHANNEL = "thread", "channel"
"""The values of the option `place` of /game new."""
SEATS = ("2", "3", "4", "5")
"""The numbers of players that /solo offers, for all games together.

They are written out because the games are not loaded yet when the commands are declared.
"""
RULES: dict[str, LobbyRule] = {
    "leave": Table.leave,
    "cancel": Table.cancel,
    "hints": Table.toggle_hints,
    "rated": Table.toggle_rated,
}
"""The rules behind the buttons that need no further input."""
SCREEN = (COMPUTERS, "add_computer", "computers", "characters", STAND_IN.key)
"""The controls that open the private screen of computers or are on it; the others are on the card.
"""
CONTROLS = "|".join(("join", "start", *RULES, *SCREEN))


# The controls of the card and its screen


async def run_action(interaction: MotuInteraction, match_id: str, what: str) -> Room:
    """Run the action of a button or command; the last player to join a rematch starts it."""
    lobby, by = service(interaction, Lobby), person(interaction)
    if what == "join":
        return await start_if_complete(interaction, await lobby.join(match_id, by, interaction.id))
    if what == "start":
        room = await interaction.client.kernel.matches.find(match_id)
        check_can_post(interaction, room.record.place)
        return await lobby.start(match_id, by, interaction.id)
    return await change(interaction, match_id, RULES[what])


async def start_if_complete(interaction: MotuInteraction, room: Room) -> Room:
    """Start a rematch that all invited players have joined, without waiting for its host.

    Any other lobby is returned unchanged.
    """
    record = room.record
    if record.status is Status.LOBBY and record.seating and not record.awaited:
        # If it cannot start, for instance because a permission is missing, the lobby stays open,
        # and the host gets the reason on pressing Start.
        with suppress(BotError, EngineError):
            check_can_post(interaction, record.place)
            return await service(interaction, Lobby).start(record.id, Person(record.host, ""))
    return await interaction.client.kernel.matches.find(record.id)


async def confirm_action(interaction: MotuInteraction, what: str, *lines: str) -> None:
    """Confirm an action privately; welcome somebody who joins a match for the first time."""

    async def tell(*welcome: str) -> None:
        if all_lines := (*lines, *welcome):
            await reply.tell(interaction, "\n".join(all_lines))

    await (with_welcome(interaction, tell) if what == "join" else tell())


class LobbyControl(
    Item, template=rf"l:{MATCH}:(?P<what>{CONTROLS})(?::(?P<key>[a-z0-9_]{{1,40}}))?"
):
    """A button or menu on a lobby's card, or on one of its private screens."""

    @property
    def acknowledgement(self) -> Acknowledgement:
        """How to respond: by editing the card in place, or with a private screen."""
        is_private = self.fields["what"] in SCREEN
        return Acknowledgement.AT_ONCE if is_private else Acknowledgement.IN_PLACE

    async def on_press(self, interaction: MotuInteraction) -> None:
        """Run the action, then update the card or the screen."""
        room = await self.room(interaction)
        match, what = room.record.id, self.fields["what"]
        is_private = what in SCREEN
        cards = service(interaction, LobbyMessages)
        if is_private and interaction.user.id != room.record.host:
            raise Refused("refusal.host_add_computer")
        try:
            if what != COMPUTERS:
                room = await self._act(interaction)
        except (BotError, EngineError):
            pressed_on = interaction.message.id if interaction.message else 0
            is_closed = room.record.status is not Status.LOBBY
            if is_closed and pressed_on == room.record.lobby_message:
                # The card is out of date: an open lobby's buttons on a closed lobby.
                await cards.show(match, interaction)
            raise
        if is_private:
            controls = messages.make_computer_rows(room.record)
            await reply.show(interaction, messages.describe_computers(), controls)
        else:
            await cards.show(match, interaction)
            # The card shows the result, so the private answer is only for welcoming newcomers.
            await confirm_action(interaction, what)

    async def _act(self, interaction: MotuInteraction) -> Room:
        """Run the action of a button, or apply the choice in a menu."""
        match, what, key = self.fields["match"], self.fields["what"], self.fields["key"]
        if what in ("join", "start", *RULES):
            return await run_action(interaction, match, what)
        value = self.values[0] if self.values else key

        def choose(table: Table) -> MatchRecord:
            if what == STAND_IN.key:
                return table.set_terms(STAND_IN.choose(table.record.terms, value))
            if what == "add_computer":
                return table.add_computer(rules.find_level(value))
            # The value names the seat and what to do, such as `1_strong`, `1_remove` or `1_hermit`.
            seat, _, wanted = value.partition("_")
            number = Seat(int(seat) if seat.isdecimal() and len(seat) < 3 else -1)
            if what == "characters":
                return table.change_character(number, rules.find_character(wanted))
            level = None if wanted == "remove" else rules.find_level(wanted)
            return table.change_computer(number, level)

        return await change(interaction, match, choose)


async def show_time(interaction: MotuInteraction, room: Room) -> None:
    """Show the time limits, and to those who may change them or propose others a form for it."""
    text, user = describe_time(room, interaction.client.kernel.clocks), interaction.user.id
    is_lobby = room.record.status is Status.LOBBY
    may_change = user == room.record.host if is_lobby else room.is_seated(user)
    label = say("pace.change" if is_lobby else "pace.propose")
    button = form_button(f"pace:{room.record.id}", label)
    await reply.show(interaction, text, [(button,)] if may_change and not room.is_over else [])


# /game join, leave, start and cancel


def lobby_command(what: str, done: str) -> SlashCommand:
    """Create the slash command for one of the card's buttons; it answers with answer.`done`."""

    @slash(f"game.{what}", match="lobby")
    async def run(interaction: MotuInteraction, match: str | None = None) -> None:
        room = await find_lobby(interaction, match)
        room = await run_action(interaction, room.record.id, what)
        await confirm_action(interaction, what, say(f"answer.{done}", **describe.facts(room)))

    return run


join = lobby_command("join", "joined")
leave = lobby_command("leave", "left")
start = lobby_command("start", "started")
cancel = lobby_command("cancel", "cancelled")


async def find_lobby(interaction: MotuInteraction, match_id: str | None) -> Room:
    """Return the named lobby or, without a name, the only one in this channel."""
    must_be_in_server(interaction)
    if match_id:
        return await find_named_match(interaction, match_id)
    if room := await lobby_here(interaction):
        return room
    mine = await interaction.client.kernel.matches.of_user(interaction.user.id)
    if elsewhere := [room for room in mine if room.record.status is Status.LOBBY]:
        raise AskWhichMatch(interaction, "refusal.lobby_elsewhere", elsewhere)
    raise NotFound("refusal.no_lobby")


async def lobby_here(interaction: MotuInteraction) -> Room | None:
    """Return this channel's lobby, or None; if there are several, ask which one is meant."""
    here = await interaction.client.kernel.matches.here(interaction.channel_id or 0)
    lobbies = [room for room in here if room.record.status is Status.LOBBY]
    # Leave out a lobby whose card is not posted yet: nobody can have seen it.
    shown = [room for room in lobbies if room.record.lobby_message]
    return pick_only_match(interaction, "refusal.several_lobbies", shown)


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
    """Show the time limits or change them: at once in a lobby, by vote in a running match."""
    room = (
        await find_named_match(interaction, match)
        if match
        else await match_or_lobby_here(interaction)
    )
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
        terms = rules.WEEKENDS.put(terms, "" if is_none else parse_zone(weekends))
    await change_time(interaction, room, terms)


@pace.autocomplete("weekends")
@autocomplete
async def _complete_weekends(interaction: MotuInteraction, current: str) -> Choices:
    """Suggest playing on weekends, and the time zones in which to pause for them."""
    none = say("pace.words_for_none").split()[0]
    zones = [(say("pace.weekends_off", zone=zone), zone) for zone in suggest_zones(current)]
    is_none = none.startswith(current.casefold().strip())
    return [(say("pace.weekends_on"), none), *zones] if is_none else zones


async def match_or_lobby_here(interaction: MotuInteraction) -> Room:
    """Return the user's match in this channel or, without one, the channel's lobby."""
    try:
        return await my_match(interaction, None, in_turn=False)
    except NotFound:
        if lobby := await lobby_here(interaction):
            return lobby
        raise


# /game settings


@slash("game.settings", match="lobby", extras=reply.MAY_OPEN_FORM)
async def settings(
    interaction: MotuInteraction, settings: str = "", match: str | None = None
) -> None:
    """Change settings of a lobby's game; without any, open them in a form."""
    room = await find_lobby(interaction, match)
    if not settings.strip():
        await open_form(interaction, f"set:{room.record.id}:0")
        return
    chosen = rules.parse_settings(find_game(room.record.game), settings)
    await change_settings(interaction, room.record.id, chosen)


@settings.autocomplete("settings")
@autocomplete
async def _complete_lobby_settings(interaction: MotuInteraction, current: str) -> Choices:
    """Suggest settings of the lobby's game."""
    room = await find_lobby(interaction, named_match(interaction))
    return rules.complete_settings(find_game(room.record.game), current)


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
    """Open a lobby, and post its card where the command was used."""
    guild = must_be_in_server(interaction)
    played = GAMES[parse_game(game)]
    chosen = rules.parse_settings(played, settings)
    where = await choose_place(interaction, place)
    if map is not None:
        chosen[rules.own_map_setting(played)] = await read_map(map)
    server = await service(interaction, Servers).of(guild)
    terms = Terms(time=TimeTerms(pace=server.pace))
    await open_lobby(interaction, played.id, chosen, where, terms)


@new.autocomplete("settings")
@autocomplete
async def _complete_settings(interaction: MotuInteraction, current: str) -> Choices:
    """Suggest settings of the game named in the command."""
    game = parse_game(str(getattr(interaction.namespace, "game", "")))
    return rules.complete_settings(GAMES[game], current)


@slash(
    "solo",
    dms=True,
    choices={"level": ("level.{}", LEVELS), "seats": ("{}", SEATS)},
)
async def solo(
    interaction: MotuInteraction, game: str, level: str = "", seats: str = SEATS[0]
) -> None:
    """Start a match against computers."""
    played, number = GAMES[parse_game(game)], int(seats)
    if number not in played.seats:
        least, most = seat_range(played)
        raise Refused("refusal.solo_seats", game=played.title, least=least, most=most, seats=seats)
    if level:
        chosen = rules.find_level(level)
    else:
        chosen = await service(interaction, Lobby).suggest_level(interaction.user.id)
    place = await choose_place(interaction)
    await start_solo(interaction, place, played.id, [chosen] * (number - 1))


@slash("learn", dms=True)
async def learn(interaction: MotuInteraction, game: str) -> None:
    """Start a lesson: a first match against computers that take their first steps, with a coach."""
    played = GAMES[parse_game(game)]
    if not words_of(played.id).welcome:
        raise Refused("refusal.no_lesson", game=played.title)
    computers = [LEVELS[0]] * (played.seats[0] - 1)
    place = await choose_place(interaction)
    await start_solo(interaction, place, played.id, computers, Terms(lesson=True))


async def start_solo(
    interaction: MotuInteraction,
    place: Place,
    game: str,
    computers: list[Level],
    terms: Terms = DEFAULT_TERMS,
    settings: Mapping[str, str] | None = None,
) -> None:
    """Start a match against computers, and show its first question. Nobody sees its lobby."""
    host, lobby = person(interaction), service(interaction, Lobby)
    room = await lobby.open(game, settings or {}, place, host, interaction.id, computers, terms)
    await show_first_question(interaction, await lobby.start_alone(room.record.id, host))


async def show_first_question(interaction: MotuInteraction, room: Room) -> None:
    """Show the first question of a solo match: in a panel, or as its living message in a DM.

    If that message has not been posted in time, answer with a link to it.
    """
    if room.record.place.guild:
        await open_panel(interaction, room, with_title=True)
        return
    is_posted = False
    with suppress(TimeoutError):
        is_posted = await service(interaction, Outbox).wait_until_posted(room.record.id)
    if is_posted:
        await reply.withdraw(interaction)
    else:
        await reply.tell(interaction, say("answer.started", **describe.facts(room)))


async def choose_place(interaction: MotuInteraction, wanted: str = "") -> Place:
    """Return the place for a match opened here; refuse if the server or permissions forbid it.

    `wanted` is THREAD, CHANNEL or '' for no preference.
    """
    channel, locale = interaction.channel_id or 0, reply.channel_locale(interaction)
    if interaction.guild_id is None:
        # A direct message has neither threads nor server settings.
        return Place(0, channel, wants_thread=False, locale=locale)
    threads = (await check_may_open(interaction, interaction.guild_id, channel)).threads
    if wanted == CHANNEL and threads is Threads.ALWAYS:
        raise Refused("server.always_threads")
    if wanted == THREAD and threads is Threads.NEVER:
        raise Refused("server.no_threads")
    may_thread = wanted != CHANNEL and threads is not Threads.NEVER
    wants_thread = may_thread and can_have_threads(interaction)
    place = Place(interaction.guild_id, channel, wants_thread=wants_thread, locale=locale)
    check_can_post(interaction, place)
    return place


async def check_may_open(interaction: MotuInteraction, guild: int, channel: int) -> ServerSettings:
    """Return a server's settings; refuse if they do not let this user open a match here."""
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
) -> None:
    """Open a lobby, and respond with its card.

    If it is too late to respond to the interaction, the card is posted as an ordinary message.
    """
    lobby, host = service(interaction, Lobby), person(interaction)
    room = await lobby.open(game, settings, place, host, interaction.id, terms=terms)
    match, cards = room.record.id, service(interaction, LobbyMessages)
    async with cards.locks[match]:
        try:
            message = await cards.answer(interaction, room)
        except reply.DISCORD_ERRORS as error:
            message, code = None, getattr(error, "code", 0)
            if code and code not in error_codes.TOO_LATE and getattr(error, "status", 500) < 500:
                # Discord has refused the card for good. Without one nobody can use the lobby, and
                # /game join must not find it.
                await lobby.change(match, host, Table.cancel)
                raise Refused("refusal.failed", id=log_error(error)) from error
            if code not in error_codes.TOO_LATE:
                # Discord may have posted the card although we got no response.
                cards.update_later(match)
                raise
        if message:
            await cards.note(match, message)
            return
    await cards.make(match)
    if interaction.response.is_done() and reply.ANSWERED_ELSEWHERE not in interaction.extras:
        await reply.tell(interaction, say("answer.opened", **describe.facts(room)))


# /game map, /game move and the Rematch button


@slash("game.map", match="lobby")
async def map_of_own(
    interaction: MotuInteraction, file: discord.Attachment | None = None, match: str | None = None
) -> None:
    """Upload a map for an open lobby; without a file, go back to the game's own map."""
    await change_map(interaction, await find_lobby(interaction, match), file)


@slash("game.move")
async def move(interaction: MotuInteraction, match: str | None = None) -> None:
    """Move a running match to the channel where the command is used; host only."""
    must_be_in_server(interaction)
    user = interaction.user.id
    if match:
        rooms = [await find_named_match(interaction, match)]
    else:
        rooms = await interaction.client.kernel.matches.of_user(user)
    begun = [room for room in rooms if room.match is not None and room.record.status in OPEN]
    hosted = [room for room in begun if room.record.host == user]
    room = pick_only_match(interaction, "refusal.several_hosted", hosted)
    if room is None:
        raise Refused("refusal.host_move") if begun else NotFound("refusal.none_hosted")
    await move_here(interaction, room, "moved")


async def check_may_open_again(interaction: MotuInteraction, place: Place) -> None:
    """Refuse if the server or permissions forbid another match where one has ended."""
    if place.guild:
        await check_may_open(interaction, place.guild, place.channel)
        check_can_post(interaction, replace(place, thread=0))


class RematchButton(Item, template=turn_button("rematch")):
    """The Rematch button under the last board of a match.

    The first press opens a lobby and mentions the other players; further presses join it. Once
    everybody has joined, or if only computers have to, the rematch starts by itself.
    """

    async def on_press(self, interaction: MotuInteraction) -> None:
        """Offer a rematch, or accept it."""
        ended = await self.room(interaction)
        match = ended.record.id
        lobby = service(interaction, Lobby)
        if ended.seat_of(interaction.user.id) is not None:
            _, opened = await lobby.find_rematch(match)
            if opened is None:
                await check_may_open_again(interaction, ended.record.place)
        room = await lobby.rematch(match, person(interaction), interaction.id)
        if messages.starts_at_once(room):
            room = await lobby.start_alone(room.record.id, person(interaction))
            await show_first_question(interaction, room)
            return
        if room.record.status is Status.LOBBY:
            await service(interaction, LobbyMessages).make(room.record.id)
        room = await start_if_complete(interaction, room)
        is_open = room.record.status is Status.LOBBY
        key = "answer.rematch_open" if is_open else "answer.rematch_begun"
        await reply.tell(interaction, say(key, link=describe.link(room)))


class NextLevelButton(Item, template=turn_button("next_level")):
    """The button under a solo match that its player has won: play it against better computers."""

    async def on_press(self, interaction: MotuInteraction) -> None:
        """Start a match against computers of the next level."""
        ended = await self.room(interaction)
        record = ended.record
        level = ended.next_level
        if level is None or ended.seat_of(interaction.user.id) is None:
            raise Refused("refusal.no_rematch")
        await check_may_open_again(interaction, record.place)
        place = replace(record.place, thread=0)
        computers = [level] * (len(record.chairs) - 1)
        await start_solo(interaction, place, record.game, computers, settings=record.settings)
