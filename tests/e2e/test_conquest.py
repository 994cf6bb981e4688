"""Two people play Conquest of Paradise with secret building and a decision out of turn."""

from bot.local import Person, Response
from engine import Answer, Match, Seat
from tests.e2e.harness import Stage, Table
from tests.e2e.ways import confirm, pick


def quiet_turn(match: Match, seat: Seat) -> str:
    """Return a quiet turn as text: end each question, or take its first option."""
    answers: list[str] = []
    while decision := match.question(seat):
        ending = decision.ending()
        chosen = () if not decision.at_least else ((ending or decision.options[0]).key,)
        answers.append("+".join(chosen) or "-")
        match = match.pick(Answer(seat, decision.kind, chosen))
    return ",".join(answers) + "!"


def questions_by_seat(match: Match) -> dict[Seat, str]:
    """Return the kind of question that each seat is asked."""
    return {question.seat: question.kind for question in match.asked()}


async def play_until(table: Table, kind: str, seat: Seat | None = None) -> None:
    """Play quiet turns until this question comes."""
    for _ in range(40):
        match = table.match
        if any(
            found == kind and (seat is None or who == seat)
            for who, found in questions_by_seat(match).items()
        ):
            return
        await play(table, match.waiting_for()[0], quiet_turn(match, match.waiting_for()[0]))
    raise AssertionError(f"{kind} was never asked")


async def play(table: Table, seat: Seat, text: str) -> Response:
    """Type and confirm a turn, and wait until it is posted."""
    answer = await table.play(table.person(seat), text)
    assert answer.content.startswith("Done."), answer.content
    await table.wait_until_posted()
    return answer


async def start_match(stage: Stage) -> Table:
    """Start a short match of Ana and Bea."""
    opened = await stage.ana.slash("/game new", game="conquest", settings="last_turn=6")
    assert opened.embeds[0]["title"] == "Conquest of Paradise"
    await stage.bea.click(opened, "Join")
    await stage.ana.click(opened, "Start")
    (match,) = stage.matches()
    table = Table(stage, match, [stage.ana, stage.bea])
    await table.wait_until_posted()
    return table


async def test_two_people_play_conquest_with_secret_building_and_a_decision_out_of_turn(
    stage: Stage,
) -> None:
    table = await start_match(stage)
    people = [nation.people for nation in table.match.base.nations]
    attacker = Seat(people.index("samoa"))
    defender = Seat(people.index("tonga"))

    await play_until(table, "build_item")
    posts = len(table.posts)
    await build_in_secret(table, stage.cem, attacker, defender)
    await play_until(table, "move_stack", attacker)
    text = "".join(post.content for post in table.posts[posts:]).casefold()
    assert "drew a card" in text
    assert "turned inward" in text
    await attack(table, attacker, defender)
    check_spectator(table, stage.cem)


async def build_in_secret(table: Table, spectator: Person, attacker: Seat, defender: Seat) -> None:
    """Have both build at once, one by text and one by panel, without seeing the other's list."""
    assert set(questions_by_seat(table.match).values()) == {"build_item"}
    posts = len(table.posts)
    await play(table, attacker, "inward,w,done!")
    assert table.match.waiting_for() == (defender,)
    assert "War Canoe" not in "".join(message.content for message in spectator.messages())
    assert len(table.posts) == posts, "who is in stands in the last post"
    assert (
        f"Everyone else has answered: {table.person(attacker).name} (1 of 2)."
        in table.board.content
    )
    person = table.person(defender)
    panel = await pick(person, await table.open_panel(person), "card")
    assert "card" in panel.content.casefold()
    await confirm(person, panel)
    await table.wait_until_posted()
    assert table.match.base.nations[defender].hand
    # Everybody sees at once what was built, no matter who is asked next.
    shown = table.board.content.casefold()
    assert "drew a card" in shown and "turned inward" in shown


async def attack(table: Table, attacker: Seat, defender: Seat) -> None:
    """Attack with a War Canoe; the defender gives orders out of turn."""
    await order_losses(table, attacker, "bands")
    await play(table, attacker, "f7,f8,1w1b,done!")
    assert questions_by_seat(table.match) == {defender: "give_battle_orders"}
    assert table.person(defender).mention in table.board.content
    await play(table, defender, "none!")
    text = (await table.person(attacker).click(table.board, "Log")).content
    assert text.count("Battle at Tonga (F8)") == 1
    assert text.count(" rolled ") == 1
    outcome = table.posts[-1].content.splitlines()[1]
    if table.match.outcome is not None:
        assert "only one empire is left" in outcome
        return
    ends = ("retreated to Samoa (F7)", "on the Battle at F8")
    assert outcome.startswith("… ")
    assert any(end in outcome for end in ends), "of a long story a post tells the end"


async def order_losses(table: Table, seat: Seat, order: str) -> None:
    """Set a standing order on the panel under More…, without telling anybody."""
    person, posts = table.person(seat), len(table.posts)
    panel = await person.click(await table.open_panel(person), "More…")
    (offer,) = (label for label in panel.message.labels if label.startswith("Battle losses"))
    panel = await person.click(panel, offer)
    (choice,) = [
        b["custom_id"] for b in panel.message.buttons if b["custom_id"].endswith(f":{order}")
    ]
    panel = await person.click(panel, custom_id=choice)
    panel = await person.click(panel, "Yes, now")
    assert "Battle losses from now on: Bands first." in panel.content
    await table.wait_until_posted()
    assert table.match.base.nations[seat].losses == order
    assert len(table.posts) == posts


def check_spectator(table: Table, spectator: Person) -> None:
    """Check that nothing private reached the spectator."""
    for sight in spectator.visible_snapshots():
        assert sight.only_for in (None, spectator.user)
        assert "only you see this" not in sight.text
