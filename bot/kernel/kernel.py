"""The kernel: store, matches and the one way to change them, with the features plugged in."""

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
from bot.kernel.post_rules import computer_to_move
from bot.kernel.scheduler import Scheduler
from bot.model import ABSENCE
from bot.store.base import Store
from engine import GAMES, Game
from engine.core.decoding import work_out_types

CACHED_MATCHES = 2048
"""Matches kept in memory: about 5 KB each, more for those that are played in."""

COMPUTER_WAIT_SECONDS = 2.5
"""How long a press waits for computers: most have moved by then, and the panel shows it."""


def make_seed() -> str:
    """Return 256 bits that nobody can guess."""
    return secrets.token_hex(32)


class Kernel:
    """Everything that works without Discord."""

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
        # Every game is loaded first: the store's thread, those that draw and those that look back
        # all decode.
        list(games.values())
        work_out_types()
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
        self.computers = Computers(self.matches, self.pipeline, thinker, self._tell_slow_computer)
        self.pipeline.subscribers += [self.matches.remember, self._wake]
        self.parts: list[Parts] = []
        for build in features:
            self.add(build(self))
        self._built = list(self.parts)

    def add(self, parts: Parts) -> None:
        """Plug in the parts of a feature."""
        self.parts.append(parts)
        for service in parts.services:
            self.services.add(service)
        for kind, handler in parts.jobs.items():
            self.scheduler.register(kind, handler, punishes=kind in parts.deadlines)
        self.pipeline.register_features(self.parts)
        self.pipeline.subscribers += parts.subscribers

    async def recover(self) -> None:
        """After a start: take up what was left undone."""
        for parts in self.parts:
            for begin in parts.on_start:
                await begin()
        await self.computers.wake_all(self.store)

    async def look_around(self) -> None:
        """Do what another process may have left undone."""
        await self.computers.wake_all(self.store)
        for parts in self.parts:
            for look in parts.on_look_around:
                await look()

    def on_notification(self, notification: str) -> None:
        """Pass on what a process tells: the id of a match that it wrote, or news for all."""
        if notification == ABSENCE:
            self.scheduler.other_was_away()
        else:
            self.scheduler.poke()
        for parts in self.parts:
            for handle in parts.on_notification:
                handle(notification)

    async def close(self) -> None:
        """Finish the changes under way, then close the store; what computers think is dropped."""
        await self.scheduler.close()
        await self.computers.close()
        await self.matches.close()
        for parts in self._built:
            for end in parts.on_close:
                await end()
        await self.store.close()

    def _tell_slow_computer(self, match: str) -> None:
        for parts in self.parts:
            for tell in parts.on_slow_computer:
                tell(match)

    def _wake(self, change: Change) -> None:
        """Let the scheduler and the computers go on after a change."""
        self.scheduler.note(change.jobs)
        if change.after.match is not None and computer_to_move(change.after.match) is not None:
            self.computers.wake(change.match_id)
