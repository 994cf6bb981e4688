"""The command line laid over the settings."""

import sys
import webbrowser
from pathlib import Path

import pytest

from bot import options, own_discord
from bot.config import BadConfig, Config, read_config

PLAIN = Config()


def applied(*arguments: str, config: Config = PLAIN) -> Config:
    """The settings with these arguments."""
    return options.apply(options.parse(arguments), config)


def test_without_a_token_the_local_table_has_a_folder_of_its_own() -> None:
    assert applied().database == Path("motu-data/local/motu.db")
    assert applied("--data", "x").database == Path("x/motu.db")
    assert applied(config=read_config({"MOTU_DATA": "y"}, Path("none"))).database == Path("y/local/motu.db")
    assert applied(config=read_config({"MOTU_DATABASE": "z.db"}, Path("none"))).database == Path("z.db")


def test_with_a_token_the_bot_goes_to_discord_unless_told_otherwise() -> None:
    real = Config(token="secret", local_url="http://127.0.0.1:1", guild=5)
    assert applied(config=real) == real
    assert applied("--data", "x", config=real).database == Path("x/motu.db")
    local = applied("--local", config=real)
    assert (local.token, local.local_url, local.guild) == ("", "", None)
    assert local.database == Path("motu-data/local/motu.db")


@pytest.mark.parametrize("token", ["se\ncret", "se cret", "se\x01cret", "secret\u201d"])
def test_a_token_that_cannot_be_one_is_refused_unseen_where_it_is_needed(token: str) -> None:
    with pytest.raises(BadConfig, match="DISCORD_TOKEN") as refused:
        applied(config=Config(token=token))
    assert "cret" not in str(refused.value)
    assert applied("--local", config=Config(token=token)).token == ""


@pytest.mark.parametrize("arguments", [("--players", "Ana"), ("--port", "0"), ("--fresh",)])
def test_options_of_the_local_table_need_it(arguments: tuple[str, ...]) -> None:
    with pytest.raises(BadConfig, match="--local"):
        applied(*arguments, config=Config(token="secret"))


def test_port_and_players_are_taken_as_given() -> None:
    config = applied("--port", "9000", "--players", " Ana , Ben  Two,Çelik", "--fresh", config=Config(local_port=1))
    assert config.local_port == 9000 and config.players == ("Ana", "Ben Two", "Çelik") and config.fresh
    assert applied(config=Config(local_port=1)).local_port == 1


@pytest.mark.parametrize(
    "names", ["", "Ana,,Ben", "Ana,ana", "x" * 33, "Motu", "a\x07b", ",".join(map(str, range(51)))]
)
def test_names_that_cannot_be_are_refused(names: str) -> None:
    with pytest.raises(BadConfig, match="--players"):
        applied("--players", names)


@pytest.mark.parametrize("port", ["-1", "65536"])
def test_a_port_that_cannot_be_is_refused(port: str) -> None:
    with pytest.raises(BadConfig, match="--port"):
        applied("--port", port)


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
