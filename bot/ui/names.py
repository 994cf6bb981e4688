"""What people wrote, above all their names: nothing of it passes for the bot's own words."""

from collections import Counter
from collections.abc import Collection, Iterable

from msgspec.structs import replace

from bot.kernel import queries
from bot.kernel.room import Room
from bot.model import COMPUTER, HIDDEN, Person
from bot.text import say
from bot.ui.client import MotuClient, MotuInteraction
from bot.ui.parts import cut
from engine import Seat
from engine.core import escape
from engine.core.game import RESIGNED

NAME = 32
"""Longer names are shortened: Discord allows no longer ones."""


def one_line(text: str, limit: int = NAME) -> str:
    """A person's text as one line without invisible characters, where no markdown is known."""
    return escape.one_line(text, limit)


def escaped(text: str, limit: int = NAME) -> str:
    """A person's text for messages: no markdown, link, emoji or mention in it comes through."""
    return escape.escaped(text, limit)


def person_name(person: Person, is_played_for: bool = False) -> str:
    """A player's name, unescaped; marked if a computer plays, for itself or for them."""
    name = one_line(person.name) or say("name.player", number=person.id % 10_000)
    return say("name.of_computer", name=name) if person.id == COMPUTER or is_played_for else name


def unmarked(name: str) -> str:
    """A player's name without the mark of a computer."""
    before, _, after = say("name.of_computer", name="\n").partition("\n")
    return name.removeprefix(before).removesuffix(after)


def plain_names(room: Room, played_for: Collection[Seat] | None = None) -> tuple[str, ...]:
    """The players' names in seat order for labels and pictures; those who are called alike are told
    apart by seat.

    `played_for` are the people whom a computer plays for: unless said otherwise, those of now.
    """
    match = room.match
    if played_for is None and match is not None:
        # Nobody is played for once a match has ended because people left it.
        has_broken_up = match.outcome is not None and match.outcome.reason == RESIGNED
        played_for = () if has_broken_up else match.resigned | match.away
    names = [
        person_name(person, seat in (played_for or ()))
        for seat, person in enumerate(room.record.chairs)
    ]
    alike = Counter(name.casefold() for name in names)
    for place, name in enumerate(names):
        if alike[name.casefold()] > 1:
            names[place] = say("name.alike", name=cut(name, NAME - 3), seat=place + 1)
    return tuple(names)


def marked_names(room: Room, played_for: Collection[Seat] | None = None) -> tuple[str, ...]:
    """The players' names in seat order, for messages."""
    return tuple(escaped(name) for name in plain_names(room, played_for))


def mentions(users: Iterable[int]) -> str:
    """People as a message calls them."""
    return " ".join(f"<@{user}>" for user in users)


def discreet(room: Room, hidden: Collection[int]) -> Room:
    """The match without the names of those who want to be in no list, for what leaves the table."""

    def name(user: int, usual: str) -> str:
        return say("name.somebody") if user in hidden and user != COMPUTER else usual

    chairs = tuple(
        replace(person, name=name(person.id, person.name)) for person in room.record.chairs
    )
    sat = tuple(
        replace(note, name=name(note.user, note.name), was_name=name(note.was, note.was_name))
        for note in room.record.seat_changes
    )
    return replace(room, record=replace(room.record, chairs=chairs, seat_changes=sat))


async def hidden_players(client: MotuClient, users: Iterable[int]) -> frozenset[int]:
    """Return those of the users who want to be in no list, file or post that leaves the table.

    The wish holds with or without ratings, so it is read here and not through that feature.
    """
    return await client.kernel.store.read(queries.players_with_setting, HIDDEN, tuple(users))


def person(interaction: MotuInteraction) -> Person:
    """Return the user of an interaction, by the name that the server shows."""
    return Person(interaction.user.id, interaction.user.display_name[:100])


def tidied(person: Person) -> Person:
    """Return a person with a name of one short line."""
    name = one_line(person.name, len(person.name))[:NAME].strip()
    return replace(person, name=name or say("name.unnamed"))
