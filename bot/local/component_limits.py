"""What Discord refuses about the components of a message."""

import math
from collections.abc import Collection, Mapping
from typing import Any, ClassVar

from bot.local.components import ATTACHMENT_SCHEME, ENTITY_MENUS, LINK_STYLE, MENUS, Kind
from bot.local.errors import BodyCheck, Json, Path

# Lengths are in characters. Discord's documentation has each of these limits.
MAX_ROWS = 5
"""Rows of a message that is no layout."""
MAX_BUTTONS_IN_ROW = 5
MAX_CUSTOM_ID = 100
MAX_COMPONENT_ID = (1 << 31) - 1
MAX_LABEL = 80
MAX_LINK = 512
MAX_PLACEHOLDER = 150
MAX_OPTIONS = 25
MAX_OPTION_TEXT = 100

MAX_COMPONENTS = 40
"""Components of a layout, those inside others included."""
MAX_DISPLAYED_TEXT = 4000
"""Length of all text displays of a layout together."""
MAX_SECTION_TEXTS = 3
MAX_GALLERY_ITEMS = 10
MAX_ALT_TEXT = 1024
MAX_MEDIA_URL = 2048
MAX_COLOR = 0xFFFFFF

BUTTON_STYLES = (1, 2, 3, 4, LINK_STYLE)
"""Primary, secondary, success, danger and link; Motu sells nothing, so it has no premium ones."""
SPACINGS = (1, 2)
CHANNEL_TYPES = range(17)
DEFAULT_VALUE_TYPES = {
    Kind.USER_MENU: ("user",),
    Kind.ROLE_MENU: ("role",),
    Kind.MENTIONABLE_MENU: ("user", "role"),
    Kind.CHANNEL_MENU: ("channel",),
}

ROW_PARTS = (Kind.BUTTON, *MENUS)
CONTAINER_PARTS = (
    Kind.ROW,
    Kind.TEXT,
    Kind.SECTION,
    Kind.GALLERY,
    Kind.SEPARATOR,
    Kind.FILE,
)
LAYOUT_PARTS = (*CONTAINER_PARTS, Kind.CONTAINER)
ACCESSORIES = (Kind.BUTTON, Kind.THUMBNAIL)

# The fields that discord.py sends for Motu.
_MENU_FIELDS = ("custom_id", "placeholder", "min_values", "max_values", "disabled", "required")
FIELDS: dict[int, tuple[str, ...]] = {
    Kind.ROW: ("components",),
    Kind.BUTTON: ("style", "label", "custom_id", "url", "disabled"),
    Kind.MENU: (*_MENU_FIELDS, "options"),
    Kind.USER_MENU: (*_MENU_FIELDS, "default_values"),
    Kind.ROLE_MENU: (*_MENU_FIELDS, "default_values"),
    Kind.MENTIONABLE_MENU: (*_MENU_FIELDS, "default_values"),
    Kind.CHANNEL_MENU: (*_MENU_FIELDS, "default_values", "channel_types"),
    Kind.SECTION: ("components", "accessory"),
    Kind.TEXT: ("content",),
    Kind.THUMBNAIL: ("media", "description", "spoiler"),
    Kind.GALLERY: ("items",),
    Kind.FILE: ("file", "spoiler"),
    Kind.SEPARATOR: ("divider", "spacing"),
    Kind.CONTAINER: ("components", "accent_color", "spoiler"),
}
OPTION_FIELDS = ("label", "value", "description", "default")


class ComponentCheck:
    """Checks the components of one message, whose ids must differ from each other."""

    fields: ClassVar[Mapping[int, tuple[str, ...]]] = FIELDS
    """The fields of each type of component, besides `type` and `id`."""

    def __init__(self, check: BodyCheck, file_names: Collection[str] = ()) -> None:
        self.check = check
        self.file_names = file_names
        """Names of the files that the message has, to which its media may refer."""
        self.custom_ids: set[str] = set()
        self.ids: set[int] = set()
        self.count = 0
        self.displayed_text = 0

    def check_rows(self, components: Any) -> None:
        """Check the rows of buttons and menus below the content of a message."""
        path: Path = ("components",)
        for index, row in enumerate(self.check.items(path, components, 0, MAX_ROWS)):
            self.check_part((*path, index), row, (Kind.ROW,))

    def check_layout(self, components: Any) -> None:
        """Check the components of a message that consists of them alone."""
        path: Path = ("components",)
        for index, part in enumerate(self.check.items(path, components, 0, math.inf)):
            self.check_part((*path, index), part, LAYOUT_PARTS)
        if self.count > MAX_COMPONENTS:
            self.check.add_error(
                path,
                "COMPONENT_MAX_TOTAL_COMPONENTS_EXCEEDED",
                f"Total number of components cannot exceed {MAX_COMPONENTS}",
            )
        if self.displayed_text > MAX_DISPLAYED_TEXT:
            self.check.add_error(
                path,
                "COMPONENT_DISPLAYABLE_TEXT_SIZE_EXCEEDED",
                f"Components displayable text size exceeds maximum size of {MAX_DISPLAYED_TEXT}",
            )

    def check_part(self, path: Path, part: Any, allowed: Collection[int]) -> None:
        """Check a component, which must have one of the allowed types."""
        check = self.check
        if not check.is_object(path, part):
            return
        if not check.is_one_of((*path, "type"), part.get("type"), allowed):
            return
        self.count += 1
        check.only_fields(path, part, ("type", "id", *self.fields[part["type"]]))
        self._check_id(path, part)
        self.check_content(path, part)

    def check_content(self, path: Path, part: Json) -> None:
        """Check the fields of a component, which depend on its type."""
        check = self.check
        match part["type"]:
            case Kind.ROW:
                self._check_row(path, part)
            case Kind.BUTTON:
                self._check_button(path, part)
            case Kind.SECTION:
                self._check_section(path, part)
            case Kind.TEXT:
                self._check_text(path, part)
            case Kind.THUMBNAIL:
                self._check_media(path, part, "media")
            case Kind.GALLERY:
                items = check.items((*path, "items"), part.get("items"), 1, MAX_GALLERY_ITEMS)
                for index, item in enumerate(items):
                    where = (*path, "items", index)
                    if check.is_object(where, item):
                        check.only_fields(where, item, ("media", "description", "spoiler"))
                        self._check_media(where, item, "media")
            case Kind.FILE:
                self._check_media(path, part, "file")
            case Kind.SEPARATOR:
                check.is_one_of((*path, "spacing"), part.get("spacing", 1), SPACINGS)
            case Kind.CONTAINER:
                check.number((*path, "accent_color"), part.get("accent_color"), 0, MAX_COLOR, 0)
                inside = check.items((*path, "components"), part.get("components"), 1, math.inf)
                for index, child in enumerate(inside):
                    self.check_part((*path, "components", index), child, CONTAINER_PARTS)
            case _:
                self.check_menu(path, part)

    def _check_id(self, path: Path, part: Json) -> None:
        """Check the number that a component may have been given."""
        given = self.check.number((*path, "id"), part.get("id"), 0, MAX_COMPONENT_ID, 0)
        if given and given in self.ids:
            self.check.add_error(
                (*path, "id"), "COMPONENT_ID_DUPLICATED", "Component id cannot be duplicated"
            )
        self.ids.add(given)

    def check_custom_id(self, path: Path, part: Json) -> None:
        """Check the custom id of a control, which no other control may have."""
        check = self.check
        custom_id = check.text((*path, "custom_id"), part.get("custom_id"), 1, MAX_CUSTOM_ID)
        if custom_id in self.custom_ids:
            check.add_error(
                (*path, "custom_id"),
                "COMPONENT_CUSTOM_ID_DUPLICATED",
                "Component custom id cannot be duplicated",
            )
        self.custom_ids.add(custom_id)

    def _check_row(self, path: Path, row: Json) -> None:
        """Check a row of buttons, or of one menu."""
        inside: Path = (*path, "components")
        parts = self.check.items(inside, row.get("components"), 1, MAX_BUTTONS_IN_ROW)
        for index, part in enumerate(parts):
            self.check_part((*inside, index), part, ROW_PARTS)
            if len(parts) > 1 and isinstance(part, dict) and part.get("type") in MENUS:
                self.check.add_error(
                    inside,
                    "COMPONENT_LAYOUT_WIDTH_EXCEEDED",
                    "The specified component exceeds the maximum width: a menu takes a row.",
                )

    def _check_button(self, path: Path, button: Json) -> None:
        """Check a button, which has either a custom id or an address."""
        check = self.check
        check.is_one_of((*path, "style"), button.get("style"), BUTTON_STYLES)
        label = check.text((*path, "label"), button.get("label"), 0, MAX_LABEL)
        # Whitespace is no label to Discord, though an invisible character such as U+200B is one.
        if not label.strip():
            check.add_error(
                path,
                "BUTTON_COMPONENT_LABEL_OR_EMOJI_REQUIRED",
                "A button needs a label or an emoji.",
            )
        is_link = button.get("style") == LINK_STYLE
        if not is_link:
            self.check_custom_id(path, button)
        foreign = "custom_id" if is_link else "url"
        if foreign in button:
            check.add_error(
                path,
                "BUTTON_COMPONENT_CUSTOM_ID_URL_MUTUALLY_EXCLUSIVE",
                "A custom id and url cannot both be specified",
            )
        elif is_link:
            where = (*path, "url")
            url = check.text(where, button.get("url"), 1, MAX_LINK)
            if url and not url.startswith(("https://", "http://", "discord://")):
                check.add_error(where, "URL_TYPE_INVALID_SCHEME", f'Scheme of "{url}" is invalid.')

    def check_menu(self, path: Path, menu: Json) -> None:
        """Check a menu of any type, with its options or default values."""
        check = self.check
        self.check_custom_id(path, menu)
        check.text((*path, "placeholder"), menu.get("placeholder"), 0, MAX_PLACEHOLDER)
        least = check.number((*path, "min_values"), menu.get("min_values"), 0, MAX_OPTIONS, 1)
        most = check.number((*path, "max_values"), menu.get("max_values"), 1, MAX_OPTIONS, 1)
        if least > most:
            check.add_error(
                (*path, "min_values"),
                "SELECT_COMPONENT_MIN_OVER_MAX",
                "min_values exceeds max_values.",
            )
        if menu["type"] in ENTITY_MENUS:
            self._check_default_values(path, menu, least, most)
            return
        options = self.check_options(path, menu.get("options"), 1, MAX_OPTIONS)
        if most > len(options) > 0:
            message = "max_values exceeds the number of options."
            check.add_error((*path, "max_values"), "SELECT_COMPONENT_MAX_VALUES_EXCEEDED", message)
        if sum(bool(option.get("default")) for option in options) > most:
            message = "There are more defaults than max_values."
            check.add_error((*path, "options"), "SELECT_COMPONENT_TOO_MANY_DEFAULT_VALUES", message)

    def check_options(self, path: Path, options: Any, low: int, high: int) -> list[Json]:
        """Check the options of a control, and return those that are objects."""
        check = self.check
        found: list[Json] = []
        values: set[str] = set()
        for index, option in enumerate(check.items((*path, "options"), options, low, high)):
            where = (*path, "options", index)
            if not check.is_object(where, option):
                continue
            check.only_fields(where, option, OPTION_FIELDS)
            check.text((*where, "label"), option.get("label"), 1, MAX_OPTION_TEXT)
            check.text((*where, "description"), option.get("description"), 0, MAX_OPTION_TEXT)
            value = check.text((*where, "value"), option.get("value"), 1, MAX_OPTION_TEXT)
            if value in values:
                check.add_error(
                    (*where, "value"),
                    "SELECT_COMPONENT_OPTION_VALUE_DUPLICATED",
                    "The specified option value is used",
                )
            values.add(value)
            found.append(option)
        return found

    def _check_default_values(self, path: Path, menu: Json, least: int, most: int) -> None:
        """Check what is chosen beforehand in a menu of people, roles or channels."""
        check = self.check
        where: Path = (*path, "default_values")
        low = least if menu.get("default_values") else 0
        chosen = check.items(where, menu.get("default_values") or [], low, most)
        for index, value in enumerate(chosen):
            if not check.is_object((*where, index), value):
                continue
            check.only_fields((*where, index), value, ("id", "type"))
            allowed = DEFAULT_VALUE_TYPES[menu["type"]]
            check.is_one_of((*where, index, "type"), value.get("type"), allowed)
            if not str(value.get("id", "")).isdecimal():
                check.add_error(
                    (*where, index, "id"),
                    "NUMBER_TYPE_COERCE",
                    f'Value "{value.get("id")}" is not snowflake.',
                )
        types = check.items(
            (*path, "channel_types"), menu.get("channel_types") or [], 0, len(CHANNEL_TYPES)
        )
        for index, kind in enumerate(types):
            check.is_one_of((*path, "channel_types", index), kind, CHANNEL_TYPES)

    # Layouts

    def _check_section(self, path: Path, section: Json) -> None:
        """Check texts with a button or a thumbnail beside them."""
        inside: Path = (*path, "components")
        texts = self.check.items(inside, section.get("components"), 1, MAX_SECTION_TEXTS)
        for index, text in enumerate(texts):
            self.check_part((*inside, index), text, (Kind.TEXT,))
        where = (*path, "accessory")
        if section.get("accessory") is None:
            self.check.add_error(where, "BASE_TYPE_REQUIRED", "This field is required")
        else:
            self.check_part(where, section["accessory"], ACCESSORIES)

    def _check_text(self, path: Path, part: Json) -> None:
        """Check a text display."""
        where = (*path, "content")
        text = self.check.text(where, part.get("content"), 1, MAX_DISPLAYED_TEXT)
        # A text that is too long by itself is reported by itself.
        if len(text) <= MAX_DISPLAYED_TEXT:
            self.displayed_text += len(text)

    def _check_media(self, path: Path, part: Json, field: str) -> None:
        """Check a picture or file and its alt text."""
        check = self.check
        check.text((*path, "description"), part.get("description"), 0, MAX_ALT_TEXT)
        item = part.get(field)
        if not check.is_object((*path, field), item):
            return
        assert isinstance(item, dict)
        check.only_fields((*path, field), item, ("url",))
        where = (*path, field, "url")
        url = check.text(where, item.get("url"), 1, MAX_MEDIA_URL)
        if url.startswith(ATTACHMENT_SCHEME):
            if url.removeprefix(ATTACHMENT_SCHEME) not in self.file_names:
                check.add_error(
                    where,
                    "UNFURLED_MEDIA_ITEM_REFERENCED_ATTACHMENT_NOT_FOUND",
                    f"The referenced attachment '{url}' was not found.",
                )
        # Discord shows nothing in a file component but the message's own files.
        elif url and (field == "file" or not url.startswith(("https://", "http://"))):
            check.add_error(
                where, "UNFURLED_MEDIA_ITEM_INVALID_URL", "Invalid protocol for media URL."
            )
