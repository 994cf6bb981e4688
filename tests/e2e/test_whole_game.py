"""Two people play Blue Lagoon from /game new to the last point, and a third watches."""

import hashlib
import io
import re
from collections.abc import Iterator
from contextlib import contextmanager

from PIL import Image

from bot.local import Person
from bot.local.model import Message
from bot.matches.room import Status
from engine.core.transcript import replay
from tests.e2e.harness import Stage, Table
from tests.e2e.hunter import hunted
from tests.e2e.ways import WAYS, Way

SEALED = re.compile(r"SHA-256 of this match's id and seed is `([0-9a-f]{64})`")
SEED = re.compile(r"Seed `([0-9a-f]+)`, sealed at the start as `([0-9a-f]{64})`")


async def test_two_people_play_a_whole_game_and_a_third_watches(stage: Stage) -> None:
    opened = await stage.lobby()
    assert not opened.ephemeral and opened.embeds[0]["title"] == "Blue Lagoon"
    assert opened.message.labels == ["Join", "Leave", "Add computer", "Start", "Cancel"]
    await stage.bea.click(opened, "Join")
    assert "Ana" in opened.message.text and "Bea" in opened.message.text
    await stage.ana.click(opened, "Start")
    assert opened.message.buttons == []
    (match,) = stage.matches()
    table = Table(stage, match, [stage.ana, stage.bea])
    await table.caught_up()
    sealed = SEALED.search(table.board.content)
    assert sealed is not None and table.place.parent == opened.message.channel.id  # type: ignore[attr-defined]

    turns = 0
    while table.match.outcome is None:
        check_board(table, stage.cem)
        await one_turn(table, stage.cem, WAYS[turns % len(WAYS)] if turns % 12 < 6 else WAYS[0])
        turns += 1

    check_pings(table)
    check_end(table, sealed[1])
    await check_afterwards(table, stage)
    check_spectator(table, stage.cem)


def check_board(table: Table, spectator: Person) -> None:
    """The newest board: a picture with words, buttons on it alone, and one ping for whoever must act."""
    board, mover = table.board, table.to_move
    assert table.with_buttons() == [board]
    assert board.labels == ["Your move", "My view", "Log", "Rules"]
    assert board.pings == [mover.user] and board.content.count(mover.mention) == 1
    assert mover.name in board.content and re.search(r"\d+ resources? left", board.content)
    picture, *sheet = board.attachments
    assert [file.filename for file in sheet] == ["scores.png"] * ("Points of the" in board.content)
    assert picture.description and len(picture.description) <= 1024
    assert max(Image.open(io.BytesIO(picture.data)).size) <= 1600
    assert board in spectator.messages()


async def one_turn(table: Table, spectator: Person, way: Way) -> None:
    """One placement, made in this way; until it is confirmed nobody else sees anything of it."""
    number, mover, before = table.match.number, table.to_move, len(table.posts)
    key = hunted(table.match, table.match.waiting_for()[0])
    with shown_to(spectator, table) as shown:
        answer = await way(table, mover, key)
    assert answer.content.startswith("Done.") and answer.ephemeral and not answer.expired
    assert number not in shown
    await table.caught_up()
    assert table.match.number == number + 1
    over = table.match.outcome is not None
    passed = over or table.to_move is not mover
    assert len(table.posts) == before + passed, f"{len(table.posts) - before} posts for a turn"
    if passed and not over:
        assert key.upper().removesuffix("V") in table.board.content


@contextmanager
def shown_to(spectator: Person, table: Table) -> Iterator[list[int]]:
    """How many commits there were at each moment when the spectator saw something new."""
    shown: list[int] = []
    sights = table.discord.sights

    def look(kind: str, subject: object) -> None:
        if isinstance(subject, Message) and table.discord.sees(spectator.user, sights[-1]):
            shown.append(table.match.number)

    table.discord.state.listeners.append(look)
    yield shown
    table.discord.state.listeners.remove(look)


def check_pings(table: Table) -> None:
    """Over the whole game: a ping a turn, for nobody but the one who had to act."""
    boards = table.posts[:-1]
    calls = [(post.id, person.name) for person in table.people for post in boards if person.mention in post.content]
    assert sorted(calls) == sorted(pings(table)) and len({post for post, _ in calls}) == len(boards)
    assert min(len([name for _, name in calls if name == person.name]) for person in table.people) > 30


def pings(table: Table) -> list[tuple[int, str]]:
    """Every notification that ever went out: the message and whom it called. An edit notifies nobody."""
    made = [sight.data for sight in table.discord.sights if sight.kind == "message_create"]
    return [(int(data["id"]), user["global_name"]) for data in made for user in data["mentions"]]


def check_end(table: Table, sealed: str) -> None:
    """The last post: ranking, score sheet, and a seed that proves the dice."""
    last, match, room = table.board, table.match, table.room
    assert room.info.status is Status.FINISHED and match.outcome is not None
    assert last.pings == [] and "Your move" not in last.labels and table.with_buttons() == [last]
    assert last.files.keys() == {"board.png", "scores.png", f"blue_lagoon-{table.id}.txt"}
    names = [person.name for person in room.info.chairs]
    for place, seats in enumerate(match.outcome.ranking, 1):
        for seat in seats:
            line = rf"^{place}\. .*\*\*{names[seat]}\*\*.*: {match.outcome.scores[seat]:g} points?\b"
            assert re.search(line, last.content, re.M)
    seed = SEED.search(last.content)
    assert seed is not None and seed[2] == sealed
    assert hashlib.sha256(f"{table.id}:{seed[1]}".encode()).hexdigest() == sealed
    check_transcript(table, last.files[f"blue_lagoon-{table.id}.txt"].decode(), seed[1])


def check_transcript(table: Table, text: str, seed: str) -> None:
    """Played again, the transcript gives the same match."""
    again, match = replay(text), table.match
    assert again.seed == seed and again.base == match.base
    assert again.outcome == match.outcome and again.number == match.number


async def check_afterwards(table: Table, stage: Stage) -> None:
    """What can be asked of a match that is over."""
    for button in ("My view", "Log", "Rules"):
        assert (await stage.cem.click(table.board, button)).ephemeral
    logged = await stage.bea.click(table.board, "Log")
    (name,) = logged.files
    assert replay(logged.files[name].decode()).outcome == table.match.outcome
    late = await table.play(stage.ana, "1!")
    assert "The match is over" in late.content and late.ephemeral
    assert "in no match" in (await stage.ana.slash("/games")).content


def check_spectator(table: Table, spectator: Person) -> None:
    """All traffic that the spectator could see: the public posts, and nothing that was meant for one person."""
    state = table.discord.state
    for sight in spectator.saw():
        assert sight.only_for in (None, spectator.user)
        assert "seen by you alone" not in sight.text and "Where do you place" not in sight.text
    private_ones = [s for s in table.discord.sights if s.only_for not in (None, spectator.user)]
    assert len(private_ones) > 150
    public_pictures = {a.data for post in table.posts for a in post.attachments}
    seen_pictures = {data for sight in spectator.saw() for data in sight.files.values()}
    ringed = {data for sight in private_ones for data in sight.files.values()} - public_pictures
    assert len(ringed) > 30 and not seen_pictures & ringed
    assert {post.id for post in table.posts} <= {m.id for m in spectator.messages()}
    assert all(isinstance(post, Message) and post.author is state.bot for post in table.posts)
