"""Several processes on one PostgreSQL database share the shards."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from signal import SIGCONT, SIGSTOP

import aiohttp

from bot.local import LocalDiscord, ManualClock, Person
from bot.local.interactions import DEFER
from bot.local.model import EPHEMERAL, Channel, Message
from bot.store.shard_locks import LEASE, SHARD
from bot.text import say
from tests.bot.local.raw import Raw
from tests.e2e.harness import BotProcess, are_private, match_of, open_stage
from tests.patience import PATIENCE
from tests.postgres_server import Server

POLL_SECONDS = 0.02
"""Seconds between two looks at what tells nobody when it changes."""


class Cluster:
    """Bots in their own processes on one database, and a server in each of two shards."""

    def __init__(self, discord: LocalDiscord, folder: Path, server: Server) -> None:
        self.discord, self.folder, self.server, self.url = discord, folder, server, server.new()
        self.ana = discord.user("Ana")
        self.bea = discord.user("Bea")
        self.bots: list[BotProcess] = []
        state = discord.state
        state.advised_shards = 2
        self.channels = [
            state.add_channel(f"games-{n}", state.add_guild(n, shards=2)) for n in (0, 1)
        ]

    async def start(self, shards: str, *, ready: bool = True, **settings: str) -> BotProcess:
        """Start one more process."""
        bot = BotProcess(self.discord, self.folder / str(len(self.bots)))
        database = self.url.replace("motu@", "motu:geheim@")
        bot.settings = {"MOTU_DATABASE": database, "MOTU_SHARDS": shards, **settings}
        self.bots.append(bot)
        await bot.start(ready=ready)
        return bot

    async def until_said(self, bot: BotProcess, words: str) -> None:
        """Wait until a process has logged something."""
        await self.until(lambda: words in bot.log, words)

    async def until(self, holds: Callable[[], bool], about: str) -> None:
        """Wait until a condition holds that nothing signals."""
        try:
            async with asyncio.timeout(PATIENCE):
                while not holds():  # noqa: ASYNC110
                    await asyncio.sleep(POLL_SECONDS)
        except TimeoutError:
            raise AssertionError(f"waited {PATIENCE} s in vain for {about}") from None

    async def begun(self, channel: Channel) -> str:
        """Start a match of Ana and Bea in a channel, and wait for its first board."""
        opened = await self.ana.slash(
            "/game new", channel=channel, game="blue_lagoon", settings="first=1"
        )
        await self.bea.click(opened, label="Join")
        await self.ana.click(opened, label="Start")
        match = match_of(opened.message)
        await self.posted(match, 1)
        return match

    async def move(self, person: Person, match: str, move: str, channel: Channel) -> str:
        """Play a move by text; return the private answer."""
        answer = await person.slash("/play", channel=channel, move=move, match=match)
        assert are_private([answer]) or channel.recipient is person.user
        return answer.content

    async def ends_overtaken(self, bot: BotProcess) -> None:
        """Wait until a process has exited because another one took over its shards."""
        assert bot.process is not None
        assert await asyncio.wait_for(bot.process.wait(), PATIENCE) == 1
        assert bot.log.splitlines()[-1].startswith(
            "motu: Another process has taken over shards 0-1/2."
        )

    def boards(self, match: str) -> list[Message]:
        """Return the boards of a match, oldest first."""
        return [
            post for post in self.discord.messages() if (post.nonce or "").startswith(f"{match}-")
        ]

    def calls(self, person: Person) -> list[Message]:
        """Return the messages that mention somebody and are not boards."""
        boards = {post.id for post in self.discord.messages() if "-" in (post.nonce or "")}
        letters = [message for message in person.inbox() if message.nonce]
        return [message for message in [*person.pings(), *letters] if message.id not in boards]

    async def posted(self, match: str, number: int) -> None:
        """Wait until exactly this many boards are posted and recorded."""
        due = f"SELECT id FROM announcements WHERE match_id = '{match}' AND NOT is_posted"
        await self.until(
            lambda: len(self.boards(match)) >= number and not self.server.sql(due, self.url),
            "a board",
        )
        assert len(self.boards(match)) == number


@asynccontextmanager
async def cluster(folder: Path) -> AsyncIterator[Cluster]:
    """A cluster without bots; started bots are ended after the test."""
    with Server() as server:
        async with LocalDiscord(clock=ManualClock()) as discord:
            found = Cluster(discord, folder, server)
            try:
                yield found
                assert discord.unknown_routes == [] and discord.crashes == []
            finally:
                for number, bot in enumerate(found.bots):
                    if bot.process is not None and bot.process.returncode is None:
                        bot.process.kill()
                        await bot.process.wait()
                    print(f"--- the log of process {number}\n{bot.log}---")
                    assert "geheim" not in bot.log and not (bot.data / "motu.db").exists()


async def test_a_waiting_process_takes_over_the_shards_of_another(tmp_path: Path) -> None:
    async with cluster(tmp_path) as play:
        first, second = play.channels
        await play.start("0/2")
        owner = await play.start("1/2")
        waiting = await play.start("1/2", ready=False)
        await play.until_said(waiting, "another process is serving shard 1")
        # What somebody chooses in a direct message holds in every process.
        private_place = play.discord.dm(play.bea)
        digest = {"level": "digest", "by": "direct"}
        await play.bea.slash("/me settings", channel=private_place, options=digest)
        here, there = await play.begun(first), await play.begun(second)
        for match, channel in ((here, first), (there, second)):
            assert (await play.move(play.ana, match, "9!", channel)).startswith("Done.")
            await play.posted(match, 2)
        # A direct message goes to shard 0, but the board is posted by the owner of the match.
        assert (await play.move(play.bea, there, "14!", private_place)).startswith("Done.")
        await play.posted(there, 3)
        logins = play.discord.gateway.identified
        assert logins == 2 and "Waiting" in waiting.log and "Motu is ready" not in waiting.log
        assert owner.process is not None
        owner.process.kill()
        await owner.process.wait()
        # Moves made meanwhile are posted by the process that takes over.
        assert (await play.move(play.ana, there, "10!", play.discord.dm(play.ana))).startswith(
            "Done."
        )
        await waiting.wait_for_login(logins + 1)
        await play.posted(there, 4)
        assert (await play.move(play.bea, there, "15!", second)).startswith("Done.")
        await play.posted(there, 5)
        # A day later the owner of the match reminds Ana, and any process sends Bea's daily digest.
        play.discord.state.move_clock(25 * 3600)
        await play.until(lambda: play.calls(play.ana) and play.calls(play.bea), "the calls")
        undone = "SELECT 1 FROM jobs WHERE tries > 0"
        await play.until(lambda: not play.server.sql(undone, play.url), "what is due")
        (reminder,), (letter,) = play.calls(play.ana), play.calls(play.bea)
        assert there in reminder.content and here in letter.content
        assert [await bot.stop() for bot in (play.bots[0], waiting)] == [0, 0]
        assert waiting.log.count("Waiting") == 1
        commits = play.server.sql(
            f"SELECT count(*) FROM moves WHERE match_id = '{there}' AND number > 0", play.url
        )
        assert commits[0][0] == 4


async def test_after_a_database_outage_each_shard_has_one_owner(tmp_path: Path) -> None:
    async with cluster(tmp_path) as play:
        first, place = await play.start("0-1/2"), play.channels[1]
        spare = await play.start("0-1/2", ready=False)
        await play.until_said(spare, "another process is serving shard")
        match = await play.begun(place)
        assert (await play.move(play.ana, match, "9!", place)).startswith("Done.")
        await play.posted(match, 2)
        play.server.stop()
        # Without its locks a process says nothing to anybody: it leaves the gateway.
        await play.discord.wait_until_disconnected()
        unheard = await play.bea.slash(
            "/play", channel=place, move="14!", match=match, wait="nothing"
        )
        play.server.start()
        # Whichever comes first has the shards. The other waits in line, or ends and is started
        # again by its supervisor.
        back = "the shard locks are back"
        await play.until(lambda: back in first.log or "Motu is ready" in spare.log, "an owner")
        owner, other = (first, spare) if back in first.log else (spare, first)
        if other is first:
            await play.ends_overtaken(first)
            await first.start(ready=False)
            await play.until_said(first, "Waiting: another process is serving shard")
            assert not unheard.acknowledged, "a new session is not told of what was before"
            assert (await play.move(play.bea, match, "14!", place)).startswith("Done.")
        else:
            await unheard.wait()
            assert unheard.content.startswith("Done."), "a session that is resumed is told of it"
        await play.posted(match, 3)
        held = (
            f"SELECT DISTINCT pid FROM pg_locks WHERE locktype = 'advisory' AND classid = {SHARD}"
        )
        ((holder,),) = play.server.sql(held, play.url)
        # An owner that is suspended loses its locks and its session stays: both are told of the
        # next press.
        assert owner.process is not None
        logins = play.discord.gateway.identified
        owner.process.send_signal(SIGSTOP)
        play.server.sql(f"SELECT pg_terminate_backend({holder})", play.url)
        await other.wait_for_login(logins + 2)
        await asyncio.sleep(2 * LEASE)
        assert len(play.discord.gateway.sessions) == 4
        assert (await play.move(play.ana, match, "10!", place)).startswith("Done.")
        owner.process.send_signal(SIGCONT)
        assert (await play.move(play.bea, match, "15!", place)).startswith("Done.")
        await play.ends_overtaken(owner)
        await play.posted(match, 5)
        assert (await play.move(play.ana, match, "11!", place)).startswith("Done.")
        await play.posted(match, 6)
        answers = [
            asked for asked in play.discord.rest.requests if asked.path.startswith("/interactions/")
        ]
        assert answers
        assert all(asked.status < 300 for asked in answers), (
            "nobody answers what another has answered"
        )


async def test_a_process_whose_database_stays_away_exits_and_says_why(tmp_path: Path) -> None:
    async with cluster(tmp_path) as play:
        bot = await play.start("0-1/2", GIVE_UP="1")
        play.server.stop()
        assert bot.process is not None
        assert await asyncio.wait_for(bot.process.wait(), PATIENCE) == 1
        last = bot.log.splitlines()[-1]
        assert (
            last.startswith("motu: The database is still unreachable (") and "shards 0-1/2" in last
        )
        assert "Traceback" not in bot.log and "ERROR" not in bot.log
        # Started again while it is still away, it waits for it.
        logins = play.discord.gateway.identified
        await bot.start(ready=False)
        await play.until_said(bot, "Waiting up to 60 seconds")
        play.server.start()
        await bot.wait_for_login(logins + 2)
        assert await bot.stop() == 0
        play.server.stop()
        await bot.start(ready=False)
        await play.until(lambda: bot.log.count("Waiting up to") == 2, "a start that waits")
        assert await bot.stop() == 0, "one that waits can be stopped"


async def test_the_process_that_applies_a_press_gives_the_final_answer(
    tmp_path: Path,
) -> None:
    async with open_stage(tmp_path) as stage, aiohttp.ClientSession() as session:
        stage.refusals = {40060}
        table, clock = await stage.start_match(), stage.clock
        other = Raw(stage.discord, clock, session)
        assert stage.bot.process is not None
        # The other process is faster, and has no database.
        stage.bot.process.send_signal(SIGSTOP)
        answer = await table.play(stage.ana, "17!", wait="nothing")
        await other.answer(answer, DEFER, {"flags": EPHEMERAL})
        stage.bot.process.send_signal(SIGCONT)
        await answer.until(lambda answer: answer.content.startswith("Done."))
        for failed in (say("database.unreachable"), say("database.in_doubt")):
            await other.call(
                "POST",
                other.webhook(answer),
                {"content": failed, "flags": EPHEMERAL, "allowed_mentions": {"parse": []}},
            )
            assert answer.followups[-1].content == failed
            assert answer.content.startswith("Done.")
            assert answer.message.attachments, "with the board"
        await table.wait_until_posted()
        assert len(table.commits()) == 1
