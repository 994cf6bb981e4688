"""The forms of a lobby: the game's settings, the pace, and a map of the host's own.

Slash commands make the same changes, with the functions `change_settings`, `change_time` and
`change_map`. What is allowed is decided in rules.py.
"""

import discord
from msgspec.structs import replace

from bot.features.clock.discord import propose_time
from bot.features.lobby import rules
from bot.features.lobby.messages import LobbyMessages, settings_pages
from bot.features.lobby.rules import LobbyRule, Table
from bot.features.lobby.service import Lobby
from bot.features.reminders.service import Reminders
from bot.kernel.room import Room
from bot.model import MatchRecord, Status, Terms
from bot.runtime.base import Refused
from bot.text import say
from bot.ui import (
    MATCH,
    Acknowledgement,
    CheckField,
    Choice,
    ChoiceField,
    Content,
    Entered,
    FileField,
    Form,
    MotuInteraction,
    describe,
    my_seat,
    person,
    radio_or_menu,
    reply,
    service,
)
from engine import find_game
from engine.core.words import words_of

MAX_MAP_BYTES = 200_000
"""The largest file that is accepted as a map. The published map has about 2,000."""


async def change(interaction: MotuInteraction, match_id: str, rule: LobbyRule) -> Room:
    """Apply a lobby rule on behalf of the interaction's user."""
    lobby = service(interaction, Lobby)
    return await lobby.change(match_id, person(interaction), rule, interaction.id)


async def find_own_zone(interaction: MotuInteraction) -> str:
    """Return the time zone from the user's own settings."""
    return (await service(interaction, Reminders).of(interaction.user.id)).zone


async def confirm(interaction: MotuInteraction, room: Room, text: str) -> None:
    """Show the result of a form: on the card, if it was opened there, else in a private answer."""
    pressed_on = interaction.message.id if interaction.message else 0
    if pressed_on == room.record.lobby_message:
        await service(interaction, LobbyMessages).show(room.record.id, interaction)
    else:
        # The card is updated in the background, like after every change.
        await reply.tell(interaction, text)


class LobbyForm(Form, template=r"(?!)", command=""):
    """A form on a lobby's card, for the host."""

    acknowledgement = Acknowledgement.IN_PLACE

    async def table(self, interaction: MotuInteraction) -> Table:
        """Return the lobby; refuse anybody but its host."""
        room = await self.room(interaction)
        table = Table(room.record, find_game(room.record.game), person(interaction))
        table.check_host("set")
        return table


class SettingsForm(
    LobbyForm, template=rf"set:{MATCH}:(?P<page>[0-9]{{1,2}})", command="game.settings"
):
    """A page of the game's settings: a form has room for five."""

    async def content(self, interaction: MotuInteraction) -> Content:
        """Return the settings with the values that fit the number of players."""
        table = await self.table(interaction)
        pages, page = settings_pages(table), int(self.fields["page"])
        if page >= len(pages):
            # The number of players has changed since, and fewer settings leave a choice.
            raise Refused("refusal.old_button")
        words = words_of(table.game.id)
        fields = [
            radio_or_menu(
                setting.key,
                words.setting(setting.key),
                [(value, words.choice(setting.key, value)) for value in values],
                table.value_of(setting),
            )
            for setting, values in pages[page]
        ]
        return Content(say("lobby.settings_of", game=table.game.title), fields)

    async def on_submit(self, interaction: MotuInteraction, entered: Entered) -> None:
        """Change the settings."""
        table = await self.table(interaction)
        typed = " ".join(f"{key}={entered.choice(key)}" for key in entered.values)
        chosen = rules.parse_settings(table.game, typed)
        await change_settings(interaction, table.record.id, chosen)


async def change_settings(
    interaction: MotuInteraction, match_id: str, settings: dict[str, str]
) -> None:
    """Change settings of the game, and confirm it."""
    room = await change(interaction, match_id, lambda table: table.choose(settings))
    lines = [rules.setting_line(room.record.game, *one) for one in settings.items()]
    text = say("answer.settings", settings="\n".join(lines), **describe.facts(room))
    await confirm(interaction, room, text)


class PaceForm(LobbyForm, template=rf"pace:{MATCH}", command="game.pace"):
    """The time limits: the host sets them in a lobby, and a player proposes others in a match."""

    async def content(self, interaction: MotuInteraction) -> Content:
        """Return the current time limits."""
        room = await self.room(interaction)
        title = say("pace.title")
        if room.record.status is Status.LOBBY:
            await self.table(interaction)
        else:
            my_seat(interaction, room)
            title = say("pace.propose")
        zone = await find_own_zone(interaction)
        fields = []
        for term in rules.TIME_TERMS:
            current = term.current(room.record.terms)
            choices = [
                Choice(rules.menu_value(one), term.label(one), term.explain(one), one == current)
                for one in term.options(current, zone)
            ]
            fields.append(
                ChoiceField(key=term.key, label=say(f"term.{term.key}"), choices=tuple(choices))
            )
        return Content(title, fields)

    async def on_submit(self, interaction: MotuInteraction, entered: Entered) -> None:
        """Change the time limits, or start a vote on it."""
        room, zone = await self.room(interaction), await find_own_zone(interaction)
        terms = room.record.terms
        for term in rules.TIME_TERMS:
            terms = term.choose(terms, entered.choice(term.key), zone)
        await change_time(interaction, room, terms)


async def change_time(interaction: MotuInteraction, room: Room, terms: Terms) -> None:
    """Change the time limits of a lobby, or start a vote on changing those of a match."""
    if terms == room.record.terms:
        raise Refused("pace.nothing_new")
    if room.record.status is not Status.LOBBY:
        await propose_time(interaction, room, terms.time)
        return

    def set_time(table: Table) -> MatchRecord:
        return table.set_terms(replace(table.record.terms, time=terms.time))

    room = await change(interaction, room.record.id, set_time)
    contract = describe.time_contract(terms.time)
    await confirm(interaction, room, say("pace.set", contract=contract, **describe.facts(room)))


class MapForm(LobbyForm, template=rf"map:{MATCH}", command="game.map"):
    """A map of the host's own."""

    async def content(self, interaction: MotuInteraction) -> Content:
        """Return a field for a file and, if one was uploaded, a checkbox for the published map."""
        table = await self.table(interaction)
        rules.own_map_setting(table.game)
        file = FileField(key="file", label=say("lobby.map_file"), description=say("lobby.map_help"))
        if not rules.has_own_map(table.game, table.record.settings):
            return Content(say("lobby.map_title"), [file])
        back = CheckField(key="published", label=say("lobby.map_published"))
        return Content(say("lobby.map_title"), [file, back])

    async def on_submit(self, interaction: MotuInteraction, entered: Entered) -> None:
        """Use the map, or go back to the published one."""
        room, file = await self.room(interaction), entered.file("file")
        if file is None and not entered.is_checked("published"):
            raise Refused("refusal.file_missing")
        await change_map(interaction, room, file)


async def change_map(
    interaction: MotuInteraction, room: Room, file: discord.Attachment | None
) -> None:
    """Use a map in an open lobby; without one, go back to the game's own."""
    key = rules.own_map_setting(find_game(room.record.game))
    text = await read_map(file) if file is not None else ""
    room = await change(interaction, room.record.id, lambda table: table.choose({key: text}))
    answer = say("answer.map" if text else "answer.no_map", **describe.facts(room))
    await confirm(interaction, room, answer)
    await service(interaction, LobbyMessages).show_map(room)


async def read_map(file: discord.Attachment) -> str:
    """Return the text of an uploaded map; refuse a file that is too large or not text."""
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
