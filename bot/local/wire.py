"""The state as Discord's JSON."""

import copy
from datetime import UTC, datetime

from bot.local import permissions
from bot.local.model import DM, Attachment, Channel, Message, Thread, User
from bot.local.refusal import Json
from bot.local.state import State

FILE_LIMIT = 10 * 1024 * 1024
"""Bytes that one file may have."""


def stamp(moment: float) -> str:
    """A time as Discord writes it."""
    return datetime.fromtimestamp(moment, UTC).isoformat()


def user(person: User) -> Json:
    """A user object."""
    return {
        "id": str(person.id),
        "username": person.username,
        "global_name": None if person.bot else person.name,
        "discriminator": "0000" if person.bot else "0",
        "avatar": None,
        "bot": person.bot,
        "public_flags": 0,
    }


def member(state: State, person: User) -> Json:
    """A member object without its user; roles are ids."""
    return {
        "nick": person.name if person.bot else None,
        "roles": [str(state.bot_role)] if person.bot else [],
        "joined_at": stamp(state.clock.now()),
        "deaf": False,
        "mute": False,
        "flags": 0,
        "pending": False,
        "avatar": None,
        "communication_disabled_until": None,
    }


def full_member(state: State, person: User) -> Json:
    """A member object with its user inside."""
    return {**member(state, person), "user": user(person)}


def _role(role_id: int, name: str, granted: tuple[str, ...], position: int, tags: Json | None) -> Json:
    role: Json = {
        "id": str(role_id),
        "name": name,
        "permissions": str(permissions.bits(granted)),
        "position": position,
        "color": 0,
        "colors": {"primary_color": 0, "secondary_color": None, "tertiary_color": None},
        "hoist": False,
        "managed": tags is not None,
        "mentionable": False,
        "flags": 0,
    }
    return role if tags is None else {**role, "tags": tags}


def guild(state: State) -> Json:
    """The server as GUILD_CREATE tells it; a bot is told of channels that it cannot see, too."""
    people = [person for person in state.users.values() if not person.left]
    owner = next((p for p in people if not p.bot), state.bot)
    return {
        **_GUILD,
        "id": str(state.guild),
        "name": state.guild_name,
        "owner_id": str(owner.id),
        "unavailable": False,
        "member_count": len(people),
        "joined_at": stamp(state.clock.now()),
        "roles": [
            _role(state.guild, "@everyone", permissions.EVERYONE, 0, None),
            _role(state.bot_role, state.bot.name, permissions.ASKED, 1, {"bot_id": str(state.bot.id)}),
        ],
        "channels": [channel(state, c) for c in state.text_channels],
        "threads": [thread(state, t) for t in state.threads() if state.may(state.bot, t, "view_channel")],
        "members": [full_member(state, state.bot)],
    }


_GUILD: Json = {
    "large": False,
    "icon": None,
    "features": [],
    "emojis": [],
    "stickers": [],
    "preferred_locale": "en-US",
    "verification_level": 0,
    "default_message_notifications": 1,
    "explicit_content_filter": 0,
    "mfa_level": 0,
    "nsfw_level": 0,
    "premium_tier": 0,
    "system_channel_flags": 0,
    "afk_timeout": 300,
    "presences": [],
    "voice_states": [],
    "stage_instances": [],
    "guild_scheduled_events": [],
    "soundboard_sounds": [],
}
"""What a small plain server is like."""


def channel(state: State, place: Channel) -> Json:
    """A channel object of any type."""
    if isinstance(place, Thread):
        return thread(state, place)
    last = None if place.last_message is None else str(place.last_message)
    if place.kind == DM:
        assert place.recipient is not None
        return {"id": str(place.id), "type": DM, "last_message_id": last, "recipients": [user(place.recipient)]}
    return {
        "id": str(place.id),
        "guild_id": str(state.guild),
        "type": place.kind,
        "name": place.name,
        "position": place.position,
        "topic": None,
        "nsfw": False,
        "parent_id": None,
        "rate_limit_per_user": 0,
        "flags": 0,
        "last_message_id": last,
        "permission_overwrites": [
            {"id": str(t), "type": 0 if t == state.guild else 1, "allow": str(allow), "deny": str(deny)}
            for t, (allow, deny) in place.overwrites.items()
        ],
    }


def thread(state: State, place: Thread, *, newly: bool = False) -> Json:
    """A thread object."""
    found: Json = {
        "id": str(place.id),
        "guild_id": str(state.guild),
        "parent_id": str(place.parent),
        "owner_id": str(place.owner),
        "type": place.kind,
        "name": place.name,
        "message_count": place.sent,
        "total_message_sent": place.sent,
        "member_count": len(place.members),
        "rate_limit_per_user": 0,
        "flags": 0,
        "last_message_id": None if place.last_message is None else str(place.last_message),
        "thread_metadata": {
            "archived": place.archived,
            "locked": place.locked,
            "auto_archive_duration": place.archive_after,
            "archive_timestamp": stamp(place.archived_at or state.clock.now()),
            "create_timestamp": stamp(place.archived_at or state.clock.now()),
        },
    }
    if state.bot.id in place.members:
        found["member"] = thread_member(state, place, state.bot.id)
    return {**found, "newly_created": True} if newly else found


def thread_member(state: State, place: Thread, user_id: int) -> Json:
    """Somebody's membership of a thread."""
    return {"id": str(place.id), "user_id": str(user_id), "join_timestamp": stamp(state.clock.now()), "flags": 0}


def attachment(file: Attachment, *, ephemeral: bool = False) -> Json:
    """An attachment object."""
    found: Json = {
        "id": str(file.id),
        "filename": file.filename,
        "size": len(file.data),
        "url": file.url,
        "proxy_url": file.url,
    }
    for key in ("description", "content_type", "width", "height"):
        value = getattr(file, key)
        if value is not None:
            found[key] = value
    return {**found, "ephemeral": True} if ephemeral else found


def message(state: State, post: Message, *, with_guild: bool = False) -> Json:
    """A message object; keys that do not apply are left out, for discord.py chokes on nulls."""
    found: Json = {
        "id": str(post.id),
        "channel_id": str(post.channel.id),
        "author": user(post.author),
        "content": post.content,
        "timestamp": stamp(post.created),
        "edited_timestamp": None if post.edited is None else stamp(post.edited),
        "tts": False,
        "mention_everyone": False,
        "mentions": [_pinged(state, person, post) for person in post.mentions],
        "mention_roles": [],
        "attachments": [attachment(a, ephemeral=post.ephemeral) for a in post.attachments],
        "embeds": copy.deepcopy(post.embeds),
        "components": copy.deepcopy(post.components),
        "pinned": False,
        "type": post.kind,
        "flags": post.flags,
    }
    return found | _extras(state, post) | (_whereabouts(state, post) if with_guild else {})


def _extras(state: State, post: Message) -> Json:
    found: Json = {}
    if post.nonce is not None:
        found["nonce"] = post.nonce
    if post.webhook is not None:
        found |= {"webhook_id": str(post.webhook), "application_id": str(post.webhook)}
    if post.interaction is not None:
        found["interaction_metadata"] = copy.deepcopy(post.interaction)
    if post.reference is not None:
        found["message_reference"] = dict(post.reference)
    if post.thread is not None and not post.thread.gone:
        found["thread"] = thread(state, post.thread)
    return found


def _whereabouts(state: State, post: Message) -> Json:
    if post.channel.kind == DM:
        return {}
    return {"guild_id": str(state.guild), "member": member(state, post.author)}


def _pinged(state: State, person: User, post: Message) -> Json:
    found = user(person)
    return found if post.channel.kind == DM else {**found, "member": member(state, person)}


def without_content(found: Json) -> Json:
    """A message as a bot gets it that has no right to read what people write."""
    return {**found, "content": "", "embeds": [], "attachments": [], "components": []}
