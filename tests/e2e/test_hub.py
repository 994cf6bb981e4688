"""A person with several matches plays them one after the other from one private message."""

from bot.local import Person, Response
from tests.e2e.harness import Stage


async def any_turn(person: Person, panel: Response) -> Response:
    """A whole turn by the first choices of a panel, confirmed."""
    for _ in range(10):
        last = panel.message
        confirm = [label for label in last.labels if label.startswith("Confirm")]
        if confirm:
            return await person.click(panel, confirm[0])
        choices = [
            part["custom_id"] for part in last.buttons if part["custom_id"].startswith(("p:", "m:"))
        ]
        panel = await person.click(panel, custom_id=choices[0])
    raise AssertionError("no turn of Blue Lagoon has so many steps")


async def test_from_the_list_to_a_panel_to_the_next_match(stage: Stage) -> None:
    first, second = await stage.started(), await stage.started()
    listed = await stage.ana.slash("/games")
    assert listed.ephemeral and "2, of which 2 wait for you" in listed.content
    panel = await stage.ana.click(listed, listed.message.labels[0])
    assert panel.message is listed.message and panel.files, "it opens right there"
    done = await any_turn(stage.ana, panel)
    assert done.content.startswith("Done.") and "Next match (1 waits)" in done.message.labels
    await stage.bot.restart()
    panel = await stage.ana.click(done, "Next match (1 waits)")
    done = await any_turn(stage.ana, panel)
    assert done.content.startswith("Done.") and not any(
        "Next match" in label for label in done.message.labels
    )
    assert [table.match.number for table in (first, second)] == [1, 1]
    await stage.quiet()
    again = await stage.ana.slash("/games")
    assert "2; none waits for you" in again.content
    news = await stage.bea.click(first.board, "What happened")
    assert (
        news.ephemeral and news.files and "Asked of you" in news.content and "Ana" in news.content
    )
    await stage.bea.slash("/note", text="watch *17*", match=first.id)
    assert "Your note: watch \\*17\\*" in (await first.panel(stage.bea)).content
    assert not any("watch" in sight.text for sight in stage.ana.saw()), "nobody else sees a note"
