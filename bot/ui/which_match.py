"""Find out which match a user means: the only one here, or one they choose with a button.

If a command could mean several matches, the answer offers a button for each. A press runs the same
command again, this time with the match: the command and its options are in the button's custom id.
"""

from collections.abc import Sequence
from typing import Any

import discord
import msgspec
from discord import app_commands

from bot.kernel.queries import ended_matches, last_ended_in
from bot.kernel.room import Room
from bot.model import Status
from bot.runtime.base import NotFound, Refused
from bot.text import and_list, say
from bot.ui import describe
from bot.ui.client import MotuInteraction
from bot.ui.commands import ENDED_MATCHES_OFFERED
from bot.ui.components import MATCH, Item, find_named_match
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

MATCHES_PER_PAGE = (ROWS - 1) * BUTTONS_A_ROW
"""How many matches a page offers if there are several pages; the last row turns the page."""
OPTION_TYPES = {
    discord.AppCommandOptionType.string: str,
    discord.AppCommandOptionType.boolean: bool,
}
"""The types of options that can be encoded in a custom id."""
PAGE_PREFIX = "page-"
"""Precedes a page number that takes the place of a match's id. Match ids contain no hyphen."""
REPEATED_COMMAND = "again"
"""The key in an interaction's `extras` for the command that a press runs again."""


class AskWhichMatch(Question):
    """Asks which of several matches a command means, with a button for each."""

    def __init__(self, interaction: MotuInteraction, question: str, rooms: Sequence[Room]) -> None:
        """Ask the question with this text key."""
        if pressed_command := interaction.extras.get(REPEATED_COMMAND):
            name, options, page = pressed_command
        else:
            name, options = _encode_command(interaction)
            page = 0

        def make_id(match_id: str) -> str:
            return f"w:{name}:{match_id}:{options}"

        buttons = [
            Button(make_id(room.record.id), describe.match_line(room), STRONG) for room in rooms
        ]
        # The command may not fit into a custom id: then the matches are only listed.
        if not name or any(len(one.id) > CUSTOM_ID for one in buttons):
            lines = "\n".join(say("match.item", **describe.facts(room)) for room in rooms)
            super().__init__("refusal.say_which", question=say(question), matches=lines)
            return
        super().__init__(question)
        self.rows = button_rows(buttons)
        if len(self.rows) > ROWS:
            pages = -(-len(buttons) // MATCHES_PER_PAGE)
            page = min(page, pages - 1)
            next_page = next_page_button(page, pages, lambda page: make_id(f"{PAGE_PREFIX}{page}"))
            first = page * MATCHES_PER_PAGE
            shown = buttons[first : first + MATCHES_PER_PAGE]
            self.rows = [*button_rows(shown), tuple(next_page)]


def _encode_command(interaction: MotuInteraction) -> tuple[str, str]:
    """Return the name and the options, except the match, of the command for a button's custom id.

    Both are '' if they cannot be encoded.
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
    encoded = msgspec.json.encode(options).decode() if options else ""
    return command.qualified_name.replace(" ", "-"), encoded


class ChosenMatch(Item, template=rf"w:(?P<command>[a-z-]{{1,24}}):{MATCH}:(?P<given>.*)"):
    """The button of a match that a command could mean, or of the next page of them."""

    async def on_press(self, interaction: MotuInteraction) -> None:
        """Run the command again, with the chosen match."""
        name, encoded, chosen = self.fields["command"], self.fields["given"], self.fields["match"]
        group, _, subcommand = name.partition("-")
        command: Any = interaction.client.tree.get_command(group)
        if subcommand and isinstance(command, app_commands.Group):
            command = command.get_command(subcommand)
        options = _read_options(command, encoded)
        if chosen.startswith(PAGE_PREFIX):
            # Without a match the command asks again, and shows this page.
            page = chosen.removeprefix(PAGE_PREFIX)
            number = int(page) if page.isdecimal() else 0
            interaction.extras[REPEATED_COMMAND] = (name, encoded, number)
        else:
            options["match"] = chosen
        await command.callback(interaction, **options)


def _read_options(command: Any, encoded: str) -> dict[str, bool | str]:
    """Decode a button's options, by the names of the callback's parameters.

    Discord checks the options of a typed command, but nobody has checked those in a custom id,
    which may come from an older version or be forged. Refuse what Discord would not have sent.
    """
    parameters = {one.display_name: one for one in getattr(command, "parameters", ())}
    required = {name for name, parameter in parameters.items() if parameter.required}
    try:
        options = msgspec.json.decode(encoded or "{}", type=dict[str, bool | str])
    except msgspec.MsgspecError:
        raise Refused("refusal.old_button") from None
    # Only commands with an option `match` can be run again.
    if "match" not in parameters or not required <= options.keys() <= parameters.keys() - {"match"}:
        raise Refused("refusal.old_button")
    for name, value in options.items():
        choices = [choice.value for choice in parameters[name].choices]
        is_offered = value in choices or not choices
        if not is_offered or type(value) is not OPTION_TYPES.get(parameters[name].type):
            raise Refused("refusal.old_button")
    return {parameters[name].name: value for name, value in options.items()}


def must_be_in_server(interaction: MotuInteraction) -> int:
    """Return the server's id; refuse in direct messages."""
    if interaction.guild_id is None or interaction.channel_id is None:
        raise Refused("refusal.direct_message")
    return interaction.guild_id


def parse_game(typed: str) -> str:
    """Return the id of the game with this id or title; refuse if there is none."""
    wanted = typed.strip().casefold()
    for game in GAMES:
        if wanted in (game, GAMES[game].title.casefold()):
            return game
    raise UnknownGame(say("refusal.no_game", games=game_titles()))


def game_titles() -> str:
    """Return the titles of all games, as a list in words."""
    return and_list(GAMES[game].title for game in GAMES)


def pick_only_match(
    interaction: MotuInteraction, question: str, rooms: Sequence[Room], *likelier: Sequence[Room]
) -> Room | None:
    """Return the only match, or the only one among the likelier ones; None if there is no match.

    If several are possible, raise AskWhichMatch; `question` is the text key of its question.
    """
    for candidates in (rooms, *likelier):
        if len(candidates) == 1:
            return candidates[0]
    if rooms:
        raise AskWhichMatch(interaction, question, rooms)
    return None


async def my_match(
    interaction: MotuInteraction,
    match_id: str | None,
    *,
    seated: bool = False,
    in_turn: bool = True,
) -> Room:
    """Return the match that a user means here: the named one, their only one, or the only one.

    If they have several, it is the one that waits for them, provided that their command is for
    their turn (`in_turn`). Otherwise they are asked with AskWhichMatch. With `seated`, matches in
    which the user has no seat do not count. Raises NotFound if there is no match.
    """
    if match_id:
        return await find_named_match(interaction, match_id)
    user = interaction.user.id
    here = rooms = await matches_here(interaction)
    mine = [room for room in rooms if room.is_seated(user)]
    waiting = [room for room in mine if room.is_waiting_for(user)]
    # A player means one of their own matches, a spectator any match here.
    rooms = sorted(mine if mine or seated else rooms, key=lambda room: room not in waiting)
    likelier = waiting if in_turn else []
    if only_match := pick_only_match(interaction, "refusal.several_matches", rooms, likelier):
        return only_match
    # Never assume a match in another channel without asking, even if it is the only one: a move
    # that is typed here may be meant for a match that has ended.
    elsewhere = await interaction.client.kernel.matches.agenda(user)
    if running := [room for room in elsewhere if room.is_seated(user) and room.match is not None]:
        raise AskWhichMatch(interaction, "refusal.match_elsewhere", running)
    if len(here) == 1:
        # This refuses, saying whose match it is and why the user has no seat in it.
        my_seat(interaction, here[0])
    raise NotFound("refusal.no_running_match")


async def my_ended_match(interaction: MotuInteraction, match_id: str | None) -> Room:
    """Return the ended match that a user means: the named one, or the only one here.

    If none has ended here, return the running match, so that the command can say that it must end
    first.
    """
    if match_id:
        return await find_named_match(interaction, match_id)
    user, place = interaction.user.id, interaction.channel_id or 0
    select = interaction.client.kernel.matches.select
    ended = await select(ended_matches, user, place, ENDED_MATCHES_OFFERED)
    is_direct = interaction.guild_id is None
    here = [
        room
        for room in ended
        if is_direct or place in (room.record.place.channel, room.record.place.thread)
    ]
    if only_match := pick_only_match(interaction, "refusal.several_ended", here):
        return only_match
    if running := await matches_here(interaction):
        return await my_match(interaction, None) if len(running) > 1 else running[0]
    if ended:
        raise AskWhichMatch(interaction, "refusal.ended_elsewhere", ended)
    raise NotFound("refusal.no_ended_match")


async def my_seated_match(
    interaction: MotuInteraction, match_id: str | None, *, in_turn: bool = True
) -> tuple[Room, Seat]:
    """Return the match that a player means (see `my_match`) and their seat; refuse spectators."""
    room = await my_match(interaction, match_id, seated=True, in_turn=in_turn)
    return room, my_seat(interaction, room)


async def matches_here(interaction: MotuInteraction) -> list[Room]:
    """Return the running matches in this channel; in a thread without any, its ended match.

    In a direct message without any, return the user's matches elsewhere, and if they have none, the
    last match that ended here.
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
    """Return the user's seat; None for a spectator or somebody who has resigned."""
    user = interaction.user.id
    return room.seat_of(user) if room.is_seated(user) else None


def my_seat(interaction: MotuInteraction, room: Room) -> Seat:
    """Return the user's seat; refuse if they have none."""
    seat = seat_of(interaction, room)
    if seat is None:
        key = "given_up" if room.has_resigned(interaction.user.id) else "not_your_match"
        raise Refused(f"refusal.{key}", **describe.facts(room))
    return seat
