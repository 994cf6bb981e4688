"""The command line, laid over the settings."""

import argparse
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path

from msgspec.structs import replace

from bot.config import DATABASE, BadConfig, Config, check_token

NAME = 32
"""Characters of a player's name, as on Discord."""
PLAYERS = 50


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    """The options given; ends the program for --help, --version and what it does not know."""
    parser = argparse.ArgumentParser(
        prog="motu",
        description="Board games of the Pacific in a Discord channel. Settings come from the environment and .env; "
        "without DISCORD_TOKEN the bot runs on a Discord of its own on this machine, to be played in a browser.",
    )
    parser.add_argument("--version", action="version", version=f"motu {version('motu')}")
    parser.add_argument("--data", type=Path, metavar="FOLDER", help="the folder for everything that is kept")
    local = parser.add_argument_group("the local table")
    local.add_argument("--local", action="store_true", help="play in a browser even if there is a DISCORD_TOKEN")
    local.add_argument("--players", metavar="NAMES", help="who sits there, such as Ana,Ben,Cleo")
    local.add_argument("--port", type=int, metavar="NUMBER", help="the page's port (default: 8765, or any free one)")
    local.add_argument("--fresh", action="store_true", help="forget the local table's matches and messages first")
    return parser.parse_args(arguments)


def apply(options: argparse.Namespace, config: Config) -> Config:
    """The settings as the options change them."""
    if options.data is not None:
        config = replace(config, data=options.data, database=options.data / DATABASE)
    if config.token and not options.local:
        check_token(config.token)
        _refuse_local_options(options)
        return config
    if options.port is not None and not 0 <= options.port < 65536:
        raise BadConfig(f"--port is {options.port}; it must be a whole number below 65536.")
    if options.data is None and config.database == config.data / DATABASE:
        # A bot on Discord may keep its matches in the same folder: they must not meet.
        config = replace(config, database=config.data / "local" / DATABASE)
    return replace(
        config,
        token="",
        guild=None,
        local_url="" if options.local else config.local_url,
        local_port=config.local_port if options.port is None else options.port,
        players=() if options.players is None else player_names(options.players),
        fresh=options.fresh,
    )


def _refuse_local_options(options: argparse.Namespace) -> None:
    for name in ("players", "port", "fresh"):
        if getattr(options, name) is not None and getattr(options, name) is not False:
            raise BadConfig(f"--{name} is for the local table, but there is a DISCORD_TOKEN. Add --local.")


def player_names(text: str) -> tuple[str, ...]:
    """The names in a list such as 'Ana,Ben,Cleo'."""
    names = tuple(" ".join(name.split()) for name in text.split(","))
    for name in names:
        if not 0 < len(name) <= NAME or not name.isprintable():
            raise BadConfig(f"--players has the name '{name[:40]}'; a name has 1 to {NAME} characters.")
        if name.casefold() == "motu":
            raise BadConfig("--players has the name Motu, which is the bot's own.")
    if len({name.casefold() for name in names}) < len(names):
        raise BadConfig("--players names somebody twice.")
    if len(names) > PLAYERS:
        raise BadConfig(f"--players names {len(names)} people; there is room for {PLAYERS}.")
    return names
