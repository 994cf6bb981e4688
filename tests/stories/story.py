"""Play a match through the bot, and write down what people read."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from bot.features.play.live_panels import describe_situation
from bot.features.play.panel import CONFIRM, PAGE, PICK
from bot.kernel.room import Room
from bot.local.components import Kind
from bot.local.model import Message
from engine import Match, Seat, begin
from engine.core.story import notation
from engine.core.transcript import replay
from tests.bot.world import Player, World, open_world

HERE = Path(__file__).parent
READERS = ("player", "spectator")
ANA = Seat(0)
NOW = 1_700_000_000
"""When a story takes place: time stands still in it."""


def read_moves(game_id: str) -> Match:
    """Return the match that a game's story tells."""
    return replay((HERE / "moves" / f"{game_id}.txt").read_text(encoding="utf-8"))


class Reader:
    """A person who writes down every message that is new to them, or has changed."""

    def __init__(self, person: Player, title: str, describes_pictures: bool = False) -> None:
        self.person = person
        self.describes_pictures = describes_pictures
        self.lines = [f"# {title}"]
        self._known: dict[int, str] = {}

    def look(self) -> None:
        """Write down what there is to read now."""
        for message in self.person.messages():
            text, known = self._read(message), self._known.get(message.id)
            # A post that only loses its buttons or picture has nothing new to read.
            if known is None or text not in known:
                self.lines += ["", _describe_place(message, is_edited=known is not None), text]
            self._known[message.id] = text

    def note(self, action: str) -> None:
        """Write down what somebody does."""
        self.lines += ["", f"## {action}"]

    def _read(self, message: Message) -> str:
        parts = [] if message.is_layout else [message.content]
        for embed in message.embeds:
            parts += [embed.get("title", ""), embed.get("description", "")]
            parts += [f"{field['name']}: {field['value']}" for field in embed.get("fields", [])]
            parts.append(embed.get("footer", {}).get("text", ""))
        if self.describes_pictures:
            parts += [f"(picture: {file.description})" for file in message.attachments]
        parts += map(_read_component, message.components)
        people = self.person.discord.state.users
        text = "\n".join(part for part in parts if part)
        channels = self.person.discord.state.channel
        text = re.sub(r"<@!?(\d+)>", lambda found: f"@{people[int(found[1])].name}", text)
        text = re.sub(r"<#(\d+)>", lambda found: f"#{channels(int(found[1])).name}", text)
        return re.sub(r"https?://[^\s)]+/\d+", "(link)", text)


def _describe_place(message: Message, is_edited: bool) -> str:
    where = "Only you see this" if message.ephemeral else f"#{message.channel.name}"
    return f"*{where}, edited:*" if is_edited else f"*{where}:*"


def _read_component(part: dict[str, Any]) -> str:
    """Return a text, or a row of buttons or a menu as one line."""
    if part["type"] == Kind.TEXT:
        return str(part["content"])
    read = [_read_component(inner) for inner in part.get("components", ())]
    if part["type"] == Kind.SECTION:
        return " ".join([*read, _read_component(part["accessory"])])
    label = part.get("label") or part.get("placeholder", "")
    choices = [option["label"] for option in part.get("options", [])]
    if choices:
        return f"[{label}: {' / '.join(choices)}]"
    return f"[{label}]" if label else " ".join(read)


class Story:
    """A match between Ana, who presses buttons, and Bea, who types her moves."""

    def __init__(self, world: World, match: Match) -> None:
        self._world = world
        self._match = match
        title = match.game.title
        self._player = Reader(world.ana, f"{title}, as Ana plays it")
        # Each picture is described once, to the spectator: panels show the same board again.
        self._spectator = Reader(world.cem, f"{title}, as a spectator follows it", True)
        self._room: Room
        self._panel: Message | None = None
        """Ana's panel, if it asks her something."""
        self._last_panel: Message | None = None
        """Ana's newest panel, which goes on by itself when it is her turn again."""

    async def tell(self) -> list[str]:
        """Play the match to its end; return what the player and the spectator have read."""
        settings = [f"{key}={value}" for key, value in self._match.settings if value]
        self._player.note("Ana opens a game. Bea joins, and Ana presses [Start].")
        self._room = await self._world.start_match(
            game=self._match.game.id, settings=" ".join(settings)
        )
        self._look()
        stood = begin(
            self._match.game, self._match.seats, dict(self._match.settings), self._match.seed
        )
        for commit in self._match.commits:
            is_turn = stood.question(commit.seat) is not None and not any(
                offer.kind == commit.answers[0].kind for offer in stood.offers(commit.seat)
            )
            if commit.seat == 0 and is_turn:
                await self._press_turn([a.keys for a in commit.answers if not a.forced])
            else:
                await self._type_turn(commit.seat, notation(stood, commit))
            stood = stood.replay(commit)
        room = await self._world.reload(self._room)
        assert room.playing().outcome == self._match.outcome
        readers = (self._player, self._spectator)
        match_id = self._room.record.id
        return ["\n".join(reader.lines).replace(match_id, "MATCH") + "\n" for reader in readers]

    async def _type_turn(self, seat: Seat, written: str) -> None:
        """Have a player type their turn as a transcript writes it, without what is forced."""
        person = (self._world.ana, self._world.bea)[seat]
        words = [word for word in written.split()[1:] if not word.startswith("(")]
        move = f"{' '.join(words)}!"
        if person is self._world.ana:
            self._player.note(f"Ana types /play {move}")
            # The answer to what she types is a panel of its own.
            self._last_panel = None
        panel, before = self._last_panel, await self._world.reload(self._room)
        shown = panel.text if panel else ""
        await self._world.play(person, self._room, move)
        after = await self._world.reload(self._room)
        is_new = describe_situation(before, ANA) != describe_situation(after, ANA)
        if panel is not None and is_new:
            await self._world.discord.until(lambda: panel.text != shown, about="Ana's panel")
        asks = after.playing().question(ANA) is not None
        self._panel = panel if panel and is_new and asks else None
        self._look()

    async def _press_turn(self, chosen: Sequence[tuple[str, ...]]) -> None:
        """Have Ana make her choices in her panel one by one, and confirm them."""
        panel = self._panel or await self._open_panel()
        for keys in chosen:
            panel = await self._choose(panel, keys)
        # A choice that can only end the turn confirms it as well.
        if any(button["custom_id"].startswith(CONFIRM) for button in panel.buttons):
            panel = await self._press(panel, CONFIRM)
        # The panel asks the next question at once if Ana is next.
        goes_on = (await self._world.reload(self._room)).playing().question(ANA) is not None
        self._panel, self._last_panel = panel if goes_on else None, panel

    async def _open_panel(self) -> Message:
        """Have Ana press the button of the newest board that opens her panel."""
        board = self._world.boards(self._room)[-1]
        return await self._press(board, board.button("Your move")["custom_id"])

    async def _choose(self, panel: Message, keys: tuple[str, ...]) -> Message:
        """Choose one or several options, on whichever page of the panel they are."""
        seen: set[str] = set()
        while True:
            for menu in panel.selects:
                if {option["value"] for option in menu["options"]} >= set(keys):
                    self._player.note(f"Ana chooses {' and '.join(keys)}")
                    answer = await self._world.ana.choose(panel, menu["custom_id"], keys)
                    self._look()
                    return answer.last
            ids = [button["custom_id"] for button in panel.buttons]
            wanted = f":{'+'.join(keys)}"
            if any(one.startswith(f"{PICK}:") and one.endswith(wanted) for one in ids):
                return await self._press(panel, PICK, wanted)
            # Where a page has nothing new, its Back leads to the others.
            pages = [one for one in ids if one.startswith(f"{PAGE}:")]
            page = next((one for one in pages if one not in seen), pages[0])
            seen.add(page)
            panel = await self._press(panel, page)

    async def _press(self, message: Message, start: str, end: str = "") -> Message:
        """Have Ana press the button whose id begins and ends like this; return the answer."""
        buttons = [
            button
            for button in message.buttons
            if button["custom_id"].startswith(start) and button["custom_id"].endswith(end)
        ]
        assert buttons, f"no button {start}…{end} in {message.text}"
        button = buttons[0]
        self._player.note(f"Ana presses [{button['label']}]")
        answer = await self._world.ana.click(message, custom_id=button["custom_id"])
        self._look()
        return answer.last

    def _look(self) -> None:
        self._player.look()
        self._spectator.look()


async def tell_story(game_id: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the story of a game's match as the player and as the spectator read it."""
    match = read_moves(game_id)
    async with open_world(
        folder, monkeypatch, now=lambda: NOW, make_seed=lambda: match.seed
    ) as world:
        return await Story(world, match).tell()
