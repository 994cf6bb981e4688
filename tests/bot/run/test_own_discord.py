"""The bot's own local Discord as a child process, and opening its page."""

import asyncio
import os
import sys
import webbrowser
from pathlib import Path

import pytest

from bot.run import own_discord
from tests.patience import PATIENCE

ROOT = Path(__file__).parents[3]


@pytest.mark.parametrize(
    ("settings", "is_terminal", "opens"),
    [
        ({"DISPLAY": ":0"}, True, True),
        ({"WAYLAND_DISPLAY": "w"}, True, True),
        ({"DISPLAY": ":0", "CI": "true"}, True, False),
        ({"DISPLAY": ":0"}, False, False),
        ({}, True, False),
    ],
)
def test_a_browser_is_opened_only_on_an_interactive_terminal(
    monkeypatch: pytest.MonkeyPatch, settings: dict[str, str], is_terminal: bool, opens: bool
) -> None:
    opened: list[str] = []
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "CI"):
        monkeypatch.delenv(name, raising=False)
    for name, value in settings.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(sys.stdout, "isatty", lambda: is_terminal)
    monkeypatch.setattr(webbrowser, "open", opened.append)
    thread = own_discord.open_page("http://127.0.0.1:1/table/x/")
    if thread is not None:
        thread.join()
    assert opened == (["http://127.0.0.1:1/table/x/"] if opens else [])


@pytest.mark.parametrize("name", ["bot.py", "aiohttp.py"])
async def test_it_starts_in_a_folder_with_files_named_like_its_modules(
    tmp_path: Path, name: str
) -> None:
    (tmp_path / name).parent.mkdir(exist_ok=True)
    (tmp_path / name).write_text("print('not this one')\n")
    kept = {
        key: value for key, value in os.environ.items() if not key.startswith(("MOTU_", "DISCORD_"))
    }
    process = await asyncio.create_subprocess_exec(
        # As the script `motu` does, -P leaves the folder it is started in out of where Python looks
        # for modules.
        *(sys.executable, "-P", "-m", "bot", "--local", "--port", "0", "--data", "data"),
        cwd=tmp_path,
        env={**kept, "PYTHONPATH": str(ROOT)},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    assert process.stdout is not None
    try:
        async with asyncio.timeout(PATIENCE):
            said = (await process.stdout.readline()).decode()
            assert "http://127.0.0.1" in said, said or (await process.communicate())[1].decode()
            process.terminate()
            await process.communicate()
    finally:
        if process.returncode is None:
            process.kill()
            await process.communicate()
