"""Forms (Discord's modals): opened by a button or a command, and submitted as one interaction.

A form is stateless like a button: everything it needs is in its custom id, so one that was opened
before a restart can still be submitted. A feature declares its forms as subclasses of Form, with
the pattern of the custom id, `content` with the current values, and `on_submit`.

If a submission is refused, the answer has the reason and a button that opens the form again with
what was entered. That is kept in memory only: after a restart the button opens the form with the
current values.
"""

import asyncio
import re
from collections.abc import Iterable, Mapping, Sequence
from enum import Enum
from typing import Any, ClassVar, Literal, TypeVar

import discord
from cachetools import LRUCache
from discord import ui
from msgspec import Struct
from msgspec.structs import replace

from bot.kernel.room import Room
from bot.runtime.base import Refused
from bot.text import say
from bot.ui import reply
from bot.ui.client import MotuInteraction, service
from bot.ui.components import Item, LateEdits, find_named_match
from bot.ui.parts import CUSTOM_ID, STRONG, Button, Choice, custom_ids, cut
from bot.ui.reply import Acknowledgement, admit

# Discord's limits, as numbers of components or characters.
FORM_FIELDS = 5
FORM_TITLE = 45
FIELD_LABEL = 45
FIELD_DESCRIPTION = 100
FIELD_PLACEHOLDER = 100
FIELD_TEXT = 4000
MAX_PICKED = 25

RADIO_CHOICES = 5
"""Up to this many choices are radio buttons; more are a menu."""
MAX_REMEMBERED_FORMS = 1000
"""How many refused submissions are kept in memory, of all users together."""
LOAD_SECONDS = 2.0
"""How long the current values may take to load: a form has to open within three seconds."""

OPEN, EDIT_AGAIN = "open", "again"
"""In a button's custom id: open the form with the current values, or with those refused."""

E = TypeVar("E", bound=Enum)
Value = str | bool | list[str] | None
"""The value a field sends: text, whether it is ticked, or what is chosen (ids for files)."""


# Fields


class Field(Struct, frozen=True, kw_only=True):
    """A field of a form. Texts that are too long are cut."""

    key: str
    """Identifies the field within its form."""
    label: str
    description: str = ""

    def component(self) -> ui.Item[Any]:
        """Return the field as discord.py's component."""
        raise NotImplementedError

    def with_value(self, value: Value) -> "Field":
        """Return the field filled with what it has sent before."""
        raise NotImplementedError


class TextField(Field, frozen=True, kw_only=True):
    """A text of one line, or of several."""

    value: str = ""
    placeholder: str = ""
    is_long: bool = False
    is_required: bool = False
    max_length: int = FIELD_TEXT

    def component(self) -> ui.Item[Any]:
        """Return the field as discord.py's component."""
        return ui.TextInput(
            custom_id=self.key,
            style=discord.TextStyle.long if self.is_long else discord.TextStyle.short,
            default=self.value or None,
            placeholder=cut(self.placeholder, FIELD_PLACEHOLDER) or None,
            required=self.is_required,
            max_length=self.max_length,
        )

    def with_value(self, value: Value) -> "TextField":
        """Return the field filled with what it has sent before."""
        return replace(self, value=str(value or ""))


class ChoiceField(Field, frozen=True, kw_only=True):
    """A choice of exactly one of two or more."""

    choices: tuple[Choice, ...]

    def component(self) -> ui.Item[Any]:
        """Return the field as discord.py's component."""
        kind = ui.RadioGroup if len(self.choices) <= RADIO_CHOICES else ui.Select
        part: ui.RadioGroup[Any] | ui.Select[Any] = kind(custom_id=self.key)
        for choice in self.choices:
            part.add_option(
                label=choice.label,
                value=choice.value,
                description=choice.description or None,
                default=choice.chosen,
            )
        return part

    def with_value(self, value: Value) -> "ChoiceField":
        """Return the field filled with what it has sent before."""
        chosen = value if isinstance(value, list) else [value]
        choices = (replace(one, chosen=one.value in chosen) for one in self.choices)
        return replace(self, choices=tuple(choices))


class PickField(Field, frozen=True, kw_only=True):
    """A choice of roles or text channels of the server; none may be chosen."""

    kind: Literal["roles", "channels"]
    chosen: tuple[int, ...] = ()
    at_most: int = 1

    def component(self) -> ui.Item[Any]:
        """Return the field as discord.py's component."""
        is_role = self.kind == "roles"
        options: dict[str, Any] = {
            "custom_id": self.key,
            "min_values": 0,
            "max_values": self.at_most,
            "required": False,
            "default_values": [
                discord.SelectDefaultValue(
                    id=one,
                    type=discord.SelectDefaultValueType.role
                    if is_role
                    else discord.SelectDefaultValueType.channel,
                )
                for one in self.chosen[: self.at_most]
            ],
        }
        if is_role:
            return ui.RoleSelect(**options)
        return ui.ChannelSelect(**options, channel_types=[discord.ChannelType.text])

    def with_value(self, value: Value) -> "PickField":
        """Return the field filled with what it has sent before."""
        chosen = value if isinstance(value, list) else []
        return replace(self, chosen=tuple(int(one) for one in chosen if one.isdecimal()))


class CheckField(Field, frozen=True, kw_only=True):
    """A checkbox."""

    is_checked: bool = False

    def component(self) -> ui.Item[Any]:
        """Return the field as discord.py's component."""
        return ui.Checkbox(custom_id=self.key, default=self.is_checked)

    def with_value(self, value: Value) -> "CheckField":
        """Return the field filled with what it has sent before."""
        return replace(self, is_checked=bool(value))


class FileField(Field, frozen=True, kw_only=True):
    """A file, or none. Discord cannot fill it in, so it is always empty when the form opens."""

    def component(self) -> ui.Item[Any]:
        """Return the field as discord.py's component."""
        return ui.FileUpload(custom_id=self.key, required=False, min_values=0)

    def with_value(self, value: Value) -> "FileField":
        """Return the field, which stays empty."""
        return self


class Entered:
    """The values entered in a form, by the keys of its fields."""

    def __init__(self, interaction: MotuInteraction) -> None:
        data: dict[str, Any] = dict(interaction.data or {})
        self.values: dict[str, Value] = {}
        for part in data.get("components", ()):
            field = part.get("component", {})
            if "custom_id" in field:
                self.values[field["custom_id"]] = field.get("value", field.get("values"))
        self._files: dict[str, Any] = data.get("resolved", {}).get("attachments", {})
        # discord.py's Attachment needs its private connection state to download the file.
        self._state = interaction.client._connection

    def __contains__(self, key: str) -> bool:
        return key in self.values

    def text(self, key: str) -> str:
        """Return the text of a field without surrounding spaces; '' if there is no such field."""
        value = self.values.get(key)
        return value.strip() if isinstance(value, str) else ""

    def number(self, key: str) -> int | None:
        """Return the whole number typed in a field, None if it is empty; refuse anything else."""
        typed = self.text(key)
        if not typed:
            return None
        if not re.fullmatch("[0-9]{1,9}", typed):
            raise Refused("form.not_a_number", typed=discord.utils.escape_markdown(typed[:40]))
        return int(typed)

    def choice(self, key: str) -> str:
        """Return the value chosen in a field; '' if the form has no such field."""
        value = self.values.get(key)
        if isinstance(value, list):
            return value[0] if value else ""
        return str(value or "")

    def member(self, key: str, kind: type[E]) -> E:
        """Return the member of an enum chosen in a field; refuse anything else."""
        try:
            return kind(self.choice(key))
        except ValueError:
            # Discord's own clients only send values of the enum, so this one is forged.
            raise Refused("refusal.foreign_choice") from None

    def picked(self, key: str) -> tuple[int, ...]:
        """Return the ids of the roles or channels chosen in a field."""
        value = self.values.get(key)
        chosen = value if isinstance(value, list) else []
        if not all(map(str.isdecimal, chosen)):
            raise Refused("refusal.foreign_choice")
        return tuple(map(int, chosen))

    def is_checked(self, key: str) -> bool:
        """Whether a checkbox is ticked."""
        return self.values.get(key) is True

    def file(self, key: str) -> discord.Attachment | None:
        """Return the file uploaded in a field; None if there is none."""
        value = self.values.get(key)
        if not isinstance(value, list) or not value:
            return None
        if value[0] not in self._files:
            raise Refused("refusal.foreign_choice")
        return discord.Attachment(data=self._files[value[0]], state=self._state)


# Forms


class Content(Struct, frozen=True):
    """The title and the fields of a form, with the current values. A long title is cut."""

    title: str
    fields: Sequence[Field]


class Form:
    """A form. Features subclass it.

        class NoteForm(Form, template=rf"note:{MATCH}", command="note"): ...

    `command` is the slash command that does the same, named as in `slash`.
    """

    pattern: ClassVar[re.Pattern[str]]
    command: ClassVar[str]
    acknowledgement: ClassVar[Acknowledgement] = Acknowledgement.AT_ONCE
    """How a submission is acknowledged. IN_PLACE edits the message whose button opened it."""

    def __init_subclass__(cls, *, template: str, command: str) -> None:
        cls.pattern, cls.command = re.compile(template), command

    def __init__(self, form_id: str, fields: Mapping[str, str]) -> None:
        self.id = form_id
        self.fields = fields
        """The named groups of its custom id's pattern; '' for a missing one."""

    async def content(self, interaction: MotuInteraction) -> Content:
        """Return what the form shows when it opens; refuse if the user may not fill it in."""
        raise NotImplementedError

    async def on_submit(self, interaction: MotuInteraction, entered: Entered) -> None:
        """Handle what was entered, and answer. Implemented by each form."""
        raise NotImplementedError

    async def room(self, interaction: MotuInteraction) -> Room:
        """Return the match in the custom id; refuse if the user may not see it."""
        return await find_named_match(interaction, self.fields["match"])


class Forms:
    """The forms of all features, and what was entered in those that were refused."""

    def __init__(self) -> None:
        self.kinds: list[type[Form]] = []
        self._refused: LRUCache[tuple[int, str], dict[str, Value]] = LRUCache(MAX_REMEMBERED_FORMS)
        """By user and custom id."""

    def find(self, form_id: str) -> Form:
        """Return the form with this id; refuse if it is forged or its feature is left out."""
        for kind in self.kinds:
            if match := kind.pattern.fullmatch(form_id):
                return kind(form_id, match.groupdict(default=""))
        raise Refused("refusal.not_ours")

    def keep(self, user: int, form_id: str, entered: Entered) -> None:
        """Keep what was entered, until the form is submitted again."""
        self._refused[user, form_id] = entered.values

    def forget(self, user: int, form_id: str) -> None:
        """Forget what was entered before."""
        self._refused.pop((user, form_id), None)

    def entered_before(self, user: int, form_id: str) -> Mapping[str, Value]:
        """Return what the user entered in a form that was refused, by the keys of its fields."""
        return self._refused.get((user, form_id), {})


def button_id(what: str, form_id: str) -> str:
    """Return the custom id of a button that opens a form."""
    return f"f:{what}:{form_id}"


def form_button(form_id: str, label: str, look: str = "secondary") -> Button:
    """Return a button that opens a form."""
    return Button(button_id(OPEN, form_id), label, look)


class FormButton(Item, template=rf"f:(?P<what>{OPEN}|{EDIT_AGAIN}):(?P<form>.{{1,{CUSTOM_ID}}})"):
    """Opens a form, with the current values or with those that were refused."""

    @property
    def acknowledgement(self) -> Acknowledgement:
        """Respond with the form."""
        return Acknowledgement.FORM

    async def on_press(self, interaction: MotuInteraction) -> None:
        """Open the form."""
        form_id = self.fields["form"]
        entered: Mapping[str, Value] = {}
        if self.fields["what"] == EDIT_AGAIN:
            entered = service(interaction, Forms).entered_before(interaction.user.id, form_id)
        await open_form(interaction, form_id, entered)


async def open_form(
    interaction: MotuInteraction, form_id: str, entered: Mapping[str, Value] | None = None
) -> None:
    """Respond with a form, filled with the current values or with what was `entered` before.

    If the interaction was deferred already, which rules out a form, answer with a button for it.
    """
    form = service(interaction, Forms).find(form_id)
    try:
        async with asyncio.timeout(LOAD_SECONDS):
            content = await form.content(interaction)
    except TimeoutError:
        raise Refused("refusal.busy") from None
    modal = make_modal(form_id, content, entered or {})
    if not await reply.respond_with_form(interaction, modal):
        button = form_button(form_id, say("form.open"), STRONG)
        await reply.tell(interaction, say("form.opens"), [(button,)])


def make_modal(form_id: str, content: Content, entered: Mapping[str, Value]) -> ui.Modal:
    """Return a form as discord.py's modal."""
    modal = ui.Modal(title=cut(content.title, FORM_TITLE), custom_id=form_id)
    for field in content.fields:
        shown = field.with_value(entered[field.key]) if field.key in entered else field
        label: ui.Label[Any] = ui.Label(
            text=cut(shown.label, FIELD_LABEL),
            description=cut(shown.description, FIELD_DESCRIPTION) or None,
            component=shown.component(),
        )
        modal.add_item(label)
    # Otherwise discord.py keeps it in memory for good, since a user may close a form unsubmitted.
    modal.stop()
    return modal


async def handle_submission(interaction: MotuInteraction) -> None:
    """Admit and handle a submitted form; any error becomes one private answer."""
    forms, user = service(interaction, Forms), interaction.user.id
    form_id = str(dict(interaction.data or {}).get("custom_id", ""))
    try:
        form = forms.find(form_id)
    except Refused as error:
        await reply.report(interaction, error)
        return
    entered = Entered(interaction)
    # Keep the values before it is admitted, so that they survive if the bot is stopping or busy.
    forms.keep(user, form_id, entered)
    again = Button(button_id(EDIT_AGAIN, form_id), say("form.edit_again"), STRONG)
    interaction.extras[reply.ERROR_PARTS] = [(again,)]
    if _is_only_for(interaction.message, form_id):
        interaction.extras[reply.REPLACES_MESSAGE] = True
    if not await admit(interaction, type(form).__name__, form.acknowledgement):
        return
    await service(interaction, LateEdits).on_press(interaction)
    try:
        await form.on_submit(interaction, entered)
    except Exception as error:
        await reply.report(interaction, error)
    else:
        forms.forget(user, form_id)


def _is_only_for(message: discord.Message | None, form_id: str) -> bool:
    """Whether a message is private and has no buttons but those that open this form."""
    if message is None or not message.flags.ephemeral:
        return False
    return custom_ids(message) <= {button_id(what, form_id) for what in (OPEN, EDIT_AGAIN)}


def radio_or_menu(
    key: str, label: str, choices: Iterable[tuple[str, str]], current: str, description: str = ""
) -> ChoiceField:
    """Return a choice among values with their labels, of which `current` is chosen."""
    options = tuple(Choice(value, text, chosen=value == current) for value, text in choices)
    return ChoiceField(key=key, label=label, choices=options, description=description)
