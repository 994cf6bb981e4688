"""A port for monitoring: /health says whether the bot is working, /metrics has its figures.

The metrics must be counts and durations only: never who did something, or what is played. They come
from the measurements of runtime/logs, to which this module listens once the port is opened.
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

SHORT_BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)
LONG_BUCKETS = (0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300)
"""The upper bounds of the histograms' buckets, in seconds."""
HISTOGRAMS: dict[str, tuple[tuple[float, ...], tuple[str, ...]]] = {
    "press": (SHORT_BUCKETS, ("what", "outcome")),
    "post": (LONG_BUCKETS, ()),
    "draw": (SHORT_BUCKETS, ()),
    "think": (LONG_BUCKETS, ()),
    "job": (LONG_BUCKETS, ("kind",)),
    "store": (SHORT_BUCKETS, ("kind",)),
}
"""The durations that are measured, each with its buckets and labels; described in [metric]."""
GAUGES = (
    "outbox_posts",
    "outbox_age_seconds",
    "scheduler_lag_seconds",
    "gateway_reconnects",
    "gateway_shards_up",
)
"""The figures that are determined anew for each request for metrics."""
DATABASE_TIMEOUT_SECONDS = 5.0
"""How long the database may take to answer a request for metrics."""


class Metrics:
    """The metrics of one bot."""

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
            for what, (buckets, labels) in HISTOGRAMS.items()
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
        """Return all metrics in the text format of Prometheus."""
        own = self._store.own
        values: dict[str, float] = {
            "gateway_reconnects": self._bot.reconnects,
            "gateway_shards_up": len(self._bot.heard),
        }
        # A failure counts as an error of the store, and the last known figures are reported again.
        with suppress(BotError, TimeoutError):
            async with asyncio.timeout(DATABASE_TIMEOUT_SECONDS):
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

    def problems(self) -> list[str]:
        """Return the reasons why the bot cannot serve users now; none if it can."""
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
        return [problem for problem, is_so in found.items() if is_so]


@asynccontextmanager
async def serving(host: str, port: int, metrics: Metrics) -> AsyncIterator[int]:
    """Serve /health and /metrics within this context, and yield the port; 0 picks a free one."""

    async def health(request: web.Request) -> web.Response:
        problems = metrics.problems()
        status = 503 if problems else 200
        return web.json_response({"ok": not problems, "problems": problems}, status=status)

    async def report(request: web.Request) -> web.Response:
        content_type = {"Content-Type": CONTENT_TYPE_LATEST}
        return web.Response(body=await metrics.report(), headers=content_type)

    # A malicious page could point a domain of its own at this machine, and have its visitor's
    # browser read from here ("DNS rebinding"). `guard` refuses foreign host names.
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
