"""The same face for any game: the toy has secret bids, several picks, offers and dice, and the
bot knows none of it.
"""

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
    """A bot that knows the toy and nothing else."""
    monkeypatch.setattr("bot.ui.describe.words_of", lambda game: WORDS)
    # Fixed deals: in some, a card of one hand has the name of a card in the other.
    seeds = (str(number) for number in count())
    options = {"games": {"toy": TOY}, "make_seed": seeds.__next__}
    async with open_world(tmp_path, monkeypatch, **options) as world:
        yield world


async def reef(world: World) -> Room:
    """A match of the toy in which Ana may do something at any time."""
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
    return (await who.slash("/play", match=room.record.id)).private


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
    after = (await world.room(room)).match
    assert after is not None and after.number == 1 and after.waiting_for() == (1,)
    told = (await world.bea.slash("/log", match=room.record.id)).private.content
    assert "Ana has bid" in told and not any(card.upper() in told for card in cards)


async def test_an_offer_is_asked_once_and_taken_at_once(world: World) -> None:
    room = await reef(world)
    assert room.match is not None
    offer = next(decision for decision in room.match.decisions(Seat(0)) if not decision.blocking)
    listed = (await world.ana.click((await panel(world, world.ana, room)), label="More…")).private
    kinds = [
        part["custom_id"] for part in listed.controls if f":{offer.kind}:" in part["custom_id"]
    ]
    chosen = (await world.ana.click(listed, custom_id=kinds[0])).private
    key = offer.options[0].key
    choice = next(
        part["custom_id"]
        for part in chosen.controls
        if part["custom_id"].endswith(f":{offer.kind}:{key}")
    )
    asked = (await world.ana.click(chosen, custom_id=choice)).private
    assert "now?" in asked.content and (await world.room(room)).match.number == 0
    back = (await world.ana.click(asked, label="Back")).private
    assert "Bid one or two cards" in back.content and (await world.room(room)).match.number == 0
    again = (
        await world.ana.click((await reopened(world, room, offer.kind)), custom_id=choice)
    ).private
    done = (await world.ana.click(again, label="Yes, now")).private
    assert done.content.startswith("Done.") and (await world.room(room)).match.number == 1


async def reopened(world: World, room: Room, kind: str) -> Any:
    """The page of one kind of offer."""
    listed = (await world.ana.click((await panel(world, world.ana, room)), label="More…")).private
    wanted = next(part["custom_id"] for part in listed.controls if f":{kind}:" in part["custom_id"])
    return (await world.ana.click(listed, custom_id=wanted)).private


async def test_an_offer_can_be_typed(world: World) -> None:
    room = await reef(world)
    assert room.match is not None
    offer = next(decision for decision in room.match.decisions(Seat(0)) if not decision.blocking)
    move = f"{offer.kind}/{offer.options[0].key}"
    offered = (await world.ana.autocomplete("/play", match=room.record.id, move=offer.kind)).choices
    assert move in [choice["value"] for choice in offered]
    asked = (await world.ana.slash("/play", move=move, match=room.record.id)).private.content
    assert "now?" in asked and (await world.room(room)).match.number == 0
    done = (await world.ana.slash("/play", move=f"{move}!", match=room.record.id)).private.content
    assert done.startswith("Done.") and (await world.room(room)).match.number == 1


async def test_both_who_bid_are_called_and_only_they(world: World) -> None:
    await reef(world)
    await world.idle()
    content = world.newest().content
    assert (
        f"<@{world.ana.id}> <@{world.bea.id}>" in content
        and "**Ana** bids. **Bea** bids." in content
    )
    assert world.newest().attachments, "a game without a renderer has the plain sheet"


async def test_the_hand_of_another_never_shows(world: World) -> None:
    room = await reef(world)
    shown = [
        ((await who.slash("/board", mine=True, match=room.record.id)).private).attachments[0].data
        for who in (world.ana, world.bea)
    ]
    assert shown[0] != shown[1]


async def test_the_board_in_words_asks_and_says_what_may_be_answered(world: World) -> None:
    room = await reef(world)
    shown = (await world.ana.slash("/board", mine=True, text=True, match=room.record.id)).private
    words = shown.content + "".join([(file.data).decode() for file in shown.attachments])
    question = room.match.question(Seat(0))
    assert "Bid one or two cards" in words
    chosen = next(line for line in words.splitlines() if line.startswith("You may choose: "))
    view = room.match.view(Seat(0))
    assert all(
        WORDS.option(question, option, view, ("Ana", "Bea")) in chosen
        for option in question.options
    )
