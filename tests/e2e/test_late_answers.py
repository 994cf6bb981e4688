"""Answers that overtake each other or come after their interaction has expired."""

from bot.local.model import Thread
from tests.e2e.harness import Stage, wait_until_hit
from tests.e2e.ways import confirm, option_id, pick

ANSWER = ("PATCH", "/webhooks/*/*/messages/@original")


async def test_a_lobby_shows_everybody_although_its_edits_overtake_each_other(stage: Stage) -> None:
    opened = await stage.open_lobby()
    held = stage.discord.faults.hold(*ANSWER)
    bea = await stage.bea.click(opened, "Join", wait="ack")
    await wait_until_hit(held)
    await stage.cem.click(opened, "Join")
    held.release()
    await bea.wait("answer")
    await stage.discord.until(
        lambda: "Cem" in opened.message.text, about="the lobby to show everybody"
    )
    assert "Bea" in opened.message.text


# Computers and resignations


async def test_yesterday_s_panel_still_works_and_can_be_reopened(stage: Stage) -> None:
    table = await stage.start_match()
    panel = await table.open_panel(stage.ana)
    stage.clock.advance(16 * 60)
    picked = await pick(stage.ana, panel, "17")
    assert "Your turn so far" in picked.content
    stage.clock.advance(24 * 3600)
    fresh = await table.open_panel(stage.ana)
    assert fresh.ephemeral and "on 17" in fresh.content
    assert (await confirm(stage.ana, fresh)).content.startswith("Done.")
    await table.wait_until_posted()
    assert table.match.number == 1 and isinstance(table.place, Thread)


async def test_a_pick_is_kept_although_the_token_of_its_answer_has_expired(stage: Stage) -> None:
    table = await stage.start_match()
    stage.refusals = {50027}
    panel = await table.open_panel(stage.ana)
    held = stage.discord.faults.hold(*ANSWER)
    picking = await stage.ana.click(panel, custom_id=option_id(panel, "17"), wait="ack")
    await wait_until_hit(held)
    stage.clock.advance(16 * 60)
    held.release()
    await stage.discord.until(
        lambda: any(a.code == 50027 for a in stage.discord.rest.requests), about="a dead token"
    )
    assert picking.thinking
    fresh = await table.open_panel(stage.ana)
    assert "on 17" in fresh.content
