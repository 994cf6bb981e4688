"""Three people play Polynesia from /game new to the eruption, by text and by panel, and a fourth
watches.
"""

from collections.abc import Awaitable, Callable
from random import Random

from bot.local import Person, Response
from bot.model import Status
from engine import Answer, Match, Seat
from tests.e2e.harness import Stage, Table
from tests.e2e.standing import check_standing
from tests.e2e.test_whole_game import check_transcript, pings, shown_to
from tests.e2e.ways import confirm, pick
from tests.transcripts.polynesia.aims import far_islands

CARDS = {"tide1": "1.1", "tide2": "2.2", "tide3": "3.1"}


async def test_three_people_play_until_the_volcano_erupts(stage: Stage) -> None:
    dov = stage.discord.user("Dov")
    typed = " ".join(f"{key}={card}" for key, card in CARDS.items())
    opened = await stage.ana.slash("/game new", game="polynesia", settings=typed)
    assert opened.embeds[0]["title"] == "Polynesia"
    for person in (stage.bea, stage.cem):
        await person.click(opened, "Join")
    await stage.ana.click(opened, "Start")
    (match,) = stage.matches()
    table = Table(stage, match, [stage.ana, stage.bea, stage.cem])
    await table.caught_up()
    assert table.match.base.tides == tuple(CARDS.values())
    assert "Tide card 1.1" in (await dov.click(table.board, "Log")).content

    rng, turns = Random("polynesia"), 0
    while table.match.outcome is None:
        check_board(table)
        way = WAYS[turns % len(WAYS)] if turns % 12 < 6 else at_once
        await one_turn(table, dov, whole_turn(table.match, rng), way)
        turns += 1
    await check_end(table)
    await check_standing(table)
    assert len(pings(table)) == len(table.posts) - 1 + len(table.people), (
        "a call a turn, and all at the end"
    )
    for sight in dov.saw():
        assert sight.only_for in (None, dov.user) and "seen by you alone" not in sight.text


def whole_turn(match: Match, rng: Random) -> list[str]:
    """Picks that make a turn of the seat in turn; what the match answers by itself is left out."""
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
    """The newest board: picture, words, buttons on it alone, one ping for whoever must act."""
    board, mover = table.board, table.to_move
    assert table.with_buttons() == [board] and board.pings == [mover.user]
    assert (
        len(board.content.splitlines()) <= 3 and "If the volcano erupted now:" not in board.content
    )
    (picture, *_) = board.attachments
    assert picture.description and len(picture.description) <= 1024


async def one_turn(table: Table, spectator: Person, picks: list[str], way: "Way") -> None:
    """A turn made in this way; until it is confirmed nobody else sees anything of it."""
    number, mover, before = table.match.number, table.to_move, len(table.posts)
    with shown_to(spectator, table) as shown:
        answer = await way(table, mover, picks)
    assert answer.content.startswith("Done.") and answer.ephemeral and not answer.expired
    assert number not in shown
    await table.caught_up()
    assert table.match.number == number + 1
    passed = table.match.outcome is not None or table.to_move is not mover
    assert len(table.posts) == before + passed


async def at_once(table: Table, person: Person, picks: list[str]) -> Response:
    """The whole turn typed."""
    return await table.play(person, ",".join(picks) + "!")


async def by_panel(table: Table, person: Person, picks: list[str]) -> Response:
    """Your move, a click a step, Confirm."""
    panel = await table.panel(person)
    for key in picks:
        panel = await pick(person, panel, key)
    return await confirm(person, panel)


async def undone_step_by_step(table: Table, person: Person, picks: list[str]) -> Response:
    """Typed as a draft, taken back a step at a time, typed again."""
    (seat,) = table.match.waiting_for()
    await table.play(person, ",".join(picks))
    for left in reversed(range(len(picks))):
        await person.slash("/undo", channel=table.place, match=table.id)
        assert len(own_picks(table, seat)) == left
    return await table.play(person, ",".join(picks) + "!")


async def half_typed_half_clicked(table: Table, person: Person, picks: list[str]) -> Response:
    """The action typed, its steps clicked."""
    await table.play(person, picks[0])
    panel = await table.panel(person)
    for key in picks[1:]:
        panel = await pick(person, panel, key)
    return await confirm(person, panel)


def own_picks(table: Table, seat: Seat) -> list[Answer]:
    """What the seat has drafted itself."""
    return [answer for answer in table.match.draft(seat).answers if not answer.forced]


async def check_end(table: Table) -> None:
    """The last post: places, a call to all, and behind a button a transcript that replays."""
    last, match, room = table.board, table.match, table.room
    assert room.record.status is Status.FINISHED and match.outcome is not None
    assert "the volcano has erupted" in last.content and last.pings == [
        person.user for person in table.people
    ]
    for person in room.record.chairs:
        assert person.name in last.content
    proof = await table.people[0].click(last, "Fairness")
    check_transcript(
        table, proof.files[f"polynesia-{table.id}-transcript.txt"].decode(), match.seed
    )


Way = Callable[[Table, Person, list[str]], Awaitable[Response]]
WAYS: tuple[Way, ...] = (
    at_once,
    by_panel,
    at_once,
    undone_step_by_step,
    at_once,
    half_typed_half_clicked,
)
