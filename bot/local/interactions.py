"""The life of an interaction: answered once within 3 seconds, then edited and followed up.

Discord gives an interaction a token with which the bot responds. The first response must come
within 3 seconds; edits and follow-ups may come for 15 minutes.
"""

import copy
import secrets
from dataclasses import dataclass, field

from bot.local import components, objects
from bot.local.command_limits import SUBCOMMAND, check_choices
from bot.local.errors import BodyCheck, Json, Refusal
from bot.local.form_limits import check_form
from bot.local.model import (
    COMMAND_ANSWER,
    COMPONENTS_V2,
    EPHEMERAL,
    LOADING,
    Channel,
    Files,
    Message,
    Thread,
    User,
)
from bot.local.posting import Posting, refuse_archived
from bot.local.state import State

ANSWER_SECONDS = 3
TOKEN_SECONDS = 15 * 60

COMMAND, COMPONENT, AUTOCOMPLETE, SUBMISSION = 2, 3, 4, 5
"""Discord's types of interactions, without those that Motu does not use."""

MESSAGE, DEFER, DEFER_UPDATE, UPDATE, CHOICES, FORM = 4, 5, 6, 7, 8, 9
"""Discord's types of responses.

`MESSAGE` posts a message, and `DEFER` posts "Motu is thinking…" to be edited later. `UPDATE` edits
the message whose component was used, and `DEFER_UPDATE` announces such an edit. `CHOICES` answers
autocompletion. `FORM` opens a form (a modal) for the person to fill in.
"""

ALLOWED_RESPONSES = {
    COMMAND: (MESSAGE, DEFER, FORM),
    COMPONENT: (MESSAGE, DEFER, DEFER_UPDATE, UPDATE, FORM),
    AUTOCOMPLETE: (CHOICES,),
    # A form that a command has opened has no message to update.
    SUBMISSION: (MESSAGE, DEFER, DEFER_UPDATE, UPDATE),
}


@dataclass(eq=False)
class Interaction:
    """A command, a press, an autocompletion or a submitted form that the bot has to answer."""

    id: int
    token: str
    kind: int
    user: User
    channel: Channel
    data: Json
    created: float
    message: Message | None = None
    """The message whose component was used, be it to open the form that is submitted."""
    trigger: "Interaction | None" = None
    """The interaction that opened the form which this one submits."""
    answer: int | None = None
    """The type of the first response; None until there is one."""
    deferred: bool = False
    """Whether the response was deferred and has not been edited yet."""
    ephemeral: bool = False
    original: Message | None = None
    """The response: a new message, or the one whose component was used."""
    followups: list[Message] = field(default_factory=list)
    choices: list[Json] = field(default_factory=list)
    form: Json | None = None
    """The form that the bot has opened."""
    steps: int = 0
    """How often the bot has responded, edited or followed up."""
    expired: bool = False
    """Whether no response came in time; the client then shows "This interaction failed"."""


class Interactions:
    """The interactions whose tokens are still valid."""

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
        message: Message | None = None,
        trigger: Interaction | None = None,
    ) -> Interaction:
        """Start an interaction, of which the gateway tells the bot."""
        clock = self.state.clock
        token = secrets.token_urlsafe(48)
        interaction = Interaction(
            self.state.snowflake(), token, kind, user, channel, data, clock.now(), message, trigger
        )
        self.by_token[token] = interaction

        def expire() -> None:
            if interaction.answer is None:
                interaction.expired = True
                self.state.notify("interaction_expire", interaction)

        clock.call_at(interaction.created + ANSWER_SECONDS, expire)
        # Forgotten with its token, so that its messages and their pictures do not pile up.
        clock.call_at(interaction.created + TOKEN_SECONDS, lambda: self.by_token.pop(token, None))
        self.state.notify("interaction_create", interaction)
        return interaction

    def redeliver(self, interaction: Interaction) -> None:
        """Let the gateway deliver an interaction twice, as Discord sometimes does."""
        self.state.notify("interaction_create", interaction)

    def _count_step(self, interaction: Interaction) -> None:
        interaction.steps += 1
        self.state.notify("interaction_step", interaction)

    # The first response

    def respond(self, interaction_id: int, token: str, body: Json, files: Files) -> Json:
        """Carry out the first response, and return what Discord tells the bot about it."""
        interaction = self.by_token.get(token)
        # After 3 seconds Discord does not know the interaction any more.
        if interaction is None or interaction.id != interaction_id or interaction.expired:
            raise Refusal(10062)
        if interaction.answer is not None:
            raise Refusal(40060)
        if interaction.channel.gone:
            raise Refusal(10003)
        check = BodyCheck()
        check.only_fields((), body, ("type", "data"))
        check.is_one_of(("type",), body.get("type"), _allowed_responses(interaction))
        check.raise_errors()
        kind: int = body["type"]
        data = body.get("data") or {}
        try:
            if kind == CHOICES:
                self._offer_choices(interaction, data)
            elif kind == FORM:
                self._open_form(interaction, data)
            elif kind == MESSAGE:
                self._post_response(interaction, data, files)
            elif kind == DEFER:
                self._post_loading(interaction, data)
            else:
                self._update_message(interaction, kind, data, files)
        except Refusal as refusal:
            # The errors are those of `data`, which is one level down in the body.
            if refusal.errors is not None:
                refusal.errors = {"data": refusal.errors}
            raise
        interaction.answer = kind
        self._count_step(interaction)
        return self._describe_response(interaction)

    def _offer_choices(self, interaction: Interaction, data: Json) -> None:
        """Answer autocompletion."""
        check = BodyCheck()
        check.only_fields((), data, ("choices",))
        check_choices(check, ("choices",), data.get("choices", []))
        check.raise_errors()
        interaction.choices = copy.deepcopy(data["choices"])

    def _open_form(self, interaction: Interaction, data: Json) -> None:
        """Respond with a form."""
        check_form(data)
        interaction.form = copy.deepcopy(data)
        components.number(interaction.form["components"])

    def _post_response(self, interaction: Interaction, data: Json, files: Files) -> None:
        """Respond with a new message."""
        refuse_archived(interaction.channel)
        message = self._compose(interaction, data, files, ephemeral=_is_ephemeral(data))
        interaction.ephemeral = message.ephemeral
        interaction.original = message
        self.state.add_message(message)

    def _post_loading(self, interaction: Interaction, data: Json) -> None:
        """Respond with a message that says "Motu is thinking…" until it is edited."""
        flags = _check_deferral(data)
        refuse_archived(interaction.channel)
        interaction.ephemeral = bool(flags & EPHEMERAL)
        interaction.deferred = True
        message = Message(
            self.state.snowflake(),
            interaction.channel,
            self.state.bot,
            self.state.clock.now(),
            flags=LOADING | flags,
            only_for=interaction.user if interaction.ephemeral else None,
        )
        self._link(message, interaction)
        interaction.original = message
        self.state.add_message(message)

    def _update_message(
        self, interaction: Interaction, kind: int, data: Json, files: Files
    ) -> None:
        """Edit the message whose component was used, now or later."""
        pressed = interaction.message
        assert pressed is not None
        if kind == UPDATE:
            if pressed.deleted:
                raise Refusal(10008)
            refuse_archived(interaction.channel)
            self.posting.edit(pressed, data, files)
        else:
            _check_deferral(data)
        interaction.deferred = kind == DEFER_UPDATE
        interaction.original = pressed
        interaction.ephemeral = pressed.ephemeral

    def _describe_response(self, interaction: Interaction) -> Json:
        """Return Discord's callback response; discord.py insists on both of its parts."""
        about: Json = {"id": str(interaction.id), "type": interaction.kind}
        resource: Json = {"type": interaction.answer}
        if interaction.original is not None:
            about["response_message_id"] = str(interaction.original.id)
            about["response_message_loading"] = interaction.answer == DEFER
            about["response_message_ephemeral"] = interaction.ephemeral
            if interaction.answer != DEFER_UPDATE:
                resource["message"] = objects.message(self.state, interaction.original)
        return {"interaction": about, "resource": resource}

    # Edits and follow-ups

    def find_by_token(self, application: int, token: str) -> Interaction:
        """Return the interaction that edits and follow-ups with a token belong to."""
        found = self.by_token.get(token)
        if found is None or application != self.state.application:
            raise Refusal(50027)
        # An interaction's webhook exists only once the interaction has been answered.
        if found.answer is None:
            raise Refusal(10015)
        if found.channel.gone:
            raise Refusal(10003)
        return found

    def follow_up(self, interaction: Interaction, body: Json, files: Files) -> Message:
        """Post a further message."""
        refuse_archived(interaction.channel)
        # The first follow-up to "Motu is thinking…" replaces it, ephemeral or not as it was.
        if interaction.answer == DEFER and interaction.deferred:
            return self.edit(interaction, "@original", body, files)
        message = self._compose(interaction, body, files, ephemeral=_is_ephemeral(body))
        interaction.followups.append(message)
        interaction.deferred = False
        self.state.add_message(message)
        self._count_step(interaction)
        return message

    def edit(self, interaction: Interaction, which: str, body: Json, files: Files) -> Message:
        """Edit the response ('@original') or a follow-up."""
        message = self.find_message(interaction, which)
        refuse_archived(interaction.channel)
        if message.flags & LOADING:
            # The edit is the message's first content, so it must be a complete message.
            content = self._compose(interaction, body, files, ephemeral=message.ephemeral)
            for name in ("content", "embeds", "components", "attachments", "mentions"):
                setattr(message, name, getattr(content, name))
            message.flags = message.flags & ~LOADING | content.flags & COMPONENTS_V2
            self.state.change_message(message)
        else:
            self.posting.edit(message, body, files)
        if message is interaction.original:
            interaction.deferred = False
        self._count_step(interaction)
        return message

    def delete(self, interaction: Interaction, which: str) -> None:
        """Delete the response ('@original') or a follow-up."""
        message = self.find_message(interaction, which)
        if message is interaction.original:
            interaction.deferred = False
        self.state.delete_message(message)
        self._count_step(interaction)

    def note_edit(self, message: Message) -> None:
        """Note an edit without a token, which answers presses in a direct message.

        Elsewhere several people may press the same message, and the edit may be due to another.
        """
        if message.channel.recipient is None:
            return
        for interaction in self.by_token.values():
            if interaction.original is message and interaction.answer == DEFER_UPDATE:
                interaction.deferred = False
                self.state.notify("interaction_step", interaction)

    def find_message(self, interaction: Interaction, which: str) -> Message:
        """Return the response ('@original') or a follow-up by its id."""
        original = interaction.original
        for message in (original, *interaction.followups):
            if message is None or message.deleted:
                continue
            if which == str(message.id):
                return message
            if which == "@original" and message is original:
                return message
        raise Refusal(10008)

    def _compose(
        self, interaction: Interaction, body: Json, files: Files, *, ephemeral: bool
    ) -> Message:
        """Return a new message that answers an interaction."""
        only_for = interaction.user if ephemeral else None
        message = self.posting.compose(
            interaction.channel, self.state.bot, body, files, only_for=only_for
        )
        self._link(message, interaction)
        return message

    def _link(self, message: Message, interaction: Interaction) -> None:
        """Note in a message which interaction it answers."""
        message.interaction = _metadata(interaction)
        if interaction.kind == COMMAND:
            message.kind = COMMAND_ANSWER


def _allowed_responses(interaction: Interaction) -> tuple[int, ...]:
    """Return the types of responses that an interaction accepts."""
    allowed = ALLOWED_RESPONSES[interaction.kind]
    if interaction.message is not None:
        return allowed
    return tuple(kind for kind in allowed if kind not in (DEFER_UPDATE, UPDATE))


def _metadata(interaction: Interaction) -> Json:
    """Return what a message says about the interaction that it answers."""
    found: Json = {
        "id": str(interaction.id),
        "type": interaction.kind,
        "user": objects.user(interaction.user),
        "authorizing_integration_owners": {"0": str(interaction.channel.guild)},
    }
    if interaction.kind == COMMAND:
        found["name"] = command_name(interaction.data)
    elif interaction.trigger is not None:
        found["triggering_interaction_metadata"] = _metadata(interaction.trigger)
    elif interaction.message is not None:
        found["interacted_message_id"] = str(interaction.message.id)
    return found


def _check_deferral(data: Json) -> int:
    """Return the flags of a deferral, which can only be ephemeral."""
    check = BodyCheck()
    check.only_fields((), data, ("flags",))
    flags = check.number(("flags",), data.get("flags"), 0, 1 << 31, 0)
    if flags & ~EPHEMERAL:
        check.add_error(("flags",), "MESSAGE_FLAGS_INVALID", "A deferral can only be ephemeral.")
    check.raise_errors()
    return flags


def _is_ephemeral(body: Json) -> bool:
    return bool((body.get("flags") or 0) & EPHEMERAL)


def command_name(data: Json) -> str:
    """Return the name of the command that was used, with its subcommand."""
    nested = [option["name"] for option in data["options"] if option["type"] == SUBCOMMAND]
    return " ".join([data["name"], *nested])


def describe_interaction(state: State, interaction: Interaction) -> Json:
    """Return the payload of the gateway's INTERACTION_CREATE."""
    channel, user = interaction.channel, interaction.user
    granted = str(state.permissions(user, channel))
    payload: Json = {
        "id": str(interaction.id),
        "application_id": str(state.application),
        "type": interaction.kind,
        "token": interaction.token,
        "version": 1,
        "data": interaction.data,
        "channel_id": str(channel.id),
        "channel": {**objects.channel(state, channel), "permissions": granted},
        "locale": user.locale,
        "entitlements": [],
        "app_permissions": str(state.permissions(state.bot, channel)),
        "attachment_size_limit": objects.FILE_LIMIT,
    }
    if interaction.message is not None:
        payload["message"] = objects.message(state, interaction.message)
    # In a direct message Discord sends the user, in a server the member with the user inside.
    if channel.recipient is not None:
        owners = {"0": "0", "1": str(user.id)}
        return {
            **payload,
            "user": objects.user(user),
            "context": 1,
            "authorizing_integration_owners": owners,
        }
    language = objects.guild_language(state)
    return {
        **payload,
        "guild_id": str(channel.guild),
        "guild": {
            "id": str(channel.guild),
            "locale": language["preferred_locale"],
            "features": language["features"],
        },
        "guild_locale": language["preferred_locale"],
        "member": {**objects.member(state, user), "permissions": granted},
        "context": 0,
        "authorizing_integration_owners": {"0": str(channel.guild)},
    }


def accepts_interactions(channel: Channel) -> bool:
    """Return whether commands and components work in a channel."""
    return not channel.gone and not (isinstance(channel, Thread) and channel.archived)
