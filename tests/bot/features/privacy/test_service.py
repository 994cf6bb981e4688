"""Export and deletion of a person's data, down to the bytes of the database."""

import asyncio
import json
import time
from pathlib import Path
from typing import Any

import msgspec
import pytest

from bot.features.privacy import queries as personal
from bot.features.privacy.service import FORGET, SCRUB
from bot.features.ratings import queries as rating_queries
from bot.features.reminders.player_settings import ReminderLevel, note_welcomed
from bot.features.seats import OFFER
from bot.kernel import queries
from bot.kernel.room import Press, Room
from bot.model import Pace, Person, Place, Status, Terms, TimeTerms
from bot.runtime.base import Refused
from bot.store.backup import make_hourly
from bot.ui.describe import plain_names
from engine import Seat
from engine.core.transcript import replay
from engine.players.simple import stand_in
from tests.bot.backend import ALL_GAMES, Backend, match_of
from tests.bot.intercept import Run, intercept

ZOE = Person(481516234210815163, "Zoëlla Quist")
BEN = Person(712839405716283941, "Benedek")
KIM = Person(812839405716283942, "Kimiko")
LEE = Person(912839405716283943, "Leena")
SERVER, CHANNEL, DIRECT = 612839405716283944, 612839405716283945, 612839405716283946


def traces(path: Path, person: Person = ZOE) -> list[str]:
    """Return the forms in which a person is found in the database and its log."""
    number, name = person.id, person.name
    varint = [number & 127]
    while number := number >> 7:
        varint.insert(0, number & 127 | 128)
    forms = {
        "text": str(person.id).encode(),
        "hex": b"%x" % person.id,
        "big endian": person.id.to_bytes(8, "big"),
        "little endian": person.id.to_bytes(8, "little"),
        "varint": bytes(varint),
        "msgpack": msgspec.msgpack.encode(person.id),
        "name": name.encode(),
        "name in JSON": json.dumps(name)[1:-1].encode(),
        "wide name": name.encode("utf-16-le"),
    }
    files = [file for file in path.parent.iterdir() if file.name.startswith(path.name)]
    assert files
    return [
        f"{form} in {file.name}"
        for file in files
        for form, data in forms.items()
        if data in file.read_bytes()
    ]


async def start_match(
    backend: Backend, *people: Person, game: str = "blue_lagoon", guild: int = SERVER, **terms: Any
) -> Room:
    """Start a match of these people."""
    place = Place(guild, CHANNEL if guild else DIRECT, wants_thread=False)
    computers = ("easy",) if len(people) == 1 else ()
    room = await backend.matches.open_lobby(
        game, {}, place, people[0], computers=computers, terms=Terms(**terms)
    )
    for person in people[1:]:
        await backend.matches.join(room.record.id, person)
    return await backend.matches.start(room.record.id, people[0])


async def play_turns(backend: Backend, room: Room, turns: int = 400) -> Room:
    """Play some turns, or all until the end."""
    for _ in range(turns):
        if room.record.status is not Status.RUNNING or not match_of(room).humans():
            break
        seat = next(
            seat for seat in match_of(room).waiting_for() if seat in match_of(room).humans()
        )
        press = backend.press(room, seat)
        room = (
            await backend.matches.play(press, lambda now, seat: [stand_in(match_of(now), seat)])
        ).room
    return room


async def pass_vote(
    backend: Backend, room: Room, by: Person, kind: str, facts: dict[str, Any], *others: Person
) -> None:
    """Pass a vote unanimously."""
    vote = await backend.matches.votes.propose(
        room.record.id, by, kind, facts, next(backend.interactions)
    )
    for person in others:
        await backend.matches.votes.cast(
            room.record.id, vote.number, person.id, "yes", next(backend.interactions)
        )


async def ratings(backend: Backend) -> dict[str, Any]:
    """Return the ratings of everybody but Zoe."""
    await backend.matches.standing.wait_until_rated()
    store = backend.matches.store
    found = {
        person.name: (await store.read(personal.own_rows, person.id)) for person in (BEN, KIM, LEE)
    }
    return {name: (rows["ratings"], rows["results"]) for name, rows in found.items()}


async def live_everywhere(backend: Backend) -> dict[str, Room]:
    """Put Zoe into finished, running and lost matches, lobbies, votes, notes and settings."""
    matches = backend.matches
    rooms = {"over": await play_turns(backend, await start_match(backend, ZOE, BEN, KIM))}
    rooms["alone"] = await play_turns(backend, await start_match(backend, ZOE, guild=0), 3)
    # Sent away by the others: a computer plays on under her name.
    sent = await play_turns(backend, await start_match(backend, BEN, ZOE, KIM), 4)
    await pass_vote(backend, sent, BEN, "remove", {"seat": 1}, KIM)
    rooms["sent away"] = await matches.find(sent.record.id)
    clock = TimeTerms(pace=Pace.STEADY)
    running = await play_turns(
        backend, await start_match(backend, ZOE, BEN, KIM, time=clock, hints=(ZOE.id,)), 5
    )
    await matches.notes.write(running, ZOE.id, "Ben is up to something")
    await matches.notes.write(running, BEN.id, "keep an eye on the north")
    await matches.seats.offer(running, ZOE, Seat(0), next(backend.interactions))
    await matches.votes.propose(running.record.id, KIM, "pause", {}, next(backend.interactions))
    await matches.votes.cast(running.record.id, 2, ZOE.id, "no", next(backend.interactions))
    while match_of(running).waiting_for() != (0,):
        running = await play_turns(backend, running, 1)
    rooms["running"] = (await backend.pick(running, 0)).room
    rooms["lobby"] = await matches.open_lobby("maori", {}, Place(SERVER, CHANNEL), ZOE)
    rooms["joined"] = await matches.join(
        (await matches.open_lobby("maori", {}, Place(SERVER, CHANNEL), BEN)).record.id, ZOE
    )
    rooms["rematch"] = await matches.rematch(rooms["over"].record.id, BEN)
    # A seat that she asks for.
    other = await start_match(backend, BEN, KIM, LEE)
    await matches.seats.offer(other, LEE, Seat(2), next(backend.interactions))
    await matches.seats.ask_for(other, ZOE, Seat(2), next(backend.interactions))
    rooms["asked"] = await matches.find(other.record.id)
    await matches.pings.change_settings(ZOE.id, level=ReminderLevel.DIGEST, channel=DIRECT)
    await matches.store.write(note_welcomed, ZOE.id)
    await matches.vacations.begin(ZOE.id, 3, 0, next(backend.interactions))
    await matches.store.write(queries.put_player_setting, ZOE.id, "hidden", "1")
    return rooms


async def test_a_person_s_export_holds_all_their_data_and_nothing_of_others(
    backend: Backend,
) -> None:
    rooms = await live_everywhere(backend)
    told = await backend.matches.privacy.export(ZOE.id)
    known = {one["match"]: one for one in told["matches"]}
    assert set(known) == {room.record.id for room in rooms.values()}
    over = known[rooms["over"].record.id]
    running = known[rooms["running"].record.id]
    made = [
        commit
        for commit in await backend.matches.log(rooms["over"].record.id, None)
        if commit.answers and not commit.seat
    ]
    assert [move["answers"] for move in over["moves"]] == [
        [[a.kind, *a.keys] for a in commit.answers] for commit in made
    ]
    assert over["seat"] == 1
    assert over["name"] == ZOE.name
    assert over["host"]
    assert over["game"] == "blue_lagoon"
    assert running["draft"] and running["clock"]["bank"] and running["agreed_to_hints"]
    offered = {"number": 1, "kind": OFFER, "asked": True, "said": ""}
    assert running["votes"] == [
        offered,
        {"number": 2, "kind": "pause", "asked": False, "said": "no"},
    ]
    assert known[rooms["sent away"].record.id]["seats_had"][0]["name"] == ZOE.name
    assert known[rooms["rematch"].record.id]["awaited_for_a_rematch"]
    assert told["settings"]["calls"]["level"] == "digest"
    assert told["settings"]["calls"]["channel"] == str(DIRECT)
    assert {"vacation", "hidden", "welcomed"} <= set(told["settings"])
    assert told["notes"] == [
        {
            "match_id": rooms["running"].record.id,
            "user_id": str(ZOE.id),
            "note": "Ben is up to something",
        }
    ]
    assert [(result["match"], result["seat"]) for result in told["results"]] == [
        (rooms["over"].record.id, 0)
    ]
    assert told["ratings"] and told["jobs"] and told["user"] == str(ZOE.id)
    text = msgspec.json.encode(told).decode()
    seeds = [match_of(room).seed for room in rooms.values() if room.match is not None]
    for secret in (BEN.name, KIM.name, str(BEN.id), "eye on the north", *seeds):
        assert secret not in text


async def test_a_deleted_person_is_in_no_byte_and_others_keep_their_matches(
    backend: Backend,
) -> None:
    rooms = await live_everywhere(backend)
    matches, over = backend.matches, rooms["over"].record.id
    assert {form.split(" in ")[0] for form in traces(backend.path)} >= {
        "text",
        "big endian",
        "name",
    }
    told, film = await matches.transcript(over), await matches.commits(over)
    rated = await ratings(backend)
    copy = await asyncio.to_thread(make_hourly, backend.path, 3, time.time())
    assert traces(copy)
    left = await matches.privacy.delete(ZOE.id)
    assert [len(seats) for seats in (left.running, left.lobbies, left.awaited)] == [2, 2, 1]
    assert traces(backend.path) == [] == traces(backend.path, Person(DIRECT, ZOE.name)), (
        "nor where one could write to her"
    )
    assert traces(copy) == [], "nor in the copies that the bot makes by itself"
    assert await ratings(backend) == rated
    assert await matches.transcript(over) == told
    assert replay(told, ALL_GAMES).outcome == match_of(rooms["over"]).outcome
    room = await matches.find(over)
    assert await matches.commits(over) == film
    assert plain_names(room) == ("a former player", "Benedek", "Kimiko")
    assert room.record.chairs[0].id < 0
    # The others play on; nobody waits for her.
    running = await matches.find(rooms["running"].record.id)
    assert running.record.host == BEN.id and 0 in match_of(running).resigned
    running = await play_turns(backend, running)
    assert running.record.status is Status.FINISHED
    assert (await matches.find(rooms["lobby"].record.id)).record.status is Status.CANCELLED
    assert [
        chair.name for chair in (await matches.find(rooms["joined"].record.id)).record.chairs
    ] == ["Benedek"]
    assert ZOE.id not in (await matches.find(rooms["rematch"].record.id)).record.seating
    assert await matches.votes.find_open(rooms["asked"].record.id, "replace") == []
    assert plain_names(await matches.find(rooms["sent away"].record.id))[1] == "a former player ⚙"
    # She comes back as somebody new: her old buttons are a stranger's.
    with pytest.raises(Refused, match="don't have a seat"):
        await matches.play(Press(over, ZOE.id, next(backend.interactions)), lambda room, seat: [])
    known = await matches.privacy.export(ZOE.id)
    assert not any(
        known[what]
        for what in ("settings", "matches", "notes", "results", "ratings", "reminders", "jobs")
    )
    assert await matches.store.write(note_welcomed, ZOE.id)
    await backend.matches.store.write(queries.put_player_setting, ZOE.id, "welcomed", None)
    # Recomputing the ratings gives the same result.
    before = await ratings(backend)
    await backend.restart()
    await backend.matches.standing.recompute(lambda done: None)
    assert await ratings(backend) == before
    await backend.matches.close()
    assert traces(backend.path) == []


@pytest.mark.parametrize("step", ["forget_in", "forget_rows", "scrub"])
async def test_an_interrupted_deletion_is_finished_after_a_restart(
    backend: Backend, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    over = await play_turns(backend, await start_match(backend, ZOE, BEN, KIM))
    running = await play_turns(backend, await start_match(backend, BEN, ZOE), 3)
    store = backend.matches.store

    async def stop(*_: Any) -> None:
        raise asyncio.CancelledError

    if step == "scrub":
        monkeypatch.setattr(store, "scrub", stop)
    else:
        intercept(monkeypatch, getattr(personal, step), stop, store)
    with pytest.raises(asyncio.CancelledError):
        await backend.matches.privacy.delete(ZOE.id)
    await backend.restart()
    await backend.advance(3600)
    assert traces(backend.path) == []
    for room in (over, running):
        assert "a former player" in plain_names(await backend.matches.find(room.record.id))
    assert not await backend.matches.store.read(queries.find_job, SCRUB)
    rows = await backend.matches.store.read(personal.own_rows, over.record.chairs[0].id)
    assert not [row for row in rows["jobs"] if row["kind"] == FORGET]


async def test_a_match_that_is_rated_during_a_deletion_does_not_stop_it(
    backend: Backend, monkeypatch: pytest.MonkeyPatch
) -> None:
    await play_turns(backend, await start_match(backend, ZOE, BEN))
    await backend.matches.standing.wait_until_rated()
    running = await play_turns(backend, await start_match(backend, ZOE, BEN), 3)
    has_forgotten = asyncio.Event()

    async def rate_late(run: Run, *_: Any) -> Any:
        await has_forgotten.wait()
        return await run()

    async def forget_after_rating(run: Run, *_: Any) -> Any:
        # By now the match that Zoe resigned from names the former player.
        has_forgotten.set()
        await backend.matches.standing.wait_until_rated()
        return await run()

    intercept(monkeypatch, rating_queries.rate_next, rate_late)
    intercept(monkeypatch, personal.forget_rows, forget_after_rating)
    await backend.matches.privacy.delete(ZOE.id)
    assert traces(backend.path) == []
    assert "a former player" in plain_names(await backend.matches.find(running.record.id))


async def test_deleting_an_unknown_person_or_deleting_twice_is_harmless(backend: Backend) -> None:
    room = await play_turns(backend, await start_match(backend, BEN, KIM), 3)
    for _ in range(2):
        left = await backend.matches.privacy.delete(ZOE.id)
        assert (left.running, left.lobbies, left.awaited) == ((), (), ())
    # Twice at once, and while the data is still being exported.
    privacy = backend.matches.privacy
    await play_turns(backend, await start_match(backend, ZOE, BEN), 3)
    told, *_ = await asyncio.gather(
        privacy.export(ZOE.id), privacy.delete(ZOE.id), privacy.delete(ZOE.id)
    )
    assert told["user"] == str(ZOE.id) and traces(backend.path) == []
    assert not (await privacy.export(ZOE.id))["matches"]
    assert match_of(await backend.matches.find(room.record.id)) == match_of(room)
