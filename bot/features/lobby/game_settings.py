"""The settings of a game as text: `key=value key=value`."""

from collections.abc import Mapping

from bot.text import listed, say
from engine import BadSettings, Game, Setting
from engine.core.escape import escaped
from engine.core.words import words_of

MAX_LENGTH = 1000
"""Characters of what is typed."""


def parse(game: "Game[object]", typed: str) -> dict[str, str]:
    """Return the settings in a text; refuse keys and values that the game does not have."""
    if len(typed) > MAX_LENGTH:
        raise BadSettings(say("refusal.settings_too_long", most=MAX_LENGTH))
    known = {setting.key: setting for setting in game.settings}
    found: dict[str, str] = {}
    for word in typed.replace(",", " ").split():
        key, equals, value = word.partition("=")
        if not equals or key not in known:
            settings = listed(f"{setting.key}={setting.default}" for setting in _listed(game))
            raise BadSettings(say("refusal.no_setting_of", word=escaped(word), game=game.title, settings=settings))
        values = [choice.key for choice in known[key].choices]
        if not known[key].free and value not in values:
            raise BadSettings(say("refusal.no_value", setting=key, value=escaped(value), values=listed(values)))
        found[key] = value
    return found


def complete(game: "Game[object]", typed: str) -> list[tuple[str, str]]:
    """Return ways to go on with a text of settings: the name and the whole text of each."""
    *done, last = typed.replace(",", " ").split(" ")
    given = {word.partition("=")[0] for word in done}
    head = " ".join(word for word in done if word)
    wording = words_of(game.id)
    found = []
    for setting in _listed(game):
        for choice in setting.choices:
            word = f"{setting.key}={choice.key}"
            label, value = wording.setting(setting.key), wording.choice(setting.key, choice.key)
            name = say("lobby.setting", setting=label, value=value)
            if setting.key not in given and (last.casefold() in word or last.casefold() in name.casefold()):
                found.append((name, f"{head} {word}".strip()))
    return [(name[:100], text) for name, text in found if len(text) <= 100]


def fitting(game: "Game[object]", seats: int, chosen: Mapping[str, str]) -> list[tuple[Setting, list[str]]]:
    """Return the settings that a table of this size can choose, with their allowed values.

    A value that was chosen and does not fit any more is among them, so that it is seen and can be changed.
    """
    seats = min(max(seats, game.seats[0]), game.seats[-1])
    found = []
    for setting in _listed(game):
        now = chosen.get(setting.key, setting.default)
        values = [choice.key for choice in setting.choices if choice.fits(seats) or choice.key == now]
        if len(values) > 1:
            found.append((setting, values))
    return found


def own_map(game: "Game[object]") -> str:
    """Return the setting that takes a map of the host's own; refuse if the game has none."""
    for setting in game.settings:
        if setting.free:
            return setting.key
    raise BadSettings(say("refusal.no_own_map", game=game.title))


def code(setting: Setting, value: str) -> str:
    """Return the value of a line in a menu that several settings share, such as 'goal-4'."""
    return f"{setting.key}-{[choice.key for choice in setting.choices].index(value)}"


def coded(game: "Game[object]", line: str) -> tuple[str, str]:
    """Return the setting and the value that such a line means."""
    key, _, number = line.rpartition("-")
    for setting in _listed(game):
        if setting.key == key and number.isdecimal() and int(number) < len(setting.choices):
            return key, setting.choices[int(number)].key
    raise BadSettings(say("refusal.no_setting", word=escaped(line), game=game.title))


def _listed(game: "Game[object]") -> list[Setting]:
    return [setting for setting in game.settings if not setting.free]
