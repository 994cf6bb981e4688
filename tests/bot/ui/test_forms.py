"""Forms: how they open, what a refusal offers, and what every feature's forms must have."""

import asyncio
from typing import Any

import pytest

from bot.feature_list import FEATURES
from bot.features.catch_up import Notes
from bot.features.lobby.rules import TIME_TERMS
from bot.kernel.room import Room
from bot.local import Response, interactions
from bot.local.components import Kind
from bot.local.model import Channel, Message
from bot.runtime.base import Refused
from bot.ui import reply
from bot.ui.forms import Form, Forms
from bot.ui.parts import Button, layout_of
from engine import GAMES
from tests.bot.test_features import COMMANDS
from tests.bot.world import Player, World

FORMS = [form for feature in FEATURES for form in feature.forms]


@pytest.fixture
async def room(world: World) -> Room:
    return await world.start_match()


async def open_note(world: World, room: Room, **options: Any) -> Response:
    return await world.ana.slash("/note", channel=world.place(room), **options)


def refuse(*_: Any) -> Any:
    raise Refused("note.not_seated")


# What every form must have.


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.__name__)
def test_a_form_has_a_command_that_does_the_same_and_a_pattern_of_its_own(form: type[Form]) -> None:
    assert form.command.replace(".", " ") in {name for name, _ in COMMANDS}
    assert [other for other in FORMS if other.pattern == form.pattern] == [form]
    assert form.content is not Form.content and form.on_submit is not Form.on_submit


async def test_every_form_opens_and_is_given_back_when_refused(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The local Discord refuses a form that breaks one of Discord's limits."""
    opened_kinds = set()
    for form_id, who, place in await list_forms(world):
        (kind,) = [form for form in FORMS if form.pattern.fullmatch(form_id)]
        opened_kinds.add(kind)
        button = Button(f"f:open:{form_id}", "Open")
        message = await plant(world, who, place, button)
        opened = await who.click(message, label="Open")
        texts = [one for one in opened.form.fields if one.kind == Kind.TEXT_INPUT]
        given = {one.custom_id: "12" for one in texts}
        with monkeypatch.context() as strict:
            strict.setattr(kind, "on_submit", refuse_submission)
            refused = await who.submit(opened, given)
        again = await who.click(refused.private, label="Edit again")
        kept = {one.custom_id: one.prefilled for one in again.form.fields}
        expected = {one.custom_id: one.prefilled for one in opened.form.fields} | given
        assert kept == expected, form_id
    assert opened_kinds == set(FORMS)


@pytest.mark.parametrize("value", [None, "?", ["?"]], ids=str)
async def test_forged_values_are_refused_with_a_reason(world: World, value: object) -> None:
    keys = ("level", "way", "digest", "quiet", "zone", "file", "days", "text", "move", "channels")
    forged = [
        {"type": Kind.LABEL, "component": {"custom_id": key, "value": value, "values": value}}
        for key in (*keys, *(term.key for term in TIME_TERMS), "threads", "hosts", "film")
    ]
    for form_id, who, place in await list_forms(world):
        data = {"custom_id": form_id, "components": forged if value else []}
        answer = await who.interact(interactions.SUBMISSION, place, data, wait="answer")
        assert answer.text and "Something went wrong" not in answer.text, form_id


async def list_forms(world: World) -> list[tuple[str, Player, Channel]]:
    """Return the custom ids of all forms, each with somebody who may fill it in, and where."""
    room = await world.start_match()
    match = room.record.id
    lobbies = [await world.owner.slash("/game new", game=game) for game in GAMES]
    shown = [part["custom_id"] for lobby in lobbies for part in lobby.message.buttons]
    of_lobbies = [one.removeprefix("f:open:") for one in shown if one.startswith("f:open:")]
    others = ["me:reminders", "me:quiet", "s:place", "s:matches", "vacation"]
    of_match = [f"note:{match}", f"plan:{match}", f"pace:{match}"]
    return [
        *((form_id, world.owner, world.channel) for form_id in (*of_lobbies, *others)),
        *((form_id, world.bea, world.place(room)) for form_id in of_match),
    ]


async def refuse_submission(*_: Any) -> None:
    raise Refused("note.not_seated")


async def plant(world: World, who: Player, place: Channel, button: Button) -> Message:
    """Show somebody a private message with a button."""
    response = await who.slash("/help", channel=place)
    message = response.private
    message.components = layout_of([(button,)]).to_components()
    message.components[0]["id"] = 1
    message.components[0]["components"][0]["id"] = 2
    return message


# Opening.


async def test_a_form_opens_as_the_first_response(world: World, room: Room) -> None:
    opened = await open_note(world, room)
    assert opened.form.title == "Your note: Blue Lagoon"
    assert opened.form.values == {"What to remember": ""}
    shown = await world.ana.submit(opened, {"What to remember": "watch G7"})
    assert "Your note: watch G7" in shown.private.text
    again = await world.ana.click(shown.private, label="Edit")
    assert again.form.values == {"What to remember": "watch G7"}
    changed = await world.ana.submit(again, {"What to remember": ""})
    assert changed.message is shown.private, "the panel is edited in place"
    assert "You have no note" in changed.private.text


async def test_a_form_that_opens_too_late_waits_behind_a_button(
    world: World, room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    may_read, of = asyncio.Event(), Notes.of

    async def read_slowly(*given: Any) -> str:
        await may_read.wait()
        return await of(*given)

    with monkeypatch.context() as slow:
        slow.setattr(Notes, "of", read_slowly)
        slow.setattr(reply, "ANSWER_SECONDS", 0.01)
        asked = await open_note(world, room, wait="ack")
        may_read.set()
        await asked.until(lambda now: not now.thinking)
    await world.wait_until_idle()
    opened = await world.ana.click(asked.private, label="Open the form")
    shown = await world.ana.submit(opened, {"What to remember": "late"})
    assert shown.message is asked.message and "Your note: late" in shown.text


async def test_a_form_that_cannot_be_filled_in_time_is_refused(
    world: World, room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def never(*_: Any) -> str:
        await asyncio.Event().wait()
        return ""

    with monkeypatch.context() as slow:
        slow.setattr(Notes, "of", never)
        slow.setattr("bot.ui.forms.LOAD_SECONDS", 0.01)
        refused = await open_note(world, room)
    assert "busy" in refused.private.text


async def test_a_rush_does_not_keep_forms_from_opening(
    world: World, room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reply, "RUSH_THRESHOLD", 0)
    assert (await open_note(world, room)).form.labels == ["What to remember"]


async def test_only_those_who_may_fill_it_in_get_a_form(world: World, room: Room) -> None:
    refused = await world.cem.slash("/note", channel=world.place(room), match=room.record.id)
    assert "not in this match" in refused.private.text and refused.interaction.form is None


# Submitting.


async def test_a_refused_form_opens_again_with_what_was_entered(
    world: World, room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = await open_note(world, room)
    with monkeypatch.context() as strict:
        strict.setattr(Notes, "write", refuse)
        refused = await world.ana.submit(opened, {"What to remember": "long thought"})
        assert "Only players can keep notes" in refused.private.text
        again = await world.ana.click(refused.private, label="Edit again")
        assert again.form.values == {"What to remember": "long thought"}
        twice = await world.ana.submit(again, {"What to remember": "second thought"})
    assert twice.message is refused.private, "one message says what is wrong"
    again = await world.ana.click(twice.private, label="Edit again")
    assert again.form.values == {"What to remember": "second thought"}
    shown = await world.ana.submit(again)
    assert shown.message is refused.private and "Your note: second thought" in shown.text


async def test_a_form_survives_a_restart(
    world: World, room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = await open_note(world, room)
    with monkeypatch.context() as strict:
        strict.setattr(Notes, "write", refuse)
        refused = await world.ana.submit(opened, {"What to remember": "first"})
    await world.restart()
    shown = await world.ana.submit(opened, {"What to remember": "kept"})
    assert "Your note: kept" in shown.private.text
    again = await world.ana.click(refused.private, label="Edit again")
    assert again.form.values == {"What to remember": "kept"}, "the current note"


async def test_a_bot_that_is_busy_loses_nothing(
    world: World, room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = await open_note(world, room)
    with monkeypatch.context() as full:
        full.setattr(reply, "MAX_CONCURRENT_INTERACTIONS", 0)
        refused = await world.ana.submit(opened, {"What to remember": "still here"})
    again = await world.ana.click(refused.private, label="Edit again")
    assert again.form.values == {"What to remember": "still here"}


async def test_what_somebody_entered_is_shown_to_nobody_else(world: World, room: Room) -> None:
    forms = world.bot.services.require(Forms)
    forms._refused[world.ana.id, f"note:{room.record.id}"] = {"text": "secret"}
    opened = await world.bea.slash("/note", channel=world.place(room))
    assert opened.form.values == {"What to remember": ""}
    assert not forms.entered_before(world.bea.id, f"note:{room.record.id}")


async def test_a_form_that_no_feature_knows_is_refused(world: World, room: Room) -> None:
    opened = await open_note(world, room)
    world.bot.services.require(Forms).kinds.clear()
    refused = await world.ana.submit(opened, {"What to remember": "x"})
    assert "switched off" in refused.private.text


async def test_nothing_stays_in_memory_of_a_form_that_is_never_submitted(
    world: World, room: Room
) -> None:
    await open_note(world, room)
    assert world.bot._connection._view_store._modals == {}
