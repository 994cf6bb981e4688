"""The ways to make a move: by panel, by text, and with undo."""

from collections.abc import Awaitable, Callable

from bot.features.play.panel import CONFIRM, PAGE, PICK
from bot.local import Person, Response
from tests.e2e.harness import Table


async def pick(person: Person, panel: Response, key: str) -> Response:
    """Choose an option of the panel, on whichever page it is."""
    seen = {""}
    while not (found := option_id(panel, key)):
        pages = [
            b["custom_id"] for b in panel.message.buttons if b["custom_id"].startswith(f"{PAGE}:")
        ]
        unseen = [page for page in pages if page not in seen]
        # Where a group has nothing new, its Back leads to the others.
        assert unseen or pages, f"{key} is not offered: {panel.message.labels}"
        seen.update(unseen[:1])
        panel = await person.click(panel, custom_id=(unseen or pages)[0])
    return await person.click(panel, custom_id=found)


def option_id(panel: Response, key: str) -> str:
    """Return the custom id of an option's button; '' if it is on another page."""
    ids = [b["custom_id"] for b in panel.message.buttons if b["custom_id"].startswith(f"{PICK}:")]
    return next((custom_id for custom_id in ids if custom_id.endswith(f":{key}")), "")


async def confirm(person: Person, panel: Response) -> Response:
    """Press Confirm, whatever its label says."""
    (control,) = [
        b["custom_id"] for b in panel.message.buttons if b["custom_id"].startswith(f"{CONFIRM}:")
    ]
    return await person.click(panel, custom_id=control)


async def play_at_once(table: Table, person: Person, key: str) -> Response:
    """Type the whole turn."""
    return await table.play(person, f"{key.upper()}!")


async def play_in_two_texts(table: Table, person: Person, key: str) -> Response:
    """Type the turn without the `!`, then the `!` alone."""
    drafted = await table.play(person, key)
    assert "Your turn so far (only you see this)" in drafted.content
    return await table.play(person, "!")


async def play_by_panel(table: Table, person: Person, key: str) -> Response:
    """Use Your move, the menus and Confirm."""
    panel = await pick(person, await table.open_panel(person), key)
    return await confirm(person, panel)


async def play_with_undo(table: Table, person: Person, key: str) -> Response:
    """Choose another option first, and take it back with Undo."""
    panel = await table.open_panel(person)
    (decision,) = table.match.asked()
    other = next((option.key for option in decision.options if option.key != key), key)
    panel = await pick(person, panel, other)
    assert table.match.draft(decision.seat).answers[0].keys == (other,)
    panel = await person.click(panel, "Undo")
    assert table.match.draft(decision.seat).answers == ()
    return await confirm(person, await pick(person, panel, key))


async def play_after_undo_command(table: Table, person: Person, key: str) -> Response:
    """Draft by text, take it back with /undo, and play from the panel that /play opens."""
    await table.play(person, key)
    undone = await person.slash("/undo", channel=table.place, match=table.id)
    assert "Your turn so far" not in undone.content
    opened = await person.slash("/play", channel=table.place, match=table.id)
    return await confirm(person, await pick(person, opened, key))


async def play_by_completion(table: Table, person: Person, key: str) -> Response:
    """Type the text that autocompletion offers."""
    offered = await person.autocomplete("/play", channel=table.place, match=table.id, move=key)
    assert f"{key}!" in offered.values and len(offered.values) <= 25
    return await table.play(person, f"{key}!")


Way = Callable[[Table, Person, str], Awaitable[Response]]
WAYS: tuple[Way, ...] = (
    play_at_once,
    play_by_panel,
    play_with_undo,
    play_in_two_texts,
    play_after_undo_command,
    play_by_completion,
)
