"""The log and the transcript: who may read what, and when."""

import pytest

from bot.model import Status
from bot.runtime.base import Refused
from engine import MatchOver, Seat
from engine.core.transcript import replay
from tests.bot.backend import ALL_GAMES, ANA, Backend, match_of


@pytest.mark.parametrize("game", ["toy", "blue_lagoon"])
async def test_a_finished_match_shows_a_transcript_that_replays(
    backend: Backend, game: str
) -> None:
    room = await backend.play_out(await backend.start_match(game, people=2, computers=1))
    assert room.record.status is Status.FINISHED and match_of(room).outcome is not None
    played = replay(await backend.matches.transcript(room.record.id), ALL_GAMES)
    assert played.outcome == match_of(room).outcome
    assert played.seed == match_of(room).seed
    assert await backend.matches.of_user(ANA.id) == []
    with pytest.raises(MatchOver):
        await backend.matches.pick(backend.press(room, 0), "place", ("1",))
    after = await backend.reopen(room)
    assert after.record.status is Status.FINISHED and match_of(after) == match_of(room)


async def test_a_transcript_shows_the_moves_played_even_if_the_rules_changed(
    backend: Backend, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = await backend.play_out(await backend.start_match("blue_lagoon"))
    told = await backend.matches.transcript(room.record.id)
    game = ALL_GAMES["blue_lagoon"]
    monkeypatch.setattr(type(game), "version", game.version + 1)
    monkeypatch.setattr(
        type(game), "migrations", {**game.migrations, game.version - 1: lambda raw: raw}
    )
    monkeypatch.setattr(type(game), "setup", lambda *_: pytest.fail("played again"))
    await backend.restart()
    now = await backend.matches.transcript(room.record.id)
    assert "\ngame blue_lagoon 1 2 " in now, (
        "the rules that it began under, and those of its positions"
    )
    unmarked = [[line.split(" = ")[0] for line in text.split("\n")[3:]] for text in (told, now)]
    assert unmarked[0] == unmarked[1]


async def test_there_is_no_transcript_before_the_end(backend: Backend) -> None:
    room = await backend.start_match()
    with pytest.raises(Refused, match="is over"):
        await backend.matches.transcript(room.record.id)


async def test_the_log_shows_secret_answers_of_others_only_after_the_end(backend: Backend) -> None:
    room = await backend.start_match()
    for seat in (0, 1):
        room = (await backend.take_turn(room, seat)).room
    seen = {
        viewer: await backend.matches.log(room.record.id, viewer)
        for viewer in (None, Seat(0), Seat(1))
    }
    assert [bool(commit.answers) for commit in seen[None]] == [False, False, False]
    assert [bool(commit.answers) for commit in seen[Seat(0)]] == [False, True, False]
    assert [bool(commit.answers) for commit in seen[Seat(1)]] == [False, False, True]
    await backend.play_out(room)
    log = await backend.matches.log(room.record.id, None)
    assert all(commit.answers for commit in log[1:])


async def test_the_log_hides_events_that_the_reader_may_not_know(backend: Backend) -> None:
    room = await backend.start_match()
    entries = [
        (await backend.matches.log(room.record.id, viewer))[0]
        for viewer in (None, Seat(0), Seat(1))
    ]
    cards = [[event.card for event in entry.events if hasattr(event, "card")] for entry in entries]
    assert cards[0] == [""] * 6
    assert all(cards[1][:3])
    assert not any(cards[1][3:])
    assert not any(cards[2][:3])
    assert all(cards[2][3:])
