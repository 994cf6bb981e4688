"""How the program is to run: the environment and the file .env (.env.example says what each means), then the command
line laid over them."""

import argparse
import os
from collections.abc import Mapping
from pathlib import Path

from dotenv import dotenv_values
from msgspec import Struct
from msgspec.structs import replace

from bot.model.shards import Shards, read_shards
from bot.runtime.errors import BadConfig
from bot.runtime.logs import FORMS, LINES
from bot.store.postgres_url import is_postgres, looks_like_address, shown
from bot.text import listed, say
from engine.core.words import ENGLISH, languages

LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR")
SECRET = "DISCORD_TOKEN"
ENV_FILE = Path(".env")
LOOPBACK = "127.0.0.1"
DATABASE = "motu.db"
LONGEST_NUMBER = 100
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
    """How many of the hourly copies of the file are kept, besides one a day for a week; 0 if none are made."""
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
        return f"<Config: {shown(self.postgres) if self.postgres else self.database}>"


def read_env_file(path: Path) -> dict[str, str]:
    """The settings in a file of lines KEY=value; a key without a value says nothing."""
    try:
        # Values are taken as they stand: a folder may have a $ in its name. Windows begins a file with a mark (sig).
        found = dotenv_values(path, interpolate=False, encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise BadConfig(say("config.unreadable", path=path)) from error
    return {key: value for key, value in found.items() if value is not None}


def is_open_to_others(path: Path) -> bool:
    """Whether somebody else on this machine may read a file of ours."""
    try:
        found = path.stat()
    except OSError:
        return False
    if not hasattr(os, "getuid"):
        # Windows, where a file's mode says nothing of who may read it.
        return False
    # A file of another's is read by way of its group: that is how a host may mean it.
    shared = 0o044 if found.st_uid == os.getuid() else 0o004
    return bool(found.st_mode & shared)


def read_config(env: Mapping[str, str] | None = None, path: Path = ENV_FILE) -> Config:
    """The settings; the environment wins over the file, and what is empty counts as not set."""
    values = read_env_file(path)
    for key, value in (os.environ if env is None else env).items():
        if value:
            values[key] = value
    values = {key: value.strip() for key, value in values.items() if value.strip()}
    data = Path(values.get("MOTU_DATA", "motu-data"))
    level = values.get("MOTU_LOG_LEVEL", "INFO").upper()
    # What stands there is never shown: it might be a token that was pasted into the wrong line.
    if level not in LEVELS:
        raise BadConfig(say("config.level", levels=listed(LEVELS)))
    form = values.get("MOTU_LOG", LINES).lower()
    if form not in FORMS:
        raise BadConfig(say("config.log_form", forms=listed(FORMS)))
    language = values.get("MOTU_LANGUAGE", ENGLISH)
    if language not in languages():
        raise BadConfig(say("config.language", languages=listed(languages())))
    place = values.get("MOTU_DATABASE", "")
    if looks_like_address(place) and not is_postgres(place):
        # What stands there is not shown: it may have a password in it.
        raise BadConfig(say("config.database"))
    return Config(
        token=values.get(SECRET, ""),
        data=data,
        database=data / DATABASE if is_postgres(place) else Path(place or data / DATABASE),
        postgres=place if is_postgres(place) else "",
        backups=_whole(values, "MOTU_BACKUPS", 1001) if "MOTU_BACKUPS" in values else 24,
        log_level=level,
        log_form=form,
        metrics=_address(values, "MOTU_METRICS") if "MOTU_METRICS" in values else None,
        language=language,
        guild=_whole(values, "MOTU_GUILD", 2**64) if "MOTU_GUILD" in values else None,
        shards=_shards(values, "MOTU_SHARDS") if "MOTU_SHARDS" in values else None,
        requests=_whole(values, "MOTU_REQUESTS", 10_001) if "MOTU_REQUESTS" in values else None,
        local_port=_whole(values, "MOTU_LOCAL_PORT", 65536) if "MOTU_LOCAL_PORT" in values else None,
        local_url=values.get("MOTU_LOCAL_URL", ""),
        ready_timeout=_seconds(values, "MOTU_READY_TIMEOUT"),
    )


def check_token(token: str) -> None:
    """Refuse what no request could carry, without a word of it."""
    if not (token.isascii() and token.isprintable()) or " " in token:
        raise BadConfig(say("config.token", key=SECRET))


def _whole(values: Mapping[str, str], key: str, below: int) -> int:
    text = values[key]
    # Longer ones Python refuses to read.
    if not text.isdecimal() or len(text) > LONGEST_NUMBER or not 0 <= int(text) < below:
        raise BadConfig(say("config.whole", key=key, below=below))
    return int(text)


def _address(values: Mapping[str, str], key: str) -> tuple[str, int]:
    """A port of this machine alone, or with a host before it."""
    host, _, port = values[key].rpartition(":")
    if not port.isdecimal() or len(port) > LONGEST_NUMBER or not 0 <= int(port) < 65536:
        raise BadConfig(say("config.address", key=key))
    return host.strip("[]") or LOOPBACK, int(port)


def _shards(values: Mapping[str, str], key: str) -> Shards:
    shards = read_shards(values[key])
    if shards is None:
        raise BadConfig(say("config.shards", key=key))
    return shards


def _seconds(values: Mapping[str, str], key: str) -> float | None:
    if key not in values:
        return None
    try:
        seconds = float(values[key])
    except ValueError:
        seconds = -1.0
    if not 0 <= seconds <= 60:
        raise BadConfig(say("config.seconds", key=key))
    return seconds


def apply_options(options: argparse.Namespace, config: Config) -> Config:
    """The settings as the options change them."""
    if options.data is not None:
        config = replace(config, data=options.data, database=options.data / DATABASE, postgres="")
    if config.token and not options.local:
        check_token(config.token)
        _refuse_local_options(options)
        return config
    if options.port is not None and not 0 <= options.port < 65536:
        raise BadConfig(say("config.whole", key="--port", below=65536))
    if options.data is None and config.database == config.data / DATABASE:
        # A bot on Discord may keep its matches in the same folder: they must not meet.
        config = replace(config, database=config.data / "local" / DATABASE)
    return replace(
        config,
        token="",
        # The local table is for this machine alone: what it plays is not put among the matches of a host.
        postgres="",
        backups=0,
        guild=None,
        shards=None,
        local_url="" if options.local else config.local_url,
        local_port=config.local_port if options.port is None else options.port,
        players=() if options.players is None else _player_names(options.players),
        fresh=options.fresh,
    )


def _refuse_local_options(options: argparse.Namespace) -> None:
    for name in ("players", "port", "fresh"):
        if getattr(options, name) is not None and getattr(options, name) is not False:
            raise BadConfig(say("config.local_only", key=f"--{name}"))


def _player_names(text: str) -> tuple[str, ...]:
    """The names in a list such as 'Ana,Ben,Cleo'."""
    names = tuple(" ".join(name.split()) for name in text.split(","))
    for name in names:
        if not 0 < len(name) <= NAME or not name.isprintable():
            raise BadConfig(say("config.player_name", name=name[:40], most=NAME))
        if name.casefold() == "motu":
            raise BadConfig(say("config.player_motu"))
    if len({name.casefold() for name in names}) < len(names):
        raise BadConfig(say("config.player_twice"))
    if len(names) > PLAYERS:
        raise BadConfig(say("config.too_many_players", number=len(names), most=PLAYERS))
    return names
