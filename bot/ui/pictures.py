"""Pictures, drawn in threads beside the event loop; the same picture is drawn once while it is wanted."""

import asyncio
import ctypes
import os
import sys
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import TYPE_CHECKING, Any, TypeVar, TypeVarTuple

from cachetools import LRUCache
from msgspec import Struct

from bot.runtime.errors import Refused
from bot.runtime.measure import measure
from bot.runtime.tasks import awaited_task
from bot.text import say
from engine import View

if TYPE_CHECKING:
    from render import Scene

KEPT = 32
"""Pictures kept: about as many as are asked for again within a turn."""
TURN = 0.0005
"""Seconds that a drawing thread may keep the interpreter while the event loop waits for it; Python's own are 5 ms."""
NICE = 10
"""How far a drawing thread steps back."""
ALT_TEXT = 1024
"""Characters of an alt text at most."""
MMAP_THRESHOLD, LARGE = -3, 1 << 20
"""The number of a choice of the GNU library, and the bytes from which on something is large."""

T = TypeVar("T")
Ts = TypeVarTuple("Ts")


class Picture(Struct, frozen=True):
    """A PNG with its words."""

    data: bytes
    alt: str
    name: str = "board.png"


class NotDrawn(Refused):
    """The bot stops, and draws nothing more."""


class Pictures:
    """Draws in threads of its own; everybody who asks for the same board waits for the same drawing."""

    def __init__(self, threads: int = 2) -> None:
        sys.setswitchinterval(TURN)
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="drawing", initializer=_step_back)
        self._kept: LRUCache[Any, asyncio.Future[Any]] = LRUCache(KEPT)
        """Drawings, finished or under way."""
        self._closed = asyncio.Event()

    async def board(self, view: View, names: tuple[str, ...], **scene: Any) -> Picture:
        """Draw the board as a view shows it."""
        picture: Picture = await self._drawn(_board, view, names, scene)
        return picture

    async def score_sheet(self, view: View, names: tuple[str, ...], so_far: bool = False) -> Picture | None:
        """Draw the points as counted, None while nothing was; `so_far` counts those of a match that goes on."""
        picture: Picture | None = await self._drawn(_score_sheet, view, names, {"so_far": so_far})
        return picture

    async def curves(
        self,
        title: str,
        expected: tuple[tuple[float, ...], ...],
        names: tuple[str, ...],
        marked: tuple[tuple[str, int, int], ...],
    ) -> Picture:
        """Draw the points that everybody could expect, at the start and after every commit, with moments marked."""
        alt = say("review.alt", names, points=expected[-1], number=len(expected) - 1)
        data = await self.draw(_curves, title, expected, names, marked)
        return Picture(data, alt[:ALT_TEXT], "review.png")

    async def text_board(self, view: View, names: tuple[str, ...], **scene: Any) -> str:
        """Return the position in words."""
        words: str = await self._drawn(_text_board, view, names, scene)
        return words

    async def hand(self, view: View, names: tuple[str, ...]) -> str:
        """Return what the viewer holds, in words."""
        words: str = await self._drawn(_hand, view, names, {})
        return words

    async def warm(self) -> None:
        """Load what drawing needs before the first picture is asked for."""
        await asyncio.get_running_loop().run_in_executor(self._pool, _load)

    def close(self) -> None:
        """Draw nothing more. Those who wait for a picture are refused; threads that draw are left to themselves."""
        self._closed.set()
        self._pool.shutdown(wait=False, cancel_futures=True)

    async def _drawn(self, draw: Callable[..., Any], view: View, names: tuple[str, ...], scene: dict[str, Any]) -> Any:
        key = (draw, view, names, tuple(sorted(scene.items())))
        try:
            future = self._kept.get(key)
        except TypeError:
            # A game may keep lists in its views, and those have no hash: they are drawn for everybody who asks.
            return await self._result(self.draw(draw, view, names, scene))
        if future is None:
            future = self._kept[key] = self.draw(draw, view, names, scene)
            future.add_done_callback(lambda done: self._forget_failed(key, done))
        return await self._result(future)

    async def _result(self, drawing: "asyncio.Future[Any]") -> Any:
        """Return what was drawn. Somebody who stops waiting for it does not stop the drawing for the others."""
        if not drawing.done():
            closed = awaited_task(self._closed.wait())
            try:
                await asyncio.wait({drawing, closed}, return_when=asyncio.FIRST_COMPLETED)
            finally:
                closed.cancel()
        if not drawing.done() or drawing.cancelled():
            raise NotDrawn(say("refusal.restarting"))
        return drawing.result()

    def _forget_failed(self, key: Any, done: "asyncio.Future[Any]") -> None:
        if done.cancelled() or done.exception() is not None:
            self._kept.pop(key, None)

    def draw(self, function: Callable[[*Ts], T], *args: *Ts) -> asyncio.Future[T]:
        """Run a function in a drawing thread and return what it makes."""
        if self._closed.is_set():
            raise NotDrawn(say("refusal.restarting"))
        drawing = asyncio.get_running_loop().run_in_executor(self._pool, function, *args)
        return awaited_task(_measured(drawing))


async def _measured(drawing: Awaitable[T]) -> T:
    with measure("draw"):
        return await drawing


def _step_back() -> None:
    """Let the event loop go first where it and a drawing thread want the same core."""
    if sys.platform == "linux":
        # Here a thread has a niceness of its own; elsewhere it is the whole process's.
        os.nice(NICE)


def _give_back() -> None:
    """Have the memory of every large picture given back to the system once it is free, not kept for others.

    The GNU library stops doing so for sizes that it has seen before, and a bot that draws grew by 40 MB for it.
    """
    if sys.platform == "linux":
        with suppress(OSError, AttributeError):  # another library may have no such choice
            ctypes.CDLL(None).mallopt(MMAP_THRESHOLD, LARGE)


def _load() -> None:
    _give_back()
    import render  # noqa: F401  (Pillow is loaded when it is needed, not when the bot starts)


def _scene(names: tuple[str, ...], scene: dict[str, Any]) -> "Scene":
    from render import Scene

    return Scene(names=names, **scene)


def _board(view: View, names: tuple[str, ...], scene: dict[str, Any]) -> Picture:
    import render

    made = _scene(names, scene)
    return Picture(render.picture(view, made), render.alt_text(view, made)[:ALT_TEXT])


def _score_sheet(view: View, names: tuple[str, ...], scene: dict[str, Any]) -> Picture | None:
    import render

    made = _scene(names, scene)
    data = render.score_sheet(view, made)
    return Picture(data, render.score_text(view, made)[:ALT_TEXT], "scores.png") if data else None


def _curves(title: str, expected: Any, names: tuple[str, ...], marked: Any) -> bytes:
    from render import curves

    return curves.draw(title, expected, names, [curves.Marked(*moment) for moment in marked])


def _text_board(view: View, names: tuple[str, ...], scene: dict[str, Any]) -> str:
    import render

    return render.text_board(view, _scene(names, scene))


def _hand(view: View, names: tuple[str, ...], scene: dict[str, Any]) -> str:
    import render

    return render.hand(view, _scene(names, scene))
