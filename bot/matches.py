"""The one service: load, act, store, announce. Knows no Discord type."""

from collections.abc import Mapping

from bot.room import Announcement, Entry, Person, Place, Post, Press, Room, Update
from bot.store.base import Store
from engine import Seat


class Matches:
    """All matches. Writes to one match queue up; nothing is dropped, nothing is done twice."""

    def __init__(self, store: Store) -> None:
        self.store = store

    async def recover(self) -> None:
        """After a start: let computer seats of running matches play on."""
        raise NotImplementedError

    async def open_lobby(self, game: str, settings: Mapping[str, str], place: Place, host: Person) -> Room:
        """A new lobby with the host in the first chair; refuses unknown games and settings no table could have."""
        raise NotImplementedError

    async def join(self, match: str, person: Person) -> Room:
        """A chair taken; refused when full, running or already seated."""
        raise NotImplementedError

    async def leave(self, match: str, person: Person) -> Room:
        """A chair left; the next in line becomes host, the last to leave cancels the lobby."""
        raise NotImplementedError

    async def add_computer(self, match: str, by: Person) -> Room:
        """A computer in the next chair; the host's to do."""
        raise NotImplementedError

    async def set(self, match: str, by: Person, key: str, value: str) -> Room:
        """A setting chosen; the host's to do."""
        raise NotImplementedError

    async def cancel(self, match: str, by: Person) -> Room:
        """The lobby closed; the host's to do."""
        raise NotImplementedError

    async def start(self, match: str, by: Person) -> Room:
        """The match begun with a fresh seed; its first announcement is due. The host's to do."""
        raise NotImplementedError

    async def find(self, match: str) -> Room:
        """The match of that id; NotFound if there is none."""
        raise NotImplementedError

    async def here(self, channel: int) -> list[Room]:
        """Open matches of a channel or thread, newest first."""
        raise NotImplementedError

    async def of_user(self, user: int) -> list[Room]:
        """Open matches a person sits in, those waiting for him first."""
        raise NotImplementedError

    async def history(self, match: str, viewer: Seat | None) -> list[Entry]:
        """The log as a seat, or everyone, may know it. The prologue is entry 0."""
        raise NotImplementedError

    async def transcript(self, match: str) -> str:
        """The full transcript, answers and seed included; refused before the match has ended."""
        raise NotImplementedError

    async def pick(self, press: Press, kind: str, keys: tuple[str, ...]) -> Update:
        """An answer put into the draft, or an offer taken."""
        raise NotImplementedError

    async def undo(self, press: Press, everything: bool = False) -> Update:
        """The last pick of the draft, or all of it, taken back."""
        raise NotImplementedError

    async def confirm(self, press: Press) -> Update:
        """The draft committed."""
        raise NotImplementedError

    async def play(self, press: Press, answers: tuple[tuple[str, tuple[str, ...]], ...], confirm: bool) -> Update:
        """Several answers (kind, keys) at once on top of the draft, then the confirm; all or nothing."""
        raise NotImplementedError

    async def resign(self, press: Press) -> Update:
        """The seat given up."""
        raise NotImplementedError

    async def due(self, match: str | None = None) -> list[Announcement]:
        """Announcements not yet posted, in order."""
        raise NotImplementedError

    async def post_of(self, announcement: Announcement) -> Post:
        """An announcement with what its message needs."""
        raise NotImplementedError

    async def posted(self, announcement: Announcement, message: int) -> None:
        """Tick an announcement off; `message` now carries the buttons."""
        raise NotImplementedError

    async def moved(self, match: str, place: Place) -> Room:
        """The match's thread was made, or a paused match goes on in another place."""
        raise NotImplementedError

    async def lobby_posted(self, match: str, message: int) -> None:
        """The lobby's message, to be edited as people come and go."""
        raise NotImplementedError

    async def pause(self, match: str, why: str) -> Room:
        """The match cannot post where it lives: kept, and its host told by the caller."""
        raise NotImplementedError

    async def close(self) -> None:
        """Finish what is in hand."""
        raise NotImplementedError
