"""Decide which options a panel shows at once: Discord allows five rows of five buttons.

Options that all fit are one page. Otherwise the options of a group go into a folder: a button
that opens a page of its own. Small folders are left open where there is space, and what is still
too much is shown page by page.

A page's name fits into a custom id: '' is the first page, '_2' the second, and anything else the
name of a folder.
"""

from collections.abc import Iterable, Sequence
from math import ceil

from msgspec import Struct

from engine import Option


class Folder(Struct, frozen=True):
    """Options of one group behind one button."""

    group: str
    options: tuple[Option, ...]
    part: int = 0
    """Numbers the folders of a group that is too large for one, from 1; otherwise 0."""

    @property
    def name(self) -> str:
        """The name of the folder's page."""
        return f"{self.group}_{self.part}" if self.part else self.group


class Page(Struct, frozen=True):
    """Options and folders that are shown at once."""

    items: tuple[Option | Folder, ...]
    folder: str = ""
    """The name of the folder that this is the inside of."""
    number: int = 1
    count: int = 1
    """How many pages there are; the last one leads to the first again."""

    @property
    def options(self) -> tuple[Option, ...]:
        """All options on the page, those in its folders too."""
        found: list[Option] = []
        for item in self.items:
            found += item.options if isinstance(item, Folder) else (item,)
        return tuple(found)


def find_page(options: Sequence[Option], buttons: int, name: str = "") -> Page:
    """Return the page of that name, or the first; it needs no more than that many buttons."""
    if len(options) <= buttons:
        return Page(tuple(options))
    # Every page but the first has a button that leads back or on.
    folders = _sort_into_folders(options, buttons - 1)
    for folder in folders:
        if folder.name == name:
            return Page(folder.options, name)
    items = _open_small_folders(folders, buttons)
    if len(items) <= buttons:
        return Page(tuple(items))
    return find_numbered_page(items, buttons - 1, name)


def find_numbered_page(items: Sequence[Option | Folder], size: int, name: str) -> Page:
    """Return the page of that name ('_2'), or the first, with at most `size` items."""
    count = max(1, ceil(len(items) / size))
    digits = name.removeprefix("_")
    number = int(digits) if digits.isdecimal() else 1
    if not 1 <= number <= count:
        number = 1
    first = (number - 1) * size
    return Page(tuple(items[first : first + size]), number=number, count=count)


def _sort_into_folders(options: Iterable[Option], size: int) -> list[Folder]:
    """Return a folder for each group, or several of much the same size for a large group."""
    groups: dict[str, list[Option]] = {}
    for option in options:
        groups.setdefault(option.group or "other", []).append(option)
    folders = []
    for group, members in groups.items():
        parts = ceil(len(members) / size)
        for part in range(parts):
            first = part * len(members) // parts
            end = (part + 1) * len(members) // parts
            number = part + 1 if parts > 1 else 0
            folders.append(Folder(group, tuple(members[first:end]), number))
    return folders


def _open_small_folders(folders: Sequence[Folder], buttons: int) -> list[Option | Folder]:
    """Replace the smallest folders by their options as long as all fits: that saves a press.

    Folders of one size are either all opened or all left closed, and parts of a large group stay
    closed, so that nobody wonders why only one of them is open.
    """
    sizes = {len(folder.options) for folder in folders if not folder.part}
    for most in (*sorted(sizes, reverse=True), 1):
        items: list[Option | Folder] = []
        for folder in folders:
            is_small = not folder.part and len(folder.options) <= most
            items += folder.options if is_small else (folder,)
        if len(items) <= buttons:
            break
    return items
