"""What the bot showed: to the one who asked, and to anybody."""

import copy
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from bot.local import interactions, objects
from bot.local.errors import Json
from bot.local.interactions import Interaction
from bot.local.model import Channel, Message, User
from bot.local.state import State

if TYPE_CHECKING:
    from bot.local.server import LocalDiscord

Wait = Literal["answer", "ack", "nothing"]
"""How long to wait: for the answer proper, for any sign of life, or not at all."""

NEVER_SHOWN = frozenset({"token", "custom_id"})


@dataclass(frozen=True)
class Sight:
    """Something that was shown, as it was shown: a message made, changed or taken away, or
    choices.
    """

    kind: str
    channel: Channel
    only_for: User | None
    data: Json
    files: dict[str, bytes] = field(default_factory=dict, repr=False)

    @classmethod
    def of(cls, state: State, kind: str, subject: object) -> "Sight | None":
        """What a change shows, if anything."""
        if isinstance(subject, Message):
            return cls(
                kind,
                subject.channel,
                subject.only_for,
                objects.message(state, subject),
                subject.files,
            )
        if isinstance(subject, Interaction) and subject.answer == interactions.CHOICES:
            return cls(
                kind, subject.channel, subject.user, {"choices": copy.deepcopy(subject.choices)}
            )
        return None

    @property
    def text(self) -> str:
        """All words in it, for looking for what should not be there."""
        return "\n".join(_strings(self.data))


def _strings(part: Any) -> list[str]:
    if isinstance(part, str):
        return [part]
    if isinstance(part, dict):
        return [
            text for key, item in part.items() if key not in NEVER_SHOWN for text in _strings(item)
        ]
    if isinstance(part, list):
        return [text for item in part for text in _strings(item)]
    return []


class Response:
    """What the bot made of something a person did. It goes on as the bot edits and follows up."""

    def __init__(self, discord: "LocalDiscord", interaction: Interaction) -> None:
        self.discord = discord
        self.interaction = interaction

    def __repr__(self) -> str:
        found = self.interaction
        state = (
            "failed"
            if found.expired
            else "pending"
            if found.answer is None
            else f"answer {found.answer}"
        )
        return f"<Response {state}, {found.steps} steps: {self.text[:80]!r}>"

    @property
    def expired(self) -> bool:
        """No answer came within 3 seconds: 'This interaction failed'."""
        return self.interaction.expired

    @property
    def acknowledged(self) -> bool:
        """The bot has answered in some way."""
        return self.interaction.answer is not None

    @property
    def thinking(self) -> bool:
        """The answer was put off, and nothing has come of it yet."""
        return self.interaction.deferred

    @property
    def ephemeral(self) -> bool:
        """Whether only the asker sees the answer."""
        return self.interaction.ephemeral

    @property
    def message(self) -> Message:
        """The answer: the new message, or the one that a click changed."""
        found = self.interaction.original
        if found is None:
            raise LookupError(f"{self!r} has no message")
        return found

    @property
    def followups(self) -> list[Message]:
        """Further messages after the answer."""
        return list(self.interaction.followups)

    @property
    def messages(self) -> list[Message]:
        """The answer and the follow-ups, those deleted left out."""
        every = [self.interaction.original, *self.interaction.followups]
        return [message for message in every if message is not None and not message.deleted]

    @property
    def last(self) -> Message:
        """The newest of them."""
        return self.messages[-1]

    @property
    def private(self) -> Message:
        """The newest of them, which must be for the asker alone."""
        if not self.last.ephemeral:
            raise LookupError(f"{self!r} is not private")
        return self.last

    @property
    def text(self) -> str:
        """All that can be read in the answer and the follow-ups."""
        return "\n".join(message.text for message in self.messages)

    @property
    def content(self) -> str:
        """The answer's content."""
        return self.message.content

    @property
    def embeds(self) -> list[Json]:
        """The answer's embeds."""
        return self.message.embeds

    @property
    def components(self) -> list[Json]:
        """The answer's components."""
        return self.message.components

    @property
    def files(self) -> dict[str, bytes]:
        """The bytes of the answer's files by name."""
        return self.message.files

    @property
    def choices(self) -> list[Json]:
        """What autocompletion offers: names and values."""
        return self.interaction.choices

    @property
    def values(self) -> list[str]:
        """The values of the choices."""
        return [choice["value"] for choice in self.choices]

    async def until(self, condition: Callable[["Response"], bool]) -> "Response":
        """Wait until something holds of it."""
        await self.discord.until(lambda: condition(self), about=repr(self))
        return self

    async def settle(self, wait: Wait = "answer") -> "Response":
        """Wait for the answer, or for its failing to come."""
        if wait == "nothing":
            return self
        if wait == "ack":
            return await self.until(lambda r: r.expired or r.acknowledged)
        return await self.until(lambda r: r.expired or (r.acknowledged and not r.thinking))
