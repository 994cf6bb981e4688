"""The settings, from the environment and the file .env; .env.example says what each means."""

import os
from collections.abc import Mapping
from pathlib import Path

from dotenv import dotenv_values
from msgspec import Struct

from bot.errors import BotError

LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR")
SECRET = "DISCORD_TOKEN"
DATABASE = "motu.db"
LONGEST_NUMBER = 100


class BadConfig(BotError):
    """A setting that cannot be used, by name."""


class Config(Struct, frozen=True, kw_only=True):
    """All settings, checked."""

    token: str = ""
    data: Path = Path("motu-data")
    database: Path = Path("motu-data/motu.db")
    log_level: str = "INFO"
    guild: int | None = None
    local_port: int | None = None
    """None: the usual one, or any if that is taken."""
    local_url: str = ""
    ready_timeout: float | None = None
    players: tuple[str, ...] = ()
    """Who shall sit at the local table."""
    fresh: bool = False
    """The local table begins with empty data."""

    def __repr__(self) -> str:
        # The token must not reach a log.
        return f"<Config: {self.database}>"


def read_env_file(path: Path) -> dict[str, str]:
    """The settings in a file of lines KEY=value; a key without a value says nothing."""
    try:
        # Values are taken as they stand: a folder may have a $ in its name. Windows begins a file with a mark (sig).
        found = dotenv_values(path, interpolate=False, encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise BadConfig(
            f"The file {path} cannot be read: it must be plain text in UTF-8 that Motu may open."
        ) from error
    return {key: value for key, value in found.items() if value is not None}


def read_config(env: Mapping[str, str] | None = None, path: Path = Path(".env")) -> Config:
    """The settings; the environment wins over the file, and what is empty counts as not set."""
    given = {**read_env_file(path), **{k: v for k, v in (os.environ if env is None else env).items() if v}}
    values = {key: value.strip() for key, value in given.items() if value.strip()}
    data = Path(values.get("MOTU_DATA", "motu-data"))
    level = values.get("MOTU_LOG_LEVEL", "INFO").upper()
    if level not in LEVELS:
        raise BadConfig(f"MOTU_LOG_LEVEL is '{level[:40]}'; it can be {', '.join(LEVELS)}.")
    return Config(
        token=values.get(SECRET, ""),
        data=data,
        database=Path(values.get("MOTU_DATABASE", data / DATABASE)),
        log_level=level,
        guild=_whole(values, "MOTU_GUILD", 2**64) if "MOTU_GUILD" in values else None,
        local_port=_whole(values, "MOTU_LOCAL_PORT", 65536) if "MOTU_LOCAL_PORT" in values else None,
        local_url=values.get("MOTU_LOCAL_URL", ""),
        ready_timeout=_seconds(values, "MOTU_READY_TIMEOUT"),
    )


def check_token(token: str) -> None:
    """Refuse what no request could carry, without a word of it."""
    if not (token.isascii() and token.isprintable()) or " " in token:
        raise BadConfig(f"{SECRET} has a blank, a line break or another character that no token has. Copy it anew.")


def _whole(values: Mapping[str, str], key: str, below: int) -> int:
    text = values[key]
    # Longer ones Python refuses to read.
    if not text.isdecimal() or len(text) > LONGEST_NUMBER or not 0 <= int(text) < below:
        raise BadConfig(f"{key} is '{text[:40]}'; it must be a whole number below {below}.")
    return int(text)


def _seconds(values: Mapping[str, str], key: str) -> float | None:
    if key not in values:
        return None
    try:
        seconds = float(values[key])
    except ValueError:
        seconds = -1.0
    if not 0 <= seconds <= 60:
        raise BadConfig(f"{key} is '{values[key][:40]}'; it must be a number of seconds from 0 to 60.")
    return seconds
