"""A property that is worked out once."""

from collections.abc import Callable
from typing import Any, Generic, TypeVar

T = TypeVar("T")


class Once(Generic[T]):
    """As functools.cached_property, without its lock: where values are frozen, to work it out twice does no harm."""

    def __init__(self, work: Callable[[Any], T]) -> None:
        self._work = work
        self.__doc__ = work.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, value: Any, owner: type | None = None) -> T:
        # Kept under its own name, where it is found before this is asked again.
        found: T = self._work(value)
        value.__dict__[self._name] = found
        return found
