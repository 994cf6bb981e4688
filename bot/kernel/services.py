"""The services of all features, found by their class."""

from typing import Any, TypeVar

from bot.runtime.errors import Refused
from bot.text import has

T = TypeVar("T")


class Services:
    """What the features offer to each other. A feature that is left out offers nothing."""

    def __init__(self) -> None:
        self._by_class: dict[type[Any], Any] = {}

    def add(self, service: object) -> None:
        """Offer a service from now on."""
        if type(service) in self._by_class:
            raise ValueError(f"two services of class {type(service).__name__}")
        self._by_class[type(service)] = service

    def get(self, kind: type[T]) -> T | None:
        """Return the service of a class, None if its feature is left out."""
        return next(iter(self.all(kind)), None)

    def all(self, kind: type[T]) -> list[T]:
        """Return every service of a class and of its subclasses."""
        return [service for service in self._by_class.values() if isinstance(service, kind)]

    def require(self, kind: type[T]) -> T:
        """Return the service of a class; refuse in plain words if its feature is left out."""
        service = self.get(kind)
        if service is None:
            feature = kind.__module__.split(".")[2]
            if not has(f"unavailable.{feature}"):
                feature = "other"
            raise Refused(f"unavailable.{feature}")
        return service
