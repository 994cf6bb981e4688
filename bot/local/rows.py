"""People, channels, messages and files as plain JSON, and back."""

from dataclasses import asdict, fields

from bot.local.model import Attachment, Channel, Message, Thread, User
from bot.local.refusal import Json
from bot.local.state import State

_PLAIN = ("id", "created", "content", "embeds", "components", "flags", "kind", "edited", "nonce")
_PLAIN_TOO = ("reference", "interaction", "webhook")
"""Fields of a message that are JSON as they are."""


def person(who: User) -> Json:
    """A person's row."""
    return asdict(who)


def to_person(row: Json) -> User:
    """The person of a row."""
    return User(**row)


def channel(place: Channel) -> Json:
    """A channel's or thread's row."""
    row = {field.name: getattr(place, field.name) for field in fields(place) if field.name != "gone"}
    row["overwrites"] = {str(target): list(bits) for target, bits in place.overwrites.items()}
    row["recipient"] = place.recipient and place.recipient.id
    if isinstance(place, Thread):
        row["members"] = sorted(place.members)
    return row


def to_channel(row: Json, state: State) -> Channel:
    """The channel or thread of a row; the people must be there already."""
    row["overwrites"] = {int(target): (allow, deny) for target, (allow, deny) in row["overwrites"].items()}
    row["recipient"] = state.users[row["recipient"]] if row["recipient"] else None
    if "members" in row:
        return Thread(**{**row, "members": set(row["members"])})
    return Channel(**row)


def message(post: Message) -> Json:
    """A message's row, its files left out."""
    row: Json = {name: getattr(post, name) for name in (*_PLAIN, *_PLAIN_TOO)}
    row |= {"channel": post.channel.id, "author": post.author.id, "only_for": post.only_for and post.only_for.id}
    row |= {name: [who.id for who in getattr(post, name)] for name in ("mentions", "pings")}
    thread = None if post.thread is None or post.thread.gone else post.thread.id
    return {**row, "thread": thread, "files": [file.id for file in post.attachments]}


def to_message(row: Json, files: list[Attachment], state: State) -> Message:
    """The message of a row; people and channels must be there already."""
    by_id = {file.id: file for file in files}
    attachments = [by_id[file] for file in row.pop("files")]
    thread = state.channels.get(row.pop("thread") or 0)
    row |= {name: [state.users[who] for who in row[name]] for name in ("mentions", "pings")}
    row |= {"channel": state.channels[row["channel"]], "author": state.users[row["author"]]}
    row["only_for"] = state.users[row["only_for"]] if row["only_for"] else None
    return Message(**row, attachments=attachments, thread=thread if isinstance(thread, Thread) else None)


def file(attachment: Attachment) -> Json:
    """A file's row, its bytes left out."""
    return {field.name: getattr(attachment, field.name) for field in fields(attachment) if field.name != "data"}


def to_file(row: Json, data: bytes) -> Attachment:
    """The file of a row."""
    return Attachment(**row, data=data)
