"""One process speaks several languages: everyone reads their own, a channel reads the server's.

The second language is the made-up one, which has other letters, so a glance tells which is spoken.
"""

import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from bot.local import Person, Response
from bot.local.model import Message
from engine.core import words
from engine.core.words import ENGLISH
from tests.bot.world import World
from tests.language.made_up import LANGUAGE, made_up

WORD = {ENGLISH: re.compile(r"[A-Za-z]*[a-z]{3,}"), LANGUAGE: re.compile(r"[а-яА-Я]{3,}")}
SAME = re.compile(
    r"Ana|Bea|Motu|Local table|Blue Lagoon|Maori|Polynesia|Conquest of "
    r"Paradise|https?:\S+|`[^`]*`|</?[^>]*>|/[a-z]+( [a-z]+)?|\b(?=[a-z]*\d)[a-z\d]{8}\b"
)
"""What is not translated: names, links, codes, mentions, commands and files."""


@pytest.fixture(autouse=True)
def _two_languages(monkeypatch: pytest.MonkeyPatch) -> None:
    read_text = words._read_text

    @cache
    def read(language: str, folders: tuple[Path, ...]) -> Mapping[str, Any]:
        text = read_text(ENGLISH, folders)
        return translated(text) if language == LANGUAGE else text

    monkeypatch.setattr(words, "_read_text", read)
    monkeypatch.setattr(words, "known_languages", lambda: {ENGLISH, LANGUAGE})
    # An id without a digit would look like an English word.
    monkeypatch.setattr("bot.features.lobby.service.ID_LETTERS", "23456789" * 4)


def translated(text: Any) -> Any:
    if isinstance(text, Mapping):
        return {key: translated(value) for key, value in text.items()}
    return made_up(text) if isinstance(text, str) else text


def shown_texts(part: Any) -> Iterator[str]:
    """Yield what people read of a message, without the values and ids behind it."""
    if isinstance(part, str):
        yield part
    elif isinstance(part, Mapping):
        is_choice = "label" in part
        for key, value in part.items():
            if key not in ("custom_id", "type", "url") and not (is_choice and key == "value"):
                yield from shown_texts(value)
    elif isinstance(part, list):
        for item in part:
            yield from shown_texts(item)


def language_of(message: Message) -> str:
    """Return the language of everything in a message: words, labels and alt texts."""
    alt_texts = [file.description or "" for file in message.attachments]
    return language_of_texts([message.content, message.embeds, message.components, alt_texts])


def language_of_texts(parts: Any) -> str:
    """Return the one language of all texts in an object that Discord is sent."""
    said = SAME.sub(" ", "\n".join(shown_texts(parts)))
    found = {language: word.findall(said) for language, word in WORD.items()}
    spoken = [language for language, some in found.items() if some]
    assert len(spoken) == 1, (found, said)
    return spoken[0]


async def press(person: Person, message: Message | Response, what: str) -> Response:
    """Press the button whose id has this in it: labels are in either language."""
    post = message if isinstance(message, Message) else message.message
    ids = [button["custom_id"] for button in post.buttons if what in button["custom_id"]]
    return await person.click(post, custom_id=ids[0])


@pytest.mark.parametrize(("server", "person"), [(ENGLISH, LANGUAGE), (LANGUAGE, ENGLISH)])
async def test_a_player_and_the_server_speak_different_languages(
    world: World, server: str, person: str
) -> None:
    world.discord.state.guild_locale = server
    world.ana.user.locale = person
    world.bea.user.locale = server
    # Discord sends the server's language when the bot connects.
    await world.restart()

    opened = await world.ana.slash("/game new", game="blue_lagoon", settings="first=1")
    assert language_of(opened.message) == server
    await press(world.bea, opened, "join")
    await press(world.ana, opened, "start")
    await world.wait_until_idle()
    [match] = await world.bot.kernel.matches.around(world.ana.id, world.channel.id)
    post = world.newest(match)
    assert language_of(post) == server
    panel = await press(world.ana, post, ":move")
    assert language_of(panel.private) == person

    refused = await world.play(world.ana, match, "nowhere")
    assert language_of(refused.private) == person
    played = await world.play(world.ana, match, "17!")
    assert language_of(played.private) == person
    assert language_of(world.newest(match)) == server

    await world.ana.slash("/me settings", by="direct")
    await world.play(world.bea, match, "18!")

    async def is_reminded() -> bool:
        return len(world.ana.inbox()) == 2

    await world.wait_until(is_reminded)
    assert language_of(world.newest(match)) == server
    assert [language_of(letter) for letter in world.ana.inbox()] == [person, person]

    response = await world.ana.slash("/game pause", channel=world.place(match))
    assert language_of(response.private) == person
    assert language_of(world.newest(match)) == server
    shown = await world.ana.slash("/board", channel=world.place(match), public=True)
    assert language_of(shown.message) == server
    shown = await world.ana.slash("/board", channel=world.place(match), mine=True)
    assert language_of(shown.private) == person
    for command in ("/help", "/games", "/stats", "/leaderboard", "/catchup", "/me settings"):
        place = world.place(match)
        assert language_of((await world.ana.slash(command, channel=place)).private) == person
        assert language_of((await world.bea.slash(command, channel=place)).private) == server
    for command in ("/vacation begin", "/note"):
        form = (await world.ana.slash(command, channel=world.place(match))).interaction.form
        assert language_of_texts(form) == person


async def test_a_match_in_direct_messages_speaks_the_language_of_its_player(world: World) -> None:
    world.ana.user.locale = LANGUAGE
    place = world.discord.dm(world.ana)
    await world.ana.slash("/solo", channel=place, game="blue_lagoon")
    await world.wait_until_idle()
    assert {language_of(message) for message in world.ana.inbox()} == {LANGUAGE}


async def test_a_server_that_cannot_choose_its_language_gets_that_of_the_bot(world: World) -> None:
    world.ana.user.locale = LANGUAGE
    opened = await world.ana.slash("/game new", game="blue_lagoon")
    assert language_of(opened.message) == ENGLISH


async def test_a_deleted_player_is_named_in_the_language_of_the_bot(world: World) -> None:
    world.ana.user.locale = LANGUAGE
    room = await world.start_match()
    await press(world.ana, await world.ana.slash("/me delete"), "forget")
    names = [person.name for person in (await world.reload(room)).record.chairs]
    assert sorted(names) == ["Bea", "a former player"]


async def test_commands_are_described_in_every_language(world: World) -> None:
    command = world.discord.state.commands[None]["rules"]
    assert WORD[LANGUAGE].search(command["description_localizations"][LANGUAGE])
    assert WORD[ENGLISH].search(command["description"])
    option = command["options"][0]
    assert WORD[LANGUAGE].search(option["description_localizations"][LANGUAGE])
    assert command["name_localizations"] == {}
