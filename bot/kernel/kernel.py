"""The kernel: builds everything that works without Discord, and plugs the features in.

What a feature can plug in is declared in feature.py; nothing here depends on a particular feature.
"""

import secrets
import time
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from bot.kernel.change import Change
from bot.kernel.clocks import Clocks
from bot.kernel.computers import Computers, Thinker, think_here
from bot.kernel.feature import Parts, Services
from bot.kernel.matches import Matches
from bot.kernel.pipeline import Pipeline
from bot.kernel.scheduler import Scheduler
from bot.model import ABSENCE
from bot.store.base import Store
from engine import GAMES, Game
from engine.core.decoding import prepare_decoders

CACHED_MATCHES = 2048
"""How many matches to cache: about 5 KB each, more for those being played."""

COMPUTER_WAIT_SECONDS = 2.5
"""How long the answer to a press waits for computers to move, so that it can show their moves.

Most computers have moved by then.
"""


def make_seed() -> str:
    """Return 256 random bits, in hex, for the dice and shuffles of a match."""
    return secrets.token_hex(32)


class Kernel:
    """Builds and connects the parts of the kernel, and starts and stops them."""

    def __init__(
        self,
        store: Store,
        features: Iterable[Callable[["Kernel"], Parts]] = (),
        *,
        games: Mapping[str, Game[Any]] = GAMES,
        thinker: Thinker = think_here,
        make_seed: Callable[[], str] = make_seed,
        cached_matches: int = CACHED_MATCHES,
        now: Callable[[], float] = time.time,
        computer_wait_seconds: float = COMPUTER_WAIT_SECONDS,
    ) -> None:
        # Load every game and its decoders now, before several threads decode matches at once.
        list(games.values())
        prepare_decoders()
        self.store = store
        self.games = games
        self.make_seed = make_seed
        self.now = now
        self.computer_wait_seconds = computer_wait_seconds
        self.services = Services()
        self.scheduler = Scheduler(store, now)
        self.clocks = Clocks(self.scheduler, now)
        self.matches = Matches(store, self.clocks, games, cached_matches)
        self.pipeline = Pipeline(store, self.matches, self.clocks, now)
        self.computers = Computers(self.matches, self.pipeline, thinker, self._on_slow_computer)
        self.pipeline.subscribers.append(self._wake)
        self.parts: list[Parts] = []
        for build in features:
            self.add(build(self))
        self._built = list(self.parts)

    def add(self, parts: Parts) -> None:
        """Plug in a feature."""
        self.parts.append(parts)
        for service in parts.services:
            self.services.add(service)
        for kind, handler in parts.jobs.items():
            self.scheduler.register(kind, handler, punishes=kind in parts.deadlines)
        self.pipeline.register_features(self.parts)
        self.pipeline.subscribers += parts.subscribers

    async def recover(self) -> None:
        """Resume what was left undone when the bot stopped."""
        for parts in self.parts:
            for begin in parts.on_start:
                await begin()
        await self.computers.wake_all(self.store)

    async def look_around(self) -> None:
        """Resume work that another process has left undone. Called every minute with shards."""
        await self.computers.wake_all(self.store)
        for parts in self.parts:
            for look_around in parts.on_look_around:
                await look_around()

    def on_notification(self, notification: str) -> None:
        """Pass on a notification from another process: the id of a match it wrote, or ABSENCE."""
        if notification == ABSENCE:
            self.scheduler.reload_absences()
        else:
            self.scheduler.poke()
        for parts in self.parts:
            for handle in parts.on_notification:
                handle(notification)

    async def close(self) -> None:
        """Cancel the computers' thinking, finish the changes under way, and close the store."""
        await self.scheduler.close()
        await self.computers.close()
        await self.matches.close()
        for parts in self._built:
            for end in parts.on_close:
                await end()
        await self.store.close()

    def _on_slow_computer(self, match_id: str) -> None:
        """Tell the features that a computer has been thinking for long in a match."""
        for parts in self.parts:
            for notify in parts.on_slow_computer:
                notify(match_id)

    def _wake(self, change: Change) -> None:
        """Wake the scheduler and the computers after a change that concerns them."""
        self.scheduler.note(change.jobs)
        if change.awaits_computer:
            self.computers.wake(change.match_id)
