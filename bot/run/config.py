"""The settings of the program: the environment and .env, with the command line laid over them.

.env.example says what each means.
"""

import argparse
import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from dotenv import dotenv_values
from msgspec import Struct
from msgspec.structs import replace

from bot.model import Shards, read_shards
from bot.runtime.base import BadConfig
from bot.runtime.logs import FORMS, LINES
from bot.store.opening import is_postgres, looks_like_address, public_address
from bot.text import listed
from engine.core.words import ENGLISH, languages

LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR")
SECRET = "DISCORD_TOKEN"
ENV_FILE = Path(".env")
LOOPBACK = "127.0.0.1"
DATABASE = "motu.db"
PORTS = 65536
NAME = 32
"""Characters of a player's name, as on Discord."""
PLAYERS = 50


class Config(Struct, frozen=True, kw_only=True):
    """All settings, checked."""

    token: str = ""
    data: Path = Path("motu-data")
    database: Path = Path("motu-data/motu.db")
    postgres: str = ""
    """The address of a PostgreSQL database, password and all, that takes the place of the file."""
    backups: int = 24
    """How many hourly copies of the file are kept, besides one a day for a week; 0 for none."""
    log_level: str = "INFO"
    log_form: str = LINES
    metrics: tuple[str, int] | None = None
    """The address and port of what /health and /metrics are asked for."""
    language: str = ENGLISH
    guild: int | None = None
    shards: Shards | None = None
    """Those that this process serves; None for all that Discord advises."""
    requests: int | None = None
    """How many a second Discord allows in all; None for as many as it usually does."""
    local_port: int | None = None
    """None: the usual one, or any if that is taken."""
    local_url: str = ""
    ready_timeout: float | None = None
    players: tuple[str, ...] = ()
    """Who shall sit at the local table."""
    fresh: bool = False
    """The local table begins with empty data."""

    @property
    def place(self) -> Path | str:
        """Where the matches are kept: a file, or the address of a server."""
        return self.postgres or self.database

    def __repr__(self) -> str:
        # The token and the password must not reach a log.
        return f"<Config: {public_address(self.postgres) if self.postgres else self.database}>"


class Setting(Struct, frozen=True):
    """A variable of the environment, and how its text is read."""

    key: str
    parse: Callable[[str], Any] = str
    """Raises ValueError for a text that makes no sense."""
    refusal: str = ""
    """What is said of such a text, a key of [config].

    The text itself is never shown: it might be a token that was pasted into the wrong line.
    """
    allowed: Sequence[object] = ()


def _number(key: str, below: int) -> Setting:
    return Setting(key, lambda text: _whole(text, below), "whole", [below])


def _one_of(key: str, values: Sequence[str], refusal: str = "one_of") -> Setting:
    """Return a setting that is one of some words, in capitals or not."""
    known = [value.casefold() for value in values]
    return Setting(key, lambda text: values[known.index(text.casefold())], refusal, values)


def _whole(text: str, below: int) -> int:
    number = int(text)
    if 0 <= number < below:
        return number
    raise ValueError


def _address(text: str) -> tuple[str, int]:
    """Read a port of this machine alone, or with a host before it."""
    host, _, port = text.rpartition(":")
    return host.strip("[]") or LOOPBACK, _whole(port, PORTS)


def _seconds(text: str) -> float:
    seconds = float(text)
    if 0 <= seconds <= 60:
        return seconds
    raise ValueError


SETTINGS = {
    "token": Setting(SECRET),
    "backups": _number("MOTU_BACKUPS", below=1001),
    "log_level": _one_of("MOTU_LOG_LEVEL", LEVELS),
    "log_form": _one_of("MOTU_LOG", FORMS),
    "metrics": Setting("MOTU_METRICS", _address, "address"),
    "language": _one_of("MOTU_LANGUAGE", languages(), "language"),
    "guild": _number("MOTU_GUILD", below=2**64),
    "shards": Setting("MOTU_SHARDS", read_shards, "shards"),
    "requests": _number("MOTU_REQUESTS", below=10_001),
    "local_port": _number("MOTU_LOCAL_PORT", below=PORTS),
    "local_url": Setting("MOTU_LOCAL_URL"),
    "ready_timeout": Setting("MOTU_READY_TIMEOUT", _seconds, "seconds"),
}
"""By the fields of Config."""


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
                allowed = listed(map(str, setting.allowed))
                raise BadConfig(
                    f"config.{setting.refusal}", key=setting.key, allowed=allowed
                ) from None
    data, place = Path(given.get("MOTU_DATA", "motu-data")), given.get("MOTU_DATABASE", "")
    if is_postgres(place):
        fields |= {"postgres": place, "database": data / DATABASE}
    elif looks_like_address(place):
        # What stands there is not shown: it may have a password in it.
        raise BadConfig("config.database")
    else:
        fields["database"] = Path(place or data / DATABASE)
    return Config(data=data, **fields)


def read_env_file(path: Path) -> dict[str, str]:
    """Return the settings in a file of lines KEY=value; a key without a value says nothing."""
    try:
        # Values are taken as they stand: a folder may have a $ in its name. Windows begins a file
        # with a mark (sig).
        found = dotenv_values(path, interpolate=False, encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise BadConfig("config.unreadable", path=path) from error
    return {key: value for key, value in found.items() if value is not None}


def is_open_to_others(path: Path) -> bool:
    """Return whether somebody else on this machine may read a file of ours."""
    # On Windows a file's mode says nothing of who may read it.
    if not path.exists() or not hasattr(os, "getuid"):
        return False
    found = path.stat()
    # A file of another's is read by way of its group: that is how a host may mean it.
    shared = 0o044 if found.st_uid == os.getuid() else 0o004
    return bool(found.st_mode & shared)


def apply_options(options: argparse.Namespace, config: Config) -> Config:
    """Return the settings as the options of the command line change them."""
    if options.data is not None:
        config = replace(config, data=options.data, database=options.data / DATABASE, postgres="")
    if config.token and not options.local:
        if not (config.token.isascii() and config.token.isprintable()) or " " in config.token:
            # No request could carry it.
            raise BadConfig("config.token", key=SECRET)
        for name in ("players", "port", "fresh"):
            given = getattr(options, name)
            # --port 0 is given, too.
            if given is not None and given is not False:
                raise BadConfig("config.local_only", key=f"--{name}")
        return config
    if options.port is not None and not 0 <= options.port < PORTS:
        raise BadConfig("config.whole", key="--port", allowed=PORTS)
    if options.data is None and config.database == config.data / DATABASE:
        # A bot on Discord may keep its matches in the same folder: they must not meet.
        config = replace(config, database=config.data / "local" / DATABASE)
    return replace(
        config,
        token="",
        # The local table is for this machine alone: what it plays is not put among the matches of a
        # host.
        postgres="",
        backups=0,
        guild=None,
        shards=None,
        local_url="" if options.local else config.local_url,
        local_port=config.local_port if options.port is None else options.port,
        players=() if options.players is None else _player_names(options.players),
        fresh=options.fresh,
    )


def _player_names(text: str) -> tuple[str, ...]:
    """Return the names in a list such as 'Ana,Ben,Cleo'."""
    names = tuple(" ".join(name.split()) for name in text.split(","))
    for name in names:
        if not 0 < len(name) <= NAME or not name.isprintable():
            raise BadConfig("config.player_name", name=name[:40], most=NAME)
        if name.casefold() == "motu":
            raise BadConfig("config.player_motu")
    if len({name.casefold() for name in names}) < len(names):
        raise BadConfig("config.player_twice")
    if len(names) > PLAYERS:
        raise BadConfig("config.too_many_players", number=len(names), most=PLAYERS)
    return names
