"""Transcripts of finished matches, with names, verified against the database."""

import json
import re
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from bot.features.history import transcripts as telling
from bot.features.history.transcripts import Verdict
from bot.kernel import queries
from bot.kernel.room import Room, everyone_ever_seated
from bot.model import StoredCommit
from bot.runtime.base import Refused
from bot.ui import describe
from engine import Commit, snapshot
from engine.core.transcript import check
from tests.bot.backend import ALL_GAMES, ANA, BEA, Backend, match_of
from tests.bot.features.rewind.test_rewind import agree, propose_rewind
from tests.bot.features.test_seats import EVE, ask_for, offer
from tests.bot.features.votes.test_service import cast


async def play_eventful_match(backend: Backend) -> Room:
    """Play a match with its own map, a computer, a rewind and a new player to its end."""
    room = await backend.start_match("blue_lagoon", people=2, computers=1)
    for _ in range(3):
        room = (await backend.take_turn(room, match_of(room).waiting_for()[0])).room
    await agree(backend, await propose_rewind(backend, room, 1), 1)
    room = await backend.matches.find(room.record.id)
    await backend.matches.computers.wait(await backend.matches.find(room.record.id), 30)
    room = await backend.matches.find(room.record.id)
    await offer(backend, room, ANA, 0)
    await cast(backend, await ask_for(backend, room, EVE, 0), BEA, "yes")
    room = await backend.matches.find(room.record.id)
    for _ in range(2):
        room = (await backend.take_turn(room, match_of(room).waiting_for()[0])).room
    return (await backend.matches.resign(backend.press(room, 1))).room


async def test_a_transcript_names_the_players_of_each_seat_and_verifies(backend: Backend) -> None:
    room = await play_eventful_match(backend)
    text, data = await telling.export_match(backend.matches.kernel, room, describe.about(room))
    played = check(text, ALL_GAMES)
    match = match_of(room)
    assert played.match.outcome == match.outcome
    assert played.match.reseeds == match.reseeds
    assert not played.reworded
    about = played.script.about
    computer = room.record.chairs[2]
    assert [chair.name for chair in about.chairs] == ["Ana", "Bea", f"{computer.name} ⚙"]
    assert about.chairs[2].level == computer.level and f"computer p3 {computer.level} " in text
    assert [coming.name for coming in about.comings] == ["Eve"] and "\nseat p1 Eve " in text
    assert "Ana placed " in text.split("seat p1 Eve")[0]
    assert "Eve placed " in text.split("seat p1 Eve")[1]
    assert "Ana placed " not in text.split("seat p1 Eve")[1]
    assert about.match == room.record.id
    assert list(about.seals) == room.record.commitment.split()
    assert about.ended

    story = json.loads(data)
    assert story["motu"] == 2
    assert story["game"] == "blue_lagoon"
    assert story["seed"] == match.seed
    assert [move["number"] for move in story["moves"]] == list(range(match.number + 1))
    assert story["result"]["scores"] == list(match.outcome.scores)
    assert story["computers"] == [2]
    stored_commits = await backend.matches.store.read(queries.commits, room.record.id)
    answers = [move.get("answers", []) for move in story["moves"][1:]]
    assert answers == [json.loads(stored.commit)["answers"] for stored in stored_commits[1:]]

    hidden = describe.about(room, everyone_ever_seated(room.record) - {BEA.id})
    hide_names, data = await telling.export_match(backend.matches.kernel, room, hidden)
    assert "Bea" in hide_names and check(hide_names, ALL_GAMES).match.outcome == match.outcome
    assert not re.search(r"\b(Ana|Eve)\b", hide_names + data.decode()), (
        "who wants to be in no list is in no file"
    )

    verdict = await telling.verify_match(backend.matches.kernel, room)
    assert verdict.is_right
    assert verdict.moves == match.number
    assert verdict.positions == match.number + 1
    assert [fits for _, _, fits in verdict.seeds] == [True, True]
    assert verdict.rules is None


async def test_tampering_with_a_transcript_is_found_and_named(backend: Backend) -> None:
    room = await play_eventful_match(backend)
    stored_commits = await backend.matches.store.read(queries.commits, room.record.id)
    seals = room.record.commitment.split()

    def verdict(changed: list[StoredCommit] = stored_commits, seals: list[str] = seals) -> Verdict:
        return telling.verify_log(changed, ALL_GAMES, room.record.id, seals)

    def with_change(number: int, **changes: Any) -> list[StoredCommit]:
        return [
            replace(stored, **changes) if stored.number == number else stored
            for stored in stored_commits
        ]

    assert verdict().is_right
    for wrong, place in (
        ([seals[1], seals[1]], 0),
        ([seals[0], "0" * 64], 1),
        ([seals[0]], 1),
        ([*seals, "0" * 64], 2),
    ):
        found = verdict(seals=wrong)
        assert not found.is_right
        assert [fits for _, _, fits in found.seeds].index(False) == place
        assert not found.mistake
    commit = msgspec.json.decode(stored_commits[1].commit, type=Commit)
    (answer,) = commit.answers
    other = msgspec.json.encode(replace(commit, answers=(replace(answer, keys=("31",)),)))
    nowhere = msgspec.json.encode(replace(commit, answers=(replace(answer, keys=("zz",)),)))
    for changed, number, what in (
        (with_change(1, commit=other), 1, "told"),
        (with_change(1, commit=nowhere), 1, "illegal"),
        (with_change(2, events=stored_commits[1].events), 2, "told"),
        (with_change(2, snapshot=stored_commits[1].snapshot), 2, "position"),
        (with_change(0, events=stored_commits[1].events), 0, "told"),
        (stored_commits[:2] + stored_commits[3:], 2, "lost"),
    ):
        mistake = verdict(changed).mistake
        assert mistake is not None and (mistake.number, mistake.what) == (number, what)
    # Positions that were thinned out are not reported as missing.
    thinned = [
        replace(stored, snapshot=b"") if 0 < stored.number < len(stored_commits) - 1 else stored
        for stored in stored_commits
    ]
    assert verdict(thinned).is_right and verdict(thinned).positions == 2
    last = match_of(room)
    unended = replace(last, resigned=frozenset(), drafts={}, prologue=(), commits=())
    other_end = with_change(stored_commits[-1].number, snapshot=snapshot(unended))
    mistake = verdict(other_end).mistake
    assert mistake is not None and mistake.what == "other_end"


async def test_nothing_is_exported_or_verified_before_the_end(backend: Backend) -> None:
    room = await backend.start_match()
    with pytest.raises(Refused, match="when the match is over"):
        await telling.export_match(backend.matches.kernel, room, describe.about(room))
    with pytest.raises(Refused, match="when the match is over"):
        await telling.verify_match(backend.matches.kernel, room)
