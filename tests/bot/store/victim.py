"""Play random moves until killed, reporting each before and after it is made.

`python -m tests.bot.store.victim <file> <match> <interaction> <seed>`
"""

import asyncio
import sys
from pathlib import Path
from random import Random

import msgspec
from msgspec import Struct

from bot.kernel.room import Press
from bot.runtime.base import BotError
from engine import EngineError, Match, Seat
from tests.bot.backend import Backend, match_of, random_answer


class Deed(Struct, frozen=True):
    """A press, as reported."""

    interaction: int
    seat: Seat
    deed: str
    kind: str = ""
    keys: tuple[str, ...] = ()


def say(word: str, deed: Deed) -> None:
    """Print a line for the watching test."""
    sys.stdout.write(f"{word} {msgspec.json.encode(deed).decode()}\n")
    sys.stdout.flush()


def random_deed(match: Match, interaction: int, random: Random) -> Deed:
    """Return a random press of a seat that is to move."""
    seat = random.choice(match.waiting_for())
    if match.is_complete(seat) and random.random() < 0.8:
        return Deed(interaction, seat, "confirm")
    if match.draft(seat).answers and random.random() < 0.2:
        return Deed(interaction, seat, "undo")
    answer = random_answer(match, seat, random)
    assert answer is None or answer.seat == seat
    return (
        Deed(interaction, seat, "pick", answer.kind, answer.keys)
        if answer
        else Deed(interaction, seat, "confirm")
    )


async def play(path: Path, match: str, first: int, random: Random) -> None:
    """Make presses until the match ends, and report each before and after it."""
    backend = Backend(path)
    matches = await backend.open()
    room = await matches.find(match)
    interaction = first
    while match_of(room).outcome is None:
        deed = random_deed(match_of(room), interaction, random)
        interaction += 1
        say("does", deed)
        press = Press(match, room.record.chairs[deed.seat].id, deed.interaction)
        given = (deed.kind, deed.keys) if deed.deed == "pick" else ()
        try:
            room = (await getattr(matches, deed.deed)(press, *given)).room
        except (BotError, EngineError):
            continue
        say("done", deed)
    await matches.close()


if __name__ == "__main__":
    asyncio.run(play(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]), Random(int(sys.argv[4]))))
