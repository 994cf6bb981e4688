"""The life of an interaction: pending, answered once within 3 seconds, edited and followed up for 15 minutes."""

import copy
import secrets
from collections.abc import Callable
from dataclasses import dataclass, field

from bot.local import wire
from bot.local.model import EPHEMERAL, LOADING, V2, Channel, Message, Thread, User
from bot.local.posting import Files, Posting, refuse_archived
from bot.local.refusal import Json, Refusal
from bot.local.rules import command as command_rules
from bot.local.rules.form import Form
from bot.local.rules.modal import check_modal
from bot.local.state import State

ANSWER_SECONDS = 3
TOKEN_SECONDS = 15 * 60

COMMAND, COMPONENT, AUTOCOMPLETE, SUBMIT = 2, 3, 4, 5
"""Kinds of interaction."""

MESSAGE, DEFER, DEFER_UPDATE, UPDATE, CHOICES, MODAL = 4, 5, 6, 7, 8, 9
"""Kinds of answer."""

_NESTED = (command_rules.SUBCOMMAND, command_rules.GROUP)


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
    origin: "Interaction | None" = None
    """For a submitted modal: what opened it."""
    answer: int | None = None
    deferred: bool = False
    """Answered with 'thinking…' and nothing has come of it yet."""
    ephemeral: bool = False
    original: Message | None = None
    followups: list[Message] = field(default_factory=list)
    choices: list[Json] = field(default_factory=list)
    modal: Json | None = None
    steps: int = 0
    """How often the bot has done something about it."""
    expired: bool = False
    """No answer came in time: the person reads 'This interaction failed'."""


class Interactions:
    """All interactions, by token."""

    def __init__(self, state: State, posting: Posting) -> None:
        self.state = state
        self.posting = posting
        self.by_token: dict[str, Interaction] = {}

    def create(
        self,
        kind: int,
        user: User,
        channel: Channel,
        data: Json,
        *,
        message: Message | None = None,
        origin: Interaction | None = None,
    ) -> Interaction:
        """Something a person does; the gateway tells the bot."""
        found = Interaction(self.state.snowflake(), secrets.token_urlsafe(48), kind, user, channel, data, self.now())
        found.message, found.origin = message, origin
        self.by_token[found.token] = found
        self.state.clock.call_at(found.created + ANSWER_SECONDS, lambda: self._expire(found))
        self.state.tell("interaction_create", found)
        return found

    def repeat(self, interaction: Interaction) -> None:
        """The gateway tells the bot a second time, as Discord may."""
        self.state.tell("interaction_create", interaction)

    def now(self) -> float:
        """The time."""
        return self.state.clock.now()

    def _expire(self, interaction: Interaction) -> None:
        if interaction.answer is None:
            interaction.expired = True
            self.state.tell("interaction_expire", interaction)

    # The first answer

    def callback(self, interaction_id: int, token: str, body: Json, files: Files) -> Json:
        """Take the first answer; what Discord tells the bot about it."""
        interaction = self.by_token.get(token)
        if interaction is None or interaction.id != interaction_id or interaction.expired:
            raise Refusal(10062)
        if interaction.answer is not None:
            raise Refusal(40060)
        if interaction.channel.gone:
            raise Refusal(10003)
        kind = self._allowed(interaction, body)
        handle: dict[int, Callable[[Interaction, Json, Files], None]] = {
            MESSAGE: self._reply,
            DEFER: self._defer,
            DEFER_UPDATE: self._defer_update,
            UPDATE: self._update,
            CHOICES: self._offer,
            MODAL: self._open,
        }
        try:
            handle[kind](interaction, body.get("data") or {}, files)
        except Refusal as refusal:
            if refusal.errors is not None:
                refusal.errors = {"data": refusal.errors}
            raise
        interaction.answer = kind
        self._step(interaction)
        return self._resource(interaction)

    def _allowed(self, interaction: Interaction, body: Json) -> int:
        form = Form()
        form.known((), body, ("type", "data"))
        on_message = interaction.kind == COMPONENT or (interaction.kind == SUBMIT and interaction.message is not None)
        if interaction.kind == AUTOCOMPLETE:
            allowed: tuple[int, ...] = (CHOICES,)
        else:
            allowed = (MESSAGE, DEFER)
            allowed += (DEFER_UPDATE, UPDATE) if on_message else ()
            allowed += () if interaction.kind == SUBMIT else (MODAL,)
        form.choice(("type",), body.get("type"), allowed)
        form.check()
        return int(body["type"])

    def _reply(self, interaction: Interaction, data: Json, files: Files) -> None:
        refuse_archived(interaction.channel)
        interaction.ephemeral = bool((data.get("flags") or 0) & EPHEMERAL)
        interaction.original = self._compose(interaction, data, files)
        self.state.add_message(interaction.original)

    def _defer(self, interaction: Interaction, data: Json, files: Files) -> None:
        form = Form()
        form.known((), data, ("flags", "tts"))
        flags = form.number(("flags",), data.get("flags"), 0, 1 << 31, 0)
        if flags & ~EPHEMERAL:
            form.wrong(("flags",), "MESSAGE_FLAGS_INVALID", "A deferral can only be ephemeral.")
        form.check()
        refuse_archived(interaction.channel)
        interaction.ephemeral = bool(flags & EPHEMERAL)
        interaction.deferred = True
        interaction.original = self._blank(interaction)
        self.state.add_message(interaction.original)

    def _defer_update(self, interaction: Interaction, data: Json, files: Files) -> None:
        interaction.original = interaction.message
        interaction.deferred = True
        interaction.ephemeral = interaction.message is not None and interaction.message.ephemeral

    def _update(self, interaction: Interaction, data: Json, files: Files) -> None:
        message = interaction.message
        assert message is not None
        if message.deleted:
            raise Refusal(10008)
        refuse_archived(interaction.channel)
        self.posting.revise(message, data, files)
        interaction.original = message
        interaction.ephemeral = message.ephemeral

    def _offer(self, interaction: Interaction, data: Json, files: Files) -> None:
        form = Form()
        form.known((), data, ("choices",))
        focused = focus_of(interaction.data)
        choices = data.get("choices", [])
        command_rules.check_choices(form, ("choices",), choices, focused["type"], registered=False)
        form.check()
        interaction.choices = copy.deepcopy(choices)

    def _open(self, interaction: Interaction, data: Json, files: Files) -> None:
        check_modal(data)
        interaction.modal = copy.deepcopy(data)

    def _resource(self, interaction: Interaction) -> Json:
        about: Json = {"id": str(interaction.id), "type": interaction.kind}
        found: Json = {"interaction": about}
        original = interaction.original
        if interaction.answer in (MESSAGE, DEFER, UPDATE, DEFER_UPDATE) and original is not None:
            about["response_message_id"] = str(original.id)
            about["response_message_loading"] = interaction.answer == DEFER
            about["response_message_ephemeral"] = interaction.ephemeral
        found["resource"] = {"type": interaction.answer}
        if interaction.answer in (MESSAGE, DEFER, UPDATE) and original is not None:
            found["resource"]["message"] = wire.message(self.state, original)
        return found

    # What comes after it

    def of_token(self, application: int, token: str) -> Interaction:
        """The interaction that edits and follow-ups with this token belong to."""
        found = self.by_token.get(token)
        if found is None or application != self.state.application or found.answer is None:
            raise Refusal(10015)
        if self.now() - found.created >= TOKEN_SECONDS:
            raise Refusal(50027)
        if found.channel.gone:
            raise Refusal(10003)
        return found

    def find(self, interaction: Interaction, which: str) -> Message:
        """'@original' or a follow-up by its id."""
        for message in (interaction.original, *interaction.followups):
            if message is None or message.deleted:
                continue
            if which == str(message.id) or (which == "@original" and message is interaction.original):
                return message
        raise Refusal(10008)

    def follow_up(self, interaction: Interaction, body: Json, files: Files) -> Message:
        """A further message; the first one after 'thinking…' takes its place."""
        refuse_archived(interaction.channel)
        if interaction.answer == DEFER and interaction.deferred:
            return self.edit(interaction, "@original", body, files)
        message = self._compose(interaction, body, files)
        interaction.followups.append(message)
        interaction.deferred = False
        self.state.add_message(message)
        self._step(interaction)
        return message

    def edit(self, interaction: Interaction, which: str, body: Json, files: Files) -> Message:
        """Change the answer or a follow-up."""
        message = self.find(interaction, which)
        refuse_archived(interaction.channel)
        if message.flags & LOADING:
            # A mere shell until now: checked and stamped as the message it becomes.
            self._fill_shell(interaction, message, body, files)
        else:
            self.posting.revise(message, body, files)
        if message is interaction.original:
            interaction.deferred = False
        self._step(interaction)
        return message

    def delete(self, interaction: Interaction, which: str) -> None:
        """Take the answer or a follow-up away."""
        message = self.find(interaction, which)
        self.state.delete_message(message)
        interaction.deferred = False
        self._step(interaction)

    def _fill_shell(self, interaction: Interaction, shell: Message, body: Json, files: Files) -> None:
        made = self._compose(interaction, body, files, ephemeral=shell.ephemeral)
        for name in ("content", "embeds", "components", "attachments", "mentions"):
            setattr(shell, name, getattr(made, name))
        shell.flags = shell.flags & ~LOADING | made.flags & V2
        self.state.change_message(shell)

    def _compose(self, interaction: Interaction, body: Json, files: Files, ephemeral: bool | None = None) -> Message:
        if ephemeral is None:
            ephemeral = bool((body.get("flags") or 0) & EPHEMERAL)
        only_for = interaction.user if ephemeral else None
        bot = self.state.bot
        message = self.posting.compose(interaction.channel, bot, body, files, where="webhook", for_one=only_for)
        return self._sealed(interaction, message)

    def _blank(self, interaction: Interaction) -> Message:
        only_for = interaction.user if interaction.ephemeral else None
        message = Message(self.state.snowflake(), interaction.channel, self.state.bot, self.now(), only_for=only_for)
        message.flags = LOADING | (EPHEMERAL if only_for else 0)
        return self._sealed(interaction, message)

    def _sealed(self, interaction: Interaction, message: Message) -> Message:
        message.webhook = self.state.application
        message.interaction = metadata(self.state, interaction)
        message.kind = 20 if interaction.kind == COMMAND else 0
        return message

    def _step(self, interaction: Interaction) -> None:
        interaction.steps += 1
        self.state.tell("interaction_step", interaction)


def focus_of(data: Json) -> Json:
    """The option that is being typed."""
    options: list[Json] = data.get("options", [])
    for option in options:
        if option.get("focused"):
            return option
        if option["type"] in _NESTED:
            return focus_of(option)
    raise LookupError("no option has the focus")


def command_name(data: Json) -> str:
    """The command that was typed, subcommands included."""
    nested = [option for option in data.get("options", []) if option["type"] in _NESTED]
    return " ".join([data["name"], *(command_name(option) for option in nested)])


def metadata(state: State, interaction: Interaction) -> Json:
    """What a message says of the interaction it answers."""
    found: Json = {
        "id": str(interaction.id),
        "type": interaction.kind,
        "user": wire.user(interaction.user),
        "authorizing_integration_owners": {"0": str(state.guild)},
    }
    if interaction.kind == COMMAND:
        found["name"] = command_name(interaction.data)
    if interaction.kind == COMPONENT and interaction.message is not None:
        found["interacted_message_id"] = str(interaction.message.id)
    if interaction.origin is not None:
        found["triggering_interaction_metadata"] = metadata(state, interaction.origin)
    return found


def payload(state: State, interaction: Interaction) -> Json:
    """An interaction as INTERACTION_CREATE tells it."""
    channel = interaction.channel
    found: Json = {
        "id": str(interaction.id),
        "application_id": str(state.application),
        "type": interaction.kind,
        "token": interaction.token,
        "version": 1,
        "data": interaction.data,
        "channel_id": str(channel.id),
        "channel": {
            **wire.channel(state, channel),
            "permissions": str(state.permissions(interaction.user, channel)),
        },
        "locale": interaction.user.locale,
        "entitlements": [],
        "app_permissions": str(state.permissions(state.bot, channel)),
        "attachment_size_limit": wire.FILE_LIMIT,
    }
    if interaction.message is not None:
        found["message"] = wire.message(state, interaction.message)
    return found | (_in_dm(state, interaction) if channel.recipient else _in_guild(state, interaction))


def _in_dm(state: State, interaction: Interaction) -> Json:
    return {
        "user": wire.user(interaction.user),
        "context": 1,
        "authorizing_integration_owners": {"0": "0", "1": str(interaction.user.id)},
    }


def _in_guild(state: State, interaction: Interaction) -> Json:
    granted = str(state.permissions(interaction.user, interaction.channel))
    return {
        "guild_id": str(state.guild),
        "guild": {"id": str(state.guild), "locale": "en-US", "features": []},
        "guild_locale": "en-US",
        "member": {**wire.full_member(state, interaction.user), "permissions": granted},
        "context": 0,
        "authorizing_integration_owners": {"0": str(state.guild)},
    }


def can_be_used(channel: Channel) -> bool:
    """Whether commands and components work in a channel."""
    return not channel.gone and not (isinstance(channel, Thread) and channel.archived)
