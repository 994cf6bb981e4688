"""The bot is killed during play: nothing acknowledged is lost, nothing happens twice."""

import asyncio
import random
from collections.abc import Awaitable, Callable

from bot.features.play.panel import CONFIRM
from bot.local import Person, Response
from bot.local.faults import Fault
from engine import Seat
from tests.e2e.harness import Stage, Table, wait_until_hit
from tests.e2e.ways import confirm, pick
from tests.patience import PATIENCE

POST, EDIT = ("POST", "/channels/*/messages"), ("PATCH", "/channels/*/messages/*")
CALLBACK = ("POST", "/interactions/*/*/callback")
ANSWER = ("PATCH", "/webhooks/*/*/messages/@original")


class Turn:
    """A turn during which the bot is killed."""

    def __init__(self, table: Table, chance: random.Random) -> None:
        self.table, self.stage, self.chance = table, table.stage, chance
        (self.seat,) = table.match.waiting_for()
        self.mover: Person = table.person(self.seat)
        self.number = table.match.number
        decision = table.match.question(self.seat)
        self.key = chance.choice([option.key for option in decision.options])
        self.panel: Response | None = None
        self.last: Response | None = None

    async def open(self) -> None:
        """Open the panel with a button that may be older than the bot process."""
        self.panel = await self.table.open_panel(self.mover)

    async def draft(self) -> Response:
        """Make the pick."""
        assert self.panel is not None
        self.panel = await pick(self.mover, self.panel, self.key)
        assert "Your turn so far (only you see this)" in self.panel.content
        return self.panel

    async def send(self) -> None:
        """Confirm the draft, or type the whole turn, without waiting for the answer."""
        if self.chance.random() < 0.5:
            await self.draft()
            assert self.panel is not None
            self.last = await self.mover.click(self.panel, "Confirm", wait="nothing")
        else:
            self.last = await self.mover.slash(
                "/play",
                channel=self.table.place,
                move=f"{self.key}!",
                match=self.table.id,
                wait="nothing",
            )

    @property
    def acknowledged(self) -> bool:
        """Whether the player was told that the turn is done."""
        return (
            self.last is not None
            and bool(self.last.messages)
            and self.last.content.startswith("Done.")
        )

    async def kill_at(self, fault: Fault) -> None:
        """Kill the bot as soon as a request has run into the fault."""
        await wait_until_hit(fault)
        await self.stage.bot.kill()


async def between_commit_and_post(turn: Turn) -> None:
    """Kill the bot when the move is stored but its board is not posted."""
    fault = turn.stage.discord.faults.hold(*POST)
    await turn.send()
    await turn.kill_at(fault)
    assert turn.table.match.number == turn.number + 1


async def after_the_post(turn: Turn) -> None:
    """Kill the bot when the board is posted but the response has not reached it."""
    fault = turn.stage.discord.faults.hold(*POST, applied=True)
    await turn.send()
    await turn.kill_at(fault)


async def while_buttons_come_off(turn: Turn) -> None:
    """Kill the bot when the board is posted and the one before it is being edited."""
    fault = turn.stage.discord.faults.hold(*EDIT, applied=turn.chance.random() < 0.5)
    await turn.send()
    await turn.kill_at(fault)


async def before_the_acknowledgement(turn: Turn) -> None:
    """Kill the bot before its acknowledgement reaches Discord: the interaction fails."""
    fault = turn.stage.discord.faults.hold(*CALLBACK, applied=turn.chance.random() < 0.5)
    turn.last = await turn.mover.slash(
        "/play", channel=turn.table.place, move=f"{turn.key}!", match=turn.table.id, wait="nothing"
    )
    await turn.kill_at(fault)


async def before_the_answer(turn: Turn) -> None:
    """Kill the bot when the move is made but the panel that says so has not arrived."""
    await turn.draft()
    assert turn.panel is not None
    fault = turn.stage.discord.faults.hold(*ANSWER)
    turn.last = await turn.mover.click(turn.panel, "Confirm", wait="nothing")
    await turn.kill_at(fault)


async def with_a_draft(turn: Turn) -> None:
    """Kill the bot between the pick and its confirmation."""
    await turn.draft()
    await turn.stage.bot.kill()
    assert [answer.keys for answer in turn.table.match.draft(turn.seat).answers] == [(turn.key,)]


async def at_some_request(turn: Turn) -> None:
    """Kill the bot at one of the first requests after the press, whichever it is."""
    left = turn.chance.randrange(6)
    await turn.send()
    dead = asyncio.Event()

    def count(kind: str, subject: object) -> None:
        nonlocal left
        left -= kind == "request"
        if left < 0 and not dead.is_set():
            _shoot(turn)
            dead.set()

    turn.stage.discord.state.listeners.append(count)
    count("", None)
    alive = asyncio.ensure_future(turn.table.wait_until_posted())
    await asyncio.wait(
        {alive, asyncio.ensure_future(dead.wait())}, return_when=asyncio.FIRST_COMPLETED
    )
    alive.cancel()
    turn.stage.discord.state.listeners.remove(count)
    await turn.stage.bot.kill()


async def at_some_instant(turn: Turn) -> None:
    """Kill the bot within a few hundredths of a second after the press."""
    await turn.send()
    dead = asyncio.Event()
    asyncio.get_running_loop().call_later(turn.chance.uniform(0.0, 0.08), dead.set)
    await dead.wait()
    await turn.stage.bot.kill()


async def while_catching_up(turn: Turn) -> None:
    """Kill the bot before the post, and its successor while it sends that post."""
    await between_commit_and_post(turn)
    turn.stage.discord.faults.clear()
    fault = turn.stage.discord.faults.hold(*POST, applied=turn.chance.random() < 0.5)
    await turn.stage.bot.start()
    await turn.kill_at(fault)


def _shoot(turn: Turn) -> None:
    assert turn.stage.bot.process is not None
    turn.stage.bot.process.kill()


MOMENTS: tuple[Callable[[Turn], Awaitable[None]], ...] = (
    between_commit_and_post,
    after_the_post,
    while_buttons_come_off,
    before_the_acknowledgement,
    before_the_answer,
    with_a_draft,
    at_some_request,
    at_some_instant,
    while_catching_up,
    at_some_request,
)


async def test_kills_at_any_moment_lose_and_repeat_nothing(stage: Stage) -> None:
    chance = random.Random("many kills")
    table = await stage.start_match()
    played: list[tuple[Seat, str]] = []
    for moment in chance.sample(MOMENTS, len(MOMENTS)):
        turn = Turn(table, chance)
        print(f"{turn.number}: {moment.__name__}, {turn.mover.name} {turn.key}")
        await turn.open()
        await moment(turn)
        stage.discord.faults.clear()
        await stage.bot.start()
        await table.wait_until_posted()
        await finish(turn)
        played.append((turn.seat, turn.key))
        check(table, played)
    assert stage.bot.starts > len(MOMENTS)


async def test_a_board_posted_just_before_a_kill_is_not_posted_again_an_hour_later(
    stage: Stage,
) -> None:
    table = await stage.start_match()
    turn = Turn(table, random.Random("an hour"))
    await turn.open()
    await after_the_post(turn)
    stage.discord.faults.clear()
    stage.clock.advance(3600)
    await stage.bot.start()
    await table.wait_until_posted()
    check(table, [(turn.seat, turn.key)])


async def finish(turn: Turn) -> None:
    """Finish the turn after the restart with the old panel."""
    table, stood = turn.table, turn.table.match
    assert turn.panel is not None
    if stood.number == turn.number:
        assert not turn.acknowledged
        if not stood.draft(turn.seat).answers:
            turn.panel = await pick(turn.mover, turn.panel, turn.key)
        answer = await confirm(turn.mover, turn.panel)
        assert answer.content.startswith("Done.") and answer.ephemeral
        await table.wait_until_posted()
    elif any(
        button["custom_id"].startswith(f"{CONFIRM}:") for button in turn.panel.message.buttons
    ):
        again = await confirm(turn.mover, turn.panel)
        assert again.content.startswith("That button is out of date.") and again.ephemeral
    assert table.match.number == turn.number + 1


def check(table: Table, played: list[tuple[Seat, str]]) -> None:
    """Check that every turn is stored once, and every board posted once, the last with buttons."""
    assert table.commits() == [(seat, (key,)) for seat, key in played]
    posts = table.posts
    due = [row[0] for row in table.announcements()]
    assert table.numbers == due
    assert all(post.files.keys() == {"board.png"} for post in posts)
    assert all(row[3] for row in table.announcements())
    assert len(due) == len(played) + 1
    assert table.with_buttons() == posts[-1:]
    assert [user.name for user in posts[-1].pings] == [table.to_move.name]


async def test_removing_the_database_stops_the_bot_and_loses_nothing(stage: Stage) -> None:
    stage.complaints = ["was deleted while the bot was running"]
    table = await stage.start_match()
    await table.play(stage.ana, "17!")
    await table.wait_until_posted()
    place = table.place
    (stage.bot.data / "motu.db").unlink()
    refused = await stage.bea.slash("/play", channel=place, move="18!")
    assert refused.ephemeral and "Nothing was changed" in refused.content
    assert stage.bot.process is not None
    assert await asyncio.wait_for(stage.bot.process.wait(), PATIENCE) == 1
    assert stage.bot.log.splitlines()[-1].startswith("motu: The database ")
    await stage.bot.start()
    assert (await table.play(stage.bea, "18!")).content.startswith("Done.")
    await table.wait_until_posted()
    assert [key for _, made in table.commits() for key in made] == ["17", "18"]
    assert len(table.posts) == 3
    assert table.with_buttons() == table.posts[-1:]
