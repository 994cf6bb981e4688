"""The whole bot on PostgreSQL: played, killed, and in the midst of it the server goes and comes back."""

from pathlib import Path

from bot.local import HandClock, LocalDiscord
from tests.e2e.harness import BotProcess, Stage, match_of, private
from tests.postgres_server import Server


async def test_a_bot_on_postgresql_outlives_a_kill_and_its_server(tmp_path: Path) -> None:
    with Server() as server:
        async with LocalDiscord(clock=HandClock()) as discord:
            bot = BotProcess(discord, tmp_path)
            url = server.new()
            bot.settings = {"MOTU_DATABASE": url.replace("motu@", "motu:geheim@")}
            stage = Stage(discord, bot)
            await bot.start()
            try:
                opened = await stage.lobby()
                await stage.bea.click(opened, label="Join")
                await stage.ana.click(opened, label="Start")
                match = match_of(opened.message)
                moved = await stage.ana.slash("/play", move="9!", match=match)
                assert private([moved]) and commits(server, url) == 1
                await bot.restart()
                server.stop()
                refused = await stage.bea.slash("/play", move="14!", match=match)
                assert private([refused]) and "cannot be reached" in refused.content
                server.start()
                # It goes on by itself: what was refused was not done, and can be done now.
                while commits(server, url) < 2:
                    assert private([await stage.bea.slash("/play", move="14!", match=match)])
                assert commits(server, url) == 2
                due = "SELECT count(*) FROM announcement WHERE posted = 0"
                await stage.settled(lambda: server.sql(due, url)[0][0] == 0, "the posts")
                assert await bot.stop() == 0
                assert "geheim" not in bot.log and not (bot.data / "motu.db").exists()
            finally:
                if bot.process is not None and bot.process.returncode is None:
                    bot.process.kill()
                    await bot.process.wait()
                print(bot.log)


def commits(server: Server, url: str) -> int:
    """How many there are."""
    return int(server.sql("SELECT count(*) FROM match_commit", url)[0][0])
