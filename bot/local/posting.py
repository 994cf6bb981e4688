"""Messages made from what the bot sends, and edits of them, by Discord's rules."""

import copy
import io
import mimetypes
from collections import deque
from typing import Any

from PIL import Image, UnidentifiedImageError

from bot.local import components, objects
from bot.local.errors import Json, Refusal
from bot.local.message_limits import check_message, file_number
from bot.local.model import (
    COMPONENTS_V2,
    EPHEMERAL,
    SILENT,
    Attachment,
    Channel,
    Files,
    Message,
    Thread,
    Upload,
    User,
    mentioned,
)
from bot.local.state import State

MAX_CLIENT_FILES = 20
"""Files sent with commands and forms that are kept. The bot fetches such a file at once."""
OLD_MESSAGE_SECONDS = 3600
OLD_EDITS = 5
OLD_EDITS_PERIOD_SECONDS = 600
"""Of messages older than an hour, Discord lets a bot edit only a few per channel and period."""


class Posting:
    """Composes and edits messages."""

    def __init__(self, state: State) -> None:
        self.state = state
        self._client_files: deque[int] = deque()
        """Ids of the files that were sent with commands and forms, oldest first."""
        self._old_edits: dict[int, list[float]] = {}
        """By channel, the times of its latest edits of old messages."""

    def require_may_post(self, channel: Channel, body: Json, files: Files) -> None:
        """Refuse a message that the bot may not post in a channel."""
        needed = ["send_messages_in_threads" if isinstance(channel, Thread) else "send_messages"]
        if files:
            needed.append("attach_files")
        if body.get("embeds"):
            needed.append("embed_links")
        self.state.require(channel, *needed)
        refuse_archived(channel)
        if channel.recipient is not None and not channel.recipient.takes_dms:
            raise Refusal(50007)

    def compose(
        self,
        channel: Channel,
        author: User,
        body: Json,
        files: Files,
        *,
        only_for: User | None = None,
    ) -> Message:
        """Return a new message that nobody has been shown yet."""
        check_message(body, files)
        message = Message(
            self.state.snowflake(), channel, author, self.state.clock.now(), only_for=only_for
        )
        message.flags = (body.get("flags") or 0) & (SILENT | COMPONENTS_V2)
        if only_for is not None:
            message.flags |= EPHEMERAL
        # discord.py may send a number.
        if body.get("nonce") is not None:
            message.nonce = str(body["nonce"])
        self._fill(message, body, files)
        # A silent message shows its mentions without notifying anybody.
        message.pings = [] if message.flags & SILENT else list(message.mentions)
        return message

    def edit(self, message: Message, body: Json, files: Files) -> None:
        """Change the parts of a message that the body names."""
        check_message(body, files, message)
        # Once a message is a layout, it stays one.
        message_flags = message.flags | (body.get("flags") or 0) & COMPONENTS_V2
        if message_flags & COMPONENTS_V2:
            parts = ["components"]
        else:
            parts = ["content", "embeds", "components", "attachments"]
        if not any(body.get(part, getattr(message, part)) for part in parts):
            raise Refusal(50006)
        message.flags = message_flags
        self._fill(message, body, files)
        self.state.change_message(message)

    def limit_old_edits(self, message: Message) -> None:
        """Refuse an edit of an old message if the channel has had too many of them lately."""
        now = self.state.clock.now()
        if now - message.created <= OLD_MESSAGE_SECONDS:
            return
        edits = self._old_edits.get(message.channel.id, [])
        recent = [moment for moment in edits if now - moment < OLD_EDITS_PERIOD_SECONDS]
        if len(recent) >= OLD_EDITS:
            raise Refusal(30046, retry_after=OLD_EDITS_PERIOD_SECONDS - (now - recent[0]))
        self._old_edits[message.channel.id] = [*recent, now]

    def _fill(self, message: Message, body: Json, files: Files) -> None:
        """Put into a message what the body names."""
        # `attachments` lists all files that the message has from now on, old and new.
        if body.get("attachments") is not None:
            before = {file.id: file for file in message.attachments}
            listed = {file_number(entry): entry for entry in body["attachments"]}
            for dropped in before.keys() - listed.keys():
                self.state.attachments.pop(dropped, None)
            message.attachments = [
                before[number]
                if number in before
                else self._attach(message.channel, entry, files[number])
                for number, entry in listed.items()
            ]
        if "embeds" in body:
            message.embeds = copy.deepcopy(body["embeds"] or [])
        if "components" in body:
            message.components = copy.deepcopy(body["components"] or [])
            components.number(message.components)
            _refer_to_files(message)
        content = message.content
        if message.is_layout:
            content = components.displayed_text(message.components)
        elif "content" in body:
            content = body["content"] or ""
        if content != message.content:
            message.content = content
            message.mentions = self._mentions(content, body.get("allowed_mentions"))

    def _attach(self, channel: Channel, entry: Json, upload: Upload) -> Attachment:
        """Store a file that was sent, with the size of the picture if it is one."""
        filename = entry.get("filename") or upload.filename
        kind = mimetypes.guess_type(filename)[0]
        file = Attachment(
            self.state.snowflake(), filename, upload.data, entry.get("description"), kind
        )
        if kind is not None and kind.startswith("image/"):
            # The page reserves room for a picture while it loads.
            try:
                with Image.open(io.BytesIO(upload.data)) as picture:
                    file.width, file.height = picture.size
            except (UnidentifiedImageError, OSError):
                pass
        self.state.sign(file, channel)
        return file

    def upload_command_files(self, channel: Channel, data: Json) -> None:
        """Store the files in the options of a command, and put their ids into the options."""
        options = list(data["options"])
        for subcommand in data["options"]:
            options += subcommand.get("options", [])
        resolved: dict[str, Json] = {}
        for option in options:
            if isinstance(option.get("value"), Upload):
                file = self.upload_client_file(channel, option["value"])
                option["value"] = file["id"]
                resolved[file["id"]] = file
        if resolved:
            data["resolved"] = {"attachments": resolved}

    def upload_client_file(self, channel: Channel, upload: Upload) -> Json:
        """Store a file that a person sends with a command or a form, and return its object."""
        file = self._attach(channel, {}, upload)
        self._client_files.append(file.id)
        # No message owns these files, so nothing else would ever drop them.
        while len(self._client_files) > MAX_CLIENT_FILES:
            self.state.attachments.pop(self._client_files.popleft(), None)
        return {**objects.attachment(file), "ephemeral": True}

    def _mentions(self, content: str, allowed: Any) -> list[User]:
        """Return the users that a text mentions and is allowed to mention."""
        ids = mentioned(content)
        # Without `allowed_mentions` every mention counts, as on Discord.
        if allowed is not None and "users" not in allowed.get("parse", []):
            ids &= {int(user) for user in allowed.get("users", [])}
        return [self.state.users[user] for user in sorted(ids) if user in self.state.users]


def _refer_to_files(message: Message) -> None:
    """Let a layout refer by name to the message's own files.

    A bot that edits a layout which it has received sends their addresses, which expire.
    """
    for part in components.walk(message.components):
        for item in components.media(part):
            for file in message.attachments:
                if f"/attachments/{message.channel.id}/{file.id}/" in item["url"]:
                    item["url"] = f"{components.ATTACHMENT_SCHEME}{file.filename}"


def refuse_archived(channel: Channel) -> None:
    """Refuse to write in an archived thread."""
    if isinstance(channel, Thread) and channel.archived:
        raise Refusal(50083)
