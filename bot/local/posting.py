"""Making messages out of what the bot sends, and changing them."""

import copy
import io
import mimetypes
from collections import deque
from dataclasses import dataclass, field
from typing import Any

from PIL import Image, UnidentifiedImageError

from bot.local import objects
from bot.local.errors import Json, Refusal
from bot.local.message_limits import check_message, number_of
from bot.local.model import EPHEMERAL, SILENT, Attachment, Channel, Message, Thread, User, mentioned
from bot.local.state import State

FILES_SENT = 20
"""Files beside commands that are kept, for the bot fetches them at once."""
OLD_EDIT_SECONDS = 3600
OLD_EDITS = 5
OLD_EDITS_PER_SECONDS = 600
"""Messages older than an hour take few edits: so many a channel in ten minutes."""


@dataclass(frozen=True)
class Upload:
    """A file as it was sent."""

    filename: str
    data: bytes = field(repr=False)


Files = dict[int, Upload]
"""The files beside a body, by number."""


class Posting:
    """Composes and revises messages by Discord's rules."""

    def __init__(self, state: State) -> None:
        self.state = state
        self._sent: deque[int] = deque()
        self._old_edits: dict[int, list[float]] = {}
        """When old messages were edited of late, by channel."""

    def require_to_post(self, channel: Channel, body: Json, files: Files) -> None:
        """Refuse a post that the bot has no permission for, or that nobody may make now."""
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
        """A new message, checked but not yet shown."""
        check_message(body, files)
        message = Message(
            self.state.snowflake(), channel, author, self.state.clock.now(), only_for=only_for
        )
        message.flags = (EPHEMERAL if only_for else 0) | ((body.get("flags") or 0) & SILENT)
        # discord.py may send a number.
        if body.get("nonce") is not None:
            message.nonce = str(body["nonce"])
        self._fill(message, body, files)
        # One without a sound shows its mention, and notifies nobody.
        message.pings = [] if message.flags & SILENT else list(message.mentions)
        return message

    def revise(self, message: Message, body: Json, files: Files) -> None:
        """Change a message; what the body does not name stays."""
        check_message(body, files, {file.id for file in message.attachments}, is_edit=True)
        parts = ("content", "embeds", "components", "attachments")
        if not any(body.get(part, getattr(message, part)) for part in parts):
            raise Refusal(50006)
        self._fill(message, body, files)
        self.state.change_message(message)

    def limit_old_edits(self, message: Message) -> None:
        """Refuse what Discord refuses about messages older than an hour: too many edits in a
        short time.
        """
        now = self.state.clock.now()
        if now - message.created <= OLD_EDIT_SECONDS:
            return
        edits = self._old_edits.get(message.channel.id, [])
        recent = [moment for moment in edits if now - moment < OLD_EDITS_PER_SECONDS]
        if len(recent) >= OLD_EDITS:
            raise Refusal(30046, retry_after=OLD_EDITS_PER_SECONDS - (now - recent[0]))
        self._old_edits[message.channel.id] = [*recent, now]

    def _fill(self, message: Message, body: Json, files: Files) -> None:
        """Put what a body names into a message.

        Of the attachments that were there those stay that it lists.
        """
        if body.get("attachments") is not None:
            there = {file.id: file for file in message.attachments}
            listed = {number_of(entry): entry for entry in body["attachments"]}
            for dropped in there.keys() - listed.keys():
                self.state.attachments.pop(dropped, None)
            message.attachments = [
                there[number]
                if number in there
                else self._attach(message.channel, entry, files[number])
                for number, entry in listed.items()
            ]
        if "embeds" in body:
            message.embeds = copy.deepcopy(body["embeds"] or [])
        if "components" in body:
            message.components = _numbered(copy.deepcopy(body["components"] or []))
        if "content" in body and (body["content"] or "") != message.content:
            message.content = body["content"] or ""
            message.mentions = self._mentions(message.content, body.get("allowed_mentions"))

    def _attach(self, channel: Channel, entry: Json, upload: Upload) -> Attachment:
        filename = entry.get("filename") or upload.filename
        kind = mimetypes.guess_type(filename)[0]
        file = Attachment(
            self.state.snowflake(), filename, upload.data, entry.get("description"), kind
        )
        if kind is not None and kind.startswith("image/"):
            # The page keeps room for a picture before it is there.
            try:
                with Image.open(io.BytesIO(upload.data)) as picture:
                    file.width, file.height = picture.size
            except (UnidentifiedImageError, OSError):
                pass
        self.state.sign(file, channel)
        return file

    def send_files(self, channel: Channel, data: Json) -> None:
        """Put the files of a command where the bot can fetch them; in the command stand their
        ids.
        """
        sent: dict[str, Json] = {}
        for option in [
            *data["options"],
            *(inner for outer in data["options"] for inner in outer.get("options", [])),
        ]:
            if isinstance(option.get("value"), Upload):
                file = self._attach(channel, {}, option["value"])
                option["value"] = str(file.id)
                sent[option["value"]] = objects.attachment(file)
                self._sent.append(file.id)
        # They belong to no message that would take them along when it goes.
        while len(self._sent) > FILES_SENT:
            self.state.attachments.pop(self._sent.popleft(), None)
        if sent:
            data["resolved"] = {"attachments": sent}

    def _mentions(self, content: str, allowed: Any) -> list[User]:
        """Whom a text calls. Without `allowed_mentions` everybody it names, as Discord has it."""
        ids = mentioned(content)
        if allowed is not None and "users" not in allowed.get("parse", []):
            ids &= {int(user) for user in allowed.get("users", [])}
        return [self.state.users[user] for user in sorted(ids) if user in self.state.users]


def refuse_archived(channel: Channel) -> None:
    """Refuse to write in an archived thread."""
    if isinstance(channel, Thread) and channel.archived:
        raise Refusal(50083)


def _numbered(components: list[Json]) -> list[Json]:
    """Discord gives each component an id of its own within the message."""
    parts = [part for row in components for part in (row, *row["components"])]
    for number, part in enumerate(parts, 1):
        part["id"] = number
    return components
