"""The life of an interaction: pending, answered once within 3 seconds, edited and followed up
for 15 minutes.
"""

import copy
import secrets
from dataclasses import dataclass, field

from bot.local import objects
from bot.local.command_limits import SUBCOMMAND, check_choices
from bot.local.errors import Form, Json, Refusal
from bot.local.model import COMMAND_ANSWER, EPHEMERAL, LOADING, Channel, Message, Thread, User
from bot.local.posting import Files, Posting, refuse_archived
from bot.local.state import State

ANSWER_SECONDS = 3
TOKEN_SECONDS = 15 * 60

COMMAND, COMPONENT, AUTOCOMPLETE = 2, 3, 4
"""Kinds of interaction."""

MESSAGE, DEFER, DEFER_UPDATE, UPDATE, CHOICES = 4, 5, 6, 7, 8
"""Kinds of answer: a message or 'thinking…', a changed message now or later, what could be
typed.
"""

ALLOWED = {
    COMMAND: (MESSAGE, DEFER),
    COMPONENT: (MESSAGE, DEFER, DEFER_UPDATE, UPDATE),
    AUTOCOMPLETE: (CHOICES,),
}


@dataclass(eq=False)
class Interaction:
    """Something a person did that the bot has to answer."""

    id: int
    token: str
    kind: int
    user: User
    channel: Channel
    data: Json
    created: float
    message: Message | None = None
    """The message whose component was used."""
    answer: int | None = None
    deferred: bool = False
    """The answer was put off and nothing has come of it yet."""
    ephemeral: bool = False
    original: Message | None = None
    """The answer: a new message, or the one whose component was used."""
    followups: list[Message] = field(default_factory=list)
    choices: list[Json] = field(default_factory=list)
    steps: int = 0
    """How often the bot has done something about it."""
    expired: bool = False
    """No answer came in time: the person reads 'This interaction failed'."""


class Interactions:
    """Those that the bot can still do something about."""

    def __init__(self, state: State, posting: Posting) -> None:
        self.state = state
        self.posting = posting
        self.by_token: dict[str, Interaction] = {}

    def create(
        self, kind: int, user: User, channel: Channel, data: Json, message: Message | None = None
    ) -> Interaction:
        """Something a person does; the gateway tells the bot."""
        clock = self.state.clock
        token = secrets.token_urlsafe(48)
        made = Interaction(
            self.state.snowflake(), token, kind, user, channel, data, clock.now(), message
        )
        self.by_token[token] = made
        clock.call_at(made.created + ANSWER_SECONDS, lambda: self._expire(made))
        # With its token dead it is of no use to anybody, and it holds on to messages and their
        # pictures.
        clock.call_at(made.created + TOKEN_SECONDS, lambda: self.by_token.pop(token, None))
        self.state.tell("interaction_create", made)
        return made

    def repeat(self, interaction: Interaction) -> None:
        """The gateway tells the bot a second time, as Discord may."""
        self.state.tell("interaction_create", interaction)

    def _expire(self, interaction: Interaction) -> None:
        if interaction.answer is None:
            interaction.expired = True
            self.state.tell("interaction_expire", interaction)

    def _step(self, interaction: Interaction) -> None:
        interaction.steps += 1
        self.state.tell("interaction_step", interaction)

    # The first answer

    def callback(self, interaction_id: int, token: str, body: Json, files: Files) -> Json:
        """Take the first answer; what Discord tells the bot about it."""
        interaction = self.by_token.get(token)
        # Too late is as good as never asked, whatever the bot has done meanwhile.
        if interaction is None or interaction.id != interaction_id or interaction.expired:
            raise Refusal(10062)
        if interaction.answer is not None:
            raise Refusal(40060)
        if interaction.channel.gone:
            raise Refusal(10003)
        form = Form()
        form.known((), body, ("type", "data"))
        form.choice(("type",), body.get("type"), ALLOWED[interaction.kind])
        form.check()
        kind: int = body["type"]
        try:
            self._answer(interaction, kind, body.get("data") or {}, files)
        except Refusal as refusal:
            if refusal.errors is not None:
                refusal.errors = {"data": refusal.errors}
            raise
        interaction.answer = kind
        self._step(interaction)
        return self._outcome(interaction)

    def _answer(self, interaction: Interaction, kind: int, data: Json, files: Files) -> None:
        if kind == CHOICES:
            form = Form()
            form.known((), data, ("choices",))
            check_choices(form, ("choices",), data.get("choices", []))
            form.check()
            interaction.choices = copy.deepcopy(data["choices"])
        elif kind == MESSAGE:
            refuse_archived(interaction.channel)
            message = self._compose(interaction, data, files, ephemeral=_wants_ephemeral(data))
            interaction.ephemeral = message.ephemeral
            interaction.original = message
            self.state.add_message(message)
        elif kind == DEFER:
            form = Form()
            form.known((), data, ("flags",))
            flags = form.number(("flags",), data.get("flags"), 0, 1 << 31, 0)
            if flags & ~EPHEMERAL:
                form.wrong(("flags",), "MESSAGE_FLAGS_INVALID", "A deferral can only be ephemeral.")
            form.check()
            refuse_archived(interaction.channel)
            interaction.ephemeral = bool(flags & EPHEMERAL)
            interaction.deferred = True
            interaction.original = self._thinking(interaction)
            self.state.add_message(interaction.original)
        else:
            pressed = interaction.message
            assert pressed is not None
            if kind == UPDATE:
                if pressed.deleted:
                    raise Refusal(10008)
                refuse_archived(interaction.channel)
                self.posting.revise(pressed, data, files)
            interaction.deferred = kind == DEFER_UPDATE
            interaction.original = pressed
            interaction.ephemeral = pressed.ephemeral

    def _outcome(self, interaction: Interaction) -> Json:
        """What Discord says of an answer that it took; discord.py insists on both parts."""
        about: Json = {"id": str(interaction.id), "type": interaction.kind}
        resource: Json = {"type": interaction.answer}
        if interaction.original is not None:
            about["response_message_id"] = str(interaction.original.id)
            about["response_message_loading"] = interaction.answer == DEFER
            about["response_message_ephemeral"] = interaction.ephemeral
            if interaction.answer != DEFER_UPDATE:
                resource["message"] = objects.message(self.state, interaction.original)
        return {"interaction": about, "resource": resource}

    # What comes after it

    def of_token(self, application: int, token: str) -> Interaction:
        """The interaction that edits and follow-ups with this token belong to."""
        found = self.by_token.get(token)
        if found is None or application != self.state.application:
            raise Refusal(50027)
        # There is no webhook until the interaction has been answered.
        if found.answer is None:
            raise Refusal(10015)
        if found.channel.gone:
            raise Refusal(10003)
        return found

    def follow_up(self, interaction: Interaction, body: Json, files: Files) -> Message:
        """A further message.

        The first one after 'thinking…' takes its place, private or not as that was.
        """
        refuse_archived(interaction.channel)
        if interaction.answer == DEFER and interaction.deferred:
            return self.edit(interaction, "@original", body, files)
        message = self._compose(interaction, body, files, ephemeral=_wants_ephemeral(body))
        interaction.followups.append(message)
        interaction.deferred = False
        self.state.add_message(message)
        self._step(interaction)
        return message

    def edit(self, interaction: Interaction, which: str, body: Json, files: Files) -> Message:
        """Change the answer ('@original') or a follow-up."""
        message = self.find(interaction, which)
        refuse_archived(interaction.channel)
        if message.flags & LOADING:
            # A mere shell until now: checked as the new message that it becomes.
            made = self._compose(interaction, body, files, ephemeral=message.ephemeral)
            for name in ("content", "embeds", "components", "attachments", "mentions"):
                setattr(message, name, getattr(made, name))
            message.flags &= ~LOADING
            self.state.change_message(message)
        else:
            self.posting.revise(message, body, files)
        if message is interaction.original:
            interaction.deferred = False
        self._step(interaction)
        return message

    def find(self, interaction: Interaction, which: str) -> Message:
        """Return the answer ('@original') or a follow-up by its id."""
        for message in (interaction.original, *interaction.followups):
            if message is None or message.deleted:
                continue
            if which == str(message.id) or (
                which == "@original" and message is interaction.original
            ):
                return message
        raise Refusal(10008)

    # Messages that answer

    def _compose(
        self, interaction: Interaction, body: Json, files: Files, *, ephemeral: bool
    ) -> Message:
        only_for = interaction.user if ephemeral else None
        message = self.posting.compose(
            interaction.channel, self.state.bot, body, files, only_for=only_for
        )
        return self._answering(interaction, message)

    def _thinking(self, interaction: Interaction) -> Message:
        only_for = interaction.user if interaction.ephemeral else None
        now = self.state.clock.now()
        message = Message(
            self.state.snowflake(), interaction.channel, self.state.bot, now, only_for=only_for
        )
        message.flags = LOADING | (EPHEMERAL if only_for else 0)
        return self._answering(interaction, message)

    def _answering(self, interaction: Interaction, message: Message) -> Message:
        """A message with what it says of the interaction it answers."""
        message.interaction = {
            "id": str(interaction.id),
            "type": interaction.kind,
            "user": objects.user(interaction.user),
            "authorizing_integration_owners": {"0": str(interaction.channel.guild)},
        }
        if interaction.kind == COMMAND:
            message.kind = COMMAND_ANSWER
            message.interaction["name"] = command_name(interaction.data)
        elif interaction.message is not None:
            message.interaction["interacted_message_id"] = str(interaction.message.id)
        return message


def _wants_ephemeral(body: Json) -> bool:
    return bool((body.get("flags") or 0) & EPHEMERAL)


def command_name(data: Json) -> str:
    """The command that was typed, with its subcommand."""
    nested = [option["name"] for option in data["options"] if option["type"] == SUBCOMMAND]
    return " ".join([data["name"], *nested])


def payload(state: State, interaction: Interaction) -> Json:
    """An interaction as INTERACTION_CREATE tells it."""
    channel, user = interaction.channel, interaction.user
    granted = str(state.permissions(user, channel))
    found: Json = {
        "id": str(interaction.id),
        "application_id": str(state.application),
        "type": interaction.kind,
        "token": interaction.token,
        "version": 1,
        "data": interaction.data,
        "channel_id": str(channel.id),
        "channel": {**objects.channel(state, channel), "permissions": granted},
        "locale": "en-US",
        "entitlements": [],
        "app_permissions": str(state.permissions(state.bot, channel)),
        "attachment_size_limit": objects.FILE_LIMIT,
    }
    if interaction.message is not None:
        found["message"] = objects.message(state, interaction.message)
    if channel.recipient is not None:
        owners = {"0": "0", "1": str(user.id)}
        return {
            **found,
            "user": objects.user(user),
            "context": 1,
            "authorizing_integration_owners": owners,
        }
    return {
        **found,
        "guild_id": str(channel.guild),
        "guild": {"id": str(channel.guild), "locale": "en-US", "features": []},
        "guild_locale": "en-US",
        "member": {**objects.member(state, user), "permissions": granted},
        "context": 0,
        "authorizing_integration_owners": {"0": str(channel.guild)},
    }


def can_be_used(channel: Channel) -> bool:
    """Whether commands and components work in a channel."""
    return not channel.gone and not (isinstance(channel, Thread) and channel.archived)
