"""What holds for the whole suite."""

import pytest


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The end-to-end tests go first: a whole match begun last would keep one core waiting for the other."""
    items.sort(key=lambda item: not item.nodeid.startswith("tests/e2e/"))
