"""Check at the end that nothing was lost, doubled, stuck, or shown to the wrong person."""

import asyncio
import hashlib
import random
import time
from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from types import SimpleNamespace
from typing import Any

from bot.kernel import encoding, queries
from bot.kernel.kernel import Kernel
from bot.kernel.room import Post, Room
from bot.model import Announcement, Status
from bot.run.match_check import find_faults
from bot.store.base import Store
from bot.store.moving import match_versions
from bot.store.opening import open_store
from bot.ui import describe
from bot.ui.pictures import Pictures
from engine import GAMES
from tests.soak.fleet import Fleet
from tests.soak.ledger import (
    BROKEN,
    DONE,
    DROPPED,
    GIVE_UP,
    UNSHOWN,
    Ledger,
    Posted,
    claims_done,
    claims_saved,
    claims_undone,
    is_in_doubt,
)
from tests.soak.people import Crowd, Table

PATIENT = 120.0
"""Within how many seconds some pending work must be done, once nothing is killed any more."""
ANSWER = 3.0
PRESSED, DRAWN = 40, 25
"""How many boards to press and how many pictures to draw again at the end."""
SHOWN = 10
"""How many faults of a kind are listed."""


@dataclass
class Proof:
    """How much was checked, and what is wrong."""

    looked_at: dict[str, int] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)
    lenient: bool = False
    """Whether presses may go unanswered while no bot was killed, for a machine that is too busy."""
    posting: list[tuple[float, float]] = field(default_factory=list)
    """For each commit of a person: when it was pressed, and the seconds until its post."""

    def add(self, what: str, number: int, faults: list[str]) -> None:
        """Record how many things were checked, and their faults."""
        self.looked_at[what] = number
        self.faults += [f"{what}: {fault}" for fault in faults[:SHOWN]]
        if len(faults) > SHOWN:
            self.faults.append(f"{what}: and {len(faults) - SHOWN} more")


async def wait_until_settled(fleet: Fleet, proof: Proof) -> None:
    """Wait until no work is pending; work that makes no progress is a fault."""
    queries = {
        "announcements due": "SELECT match_id FROM announcements WHERE NOT is_posted",
        "calls wanted": (
            f"SELECT match_id FROM jobs WHERE kind LIKE 'remind%' AND run_at <= {int(time.time())}"
        ),
        "ends untold": "SELECT id FROM matches WHERE result_unannounced",
        "matches waiting for a computer": "SELECT id FROM matches WHERE "
        "awaits_computer AND is_open",
    }
    for what, sql in queries.items():
        left, since = [""], time.monotonic()
        while left and time.monotonic() - since < PATIENT:
            found = sorted(str(row[0]) for row in await fleet.query(sql))
            if found != left:
                left, since = found, time.monotonic()
            await asyncio.sleep(0.2)
        proof.add(f"stuck: {what}", 1, [f"match {match}" for match in left])


async def check_live_boards(fleet: Fleet, crowd: Crowd, proof: Proof, rng: random.Random) -> None:
    """Check that every running match has a board with which the awaited players can move."""
    at = {match: table for table in crowd.tables for match in table.played}
    boards = {str(match): int(message) for match, message in await fleet.query(TURN_MESSAGES)}
    async with await open_store(fleet.place, read_only=True) as store:
        running = [
            room async for room in _load_rooms(store) if room.record.status is Status.RUNNING
        ]
    faults = [fault for room in running for fault in _find_board_faults(crowd, room, boards)]
    proof.add("live boards", len(running), faults)
    pressed, faults = 0, []
    for room in rng.sample(running, min(PRESSED, len(running))):
        waits = room.people(room.playing().waiting_for())
        table = at.get(room.record.id)
        if table is None or not waits or table.match != room.record.id:
            continue
        pressed += 1
        if not await _can_move(crowd, table, waits):
            faults.append(f"match {room.record.id} cannot be played on")
    proof.add("boards pressed", pressed, faults)


TURN_MESSAGES = "SELECT id, turn_message FROM matches WHERE turn_message != 0"


def _find_board_faults(crowd: Crowd, room: Room, boards: dict[str, int]) -> Iterator[str]:
    match = room.record.id
    message = crowd.discord.state.messages.get(boards.get(match, 0))
    if message is None:
        yield f"match {match} has no board"
        return
    if not any(
        str(part.get("custom_id")).startswith(f"t:{match}:move") for part in message.controls
    ):
        yield f"the board of match {match} has no button to move with"
    for user in room.people(room.playing().waiting_for()):
        name = crowd.discord.state.users[user].name
        if name not in message.text:
            yield f"the board of match {match} does not say that it waits for {name}"


async def _can_move(crowd: Crowd, table: Table, waits: list[int]) -> bool:
    person = next((person for person in table.people if person.id in waits), None)
    panel = await crowd.open_panel(table, person) if person is not None else None
    return panel is not None and any(
        part["custom_id"][:2] in ("p:", "g:", "m:", "c:") for part in panel.controls
    )


async def check_everything(
    fleet: Fleet, crowd: Crowd, ledger: Ledger, proof: Proof, rng: random.Random
) -> None:
    """Check everything else once the bots have ended."""
    _check_answers(fleet, ledger, proof)
    async with await open_store(fleet.place, read_only=True) as store:
        rooms = {room.record.id: room async for room in _load_rooms(store)}
        done = await fleet.query("SELECT match_id, id, since, number FROM interactions")
        told = [
            Announcement(*row[:4])
            for row in await fleet.query("SELECT id, match_id, since, number FROM announcements")
        ]
        rows = [(str(m), int(i), int(s), int(n)) for m, i, s, n in done]
        _compare_answers(ledger, rows, proof)
        _check_commits(ledger, rows, proof)
        posts = _check_posts(ledger, told, proof)
        _measure_posting(ledger, done, told, posts, proof)
        await _check_positions(store, proof)
        _check_seeds(ledger, rooms, proof)
        _check_panels(ledger, rooms, proof)
        await _check_mentions(store, ledger, rooms, told, posts, proof)
        await _check_pictures(store, told, posts, proof, rng)
    proof.add("bots", len(fleet.bots), fleet.faults)
    proof.add("people", len(crowd.tables), crowd.faults)
    proof.add(
        "requests",
        len(fleet.discord.rest.requests),
        [*fleet.discord.unknown_routes, *fleet.discord.crashes],
    )


async def _load_rooms(store: Store) -> AsyncIterator[Room]:
    for match, _ in await store.read(match_versions):
        stored = await store.read(queries.load_match, match)
        assert stored is not None
        yield encoding.decode_match(stored, GAMES)


def _check_answers(fleet: Fleet, ledger: Ledger, proof: Proof) -> None:
    """Check that every press was answered unless its bot was down, and that none failed."""
    faults = []
    for press in ledger.presses:
        patience = ANSWER if press.outcome == DROPPED[0] else GIVE_UP
        excused = proof.lenient or fleet.was_out(press.process, press.sent, press.sent + patience)
        if press.outcome in DROPPED and not excused:
            faults.append(f"{press.what} of {press.match} at {press.sent:.1f}: {press.outcome}")
        if press.outcome == BROKEN or (press.outcome == UNSHOWN and not excused):
            faults.append(f"{press.what} of {press.match}: {press.said[-1][:90]}")
    proof.add("answers", len(ledger.presses), faults)


def _check_commits(ledger: Ledger, done: list[tuple[str, int, int, int]], proof: Proof) -> None:
    """Check that every commit answered with 'Done.' is in the log, once."""
    kept = {interaction: (since, number) for _, interaction, since, number in done}
    answered = [press for press in ledger.presses if press.outcome == DONE]
    lost = [
        press
        for press in answered
        if press.id not in kept or kept[press.id][1] <= kept[press.id][0]
    ]
    proof.add(
        "commits answered",
        len(answered),
        [f"{press.what} of {press.match} is lost" for press in lost],
    )
    by_match: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for match, _, since, number in done:
        if number > since:
            by_match[match].append((since, number))
    doubled = []
    for match, spans in by_match.items():
        spans.sort()
        doubled += [match for one, other in pairwise(spans) if other[0] < one[1]]
    proof.add(
        "presses carried out",
        len(done),
        [f"match {match}: two presses made one commit" for match in doubled],
    )


def _compare_answers(ledger: Ledger, done: list[tuple[str, int, int, int]], proof: Proof) -> None:
    """Compare every private answer with what the database says happened to its press."""
    kept = {interaction: number > since for _, interaction, since, number in done}
    faults, number = [], 0
    doubted = [press for press in ledger.presses if press.said and is_in_doubt(press.said[-1])]
    for press in ledger.presses:
        for said in filter(None, press.said):
            number += 1
            about = f"{press.what} of {press.match} at {press.sent:.1f}: {said[:90]!r}"
            if claims_undone(said) and press.id in kept:
                faults.append(f"{about} was told, but it was carried out")
            if claims_done(said) and not kept.get(press.id):
                faults.append(f"{about} was told, but nothing was committed")
            if claims_saved(said) and press.id not in kept:
                faults.append(f"{about} was told, but nothing was kept")
    proof.add("private answers compared", number, faults)
    proof.add("last words that left it open", len(doubted), [])
    proof.add("of these presses carried out", sum(press.id in kept for press in doubted), [])


def _check_posts(ledger: Ledger, told: list[Announcement], proof: Proof) -> dict[int, Posted]:
    """Check that every announcement was posted once; return its post by announcement."""
    by_nonce: dict[str, list[Posted]] = defaultdict(list)
    for post in ledger.posts:
        if post.nonce:
            by_nonce[post.nonce].append(post)
    faults = [
        f"{nonce} was posted {len(found)} times"
        for nonce, found in by_nonce.items()
        if len(found) > 1
    ]
    found = {one.id: by_nonce.get(f"{one.match}-{one.id}", []) for one in told}
    faults += [
        f"announcement {one.id} of match {one.match} was not posted"
        for one in told
        if not found[one.id]
    ]
    proof.add("posts", len(told), faults)
    lobbies = Counter(match for post in ledger.posts if post.is_lobby for match in post.matches)
    proof.add(
        "lobbies",
        len(lobbies),
        [f"match {match} has {n} lobbies" for match, n in lobbies.items() if n > 1],
    )
    return {number: posts[0] for number, posts in found.items() if posts}


def _measure_posting(
    ledger: Ledger,
    done: list[tuple[object, ...]],
    told: list[Announcement],
    posts: dict[int, Posted],
    proof: Proof,
) -> None:
    """Measure how long it took from each press to the post that shows it."""
    by_number = {(one.match, one.number): posts[one.id] for one in told if one.id in posts}
    made = {row[1]: (row[0], row[3]) for row in done if row[3] > row[2]}  # type: ignore[operator]
    for press in ledger.presses:
        post = by_number.get(made.get(press.id, ("", 0)))  # type: ignore[arg-type]
        if post is not None:
            proof.posting.append((press.sent, post.at - press.sent))


async def _check_positions(store: Store, proof: Proof) -> None:
    """Check that the seed and commits of every match lead to its stored positions."""
    faults = []
    matches = [match for match, _ in await store.read(match_versions)]
    for match in matches:
        faults += [f"match {match}: {fault}" for fault in await store.read(find_faults, match)]
    proof.add("matches played again", len(matches), faults)


def _check_seeds(ledger: Ledger, rooms: dict[str, Room], proof: Proof) -> None:
    """Check that no seed was shown while its match was running."""
    running = [room for room in rooms.values() if room.match is not None and not room.is_over]
    shown = [room.record.id for room in running if room.playing().seed in ledger.hexes]
    proof.add("seeds", len(running), [f"the seed of match {match} was shown" for match in shown])


def _check_panels(ledger: Ledger, rooms: dict[str, Room], proof: Proof) -> None:
    """Check that nobody was shown a control of another player's seat."""
    wrong = [
        held
        for held in ledger.held
        if held.match in rooms and rooms[held.match].seat_of(held.user) != held.seat
    ]
    proof.add(
        "panels",
        len(ledger.held),
        [f"user {held.user} had seat {held.seat} of {held.match}" for held in wrong],
    )


async def _check_mentions(
    store: Store,
    ledger: Ledger,
    rooms: dict[str, Room],
    told: list[Announcement],
    posts: dict[int, Posted],
    proof: Proof,
) -> None:
    """Check that boards mention only awaited players, and other messages only players."""
    faults, number = [], 0
    boards = {post.message for post in posts.values()}
    for one in told:
        post = posts.get(one.id)
        if post is None or not post.pings:
            continue
        number += len(post.pings)
        stored_commits = await store.read(queries.commits, one.match, one.number - 1, one.number)
        stood = (
            Room(
                rooms[one.match].record, encoding.decode_position(stored_commits[0].snapshot, GAMES)
            )
            if stored_commits and stored_commits[0].snapshot
            else rooms[one.match]
        )
        match = stood.playing()
        concerned = (
            stood.players
            if match.outcome or not stored_commits
            else stood.people(match.waiting_for())
        )
        faults += [
            f"announcement {one.id} calls {user}" for user in post.pings if user not in concerned
        ]
    for post in ledger.posts:
        people = {user for match in post.matches if match in rooms for user in rooms[match].players}
        if post.message not in boards and post.matches:
            faults += [
                f"message {post.message} calls {user}" for user in post.pings if user not in people
            ]
        if post.recipient and post.matches and post.recipient not in people:
            faults.append(f"a direct message tells {post.recipient} of {', '.join(post.matches)}")
    proof.add("calls", number, faults)


async def _check_pictures(
    store: Store,
    told: list[Announcement],
    posts: dict[int, Posted],
    proof: Proof,
    rng: random.Random,
) -> None:
    """Draw some of the posted pictures again from public data, and compare them."""
    announcements = Kernel(store).matches
    pictures, faults = Pictures(), []
    client: Any = SimpleNamespace(pictures=pictures)
    some = rng.sample([one for one in told if one.id in posts], min(DRAWN, len(posts)))
    for one in some:
        post: Post = await announcements.post_of(one)
        made = await describe.draw_board(client, post.room, events=post.events)
        if hashlib.blake2b(made.data, digest_size=16).digest() != posts[one.id].picture:
            faults.append(
                f"the picture of announcement {one.id} of match {one.match} shows something else"
            )
    pictures.close()
    proof.add("pictures drawn again", len(some), faults)
