"""motu doctor reports problems before the bot starts, and changes nothing."""

import asyncio
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from email.utils import formatdate
from pathlib import Path
from types import SimpleNamespace

import pytest

from bot.gateway import INTENTS
from bot.local import LocalDiscord
from bot.model import Shards
from bot.run import doctor
from bot.run.config import Config
from bot.store.sqlite_file import open_file
from bot.ui.permissions import PERMISSIONS
from tests.bot.test_main import run


@pytest.fixture(autouse=True)
def real_discord() -> Iterator[None]:
    """Restore discord.py after each test: the doctor may point it at a local Discord."""
    from discord.gateway import DiscordWebSocket
    from discord.http import Route

    base, gateway = Route.BASE, DiscordWebSocket.DEFAULT_GATEWAY
    yield
    Route.BASE, DiscordWebSocket.DEFAULT_GATEWAY = base, gateway


def kinds(found: Iterator[doctor.Finding]) -> list[str]:
    return [finding.kind for finding in found]


async def test_a_sound_setup_passes_and_nothing_is_changed(tmp_path: Path) -> None:
    async with LocalDiscord() as discord:
        told = {
            "DISCORD_TOKEN": discord.token,
            "MOTU_LOCAL_URL": discord.url,
            "MOTU_GUILD": str(discord.state.guild),
        }
        well = await asyncio.to_thread(run, tmp_path, "doctor", **told)
        assert well.returncode == 0 and not well.stderr and "note" not in well.stdout, well.stdout
        assert well.stdout.count("ok:    ") == 7 and discord.token not in well.stdout
        refused = [
            one
            async for one in doctor.check_discord(
                Config(token="secret.token", local_url=discord.url)
            )
        ]
        assert kinds(iter(refused)) == ["right", "wrong"] and "refuses the token" in refused[1].text
        assert "secret" not in refused[1].text
        elsewhere = Config(token=discord.token, local_url=discord.url, guild=77)
        found = [finding async for finding in doctor.check_discord(elsewhere)]
        assert "wrong" in kinds(iter(found)) and any("77" in finding.text for finding in found)
        assert not discord.unknown_routes
        url = discord.url
    gone = [
        finding async for finding in doctor.check_discord(Config(token="a.token", local_url=url))
    ]
    assert kinds(iter(gone)) == ["wrong"] and "didn't answer" in gone[0].text


def test_the_exit_code_reports_the_result(tmp_path: Path) -> None:
    well = run(tmp_path, "doctor")
    assert well.returncode == 0
    assert "No problems found" in well.stdout
    assert not well.stderr, well.stdout
    assert "no DISCORD_TOKEN" in well.stdout and not (tmp_path / "data").exists()
    ill = run(tmp_path, "doctor", MOTU_LOG_LEVEL="loud")
    assert ill.returncode == 1 and "WRONG: MOTU_LOG_LEVEL" in ill.stdout
    for token in ("to ken", "tok\u2019en"):
        ill = run(tmp_path, "doctor", DISCORD_TOKEN=token)
        assert ill.returncode == 1
        assert "WRONG: DISCORD_TOKEN" in ill.stdout
        assert token not in ill.stdout + ill.stderr


def test_the_database_is_checked_and_left_unchanged(tmp_path: Path) -> None:
    path = tmp_path / "motu.db"
    assert kinds(doctor.check_database_file(path)) == ["right"] and not path.exists()
    connection = open_file(path)
    (used,) = doctor.check_database_file(path)
    assert used.kind == "note" and "is running" in used.text
    connection.close()
    before = path.read_bytes()
    assert kinds(doctor.check_database_file(path)) == ["right"] and path.read_bytes() == before
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("UPDATE schema_version SET version = 0")
    (older,) = doctor.check_database_file(path)
    assert older.kind == "note" and "schema 0" in older.text
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("UPDATE schema_version SET version = 9999")
    assert kinds(doctor.check_database_file(path)) == ["wrong"]
    path.write_bytes(b"SQLite format 3\0" + bytes(range(256)) * 64)
    assert kinds(doctor.check_database_file(path)) == ["wrong"]
    path.write_text("a letter")
    assert kinds(doctor.check_database_file(path)) == ["wrong"]


def test_a_full_disk_and_an_unwritable_folder_are_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    assert kinds(doctor.check_folder(tmp_path / "file" / "data")) == ["wrong"]
    for free, kind in (
        (2**40, "right"),
        (doctor.ENOUGH_FREE_BYTES - 1, "note"),
        (doctor.MIN_FREE_BYTES - 1, "wrong"),
    ):
        monkeypatch.setattr(
            doctor.shutil, "disk_usage", lambda _, free=free: SimpleNamespace(free=free)
        )
        assert kinds(doctor.check_folder(tmp_path / "new" / "deep")) == [kind]
    assert not (tmp_path / "new").exists()


def test_clock_intents_permissions_and_fonts_are_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 1_800_000_000.0
    for seconds, kind, word in ((3, "right", ""), (90, "wrong", "fast"), (-90, "wrong", "slow")):
        finding = doctor.check_clock(formatdate(now, usegmt=True), now + seconds)
        assert finding.kind == kind and word in finding.text
    assert doctor.check_clock("", now).kind == "note"
    assert doctor.check_shards(Shards(0, 3, 16), 16).kind == "right"
    assert doctor.check_shards(Shards(0, 3, 16), 17).kind == "note"
    assert doctor.check_intents(0).kind == "right"
    assert doctor.check_intents(1 << 18).kind == "note"
    assert not any(getattr(INTENTS, name) for name in doctor.PRIVILEGED_INTENTS)
    whole = {"id": "1", "name": "Club", "permissions": str(PERMISSIONS.value)}
    mute = {"id": "2", "name": "Mu\x1bte", "permissions": str(PERMISSIONS.value & ~(1 << 15))}
    owner = {"id": "3", "name": "Own", "permissions": "8"}
    assert kinds(doctor.check_permissions([whole, owner], None)) == ["right"]
    (lacking,) = doctor.check_permissions([whole, mute], None)
    assert lacking.kind == "wrong" and "Attach Files" in lacking.text and "\x1b" not in lacking.text
    assert kinds(doctor.check_permissions([], None)) == ["note"]
    assert len(list(doctor.check_permissions([mute] * 30, None))) == doctor.MAX_LISTED_SERVERS + 1
    assert kinds(doctor.check_fonts())[0] == "right"
    monkeypatch.setattr("render.fonts.FONT_FOLDERS", ())
    monkeypatch.setattr("render.fonts.font", doctor_font_anew())
    assert kinds(doctor.check_fonts()) == ["wrong"]


def doctor_font_anew() -> object:
    """Return the function that opens fonts, with an empty cache."""
    from render.fonts import font

    return font.__wrapped__
