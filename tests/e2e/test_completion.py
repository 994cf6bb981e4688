"""Completions that Discord no longer accepts are only logged."""

import pytest

from bot.ui import error_codes
from tests.bot.test_features import COMMANDS
from tests.e2e.harness import Stage, wait_until_hit


@pytest.mark.parametrize(
    "code", [error_codes.UNKNOWN_INTERACTION, error_codes.ALREADY_ACKNOWLEDGED]
)
async def test_a_late_completion_is_logged_in_one_line_without_ids(stage: Stage, code: int) -> None:
    table = await stage.start_match()
    stage.refusals.add(code)
    before = stage.bot.log
    late = stage.discord.faults.respond_with("POST", "/interactions/*/*/callback", 404, code=code)
    await stage.ana.autocomplete(
        "/play", channel=table.place, match=table.id, move="1", wait="nothing"
    )
    await wait_until_hit(late)
    await stage.wait_until(lambda: "completion" in stage.bot.log, "the line in the log")
    assert (
        await stage.ana.autocomplete("/play", channel=table.place, match=table.id, move="1")
    ).choices
    written = stage.bot.log.removeprefix(before).strip().splitlines()
    (line,) = [line for line in written if " done in " not in line]
    assert f" INFO motu.completion: couldn't show suggested options ({code})" in line
    assert str(stage.ana.id) not in stage.bot.log


def test_every_completion_is_answered() -> None:
    completed = 0
    for name, command in COMMANDS:
        for parameter in command._params.values():
            if callable(parameter.autocomplete):
                completed += 1
                assert parameter.autocomplete.__qualname__ == "autocomplete.<locals>.complete", (
                    name,
                    parameter.name,
                )
    assert completed > 20
