"""/games: somebody's matches at a glance, and the open tables of a server.

From here a person with many matches plays them, finds open tables and takes a seat: in a lobby, in
a rematch that was offered, or in a running match.
"""

from collections.abc import Sequence
from typing import Any

import discord

from bot.features.lobby.discord import act
from bot.features.play import presses
from bot.features.seats import ask_for, offered_seat
from bot.kernel.room import Room
from bot.model import Pace, Place, Status
from bot.runtime.base import NotFound
from bot.text import say
from bot.ui import (
    CONTENT,
    GAMES_BUTTON,
    GOOD,
    PLAIN,
    STRONG,
    Button,
    Feature,
    Item,
    MotuInteraction,
    Row,
    button_rows,
    cut,
    describe,
    games_button_id,
    marked_names,
    next_page_button,
    plain_names,
    reply,
    slash,
    turn_button_id,
)
from engine import find_game

MINE, TABLES, JOIN, SIT = "mine", "tables", "join", "sit"
"""What the buttons do: show a list, take a seat, take it with the terms read."""
PAGE_LENGTH = 8
"""Matches on a page: two rows of buttons, and lines that fit into a message."""
BUTTON_LENGTH = 40
"""Characters of a button: five stand in a row."""
PLAYERS_LENGTH, STATE_LENGTH = 48, 56
"""Characters of who plays in a match, and of how it stands."""


@slash("games", dms=True)
async def games(interaction: MotuInteraction) -> None:
    """Show the user's matches everywhere, those that wait for them first."""
    await show_list(interaction)


class GamesControl(Item, template=GAMES_BUTTON):
    """A button of /games; some stand in panels and in /help."""

    async def on_press(self, interaction: MotuInteraction) -> None:
        """Turn a page, join a table, or open the next match, in the message's place."""
        what, page, match = self.fields["what"], int(self.fields["page"]), self.fields["match"]
        if what == "next":
            await open_next(interaction, played=match)
        elif what in (JOIN, SIT):
            await join_table(interaction, match, page, knows_terms=what == SIT)
        else:
            await show_list(interaction, page, of_tables=what == TABLES)


class AllMatchesButton(Item, template=r"me:(?P<what>games)(?::(?P<call>\d{1,18}))?"):
    """The button under a digest that leads to /games."""

    async def on_press(self, interaction: MotuInteraction) -> None:
        """Show the user's matches."""
        await show_list(interaction)


async def open_next(interaction: MotuInteraction, played: str) -> None:
    """Open the panel of the most urgent match besides the one just played; else the list."""
    for room in await interaction.client.kernel.matches.waiting_for(interaction.user.id):
        if room.record.id != played:
            await presses.open_panel(interaction, room)
            return
    await show_list(interaction, notice=say("games.none_wait"))


# The two lists: one's own matches, and the server's tables that one can join.


async def show_list(
    interaction: MotuInteraction, page: int = 0, of_tables: bool = False, notice: str = ""
) -> None:
    """Show a page of one of the lists, with a button for each match that has none of its own."""
    user, matches = interaction.user.id, interaction.client.kernel.matches
    tables = await visible_tables(interaction)
    rooms = tables if of_tables else await matches.agenda(user)
    pages = max(1, -(-len(rooms) // PAGE_LENGTH))
    page = min(page, pages - 1)
    what = TABLES if of_tables else MINE
    head = say(
        f"games.head_{what}",
        waiting=sum(room.awaits(user) for room in rooms),
        number=len(rooms),
        page=page + 1 if pages > 1 else 0,
        pages=pages,
    )
    lines = [notice, head if rooms or of_tables else say("match.none")]
    buttons = list[Button]()
    below = next_page_button(page, pages, lambda page: games_button_id(what, page))
    first = page * PAGE_LENGTH
    for number, room in enumerate(rooms[first : first + PAGE_LENGTH], first + 1):
        known = {"number": number, "game": describe.title(room), "link": describe.link(room)}
        if of_tables:
            lines.append(table_line(room, known))
            label = say("games.ask" if room.match else "games.join", **known)
            buttons.append(Button(games_button_id(JOIN, page, room.record.id), label, GOOD))
        else:
            lines.append(own_line(interaction, room, known))
            buttons += own_buttons(room, user, known)
    if of_tables:
        below.append(Button(games_button_id(MINE), say("games.mine")))
    elif tables:
        label = say("games.to_tables", number=len(tables))
        below.append(Button(games_button_id(TABLES), label))
    await show_lines(interaction, lines, [*button_rows(buttons), *button_rows(below)])


def own_line(interaction: MotuInteraction, room: Room, known: dict[str, Any]) -> str:
    """Return the line of a match of the user's own: the opponents, and its state."""
    user, clocks = interaction.user.id, interaction.client.kernel.clocks
    waits, seat = room.awaits(user), room.seat_of(user)
    is_offered = seat is None
    deadline = clocks.deadline(room, seat) if waits else None
    return say(
        "games.line",
        waits=waits,
        offered=is_offered,
        players=cut(describe.others(room, user, marked_names(room)), PLAYERS_LENGTH),
        state="" if waits or is_offered else cut(describe.state_of(room), STATE_LENGTH),
        ends=f"<t:{deadline}:R>" if deadline else "",
        **known,
    )


def own_buttons(room: Room, user: int, known: dict[str, Any]) -> list[Button]:
    """Return the button that opens one's own match, or accepts a rematch."""
    match = room.record.id
    if room.seat_of(user) is None:
        return [Button(games_button_id(JOIN, 0, match), say("games.rematch", **known), GOOD)]
    if room.record.status is Status.LOBBY:
        # It has buttons of its own, behind its link.
        return []
    label = say("games.open", players=describe.others(room, user, plain_names(room)), **known)
    look = STRONG if room.awaits(user) else PLAIN
    return [Button(turn_button_id(match, "move"), cut(label, BUTTON_LENGTH), look)]


def table_line(room: Room, known: dict[str, Any]) -> str:
    """Return the line of a table that can be joined: who plays, and at which pace."""
    record, pace = room.record, room.record.terms.time.pace
    return say(
        "games.seat" if room.match else "games.table",
        players=cut(describe.players(room), PLAYERS_LENGTH),
        free=find_game(record.game).seats[-1] - len(record.chairs) - len(record.awaited),
        pace="" if pace is Pace.NONE else describe.pace_name(pace),
        **known,
    )


async def show_lines(interaction: MotuInteraction, lines: list[str], rows: Sequence[Row]) -> None:
    """Show lines as far as they fit: names and links may be long."""
    await reply.show(interaction, cut("\n".join(filter(None, lines)), CONTENT), rows)


async def visible_tables(interaction: MotuInteraction) -> list[Room]:
    """Return the tables that the user can join and see."""
    rooms = await interaction.client.kernel.matches.open_tables(
        interaction.guild_id or 0, interaction.user.id
    )
    return [room for room in rooms if can_see(interaction, room.record.place)]


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


# A seat taken.


async def join_table(
    interaction: MotuInteraction, match: str, page: int, knows_terms: bool
) -> None:
    """Take a seat at a table of this server, or in a rematch that was offered; show the list.

    Somebody who has not seen the lobby's card is first shown the terms about time.
    """
    room = await interaction.client.kernel.matches.find(match)
    is_offered = interaction.user.id in room.record.seating
    if not is_offered and not can_see(interaction, room.record.place):
        raise NotFound("refusal.no_match_here")
    terms = room.record.terms.time
    if terms.pace is not Pace.NONE and not knows_terms:
        sit = Button(games_button_id(SIT, page, match), say("games.sit"), GOOD)
        back = Button(games_button_id(MINE if is_offered else TABLES, page), say("panel.back"))
        await show_lines(interaction, [describe.time_contract(terms)], [(sit, back)])
    elif room.match is not None:
        # Those who play there decide.
        seat = await offered_seat(interaction, room)
        await ask_for(interaction, room, seat, lambda _, said: show_list(interaction, notice=said))
    else:
        room = await act(interaction, match, "join")
        await show_list(interaction, notice=say("answer.joined", **describe.facts(room)))


FEATURE = Feature(name="games", commands=(games,), items=(GamesControl, AllMatchesButton))
