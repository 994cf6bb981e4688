"""How any number of choices is put on five rows of buttons: all at once, else by group, else page by page. Pure.

What is shown is named by a text that fits into a custom id: '' is the first page, '_2' the second, and any other name
a group that has a page of its own.
"""

from collections.abc import Iterable, Sequence

from msgspec import Struct

from engine import Option


class Shelf(Struct, frozen=True):
    """Options of one group, behind one button."""

    name: str
    """The group; its second part, where one page does not hold it, has a '_2' behind it."""
    options: tuple[Option, ...]

    @property
    def group(self) -> str:
        """The group as the game calls it."""
        return self.name.partition("_")[0]

    @property
    def is_part(self) -> bool:
        """Whether there is more of the group on other shelves."""
        return "_" in self.name


Item = Option | Shelf


class Page(Struct, frozen=True):
    """What is shown at once."""

    items: tuple[Item, ...]
    shelf: str = ""
    """The group that it is the page of."""
    next: str = ""
    """The page after it, if there are several: after the last comes the first again."""
    number: int = 1
    pages: int = 1

    @property
    def options(self) -> tuple[Option, ...]:
        """All that can be reached from here by one press or two."""
        return tuple(option for item in self.items for option in (item.options if isinstance(item, Shelf) else (item,)))


def page(options: Sequence[Option], room: int, named: str = "") -> Page:
    """The page of that name, or the first if there is none; no page has more than `room` buttons on it."""
    if len(options) <= room:
        return Page(tuple(options))
    # The page of a group needs a button that leads back.
    shelves = _shelves(options, room - 1)
    found = next((shelf for shelf in shelves if shelf.name == named), None)
    if found is not None:
        return Page(found.options, found.name)
    items = _unfolded(shelves, room)
    if len(items) <= room:
        return Page(tuple(items))
    size = room - 1
    pages = -(-len(items) // size)
    wanted = named.removeprefix("_")
    number = int(wanted) if wanted.isdecimal() and 1 <= int(wanted) <= pages else 1
    after = f"_{number + 1}" if number < pages else "_1"
    return Page(tuple(items[(number - 1) * size : number * size]), "", after, number, pages)


def _shelves(options: Iterable[Option], size: int) -> list[Shelf]:
    """Options by group, a group that is too large cut into parts of much the same size."""
    groups: dict[str, list[Option]] = {}
    for option in options:
        groups.setdefault(option.group or "other", []).append(option)
    shelves = []
    for name, members in groups.items():
        parts = -(-len(members) // size)
        for part in range(parts):
            cut = members[part * len(members) // parts : (part + 1) * len(members) // parts]
            shelves.append(Shelf(name if parts == 1 else f"{name}_{part + 1}", tuple(cut)))
    return shelves


def _unfolded(shelves: list[Shelf], room: int) -> list[Item]:
    """The shelves in their order, the small ones laid open as far as there is room, which saves a press.

    All of a size are laid open or none, and no part without the others, so that nobody wonders why one of them is.
    """
    most = 1
    for size in sorted({len(shelf.options) for shelf in shelves if not shelf.is_part}):
        if len(_laid_open(shelves, size)) <= room:
            most = size
    return _laid_open(shelves, most)


def _laid_open(shelves: list[Shelf], most: int) -> list[Item]:
    items: list[Item] = []
    for shelf in shelves:
        items += (shelf,) if shelf.is_part or len(shelf.options) > most else shelf.options
    return items
