"""An unmodified discord.py bot in its own process, over real sockets."""

import re

import pytest

from bot.local import Impossible, LocalDiscord, ManualClock, Person, Response, together
from bot.local.model import Thread, Upload
from tests.bot.local.ordinary_bot import PICTURE

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest.fixture
def discord(shared_discord: LocalDiscord) -> LocalDiscord:
    """The shared local Discord; each test looks only at its own actions."""
    return shared_discord


async def test_the_bot_logs_in_and_registers_its_commands(discord: LocalDiscord) -> None:
    commands = discord.state.commands[None]
    assert {"ping", "game", "play", "hand"} <= commands.keys()
    assert all(command["id"] and command["version"] for command in commands.values())
    assert discord.gateway.connected


async def test_a_slash_command_is_answered(discord: LocalDiscord) -> None:
    answer = await discord.user("Ana").slash("/ping")
    assert answer.content == "pong Ana"
    assert not answer.ephemeral
    assert answer.message in discord.user("Bob").messages()


async def test_options_reach_the_bot(discord: LocalDiscord) -> None:
    answer = await discord.user("Ana").slash("/game new", game="Chess", note="at noon", fast=True)
    assert answer.content == "chess, at noon, fast"


async def test_a_person_cannot_send_what_a_client_would_not(discord: LocalDiscord) -> None:
    ana = discord.user("Ana")
    for command, options in [
        ("/nothing", {}),
        ("/game", {}),
        ("/game old", {}),
        ("/game new", {}),
        ("/game new", {"game": "poker"}),
        ("/game new", {"game": "go", "note": "x"}),
        ("/game new", {"game": "go", "note": "x" * 21}),
        ("/game new", {"game": "go", "note": 2}),
        ("/game new", {"game": "go", "fast": "yes"}),
        ("/game new", {"game": "go", "colour": "red"}),
        ("/play", {"move": "x" * 6001}),
        ("/play", {"move": ""}),
    ]:
        with pytest.raises(Impossible):
            await ana.slash(command, options=options)


async def test_autocompletion_offers_choices(discord: LocalDiscord) -> None:
    answer = await discord.user("Ana").autocomplete("/play", move="a", focused="move")
    assert answer.values == ["a1", "a2"]
    assert answer.choices[0] == {"name": "Go to a1", "value": "a1"}


async def test_a_button_changes_its_message(discord: LocalDiscord) -> None:
    ana, bob = discord.user("Ana"), discord.user("Bob")
    opened = await ana.slash("/game new", game="go")
    clicked = await bob.click(opened.message, label="Redraw")
    assert clicked.message is opened.message
    assert opened.message.content == "redrawn for Bob"


async def test_a_button_can_be_deferred_and_its_message_edited(discord: LocalDiscord) -> None:
    ana = discord.user("Ana")
    opened = await ana.slash("/game new", game="go")
    clicked = await ana.click(opened, custom_id="slowly")
    assert clicked.content == "redrawn slowly"
    assert clicked.files == {"again.png": PICTURE}


async def test_a_layout_is_built_again_from_the_message(discord: LocalDiscord) -> None:
    ana, bob = discord.user("Ana"), discord.user("Bob")
    shown = await ana.slash("/turn")
    assert shown.message.is_layout and shown.files == {"board.png": PICTURE}
    assert shown.message.labels == ["Undo", "Rules", "Never"]
    assert {"Where to?", "a small board"} <= set(shown.text.split("\n"))
    for label in ("Rules", "Never"):
        with pytest.raises(Impossible):
            await bob.click(shown, label)
    pressed = await bob.click(shown, "Undo")
    assert pressed.message is shown.message
    assert f"undone by {bob.mention}" in shown.text and "Where to?" not in shown.text
    assert shown.message.labels == ["Undo", "Rules", "Never"] and shown.files
    assert "a small board" in ana.visible_snapshots()[-1].text


async def test_layouts_come_after_a_deferral_and_as_follow_ups(discord: LocalDiscord) -> None:
    answer = await discord.user("Ana").slash("/turn", later=True)
    await answer.until(lambda one: bool(one.followups))
    assert answer.ephemeral and answer.message.is_layout and "Where to?" in answer.message.text
    (later,) = answer.followups
    assert not later.ephemeral and "Once more?" in later.text and later.button("Undo")


async def open_survey(ana: Person, fields: str) -> Response:
    """Open a form, and wait until discord.py listens for its submission.

    It does so only after its request to open the form has been answered, and a program submits
    faster than any person. Once the bot has answered another command it has read that answer.
    """
    survey = await ana.slash("/survey", fields=fields)
    await ana.slash("/ping")
    return survey


async def test_forms_reach_the_bot_with_all_they_ask_for(discord: LocalDiscord) -> None:
    ana, bob = discord.user("Ana"), discord.user("Bob")
    survey = await open_survey(ana, "texts")
    assert survey.form.values == {"Name": "so far", "Story": "", "Silent": False, "Map": []}
    given = {"Silent": True, "Story": "one\ntwo", "Map": [Upload("a.txt", b"hello")]}
    sent = await ana.submit(survey, given)
    assert sent.ephemeral
    # An attachment is shown by its address.
    assert re.fullmatch(r"Name=so far; Story=one\ntwo; Silent=True; Map=\['http.*\]", sent.text)
    survey = await open_survey(ana, "choices")
    sent = await ana.submit(survey, {"Menu": "Green", "Radio": "b", "Boxes": ["Red", "Blue"]})
    assert sent.text == "Menu=['g']; Radio=b; Boxes=['r', 'b']"
    survey = await open_survey(ana, "people")
    role = discord.state.add_role("Referee")
    given = {"People": [ana, bob], "Role": role, "Either": "Bob", "Channel": discord.channel()}
    sent = await ana.submit(survey, given)
    assert sent.text == (
        "People=['ana', 'bob']; Role=['Referee']; Either=['bob']; Channel=['general']"
    )


async def test_a_form_that_a_button_opens_changes_the_message(discord: LocalDiscord) -> None:
    ana = discord.user("Ana")
    opened = await ana.slash("/game new", game="go")
    form = await ana.click(opened, "Rename")
    await ana.slash("/ping")
    sent = await ana.submit(form, {"Name": "Ana's game"})
    assert sent.message is opened.message and "Name=Ana's game" in opened.content


async def test_the_bot_gets_the_people_and_channels_that_were_chosen(
    discord: LocalDiscord,
) -> None:
    ana, bob = discord.user("Ana"), discord.user("Bob")
    opened = await ana.slash("/pick")
    await ana.choose(opened, "Who?", [bob, "Motu"])
    assert opened.content == "Member Bob, Member Motu"
    await ana.choose(opened, "Where?", "general")
    assert opened.content == "general: True"


async def test_a_disabled_button_cannot_be_pressed(discord: LocalDiscord) -> None:
    ana = discord.user("Ana")
    opened = await ana.slash("/game new", game="go")
    with pytest.raises(Impossible):
        await ana.click(opened, label="Never")
    with pytest.raises(LookupError, match="Redraw"):
        await ana.click(opened, label="Sing")


async def test_a_menu_sends_the_chosen_values(discord: LocalDiscord) -> None:
    ana = discord.user("Ana")
    opened = await ana.slash("/game new", game="go")
    chosen = await ana.choose(opened, "Pick a spot", ["Spot 3", "s24"])
    assert chosen.content == "picked s3 s24"
    with pytest.raises(Impossible):
        await ana.choose(opened, "spot", ["s1", "s2", "s3"])


async def test_an_ephemeral_answer_is_seen_only_by_its_asker(
    discord: LocalDiscord,
) -> None:
    ana, bob = discord.user("Ana"), discord.user("Bob")
    answer = await ana.slash("/hand")
    assert answer.ephemeral
    assert answer.files == {"board.png": PICTURE}
    (file,) = answer.message.attachments
    assert (file.width, file.height, file.description) == (7, 5, "a small board")
    assert answer.message in ana.messages() and answer.message not in bob.messages()
    assert any("three cards" in sight.text for sight in ana.visible_snapshots())
    assert not any("three cards" in sight.text for sight in bob.visible_snapshots())
    with pytest.raises(Impossible):
        await bob.click(answer, label="Redraw")


async def test_components_of_an_ephemeral_message_work(discord: LocalDiscord) -> None:
    ana = discord.user("Ana")
    panel = await ana.slash("/hand")
    assert (await ana.click(panel, label="Redraw")).ephemeral
    stone = await ana.click(panel, label="Stone 7")
    assert stone.content == "stone 7"


async def test_a_deferred_answer_is_edited_and_followed_up(discord: LocalDiscord) -> None:
    ana, bob = discord.user("Ana"), discord.user("Bob")
    answer = await (await ana.slash("/think")).until(lambda r: len(r.followups) == 2)
    assert answer.content == "thought" and answer.files == {"board.png": PICTURE}
    assert [m.content for m in answer.followups] == ["and one thing more", "a secret"]
    assert [m.ephemeral for m in answer.messages] == [False, False, True]
    assert answer.followups[1] not in bob.messages()


async def test_the_first_follow_up_replaces_a_deferral(discord: LocalDiscord) -> None:
    ana = discord.user("Ana")
    opened = await ana.slash("/game new", game="go")
    answer = await (await ana.click(opened, label="Whisper")).until(lambda r: len(r.followups) == 1)
    assert answer.content == "for you alone" and answer.files == {"board.png": PICTURE}
    assert answer.followups[0].content == "and for you too"
    assert all(message.ephemeral for message in answer.messages)


async def test_a_thread_with_a_file_is_made_and_archived(discord: LocalDiscord) -> None:
    ana = discord.user("Ana")
    answer = await ana.slash("/table")
    thread = discord.state.threads(archived=True)[-1]
    assert answer.content == f"<#{thread.id}>"
    (message,) = discord.messages(thread)
    assert message.content == "Your turn, now" and message.buttons == []
    assert message.files == {"board.png": PICTURE}
    with pytest.raises(Impossible):
        await ana.slash("/ping", channel=thread)


async def test_a_thread_can_start_from_a_message(discord: LocalDiscord) -> None:
    answer = await discord.user("Ana").slash("/hang")
    post = await discord.message("down here")
    assert isinstance(post.channel, Thread)
    assert post.channel.id == answer.message.id and answer.message.thread is post.channel


async def test_only_those_allowed_are_pinged(discord: LocalDiscord) -> None:
    ana, bob = discord.user("Ana"), discord.user("Bob")
    before = len(bob.visible_snapshots())
    await ana.slash("/table")
    assert any(ana.mention in sight.text for sight in bob.visible_snapshots()[before:])
    pinged = [sight for sight in bob.visible_snapshots()[before:] if sight.data["mentions"]]
    assert {user["id"] for sight in pinged for user in sight.data["mentions"]} == {str(ana.id)}


async def test_a_private_message_reaches_its_person(discord: LocalDiscord) -> None:
    eva, bob = discord.user("Eva"), discord.user("Bob")
    await eva.slash("/letter")
    assert [m.content for m in eva.inbox()] == ["dear friend"]
    assert bob.inbox() == []
    assert eva.inbox()[0] not in bob.messages()


async def test_commands_work_in_private_channels(discord: LocalDiscord) -> None:
    ana = discord.user("Ana")
    answer = await ana.slash("/ping", channel=discord.dm(ana))
    assert answer.content == "pong Ana"
    with pytest.raises(Impossible):
        await discord.user("Bob").slash("/ping", channel=discord.dm(ana))


async def test_an_interaction_without_an_answer_fails_after_three_seconds(
    discord: LocalDiscord,
) -> None:
    clock = discord.state.clock
    assert isinstance(clock, ManualClock)
    answer = await discord.user("Ana").slash("/silence", wait="nothing")
    clock.advance(2.9)
    assert not answer.expired
    clock.advance(0.2)
    assert (await answer.wait()).expired


async def test_a_second_answer_is_refused(discord: LocalDiscord) -> None:
    answer = await (await discord.user("Ana").slash("/twice")).until(
        lambda r: len(r.followups) == 1
    )
    assert answer.followups[0].content == "400 40060"


async def test_many_people_can_act_at_once(discord: LocalDiscord) -> None:
    people = [discord.user(f"Person {n}") for n in range(50)]
    answers = await together(*(person.slash("/ping") for person in people))
    assert [answer.content for answer in answers] == [f"pong {person.name}" for person in people]
