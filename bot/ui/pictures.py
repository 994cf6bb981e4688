"""Pictures, drawn in threads beside the event loop, each once while it is wanted."""

import asyncio
import ctypes
import os
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from contextvars import copy_context
from typing import Any, TypeVar, TypeVarTuple

from cachetools import LRUCache
from msgspec import Struct
from msgspec.structs import force_setattr

from bot.runtime.base import Refused, RunningTasks, awaited_task, log_error
from bot.runtime.logs import measure
from engine import View
from engine.core.words import spoken_language

KEPT = 32
"""Pictures kept: about as many as are asked for again within a turn."""
SWITCH_SECONDS = 0.0005
"""How long a drawing thread may keep the interpreter while the event loop waits for it; Python's
own are 5 ms.
"""
NICE = 10
"""How far a drawing thread steps back."""
ALT_TEXT = 1024
"""Characters of an alt text at most."""
M_MMAP_THRESHOLD, LARGE_BYTES = -3, 1 << 20
"""An option of the GNU library's malloc, and the size from which on memory is given back at
once.
"""

T = TypeVar("T")
Ts = TypeVarTuple("Ts")


class Picture(Struct, frozen=True):
    """A PNG with its alt text, which fits."""

    data: bytes
    alt: str
    name: str

    def __post_init__(self) -> None:
        force_setattr(self, "alt", self.alt[:ALT_TEXT])


class NotDrawn(Refused):
    """The bot stops, and draws nothing more."""


class Pictures:
    """Draws in threads of its own; all who ask for the same board wait for the same drawing."""

    def __init__(self, threads: int = 2) -> None:
        sys.setswitchinterval(SWITCH_SECONDS)
        self._pool = ThreadPoolExecutor(
            threads, thread_name_prefix="drawing", initializer=_step_back
        )
        self._kept: LRUCache[Any, asyncio.Future[Any]] = LRUCache(KEPT)
        """Drawings, finished or under way."""
        self._under_way = RunningTasks()
        self._is_closed = False

    async def board(self, view: View, names: tuple[str, ...], **scene: Any) -> Picture | None:
        """Draw the board as a view shows it; None if that fails."""
        return await self._draw(("picture", "alt_text"), "board.png", view, names, scene)

    async def score_sheet(
        self, view: View, names: tuple[str, ...], so_far: bool = False
    ) -> Picture | None:
        """Draw the points as counted, if any were; `so_far` counts those of a running match."""
        kinds, scene = ("score_sheet", "score_text"), {"so_far": so_far}
        return await self._draw(kinds, "scores.png", view, names, scene)

    async def _draw(
        self,
        kinds: tuple[str, str],
        name: str,
        view: View,
        names: tuple[str, ...],
        scene: dict[str, Any],
    ) -> Picture | None:
        """Return a picture with its alt text; None if it cannot be drawn, which is logged.

        A message is sent even if its picture cannot be drawn.
        """
        try:
            data, alt = await self._render(kinds, view, names, scene)
        except NotDrawn:
            return None
        except Exception as error:
            log_error(error)
            return None
        return Picture(data, alt, name) if data else None

    async def words(self, kind: str, view: View, names: tuple[str, ...], **scene: Any) -> str:
        """Return the position in words, or what the viewer holds: `text_board` or `hand`."""
        (said,) = await self._render((kind,), view, names, scene)
        return str(said)

    async def warm(self) -> None:
        """Load what drawing needs before the first picture is asked for."""
        await asyncio.get_running_loop().run_in_executor(self._pool, _load)

    async def draw(self, function: Callable[[*Ts], T], *args: *Ts) -> T:
        """Run a function in a drawing thread and return what it makes."""
        return await _wait_for(self._begin(function, *args))

    def close(self) -> None:
        """Draw nothing more.

        Those who wait for a picture are refused; threads that draw are left to themselves.
        """
        self._is_closed = True
        self._pool.shutdown(wait=False, cancel_futures=True)
        self._under_way.cancel()

    async def _render(
        self, kinds: tuple[str, ...], view: View, names: tuple[str, ...], scene: dict[str, Any]
    ) -> list[Any]:
        """Return what these functions of `render` make of a view."""
        key = (spoken_language(), kinds, view, names, tuple(sorted(scene.items())))
        try:
            drawing = self._kept.get(key)
        except TypeError:
            # A game may keep lists in its views, and those have no hash: they are drawn for
            # everybody who asks.
            return await self.draw(_render_view, kinds, view, names, scene)
        has_failed = drawing and drawing.done() and (drawing.cancelled() or drawing.exception())
        if drawing is None or has_failed:
            drawing = self._kept[key] = self._begin(_render_view, kinds, view, names, scene)
        return await _wait_for(drawing)

    def _begin(self, function: Callable[[*Ts], T], *args: *Ts) -> asyncio.Future[T]:
        if self._is_closed:
            raise NotDrawn("refusal.restarting")

        async def run() -> T:
            with measure("draw"):
                # The thread speaks the language of the task that waits for it.
                in_context = copy_context().run
                loop = asyncio.get_running_loop()
                return await loop.run_in_executor(self._pool, in_context, function, *args)

        return self._under_way.track(awaited_task(run()))


async def _wait_for(drawing: "asyncio.Future[T]") -> T:
    """Return what was drawn.

    Somebody who stops waiting for it does not stop the drawing for the others.
    """
    await asyncio.wait([drawing])
    if drawing.cancelled():
        raise NotDrawn("refusal.restarting")
    return drawing.result()


def _step_back() -> None:
    """Let the event loop go first where it and a drawing thread want the same core."""
    if sys.platform == "linux":
        # Here a thread has a niceness of its own; elsewhere it is the whole process's.
        os.nice(NICE)


# Pillow is loaded when it is needed, in a drawing thread, not when the bot starts.


def _load() -> None:
    if sys.platform == "linux":
        # The GNU library stops giving the memory of large pictures back to the system once it has
        # seen their size, and a bot that draws grew by 40 MB for it. Another library may have no
        # such option.
        with suppress(OSError, AttributeError):
            ctypes.CDLL(None).mallopt(M_MMAP_THRESHOLD, LARGE_BYTES)
    import render  # noqa: F401


def _render_view(
    kinds: tuple[str, ...], view: View, names: tuple[str, ...], scene: dict[str, Any]
) -> list[Any]:
    import render

    made = render.Scene(names=names, **scene)
    return [getattr(render, kind)(view, made) for kind in kinds]
