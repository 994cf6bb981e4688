"""Saves: load equal, migrate version by version, and raise Malformed for anything else."""

import json
from random import Random
from typing import Any

import pytest

from engine import (
    GAMES,
    Answer,
    Decision,
    Malformed,
    Match,
    UnknownGame,
    begin,
    find_game,
    load,
    save,
    snapshot,
)
from engine.core.save import FORMAT, decode_events, encode_events
from tests.contract.games import ALL, new_match
from tests.contract.player import play_out
from tests.toy import TOY
from tests.toy.events import BidSealed
from tests.toy.game import Reef
from tests.toy.scenes import P1, P2, P3, bidding, draft_text, pick


def some_match(game_id: str = "toy") -> Match:
    """Return a running match with a draft and, if there is room, a computer and a leaver."""
    game = ALL[game_id]
    crowded = 4 in game.seats
    match = begin(
        game, 4 if crowded else 2, seed="save", computers=frozenset({P3} if crowded else ())
    )
    match = play_out(match, Random(4), commits=6)
    match = match.resign(P2) if crowded else match
    asked = next(d for seat in match.waiting_for() for d in match.decisions(seat) if d.blocking)
    return match if match.drafts else match.pick(answer_to(asked))


def answer_to(decision: Decision) -> Answer:
    """Return the first legal answer."""
    keys = tuple(option.key for option in decision.options[: max(1, decision.at_least)])
    return Answer(decision.seat, decision.kind, keys)


@pytest.mark.parametrize("game_id", ALL)
def test_a_loaded_match_is_equal_in_everything(game_id: str) -> None:
    match = some_match(game_id)
    again = load(save(match), ALL)
    assert again == match
    assert again.commits == match.commits
    assert again.prologue == match.prologue
    assert (again.resigned, again.computers) == (match.resigned, match.computers)
    assert load(save(match).decode(), ALL) == match


def test_a_snapshot_does_not_grow_with_the_match() -> None:
    match = new_match("toy", 2)
    sizes = [len(snapshot(play_out(match, Random(1), commits=n))) for n in (2, 10)]
    assert sizes[1] < sizes[0] * 1.3


def test_only_the_snapshot_is_without_history() -> None:
    match = some_match()
    assert load(save(match), ALL).number == len(load(save(match), ALL).commits) == 7
    bare = load(snapshot(match), ALL)
    assert (bare.number, bare.commits, bare.events) == (7, (), ())


@pytest.mark.parametrize("game_id", ALL)
def test_a_save_cut_anywhere_is_malformed(game_id: str) -> None:
    data = snapshot(some_match(game_id))
    for size in range(len(data)):
        with pytest.raises(Malformed):
            load(data[:size], ALL)


@pytest.mark.parametrize(
    "data",
    [b"", b"null", b"[]", b"{}", b'"motu"', b"\xff\xfe", b"[" * 100_000, "ā", b'{"motu":"1"}'],
)
def test_a_text_that_is_not_a_save_is_malformed(data: bytes | str) -> None:
    with pytest.raises(Malformed):
        load(data, ALL)


def changed(**changes: Any) -> bytes:
    """Return a save with some fields replaced."""
    raw = json.loads(save(some_match()))
    raw.update(changes)
    return json.dumps(raw).encode()


@pytest.mark.parametrize(
    "changes",
    [
        {"motu": FORMAT + 1},
        {"motu": 0},
        {"game": "chess"},
        {"game": None},
        {"game": ["toy"]},
        {"version": TOY.version + 1},
        {"version": 0},
        {"version": "1"},
        {"seats": 9},
        {"seats": 2},
        {"settings": [["rounds", "9"]]},
        {"settings": [["winds", "on"]]},
        {"draws": -1},
        {"draws": 2**70},
        {"number": 1},
        {"number": -1},
        {"answered": [1]},
        {"answered": [1, 2, 3, -4]},
        {"base": {}},
        {"base": None},
        {"commits": []},
        {"events": [[]]},
        {"prologue": [{"type": "Sunk"}]},
        {"resigned": [4]},
        {"resigned": [-1]},
        {"computers": [7]},
        {"drafts": {"x": []}},
        {"drafts": {"9": []}},
        {"drafts": {"0": [{"seat": 1, "kind": "dive", "keys": ["a1"]}]}},
        {"drafts": []},
    ],
    ids=str,
)
def test_a_save_that_does_not_add_up_is_malformed(changes: dict[str, Any]) -> None:
    load(changed(), ALL)
    with pytest.raises(Malformed):
        load(changed(**changes), ALL)


@pytest.mark.parametrize("game_id", ALL)
def test_a_mutated_save_loads_or_is_malformed_and_nothing_else(game_id: str) -> None:
    rng = Random(game_id)
    good = json.loads(save(some_match(game_id)))
    malformed = 0
    for _ in range(1500):
        try:
            load(json.dumps(mutated(good, rng)), ALL)
        except Malformed:
            malformed += 1
    assert malformed > 700


def mutated(value: Any, rng: Random) -> Any:
    """Return the JSON with one random value replaced, removed or duplicated."""
    if isinstance(value, dict) and value and rng.random() < 0.93:
        key = rng.choice(list(value))
        if rng.random() < 0.05:
            return {other: kept for other, kept in value.items() if other != key}
        return {**value, key: mutated(value[key], rng)}
    if isinstance(value, list) and value and rng.random() < 0.93:
        place = rng.randrange(len(value))
        if rng.random() < 0.1:
            return value[:place] + value[place + 1 :]
        return [*value[:place], mutated(value[place], rng), *value[place + 1 :]]
    return rng.choice(
        [None, True, -1, 0, 3, 10**30, 1.5, "", "x", "a1", [], {}, [[]], {"type": "Dive"}, 1 << 200]
    )


def test_flipped_bytes_load_or_are_malformed_and_nothing_else() -> None:
    rng = Random("bytes")
    good = snapshot(some_match())
    for _ in range(1500):
        data = bytearray(good)
        data[rng.randrange(len(data))] = rng.randrange(256)
        try:
            load(bytes(data), ALL)
        except Malformed:
            continue


def test_a_position_with_an_unanswerable_question_is_malformed() -> None:
    raw = json.loads(save(begin(GAMES["blue_lagoon"], 2)))
    raw["base"]["sides"][0] |= {"settlers_left": 0, "villages_left": 0}
    with pytest.raises(Malformed, match="nobody can answer"):
        load(json.dumps(raw))


def test_an_illegal_draft_is_cut_and_its_owner_told() -> None:
    raw = json.loads(save(pick(bidding("c1 c2", "c3"), P1, "c1+c2")))
    raw["drafts"]["0"][0]["keys"] = ["c1", "c12"]
    match = load(json.dumps(raw), ALL)
    assert draft_text(match, P1) == ""
    assert match.cut == {P1}


class Older(Reef):
    """Reef as a program of an older version knows it."""

    def __init__(self, version: int) -> None:
        self.version = version


def old_save(version: int) -> dict[str, Any]:
    """Return a save as version 1 or 2 wrote it."""
    raw: dict[str, Any] = json.loads(save(some_match()))
    raw["version"] = version
    del raw["base"]["discard"]
    if version == 1:
        for side in raw["base"]["sides"]:
            side["score"] = side.pop("points")
    return raw


def test_an_old_save_is_upgraded_one_version_at_a_time() -> None:
    match = some_match()
    for version in (1, 2):
        upgraded = load(json.dumps(old_save(version)), ALL)
        assert [side.points for side in upgraded.base.sides] == [
            side.points for side in match.base.sides
        ]
        assert upgraded.base.discard == ()
        assert upgraded.commits == match.commits


def test_the_migrations_run_in_order_from_the_saves_own_version() -> None:
    ran: list[int] = []

    def noting(version: int) -> Any:
        return lambda raw: ran.append(version) or TOY.migrations[version](raw)

    game = Reef()
    game.migrations = {1: noting(1), 2: noting(2)}
    load(json.dumps(old_save(1)), {"toy": game})
    assert ran == [1, 2]
    ran.clear()
    load(json.dumps(old_save(2)), {"toy": game})
    assert ran == [2]
    ran.clear()
    load(save(some_match()), {"toy": game})
    assert ran == []


def test_a_version_without_a_migration_is_malformed() -> None:
    game = Reef()
    game.migrations = {2: TOY.migrations[2]}
    with pytest.raises(Malformed, match="can't be upgraded"):
        load(json.dumps(old_save(1)), {"toy": game})


def test_a_migration_that_fails_is_malformed() -> None:
    raw = old_save(1)
    del raw["base"]["sides"][0]["score"]
    with pytest.raises(Malformed, match="damaged"):
        load(json.dumps(raw), ALL)


def test_a_save_of_a_newer_program_says_so() -> None:
    with pytest.raises(Malformed, match=r"version 3 of Reef, but .* reads 1 to 2"):
        load(save(some_match()), {"toy": Older(2)})


def test_events_are_stored_on_their_own() -> None:
    events = some_match().events
    assert decode_events(TOY, encode_events(events), TOY.version) == events
    assert decode_events(TOY, encode_events((BidSealed(P1),)), 1) == (BidSealed(P1),)


@pytest.mark.parametrize(
    "data",
    ["", "{", "3", '{"type":"BidSealed"}', '[{"type":"Sunk"}]', "[[]]", b"\xff", "[" * 99_999],
)
def test_damaged_events_are_malformed(data: str | bytes) -> None:
    with pytest.raises(Malformed):
        decode_events(TOY, data, TOY.version)
    with pytest.raises(Malformed):
        decode_events(TOY, "[]", TOY.version + 1)


def test_a_game_of_another_catalog_is_unknown() -> None:
    with pytest.raises(Malformed, match="unknown game: 'toy'"):
        load(save(some_match()), GAMES)
    with pytest.raises(UnknownGame, match="one of these: blue_lagoon"):
        find_game("toy")
