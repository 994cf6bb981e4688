"""How the program is to run: the environment and the file .env (.env.example says what each means),
then the command line laid over them.
"""

import argparse
import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import msgspec
from dotenv import dotenv_values
from msgspec import Meta, Struct
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
LONGEST_NUMBER = 100
"""Digits: much longer ones Python refuses to read."""
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
    """How many of the hourly copies of the file are kept, besides one a day for a week; 0 if
    none are made.
    """
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


# How the text of a setting is read. Given its key and the text, which a refusal never shows: it
# might be a token that was pasted into the wrong line.

Parser = Callable[[str, str], Any]


def _text(key: str, text: str) -> str:
    return text


def _number(below: int, refusal: str = "config.whole") -> Parser:
    """Return what reads a whole number."""

    def parse(key: str, text: str) -> int:
        if not text.isdecimal() or len(text) > LONGEST_NUMBER or int(text) >= below:
            raise BadConfig(refusal, key=key, below=below)
        return int(text)

    return parse


def _one_of(what: str, values: Callable[[], Sequence[str]]) -> Parser:
    """Return what reads one of some words, in capitals or not; `what` is a key of [config]."""

    def parse(key: str, text: str) -> str:
        for value in values():
            if text.casefold() == value.casefold():
                return value
        raise BadConfig(f"config.{what}", values=listed(values()))

    return parse


def _address(key: str, text: str) -> tuple[str, int]:
    """Read a port of this machine alone, or with a host before it."""
    host, _, port = text.rpartition(":")
    return host.strip("[]") or LOOPBACK, _number(PORTS, "config.address")(key, port)


def _shards(key: str, text: str) -> Shards:
    shards = read_shards(text)
    if shards is None:
        raise BadConfig("config.shards", key=key)
    return shards


def _seconds(key: str, text: str) -> float:
    try:
        seconds: float = msgspec.convert(text, Annotated[float, Meta(ge=0, le=60)], strict=False)
    except msgspec.ValidationError:
        raise BadConfig("config.seconds", key=key) from None
    return seconds


SETTINGS: dict[str, tuple[str, Parser]] = {
    "token": (SECRET, _text),
    "backups": ("MOTU_BACKUPS", _number(below=1001)),
    "log_level": ("MOTU_LOG_LEVEL", _one_of("level", lambda: LEVELS)),
    "log_form": ("MOTU_LOG", _one_of("log_form", lambda: FORMS)),
    "metrics": ("MOTU_METRICS", _address),
    "language": ("MOTU_LANGUAGE", _one_of("language", languages)),
    "guild": ("MOTU_GUILD", _number(below=2**64)),
    "shards": ("MOTU_SHARDS", _shards),
    "requests": ("MOTU_REQUESTS", _number(below=10_001)),
    "local_port": ("MOTU_LOCAL_PORT", _number(below=PORTS)),
    "local_url": ("MOTU_LOCAL_URL", _text),
    "ready_timeout": ("MOTU_READY_TIMEOUT", _seconds),
}
"""By the fields of Config: the key in the environment, and what reads its text."""


def read_config(env: Mapping[str, str] | None = None, path: Path = ENV_FILE) -> Config:
    """Return the settings; the environment wins over the file, and empty values are ignored."""
    environment = os.environ if env is None else env
    values = read_env_file(path) | {key: value for key, value in environment.items() if value}
    given = {key: value.strip() for key, value in values.items() if value.strip()}
    fields = {
        name: parse(key, given[key]) for name, (key, parse) in SETTINGS.items() if key in given
    }
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
        raise BadConfig("config.whole", key="--port", below=PORTS)
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
