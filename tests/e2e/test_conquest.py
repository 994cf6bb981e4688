"""Two people play Conquest of Paradise to its end, with secret building and a decision out of
turn; a third watches.
"""

from bot.local import Person, Response
from engine import Answer, Match, Seat
from engine.core.transcript import replay
from tests.e2e.harness import Stage, Table
from tests.e2e.standing import check_standing
from tests.e2e.ways import confirm, pick


def turn_of(match: Match, seat: Seat) -> str:
    """A quiet turn as text: whatever ends a question, else its first choice."""
    answers: list[str] = []
    while decision := match.question(seat):
        ending = decision.ending()
        chosen = () if not decision.at_least else ((ending or decision.options[0]).key,)
        answers.append("+".join(chosen) or "-")
        match = match.pick(Answer(seat, decision.kind, chosen))
    return ",".join(answers) + "!"


def asked(match: Match) -> dict[Seat, str]:
    """Who is asked what."""
    return {question.seat: question.kind for question in match.asked()}


async def quiet_until(table: Table, kind: str, seat: Seat | None = None) -> None:
    """Quiet turns of everybody until that question comes."""
    for _ in range(40):
        match = table.match
        if any(
            found == kind and (seat is None or who == seat) for who, found in asked(match).items()
        ):
            return
        await play(table, match.waiting_for()[0], turn_of(match, match.waiting_for()[0]))
    raise AssertionError(f"{kind} was never asked")


async def play(table: Table, seat: Seat, text: str) -> Response:
    """A turn typed, confirmed, and posted as far as it is due."""
    answer = await table.play(table.person(seat), text)
    assert answer.content.startswith("Done."), answer.content
    await table.caught_up()
    return answer


async def started(stage: Stage) -> Table:
    """Ana and Bea at a short game."""
    opened = await stage.ana.slash("/game new", game="conquest", settings="last_turn=6")
    assert opened.embeds[0]["title"] == "Conquest of Paradise"
    await stage.bea.click(opened, "Join")
    await stage.ana.click(opened, "Start")
    (match,) = stage.matches()
    table = Table(stage, match, [stage.ana, stage.bea])
    await table.caught_up()
    return table


async def test_two_people_play_conquest_with_secret_building_and_a_decision_out_of_turn(
    stage: Stage,
) -> None:
    table = await started(stage)
    people = [nation.people for nation in table.match.base.nations]
    attacker, defender = Seat(people.index("samoa")), Seat(people.index("tonga"))

    await quiet_until(table, "build_item")
    posts = len(table.posts)
    await build_in_secret(table, stage.cem, attacker, defender)
    await quiet_until(table, "move_stack", attacker)
    told = "".join(post.content for post in table.posts[posts:]).casefold()
    assert "draws a card" in told
    assert "turns inward" in told
    await attack(table, attacker, defender)
    while table.match.outcome is None:
        seat = table.match.waiting_for()[0]
        await play(table, seat, turn_of(table.match, seat))

    outcome = table.match.outcome
    assert outcome is not None
    assert outcome.reason in ("turn_limit", "last_empire")
    assert "The match is over" in table.board.content
    proof = await stage.ana.click(table.board, "Fairness")
    text = proof.files[f"conquest-{table.id}-transcript.txt"].decode()
    assert replay(text).outcome == outcome
    await check_standing(table)
    check_spectator(table, stage.cem)


async def build_in_secret(table: Table, spectator: Person, attacker: Seat, defender: Seat) -> None:
    """Both build at the same time: one by text, one on the panel; nobody sees a list before both
    are in.
    """
    assert set(asked(table.match).values()) == {"build_item"}
    posts = len(table.posts)
    await play(table, attacker, "inward,w,done!")
    assert table.match.waiting_for() == (defender,)
    assert "War Canoe" not in "".join(message.content for message in spectator.messages())
    assert len(table.posts) == posts, "who is in stands in the last post"
    assert f"1 of 2 has answered: {table.person(attacker).name}." in table.board.content
    person = table.person(defender)
    panel = await pick(person, await table.panel(person), "card")
    assert "card" in panel.content.casefold()
    await confirm(person, panel)
    await table.caught_up()
    assert table.match.base.nations[defender].hand
    # Whoever is asked next, everybody sees at once what was built.
    shown = table.board.content.casefold()
    assert "draws a card" in shown and "turns inward" in shown


async def attack(table: Table, attacker: Seat, defender: Seat) -> None:
    """A War Canoe falls upon the neighbour, who is asked for their orders out of turn; then the
    Battle is one story.
    """
    await order_losses(table, attacker, "bands")
    await play(table, attacker, "f7,f8,1w1b,done!")
    assert asked(table.match) == {defender: "give_battle_orders"}
    assert table.person(defender).mention in table.board.content
    await play(table, defender, "none!")
    told = (await table.person(attacker).click(table.board, "Log")).content
    assert told.count("Battle at Tonga (F8)") == 1
    assert told.count("Rolls ") == 1
    outcome = table.posts[-1].content.splitlines()[1]
    if table.match.outcome is not None:
        assert "only one empire is left" in outcome
        return
    ends = ("retreats to Samoa (F7)", "holds F8", "Holds F8")
    assert outcome.startswith("… ") and any(end in outcome for end in ends), (
        "of a long story a post tells the end"
    )


async def order_losses(table: Table, seat: Seat, order: str) -> None:
    """A standing order set on the panel, under More…; nobody else is told."""
    person, posts = table.person(seat), len(table.posts)
    panel = await person.click(await table.panel(person), "More…")
    (offer,) = (label for label in panel.message.labels if label.startswith("Order for losses"))
    panel = await person.click(panel, offer)
    (choice,) = [
        b["custom_id"] for b in panel.message.buttons if b["custom_id"].endswith(f":{order}")
    ]
    panel = await person.click(panel, custom_id=choice)
    panel = await person.click(panel, "Yes, now")
    assert "Your order for losses: Bands first." in panel.content
    await table.caught_up()
    assert table.match.base.nations[seat].losses == order
    assert len(table.posts) == posts


def check_spectator(table: Table, spectator: Person) -> None:
    """Nothing that was meant for one person reached the one who watched."""
    for sight in spectator.saw():
        assert sight.only_for in (None, spectator.user)
        assert "seen by you alone" not in sight.text
