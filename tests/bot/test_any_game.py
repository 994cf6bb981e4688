"""The same face for any game: the toy has secret bids, several picks, offers and dice, and the
bot knows none of it.
"""

import asyncio
from collections.abc import AsyncIterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from simcord import Env, MemberActor

from bot.app import Motu
from bot.kernel.room import Room
from bot.model import Person, Place
from bot.store.sqlite import SqliteStore
from engine import Seat
from tests.bot.answers import answer, labels, menu, parts, said
from tests.bot.conftest import World
from tests.bot.desk import make_kernel
from tests.patience import PATIENCE
from tests.toy import TOY, WORDS


@pytest.fixture
async def simcord_env(
    tmp_path: Path, unscheduled: None, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Env]:
    """A bot that knows the toy and nothing else."""
    monkeypatch.setattr("bot.ui.describe.words_of", lambda game: WORDS)
    store = await SqliteStore.open(tmp_path / "motu.db")
    # Fixed deals: in some, a card of one hand has the name of a card in the other.
    seeds = (str(number) for number in count())
    env = Env(
        Motu(make_kernel(store, {"toy": TOY}, make_seed=seeds.__next__)),
        settle_timeout=PATIENCE,
        shard_count=1,
    )
    await env.start()
    yield env
    await env.settle()
    await env.bot.close()
    await env.shutdown()


async def reef(world: World) -> Room:
    """A match of the toy in which Ana may do something at any time."""
    place = Place(world.guild.id, world.channel.id, wants_thread=False)
    for _ in range(60):
        opened = await world.matches.open_lobby("toy", {}, place, Person(world.ana.id, "Ana"))
        await world.matches.join(opened.record.id, Person(world.bea.id, "Bea"))
        room = await world.matches.start(opened.record.id, Person(world.ana.id, "Ana"))
        assert room.match is not None
        if len(room.match.decisions(Seat(0))) > 1:
            return room
    raise AssertionError("no offer in sixty deals")


async def panel(world: World, who: MemberActor, room: Room) -> Any:
    return answer(await who.slash(world.channel, "play", match=room.record.id))


async def test_several_picks_are_one_menu_and_stay_secret(world: World) -> None:
    room = await reef(world)
    assert room.match is not None
    shown = await panel(world, world.ana, room)
    cards = [option.key for option in room.match.decisions(Seat(0))[0].options][:2]
    assert "Bid one or two cards" in shown.content and "Choose 1 to 2." in shown.content
    drafted = answer(await world.ana.select(shown.message, cards, custom_id=menu(shown, cards[0])))
    assert "Confirm: the bids are shown" in labels(drafted) or "Confirm" in labels(drafted)
    await world.ana.click(
        drafted.message,
        custom_id=next(p["custom_id"] for p in parts(drafted) if "onfirm" in p["label"]),
    )
    after = (await world.room(room)).match
    assert after is not None and after.number == 1 and after.waiting_for() == (1,)
    told = said(await world.bea.slash(world.channel, "log", match=room.record.id))
    assert "Ana has bid" in told and not any(card.upper() in told for card in cards)


async def test_an_offer_is_asked_once_and_taken_at_once(world: World) -> None:
    room = await reef(world)
    assert room.match is not None
    offer = next(decision for decision in room.match.decisions(Seat(0)) if not decision.blocking)
    listed = answer(
        await world.ana.click((await panel(world, world.ana, room)).message, label="More…")
    )
    kinds = [part["custom_id"] for part in parts(listed) if f":{offer.kind}:" in part["custom_id"]]
    chosen = answer(await world.ana.click(listed.message, custom_id=kinds[0]))
    key = offer.options[0].key
    choice = next(
        part["custom_id"]
        for part in parts(chosen)
        if part["custom_id"].endswith(f":{offer.kind}:{key}")
    )
    asked = answer(await world.ana.click(chosen.message, custom_id=choice))
    assert "now?" in asked.content and (await world.room(room)).match.number == 0
    back = answer(await world.ana.click(asked.message, label="Back"))
    assert "Bid one or two cards" in back.content and (await world.room(room)).match.number == 0
    again = answer(
        await world.ana.click((await reopened(world, room, offer.kind)).message, custom_id=choice)
    )
    done = answer(await world.ana.click(again.message, label="Yes, now"))
    assert done.content.startswith("Done.") and (await world.room(room)).match.number == 1


async def reopened(world: World, room: Room, kind: str) -> Any:
    """The page of one kind of offer."""
    listed = answer(
        await world.ana.click((await panel(world, world.ana, room)).message, label="More…")
    )
    wanted = next(part["custom_id"] for part in parts(listed) if f":{kind}:" in part["custom_id"])
    return answer(await world.ana.click(listed.message, custom_id=wanted))


async def test_an_offer_can_be_typed(world: World) -> None:
    room = await reef(world)
    assert room.match is not None
    offer = next(decision for decision in room.match.decisions(Seat(0)) if not decision.blocking)
    move = f"{offer.kind}/{offer.options[0].key}"
    offered = await world.ana.autocomplete(
        world.channel, "play", "move", offer.kind, match=room.record.id
    )
    assert move in [choice["value"] for choice in offered]
    asked = said(await world.ana.slash(world.channel, "play", move=move, match=room.record.id))
    assert "now?" in asked and (await world.room(room)).match.number == 0
    done = said(await world.ana.slash(world.channel, "play", move=f"{move}!", match=room.record.id))
    assert done.startswith("Done.") and (await world.room(room)).match.number == 1


async def test_both_who_bid_are_called_and_only_they(world: World) -> None:
    await reef(world)
    await asyncio.gather(*world.matches.outbox._chores.tasks.values())
    content = world.channel.last_message.content
    assert (
        f"<@{world.ana.id}> <@{world.bea.id}>" in content
        and "**Ana** bids. **Bea** bids." in content
    )
    assert world.channel.last_message.attachments, "a game without a renderer has the plain sheet"


async def test_the_hand_of_another_never_shows(world: World) -> None:
    room = await reef(world)
    shown = [
        await (answer(await who.slash(world.channel, "board", mine=True, match=room.record.id)))
        .attachments[0]
        .read()
        for who in (world.ana, world.bea)
    ]
    assert shown[0] != shown[1]


async def test_the_board_in_words_asks_and_says_what_may_be_answered(world: World) -> None:
    room = await reef(world)
    shown = answer(
        await world.ana.slash(world.channel, "board", mine=True, text=True, match=room.record.id)
    )
    words = shown.content + "".join([(await file.read()).decode() for file in shown.attachments])
    question = room.match.question(Seat(0))
    assert "Bid one or two cards" in words
    chosen = next(line for line in words.splitlines() if line.startswith("You may choose: "))
    view = room.match.view(Seat(0))
    assert all(
        WORDS.option(question, option, view, ("Ana", "Bea")) in chosen
        for option in question.options
    )
