"""Everything the bot has shown, for tests: its response to a person, and snapshots of messages."""

import copy
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from bot.local import interactions, objects
from bot.local.errors import Json
from bot.local.forms import Form
from bot.local.interactions import Interaction
from bot.local.model import Channel, Message, User
from bot.local.state import State

if TYPE_CHECKING:
    from bot.local.server import LocalDiscord

Wait = Literal["answer", "ack", "nothing"]
"""How long to wait: for the response itself, for a deferral at least, or not at all."""

HIDDEN_FIELDS = frozenset({"token", "custom_id"})
"""Fields of Discord's objects that no client shows."""


@dataclass(frozen=True)
class Snapshot:
    """A message, a form or choices of autocompletion, at the moment it was shown or changed."""

    kind: str
    channel: Channel
    only_for: User | None
    data: Json
    files: dict[str, bytes] = field(default_factory=dict, repr=False)

    @classmethod
    def of(cls, state: State, kind: str, subject: object) -> "Snapshot | None":
        """Return a snapshot of what a change shows; None if it shows nothing."""
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
        if isinstance(subject, Interaction) and kind == "interaction_step" and subject.form:
            return cls(kind, subject.channel, subject.user, copy.deepcopy(subject.form))
        return None

    @property
    def text(self) -> str:
        """All text in it, in which tests look for secrets that leaked."""
        return "\n".join(_strings(self.data))


def _strings(part: Any) -> Iterator[str]:
    """Yield all strings in a part of an object that a client may show."""
    if isinstance(part, str):
        yield part
    elif isinstance(part, dict):
        for key, item in part.items():
            if key not in HIDDEN_FIELDS:
                yield from _strings(item)
    elif isinstance(part, list):
        for item in part:
            yield from _strings(item)


class Response:
    """The bot's response to an interaction, which changes as the bot edits and follows up."""

    def __init__(self, discord: "LocalDiscord", interaction: Interaction) -> None:
        self.discord = discord
        self.interaction = interaction

    def __repr__(self) -> str:
        if self.expired:
            state = "failed"
        elif self.acknowledged:
            state = f"answer {self.interaction.answer}"
        else:
            state = "pending"
        return f"<Response {state}, {self.interaction.steps} steps: {self.text[:80]!r}>"

    @property
    def expired(self) -> bool:
        """Whether no response came within 3 seconds: "This interaction failed"."""
        return self.interaction.expired

    @property
    def acknowledged(self) -> bool:
        """Whether the bot has responded, be it with a deferral."""
        return self.interaction.answer is not None

    @property
    def thinking(self) -> bool:
        """Whether the response was deferred and has not been edited yet."""
        return self.interaction.deferred

    @property
    def ephemeral(self) -> bool:
        """Whether only the person who acted sees the response."""
        return self.interaction.ephemeral

    @property
    def message(self) -> Message:
        """The response: a new message, or the one that a press has changed."""
        found = self.interaction.original
        if found is None:
            raise LookupError(f"{self!r} has no message")
        return found

    @property
    def followups(self) -> list[Message]:
        """The messages after the first one."""
        return list(self.interaction.followups)

    @property
    def messages(self) -> list[Message]:
        """The first message and the follow-ups, without deleted ones."""
        every = [self.interaction.original, *self.interaction.followups]
        return [message for message in every if message is not None and not message.deleted]

    @property
    def last(self) -> Message:
        """The newest message."""
        return self.messages[-1]

    @property
    def private(self) -> Message:
        """The newest message, which must be ephemeral."""
        if not self.last.ephemeral:
            raise LookupError(f"{self!r} is not private")
        return self.last

    @property
    def text(self) -> str:
        """All text in the first message and the follow-ups."""
        return "\n".join(message.text for message in self.messages)

    @property
    def content(self) -> str:
        """The content of the first message."""
        return self.message.content

    @property
    def embeds(self) -> list[Json]:
        """The embeds of the first message."""
        return self.message.embeds

    @property
    def components(self) -> list[Json]:
        """The components of the first message."""
        return self.message.components

    @property
    def files(self) -> dict[str, bytes]:
        """The contents of the first message's files by name."""
        return self.message.files

    @property
    def choices(self) -> list[Json]:
        """The names and values that autocompletion offers."""
        return self.interaction.choices

    @property
    def form(self) -> Form:
        """The form that the bot has opened."""
        if self.interaction.form is None:
            raise LookupError(f"{self!r} has no form")
        return Form(self.interaction.form)

    @property
    def values(self) -> list[str]:
        """The values that autocompletion offers."""
        return [choice["value"] for choice in self.choices]

    async def until(self, condition: Callable[["Response"], bool]) -> "Response":
        """Wait until a condition holds for the response."""
        await self.discord.until(lambda: condition(self), about=repr(self))
        return self

    async def wait(self, wait: Wait = "answer") -> "Response":
        """Wait for the response, or until it is too late for one."""
        if wait == "nothing":
            return self
        if wait == "ack":
            return await self.until(lambda r: r.expired or r.acknowledged)
        return await self.until(lambda r: r.expired or (r.acknowledged and not r.thinking))
