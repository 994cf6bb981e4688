"""Every limit of application commands."""

from typing import Any

import pytest

from bot.local.command_limits import check_commands
from tests.bot.local.parts import Json, complaints_of


def command(name: str = "play", **more: Any) -> Json:
    return {"name": name, "description": "d", "type": 1, **more}


def argument(name: str = "move", **more: Any) -> Json:
    return {"type": 3, "name": name, "description": "d", **more}


def arguments(count: int) -> Json:
    return command(options=[argument(f"a{n}") for n in range(count)])


def choices(count: int) -> list[Json]:
    return [{"name": f"c{n}", "value": f"v{n}"} for n in range(count)]


def subcommands(count: int) -> Json:
    return command(options=[{"type": 1, "name": f"s{n}", "description": "d"} for n in range(count)])


def sized(extra: int) -> Json:
    """Return a command with texts of slightly more than 8,000 characters."""
    full = [
        {"name": f"{n:03}".ljust(100, "x"), "value": f"{n:03}".ljust(100, "y")} for n in range(39)
    ]
    options = [
        argument(f"a{n}", choices=full[n * 25 : n * 25 + 25], description="d" * 50)
        for n in range(2)
    ]
    used = len("play" + "d") + sum(len(o["name"] + o["description"]) for o in options) + 39 * 200
    return command(options=options, description="d" * (8000 - used + 1 + extra))


COMMANDS: list[tuple[str, Json, Json, str]] = [
    ("name", command("x" * 32), command("x" * 33), "name"),
    ("no name", command("x"), command(""), "name"),
    ("lowercase", command("ʻokina-2_x"), command("Play"), "name"),
    ("letters only", command("play"), command("play it"), "name"),
    ("description", command(description="x" * 100), command(description="x" * 101), "description"),
    ("no description", command(description="x"), command(description=""), "description"),
    ("options", arguments(25), arguments(26), "options"),
    ("subcommands", subcommands(25), subcommands(26), "options"),
    (
        "option name",
        command(options=[argument("x" * 32)]),
        command(options=[argument("x" * 33)]),
        "options.0.name",
    ),
    (
        "option description",
        command(options=[argument(description="x" * 100)]),
        command(options=[argument(description="x" * 101)]),
        "options.0.description",
    ),
    (
        "option names twice",
        command(options=[argument("a"), argument("b")]),
        command(options=[argument("a"), argument("a")]),
        "options.1",
    ),
    (
        "choices",
        command(options=[argument(choices=choices(25))]),
        command(options=[argument(choices=choices(26))]),
        "options.0.choices",
    ),
    (
        "choice name",
        command(options=[argument(choices=[{"name": "x" * 100, "value": "v"}])]),
        command(options=[argument(choices=[{"name": "x" * 101, "value": "v"}])]),
        "options.0.choices.0.name",
    ),
    (
        "choice value",
        command(options=[argument(choices=[{"name": "n", "value": "x" * 100}])]),
        command(options=[argument(choices=[{"name": "n", "value": "x" * 101}])]),
        "options.0.choices.0.value",
    ),
    (
        "choice type",
        command(options=[argument(choices=[{"name": "n", "value": "1"}])]),
        command(options=[argument(choices=[{"name": "n", "value": 1}])]),
        "options.0.choices.0.value",
    ),
    (
        "choice names twice",
        command(options=[argument(choices=choices(2))]),
        command(options=[argument(choices=choices(1) * 2)]),
        "options.0.choices",
    ),
    (
        "subcommands in subcommands",
        command(options=[{"type": 1, "name": "s", "description": "d", "options": [argument()]}]),
        command(
            options=[{"type": 1, "name": "s", "description": "d", "options": [argument(type=1)]}]
        ),
        "options.0.options.0.type",
    ),
    (
        "required first",
        command(options=[argument("a", required=True), argument("b")]),
        command(options=[argument("a"), argument("b", required=True)]),
        "options.1",
    ),
    (
        "choices or autocompletion",
        command(options=[argument(autocomplete=True)]),
        command(options=[argument(autocomplete=True, choices=choices(1))]),
        "options.0.autocomplete",
    ),
    (
        "autocompletion of flags",
        command(options=[argument(type=5)]),
        command(options=[argument(type=5, autocomplete=True)]),
        "options.0.autocomplete",
    ),
    (
        "subcommands among options",
        command(options=[{"type": 1, "name": "s", "description": "d"}]),
        command(options=[{"type": 1, "name": "s", "description": "d"}, argument()]),
        "options",
    ),
    (
        "text length",
        command(options=[argument(max_length=6000)]),
        command(options=[argument(max_length=6001)]),
        "options.0.max_length",
    ),
    ("all texts", sized(0), sized(1), ""),
    ("unknown field", command(), command(colour=1), "colour"),
    (
        "unknown field of an option",
        command(options=[argument()]),
        command(options=[argument(size=1)]),
        "options.0.size",
    ),
]


@pytest.mark.parametrize(
    ("at", "over", "place"), [c[1:] for c in COMMANDS], ids=[c[0] for c in COMMANDS]
)
def test_a_command_may_reach_but_not_exceed_each_limit(at: Json, over: Json, place: str) -> None:
    check_commands([command("first"), at])
    found = complaints_of(lambda: check_commands([command("first"), over]))
    assert [where for where, _ in found] == [f"1.{place}".rstrip(".")]


def test_at_most_a_hundred_commands_can_be_registered() -> None:
    check_commands([command(f"c{n}") for n in range(100)])
    found = complaints_of(lambda: check_commands([command(f"c{n}") for n in range(101)]))
    assert found == [("", "BASE_TYPE_MAX_LENGTH")]


def test_a_command_cannot_be_registered_twice() -> None:
    found = complaints_of(lambda: check_commands([command(), command()]))
    assert found == [("1.name", "APPLICATION_COMMANDS_DUPLICATE_NAME")]
