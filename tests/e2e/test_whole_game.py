"""Two people play Blue Lagoon from /game new to the last point, and a third watches."""

import hashlib
import io
import re
from collections.abc import Iterator
from contextlib import contextmanager

from PIL import Image

from bot.local import Person, Snapshot
from bot.local.model import Message
from bot.model import Status
from engine.core.transcript import replay
from tests.e2e.harness import Stage, Table
from tests.e2e.hunter import choose_placement
from tests.e2e.standing import check_standing
from tests.e2e.ways import WAYS, Way

SEALED = re.compile(r"^`([0-9a-f]{64})`$", re.M)
SEED = re.compile(r"The seed was `([0-9a-f]+)`")


async def test_two_people_play_a_whole_game_and_a_third_watches(stage: Stage) -> None:
    opened = await stage.open_lobby()
    assert not opened.ephemeral and opened.embeds[0]["title"] == "Blue Lagoon"
    assert opened.message.labels == [
        "Join",
        "Leave",
        "Add computer",
        "Start",
        "Cancel",
        "Settings",
        "Map",
        "Pace",
        "Play unrated",
    ]
    await stage.bea.click(opened, "Join")
    assert "Ana" in opened.message.text and "Bea" in opened.message.text
    await stage.ana.click(opened, "Start")
    assert opened.message.buttons == []
    (match,) = stage.matches()
    table = Table(stage, match, [stage.ana, stage.bea])
    await table.wait_until_posted()
    sealed = SEALED.search((await stage.cem.click(table.board, "Fairness")).content)
    assert sealed is not None and table.place.parent == opened.message.channel.id  # type: ignore[attr-defined]

    turns = 0
    while table.match.outcome is None:
        check_board(table, stage.cem)
        await one_turn(table, stage.cem, WAYS[turns % len(WAYS)] if turns % 12 < 6 else WAYS[0])
        turns += 1

    check_pings(table)
    await check_end(table, sealed[1])
    await check_afterwards(table, stage)
    await check_standing(table)
    check_spectator(table, stage.cem)


def check_board(table: Table, spectator: Person) -> None:
    """Check the newest board: a picture with alt text, the only buttons, and the right mention."""
    board, mover = table.board, table.to_move
    assert table.with_buttons() == [board]
    first = len(table.posts) == 1
    later, at_first = ["Catch me up"] * (not first), ["Fairness"] * first
    assert board.labels == ["Your move", *later, "My view", "Log", "Rules", *at_first]
    assert board.pings == [mover.user] and board.content.count(mover.mention) == 1
    assert mover.name in board.content and len(board.content.splitlines()) <= 3
    picture, *sheet = board.attachments
    assert [file.filename for file in sheet] == ["scores.png"] * (
        "laid out for the settlement" in board.content
    )
    assert picture.description and len(picture.description) <= 1024
    assert max(Image.open(io.BytesIO(picture.data)).size) <= 1600
    assert board in spectator.messages()


async def one_turn(table: Table, spectator: Person, way: Way) -> None:
    """Play a placement in this way; nobody else may see anything of it before it is confirmed."""
    number = table.match.number
    mover = table.to_move
    before = len(table.posts)
    key = choose_placement(table.match, table.match.waiting_for()[0])
    with shown_to(spectator, table) as shown:
        answer = await way(table, mover, key)
    assert answer.content.startswith("Done.") and answer.ephemeral and not answer.expired
    assert number not in shown
    await table.wait_until_posted()
    assert table.match.number == number + 1
    over = table.match.outcome is not None
    passed = over or table.to_move is not mover
    assert len(table.posts) == before + passed, f"{len(table.posts) - before} posts for a turn"
    if passed and not over:
        # The end of a phase tells so much that the move itself is behind Log.
        assert (
            key.upper().removesuffix("V") in table.board.content
            or "laid out for the settlement" in table.board.content
        )


@contextmanager
def shown_to(spectator: Person, table: Table) -> Iterator[list[int]]:
    """Record how many commits there were whenever the spectator saw something new."""
    shown: list[int] = []
    sights = table.discord.snapshots

    def look(kind: str, subject: object) -> None:
        if isinstance(subject, Message) and table.discord.sees(spectator.user, sights[-1]):
            shown.append(table.match.number)

    table.discord.state.listeners.append(look)
    yield shown
    table.discord.state.listeners.remove(look)


def check_pings(table: Table) -> None:
    """Check that each turn of the game pinged exactly the player who had to act."""
    boards = [post.id for post in table.posts[:-1]]
    ends = [(table.board.id, person.name) for person in table.people]
    calls = [(post, name) for post, name in pings(table) if (post, name) not in ends]
    assert sorted(post for post, _ in calls) == sorted(boards)
    assert set(ends) <= set(pings(table))
    assert (
        min(len([name for _, name in calls if name == person.name]) for person in table.people) > 30
    )
    # A turn that is over calls nobody any more.
    assert not [
        post
        for post in table.posts[:-1]
        for person in table.people
        if person.mention in post.content
    ]


def pings(table: Table) -> list[tuple[int, str]]:
    """Return every notification that was sent: the message and who was mentioned.

    An edit notifies nobody.
    """
    made = [sight.data for sight in table.discord.snapshots if sight.kind == "message_create"]
    return [(int(data["id"]), user["global_name"]) for data in made for user in data["mentions"]]


async def check_end(table: Table, sealed: str) -> None:
    """Check the last post: the winner, the score sheet, mentions of all players, and Fairness."""
    last, match, room = table.board, table.match, table.room
    assert room.record.status is Status.FINISHED and match.outcome is not None
    assert last.pings == [person.user for person in table.people]
    assert "Your move" not in last.labels
    assert table.with_buttons() == [last]
    assert last.files.keys() == {"board.png", "scores.png"}
    assert len(last.content.splitlines()) <= 4
    (winner,), (loser,) = match.outcome.ranking
    most, least = (f"{match.outcome.scores[seat]:g}" for seat in (winner, loser))
    assert (
        f"**{room.record.chairs[winner].name} wins Blue Lagoon, {most} to {least}" in last.content
    )
    proof = await table.people[0].click(last, "Fairness")
    seed = SEED.search(proof.content)
    assert proof.ephemeral and seed is not None and sealed in proof.content
    assert hashlib.sha256(f"{table.id}:{seed[1]}".encode()).hexdigest() == sealed
    check_transcript(table, proof.files[f"blue_lagoon-{table.id}-transcript.txt"].decode(), seed[1])


def check_transcript(table: Table, text: str, seed: str) -> None:
    """Check that replaying the transcript gives the same match."""
    again, match = replay(text), table.match
    assert again.seed == seed and again.base == match.base
    assert again.outcome == match.outcome and again.number == match.number


async def check_afterwards(table: Table, stage: Stage) -> None:
    """Check the commands for finished matches."""
    for button in ("My view", "Log", "Review"):
        assert (await stage.cem.click(table.board, button)).ephemeral
    logged = await stage.bea.click(table.board, "Log")
    (name,) = logged.files
    assert replay(logged.files[name].decode()).outcome == table.match.outcome
    late = await table.play(stage.ana, "1!")
    assert "The match is over" in late.content and late.ephemeral
    assert "not in a match" in (await stage.ana.slash("/games")).content


def pictures(sight: Snapshot) -> list[bytes]:
    """Return the attached pictures; at the end of a match there is a transcript as well."""
    return [data for name, data in sight.files.items() if name.endswith(".png")]


def check_spectator(table: Table, spectator: Person) -> None:
    """Check everything that the spectator saw: the public posts, and nothing private."""
    state = table.discord.state
    for sight in spectator.visible_snapshots():
        assert sight.only_for in (None, spectator.user)
        assert "only you see this" not in sight.text and "Where do you place" not in sight.text
    private_ones = [s for s in table.discord.snapshots if s.only_for not in (None, spectator.user)]
    assert len(private_ones) > 150
    public_pictures = {a.data for post in table.posts for a in post.attachments}
    seen_pictures = {data for sight in spectator.visible_snapshots() for data in pictures(sight)}
    ringed = {data for sight in private_ones for data in pictures(sight)} - public_pictures
    assert len(ringed) > 30 and not seen_pictures & ringed
    assert {post.id for post in table.posts} <= {m.id for m in spectator.messages()}
    assert all(isinstance(post, Message) and post.author is state.bot for post in table.posts)
