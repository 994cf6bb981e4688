"""Three people play rounds of Polynesia by text and by panel while a fourth watches."""

from collections.abc import Awaitable, Callable
from random import Random

from bot.local import Person, Response
from engine import Answer, Match, Seat
from tests.e2e.harness import Stage, Table
from tests.e2e.test_whole_game import pings, shown_to
from tests.e2e.ways import confirm, pick
from tests.transcripts.polynesia.aims import far_islands

CARDS = {"tide1": "1.1", "tide2": "2.2", "tide3": "3.1"}


async def test_three_people_play_rounds_of_polynesia_in_every_way(stage: Stage) -> None:
    dov = stage.discord.user("Dov")
    typed = " ".join(f"{key}={card}" for key, card in CARDS.items())
    opened = await stage.ana.slash("/game new", game="polynesia", settings=typed)
    assert opened.embeds[0]["title"] == "Polynesia"
    for person in (stage.bea, stage.cem):
        await person.click(opened, "Join")
    await stage.ana.click(opened, "Start")
    (match,) = stage.matches()
    table = Table(stage, match, [stage.ana, stage.bea, stage.cem])
    await table.wait_until_posted()
    assert table.match.base.tides == tuple(CARDS.values())
    assert "Tide card 1.1" in (await dov.click(table.board, "Log")).content

    rng = Random("polynesia")
    for way in ROUNDS * WAYS:
        check_board(table)
        await play_turn(table, dov, whole_turn(table.match, rng), way)
    assert len(pings(table)) == len(table.posts), "one mention per post"
    for sight in dov.visible_snapshots():
        assert sight.only_for in (None, dov.user) and "only you see this" not in sight.text


def whole_turn(match: Match, rng: Random) -> list[str]:
    """Return the picks of a whole turn, without forced answers."""
    (seat,) = match.waiting_for()
    picks = []
    while decision := match.question(seat):
        judge = far_islands(match)
        best = min(map(judge, decision.options))
        key = rng.choice([option.key for option in decision.options if judge(option) == best])
        match = match.pick(Answer(seat, decision.kind, (key,)))
        picks.append(key)
    return picks


def check_board(table: Table) -> None:
    """Check the newest board: picture, text, buttons, and one mention."""
    board, mover = table.board, table.to_move
    assert table.with_buttons() == [board] and board.pings == [mover.user]
    assert len(board.content.splitlines()) <= 3
    assert "If the volcano erupted now:" not in board.content
    (picture, *_) = board.attachments
    assert picture.description and len(picture.description) <= 1024


async def play_turn(table: Table, spectator: Person, picks: list[str], way: "Way") -> None:
    """Play a turn in this way; nobody else sees it before it is confirmed."""
    number = table.match.number
    mover = table.to_move
    before = len(table.posts)
    with shown_to(spectator, table) as shown:
        answer = await way(table, mover, picks)
    assert answer.content.startswith("Done.") and answer.ephemeral and not answer.expired
    assert number not in shown
    await table.wait_until_posted()
    assert table.match.number == number + 1
    passed = table.match.outcome is not None or table.to_move is not mover
    assert len(table.posts) == before + passed


async def play_at_once(table: Table, person: Person, picks: list[str]) -> Response:
    """Type the whole turn."""
    return await table.play(person, ",".join(picks) + "!")


async def play_by_panel(table: Table, person: Person, picks: list[str]) -> Response:
    """Use Your move, one click per step, and Confirm."""
    panel = await table.open_panel(person)
    for key in picks:
        panel = await pick(person, panel, key)
    return await confirm(person, panel)


async def play_after_undo(table: Table, person: Person, picks: list[str]) -> Response:
    """Draft by text, undo step by step, and type it again."""
    (seat,) = table.match.waiting_for()
    await table.play(person, ",".join(picks))
    for left in reversed(range(len(picks))):
        await person.slash("/undo", channel=table.place, match=table.id)
        assert len(own_picks(table, seat)) == left
    return await table.play(person, ",".join(picks) + "!")


async def play_half_typed(table: Table, person: Person, picks: list[str]) -> Response:
    """Type the action and click its steps."""
    await table.play(person, picks[0])
    panel = await table.open_panel(person)
    for key in picks[1:]:
        panel = await pick(person, panel, key)
    return await confirm(person, panel)


def own_picks(table: Table, seat: Seat) -> list[Answer]:
    """Return the answers that the seat has drafted itself."""
    return [answer for answer in table.match.draft(seat).answers if not answer.forced]


Way = Callable[[Table, Person, list[str]], Awaitable[Response]]
WAYS: tuple[Way, ...] = (play_at_once, play_by_panel, play_after_undo, play_half_typed)
ROUNDS = 3
"""Each of the three people plays in each way once."""
