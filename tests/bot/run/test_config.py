"""Settings from the environment and .env, and the command line laid over them."""

import re
from pathlib import Path

import pytest

from bot.run.config import BadConfig, Config, apply_options, read_config, read_env_file
from bot.run.tools import parse_options

ROOT = Path(__file__).parents[3]
PLAIN = Config()


def test_without_anything_the_defaults_hold(tmp_path: Path) -> None:
    config = read_config({}, tmp_path / ".env")
    assert (config.token, config.database, config.log_level) == (
        "",
        Path("motu-data/motu.db"),
        "INFO",
    )
    assert config.guild is None and config.local_port is None and config.ready_timeout is None


def test_the_file_is_read_and_the_environment_wins(tmp_path: Path) -> None:
    path = tmp_path / ".env"
    path.write_text(
        '# note\nDISCORD_TOKEN="of the file"\nexport MOTU_DATA=here # why\nMOTU_GUILD=\n\nnonsense\n'
    )
    assert read_env_file(path) == {
        "DISCORD_TOKEN": "of the file",
        "MOTU_DATA": "here",
        "MOTU_GUILD": "",
    }
    config = read_config({"DISCORD_TOKEN": "of the shell", "MOTU_DATA": ""}, path)
    assert config.token == "of the shell" and config.database == Path("here/motu.db")


def test_a_language_without_texts_is_refused(tmp_path: Path) -> None:
    with pytest.raises(
        BadConfig, match=r"MOTU_LANGUAGE must be a language that there are texts in: en\."
    ):
        read_config({"MOTU_LANGUAGE": "tlh"}, tmp_path / ".env")


def test_everything_can_be_set(tmp_path: Path) -> None:
    given = {
        "MOTU_DATABASE": "/x/y.db",
        "MOTU_LOG_LEVEL": "debug",
        "MOTU_LANGUAGE": "en",
        "MOTU_GUILD": "123",
        "MOTU_LOCAL_PORT": "0",
        "MOTU_LOCAL_URL": "http://127.0.0.1:9",
        "MOTU_READY_TIMEOUT": "0.5",
    }
    config = read_config(given, tmp_path / ".env")
    assert (
        config.database == Path("/x/y.db") and config.log_level == "DEBUG" and config.guild == 123
    )
    assert (
        config.local_port == 0
        and config.local_url == "http://127.0.0.1:9"
        and config.ready_timeout == 0.5
    )


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("MOTU_LOG_LEVEL", "loud"),
        ("MOTU_GUILD", "my server"),
        ("MOTU_GUILD", "-1"),
        ("MOTU_GUILD", "1" * 5000),
        ("MOTU_LOCAL_PORT", "65536"),
        ("MOTU_SHARDS", "16/16"),
        ("MOTU_SHARDS", "0-3"),
        ("MOTU_READY_TIMEOUT", "soon"),
        ("MOTU_READY_TIMEOUT", "nan"),
    ],
)
def test_a_bad_setting_is_named(key: str, value: str, tmp_path: Path) -> None:
    with pytest.raises(BadConfig, match=key):
        read_config({key: value}, tmp_path / ".env")


@pytest.mark.parametrize(
    "key", ["MOTU_LOG_LEVEL", "MOTU_LANGUAGE", "MOTU_GUILD", "MOTU_LOCAL_PORT"]
)
def test_a_token_in_the_wrong_line_is_not_shown(key: str, tmp_path: Path) -> None:
    token = "MTE5NzYxMTg0NDMwNjEz.GxY8zQ.s3cr3t"
    with pytest.raises(BadConfig, match=key) as refused:
        read_config({"DISCORD_TOKEN": "a.token", key: token}, tmp_path / ".env")
    assert token[:6].casefold() not in str(refused.value).casefold()


def test_the_token_is_not_in_the_repr(tmp_path: Path) -> None:
    assert "secret" not in repr(read_config({"DISCORD_TOKEN": "secret"}, tmp_path / ".env"))


def test_the_example_lists_every_setting_and_sets_none() -> None:
    example = ROOT / ".env.example"
    source = (ROOT / "bot" / "run" / "config.py").read_text(encoding="utf-8")
    known = set(re.findall(r'"((?:MOTU|DISCORD)_[A-Z_]+)"', source))
    assert set(read_env_file(example)) == known
    assert not any(read_env_file(example).values())


def test_a_file_as_windows_writes_it_is_read(tmp_path: Path) -> None:
    path = tmp_path / ".env"
    path.write_bytes(b"\xef\xbb\xbfDISCORD_TOKEN=secret\r\nMOTU_DATA=here\r\n")
    assert read_env_file(path) == {"DISCORD_TOKEN": "secret", "MOTU_DATA": "here"}


def test_a_dollar_in_a_value_stands_for_itself(tmp_path: Path) -> None:
    path = tmp_path / ".env"
    path.write_text("MOTU_DATA=/srv/${HOME}/x\n")
    assert read_env_file(path) == {"MOTU_DATA": "/srv/${HOME}/x"}


def test_a_file_that_may_not_be_opened_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def denied(*_: object, **__: object) -> dict[str, str]:
        raise PermissionError(13, "Permission denied")

    # The bits of a file would not do: root may read everything.
    monkeypatch.setattr("bot.run.config.dotenv_values", denied)
    with pytest.raises(BadConfig, match="cannot be read"):
        read_config({}, tmp_path / ".env")


def test_a_file_that_is_no_text_is_said(tmp_path: Path) -> None:
    path = tmp_path / ".env"
    path.write_bytes(b"DISCORD_TOKEN=\xff\xfesecret")
    with pytest.raises(BadConfig, match="UTF-8") as refused:
        read_config({}, path)
    assert "secret" not in str(refused.value)


def applied(*arguments: str, config: Config = PLAIN) -> Config:
    """The settings with these arguments."""
    return apply_options(parse_options(arguments), config)


def test_without_a_token_the_local_table_has_a_folder_of_its_own() -> None:
    assert applied().database == Path("motu-data/local/motu.db")
    assert applied("--data", "x").database == Path("x/motu.db")
    assert applied(config=read_config({"MOTU_DATA": "y"}, Path("none"))).database == Path(
        "y/local/motu.db"
    )
    assert applied(config=read_config({"MOTU_DATABASE": "z.db"}, Path("none"))).database == Path(
        "z.db"
    )


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
    config = applied(
        "--port",
        "9000",
        "--players",
        " Ana , Ben  Two,Çelik",
        "--fresh",
        config=Config(local_port=1),
    )
    assert (
        config.local_port == 9000 and config.players == ("Ana", "Ben Two", "Çelik") and config.fresh
    )
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


def test_an_address_of_a_server_takes_the_place_of_the_file_and_shows_no_password() -> None:
    url = "postgresql://motu:geheim@db.example/motu"
    config = read_config({"MOTU_DATABASE": url, "DISCORD_TOKEN": "abc"}, Path("none"))
    assert (config.place, config.database) == (url, Path("motu-data/motu.db"))
    assert "geheim" not in repr(config) and "db.example/motu" in repr(config)
    assert applied(config=config).place == url
    assert applied("--data", "x", config=config).place == Path("x/motu.db")
    for wrong in (
        "mysql://motu:geheim@x/y",
        "postgresql:/motu:geheim@x/y",
        "postgresql+asyncpg://motu:geheim@x/y",
    ):
        with pytest.raises(BadConfig, match="an address such as") as refused:
            read_config({"MOTU_DATABASE": wrong}, Path("none"))
        assert "geheim" not in str(refused.value)
    assert read_config({"MOTU_DATABASE": "c:/motu/motu.db"}, Path("none")).place == Path(
        "c:/motu/motu.db"
    )
    # What is played at the local table is not put among a host's matches.
    assert applied("--local", config=config).place == Path("motu-data/local/motu.db")
