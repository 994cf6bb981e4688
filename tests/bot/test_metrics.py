"""Health and metrics, without names."""

import asyncio
import re
from pathlib import Path

import aiohttp
import pytest

from bot.local import LocalDiscord
from bot.metrics import Metrics, serving
from bot.run.config import BadConfig, read_config
from bot.runtime import logs
from bot.runtime.base import StoreError
from tests.bot.test_main import run, start
from tests.bot.world import World
from tests.patience import PATIENCE


async def asked(port: int, what: str) -> tuple[int, str]:
    async with (
        aiohttp.ClientSession() as session,
        session.get(f"http://127.0.0.1:{port}/{what}") as answer,
    ):
        return answer.status, await answer.text()


def value(told: str, line: str) -> float:
    found = re.search(rf"^{re.escape(line)} (\S+)$", told, re.MULTILINE)
    assert found, f"no {line} in:\n{told}"
    return float(found[1])


async def test_metrics_count_actions_and_name_nobody(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(logs, "listeners", [])
    metrics = Metrics(world.bot)
    async with serving("127.0.0.1", 0, metrics) as port:
        room = await world.start_match()
        await world.ana.slash("/play", channel=world.place(room), move="17!")
        await world.bea.slash("/play", channel=world.place(room), match="zzzz")
        status, told = await asked(port, "metrics")
        assert status == 200
        assert value(told, 'motu_press_seconds_count{outcome="done",what="/play"}') == 1
        assert value(told, 'motu_press_seconds_count{outcome="refused",what="/play"}') == 1
        assert value(told, "motu_post_seconds_count") >= 2
        assert value(told, "motu_draw_seconds_count") >= 2
        assert value(told, 'motu_store_seconds_count{kind="write"}') > 0
        assert value(told, "motu_store_errors_total") == 0 and value(told, "motu_outbox_posts") == 0
        assert value(told, "process_resident_memory_bytes") > 2**20
        for secret in (
            "Ana",
            "Bea",
            "zzzz",
            room.record.id,
            room.playing().seed,
            str(world.ana.id),
        ):
            assert secret not in told

        assert await asked(port, "health") == (200, '{"ok": true, "problems": []}')
        world.bot.claim.is_waiting = True
        assert await asked(port, "health") == (503, '{"ok": false, "problems": ["waiting"]}')
        world.bot.claim.is_waiting = False

        async def broken(*_: object) -> None:
            raise StoreError

        monkeypatch.setattr(world.matches.store, "_read", broken)
        _, told = await asked(port, "metrics")
        assert value(told, "motu_store_errors_total") == 1, "and it is told all the same"
        world.matches.store.lost.set()
        status, told = await asked(port, "health")
        assert status == 503 and '"database"' in told
        monkeypatch.undo()


@pytest.mark.parametrize("what", ["metrics", "health"])
@pytest.mark.parametrize(
    "name", ["evil.example", "evil.example:80", "127.0.0.1.evil.example", "localhost.", "[", ""]
)
async def test_on_loopback_only_local_host_names_are_served(
    world: World, what: str, name: str
) -> None:
    async def status(address: str, port: int, host: str, **headers: str) -> int:
        url = f"http://{address}:{port}/{what}"
        async with (
            aiohttp.ClientSession() as session,
            session.get(url, headers={"Host": host, **headers}) as answer,
        ):
            return answer.status

    metrics = Metrics(world.bot)
    async with serving("127.0.0.1", 0, metrics) as port:
        assert await status("127.0.0.1", port, name) == 403
        assert (
            await status("127.0.0.1", port, f"127.0.0.1:{port}", Origin="http://evil.example")
            == 403
        )
        for own in (f"127.0.0.1:{port}", f"localhost:{port}", "localhost", f"[::1]:{port}"):
            assert await status("127.0.0.1", port, own) == 200
    # A port that is open to other machines may be requested by any name.
    async with serving("0.0.0.0", 0, metrics) as port:
        assert await status("127.0.0.1", port, "evil.example") == 200


async def test_the_program_serves_metrics_if_configured(tmp_path: Path) -> None:
    async with LocalDiscord() as discord:
        settings = {
            "DISCORD_TOKEN": discord.token,
            "MOTU_LOCAL_URL": discord.url,
            "MOTU_METRICS": "0",
        }
        program = await start(tmp_path, **settings)
        await discord.wait_until_ready()
        program.terminate()
        assert await asyncio.wait_for(program.wait(), PATIENCE) == 0
        taken = discord.url.rpartition(":")[2]
        refused = await asyncio.to_thread(run, tmp_path, **settings | {"MOTU_METRICS": taken})
    assert refused.returncode == 1 and f"127.0.0.1:{taken}" in refused.stderr.splitlines()[-1]


@pytest.mark.parametrize("given", ["nine", "-1", "65536", "host:", "9" * 200])
def test_a_port_that_cannot_be_is_refused(given: str) -> None:
    with pytest.raises(BadConfig, match="MOTU_METRICS"):
        read_config({"MOTU_METRICS": given}, Path("none"))


def test_a_host_may_stand_before_the_port() -> None:
    told = [
        read_config({"MOTU_METRICS": given}, Path("none")).metrics
        for given in ("9464", "0.0.0.0:1", "[::]:2")
    ]
    assert told == [("127.0.0.1", 9464), ("0.0.0.0", 1), ("::", 2)]
