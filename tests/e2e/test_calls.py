"""A turn that calls in a direct message and is played there: the real bot over real sockets."""

from bot.local import Person
from bot.local.model import Message
from engine import Seat
from tests.e2e.harness import Stage


def letters(person: Person) -> list[Message]:
    """What the bot has written to somebody, without its answers to what they did there."""
    return [message for message in person.inbox() if not message.ephemeral]


async def test_a_turn_of_a_server_is_played_in_a_direct_message(stage: Stage) -> None:
    bea = stage.bea
    await bea.slash("/me settings", options={"by": "direct"})
    table = await stage.started()
    question = table.match.question(Seat(0))
    assert question is not None
    await table.play(stage.ana, f"{question.options[0].key}!")
    await table.caught_up()
    call = await stage.discord.until(
        lambda: next((m for m in letters(bea) if m.buttons), None), about="the call"
    )
    assert f"**Blue Lagoon** (`{table.id}`)" in call.content and bea.user not in table.board.pings
    # Killed and started anew it knows that she has been called, and its button still works.
    await stage.bot.restart()
    panel = await bea.click(call, "Your move")
    assert panel.ephemeral and panel.files and panel.last.channel is call.channel
    picked = await bea.click(panel, panel.last.labels[0])
    confirm = next(label for label in picked.last.labels if "onfirm" in label)
    done = await bea.click(picked, confirm)
    assert "Done." in done.content and table.match.waiting_for() == (Seat(0),)
    await table.caught_up()
    await stage.discord.until(lambda: not call.buttons, about="the call to lose its button")
    assert [message for message in letters(bea) if message.buttons] == []
    assert table.with_buttons() == [table.board] and table.board.pings == [stage.ana.user]
    assert stage.ana.inbox() == [], "whoever has not asked for direct messages gets none"
