"""/game: lobbies opened, joined, started, cancelled; paused matches resumed."""

from collections.abc import Awaitable, Callable
from typing import Any

import discord
from discord import app_commands

from bot import error_codes, reply
from bot.commands import completion
from bot.components import ids
from bot.components.items import Asked, LobbyItem, view_of
from bot.errors import NotFound, Refused
from bot.matches import game_settings
from bot.matches.room import Person, Place, Room, Status
from bot.permissions import check_can_post
from bot.posts import lobby_message
from bot.text import describe, listed, say
from bot.text.names import escaped
from bot.which_match import meant_game, must_be_in_server, named
from engine import GAMES, find_game

game = app_commands.Group(name="game", description=say("command.game.description"))

REDRAWN = 10
"""Edits of a lobby's message after one press, at most."""
THREADED = (discord.ChannelType.text, discord.ChannelType.news)


def person(interaction: Asked) -> Person:
    """Whoever asks, as the server shows them."""
    return Person(interaction.user.id, interaction.user.display_name[:100])


@game.command(name="new", description=say("command.new.description"))
@app_commands.describe(
    game_id=say("command.new.game"), typed=say("command.new.settings"), place=say("command.new.place")
)
@app_commands.choices(
    place=[
        app_commands.Choice(name=say("command.new.thread"), value="thread"),
        app_commands.Choice(name=say("command.new.channel"), value="channel"),
    ]
)
@app_commands.rename(game_id="game", typed="settings")
async def new(interaction: Asked, game_id: str, typed: str = "", place: str = "thread") -> None:
    """A new lobby, shown where the command was used."""
    guild = must_be_in_server(interaction)
    chosen = GAMES[meant_game(game_id)]
    given = game_settings.parse(chosen, typed)
    wants_thread = place == "thread" and _can_have_threads(interaction)
    check_can_post(interaction, wants_thread)
    where = Place(guild, interaction.channel_id or 0, wants_thread=wants_thread)
    matches = interaction.client.matches
    room = await matches.open_lobby(chosen.id, given, where, person(interaction), interaction.id)
    try:
        message = await _show_lobby(interaction, room)
    except discord.HTTPException as error:
        if error.status < 500:
            # Nobody can see it: it must not be found by those who look for a lobby here.
            await matches.cancel(room.info.id, person(interaction))
        raise
    if message:
        await matches.lobby_posted(room.info.id, message)


async def _show_lobby(interaction: Asked, room: Room) -> int:
    """The lobby's message: the command's answer, or a plain post if that comes too late; 0 if it is there already."""
    shown: dict[str, Any] = {"embed": lobby_message.embed(room), "allowed_mentions": reply.NOBODY}
    try:
        answer = await interaction.response.send_message(view=view_of(lobby_message.rows(room)), **shown)
        return answer.message_id or 0
    except discord.HTTPException as error:
        if error.code == error_codes.ALREADY_ACKNOWLEDGED:
            return 0
        if error.code not in error_codes.TOO_LATE:
            raise
    channel = interaction.client.get_partial_messageable(room.info.place.channel)
    return (await channel.send(view=view_of(lobby_message.rows(room)), **shown)).id


@new.autocomplete("game_id")
async def _complete_game(interaction: Asked, current: str) -> completion.Choices:
    return await completion.games(interaction, current)


@new.autocomplete("typed")
async def _complete_settings(interaction: Asked, current: str) -> completion.Choices:
    return await _settings_choices(interaction, current)


@completion.quiet
async def _settings_choices(interaction: Asked, current: str) -> completion.Choices:
    chosen = GAMES[meant_game(str(getattr(interaction.namespace, "game", "") or ""))]
    return completion.choices(game_settings.complete(chosen, current))


@game.command(name="join", description=say("command.join.description"))
@app_commands.describe(match=say("command.option.lobby"))
async def join(interaction: Asked, match: str | None = None) -> None:
    """A chair taken by command."""
    await _by_command(interaction, match, interaction.client.matches.join, "joined")


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


@game.command(name="resume", description=say("command.resume.description"))
@app_commands.describe(match=say("command.resume.match"))
async def resume(interaction: Asked, match: str | None = None) -> None:
    """A paused match goes on where the command was used."""
    await reply.acknowledge(interaction)
    guild = must_be_in_server(interaction)
    room = await _paused(interaction, match)
    where = _place(interaction, guild, room.info.place.wants_thread)
    check_can_post(interaction, where.wants_thread and not where.thread)
    await interaction.client.matches.moved(room.info.id, where)
    with reply.answering():
        await reply.tell(interaction, say("answer.resumed", game=describe.title(room), id=room.info.id))


async def offer_rematch(interaction: Asked, ended: Room) -> None:
    """Rematch was pressed: a lobby with the same table is opened and the others are called, or the open one joined."""
    matches, who = interaction.client.matches, person(interaction)
    room, is_new = await matches.rematch(ended.info.id, who, interaction.id)
    if room.info.status is Status.LOBBY and not room.info.lobby_message:
        called = [user for user in ended.players if user != who.id]
        mentions = " ".join(f"<@{user}>" for user in called)
        facts = {"called": mentions, "who": escaped(who.name), "game": describe.title(room)}
        offer = say("post.rematch_offer", **facts)
        try:
            # Another press may have posted it without the bot having heard of it.
            after = None if is_new else ended.info.lobby_message
            room = await interaction.client.outbox.post_lobby(room, offer, called, after)
        except discord.HTTPException as error:
            if error.code not in error_codes.PLACE_LOST:
                raise
            # Nobody can see it.
            await matches.cancel(room.info.id, who)
            raise Refused(say("refusal.rematch_place")) from error
    with reply.answering():
        if not is_new:
            await refresh(interaction, room)
        said = "rematch_open" if room.info.status is Status.LOBBY else "rematch_begun"
        await reply.tell(interaction, say(f"answer.{said}", link=describe.link(room)))


def _place(interaction: Asked, guild: int, wants_thread: bool) -> Place:
    """Where the command was used; in a thread, that thread."""
    channel = interaction.channel
    if isinstance(channel, discord.Thread):
        return Place(guild, channel.parent_id, channel.id)
    return Place(guild, interaction.channel_id or 0, wants_thread=wants_thread and _can_have_threads(interaction))


@join.autocomplete("match")
@leave.autocomplete("match")
@start.autocomplete("match")
@cancel.autocomplete("match")
@resume.autocomplete("match")
async def _complete_match(interaction: Asked, current: str) -> completion.Choices:
    return await completion.matches(interaction, current)


Act = Callable[[str, Person, int], Awaitable[Room]]
"""Something done to the lobby of that id by somebody, in an interaction of that id."""


async def pressed(interaction: Asked, item: LobbyItem) -> None:
    """A button or menu of a lobby was pressed: the lobby's message is edited in place."""
    await reply.acknowledge(interaction, in_place=True)
    match, what = item.fields["match"], item.fields["what"]
    room = await named(interaction, match)
    matches = interaction.client.matches
    acts: dict[str, Act] = {
        "join": matches.join,
        "leave": matches.leave,
        "computer": matches.add_computer,
        "start": _starting(interaction),
        "cancel": matches.cancel,
    }
    if not all(ids.KEY.fullmatch(value) for value in item.values):
        raise Refused(say("refusal.foreign_choice"))
    if what == "set" and item.values:
        await matches.set(match, person(interaction), item.fields["key"], item.values[0], interaction.id)
    elif what == "more" and item.values:
        chosen = game_settings.coded(find_game(room.info.game), item.values[0])
        await matches.set(match, person(interaction), *chosen, interaction.id)
    elif what in acts:
        await acts[what](match, person(interaction), interaction.id)
    else:
        raise Refused(say("refusal.old_lobby_control"))
    with reply.answering():
        await _redraw(interaction, match, interaction.edit_original_response)


async def _redraw(interaction: Asked, match: str, edit: Callable[..., Awaitable[object]]) -> None:
    """Edit the lobby's message until it shows how things stand: edits of several people may overtake each other."""
    shown = None
    for _ in range(REDRAWN):
        room = await interaction.client.matches.find(match)
        embed, rows = lobby_message.embed(room), lobby_message.rows(room)
        if (embed, rows) == shown:
            return
        shown = embed, rows
        await edit(embed=embed, view=view_of(rows), allowed_mentions=reply.NOBODY)


def _starting(interaction: Asked) -> Act:
    """Start, once it is sure that the bot can post there."""

    async def act(match: str, by: Person, press: int) -> Room:
        room = await interaction.client.matches.find(match)
        if interaction.channel_id == room.info.place.channel:
            check_can_post(interaction, room.info.place.wants_thread)
        return await interaction.client.matches.start(match, by, press)

    return act


async def _by_command(interaction: Asked, match: str | None, act: Act, done: str) -> None:
    await reply.acknowledge(interaction)
    must_be_in_server(interaction)
    room = await _lobby(interaction, match)
    after = await act(room.info.id, person(interaction), interaction.id)
    with reply.answering():
        facts = {"game": describe.title(after), "id": after.info.id, "link": describe.link(after)}
        await reply.tell(interaction, say(f"answer.{done}", **facts))
        await refresh(interaction, after)


async def refresh(interaction: Asked, room: Room) -> None:
    """The lobby's public message as it stands now; a message that is gone is no loss."""
    if not room.info.lobby_message:
        return
    channel = interaction.client.get_partial_messageable(room.info.place.channel)
    message = channel.get_partial_message(room.info.lobby_message)
    try:
        await _redraw(interaction, room.info.id, message.edit)
    except discord.HTTPException as error:
        reply.log.info("the lobby message of %s stays as it was (%s)", room.info.id, error.code)


async def _lobby(interaction: Asked, match: str | None) -> Room:
    """The lobby somebody means: the one named, their own, or the only one here."""
    matches = interaction.client.matches
    if match:
        return await named(interaction, match)
    around = [room for room in await matches.here(interaction.channel_id or 0) if room.info.status is Status.LOBBY]
    if len(around) == 1:
        return around[0]
    if not around:
        raise NotFound(say("refusal.no_lobby"))
    raise Refused(say("refusal.several_lobbies", matches=describe.match_items(around)))


async def _paused(interaction: Asked, match: str | None) -> Room:
    """The match that waits for another place; one that ended unsaid must be named."""
    mine = await interaction.client.matches.of_user(interaction.user.id)
    rooms = [await named(interaction, match)] if match else mine
    found = [room for room in rooms if room.info.paused_for and room.seat_of(interaction.user.id) is not None]
    if len(found) == 1:
        return found[0]
    if found:
        raise Refused(say("refusal.several_paused", ids=listed(f"`{room.info.id}`" for room in found)))
    raise NotFound(say("refusal.none_paused"))


def _can_have_threads(interaction: Asked) -> bool:
    return interaction.channel is not None and interaction.channel.type in THREADED
