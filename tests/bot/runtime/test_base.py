"""No task fails unnoticed."""

import ast
import asyncio
import gc
import logging
from pathlib import Path

import pytest

import bot
from bot.runtime.base import awaited_task, track_task, watch_loop

BOT = Path(bot.__file__).parent
TASKS = BOT / "runtime" / "base.py"
BEGIN = {"create_task", "ensure_future"}
SECRET = "the seed is 17"


async def fail(secret: str = SECRET) -> None:
    await asyncio.sleep(0)
    raise RuntimeError(secret)


def begun_elsewhere(path: Path) -> list[int]:
    """Return the lines of code that start tasks in any other way than through runtime/base."""
    found = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        name = (
            node.attr
            if isinstance(node, ast.Attribute)
            else node.id
            if isinstance(node, ast.Name)
            else ""
        )
        if name in BEGIN:
            found.append(node.lineno)
    return found


def test_all_tasks_are_created_in_one_place() -> None:
    # The local Discord stands alone and imports nothing of the bot.
    files = [
        path
        for path in BOT.rglob("*.py")
        if path.relative_to(BOT).parts[0] != "local" and path != TASKS
    ]
    assert len(files) > 100
    assert {str(path): lines for path in files if (lines := begun_elsewhere(path))} == {}
    assert begun_elsewhere(TASKS), "what is looked for is found where it stands"


async def test_a_task_failure_is_logged_without_its_message(
    caplog: pytest.LogCaptureFixture,
) -> None:
    task = track_task(fail(), "lobby-x")
    await asyncio.wait([task])
    await asyncio.sleep(0)
    (record,) = caplog.records
    assert record.levelno == logging.ERROR and "task lobby-x failed" in record.getMessage()
    assert "RuntimeError" in record.getMessage() and SECRET not in caplog.text
    del task
    gc.collect()
    assert len(caplog.records) == 1, "and asyncio has nothing to add"


async def test_a_cancelled_task_is_no_failure(caplog: pytest.LogCaptureFixture) -> None:
    task = track_task(asyncio.sleep(3600), "long")
    task.cancel()
    await asyncio.wait([task])
    await asyncio.sleep(0)
    assert caplog.records == []


async def test_an_awaited_failure_is_raised_and_not_logged(
    caplog: pytest.LogCaptureFixture,
) -> None:
    with pytest.raises(RuntimeError):
        await awaited_task(fail())
    # The caller has stopped waiting.
    abandoned = awaited_task(fail())
    await asyncio.wait([abandoned])
    del abandoned
    gc.collect()
    await asyncio.sleep(0)
    assert caplog.records == []


async def test_unretrieved_exceptions_of_libraries_are_logged_without_content(
    caplog: pytest.LogCaptureFixture,
) -> None:
    watch_loop()
    abandoned = asyncio.ensure_future(fail(SECRET))
    await asyncio.wait([abandoned])
    del abandoned
    gc.collect()
    assert "never retrieved" in caplog.text
    assert "RuntimeError" in caplog.text
    assert SECRET not in caplog.text
    caplog.clear()
    asyncio.get_running_loop().call_exception_handler({"message": "odd", "future": SECRET})
    assert [record.getMessage() for record in caplog.records] == ["odd"]
