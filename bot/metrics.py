"""A port for monitoring: /health says whether the bot serves people, /metrics how it does.

Numbers alone: how often, how long, how much; never who, and nothing of what is played. Whatever is
measured is measured here, around what the parts of the bot do, and only if there is such a port.
"""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
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
from bot.runtime import logs
from bot.runtime.base import BotError, StoreError
from bot.text import say

if TYPE_CHECKING:
    from bot.app import Motu

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
GAUGES = (
    "outbox_posts",
    "outbox_age_seconds",
    "scheduler_lag_seconds",
    "gateway_reconnects",
    "gateway_shards_up",
)
"""What is read when somebody asks."""
WAIT = 5.0
"""Seconds in which the database must answer a request for health or metrics."""


class Metrics:
    """All that is measured of one bot."""

    def __init__(self, bot: "Motu") -> None:
        self._bot = bot
        self._store = bot.kernel.store
        self._pending_since: dict[int, float] = {}
        """When each pending post was first seen here."""
        self.registry = CollectorRegistry()
        self._histograms = {
            what: Histogram(
                f"motu_{what}_seconds",
                say(f"metric.{what}"),
                labels,
                buckets=buckets,
                registry=self.registry,
            )
            for what, (buckets, labels) in MEASURED.items()
        }
        self._gauges = {
            name: Gauge(f"motu_{name}", say(f"metric.{name}"), registry=self.registry)
            for name in GAUGES
        }
        self._errors = Counter(
            "motu_store_errors", say("metric.store_errors"), registry=self.registry
        )
        # Memory, processor time and open files of this process.
        ProcessCollector(registry=self.registry)
        PlatformCollector(registry=self.registry)
        logs.listeners.append(self._observe)

    def _observe(
        self, what: str, labels: tuple[str, ...], seconds: float, error: BaseException | None
    ) -> None:
        histogram = self._histograms[what]
        (histogram.labels(*labels) if labels else histogram).observe(seconds)
        if what == "store" and isinstance(error, StoreError):
            self._errors.inc()

    async def report(self) -> bytes:
        """Return everything that is measured, as Prometheus reads it."""
        own = self._store.own
        values: dict[str, float] = {
            "gateway_reconnects": self._bot.reconnects,
            "gateway_shards_up": len(self._bot.heard),
        }
        # A failure counts as an error of the store; what was known last is told once more.
        with suppress(BotError, TimeoutError):
            async with asyncio.timeout(WAIT):
                pending = await self._store.read(queries.pending_announcements, own=own)
                job_at = await self._store.read(queries.next_job_at, own=own)
            now = time.monotonic()
            self._pending_since = {one.id: self._pending_since.get(one.id, now) for one in pending}
            values["outbox_posts"] = len(pending)
            values["outbox_age_seconds"] = now - min(self._pending_since.values(), default=now)
            lag = 0 if job_at is None else int(self._bot.kernel.now()) - job_at
            values["scheduler_lag_seconds"] = max(0, lag)
        for name, value in values.items():
            self._gauges[name].set(value)
        return generate_latest(self.registry)

    def ills(self) -> list[str]:
        """Return why the bot serves nobody at present, if so: words for programs."""
        bot = self._bot
        is_waiting = bot.claim.is_waiting
        is_heard = bot.is_ready() and len(bot.heard) == len(bot.shards)
        found = {
            "ending": bot.is_ending,
            "database": self._store.lost.is_set(),
            # Another process serves its shards.
            "waiting": is_waiting,
            "shards": not is_waiting and not bot.owns_something,
            "discord": not is_heard,
        }
        return [ill for ill, is_so in found.items() if is_so]


@asynccontextmanager
async def serving(host: str, port: int, metrics: Metrics) -> AsyncIterator[int]:
    """Answer on a port for as long as this lasts, and yield it: any free one for 0."""

    async def health(request: web.Request) -> web.Response:
        ills = metrics.ills()
        return web.json_response({"well": not ills, "ills": ills}, status=503 if ills else 200)

    async def report(request: web.Request) -> web.Response:
        content_type = {"Content-Type": CONTENT_TYPE_LATEST}
        return web.Response(body=await metrics.report(), headers=content_type)

    # A web page could let a name of its own point at this machine, and have its visitor's browser
    # read from here.
    app = web.Application(middlewares=[guard] if is_loopback(host) else [])
    app.add_routes([web.get("/health", health), web.get("/metrics", report)])
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    try:
        try:
            await web.TCPSite(runner, host, port).start()
        except OSError as error:
            why = error.strerror or type(error).__name__
            raise BotError("program.metrics_port", host=host, port=port, why=why) from error
        yield runner.addresses[0][1]
    finally:
        await runner.cleanup()
