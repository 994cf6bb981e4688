"""Plays a match at random until it is killed: says what it is about to do, then that it was
acknowledged.

`python -m tests.bot.store.victim <file> <match> <first interaction> <random seed>`
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
from tests.bot.seating import House, any_answer, playing


class Deed(Struct, frozen=True):
    """A press on paper."""

    interaction: int
    seat: Seat
    deed: str
    kind: str = ""
    keys: tuple[str, ...] = ()


def say(word: str, deed: Deed) -> None:
    """One line for whoever watches."""
    sys.stdout.write(f"{word} {msgspec.json.encode(deed).decode()}\n")
    sys.stdout.flush()


def chosen(match: Match, interaction: int, random: Random) -> Deed:
    """A press of a seat that is to move."""
    seat = random.choice(match.waiting_for())
    if match.is_complete(seat) and random.random() < 0.8:
        return Deed(interaction, seat, "confirm")
    if match.draft(seat).answers and random.random() < 0.2:
        return Deed(interaction, seat, "undo")
    answer = any_answer(match, seat, random)
    assert answer is None or answer.seat == seat
    return (
        Deed(interaction, seat, "pick", answer.kind, answer.keys)
        if answer
        else Deed(interaction, seat, "confirm")
    )


async def play(path: Path, match: str, first: int, random: Random) -> None:
    """Presses until the match ends; each is said before and after."""
    house = House(path)
    matches = await house.open()
    room = await matches.find(match)
    interaction = first
    while playing(room).outcome is None:
        deed = chosen(playing(room), interaction, random)
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
