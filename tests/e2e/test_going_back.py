"""A turn taken back, a match rewound by all, and a plan that plays itself, as people see it."""

from tests.e2e.harness import Stage, private, said


async def test_a_turn_is_taken_back_and_the_match_rewound(stage: Stage) -> None:
    table = await stage.started()
    await table.play(stage.ana, "9!")
    await table.caught_up()
    assert table.board.pings == [stage.bea.user]
    back = await stage.ana.slash("/undo", channel=table.place)
    await table.caught_up()
    assert private([back]) and "takes their last turn back" in back.content and "9" in back.content
    assert (
        "Ana takes their last turn back." in table.board.content
        and not table.board.pings
        and table.board.files
    )
    assert [post for post in table.posts if post.buttons] == [table.board]
    assert table.match.waiting_for() == (0,) and table.match.draft(0).answers, (
        "the draft is there again"
    )
    await stage.ana.click(back, "Confirm")
    await table.caught_up()
    await table.play(stage.bea, "14!")
    await table.caught_up()
    refused = await stage.ana.slash("/undo", channel=table.place)
    assert private([refused]) and "/rewind" in refused.content

    offered = (await stage.ana.autocomplete("/rewind", channel=table.place, to="9")).choices
    first = next(one for one in offered if "before: Ana" in one["name"])
    assert "Exploration Phase" in first["name"]
    assert (
        "cannot go back there"
        in (await stage.ana.slash("/rewind", channel=table.place, to="7777")).content
    )
    preview = await stage.ana.slash("/rewind", channel=table.place, to=first["value"])
    assert (
        private([preview])
        and preview.message.files
        and "2 turns would be undone" in preview.content
    )
    told = len(stage.discord.messages())
    await stage.ana.click(preview, "Ask the table")
    await stage.discord.until(lambda: len(stage.discord.messages()) > told, about="the vote")
    vote = stage.discord.messages()[-1]
    assert (
        vote.files and vote.pings == [stage.bea.user] and "2 turns would be undone" in vote.content
    )
    old = table.board
    await stage.bea.click(vote, "Yes")
    await table.caught_up()
    assert "has gone back" in vote.content and not vote.buttons
    assert "goes back to an earlier point" in table.board.content and table.board.pings == [
        stage.ana.user
    ]
    assert table.board is not old and table.board.files and "Fairness" in str(table.board.buttons)
    assert table.match.moves == 0 and table.match.waiting_for() == (0,)
    log = (await stage.bea.slash("/log", channel=table.place)).content
    assert log.count("~~") == 6 and "goes back" in log
    stale = await stage.ana.click(preview, "Ask the table")
    assert private([stale]) and "moved on" in said(stale)[-1].content
    await table.play(stage.ana, "9!")
    await table.caught_up()
    await stage.bea.slash("/resign", channel=table.place)


async def test_a_plan_plays_itself_or_is_dropped_with_the_reason(stage: Stage) -> None:
    table = await stage.started()
    offered = (await stage.bea.autocomplete("/plan", channel=table.place, move="1")).choices
    assert any(one["value"].startswith("14") for one in offered)
    for move, unless in (("no such thing", "21"), ("14", "nowhere")):
        refused = await stage.bea.slash("/plan", channel=table.place, move=move, unless=unless)
        assert private([refused]) and not refused.message.buttons
    assert "your turn" in (await stage.ana.slash("/plan", channel=table.place, move="9")).content
    summary = await stage.bea.slash("/plan", channel=table.place, move="14", unless="21")
    assert (
        private([summary])
        and "boat on 14" in summary.content
        and "checked again" in summary.content
    )
    kept = await stage.bea.click(summary, "Keep the plan")
    assert private([kept]) and "Planned for your next turn: `14`" in said(kept)[-1].content
    assert "lanned" not in (await table.panel(stage.ana)).content
    calls = len(stage.bea.pings())
    await table.play(stage.ana, "9!")
    await table.caught_up()
    assert table.match.waiting_for() == (0,) and table.match.number == 2
    assert (
        "9" in table.board.content
        and "14" in table.board.content
        and table.board.pings == [stage.ana.user]
    )
    assert len(stage.bea.pings()) == calls, "nobody is called whose plan has answered"

    summary = await stage.bea.slash("/plan", channel=table.place, move="8")
    await stage.bea.click(summary, "Keep the plan")
    await table.play(stage.ana, "8!")
    await table.caught_up()
    assert table.match.number == 3 and table.board.pings == [stage.bea.user]
    panel = await table.panel(stage.bea)
    assert "Your plan `8` was dropped" in panel.content and "taken by Ana" in panel.content
    await stage.bea.click(panel, "OK")
    assert "plan" not in (await table.panel(stage.bea)).content
