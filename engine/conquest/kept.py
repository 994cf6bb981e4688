"""What is worked out from a part of a position, and kept for the positions after it while that part stays the same."""

from collections.abc import Callable
from functools import cache
from typing import Any, Final, NamedTuple, TypeVar

from engine.core.once import Once

T = TypeVar("T")
K = TypeVar("K")


class Work(NamedTuple):
    """How a value is worked out, the fields it needs, and whether there is one for each key."""

    out: Callable[..., Any]
    sources: frozenset[str]
    by_key: bool


WORKS: Final[dict[str, Work]] = {}
"""By the name under which a value is kept."""


def _note(out: Callable[..., Any], sources: tuple[str, ...], by_key: bool) -> str:
    name = out.__name__
    if name in WORKS:
        raise ValueError(f"two values are kept as '{name}'")
    if not sources or "agenda" in sources:
        raise ValueError(f"'{name}' would not outlive a step")
    WORKS[name] = Work(out, frozenset(sources), by_key)
    return name


class Kept(Once[T]):
    """A property of a position that is worked out once from some of its fields."""

    def __init__(self, work: Callable[[Any], T], sources: tuple[str, ...]) -> None:
        super().__init__(work)
        _note(work, sources, by_key=False)


def kept(*sources: str) -> Callable[[Callable[[Any], T]], Kept[T]]:
    """A property that stays while these fields do."""
    return lambda work: Kept(work, sources)


def kept_by_key(*sources: str) -> Callable[[Callable[[Any, K], T]], Callable[[Any, K], T]]:
    """A function of a position and a key whose results stay while these fields do."""

    def keeping(work: Callable[[Any, K], T]) -> Callable[[Any, K], T]:
        name = _note(work, sources, by_key=True)

        def found(state: Any, key: K) -> T:
            try:
                known: T = state.__dict__[name][key]
            except KeyError:
                known = state.__dict__.setdefault(name, {})[key] = work(state, key)
            return known

        found.__doc__ = work.__doc__
        return found

    return keeping


@cache
def lost(changes: tuple[str, ...]) -> frozenset[str]:
    """Names of the values that do not outlive a change of these fields."""
    return frozenset(name for name, work in WORKS.items() if not work.sources.isdisjoint(changes))
