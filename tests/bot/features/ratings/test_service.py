"""Results and ratings: what is stored, how ratings change, and recomputing them."""

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace
from openskill.models import PlackettLuce

from bot.features.ratings import queries as rating_queries
from bot.features.ratings import rules as rating
from bot.features.ratings import service as standing
from bot.features.ratings.records import (
    EVERYWHERE,
    Board,
    Finish,
    Kind,
    Pool,
    Rated,
    Rating,
    Result,
)
from bot.features.ratings.rules import NEW
from bot.kernel import queries
from bot.kernel.room import Room
from bot.model import COMPUTER, Person, Terms
from bot.run.tools import parse_options
from bot.runtime.base import BotError, StoreError
from engine import Seat
from tests.bot.backend import ANA, BEA, CEM, PEOPLE, PLACE, Backend, match_of
from tests.bot.features.votes.test_service import cast, propose
from tests.bot.intercept import Run, intercept
from tests.bot.standings import GAME, GUILD, fill, find_finish, rate_all, simulate_matches

EVE = Person(50, "Eve")


def no_progress(done: int) -> None:
    """Show no progress."""


async def end_and_rate(backend: Backend, room: Room) -> Finish:
    """Play a match to its end, and return its rated result."""
    room = await backend.matches.find(room.record.id)
    await backend.play_out(room)
    await rate_all(backend.matches.standing)
    found = await backend.matches.store.read(find_finish, room.record.id)
    assert found is not None
    return found


async def ratings_of(backend: Backend, *people: Person, guild: int = PLACE.guild) -> list[Rating]:
    """Return the ratings of people."""
    keys = [Rated(Pool.PEOPLE, guild, "toy", person.id) for person in people]
    users = [person.id for person in people]
    found = await backend.matches.store.read(rating_queries.ratings, guild, "toy", users)
    return [found.get(key, NEW) for key in keys]


async def told_of_ratings(backend: Backend, room: Room) -> str:
    """Return what the last post of a match says about ratings."""
    ended = await backend.matches.find(room.record.id)
    return await backend.matches.standing.describe_changes(ended)


def result_of(finish: Finish, person: Person) -> Result:
    """Return somebody's result."""
    return next(result for result in finish.results if result.user == person.id)


def estimates(ratings: list[Rating]) -> list[tuple[float, float]]:
    return [(one.mu, one.sigma) for one in ratings]


def rate_by_openskill(before: list[Rating], places: list[int]) -> list[tuple[float, float]]:
    """Return the ratings that OpenSkill alone computes."""
    model = PlackettLuce()
    teams = [[model.rating(mu=one.mu, sigma=one.sigma)] for one in before]
    return [
        (team[0].mu, team[0].sigma)
        for team in model.rate(teams, ranks=[float(place) for place in places])
    ]


async def test_a_finished_match_is_rated_on_the_server_and_overall(backend: Backend) -> None:
    room = await backend.start_match(people=3)
    finish = await end_and_rate(backend, room)
    outcome = match_of(await backend.matches.find(room.record.id)).outcome
    assert outcome is not None and finish.results[0].score == outcome.scores[0]
    assert finish.guild == PLACE.guild
    assert finish.game == "toy"
    assert finish.seats == 3
    assert finish.at == backend.clock.now
    assert [(one.name, one.kind) for one in finish.results] == [
        (p.name, Kind.RATED) for p in PEOPLE[:3]
    ]
    places = [one.place for one in finish.results]
    assert [seat for seat, place in enumerate(places) if place == 1] == list(outcome.winners)
    expected = rate_by_openskill([NEW] * 3, places)
    for guild in (PLACE.guild, EVERYWHERE):
        now = await ratings_of(backend, *PEOPLE[:3], guild=guild)
        assert estimates(now) == expected
        assert [one.matches for one in now] == [1, 1, 1]
        assert [one.wins for one in now] == [place == 1 for place in places]
    # The next match continues from there; another server starts from scratch.
    room = await backend.matches.open_lobby("toy", {}, replace(PLACE, guild=8), ANA)
    await backend.matches.join(room.record.id, BEA)
    finish = await end_and_rate(backend, await backend.matches.start(room.record.id, ANA))
    places = [one.place for one in finish.results]
    before = [replace(NEW, mu=mu, sigma=sigma) for mu, sigma in expected[:2]]
    assert estimates(await ratings_of(backend, ANA, BEA, guild=EVERYWHERE)) == rate_by_openskill(
        before, places
    )
    assert estimates(await ratings_of(backend, ANA, BEA, guild=8)) == rate_by_openskill(
        [NEW] * 2, places
    )
    assert estimates(await ratings_of(backend, ANA, BEA)) == expected[:2]


async def test_a_player_who_resigns_is_ranked_last_and_the_others_are_rated(
    backend: Backend,
) -> None:
    room = await backend.start_match(people=3)
    for _ in range(4):
        room = (await backend.take_turn(room, match_of(room).waiting_for()[0])).room
    await backend.matches.resign(backend.press(room, 2))
    finish = await end_and_rate(backend, room)
    gone = result_of(finish, CEM)
    assert (gone.kind, gone.place, gone.has_left) == (Kind.RESIGNED, 3, True)
    stayed = [result_of(finish, ANA), result_of(finish, BEA)]
    assert [one.kind for one in stayed] == [Kind.RATED] * 2
    places = [one.place for one in stayed]
    ana, bea, cem = await ratings_of(backend, *PEOPLE[:3])
    assert estimates([ana, bea]) == rate_by_openskill([NEW] * 2, places)
    assert estimates([cem]) == rate_by_openskill([NEW] * 3, [*places, 4])[2:]
    assert cem.matches == 0
    assert cem.mu < NEW.mu


async def test_a_match_that_everyone_else_left_is_not_rated(backend: Backend) -> None:
    room = await backend.start_match(people=2)
    await backend.matches.resign(backend.press(room, 1))
    finish = await end_and_rate(backend, room)
    assert [(one.kind, one.place, one.counts) for one in finish.results] == [
        (Kind.RESIGNED, 1, False),
        (Kind.RESIGNED, 2, False),
    ]
    assert await ratings_of(backend, ANA, BEA) == [NEW, NEW]
    assert await told_of_ratings(backend, room) == "Not rated: everyone else left."
    room = await backend.play_out(await backend.start_match(people=2), limit=4)
    await backend.matches.resign(backend.press(room, 1))
    await end_and_rate(backend, room)
    assert await told_of_ratings(backend, room) == (
        "Not rated: everyone else left. For leaving early (provisional): **Bea** −18, now 982."
    )
    ana, bea = await ratings_of(backend, ANA, BEA)
    # The player who left loses rating, but nobody gains any by another's leaving.
    assert estimates([ana]) == estimates([NEW]) and bea.mu < NEW.mu


async def test_a_substitute_cannot_lose_rating_and_the_leaver_is_last(
    backend: Backend,
) -> None:
    room = await backend.start_match(people=3)
    await backend.matches.seats.offer(room, BEA, Seat(1), 1)
    vote = await backend.matches.seats.ask_for(room, EVE, Seat(1), 2)
    await cast(backend, vote, ANA, "yes")
    await cast(backend, vote, CEM, "yes")
    finish = await end_and_rate(backend, room)
    eve, bea = result_of(finish, EVE), result_of(finish, BEA)
    assert eve.came_late
    assert eve.kind == Kind.RATED
    assert bea.kind == Kind.ABANDONED
    assert bea.place == 3
    (now,) = await ratings_of(backend, EVE)
    assert now.mu >= NEW.mu
    assert (await ratings_of(backend, BEA))[0].mu < NEW.mu
    # The same holds for every rank.
    for place in (1, 2, 3):
        results = (
            replace(eve, place=place),
            replace(result_of(finish, ANA), place=2),
            replace(result_of(finish, CEM), place=1),
        )
        changed = rating.rate_match(replace(finish, results=results), {})
        assert changed[Rated(Pool.PEOPLE, 1, "toy", EVE.id)].sure >= NEW.sure


async def test_a_removed_player_has_abandoned_the_match(backend: Backend) -> None:
    room = await backend.start_match(people=3)
    vote = await propose(backend, room, ANA, "remove", seat=1)
    await cast(backend, vote, CEM, "yes")
    finish = await end_and_rate(backend, room)
    bea = result_of(finish, BEA)
    assert bea.kind == Kind.ABANDONED
    assert bea.has_left
    assert len(finish.results) == 3
    assert estimates(await ratings_of(backend, ANA, CEM)) == rate_by_openskill(
        [NEW] * 2, [result_of(finish, ANA).place, result_of(finish, CEM).place]
    )


async def test_computers_have_separate_ratings_that_affect_nobody(backend: Backend) -> None:
    room = await backend.start_match(people=1, computers=1)
    solo = await end_and_rate(backend, room)
    assert [one.kind for one in solo.results] == [Kind.SOLO] * 2
    assert await told_of_ratings(backend, room) == ""
    character = room.record.chairs[1].character or ""
    steady = Rated(Pool.COMPUTERS, EVERYWHERE, "toy", COMPUTER, "steady", character)
    shadow = Rated(Pool.COMPUTERS, EVERYWHERE, "toy", ANA.id)
    found = await backend.matches.store.read(rating_queries.ratings, 1, "toy", [COMPUTER, ANA.id])
    places = [one.place for one in sorted(solo.results, key=lambda one: one.user != ANA.id)]
    assert estimates([found[shadow], found[steady]]) == rate_by_openskill([NEW] * 2, places)
    assert await ratings_of(backend, ANA) == [NEW]
    room = await backend.start_match(people=2, computers=1)
    mixed = await end_and_rate(backend, room)
    assert [one.kind for one in mixed.results] == [Kind.RATED] * 3
    expected = rate_by_openskill(
        [NEW] * 2, [result_of(mixed, ANA).place, result_of(mixed, BEA).place]
    )
    assert estimates(await ratings_of(backend, ANA, BEA)) == expected
    after = await backend.matches.store.read(rating_queries.ratings, 1, "toy", [COMPUTER])
    other = replace(steady, character=room.record.chairs[2].character or "")
    assert sum(after[key].matches for key in {steady, other}) == 2


async def test_unrated_and_cancelled_matches_change_no_rating(
    backend: Backend,
) -> None:
    room = await backend.matches.open_lobby("toy", {}, PLACE, ANA, terms=Terms(rated=False))
    await backend.matches.join(room.record.id, BEA)
    finish = await end_and_rate(backend, await backend.matches.start(room.record.id, ANA))
    assert {one.kind for one in finish.results} == {Kind.UNRATED}
    assert await told_of_ratings(backend, room) == "Not rated: this table chose to play unrated."
    assert await ratings_of(backend, ANA, BEA) == [NEW, NEW]
    room = await backend.start_match(people=2)
    vote = await propose(backend, room, ANA, "end")
    await cast(backend, vote, BEA, "yes")
    assert await backend.matches.store.read(find_finish, room.record.id) is None


def everything(backend: Backend) -> Any:
    """Return all results and ratings in the file."""
    with closing(sqlite3.connect(backend.path)) as database:
        tables = {
            table: database.execute(f"SELECT * FROM {table}").fetchall()
            for table in ("finishes", "ratings")
        }
        results = "SELECT * FROM results ORDER BY number, seat, user_id"
        return tables | {"results": database.execute(results).fetchall()}


def remove_results(backend: Backend) -> None:
    """Make a closed file look as if results had not been stored yet."""
    with closing(sqlite3.connect(backend.path)) as database:
        database.execute("DELETE FROM results")
        database.execute("DELETE FROM ratings")
        database.execute("UPDATE finishes SET is_rated = FALSE")
        database.execute(
            "DELETE FROM server_settings WHERE name = ?", (rating_queries.KNOWN_RULES,)
        )
        database.commit()


async def test_ratings_are_recomputed_for_old_databases_and_new_rules(
    backend: Backend, monkeypatch: pytest.MonkeyPatch
) -> None:
    for people, computers in ((3, 0), (2, 1), (2, 0), (1, 1)):
        room = await backend.start_match(people=people, computers=computers)
        if people == 3:
            room = await backend.play_out(room, limit=5)
            await backend.matches.resign(backend.press(room, 0))
        await end_and_rate(backend, room)
    was = everything(backend)
    assert len(was["finishes"]) == 4 and was["ratings"]
    await backend.matches.close()
    remove_results(backend)
    await (await backend.open()).recover()
    await rate_all(backend.matches.standing)
    assert everything(backend) == was
    # A match that can no longer be read keeps its results, and the others are rated as before.
    with closing(sqlite3.connect(backend.path)) as database:
        database.execute(
            "UPDATE moves SET position = 'damaged' WHERE match_id = ?", (was["finishes"][1][1],)
        )
        database.commit()
    monkeypatch.setattr(rating, "RULES", rating.RULES + 1)
    for is_new in (True, False):
        with closing(sqlite3.connect(backend.path)) as database:
            database.execute("UPDATE ratings SET mu = 99")
            database.commit()
        await (await backend.restart()).recover()
        await rate_all(backend.matches.standing)
        assert (everything(backend) == was) is is_new


async def test_a_match_that_ends_during_a_recomputation_is_rated(
    backend: Backend, monkeypatch: pytest.MonkeyPatch
) -> None:
    await end_and_rate(backend, await backend.start_match(people=2))
    standing = backend.matches.standing
    began = asyncio.Event()
    go_on = asyncio.Event()

    async def hold(run: Run, *_: Any) -> None:
        began.set()
        await go_on.wait()
        await run()

    intercept(monkeypatch, rating_queries.rate_next, hold)
    anew = asyncio.create_task(standing.recompute(no_progress))
    await began.wait()
    room = await backend.play_out(await backend.start_match(people=2))
    # A command that is used meanwhile shows the ratings so far.
    await standing.wait_until_rated()
    store = backend.matches.store
    assert room.is_over
    assert not await store.read(rating_queries.board, Board(game="toy", guild=PLACE.guild))
    assert (
        len((await store.read(rating_queries.load_player, ANA.id, PLACE.guild, None)).proper) == 2
    )
    go_on.set()
    await anew
    await standing.wait_until_rated()
    assert [one.matches for one in await ratings_of(backend, ANA, BEA)] == [2, 2]


async def test_an_interrupted_recomputation_starts_over(
    backend: Backend, monkeypatch: pytest.MonkeyPatch
) -> None:
    for people in (3, 2, 2):
        await end_and_rate(backend, await backend.start_match(people=people))
    was = everything(backend)

    async def stop(*_: Any) -> None:
        raise asyncio.CancelledError

    with closing(sqlite3.connect(backend.path)) as database:
        database.execute("UPDATE ratings SET mu = 99")
        database.execute("UPDATE results SET place = 1, mu = 0")
        database.commit()
    intercept(monkeypatch, rating_queries.rate_next, stop, backend.matches.store)
    with pytest.raises(asyncio.CancelledError):
        await backend.matches.standing.recompute(no_progress)
    await (await backend.restart()).recover()
    await rate_all(backend.matches.standing)
    assert everything(backend) == was


async def test_a_command_recomputes_all_ratings_while_no_bot_runs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    backend = Backend(tmp_path / "motu.db")
    await backend.open()
    for _ in range(2):
        await end_and_rate(backend, await backend.start_match("blue_lagoon", people=2))
    was = everything(backend)
    options = parse_options(["ratings", "--data", str(tmp_path)])
    with pytest.raises(StoreError, match="Another Motu is using"):
        await options.run(options)
    await backend.matches.close()
    with closing(sqlite3.connect(backend.path)) as database:
        database.execute("UPDATE ratings SET mu = 99, name = 'nobody'")
        database.execute("UPDATE results SET place = 1, kind = 'solo', mu = 0")
        database.commit()
    assert await options.run(options) == 0
    assert "2 matches" in capsys.readouterr().out and everything(backend) == was
    options = parse_options(["ratings", "--data", str(tmp_path / "nowhere")])
    with pytest.raises(BotError, match="nowhere"):
        await options.run(options)


async def test_a_thousand_matches_are_rated_as_openskill_would(
    backend: Backend, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(standing, "PAUSE_SECONDS", 0)
    finishes = simulate_matches(1000, players=40, random=Random(7))
    await backend.matches.close()
    fill(backend.path, finishes)
    await backend.open()
    await backend.matches.store.write(
        queries.put_server_setting, 0, rating_queries.KNOWN_RULES, str(rating.RULES)
    )
    await backend.matches.recover()
    await rate_all(backend.matches.standing)
    model = PlackettLuce()
    known: dict[int, Any] = {}
    for finish in finishes:
        people = [one for one in finish.results if one.user != COMPUTER and one.kind is Kind.RATED]
        teams = [[known.setdefault(one.user, model.rating())] for one in people]
        if len(people) > 1:
            for one, team in zip(
                people, model.rate(teams, ranks=[float(p.place) for p in people]), strict=True
            ):
                known[one.user] = team[0]
    keys = {user: Rated(Pool.PEOPLE, GUILD, GAME, user) for user in known}
    found = await backend.matches.store.read(rating_queries.ratings, GUILD, GAME, keys)
    assert sum(key.guild == GUILD for key in found) == 40
    for user, key in keys.items():
        assert (found[key].mu, found[key].sigma) == pytest.approx(
            (known[user].mu, known[user].sigma), abs=1e-9
        )
