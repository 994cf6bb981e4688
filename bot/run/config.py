"""The settings of the program, from the environment, .env and the command line.

.env.example explains each of them. To add one, add a field to `Config` and a line to `SETTINGS`.
"""

import argparse
import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from bot.model import Shards, parse_shards
from bot.runtime.base import BadConfig
from bot.runtime.logs import FORMS, LINES
from bot.store.opening import is_postgres, looks_like_address, public_address
from bot.text import and_list
from engine.core.words import ENGLISH, languages

LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR")
SECRET = "DISCORD_TOKEN"
ENV_FILE = Path(".env")
LOOPBACK = "127.0.0.1"
DATABASE = "motu.db"
PORTS = 65536
MAX_PLAYER_NAME = 32
"""The most characters of a player's name, as on Discord."""
MAX_PLAYERS = 50
MAX_READY_TIMEOUT_SECONDS = 60


class Config(Struct, frozen=True, kw_only=True):
    """All settings, validated."""

    token: str = ""
    data: Path = Path("motu-data")
    database: Path = Path("motu-data/motu.db")
    postgres: str = ""
    """The address of a PostgreSQL database, password included; '' for a file."""
    backups: int = 24
    """How many hourly backups are kept, besides one per day for a week; 0 makes none."""
    log_level: str = "INFO"
    log_form: str = LINES
    metrics: tuple[str, int] | None = None
    """The address and port that serve /health and /metrics."""
    language: str = ENGLISH
    guild: int | None = None
    shards: Shards | None = None
    """The shards that this process serves; None for as many as Discord advises."""
    requests: int | None = None
    """How many requests per second Discord allows; None for its usual limit."""
    local_port: int | None = None
    """The port of the local table; None for the usual one, or any if that is taken."""
    local_url: str = ""
    ready_timeout: float | None = None
    players: tuple[str, ...] = ()
    """The players at the local table."""
    fresh: bool = False
    """Whether the local table begins with empty data."""
    player: str = ""
    """The command that plays for all computers of the local table; '' for Motu's own players."""
    player_seconds: int | None = None
    """How long that command may take for an answer; None for the usual time."""

    @property
    def place(self) -> Path | str:
        """Where the matches are stored: a file, or the address of a server."""
        return self.postgres or self.database

    def __repr__(self) -> str:
        # The token and the password must not reach a log.
        return f"<Config: {public_address(self.postgres) if self.postgres else self.database}>"


class Setting(Struct, frozen=True):
    """An environment variable and how its value is parsed."""

    key: str
    parse: Callable[[str], Any] = str
    """Raises ValueError for a value that makes no sense."""
    refusal: str = ""
    """The text of [config] about such a value.

    The value itself is never shown: it might be a token pasted into the wrong line.
    """
    allowed: Sequence[object] = ()


def _number_setting(key: str, below: int) -> Setting:
    """Return a setting that is a whole number from 0."""
    return Setting(key, lambda text: _parse_number(text, below), "whole", [below])


def _choice_setting(key: str, values: Sequence[str], refusal: str = "one_of") -> Setting:
    """Return a setting that is one of some words, in upper or lower case."""
    known = [value.casefold() for value in values]
    return Setting(key, lambda text: values[known.index(text.casefold())], refusal, values)


def _parse_number(text: str, below: int) -> int:
    number = int(text)
    if 0 <= number < below:
        return number
    raise ValueError


def _parse_address(text: str) -> tuple[str, int]:
    """Parse a port, which is for this machine only unless a host comes before it."""
    host, _, port = text.rpartition(":")
    return host.strip("[]") or LOOPBACK, _parse_number(port, PORTS)


def _parse_seconds(text: str) -> float:
    seconds = float(text)
    if 0 <= seconds <= MAX_READY_TIMEOUT_SECONDS:
        return seconds
    raise ValueError


SETTINGS = {
    "token": Setting(SECRET),
    "backups": _number_setting("MOTU_BACKUPS", below=1001),
    "log_level": _choice_setting("MOTU_LOG_LEVEL", LEVELS),
    "log_form": _choice_setting("MOTU_LOG", FORMS),
    "metrics": Setting("MOTU_METRICS", _parse_address, "address"),
    "language": _choice_setting("MOTU_LANGUAGE", languages(), "language"),
    "guild": _number_setting("MOTU_GUILD", below=2**64),
    "shards": Setting("MOTU_SHARDS", parse_shards, "shards"),
    "requests": _number_setting("MOTU_REQUESTS", below=10_001),
    "local_port": _number_setting("MOTU_LOCAL_PORT", below=PORTS),
    "local_url": Setting("MOTU_LOCAL_URL"),
    "ready_timeout": Setting("MOTU_READY_TIMEOUT", _parse_seconds, "seconds"),
}
"""The settings by field of Config."""


def read_config(env: Mapping[str, str] | None = None, path: Path = ENV_FILE) -> Config:
    """Return the settings; the environment wins over the file, and empty values are ignored."""
    environment = os.environ if env is None else env
    values = read_env_file(path) | {key: value for key, value in environment.items() if value}
    given = {key: value.strip() for key, value in values.items() if value.strip()}
    fields: dict[str, Any] = {}
    for name, setting in SETTINGS.items():
        if text := given.get(setting.key):
            try:
                fields[name] = setting.parse(text)
            except ValueError:
                allowed = and_list(map(str, setting.allowed))
                raise BadConfig(
                    f"config.{setting.refusal}", key=setting.key, allowed=allowed
                ) from None
    data, place = Path(given.get("MOTU_DATA", "motu-data")), given.get("MOTU_DATABASE", "")
    if is_postgres(place):
        fields |= {"postgres": place, "database": data / DATABASE}
    elif looks_like_address(place):
        # The address is not shown, as it may contain a password.
        raise BadConfig("config.database")
    else:
        fields["database"] = Path(place or data / DATABASE)
    return Config(data=data, **fields)


def read_env_file(path: Path) -> dict[str, str]:
    """Return the settings in a file of lines KEY=value; a key without a value is ignored."""
    try:
        if not path.exists():
            return {}
        # Imported only here, to keep the start quick for hosts that have no such file.
        from dotenv import dotenv_values

        # Not interpolated, as a folder may have a $ in its name. Editors on Windows begin a file
        # with a byte order mark, which "sig" skips.
        found = dotenv_values(path, interpolate=False, encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise BadConfig("config.unreadable", path=path) from error
    return {key: value for key, value in found.items() if value is not None}


def is_open_to_others(path: Path) -> bool:
    """Return whether other users of this machine can read a file that holds secrets."""
    # On Windows a file's mode does not tell who may read it.
    if not path.exists() or not hasattr(os, "getuid"):
        return False
    found = path.stat()
    # If another user owns the file, the bot can only read it through its group, so that is
    # deliberate.
    shared = 0o044 if found.st_uid == os.getuid() else 0o004
    return bool(found.st_mode & shared)


def apply_options(options: argparse.Namespace, config: Config) -> Config:
    """Return the settings with the options of the command line applied."""
    if options.data is not None:
        config = replace(config, data=options.data, database=options.data / DATABASE, postgres="")
    if config.token and not options.local:
        if not (config.token.isascii() and config.token.isprintable()) or " " in config.token:
            # An HTTP header cannot contain it.
            raise BadConfig("config.token", key=SECRET)
        for name in ("players", "port", "fresh"):
            given = getattr(options, name)
            # 0 is a port like any other: any free one.
            if given is not None and given is not False:
                raise BadConfig("config.local_only", key=f"--{name}")
        return config
    if options.port is not None and not 0 <= options.port < PORTS:
        raise BadConfig("config.whole", key="--port", allowed=PORTS)
    if options.data is None and config.database == config.data / DATABASE:
        # A bot on Discord may use the same folder, but not the same database.
        config = replace(config, database=config.data / "local" / DATABASE)
    return replace(
        config,
        token="",
        # The local table stays on this machine: its matches do not belong into a host's database.
        postgres="",
        backups=0,
        guild=None,
        shards=None,
        local_url="" if options.local else config.local_url,
        local_port=config.local_port if options.port is None else options.port,
        players=() if options.players is None else _parse_player_names(options.players),
        fresh=options.fresh,
        player=options.player or "",
        player_seconds=getattr(options, "seconds", None),
    )


def _parse_player_names(text: str) -> tuple[str, ...]:
    """Return the names in a list such as 'Ana,Ben,Cleo'."""
    names = tuple(" ".join(name.split()) for name in text.split(","))
    for name in names:
        if not 0 < len(name) <= MAX_PLAYER_NAME or not name.isprintable():
            raise BadConfig("config.player_name", name=name[:40], most=MAX_PLAYER_NAME)
        if name.casefold() == "motu":
            raise BadConfig("config.player_motu")
    if len({name.casefold() for name in names}) < len(names):
        raise BadConfig("config.player_twice")
    if len(names) > MAX_PLAYERS:
        raise BadConfig("config.too_many_players", number=len(names), most=MAX_PLAYERS)
    return names
