"""All services of the bot behind one object: `services.join(...)`, `services.votes.propose(...)`.

Fixtures offer it as `backend.matches` and `world.matches`.
"""

from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any

from bot.feature_list import FEATURES
from bot.features.history.transcripts import export_match
from bot.features.lobby.rules import Table
from bot.kernel import queries
from bot.kernel.kernel import Kernel
from bot.kernel.room import Room
from bot.model import DEFAULT_LEVEL, Person, Place, Terms
from bot.posts.places import move_match, pause_match
from bot.store.base import Store
from bot.ui.feature import Feature
from engine import Seat
from engine.players import Level

SERVICES = {
    "votes": "votes.service.Votes",
    "plans": "plans.Plans",
    "seats": "seats.Seats",
    "rewinds": "rewind.Rewinds",
    "standing": "ratings.service.Standing",
    "pings": "reminders.service.Reminders",
    "servers": "server_settings.Servers",
    "notes": "catch_up.Notes",
    "vacations": "vacation.Vacations",
    "expiries": "clock.service.Expiries",
    "privacy": "privacy.service.Privacy",
    "calls": "reminders.sender.ReminderSender",
    "ballots": "votes.messages.VoteMessages",
    "films": "films.Films",
    "lobby": "lobby.service.Lobby",
    "play_service": "play.service.Play",
}
"""The services of features, by the names that tests use."""
OTHERS = {"outbox": "posts.outbox.Outbox", "late_edits": "ui.components.LateEdits"}
OTHERS |= {"long_jobs": "ui.long_jobs.LongJobs", "bucket": "ui.rate.Bucket"}
KERNEL = ("store", "computers", "scheduler", "clocks", "pipeline")
METHODS = {
    "lobby": {
        **{
            "open_lobby": "open",
            "lobbies": "find_open",
            "expire_lobbies": "expire",
            "rematch": "rematch",
        },
        **{name: name for name in ("find_rematch", "join", "start")},
    },
    "play_service": {
        name: name
        for name in ("pick", "undo", "confirm", "resign", "leave_lesson", "come_back", "play")
    },
    "computers": {"advise": "advise", "cached_advice": "cached_advice", "stop_computers": "stop"},
}


class Services:
    """A facade over the services of a kernel."""

    def __init__(self, kernel: Kernel) -> None:
        self.kernel = kernel

    def stop_posting(self) -> None:
        """Stop notifying subscribers, as if the bot had stopped right after writing."""
        self.kernel.pipeline.subscribers.clear()

    async def leave(self, match: str, by: Person, interaction: int | None = None) -> Room:
        """Have somebody leave a lobby."""
        return await self.lobby.change(match, by, Table.leave, interaction)

    async def cancel(self, match: str, by: Person, interaction: int | None = None) -> Room:
        """Have the host cancel a lobby."""
        return await self.lobby.change(match, by, Table.cancel, interaction)

    async def toggle_rated(self, match: str, by: Person, interaction: int | None = None) -> Room:
        """Have the host switch the match between rated and unrated."""
        return await self.lobby.change(match, by, Table.toggle_rated, interaction)

    async def add_computer(
        self, match: str, by: Person, interaction: int | None = None, level: Level = DEFAULT_LEVEL
    ) -> Room:
        """Have the host add a computer."""
        return await self.lobby.change(
            match, by, lambda table: table.add_computer(level), interaction
        )

    async def set_level(self, match: str, by: Person, seat: Seat, level: Level | None) -> Room:
        """Have the host change a computer's level, or remove it."""
        return await self.lobby.change(match, by, lambda table: table.change_computer(seat, level))

    async def remove_computer(self, match: str, by: Person, seat: Seat) -> Room:
        """Have the host remove a computer."""
        return await self.set_level(match, by, seat, None)

    async def set_terms(self, match: str, by: Person, terms: Terms) -> Room:
        """Have the host change the terms."""
        return await self.lobby.change(match, by, lambda table: table.set_terms(terms))

    async def set(
        self, match: str, by: Person, key: str, value: str, interaction: int | None = None
    ) -> Room:
        """Have the host choose a setting of the game."""
        return await self.lobby.change(
            match, by, lambda table: table.choose({key: value}), interaction
        )

    async def transcript(self, match: str) -> str:
        """Return the full transcript of a finished match."""
        text, _ = await export_match(self.kernel, await self.kernel.matches.find(match))
        return text

    async def move(self, match: str, place: Place) -> Room:
        """Move a match to another place."""
        return await move_match(self.kernel, match, place)

    async def pause(self, match: str, why: str) -> Room:
        """Pause a match that cannot post."""
        return await pause_match(self.kernel, match, why) or await self.kernel.matches.find(match)

    async def unannounced_results(self) -> list[str]:
        """Return the matches whose result is not announced yet."""
        return await self.store.read(queries.matches_with_unannounced_result, own=self.store.own)  # type: ignore[no-any-return]

    def __getattr__(self, name: str) -> Any:
        if name in SERVICES or name in OTHERS:
            path = f"bot.features.{SERVICES[name]}" if name in SERVICES else f"bot.{OTHERS[name]}"
            module, _, kind = path.rpartition(".")
            return self.kernel.services.require(getattr(import_module(module), kind))
        if name in KERNEL:
            return getattr(self.kernel, name)
        for part, methods in METHODS.items():
            if name in methods:
                return getattr(getattr(self, part), methods[name])
        return getattr(self.kernel if hasattr(self.kernel, name) else self.kernel.matches, name)


def make_kernel(store: Store, games: Mapping[str, Any] | None = None, **options: Any) -> Kernel:
    """Return a kernel with all features, as the program builds it."""
    features: Sequence[Feature] = options.pop("features", FEATURES)
    if games is not None:
        options["games"] = games
    return Kernel(store, [feature.build for feature in features], **options)


def open_services(store: Store, games: Mapping[str, Any] | None = None, **options: Any) -> Services:
    """Return the services of a new kernel."""
    return Services(make_kernel(store, games, **options))
