"""/game: lobbies opened, joined, started, cancelled; matches moved. What a table decides stands in votes.py."""

from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial

import discord
from discord import app_commands
from msgspec.structs import replace

from bot import error_codes, hosting, reply
from bot.commands import completion, computers, lobby_time
from bot.components import ids
from bot.components.items import Asked, LobbyItem, view_of
from bot.errors import BotError, NotFound, Refused, Unanswered
from bot.matches import game_settings
from bot.matches.lobby import awaited
from bot.matches.pace import TimeTerms
from bot.matches.room import OPEN, Person, Place, Room, Status, Terms
from bot.matches.server_settings import Threads
from bot.permissions import check_all_can_see, check_can_post
from bot.posts import lobby_message
from bot.text import describe, say
from bot.which_match import Several, meant_game, must_be_in_server, named
from engine import GAMES, EngineError, find_game

game = app_commands.Group(name="game", description=say("command.game.description"))

PRIVATE_CONTROLS = computers.CONTROLS | lobby_time.CONTROLS
"""Controls of a lobby that are answered privately; all others edit its message."""
LARGEST_FILE = 200_000
"""Bytes of a map at most."""


def person(interaction: Asked) -> Person:
    """Whoever asks, as the server shows them."""
    return Person(interaction.user.id, interaction.user.display_name[:100])


@game.command(name="new", description=say("command.new.description"), extras=reply.IF_SLOW)
@app_commands.describe(
    game_id=say("command.new.game"),
    typed=say("command.new.settings"),
    place=say("command.new.place"),
    file=say("command.new.map"),
)
@app_commands.choices(
    place=[
        app_commands.Choice(name=say("command.new.thread"), value=hosting.THREAD),
        app_commands.Choice(name=say("command.new.channel"), value=hosting.CHANNEL),
    ]
)
@app_commands.rename(game_id="game", typed="settings", file="map")
async def new(
    interaction: Asked, game_id: str, typed: str = "", place: str = "", file: discord.Attachment | None = None
) -> None:
    """A new lobby, shown where the command was used."""
    must_be_in_server(interaction)
    chosen = GAMES[meant_game(game_id)]
    given = game_settings.parse(chosen, typed)
    where = await hosting.place_for(interaction, place)
    if file is not None:
        given[game_settings.own_map(chosen)] = await _text_of(file)
    matches = interaction.client.matches
    terms = Terms(time=TimeTerms(pace=(await matches.servers.of(where.guild)).pace))
    room = await matches.open_lobby(chosen.id, given, where, person(interaction), interaction.id, terms=terms)
    await show(interaction, room)


async def show(interaction: Asked, room: Room) -> None:
    """The message of a lobby that the command has opened."""
    matches, lobbies = interaction.client.matches, interaction.client.lobbies
    message = 0
    try:
        with lobbies.in_hand(room.info.id):
            message = await _show_lobby(interaction, room)
            if message:
                await matches.lobby_posted(room.info.id, message)
    except discord.HTTPException as error:
        if error.status < 500 and error.code:
            # Nobody can see it: it must not be found by those who look for a lobby here.
            await matches.cancel(room.info.id, person(interaction))
            raise
        raise Unanswered from error
    except reply.UNREACHABLE as error:
        raise Unanswered from error
    finally:
        if not message:
            # It may be there without the bot having heard of it.
            lobbies.mend(room.info.id)


async def _text_of(file: discord.Attachment) -> str:
    """What stands in a file that somebody gave; refused if it is no text, or too long to be what is wanted."""
    if file.size > LARGEST_FILE:
        raise Refused(say("refusal.file_too_large", size=file.size, most=LARGEST_FILE))
    try:
        text = (await file.read()).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise Refused(say("refusal.file_not_text")) from None
    except (discord.HTTPException, *reply.UNREACHABLE) as error:
        raise Refused(say("refusal.file_unread")) from error
    if not text.strip():
        raise Refused(say("refusal.file_empty"))
    return text


@game.command(name="map", description=say("command.map.description"))
@app_commands.describe(file=say("command.map.file"), match=say("command.option.lobby"))
async def change_map(interaction: Asked, file: discord.Attachment | None = None, match: str | None = None) -> None:
    """Another map for an open lobby, or without a file the game's own."""
    must_be_in_server(interaction)
    room = await _lobby(interaction, match)
    key = game_settings.own_map(find_game(room.info.game))
    text = await _text_of(file) if file is not None else ""
    after = await interaction.client.matches.set(room.info.id, person(interaction), key, text, interaction.id)
    with reply.answering():
        facts = {"game": describe.title(after), "id": after.info.id, "link": describe.link(after)}
        await reply.tell(interaction, say("answer.map" if text else "answer.no_map", **facts))
        await interaction.client.lobbies.refresh(after, with_picture=True)


async def _show_lobby(interaction: Asked, room: Room) -> int:
    """The lobby's message: the command's response, or a plain post if that comes too late; 0 if it is there already."""
    try:
        message = await reply.respond(
            interaction,
            embed=lobby_message.embed(room),
            view=view_of(lobby_message.rows(room)),
            files=reply.attached([await interaction.client.lobbies.map_picture(room)]),
        )
    except discord.HTTPException as error:
        if error.code not in error_codes.TOO_LATE:
            raise
        return await interaction.client.lobbies.post(room)
    if message is not None:
        return message
    if reply.ELSEWHERE in interaction.extras:
        # Discord told of it twice: the lobby may be there already.
        return 0
    message = await interaction.client.lobbies.post(room)
    with reply.answering():
        facts = {"game": describe.title(room), "id": room.info.id}
        await reply.tell(interaction, say("answer.opened", **facts))
    return message


completion.offer(completion.games, "game_id", new)


@new.autocomplete("typed")
@completion.quiet
async def _complete_settings(interaction: Asked, current: str) -> completion.Choices:
    chosen = GAMES[meant_game(str(getattr(interaction.namespace, "game", "") or ""))]
    return completion.choices(game_settings.complete(chosen, current))


@game.command(name="join", description=say("command.join.description"))
@app_commands.describe(match=say("command.option.lobby"))
async def join(interaction: Asked, match: str | None = None) -> None:
    """A chair taken by command."""
    await _by_command(interaction, match, _joining(interaction), "joined")


@game.command(name="leave", description=say("command.leave.description"))
@app_commands.describe(match=say("command.option.lobby"))
async def leave(interaction: Asked, match: str | None = None) -> None:
    """A chair left by command."""
    await _by_command(interaction, match, interaction.client.matches.leave, "left")


@game.command(name="start", description=say("command.start.description"))
@app_commands.describe(match=say("command.option.lobby"))
async def start(interaction: Asked, match: str | None = None) -> None:
    """A match begun by command."""
    await _by_command(interaction, match, _starting(interaction), "started")


@game.command(name="cancel", description=say("command.cancel.description"))
@app_commands.describe(match=say("command.option.lobby"))
async def cancel(interaction: Asked, match: str | None = None) -> None:
    """A lobby closed by command."""
    await _by_command(interaction, match, interaction.client.matches.cancel, "cancelled")


@game.command(name="move", description=say("command.move.description"))
@app_commands.describe(match=say("command.option.match"))
async def move(interaction: Asked, match: str | None = None) -> None:
    """A match goes on where its host wants it."""
    must_be_in_server(interaction)
    await go_on_here(interaction, await _hosted(interaction, match), "moved")


async def go_on_here(interaction: Asked, room: Room, done: str) -> None:
    """Have a match played where the command was used, if all who play it can see that place."""
    guild = must_be_in_server(interaction)
    settings = await interaction.client.matches.servers.of(guild)
    hosting.check_channel(interaction, settings, interaction.channel_id or 0)
    wants_thread = room.info.place.wants_thread and settings.threads is not Threads.NEVER
    where = _place(interaction, guild, wants_thread)
    check_can_post(interaction, where.wants_thread and not where.thread)
    await check_all_can_see(interaction, room)
    await interaction.client.matches.moved(room.info.id, where)
    with reply.answering():
        await reply.tell(interaction, say(f"answer.{done}", game=describe.title(room), id=room.info.id))


async def offer_rematch(interaction: Asked, ended: Room) -> None:
    """Rematch was pressed: a lobby with the same table is opened and the others are called, or the open one joined.

    Where nobody is awaited any more, or only computers are to sit down again, it begins at once.
    """
    matches, who = interaction.client.matches, person(interaction)
    place = ended.info.place
    if place.guild and ended.seat_of(who.id) is not None and not await matches.rematch_of(ended.info.id):
        await hosting.check_may_open(interaction, place.guild, place.channel)
        hosting.check_can_post_at(interaction, replace(place, thread=0))
    room, is_new = await matches.rematch(ended.info.id, who, interaction.id)
    if room.info.status is Status.LOBBY and not room.info.lobby_message:
        room = await interaction.client.lobbies.shown(room.info.id)
        if room.info.status is Status.CANCELLED:
            raise Refused(say("refusal.rematch_place"))
    room = await begun_if_all_came(interaction, room)
    with reply.answering():
        if room.info.status is not Status.LOBBY or not is_new:
            await interaction.client.lobbies.refresh(room)
        said = "rematch_open" if room.info.status is Status.LOBBY else "rematch_begun"
        await reply.tell(interaction, say(f"answer.{said}", link=describe.link(room)))


def _place(interaction: Asked, guild: int, wants_thread: bool) -> Place:
    """Where the command was used; in a thread, that thread."""
    channel = interaction.channel
    if isinstance(channel, discord.Thread):
        return Place(guild, channel.parent_id, channel.id)
    return Place(
        guild, interaction.channel_id or 0, wants_thread=wants_thread and hosting.can_have_threads(interaction)
    )


completion.offer(completion.matches, "match", join, leave, start, cancel, change_map, move)


Act = Callable[[str, Person, int], Awaitable[Room]]
"""Something done to the lobby of that id by somebody, in an interaction of that id."""


async def pressed(interaction: Asked, item: LobbyItem) -> None:
    """A button or menu of a lobby was pressed: the lobby's message is edited in place."""
    if item.fields["what"] in computers.CONTROLS:
        await computers.pressed(interaction, item, person(interaction))
        return
    if item.fields["what"] in lobby_time.CONTROLS:
        await lobby_time.pressed(interaction, item, person(interaction))
        return
    match, what = item.fields["match"], item.fields["what"]
    room = await named(interaction, match)
    matches = interaction.client.matches
    acts: dict[str, Act] = {
        "join": _joining(interaction),
        "leave": matches.leave,
        "hints": matches.agree_to_hints,
        "rated": matches.change_rated,
        "start": _starting(interaction),
        "cancel": matches.cancel,
    }
    if not all(ids.KEY.fullmatch(value) for value in item.values):
        raise Refused(say("refusal.foreign_choice"))
    pressed_on = interaction.message.id if interaction.message is not None else 0
    if pressed_on and not room.info.lobby_message and room.info.status is Status.LOBBY:
        # It was posted, but the bot did not live to hear of it.
        await matches.lobby_posted(match, pressed_on)
    try:
        if what == "set" and item.values:
            await matches.set(match, person(interaction), item.fields["key"], item.values[0], interaction.id)
        elif what == "more" and item.values:
            chosen = game_settings.coded(find_game(room.info.game), item.values[0])
            await matches.set(match, person(interaction), *chosen, interaction.id)
        elif what in acts:
            await acts[what](match, person(interaction), interaction.id)
        else:
            raise Refused(say("refusal.old_lobby_control"))
    except (BotError, EngineError):
        if room.info.status is not Status.LOBBY and pressed_on == room.info.lobby_message:
            # A message that still has buttons does not show yet that the lobby is closed.
            await interaction.client.lobbies.redraw(match, interaction.edit_original_response)
        raise
    with reply.answering():
        await interaction.client.lobbies.redraw(match, interaction.edit_original_response)
        if what == "join":
            await reply.with_welcome(interaction, partial(_greet, interaction))


async def _greet(interaction: Asked, *welcome: str) -> None:
    """The lobby shows that somebody has joined; only the welcome is said to them alone."""
    for line in welcome:
        await interaction.followup.send(line, ephemeral=True, allowed_mentions=reply.NOBODY)


async def begun_if_all_came(interaction: Asked, room: Room) -> Room:
    """A rematch begins when the last who was awaited has sat down: whoever offered it may be asleep.

    Where something stands against it, such as a permission, the lobby stays and its host sees what.
    """
    info = room.info
    if info.status is Status.LOBBY and info.seating and not awaited(info):
        with suppress(BotError, EngineError):
            hosting.check_can_post_at(interaction, info.place)
            return await interaction.client.matches.start(info.id, Person(info.host, ""))
    return await interaction.client.matches.find(info.id)


def _joining(interaction: Asked) -> Act:
    """Join, and begin if that was the last who was awaited."""

    async def act(match: str, by: Person, press: int) -> Room:
        return await begun_if_all_came(interaction, await interaction.client.matches.join(match, by, press))

    return act


def _starting(interaction: Asked) -> Act:
    """Start, once it is sure that the bot can post there."""

    async def act(match: str, by: Person, press: int) -> Room:
        hosting.check_can_post_at(interaction, (await interaction.client.matches.find(match)).info.place)
        return await interaction.client.matches.start(match, by, press)

    return act


async def _by_command(interaction: Asked, match: str | None, act: Act, done: str) -> None:
    must_be_in_server(interaction)
    room = await _lobby(interaction, match)
    after = await act(room.info.id, person(interaction), interaction.id)
    with reply.answering():
        facts = {"game": describe.title(after), "id": after.info.id, "link": describe.link(after)}

        async def tell(*welcome: str) -> None:
            await reply.tell(interaction, "\n".join((say(f"answer.{done}", **facts), *welcome)))

        await (reply.with_welcome(interaction, tell) if done == "joined" else tell())
        await interaction.client.lobbies.refresh(after)


async def _lobby(interaction: Asked, match: str | None) -> Room:
    """The lobby somebody means: the one named, their own, or the only one here."""
    matches = interaction.client.matches
    if match:
        return await named(interaction, match)
    here = await matches.here(interaction.channel_id or 0)
    # One without a message nobody has seen yet.
    around = [room for room in here if room.info.status is Status.LOBBY and room.info.lobby_message]
    if len(around) == 1:
        return around[0]
    if around:
        raise Several(say("refusal.several_lobbies"), around)
    elsewhere = [room for room in await matches.of_user(interaction.user.id) if room.info.status is Status.LOBBY]
    if elsewhere:
        raise Several(say("refusal.lobby_elsewhere"), elsewhere)
    raise NotFound(say("refusal.no_lobby"))


async def _hosted(interaction: Asked, match: str | None) -> Room:
    """The match that its host wants to have elsewhere."""
    mine = [await named(interaction, match)] if match else await interaction.client.matches.of_user(interaction.user.id)
    begun = [room for room in mine if room.match is not None and room.info.status in OPEN]
    found = [room for room in begun if room.info.host == interaction.user.id]
    if len(found) == 1:
        return found[0]
    if found:
        raise Several(say("refusal.several_hosted"), found)
    raise Refused(say("refusal.host_move")) if begun else NotFound(say("refusal.none_hosted"))
