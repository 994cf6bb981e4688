"""Moving a database from a file to a server and back."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from enum import Enum
from inspect import isroutine, signature
from itertools import product
from pathlib import Path
from typing import Any, get_args, get_origin, get_type_hints

import pytest
from msgspec import Struct
from msgspec.structs import fields, replace

from bot.features import catch_up, server_settings, thinning
from bot.features.history import moments
from bot.features.privacy import queries as personal
from bot.features.ratings import queries as rating_queries
from bot.features.ratings.records import Board, Kind, Result
from bot.features.reminders import player_settings
from bot.features.votes import queries as vote_queries
from bot.kernel import queries
from bot.kernel.change import Change
from bot.kernel.encoding import Games
from bot.model import (
    Announcement,
    HandledInteraction,
    Job,
    MatchRecord,
    Shards,
    Status,
    Vote,
)
from bot.program import run
from bot.runtime.base import BotError, StoreError
from bot.store.base import Query, Store
from bot.store.moving import find_rows, fingerprint, move, tables
from bot.store.opening import open_store
from bot.store.postgres import PostgresStore
from bot.store.sql import Command, Database, Select, SelectOne
from engine import GAMES
from tests.bot.backend import ANA, BEA, CEM, PLACE, Backend, match_of
from tests.bot.store.changes import change_to


@pytest.fixture
def url(emptied: Callable[[], str]) -> str:
    """The address of an empty database."""
    return emptied()


async def fill(path: Path) -> str:
    """Create and close a database with a bit of everything; return a match's id."""
    backend = Backend(path)
    await backend.open()
    matches = backend.matches
    room = await backend.play_out(
        await backend.start_match("blue_lagoon", people=3, computers=1), limit=4
    )
    await backend.pick(room, match_of(room).waiting_for()[0])
    await matches.undo(backend.press(room, match_of(room).waiting_for()[0]))
    await matches.votes.propose(room.record.id, BEA, "pause", {}, next(backend.interactions))
    await matches.store.write(catch_up.put_note, room.record.id, ANA.id, "ʻ ' \" 🌊")
    await matches.store.write(
        queries.put_player_setting, ANA.id, "calls", '{"way":"direct","channel":5}'
    )
    await matches.store.write(queries.put_server_setting, 1, "threads", "no")
    await matches.scheduler.beat()
    await backend.play_out(await backend.start_match("toy"))
    await matches.open_lobby("maori", {}, room.record.place, BEA)
    await matches.close()
    return room.record.id


def no_progress(done: int, matches: int) -> None:
    """Show no progress."""


async def all_shards(store: Store) -> dict[str, Any]:
    """Return all matches and tables, in any order of rows."""
    ids = [
        match
        for (match,) in await store.read(lambda db: db.execute("SELECT id FROM matches").fetchall())
    ]
    owned = [table for table in tables() if table.of_match]
    found = {match: fingerprint(await store.read(find_rows, owned, match)) for match in ids}
    for table in tables():
        found[table.name] = fingerprint(await store.read(find_rows, [replace(table, of_match="")]))
    return found


def examples(match: str) -> dict[Any, Any]:
    """Return an example of every type that queries take."""
    record = MatchRecord(
        id="abcd2345",
        game="toy",
        status=Status.LOBBY,
        place=PLACE,
        host=CEM.id,
        settings={},
        chairs=(CEM,),
    )
    due = Job("bell", 50, match, BEA.id, {"wanted": "turn"})
    result = Result(seat=0, user=ANA.id, name="Ana", place=1, score=7, kind=Kind.RATED, counts=True)
    vote = Vote(match=match, number=9, kind="pause", by=ANA, chairs=(ANA, BEA), opened=1, ends=2)
    return {
        str: match,
        bytes: b"[]",
        int: ANA.id,
        Shards: Shards(),
        MatchRecord: record,
        HandledInteraction: HandledInteraction(interaction=5, seat=0, since=0, number=0),
        Change: change_to(
            replace(record, status=Status.RUNNING, version=1),
            seats_changed=True,
            awaits_computer=True,
            announce_up_to=0,
        ),
        Iterable[Callable[[Database, MatchRecord], Any]]: NEEDS,
        Vote: vote,
        Job: due,
        Mapping[str, Any]: {"zone": "Asia/Tokyo"},
        bool: True,
        float: 1.5,
        Iterable[int]: [ANA.id, BEA.id],
        Sequence[Result]: [result],
        Games: GAMES,
    }


LATE = 1 << 40
NUMBERS = {
    "number": 2,
    "since": -1,
    "most": 50,
    "channel": 2,
    "guild": 1,
    "place": 2,
    "now": 1 << 40,
    "before": 1 << 40,
}
"""What whole numbers mean by their names; else they are a person."""
TEXTS = {"match", "name", "kind", "game", "pool", "note", "wanted", "one", "other"}
"""The names of values that are texts."""
Declared = Select | SelectOne | Command
"""Queries that are one statement."""


NEEDS = (
    queries.jobs_of_match,
    player_settings.settings_of_players,
    vote_queries.votes_of_match,
)

WRITES_AND_RETURNS = (
    queries.put_record,
    queries.write_change,
    queries.note_messages,
    queries.note_post,
    queries.claim_jobs,
    queries.replace_job,
    player_settings.change_settings,
    player_settings.note_welcomed,
    queries.note_heartbeat,
    rating_queries.rate_next,
)
"""Queries that write and return something; those that return nothing all write."""


async def test_every_query_gives_the_same_result_on_both_databases(
    tmp_path: Path, url: str
) -> None:
    match = await fill(tmp_path / "motu.db")
    async with (
        await open_store(tmp_path / "motu.db", alone=True) as ours,
        await open_store(url, alone=True) as theirs,
    ):
        await move(ours, theirs, no_progress)
        known = examples(match)
        # Run all queries on the database as it was moved, then on what they have written, and at
        # last without the arguments that may be left out.
        for leaves_out, query in product((False, False, True), all_queries()):
            given = arguments(query, known, leaves_out)
            own = {"own": given.pop("own")} if "own" in given else {}
            results = [
                await outcome(run_query(store, query, *given.values(), **own))
                for store in (ours, theirs)
            ]
            if query is queries.write_change:
                # Only a file says which post has become due: of a server it would be one question
                # more.
                results = [
                    None if isinstance(result, Announcement) else result for result in results
                ]
            if query is queries.put_record:
                results = [rows.rowcount for rows in results]
            assert results[0] == results[1], query
        for board in (
            Board(game="toy", guild=1, besides=BEA.id, most=1),
            Board(game="toy", guild=1, everywhere=True),
        ):
            assert await ours.read(rating_queries.board, board) == await theirs.read(
                rating_queries.board, board
            )
        for store in (ours, theirs):
            await store.write_in_copies(personal.forget_everywhere, ANA.id, CEM)
            await store.scrub()
        assert await ours.read(queries.match_version, match) == await theirs.read(
            queries.match_version, match
        )
        assert await all_shards(ours) == await all_shards(theirs)


MODULES = (
    queries,
    rating_queries,
    personal,
    player_settings,
    vote_queries,
    catch_up,
    moments,
    server_settings,
    thinning,
)


def all_queries() -> list[Query[..., Any]]:
    """Return all public queries, in order of definition."""
    found = []
    for name, one in (pair for module in MODULES for pair in vars(module).items()):
        is_function = isroutine(one) and next(iter(signature(one).parameters), None) == "db"
        is_public = name.islower() and not name.startswith("_")
        if is_public and (is_function or isinstance(one, Declared)):
            found.append(one)
    return found


def arguments(query: Query[..., Any], known: Mapping[Any, Any], leaves_out: bool) -> dict[str, Any]:
    """Return values for the arguments of a query besides the database.

    With `leaves_out`, everything optional is None.
    """
    if isinstance(query, Declared):
        return {
            name: NUMBERS.get(name, known[str if name in TEXTS else int]) for name in query.names
        }
    given: dict[str, Any] = {}
    for name, hint in get_type_hints(query).items():
        if name in ("db", "return"):
            continue
        if leaves_out and type(None) in get_args(hint):
            given[name] = None
        elif name in NUMBERS and hint in (int, int | None):
            given[name] = NUMBERS[name]
        else:
            given[name] = example(hint, known)
    return given


def run_query(store: Store, query: Query[..., Any], *args: Any, **kwargs: Any) -> Awaitable[Any]:
    """Run a query as the bot does, in a transaction that writes only if needed."""
    if isinstance(query, Declared):
        writes = not query.sqlite.lstrip().startswith(("SELECT", "WITH"))
    else:
        writes = query in WRITES_AND_RETURNS or get_type_hints(query)["return"] is type(None)
    return (store.write if writes else store.read)(query, *args, **kwargs)


def example(hint: Any, known: Mapping[Any, Any]) -> Any:
    """Return an example of a type."""
    hint = getattr(hint, "__origin__", hint) if hasattr(hint, "__metadata__") else hint
    if type(None) in get_args(hint):
        hint = get_args(hint)[0]
    if hint in known:
        return known[hint]
    if get_origin(hint) in (Iterable, Sequence, list, tuple):
        return [example(get_args(hint)[0], known)]
    if isinstance(hint, type) and issubclass(hint, Enum):
        return next(iter(hint))
    assert isinstance(hint, type) and issubclass(hint, Struct), f"give an example of {hint}"
    return hint(
        **{field.name: example(field.type, known) for field in fields(hint) if field.required}
    )


async def outcome(asked: Awaitable[Any]) -> Any:
    """Return a query's result, or how it fails."""
    try:
        return await asked
    except BotError as error:
        return type(error)


async def test_a_database_is_moved_to_a_server_and_back(tmp_path: Path, url: str) -> None:
    match = await fill(tmp_path / "motu.db")
    async with (
        await open_store(tmp_path / "motu.db", alone=True) as ours,
        await open_store(url, alone=True) as theirs,
    ):
        kept = await all_shards(ours)
        assert (await move(ours, theirs, no_progress)).copied == 3
        assert await all_shards(theirs) == kept
        again = await move(ours, theirs, no_progress)
        assert (again.matches, again.copied) == (3, 0), "it can be run again"
        last = await ours.read(queries.pending_announcements, own=ours.own)
    backend = Backend(tmp_path / "none")
    await backend.open_on(await PostgresStore.open(url))
    room = await backend.play_out(await backend.matches.find(match), limit=2)
    due = await backend.matches.pending_posts()
    assert max(each.id for each in due) > max(each.id for each in last)
    await backend.matches.close()
    async with (
        await open_store(url, alone=True) as theirs,
        await open_store(tmp_path / "motu.db", alone=True) as ours,
    ):
        with pytest.raises(StoreError, match="they won't be overwritten"):
            await move(ours, theirs, no_progress)
        # The other way round the file is an earlier state of it.
        assert (await move(theirs, ours, no_progress)).copied == 1
        assert await all_shards(ours) == await all_shards(theirs)
    backend.path = tmp_path / "motu.db"
    await backend.open()
    assert match_of(await backend.matches.find(match)).number == match_of(room).number
    await backend.play_out(await backend.matches.find(match), limit=1)
    await backend.matches.close()


async def test_an_interrupted_move_must_be_finished_before_play(tmp_path: Path, url: str) -> None:
    await fill(tmp_path / "motu.db")

    def breaks(done: int, matches: int) -> None:
        raise InterruptedError

    for target in (url, tmp_path / "new.db"):
        with pytest.raises(InterruptedError):
            async with (
                await open_store(tmp_path / "motu.db", alone=True) as ours,
                await open_store(target, alone=True) as theirs,
            ):
                await move(ours, theirs, breaks)
        with pytest.raises(StoreError, match="is incomplete"):
            await open_store(target)
        async with (
            await open_store(tmp_path / "motu.db", alone=True) as ours,
            await open_store(target, alone=True) as theirs,
        ):
            assert (await move(ours, theirs, no_progress)).copied == 2
        await (await open_store(target)).close()


async def test_a_database_on_which_a_bot_runs_is_not_moved(tmp_path: Path, url: str) -> None:
    for place in (url, tmp_path / "motu.db"):
        store = await open_store(place)
        with pytest.raises(StoreError, match="Another Motu is using the database"):
            await open_store(place, alone=True)
        await store.close()
        async with await open_store(place, alone=True):
            with pytest.raises(StoreError, match=r"being moved|Another Motu is using"):
                await open_store(place)


def test_motu_move_reports_what_it_did(
    tmp_path: Path, url: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(["move", "none.db", url]) == 1
    assert "There's no database" in capsys.readouterr().err
    asyncio.run(fill(tmp_path / "motu.db"))
    secret = url.replace("motu@", "motu:geheim@")
    assert run(["move", "motu.db", secret]) == 0
    said = capsys.readouterr()
    assert "3 matches" in said.out
    assert "3 of 3 matches" in said.err
    assert "geheim" not in said.out + said.err
