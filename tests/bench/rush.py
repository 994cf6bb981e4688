"""Measure how soon a press is answered: alone, beside 50 strong matches, and in a rush.

The bot and its Discord are separate processes, as in reality. Times are taken where the person
would see them, from the press to the first response; the note says how much of that was spent
inside the bot. The machine must be doing nothing else.
"""

import asyncio
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import lru_cache
from itertools import cycle
from pathlib import Path
from random import Random
from statistics import median

from bot.features.play.panel import CONFIRM, PAGE, PICK
from bot.local import LocalDiscord, Person
from bot.local.interactions import Interaction
from bot.local.model import Channel, Message
from engine import GAMES as ALL_GAMES
from tests.bench.measure import Measured, Row, percentile
from tests.e2e.harness import BotProcess

PRESSES_AT_ONCE = 98
"""How many presses arrive at once: two less than the bot handles at a time."""
MATCHES = 50
GAMES = ("blue_lagoon", "maori")
"""Games in which whole turns can be made with buttons."""
PLAY_SECONDS = 30.0
"""For how long people play."""
MAX_PAUSE_SECONDS = 2.0
"""The longest pause of a player between two presses."""
PRESSES = 200
"""How many presses are timed on a quiet bot."""
CONFIRMS, WARM_UP_CONFIRMS = 40, 6
"""How many turns of two people who play are timed, and how many are played before that."""


class Watch:
    """Records how long each interaction waits at a local Discord, and the newest boards."""

    def __init__(self, discord: LocalDiscord) -> None:
        self.seconds: list[float] = []
        self.lost = 0
        self.boards: dict[Channel, Message] = {}
        self.posted_at = 0.0
        """When the newest board came."""
        self._since: dict[int, float] = {}
        discord.state.listeners.append(self._hear)

    def _hear(self, kind: str, subject: object) -> None:
        if kind == "message_create" and isinstance(subject, Message):
            if _find_button(subject, "t:", ":move"):
                self.boards[subject.channel] = subject
                self.posted_at = time.perf_counter()
        elif isinstance(subject, Interaction):
            if kind == "interaction_create":
                self._since[subject.id] = time.perf_counter()
            elif kind == "interaction_expire":
                self.lost += 1
            elif since := self._since.pop(subject.id, None):
                self.seconds.append(time.perf_counter() - since)

    def clear(self) -> None:
        """Forget all recorded times."""
        self.seconds.clear()
        self.lost = 0


class Scene:
    """A Discord, the bot in another process, and the times that both record."""

    def __init__(self, discord: LocalDiscord, noted: Path) -> None:
        self.discord = discord
        self.watch = Watch(discord)
        self._noted = noted

    def clear(self) -> None:
        """Forget all recorded times."""
        self.watch.clear()
        self._noted.write_text("")

    def measured(self, value: float) -> Measured:
        """Return the result, with the time spent inside the bot; infinite if a press was lost."""
        inside = sorted(map(float, self._noted.read_text().split()))
        share = f"inside the bot p99 {percentile(inside, 0.99):.0f} ms, at most {inside[-1]:.0f} ms"
        lost = f"; {self.watch.lost} LOST" if self.watch.lost else ""
        note = f"{len(inside)} presses, {share}{lost}"
        return Measured(float("inf") if lost else value, note=note)

    @property
    def p99(self) -> float:
        """Return the 99th percentile of all times, in milliseconds."""
        return 1000 * percentile(self.watch.seconds, 0.99)


@asynccontextmanager
async def run_staged_bot() -> AsyncIterator[Scene]:
    """Run a bot on an empty database, in a process of its own."""
    with tempfile.TemporaryDirectory(prefix=".bench-", dir=Path.cwd()) as folder:
        async with LocalDiscord(record=False) as discord:
            noted = Path(folder) / "acknowledged"
            bot = BotProcess(discord, Path(folder))
            bot.program = "tests.bench.timed_bot"
            bot.settings = {"ACKNOWLEDGED": str(noted), "ANSWER_SECONDS": ""}
            await bot.start()
            try:
                # The first command of a process loads modules and texts for all others.
                await discord.user("Warden").slash("/help")
                yield Scene(discord, noted)
            finally:
                await bot.stop()


async def rush(quick: bool) -> Measured:
    """Measure many people who start a solo match at the same moment."""
    async with run_staged_bot() as scene:
        people = [
            scene.discord.user(f"Guest {number}")
            for number in range(20 if quick else PRESSES_AT_ONCE)
        ]
        scene.clear()
        asked = await asyncio.gather(
            *(
                person.slash("/solo", game=game, wait="nothing")
                for person, game in zip(people, cycle(GAMES))
            )
        )
        for response in asked:
            await response.wait("ack")
        return scene.measured(max(scene.watch.seconds, default=0.0))


async def peace(quick: bool) -> Measured:
    """Measure one person who presses one button after the other."""
    async with run_staged_bot() as scene:
        ana = scene.discord.user("Ana")
        board = await _start_solo(scene, ana, GAMES[0], "easy")
        await ana.click(board, label="Your move")
        scene.clear()
        for _ in range(10 if quick else PRESSES):
            await ana.click(board, label="Your move")
        return scene.measured(scene.p99)


async def strong(quick: bool) -> Measured:
    """Measure many people who play against strong computers, which think without a pause."""
    async with run_staged_bot() as scene:
        people = [
            scene.discord.user(f"Guest {number}") for number in range(2 if quick else MATCHES)
        ]
        boards = [
            await _start_solo(scene, one, game, "strong") for one, game in zip(people, cycle(GAMES))
        ]
        scene.clear()
        end = time.perf_counter() + (2.0 if quick else PLAY_SECONDS)
        await asyncio.gather(
            *(
                _play(scene, person, board.channel, end)
                for person, board in zip(people, boards, strict=True)
            )
        )
        return scene.measured(scene.p99)


@lru_cache
def time_confirms(quick: bool) -> tuple[float, float, float]:
    """Return the ms from Confirm to the new panel and to the new public board, both p50.

    The third figure is from /solo to the first choice, the slowest of all games.
    """
    return asyncio.run(_time_confirms(3 if quick else CONFIRMS))


async def _time_confirms(number: int) -> tuple[float, float, float]:
    """Have two people play, and time their turns; then have others start solo matches."""
    panels, boards = list[float](), list[float]()
    async with run_staged_bot() as scene:
        people = [scene.discord.user(name) for name in ("Ana", "Bea")]
        lobby = await people[0].slash("/game new", game=GAMES[0])
        await people[1].click(lobby, label="Join")
        await people[0].click(lobby, label="Start")
        await scene.discord.until(lambda: scene.watch.boards, about="the first board")
        for person in cycle(people):
            ((_, board),) = scene.watch.boards.items()
            panel = (await person.click(board, label="Your move")).message
            while not (confirm := _find_button(panel, f"{CONFIRM}:")):
                control = _find_button(panel, f"{PICK}:") or _find_button(panel, f"{PAGE}:")
                if not control:
                    break
                panel = (await person.click(panel, custom_id=control)).message
            if not confirm:
                continue  # it is the other's turn
            to_panel, to_board = await _time_confirm(scene, person, panel, confirm)
            panels.append(to_panel)
            boards.append(to_board)
            if len(boards) == WARM_UP_CONFIRMS + number:
                break
        starts = [await _time_solo(scene, game) for game in ALL_GAMES]
    return median(panels[WARM_UP_CONFIRMS:]), median(boards[WARM_UP_CONFIRMS:]), max(starts)


async def _time_solo(scene: Scene, game: str) -> float:
    """Have a newcomer start a solo match in direct messages; return the ms to the first choice."""
    person = scene.discord.user(f"Newcomer to {game}")
    place = scene.discord.dm(person)
    pressed_at = time.perf_counter()
    await person.slash("/solo", channel=place, game=game, wait="nothing")
    await scene.discord.until(
        lambda: any(_find_button(message, f"{PICK}:") for message in person.inbox()),
        about="the first choice",
    )
    return 1000 * (time.perf_counter() - pressed_at)


async def _time_confirm(
    scene: Scene, person: Person, panel: Message, confirm: str
) -> tuple[float, float]:
    """Press Confirm; return the ms to the new panel and to the new public board."""
    pressed_at = time.perf_counter()
    await person.click(panel, custom_id=confirm)
    answered_at = time.perf_counter()
    await scene.discord.until(lambda: scene.watch.posted_at > pressed_at, about="the next board")
    return 1000 * (answered_at - pressed_at), 1000 * (scene.watch.posted_at - pressed_at)


async def _start_solo(scene: Scene, person: Person, game: str, level: str) -> Message:
    """Start a solo match and return its first board."""
    known = set(scene.watch.boards)
    await person.slash("/solo", game=game, level=level)
    new = await scene.discord.until(
        lambda: scene.watch.boards.keys() - known, about="the first board"
    )
    return scene.watch.boards[new.pop()]


async def _play(scene: Scene, person: Person, place: Channel, end: float) -> None:
    """Let somebody make one turn after the other, with the first button that advances the turn."""
    chance = Random(person.id)
    while time.perf_counter() < end:
        panel = (await person.click(scene.watch.boards[place], label="Your move")).message
        while time.perf_counter() < end:
            await asyncio.sleep(chance.uniform(0, MAX_PAUSE_SECONDS))
            control = (
                _find_button(panel, f"{CONFIRM}:")
                or _find_button(panel, f"{PICK}:")
                or _find_button(panel, f"{PAGE}:")
            )
            if not control:
                break
            await person.click(panel, custom_id=control)


def _find_button(message: Message, start: str, part: str = "") -> str:
    """Return the custom id of the first matching button that is enabled; '' if there is none."""
    every = (button["custom_id"] for button in message.buttons if not button.get("disabled"))
    return next((found for found in every if found.startswith(start) and part in found), "")


ROWS = (
    Row(
        "acknowledge-idle",
        "ms from a press to its acknowledgement, p99, nothing else to do",
        5,
        10,
        lambda quick: asyncio.run(peace(quick)),
    ),
    Row(
        "acknowledge-strong",
        "ms from a press to its acknowledgement, p99, beside 50 strong matches",
        40,
        60,
        lambda quick: asyncio.run(strong(quick)),
    ),
    Row(
        "confirm-panel",
        "ms from a press on Confirm to the new panel with its picture, p50",
        150,
        200,
        lambda quick: Measured(time_confirms(quick)[0]),
    ),
    Row(
        "confirm-board",
        "ms from a press on Confirm to the new public board, p50",
        300,
        400,
        lambda quick: Measured(time_confirms(quick)[1]),
    ),
    Row(
        "solo-first-choice",
        "ms from /solo to the first choice, the slowest game",
        1000,
        1500,
        lambda quick: Measured(time_confirms(quick)[2]),
    ),
    Row(
        "acknowledge-rush",
        "s to the last acknowledgement of 98 /solo at once",
        0.5,
        1,
        lambda quick: asyncio.run(rush(quick)),
    ),
)
