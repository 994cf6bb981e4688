"""Many presses at the same moment: one move, and a clear private answer for everybody.

One press told twice: once.
"""

from bot.local import Response, together
from tests.e2e.harness import Stage, Table, match_of, private
from tests.e2e.ways import choice, pick

CROWD = 50
TOO_LATE = "Too late: the board has moved on."


async def test_fifty_presses_of_the_same_button_make_one_move(stage: Stage) -> None:
    table = await stage.started()
    panel = await table.panel(stage.ana)
    spot = choice(panel, "17")
    before = len(stage.everything()["interactions"])
    answers = await together(
        *(stage.ana.click(panel, custom_id=spot, wait="nothing") for _ in range(CROWD))
    )
    await all_answered(answers)
    assert private(answers) and {answer.interaction.answer for answer in answers} == {6}
    assert [answer.keys for answer in table.match.draft(table.match.waiting_for()[0]).answers] == [
        ("17",)
    ]
    assert len(stage.everything()["interactions"]) == before + 1
    shown = edits(stage, panel)
    assert len([text for text in shown if text.startswith(TOO_LATE)]) == CROWD - 1
    assert (
        len(
            [text for text in shown if TOO_LATE not in text and "So far, seen by you alone" in text]
        )
        == 1
    )


def edits(stage: Stage, panel: Response) -> list[str]:
    """What the panel said after each of the presses."""
    seen = [
        sight.data["content"]
        for sight in stage.ana.saw()
        if sight.data.get("id") == str(panel.message.id)
    ]
    return seen[-CROWD:]


async def all_answered(answers: list[Response]) -> None:
    for answer in answers:
        await answer.settle("answer")
    assert [answer for answer in answers if answer.expired] == []


async def test_fifty_presses_of_confirm_commit_one_turn(stage: Stage) -> None:
    table = await stage.started()
    panel = await pick(stage.ana, await table.panel(stage.ana), "17")
    answers = await together(
        *(stage.ana.click(panel, "Confirm", wait="nothing") for _ in range(CROWD))
    )
    await all_answered(answers)
    await table.caught_up()
    assert private(answers)
    assert table.match.number == 1 and len(table.posts) == 2
    shown = edits(stage, panel)
    assert len([text for text in shown if text.startswith("Done.")]) == 1
    assert len([text for text in shown if text.startswith(TOO_LATE)]) == CROWD - 1


async def test_fifty_presses_of_your_move_open_fifty_panels(stage: Stage) -> None:
    table = await stage.started()
    answers = await together(
        *(stage.ana.click(table.board, "Your move", wait="nothing") for _ in range(CROWD))
    )
    await all_answered(answers)
    assert private(answers) and len({answer.message.id for answer in answers}) == CROWD
    assert all("Where do you place a piece?" in answer.content for answer in answers)
    before = table.match
    picks = await together(*(pick(stage.ana, answer, "17") for answer in answers))
    assert len([p for p in picks if "So far" in p.content and TOO_LATE not in p.content]) == 1
    assert len([p for p in picks if p.content.startswith(TOO_LATE)]) == CROWD - 1
    assert table.match.number == before.number and private(picks)


async def test_fifty_texts_at_once_make_one_move(stage: Stage) -> None:
    table = await stage.started()
    answers = await together(*(table.play(stage.ana, f"{n % 40 + 1}!") for n in range(CROWD)))
    await all_answered(answers)
    await table.caught_up()
    assert private(answers) and table.match.number == 1 and len(table.posts) == 2
    assert len([answer for answer in answers if answer.content.startswith("Done.")]) == 1


async def test_fifty_people_press_join_and_the_seats_are_taken_once(stage: Stage) -> None:
    opened = await stage.lobby()
    people = [stage.discord.user(f"Guest {n}") for n in range(CROWD)]
    answers = await together(*(person.click(opened, "Join", wait="nothing") for person in people))
    await all_answered(answers)
    # Whoever is in is welcomed, privately as well.
    refused = [
        answer
        for answer in answers
        if answer.followups and "Welcome" not in answer.followups[0].content
    ]
    assert len(refused) == CROWD - 3
    assert all(
        "All 4 seats are taken." in answer.text and answer.followups[0].ephemeral
        for answer in refused
    )
    (match,) = stage.matches()
    chairs = stage.room(match).record.chairs
    assert len(chairs) == 4 and len({person.id for person in chairs}) == 4
    assert all(person.name in opened.message.text for person in chairs)


async def repeated(stage: Stage, answer: Response) -> None:
    """The bot is told of the same interaction again, and has done whatever it does then."""
    refused = sum(asked.code == 40060 for asked in stage.discord.rest.asked)
    stage.discord.interactions.repeat(answer.interaction)
    await stage.discord.until(
        lambda: sum(asked.code == 40060 for asked in stage.discord.rest.asked) > refused,
        about="a second answer",
    )
    await stage.cem.slash("/games")
    await stage.quiet()


async def test_whatever_discord_tells_twice_is_done_once(stage: Stage) -> None:
    stage.refusals = {40060}
    opened = await stage.lobby()
    await repeated(stage, opened)
    assert len(stage.matches()) == 1
    match = match_of(opened.message)
    levels = await stage.ana.click(opened, "Add computer")
    buttons = (
        (stage.bea, opened, "Join"),
        (stage.ana, levels, "Add one: easy"),
        (stage.bea, opened, "Leave"),
        (stage.bea, opened, "Join"),
    )
    for person, message, button in buttons:
        pressed = await person.click(message, button)
        before = stage.everything()
        await repeated(stage, pressed)
        assert stage.everything() == before, button
    assert [person.name for person in stage.room(match).record.chairs] == ["Ana", "Teva", "Bea"]
    for deed in (
        stage.bea.slash("/game leave"),
        stage.bea.slash("/game join"),
        stage.ana.slash("/game start"),
    ):
        done = await deed
        before = stage.everything("matches", "announcements")
        await repeated(stage, done)
        assert stage.everything("matches", "announcements") == before
    table = Table(stage, match, [stage.ana, stage.bea])
    moved = await table.play(stage.ana, "17!")
    await repeated(stage, moved)
    assert moved.content.startswith("Done.") and "boat on 17" in moved.content
    assert (
        [keys for _, keys in table.commits()][:1] == [("17",)]
        and table.match.number == 2
        and len(table.posts) == 2
    )


async def test_what_was_refused_once_is_refused_when_it_is_told_again(stage: Stage) -> None:
    stage.refusals = {40060}
    opened = await stage.lobby()
    early = await stage.ana.click(opened, "Start")
    await stage.bea.click(opened, "Join")
    before = stage.everything()
    assert private([early])
    await repeated(stage, early)
    assert stage.everything() == before
