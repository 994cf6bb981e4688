"""Logs as lines or JSON, with the interaction's id and without secrets."""

import json
import logging
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from bot.runtime import logs
from tests.bot.test_main import run
from tests.bot.world import World

TOKEN = "MTE5NzYxMTg0NDMwNjEzMTI1.GxY8zQ.abcdefghijklmnopqrstuvwxyz0123456789ab"
OWN = "a.token.of.ours"


def record(message: str, *values: object, error: BaseException | None = None) -> logging.LogRecord:
    kind = (type(error), error, error.__traceback__) if error else None
    return logging.LogRecord("discord.http", logging.WARNING, __file__, 1, message, values, kind)


@pytest.fixture(autouse=True)
def no_press() -> None:
    logs._current_press.set(None)


@pytest.mark.parametrize("form", [logs.LineFormatter, logs.JsonFormatter])
def test_tokens_and_error_messages_are_not_logged(form: type[logs.LineFormatter]) -> None:
    draft = "".join(["g", "7"])
    try:
        raise ValueError(draft)
    except ValueError as error:
        trouble = error
    url = "https://discord.com/api/v10/webhooks/119761/aW50ZXJhY3Rpb24-xy_z/messages"
    other = "POST https://discord.com/api/v10/interactions/119761/aW50ZXJhY3Rpb24/callback"
    line = form(OWN).format(record("limited %s %s %s %s", url, other, OWN, TOKEN, error=trouble))
    for secret in ("aW50ZXJhY3Rpb24", OWN, TOKEN, draft):
        assert secret not in line
    assert "limited https://discord.com/api/v10/webhooks/…/messages" in line
    assert "ValueError" in line and "test_logs.py" in line


def test_json_logs_are_one_object_per_line() -> None:
    form = logs.JsonFormatter()
    pressed = logs.begin_press("/play")
    made = json.loads(form.format(record("two\nlines")))
    assert made["message"] == "two\nlines"
    assert made["press"] == pressed.id
    assert made["level"] == "WARNING"
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", made["time"])
    assert "\n" not in form.format(record("two\nlines"))
    assert logs.LineFormatter().format(record("one\nmore")).endswith(f"one [{pressed.id}]\nmore")
    logs.end_press(pressed)
    assert "press" not in json.loads(form.format(record("later")))


async def test_every_press_is_logged_with_its_error_id(
    world: World, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    room = await world.start_match()

    draft = "".join(["g", "7"])

    async def broken(*args: Any, **kwargs: Any) -> None:
        raise ZeroDivisionError(draft)

    await world.ana.slash("/play", channel=world.place(room), move="17")
    await world.bea.slash("/play", channel=world.place(room), move="17", match="zzzz")
    monkeypatch.setattr(world.matches.play_service, "undo", broken)
    text = (await world.ana.ask("/undo", channel=world.place(room))).content
    world.expect_error("ZeroDivisionError")
    shown = text.split("`")[1]
    facts = [found.facts for found in caplog.records if found.name == "motu.presses"]
    outcomes = [(fact["what"], fact["outcome"]) for fact in facts]
    assert outcomes == [
        ("/game new", "done"),
        ("LobbyControl", "done"),
        ("LobbyControl", "done"),
        ("/play", "done"),
        ("/play", "refused"),
        ("/undo", "failed"),
    ]
    assert facts[-1]["press"] == shown
    assert len({fact["press"] for fact in facts}) == len(facts)
    assert any(
        f"error {shown}: ZeroDivisionError" in found.getMessage() for found in caplog.records
    )
    told_all = "\n".join(logs.JsonFormatter().format(found) for found in caplog.records)
    for secret in (draft, "Ana", "Bea", "zzzz", room.playing().seed):
        assert secret not in re.sub(r'"(time|press|ms)": [^,}]*', "", told_all)


def test_logging_is_configured_by_settings(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("MOTU_LOG=loud\n")
    refused = run(tmp_path)
    text = "MOTU_LOG has an unknown value. Choose one of these: lines and json."
    assert refused.returncode == 1 and text in refused.stderr
    code = (
        "from bot.runtime import logs; import logging; logs.set_up('INFO', 'json', "
        "'tok'); logging.warning('a tok')"
    )
    made = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert json.loads(made.stderr)["message"] == "a …"
