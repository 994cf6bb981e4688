"""Forged custom ids of every family: a private answer each time, no error, and nothing has
changed.
"""

import re
from collections.abc import Iterable, Iterator
from random import Random

import pytest

from bot.feature_list import FEATURES
from bot.local import Person
from bot.ui.long_jobs import StopButton
from bot.ui.parts import CUSTOM_ID
from bot.ui.which_match import ChosenMatch
from tests.bot.test_features import COMMANDS
from tests.e2e.harness import Stage, Table, match_of
from tests.e2e.test_bad_input import check, planted, unchanged

ROUNDS = 40
"""Random ids of each family, besides those that have each value in turn."""

OF_NUMBERS = (
    "0",
    "1",
    "2",
    "9",
    "99",
    "999",
    "999999",
    "9999999",
    "9" * 18,
    "9" * 20,
    "-1",
    "1.5",
    "٣",
    "x",
    "",
)
OF_WORDS = ("", "x", "explode", "_", "-", "+", "z" * 40, "Z", "é", "a:b", "None")
GIVEN = (
    *(
        "",
        "{}",
        "[]",
        "null",
        "1",
        '"x"',
        "{",
        '{"match":"x"}',
        '{"x":"y"}',
        '{"interaction":"x"}',
        "é",
        "\n",
    ),
    *(
        '{"move":true}',
        '{"move":"zz"}',
        '{"to":"1"}',
        '{"to":true}',
        '{"at":true}',
        '{"mine":"x"}',
        '{"game":"maori"}',
    ),
    *(
        '{"speed":"x"}',
        '{"speed":true}',
        '{"text":true}',
        '{"unless":true,"move":"1"}',
        '{"move":1}',
        '{"move":null}',
    ),
)
"""Options of a command that is given again, as a button has them."""

ITEMS = (ChosenMatch, StopButton, *(item for feature in FEATURES for item in feature.items))
PATTERNS = [item.__discord_ui_compiled_template__ for item in ITEMS]


def head_of(pattern: re.Pattern[str]) -> str:
    """What the custom ids of a pattern begin with; '' for the controls of a panel, of which
    there are many sorts.
    """
    return "" if "sort" in pattern.groupindex else pattern.pattern.split(":", 1)[0]


def all_commands() -> list[str]:
    """Every command as a button names it, and some that there are not."""
    there = [name.replace(" ", "-") for name, _ in COMMANDS]
    return [*there, "game", "vacation", "me", "none", "game-none", "me-settings-x", "-"]


def values_of(table: Table, lobby: str) -> dict[str, tuple[str, ...]]:
    """What may be put into each field of a custom id, whatever the family; real values among the
    false ones.
    """
    words: dict[str, tuple[str, ...]] = {
        "sort": tuple("pgmoucvhe"),
        "match": (
            table.id,
            lobby,
            "aaaaaaaa",
            "page-0",
            "page-99",
            "page-x",
            "A" * 32,
            "z" * 33,
            "_",
            "",
        ),
        "kind": ("place_piece", "draw_tile", "reveal_card", *OF_WORDS),
        "key": (
            "17",
            "17+18",
            "zz",
            "all",
            "take",
            "end",
            "on",
            "_2",
            "__",
            "first",
            "steady",
            "none",
            *OF_WORDS,
        ),
        "at": ("0" * 16, "f" * 16, "g" * 16, ""),
        "mine": ("m", "", "x"),
        "command": tuple(all_commands()),
        "given": GIVEN,
        "game": ("blue_lagoon", "chess", *OF_WORDS),
        "topic": ("nonsense", *OF_WORDS),
    }
    # Whatever any family has for it, but for what whoever presses may rightly do.
    words["what"] = (
        *(
            "leave",
            "computer",
            "start",
            "cancel",
            "set",
            "more",
            "time",
            "hints",
            "rated",
            "kick",
            "level",
            "way",
        ),
        *(
            "claim",
            "ask",
            "stop",
            "review",
            "fair",
            "news",
            "unnote",
            "rematch",
            "move",
            "view",
            "log",
            "rules",
        ),
        *(
            "at",
            "next",
            "before",
            "yes",
            "no",
            "take",
            "withdraw",
            "keep",
            "drop",
            "games",
            "tables",
            "mine",
        ),
        *(
            "channels",
            "threads",
            "pace",
            "hosts",
            "films",
            "chronicle",
            "choose",
            "per_player",
            *OF_WORDS,
        ),
    )
    words["option"] = words["what"]
    return words


def is_served(custom_id: str, patterns: Iterable[re.Pattern[str]]) -> bool:
    """Whether a custom id has one of these patterns."""
    return any(pattern.fullmatch(custom_id) for pattern in patterns)


def forged(head: str, values: dict[str, tuple[str, ...]], random: Random) -> Iterator[str]:
    """Custom ids of a family: with each value of each field once, and at random."""
    family = [pattern for pattern in PATTERNS if head_of(pattern) == head]
    for names in dict.fromkeys(tuple(pattern.groupindex) for pattern in family):
        yield from forged_with(names, head, family, values, random)


def forged_with(
    names: tuple[str, ...],
    head: str,
    family: list[re.Pattern[str]],
    values: dict[str, tuple[str, ...]],
    random: Random,
) -> Iterator[str]:
    """Custom ids of a family that have these fields."""
    pools = {name: values.get(name, OF_NUMBERS) for name in names}

    def joined(fields: dict[str, str]) -> str:
        parts = [fields[name] for name in names]
        return ":".join([head, *parts] if head else parts)

    usual = {name: pools[name][0] for name in names}
    for name in {"what", "option"} & usual.keys():
        usual[name] = next(
            word for word in pools[name] if is_served(joined(usual | {name: word}), family)
        )
    whole = list(
        dict.fromkeys(joined(usual | {name: value}) for name in names for value in pools[name])
    )
    for number in range(ROUNDS):
        fields = {name: random.choice(pools[name]) for name in names}
        # Half of them reach whoever serves the family.
        while number % 2 and not is_served(joined(fields), family):
            fields = {name: random.choice(pools[name]) for name in names}
        whole.append(joined(fields))
    # With fields missing at the end, and with too many.
    whole += [joined(usual).rpartition(":")[0], f"{joined(usual)}:", f"{joined(usual)}:x:y"]
    yield from (custom_id for custom_id in whole if 0 < len(custom_id) <= CUSTOM_ID)


@pytest.mark.parametrize("family", dict.fromkeys(map(head_of, PATTERNS)))
async def test_forged_ids_get_a_private_answer_and_change_nothing(
    stage: Stage, family: str
) -> None:
    table = await stage.started()
    opened = await stage.lobby(stage.bea)
    lobby = match_of(opened.message)
    await stage.settled(lambda: lobby in stage.noted_lobbies(), "the lobby's message to be noted")
    board = table.board
    kept = board.components
    # Whoever may do nothing here, a player, and whoever manages the server, who is the other
    # player.
    people: dict[str, list[Person]] = {
        "w": [stage.cem],
        "n": [stage.cem],
        "l": [stage.cem],
        "s": [stage.cem, stage.ana],
    }
    pressing = people.get(family, [stage.cem, stage.bea])
    random = Random(family)
    served = 0
    for custom_id in forged(family, values_of(table, lobby), random):
        person = random.choice(pressing)
        served += is_served(custom_id, PATTERNS)
        values = random.choice((["x"], ["17"], [""], ["zz", "x"], ["@everyone"], ["9" * 20]))
        async with unchanged(stage):
            planted(board, custom_id)
            check(
                await person.click(board, custom_id=custom_id, forged=True),
                f"{custom_id} by {person.name}",
            )
            planted(board, custom_id, 3)
            chosen = await person.choose(board, custom_id, values, forged=True)
            check(chosen, f"{custom_id} {values} by {person.name}")
            board.components = kept
    assert served >= ROUNDS / 2, "most of them reach whoever serves the family"
