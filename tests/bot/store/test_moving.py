"""A database moved from a file to a server and back: all of it, each match the same, however often it is begun."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from enum import Enum
from inspect import iscoroutinefunction
from itertools import product
from pathlib import Path
from typing import Any, get_args, get_origin, get_type_hints

import pytest
from msgspec import Struct
from msgspec.structs import fields, replace

from bot.errors import BotError, StoreError
from bot.matches.rating import Board, Pool, Rated, Rating, Ratings
from bot.matches.results import Kind, Result
from bot.matches.room import Call, Due, Info, Status
from bot.program import run
from bot.store.base import Change, Done, Scope, Store
from bot.store.moving import fingerprint, move, of_match
from bot.store.opening import open_alone, open_store
from bot.store.postgres import PostgresStore
from bot.store.sql import SqlStore
from bot.store.tables import tables
from tests.bot.seating import ANA, BEA, CEM, PLACE, House, playing


@pytest.fixture
def url(emptied: Callable[[], str]) -> str:
    """The address of an empty database."""
    return emptied()


async def filled(path: Path) -> str:
    """A database with a bit of everything in it, closed; the id of a match that is played."""
    house = House(path)
    await house.open()
    matches = house.matches
    room = await house.played_out(await house.started("blue_lagoon", people=3, computers=1), limit=4)
    await house.pick(room, playing(room).waiting_for()[0])
    await matches.undo(house.press(room, playing(room).waiting_for()[0]))
    await matches.votes.propose(room.info.id, BEA, "pause", {}, next(house.interactions))
    await matches.store.put_note(room.info.id, ANA.id, "ʻ ' \" 🌊")
    await matches.store.put_setting(Scope.PLAYER, ANA.id, "calls", "daily")
    await matches.store.put_setting(Scope.SERVER, 1, "threads", "no")
    await matches.scheduler.beat()
    await house.played_out(await house.started("toy"))
    await matches.open_lobby("maori", {}, room.info.place, BEA)
    await matches.close()
    return room.info.id


def quiet(done: int, matches: int) -> None:
    """Nobody looks."""


async def all_of(store: SqlStore) -> dict[str, str]:
    """Every match and every other table by its hash."""
    ids = [match for (match,) in await store.read(lambda db: db.execute("SELECT id FROM match").fetchall())]
    found = {match: fingerprint(await store.read(lambda db, m=match: of_match(db, m))) for match in ids}
    for table in tables():
        rows = await store.read(lambda db, t=table: [tuple(row) for row in db.execute(t.select).fetchall()])
        found[table.name] = fingerprint({table.name: rows})
    return found


def examples(match: str, finished: str) -> dict[Any, Any]:
    """Something of every type that a store's methods take."""
    info = Info(id="abcd2345", game="toy", status=Status.LOBBY, place=PLACE, host=CEM.id, settings={}, chairs=(CEM,))
    call, due = Call(match, BEA.id, 1, "due", 5, 6, 7), Due("bell", 50, match, BEA.id, {"wanted": "turn"})
    result = Result(seat=0, user=ANA.id, name="Ana", place=1, score=7, kind=Kind.RATED, counts=True)
    return {
        str: match,
        int: ANA.id,
        Scope: Scope.PLAYER,
        Info: info,
        Done: Done(interaction=5, seat=0, since=0, number=0),
        Change: Change(info=replace(info, status=Status.RUNNING, version=1), chairs=True, unattended=True, announce=0),
        Call: call,
        Due: due,
        bool: True,
        float: 1.5,
        Iterable[int]: [ANA.id, BEA.id],
        Rated: RATED,
        Mapping[str, Sequence[Result]]: {finished: [result]},
        Mapping[Rated, Rating]: {},
        tuple[int, Ratings]: (1, {RATED: Rating(mu=20.5, sigma=1 / 3, matches=1)}),
    }


LATE = 1 << 40
RATED = Rated(Pool.PEOPLE, 0, "toy", ANA.id)
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


async def test_every_method_does_the_same_on_both(tmp_path: Path, url: str) -> None:
    match = await filled(tmp_path / "motu.db")
    async with open_alone(tmp_path / "motu.db") as ours, open_alone(url) as theirs:
        await move(ours, theirs, quiet)
        ((finished,),) = await ours.read(lambda db: db.execute("SELECT match FROM finish").fetchall())
        known = examples(match, finished)
        # As the database was moved; then with what all of them have written; then without what may be left out.
        for leaves_out, name in product((False, False, True), vars(Store)):
            method = getattr(Store, name)
            if not iscoroutinefunction(method) or "claim" in name or name in ("close", "reserve"):
                continue
            given = []
            for key, hint in list(get_type_hints(method).items())[:-1]:
                if leaves_out and type(None) in get_args(hint):
                    given.append(None)
                else:
                    given.append(NUMBERS[key] if key in NUMBERS and hint in (int, int | None) else example(hint, known))
            results = [await outcome(getattr(store, name)(*given)) for store in (ours, theirs)]
            assert results[0] == results[1], name
        for board in (Board(game="toy", guild=1, besides=BEA.id, most=1), Board(game="toy", guild=1, everywhere=True)):
            assert await ours.board(board) == await theirs.board(board)
        assert await all_of(ours) == await all_of(theirs)


def example(hint: Any, known: Mapping[Any, Any]) -> Any:
    """Something of a type: of a record whatever must be said of it."""
    if type(None) in get_args(hint):
        hint = get_args(hint)[0]
    if hint in known:
        return known[hint]
    if get_origin(hint) in (Iterable, Sequence, list, tuple):
        return [example(get_args(hint)[0], known)]
    if isinstance(hint, type) and issubclass(hint, Enum):
        return next(iter(hint))
    assert isinstance(hint, type) and issubclass(hint, Struct), f"give an example of {hint}"
    return hint(**{field.name: example(field.type, known) for field in fields(hint) if field.required})


async def outcome(asked: Awaitable[Any]) -> Any:
    """What comes of it, or in which way it is refused."""
    try:
        return await asked
    except BotError as error:
        return type(error)


async def test_a_database_goes_to_a_server_and_back_and_is_played_on(tmp_path: Path, url: str) -> None:
    match = await filled(tmp_path / "motu.db")
    async with open_alone(tmp_path / "motu.db") as ours, open_alone(url) as theirs:
        kept = await all_of(ours)
        assert (await move(ours, theirs, quiet)).copied == 3
        assert await all_of(theirs) == kept
        again = await move(ours, theirs, quiet)
        assert (again.matches, again.copied) == (3, 0), "it can be run again"
        last = await ours.due()
    house = House(tmp_path / "none")
    await house.open_on(await PostgresStore.open(url))
    room = await house.played_out(await house.matches.find(match), limit=2)
    assert max(each.id for each in await house.matches.store.due()) > max(each.id for each in last)
    await house.matches.close()
    async with open_alone(url) as theirs, open_alone(tmp_path / "motu.db") as ours:
        with pytest.raises(StoreError, match="nothing is moved over them"):
            await move(ours, theirs, quiet)
        # The other way round the file is an earlier state of it.
        assert (await move(theirs, ours, quiet)).copied == 1
        assert await all_of(ours) == await all_of(theirs)
    house.path = tmp_path / "motu.db"
    await house.open()
    assert playing(await house.matches.find(match)).number == playing(room).number
    await house.played_out(await house.matches.find(match), limit=1)
    await house.matches.close()


async def test_what_was_broken_off_is_no_ones_to_play_on_until_it_is_finished(tmp_path: Path, url: str) -> None:
    await filled(tmp_path / "motu.db")

    def breaks(done: int, matches: int) -> None:
        raise InterruptedError

    for target in (url, tmp_path / "new.db"):
        with pytest.raises(InterruptedError):
            async with open_alone(tmp_path / "motu.db") as ours, open_alone(target) as theirs:
                await move(ours, theirs, breaks)
        with pytest.raises(StoreError, match="not all there"):
            await open_store(target)
        async with open_alone(tmp_path / "motu.db") as ours, open_alone(target) as theirs:
            assert (await move(ours, theirs, quiet)).copied == 2
        await (await open_store(target)).close()


async def test_a_database_on_which_a_bot_runs_is_not_moved(tmp_path: Path, url: str) -> None:
    for place in (url, tmp_path / "motu.db"):
        store = await open_store(place)
        with pytest.raises(StoreError, match="in use by another running Motu"):
            await open_store(place, alone=True)
        await store.close()
        async with open_alone(place):
            with pytest.raises(StoreError, match=r"just now|another running Motu"):
                await open_store(place)


def test_motu_move_says_what_it_did(
    tmp_path: Path, url: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(["move", "none.db", url]) == 1
    assert "There is no database" in capsys.readouterr().err
    asyncio.run(filled(tmp_path / "motu.db"))
    secret = url.replace("motu@", "motu:geheim@")
    assert run(["move", "motu.db", secret]) == 0
    said = capsys.readouterr()
    assert "3 matches" in said.out and "3 of 3 matches" in said.err and "geheim" not in said.out + said.err
