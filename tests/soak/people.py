"""Scripted people: they see what people see, press random controls, and sometimes wrong ones.

The probabilities may be tuned. The script must know no rules of a game: it learns from panels and
completions what is possible.
"""

import asyncio
import random
import re
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field

from bot.features.play.panel import CONFIRM, CONTROL, OFFER, PAGE, PICK, PICK_SEVERAL, UNDO
from bot.local import LocalDiscord, Person, Response
from bot.local.errors import Impossible, Json
from bot.local.model import Channel, Message
from engine import GAMES
from tests.e2e.harness import match_of
from tests.soak.ledger import DONE, DROPPED, Ledger, Press

MAX_MATCHES_EACH = 6
"""How many matches a person plays at a time; from ten on they would have to finish some."""
MAX_PRESSES = 14
"""The most presses by one person in a row."""

# Probabilities of what people do.
TYPES_TURN = 0.35
TYPES_IN_DM = 0.15
"""If they type it."""
PRESSES_TWICE = 0.08
KEEPS_STALE_PANEL = 0.08
ACTS_FOR_ANOTHER = 0.12
DELIVERED_TWICE = 0.03
"""That Discord delivers a press twice."""
HAS_COMPUTER = 0.15
"""That a match has a computer."""

# Probabilities of the control that they choose if a panel has it.
CONFIRMS = 0.8
UNDOES = 0.1
TURNS_PAGE = 0.15
OPENS_OFFERS = 0.05

MAX_PAUSE_SECONDS = 0.4
"""The longest pause between two presses of a person."""
MAX_TRIES = 8
"""How often Join or Start is pressed before giving up."""
SEARCH_SECONDS = 10.0
"""How long to search for a lobby whose answer was lost."""
OPENED = "Your lobby is open"
"""The beginning of the answer if a lobby took long to open."""

Action = Awaitable[Response]
"""A person's action, which gives the bot's response."""


@dataclass(eq=False)
class Table:
    """A group of people who play one match after another in the same channel."""

    people: list[Person]
    channel: Channel
    match: str = ""
    is_busy: bool = False
    """Whether one of them is acting at the moment."""
    played: list[str] = field(default_factory=list)


class Crowd:
    """All people at all tables."""

    def __init__(
        self,
        discord: LocalDiscord,
        ledger: Ledger,
        rng: random.Random,
        process_of: Callable[[int], int],
    ) -> None:
        self.discord, self.ledger, self.random = discord, ledger, rng
        self.tables: list[Table] = []
        self.faults: list[str] = []
        """Errors of this script itself."""
        self._process_of = process_of
        """Returns the group of bots that serves a server."""
        self._seats: dict[int, int] = {}
        self._acts: set[asyncio.Task[None]] = set()

    # Tables

    def add_tables(self, number: int, channels: list[Channel]) -> None:
        """Add tables of two to four people, distributed over these channels."""
        people: list[Person] = []
        for count in range(number):
            size = 2 + count % 3
            while len(people) < size:
                people.append(self.discord.user(f"Guest {len(self._seats):05}"))
                self._seats[people[-1].id] = 0
            table = Table(people[:size], channels[count % len(channels)])
            for person in table.people:
                self._seats[person.id] += 1
            people = [
                person
                for person in people[1:] + people[:1]
                if self._seats[person.id] < MAX_MATCHES_EACH
            ]
            self.tables.append(table)

    async def open(self, table: Table, game: str) -> None:
        """Open a lobby, let everybody join, and start it; presses that get lost are repeated."""
        host, *others = table.people
        opened = await self._press(
            table,
            host,
            "new",
            host.slash("/game new", channel=table.channel, game=game, wait="nothing"),
        )
        lobby = await self._find_lobby(opened, table.channel, host)
        if lobby is None:
            return
        match = match_of(lobby)
        for person in others:
            await self._until_done(table, person, lobby, "join")
        if self.random.random() < HAS_COMPUTER and len(table.people) < GAMES[game].seats[-1]:
            await self._add_computer(table, host, lobby)
        for person in others:
            # A join may have been lost when a bot was killed.
            if person.name not in lobby.text:
                await self._until_done(table, person, lobby, "join")
        await self._until_done(table, host, lobby, "start")
        table.match = match
        table.played.append(match)

    async def _find_lobby(self, opened: Press, channel: Channel, host: Person) -> Message | None:
        """Return the lobby that somebody has opened; search the channel if the bot was slow."""
        if opened.answered is not None and not opened.response.ephemeral:
            return opened.response.message
        if opened.answered is not None and OPENED not in opened.response.text:
            return None
        with suppress(TimeoutError):
            async with asyncio.timeout(SEARCH_SECONDS):
                while True:
                    for posted in reversed(self.ledger.posts):
                        if posted.at < opened.sent:
                            break
                        lobby = self.discord.state.messages.get(posted.message)
                        if (
                            posted.is_lobby
                            and lobby
                            and lobby.channel is channel
                            and f"1. {host.name}" in posted.text
                        ):
                            return lobby
                    await asyncio.sleep(1.0)
        return None

    async def _until_done(self, table: Table, person: Person, lobby: Message, what: str) -> None:
        """Press a control of a lobby until the press succeeds."""
        for _ in range(MAX_TRIES):
            control = _find_control(lobby, lambda parts: parts[0] == "l" and parts[2] == what)
            if not control:
                return
            pressed = await self._press(
                table, person, what, person.click(lobby, custom_id=control, wait="nothing")
            )
            if pressed.outcome not in DROPPED and not pressed.response.followups:
                return
            if what == "join" and person.name in lobby.text:
                return
            await asyncio.sleep(self.random.uniform(0.5, 1.5))

    async def _add_computer(self, table: Table, host: Person, lobby: Message) -> None:
        control = _find_control(lobby, lambda parts: parts[0] == "l" and parts[2] == "computer")
        if not control:
            return
        asked = await self._press(
            table, host, "ask", host.click(lobby, custom_id=control, wait="nothing")
        )
        if asked.answered is not None:
            add = _find_control(
                asked.response.last, lambda parts: parts[2:] == ["add_computer", "easy"]
            )
            if add:
                await self._press(
                    table,
                    host,
                    "computer",
                    host.click(asked.response.last, custom_id=add, wait="nothing"),
                )

    # Play

    async def set_up(self, at_once: int) -> None:
        """Open a match at every table, a few at a time."""
        waiting = list(enumerate(self.tables))
        waiting.reverse()

        async def open_matches() -> None:
            while waiting:
                number, table = waiting.pop()
                for _ in range(4):
                    if not table.match:
                        await self._run_guarded(self.open(table, tuple(GAMES)[number % len(GAMES)]))

        await asyncio.gather(*(open_matches() for _ in range(at_once)))

    async def play(self, seconds: float, rate: float, at_once: int) -> None:
        """Let random people act at this rate per second until the time is up."""
        end = time.monotonic() + seconds
        while (now := time.monotonic()) < end:
            await asyncio.sleep(min(self.random.expovariate(rate), end - now))
            idle = [table for table in self.tables if not table.is_busy]
            if len(self._acts) < at_once and idle:
                table = self.random.choice(idle)
                table.is_busy = True
                task = asyncio.create_task(self._turn(table))
                self._acts.add(task)
                task.add_done_callback(self._acts.discard)
        if self._acts:
            await asyncio.wait(self._acts)

    async def _turn(self, table: Table) -> None:
        try:
            await self._run_guarded(self._act(table))
        finally:
            table.is_busy = False

    async def _run_guarded(self, act: Awaitable[None]) -> None:
        try:
            await act
        except (Impossible, LookupError):
            # The control was removed just before it was pressed.
            pass
        except Exception as error:
            self.faults.append(f"{type(error).__name__}: {error}")

    async def _act(self, table: Table) -> None:
        board = self.ledger.boards.get(table.match)
        if not table.match or (board is not None and _find_button(board, table.match, "rematch")):
            await self.open(table, self.random.choice(tuple(GAMES)))
            return
        if board is None:
            return
        person = self._choose_person(table, board)
        if self.random.random() < TYPES_TURN:
            await self._type(table, person)
        else:
            await self._use_panel(table, person, board)

    def _choose_person(self, table: Table, board: Message) -> Person:
        """Choose who acts: usually a player who is mentioned, sometimes anybody at all."""
        mentioned = [person for person in table.people if person.user in board.mentions]
        if self.random.random() < ACTS_FOR_ANOTHER:
            return self.random.choice(self.random.choice(self.tables).people)
        return self.random.choice(mentioned or table.people)

    async def _use_panel(self, table: Table, person: Person, board: Message) -> None:
        move = _find_button(board, table.match, "move")
        if not move:
            return

        async def open_one() -> Message | None:
            opened = await self._press(
                table, person, "open", person.click(board, custom_id=move, wait="nothing")
            )
            return opened.response.last if opened.answered is not None else None

        panel = await open_one()
        stale = await open_one() if panel and self.random.random() < KEEPS_STALE_PANEL else None
        for _ in range(MAX_PRESSES):
            if panel is None or not (control := self._choose_control(panel)):
                break
            pressed = await self._use(table, person, panel, control)
            if pressed.answered is None or pressed.outcome == DONE:
                break
            await asyncio.sleep(self.random.random() * MAX_PAUSE_SECONDS)
        if stale is not None and (control := self._choose_control(stale)):
            await self._use(table, person, stale, control)
        if panel is not None and self.random.random() < ACTS_FOR_ANOTHER:
            await self._forge(table, panel)

    async def _use(self, table: Table, person: Person, panel: Message, control: Json) -> Press:
        """Press a control of a panel, sometimes twice; return the first press."""
        names = {CONFIRM: "confirm", PICK: "pick", PICK_SEVERAL: "pick"}
        what = names.get(control["custom_id"][0], "turn")

        def act() -> Action:
            if "options" not in control:
                return person.click(panel, custom_id=control["custom_id"], wait="nothing")
            values = [option["value"] for option in control["options"]]
            number = self.random.randint(
                max(1, control.get("min_values", 1)), control.get("max_values", 1)
            )
            return person.choose(
                panel, control["custom_id"], self.random.sample(values, number), wait="nothing"
            )

        if self.random.random() < PRESSES_TWICE:
            first, _ = await asyncio.gather(
                self._press(table, person, what, act()), self._press(table, person, what, act())
            )
            return first
        return await self._press(table, person, what, act())

    async def _forge(self, table: Table, panel: Message) -> None:
        """Let somebody send a control that they could only know from another's private panel."""
        other = self.random.choice(table.people)
        board = self.ledger.boards.get(table.match)
        control = next(iter(panel.buttons), None)
        if board is not None and control is not None and other.user is not panel.only_for:
            forged = other.click(board, custom_id=control["custom_id"], forged=True, wait="nothing")
            await self._press(table, other, "forged", forged)

    async def _type(self, table: Table, person: Person) -> None:
        """Type what autocompletion offers until a move is committed."""
        in_dm = self.random.random() < TYPES_IN_DM
        board = self.ledger.boards[table.match]
        place = self.discord.dm(person) if in_dm else board.channel
        for _ in range(MAX_PRESSES // 2):
            completion = person.autocomplete(
                "/play", channel=place, match=table.match, move="", focused="move", wait="nothing"
            )
            offered = await self._press(table, person, "complete", completion, place)
            if offered.answered is None or not offered.response.values:
                return
            move = self.random.choice(offered.response.values)
            typed = person.slash(
                "/play", channel=place, match=table.match, move=move, wait="nothing"
            )
            pressed = await self._press(table, person, "typed", typed, place)
            if pressed.answered is None or pressed.outcome == DONE:
                return
            await asyncio.sleep(self.random.random() * MAX_PAUSE_SECONDS)

    def _choose_control(self, panel: Message) -> Json | None:
        """Choose a random enabled control of a panel, usually one that advances the turn.

        None if the panel has only others.
        """
        by_action: dict[str, list[Json]] = {}
        for control in panel.controls:
            # A panel also has buttons that are no controls of the turn, such as that of a plan.
            match = re.fullmatch(CONTROL, control.get("custom_id", ""))
            if match is not None and not control.get("disabled"):
                by_action.setdefault(match["action"], []).append(control)
        picks = by_action.get(PICK, []) + by_action.get(PICK_SEVERAL, [])
        confirms = by_action.get(CONFIRM, [])
        if confirms and self.random.random() < CONFIRMS:
            return self.random.choice(confirms)
        if UNDO in by_action and self.random.random() < UNDOES:
            return self.random.choice(by_action[UNDO])
        if PAGE in by_action and (not picks or self.random.random() < TURNS_PAGE):
            return self.random.choice(by_action[PAGE])
        if OFFER in by_action and self.random.random() < OPENS_OFFERS:
            return self.random.choice(by_action[OFFER])
        return self.random.choice(picks or confirms) if picks or confirms else None

    async def open_panel(self, table: Table, person: Person) -> Message | None:
        """Open somebody's panel with the button under the newest board."""
        board = self.ledger.boards.get(table.match)
        move = _find_button(board, table.match, "move") if board is not None else ""
        if board is None or not move:
            return None
        opened = await self._press(
            table, person, "open", person.click(board, custom_id=move, wait="nothing")
        )
        return opened.response.last if opened.answered is not None else None

    async def _press(
        self, table: Table, person: Person, what: str, action: Action, place: Channel | None = None
    ) -> Press:
        """Perform an action, record it as a press, and wait until the bot has answered it."""
        sent = time.time()
        response = await action
        interaction = response.interaction
        guild = (place or interaction.channel).guild
        press = Press(
            interaction.id, person.id, table.match, what, self._process_of(guild), sent, response
        )
        if self.random.random() < DELIVERED_TWICE:
            with suppress(Exception):
                self.discord.interactions.redeliver(interaction)
        return await self.ledger.record_and_wait(press)


def _find_control(message: Message, fits: Callable[[list[str]], bool]) -> str:
    """Return the custom id of the first enabled control that fits; '' if none does."""
    ids = (str(part.get("custom_id", "")) for part in message.controls if not part.get("disabled"))
    return next((found for found in ids if found.count(":") >= 2 and fits(found.split(":"))), "")


def _find_button(board: Message, match: str, what: str) -> str:
    return _find_control(board, lambda parts: parts[:3] == ["t", match, what])
