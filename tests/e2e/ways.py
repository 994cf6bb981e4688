"""The ways in which a person can make a move: by panel, by text, with and without second
thoughts.
"""

from collections.abc import Awaitable, Callable

from bot.local import Person, Response
from tests.e2e.harness import Table


async def pick(person: Person, panel: Response, key: str) -> Response:
    """Choose an option of the panel, on whichever of its pages it stands."""
    seen = {""}
    while not (found := choice(panel, key)):
        pages = [b["custom_id"] for b in panel.message.buttons if b["custom_id"].startswith("m:")]
        unseen = [page for page in pages if page not in seen]
        # Where a group has nothing new, its Back leads to the others.
        assert unseen or pages, f"{key} is not offered: {panel.message.labels}"
        seen.update(unseen[:1])
        panel = await person.click(panel, custom_id=(unseen or pages)[0])
    return await person.click(panel, custom_id=found)


def choice(panel: Response, key: str) -> str:
    """The id of the button of that option; '' if this page does not have it."""
    ids = [b["custom_id"] for b in panel.message.buttons if b["custom_id"].startswith("p:")]
    return next((custom_id for custom_id in ids if custom_id.endswith(f":{key}")), "")


async def confirm(person: Person, panel: Response) -> Response:
    """Press Confirm, whatever it says will follow."""
    (control,) = [b["custom_id"] for b in panel.message.buttons if b["custom_id"].startswith("c:")]
    return await person.click(panel, custom_id=control)


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
WAYS: tuple[Way, ...] = (
    at_once,
    by_panel,
    with_second_thoughts,
    in_two_texts,
    undone_by_command,
    by_completion,
)
