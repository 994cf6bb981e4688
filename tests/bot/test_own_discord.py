"""The page of the local Discord, opened for whoever sits before this machine."""

import sys
import webbrowser

import pytest

from bot import own_discord


@pytest.mark.parametrize(
    ("settings", "is_terminal", "opens"),
    [
        ({"DISPLAY": ":0"}, True, True),
        ({"WAYLAND_DISPLAY": "w"}, True, True),
        ({"DISPLAY": ":0", "CI": "true"}, True, False),
        ({"DISPLAY": ":0"}, False, False),
        ({}, True, False),
    ],
)
def test_a_browser_is_opened_only_where_somebody_looks(
    monkeypatch: pytest.MonkeyPatch, settings: dict[str, str], is_terminal: bool, opens: bool
) -> None:
    opened: list[str] = []
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "CI"):
        monkeypatch.delenv(name, raising=False)
    for name, value in settings.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(sys.stdout, "isatty", lambda: is_terminal)
    monkeypatch.setattr(webbrowser, "open", opened.append)
    thread = own_discord.open_page("http://127.0.0.1:1/table/x/")
    if thread is not None:
        thread.join()
    assert opened == (["http://127.0.0.1:1/table/x/"] if opens else [])
