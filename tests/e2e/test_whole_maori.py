"""Two people play a whole Maori match by the advanced rules, with turns of several steps."""

from collections.abc import Awaitable, Callable

from bot.local import Person, Response
from bot.model import Status
from engine import Answer
from engine.core.transcript import replay
from engine.core.words import points
from engine.maori.view import MaoriView
from tests.e2e.harness import Stage, Table, match_of
from tests.e2e.standing import check_standing
from tests.e2e.ways import confirm, pick
from tests.engine.maori.settler import choice

Way = Callable[[Table, Person, list[str]], Awaitable[Response]]


async def at_once(table: Table, person: Person, keys: list[str]) -> Response:
    """Type the whole turn."""
    return await table.play(person, f"{','.join(keys).upper()}!")


async def by_panel(table: Table, person: Person, keys: list[str]) -> Response:
    """Use Your move, a button per step, and Confirm."""
    panel = await table.open_panel(person)
    for key in keys:
        panel = await pick(person, panel, key)
    return await confirm(person, panel)


async def with_second_thoughts(table: Table, person: Person, keys: list[str]) -> Response:
    """Take back each step once, and all of them at the end, then play the turn."""
    (seat,) = table.match.waiting_for()
    panel = await table.open_panel(person)
    for key in keys:
        before = table.match.draft(seat).answers
        panel = await pick(person, panel, key)
        panel = await person.click(panel, "Undo")
        assert table.match.draft(seat).answers == before
        panel = await pick(person, panel, key)
    while table.match.draft(seat).answers:
        panel = await person.click(panel, "Undo")
    return await at_once(table, person, keys)


async def half_typed(table: Table, person: Person, keys: list[str]) -> Response:
    """Type the beginning of the turn, and choose the rest in the panel."""
    first = await table.play(person, keys[0])
    assert "Your turn so far (only you see this)" in first.content
    panel = await table.open_panel(person)
    for key in keys[1:]:
        panel = await pick(person, panel, key)
    return await confirm(person, panel)


async def by_completion(table: Table, person: Person, keys: list[str]) -> Response:
    """Type the turn key by key as autocompletion offers it."""
    text = ""
    for key in keys:
        text = f"{text},{key}" if text else key
        offered = await person.autocomplete("/play", channel=table.place, match=table.id, move=text)
        # What is offered has the answers in it that go without saying.
        wanted = text.split(",")
        assert any(_holds(value.rstrip("!").split(","), wanted) for value in offered.values), (
            text,
            offered.values,
        )
        assert len(offered.values) <= 25
    return await table.play(person, f"{text}!")


def _holds(keys: list[str], wanted: list[str]) -> bool:
    """Return whether the wanted keys occur in this order."""
    rest = iter(keys)
    return all(key in rest for key in wanted)


WAYS: tuple[Way, ...] = (at_once, by_panel, with_second_thoughts, half_typed, by_completion)


def planned(table: Table) -> list[str]:
    """Return the keys of the seat's next turn without forced answers."""
    match = table.match
    (seat,) = match.waiting_for()
    keys = []
    while not match.is_complete(seat):
        decision = match.question(seat)
        keys.append(choice(match, decision))
        match = match.pick(Answer(seat, decision.kind, (keys[-1],)))
    return keys


async def test_two_people_play_a_whole_game_of_maori(stage: Stage) -> None:
    opened = await stage.ana.slash("/game new", game="maori", settings="rules=advanced")
    assert opened.embeds[0]["title"] == "Maori"
    await stage.bea.click(opened, "Join")
    await stage.ana.click(opened, "Start")
    table = Table(stage, match_of(opened.message), [stage.ana, stage.bea])
    await table.wait_until_posted()

    turns = 0
    while table.match.outcome is None:
        check_board(table)
        await one_turn(table, WAYS[turns % len(WAYS)] if turns % 15 < 5 else at_once)
        turns += 1

    assert turns > 30
    await check_end(table)
    await check_standing(table)


def check_board(table: Table) -> None:
    """Check the newest post: a picture, whose turn it is, and little text."""
    board, mover = table.board, table.to_move
    assert board.labels[0] == "Your move"
    assert {"My view", "Log", "Rules"} <= set(board.labels)
    assert board.pings == [mover.user]
    assert mover.name in board.content and len(board.content.splitlines()) <= 3
    assert board.attachments[0].description


async def one_turn(table: Table, way: Way) -> None:
    """Play a whole turn in this way; nobody else sees a step before it is confirmed."""
    number = table.match.number
    mover = table.to_move
    keys = planned(table)
    public = table.match.view(None)
    posts = len(table.posts)
    answer = await way(table, mover, keys)
    assert answer.content.startswith("Done.") and answer.ephemeral
    await table.wait_until_posted()
    after = table.match
    assert after.number == number + 1
    assert len(table.posts) == posts + 1
    assert after.view(None) != public
    text = (await mover.click(table.board, "Log")).content
    if number and after.outcome is None:
        assert f"to {keys[0]}" in text
        assert all(
            key.upper() in text
            for key in keys
            if key not in ("store", "stored", "remove", "nothing", "stay")
        )
        check_refill(after.view(None), text)


def check_refill(view: object, said: str) -> None:
    """Check that the log names a tile that was turned up."""
    assert isinstance(view, MaoriView) and view.turn is not None
    if view.turn.cell and view.supply:
        assert f"New on {view.turn.cell.upper()}:" in said


async def check_end(table: Table) -> None:
    """Check the places, the points, and that the transcript replays to the same match."""
    match, last = table.match, table.board
    last_calls = [user.id for user in last.pings]
    assert match.outcome is not None and table.room.record.status is Status.FINISHED
    for seat, person in enumerate(table.room.record.chairs):
        assert person.id in last_calls and points(match.outcome.scores[seat]) in last.content
    proof = await table.people[0].click(last, "Fairness")
    again = replay(proof.files[f"maori-{table.id}-transcript.txt"].decode())
    assert again.base == match.base and again.outcome == match.outcome
