"""Taking a turn back, rewinding a match, and planning a turn."""

from tests.e2e.harness import Stage, answer_messages, are_private


async def test_a_turn_is_taken_back_and_the_match_rewound(stage: Stage) -> None:
    table = await stage.start_match()
    await table.play(stage.ana, "9!")
    await table.wait_until_posted()
    assert table.board.pings == [stage.bea.user]
    back = await stage.ana.slash("/undo", channel=table.place)
    await table.wait_until_posted()
    assert (
        are_private([back]) and "took back their last turn" in back.content and "9" in back.content
    )
    assert "Ana took back their last turn." in table.board.content
    assert not table.board.pings
    assert table.board.files
    assert [post for post in table.posts if post.buttons] == [table.board]
    assert table.match.waiting_for() == (0,)
    assert table.match.draft(0).answers, "the draft is there again"
    await stage.ana.click(back, "Confirm")
    await table.wait_until_posted()
    await table.play(stage.bea, "14!")
    await table.wait_until_posted()
    refused = await stage.ana.slash("/undo", channel=table.place)
    assert are_private([refused]) and "/rewind" in refused.content

    offered = (await stage.ana.autocomplete("/rewind", channel=table.place, to="9")).choices
    first = next(one for one in offered if "before: Ana" in one["name"])
    assert "Exploration Phase" in first["name"]
    assert (
        "can't go back there"
        in (await stage.ana.slash("/rewind", channel=table.place, to="7777")).content
    )
    preview = await stage.ana.slash("/rewind", channel=table.place, to=first["value"])
    assert are_private([preview])
    assert preview.message.files
    assert "This undoes 2 turns" in preview.content
    # A second press of the same button is taken for a double tap, so open another preview for it.
    stale_preview = await stage.ana.slash("/rewind", channel=table.place, to=first["value"])
    told = len(stage.discord.messages())
    await stage.ana.click(preview, "Start the vote")
    await stage.discord.until(lambda: len(stage.discord.messages()) > told, about="the vote")
    vote = stage.discord.messages()[-1]
    assert vote.files
    assert vote.pings == [stage.bea.user]
    assert "This undoes 2 turns" in vote.content
    old = table.board
    await stage.bea.click(vote, "Yes")
    await table.wait_until_posted()
    assert "went back" in vote.content and not vote.buttons
    assert "went back to an earlier point" in table.board.content
    assert table.board.pings == [stage.ana.user]
    assert table.board is not old
    assert table.board.files
    assert "Fairness" in str(table.board.buttons)
    assert table.match.moves == 0 and table.match.waiting_for() == (0,)
    log = (await stage.bea.slash("/log", channel=table.place)).content
    assert log.count("~~") == 6 and "went back to an earlier point" in log
    stale = await stage.ana.click(stale_preview, "Start the vote")
    assert are_private([stale]) and "moved on" in answer_messages(stale)[-1].content
    await table.play(stage.ana, "9!")
    await table.wait_until_posted()
    await stage.bea.slash("/resign", channel=table.place)


async def test_a_plan_is_played_or_dropped_with_the_reason(stage: Stage) -> None:
    table = await stage.start_match()
    offered = (await stage.bea.autocomplete("/plan", channel=table.place, move="1")).choices
    assert any(one["value"].startswith("14") for one in offered)
    for move, unless in (("no such thing", "21"), ("14", "nowhere")):
        refused = await stage.bea.slash("/plan", channel=table.place, move=move, unless=unless)
        assert are_private([refused]) and not refused.message.buttons
    assert "your turn" in (await stage.ana.slash("/plan", channel=table.place, move="9")).content
    summary = await stage.bea.slash("/plan", channel=table.place, move="14", unless="21")
    assert are_private([summary])
    assert "boat on 14" in summary.content
    assert "I'll play it when it's your turn" in summary.content
    response = await stage.bea.click(summary, "Keep the plan")
    assert (
        are_private([response])
        and "Planned for your next turn: `14`" in answer_messages(response)[-1].content
    )
    assert "lanned" not in (await table.open_panel(stage.ana)).content
    calls = len(stage.bea.pings())
    await table.play(stage.ana, "9!")
    await table.wait_until_posted()
    assert table.match.waiting_for() == (0,) and table.match.number == 2
    assert "9" in table.board.content
    assert "14" in table.board.content
    assert table.board.pings == [stage.ana.user]
    assert len(stage.bea.pings()) == calls, "nobody is called whose plan has answered"

    summary = await stage.bea.slash("/plan", channel=table.place, move="8")
    await stage.bea.click(summary, "Keep the plan")
    await table.play(stage.ana, "8!")
    await table.wait_until_posted()
    assert table.match.number == 3 and table.board.pings == [stage.bea.user]
    panel = await table.open_panel(stage.bea)
    assert (
        "Your plan `8` was cancelled" in panel.content
        and "Ana already has a piece" in panel.content
    )
    await stage.bea.click(panel, "OK")
    assert "plan" not in (await table.open_panel(stage.bea)).content
