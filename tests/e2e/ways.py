"""The ways in which a person can make a move: by panel, by text, with and without second thoughts."""

from collections.abc import Awaitable, Callable

from bot.local import Person, Response
from tests.e2e.harness import Table


async def pick(person: Person, panel: Response, key: str) -> Response:
    """Choose an option of the panel, through the menu of groups where there is one."""
    post = panel.message
    for menu in post.selects:
        sort = menu["custom_id"][0]
        if sort == "g" and key in [option["value"] for option in menu["options"]]:
            return await person.choose(panel, menu["custom_id"], key)
        if sort == "m":
            named = [o["value"] for o in menu["options"] if key.upper() in o.get("description", "").split()]
            assert named, f"{key} is in no group of {menu['options']}"
            return await pick(person, await person.choose(panel, menu["custom_id"], named[0]), key)
    return await person.click(panel, custom_id=next(b["custom_id"] for b in post.buttons if _stands_for(b, key)))


def _stands_for(button: dict[str, str], key: str) -> bool:
    return button["custom_id"].startswith("p:") and button["custom_id"].endswith(f":{key}")


async def confirm(person: Person, panel: Response) -> Response:
    """Press Confirm, whatever it says will follow."""
    label = next(label for label in panel.message.labels if label.startswith(("Confirm", "Stop and confirm")))
    return await person.click(panel, label)


async def at_once(table: Table, person: Person, key: str) -> Response:
    """The whole turn typed."""
    return await table.play(person, f"{key.upper()}!")


async def in_two_texts(table: Table, person: Person, key: str) -> Response:
    """Typed without the `!`, which follows alone."""
    drafted = await table.play(person, key)
    assert "So far, seen by you alone" in drafted.content
    return await table.play(person, "!")


async def by_panel(table: Table, person: Person, key: str) -> Response:
    """Your move, the menus, Confirm."""
    panel = await pick(person, await table.panel(person), key)
    return await confirm(person, panel)


async def with_second_thoughts(table: Table, person: Person, key: str) -> Response:
    """Another choice first, taken back with Undo."""
    panel = await table.panel(person)
    (decision,) = table.match.asked()
    other = next((option.key for option in decision.options if option.key != key), key)
    panel = await pick(person, panel, other)
    assert table.match.draft(decision.seat).answers[0].keys == (other,)
    panel = await person.click(panel, "Undo")
    assert table.match.draft(decision.seat).answers == ()
    return await confirm(person, await pick(person, panel, key))


async def undone_by_command(table: Table, person: Person, key: str) -> Response:
    """Drafted by text, taken back with /undo, played from the panel that /play opens."""
    await table.play(person, key)
    undone = await person.slash("/undo", channel=table.place, match=table.id)
    assert "So far" not in undone.content
    opened = await person.slash("/play", channel=table.place, match=table.id)
    return await confirm(person, await pick(person, opened, key))


async def by_completion(table: Table, person: Person, key: str) -> Response:
    """The text that the autocompletion offers for the beginning of the code."""
    offered = await person.autocomplete("/play", channel=table.place, match=table.id, move=key)
    assert f"{key}!" in offered.values and len(offered.values) <= 25
    return await table.play(person, f"{key}!")


Way = Callable[[Table, Person, str], Awaitable[Response]]
WAYS: tuple[Way, ...] = (at_once, by_panel, with_second_thoughts, in_two_texts, undone_by_command, by_completion)
