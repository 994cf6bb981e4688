"""What the local Discord stores between starts."""

import asyncio
import json
import signal
import sqlite3
import stat
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from bot.local import LocalDiscord, ManualClock, objects, table_file
from bot.local.table_file import (
    TIDY_EVERY,
    VERSION,
    TableFile,
    TableFileError,
    channel_to_row,
    delete_databases,
    is_in_use,
    message_to_row,
)
from tests.bot.local.parts import gallery, layout, media
from tests.bot.local.raw import Raw

PICTURE = b"\x89PNG but not really"


def everything(discord: LocalDiscord) -> dict[str, Any]:
    """Return the whole state, without file addresses, which change."""
    state = discord.state
    messages = [message_to_row(message) for message in state.messages.values()]
    text = json.dumps(messages)
    for file in state.attachments.values():
        text = text.replace(json.dumps(file.url)[1:-1], f"file {file.id}")
    return {
        "guild": (state.guild, state.guild_name, state.bot_role, state.bot.id),
        "people": [vars(user) for user in state.users.values()],
        "channels": [
            (type(channel), channel_to_row(channel)) for channel in state.channels.values()
        ],
        "messages": text,
        "files": {
            file.id: (file.filename, file.data, file.description)
            for file in state.attachments.values()
        },
        "nonces": {key: message.id for key, message in state.nonces.items()},
        "commands": state.commands,
        "seen": state.read_markers,
        "address": discord.table.capability,
    }


async def fill(raw: Raw) -> None:
    """Create something of every kind."""
    discord = raw.discord
    ana, ben = discord.user("Ana"), discord.user("Ben")
    await raw.register({"name": "play", "description": "d"}, {"name": "game", "description": "g"})
    body = {
        "content": f"board for {ana.mention}",
        "nonce": "17",
        "embeds": [{"title": "t"}],
        "attachments": [{"id": 0, "filename": "f.bin", "description": "alt"}],
        "components": [
            {"type": 1, "components": [{"type": 2, "style": 1, "label": "Go", "custom_id": "go"}]}
        ],
    }
    _, posted = await raw.post(discord.channel(), body, {"files[0]": PICTURE})
    path = f"/channels/{discord.channel().id}/messages/{posted['id']}/threads"
    _, thread = await raw.call("POST", path, {"name": "the match"})
    ben.say(f"hello {ana.mention}", discord.state.channel(int(thread["id"])))
    response = await ana.slash("/play", wait="nothing")
    await raw.answer(response, 4, {"content": "for Ana alone", "flags": 64})
    await raw.call("POST", "/users/@me/channels", {"recipient_id": str(ben.id)})
    await raw.post(discord.dm(ben), {"content": "dear Ben"})
    other = discord.add_channel("other")
    discord.deny(other, "view_channel", to=ben)
    discord.archive(discord.state.channel(int(thread["id"])), locked=True)
    discord.state.mark_read(ana.user, discord.channel(), int(posted["id"]))


async def test_everything_is_restored(tmp_path: Path) -> None:
    clock = ManualClock()
    file = tmp_path / "deep" / "table.db"
    async with LocalDiscord(clock=clock, file=file) as discord, aiohttp.ClientSession() as session:
        await fill(Raw(discord, clock, session))
        before = everything(discord)
        token = discord.token
    assert not list(file.parent.glob("*-wal")), "the file is whole without its log"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    for _ in range(2):
        clock.advance(2 * 86_400)
        async with LocalDiscord(clock=clock, file=file, players=("Ana",)) as discord:
            assert everything(discord) == before
            assert discord.token != token
            (message,) = [m for m in discord.state.messages.values() if m.attachments]
            async with (
                aiohttp.ClientSession() as session,
                session.get(message.attachments[0].url) as answer,
            ):
                assert await answer.read() == PICTURE
            assert discord.user("Ana").user is discord.state.users[discord.user("Ana").id]


async def test_a_restored_layout_shows_its_files(tmp_path: Path) -> None:
    clock, file = ManualClock(), tmp_path / "table.db"
    body = layout(
        gallery(media(description="alt")), attachments=[{"id": 0, "filename": "board.png"}]
    )
    async with LocalDiscord(clock=clock, file=file) as discord, aiohttp.ClientSession() as session:
        await Raw(discord, clock, session).post(discord.channel(), body, {"files[0]": PICTURE})
    async with LocalDiscord(clock=clock, file=file) as discord, aiohttp.ClientSession() as session:
        (message,) = discord.messages()
        assert message.is_layout and "alt" in message.text
        shown = objects.message(discord.state, message)["components"][0]["items"][0]["media"]
        async with session.get(shown["url"]) as answer:
            assert await answer.read() == PICTURE


async def test_known_player_names_are_reused(tmp_path: Path) -> None:
    for players in (("Ana", "Ben"), ("ana", "Cleo")):
        async with LocalDiscord(file=tmp_path / "table.db", players=players) as discord:
            names = [user.name for user in discord.state.people]
    assert names == ["Ana", "Ben", "Cleo"]


async def test_a_file_of_an_earlier_version_is_read(tmp_path: Path) -> None:
    clock, file = ManualClock(), tmp_path / "table.db"
    async with LocalDiscord(clock=clock, file=file) as discord, aiohttp.ClientSession() as session:
        await fill(Raw(discord, clock, session))
        before = everything(discord)
    earlier: dict[str, dict[str, Any]] = {
        "person": {"locale": "en-US", "left": False},
        "channel": {"members": [1, 2], "sent": 3},
        "message": {"webhook": None},
    }
    with closing(sqlite3.connect(file, isolation_level=None)) as db:
        for table, more in earlier.items():
            for row, data in db.execute(f"SELECT id, data FROM {table}").fetchall():
                fuller = json.dumps(json.loads(data) | more)
                db.execute(f"UPDATE {table} SET data = ? WHERE id = ?", (fuller, row))
    async with LocalDiscord(clock=clock, file=file) as discord:
        assert everything(discord) == before


async def test_changes_and_deletions_survive_a_restart(tmp_path: Path) -> None:
    clock, file = ManualClock(), tmp_path / "table.db"
    async with LocalDiscord(clock=clock, file=file) as discord, aiohttp.ClientSession() as session:
        raw = Raw(discord, clock, session)
        await fill(raw)
        first = discord.messages()[0]
        path = f"/channels/{first.channel.id}/messages/{first.id}"
        await raw.call("PATCH", path, {"attachments": [], "embeds": [], "content": "changed"})
        discord.delete_message(next(m for m in discord.state.messages.values() if m.ephemeral))
        discord.delete_channel(discord.channel("the match"))
        await raw.register({"name": "rules", "description": "r"})
        before = everything(discord)
    async with LocalDiscord(clock=clock, file=file) as discord:
        assert everything(discord) == before
    with closing(sqlite3.connect(file)) as db:
        assert db.execute("SELECT count(*) FROM file").fetchone() == (0,)


async def test_new_ids_are_greater_even_if_the_clock_was_put_back(tmp_path: Path) -> None:
    clock, file = ManualClock(), tmp_path / "table.db"
    async with LocalDiscord(clock=clock, file=file) as discord, aiohttp.ClientSession() as session:
        raw = Raw(discord, clock, session)
        await raw.register({"name": "play", "description": "d"})
        last = await discord.user("Ana").slash("/play", wait="nothing")
    async with LocalDiscord(clock=ManualClock(clock.now() - 3600), file=file) as discord:
        assert discord.state.snowflake() > last.interaction.id


async def test_an_interrupted_answer_is_dropped(tmp_path: Path) -> None:
    clock, file = ManualClock(), tmp_path / "table.db"
    async with LocalDiscord(clock=clock, file=file) as discord, aiohttp.ClientSession() as session:
        raw = Raw(discord, clock, session)
        await raw.register({"name": "play", "description": "d"})
        await raw.answer(await discord.user("Ana").slash("/play", wait="nothing"), 5, {"flags": 64})
        assert len(discord.state.messages) == 1
    for _ in range(2):
        async with LocalDiscord(clock=clock, file=file) as discord:
            assert not discord.state.messages


async def test_a_silent_thread_is_still_archived_after_a_restart(tmp_path: Path) -> None:
    clock, file = ManualClock(), tmp_path / "table.db"
    async with LocalDiscord(clock=clock, file=file) as discord, aiohttp.ClientSession() as session:
        raw = Raw(discord, clock, session)
        body = {"name": "t", "type": 11, "auto_archive_duration": 60}
        await raw.call("POST", f"/channels/{discord.channel().id}/threads", body)
    clock = ManualClock(clock.now())
    async with LocalDiscord(clock=clock, file=file) as discord:
        clock.advance(3601)
        assert [thread.name for thread in discord.state.threads(archived=True)] == ["t"]


async def test_a_kill_at_any_moment_loses_nothing_acknowledged(tmp_path: Path) -> None:
    file = tmp_path / "table.db"
    command = (sys.executable, "-m", "bot.local", "--json", "--file", str(file), "--player", "Ana")
    for number in range(3):
        process = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.PIPE)
        try:
            assert process.stdout is not None
            await _post(json.loads(await process.stdout.readline()), number)
        finally:
            process.send_signal(signal.SIGKILL)
            await process.wait()


async def _post(said: dict[str, str], number: int) -> None:
    """Look up earlier posts, and post a message."""
    socket = said["page"].replace("http", "ws", 1) + "socket"
    headers = {"Authorization": f"Bot {said['token']}"}
    async with aiohttp.ClientSession(headers=headers) as session:
        async with session.ws_connect(socket, origin=said["url"]) as page:
            channel = (await page.receive_json())["places"][0]["id"]
        url = f"{said['url']}/api/v10/channels/{channel}/messages"
        async with session.get(url) as answer:
            seen = [message["content"] for message in await answer.json()]
        assert seen == [f"post {n}" for n in reversed(range(number))]
        async with session.post(url, json={"content": f"post {number}"}) as answer:
            assert answer.status == 200


def test_a_file_is_used_by_one_process_at_a_time(tmp_path: Path) -> None:
    file = tmp_path / "table.db"
    assert not is_in_use(file)
    held = TableFile(file)
    assert is_in_use(file)
    with pytest.raises(TableFileError) as refused:
        TableFile(file)
    assert refused.value.in_use
    held.close()
    assert not is_in_use(file)
    TableFile(file).close()


def test_a_foreign_file_is_named_and_left_alone(tmp_path: Path) -> None:
    broken = tmp_path / "broken.db"
    broken.write_bytes(b"this is no database" * 100)
    with pytest.raises(TableFileError, match="not a database") as refused:
        TableFile(broken)
    assert refused.value.path == broken and not refused.value.in_use
    assert broken.read_bytes() == b"this is no database" * 100
    newer = tmp_path / "newer.db"
    with closing(sqlite3.connect(newer)) as db:
        db.execute(f"PRAGMA user_version = {VERSION + 1}")
    with pytest.raises(TableFileError, match="newer version"):
        TableFile(newer)
    with pytest.raises(TableFileError):
        TableFile(Path("/dev/null/table.db"))


async def test_a_damaged_row_is_reported_in_one_line(tmp_path: Path) -> None:
    file = tmp_path / "table.db"
    async with LocalDiscord(file=file) as discord:
        discord.user("Ana").say("hello")
    with closing(sqlite3.connect(file, isolation_level=None)) as db:
        db.execute("UPDATE message SET data = '{'")
    with pytest.raises(TableFileError):
        await LocalDiscord(file=file).start()
    assert not is_in_use(file)


async def test_changes_that_a_full_disk_refused_are_written_later(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    file = tmp_path / "table.db"
    async with LocalDiscord(file=file) as discord:
        ana = discord.user("Ana")
        assert discord._file is not None
        db = discord._file._db
        pages = db.execute("PRAGMA page_count").fetchone()[0]
        db.execute(f"PRAGMA max_page_count = {pages}")
        ana.say("x" * 2000)
        ana.say("y" * 2000)
        assert "Can't save the table" in caplog.text and "xxx" not in caplog.text
        db.execute("PRAGMA max_page_count = 100000")
        ana.say("z")
    async with LocalDiscord(file=file) as discord:
        assert [message.content[0] for message in discord.messages()] == ["x", "y", "z"]


def test_wiping_also_removes_the_log(tmp_path: Path) -> None:
    for name in ("a.db", "a.db-wal", "a.db-shm", "b.db"):
        (tmp_path / name).touch()
    delete_databases(tmp_path / "a.db", tmp_path / "missing.db")
    assert [path.name for path in tmp_path.iterdir()] == ["b.db"]


async def test_a_whole_match_stays_readable(tmp_path: Path) -> None:
    clock, file = ManualClock(), tmp_path / "table.db"
    async with LocalDiscord(clock=clock, file=file) as discord, aiohttp.ClientSession() as session:
        await _turns(Raw(discord, clock, session), 400)
    async with LocalDiscord(clock=clock, file=file) as discord:
        turns = discord.messages()
        assert [message.content for message in turns] == [f"turn {number}" for number in range(400)]
        assert all(message.files == {"board.png": PICTURE} for message in turns)


async def test_old_messages_are_pruned(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table_file, "MAX_PUBLIC_MESSAGES", 12)
    monkeypatch.setattr(table_file, "MAX_FILE_BYTES", 7 * len(PICTURE))
    clock, file = ManualClock(), tmp_path / "table.db"
    async with LocalDiscord(clock=clock, file=file) as discord, aiohttp.ClientSession() as session:
        await _turns(Raw(discord, clock, session), 2 * TIDY_EVERY)
        discord.user("Ben").say("elsewhere", discord.add_channel("other"))
    for _ in range(2):
        async with LocalDiscord(clock=clock, file=file) as discord:
            *turns, other = discord.messages()
            assert other.content == "elsewhere"
            assert [message.content for message in turns] == [f"turn {n}" for n in range(88, 100)]
            assert [bool(message.files["board.png"]) for message in turns] == [False] * 5 + [
                True
            ] * 7
            assert all("alt" in message.text for message in turns), "the words stay"
            assert len(discord.state.nonces) == 12
    with closing(sqlite3.connect(file)) as db:
        assert db.execute("SELECT count(*), sum(length(bytes)) FROM file").fetchone() == (
            12,
            7 * len(PICTURE),
        )


async def test_used_up_panels_are_pruned(tmp_path: Path) -> None:
    clock, file = ManualClock(), tmp_path / "table.db"
    async with LocalDiscord(clock=clock, file=file) as discord, aiohttp.ClientSession() as session:
        raw = Raw(discord, clock, session)
        await raw.register({"name": "play", "description": "d"})
        for name in ("Ana", "Ben"):
            for number in range(30):
                response = await discord.user(name).slash("/play", wait="nothing")
                await raw.answer(response, 4, {"content": f"{name}'s panel {number}", "flags": 64})
    async with LocalDiscord(clock=clock, file=file) as discord:
        panels = [message.content for message in discord.state.messages.values()]
        assert panels == [
            f"{name}'s panel {number}" for name in ("Ana", "Ben") for number in range(10, 30)
        ]


async def test_the_file_does_not_grow_forever(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(table_file, "MAX_PUBLIC_MESSAGES", 20)
    clock, file = ManualClock(), tmp_path / "table.db"
    sizes = []
    for _ in range(3):
        async with (
            LocalDiscord(clock=clock, file=file) as discord,
            aiohttp.ClientSession() as session,
        ):
            await _turns(Raw(discord, clock, session), 2 * TIDY_EVERY, PICTURE * 500)
        sizes.append(file.stat().st_size)
    assert sizes[0] > 20 * len(PICTURE * 500)
    assert sizes[2] <= sizes[1] * 1.1


async def test_interactions_keep_no_pruned_pictures_in_memory(tmp_path: Path) -> None:
    clock, file = ManualClock(), tmp_path / "table.db"
    async with LocalDiscord(clock=clock, file=file) as discord, aiohttp.ClientSession() as session:
        raw = Raw(discord, clock, session)
        await raw.register({"name": "play", "description": "d"})
        for _ in range(3 * TIDY_EVERY):
            response = await discord.user("Ana").slash("/play", wait="nothing")
            body = {
                "content": "panel",
                "flags": 64,
                "attachments": [{"id": 0, "filename": "board.png"}],
            }
            await raw.answer(response, 4, body, {"files[0]": PICTURE})
        held = [
            one.original
            for one in discord.interactions.by_token.values()
            if one.original is not None
        ]
        assert len(held) == 3 * TIDY_EVERY
        assert (
            len([one for one in held if one.attachments])
            <= table_file.MAX_EPHEMERAL_MESSAGES + TIDY_EVERY
        )
        clock.advance(16 * 60)
        assert not discord.interactions.by_token


async def _turns(raw: Raw, count: int, picture: bytes = PICTURE) -> None:
    """Make posts with a picture."""
    for number in range(count):
        entry = {"id": 0, "filename": "board.png", "description": "alt"}
        body = {"content": f"turn {number}", "attachments": [entry], "nonce": str(number)}
        await raw.post(raw.discord.channel(), body, {"files[0]": picture})
