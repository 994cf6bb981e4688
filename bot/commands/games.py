"""/games: the place from which a person with many matches plays, and where open tables are found and joined."""

import discord
from discord import app_commands

from bot import reply
from bot.commands import lobby, votes
from bot.components import ids
from bot.components.items import Asked, GamesItem
from bot.components.parts import CONTENT, GOOD, PLAIN, STRONG, Button, Row, button, button_rows, cut
from bot.errors import NotFound
from bot.matches.lobby import awaited
from bot.matches.pace import Pace
from bot.matches.room import Place, Room, Status
from bot.panel import presses
from bot.text import describe, pace_words, say
from bot.text.names import marked_names, plain_names
from engine import find_game

MINE, TABLES, JOIN, SIT = "mine", "tables", "join", "sit"
PAGE = 8
"""Matches on a page: two rows of buttons, and lines that fit into a message."""
BUTTON = 40
"""Characters of a button: five stand in a row."""
PLAYERS, STATE = 48, 56
"""Characters of who plays in a match, and of how it stands."""


@app_commands.command(name="games", description=say("command.games.description"))
async def games(interaction: Asked) -> None:
    """The asker's matches everywhere, those that wait for them first."""
    await show_mine(interaction)


async def pressed(interaction: Asked, item: GamesItem) -> None:
    """A page turned, a table joined, or the next match opened; in a private message, in its place."""
    page, match = int(item.fields["page"]), item.fields["match"]
    match item.fields["what"]:
        case "next":
            await _open_next(interaction, match)
        case "join":
            await _join(interaction, match, page)
        case "sit":
            await _join(interaction, match, page, knows_terms=True)
        case "tables":
            await _show_tables(interaction, page)
        case _:
            await show_mine(interaction, page)


async def show_mine(interaction: Asked, page: int = 0, notice: str = "") -> None:
    """A page of somebody's matches, a button for each."""
    user, agenda = interaction.user.id, interaction.client.matches.agenda
    rooms = await agenda.whole(user)
    waiting = sum(agenda.awaits(room, user) for room in rooms)
    tables = len(await _tables(interaction))
    if not rooms:
        rows: list[Row] = [(_to_tables(tables),)] if tables else []
        await reply.show(interaction, "\n".join(filter(None, [notice, say("match.none")])), rows)
        return
    page, pages, shown = _paged(rooms, page)
    head = say("games.head", waiting=waiting, number=len(rooms), page=page + 1 if pages > 1 else 0, pages=pages)
    lines = [_mine_line(interaction, room, number) for number, room in enumerate(shown, page * PAGE + 1)]
    buttons = [
        one for number, room in enumerate(shown, page * PAGE + 1) for one in _mine_buttons(interaction, room, number)
    ]
    below = [*_turning(MINE, page, pages), *([_to_tables(tables)] if tables else [])]
    await _show(interaction, [notice, head, *lines], [*button_rows(buttons), *button_rows(below)])


async def _show_tables(interaction: Asked, page: int = 0, notice: str = "") -> None:
    """A page of the server's tables that somebody can join."""
    rooms = await _tables(interaction)
    page, pages, shown = _paged(rooms, page)
    head = say("games.tables", number=len(rooms), page=page + 1 if pages > 1 else 0, pages=pages)
    lines = [_table_line(room, number) for number, room in enumerate(shown, page * PAGE + 1)]
    buttons = [
        button(ids.games(JOIN, page, room.info.id), _join_label(room, number), GOOD)
        for number, room in enumerate(shown, page * PAGE + 1)
    ]
    back = button(ids.games(MINE), say("games.mine"))
    below = [*_turning(TABLES, page, pages), back]
    await _show(interaction, [notice, head, *lines], [*button_rows(buttons), *button_rows(below)])


async def _show(interaction: Asked, lines: list[str], rows: list[Row]) -> None:
    """The lines as far as they fit: names and links may be long."""
    said = "\n".join(line for line in lines if line)
    await reply.show(interaction, cut(said, CONTENT), rows)


async def _open_next(interaction: Asked, played: str) -> None:
    """The panel of the most urgent match but the one just played; the list if none waits any more."""
    rooms = await interaction.client.matches.agenda.waiting(interaction.user.id)
    left = [room for room in rooms if room.info.id != played]
    if left:
        await presses.open_panel(interaction, left[0])
    else:
        await show_mine(interaction, notice=say("games.none_wait"))


async def _join(interaction: Asked, match: str, page: int, knows_terms: bool = False) -> None:
    """A seat at a table of this server, or in a rematch that somebody was offered; the list tells what came of it.

    Who has not seen the lobby's card is first told on what terms about time they would sit down.
    """
    matches, user = interaction.client.matches, interaction.user
    room = await matches.find(match)
    is_offered = user.id in room.info.seating
    if not is_offered and not _may_see(interaction, room.info.place):
        raise NotFound(say("refusal.no_match_here"))
    terms = room.info.terms.time
    if terms.pace is not Pace.NONE and not knows_terms:
        sit = button(ids.games(SIT, page, match), say("games.sit"), GOOD)
        back = button(ids.games(MINE if is_offered else TABLES, page), say("panel.back"))
        await _show(interaction, [pace_words.contract(terms)], [(sit, back)])
        return
    if room.match is not None:
        await _ask_for_seat(interaction, room)
        return
    after = await matches.join(match, lobby.person(interaction), interaction.id)
    after = await lobby.begun_if_all_came(interaction, after)
    facts = {"game": describe.title(after), "id": after.info.id, "link": describe.link(after)}
    with reply.answering():
        await show_mine(interaction, notice=say("answer.joined", **facts))
        await interaction.client.lobbies.refresh(after)


async def _ask_for_seat(interaction: Asked, room: Room) -> None:
    """A seat that is offered in a match: those who play there decide."""
    matches, who = interaction.client.matches, lobby.person(interaction)
    vote = await matches.seats.ask_for(room, who, await votes.offered_seat(interaction, room), interaction.id)
    with reply.answering():
        await interaction.client.ballots.show(vote.match, vote.number)
        asked = await matches.votes.find(vote.match, vote.number)
        await show_mine(interaction, notice=say("vote.asked", link=describe.link_to(room, asked.message)))


async def _tables(interaction: Asked) -> list[Room]:
    """The tables that somebody can join and see."""
    rooms = await interaction.client.matches.agenda.tables(interaction.guild_id or 0, interaction.user.id)
    return [room for room in rooms if _may_see(interaction, room.info.place)]


def _may_see(interaction: Asked, place: Place) -> bool:
    """Whether somebody sees the channel of a lobby; what is not known to the bot they are not told of."""
    guild, member = interaction.guild, interaction.user
    channel = guild.get_channel_or_thread(place.channel) if guild is not None else None
    if guild is None or place.guild != guild.id or channel is None or not isinstance(member, discord.Member):
        return False
    if isinstance(channel, discord.Thread) and channel.is_private():
        return interaction.channel_id == channel.id
    return channel.permissions_for(member).view_channel


def _paged(rooms: list[Room], page: int) -> tuple[int, int, list[Room]]:
    """The page, how many there are, and what is on it."""
    pages = max(1, -(-len(rooms) // PAGE))
    page = min(page, pages - 1)
    return page, pages, rooms[page * PAGE : (page + 1) * PAGE]


def _turning(what: str, page: int, pages: int) -> list[Button]:
    if pages < 2:
        return []
    following = (page + 1) % pages
    return [button(ids.games(what, following), say("panel.next_page", number=following + 1, pages=pages))]


def _to_tables(number: int) -> Button:
    return button(ids.games(TABLES), say("games.to_tables", number=number))


def _mine_line(interaction: Asked, room: Room, number: int) -> str:
    user, agenda = interaction.user.id, interaction.client.matches.agenda
    waits, is_offered = agenda.awaits(room, user), room.seat_of(user) is None
    deadline = agenda.deadline(room, user) if waits else None
    return say(
        "games.line",
        number=number,
        waits=waits,
        offered=is_offered,
        game=describe.title(room),
        players=cut(describe.others(room, user, marked_names(room)), PLAYERS),
        state="" if waits or is_offered else cut(describe.state_of(room), STATE),
        ends=f"<t:{deadline}:R>" if deadline else "",
        link=describe.link(room),
    )


def _mine_buttons(interaction: Asked, room: Room, number: int) -> list[Button]:
    """Opens the panel right there, or takes an offered rematch; a lobby has its own buttons, behind its link."""
    match, user = room.info.id, interaction.user.id
    facts = {"number": number, "game": describe.title(room)}
    if room.seat_of(user) is None:
        return [button(ids.games(JOIN, 0, match), say("games.rematch", **facts), GOOD)]
    if room.info.status is Status.LOBBY:
        return []
    waits = interaction.client.matches.agenda.awaits(room, user)
    label = say("games.open", players=describe.others(room, user, plain_names(room)), **facts)
    return [button(ids.turn(match, "move"), cut(label, BUTTON), STRONG if waits else PLAIN)]


def _join_label(room: Room, number: int) -> str:
    return say("games.ask" if room.match else "games.join", number=number, game=describe.title(room))


def _table_line(room: Room, number: int) -> str:
    free = find_game(room.info.game).seats[-1] - len(room.info.chairs) - len(awaited(room.info))
    players = cut(describe.players(room), PLAYERS)
    facts = {"game": describe.title(room), "players": players, "free": free, "link": describe.link(room)}
    pace = room.info.terms.time.pace
    facts["pace"] = "" if pace is Pace.NONE else pace_words.name(pace)
    return say("games.seat" if room.match else "games.table", number=number, **facts)
