"""Forged custom ids of every family: a private answer, no error, and nothing changes."""

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
from tests.e2e.test_bad_input import MENU, check, plant, unchanged

ROUNDS = 16
"""Random ids of each family, besides those that have each value in turn."""

OF_NUMBERS = (
    *("0", "1", "2", "9", "99", "999", "999999", "9999999", "9" * 18, "9" * 20),
    *("-1", "1.5", "٣", "x", ""),
)
OF_WORDS = ("", "x", "explode", "_", "-", "+", "z" * 40, "Z", "é", "a:b", "None")
GIVEN = (
    *("", "{}", "[]", "null", "1", '"x"', "{", "é", "\n"),
    *('{"match":"x"}', '{"x":"y"}', '{"interaction":"x"}', '{"game":"maori"}', '{"mine":"x"}'),
    *('{"move":true}', '{"move":"zz"}', '{"move":1}', '{"move":null}', '{"text":true}'),
    *('{"to":"1"}', '{"to":true}', '{"at":true}', '{"speed":"x"}', '{"speed":true}'),
    '{"unless":true,"move":"1"}',
)
"""Options of a command that a button repeats, as they are encoded in its custom id."""

ITEMS = (ChosenMatch, StopButton, *(item for feature in FEATURES for item in feature.items))
PATTERNS = [item.__discord_ui_compiled_template__ for item in ITEMS]


def head_of(pattern: re.Pattern[str]) -> str:
    """Return the prefix of a pattern's custom ids; '' for the many sorts of panel controls."""
    return "" if "action" in pattern.groupindex else pattern.pattern.split(":", 1)[0]


def all_commands() -> list[str]:
    """Return every command as a button names it, and some that do not exist."""
    existing = [name.replace(" ", "-") for name, _ in COMMANDS]
    return [*existing, "game", "vacation", "me", "none", "game-none", "me-settings-x", "-"]


def values_of(table: Table, lobby: str) -> dict[str, tuple[str, ...]]:
    """Return values for each field of a custom id, real ones among false ones."""
    matches = ("aaaaaaaa", "page-0", "page-99", "page-x", "A" * 32, "z" * 33, "_", "")
    keys = "17 17+18 zz all take end on _2 __ first steady none"
    # The actions of all families, except those that the person who presses may rightly take.
    actions = """
        leave computer start cancel hints rated kick claim ask stop review
        fair news unnote rematch move view log rules at next before yes no take withdraw keep drop
        games tables mine open again
    """
    forms = [f"note:{table.id}", f"plan:{table.id}", f"pace:{table.id}", "me:quiet", "vacation"]
    forms += [f"{form}:{lobby}" for form in ("set", "map", "pace", "note")]
    forms += [f"set:{lobby}:{page}" for page in (0, 1, 99)]
    words: dict[str, tuple[str, ...]] = {
        "action": tuple("pgmoucvhe"),
        "match": (table.id, lobby, *matches),
        "kind": ("place_piece", "draw_tile", "reveal_card", *OF_WORDS),
        "key": (*keys.split(), *OF_WORDS),
        "at": ("0" * 16, "f" * 16, "g" * 16, ""),
        "mine": ("m", "", "x"),
        "command": tuple(all_commands()),
        "given": GIVEN,
        "game": ("blue_lagoon", "chess", *OF_WORDS),
        "topic": ("nonsense", *OF_WORDS),
        "where": ("here", "everywhere", *OF_WORDS),
        "form": (*forms, "s:place", "s:nothing", "me:level", *OF_WORDS),
        "what": (*actions.split(), *OF_WORDS),
    }
    words["option"] = words["what"]
    return words


def is_served(custom_id: str, patterns: Iterable[re.Pattern[str]]) -> bool:
    """Return whether a custom id matches one of these patterns."""
    return any(pattern.fullmatch(custom_id) for pattern in patterns)


def forged(head: str, values: dict[str, tuple[str, ...]], random: Random) -> Iterator[str]:
    """Yield custom ids of a family: each value of each field once, then random ones."""
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
    """Yield custom ids of a family with these fields."""
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
        # Half of them reach the code that serves the family.
        while number % 2 and not is_served(joined(fields), family):
            fields = {name: random.choice(pools[name]) for name in names}
        whole.append(joined(fields))
    # With the last field missing, and with too many fields.
    whole += [joined(usual).rpartition(":")[0], f"{joined(usual)}:", f"{joined(usual)}:x:y"]
    yield from (custom_id for custom_id in whole if 0 < len(custom_id) <= CUSTOM_ID)


FAMILIES = list(dict.fromkeys(map(head_of, PATTERNS)))
PAGE = 2
"""Several families share a bot, because starting one takes longer than pressing its buttons."""


@pytest.mark.parametrize("families", [FAMILIES[group::PAGE] for group in range(PAGE)])
async def test_forged_ids_get_a_private_answer_and_change_nothing(
    stage: Stage, families: list[str]
) -> None:
    table = await stage.start_match()
    opened = await stage.open_lobby(stage.bea)
    lobby = match_of(opened.message)
    await stage.wait_until(
        lambda: lobby in stage.noted_lobbies(), "the lobby's message to be noted"
    )
    for family in families:
        await press_forged_ids(table, lobby, family)


async def press_forged_ids(table: Table, lobby: str, family: str) -> None:
    """Press buttons and menus with forged ids of a family; nothing may change."""
    stage = table.stage
    # Cem may do nothing here, and Bea plays.
    people: dict[str, list[Person]] = {
        "w": [stage.cem],
        "n": [stage.cem],
        "l": [stage.cem],
        # Ana manages the server, and may open all forms.
        "f": [stage.cem, stage.bea, stage.ana],
    }
    pressing = people.get(family, [stage.cem, stage.bea])
    board = table.board
    components = board.components
    random = Random(family)
    served = 0
    for custom_id in forged(family, values_of(table, lobby), random):
        person = random.choice(pressing)
        served += is_served(custom_id, PATTERNS)
        values = random.choice((["x"], ["17"], [""], ["zz", "x"], ["@everyone"], ["9" * 20]))
        about = f"{custom_id} {values} by {person.name}"
        async with unchanged(stage):
            if random.random() < 0.5:
                plant(board, custom_id)
                check(await person.click(board, custom_id=custom_id, forged=True), about)
            else:
                plant(board, custom_id, MENU)
                check(await person.choose(board, custom_id, values, forged=True), about)
            board.components = components
    assert served >= ROUNDS / 2, "most of them reach the code that serves the family"
