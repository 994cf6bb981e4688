"""The log and the transcript: what each may read of a match, and when."""

import pytest

from bot.model import Status
from bot.runtime.base import Refused
from engine import MatchOver, Seat
from engine.core.transcript import replay
from tests.bot.seating import ALL_GAMES, ANA, House, playing


@pytest.mark.parametrize("game", ["toy", "blue_lagoon"])
async def test_a_finished_match_shows_a_transcript_that_replays(house: House, game: str) -> None:
    room = await house.played_out(await house.started(game, people=2, computers=1))
    assert room.record.status is Status.FINISHED and playing(room).outcome is not None
    played = replay(await house.matches.transcript(room.record.id), ALL_GAMES)
    assert (played.outcome, played.seed) == (playing(room).outcome, playing(room).seed)
    assert await house.matches.of_user(ANA.id) == []
    with pytest.raises(MatchOver):
        await house.matches.pick(house.press(room, 0), "place", ("1",))
    after = await house.kept(room)
    assert after.record.status is Status.FINISHED and playing(after) == playing(room)


async def test_a_transcript_shows_what_was_played_though_the_rules_have_changed(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = await house.played_out(await house.started("blue_lagoon"))
    told = await house.matches.transcript(room.record.id)
    game = ALL_GAMES["blue_lagoon"]
    monkeypatch.setattr(type(game), "version", game.version + 1)
    monkeypatch.setattr(
        type(game), "migrations", {**game.migrations, game.version - 1: lambda raw: raw}
    )
    monkeypatch.setattr(type(game), "setup", lambda *_: pytest.fail("played again"))
    await house.restart()
    now = await house.matches.transcript(room.record.id)
    assert "\ngame blue_lagoon 1 2 " in now, (
        "the rules that it began under, and those of its positions"
    )
    unmarked = [[line.split(" = ")[0] for line in text.split("\n")[3:]] for text in (told, now)]
    assert unmarked[0] == unmarked[1]


async def test_there_is_no_transcript_before_the_end(house: House) -> None:
    room = await house.started()
    with pytest.raises(Refused, match="ended"):
        await house.matches.transcript(room.record.id)


async def test_the_log_shows_others_answers_only_when_the_match_has_ended(house: House) -> None:
    room = await house.started()
    for seat in (0, 1):
        room = (await house.turn(room, seat)).room
    seen = {
        viewer: await house.matches.log(room.record.id, viewer)
        for viewer in (None, Seat(0), Seat(1))
    }
    assert [bool(commit.answers) for commit in seen[None]] == [False, False, False]
    assert [bool(commit.answers) for commit in seen[Seat(0)]] == [False, True, False]
    assert [bool(commit.answers) for commit in seen[Seat(1)]] == [False, False, True]
    await house.played_out(room)
    log = await house.matches.log(room.record.id, None)
    assert all(commit.answers for commit in log[1:])


async def test_the_log_shows_events_as_the_asker_may_know_them(house: House) -> None:
    room = await house.started()
    entries = [
        (await house.matches.log(room.record.id, viewer))[0] for viewer in (None, Seat(0), Seat(1))
    ]
    cards = [[event.card for event in entry.events if hasattr(event, "card")] for entry in entries]
    assert cards[0] == [""] * 6
    assert (
        all(cards[1][:3]) and not any(cards[1][3:]) and not any(cards[2][:3]) and all(cards[2][3:])
    )
