"""The limits of components in messages."""

from collections.abc import Callable, Collection
from typing import Any

from bot.local.model import BUTTON, SELECTS, STRING_SELECT, walk
from bot.local.refusal import Json
from bot.local.rules.form import Form, Path

ROWS = 5
IN_A_ROW = 5
TOTAL = 40
V2_TEXT = 4000
CUSTOM_ID = 100
LABEL = 80
OPTIONS = 25
PLACEHOLDER = 150

ROW, SECTION, TEXT_DISPLAY, THUMBNAIL, GALLERY, FILE, SEPARATOR, CONTAINER = 1, 9, 10, 11, 12, 13, 14, 17
_V2_TOP = (ROW, SECTION, TEXT_DISPLAY, GALLERY, FILE, SEPARATOR, CONTAINER)
_IN_CONTAINER = (ROW, SECTION, TEXT_DISPLAY, GALLERY, FILE, SEPARATOR)

_BASE = ("type", "id")
_SELECT_FIELDS = (
    *_BASE,
    *[
        "custom_id",
        "placeholder",
        "min_values",
        "max_values",
        "disabled",
        "required",
        "options",
        "channel_types",
        "default_values",
    ],
)


def check_components(form: Form, components: Any, *, v2: bool, names: Collection[str]) -> None:
    """Note what is wrong with a message's components; `names` are the files it may show."""
    path: Path = ("components",)
    top = form.a_list(path, components, 0, TOTAL if v2 else ROWS)
    for index, component in enumerate(top):
        if not form.an_object((*path, index), component):
            continue
        kind = component.get("type")
        if not v2 and kind in _V2_TOP and kind != ROW:
            form.wrong(
                (*path, index, "type"),
                "UNION_TYPE_CHOICES",
                "Components V2 need the flag IS_COMPONENTS_V2; without it only rows stand here.",
            )
        elif form.choice((*path, index, "type"), kind, _V2_TOP if v2 else (ROW,)):
            _check_one(form, (*path, index), component, names)
    if not form.tree:
        _check_all(form, path, top)


def _check_all(form: Form, path: Path, top: list[Json]) -> None:
    everything = list(walk(top))
    if len(everything) > TOTAL:
        form.wrong(path, "COMPONENT_MAX_TOTAL_COMPONENTS_EXCEEDED", f"The total number of components exceeds {TOTAL}.")
    if sum(len(part["content"]) for part in everything if part["type"] == TEXT_DISPLAY) > V2_TEXT:
        form.wrong(path, "COMPONENT_DISPLAYABLE_TEXT_SIZE_EXCEEDED", f"The texts exceed {V2_TEXT} characters.")
    for key, code in (("custom_id", "COMPONENT_CUSTOM_ID_DUPLICATED"), ("id", "COMPONENT_ID_DUPLICATED")):
        _no_twins(form, path, top, key, code)


def _no_twins(form: Form, path: Path, components: list[Json], key: str, code: str) -> None:
    seen: set[Any] = set()
    for where, part in places(path, components):
        value = part.get(key)
        if value in seen and value:
            form.wrong((*where, key), code, f"Component {key.replace('_', ' ')} cannot be duplicated")
        seen.add(value)


def places(path: Path, components: list[Json]) -> list[tuple[Path, Json]]:
    """Every component with its place in the body."""
    found: list[tuple[Path, Json]] = []
    for index, part in enumerate(components):
        found += [((*path, index), part), *places((*path, index, "components"), part.get("components", []))]
        for key in ("accessory", "component"):
            if key in part:
                found.append(((*path, index, key), part[key]))
    return found


def _check_one(form: Form, path: Path, component: Json, names: Collection[str]) -> None:
    checks: dict[int, Callable[[Form, Path, Json, Collection[str]], None]] = {
        ROW: _row,
        SECTION: _section,
        TEXT_DISPLAY: _text_display,
        THUMBNAIL: _thumbnail,
        GALLERY: _gallery,
        FILE: _file,
        SEPARATOR: _separator,
        CONTAINER: _container,
    }
    checks[component["type"]](form, path, component, names)


def _row(form: Form, path: Path, row: Json, names: Collection[str]) -> None:
    form.known(path, row, (*_BASE, "components"))
    children = form.a_list((*path, "components"), row.get("components"), 1, IN_A_ROW)
    for index, child in enumerate(children):
        where = (*path, "components", index)
        if not form.an_object(where, child) or not form.choice((*where, "type"), child.get("type"), (BUTTON, *SELECTS)):
            continue
        if child["type"] == BUTTON:
            check_button(form, where, child)
            continue
        check_select(form, where, child)
        if len(children) > 1:
            form.wrong(
                (*path, "components"),
                "COMPONENT_LAYOUT_WIDTH_EXCEEDED",
                "The specified component exceeds the maximum width: a menu takes a row.",
            )


def check_button(form: Form, path: Path, button: Json) -> None:
    """Note what is wrong with a button."""
    form.known(path, button, (*_BASE, "style", "label", "emoji", "custom_id", "url", "disabled", "sku_id"))
    form.text((*path, "label"), button.get("label"), 0, LABEL)
    if not form.choice((*path, "style"), button.get("style"), (1, 2, 3, 4, 5)):
        return
    _emoji(form, path, button)
    if not (button.get("label") or "").strip() and not button.get("emoji"):
        form.wrong(path, "BUTTON_COMPONENT_LABEL_OR_EMOJI_REQUIRED", "A button needs a label or an emoji.")
    if button["style"] == 5:
        form.text((*path, "url"), button.get("url"), 1, 512)
        if button.get("custom_id"):
            form.wrong(path, "BUTTON_COMPONENT_CUSTOM_ID_AND_URL", "A link has no custom id.")
        return
    form.text((*path, "custom_id"), button.get("custom_id"), 1, CUSTOM_ID)
    if button.get("url"):
        form.wrong(path, "BUTTON_COMPONENT_CUSTOM_ID_AND_URL", "Only a link has an address.")


def _emoji(form: Form, path: Path, part: Json) -> None:
    emoji = part.get("emoji")
    if emoji is None or not form.an_object((*path, "emoji"), emoji):
        return
    form.known((*path, "emoji"), emoji, ("id", "name", "animated"))
    if not emoji.get("id") and (emoji.get("name") or "a").isascii():
        form.wrong((*path, "emoji", "name"), "COMPONENT_INVALID_EMOJI", "Invalid emoji")


def check_select(form: Form, path: Path, menu: Json) -> None:
    """Note what is wrong with a menu."""
    form.known(path, menu, _SELECT_FIELDS)
    form.text((*path, "custom_id"), menu.get("custom_id"), 1, CUSTOM_ID)
    form.text((*path, "placeholder"), menu.get("placeholder"), 0, PLACEHOLDER)
    least = form.number((*path, "min_values"), menu.get("min_values"), 0, OPTIONS, 1)
    most = form.number((*path, "max_values"), menu.get("max_values"), 1, OPTIONS, 1)
    if least > most:
        form.wrong((*path, "min_values"), "SELECT_COMPONENT_MIN_OVER_MAX", "min_values exceeds max_values.")
    if menu["type"] != STRING_SELECT:
        return
    options = form.a_list((*path, "options"), menu.get("options"), 1, OPTIONS)
    if most > len(options) > 0:
        form.wrong(
            (*path, "max_values"), "SELECT_COMPONENT_MAX_VALUES_EXCEEDED", "max_values exceeds the number of options."
        )
    _options(form, (*path, "options"), options, most)


def _options(form: Form, path: Path, options: list[Any], most: int) -> None:
    values: set[str] = set()
    for index, option in enumerate(options):
        where = (*path, index)
        if not form.an_object(where, option):
            continue
        form.known(where, option, ("label", "value", "description", "emoji", "default"))
        _emoji(form, where, option)
        form.text((*where, "label"), option.get("label"), 1, 100)
        value = form.text((*where, "value"), option.get("value"), 1, 100)
        form.text((*where, "description"), option.get("description"), 0, 100)
        if value in values:
            form.wrong(
                (*where, "value"), "SELECT_COMPONENT_OPTION_VALUE_DUPLICATED", "The specified option value is used"
            )
        values.add(value)
    if sum(bool(o.get("default")) for o in options if isinstance(o, dict)) > most:
        form.wrong(path, "SELECT_COMPONENT_TOO_MANY_DEFAULT_VALUES", "There are more defaults than max_values.")


def _section(form: Form, path: Path, section: Json, names: Collection[str]) -> None:
    form.known(path, section, (*_BASE, "components", "accessory"))
    for index, child in enumerate(form.a_list((*path, "components"), section.get("components"), 1, 3)):
        if form.choice((*path, "components", index, "type"), child.get("type"), (TEXT_DISPLAY,)):
            _text_display(form, (*path, "components", index), child, names)
    accessory = section.get("accessory") or {}
    if form.choice((*path, "accessory", "type"), accessory.get("type"), (BUTTON, THUMBNAIL)):
        if accessory["type"] == BUTTON:
            check_button(form, (*path, "accessory"), accessory)
        else:
            _thumbnail(form, (*path, "accessory"), accessory, names)


def _text_display(form: Form, path: Path, display: Json, names: Collection[str]) -> None:
    form.known(path, display, (*_BASE, "content"))
    # The sum over the message has its own error, so one text may be longer here.
    form.text((*path, "content"), display.get("content"), 1, 1 << 20)


def _thumbnail(form: Form, path: Path, picture: Json, names: Collection[str]) -> None:
    form.known(path, picture, (*_BASE, "media", "description", "spoiler"))
    form.text((*path, "description"), picture.get("description"), 0, 1024)
    check_url(form, (*path, "media", "url"), (picture.get("media") or {}).get("url"), names)


def _gallery(form: Form, path: Path, gallery: Json, names: Collection[str]) -> None:
    form.known(path, gallery, (*_BASE, "items"))
    for index, item in enumerate(form.a_list((*path, "items"), gallery.get("items"), 1, 10)):
        where = (*path, "items", index)
        form.known(where, item, ("media", "description", "spoiler"))
        form.text((*where, "description"), item.get("description"), 0, 1024)
        check_url(form, (*where, "media", "url"), (item.get("media") or {}).get("url"), names)


def _file(form: Form, path: Path, file: Json, names: Collection[str]) -> None:
    form.known(path, file, (*_BASE, "file", "spoiler"))
    url = (file.get("file") or {}).get("url")
    check_url(form, (*path, "file", "url"), url, names)
    if not str(url).startswith("attachment://"):
        form.wrong((*path, "file", "url"), "FILE_COMPONENT_ATTACHMENT_ONLY", "Only attachment://… may stand here.")


def _separator(form: Form, path: Path, separator: Json, names: Collection[str]) -> None:
    form.known(path, separator, (*_BASE, "divider", "spacing"))
    form.choice((*path, "spacing"), separator.get("spacing", 1), (1, 2))


def _container(form: Form, path: Path, container: Json, names: Collection[str]) -> None:
    form.known(path, container, (*_BASE, "components", "accent_color", "spoiler"))
    form.number((*path, "accent_color"), container.get("accent_color"), 0, 0xFFFFFF, 0)
    for index, child in enumerate(form.a_list((*path, "components"), container.get("components"), 1, TOTAL)):
        where = (*path, "components", index)
        if form.choice((*where, "type"), child.get("type"), _IN_CONTAINER):
            _check_one(form, where, child, names)


def check_url(form: Form, path: Path, url: Any, names: Collection[str]) -> None:
    """Note an address that shows nothing: not on the web, or a file that was not sent along."""
    text = form.text(path, url, 1, 2048)
    scheme, _, rest = text.partition("://")
    if text and scheme not in ("http", "https", "attachment"):
        form.wrong(path, "URL_TYPE_INVALID_SCHEME", f'Scheme "{scheme}" is not supported.')
    elif scheme == "attachment" and rest not in names:
        form.wrong(path, "ATTACHMENT_NOT_FOUND", f"There is no file {rest!r} in this message.")
