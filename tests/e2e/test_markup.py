"""No command repeats markup: every text option is filled with hostile text."""

import re

from bot.local import Impossible
from bot.local.command_limits import STRING
from bot.local.model import Message
from bot.local.slash import commands
from engine import Seat
from tests.e2e.harness import Stage, answer_messages

HOSTILE = (
    *("**evil**", "__evil__", "_evil_", "*evil*", "~~evil~~", "||evil||", "`evil`", "```evil```"),
    *(
        "[evil](http://e.x)",
        "<http://e.x>",
        "http://evil.example",
        "<@666>",
        "<@!666>",
        "<@&666>",
        "<#666>",
    ),
    *(
        "<t:666:R>",
        "</evil:666>",
        "<:evil:666>",
        "<id:guide>",
        "@everyone",
        "@here",
        "# evil",
        "> evil",
        "- evil",
    ),
)
"""Each short enough to be repeated whole."""
SHARE = 3
"""One in how many of them an option is given: what repeats one text repeats any."""
FILLED = {"to": "1", "game": "blue_lagoon", "move": "18", "text": "hello", "player": "Bea"}
"""What else a command needs so that the hostile text is looked at."""
SHAPED = {
    "settings": ("{}", "map={}", "first={}", "{}=1"),
    "unless": ("{}", "18 {}"),
    "move": ("{}", "{}!", "18, {}"),
}
"""Texts that hide it where it is read as a part of something."""
BESIDE = {"unless": {"move": "18"}, "quiet": {}, "zone": {}, "digest": {}}


def unescaped(shown: str) -> str:
    """Return the text in which Discord would read markup: without escapes and code."""
    return re.sub(r"`[^`\n]*`", "", re.sub(r"\\.", "", shown))


def words_of(message: Message) -> str:
    return "\n".join([message.content, *(str(embed) for embed in message.embeds)])


async def test_no_command_repeats_markup(stage: Stage) -> None:
    table = await stage.start_match()
    people = [table.person(Seat(1)), table.person(Seat(0)), stage.cem]
    walked: set[tuple[str, str]] = set()
    for name, command in commands(stage.discord.state, table.place, people[0].user).items():
        texts = [
            option
            for option in command.options
            if option["type"] == STRING and not option.get("choices")
        ]
        needed = {
            option["name"]: FILLED[option["name"]] for option in texts if option.get("required")
        }
        for option in texts:
            key = option["name"]
            walked.add((name, key))
            for number, hostile in enumerate(HOSTILE[len(walked) % SHARE :: SHARE]):
                for shape in SHAPED.get(key, ("{}",)):
                    # The player to move tries every text; the others take turns.
                    person = people[number % len(people)] if key == "match" else people[0]
                    typed = shape.format(hostile)
                    try:
                        answer = await person.slash(
                            f"/{name}",
                            channel=table.place,
                            options={**needed, **BESIDE.get(key, {}), key: typed},
                        )
                    except Impossible as impossible:
                        raise AssertionError((name, key)) from impossible
                    for message in answer_messages(answer):
                        shown = unescaped(words_of(message))
                        assert hostile not in shown, (name, key, typed, words_of(message))
                        assert message.ephemeral or name == "game new", (name, key, typed)
    assert {
        ("me settings", "zone"),
        ("plan", "unless"),
        ("play", "move"),
        ("game new", "settings"),
    } <= walked
