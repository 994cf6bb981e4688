"""Completions that Discord no longer takes: nobody minds, and the log says so in a line."""

import pytest

from bot.ui import error_codes
from tests.bot.test_features import COMMANDS
from tests.e2e.harness import Stage, met


@pytest.mark.parametrize(
    "code", [error_codes.UNKNOWN_INTERACTION, error_codes.ALREADY_ACKNOWLEDGED]
)
async def test_a_completion_that_comes_too_late_is_one_line_without_anybody_s_id(
    stage: Stage, code: int
) -> None:
    table = await stage.started()
    stage.refusals.add(code)
    before = stage.bot.log
    late = stage.discord.faults.answer("POST", "/interactions/*/*/callback", 404, code=code)
    await stage.ana.autocomplete(
        "/play", channel=table.place, match=table.id, move="1", wait="nothing"
    )
    await met(late)
    await stage.settled(lambda: "completion" in stage.bot.log, "the line in the log")
    assert (
        await stage.ana.autocomplete("/play", channel=table.place, match=table.id, move="1")
    ).choices
    written = stage.bot.log.removeprefix(before).strip().splitlines()
    (line,) = [line for line in written if " done in " not in line]
    assert f" INFO motu.completion: a completion could not be shown ({code})" in line
    assert str(stage.ana.id) not in stage.bot.log


def test_every_completion_answers_by_itself() -> None:
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
