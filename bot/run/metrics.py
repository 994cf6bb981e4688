"""A port for whoever watches over the bot: /health says whether it serves people, /metrics how it
does.

Numbers alone: how often, how long, how much; never who, and nothing of what is played. Whatever is
measured is measured here, around what the parts of the bot do, and only if there is such a port.
"""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from aiohttp import web
from prometheus_client import (
    CONTENT_TYPE_LATEST,
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    PlatformCollector,
    ProcessCollector,
    generate_latest,
)

from bot.kernel import queries
from bot.local.redirect import is_loopback
from bot.local.server import guard
from bot.runtime import logs, measure
from bot.runtime.errors import BotError, StoreError
from bot.text import say

if TYPE_CHECKING:
    from bot.gateway.client import GatewayClient
    from bot.store.base import Store

QUICK = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)
LONG = (0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300)
"""Seconds by which what is measured is told apart."""
MEASURED: dict[str, tuple[tuple[float, ...], tuple[str, ...]]] = {
    "press": (QUICK, ("what", "outcome")),
    "post": (LONG, ()),
    "draw": (QUICK, ()),
    "think": (LONG, ()),
    "job": (LONG, ("kind",)),
    "store": (QUICK, ("kind",)),
}
"""What takes time, how finely it is told apart, and by which labels.

Table [metric] explains each.
"""
WAIT = 5.0
"""Seconds in which the database must answer whoever asks how things stand."""


class Metrics:
    """All that is measured of one bot."""

    def __init__(self, bot: "GatewayClient", store: "Store") -> None:
        self.registry = registry = CollectorRegistry()
        self._bot, self._store = bot, store
        self._seen: dict[int, float] = {}
        """Posts that are due, and since when it is known."""

        def gauge(name: str, about: str) -> Gauge:
            return Gauge(f"motu_{name}", about, registry=registry)

        self._histograms = {
            what: Histogram(
                f"motu_{what}_seconds",
                say(f"metric.{what}"),
                labels,
                buckets=buckets,
                registry=registry,
            )
            for what, (buckets, labels) in MEASURED.items()
        }
        self._errors = Counter("motu_store_errors", say("metric.store_errors"), registry=registry)
        self._due = gauge("outbox_posts", say("metric.outbox"))
        self._age = gauge("outbox_age_seconds", say("metric.outbox_age"))
        self._lag = gauge("scheduler_lag_seconds", say("metric.lag"))
        gauge("gateway_reconnects", say("metric.reconnects")).set_function(lambda: bot.reconnects)
        gauge("gateway_shards_up", say("metric.shards")).set_function(lambda: len(bot.heard))
        # Memory, processor time and open files of this process.
        ProcessCollector(registry=registry)
        PlatformCollector(registry=registry)
        measure.listen(self._measured)
        logs.heard_by(self._pressed)

    def _pressed(self, pressed: logs.Pressed, took: float) -> None:
        self._histograms["press"].labels(pressed.what, pressed.outcome).observe(took)

    def _measured(self, what: str, kind: str, seconds: float, error: BaseException | None) -> None:
        histogram = self._histograms[what]
        (histogram.labels(kind) if kind else histogram).observe(seconds)
        if what == "store" and isinstance(error, StoreError):
            self._errors.inc()

    async def told(self) -> bytes:
        """Return everything that is measured, as Prometheus reads it."""
        try:
            async with asyncio.timeout(WAIT):
                due = await self._store.read(queries.pending_announcements, own=self._store.own)
                at = await self._store.read(queries.next_job_at, own=self._store.own)
        except (BotError, TimeoutError):
            # It is counted as an error of the store; what was known last is told once more.
            return generate_latest(self.registry)
        now = time.monotonic()
        self._seen = {one.id: self._seen.get(one.id, now) for one in due}
        self._due.set(len(due))
        self._age.set(now - min(self._seen.values(), default=now))
        self._lag.set(max(0.0, int(self._bot.kernel.now()) - at) if at is not None else 0.0)
        return generate_latest(self.registry)

    def ills(self) -> list[str]:
        """Return why the bot serves nobody at present, if so: words for programs."""
        bot, ills = self._bot, []
        if bot.is_ending:
            ills.append("ending")
        if self._store.lost.is_set():
            ills.append("database")
        if bot.claim.is_waiting:
            # Another process serves its shards.
            ills.append("waiting")
        elif not bot.owns_something:
            ills.append("shards")
        if not bot.is_ready() or len(bot.heard) < len(bot.shards):
            ills.append("discord")
        return ills


@asynccontextmanager
async def serving(host: str, port: int, metrics: Metrics) -> AsyncIterator[int]:
    """Answer on a port for as long as this lasts, and yield it: any free one for 0."""

    async def health(request: web.Request) -> web.Response:
        ills = metrics.ills()
        return web.json_response({"well": not ills, "ills": ills}, status=503 if ills else 200)

    async def told(request: web.Request) -> web.Response:
        return web.Response(
            body=await metrics.told(), headers={"Content-Type": CONTENT_TYPE_LATEST}
        )

    # A web page could let a name of its own point at this machine, and have its visitor's browser
    # read from here.
    app = web.Application(middlewares=[guard] if is_loopback(host) else [])
    app.add_routes([web.get("/health", health), web.get("/metrics", told)])
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    try:
        await web.TCPSite(runner, host, port).start()
        yield runner.addresses[0][1]
    finally:
        await runner.cleanup()
