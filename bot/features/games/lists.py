"""The two lists of /games: one's own matches, and the open tables of a server."""

from collections.abc import Sequence

import discord

from bot.kernel.agenda import Agenda
from bot.kernel.room import Room
from bot.model.clocks import Pace
from bot.model.match import Place, Status
from bot.text import say
from bot.ui import describe, reply
from bot.ui.client import MotuInteraction
from bot.ui.components import games_button_id, turn_button_id
from bot.ui.names import marked_names, plain_names
from bot.ui.parts import CONTENT, GOOD, PLAIN, STRONG, Button, Row, button, button_rows, cut
from engine import find_game

MINE, TABLES, JOIN = "mine", "tables", "join"
"""What the buttons do: show one of the lists, or take a seat at a table."""
PAGE_LENGTH = 8
"""Matches on a page: two rows of buttons, and lines that fit into a message."""
BUTTON_LENGTH = 40
"""Characters of a button: five stand in a row."""
PLAYERS_LENGTH, STATE_LENGTH = 48, 56
"""Characters of who plays in a match, and of how it stands."""


async def show_own_matches(interaction: MotuInteraction, page: int = 0, notice: str = "") -> None:
    """Show a page of the user's matches, with a button for each."""
    user, agenda = interaction.user.id, interaction.client.kernel.agenda
    rooms = await agenda.whole(user)
    tables = len(await _visible_tables(interaction))
    below = [button(games_button_id(TABLES), say("games.to_tables", number=tables))] if tables else []
    if not rooms:
        await show_lines(interaction, [notice, say("match.none")], button_rows(below))
        return
    page, pages, shown = _page_of(rooms, page)
    waiting = sum(agenda.awaits(room, user) for room in rooms)
    lines = [notice, say("games.head", waiting=waiting, number=len(rooms), **_page_facts(page, pages))]
    buttons = []
    for number, room in shown:
        lines.append(_own_match_line(agenda, room, user, number))
        buttons += _own_match_buttons(agenda, room, user, number)
    below = [*_next_page_button(MINE, page, pages), *below]
    await show_lines(interaction, lines, [*button_rows(buttons), *button_rows(below)])


async def show_tables(interaction: MotuInteraction, page: int = 0) -> None:
    """Show a page of the server's tables that the user can join."""
    rooms = await _visible_tables(interaction)
    page, pages, shown = _page_of(rooms, page)
    lines = [say("games.tables", number=len(rooms), **_page_facts(page, pages))]
    buttons = []
    for number, room in shown:
        lines.append(_table_line(room, number))
        label = say("games.ask" if room.match else "games.join", number=number, game=describe.title(room))
        buttons.append(button(games_button_id(JOIN, page, room.record.id), label, GOOD))
    below = [*_next_page_button(TABLES, page, pages), button(games_button_id(MINE), say("games.mine"))]
    await show_lines(interaction, lines, [*button_rows(buttons), *button_rows(below)])


async def show_lines(interaction: MotuInteraction, lines: list[str], rows: Sequence[Row]) -> None:
    """Show lines as far as they fit: names and links may be long."""
    await reply.show(interaction, cut("\n".join(filter(None, lines)), CONTENT), rows)


def can_see(interaction: MotuInteraction, place: Place) -> bool:
    """Return whether the user sees the channel of a lobby; not if the bot cannot know."""
    guild, member = interaction.guild, interaction.user
    if guild is None or place.guild != guild.id or not isinstance(member, discord.Member):
        return False
    channel = guild.get_channel_or_thread(place.channel)
    if channel is None:
        return False
    if isinstance(channel, discord.Thread) and channel.is_private():
        return interaction.channel_id == channel.id
    return channel.permissions_for(member).view_channel


async def _visible_tables(interaction: MotuInteraction) -> list[Room]:
    """Return the tables that the user can join and see."""
    agenda = interaction.client.kernel.agenda
    rooms = await agenda.tables(interaction.guild_id or 0, interaction.user.id)
    return [room for room in rooms if can_see(interaction, room.record.place)]


def _page_of(rooms: list[Room], page: int) -> tuple[int, int, list[tuple[int, Room]]]:
    """Return the number of a page that there is, how many there are, and the numbered rooms on it."""
    pages = max(1, -(-len(rooms) // PAGE_LENGTH))
    page = min(page, pages - 1)
    first = page * PAGE_LENGTH
    return page, pages, list(enumerate(rooms[first : first + PAGE_LENGTH], first + 1))


def _page_facts(page: int, pages: int) -> dict[str, int]:
    """Return what the head of a list says about pages; 0 if there is only one."""
    return {"page": page + 1 if pages > 1 else 0, "pages": pages}


def _next_page_button(what: str, page: int, pages: int) -> list[Button]:
    if pages < 2:
        return []
    following = (page + 1) % pages
    return [button(games_button_id(what, following), say("panel.next_page", number=following + 1, pages=pages))]


def _own_match_line(agenda: Agenda, room: Room, user: int, number: int) -> str:
    waits, is_offered = agenda.awaits(room, user), room.seat_of(user) is None
    deadline = agenda.deadline(room, user) if waits else None
    return say(
        "games.line",
        number=number,
        waits=waits,
        offered=is_offered,
        game=describe.title(room),
        players=cut(describe.others(room, user, marked_names(room)), PLAYERS_LENGTH),
        state="" if waits or is_offered else cut(describe.state_of(room), STATE_LENGTH),
        ends=f"<t:{deadline}:R>" if deadline else "",
        link=describe.link(room),
    )


def _own_match_buttons(agenda: Agenda, room: Room, user: int, number: int) -> list[Button]:
    """Return the button that opens the panel, or accepts a rematch; a lobby has its own, behind its link."""
    match, facts = room.record.id, {"number": number, "game": describe.title(room)}
    if room.seat_of(user) is None:
        return [button(games_button_id(JOIN, 0, match), say("games.rematch", **facts), GOOD)]
    if room.record.status is Status.LOBBY:
        return []
    look = STRONG if agenda.awaits(room, user) else PLAIN
    label = say("games.open", players=describe.others(room, user, plain_names(room)), **facts)
    return [button(turn_button_id(match, "move"), cut(label, BUTTON_LENGTH), look)]


def _table_line(room: Room, number: int) -> str:
    record = room.record
    pace = record.terms.time.pace
    return say(
        "games.seat" if room.match else "games.table",
        number=number,
        game=describe.title(room),
        players=cut(describe.players(room), PLAYERS_LENGTH),
        free=find_game(record.game).seats[-1] - len(record.chairs) - len(record.awaited),
        link=describe.link(room),
        pace="" if pace is Pace.NONE else describe.pace_name(pace),
    )
