"""What one press costs the game: its questions and views are computed once per position.

The real commands, panel, service, store and outbox run here; only Discord is simulated. A proxy
around the game counts the calls. A press is counted to its end: the private answer, and the public
post that follows from it.
"""

from collections import Counter
from collections.abc import AsyncIterator, Awaitable
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from bot.feature_list import FEATURES
from bot.features.play.live_panels import LivePanels
from bot.features.play.panel import CONFIRM, PAGE, PICK, PICK_SEVERAL
from bot.kernel.room import Room
from bot.local import Response
from bot.model import Person, Place
from engine import GAMES, Seat
from tests.bot.world import Player, World, open_world
from tests.toy import TOY

AT_MOST = 3
"""The position before a press, the one that its draft leads to, and the one after its commit."""

ASKED: Counter[str] = Counter()
"""What games were asked since it was cleared."""


class Counting:
    """A game that counts calls."""

    def __init__(self, game: Any) -> None:
        self._game = game

    def __getattr__(self, name: str) -> Any:
        if name in ("questions", "offers", "view"):
            ASKED[name] += 1
        return getattr(self._game, name)


@pytest.fixture
async def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[World]:
    """A bot whose games count calls."""
    games: dict[str, Any] = {name: Counting(game) for name, game in {**GAMES, "toy": TOY}.items()}
    # Fixed deals, because only in some of them there is an offer at the start.
    seeds = (str(number) for number in count())
    options = {"games": games, "make_seed": seeds.__next__}
    # Ratings read an ended match once more, at an unknown time.
    features = [feature for feature in FEATURES if feature.name != "ratings"]
    async with open_world(tmp_path, monkeypatch, features=features, **options) as world:
        yield world


async def start_match(world: World, game: str, *others: Player) -> Room:
    """Start a match of Ana with the given players, by default Bea."""
    place = Place(world.guild, world.channel.id, wants_thread=False)
    room = await world.matches.open_lobby(game, {}, place, Person(world.ana.id, "Ana"))
    for number, person in enumerate(others or (world.bea,)):
        await world.matches.join(room.record.id, Person(person.id, f"Guest {number}"))
    room = await world.matches.start(room.record.id, Person(world.ana.id, "Ana"))
    await world.wait_until_idle()
    return room


async def press_counted(world: World, press: Awaitable[Response]) -> Any:
    """Return the answer to a press that asks the game no more than necessary."""
    await world.wait_until_idle()
    # Redrawing another player's panel is not part of the answer.
    world.bot.services.require(LivePanels)._panels.clear()
    ASKED.clear()
    shown = (await press).private
    await world.wait_until_idle()
    assert all(number <= AT_MOST for number in ASKED.values()), dict(ASKED)
    return shown


async def open_panel(world: World, who: Player, room: Room) -> Any:
    """Open somebody's panel by command."""
    return await who.ask("/play", match=room.record.id)


def choosing(who: Player, shown: Any) -> Awaitable[Response]:
    """Return the first option of a panel, or of its first group."""
    for part in shown.controls:
        if part["custom_id"].startswith(f"{PICK}:"):
            return who.click(shown, custom_id=part["custom_id"])
        if part["custom_id"].startswith(f"{PAGE}:"):
            return who.click(shown, custom_id=part["custom_id"])
        if part["custom_id"].startswith(f"{PICK_SEVERAL}:"):
            return who.choose(shown, part["custom_id"], [part["options"][0]["value"]])
    raise AssertionError(shown.labels)


async def draft_until(world: World, who: Player, shown: Any, until: str) -> Any:
    """Choose options until a control with this action appears."""
    for _ in range(20):
        if any(part["custom_id"].startswith(until) for part in shown.controls):
            return shown
        shown = await press_counted(world, choosing(who, shown))
    raise AssertionError(shown.content)


def confirming(who: Player, shown: Any) -> Awaitable[Response]:
    """Return the Confirm button of a panel."""
    (control,) = (
        part["custom_id"] for part in shown.controls if part["custom_id"].startswith(f"{CONFIRM}:")
    )
    return who.click(shown, custom_id=control)


async def mover(world: World, room: Room) -> Player:
    """Return the person to move."""
    match = (await world.reload(room)).playing()
    user = room.record.chairs[match.waiting_for()[0]].id
    return next(person for person in (world.ana, world.bea, world.cem) if person.id == user)


@pytest.mark.parametrize("game", list(GAMES))
async def test_a_turn_from_the_opened_panel_to_the_confirm(world: World, game: str) -> None:
    room = await start_match(world, game)
    for _ in range(3):
        who = await mover(world, room)
        shown = await press_counted(world, who.slash("/play", match=room.record.id))
        await press_counted(world, confirming(who, await draft_until(world, who, shown, "c:")))


async def test_undo_and_start_over(world: World) -> None:
    room = await start_match(world, "polynesia")
    who = await mover(world, room)
    for label in ("Undo", "Start over"):
        shown = await draft_until(world, who, await open_panel(world, who, room), "c:")
        assert label in shown.labels
        await press_counted(world, who.click(shown, label=label))


async def test_a_typed_turn_with_and_without_its_confirm(world: World) -> None:
    room = await start_match(world, "blue_lagoon")
    first = await mover(world, room)
    command = {"match": room.record.id}
    await press_counted(world, first.slash("/play", move="17", **command))
    await press_counted(world, first.slash("/play", move="!", **command))
    second = await mover(world, room)
    done = await press_counted(world, second.slash("/play", move="18!", **command))
    assert done.content.startswith("Done.")
    assert (await world.reload(room)).playing().number == 2


async def test_the_confirm_that_ends_a_secret_round(world: World) -> None:
    room = await start_match(world, "toy")
    for who in (world.ana, world.bea):
        shown = await press_counted(world, choosing(who, await open_panel(world, who, room)))
        await press_counted(world, confirming(who, shown))
    assert len((await world.reload(room)).playing().asked()) == 1


async def test_an_offer_taken(world: World) -> None:
    for _ in range(60):
        room = await start_match(world, "toy")
        offers = room.playing().offers(Seat(0))
        if offers:
            break
    kind = offers[0].kind
    key = offers[0].options[0].key
    listed = await press_counted(
        world, world.ana.click((await open_panel(world, world.ana, room)), label="More…")
    )
    page = next(part["custom_id"] for part in listed.controls if f":{kind}:" in part["custom_id"])
    chosen = await press_counted(world, world.ana.click(listed, custom_id=page))
    choice = next(
        part["custom_id"]
        for part in chosen.controls
        if part["custom_id"].endswith(f":{kind}:{key}")
    )
    sure = await press_counted(world, world.ana.click(chosen, custom_id=choice))
    await press_counted(world, world.ana.click(sure, label="Yes, now"))
    assert (await world.reload(room)).playing().number == 1


@pytest.mark.parametrize("people", [2, 3], ids=["ending the match", "going on"])
async def test_a_seat_given_up(world: World, people: int) -> None:
    room = await start_match(world, "blue_lagoon", *(world.bea, world.cem)[: people - 1])
    # The computer that takes over asks the game a lot when it has to move.
    asked = room.playing().waiting_for()
    seat = next(Seat(number) for number in range(people) if number not in asked)
    leaver = (world.ana, world.bea, world.cem)[seat]
    sure = await press_counted(world, leaver.slash("/resign", match=room.record.id))
    await press_counted(world, leaver.click(sure, label="Yes, give up my seat"))
    assert (await world.reload(room)).playing().resigned == {seat}
