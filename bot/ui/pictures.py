"""Draw pictures in threads, so that the event loop stays responsive, and cache them.

What is drawn is decided in the package render; here is only when and where.
"""

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

MAX_CACHED_PICTURES = 32
"""How many pictures to cache: about as many as are requested again within a turn."""
SWITCH_SECONDS = 0.0005
"""How long a drawing thread may hold the GIL while the event loop waits; 5 ms by default."""
DRAWING_NICENESS = 10
"""The niceness of drawing threads, added to that of the process."""
ALT_TEXT_CHARACTERS = 1024
"""Discord's limit for an alt text."""
M_MMAP_THRESHOLD, LARGE_BYTES = -3, 1 << 17
"""glibc's number for the malloc option M_MMAP_THRESHOLD, and the value for it.

Blocks larger than this are returned to the system as soon as they are freed. With 1 MB instead, the
bot keeps 30 MB more and draws 3 % faster.
"""

T = TypeVar("T")
Ts = TypeVarTuple("Ts")


class Picture(Struct, frozen=True):
    """A PNG with its alt text, cut to Discord's limit."""

    data: bytes
    alt: str
    name: str

    def __post_init__(self) -> None:
        force_setattr(self, "alt", self.alt[:ALT_TEXT_CHARACTERS])


class NotDrawn(Refused):
    """The bot is stopping and draws no more pictures."""


class Pictures:
    """Draws pictures in its own threads. Requests for the same picture share one drawing."""

    def __init__(self, threads: int = 2) -> None:
        sys.setswitchinterval(SWITCH_SECONDS)
        self._pool = ThreadPoolExecutor(
            threads, thread_name_prefix="drawing", initializer=_lower_priority
        )
        self._kept: LRUCache[Any, asyncio.Future[Any]] = LRUCache(MAX_CACHED_PICTURES)
        """A cache of drawings, finished or under way."""
        self._under_way = RunningTasks()
        self._is_closed = False

    async def board(self, view: View, names: tuple[str, ...], **scene: Any) -> Picture | None:
        """Draw the board of a view; return None if that fails."""
        return await self._draw(("picture", "alt_text"), "board.png", view, names, scene)

    async def score_sheet(
        self, view: View, names: tuple[str, ...], so_far: bool = False
    ) -> Picture | None:
        """Draw the score sheet, if there is one; `so_far` scores a match that is still running."""
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
        """Draw a picture with its alt text. A failure is logged, and None returned.

        A message without its picture is better than none.
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
        """Return the position (`text_board`) or the viewer's hand (`hand`) as text."""
        (text,) = await self._render((kind,), view, names, scene)
        return str(text)

    async def warm(self) -> None:
        """Import Pillow and the drawing code, so that the first picture does not have to wait."""
        await asyncio.get_running_loop().run_in_executor(self._pool, _load)

    async def draw(self, function: Callable[[*Ts], T], *args: *Ts) -> T:
        """Run a function in a drawing thread and return its result."""
        return await _wait_for(self._begin(function, *args))

    def close(self) -> None:
        """Stop drawing. Callers that wait for a picture get NotDrawn; threads are not awaited."""
        self._is_closed = True
        self._pool.shutdown(wait=False, cancel_futures=True)
        self._under_way.cancel()

    async def _render(
        self, kinds: tuple[str, ...], view: View, names: tuple[str, ...], scene: dict[str, Any]
    ) -> list[Any]:
        """Return the results of these functions of `render` for a view, cached if possible."""
        key = (spoken_language(), kinds, view, names, tuple(sorted(scene.items())))
        try:
            drawing = self._kept.get(key)
        except TypeError:
            # A view that contains a list cannot be hashed, so it is not cached.
            return await self.draw(_render_view, kinds, view, names, scene)
        has_failed = drawing and drawing.done() and (drawing.cancelled() or drawing.exception())
        if drawing is None or has_failed:
            drawing = self._kept[key] = self._begin(_render_view, kinds, view, names, scene)
        return await _wait_for(drawing)

    def _begin(self, function: Callable[[*Ts], T], *args: *Ts) -> asyncio.Future[T]:
        """Start a function in a drawing thread."""
        if self._is_closed:
            raise NotDrawn("refusal.restarting")

        async def run() -> T:
            with measure("draw"):
                # The context carries the language of the texts in the picture.
                in_context = copy_context().run
                loop = asyncio.get_running_loop()
                return await loop.run_in_executor(self._pool, in_context, function, *args)

        return self._under_way.track(awaited_task(run()))


async def _wait_for(drawing: "asyncio.Future[T]") -> T:
    """Wait for a drawing. If the caller is cancelled, it goes on for others who wait for it."""
    await asyncio.wait([drawing])
    if drawing.cancelled():
        raise NotDrawn("refusal.restarting")
    return drawing.result()


def _lower_priority() -> None:
    """Lower the priority of the current thread, so that the event loop goes first."""
    if sys.platform == "linux":
        # On Linux each thread has its own niceness. Elsewhere this would slow down the process.
        os.nice(DRAWING_NICENESS)


# Pillow is imported in a drawing thread when it is first needed, to keep the bot's start quick.


def _load() -> None:
    if sys.platform == "linux":
        # By default glibc raises this threshold when it sees large blocks being freed, and from
        # then on keeps their memory: the bot grew by 40 MB. Other C libraries lack the option.
        with suppress(OSError, AttributeError):
            ctypes.CDLL(None).mallopt(M_MMAP_THRESHOLD, LARGE_BYTES)
    import render  # noqa: F401


def _render_view(
    kinds: tuple[str, ...], view: View, names: tuple[str, ...], scene: dict[str, Any]
) -> list[Any]:
    import render

    full_scene = render.Scene(names=names, **scene)
    return [getattr(render, kind)(view, full_scene) for kind in kinds]
