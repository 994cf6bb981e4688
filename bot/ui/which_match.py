"""Which match somebody means: the only one here, or one that they choose by a press."""

from collections.abc import Sequence
from typing import Any

import discord
import msgspec
from discord import app_commands

from bot.kernel.queries import last_ended_in
from bot.kernel.room import Room
from bot.model import Status
from bot.runtime.base import NotFound, Refused
from bot.text import listed, say
from bot.ui import describe
from bot.ui.client import MotuInteraction
from bot.ui.components import MATCH, Item, named
from bot.ui.parts import (
    BUTTONS_A_ROW,
    CUSTOM_ID,
    ROWS,
    STRONG,
    Button,
    button_rows,
    next_page_button,
)
from bot.ui.reply import Question
from engine import GAMES, Seat, UnknownGame

PAGE = (ROWS - 1) * BUTTONS_A_ROW
"""Matches to choose from at a time where there are more than fit; the last row turns the page."""
OPTION_TYPES = {
    discord.AppCommandOptionType.string: str,
    discord.AppCommandOptionType.boolean: bool,
}
"""The options that a button can have."""
PAGE_PREFIX = "page-"
"""Stands in the place of a match for a page of those that a command may mean: no match has a
hyphen.
"""
ASKED_AGAIN = "again"
"""Where an interaction keeps which command a press gives again, and with which options."""


class Several(Question):
    """A command could mean several matches: each is offered as a button that gives it again."""

    def __init__(self, interaction: MotuInteraction, question: str, rooms: Sequence[Room]) -> None:
        """Ask the question of a key."""
        name, given, page = interaction.extras.get(ASKED_AGAIN) or (*_given(interaction), 0)

        def make_id(match: str) -> str:
            return f"w:{name}:{match}:{given}"

        made = [
            Button(make_id(room.record.id), describe.match_line(room), STRONG) for room in rooms
        ]
        # The command may be too long for a button.
        if not name or any(len(one.id) > CUSTOM_ID for one in made):
            lines = "\n".join(say("match.item", **describe.facts(room)) for room in rooms)
            super().__init__("refusal.say_which", question=say(question), matches=lines)
            return
        super().__init__(question)
        self.rows = button_rows(made)
        if len(self.rows) > ROWS:
            pages = -(-len(made) // PAGE)
            page = min(page, pages - 1)
            turning = next_page_button(page, pages, lambda page: make_id(f"{PAGE_PREFIX}{page}"))
            self.rows = [*button_rows(made[page * PAGE :][:PAGE]), tuple(turning)]


def _given(interaction: MotuInteraction) -> tuple[str, str]:
    """Return the command that was used and its options but for the match, as a button has them.

    Both are '' if no button can have them.
    """
    command = interaction.command
    options = {
        key: value
        for key, value in interaction.namespace
        if key != "match" and value not in (None, False)
    }
    has_file = not all(isinstance(value, bool | str) for value in options.values())
    if not isinstance(command, app_commands.Command) or has_file:
        return "", ""
    given = msgspec.json.encode(options).decode() if options else ""
    return command.qualified_name.replace(" ", "-"), given


class ChosenMatch(Item, template=rf"w:(?P<command>[a-z-]{{1,24}}):{MATCH}:(?P<given>.*)"):
    """A match that a command might mean, or a page with more: the command is given again."""

    async def on_press(self, interaction: MotuInteraction) -> None:
        """Give the command again."""
        name, given, match = self.fields["command"], self.fields["given"], self.fields["match"]
        group, _, subcommand = name.partition("-")
        command: Any = interaction.client.tree.get_command(group)
        if subcommand and isinstance(command, app_commands.Group):
            command = command.get_command(subcommand)
        options = _read_options(command, given)
        if match.startswith(PAGE_PREFIX):
            # Without a match the command asks once more which one is meant.
            page = match.removeprefix(PAGE_PREFIX)
            interaction.extras[ASKED_AGAIN] = (name, given, int(page) if page.isdecimal() else 0)
        else:
            options["match"] = match
        await command.callback(interaction, **options)


def _read_options(command: Any, given: str) -> dict[str, bool | str]:
    """Return the options on a button by the names of the callback's parameters.

    A button may be of an older version, or forged. Discord checks the options of a command that is
    typed; those of a button have to be checked here, and are refused if Discord would not send
    them.
    """
    parameters = {one.display_name: one for one in getattr(command, "parameters", ())}
    required = {name for name, parameter in parameters.items() if parameter.required}
    try:
        options = msgspec.json.decode(given or "{}", type=dict[str, bool | str])
    except msgspec.MsgspecError:
        raise Refused("refusal.old_button") from None
    # Only a command that asks which match is meant is ever given again.
    if "match" not in parameters or not required <= options.keys() <= parameters.keys() - {"match"}:
        raise Refused("refusal.old_button")
    for name, value in options.items():
        offered = [choice.value for choice in parameters[name].choices]
        is_offered = value in offered or not offered
        if not is_offered or type(value) is not OPTION_TYPES.get(parameters[name].type):
            raise Refused("refusal.old_button")
    return {parameters[name].name: value for name, value in options.items()}


def must_be_in_server(interaction: MotuInteraction) -> int:
    """Return the server's id; refuse in direct messages."""
    if interaction.guild_id is None or interaction.channel_id is None:
        raise Refused("refusal.direct_message")
    return interaction.guild_id


def meant_game(typed: str) -> str:
    """Return a game's id, from its id or its title in any case."""
    wanted = typed.strip().casefold()
    for game in GAMES:
        if wanted in (game, GAMES[game].title.casefold()):
            return game
    raise UnknownGame(say("refusal.no_game", games=game_titles()))


def game_titles() -> str:
    """List all games there are, for a refusal."""
    return listed(GAMES[game].title for game in GAMES)


def only_one(
    interaction: MotuInteraction, question: str, rooms: Sequence[Room], *likelier: Sequence[Room]
) -> Room | None:
    """Return the only room, else the only likelier one; ask the question of a key if several are.

    None if there is no room at all.
    """
    for meant in (rooms, *likelier):
        if len(meant) == 1:
            return meant[0]
    if rooms:
        raise Several(interaction, question, rooms)
    return None


async def my_match(
    interaction: MotuInteraction, match: str | None, *, seated: bool = False, in_turn: bool = True
) -> Room:
    """Return the match somebody means here: the one named, else their only one, else the only one.

    Of several it is the one that waits for them, if what they want is done `in_turn`; anything else
    might be meant for another.
    """
    if match:
        return await named(interaction, match)
    user = interaction.user.id
    rooms = await here(interaction)
    mine = [room for room in rooms if room.is_seated(user)]
    waiting = [room for room in mine if room.awaits(user)]
    # A watcher may mean any match; somebody who plays here means one of their own.
    rooms = sorted(mine if mine or seated else rooms, key=lambda room: room not in waiting)
    likelier = waiting if in_turn else []
    if meant := only_one(interaction, "refusal.several_matches", rooms, likelier):
        return meant
    # Elsewhere it is never taken for granted: a move typed here might be meant for another match.
    elsewhere = await interaction.client.kernel.matches.agenda(user)
    if begun := [room for room in elsewhere if room.is_seated(user) and room.match is not None]:
        raise Several(interaction, "refusal.match_elsewhere", begun)
    raise NotFound("refusal.no_running_match")


async def my_seated_match(
    interaction: MotuInteraction, match: str | None, *, in_turn: bool = True
) -> tuple[Room, Seat]:
    """Return the match somebody means as `my_match` does, and their seat; refuse without one."""
    room = await my_match(interaction, match, seated=True, in_turn=in_turn)
    return room, my_seat(interaction, room)


async def here(interaction: MotuInteraction) -> list[Room]:
    """Return the running matches of this place; where none is, the one that the thread was for.

    In a direct message where none is played, somebody means one of theirs, wherever that is; with
    none, the last that ended here.
    """
    matches, place = interaction.client.kernel.matches, interaction.channel_id or 0
    is_direct = interaction.guild_id is None

    def begun(rooms: list[Room]) -> list[Room]:
        return [room for room in rooms if room.record.status is not Status.LOBBY]

    running = begun(await matches.here(place))
    if not running and is_direct:
        running = begun(await matches.of_user(interaction.user.id))
    if not running and (is_direct or isinstance(interaction.channel, discord.Thread)):
        return await matches.select(last_ended_in, place)
    return running


def seat_of(interaction: MotuInteraction, room: Room) -> Seat | None:
    """Return the user's seat; None if they have none or gave it up, and are a watcher."""
    user = interaction.user.id
    return room.seat_of(user) if room.is_seated(user) else None


def my_seat(interaction: MotuInteraction, room: Room) -> Seat:
    """Return the user's seat; refuse if they have none."""
    seat = seat_of(interaction, room)
    if seat is None:
        key = "given_up" if room.has_resigned(interaction.user.id) else "not_your_match"
        raise Refused(f"refusal.{key}", **describe.facts(room))
    return seat
