"""Many presses at the same moment, and interactions that Discord delivers twice."""

from bot.local import Response, together
from tests.e2e.harness import Stage, Table, are_private, match_of
from tests.e2e.ways import pick

CROWD = 50
TOO_LATE = "That button is out of date."


async def wait_for_answers(answers: list[Response]) -> None:
    for answer in answers:
        await answer.wait("answer")
    assert [answer for answer in answers if answer.expired] == []


async def test_fifty_presses_of_confirm_commit_one_turn(stage: Stage) -> None:
    table = await stage.start_match()
    panel = await pick(stage.ana, await table.open_panel(stage.ana), "17")
    answers = await together(
        *(stage.ana.click(panel, "Confirm", wait="nothing") for _ in range(CROWD))
    )
    for answer in answers:
        await answer.wait("ack")
    assert [answer for answer in answers if answer.expired] == []
    await panel.until(lambda shown: shown.content.startswith("Done."))
    await table.wait_until_posted()
    assert are_private(answers)
    assert table.match.number == 1 and len(table.posts) == 2
    # Further presses on a button that has done its work say nothing.
    assert not [one for one in stage.ana.visible_snapshots() if TOO_LATE in one.text]


async def test_fifty_people_press_join_and_each_seat_is_taken_once(stage: Stage) -> None:
    opened = await stage.open_lobby()
    people = [stage.discord.user(f"Guest {n}") for n in range(CROWD)]
    answers = await together(*(person.click(opened, "Join", wait="nothing") for person in people))
    await wait_for_answers(answers)
    # Those who got a seat are welcomed, also in private.
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


async def deliver_again(stage: Stage, answer: Response) -> None:
    """Deliver an interaction a second time, and wait until the bot has handled it."""
    refused = sum(asked.code == 40060 for asked in stage.discord.rest.requests)
    stage.discord.interactions.redeliver(answer.interaction)
    await stage.discord.until(
        lambda: sum(asked.code == 40060 for asked in stage.discord.rest.requests) > refused,
        about="a second answer",
    )
    await stage.cem.slash("/games")
    await stage.wait_until_posted()


async def test_an_interaction_that_is_delivered_twice_is_applied_once(stage: Stage) -> None:
    stage.refusals = {40060}
    opened = await stage.open_lobby()
    await deliver_again(stage, opened)
    assert len(stage.matches()) == 1
    match = match_of(opened.message)
    levels = await stage.ana.click(opened, "Add computer")
    buttons = (
        (stage.bea, opened, "Join"),
        (stage.ana, levels, "Add: easy"),
        (stage.bea, opened, "Leave"),
        (stage.bea, opened, "Join"),
    )
    for person, message, button in buttons:
        pressed = await person.click(message, button)
        before = stage.all_rows()
        await deliver_again(stage, pressed)
        assert stage.all_rows() == before, button
    chairs = stage.room(match).record.chairs
    assert [person.name for person in chairs if person.character is None] == ["Ana", "Bea"]
    assert len(chairs) == 3
    for deed in (
        stage.bea.slash("/game leave"),
        stage.bea.slash("/game join"),
        stage.ana.slash("/game start"),
    ):
        done = await deed
        before = stage.all_rows("matches", "announcements")
        await deliver_again(stage, done)
        assert stage.all_rows("matches", "announcements") == before
    table = Table(stage, match, [stage.ana, stage.bea])
    moved = await table.play(stage.ana, "17!")
    await deliver_again(stage, moved)
    assert moved.content.startswith("Done.") and "boat on 17" in moved.content
    assert [keys for _, keys in table.commits()][:1] == [("17",)]
    assert table.match.number == 2
    assert len(table.posts) == 2
