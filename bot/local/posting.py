"""Making messages out of what a bot sends, and changing them."""

import copy
import io
import mimetypes
from collections.abc import Iterator
from typing import Any

from PIL import Image, UnidentifiedImageError

from bot.local.body import Upload
from bot.local.model import EPHEMERAL, SILENT, V2, Attachment, Channel, Message, Thread, User, mentioned, walk
from bot.local.refusal import Json, Refusal
from bot.local.rules.form import Form
from bot.local.rules.message import Uploads, check_message
from bot.local.state import State

Files = dict[int, Upload]

OLD_EDIT_SECONDS = 3600
OLD_EDITS = 5
"""Edits of messages older than an hour that a channel takes in ten minutes."""


class Posting:
    """Composes and revises messages by Discord's rules."""

    def __init__(self, state: State) -> None:
        self.state = state
        self._old_edits: dict[int, list[float]] = {}

    def require_to_post(self, channel: Channel, body: Json, files: Files) -> None:
        """Refuse a post that the bot has no permission for, or that nobody may make now."""
        post = "send_messages_in_threads" if isinstance(channel, Thread) else "send_messages"
        needed = [post]
        if files:
            needed.append("attach_files")
        if body.get("embeds"):
            needed.append("embed_links")
        if body.get("message_reference"):
            needed.append("read_message_history")
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
        where: str = "create",
        for_one: User | None = None,
    ) -> Message:
        """A new message, checked but not yet shown."""
        check_message(body, where=where, uploads=Uploads(sent=files.keys()))
        message = Message(self.state.snowflake(), channel, author, self.state.clock.now(), only_for=for_one)
        message.flags = (body.get("flags") or 0) & ~EPHEMERAL | (EPHEMERAL if for_one else 0)
        if body.get("nonce") is not None:
            message.nonce = str(body["nonce"])
        if body.get("message_reference"):
            message.reference = self._reference(channel, body["message_reference"])
            message.kind = 0 if message.reference is None else 19
        self._fill(message, body, files)
        message.pings = [] if message.flags & SILENT else list(message.mentions)
        return message

    def revise(self, message: Message, body: Json, files: Files) -> None:
        """Change a message; what the body does not name stays."""
        kept = {attachment.id: attachment.filename for attachment in message.attachments}
        uploads = Uploads(sent=files.keys(), kept=kept.keys(), kept_names=kept.values())
        was_v2 = bool(message.flags & V2)
        check_message(body, where="edit", uploads=uploads, was_v2=was_v2)
        if (body.get("flags") or 0) & V2:
            _refuse_leftovers(message, body)
        if not any(
            body.get(part, getattr(message, part)) for part in ("content", "embeds", "components", "attachments")
        ):
            raise Refusal(50006)
        message.flags |= (body.get("flags") or 0) & V2
        self._fill(message, body, files)
        self.state.change_message(message)

    def limit_old_edits(self, message: Message) -> None:
        """Refuse what Discord refuses about messages older than an hour: too many edits in a short time."""
        now = self.state.clock.now()
        if now - message.created <= OLD_EDIT_SECONDS:
            return
        recent = [moment for moment in self._old_edits.get(message.channel.id, []) if now - moment < 600]
        if len(recent) >= OLD_EDITS:
            raise Refusal(30046, retry_after=600 - (now - recent[0]))
        self._old_edits[message.channel.id] = [*recent, now]

    def _fill(self, message: Message, body: Json, files: Files) -> None:
        before = copy.copy(message)
        message.attachments = self._attachments(message, body, files)
        for dropped in set(before.attachments) - set(message.attachments):
            self.state.attachments.pop(dropped.id, None)
        if "content" in body:
            message.content = body["content"] or ""
        if "embeds" in body:
            message.embeds = copy.deepcopy(body["embeds"] or [])
        if "components" in body:
            message.components = number(copy.deepcopy(body["components"] or []))
        _link_files(message)
        if message.content != before.content or message.components != before.components:
            message.mentions = self._called(message, body.get("allowed_mentions"))

    def _attachments(self, message: Message, body: Json, files: Files) -> list[Attachment]:
        if body.get("attachments") is None:
            return list(message.attachments)
        present = {attachment.id: attachment for attachment in message.attachments}
        found: list[Attachment] = []
        for entry in body["attachments"]:
            entry_id = int(entry["id"])
            if entry_id in present:
                found.append(present[entry_id])
                continue
            found.append(self._attach(message.channel, entry, files[entry_id]))
        return found

    def _attach(self, channel: Channel, entry: Json, upload: Upload) -> Attachment:
        filename = entry.get("filename") or upload.filename
        kind = mimetypes.guess_type(filename)[0]
        file = Attachment(self.state.snowflake(), filename, upload.data, entry.get("description"), kind)
        if kind is not None and kind.startswith("image/"):
            file.width, file.height = _picture_size(upload.data)
        self.state.sign(file, channel)
        return file

    def _reference(self, channel: Channel, reference: Json) -> Json | None:
        target = int(reference["message_id"])
        found = self.state.messages.get(target)
        if found is None or found.channel is not channel or found.ephemeral:
            if reference.get("fail_if_not_exists", True):
                form = Form()
                form.wrong(("message_reference",), "MESSAGE_REFERENCE_UNKNOWN_MESSAGE", "Unknown message")
                form.check()
            return None
        return self._pointer(channel, target)

    def _pointer(self, channel: Channel, target: int) -> Json:
        found = {"type": 0, "message_id": str(target), "channel_id": str(channel.id)}
        return found if channel.recipient else {**found, "guild_id": str(self.state.guild)}

    def _called(self, message: Message, allowed: Any) -> list[User]:
        text = " ".join([message.content, *(part.get("content", "") for part in walk(message.components))])
        ids = mentioned(text)
        if allowed is not None and "users" not in allowed.get("parse", []):
            ids &= {int(user) for user in allowed.get("users", [])}
        return [self.state.users[user] for user in sorted(ids) if user in self.state.users]


def _refuse_leftovers(message: Message, body: Json) -> None:
    form = Form()
    for key in ("content", "embeds"):
        if body.get(key, getattr(message, key)):
            form.wrong(
                (key,),
                "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2",
                f"The '{key}' field cannot be used when using MessageFlags.IS_COMPONENTS_V2",
            )
    form.check()


def refuse_archived(channel: Channel) -> None:
    """Refuse to write in an archived thread."""
    if isinstance(channel, Thread) and channel.archived:
        raise Refusal(50083)


def number(components: list[Json]) -> list[Json]:
    """Give each component an id, as Discord does."""
    taken = {part["id"] for part in walk(components) if part.get("id")}
    fresh = (n for n in range(1, 1000) if n not in taken)
    for part in walk(components):
        if not part.get("id"):
            part["id"] = next(fresh)
    return components


def renew(state: State, message: Message) -> None:
    """Give the files of a message addresses that are good for another day."""
    for attachment in message.attachments:
        state.sign(attachment, message.channel)
    by_id = {str(attachment.id): attachment for attachment in message.attachments}
    for media in _media(message):
        _, _, path = media["url"].partition("/attachments/")
        if "/" in path and path.split("/")[1] in by_id:
            _point(media, by_id[path.split("/")[1]])


def _link_files(message: Message) -> None:
    by_name = {f"attachment://{attachment.filename}": attachment for attachment in message.attachments}
    for media in _media(message):
        if media["url"] in by_name:
            _point(media, by_name[media["url"]])


def _point(media: Json, file: Attachment) -> None:
    """Where a file is and, of a picture, how large: its room can be kept free until it is there."""
    media["url"] = media["proxy_url"] = file.url
    if file.width and file.height:
        media["width"], media["height"] = file.width, file.height


def _media(message: Message) -> Iterator[Json]:
    """Every place in a message that shows a file by its address."""
    for embed in message.embeds:
        yield from (embed[key] for key in ("image", "thumbnail") if key in embed)
    for part in walk(message.components):
        for media in [part.get("media"), part.get("file"), *(item["media"] for item in part.get("items", []))]:
            if media:
                media["proxy_url"] = media["url"]
                yield media


def _picture_size(data: bytes) -> tuple[int | None, int | None]:
    try:
        with Image.open(io.BytesIO(data)) as picture:
            return picture.size
    except (UnidentifiedImageError, OSError):
        return None, None
