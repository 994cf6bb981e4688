"""Pictures are drawn outside the event loop, once while they are cached."""

import asyncio
import os
import sys
import threading
from typing import Any

import msgspec
import pytest

from bot.ui import pictures
from bot.ui.pictures import Pictures
from engine import GAMES, Game, View
from tests.toy import TOY


class Listed(View, frozen=True, kw_only=True):
    """A view that cannot be hashed."""

    cards: list[str]


def view(scores: tuple[float, ...] = ()) -> View:
    return View(game="toy", viewer=None, to_move=(), scores=scores)


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Record the threads in which pictures are drawn."""
    threads: list[str] = []

    def draw(
        kinds: tuple[str, ...], shown: View, names: tuple[str, ...], scene: dict[str, Any]
    ) -> list[Any]:
        threads.append(threading.current_thread().name)
        if "broken" in names:
            raise OSError
        return [b"png", "alt"]

    monkeypatch.setattr(pictures, "_render_view", draw)
    return threads


async def test_the_same_picture_is_drawn_once_outside_the_event_loop(
    drawn: list[str],
) -> None:
    studio = Pictures()
    await asyncio.gather(*(studio.board(view(), ("Ana",), rings=("a1",)) for _ in range(20)))
    assert len(drawn) == 1 and drawn[0].startswith("drawing")
    await studio.board(view(), ("Ana",), rings=("a2",))
    await studio.board(view((1,)), ("Ana",), rings=("a1",))
    assert len(drawn) == 3
    studio.close()


def test_the_loop_does_not_wait_long_for_a_drawing_thread() -> None:
    sys.setswitchinterval(0.005)
    Pictures().close()
    assert sys.getswitchinterval() < 0.001


NICENESS, NICEST = 10, 19
"""How far a drawing thread steps back, and the farthest that any can."""


@pytest.mark.skipif(sys.platform != "linux", reason="a niceness belongs to a thread on Linux alone")
async def test_drawing_threads_have_lower_priority_than_the_loop(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def drawing(*_: Any) -> list[Any]:
        return [b"png", str(os.getpriority(os.PRIO_PROCESS, threading.get_native_id()))]

    monkeypatch.setattr(pictures, "_render_view", drawing)
    monkeypatch.setattr(pictures, "DRAWING_NICENESS", NICENESS)
    own = os.getpriority(os.PRIO_PROCESS, threading.get_native_id())
    made = Pictures()
    drawn = await made.board(view(), ())
    assert drawn is not None and int(drawn.alt) == min(own + NICENESS, NICEST)
    assert os.getpriority(os.PRIO_PROCESS, threading.get_native_id()) == own
    made.close()


async def test_a_picture_is_cached_until_newer_ones_replace_it(drawn: list[str]) -> None:
    studio = Pictures()
    for score in range(pictures.MAX_CACHED_PICTURES):
        await studio.board(view((score,)), ())
    await studio.board(view((0,)), ())
    assert len(drawn) == pictures.MAX_CACHED_PICTURES
    await studio.board(view((-1,)), ())
    await studio.board(view((1,)), ())
    assert len(drawn) == pictures.MAX_CACHED_PICTURES + 2
    studio.close()


async def test_a_failed_drawing_is_not_cached(drawn: list[str]) -> None:
    studio = Pictures()
    for _ in range(2):
        assert await studio.board(view(), ("broken",)) is None
    assert len(drawn) == 2
    studio.close()


async def test_a_view_that_cannot_be_hashed_is_drawn_every_time(drawn: list[str]) -> None:
    studio = Pictures()
    shown = Listed(game="toy", viewer=None, to_move=(), scores=(), cards=["a"])
    for _ in range(2):
        await studio.board(shown, ())
    assert len(drawn) == 2
    studio.close()


@pytest.mark.parametrize("game", [*GAMES.values(), TOY], ids=lambda game: game.id)
def test_events_are_hashable_so_that_pictures_can_be_cached(game: Game[Any]) -> None:
    unhashable = (msgspec.inspect.ListType, msgspec.inspect.DictType, msgspec.inspect.SetType)
    events = msgspec.inspect.type_info(game.event_type)
    kinds = events.types if isinstance(events, msgspec.inspect.UnionType) else (events,)
    assert not [kind for kind in kinds for part in _parts(kind) if isinstance(part, unhashable)]


def _parts(kind: Any) -> list[Any]:
    """A type and all types inside it."""
    inner = [field.type for field in getattr(kind, "fields", ())]
    inner += [*getattr(kind, "types", ()), *getattr(kind, "item_types", ())]
    inner += [kind.item_type] if hasattr(kind, "item_type") else []
    return [kind, *(part for each in inner for part in _parts(each))]
