"""/games: lists the user's matches, and the matches of the server that they can join.

From here users open their matches one after another, and take a seat: in a lobby, in a rematch that
they are invited to, or in a running match. Members who may manage the server can also post its
status card from here.
"""

from typing import Any

import discord

from bot.features.lobby.discord import run_action
from bot.features.play import presses
from bot.features.seats import ask_for, describe_offer, find_available_seat
from bot.features.status_card import StatusCards
from bot.kernel.room import Room
from bot.model import Pace, Place, Status
from bot.runtime.base import NotFound, Refused
from bot.text import and_list, say
from bot.ui import (
    GAMES_BUTTON,
    GOOD,
    PLAIN,
    STRONG,
    Button,
    Feature,
    Item,
    MotuInteraction,
    Part,
    Section,
    button_rows,
    cut,
    describe,
    games_button_id,
    marked_names,
    must_be_in_server,
    next_page_button,
    reply,
    service,
    slash,
    turn_button_id,
)
from bot.ui.permissions import can_have_threads, may_manage, missing_permissions
from engine import find_game

MINE, TABLES, JOIN, SIT = "mine", "tables", "join", "sit"
"""Actions of the buttons: show a list, take a seat, or take it after reading the terms."""
POST, REMOVE = "post", "remove"
"""Actions of buttons, and of an option of /games, on the server's status card."""
PAGE_LENGTH = 8
"""How many matches are on a page."""
PLAYERS_LENGTH, STATE_LENGTH = 48, 56
"""The most characters of the list of players, and of the description of a match's state."""


@slash("games", dms=True, choices={"card": ("card.{}", (POST, REMOVE))})
async def games(interaction: MotuInteraction, card: str | None = None) -> None:
    """Show the user's matches on all servers, or post or remove the server's status card."""
    if card is None:
        await show_list(interaction)
    else:
        await change_card(interaction, card)


class GamesControl(Item, template=GAMES_BUTTON):
    """A button of /games. Panels and /help have some of them, too."""

    async def on_press(self, interaction: MotuInteraction) -> None:
        """Turn the page, join a table, or open the next match."""
        what, page, match = self.fields["what"], int(self.fields["page"]), self.fields["match"]
        if what == "next":
            await open_next(interaction, played=match)
        elif what in (JOIN, SIT):
            await join_table(interaction, match, page, knows_terms=what == SIT)
        elif what in (POST, REMOVE):
            await change_card(interaction, what)
        else:
            await show_list(interaction, page, of_tables=what == TABLES)


class AllMatchesButton(Item, template=r"me:(?P<what>games)(?::(?P<call>\d{1,18}))?"):
    """The button under a digest that does the same as /games."""

    async def on_press(self, interaction: MotuInteraction) -> None:
        """Show the user's matches."""
        await show_list(interaction)


async def open_next(interaction: MotuInteraction, played: str) -> None:
    """Open the most urgent match other than the one just played; show the list if none waits."""
    for room in await interaction.client.kernel.matches.waiting_for(interaction.user.id):
        if room.record.id != played:
            # The user has not chosen this match, so its panel says which one it is.
            await presses.open_panel(interaction, room, with_title=True)
            return
    await show_list(interaction, notice=say("games.none_wait"))


# The two lists: the user's own matches, and tables of the server to join.


async def show_list(
    interaction: MotuInteraction, page: int = 0, of_tables: bool = False, notice: str = ""
) -> None:
    """Show a page of one of the lists, with buttons for its matches."""
    user, matches = interaction.user.id, interaction.client.kernel.matches
    tables = await visible_tables(interaction)
    rooms = tables if of_tables else await matches.agenda(user)
    pages = max(1, -(-len(rooms) // PAGE_LENGTH))
    page = min(page, pages - 1)
    what = TABLES if of_tables else MINE
    head = say(
        f"games.head_{what}",
        waiting=sum(room.is_waiting_for(user) for room in rooms),
        number=len(rooms),
        page=page + 1 if pages > 1 else 0,
        pages=pages,
    )
    parts: list[Part] = []
    first = page * PAGE_LENGTH
    for number, room in enumerate(rooms[first : first + PAGE_LENGTH], first + 1):
        facts = {"number": number, "game": describe.title(room), "link": describe.link(room)}
        if of_tables:
            line = table_line(room, facts)
            label = say("games.ask" if room.match else "games.join")
            button: Button | None = Button(games_button_id(JOIN, page, room.record.id), label, GOOD)
        else:
            line = await own_line(interaction, room, facts)
            button = own_button(room, user)
        parts.append(Section(line, button) if button else line)
    page_buttons = next_page_button(page, pages, lambda page: games_button_id(what, page))
    if of_tables:
        page_buttons.append(Button(games_button_id(MINE), say("games.mine")))
    elif tables:
        label = say("games.to_tables", number=len(tables))
        page_buttons.append(Button(games_button_id(TABLES), label))
    if may_manage(interaction):
        page_buttons += await card_buttons(interaction)
    head = "\n".join(filter(None, (notice, head if rooms or of_tables else say("match.none"))))
    await reply.show(interaction, head, [*parts, *button_rows(page_buttons)])


async def own_line(interaction: MotuInteraction, room: Room, known: dict[str, Any]) -> str:
    """Describe one of the user's matches in a line: the other players, and its state."""
    user, kernel = interaction.user.id, interaction.client.kernel
    waits, seat = room.is_waiting_for(user), room.seat_of(user)
    is_offered = seat is None
    deadline = kernel.clocks.deadline(room, seat) if waits else None
    return say(
        "games.line",
        waits=waits,
        last=waits and await kernel.matches.is_last_awaited(room, user),
        offered=is_offered,
        players=cut(describe.others(room, user, marked_names(room)), PLAYERS_LENGTH),
        state="" if waits or is_offered else cut(describe.describe_state(room), STATE_LENGTH),
        ends=f"<t:{deadline}:R>" if deadline else "",
        **known,
    )


def own_button(room: Room, user: int) -> Button | None:
    """Return the button that opens one of the user's matches or accepts a rematch, if any."""
    match = room.record.id
    if room.seat_of(user) is None:
        return Button(games_button_id(JOIN, 0, match), say("games.rematch"), GOOD)
    if room.record.status is Status.LOBBY:
        # The line links to the lobby's message, which has buttons.
        return None
    waits = room.is_waiting_for(user)
    label = say("games.move" if waits else "games.look")
    return Button(turn_button_id(match, "move"), label, STRONG if waits else PLAIN)


def table_line(room: Room, known: dict[str, Any]) -> str:
    """Describe a table that the user can join in a line: the players, free seats and pace."""
    record, pace = room.record, room.record.terms.time.pace
    return say(
        "games.seat" if room.match else "games.table",
        players=cut(describe.players(room), PLAYERS_LENGTH),
        free=find_game(record.game).seats[-1] - len(record.chairs) - len(record.awaited),
        pace="" if pace is Pace.NONE else describe.pace_name(pace),
        **known,
    )


async def visible_tables(interaction: MotuInteraction) -> list[Room]:
    """Return the tables that the user can both join and see."""
    rooms = await interaction.client.kernel.matches.open_tables(
        interaction.guild_id or 0, interaction.user.id
    )
    return [room for room in rooms if can_see(interaction, room.record.place)]


def can_see(interaction: MotuInteraction, place: Place) -> bool:
    """Whether the user can see the channel of a match; False if the bot cannot tell."""
    guild, member = interaction.guild, interaction.user
    if guild is None or place.guild != guild.id or not isinstance(member, discord.Member):
        return False
    channel = guild.get_channel_or_thread(place.channel)
    if channel is None:
        return False
    if isinstance(channel, discord.Thread) and channel.is_private():
        return interaction.channel_id == channel.id
    return channel.permissions_for(member).view_channel


# Take a seat.


async def join_table(
    interaction: MotuInteraction, match_id: str, page: int, knows_terms: bool
) -> None:
    """Take a seat at a table of this server or in an offered rematch, and show the list.

    If there are time limits, the user first has to read them.
    """
    room = await interaction.client.kernel.matches.find(match_id)
    is_offered = interaction.user.id in room.record.seating
    if not is_offered and not can_see(interaction, room.record.place):
        raise NotFound("refusal.no_match_here")
    terms = room.record.terms.time
    if terms.pace is not Pace.NONE and not knows_terms:
        sit = Button(games_button_id(SIT, page, match_id), say("games.sit"), GOOD)
        back = Button(games_button_id(MINE if is_offered else TABLES, page), say("panel.back"))
        contract = describe.time_contract(terms)
        if room.match is not None:
            contract = describe_offer(room, await find_available_seat(interaction, room))
        await reply.show(interaction, contract, [(sit, back)])
    elif room.match is not None:
        # In a running match, its players vote on it.
        seat = await find_available_seat(interaction, room)
        await ask_for(interaction, room, seat, lambda _, said: show_list(interaction, notice=said))
    else:
        room = await run_action(interaction, match_id, "join")
        await show_list(interaction, notice=say("answer.joined", **describe.facts(room)))


# The server's status card.


async def card_buttons(interaction: MotuInteraction) -> list[Button]:
    """Return the buttons that post the status card in this channel, or remove it from here."""
    cards = interaction.client.services.get(StatusCards)
    if cards is None or not can_have_threads(interaction):
        return []
    card = await cards.find(interaction.guild_id or 0)
    what = REMOVE if card is not None and card.channel == interaction.channel_id else POST
    return [Button(games_button_id(what), say(f"card.{what}"))]


async def change_card(interaction: MotuInteraction, what: str) -> None:
    """Post the server's status card in this channel, or remove it, wherever it is."""
    guild, channel = must_be_in_server(interaction), interaction.channel_id or 0
    if not may_manage(interaction):
        raise Refused("card.not_yours")
    cards = service(interaction, StatusCards)
    if what == REMOVE:
        await cards.remove(guild)
    else:
        if not can_have_threads(interaction):
            raise Refused("card.no_channel")
        lacking = missing_permissions(
            interaction.app_permissions, in_thread=False, wants_thread=False
        )
        if lacking:
            raise Refused("card.permissions", number=len(lacking), permissions=and_list(lacking))
        await cards.post(guild, channel, interaction.id)
    await show_list(interaction, notice=say(f"card.done_{what}"))


FEATURE = Feature(name="games", commands=(games,), items=(GamesControl, AllMatchesButton))
