"""A bot with several shards, and lost claims."""

import asyncio
from pathlib import Path
from random import Random
from typing import Any

import pytest

from bot.kernel import queries
from bot.kernel.room import Press
from bot.local.interactions import DEFER
from bot.local.model import EPHEMERAL
from bot.runtime.base import StoreError
from bot.store.sqlite import SqliteStore
from bot.text import say
from render.sample import play_random_turn
from tests.bot.intercept import Run, intercept
from tests.bot.world import open_world
from tests.patience import PATIENCE


class Counter:
    """A rate limit that never waits."""

    taken = 0

    async def take(self) -> None:
        """Count a request."""
        self.taken += 1


async def test_two_shards_serve_their_servers_and_direct_messages(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_world(tmp_path, monkeypatch) as world:
        await world.stop()
        state, gateway = world.discord.state, world.discord.gateway
        state.advised_shards = 2
        places: list[Any] = [
            state.add_channel(f"games-{n}", state.add_guild(n, shards=2)) for n in (0, 1)
        ]
        await world.start()
        await world.discord.until(lambda: len(gateway.sessions) == 2, about="both shards")
        assert [place.guild >> 22 & 1 for place in places] == [0, 1]
        for place in places:
            opened = await world.ana.slash(
                "/game new", channel=place, game="blue_lagoon", settings="first=1"
            )
            await world.bea.click(opened, label="Join")
            await world.ana.click(opened, label="Start")
        await world.wait_until_posted()
        rooms = await world.matches.of_user(world.ana.id)
        assert {room.record.place.guild for room in rooms} == {place.guild for place in places}
        resumed = gateway.resumed
        (second,) = [session for session in gateway.sessions.values() if session.shard == 1]
        assert second.link is not None
        second.link.cut()
        await world.discord.until(lambda: gateway.resumed > resumed, about="the second shard")
        for room in rooms:
            assert (await world.play(world.ana, room, "17!")).content.startswith("Done.")
        # All requests to Discord are counted, except answers to presses.
        counter, before = Counter(), len(world.discord.rest.requests)
        monkeypatch.setattr(world.bot.http, "budget", counter)
        await world.bea.slash(
            "/play", channel=world.place(rooms[0]), move="14!", match=rooms[0].record.id
        )
        await world.wait_until_posted()
        asked = [one.path for one in list(world.discord.rest.requests)[before:]]
        assert counter.taken >= len([path for path in asked if path.startswith("/channels/")]) > 0
        assert counter.taken < len(asked)
        private = world.discord.dm(world.ana)
        assert "Blue Lagoon" in (await world.ana.slash("/games", channel=private)).content


class Losing:
    """A store whose shards the test takes away and gives back."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.is_sure, self.doubted = True, asyncio.Event()
        self.lost, self.back = asyncio.Event(), asyncio.Event()
        for name in ("confirm_claim", "wait_until_claim_lost", "regain_claim"):
            monkeypatch.setattr(SqliteStore, name, staticmethod(getattr(self, name)))

    async def confirm_claim(self) -> bool:
        if not self.is_sure:
            self.doubted.set()
        return self.is_sure

    async def wait_until_claim_lost(self) -> None:
        await self.lost.wait()

    async def regain_claim(self) -> None:
        await self.back.wait()
        self.lost.clear()
        self.is_sure = True


async def test_a_bot_that_may_have_lost_its_shards_goes_silent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shards = Losing(monkeypatch)
    async with open_world(tmp_path, monkeypatch) as world:
        room = await world.start_match()
        posted = len(world.boards(room))
        request_count = len(world.discord.rest.requests)
        shards.is_sure = False
        unheard = await world.ana.slash(
            "/play", channel=world.place(room), move="17!", match=room.record.id, wait="nothing"
        )
        await asyncio.wait_for(shards.doubted.wait(), PATIENCE)
        shards.lost.set()
        await world.discord.wait_until_disconnected()
        world.matches.outbox.poke(room.record.id)
        await asyncio.sleep(0.1)
        assert len(world.discord.rest.requests) == request_count and not unheard.acknowledged
        resumed = world.discord.gateway.resumed
        shards.back.set()
        await world.discord.until(lambda: world.discord.gateway.resumed > resumed)
        assert (await world.play(world.ana, room, "17!")).content.startswith("Done.")
        await world.wait_until_posted()
        assert len(world.boards(room)) == posted + 1


async def test_a_bot_that_cannot_watch_its_shards_exits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def fail(self: SqliteStore) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(SqliteStore, "wait_until_claim_lost", fail)
    async with open_world(tmp_path, monkeypatch) as world:
        await asyncio.wait_for(world.bot.claim.failed.wait(), PATIENCE)
        assert world.bot.claim.failure.startswith("Lost shards couldn't be taken back: see error ")
        assert "ZeroDivisionError" in caplog.text


async def test_acknowledged_interactions_are_answered_after_leaving_the_gateway(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shards = Losing(monkeypatch)
    async with open_world(tmp_path, monkeypatch) as world:
        room = await world.start_match()
        play, connected = world.matches.play, []

        async def losing(*given: Any, **options: Any) -> Any:
            update = await play(*given, **options)
            shards.is_sure = False
            shards.lost.set()
            return update

        def look(kind: str, subject: Any) -> None:
            if kind == "request" and "/webhooks/" in subject.path:
                connected.append(world.discord.gateway.connected)

        world.discord.state.listeners.append(look)
        monkeypatch.setattr(world.matches.play_service, "play", losing)
        world.waits_for_all = False
        assert (await world.play(world.ana, room, "17!")).content.startswith("Done.")
        assert connected == [False]


async def test_a_move_saved_in_doubt_is_confirmed_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.ui.reply.SAVED_CHECK_SECONDS", (0.0, 0.0))
    async with open_world(tmp_path, monkeypatch) as world:
        room = await world.start_match()
        with monkeypatch.context() as once:

            async def lose_answer(run: Run, *_: Any, **__: Any) -> None:
                await run()
                once.undo()
                raise StoreError("database.in_doubt")

            intercept(once, queries.write_change, lose_answer)
            answer = await world.play(world.ana, room, "17!")
        assert answer.content.startswith(say("database.in_doubt"))
        await answer.until(lambda answer: bool(answer.followups))
        (told,) = answer.followups
        assert told.ephemeral and told.content == say("database.was_saved")
        room = await world.matches.find(room.record.id)
        assert room.playing().number == 1
        # The user is told nothing of a press that was not saved: another process may handle it.
        with monkeypatch.context() as unreachable:
            intercept(unreachable, queries.write_change, fail)
            answer = await world.play(world.bea, room, "14!")
        assert answer.content.startswith(say("database.unreachable"))
        await asyncio.sleep(0.1)
        assert answer.followups == []
        assert (await world.matches.find(room.record.id)).playing().number == 1


async def fail(*_: Any, **__: Any) -> None:
    """Fail like an unreachable store."""
    raise StoreError("database.unreachable")


async def test_a_press_applied_by_another_process_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.ui.reply.SAVED_CHECK_SECONDS", (0.0, 0.0))
    async with open_world(tmp_path, monkeypatch) as world:
        room = await world.start_match()
        find = world.matches.find

        async def carried_out_elsewhere(match: str) -> Any:
            presses = [
                one for one in world.discord.interactions.by_token.values() if one.answer == DEFER
            ]
            monkeypatch.setattr(world.bot.kernel.matches, "find", find)
            (press,) = presses
            turn = Press(room.record.id, world.ana.id, press.id)
            await world.matches.play(
                turn, lambda room, seat: [play_random_turn(room.playing(), seat, Random(1))]
            )
            raise StoreError("database.unreachable")

        # From here on the bot is idle, so nothing else looks for the match.
        world.discord.interactions.by_token.clear()
        monkeypatch.setattr(world.bot.kernel.matches, "find", carried_out_elsewhere)
        answer = await world.play(world.ana, room, "17!")
        assert answer.content == say("database.unreachable")
        await answer.until(lambda answer: bool(answer.followups))
        assert answer.followups[0].content == say("database.was_saved")


async def test_a_failure_does_not_overwrite_another_process_s_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_world(tmp_path, monkeypatch) as world:
        room = await world.start_match()
        interactions = world.discord.interactions
        interactions.by_token.clear()

        async def answered_elsewhere(match: str) -> Any:
            (press,) = interactions.by_token.values()
            interactions.edit(press, "@original", {"content": "Done."}, {})
            raise StoreError("database.unreachable")

        with monkeypatch.context() as patched:
            patched.setattr(world.bot.kernel.matches, "find", answered_elsewhere)
            world.waits_for_all = False
            answer = await world.play(world.ana, room, "17!")
            await answer.until(lambda answer: bool(answer.followups))
        assert answer.content == "Done."
        (told,) = answer.followups
        assert told.ephemeral and told.content == say("database.unreachable")


async def test_a_busy_bot_ignores_presses_that_another_acknowledged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_world(tmp_path, monkeypatch) as world:
        room = await world.start_match()
        monkeypatch.setattr("bot.ui.reply.MAX_CONCURRENT_INTERACTIONS", 0)
        turn = {"channel": world.place(room), "move": "17!", "match": room.record.id}
        answer = await world.ana.slash("/play", wait="nothing", **turn)
        made = answer.interaction
        world.discord.interactions.respond(
            made.id, made.token, {"type": DEFER, "data": {"flags": EPHEMERAL}}, {}
        )
        # The next press is answered after this one.
        refused = await world.ana.slash("/play", **turn)
        assert refused.content == say("refusal.busy")
        assert answer.thinking and answer.followups == []
        # A press that was refused as busy is not applied when Discord repeats it.
        monkeypatch.setattr("bot.ui.reply.MAX_CONCURRENT_INTERACTIONS", 100)
        world.discord.interactions.redeliver(refused.interaction)
        await refused.until(lambda refused: not refused.content.startswith(say("refusal.busy")))
        assert (await world.matches.find(room.record.id)).playing().number == 0
