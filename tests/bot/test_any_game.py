"""The bot works with any game: the toy has secret bids, offers and dice."""

from collections.abc import AsyncIterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from bot.kernel.room import Room
from bot.model import Person, Place
from engine import Seat
from tests.bot.world import Player, World, open_world
from tests.toy import TOY, WORDS


@pytest.fixture
async def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[World]:
    """A bot that knows only the toy."""
    monkeypatch.setattr("bot.ui.describe.words_of", lambda game: WORDS)
    # Fixed deals: in some, a card of one hand has the name of a card in the other.
    seeds = (str(number) for number in count())
    options = {"games": {"toy": TOY}, "make_seed": seeds.__next__}
    async with open_world(tmp_path, monkeypatch, **options) as world:
        yield world


async def reef(world: World) -> Room:
    """Start a toy match in which Ana has an offer."""
    place = Place(world.guild, world.channel.id, wants_thread=False)
    for _ in range(60):
        opened = await world.matches.open_lobby("toy", {}, place, Person(world.ana.id, "Ana"))
        await world.matches.join(opened.record.id, Person(world.bea.id, "Bea"))
        room = await world.matches.start(opened.record.id, Person(world.ana.id, "Ana"))
        assert room.match is not None
        if len(room.match.decisions(Seat(0))) > 1:
            return room
    raise AssertionError("no offer in sixty deals")


async def panel(world: World, who: Player, room: Room) -> Any:
    return await who.ask("/play", match=room.record.id)


async def test_several_picks_are_one_menu_and_stay_secret(world: World) -> None:
    room = await reef(world)
    assert room.match is not None
    shown = await panel(world, world.ana, room)
    cards = [option.key for option in room.match.decisions(Seat(0))[0].options][:2]
    assert "Bid one or two cards" in shown.content and "Choose 1 to 2." in shown.content
    drafted = (await world.ana.choose(shown, None, cards)).private
    assert "Confirm: the bids are shown" in drafted.labels or "Confirm" in drafted.labels
    await world.ana.click(
        drafted,
        custom_id=next(p["custom_id"] for p in drafted.controls if "onfirm" in p["label"]),
    )
    after = (await world.reload(room)).match
    assert after is not None and after.number == 1 and after.waiting_for() == (1,)
    text = (await world.bea.ask("/log", match=room.record.id)).content
    assert "Ana has bid" in text and not any(card.upper() in text for card in cards)


async def test_an_offer_is_asked_once_and_taken_at_once(world: World) -> None:
    room = await reef(world)
    assert room.match is not None
    offer = next(decision for decision in room.match.decisions(Seat(0)) if not decision.blocking)
    listed = await world.ana.press((await panel(world, world.ana, room)), label="More…")
    kinds = [
        part["custom_id"] for part in listed.controls if f":{offer.kind}:" in part["custom_id"]
    ]
    chosen = await world.ana.press(listed, custom_id=kinds[0])
    key = offer.options[0].key
    choice = next(
        part["custom_id"]
        for part in chosen.controls
        if part["custom_id"].endswith(f":{offer.kind}:{key}")
    )
    answer = await world.ana.press(chosen, custom_id=choice)
    assert "now?" in answer.content and (await world.reload(room)).match.number == 0
    back = await world.ana.press(answer, label="Back")
    assert "Bid one or two cards" in back.content and (await world.reload(room)).match.number == 0
    again = await world.ana.press((await open_offer(world, room, offer.kind)), custom_id=choice)
    done = await world.ana.press(again, label="Yes, now")
    assert done.content.startswith("Done.")
    assert (await world.reload(room)).match.number == 1


async def open_offer(world: World, room: Room, kind: str) -> Any:
    """Open the page of one kind of offer."""
    listed = await world.ana.press((await panel(world, world.ana, room)), label="More…")
    wanted = next(part["custom_id"] for part in listed.controls if f":{kind}:" in part["custom_id"])
    return await world.ana.press(listed, custom_id=wanted)


async def test_an_offer_can_be_typed(world: World) -> None:
    room = await reef(world)
    assert room.match is not None
    offer = next(decision for decision in room.match.decisions(Seat(0)) if not decision.blocking)
    move = f"{offer.kind}/{offer.options[0].key}"
    offered = (await world.ana.autocomplete("/play", match=room.record.id, move=offer.kind)).choices
    assert move in [choice["value"] for choice in offered]
    text = (await world.ana.ask("/play", move=move, match=room.record.id)).content
    assert "now?" in text and (await world.reload(room)).match.number == 0
    done = (await world.ana.ask("/play", move=f"{move}!", match=room.record.id)).content
    assert done.startswith("Done.") and (await world.reload(room)).match.number == 1


async def test_only_the_two_bidders_are_mentioned(world: World) -> None:
    await reef(world)
    await world.wait_until_idle()
    content = world.newest().content
    assert f"<@{world.ana.id}> <@{world.bea.id}>" in content
    assert "Waiting for **Ana** and **Bea**: bid." in content
    assert world.newest().attachments, "a game without a renderer has the plain sheet"


async def test_another_player_s_hand_is_never_shown(world: World) -> None:
    room = await reef(world)
    shown = [
        (await who.ask("/board", mine=True, match=room.record.id)).attachments[0].data
        for who in (world.ana, world.bea)
    ]
    assert shown[0] != shown[1]


async def test_the_text_board_asks_the_question_and_lists_the_answers(world: World) -> None:
    room = await reef(world)
    shown = await world.ana.ask("/board", mine=True, text=True, match=room.record.id)
    words = shown.content + "".join([(file.data).decode() for file in shown.attachments])
    question = room.match.question(Seat(0))
    assert "Bid one or two cards" in words
    chosen = next(line for line in words.splitlines() if line.startswith("You can choose: "))
    view = room.match.view(Seat(0))
    assert all(
        WORDS.option(question, option, view, ("Ana", "Bea")) in chosen
        for option in question.options
    )
