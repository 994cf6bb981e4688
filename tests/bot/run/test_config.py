"""Settings from the environment, from .env and from the command line."""

import re
from pathlib import Path

import pytest

from bot.run.config import BadConfig, Config, apply_options, read_config, read_env_file
from bot.run.tools import parse_options

ROOT = Path(__file__).parents[3]
PLAIN = Config()


def test_without_settings_the_defaults_apply(tmp_path: Path) -> None:
    config = read_config({}, tmp_path / ".env")
    assert config.token == ""
    assert config.database == Path("motu-data/motu.db")
    assert config.log_level == "INFO"
    assert config.guild is None and config.local_port is None and config.ready_timeout is None


def test_the_environment_overrides_the_file(tmp_path: Path) -> None:
    path = tmp_path / ".env"
    path.write_text(
        '# note\nDISCORD_TOKEN="of the file"\nexport MOTU_DATA=here # '
        "why\nMOTU_GUILD=\n\nnonsense\n"
    )
    assert read_env_file(path) == {
        "DISCORD_TOKEN": "of the file",
        "MOTU_DATA": "here",
        "MOTU_GUILD": "",
    }
    config = read_config({"DISCORD_TOKEN": "of the shell", "MOTU_DATA": ""}, path)
    assert config.token == "of the shell" and config.database == Path("here/motu.db")


def test_a_language_without_texts_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadConfig, match=r"MOTU_LANGUAGE .*Choose one of these: en\."):
        read_config({"MOTU_LANGUAGE": "tlh"}, tmp_path / ".env")


def test_every_setting_can_be_set(tmp_path: Path) -> None:
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
    assert config.database == Path("/x/y.db")
    assert config.log_level == "DEBUG"
    assert config.guild == 123
    assert config.local_port == 0
    assert config.local_url == "http://127.0.0.1:9"
    assert config.ready_timeout == 0.5


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
def test_an_invalid_setting_is_named(key: str, value: str, tmp_path: Path) -> None:
    with pytest.raises(BadConfig, match=key):
        read_config({key: value}, tmp_path / ".env")


@pytest.mark.parametrize(
    "key", ["MOTU_LOG_LEVEL", "MOTU_LANGUAGE", "MOTU_GUILD", "MOTU_LOCAL_PORT"]
)
def test_a_token_in_the_wrong_line_is_not_printed(key: str, tmp_path: Path) -> None:
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


def test_a_windows_text_file_is_read(tmp_path: Path) -> None:
    path = tmp_path / ".env"
    path.write_bytes(b"\xef\xbb\xbfDISCORD_TOKEN=secret\r\nMOTU_DATA=here\r\n")
    assert read_env_file(path) == {"DISCORD_TOKEN": "secret", "MOTU_DATA": "here"}


def test_a_dollar_sign_is_literal(tmp_path: Path) -> None:
    path = tmp_path / ".env"
    path.write_text("MOTU_DATA=/srv/${HOME}/x\n")
    assert read_env_file(path) == {"MOTU_DATA": "/srv/${HOME}/x"}


def test_an_unreadable_file_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def denied(*_: object, **__: object) -> dict[str, str]:
        raise PermissionError(13, "Permission denied")

    # The bits of a file would not do: root may read everything.
    monkeypatch.setattr("dotenv.dotenv_values", denied)
    path = tmp_path / ".env"
    path.touch()
    with pytest.raises(BadConfig, match="can't be read"):
        read_config({}, path)


def test_a_binary_file_is_reported(tmp_path: Path) -> None:
    path = tmp_path / ".env"
    path.write_bytes(b"DISCORD_TOKEN=\xff\xfesecret")
    with pytest.raises(BadConfig, match="UTF-8") as refused:
        read_config({}, path)
    assert "secret" not in str(refused.value)


def apply_arguments(*arguments: str, config: Config = PLAIN) -> Config:
    """Return the settings with these arguments."""
    return apply_options(parse_options(arguments), config)


def test_without_a_token_the_local_table_has_a_folder_of_its_own() -> None:
    assert apply_arguments().database == Path("motu-data/local/motu.db")
    assert apply_arguments("--data", "x").database == Path("x/motu.db")
    assert apply_arguments(config=read_config({"MOTU_DATA": "y"}, Path("none"))).database == Path(
        "y/local/motu.db"
    )
    assert apply_arguments(
        config=read_config({"MOTU_DATABASE": "z.db"}, Path("none"))
    ).database == Path("z.db")


def test_with_a_token_the_bot_connects_to_discord_by_default() -> None:
    real = Config(token="secret", local_url="http://127.0.0.1:1", guild=5)
    assert apply_arguments(config=real) == real
    assert apply_arguments("--data", "x", config=real).database == Path("x/motu.db")
    local = apply_arguments("--local", config=real)
    assert (local.token, local.local_url, local.guild) == ("", "", None)
    assert local.database == Path("motu-data/local/motu.db")


@pytest.mark.parametrize("token", ["se\ncret", "se cret", "se\x01cret", "secret\u201d"])
def test_an_invalid_token_is_refused_without_being_printed(token: str) -> None:
    with pytest.raises(BadConfig, match="DISCORD_TOKEN") as refused:
        apply_arguments(config=Config(token=token))
    assert "cret" not in str(refused.value)
    assert apply_arguments("--local", config=Config(token=token)).token == ""


@pytest.mark.parametrize("arguments", [("--players", "Ana"), ("--port", "0"), ("--fresh",)])
def test_options_of_the_local_table_need_it(arguments: tuple[str, ...]) -> None:
    with pytest.raises(BadConfig, match="--local"):
        apply_arguments(*arguments, config=Config(token="secret"))


def test_port_and_players_are_taken_as_given() -> None:
    config = apply_arguments(
        "--port",
        "9000",
        "--players",
        " Ana , Ben  Two,Çelik",
        "--fresh",
        config=Config(local_port=1),
    )
    assert config.local_port == 9000
    assert config.players == ("Ana", "Ben Two", "Çelik")
    assert config.fresh
    assert apply_arguments(config=Config(local_port=1)).local_port == 1


@pytest.mark.parametrize(
    "names", ["", "Ana,,Ben", "Ana,ana", "x" * 33, "Motu", "a\x07b", ",".join(map(str, range(51)))]
)
def test_invalid_names_are_refused(names: str) -> None:
    with pytest.raises(BadConfig, match="--players"):
        apply_arguments("--players", names)


@pytest.mark.parametrize("port", ["-1", "65536"])
def test_a_port_that_cannot_be_is_refused(port: str) -> None:
    with pytest.raises(BadConfig, match="--port"):
        apply_arguments("--port", port)


def test_a_database_address_replaces_the_file_and_hides_its_password() -> None:
    url = "postgresql://motu:geheim@db.example/motu"
    config = read_config({"MOTU_DATABASE": url, "DISCORD_TOKEN": "abc"}, Path("none"))
    assert (config.place, config.database) == (url, Path("motu-data/motu.db"))
    assert "geheim" not in repr(config) and "db.example/motu" in repr(config)
    assert apply_arguments(config=config).place == url
    assert apply_arguments("--data", "x", config=config).place == Path("x/motu.db")
    for wrong in (
        "mysql://motu:geheim@x/y",
        "postgresql:/motu:geheim@x/y",
        "postgresql+asyncpg://motu:geheim@x/y",
    ):
        with pytest.raises(BadConfig, match="an address like") as refused:
            read_config({"MOTU_DATABASE": wrong}, Path("none"))
        assert "geheim" not in str(refused.value)
    assert read_config({"MOTU_DATABASE": "c:/motu/motu.db"}, Path("none")).place == Path(
        "c:/motu/motu.db"
    )
    # What is played at the local table is not put among a host's matches.
    assert apply_arguments("--local", config=config).place == Path("motu-data/local/motu.db")
