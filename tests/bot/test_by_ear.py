"""Whole matches played without a picture: by posts, alt texts, boards in words and labels alone."""

from collections.abc import AsyncIterator, Iterator
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import pytest
from msgspec import Struct
from msgspec.structs import asdict

from bot.features.play import panel as ids
from bot.kernel.room import Room
from bot.local.model import Channel, Message
from bot.model import Person, Place, Status
from bot.ui import marked_names, plain_names
from engine import GAMES, Decision, Seat
from engine.core.perspective import Perspective
from engine.core.words import words_of
from tests.bot.world import Player, World, open_world

CHOICES, FOLDERS, MENUS, CONFIRM = (
    f"{action}:" for action in (ids.PICK, ids.PAGE, ids.PICK_SEVERAL, ids.CONFIRM)
)
"""The beginnings of the custom ids of the controls that a player chooses with."""
MAX_PRESSES = 400
"""More than any turn takes, with all its folders."""
SETTINGS = {"conquest": {"last_turn": "12"}}
"""Settings that keep a match short."""
BOARD_EVERY = 8
"""How many turns apart a player reads the whole board in words."""


@pytest.fixture
async def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[World]:
    """A bot with fixed deals."""
    seeds = (f"by ear {number}" for number in count())
    async with open_world(tmp_path, monkeypatch, make_seed=seeds.__next__) as world:
        yield world


class BlindPlayer:
    """Somebody who reads texts and labels, and chooses among what they offer."""

    def __init__(self, person: Player, rng: Random) -> None:
        self.person = person
        self.random = rng

    async def take_turn(self, post: Message) -> None:
        """Open the panel from the post, choose until the turn is complete, and confirm it."""
        panel = await self.person.press(post, label="Your move")
        for _ in range(MAX_PRESSES):
            assert panel.content.strip(), "a panel says what it asks"
            offered = self.read_choices(panel)
            confirm = [one for one in panel.buttons if one["custom_id"].startswith(CONFIRM)]
            if confirm and (not offered or self.random.random() < 0.5):
                await self.person.press(panel, custom_id=confirm[0]["custom_id"])
                return
            assert offered, panel.text
            panel = await self.choose(panel, self.random.choice(offered))
            if panel.content.startswith("Done."):
                return
        raise AssertionError(f"a turn without an end: {panel.text}")

    def read_choices(self, panel: Message) -> list[dict[str, Any]]:
        """Return the controls that answer the question; no two sound the same."""
        found = [
            part
            for part in panel.controls
            if part["custom_id"].startswith((CHOICES, FOLDERS, MENUS)) and not part.get("disabled")
        ]
        labels = [part["label"] for part in found if "label" in part]
        assert len(set(labels)) == len(labels), labels
        return found

    async def choose(self, panel: Message, part: dict[str, Any]) -> Message:
        """Press a button by its label, or choose in a menu by the labels of its options."""
        if "label" in part:
            return await self.person.press(panel, label=part["label"])
        labels = {option["label"]: option["value"] for option in part["options"]}
        assert len(labels) == len(part["options"]), "no two options sound the same"
        number = self.random.randint(max(1, part.get("min_values", 1)), part.get("max_values", 1))
        chosen = [labels[label] for label in self.random.sample(sorted(labels), number)]
        return (await self.person.choose(panel, part["custom_id"], chosen)).private

    async def read_board(self, place: Channel) -> str:
        """Return the board in words, with what the player can choose."""
        shown = await self.person.ask("/board", channel=place, mine=True, text=True)
        if "board.txt" in shown.files:
            return shown.files["board.txt"].decode()
        return shown.content.removeprefix("```\n")


def spots_in(part: Any) -> Iterator[str]:
    """Yield every place that a view names as where something is."""
    if isinstance(part, Struct):
        for name, value in asdict(part).items():
            if name == "spot" and isinstance(value, str) and value:
                yield value
            else:
                yield from spots_in(value)
    elif isinstance(part, tuple | list):
        for one in part:
            yield from spots_in(one)


def check_labels(room: Room, seat: Seat) -> None:
    """Check that the label of every option says where it is, and more where something lies."""
    names, match = plain_names(room), room.playing()
    words = words_of(match.game.id)
    context = Perspective(match, seat, words, names, marked_names(room))
    questions: tuple[Decision, ...] = match.decisions(seat)
    for question in questions:
        for option in question.options:
            label = context.label(question, option, brief=True)
            assert label.strip() and label != option.key, (question.kind, option)
            if option.spot and option.spot in match.game.places(context.view):
                code = option.spot.upper()
                shown = [code, *code.split("-")]
                assert any(one in label for one in shown), (question.kind, label, option)
                if context.view.note(option.spot):
                    assert label != code, (question.kind, label)


@pytest.mark.parametrize("game", sorted(GAMES))
async def test_a_match_can_be_played_by_ear(world: World, game: str) -> None:
    place = Place(world.guild, world.channel.id, wants_thread=False)
    room = await world.matches.open_lobby(
        game, SETTINGS.get(game, {}), place, Person(world.ana.id, "Ana")
    )
    await world.matches.join(room.record.id, Person(world.bea.id, "Bea"))
    room = await world.matches.start(room.record.id, Person(world.ana.id, "Ana"))
    chance = Random(game)
    players = {one.id: BlindPlayer(one, chance) for one in (world.ana, world.bea)}
    told = 0
    for turn in count():
        await world.wait_until_idle()
        room = await world.reload(room)
        match = room.playing()
        if match.outcome is not None:
            break
        seat = match.waiting_for()[0]
        user = room.people([seat])[0]
        post = world.newest()
        name = marked_names(room)[seat]
        assert f"**{name}**" in post.content or players[user].person.mention in post.content
        alt = post.attachments[0].description or ""
        # The text begins with what has changed, which may be nothing but the turn.
        has_news = alt.startswith("Latest: ")
        assert has_news or alt.startswith(match.game.title), alt
        if turn and len(post.content.splitlines()) > 1:
            assert has_news, (post.content, alt)
        told += has_news
        check_labels(room, seat)
        if turn % BOARD_EVERY == 0:
            board = await players[user].read_board(world.channel)
            assert "You can choose: " in board, board
            assert board.startswith(("Latest: ", match.game.title)), board
            missing = {one for one in spots_in(match.view(seat)) if one.upper() not in board}
            assert not missing, (missing, board)
        await players[user].take_turn(post)
    assert told > 0.9 * turn
    assert (await world.reload(room)).record.status is Status.FINISHED
    last = world.newest()
    assert "wins" in last.content or "share" in last.content
    assert (last.attachments[0].description or "").startswith("Latest: ")
